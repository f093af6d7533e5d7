"""What stands on a screen when a question comes: board and panel, the news, the question, the
options.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from grognard.draw.text.canvas import width_of

#: Between the board and what stands beside it, and how wide that is at the least and at the most.
_GAP, _NARROW, _WIDE = 4, 26, 64
#: How many lines are kept for the options at first, as a part of the screen and at the least.
_PART: Final = 4
_OPTIONS: Final = 6
#: One in so many lines is kept for the news, and for the panel in brief.
_NEWS, _BRIEF = 15, 5


@dataclass(frozen=True)
class Layout:
    """The parts of a screen: *board* draws as much as fits into so many columns and lines,
    *options* lists what is offered in so many lines, *key* tells what the signs on the board mean
    in lines of some width.

    The *panel* and the *key* stand beside the board where there is room, else the panel in *brief*
    below it, and as much of the key as there are lines left.
    """

    board: Callable[[int, int], list[str]]
    panel: Sequence[str]
    brief: Sequence[str]
    key: Callable[[int], list[str]]
    news: Sequence[str]
    question: Sequence[str]
    options: Callable[[int], list[str]]

    def lines(self, width: int, height: int) -> list[str]:
        """The lines of a screen, but for that of the prompt.  Where there is too little room for
        the question and its options, they are all there is.
        """
        room = height - 1 - len(self.question)
        upper = self._upper(width, room - max(_OPTIONS, room // _PART))
        options = self.options(max(1, room - len(upper) - min(len(self.news), room // _NEWS)))
        news = self._latest(room - len(upper) - len(options))
        spare = room - len(upper) - len(options) - len(news)
        gaps = [[""] if n < spare else [] for n in range(2)]
        return [*upper, *(gaps[0] if news else []), *news, *gaps[1], *self.question, *options]

    def _latest(self, room: int) -> Sequence[str]:
        """The last of the news that there is room for."""
        return self.news[max(0, len(self.news) - room) :] if room > 0 else []

    def _upper(self, width: int, room: int) -> list[str]:
        """The board with the panel."""
        brief = self.brief[: room // _BRIEF]
        below = self.board(width, room - len(brief))
        rows = [
            line for line in self.panel if "  " in line.strip()
        ]  # of a table: they are not broken
        least = max([_NARROW, *map(width_of, rows)])
        beside = self.board(width - _GAP - least, room)
        if beside and _wide(beside) >= _wide(below) and len(beside) >= len(below):
            side = min(_WIDE, width - _GAP - _wide(beside))
            panel = [part for line in self.panel for part in _fold(line, side)]
            if len(panel) <= len(beside):
                return _side_by_side(beside, [*panel, "", *self.key(side)])
        if not below:
            return []
        left = max(0, room - len(below) - len(brief))
        return [*below, *self.key(width)[:left], *brief]


def _wide(lines: Sequence[str]) -> int:
    return max(map(width_of, lines), default=0)


def _fold(line: str, width: int) -> list[str]:
    """A line as several, where it is wider and no table."""
    if width_of(line) <= width or "\x1b" in line or "  " in line.strip():
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) or [""]


def _side_by_side(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Lines with others beside them, as many as there are."""
    wide = _wide(left) + _GAP
    beside = [*right[: len(left)], *[""] * (len(left) - len(right))]
    return [
        (a + " " * (wide - width_of(a)) + b).rstrip() for a, b in zip(left, beside, strict=True)
    ]
