"""The counters and the set-up of summer 1941."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import ir
from compiler.ruleset import Ruleset
from runtime.model import NONE
from runtime.scenario import SetUp, load

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "rulesets" / "no_retreat"
SCENARIO = ROOT / "scenarios" / "no_retreat" / "barbarossa_1941.yaml"

#: Both faces of the counters that were read, in the order of the list they were read into.
AXIS = {
    "panzer_1": "7-6 5-6", "panzer_2": "7-6 5-6", "panzer_3": "6-6 5-6", "panzer_4": "5-6 4-6", "army_2": "5-5 4-4",
    "army_4": "4-4 3-4", "army_6": "4-4 3-4", "army_8": "5-4 3-4", "army_9": "4-4 3-4", "army_11": "4-4 3-4",
    "army_16": "3-4 3-3", "army_17": "4-4 3-4", "army_18": "3-4 3-3", "finns": "4-0 2-0", "ss_panzer": "6-6 4-6",
    "ss_grenadiers": "3-5 2-4", "group_e": "3-4 2-4", "group_f": "4-4 2-4",
}  # fmt: skip
SOVIET = {
    "northwest": "3-3 6-3", "west": "4-3 7-3", "southwest": "5-3 8-2", "central": "5-3 8-4", "south": "3-3 6-3",
    "leningrad": "3-3 5-0", "reserve": "4-3 6-4", "bryansk": "3-3 5-4", "kalinin": "4-3 7-3", "caucasus": "3-3 5-4",
    "moscow": "2-3 4-0", "sevastopol": "2-3 3-0", "volkhov": "4-3 7-3", "crimean": "3-3 5-3", "north_caucasus": "4-3 7-3",
    "voronezh": "3-3 6-3", "stalingrad": "4-3 7-3", "don": "4-3 6-4", "kursk": "3-3 5-4", "steppe": "3-3 6-3",
}  # fmt: skip


@pytest.fixture(scope="module")
def program() -> ir.Program:
    return Ruleset(FOLDER).program


@pytest.fixture(scope="module")
def setup(program: ir.Program) -> SetUp:
    made, findings = load(SCENARIO, Ruleset(FOLDER).spec)
    assert [str(f) for f in findings] == []
    assert made is not None
    return made


def column(program: ir.Program, name: str) -> dict[str, int]:
    """A column of the table of counters."""
    return dict(
        zip(program.enums["Counter"], program.columns[("Counter", name)].values, strict=True)
    )


def test_strengths_and_movement(program: ir.Program) -> None:
    faces = {
        name: column(program, name) for name in ("strength", "move", "back_strength", "back_move")
    }
    for counter, wanted in (AXIS | SOVIET).items():
        found = f"{faces['strength'][counter]}-{faces['move'][counter]} {faces['back_strength'][counter]}-{faces['back_move'][counter]}"
        assert found == wanted, counter
    assert len(AXIS | SOVIET) == 38


def test_kinds(program: ir.Program) -> None:
    arms = program.enums["Arm"]
    front, back = column(program, "kind"), column(program, "back_kind")
    changes = {c: (arms[front[c]], arms[back[c]]) for c in SOVIET if front[c] != back[c]}
    assert {c for c, kinds in changes.items() if kinds == ("mechanized", "tank")} == {
        "central", "reserve", "bryansk", "caucasus", "don", "kursk",
    }  # fmt: skip
    assert {c for c, kinds in changes.items() if kinds == ("infantry", "shock")} == {
        "southwest",
        "crimean",
    }
    assert {c for c, kinds in changes.items() if kinds == ("area_infantry", "fort")} == {
        "leningrad",
        "moscow",
        "sevastopol",
    }
    assert all(front[c] == back[c] for c in AXIS)
    assert all(front[c] == arms.index("panzer") for c in AXIS if "panzer" in c)


def test_only_forts_and_volkssturm_have_no_movement(program: ir.Program) -> None:
    held = [program.enums["Arm"].index(arm) for arm in ("fort", "militia")]
    for side in ("", "back_"):
        kinds, moves = column(program, f"{side}kind"), column(program, f"{side}move")
        assert {c for c, m in moves.items() if m == 0} == {c for c, k in kinds.items() if k in held}


def test_the_set_up(program: ir.Program, setup: SetUp) -> None:
    board = program.board
    assert board is not None
    counters, homes = program.enums["Counter"], program.fields[("Hex", "home")].values
    assert homes is not None
    countries = program.enums["Country"]
    sides = dict(enumerate(program.sides))
    at: dict[int, list[str]] = {}
    for piece in setup.pieces["Unit"]:
        counter = counters[piece.values["counter"]]
        assert sides[piece.values["side"]] == ("axis" if counter in AXIS else "soviet")
        h = piece.values["hex"]
        if h == NONE:
            assert program.enums["Box"][piece.values["box"]] in ("turn_track", "out")
            continue
        at.setdefault(h, []).append(counter)
        wanted = "finland" if counter == "finns" else "germany" if counter in AXIS else "ussr"
        assert countries[homes[h]] == wanted, counter
    for h, found in at.items():
        assert len(found) <= (2 if found[0] in AXIS else 1), board.label(h)


def test_everything_that_is_due(program: ir.Program, setup: SetUp) -> None:
    """All counters of the start, the reinforcements of the first three turns, and those of the Romanian oil."""
    entry, group = column(program, "entry"), column(program, "group")
    oil = program.enums["Group"].index("group_oil")
    pieces = {program.enums["Counter"][p.values["counter"]]: p.values for p in setup.pieces["Unit"]}
    due = {c for c, turn in entry.items() if 0 <= turn <= 3 or group[c] == oil}
    assert set(pieces) == due & {*AXIS, *SOVIET}
    for counter, values in pieces.items():
        assert "arrives" not in values, "the counter says when it arrives"
        assert (values["hex"] != NONE) == (entry[counter] == 0)
        assert values.get("box", 0) == program.enums["Box"].index(
            "board" if entry[counter] == 0 else "out" if group[counter] == oil else "turn_track"
        )


def test_fronts_of_the_example(program: ir.Program, setup: SetUp) -> None:
    """NR-EX-16: South stands in Odessa, Central in Kiev."""
    assert program.board is not None
    where = {
        p.name: program.board.names.get(p.values["hex"])
        for p in setup.pieces["Unit"]
        if p.values["hex"] != NONE
    }
    assert (where["South"], where["Central"], where["Leningrad"]) == ("Odessa", "Kiev", "Leningrad")
