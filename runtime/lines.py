"""Straight lines between the centres of two hexes, in whole numbers: what they meet and what they
cross.

A place is an axial vector from the hex where the line starts.  Three things can happen on the way
from one hex that the line cuts through to the next, and everything here tells them apart:

* the line crosses the side between the two;
* it crosses it at its end, through a **corner**: there is a third hex at that corner, which it does
  not cut;
* it runs **along a hexside**: it comes to the side's first corner out of one hex, has a hex on
  either hand, and goes on from the side's last corner into another.

A line through a corner or along a hexside lies between two others, one a hair to its left and one a
hair to its right.  These two go round the place in different ways, and the line passes it when
either of them does:

* through a corner, directly from hex to hex, or over the third hex at the corner;
* along a hexside, over the hex on the one hand or over that on the other.

No way crosses the side along which the line runs.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import gcd, lcm
from typing import Final, TypeAlias

#: Axial coordinates ``(q, r)``; the third cube coordinate is ``-q - r``.
Axial: TypeAlias = tuple[int, int]
#: The hexes from one that the line cuts to the next, both ends included.
Way: TypeAlias = tuple[Axial, ...]

DIRECTIONS: Final[tuple[Axial, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def sides(q: int, r: int) -> tuple[int, int, int]:
    """q-r, r-s and s-q: how far out a place is toward the three pairs of opposite hexsides."""
    s = -q - r
    return q - r, r - s, s - q


@cache
def gates(dq: int, dr: int) -> tuple[tuple[Axial, ...], ...]:
    """The gates on the way from the origin to (*dq*, *dr*): the hexes that the line cuts, or the
    two beside it.

    With cube coordinates q, r, s, the inside of the hex around c is where each of q-r, r-s, s-q
    differs by less than 1 from its value at c.  Along the line each of these grows evenly from 0 to
    its *slope*.  One that does not grow makes the line run along hexsides, and through the points
    of the hexes between them.
    """
    if dq == dr == 0:
        return ()
    if 0 in sides(dq, dr):
        return _gates_along_hexsides(dq, dr)
    return tuple((place,) for _, place in _entered_hexes(dq, dr)[:-1])


@cache
def passages(dq: int, dr: int) -> tuple[tuple[Way, ...], ...]:
    """How the line from the origin comes from each hex it cuts to the next: one or two ways."""
    if dq == dr == 0:
        return ()
    if 0 in sides(dq, dr):
        return _passages_along_hexsides(dq, dr)
    ways: list[tuple[Way, ...]] = []
    here = (0, 0)
    for tick, there in _entered_hexes(dq, dr):
        third = [place for place in _beside(here, there) if _touches(place, tick, dq, dr)]
        ways.append(((here, there), *((here, place, there) for place in third)))
        here = there
    return tuple(ways)


@cache
def cut(dq: int, dr: int) -> tuple[Axial, ...]:
    """The hexes between the origin and (*dq*, *dr*) whose inside the line meets, in order."""
    if dq == dr == 0:
        return ()
    if 0 in sides(dq, dr):
        return tuple(here for here, _, _ in _stretches(dq, dr)[1:])
    return tuple(place for _, place in _entered_hexes(dq, dr)[:-1])


@cache
def asides(dq: int, dr: int) -> tuple[Way, ...]:
    """The ways of the lines a hair to the left and right, each as a whole."""
    detours: list[Way] = []
    for hand in (1, -1):
        way: list[Axial] = [(0, 0)]
        for ways in passages(dq, dr):
            way += next(one for one in ways if len(ways) == 1 or _on_hand(one, ways, dq, dr, hand))[
                1:
            ]
        detours.append(tuple(way))
    return tuple(dict.fromkeys(detours))


def _on_hand(way: Way, ways: tuple[Way, ...], dq: int, dr: int, hand: int) -> bool:
    """Whether of two ways round *way* is the one on the given hand of the line."""
    aside = [(q * dr - r * dq) * hand for one in (way, *ways) for q, r in one[1:-1]]
    return aside[0] > 0 if len(way) == 3 else aside[0] < 0


def _ticks(dq: int, dr: int) -> tuple[int, ...]:
    """The ticks in which each side grows by 1, so that hexes are entered at whole ticks."""
    slopes = sides(dq, dr)
    ticks = lcm(*slopes)
    return tuple(ticks // slope for slope in slopes)


def _entered_hexes(dq: int, dr: int) -> list[tuple[int, Axial]]:
    """The hexes after the first whose inside the line meets, with the ticks of entering them."""
    ticks_per_unit = _ticks(dq, dr)
    ds = -dq - dr
    entered: list[tuple[int, Axial]] = []
    for q in range(min(0, dq), max(0, dq) + 1):
        for r in range(max(min(0, dr), -q - max(0, ds)), min(max(0, dr), -q - min(0, ds)) + 1):
            if (q, r) == (0, 0):
                continue
            passing = [
                (side * unit, abs(unit))
                for side, unit in zip(sides(q, r), ticks_per_unit, strict=True)
            ]
            entry = max(at - half for at, half in passing)
            if entry < min(at + half for at, half in passing):
                entered.append((entry, (q, r)))
    return sorted(entered)


def _touches(place: Axial, tick: int, dq: int, dr: int) -> bool:
    """Whether the line meets the hex at *place*, if only its corner, at this tick."""
    return all(
        abs(tick - side * unit) <= abs(unit)
        for side, unit in zip(sides(*place), _ticks(dq, dr), strict=True)
    )


def _beside(a: Axial, b: Axial) -> list[Axial]:
    """The two places next to both *a* and its neighbour *b*."""
    (q, r), (to_q, to_r) = a, b
    return [
        (q + dq, r + dr) for dq, dr in DIRECTIONS if (to_q - q - dq, to_r - r - dr) in DIRECTIONS
    ]


def _stretches(dq: int, dr: int) -> list[tuple[Axial, list[Axial], Axial]]:
    """The hexes that a line along hexsides cuts, two by two, with the places between them."""
    count = gcd(dq, dr)
    step_q, step_r = dq // count, dr // count
    beside = [(q, r) for q, r in DIRECTIONS if (step_q - q, step_r - r) in DIRECTIONS]
    cut = [(i * step_q, i * step_r) for i in range(count + 1)]
    return [
        (here, [(here[0] + q, here[1] + r) for q, r in beside], there)
        for here, there in pairwise(cut)
    ]


def _gates_along_hexsides(dq: int, dr: int) -> tuple[tuple[Axial, ...], ...]:
    gates: list[tuple[Axial, ...]] = []
    for here, beside, _ in _stretches(dq, dr):
        if gates:
            gates.append((here,))
        gates.append(tuple(beside))
    return tuple(gates)


def _passages_along_hexsides(dq: int, dr: int) -> tuple[tuple[Way, ...], ...]:
    return tuple(
        tuple((here, place, there) for place in beside)
        for here, beside, there in _stretches(dq, dr)
    )
