"""Tuning weights by self-play: the same for the same arguments, also after an interruption; what is written."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

from compiler.ruleset import Ruleset
from grognard import opening
from grognard.bots import tuning, written
from grognard.bots.tuning import Plan, Tuner, TuningResult, _value, bot_with, chosen_weights
from grognard.fronts.cli.main import main
from grognard.scenario import Scenario
from runtime.errors import ArgumentError
from runtime.model import WeightSpec

pytest.importorskip("cmaes")
NAMES = ["nearer", "lead", "judgement.reply.worth"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tuning") / "skirmish"
    shutil.copytree(ROOT / "tests/rulesets/skirmish", made)
    return made


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "_LAST", 4)
    monkeypatch.setattr(tuning, "_LOOKS", 2)


@pytest.fixture
def opened(folder: Path) -> Scenario:
    return opening.open_scenario(folder / "meeting.yaml", ruleset=folder)


def tuned(
    opened: Scenario, journal: Path, plan: Plan, said: list[str] | None = None
) -> TuningResult:
    told: list[tuple[int, int]] = []
    say = (said if said is not None else []).append
    tuner = Tuner({"meeting": opened}, NAMES, plan, journal, lambda *n: told.append(n), say)
    found = tuner.run()
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]
    return found


PLAN = Plan(games=2, generations=1, seed=5)


def test_it_is_a_function_of_its_arguments(opened: Scenario, tmp_path: Path) -> None:
    one = tuned(opened, tmp_path / "one", PLAN)
    assert one == tuned(opened, tmp_path / "two", PLAN)
    assert one.weights and set(one.weights) <= set(NAMES)
    assert sum(one.games.values()) == 8
    assert one.interval[0] < one.share < one.interval[1]
    assert one.weights != tuned(opened, tmp_path / "three", Plan(2, 1, seed=6)).weights


@pytest.mark.long
def test_it_goes_on_where_it_was_ended(
    opened: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal"
    whole = tuned(opened, journal, PLAN)
    lines = journal.read_text(encoding="utf-8").splitlines()
    half = len(lines) // 2
    journal.write_text("\n".join([*lines[:half], lines[half][:9]]), encoding="utf-8")
    played: list[Any] = []
    before = Tuner._play_games
    monkeypatch.setattr(
        Tuner, "_play_games", lambda *args: [played.append(args), before(*args)][-1]
    )
    assert tuned(opened, journal, PLAN) == whole
    assert 0 < len(played) < len(lines)
    assert journal.read_text(encoding="utf-8").splitlines() == lines
    played.clear()
    assert tuned(opened, journal, PLAN) == whole
    assert not played
    with pytest.raises(ArgumentError, match="was begun with other figures") as refused:
        tuned(opened, journal, Plan(games=4, generations=1, seed=5))
    assert "--out" in refused.value.remedy


def test_the_search_finds_what_does_best(
    opened: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worth(self: Tuner, weights: dict[str, int], *_: Any) -> float:
        return 1 / (1 + abs(weights.get("lead", 300) - 600) + 9 * abs(weights.get("nearer", 6) - 3))

    monkeypatch.setattr(Tuner, "_worth", worth)
    monkeypatch.setattr(Tuner, "_active", lambda self, few: self._count(8) or self.weights)
    said: list[str] = []
    found = tuned(opened, tmp_path / "journal", Plan(games=2, generations=25, seed=2), said)
    assert abs(found.weights["lead"] - 600) < 10 and found.weights["nearer"] == 3
    assert sum("generation" in line for line in said) == 25


def test_small_weights_move_by_sums_and_large_ones_by_factors() -> None:
    def at(value: int, far: float, bounds: tuple[int, int] | None = None) -> int:
        return _value(WeightSpec("w", value, 0, bounds), far)

    assert all(at(value, 0.0) == value for value in (-500, -3, 0, 1, 7, 120))
    assert at(120, 0.3) == 162 and at(-120, 0.3) == -89
    assert at(0, 1.0) == 1 and at(1, -2.0) == -1
    assert at(120, 2.0, (0, 200)) == 200


def test_what_is_meant(folder: Path) -> None:
    ruleset = Ruleset(folder)
    names = written.tunable(ruleset)
    assert names == ["beside", "nearer", "lead", "judgement.strike.worth", "judgement.reply.worth"]
    assert chosen_weights(ruleset.spec, names, ["judgement.*", "lead"]) == [*names[2:]]
    with pytest.raises(ArgumentError, match="no such weight") as refused:
        chosen_weights(ruleset.spec, names, ["leed"])
    assert "lead" in refused.value.remedy
    with pytest.raises(ArgumentError, match="no bot that values"):
        bot_with("random", {})


def test_sources_keep_layout_and_comments(folder: Path) -> None:
    ruleset = Ruleset(folder)
    weights = {"lead": 9, "nearer": -5, "judgement.reply.worth": 123}
    texts = written.files_with_weights(ruleset, weights)
    (text,) = texts.values()
    before = (folder / "skirmish.grog").read_text(encoding="utf-8")
    assert "| reply  | 123 | # as much" in text
    assert "weight nearer = -5 in 0 .. 50" in text
    plain = re.sub(r"= 9\b", "= 300", text).replace("123", "0").replace("= -5", "= 6")
    assert plain == before
    told = [line.rpartition(":") for line in written.changes(ruleset, weights)]
    assert [change for *_, change in told] == [
        " nearer 6 → -5",
        " lead 300 → 9",
        " judgement.reply.worth 0 → 123",
    ]
    for place, _, _ in told:
        file, _, number = place.rpartition(":")
        line = Path(file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        assert re.search("weight (nearer = 6|lead = 300)|reply +. +0", line)


def test_a_weight_of_a_base_is_replaced_in_the_ruleset() -> None:
    ruleset = Ruleset(ROOT / "rulesets/cc_ancients")
    value = ruleset.spec.weights["danger_to_last"].value + 7
    names = written.tunable(ruleset)
    assert "danger_to_last" in names and "judgement.HI.worth" in names
    greek = written.tunable(Ruleset(ROOT / "rulesets/cc_ancients_greece"))
    assert "judgement.HI.worth" not in greek
    texts = written.files_with_weights(
        ruleset, {"danger_to_last": value, "judgement.HI.worth": 1234}
    )
    (file,) = texts
    overlay = Ruleset(ROOT / "rulesets/cc_ancients", overlay=dict(texts))
    assert file == "cc_ancients/evaluation.grog" and overlay.ok
    assert overlay.spec.weights["danger_to_last"].value == value
    assert overlay.spec.weights["judgement.HI.worth"].value == 1234


# ---------------------------------------------------------------------- the command


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["tune", *arguments])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ruleset that is easily tuned."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GROGNARD_NATIVE", "no")
    shutil.copytree(ROOT / "tests/rulesets/skirmish", tmp_path / "rulesets/skirmish")
    (tmp_path / "scenarios/skirmish").mkdir(parents=True)
    shutil.move(tmp_path / "rulesets/skirmish/meeting.yaml", "scenarios/skirmish/meeting.yaml")
    file = tmp_path / "rulesets/skirmish/skirmish.grog"
    text = file.read_text(encoding="utf-8").replace("lead = 300", "lead = 300 # odd")
    file.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_command_writes_what_is_better(
    desk: Path, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = desk / "rulesets/skirmish/skirmish.grog"
    before = file.read_text(encoding="utf-8")
    few = ("skirmish/meeting", "--games", "2", "--generations", "1", "--only", "lead", "nearer")
    code, out, err = run(*few, "--write", "--out", "log.jsonl")
    assert code == 1 and "not surely better" in err and file.read_text(encoding="utf-8") == before
    assert json.loads((desk / "log.jsonl").read_text(encoding="utf-8").splitlines()[0])
    better = TuningResult({"lead": 41}, {"meeting": 60.5}, {"meeting": 100}, 1)
    monkeypatch.setattr(Tuner, "run", lambda self: better)
    code, out, err = run("meeting", "--only", "lead")
    assert code == 0 and "60.5 of 100 games won, 60.5%  (95%: 50.7% to 69.5%)" in out
    assert "1 of 1 weights differ" in out
    assert re.search(r"\n  rulesets/skirmish/skirmish.grog:\d+: lead 300 → 41\n", out)
    assert file.read_text(encoding="utf-8") == before
    code, again, _ = run("meeting", "--only", "lead", "--write")
    assert code == 0 and again.startswith(out.rstrip())
    after = file.read_text(encoding="utf-8")
    assert after == before.replace("weight lead = 300 # odd", "weight lead = 41 # odd")


def test_without_a_file_the_journal_is_kept_in_the_cache(
    desk: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    few = ("--games", "2", "--generations", "1", "--only", "lead", "nearer")
    code, _, err = run("meeting", *few)
    assert code in (0, 1), err
    (journal,) = (desk / "cache/tuning").iterdir()
    assert str(journal) in err and journal.stat().st_size


def test_what_cannot_be_is_refused(desk: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    for arguments, said in {
        ("nowhere",): "there is no scenario",
        ("meeting", "--bot", "random"): "no bot that values",
        ("meeting", "--only", "leed"): "did you mean 'lead'",
        ("meeting", "--games", "0"): "--games 0",
        ("meeting", "akragas"): "several rulesets",
        ("meeting", "--out", "rulesets"): "is a folder",
    }.items():
        code, _, err = run(*arguments)
        assert code == 2 and said in err and "remedy" in err, err
