"""Sets of small numbers (hexes, pieces, members of an enum) as bit masks: bit *n* stands for number
*n*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Final

#: Up to so many members are found sooner one after the other.
_FEW: Final = 12
_DIGIT_VALUES: Final = bytes.maketrans(b"01", b"\0\1")


class _Members(dict[int, tuple[int, ...]]):
    """The members of sets that were asked for; play asks for the same ones again and again."""

    __slots__ = ()
    _MOST: Final = 32768

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= self._MOST:
            self.clear()
        if mask.bit_count() > _FEW:
            digits = bin(mask)[:1:-1].encode().translate(_DIGIT_VALUES)
            positions = tuple(compress(range(len(digits)), digits))
        else:
            members, rest = [], mask
            while rest:
                low = rest & -rest
                members.append(low.bit_length() - 1)
                rest ^= low
            positions = tuple(members)
        self[mask] = positions
        return positions


#: ``bits(mask)``: the members of the set *mask* (not negative), ascending.  Not a function of its
#: own, for speed.
bits: Final[Callable[[int], tuple[int, ...]]] = _Members().__getitem__


class Unions(dict[int, int]):
    """``unions[mask]``: the union of the sets that a column holds for the members of a set; the
    column never changes.

    What spreads over a map asks for the same sets again and again: the last answers are kept.
    Others come out of a table for each stretch of 8 members and each set of them.
    """

    __slots__ = ("_tables",)
    _MOST: Final = 65536

    def __init__(self, column: Sequence[int]) -> None:
        super().__init__()
        self._tables: list[list[int]] = []
        for place in range(0, len(column), 8):
            table = [0]
            for one in column[place : place + 8]:
                table += [other | one for other in table]
            self._tables.append(table)

    def __missing__(self, members: int) -> int:
        result = 0
        for place, chunk in enumerate(members.to_bytes(len(self._tables), "little")):
            if chunk:
                result |= self._tables[place][chunk]
        if len(self) >= self._MOST:
            self.clear()
        self[members] = result
        return result


def mask_of(members: Iterable[int]) -> int:
    """The set of *members* as a bit mask.  ValueError for a negative member."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask
