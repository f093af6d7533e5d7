"""The board: numbering, labels, neighbours, distances, straight lines, linked hexes."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runtime.bitsets import bits, mask_of
from runtime.board import LABELS, LAYOUTS, Board

FIELD = Board(name="field", layout="odd_r", rows=9, columns=13, narrow="odd", labels="letters_up")


def hexes(*places: tuple[int, int]) -> tuple[int, ...]:
    """The hexes of FIELD at these places."""
    return tuple(FIELD.at(row, column) for row, column in places)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    narrow = draw(st.sampled_from((None, "odd", "even"))) if min(rows, columns) > 1 else None
    layout, labels = draw(st.sampled_from(LAYOUTS)), draw(st.sampled_from(LABELS))
    whole = Board(name="b", layout=layout, rows=rows, columns=columns, narrow=narrow, labels=labels)
    places = list(zip(whole.row_of[:-1], whole.column_of[:-1], strict=True))
    missing = draw(st.sets(st.sampled_from(places), max_size=min(4, len(places) - 1)))
    return Board(
        name="b",
        layout=layout,
        rows=rows,
        columns=columns,
        narrow=narrow,
        labels=labels,
        missing=missing,
    )


@st.composite
def boards_with_hexes(draw: st.DrawFn, count: int) -> tuple[Board, list[int]]:
    board = draw(boards())
    member = st.integers(0, board.size - 1)
    return board, draw(st.lists(member, min_size=count, max_size=count))


def lattice_center(board: Board, row: int, column: int) -> tuple[int, int]:
    """A centre in whole units of half a hex's width and half a hexside; flat-top boards are turned on their side."""
    line, place = (row, column) if board.pointy else (column, row)
    return 2 * place + board.shifted(line), 3 * line


def between(board: Board, a: int, b: int) -> tuple[set[int], set[int]]:
    """The hexes between *a* and *b* with corners on both sides of the line, and those with a side on it."""
    (ax, ay), (bx, by) = (
        lattice_center(board, board.row_of[h], board.column_of[h]) for h in (a, b)
    )
    crossed, beside = set(), set()
    for h in set(range(board.size)) - {a, b}:
        cx, cy = lattice_center(board, board.row_of[h], board.column_of[h])
        corners = [(cx, cy + 2), (cx, cy - 2)] + [
            (cx + i, cy + j) for i in (-1, 1) for j in (-1, 1)
        ]
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in corners]
        # The two axes have units of different length: three to one when squared.
        along = 3 * (bx - ax) * (cx - ax) + (by - ay) * (cy - ay)
        if 0 < along < 3 * (bx - ax) ** 2 + (by - ay) ** 2:
            if min(sides) < 0 < max(sides):
                crossed.add(h)
            elif sides.count(0) == 2:
                beside.add(h)
    return crossed, beside


# -- bit masks --------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.sets(st.integers(0, 300)))
def test_bits_and_mask_of_are_inverse(members: set[int]) -> None:
    assert bits(mask_of(members)) == tuple(sorted(members))


def test_mask_of_refuses_no_hex() -> None:
    with pytest.raises(ValueError):
        mask_of([3, -1])


# -- numbering, labels, data -------------------------------------------------------------------------------


def test_numbering_of_the_field() -> None:
    assert FIELD.size == 9 * 13 - 4
    assert (FIELD.at(0, 0), FIELD.at(0, 12), FIELD.at(1, 0), FIELD.at(1, 12), FIELD.at(-1, 0)) == (
        0,
        12,
        13,
        -1,
        -1,
    )
    assert (FIELD.row_of[13], FIELD.column_of[13]) == (1, 0)
    assert (
        FIELD.row_of[-1],
        FIELD.column_of[-1],
        FIELD.neighbors[-1],
        FIELD.neighbor_masks[-1],
    ) == (0, 0, (), 0)


def test_labels_of_the_field() -> None:
    assert FIELD.index("A1") == FIELD.at(8, 0)
    assert FIELD.index("B12") == FIELD.at(7, 11)
    assert FIELD.label(0) == "I1"
    assert FIELD.label(-1) == "none"
    assert len(FIELD.labels) == FIELD.size


def test_other_labels() -> None:
    down = Board(name="d", layout="even_r", rows=53, columns=2, labels="letters_down")
    assert [down.label(down.at(row, 1)) for row in (0, 25, 26, 27, 52)] == [
        "A2",
        "Z2",
        "AA2",
        "BB2",
        "AAA2",
    ]
    numbers = Board(name="n", layout="odd_q", rows=3, columns=12, labels="numbers")
    assert (numbers.label(numbers.at(0, 0)), numbers.label(numbers.at(2, 11))) == ("0101", "1203")


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("A14", "A13"),
        ("B13", "B12"),
        ("J3", "I3"),
        ("a5", "A5"),
        ("C05", "C5"),
        ("none", None),
        ("", None),
    ],
)
def test_an_unknown_label_names_the_nearest(wrong: str, nearest: str | None) -> None:
    with pytest.raises(ValueError, match=f"no hex {wrong!r} on board field") as caught:
        FIELD.index(wrong)
    if nearest is not None:
        assert str(caught.value).endswith(f"{nearest!r}")


@pytest.mark.parametrize(
    "arguments",
    [
        {"layout": "odd"},
        {"narrow": "all"},
        {"labels": "letters"},
        {"rows": 0},
        {"labels": "numbers", "columns": 100},
        {"missing": [(9, 0)]},
        {"rows": 1, "columns": 1, "missing": [(0, 0)]},
    ],
)
def test_impossible_boards(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Board.from_spec({"name": "b", "layout": "odd_r", "rows": 2, "columns": 2, **arguments})


@settings(deadline=None)
@given(boards())
def test_data_round_trip(board: Board) -> None:
    again = Board.from_spec(json.loads(json.dumps(board.spec())))
    assert again == board
    assert hash(again) == hash(board)
    assert pickle.loads(pickle.dumps(board)) == board


def test_equality_is_by_arguments() -> None:
    assert Board.from_spec({**FIELD.spec(), "labels": "letters_down"}) != FIELD
    assert FIELD != "field"


def test_a_board_does_not_change() -> None:
    with pytest.raises(AttributeError):
        FIELD.rows = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del FIELD.rows


@settings(deadline=None)
@given(boards())
def test_label_and_place_round_trip(board: Board) -> None:
    assert len(set(board.labels)) == board.size
    for h in range(board.size):
        assert board.index(board.label(h)) == h
        assert board.at(board.row_of[h], board.column_of[h]) == h
    assert all(board.at(row, column) == -1 for row, column in board.missing)


# -- near and far ------------------------------------------------------------------------------------------


def test_neighbors_on_the_field() -> None:
    assert FIELD.neighbors[FIELD.at(4, 4)] == hexes((3, 3), (3, 4), (4, 3), (4, 5), (5, 3), (5, 4))
    assert FIELD.neighbors[FIELD.at(0, 12)] == hexes((0, 11), (1, 11))


@pytest.mark.parametrize(
    ("layout", "above"),
    [
        ("odd_r", [(1, 1), (1, 2)]),
        ("even_r", [(1, 2), (1, 3)]),
        ("odd_q", [(1, 1), (1, 2), (1, 3)]),
        ("even_q", [(1, 2)]),
    ],
)
def test_neighbors_above_in_each_layout(layout: str, above: list[tuple[int, int]]) -> None:
    board = Board(name="b", layout=layout, rows=5, columns=5)
    neighbors = board.neighbors[board.at(2, 2)]
    assert [
        (board.row_of[h], board.column_of[h]) for h in neighbors if board.row_of[h] < 2
    ] == above


@settings(deadline=None)
@given(boards())
def test_neighbors_are_the_hexes_at_distance_one(board: Board) -> None:
    for h in range(board.size):
        assert board.neighbors[h] == tuple(
            o for o in range(board.size) if board.distance(h, o) == 1
        )
        assert board.neighbors[h] == board.around(h, 1)
        assert board.neighbor_masks[h] == mask_of(board.neighbors[h])
        assert all(h in board.neighbors[o] for o in board.neighbors[h])


@settings(deadline=None)
@given(boards())
def test_neighbors_touch_in_the_drawing(board: Board) -> None:
    for h in range(board.size):
        x, y = board.center(h)
        for o in range(board.size):
            squared = (board.center(o)[0] - x) ** 2 + (board.center(o)[1] - y) ** 2
            assert (o in board.neighbors[h]) == (abs(squared - 3) < 1e-6)


@settings(deadline=None)
@given(boards_with_hexes(3))
def test_distance_is_a_metric(case: tuple[Board, list[int]]) -> None:
    board, (a, b, c) = case
    assert board.distance(a, b) == board.distance(b, a)
    assert (board.distance(a, b) == 0) == (a == b)
    assert board.distance(a, c) <= board.distance(a, b) + board.distance(b, c)


@settings(deadline=None)
@given(boards())
def test_distance_is_the_shortest_way_on_a_whole_board(board: Board) -> None:
    whole = Board.from_spec({**board.spec(), "missing": [], "narrow": None})
    reached, ring, n = 1, 1, 0
    while ring:
        assert all(whole.distance(0, h) == n for h in bits(ring))
        ring = mask_of(o for h in bits(ring) for o in whole.neighbors[h]) & ~reached
        reached |= ring
        n += 1
    assert reached == (1 << whole.size) - 1


def test_distance_passes_over_missing_hexes_and_is_zero_for_none() -> None:
    board = Board(name="b", layout="odd_r", rows=1, columns=3, missing=[(0, 1)])
    assert board.distance(0, 1) == 2
    assert board.distance(-1, 1) == board.distance(1, -1) == board.distance(-1, -1) == 0


def test_distances_beyond_a_byte() -> None:
    board = Board(name="b", layout="odd_r", rows=1, columns=300)
    assert board.distance(0, 299) == 299
    assert board.distance(-1, 299) == board.distance(299, -1) == 0


def test_around() -> None:
    middle = FIELD.at(4, 6)
    assert len(FIELD.around(middle, 2)) == 18
    assert FIELD.around(middle, 0) == FIELD.around(-1, 3) == ()
    assert FIELD.around(middle, 2) is FIELD.around(middle, 2)
    assert bits(FIELD.around_mask(middle, 2)) == FIELD.around(middle, 2)
    assert FIELD.around_mask(-1, 2) == 0


# -- straight lines ----------------------------------------------------------------------------------------


def test_a_line_along_a_hexside() -> None:
    assert FIELD.lines(FIELD.at(4, 4), FIELD.at(2, 4)) == (hexes((3, 3), (3, 4)),)


def test_a_line_along_a_row() -> None:
    assert FIELD.lines(FIELD.at(4, 2), FIELD.at(4, 5)) == (hexes((4, 3)), hexes((4, 4)))


def test_a_long_line_along_hexsides() -> None:
    gates = (hexes((7, 3), (7, 4)), hexes((6, 4)), hexes((5, 3), (5, 4)))
    assert FIELD.lines(FIELD.at(8, 4), FIELD.at(4, 4)) == gates


def test_a_line_that_cuts_two_hexes_at_the_same_distance() -> None:
    gates = [hexes(*places) for places in ([(4, 5)], [(3, 5)], [(4, 6)], [(3, 6)])]
    line = FIELD.lines(FIELD.at(4, 4), FIELD.at(3, 7))
    assert sorted(line) == sorted(gates)
    assert (line[0], line[-1]) == (gates[0], gates[-1])


def is_open(board: Board, a: int, b: int, obstacles: int) -> bool:
    """Whether every gate between two hexes is open, when those of a set are obstacles."""
    return all(any(not obstacles >> h & 1 for h in gate) for gate in board.lines(a, b))


def test_short_lines_and_none() -> None:
    assert FIELD.lines(5, 5) == FIELD.lines(5, 6) == ()
    assert is_open(FIELD, 5, 6, -1)
    assert not is_open(FIELD, -1, 6, 0)
    assert not is_open(FIELD, 6, -1, 0)


def test_a_line_along_the_edge_of_the_board() -> None:
    assert FIELD.lines(FIELD.at(0, 0), FIELD.at(2, 0)) == (hexes((1, 0)),)
    assert FIELD.lines(FIELD.at(0, 12), FIELD.at(2, 12)) == (hexes((1, 11)),)
    assert not is_open(FIELD, FIELD.at(0, 0), FIELD.at(2, 0), 1 << FIELD.at(1, 0))


def test_missing_hexes_close_lines() -> None:
    board = Board.from_spec({**FIELD.spec(), "missing": [(3, 3), (3, 4)]})
    assert board.lines(board.at(4, 4), board.at(2, 4)) == ((),)
    assert () in board.lines(board.at(3, 2), board.at(3, 5))
    assert not is_open(board, board.at(3, 2), board.at(3, 5), 0)


def test_both_hexes_beside_a_hexside_must_block() -> None:
    a, b = hexes((4, 4), (2, 4))
    left, right = hexes((3, 3), (3, 4))
    assert is_open(FIELD, a, b, 1 << left)
    assert is_open(FIELD, a, b, 1 << right)
    assert not is_open(FIELD, a, b, 1 << left | 1 << right)


@settings(deadline=None)
@given(boards_with_hexes(2))
def test_lines_are_symmetric(case: tuple[Board, list[int]]) -> None:
    board, (a, b) = case
    assert sorted(board.lines(a, b)) == sorted(board.lines(b, a))
    assert all(a not in gate and b not in gate for gate in board.lines(a, b))
    assert board.lines(a, b) is board.lines(a, b)


@settings(max_examples=200, deadline=None)
@given(boards_with_hexes(2))
def test_lines_meet_what_geometry_says(case: tuple[Board, list[int]]) -> None:
    board, (a, b) = case
    assume(a != b)
    gates = board.lines(a, b)
    assert len(set(gates) - {()}) == len(gates) - gates.count(())
    crossed, beside = between(board, a, b)
    assert {h for gate in gates for h in gate} == crossed | beside
    assert all(
        set(gate) <= beside and gate[1] in board.neighbors[gate[0]]
        for gate in gates
        if len(gate) == 2
    )

    whole = Board.from_spec({**board.spec(), "missing": [], "narrow": None})
    crossed, _ = between(whole, *(whole.at(board.row_of[h], board.column_of[h]) for h in (a, b)))
    if any(board.at(whole.row_of[h], whole.column_of[h]) < 0 for h in crossed):
        assert () in gates


# -- linked ------------------------------------------------------------------------------------------------


def test_linked_from_inside_and_outside() -> None:
    line = mask_of(hexes((4, 2), (4, 3), (4, 4), (4, 6)))
    assert bits(FIELD.linked(1 << FIELD.at(4, 2), line)) == hexes((4, 2), (4, 3), (4, 4))
    assert bits(FIELD.linked(1 << FIELD.at(4, 5), line)) == hexes((4, 2), (4, 3), (4, 4), (4, 6))
    assert FIELD.linked(1 << FIELD.at(0, 0), line) == FIELD.linked(0, line) == 0


@settings(deadline=None)
@given(boards(), st.data())
def test_linked_is_closed_and_connected(board: Board, data: st.DataObject) -> None:
    everything = st.integers(0, (1 << board.size) - 1)
    start, within = data.draw(everything), data.draw(everything)
    linked = board.linked(start, within)
    assert linked & ~within == 0
    assert start & within & ~linked == 0
    touching = mask_of(o for h in bits(linked | start) for o in board.neighbors[h])
    assert touching & within & ~linked == 0
    assert board.linked(linked, within) == linked
    lone = within & ~linked
    assert board.linked(start, lone) == 0
