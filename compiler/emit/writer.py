"""Lines of generated Python, each knowing the ``.grog`` line it stands for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeAlias

from compiler import ir
from compiler.emit.text import Name
from dsl.source import Span


@dataclass
class Room:
    """A place kept free before a loop, for values that do not change within it."""

    indent: str
    lines: list[str] = field(default_factory=list)


#: Lines with their source places, cut out to be put back elsewhere.
Lines: TypeAlias = "list[tuple[str | Room, Span | None]]"


@dataclass
class Code:
    """One generated function: its lines and, for each, the source place."""

    name: str
    span: Span
    raw: list[str | Room] = field(default_factory=list)
    raw_places: list[Span | None] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The lines, with what was put into the rooms."""
        return [line for entry in self.raw for line in (entry.lines if isinstance(entry, Room) else [entry])]

    @property
    def places(self) -> list[Span | None]:
        """The source place of each line."""
        return [
            place
            for entry, place in zip(self.raw, self.raw_places, strict=True)
            for _ in (entry.lines if isinstance(entry, Room) else [entry])
        ]

    @property
    def text(self) -> str:
        """The function's source."""
        return "\n".join(self.lines) + "\n"

    def tree(self) -> ast.Module:
        """The syntax tree with ``.grog`` line numbers.

        A code object has one file; lines that come from another file of the ruleset are given to the
        line before them.
        """
        module = ast.parse(self.text)
        numbers: list[int] = []
        current = self.span.line
        for place in self.places:
            if place is not None and place.file == self.span.file and place.line:
                current = place.line
            numbers.append(current)
        for node in ast.walk(module):
            if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias | ast.excepthandler):
                line = numbers[node.lineno - 1]
                node.lineno = line
                node.end_lineno = line
                node.col_offset = node.end_col_offset = 0
        return module


class Writer:
    """Collects lines with indentation."""

    def __init__(self, name: str, span: Span) -> None:
        self.code = Code(name, span)
        self.depth = 0
        self.place: Span | None = span
        self.temps = 0

    def add(self, text: str) -> None:
        """Add a line at the current depth."""
        self.code.raw.append("    " * self.depth + text)
        self.code.raw_places.append(self.place)

    def room(self) -> Room:
        """Keep a place free here."""
        room = Room("    " * self.depth)
        self.code.raw.append(room)
        self.code.raw_places.append(self.place)
        return room

    def mark(self) -> int:
        """The number of lines so far."""
        return len(self.code.raw)

    def cut(self, mark: int) -> Lines:
        """Remove and return the lines after *mark*."""
        taken = list(zip(self.code.raw[mark:], self.code.raw_places[mark:], strict=True))
        del self.code.raw[mark:]
        del self.code.raw_places[mark:]
        return taken

    def paste(self, lines: Lines) -> None:
        """Put lines back."""
        for entry, place in lines:
            self.code.raw.append(entry)
            self.code.raw_places.append(place)

    def temp(self) -> Name:
        """A fresh local."""
        self.temps += 1
        return Name(f"t{self.temps}")


def parameters(params: list[ir.ParamInfo]) -> str:
    """Parameters after the state."""
    return "".join(f", v_{p.name}: {'tuple[int, ...]' if p.type.kind == 'roll' else 'int'}" for p in params)


def arguments(params: list[ir.ParamInfo]) -> str:
    """The same parameters, handed on after the state."""
    return "".join(f", v_{p.name}" for p in params)
