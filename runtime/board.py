"""The board: hexes, who is next to whom, distances, straight lines, labels.

A hex is an int, numbered from 0 row by row from the top left; ``-1`` is no hex.  A set of hexes is
a bit mask, bit *h* standing for hex *h*.  Tuples indexed by hexes end with one entry more, which
index ``-1`` reads: no hex has no neighbours, distance 0 and row and column 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import Any, Final, TypeAlias, TypeVar

from runtime.bitsets import Unions, bits, mask_of
from runtime.lines import DIRECTIONS, Axial, Way, asides, cut, gates, passages
from runtime.spelling import nearest
from runtime.words.said import said

LAYOUTS: Final = ("odd_r", "even_r", "odd_q", "even_q")
LABELS: Final = ("letters_up", "letters_down", "numbers")
NARROW: Final = (None, "odd", "even")
#: More hexes than any board may have: sets of them, and options, count no further.
MOST_HEXES: Final = 4096

#: The hexes of which at least one must be free for a line to pass; empty: never passable.
Gate: TypeAlias = tuple[int, ...]
#: The ways round by which a line comes from one hex to the next, one at least of which must be
#: free: each the steps from hex to hex; without any: never passable.
Passage: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]

_NO_LINE: Final[tuple[Gate, ...]] = ((),)
_NO_PASSAGE: Final[tuple[Passage, ...]] = ((),)
POINTY_DIRECTIONS: Final = ("east", "southeast", "southwest", "west", "northwest", "northeast")
FLAT_DIRECTIONS: Final = ("north", "northeast", "southeast", "south", "southwest", "northwest")
_POINTY_STEPS: Final[tuple[Axial, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_FLAT_STEPS: Final[tuple[Axial, ...]] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_GIVEN: list[tuple[Board, tuple[int, ...]]] = []


def given() -> Board | None:
    """The board that the module being executed is for; None: the one that it brings."""
    return _GIVEN[-1][0] if _GIVEN else None


def given_weights() -> tuple[int, ...]:
    """The weights that the module being executed is for; none: those that it brings."""
    return _GIVEN[-1][1] if _GIVEN else ()


@contextmanager
def giving(board: Board, weights: tuple[int, ...] = ()) -> Iterator[None]:
    """Meanwhile modules are executed for a board, and for weights by their places."""
    _GIVEN.append((board, weights))
    try:
        yield
    finally:
        _GIVEN.pop()


_T = TypeVar("_T")


class _Pairs(dict[tuple[int, int], _T]):
    """What is found for pairs of hexes, or a hex and a number: once, when first asked for."""

    def __init__(self, find: Callable[[int, int], _T]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, pair: tuple[int, int]) -> _T:
        value = self[pair] = self._find(*pair)
        return value


class Board:
    """A board of hexes; immutable, equal and hashed by its constructor's arguments.

    Arguments (all by keyword):

    * *name*: what the board is called;
    * *layout*: ``odd_r even_r`` for pointy-top hexes in rows of which the odd or even ones are
      shifted right by half a hex; ``odd_q even_q`` for flat-top hexes in columns shifted down;
    * *rows*, *columns*: the size, each at least 1;
    * *narrow*: ``odd`` or ``even`` when those rows (``_r``) or columns (``_q``), counted from 0,
      have one hex fewer;
    * *labels*: ``letters_up`` (A1 is the bottom left hex), ``letters_down`` (the top left one;
      after Z comes AA, BB …) or ``numbers`` (two digits for the column, two for the row, from 01);
    * *missing*: ``(row, column)`` of the places within that shape that have no hex;
    * *joins*: pairs of labels of hexes that are adjacent although they do not touch (an area that
      stands for more than one place, a strait);
    * *names*: names of hexes, by label (towns, areas).

    ValueError when these do not describe a board of at least one hex.
    """

    name: Final[str]
    layout: Final[str]
    rows: Final[int]
    columns: Final[int]
    narrow: Final[str | None]
    labeling: Final[str]
    missing: Final[frozenset[tuple[int, int]]]
    #: The number of hexes.
    size: Final[int]
    #: Row and column of each hex, from 0 at the top left.
    row_of: Final[tuple[int, ...]]
    column_of: Final[tuple[int, ...]]
    #: The neighbours of each hex, ascending, and the same as bit masks.
    neighbors: Final[tuple[tuple[int, ...], ...]]
    neighbor_masks: Final[tuple[int, ...]]
    #: The labels of all hexes, in order.
    labels: Final[tuple[str, ...]]
    #: Pairs of labels that are adjacent without touching.
    joins: Final[tuple[tuple[str, str], ...]]
    #: Names of hexes.
    names: Final[dict[int, str]]
    #: :meth:`direction`, :meth:`around` and :meth:`lines` of a pair, each found once.
    direction_of: Final[Callable[[tuple[int, int]], int]]
    around_of: Final[Callable[[tuple[int, int]], tuple[int, ...]]]
    lines_of: Final[Callable[[tuple[int, int]], tuple[Gate, ...]]]

    def __init__(
        self,
        *,
        name: str,
        layout: str,
        rows: int,
        columns: int,
        narrow: str | None = None,
        labels: str = "letters_up",
        missing: Iterable[tuple[int, int]] = (),
        joins: Iterable[tuple[str, str]] = (),
        names: Mapping[str, str] | None = None,
    ) -> None:
        _require(layout in LAYOUTS, f"layout {layout!r} is none of {', '.join(LAYOUTS)}")
        _require(narrow in NARROW, f"narrow {narrow!r} is neither 'odd' nor 'even'")
        _require(labels in LABELS, f"labels {labels!r} is none of {', '.join(LABELS)}")
        _require(rows >= 1 and columns >= 1, "a board has at least one row and one column")
        _require(
            labels != "numbers" or max(rows, columns) <= 99,
            "labels of two digits reach to 99 rows and columns",
        )
        self.name, self.layout, self.rows, self.columns = name, layout, rows, columns
        self.narrow, self.labeling, self.missing = narrow, labels, frozenset(missing)
        shape = [
            (row, column)
            for row in range(rows)
            for column in range(columns)
            if not self._cut_off(row, column)
        ]
        strangers = self.missing.difference(shape)
        _require(not strangers, f"missing hexes outside the board: {sorted(strangers)}")
        places = [place for place in shape if place not in self.missing]
        _require(bool(places), "a board has at least one hex")
        self.size = len(places)
        self.row_of = (*(row for row, _ in places), 0)
        self.column_of = (*(column for _, column in places), 0)
        self.labels = tuple(self._make_label(row, column) for row, column in places)
        self._by_label = {text: h for h, text in enumerate(self.labels)}
        self._by_place = {place: h for h, place in enumerate(places)}
        self._axial = [self._axial_of(row, column) for row, column in places]
        self._by_axial = {axial: h for h, axial in enumerate(self._axial)}
        self.joins = tuple((str(a), str(b)) for a, b in joins)
        self.names = {self.index(label): text for label, text in (names or {}).items()}
        neighbors = [set(self._find_neighbors(q, r)) for q, r in self._axial]
        for a, b in self.joins:
            _require(a != b, said("hex {hex} is joined with itself", hex=a))
            neighbors[self.index(a)].add(self.index(b))
            neighbors[self.index(b)].add(self.index(a))
        self.neighbors = (*(tuple(sorted(near)) for near in neighbors), ())
        self.neighbor_masks = tuple(map(mask_of, self.neighbors))
        self.direction_of = _Pairs(self.direction).__getitem__
        self._bearings = _Pairs(self._find_bearings)
        self._around = _Pairs(self._find_around)
        self.around_of = self._around.__getitem__
        self._around_masks = _Pairs(lambda h, n: mask_of(self.around(h, n)))
        self._lines = _Pairs(self._find_line)
        self.lines_of = self._lines.__getitem__
        self._passages = _Pairs(self._find_passages)
        self._wholes = _Pairs(self._find_wholes)
        self._crossed = _Pairs(self._find_crossed)
        self._entries = _Pairs(self._find_entries)
        self._sealed = True

    # ------------------------------------------------------------------ the hexes

    def at(self, row: int, column: int) -> int:
        """The hex at *row* and *column* (from 0 at the top left), or -1."""
        return self._by_place.get((row, column), -1)

    def label(self, h: int) -> str:
        """What people call hex *h*; ``none`` for -1."""
        return self.labels[h] if h >= 0 else "none"

    def index(self, label: str) -> int:
        """The hex called *label*.  ValueError, with the nearest label, when there is none."""
        h = self._by_label.get(label)
        if h is None:
            raise ValueError(
                said(
                    "no hex {hex} on board {board}; {remedy}",
                    hex=repr(label),
                    board=self.name,
                    remedy=self._remedy(label),
                )
            )
        return h

    def row_label(self, row: int) -> str:
        """The part of the labels that stands for *row*: letters, or two digits."""
        if self.labeling == "numbers":
            return f"{row + 1:02}"
        rank = self.rows - 1 - row if self.labeling == "letters_up" else row
        return chr(ord("A") + rank % 26) * (rank // 26 + 1)

    def column_label(self, column: int) -> str:
        """The part of the labels that stands for *column*: a number from 1."""
        return f"{column + 1:02}" if self.labeling == "numbers" else str(column + 1)

    @property
    def pointy(self) -> bool:
        """Have the hexes their points at the top (``_r``), rather than a flat side (``_q``)?"""
        return self.layout.endswith("_r")

    def shifted(self, line: int) -> bool:
        """Is row (``_r``) or column (``_q``) number *line* shifted by half a hex?"""
        return line % 2 == (1 if self.layout.startswith("odd") else 0)

    def center(self, h: int) -> tuple[float, float]:
        """Where the centre of hex *h* is: x to the right, y downwards, in units of a hexside.

        The centre of an unshifted hex at row 0, column 0 is ``(0, 0)``.  IndexError for -1.
        """
        if h < 0:
            raise IndexError("no hex has no centre")
        row, column = self.row_of[h], self.column_of[h]
        if self.pointy:
            return sqrt(3) * (column + self.shifted(row) / 2), 1.5 * row
        return 1.5 * column, sqrt(3) * (row + self.shifted(column) / 2)

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the six directions, clockwise."""
        return POINTY_DIRECTIONS if self.pointy else FLAT_DIRECTIONS

    @property
    def steps(self) -> tuple[Axial, ...]:
        """The vectors of the six directions, clockwise, in axial coordinates."""
        return _POINTY_STEPS if self.pointy else _FLAT_STEPS

    def vector(self, a: int, b: int) -> Axial:
        """From *a* to *b* in axial coordinates; nothing where either is -1."""
        if a < 0 or b < 0:
            return 0, 0
        (q, r), (to_q, to_r) = self._axial[a], self._axial[b]
        return to_q - q, to_r - r

    @cached_property
    def toward(self) -> tuple[tuple[int, ...], ...]:
        """``toward[h][d]`` is the hex next to *h* in direction *d* (see :attr:`directions`), or -1;
        ends with the row of no hex.

        It goes by the grid: joins have no direction.
        """
        rows = [
            (*(self._by_axial.get((q + dq, r + dr), -1) for dq, dr in self.steps), -1)
            for q, r in self._axial
        ]
        return (*rows, (-1,) * 7)

    def direction(self, a: int, b: int) -> int:
        """The direction from *a* to the adjacent hex *b*, or -1."""
        row = self.toward[a]
        return row.index(b) if b >= 0 and b in row else -1

    def bearing_mask(self, a: int, b: int) -> int:
        """The directions of the steps that lead straight from *a* toward *b*: one along a row of
        hexes, else the two beside the line.

        It goes by the grid, over hexes that are missing too.  Empty from a hex to itself, and from
        or to -1.
        """
        return self._bearings[a, b]

    # ------------------------------------------------------------------ near and far

    @cached_property
    def distance_rows(self) -> tuple[bytes | tuple[int, ...], ...]:
        """``distance_rows[a][b]`` is the distance from hex *a* to hex *b*, in hexes; 0 when either
        is -1.

        It is counted as the crow flies, over hexes that are missing too; joined hexes are at
        distance 1.
        """
        qs, rs = [q for q, _ in self._axial], [r for _, r in self._axial]
        q_span, r_span = max(qs) - min(qs), max(rs) - min(rs)
        stride = 2 * r_span + 1
        by_difference = [
            _length(q, r) for q in range(-q_span, q_span + 1) for r in range(-r_span, r_span + 1)
        ]
        middle = len(by_difference) // 2
        keys = [q * stride + r for q, r in self._axial]
        far = max(by_difference) > 255
        rows: list[bytes | tuple[int, ...]] = []
        for own in keys:
            shift = middle - own
            row = [by_difference[key + shift] for key in keys]
            row.append(0)
            rows.append(tuple(row) if far else bytes(row))
        for a, b in self.joins:
            rows = _adjacent(rows, self.index(a), self.index(b))
        nothing = [0] * (self.size + 1)
        rows.append(tuple(nothing) if far else bytes(nothing))
        return tuple(rows)

    def distance(self, a: int, b: int) -> int:
        """The distance from *a* to *b* in hexes, as the crow flies; 0 when either is -1."""
        return self.distance_rows[a][b]

    def around(self, h: int, n: int) -> tuple[int, ...]:
        """The hexes at distance 1 to *n* of *h*, ascending; none around -1."""
        return self._around[h, n]

    def around_mask(self, h: int, n: int) -> int:
        """The same as :meth:`around`, as a bit mask."""
        return self._around_masks[h, n]

    def linked(self, start_mask: int, within_mask: int) -> int:
        """The hexes of *within_mask* connected with a hex of *start_mask* through neighbours in
        *within_mask*.

        Hexes of the start belong to the result only when they are in *within_mask*; those outside
        it still connect to their neighbours.  All three are bit masks.
        """
        neighbor_masks = self.neighbor_masks
        unseen = within_mask & ~start_mask
        fresh = start_mask
        while fresh:
            reached = 0
            for h in bits(fresh):
                reached |= neighbor_masks[h]
            fresh = reached & unseen
            unseen ^= fresh
        return within_mask & ~unseen

    @cached_property
    def fringe(self) -> Callable[[int], int]:
        """From a bit mask, the hexes next to some hex of it."""
        return Unions(self.neighbor_masks).__getitem__

    # ------------------------------------------------------------------ straight lines

    def lines(self, a: int, b: int) -> tuple[Gate, ...]:
        """The gates of the straight line between the centres of *a* and *b*, from *a* on.

        Each gate holds hexes strictly between the two, and is closed when every one of them is an
        obstacle: a hex whose inside the line crosses, or the two hexes along whose common side it
        runs.  Places off the board count as obstacles and are left out, so an empty gate is always
        closed.  From a hex to itself or its neighbour there are no gates; a line from or to -1 is
        closed.
        """
        return self._lines[a, b]

    def passages(self, a: int, b: int) -> tuple[Passage, ...]:
        """How the straight line between the centres of *a* and *b* comes from each hex that it cuts
        to the next, from *a* on.

        Each passage holds the ways of going: one across a hexside, two round a corner or a hexside
        along which the line runs (:mod:`runtime.lines`).  A way is a row of steps, each from a hex
        to its neighbour.  Ways over places off the board are left out, so a passage without ways is
        always closed. A line from a hex to itself has no passages; one from or to -1 is closed.
        """
        return self._passages[a, b]

    def wholes(self, a: int, b: int) -> tuple[Passage, ...]:
        """The straight line between *a* and *b* moved a hair to its left and to its right, each as
        a whole.

        One passage from end to end, whose ways are these two lines (one where they are the same);
        the rest is as for :meth:`passages`.
        """
        return self._wholes[a, b]

    def crossed_mask(self, a: int, b: int) -> int:
        """The hexes strictly between *a* and *b* whose inside the line meets, as a bit mask."""
        return self._crossed[a, b]

    def entries_mask(self, a: int, b: int) -> int:
        """The hexes, one or two, out of which the straight line from *a* comes into *b*."""
        return self._entries[a, b]

    # ------------------------------------------------------------------ as data

    def spec(self) -> dict[str, Any]:
        """The constructor's arguments as JSON-able data."""
        return {
            "name": self.name,
            "layout": self.layout,
            "rows": self.rows,
            "columns": self.columns,
            "narrow": self.narrow,
            "labels": self.labeling,
            "missing": [list(place) for place in sorted(self.missing)],
            "joins": [list(pair) for pair in self.joins],
            "names": {self.label(h): text for h, text in sorted(self.names.items())},
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> Board:
        """The board that :meth:`spec` described."""
        missing = [(row, column) for row, column in spec.get("missing", ())]
        return cls(**{**spec, "missing": missing})

    def __eq__(self, other: object) -> bool:
        return self._arguments == other._arguments if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._arguments)

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {self.layout}, {self.rows}x{self.columns}, {self.size} hexes)"

    def __setattr__(self, name: str, value: object) -> None:
        if "_sealed" in self.__dict__:
            raise AttributeError(f"a board does not change: {name}")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a board does not change: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Board.from_spec, (self.spec(),)

    # ------------------------------------------------------------------ inside

    @cached_property
    def _arguments(self) -> tuple[object, ...]:
        names = tuple(sorted(self.names.items()))
        shape = (self.name, self.layout, self.rows, self.columns, self.narrow, self.labeling)
        return (*shape, self.missing, self.joins, names)

    def _cut_off(self, row: int, column: int) -> bool:
        """Is this the place that a narrow row or column lacks?"""
        line, place, length = (
            (row, column, self.columns) if self.pointy else (column, row, self.rows)
        )
        odd = self.narrow == "odd"
        return self.narrow is not None and place == length - 1 and line % 2 == odd

    def _axial_of(self, row: int, column: int) -> Axial:
        sign = -1 if self.layout.startswith("odd") else 1
        if self.pointy:
            return column - (row + sign * (row & 1)) // 2, row
        return column, row - (column + sign * (column & 1)) // 2

    def _find_neighbors(self, q: int, r: int) -> tuple[int, ...]:
        near = ((q + dq, r + dr) for dq, dr in DIRECTIONS)
        return tuple(sorted(self._by_axial[place] for place in near if place in self._by_axial))

    def _find_bearings(self, a: int, b: int) -> int:
        q, r = self.vector(a, b)
        away = _length(q, r)
        return mask_of(d for d, (dq, dr) in enumerate(self.steps) if _length(q - dq, r - dr) < away)

    def _find_around(self, h: int, n: int) -> tuple[int, ...]:
        return tuple(other for other, d in enumerate(self.distance_rows[h]) if 1 <= d <= n)

    def _find_line(self, a: int, b: int) -> tuple[Gate, ...]:
        if a < 0 or b < 0:
            return _NO_LINE
        (q, r), by_axial = self._axial[a], self._by_axial
        return tuple(
            tuple(
                sorted(by_axial[q + dq, r + dr] for dq, dr in gate if (q + dq, r + dr) in by_axial)
            )
            for gate in gates(*self.vector(a, b))
        )

    def _find_passages(self, a: int, b: int) -> tuple[Passage, ...]:
        if a < 0 or b < 0:
            return _NO_PASSAGE
        return tuple(self._ways(a, ways) for ways in passages(*self.vector(a, b)))

    def _find_wholes(self, a: int, b: int) -> tuple[Passage, ...]:
        if a < 0 or b < 0:
            return _NO_PASSAGE
        return (self._ways(a, asides(*self.vector(a, b))),) if a != b else ()

    def _find_crossed(self, a: int, b: int) -> int:
        if a < 0 or b < 0:
            return 0
        q, r = self._axial[a]
        places = [self._by_axial.get((q + dq, r + dr), -1) for dq, dr in cut(*self.vector(a, b))]
        return mask_of(h for h in places if h >= 0)

    def _find_entries(self, a: int, b: int) -> int:
        last = self.passages(a, b)[-1:]
        return mask_of(way[-1][0] for passage in last for way in passage)

    def _ways(self, a: int, ways: tuple[Way, ...]) -> Passage:
        """Ways from *a*, without those over places off the board."""
        q, r = self._axial[a]
        walked = [[self._by_axial.get((q + dq, r + dr), -1) for dq, dr in way] for way in ways]
        return tuple(tuple(pairwise(hexes)) for hexes in walked if -1 not in hexes)

    def _make_label(self, row: int, column: int) -> str:
        parts = (self.row_label(row), self.column_label(column))
        return "".join(reversed(parts) if self.labeling == "numbers" else parts)

    def _remedy(self, label: str) -> str:
        wanted = _label_numbers(label)
        if wanted is None:
            known = nearest(label, self.labels)
            example = said("its labels are written like {label}", label=repr(self.labels[0]))
            return said("the nearest is {nearest}", nearest=repr(known)) if known else example

        def difference(known: str) -> tuple[int, ...]:
            numbers = _label_numbers(known) or wanted
            gaps = [abs(x - y) for x, y in zip(numbers, wanted, strict=False)]
            return sum(gaps), *gaps

        return said("the nearest is {nearest}", nearest=repr(min(self.labels, key=difference)))


def _adjacent(rows: list[bytes | tuple[int, ...]], a: int, b: int) -> list[bytes | tuple[int, ...]]:
    """Distances in which *a* and *b* are 1 apart."""
    for here, there in ((a, b), (b, a)):
        row = list(rows[here])
        row[there] = 1
        rows[here] = bytes(row) if isinstance(rows[here], bytes) else tuple(row)
    return rows


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _label_numbers(label: str) -> tuple[int, int] | None:
    """The two coordinates in a label, however it is written; None when it is no label."""
    if lettered := re.fullmatch(r"(([A-Za-z])\2*)\s*(\d+)", label.strip(), re.IGNORECASE):
        letters, letter, number = lettered.groups()
        return ord(letter.upper()) + 26 * (len(letters) - 1), int(number)
    if numbered := re.fullmatch(r"(\d\d)\D?(\d\d)", label.strip()):
        column, row = numbered.groups()
        return int(column), int(row)
    return None


def _length(q: int, r: int) -> int:
    """The length of an axial vector in hexes."""
    return max(abs(q), abs(r), abs(q + r))
