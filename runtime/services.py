"""Small services that compiled rulesets call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.board import bits

#: More steps than any rules need between two decisions, or within one repetition.
ENDLESS: Final = range(200_000)

#: ``BIT[i]`` is ``1 << i``; the last entry answers for ``none`` (−1) with the empty set.
BIT: Final = (*(1 << i for i in range(4096)), 0)


def tabulate(function: Callable[..., Any], sizes: Sequence[int], *known: int) -> Any:
    """All values of a function that reads no state, as nested tuples; each ends with the value for none."""
    if not sizes:
        return function(None, *known)
    return tuple(tabulate(function, sizes[1:], *known, i) for i in (*range(sizes[0]), -1))


def shift(member: int, by: int, last: int) -> int:
    """The enum member *by* places further, stopping at the ends; none stays none."""
    if member < 0:
        return member
    return max(0, min(last, member + by))


def union(column: Sequence[int], members: int) -> int:
    """The union of the sets that a column holds for the members of a set."""
    result = 0
    for member in bits(members):
        result |= column[member]
    return result


#: The unions of columns that never change, for each stretch of 8 members and each set of them.
_UNIONS: dict[int, tuple[Sequence[int], list[list[int]]]] = {}


def fixed_union(column: list[int], members: int) -> int:
    """The same as :func:`union`, for a column that never changes."""
    known = _UNIONS.get(id(column))
    if known is None or known[0] is not column:
        if len(_UNIONS) >= 32:
            _UNIONS.clear()
        tables = []
        for place in range(0, len(column), 8):
            table = [0]
            for one in column[place : place + 8]:
                table += [other | one for other in table]
            tables.append(table)
        known = _UNIONS[id(column)] = (column, tables)
    tables = known[1]
    result = 0
    for place, chunk in enumerate(members.to_bytes(len(tables), "little")):
        if chunk:
            result |= tables[place][chunk]
    return result


def turn(direction: int, by: int) -> int:
    """The direction *by* sixths further clockwise; none stays none."""
    return (direction + by) % 6 if direction >= 0 else direction


def face(dice: Sequence[int]) -> int:
    """What the first die of a roll shows; none for no dice."""
    return dice[0] if dice else -1


def top(pile: Sequence[int]) -> int:
    """The top card of a pile, or none."""
    return pile[-1] if pile else -1
