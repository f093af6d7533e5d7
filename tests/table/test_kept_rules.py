"""A game under way goes on with the rules that it began with."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grognard.fronts.cli.main import main
from grognard.kept_rules import KeptRules
from grognard.opening import open_scenario
from grognard.table.opened import OpenedGame
from grognard.table.store import PlayedElsewhere, Store
from runtime.errors import GrognardError


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    assert main(["new", "tiny"]) == 0
    return tmp_path


@pytest.fixture
def store(desk: Path):
    with Store() as made:
        yield made


def begun(store: Store) -> OpenedGame:
    opened = OpenedGame.start_new(open_scenario("tiny/first"), 7)
    kept = opened.keep(store, {})
    for _ in range(3):
        opened.game.play(0)
        kept.keep(opened.game)
    return opened


def again(store: Store) -> OpenedGame:
    (kept,) = store.games()
    return OpenedGame.resume_record(store.recorded(kept), kept, None, None)


def other_rules(desk: Path, name: str = "one_more") -> None:
    with next((desk / "rulesets/tiny").glob("*.grog")).open("a", encoding="utf-8") as rules:
        rules.write(f"\nfunction {name}(): int = 1\n")


def test_rules_that_change(desk: Path, store: Store) -> None:
    before = begun(store)
    other_rules(desk)
    after = again(store)
    assert open_scenario("tiny/first").program.spec.hash != before.scenario.program.spec.hash
    assert after.scenario.program.spec.hash == before.scenario.program.spec.hash
    assert after.game.state.hash() == before.game.state.hash()
    kept = after.keep(store, {})
    after.game.play(0)
    kept.keep(after.game)
    assert len(store.record(after.name).actions) == 4


def test_other_commands_read_such_a_game(
    desk: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    begun(store)
    other_rules(desk)
    capsys.readouterr()
    assert main(["replay", "first", "--verify"]) == 0, capsys.readouterr()


def test_rules_with_errors_and_a_scenario_that_is_gone(desk: Path, store: Store) -> None:
    before = begun(store)
    next((desk / "rulesets/tiny").glob("*.grog")).write_text("ruleset tiny\nnonsense", "utf-8")
    assert again(store).game.state.hash() == before.game.state.hash()
    next((desk / "scenarios/tiny").glob("first.yaml")).unlink()
    assert again(store).game.state.hash() == before.game.state.hash()


def test_without_what_was_kept_it_is_told(desk: Path, store: Store) -> None:
    begun(store)
    for path in (desk / "data/rules").rglob("*.yaml"):
        path.unlink()
    assert again(store).game.length
    other_rules(desk)
    with pytest.raises(GrognardError, match="rules"):
        again(store)


def test_rules_that_no_game_has_are_forgotten_in_time(desk: Path, store: Store) -> None:
    old = begun(store)
    (kept,) = store.games()
    other_rules(desk)
    begun(store)
    places = {path.name for path in KeptRules().folder.iterdir()}
    assert old.scenario.program.spec.hash in places and len(places) == 2
    store.forget(kept.name)
    other_rules(desk, "another")
    begun(store)
    assert len(list(KeptRules().folder.iterdir())) == 3  # a game may be about to begin with them
    past = time.time() - 2 * 24 * 3600
    for path in KeptRules().folder.iterdir():
        os.utime(path, (past, past))
    begun(store)
    left = {path.name for path in KeptRules().folder.iterdir()}
    assert old.scenario.program.spec.hash not in left and len(left) == 2


def test_a_game_that_is_carried_over_under_a_table(desk: Path, store: Store) -> None:
    """Who has it open is told, and reads it anew."""
    before = begun(store)
    open_there = again(store).keep(store, {})
    other_rules(desk)
    assert main(["upgrade", "first", "--write"]) == 0
    open_there.game.play(0)
    with pytest.raises(PlayedElsewhere):
        open_there.keep(open_there.game)
    after = again(store)
    assert after.scenario.program.spec.hash == open_scenario("tiny/first").program.spec.hash
    assert after.game.state.hash() == before.game.state.hash()
    (kept,) = store.games()
    with pytest.raises(PlayedElsewhere):
        store.carry_over(replace(store.recorded(kept), name="gone"), after.game, kept.scenario)
