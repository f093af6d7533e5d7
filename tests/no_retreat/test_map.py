"""The map of the Russian Front, against what was read from the printed map.

Places are given here as in the data that the map was taken from, on slanting axes (row, c); see ``hex_at``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from compiler import ir
from compiler.ruleset import Ruleset
from runtime.bitsets import bits
from runtime.board import Board

FOLDER = Path(__file__).resolve().parents[2] / "rulesets" / "no_retreat"
STEPS = {"E": (0, 1), "W": (0, -1), "NE": (-1, 1), "NW": (-1, 0), "SE": (1, 0), "SW": (1, -1)}
GERMAN = (
    "Berlin",
    "Posen",
    "Königsberg",
    "Prague",
    "Breslau",
    "Warsaw",
    "Vienna",
    "Lublin",
    "Budapest",
    "Belgrade",
    "Bucharest",
)
SOVIET = {
    "Leningrad": (-9, 11), "Riga": (-8, 6), "Kalinin": (-5, 10), "Minsk": (-4, 3), "Yaroslavl": (-4, 12), "Smolensk": (-3, 6),
    "Moscow": (-3, 9), "Tula": (-2, 8), "Gorki": (-1, 11), "Kiev": (0, 0), "Voronezh": (1, 6), "Kharkov": (2, 3),
    "Saratov": (3, 9), "Odessa": (4, -3), "Dnepropetrovsk": (4, 0), "Stalino": (5, 2), "Rostov": (6, 2), "Stalingrad": (6, 6),
    "Sevastopol": (7, -3), "Novorossiysk": (8, -1), "Astrakhan": (10, 5),
}  # fmt: skip
#: The dashed line between Greater Germany and the Soviet Union.
BORDER = {
    "E": "-7,3 -6,2 -5,0 -4,0 -3,-1 -2,-3 -1,-3 0,-4 1,-4 2,-4 3,-5 4,-5",
    "SE": "-7,3 -6,1 -6,2 -4,0 -3,-2 -3,-1 -1,-3 2,-4",
    "SW": "-8,4 -6,2 -5,1 -3,-1 -2,-2 0,-3 1,-3 3,-4 4,-4",
}


@pytest.fixture(scope="module")
def program() -> ir.Program:
    return Ruleset(FOLDER).program


@pytest.fixture(scope="module")
def board(program: ir.Program) -> Board:
    assert program.board is not None
    return program.board


def hex_at(board: Board, row: int, c: int) -> int:
    """The hex at a place of the slanting axes, or -1."""
    return board.at(row + 10, c + row // 2 + 12)


def named(board: Board, name: str) -> int:
    """The hex with a name."""
    (h,) = (h for h, text in board.names.items() if text == name)
    return h


def values(program: ir.Program, name: str) -> tuple[int, ...]:
    """A field of all hexes."""
    found = program.fields[("Hex", name)].values
    assert found is not None
    return found


def having(program: ir.Program, name: str, member: str) -> set[int]:
    """The hexes where a field has a member as its value, or in its set."""
    spec = program.fields[("Hex", name)]
    inner = spec.type.of or spec.type
    words = program.sides if inner.name == "Side" else program.enums[inner.name]
    number = words.index(member)
    return {
        h
        for h, v in enumerate(values(program, name))
        if (v >> number & 1 if spec.type.kind == "set" else v == number)
    }


def marked(program: ir.Program, name: str) -> set[int]:
    """The hexes for which a field is true."""
    return {h for h, v in enumerate(values(program, name)) if v}


def pairs(program: ir.Program, name: str) -> set[tuple[int, int]]:
    """The hexsides of a field, in both directions."""
    return {(a, b) for a, mask in enumerate(values(program, name)) for b in bits(mask)}


def test_383_hexes_and_the_lake(program: ir.Program, board: Board) -> None:
    assert board.size == 383 + 1
    counts = {
        member: len(having(program, "terrain", member)) for member in program.enums["Terrain"]
    }
    assert counts == {
        "open": 246,
        "city": 32,
        "forest": 47,
        "marsh": 23,
        "mountain": 31,
        "strait": 1,
        "area": 3,
        "lake": 1,
    }


def test_hexes_lie_as_on_the_slanting_axes(board: Board) -> None:
    joined = {frozenset((board.index(a), board.index(b))) for a, b in board.joins}
    seen = 0
    for row in range(-10, 12):
        for c in range(-14, 20):
            h = hex_at(board, row, c)
            if h < 0:
                continue
            seen += 1
            near = {hex_at(board, row + dr, c + dc) for dr, dc in STEPS.values()} - {-1}
            touching = {b for b in board.neighbors[h] if frozenset((h, b)) not in joined}
            assert touching == near, board.label(h)
    assert seen == board.size


def test_cities(program: ir.Program, board: Board) -> None:
    towns = {board.names[h] for h in marked(program, "town")}
    assert towns == set(GERMAN) | set(SOVIET) and len(towns) == 32
    assert marked(program, "town") == having(program, "terrain", "city")
    for name, place in SOVIET.items():
        assert named(board, name) == hex_at(board, *place)
    assert named(board, "Berlin") == hex_at(board, -8, -3)
    assert named(board, "Bucharest") == hex_at(board, 6, -8)
    assert {
        board.names[h] for h in marked(program, "town") & having(program, "home", "germany")
    } == set(GERMAN)
    assert {
        board.names[h] for h in marked(program, "town") & having(program, "home", "ussr")
    } == set(SOVIET)


def _border(board: Board) -> Iterator[frozenset[int]]:
    for side, places in BORDER.items():
        for place in places.split():
            row, c = map(int, place.split(","))
            yield frozenset(
                (hex_at(board, row, c), hex_at(board, row + STEPS[side][0], c + STEPS[side][1]))
            )


def test_the_border_encloses_greater_germany(program: ir.Program, board: Board) -> None:
    closed = set(_border(board))
    assert len(closed) == 29
    areas = having(program, "terrain", "area")
    inside = [named(board, "Berlin")]
    for h in inside:
        inside += [
            b
            for b in board.neighbors[h]
            if frozenset((h, b)) not in closed and b not in areas and b not in inside
        ]
    assert {board.names[h] for h in inside if h in marked(program, "town")} == set(GERMAN)
    assert set(inside) == having(program, "home", "germany")
    assert all(len(pair & set(inside)) == 1 for pair in closed)


@pytest.mark.parametrize(("field", "count"), [("rivers", 240), ("shut", 11)])
def test_hexsides(program: ir.Program, board: Board, field: str, count: int) -> None:
    found = pairs(program, field)
    assert len(found) == 2 * count
    for a, b in found:
        assert (b, a) in found
        assert b in board.neighbors[a], (board.label(a), board.label(b))


def test_no_hexside_is_both_river_and_shut(program: ir.Program) -> None:
    assert not pairs(program, "rivers") & pairs(program, "shut")


def test_lake_peipus_lies_east_of_riga(program: ir.Program, board: Board) -> None:
    """NR-EX-4a: a line of supply crosses it, of four hexes to Riga."""
    east = hex_at(board, -8, 7)
    assert (east, hex_at(board, -8, 8)) in pairs(program, "shut")
    assert east in board.neighbors[named(board, "Riga")]


def test_objectives(program: ir.Program, board: Board) -> None:
    goals = marked(program, "objective")
    german = {board.names[h] for h in goals & having(program, "home", "ussr")}
    soviet = {board.names[h] for h in goals & having(program, "home", "germany")}
    assert german == {"Leningrad", "Moscow", "Stalingrad", "Sevastopol", "Caucasus oil field"}
    assert soviet == {"Berlin", "Königsberg", "Prague", "Vienna"}


def test_oil(program: ir.Program, board: Board) -> None:
    assert marked(program, "oil") == {hex_at(board, 5, -7), hex_at(board, 11, 2)}
    assert hex_at(board, 5, -7) in board.neighbors[named(board, "Bucharest")]
    assert all(
        h in having(program, "terrain", "open") | having(program, "terrain", "mountain")
        for h in marked(program, "oil")
    )


@pytest.mark.parametrize(
    ("sea", "count"), [("baltic", 21), ("black", 17), ("adriatic", 4), ("caspian", 4), ("azov", 0)]
)
def test_coasts(program: ir.Program, board: Board, sea: str, count: int) -> None:
    found = having(program, "coast", sea)
    assert len(found) == count
    for h in found:
        assert len(board.neighbors[h]) < 6, f"{board.label(h)} touches no sea"


def test_ports(program: ir.Program, board: Board) -> None:
    for sea, names in {
        "baltic": ("Leningrad", "Riga", "Königsberg", "Finland"),
        "black": ("Odessa", "Sevastopol", "Novorossiysk"),
        "adriatic": ("West Balkans", "South Balkans"),
        "caspian": ("Astrakhan",),
    }.items():
        assert {named(board, name) for name in names} <= having(program, "coast", sea)
    assert named(board, "Rostov") not in having(program, "coast", "black")


def test_edges(program: ir.Program, board: Board) -> None:
    axis, soviet = having(program, "map_edge", "axis"), having(program, "map_edge", "soviet")
    assert (len(axis), len(soviet)) == (11, 26)
    assert axis <= having(program, "home", "germany")
    assert soviet <= having(program, "home", "ussr")
    westmost = {
        min((board.column_of[h], h) for h in range(board.size) if board.row_of[h] == row)[1]
        for row in range(1, 12)
    }
    assert axis == westmost


def test_areas(program: ir.Program, board: Board) -> None:
    """T-15: what each area touches."""

    def near(name: str) -> set[int]:
        return set(board.neighbors[named(board, name)])

    assert near("Finland") == {
        named(board, "Leningrad"),
        named(board, "Lake Ladoga"),
        hex_at(board, -8, 12),
        hex_at(board, -8, 13),
    }
    west = [(2, -12), (2, -11), (3, -11), (4, -11)]
    south = [(4, -11), (4, -10), (5, -10), (6, -10)]
    assert near("West Balkans") == {hex_at(board, *p) for p in west} | {
        named(board, "South Balkans")
    }
    assert near("South Balkans") == {hex_at(board, *p) for p in south} | {
        named(board, "West Balkans")
    }
    for country, name in (
        ("finland", "Finland"),
        ("west_balkans", "West Balkans"),
        ("south_balkans", "South Balkans"),
    ):
        assert having(program, "home", country) == {named(board, name)}


def test_lake_ladoga_joins_three_hexes(board: Board) -> None:
    lake = named(board, "Lake Ladoga")
    assert {named(board, "Leningrad"), hex_at(board, -8, 11), hex_at(board, -8, 12)} < set(
        board.neighbors[lake]
    )
    assert set(board.neighbors[lake]) - {named(board, "Finland")} == {
        named(board, "Leningrad"),
        hex_at(board, -8, 11),
        hex_at(board, -8, 12),
    }


def _labels(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _labels(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _labels(inner)
    else:
        yield str(value)


def test_every_label_is_a_hex(board: Board) -> None:
    data = yaml.load(
        (FOLDER / "boards" / "ostfront.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader
    )
    for part in (data["fields"], data["joins"], list(data["names"])):
        for label in _labels(part):
            assert label in board.labels


def test_nothing_is_listed_twice() -> None:
    data = yaml.load(
        (FOLDER / "boards" / "ostfront.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader
    )
    for name in ("rivers", "shut"):
        sides = [frozenset(pair) for pair in data["fields"][name]]
        assert len(sides) == len(set(sides))
    for name in ("home", "coast", "map_edge"):
        for labels in data["fields"][name].values():
            assert len(labels) == len(set(labels))
