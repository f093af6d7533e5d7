"""Lines of generated Python, each knowing the ``.grog`` line it stands for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from dsl.source import Span


@dataclass
class Code:
    """One generated function: its lines and, for each, the source place."""

    name: str
    span: Span
    lines: list[str] = field(default_factory=list)
    places: list[Span | None] = field(default_factory=list)

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
        self.code.lines.append("    " * self.depth + text)
        self.code.places.append(self.place)

    def mark(self) -> int:
        """The number of lines so far."""
        return len(self.code.lines)

    def cut(self, mark: int) -> list[tuple[str, Span | None]]:
        """Remove and return the lines after *mark*."""
        taken = list(zip(self.code.lines[mark:], self.code.places[mark:], strict=True))
        del self.code.lines[mark:]
        del self.code.places[mark:]
        return taken

    def paste(self, lines: list[tuple[str, Span | None]], deeper: int = 0) -> None:
        """Put lines back, indented further."""
        for text, place in lines:
            self.code.lines.append("    " * deeper + text)
            self.code.places.append(place)

    def temp(self) -> str:
        """A fresh local."""
        self.temps += 1
        return f"t{self.temps}"
