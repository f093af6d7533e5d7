"""Positions of one's own, cases and coverage as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import grognard

ROOT = Path(__file__).resolve().parent.parent.parent
PIECES = {
    "pieces": {
        "Unit": [
            {"side": "bottom", "type": "HI", "hex": "E5", "name": "hi"},
            {"side": "top", "type": "AUX", "hex": "E6", "name": "foe"},
        ],
        "Leader": [],
    }
}


SIDES = {"top": {"command": 4, "goal": 1}, "bottom": {"command": 4, "goal": 1}}


def test_a_fight_with_scripted_dice() -> None:
    dice = {"battle": ["light", "heavy", "heavy", "medium", "medium"]}
    game = grognard.set_up(
        "akragas",
        PIECES,
        fields={"hi.ordered": True},
        run="attack_unit(hi, foe, E6, attack)",
        dice=dice,
    )
    assert game.position["foe.blocks"] == 3
    assert game.dice_left == {}
    assert game.log and game.prompt == "close_combat"


def test_values_of_a_position() -> None:
    game = grognard.set_up(
        "akragas", PIECES, run="nothing", piles={"hand[top]": ["rally"]}, dice={"battle": ["light"]}
    )
    assert game.value("close_dice", "hi", "E6", "attack") == 5
    assert game.position.piles["hand"]["top"] == ["rally"]
    assert game.dice_left == {"battle": 1}


def test_a_whole_game_from_a_position() -> None:
    game = grognard.set_up("akragas", PIECES, seed=3)
    assert game.side == "bottom" and len(game.position.pieces("Unit")) == 2
    assert game.copy().hash == game.hash
    with pytest.raises(grognard.ArgumentError):
        grognard.set_up("akragas", PIECES, seed="x")  # type: ignore[arg-type]


def test_a_position_that_is_set_up_begins_again_with_another_seed() -> None:
    game = grognard.set_up(
        "akragas",
        PIECES,
        fields={"hi.blocks": 2},
        piles={"hand[top]": ["rally"]},
        effects=["charge"],
    )
    for again in (game.restart(5), game.copy().restart(5), game.restart(5).restart(5)):
        assert (
            again.seed == 5
            and again.position["hi.blocks"] == 2
            and again.position.effects == ("charge",)
        )
        assert "rally" in again.position.piles["hand"]["top"]
    assert game.restart(1).hash == game.hash
    fight = grognard.set_up("akragas", PIECES, run="attack_unit(hi, foe, E6, attack)")
    assert len({fight.restart(seed).hash for seed in range(8)}) > 1


def test_a_position_that_is_set_up_has_no_record() -> None:
    """Nothing in a record would tell it."""
    for given in ({}, {"fields": {"hi.blocks": 2}}, {"dice": {"battle": ["light"]}}):
        with pytest.raises(
            grognard.RecordError, match="scripted" if "dice" in given else "was set up"
        ):
            grognard.set_up("akragas", PIECES, **given).record()  # type: ignore[arg-type]


def test_where_nothing_runs() -> None:
    game = grognard.set_up("akragas", PIECES, run="nothing")
    assert repr(game) == "<Game 'Akragas': nothing runs>"
    assert (game.over, game.side, game.options, game.result) == (False, None, (), None)
    for side in (*game.sides, None):
        view = game.view(side)
        assert (view.decides, view.prompt, view.subject, view.options) == (None, "", (), ())
    with pytest.raises(grognard.GameOver, match="nothing runs: nothing is to be decided"):
        game.play(0)
    with pytest.raises(grognard.GameOver, match="nothing runs"):
        game.why_not("order hi")
    with pytest.raises(grognard.GameOver, match="nothing runs"):
        game.forecast("order hi")


@pytest.mark.parametrize(
    "wrong",
    [
        {"fields": {"hi.blcoks": 1}},
        {"fields": {"nobody.blocks": 1}},
        {"piles": {"hand": ["rally"]}},
        {"piles": {"hand[top]": ["ralyl"]}},
        {"piles": {"hand[top]": 3}},
        {"effects": ["nothing_such"]},
        {"run": "attack_unit(hi)"},
        {"run": "atack_unit(hi, foe, E6, attack)"},
        {"run": "attack_unit"},
        {"dice": {"battle": ["seven"]}},
        {"dice": {"d7": [1]}},
        {"dice": {"battle": ["light"]}, "run": "attack_unit(hi, foe, E6, attack)"},
        {"position": {"pieces": {"Unit": [{"side": "nobody"}]}}},
        {"position": {"pieces": {"Unit": object()}}},
        {"switches": {"no_such": True}},
        {"position": [1]},
        {"fields": 3},
        {"effects": "charge"},
        {"effects": 3},
        {"dice": 3},
        {"dice": {"battle": 3}},
        {"run": 3},
        {"seed": "x"},
    ],
)
def test_what_fits_nothing_is_said(wrong: dict[str, Any]) -> None:
    position = wrong.pop("position", PIECES)
    with pytest.raises(grognard.GrognardError):
        grognard.set_up("akragas", position, **{"run": "nothing", **wrong})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"position": {"peices": {}}}, "position.peices: .*unknown key 'peices'"),
        ({"position": {"pieces": {"Unit": [{"sdie": "top"}]}}}, r"position.pieces.Unit\[0\].*sdie"),
        ({"position": {"hexes": {"terain": {}}}}, "position.hexes.terain: .*terain"),
        ({"position": {"game": {"first_side": ["top"]}}}, "position.game.first_side: "),
        ({"fields": {"hi.blocks": 1.5}}, r"fields.hi.blocks: 1.5: expected a name"),
        ({"fields": {"hi.blocks": {"a": 1}}}, r"fields.hi.blocks: a mapping: expected a name"),
        ({"piles": {"hand[top]": {"rally": 1}}}, r"piles.hand\[top\]: a mapping: expected a list"),
        ({"effects": ["charge", 3.5]}, r"effects\[1\]: 3.5: expected text"),
        (
            {"switches": {"straight_faces": "yes"}},
            "switches.straight_faces: text 'yes': expected true or false",
        ),
        ({"run": ""}, "run: empty text"),
    ],
)
def test_mistakes_of_shape_are_told_by_their_place(wrong: dict[str, Any], said: str) -> None:
    position = wrong.pop("position", PIECES)
    with pytest.raises(grognard.ArgumentError, match=said):
        grognard.set_up("akragas", position, **{"run": "nothing", **wrong})


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ([{"type": "HIX"}], r"position.pieces.Unit[0].type: unknown value 'HIX' for Type (did you mean 'HI'?)"),
        ([{}, {"hex": "Z5"}], "position.pieces.Unit[1].hex: there is no hex Z5 on the board (the nearest is I5, or none for nowhere)"),
        ([{"name": "a"}, {"name": "b"}], "position.pieces.Unit[1].hex: b stands on E5, where a stands (a place holds one Unit: move one of them)"),
    ],
)  # fmt: skip
def test_a_mistake_in_data_is_told_once_by_its_place_without_lines(
    units: list[dict[str, str]], said: str
) -> None:
    pieces = {"Unit": [{"side": "top", "type": "HI", "hex": "E5", **unit} for unit in units]}
    with pytest.raises(grognard.ArgumentError) as told:
        grognard.set_up("akragas", {"pieces": pieces})
    assert str(told.value) == said
    mine = {
        "ruleset": "cc_ancients",
        "game": {"first_side": "top"},
        "sides": SIDES,
        "pieces": pieces,
    }
    message = said.split(": ", 1)[1].split(" (")[0]
    assert message in [finding.message for finding in grognard.validate(mine)]


def test_a_position_on_a_scenario_of_ones_own() -> None:
    mine = {"ruleset": "cc_ancients", "title": "Mine", "game": {"first_side": "top"}, **PIECES}
    mine["sides"] = {"top": {"command": 4, "goal": 1}, "bottom": {"command": 4, "goal": 1}}
    game = grognard.set_up(mine, fields={"hi.blocks": 2}, dice=["light"])
    assert (
        game.title == "Mine"
        and game.position["hi.blocks"] == 2
        and game.side == "top"
        and game.dice_left == {"battle": 1}
    )
    assert grognard.load(mine, seed=1).title == "Mine"


@pytest.mark.long
def test_cases_are_data(tmp_path: Path) -> None:
    found = grognard.run_cases(
        ROOT / "tests/cases/cc_ancients/worked_values.yaml", match="Clash of Shields"
    )
    assert found and all(case.ok and case.rules and case.line for case in found)
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "ruleset: cc_ancients\nscenario: akragas\ncases:\n- name: wrong\n  run: nothing\n  expect: {fields: {top.banners: 3}}\n"
    )
    (case,) = grognard.run_cases(file)
    assert (
        not case.ok
        and "expected 3, is 0" in case.problems[0]
        and (case.name, case.line) == ("wrong", 4)
    )
    file.write_text("nonsense")
    (case,) = grognard.run_cases([file])
    assert not case.ok and case.name == ""
    with pytest.raises(grognard.ArgumentError):
        grognard.run_cases(3)  # type: ignore[arg-type]
    for wrong in (tmp_path / "nothing", "", tmp_path / "none.yaml"):
        with pytest.raises(grognard.LoadError):
            grognard.run_cases(wrong)


def test_coverage_is_data() -> None:
    found = grognard.cover("cc_ancients", games=0)
    rules = {rule.id: rule for rule in found.own.rules}
    assert rules["CCA-11.23"].cited and found.games == 0
    with pytest.raises(grognard.LoadError):
        grognard.cover("cc_ancient")
    with pytest.raises(grognard.ArgumentError, match="games is a whole number"):
        grognard.cover("cc_ancients", games=-1)
