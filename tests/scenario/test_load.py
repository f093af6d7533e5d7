"""Scenarios that are right: what the set-up says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scenario_rulesets import ANCIENTS, INT, SMALL, enum, field, initial, ruleset

from runtime.board import Board
from runtime.model import NONE, RulesetSpec
from runtime.scenario import PieceSetUp, SetUp, SideInfo, dump, load, schema_for
from runtime.scenario.shape import nearest_hex

ROOT = Path(__file__).parents[2]
HEAD = "ruleset: small\ntitle: Two Hills\ngame: {first: bottom}\nsides: {top: {goal: 4}, bottom: {goal: 5}}\n"
FULL = """
ruleset: small
title: Two Hills
date: 1815
provenance: house
sources: [a book]
notes: ["one", "two"]
switches: {weather: true}
game: {first: bottom, rounds: 6, prize: B2}
sides:
  top: {name: Reds, goal: 4, command: 5}
  bottom: {name: Blues, prefix: X, goal: 5}
fields:
  Terrain: {cost: {forest: 2, hill: 3}}
hexes:
  terrain: {forest: [A1, A2], hill: [D5]}
  height: {2: [D5]}
  crossings: {east: [B1, B2], west: [B2]}
  depot: {Old Guard: [C1], none: [C2]}
pieces:
  Unit:
    - {side: top, type: LI, hex: [D1, D2]}
    - {side: top, type: [HI, HC], hex: none, veteran: true}
    - {side: bottom, type: LI, hex: A1, blocks: 2, talents: [swift, stealthy]}
    - {side: bottom, type: HI, hex: A2, name: Old Guard}
  Leader:
    - {side: top, guard: R.LI2}
    - {side: bottom, hex: A2, name: Ney, guard: Old Guard}
roster:
  Unit: {top: {LI: 2, HI: 1, HC: 1}, bottom: {LI: 1, HI: 1}}
  Leader: {top: 1}
"""


def hexes(*labels: str) -> list[int]:
    """Hexes by their labels."""
    return [SMALL.board.index(label) for label in labels]


def good(text: Any, spec: RulesetSpec = SMALL) -> SetUp:
    """Load what has no faults."""
    setup, found = load(text, spec, name="it", initial=initial)
    assert not found, [str(f) for f in found]
    assert setup is not None
    return setup


def test_bools_are_yes_and_no_too() -> None:
    assert good(HEAD + "switches: {weather: yes}\n") == good(HEAD + "switches: {weather: true}\n")
    assert good(HEAD + "switches: {weather: no}\n") == good(HEAD + "switches: {weather: false}\n")


def test_everything() -> None:
    setup = good(FULL)
    d1, d2, d5, a1, a2, b1, b2, c1, c2 = hexes("D1", "D2", "D5", "A1", "A2", "B1", "B2", "C1", "C2")
    assert (setup.ruleset, setup.title, setup.date, setup.provenance) == (
        "small",
        "Two Hills",
        "1815",
        "house",
    )
    assert (setup.sources, setup.notes) == (("a book",), ("one", "two"))
    assert setup.switches == {"weather": True, "fog": True}
    assert setup.game == {"first": 1, "rounds": 6, "prize": b2}
    assert setup.sides == (SideInfo("Reds", "R"), SideInfo("Blues", "X"))
    assert setup.fields == {
        "Side": {"goal": {0: 4, 1: 5}, "command": {0: 5}},
        "Terrain": {"cost": {1: 2, 2: 3}},
        "Hex": {
            "terrain": {a1: 1, a2: 1, d5: 2},
            "height": {d5: 2},
            "crossings": {b1: 0b01, b2: 0b11},
            "depot": {c1: 5, c2: NONE},
        },
    }
    assert setup.pieces["Unit"] == (
        PieceSetUp("R.LI1", {"type": 0, "side": 0, "hex": d1}),
        PieceSetUp("R.LI2", {"type": 0, "side": 0, "hex": d2}),
        PieceSetUp("R.HI1", {"type": 1, "side": 0, "hex": NONE, "veteran": 1}),
        PieceSetUp("R.HC1", {"type": 2, "side": 0, "hex": NONE, "veteran": 1}),
        PieceSetUp("X.LI1", {"type": 0, "side": 1, "hex": a1, "blocks": 2, "talents": 0b101}),
        PieceSetUp("Old-Guard", {"type": 1, "side": 1, "hex": a2}),
    )
    assert setup.pieces["Leader"] == (
        PieceSetUp("R.Leader1", {"side": 0, "guard": 1}),
        PieceSetUp("Ney", {"side": 1, "hex": a2, "guard": 5}),
    )


def test_groups_say_the_same_as_entries() -> None:
    groups = """
pieces:
  Unit:
    Left wing: {side: top, veteran: true, at: {D1: [LI], none: [HI, HC]}}
    Guards: [{side: bottom, at: {A1: LI}}, {side: bottom, talents: [swift], at: {A2: HI}}]
"""
    entries = """
pieces:
  Unit:
    - {side: top, type: LI, hex: D1, veteran: true, name: N.LI1}
    - {side: top, type: HI, hex: none, veteran: true, name: N.HI1}
    - {side: top, type: HC, hex: none, veteran: true, name: HC}
    - {side: bottom, type: LI, hex: A1, name: B.LI1}
    - {side: bottom, type: HI, hex: A2, talents: [swift], name: B.HI1}
"""
    one, other = (load(HEAD + text, SMALL)[0] for text in (groups, entries))
    assert one is not None and other is not None and one.pieces == other.pieces


def test_what_stands_alone_in_a_group_is_called_by_the_texts() -> None:
    groups = """
pieces:
  Unit:
    all: {side: top, at: {D1: LI, D2: HI}}
    theirs: {side: bottom, at: {A1: HI}}
"""
    setup, _ = load(HEAD + groups, SMALL)
    assert setup is not None
    names = [piece.name for piece in setup.pieces["Unit"]]
    assert names == ["light-infantry", "N.HI1", "B.HI1"]


def test_a_map_says_the_same_as_lists() -> None:
    mapped = good(
        HEAD
        + """
map:
  legend:
    l: {kind: Unit, side: top, type: LI}
    L: [{kind: Unit, side: bottom, type: LI}, {kind: Leader, side: bottom, name: Ney}, {kind: Hex, terrain: hill}]
    1: {kind: Leader, side: top}
  rows:
    - ". l . l 1"
    - . . . .
    - ". . . . ."
    - "L . . ."
"""
    )
    listed = good(
        HEAD
        + """
hexes: {terrain: {hill: [A1]}}
pieces:
  Unit: [{side: top, type: LI, hex: [D2, D4]}, {side: bottom, type: LI, hex: A1}]
  Leader: [{side: top, hex: D5}, {side: bottom, hex: A1, name: Ney}]
"""
    )
    assert mapped == listed
    assert mapped.hash == listed.hash


@pytest.mark.parametrize(
    ("top", "bottom", "prefixes"),
    [
        ("name: Reds", "name: Blues", ("R", "B")),
        ("name: Reds", "name: Romans", ("top", "bottom")),
        ("name: Reds", "name: Blues, prefix: R", ("top", "R")),
        ("name: '12th'", "name: '7'", ("T", "bottom")),
        ("name: Reds, prefix: RR", "name: Romans", ("RR", "R")),
    ],
)
def test_prefixes(top: str, bottom: str, prefixes: tuple[str, str]) -> None:
    setup = good(
        HEAD.replace("top: {", f"top: {{{top}, ").replace("bottom: {", f"bottom: {{{bottom}, ")
    )
    assert tuple(side.prefix for side in setup.sides) == prefixes


def test_sides_are_called_as_the_texts_say() -> None:
    assert [side.name for side in good(HEAD).sides] == ["North", "bottom"]


def test_hash_is_of_what_matters_to_play() -> None:
    text = good(FULL).hash
    assert (
        good(FULL.replace("a book", "two books").replace("Two Hills", "Three Hills")).hash == text
    )
    assert good(FULL.replace("rounds: 6", "rounds: 7")).hash != text
    assert good(FULL.replace("Ney", "Murat")).hash != text


def test_path_or_text(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    path.write_text(HEAD, encoding="utf-8")
    assert load(path, SMALL) == load(str(path), SMALL) == (good(HEAD), [])
    assert good(HEAD.encode()) == good(HEAD)
    (fault,) = load(tmp_path / "other.yaml", SMALL)[1]
    assert (fault.code, fault.file, str(fault).startswith(fault.file)) == (
        "S101",
        str(tmp_path / "other.yaml"),
        True,
    )


def test_labels_that_look_like_numbers() -> None:
    board = Board(name="field", layout="odd_q", rows=12, columns=12, labels="numbers")
    spec = ruleset("small", board, {}, [field("Hex", "height", INT, initial=0)])
    setup = good("ruleset: small\ntitle: x\nhexes: {height: {1: [0101, 1212, '1112']}}\n", spec)
    assert setup.fields["Hex"]["height"] == dict.fromkeys(
        sorted(map(board.index, ("0101", "1212", "1112"))), 1
    )
    for wrong, label in {"101": "0101", "1213": "1212", "0113": "0112", "1301": "1201"}.items():
        (fault,) = load(f"ruleset: small\ntitle: x\nhexes: {{height: {{1: [{wrong}]}}}}\n", spec)[1]
        assert (fault.code, fault.remedy) == ("S201", f"the nearest is {label}")


@pytest.mark.parametrize(
    ("text", "label"),
    [(word, "C4") for word in ("C5", "c4", "4C", "C04", "C 4")]
    + [("E1", "D1"), ("A0", "A1"), ("??", None), ("7", None)],
)
def test_nearest_hex(text: str, label: str | None) -> None:
    assert nearest_hex(text, SMALL.board.labels) == label


def test_required_hexes() -> None:
    spec = ruleset(
        "small",
        SMALL.board,
        {"Terrain": ("clear", "hill")},
        [field("Hex", "terrain", enum("Terrain"))],
    )
    (fault,) = load("ruleset: small\ntitle: x\nhexes:\n  terrain: {hill: [D1]}\n", spec)[1]
    assert (fault.code, fault.line, fault.column) == ("S218", 4, 3)
    assert "17 hexes (D2, D3, D4 …)" in fault.message


def test_members_without_value() -> None:
    spec = ruleset("small", SMALL.board, {"T": ("a", "b")}, [field("T", "cost", INT)])
    (fault,) = load("ruleset: small\ntitle: x\nfields: {T: {cost: {a: 1}}}\n", spec)[1]
    assert (fault.code, "'b' is missing" in fault.message) == ("S218", True)
    setup = good("ruleset: small\ntitle: x\nfields: {T: {cost: {a: 1, b: 2}}}\n", spec)
    assert setup.fields == {"T": {"cost": {0: 1, 1: 2}}}


def test_base_ruleset() -> None:
    spec = ruleset("large", SMALL.board, {}, [], bases=("small",))
    (fault,) = load("ruleset: small\ntitle: x\n", spec)[1]
    assert (fault.code, "extends it" in fault.remedy) == ("S202", True)


@pytest.mark.parametrize("spec", [SMALL, ANCIENTS], ids=lambda spec: spec.name)
def test_schema_is_a_schema(spec: RulesetSpec) -> None:
    schema = schema_for(spec)
    Draft202012Validator.check_schema(schema)

    def closed(part: Any) -> None:
        if isinstance(part, dict):
            if part.get("type") == "object" and "allOf" not in part:
                assert "additionalProperties" in part
            for inner in part.values():
                closed(inner)
        elif isinstance(part, list):
            for inner in part:
                closed(inner)

    closed(schema)


def test_akragas() -> None:
    path = ROOT / "scenarios" / "cc_ancients" / "akragas.yaml"
    assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")
    setup = good(path, ANCIENTS)
    board = ANCIENTS.board
    assert [len(setup.pieces[kind]) for kind in ("Unit", "Leader")] == [24, 4]
    units = {board.label(p.values["hex"]): p.name for p in setup.pieces["Unit"]}
    assert (units["H2"], units["G11"], units["B11"]) == ("C.MI1", "C.HCH2", "S.MC1")
    leaders = {p.name: board.label(p.values["hex"]) for p in setup.pieces["Leader"]}
    assert leaders == {"Mago": "H4", "Himilco": "H8", "Daphnaeus": "B8", "Dionysius": "B11"}
    assert all(label in units for label in leaders.values())
    assert setup.fields["Side"] == {"command": {0: 5, 1: 6}, "goal": {0: 5, 1: 5}}


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80))
def test_nothing_is_raised(source: bytes | str) -> None:
    setup, found = load(source, SMALL)
    assert setup is None
    assert found


DAMAGE = [
    "",
    "A1",
    "none",
    "[",
    "{",
    "}",
    "]",
    "-1",
    "4.0",
    "true",
    "null",
    ": ",
    "\n",
    "'",
    "1.5",
    "é",
]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_nothing_is_raised_by_damage(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FULL)))
    to = data.draw(st.integers(at, min(len(FULL), at + 12)))
    put = data.draw(st.sampled_from(DAMAGE))
    setup, found = load(FULL[:at] + put + FULL[to:], SMALL, initial=initial)
    assert (setup is None) == any(f.is_error for f in found)


LINE = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=10
).filter(lambda text: text != "none")
NAME = LINE.map(lambda text: "n" + re.sub("[?,!]", "", text)).filter(
    lambda text: text not in ("none", "never")
)


@st.composite
def setups(draw: st.DrawFn) -> SetUp:
    """Set-ups for the small ruleset that have no faults."""
    size = SMALL.board.size
    some_hexes = st.dictionaries(st.integers(0, size - 1), st.integers(0, 3), max_size=4)
    hex_fields = {name: draw(some_hexes) for name in ("terrain", "height")}
    crossings = {h: value for h, value in draw(some_hexes).items() if value}
    hex_fields["crossings"] = crossings
    fields: dict[str, dict[str, dict[int, int]]] = {
        "Side": {"goal": {0: draw(st.integers(-9, 99)), 1: 3}}
    }
    if any(hex_fields.values()):
        fields["Hex"] = {name: values for name, values in hex_fields.items() if values}
    count = draw(st.integers(0, 4)) * 2
    names = draw(st.lists(NAME, unique=True, min_size=count * 2, max_size=count * 2))
    places = draw(st.permutations(range(size)))
    units, leaders = [], []
    for i in range(count):
        values = {
            "type": draw(st.integers(0, 2)),
            "side": i % 2,
            "hex": draw(st.sampled_from([places[i], NONE])),
        }
        values |= draw(
            st.fixed_dictionaries(
                {}, optional={"veteran": st.integers(0, 1), "talents": st.integers(0, 7)}
            )
        )
        units.append(PieceSetUp(names[i], values))
        guard = draw(st.integers(-1, count - 1))
        leaders.append(
            PieceSetUp(names[count + i], {"side": i % 2, "hex": places[i], "guard": guard})
        )
    return SetUp(
        ruleset="small",
        title=draw(LINE),
        switches={"weather": draw(st.booleans()), "fog": draw(st.booleans())},
        game={"first": draw(st.integers(0, 1)), "prize": draw(st.integers(-1, size - 1))},
        fields=fields,
        pieces={"Unit": tuple(units), "Leader": tuple(leaders)},
        sides=(SideInfo(draw(LINE), "P"), SideInfo(draw(LINE), "Q")),
        date=draw(st.just("") | LINE),
        provenance=draw(st.sampled_from(["", "house", "published"])),
        sources=tuple(draw(st.lists(LINE, max_size=2))),
        notes=tuple(draw(st.lists(LINE, max_size=2))),
    )


@settings(max_examples=80, deadline=None)
@given(setups())
def test_round_trip(setup: SetUp) -> None:
    again = good(dump(setup, SMALL))
    assert again == setup
    assert again.hash == setup.hash


def test_round_trip_of_files() -> None:
    for source, spec in (
        (FULL, SMALL),
        (ROOT / "scenarios" / "cc_ancients" / "akragas.yaml", ANCIENTS),
    ):
        setup = good(source, spec)
        assert good(dump(setup, spec), spec) == setup


BOARD = """
board:
  rows: ["#.....", " . ~..", "......"]
  legend: {"#": {soil: hill}, "~": {soil: river, streams: A1}}
  fields: {streams: [[A1, A2], [C1, C2]]}
  joins: [[A1, C5]]
  names: {A1: Ford}
hexes: {walls: [[A1, A2], [C2, C3]]}
pieces: {Unit: [{side: top, type: LI, hex: C6}, {side: bottom, type: HI, hex: A1}]}
"""
PLAIN = "ruleset: small\ntitle: x\ngame: {first: top}\nsides: {top: {goal: 4}, bottom: {goal: 4}}\n"


def test_a_board_of_its_own() -> None:
    setup, findings = load(PLAIN + BOARD, SMALL)
    assert findings == [] and setup is not None and setup.board is not None
    board, values = setup.board.board, dict(setup.board.values)
    assert (board.rows, board.columns, board.narrow, board.layout, board.labeling) == (
        3,
        6,
        "odd",
        "odd_r",
        "letters_up",
    )
    assert board.size == 15 and "B1" not in board.labels and "B3" not in board.labels
    a1, a2, c1 = (board.index(label) for label in ("A1", "A2", "C1"))
    assert values["soil"][c1] == SMALL.enums["Terrain"].index("hill")
    assert values["streams"][a1] >> a2 & 1 and values["streams"][a2] >> a1 & 1
    assert board.index("C5") in board.neighbors[a1] and board.names == {a1: "Ford"}
    walls = setup.fields["Hex"]["walls"]
    assert walls[a1] == 1 << a2 and walls[a2] == 1 << a1
    # what depends on the labels follows the board
    assert setup.pieces["Unit"][0].values["hex"] == board.index("C6")
    placed = SMALL.on(setup.board)
    assert placed.board is board and {f.name: f.values for f in placed.map_fields} == values
    assert placed.on(setup.board) is placed and SMALL.on(None) is SMALL


def test_a_board_is_written_and_read_again() -> None:
    setup, _ = load(PLAIN + BOARD, SMALL)
    assert setup is not None
    again, findings = load(dump(setup, SMALL), SMALL)
    assert findings == []
    assert again == setup and again.hash == setup.hash


def test_the_board_belongs_to_the_hash() -> None:
    hashes = set()
    for text in (
        "",
        "board: {rows: 4, columns: 6}\n",
        "board: ford\n",
        "board: {rows: 4, columns: 6, fields: {soil: {hill: [A1]}}}\n",
    ):
        setup, findings = load(PLAIN + text, SMALL)
        assert setup is not None, findings
        hashes.add(setup.hash)
    assert len(hashes) == 4


def test_the_file_of_a_board() -> None:
    setup, _ = load(PLAIN + "board: ford\n", SMALL)
    assert setup is not None and setup.board is not None
    assert setup.board.board.name == "ford" and setup.board.board.size == 17
    (found,) = load(PLAIN + "board: odd\n", SMALL, name="it")[1]
    assert (found.file, found.line, found.code) == ("small/boards/odd.yaml", 2, "S220")


def test_the_schema_for_editors_knows_other_boards() -> None:
    data = yaml.safe_load(PLAIN + BOARD)
    assert list(Draft202012Validator(schema_for(SMALL, any_board=True)).iter_errors(data)) == []
    assert list(Draft202012Validator(schema_for(SMALL)).iter_errors(data)) != []
