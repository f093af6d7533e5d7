"""Scenarios that can never end, never be won, or hold what no rule allows, are refused in words, by both executions; the
smallest that are right are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project import ROOT, compiled, program_of

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.scenario import initial_values
from runtime.program import CompiledProgram
from runtime.scenario import load

BATTLE = """ruleset: cc_ancients
title: Two units
game: {{first_side: top}}
sides: {{top: {{command: {command}, goal: {goal}}}, bottom: {{command: 4, goal: 1}}}}
hexes: {{terrain: {{{terrain}}}}}
pieces:
  Unit:
    - {{side: top, type: {type}, hex: A1}}
    - {{side: bottom, type: HI, hex: {foe}}}
{more}"""
WALL = "lake: [B1, B2, A2]"
BEYOND = "lake: [A2, B1, B2, C1, C2, C3, B3, A3, D1, D2, D3, D4, C4, B4, A4, E1, E2, E3, E4, E5, D5, C5, B5, A5]"
FALL = "some unit can come up to an enemy"
BATTLES = [
    ({}, ""),
    (
        {"goal": 2},
        "no side needs more banners than the other side has units and leaders on the field",
    ),
    ({"goal": 2, "more": "  Leader:\n    - {side: bottom, hex: A8, name: Dion}\n"}, ""),
    (
        {"goal": 2, "more": "  Leader:\n    - {side: bottom, hex: none, name: Dion}\n"},
        "no side needs more banners",
    ),
    ({"goal": 0}, "each side needs at least one banner"),
    ({"command": 0}, "each side has at least one card"),
    ({"terrain": WALL}, FALL),
    ({"terrain": "lake: [B1, B2]"}, ""),
    ({"terrain": WALL, "foe": "A3", "type": "LB"}, ""),
    ({"terrain": WALL, "foe": "A3"}, FALL),
    ({"terrain": BEYOND, "type": "LB"}, FALL),
    ({"terrain": "lake: [A1]"}, "no unit or leader begins on impassable ground"),
]
CAMPAIGN = """ruleset: no_retreat
title: A short war
game: {{turn: {turn}, last_turn: {last}, goal: {goal}}}
sides: {{axis: {{holds: [{axis}]}}, soviet: {{}}}}
pieces:
  Unit:
    - {{side: axis, counter: army_18, hex: 1204}}
    - {{side: soviet, counter: west, hex: {hex}}}
"""
CAMPAIGNS = [
    ({}, ""),
    ({"turn": "t4"}, "the last turn is not before the first one"),
    ({"turn": "t3"}, ""),
    ({"goal": 100}, "the goal is less than the most points that can be had"),
    ({"hex": 1204}, "no hex holds units of both sides"),
    ({"hex": "none"}, "each side has a unit on the map"),
    ({"axis": "1805"}, "only cities and oil fields are held, and each by one side"),
]
SKIRMISH = """ruleset: skirmish
title: Too much
sides: {{blue: {{goal: {goal}}}, red: {{}}}}
pieces:
  Piece:
    - {{side: blue, sort: scout, hex: [D2, D5]}}
    - {{side: red, sort: scout, hex: [B2, B5]}}
    - {{side: red, sort: guard, hex: none}}
"""
SKIRMISHES = [
    ({"goal": 2}, ""),
    ({"goal": 3}, "no side needs more points"),
    ({"goal": 0}, "each side needs at least one point"),
]
HIMERA, GAUGAMELA = "cc_ancients_greece/himera", "cc_ancients_greece/gaugamela"
BAECULA, TICINUS = "cc_ancients/baecula", "cc_ancients/ticinus"
LESSON, INN = "battles_of_napoleon/first_lesson", "battles_of_westeros/learning_battle"
ARM = "the units of a group are of its side and its arm"
LED = "each have one leader of their side, batteries none"
GUNNER = "    - {side: english, card: english_d, group: Battery, hex: F6}\n"
#: three squadrons where the lesson has one
HORSES = (
    r"hex: C7, facing: northwest, formation: mounted, name: F.horse",
    "hex: [C6, C7, C8], formation: mounted",
)
#: scenario, what of it is replaced, and by what
CHANGES = [
    ((LESSON, "turns: 4", "turns: 0"), "a battle has turns"),
    ((LESSON, "turns: 4", "turns: -1"), "a battle has turns"),
    ((LESSON, r" +- \{side: english, card: english_(line|foot).*\n", ""), "each side has a unit"),
    ((LESSON, r" +- \{.*name: E.2nd-foot\}\n", ""), "two to four units of infantry"),
    (
        (LESSON, r"pieces:\n  Group:", "\\g<0>\n    - {side: french, arm: infantry, name: Nobody}"),
        "two to four units of infantry",
    ),
    ((LESSON, r"Chasseurs, hex: C7, facing", "Brigade-Taupin, hex: C7, facing"), ARM),
    ((LESSON, r"side: english, (card: english_foot_guns)", r"side: french, \1"), ARM),
    ((LESSON, r".*name: F.Taupin\}\n", ""), LED),
    ((LESSON, r"side: french, (card: french_g)", r"side: english, \1"), LED),
    ((LESSON, r".*name: E.Kempt\}\n", r"\g<0>" + GUNNER), LED),
    ((LESSON, *HORSES), "more figures than the box holds"),
    (
        (INN, r"(side: stark, .*)hex: (\[.*\]|\w+)", r"\1hex: none"),
        "Each side has a unit on the field",
    ),
    (
        (INN, "order_rating: 4, leadership_rating: 2", "order_rating: 0, leadership_rating: 0"),
        "Each side has an order",
    ),
    ((HIMERA, r"\[I9, I8\]", "[I9, I5]"), "walls lie between hexes that touch"),
    (
        (GAUGAMELA, r"type: MC(.*) special: companions", r"type: HC\1 special: companions"),
        "special units are of the",
    ),
    (
        (BAECULA, r"objectives: \[H5, H7, H9", "objectives: [H5, H7, G9"),
        "an objective is terrain that can be entered",
    ),
    (
        (TICINUS, "(bottom: .*goal: 6)", r"\1, objectives: [E13]"),
        "an objective is terrain that can be entered",
    ),
]


def said(program: CompiledProgram, slow: InterpretedProgram, text: str) -> str:
    """What is found wrong with a scenario; the same by both executions."""
    found = []
    for broken in (program.unmet_requirements, slow.unmet_requirements):
        setup, findings = load(text, program.spec, initial=initial_values(program), broken=broken)
        assert {f.code for f in findings if f.is_error} <= {"S219"}, findings
        assert (setup is None) == any(f.is_error for f in findings)
        found.append("\n".join(f.message for f in findings if f.is_error))
    assert found[0] == found[1]
    return found[0]


def ready(name: str) -> tuple[CompiledProgram, InterpretedProgram]:
    return program_of(name), InterpretedProgram(compiled(name).program, program_of(name).spec)


@pytest.mark.parametrize(("given", "expected"), BATTLES)
def test_battles(given: dict[str, object], expected: str) -> None:
    text = BATTLE.format(
        **{"command": 4, "goal": 1, "terrain": "clear: []", "type": "HI", "foe": "A10", "more": ""}
        | given
    )
    found = said(*ready("cc_ancients"), text)
    assert (expected in found) if expected else not found, found


@pytest.mark.parametrize(("terrain", "expected"), [(BEYOND, FALL), (WALL, "")])
def test_what_the_base_requires(terrain: str, expected: str) -> None:
    text = BATTLE.format(command=4, goal=1, terrain=terrain, type="FLN", foe="A10", more="")
    for ours, theirs in {
        "cc_ancients": "cc_napoleonics",
        "HI": "BLN",
        "lake": "rugged_hill",
    }.items():
        text = text.replace(ours, theirs)
    found = said(*ready("cc_napoleonics"), text)
    assert (expected in found) if expected else not found, found


@pytest.mark.parametrize(("given", "expected"), CAMPAIGNS)
def test_campaigns(given: dict[str, object], expected: str) -> None:
    text = CAMPAIGN.format(
        **{"turn": "t1", "last": "t3", "goal": 13, "axis": "", "hex": 1304} | given
    )
    found = said(*ready("no_retreat"), text)
    assert (expected in found) if expected else not found, found


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_scenarios_made_hopeless(change: tuple[str, str, str], expected: str) -> None:
    scenario, pattern, put = change
    text = (ROOT / "scenarios" / f"{scenario}.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^roster:\n(?: .*\n?)*", "", text, flags=re.MULTILINE)
    made = re.sub(pattern, put, text)
    assert made != text
    ruleset = ready(scenario.split("/")[0])
    assert said(*ruleset, text) == ""
    assert expected in said(*ruleset, made)


def test_more_boxes() -> None:
    text = (ROOT / "scenarios" / f"{LESSON}.yaml").read_text(encoding="utf-8")
    text = re.sub(*HORSES, re.sub(r"^roster:\n(?: .*\n?)*", "", text, flags=re.MULTILINE))
    assert said(*ready("battles_of_napoleon"), text + "switches: {more_boxes: true}\n") == ""


@pytest.mark.parametrize(("given", "expected"), SKIRMISHES)
def test_skirmishes(given: dict[str, object], expected: str) -> None:
    compilation = Ruleset(Path(ROOT / "tests/rulesets/skirmish"))
    program = compilation.compiled
    found = said(
        program, InterpretedProgram(compilation.program, program.spec), SKIRMISH.format(**given)
    )
    assert (expected in found) if expected else not found, found
