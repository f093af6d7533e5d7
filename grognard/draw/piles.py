"""What is written in a hex for the pieces on it, at the terminal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grognard.draw.text import CELL_LINES, CELL_WIDTH
from runtime.model import NONE

#: What stands between the sort of a piece and its strength.
BEFORE_STRENGTH = "·"


def tells_no_more(label: str, sort: str) -> bool:
    """Whether a label says no more than the short form of a piece's sort."""
    one, other = label.replace(" ", "").casefold(), sort.replace(" ", "").casefold()
    return one.startswith(other) or other.startswith(one)


@dataclass(frozen=True)
class Written:
    """What is written for a piece: its sort, its strength, its side, signs behind them, and what
    else its label says.
    """

    text: str
    figure: str
    side: int
    signs: str
    label: str

    @property
    def line(self) -> str:
        """Sort and strength, apart where there is room: *HI·4*, *17·4*, unlike the name *HI4*."""
        figure = (
            self.figure if len(self.figure) <= CELL_WIDTH else f"{self.figure[: CELL_WIDTH - 1]}+"
        )
        room = 0 < len(figure) < CELL_WIDTH - (0 if self.text[-1:].isdigit() else len(self.text))
        between = BEFORE_STRENGTH if room else ""
        return self.text[: CELL_WIDTH - len(between + figure)] + between + figure

    @property
    def below(self) -> str:
        """What stands in a line of its own: the rest of the label, and signs."""
        signs = self.signs[:CELL_WIDTH]
        return self.label[: CELL_WIDTH - len(signs)] + signs


def piled(pieces: list[Written]) -> list[tuple[str, int]]:
    """The lines for the pieces on one hex, with their signs: for one alone on a line of their own,
    for several behind the text, unless labels stand there and there is room for them.

    Where they are too many, equal ones become one with a number, then the rest is counted.
    """
    if len(pieces) <= CELL_LINES:
        free, made = CELL_LINES - len(pieces), []
        for piece in pieces:
            if free and (piece.label or (piece.signs and len(pieces) == 1)):
                free -= 1
                made += [(piece.line, piece.side), (piece.below, piece.side)]
            else:
                behind = piece.signs[:2]
                made.append((piece.line[: CELL_WIDTH - len(behind)] + behind, piece.side))
        return made
    piles = Counter((piece.text, piece.side) for piece in pieces)
    lines = [
        (f"{count}{text}"[:CELL_WIDTH] if count > 1 else text, side)
        for (text, side), count in piles.items()
    ]
    if len(lines) > CELL_LINES:
        shown = lines[: CELL_LINES - 1]
        rest = len(pieces) - sum(list(piles.values())[: CELL_LINES - 1])
        lines = [*shown, (f"+{rest}", NONE)]
    return lines


def fitted(text: str) -> str:
    """A text in the room of a line in a hex; without its blanks where it is too long."""
    shown = "".join(c for c in text if c.isprintable())
    return (shown if len(shown) <= CELL_WIDTH else shown.replace(" ", ""))[:CELL_WIDTH]
