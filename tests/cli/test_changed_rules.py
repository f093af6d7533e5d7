"""What becomes of a recorded game when its rules change."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

from grognard.files import data_folder
from grognard.kept_rules import KeptRules
from grognard.records import key_path, read_record

Run = Callable[..., Ran]


@pytest.fixture
def game(run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game 'first' under way, of eight decisions; its ruleset."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 8))
    assert run("play", "first", "--seed", "3").code == 0
    return desk / "rulesets/tiny/ruleset.grog"


def change(rules: Path, old: str, new: str) -> None:
    text = rules.read_text(encoding="utf-8")
    assert old in text
    rules.write_text(text.replace(old, new), encoding="utf-8")


def decisions(run: Run) -> str:
    return run("list").out.split("Games under way")[1]


def test_nothing_has_changed(run: Run, game: Path) -> None:
    done = run("upgrade", "first", "--write")
    assert done.code == 0 and "as they were when it began" in done.out
    assert run("upgrade", "firs").code == 2


def test_what_is_added_changes_no_state(run: Run, game: Path) -> None:
    before = run("replay", "first").out
    change(game, "measure Hexes, Dice", "measure Hexes, Dice\nfunction one(): int = 1")
    told = run("upgrade", "first")
    assert told.code == 0 and "every state that the record tells of is as it was" in told.out
    assert "all decisions hold" in told.out
    assert "goes on with the rules of now" in run("upgrade", "first", "--write").out
    assert "as they were when it began" in run("upgrade", "first").out
    assert run("replay", "first").out == before and "8 decisions" in decisions(run)
    (put_by,) = (data_folder() / "games").glob("*-before.record")
    assert len(read_record(put_by).actions) == 8
    assert run("replay", str(put_by), "--verify").code == 0  # with the rules that were kept


def test_other_values_are_told(run: Run, game: Path) -> None:
    change(game, "| infantry | 3 |", "| infantry | 4 |")
    told = run("upgrade", "first")
    assert told.code == 0 and "the states are other ones from the start on" in told.out
    assert "Unit B.infantry1 strength: 3, now 4" in told.out and "all decisions hold" in told.out


def test_what_is_gone_and_what_is_new(run: Run, game: Path) -> None:
    change(game, "strength", "steps")
    told = run("upgrade", "first").out
    assert "gone: field Unit.strength\n" in told and "new: field Unit.steps\n" in told
    assert "every state that the record tells of is as it was" in told
    change(game, "| infantry | 3 |", "| infantry | 4 |")
    assert "Unit B.infantry1 strength: 3, now none" in run("upgrade", "first").out


def test_a_decision_that_is_not_possible_any_more(run: Run, game: Path) -> None:
    change(game, "rule printed = u.type.move", "rule printed = 0")
    told = run("upgrade", "first", "--write")
    assert told.code == 1 and "remedy: " in told.err
    assert (
        "decision 1, of blue, is not possible any more: the game is over before 'move" in told.err
    )
    assert run("replay", "first", "--verify").code == 0  # it has stayed as it was


def test_rules_that_were_not_kept(run: Run, game: Path) -> None:
    for path in KeptRules().folder.rglob("*.yaml"):
        path.unlink()
    change(game, "| infantry | 3 |", "| infantry | 4 |")
    told = run("upgrade", "first").out
    assert "were not kept" in told and "the states are other ones from the start on" in told


def test_a_record(run: Run, desk: Path) -> None:
    assert run("bots", "first", "--games", "1", "--seed", "3", "--records", ".").code == 0
    rules = desk / "rulesets/tiny/ruleset.grog"
    change(rules, "measure Hexes, Dice", "measure Hexes, Dice\nfunction one(): int = 1")
    assert run("replay", "first-1.record", "--verify").code == 1
    assert run("upgrade", "first-1.record", "--write").code == 0
    assert run("replay", "first-1.record", "--verify").code == 0
    change(rules, "rule printed = u.type.move", "rule printed = 0")
    done = run("upgrade", "first-1.record")
    assert done.code == 1 and "remedy: keep those rules" in done.err


def test_a_game_with_a_file_of_its_own(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5))
    assert run("play", "first", "--seed", "3", "--record", "g.record").code == 0
    change(game, "| infantry | 3 |", "| infantry | 4 |")
    assert run("upgrade", "g.record", "--write").code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 2))
    assert run("play", "--resume", "g.record").code == 0
    assert len(read_record(Path("g.record")).actions) == 7


def test_a_scenario_that_has_changed_or_is_gone(run: Run, desk: Path, game: Path) -> None:
    scenario = desk / "scenarios/tiny/first.yaml"
    change(scenario, "A7", "A8")
    assert "the states are other ones from the start on" in run("upgrade", "first").out
    scenario.rename(scenario.with_name("second.yaml"))
    assert "the states are other ones from the start on" in run("upgrade", "first").out
    change(scenario.with_name("second.yaml"), "First skirmish", "Another")
    done = run("upgrade", "first")
    assert done.code == 2 and "name it with --scenario" in done.err
    assert run("upgrade", "first", "--scenario", "second").code in (0, 1)
    assert (
        "give a scenario of the record's ruleset"
        in run("upgrade", "first", "--scenario", "akragas").err
    )


def test_a_sealed_record(run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing hidden is told, and it is sealed again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 30))
    assert run("play", "akragas", "--seed", "1", "--record", "g.record").code == 0
    told = run("upgrade", "g.record")
    assert told.code == 0 and "as they were when it began" in told.out
    text = (desk / "g.record").read_text(encoding="utf-8")
    (desk / "g.record").write_text(re.sub("(?m)^(ruleset: .* )....", r"\g<1>0000", text), "utf-8")
    (desk / "h.record").write_bytes((desk / "g.record").read_bytes())
    key_path(desk / "h.record").write_bytes(key_path(desk / "g.record").read_bytes())
    told = run("upgrade", "h.record", "--write")
    assert told.code == 0 and "every state that the record tells of is as it was" in told.out
    assert (desk / "h.record").read_text(encoding="utf-8") == text
    forged = re.sub("(?m)^(top|bottom): .*", r"\1: play ambush", text, count=1)
    forged = re.sub("(?m)^(ruleset: .* )....", r"\g<1>0000", forged)
    (desk / "h.record").write_text(forged, encoding="utf-8")
    done = run("upgrade", "h.record")
    assert done.code == 1 and "is not possible any more\n" in done.err and "ambush" not in done.all
    key_path(desk / "h.record").unlink()
    done = run("upgrade", "h.record")
    assert done.code == 2 and "sealed" in done.err
