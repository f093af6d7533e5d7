"""A board in characters whose places are known: which hex is where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Final

from grognard.draw.text.canvas import width_of

#: How far apart the rows (of a flat-top board: the columns) of regular hexes are that are one
#: apart, and how far their corners are from their middles.
_ROW, _CORNER = 0.866, 0.58
#: Who looks for a hex in a direction may be led aside, at this price.
_ASIDE: Final = 1.6


@dataclass(frozen=True)
class Drawing:
    """The *text* of a board, as lines, and the *middles* of its hexes: column and line of each.

    Hexes are *apart* by so many columns, and a line is as high as *stretch* columns are wide, if
    they are taken for regular.
    """

    text: str
    middles: Mapping[int, tuple[int, int]]
    apart: float
    stretch: float

    @staticmethod
    def of(
        text: str, middles: Mapping[int, tuple[int, int]], pointy: bool, right: int, down: int
    ) -> Drawing:
        """That of hexes that are *right* columns and *down* lines apart."""
        apart = right if pointy else right / _ROW
        return Drawing(text, middles, apart, (apart * _ROW if pointy else apart) / down)

    @cached_property
    def width(self) -> int:
        """How many columns it takes."""
        return max(map(width_of, self.text.split("\n")))

    @property
    def height(self) -> int:
        """How many lines it takes."""
        return self.text.count("\n") + 1

    @cached_property
    def owners(self) -> dict[tuple[int, int], int]:
        """The hex that each character belongs to, by column and line; hexes share their borders."""
        reach = self.apart * _CORNER
        wide, high = int(reach), int(reach / self.stretch)
        around = [(dx, dy) for dx in range(-wide, wide + 1) for dy in range(-high, high + 1)]
        near: dict[tuple[int, int], tuple[float, int]] = {}
        for h, (x, y) in self.middles.items():
            for dx, dy in around:
                far, place = hypot(dx, dy * self.stretch), (x + dx, y + dy)
                if far <= reach and (place not in near or far < near[place][0]):
                    near[place] = far, h
        return {place: h for place, (_, h) in near.items()}

    def beside(self, h: int, right: int, down: int) -> int:
        """The hex next to *h* to the right (or left) or downwards (or upwards); *h* itself where
        none lies there.
        """
        x, y = self.middles[h]
        best, found = float("inf"), h
        for other, (a, b) in self.middles.items():
            across, along = a - x, (b - y) * self.stretch
            ahead = across * right + along * down
            aside = abs(along * right) + abs(across * down)
            if ahead > 0 and (far := ahead + _ASIDE * aside) < best:
                best, found = far, other
        return found
