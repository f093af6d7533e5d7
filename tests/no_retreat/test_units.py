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


#: The code on the counters that were read; the others begin the war where their scenario has them.
ENTRY = {
    "army_2": 2, "army_8": 14, "ss_panzer": 12, "ss_grenadiers": 17, "group_e": NONE, "group_f": NONE,
    "kalinin": 2, "caucasus": 2, "moscow": 3, "sevastopol": 3, "volkhov": 4, "crimean": 4, "north_caucasus": 6,
    "voronezh": 7, "stalingrad": 7, "don": 9, "kursk": 12, "steppe": 13,
}  # fmt: skip
GROUP = {
    "group_n": {"panzer_4", "army_16", "army_18"},
    "group_c": {"panzer_2", "panzer_3", "army_4", "army_9"},
    "group_s": {"panzer_1", "army_6", "army_17"},
    "group_r": {"army_11"},
    "group_f": {"finns"},
    "group_oil": {"group_e", "group_f"},
}


def test_codes_and_nations(program: ir.Program) -> None:
    entry, group, nation = (column(program, name) for name in ("entry", "group", "nation"))
    read = AXIS | SOVIET
    assert {c: entry[c] for c in read} == {c: ENTRY.get(c, 0) for c in read}
    groups = program.enums["Group"]
    for name in groups:
        assert {c for c in read if group[c] == groups.index(name)} == GROUP.get(name, set()), name
    nations = program.enums["Nation"]
    for counter in read:
        wanted = "finnish" if counter == "finns" else "german" if counter in AXIS else "russian"
        assert nations[nation[counter]] == wanted, counter
    assert {c for c, ss in column(program, "ss").items() if ss} == {"ss_panzer", "ss_grenadiers"}
    assert all(column(program, name)[c] == NONE for name in ("delay", "town") for c in read)


#: Of the counters that were not read: second faces, turns until the return, the city printed on them.
BACKS = {"berlin_garrison": "fort 3-0", "romanian_soviet": "infantry 4-3", "yugoslav_1": "fort 4-0", "yugoslav_2": "fort 4-0"}  # fmt: skip
BACKS |= {f"reserve_{n}": "reserves 0-3" for n in range(1, 5)}
DELAY = {"romanian_3", "romanian_4", "hungarian_1", "hungarian_2", "hungarian_3", "italian_8", "luftwaffe"}  # fmt: skip
TOWN = {
    "volkssturm_1": "1104", "volkssturm_2": "0704", "volkssturm_3": "0606", "volkssturm_4": "0406",
    "volkssturm_5": "0409", "berlin_garrison": "0603",
}  # fmt: skip


def test_other_faces_of_the_small_counters(program: ir.Program) -> None:
    arms = program.enums["Arm"]
    kind, strength, move, delay = (
        column(program, name) for name in ("back_kind", "back_strength", "back_move", "delay")
    )
    for counter in set(kind) - set(AXIS | SOVIET):
        if counter in BACKS:
            found = f"{arms[kind[counter]]} {strength[counter]}-{move[counter]}"
            assert found == BACKS[counter], counter
        else:
            assert kind[counter] == strength[counter] == move[counter] == NONE, counter
        cadre = counter.startswith(("kampfgruppe", "remnants"))
        assert delay[counter] == (4 if counter in DELAY else 3 if cadre else NONE), counter
    assert program.board is not None
    labels = program.board.labels
    assert {c: labels[h] for c, h in column(program, "town").items() if h != NONE} == TOWN
