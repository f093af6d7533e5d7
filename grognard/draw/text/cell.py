"""One hex in characters: what is drawn inside it, and its shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from grognard.draw.text.canvas import centered
from runtime.board import Board

#: How many characters a line of a cell's text may have, and how many lines the text.
CELL_WIDTH: Final = 5
CELL_LINES: Final = 3
#: What stands between the sort of a piece and its strength.
BEFORE_STRENGTH: Final = "·"


@dataclass(frozen=True, slots=True)
class Cell:
    """What is drawn inside one hex.

    *lines*: up to three lines of text, each of at most five characters; a hex without text shows
    its label. *style*: names of :data:`STYLES`, separated by blanks: ``mark`` makes the hex's
    border stand out (without colour: asterisks in it), the others colour the text. *ground*: the
    terrain, one to three characters, shown where the text leaves room; a single one is repeated.
    *ground_style*: its style, or SGR codes.  *below*: what stands instead of it at the lower end.
    *edges*: what runs along the sides of the hex: the number of the direction (as of
    :meth:`runtime.board.Board.directions`), the character that stands for it where there is no
    colour, and SGR codes; a blank leaves the side out. *ways*: what leads out of the hex: the
    number of the direction, and SGR codes. *brief*: the text in sketches, instead of the first
    line; *mini*: the ground there, one character. *accent*: the character that marks the hex
    without colour; *mark_style* that of its border.
    """

    lines: tuple[str, ...] = ()
    style: str = ""
    ground: str = ""
    ground_style: str = "ground"
    edges: tuple[tuple[int, str, str], ...] = ()
    ways: tuple[tuple[int, str], ...] = ()
    accent: str = "*"
    mark_style: str = "mark"
    brief: str = ""
    mini: str = ""
    below: str = ""

    @property
    def is_marked(self) -> bool:
        """Does the hex's border stand out?"""
        return "mark" in self.style.split()

    @property
    def text_style(self) -> str:
        """The styles of the text."""
        return " ".join(word for word in self.style.split() if word != "mark") or self.style

    @property
    def ground_line(self) -> str:
        """The ground as three characters, or empty."""
        return _three(self.ground)

    @property
    def lower_line(self) -> str:
        """What stands at the lower end, as three characters, or empty."""
        return _three(self.below or self.ground)


def _three(ground: str) -> str:
    """A ground as three characters, or empty."""
    return ground * 3 if len(ground) == 1 else ground and centered(ground, 3)


@dataclass(frozen=True, slots=True)
class Shape:
    """How one hex is drawn; places are (x, y) in characters from the upper left corner of its box.

    *right* and *down* are the steps from a column and row to the next, *shift* how far shifted rows
    or columns are off, *overhang* what a row of hexes takes beyond its columns.  *slots* are the
    lines inside for text: place and width.  *ground_slots* are the places for three characters of
    ground, *accents* for what marks a hex, *middle* that of its centre.  The characters of the
    *border* have the direction of their side.
    """

    right: int
    down: int
    shift: tuple[int, int]
    overhang: int
    height: int
    middle: tuple[int, int]
    border: tuple[tuple[int, int, str, int], ...]
    slots: tuple[tuple[int, int, int], ...]
    ground_slots: tuple[tuple[int, int], ...]
    accents: tuple[tuple[int, int], ...]

    def side(self, direction: int) -> Iterator[tuple[int, int, str]]:
        """The places and characters of the border towards a direction."""
        return ((x, y, character) for x, y, character, to in self.border if to == direction)

    def corner(self, board: Board, h: int) -> tuple[int, int]:
        """The upper left corner of the box around hex *h*."""
        row, column = board.row_of[h], board.column_of[h]
        shifted = board.shifted(row if board.pointy else column)
        x, y = self.right * column, self.down * row
        return (x + self.shift[0], y + self.shift[1]) if shifted else (x, y)

    def first_slot(self, lines: tuple[str, ...]) -> int | None:
        """The slot for the first of *lines* such that all fit, as near to the middle as can be;
        None when none is.
        """
        starts = [
            start
            for start in range(len(self.slots) - len(lines) + 1)
            if all(
                len(line) <= width
                for line, (_, _, width) in zip(lines, self.slots[start:], strict=False)
            )
        ]
        return min(
            starts, key=lambda start: abs(2 * start + len(lines) - len(self.slots)), default=None
        )


def pointy_shape(cells: Iterable[Cell]) -> Shape:
    """The lowest pointy-top hex that all *cells* fit into."""
    texts = {shown.lines for shown in cells}
    for body in range(1, CELL_LINES):
        shape = pointy_shape_of(body)
        if all(shape.first_slot(lines) is not None for lines in texts):
            return shape
    return pointy_shape_of(CELL_LINES)


def pointy_shape_of(body: int) -> Shape:
    """A pointy-top hex whose upright sides are *body* lines long."""
    upper = ((2, 0, "/", 4), (4, 0, "\\", 5), (1, 1, "/", 4), (5, 1, "\\", 5))
    upright = tuple((x, 2 + i, "|", side) for i in range(body) for x, side in ((0, 3), (6, 0)))
    lower = (
        (1, body + 2, "\\", 2),
        (5, body + 2, "/", 1),
        (2, body + 3, "\\", 2),
        (4, body + 3, "/", 1),
    )
    return Shape(
        right=6,
        down=body + 2,
        shift=(3, 0),
        overhang=4,
        height=body + 4,
        middle=(3, 2 + (body - 1) // 2),
        border=upper + upright + lower,
        slots=((2, 1, 3), *((1, 2 + i, CELL_WIDTH) for i in range(body)), (2, body + 2, 3)),
        ground_slots=((2, 1), (2, body + 2)),
        accents=((3, 0), (3, body + 3)),
    )


def flat_shape() -> Shape:
    """A flat-top hex."""
    top = tuple((x, 0, "_", 0) for x in range(2, 7))
    sides = (
        (1, 1, "/", 5),
        (7, 1, "\\", 1),
        (0, 2, "/", 5),
        (8, 2, "\\", 1),
        (0, 3, "\\", 4),
        (8, 3, "/", 2),
        (1, 4, "\\", 4),
        (7, 4, "/", 2),
    )
    bottom = tuple((x, 4, "_", 3) for x in range(2, 7))
    return Shape(
        right=7,
        down=4,
        shift=(0, 2),
        overhang=2,
        height=5,
        middle=(4, 2),
        border=top + sides + bottom,
        slots=tuple((2, y, CELL_WIDTH) for y in (1, 2, 3)),
        ground_slots=((3, 4),),
        accents=((1, 2), (7, 2)),
    )
