"""Another name in cases: what means it gets the new name, what only looks so keeps the old one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grognard import places
from grognard.cases.runner import Outcome
from grognard.cases.suite import Workbench, run_files
from grognard.editing.desk import Desk
from grognard.editing.edits import apply_edits
from grognard.editing.names.renaming import Renaming, rename

ROOT = Path(__file__).parents[2]
#: A piece is called as its sort, a procedure as a scope.
CASES = """\
ruleset: skirmish
scenario: meeting.yaml
cases:
  - name: A scout called scout
    position: {pieces: {Piece: [{side: blue, sort: scout, hex: D2, name: scout}]}}
    run: "hurt(scout, 1)"
    expect: {fields: {scout.steps: 1, scout.sort: scout}}
  - name: A turn begins with a card
    piles: {"hand[blue]": [one], draw: [two]}
    run: turn(blue)
    expect: {decision: {side: blue, prompt: orders}, taken: [card one], piles: {"hand[blue]": []}}
  - name: Blue wins a little more often
    balance: 0.3..0.8, games 10, bots greedy, of blue
"""


def desk_of(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An author's folder with a ruleset and its scenarios, and no cases yet."""
    for kind in ("rulesets", "scenarios"):
        shutil.copytree(ROOT / kind / name, root / kind / name)
    (root / "tests/cases" / name).mkdir(parents=True)
    monkeypatch.chdir(root)
    return Desk(root)


@pytest.fixture
def skirmish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    rules = tmp_path / "rulesets/skirmish"
    shutil.copytree(ROOT / "tests/rulesets/skirmish", rules)
    (tmp_path / "scenarios/skirmish").mkdir(parents=True)
    (rules / "meeting.yaml").rename(tmp_path / "scenarios/skirmish/meeting.yaml")
    (tmp_path / "tests/cases/skirmish").mkdir(parents=True)
    (tmp_path / "tests/cases/skirmish/all.yaml").write_text(CASES)
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def renamed(desk: Desk, name: str, meaning: str, new: str) -> Renaming:
    game = desk.root / "rulesets" / name
    symbol = desk.symbols(game).by_meaning(meaning)
    assert symbol is not None, meaning
    return rename(desk, game, symbol, new)


def in_cases(desk: Desk, renaming: Renaming, sure: bool = True) -> set[str]:
    """The lines that are others in cases, as they will be, with or without those asked about."""
    lines = set()
    for path, edits in renaming.edits.items():
        if "cases" in path.parts:
            unsure = renaming.unsure.get(path, set())
            after = apply_edits(desk.text(path), edits - unsure if sure else unsure)
            lines |= set(after.split("\n")) - set(desk.text(path).split("\n"))
    return {line.strip() for line in lines}


def test_a_piece_that_is_called_as_its_sort_keeps_its_name(skirmish: Desk) -> None:
    with skirmish.searching():
        renaming = renamed(skirmish, "skirmish", "Sort.scout", "ranger")
        assert in_cases(skirmish, renaming) == {
            "position: {pieces: {Piece: [{side: blue, sort: ranger, hex: D2, name: scout}]}}",
            "expect: {fields: {scout.steps: 1, scout.sort: ranger}}",
        }
        assert not renaming.unsure


def test_a_procedure_and_a_scope_of_one_name(skirmish: Desk) -> None:
    with skirmish.searching():
        assert in_cases(skirmish, renamed(skirmish, "skirmish", "scope turn", "round_of")) == set()
        assert in_cases(skirmish, renamed(skirmish, "skirmish", "do turn", "side_turn")) == {
            "run: side_turn(blue)"
        }


def test_what_cannot_be_tried_is_asked_about(skirmish: Desk) -> None:
    with skirmish.searching():
        renaming = renamed(skirmish, "skirmish", "Side.blue", "azure")
        assert "run: turn(azure)" in in_cases(skirmish, renaming)
        assert in_cases(skirmish, renaming, sure=False) == {
            "balance: 0.3..0.8, games 10, bots greedy, of azure"
        }


#: Names of No Retreat! under which several things are declared, and in how many places cases of
#: these files mean them.
AMBIGUOUS = {
    "board front": 0,
    "Face.front": 11,
    "rule may_attack.disorganized": 0,
    "Unit.disorganized": 13,
    "Box.turn_track": 18,
}


@pytest.mark.long
def test_ambiguous_names_of_a_game_are_renamed_and_its_cases_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of(tmp_path, "no_retreat", monkeypatch)
    cases = tmp_path / "tests/cases/no_retreat/organization.yaml"
    shutil.copy(ROOT / "tests/cases/no_retreat/organization.yaml", cases)
    found = {}
    with desk.searching():
        for meaning in AMBIGUOUS:
            old = re.split(r"[ .]", meaning)[-1]
            renaming = renamed(desk, "no_retreat", meaning, f"other_{old}")
            found[meaning] = len(renaming.edits.get(cases, ()))
            assert not renaming.unsure, meaning
            for path, edits in renaming.edits.items():
                path.write_text(apply_edits(desk.text(path), edits), encoding="utf-8")
            desk.forget_disk()
            ruleset = desk.ruleset(places.rulesets()["no_retreat"])
            outcomes = list(run_files([cases], bench=Workbench({"no_retreat": ruleset})))
            failed = [one for one in outcomes if not (isinstance(one, Outcome) and one.ok)]
            assert not failed, meaning
    assert found == AMBIGUOUS
