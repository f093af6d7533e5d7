"""What is drawn inside one hex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grognard.draw.text.canvas import STYLES, centered

#: How many characters a line of a cell's text may have, and how many lines the text.
CELL_WIDTH: Final = 5
CELL_LINES: Final = 3


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

    ValueError when something does not fit, is not printable, or names no style.
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

    def __post_init__(self) -> None:
        if len(self.lines) > CELL_LINES:
            raise ValueError(f"a hex has room for {CELL_LINES} lines, not for {len(self.lines)}")
        for line in self.lines:
            if len(line) > CELL_WIDTH or not line.isprintable():
                raise ValueError(
                    f"a line in a hex has at most {CELL_WIDTH} printable characters, not {line!r}"
                )
        for ground in (self.ground, self.below):
            if len(ground) > 3 or not ground.isprintable():
                raise ValueError(
                    f"the ground of a hex has at most 3 printable characters, not {ground!r}"
                )
        for word in self.style.split():
            if word not in STYLES:
                raise ValueError(f"style {word!r} is none of {', '.join(STYLES)}")

    @property
    def marked(self) -> bool:
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
