"""Generated Python: texts of values that know what they are, and lines that know the ``.grog`` line
they stand for.

A text is a ``str``; of a plain one nothing is known.  Put together by :func:`py`, texts keep the
columns of the state that they read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import TypeAlias

from compiler import ir
from dsl.source import Span
from runtime.bitsets import bits
from runtime.board import Board
from runtime.model import TypeSpec, names_hexes

#: How often lines are come to, roughly: those of a loop, those under an ``if``.
TURNS, OFTEN = 8.0, 0.5


class Text(str):
    """A text made of *parts*; the columns that it reads are among them."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]


class Number(str):
    """A whole number."""

    __slots__ = ()


class Name(str):
    """A name or a constant of Python: it can be repeated at no cost."""

    __slots__ = ()


class Local(Name):
    """The Python local of a ruleset's local, whose name is *name*."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Local:
        local = super().__new__(cls, f"v_{name}")
        local.name = name
        return local


class Slot(str):
    """A field of the state that is a single value."""

    __slots__ = ()


class Column(str):
    """A column of the state, an entry of which is read."""

    __slots__ = ("slot",)
    slot: str

    def __new__(cls, slot: str) -> Column:
        column = super().__new__(cls, f"s.{slot}")
        column.slot = slot
        return column


class Negation(Text):
    """``(not …)`` of *operand*."""

    __slots__ = ("operand",)
    operand: str


@cache
def _literals(template: str) -> tuple[str, ...]:
    """What stands around the ``{}`` of a template."""
    literals = [""]
    for literal, value, _, _ in Formatter().parse(template):
        literals[-1] += literal
        if value is not None:
            literals.append("")
    return tuple(literals)


def text_parts(text: str) -> tuple[str, ...]:
    """The parts of a text; a plain one is its only part."""
    return text.parts if isinstance(text, Text) else (text,)


def py(template: str, *values: str) -> Text:
    """*template* with the texts *values* in the places of its ``{}``."""
    first, *others = _literals(template)
    parts = [first]
    for value, literal in zip(values, others, strict=True):
        parts += (*text_parts(value), literal)
    text = Text("".join(parts))
    text.parts = tuple(parts)
    return text


def join(separator: str, texts: list[str]) -> Text:
    """*texts* with *separator* between them."""
    return py(separator.join(["{}"] * len(texts)), *texts)


def negation(operand: str) -> Negation:
    """``(not operand)``."""
    text = Negation(f"(not {operand})")
    text.parts = ("(not ", *text_parts(operand), ")")
    text.operand = operand
    return text


# --------------------------------------------------------------------------- lines


@dataclass
class Line:
    """A line; *often*: how often the lines under it run for each time; *skips*: ends a turn."""

    text: str
    depth: int
    place: Span | None
    often: float = 1.0
    skips: bool = False


@dataclass
class Room:
    """A place kept free before a loop, for values that do not change within it."""

    depth: int = 0
    place: Span | None = None
    lines: list[Line] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Put a line into it."""
        self.lines.append(Line(text, self.depth, self.place))


Lines: TypeAlias = "list[Line | Room]"


def flat(entries: Lines) -> Iterator[Line]:
    """The lines, with those that were put into rooms."""
    for entry in entries:
        yield from entry.lines if isinstance(entry, Room) else (entry,)


@dataclass
class Code:
    """One generated function: its lines and, for each, the source place."""

    name: str
    span: Span
    entries: Lines = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The lines, with what was put into the rooms."""
        return ["    " * line.depth + line.text for line in flat(self.entries)]

    @property
    def places(self) -> list[Span | None]:
        """The source place of each line."""
        return [line.place for line in flat(self.entries)]

    @property
    def text(self) -> str:
        """The function's source."""
        return "\n".join(self.lines) + "\n"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The ``.grog`` line of each line.

        A code object has one file; lines that come from another file of the ruleset are given to
        the line before them.
        """
        numbers: list[int] = []
        current = self.span.line
        for place in self.places:
            if place is not None and place.file == self.span.file and place.line:
                current = place.line
            numbers.append(current)
        return tuple(numbers)


def parse_with_lines(text: str, numbers: tuple[int, ...]) -> ast.Module:
    """The syntax tree of *text* with these line numbers."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if isinstance(
            node, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias | ast.excepthandler
        ):
            node.lineno = node.end_lineno = numbers[node.lineno - 1]
            node.col_offset = node.end_col_offset = 0
    return module


class Writer:
    """Collects the lines of one function."""

    def __init__(self, name: str, span: Span) -> None:
        self.code = Code(name, span)
        self.depth = 0
        self.place: Span | None = span
        self.temps = 0

    def add(self, template: str, *values: str) -> None:
        """Add a line at the current depth, with *values* in the places of ``{}``."""
        text = py(template, *values) if values else template
        self.code.entries.append(Line(text, self.depth, self.place))

    def open(self, template: str, *values: str, often: float = OFTEN) -> None:
        """Add the head of a block: an ``if`` unless it says how *often* it runs."""
        text = py(template, *values) if values else template
        self.code.entries.append(Line(text, self.depth, self.place, often))
        self.depth += 1

    @contextmanager
    def block(self, template: str, *values: str, often: float = OFTEN) -> Iterator[None]:
        """A block with its head, and all that is opened in it."""
        with self.indented():
            self.open(template, *values, often=often)
            yield

    @contextmanager
    def indented(self) -> Iterator[None]:
        """What is opened ends here."""
        depth = self.depth
        yield
        self.depth = depth

    def when(self, test: str, *steps: str) -> None:
        """Steps under ``if test:``."""
        with self.block("if {}:", test):
            for step in steps:
                self.add(step)

    def skip(self, test: str) -> None:
        """On with the next turn of the loop where *test* holds."""
        with self.block("if {}:", test):
            self.next_turn()

    def next_turn(self) -> None:
        """On with the next turn of the loop."""
        self.code.entries.append(Line("continue", self.depth, self.place, skips=True))

    def room(self) -> Room:
        """Keep a place free here."""
        room = Room(self.depth, self.place)
        self.code.entries.append(room)
        return room

    def mark(self) -> int:
        """The number of lines so far."""
        return len(self.code.entries)

    def cut(self, mark: int) -> Lines:
        """Remove and return the lines after *mark*."""
        lines = self.code.entries[mark:]
        del self.code.entries[mark:]
        return lines

    def paste(self, lines: Lines) -> None:
        """Put lines back."""
        self.code.entries += lines

    def temp(self) -> Name:
        """A fresh local."""
        self.temps += 1
        return Name(f"t{self.temps}")

    def cite(self, rules: tuple[str, ...], name: str = "") -> None:
        """A comment with the name of a rule and its citations, where there is something to say."""
        cited = ", ".join(rules)
        if name:
            self.add(f"# {name}" + (f" ({cited})" if rules else ""))
        elif rules:
            self.add(f"# {cited}")


def parameters(params: list[ir.ParamInfo]) -> str:
    """Parameters after the state."""
    return "".join(
        f", v_{p.name}: {'tuple[int, ...]' if p.type.kind == 'roll' else 'int'}" for p in params
    )


def arguments(params: list[ir.ParamInfo]) -> str:
    """The same parameters, handed on after the state."""
    return "".join(f", v_{p.name}" for p in params)


# --------------------------------------------------------------------------- values that name
# hexes, found by their labels on whatever board the module is run


def label(name: str) -> Name:
    """The constant of the module that holds the hex called *name*."""
    return Name(f"H_{name}")


def constant(e: ir.Expr) -> bool:
    """Whether *e* is a constant on every board."""
    return isinstance(e, ir.Const) and not isinstance(e, ir.Label)


def literal(type_: TypeSpec, value: int, board: Board | None) -> str:
    """A value that the ruleset writes down; *board* is the ruleset's own."""
    if board is None or value < 0 or not names_hexes(type_):
        return str(value)
    if type_.kind == "hex":
        return label(board.label(value))
    named = " | ".join(f"BIT[{label(board.label(h))}]" for h in bits(value))
    return f"({named})" if value else "0"
