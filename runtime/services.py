"""Small services that compiled rulesets call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from runtime.bitsets import Unions, bits, mask_of
from runtime.model import MASK, NONE
from runtime.state import RulesetFault

#: More steps than any rules need between two decisions, or within one repetition.
ENDLESS: Final = range(200_000)

#: The largest whole number that a product may give, and what it may fall to below zero.
LARGEST: Final = 10**15
#: The most numbers in a range, and the most dice of one roll.
MOST: Final = 4096

#: ``BIT[i]`` is ``1 << i``; the last entry answers for ``none`` (−1) with the empty set.
BIT: Final = (*(1 << i for i in range(MOST)), 0)

_NEGATIVE: Final = "a set cannot hold negative numbers"
_TOO_LARGE: Final = f"a set cannot hold numbers of {MOST} and more"


def bit(number: int) -> int:
    """The set of one number, empty for none (−1).  RulesetFault where no set can hold it."""
    if number < NONE:
        raise RulesetFault(_NEGATIVE)
    if number >= MOST:
        raise RulesetFault(_TOO_LARGE)
    return BIT[number]


def choosable(number: int) -> int:
    """A number that can be chosen.  RulesetFault where an option has no room for it."""
    if 0 <= number <= MASK:
        return number
    raise RulesetFault(f"only numbers from 0 to {MASK} can be chosen from")


def tabulate(function: Callable[..., Any], sizes: Sequence[int], *known: int) -> Any:
    """All values of a function that reads no state, as nested tuples that end with none's."""
    if not sizes:
        return function(None, *known)
    return tuple(tabulate(function, sizes[1:], *known, i) for i in (*range(sizes[0]), -1))


def product(a: int, b: int) -> int:
    """*a* times *b*.  RulesetFault where numbers have grown beyond all sense."""
    result = a * b
    if -LARGEST <= result <= LARGEST:
        return result
    raise RulesetFault("a product is larger than 10^15")


def standing(at: Sequence[int], hexes: Sequence[int]) -> tuple[int, ...]:
    """The pieces on some hexes, ascending; *at* holds a set of pieces for each hex."""
    found = 0
    for h in hexes:
        found |= at[h]
    return bits(found)


def standing_alone(at: Sequence[int], hexes: Sequence[int]) -> list[int]:
    """The same where at most one piece stands on a hex: *at* holds it, or -1."""
    return sorted([p for h in hexes if (p := at[h]) >= 0])


def span(low: int, high: int) -> range:
    """The whole numbers from *low* to *high*.  RulesetFault when they are too many."""
    if high - low >= MOST:
        raise RulesetFault(f"a range of {high - low + 1} numbers; {MOST} are the most")
    return range(low, high + 1)


def span_set(low: int, high: int) -> int:
    """The same as a set.  RulesetFault when a member is negative, which no set can hold."""
    if low < 0 <= high - low:
        raise RulesetFault(_NEGATIVE)
    if high >= MOST:
        raise RulesetFault(_TOO_LARGE)
    return mask_of(span(low, high))


def times(count: int) -> range:
    """The turns of a loop that goes round *count* times.  RulesetFault when they are too many."""
    if count > len(ENDLESS):
        raise RulesetFault(f"a repetition of {count} times; {len(ENDLESS)} are the most")
    return range(count)


def shift(member: int, by: int, last: int) -> int:
    """The enum member *by* places further, stopping at the ends; none stays none."""
    if member < 0:
        return member
    return max(0, min(last, member + by))


def following(member: int, count: int) -> int:
    """The next of *count* members of an enum, after the last the first; none stays none."""
    return (member + 1) % count if member >= 0 else member


def union(column: Sequence[int], members: int) -> int:
    """The union of the sets that a column holds for the members of a set."""
    result = 0
    for member in bits(members):
        result |= column[member]
    return result


_UNIONS: dict[int, tuple[Sequence[int], Unions]] = {}


def fixed_union(column: list[int], members: int) -> int:
    """The same as :func:`union`, for a column that never changes."""
    known = _UNIONS.get(id(column))
    if known is None or known[0] is not column:
        if len(_UNIONS) >= 32:
            _UNIONS.clear()
        known = _UNIONS[id(column)] = (column, Unions(column))
    return known[1][members]


def allotted(candidates: Sequence[Sequence[int]], room: Mapping[int, int] | None = None) -> bool:
    """Whether each can be given one of its candidates, none serving more than its *room*."""
    held: dict[int, list[int]] = {}

    def place(who: int, tried: set[int]) -> bool:
        for candidate in candidates[who]:
            if candidate in tried:
                continue
            tried.add(candidate)
            there = held.setdefault(candidate, [])
            if len(there) < (1 if room is None else room[candidate]):
                there.append(who)
                return True
            # Whoever is served here may do with another.
            for i, other in enumerate(there):
                if place(other, tried):
                    there[i] = who
                    return True
        return False

    return all(place(who, set()) for who in range(len(candidates)))


def turn(direction: int, by: int) -> int:
    """The direction *by* sixths further clockwise; none stays none."""
    return (direction + by) % 6 if direction >= 0 else direction


def face(dice: Sequence[int]) -> int:
    """What the first die of a roll shows; none for no dice."""
    return dice[0] if dice else -1


def top(pile: Sequence[int]) -> int:
    """The top card of a pile, or none."""
    return pile[-1] if pile else -1
