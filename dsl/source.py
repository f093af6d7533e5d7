"""Source texts and the places in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_LINE_END = re.compile("\n")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one source file: ``[start, end)`` in characters, lines and columns from 1."""

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def holds(self, other: Span) -> bool:
        """Whether *other* lies within."""
        return self.file == other.file and self.start <= other.start and other.end <= self.end


NOWHERE = Span("", 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Source:
    """One file of a ruleset: its name as shown to people and its text."""

    name: str
    text: str
    _starts: list[int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        object.__setattr__(self, "_starts", starts)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters ``[start, end)``."""
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(self.name, start, end, line, column, end_line, end_column)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of a character offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def at(self, line: int, column: int) -> int:
        """The offset of a line and column (from 1), within the text."""
        start = self._starts[min(max(line, 1), len(self._starts)) - 1]
        return min(start + max(column - 1, 0), len(self.text))

    def line(self, number: int) -> str:
        """The text of line *number* (from 1), without its end; empty when there is none."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")
