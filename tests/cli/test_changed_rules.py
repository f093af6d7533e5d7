"""What becomes of a recorded game when its rules change."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from at_play import GAME, playing, type_in, until
from running import Ran

from grognard.files import data_folder
from grognard.kept_rules import KeptRules
from grognard.places import shipped_root
from grognard.records import key_path, read_record
from grognard.table.store import Store

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


def test_states_are_as_they_were_only_before_what_is_not_possible(run: Run, game: Path) -> None:
    change(game, "    move(u in Unit", "    advance(u in Unit")
    told = run("upgrade", "first")
    assert told.code == 1 and "gone: option action move\n" in told.out
    assert "before decision 1 is as it was" in told.out and "every state that" in told.out


def test_a_game_that_is_over_with_the_rules_of_now(run: Run, game: Path) -> None:
    change(game, "repeat turns_left times", "repeat 4 times")
    told = run("upgrade", "first")
    assert told.code == 0 and "and with the last the game is over: tie" in told.out
    told = run("upgrade", "first", "--write").out
    (path,) = re.findall(r"it is over, and recorded in (.*)", told)
    assert read_record(Path(path)).finished and run("replay", path, "--verify").code == 0
    assert "goes on" not in told and "Games under way" not in run("list").out


def test_a_finished_game_does_not_go_on(run: Run, game: Path) -> None:
    assert run("bots", "first", "--games", "1", "--seed", "3", "--records", ".").code == 0
    change(game, "rule printed = u.type.move", "rule printed = 0")
    told = run("upgrade", "first-1.record")
    assert told.code == 1 and "it is replayed with the rules that it began with" in told.err


def test_what_was_put_by_stays(
    run: Run, desk: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of records of the same name, in the same second."""
    assert run("bots", "first", "--games", "1", "--seed", "3", "--records", ".").code == 0
    monkeypatch.setattr("time.strftime", lambda *_: "now")
    change(game, "measure Hexes, Dice", "measure Hexes, Dice\nfunction one(): int = 1")
    for folder in ("a", "b"):
        (desk / folder).mkdir()
        (desk / folder / "x.record").write_bytes((desk / "first-1.record").read_bytes())
        assert run("upgrade", f"{folder}/x.record", "--write").code == 0
    put_by = list((data_folder() / "games").glob("x-*before.record"))
    assert len(put_by) == 2
    for path in put_by:
        assert path.read_bytes() == (desk / "first-1.record").read_bytes()


def test_a_file_that_cannot_be_written(
    run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on all the same, and that is said."""
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3")
        until(process.stdout, "Where to?")
        process.kill()
    rules = desk / "rulesets/tiny/ruleset.grog"
    change(rules, "measure Hexes, Dice", "measure Hexes, Dice\nfunction one(): int = 1")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("grognard.fronts.cli.games.upgrade.write_record", refuse)
    done = run("upgrade", "g.record", "--write")
    assert done.code == 2 and "g.record cannot be written" in done.err
    assert "it goes on with the rules of now" in done.out and "play --resume first" in done.err
    assert "as they were when it began" in run("upgrade", "first").out


def test_a_game_with_secrets(run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is put by of it is sealed; cards that nobody sees are counted."""
    shutil.copytree(shipped_root() / "rulesets/cc_ancients", desk / "rulesets/cc_ancients")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 30))
    assert run("play", "akragas", "--seed", "1").code == 0
    with Store() as store:
        before = store.record("akragas")
    change(
        desk / "rulesets/cc_ancients/units.grog",
        "infantry    | 4 | 2 | 1 |",
        "infantry | 3 | 2 | 1 |",
    )
    told = run("upgrade", "akragas", "--write")
    assert told.code == 0 and "C.AUX1 blocks: 4, now 3" in told.out
    (put_by,) = (data_folder() / "games").glob("*-before.record")
    assert before.nonce and before.nonce not in put_by.read_text(encoding="utf-8")
    assert read_record(put_by).seed is None and key_path(put_by).stat().st_mode & 0o077 == 0
    assert run("replay", put_by, "--verify").code == 0
    cards = desk / "rulesets/cc_ancients/cards.grog"
    change(cards, "| order_2_left               | 3 |", "| order_2_left               | 2 |")
    told = run("upgrade", "akragas")
    assert re.search(r"stock: \d+ unseen, now \d+ unseen\n", told.out), told.out


def test_a_record_that_never_held(run: Run, desk: Path, game: Path) -> None:
    """It is told, instead of what has come of the change."""
    assert run("bots", "first", "--games", "1", "--seed", "3", "--records", ".").code == 0
    path = desk / "first-1.record"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub("(?m)^# .*", "# 0000000000000000", text, count=2), encoding="utf-8")
    change(game, "measure Hexes, Dice", "measure Hexes, Dice\nfunction one(): int = 1")
    done = run("upgrade", path)
    assert done.code == 2 and "first-1.record" in done.err and "parts from its record" in done.err
    assert "states" not in done.out
