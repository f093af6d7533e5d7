"""What a straight line crosses: held against lines a hair beside it, which meet no corner."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_board import FIELD, boards_with_hexes, is_open

from runtime.bitsets import bits
from runtime.board import Board
from runtime.lines import Axial, asides, cut, gates, passages, sides

FAR = 7
VECTORS = [
    (q, r)
    for q in range(-FAR, FAR + 1)
    for r in range(-FAR, FAR + 1)
    if (q, r) != (0, 0) and abs(q + r) <= FAR
]


def moved_aside(dq: int, dr: int, hand: int) -> list[Axial]:
    """The hexes that a line from the origin to (*dq*, *dr*) meets, in order, when it is moved a hair to one hand."""
    slopes = sides(dq, dr)
    # Turned by a third of a circle, the line's own direction is a direction across it.
    hair = [Fraction(hand * slope, 10**6) for slope in (slopes[1], slopes[2], slopes[0])]
    met: list[tuple[Fraction, Axial]] = []
    for q in range(min(0, dq) - 1, max(0, dq) + 2):
        for r in range(min(0, dr) - 1, max(0, dr) + 2):
            enters, leaves = Fraction(0), Fraction(1)
            for slope, offset, center in zip(slopes, hair, sides(q, r), strict=True):
                low, high = center - 1 - offset, center + 1 - offset
                if slope == 0:
                    enters, leaves = (
                        (enters, leaves) if low < 0 < high else (Fraction(1), Fraction(0))
                    )
                    continue
                first, last = sorted((low / slope, high / slope))
                enters, leaves = max(enters, first), min(leaves, last)
            if enters < leaves:
                met.append((enters, (q, r)))
    return [place for _, place in sorted(met)]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_ways_round_are_those_of_the_lines_beside_it(vector: Axial) -> None:
    taken: set[tuple[Axial, ...]] = set()
    for hand in (1, -1):
        left = moved_aside(*vector, hand)
        for ways in passages(*vector):
            way = next(way for way in ways if tuple(left[: len(way)]) == way)
            taken.add(way)
            left = left[len(way) - 1 :]
        assert left == [vector]
    assert taken == {way for ways in passages(*vector) for way in ways}


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_same_hexes_as_the_gates(vector: Axial) -> None:
    """A hex between the ends blocks by itself where every way round goes over it."""
    walked = [[set(way) - {(0, 0), vector} for way in ways] for ways in passages(*vector)]
    for place in {place for gate in gates(*vector) for place in gate}:
        assert ((place,) in gates(*vector)) == any(
            all(place in way for way in ways) for ways in walked
        )
    assert all(len(ways) in (1, 2) for ways in walked)


def labels(a: str, b: str) -> list[list[str]]:
    """The passages of a line on FIELD, each way by the labels of its hexes."""
    return [
        sorted(" ".join(map(FIELD.label, (way[0][0], *(q for _, q in way)))) for way in ways)
        for ways in FIELD.passages(*index(a, b))
    ]


def index(*names: str) -> tuple[int, ...]:
    return tuple(map(FIELD.index, names))


def test_across_a_side() -> None:
    assert labels("E5", "E7") == [["E5 E6"], ["E6 E7"]]
    assert labels("E5", "E6") == [["E5 E6"]]
    assert labels("E5", "E5") == []


def test_along_a_hexside() -> None:
    assert labels("E5", "G5") == [["E5 F4 G5", "E5 F5 G5"]]
    assert labels("C5", "G5") == [["C5 D4 E5", "C5 D5 E5"], ["E5 F4 G5", "E5 F5 G5"]]


def test_through_a_corner() -> None:
    """A line to a hex four columns and one row away goes through two corners and along no side."""
    assert labels("E4", "F8") == [
        ["E4 E5"],
        ["E5 E6", "E5 F5 E6"],
        ["E6 F6"],
        ["F6 E7 F7", "F6 F7"],
        ["F7 F8"],
    ]


def test_entries() -> None:
    def entered(a: str, b: str) -> list[str]:
        return [FIELD.label(h) for h in bits(FIELD.entries_mask(*index(a, b)))]

    assert entered("E5", "E7") == ["E6"]
    assert entered("E5", "E6") == ["E5"]
    assert entered("E5", "G5") == ["F4", "F5"]
    assert entered("E4", "F8") == ["F7"]
    assert entered("E5", "E5") == []
    assert FIELD.entries_mask(-1, 3) == FIELD.entries_mask(3, -1) == 0


def test_places_off_the_board_are_no_way_round() -> None:
    assert FIELD.passages(-1, 3) == FIELD.passages(3, -1) == ((),)
    assert labels("I1", "G1") == [["I1 H1 G1"]]
    holed = Board.from_spec({**FIELD.spec(), "missing": [(3, 3), (3, 4)]})
    assert holed.passages(holed.at(4, 4), holed.at(2, 4)) == ((),)
    assert () in holed.passages(holed.at(3, 2), holed.at(3, 5))


@settings(max_examples=200, deadline=None)
@given(boards_with_hexes(2), st.integers(0))
def test_hexes_block_passages_as_they_block_gates(
    case: tuple[Board, list[int]], obstacles: int
) -> None:
    board, (a, b) = case

    def free(way: tuple[tuple[int, int], ...]) -> bool:
        return all(q == b or not obstacles >> q & 1 for _, q in way)

    assert all(any(map(free, ways)) for ways in board.passages(a, b)) is is_open(
        board, a, b, obstacles
    )
    assert board.passages(a, b) is board.passages(a, b)


@settings(max_examples=200, deadline=None)
@given(boards_with_hexes(2))
def test_the_way_back_crosses_the_same_sides(case: tuple[Board, list[int]]) -> None:
    board, (a, b) = case
    back = [
        sorted(tuple((p, q) for q, p in reversed(way)) for way in ways)
        for ways in reversed(board.passages(b, a))
    ]
    assert back == [sorted(ways) for ways in board.passages(a, b)]
    for ways in board.passages(a, b):
        for way in ways:
            assert all(q in board.neighbors[p] for p, q in way)
            assert all(here == there for (_, here), (there, _) in pairwise(way))
    assert all(h in board.neighbors[b] for h in bits(board.entries_mask(a, b)))


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_whole_lines_are_those_moved_aside(vector: Axial) -> None:
    wanted = [
        ((0, 0), *(place for place in moved_aside(*vector, hand) if place != (0, 0)))
        for hand in (1, -1)
    ]
    assert set(asides(*vector)) == set(wanted)
    assert len(asides(*vector)) == len(set(wanted))


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_what_is_cut_both_lines_beside_it_meet(vector: Axial) -> None:
    met = [set(way[1:-1]) for way in asides(*vector)]
    between = set.intersection(*met)
    if 0 in sides(
        *vector
    ):  # along hexsides the line itself runs between the hexes that the others meet
        assert set(cut(*vector)) == between
    else:
        assert set(cut(*vector)) <= between
    assert len(set(cut(*vector))) == len(cut(*vector))


def test_a_line_along_two_hexsides_taken_as_a_whole() -> None:
    """Obstacles on different hands of two hexsides: place by place there is a way past each, as a whole there is none."""
    board = Board(name="plain", layout="odd_r", rows=7, columns=7)
    start, end = board.at(5, 2), board.at(1, 2)
    (first, second) = board.lines(start, end)[::2]
    one_hand, other_hand = 1 << first[0] | 1 << second[1], 1 << first[0] | 1 << second[0]

    def clear(obstacles: int) -> bool:
        return all(
            any(all(q == end or not obstacles >> q & 1 for _, q in way) for way in ways)
            for ways in board.wholes(start, end)
        )

    assert is_open(board, start, end, one_hand) and is_open(board, start, end, other_hand)
    assert clear(other_hand) and not clear(one_hand)
    assert clear(1 << first[0]) and clear(1 << second[1])
    assert not clear(1 << board.lines(start, end)[1][0])
    assert board.wholes(start, -1) == ((),) and board.wholes(start, start) == ()


def test_bearings() -> None:
    for layout in ("odd_r", "even_q"):
        board = Board(name="plain", layout=layout, rows=9, columns=9)
        middle = board.at(4, 4)
        assert (
            board.bearing_mask(middle, middle)
            == board.bearing_mask(-1, middle)
            == board.bearing_mask(middle, -1)
            == 0
        )
        for h in range(board.size):
            found = bits(board.bearing_mask(middle, h))
            nearer = {
                board.direction(middle, n)
                for n in board.neighbors[middle]
                if board.distance(n, h) < board.distance(middle, h)
            }
            assert set(found) == nearer
            assert len(found) == (0 if h == middle else len(found)) and len(found) <= 2
            assert {(d + 3) % 6 for d in found} == set(bits(board.bearing_mask(h, middle)))


def test_bearings_go_by_the_grid() -> None:
    board = Board(
        name="joined", layout="odd_r", rows=3, columns=8, missing=[(1, 1)], joins=[("B1", "B8")]
    )
    a, b = board.index("B1"), board.index("B8")
    assert bits(board.bearing_mask(a, b)) == (board.directions.index("east"),)
    assert board.crossed_mask(a, b) == sum(1 << board.index(f"B{n}") for n in range(3, 8))
