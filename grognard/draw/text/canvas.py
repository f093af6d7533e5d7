"""Characters on a sheet, with styles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

#: The styles a cell may have, and those of the board itself, as parameters of ANSI SGR.
STYLES: Final[dict[str, str]] = {
    # of the 256 colours, which no theme changes: what is light in one theme is dark in another
    "side0": "1;38;5;231;48;5;25",
    "side1": "1;38;5;231;48;5;124",
    "side2": "1;38;5;231;48;5;28",
    "side3": "1;38;5;231;48;5;90",
    "side4": "1;38;5;16;48;5;178",
    "side5": "1;38;5;16;48;5;44",
    "side6": "1;38;5;231;48;5;240",
    "side7": "1;38;5;16;48;5;252",
    "flag0": "38;5;33",
    "flag1": "38;5;167",
    "flag2": "38;5;34",
    "flag3": "38;5;170",
    "flag4": "38;5;136",
    "flag5": "38;5;37",
    "flag6": "38;5;245",
    "flag7": "38;5;139",
    "mark": "1;38;5;172",
    "dim": "2",
    "ground": "32",
    "label": "2",
    "border": "90",
    "margin": "1",
}
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def paint(text: str, style: str, color: bool) -> str:
    """*text* in a style of :data:`STYLES`, or in SGR codes."""
    codes = STYLES.get(style, style)
    return f"\x1b[{codes}m{text}\x1b[0m" if color and text else text


def width_of(text: str) -> int:
    """How many columns a line takes, colours apart."""
    return len(_ANSI.sub("", text))


def printable(text: str) -> str:
    """A text without characters that a terminal does not show."""
    return "".join(c for c in text if c.isprintable())


#: How many sides have a style of their own; further ones begin again.
SIDES: Final = 8


def side_style(side: int) -> str:
    """The style of a side."""
    return f"side{side % SIDES}"


class Canvas:
    """A sheet of characters, each with styles (names separated by blanks)."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write *text* to the right from (*x*, *y*), over what stood there."""
        for i, character in enumerate(text):
            self._marks[x + i, y] = character, style

    @property
    def corner(self) -> tuple[int, int]:
        """The column and line where the sheet begins."""
        return min(x for x, _ in self._marks), min(y for _, y in self._marks)

    def text(self, color: bool) -> str:
        """The sheet, cut to what is written on it, with or without ANSI escapes for the styles."""
        xs, ys = [x for x, _ in self._marks], [y for _, y in self._marks]
        lines = []
        for y in range(min(ys), max(ys) + 1):
            row = [self._marks.get((x, y), (" ", "")) for x in range(min(xs), max(xs) + 1)]
            lines.append(
                "".join(_colored(row) if color else (character for character, _ in row)).rstrip()
            )
        return "\n".join(lines)


def _colored(row: Iterable[tuple[str, str]]) -> Iterator[str]:
    current = ""
    for character, style in row:
        if style != current:
            if current:
                yield "\x1b[0m"
            if style:
                yield "\x1b[" + ";".join(STYLES.get(word, word) for word in style.split()) + "m"
            current = style
        yield character
    if current:
        yield "\x1b[0m"


def centered(text: str, width: int) -> str:
    """*text* in the middle of *width* characters, rather to the left."""
    return (" " * ((width - len(text)) // 2) + text).ljust(width)
