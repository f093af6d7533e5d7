"""Bots of one's own: in a loop, in series, from the command line; and what they do wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import grognard
from grognard import Option, View
from grognard.bots.players import LEVELS, Bot, GreedyBot, RandomBot, find_bot
from grognard.fronts.cli.main import main
from runtime.runs.seats import BOTS

ROOT = Path(__file__).resolve().parent.parent.parent


class Charger:
    """Attacks when it can."""

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        return rng.choice(
            [o for o in options if o.branch in ("battle", "attack", "close_combat")] or options
        )


class Texts:
    def choose(self, view: View, options: Sequence[Option], rng: Random) -> str:
        assert view.options == tuple(options) and view.side == view.decides
        return options[-1].text


class Numbers:
    def choose(self, view: View, options: Sequence[Option], rng: Random) -> int:
        return rng.randrange(len(options))


class Rubbish:
    answer: object = None

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> object:
        return self.answer


class Breaks:
    def choose(self, view: View, options: Sequence[Option], rng: Random) -> int:
        return self.helper([])

    def helper(self, empty: list[int]) -> int:
        return empty[3]


def test_bots_fit_the_protocol() -> None:
    for bot in (RandomBot(), GreedyBot(), Charger(), Texts(), Numbers()):
        assert isinstance(bot, Bot)


def test_a_loop_of_ones_own() -> None:
    game = grognard.load("akragas", seed=7)
    bots: dict[str, Bot] = {"top": find_bot("random"), "bottom": Charger()}
    rng = Random(1)
    while game.side is not None:
        game.play(bots[game.side].choose(game.view(game.side), game.options, rng))
    assert game.over and game.result is not None


def test_a_series_is_data() -> None:
    series = grognard.play_series(
        "akragas", [Charger, "random"], games=4, seed=3, swap=True, records=True
    )
    assert len(series.games) == 4
    assert sum(series.wins.values()) == sum(series.wins_by_side.values()) == 4 - series.ties
    assert set(series.wins) == {"Charger", "random"}
    assert (
        series.games[0].bots == {"top": "Charger", "bottom": "random"}
        and series.games[1].bots["top"] == "random"
    )
    assert series.games[0].seed == series.games[1].seed
    assert all("grognard: 2" in game.record for game in series.games)
    json.dumps(series.data)
    assert "4 games" in str(series)
    again = grognard.play_series(
        "akragas",
        {"bottom": "random", "top": Charger},
        games=4,
        seed=3,
        swap=True,
        jobs=2,
        records=True,
    )
    assert [g.record for g in again.games] == [g.record for g in series.games]


def test_built_in_bots_are_the_same_by_name_and_as_objects() -> None:
    named = grognard.play_series("akragas", ["random", "greedy"], games=1, seed=2, records=True)
    made = grognard.play_series("akragas", [RandomBot, GreedyBot()], games=1, seed=2, records=True)
    assert made.games[0].record == named.games[0].record
    assert made.games[0].bots == {"top": "random", "bottom": "greedy"}


@pytest.mark.parametrize("bot", [Texts, Numbers])
def test_texts_and_indexes_are_answers(bot: type[Bot]) -> None:
    series = grognard.play_series("akragas", [bot, "random"], games=1)
    assert series.games[0].decisions > 10


@pytest.mark.parametrize("answer", [None, "fly", -1, 10_000, 1.5, True, [], object(), "x" * 500])
def test_rubbish_is_refused_by_name(answer: object) -> None:
    bot = Rubbish()
    bot.answer = answer
    with pytest.raises(grognard.BotError, match="'Rubbish', which plays top, returned") as caught:
        grognard.play_series("akragas", [bot, "random"], games=1)  # type: ignore[list-item]
    assert (
        caught.value.bot == "Rubbish"
        and caught.value.side == "top"
        and len(str(caught.value)) < 900
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_is_told_with_its_own_traceback(jobs: int) -> None:
    with pytest.raises(grognard.BotError, match="IndexError: list index out of range") as caught:
        grognard.play_series("akragas", ["random", Breaks], games=2, jobs=jobs)
    assert caught.value.bot == "Breaks" and caught.value.side == "bottom"
    assert (
        "in helper" in caught.value.trace
        and "runtime/runs/series.py" not in caught.value.trace
        and "grognard/bots" not in caught.value.trace
    )


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (["random"], "1 bot for 2 sides"),
        ("random", "a list"),
        (["wise", "random"], "there is no bot 'wise'"),
        (["rendom", "random"], "did you mean 'random'"),
        (["no.such:Bot", "random"], "no module 'no'"),
        (["json:Bot", "random"], "has no 'Bot'"),
        ([":", "random"], "names no bot"),
        ([3, "random"], "no bot"),
        ({"north": "random"}, "no side"),
        ({"top": "random"}, "no bot for bottom"),
    ],
)
def test_bots_that_are_none(bots: object, said: str) -> None:
    with pytest.raises(grognard.ArgumentError, match=said):
        grognard.play_series("akragas", bots, games=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"games": "3"}, {"jobs": -1}, {"seed": "x"}, {"games": True}]
)
def test_arguments_of_series(wrong: dict[str, object]) -> None:
    with pytest.raises(grognard.ArgumentError):
        grognard.play_series("akragas", ["random", "random"], **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"budget": "x"}, {"depth": 0}, {"depth": None}])
def test_arguments_of_the_greedy_bot(wrong: dict[str, Any]) -> None:
    with pytest.raises(grognard.ArgumentError, match="is a whole number of at least 1"):
        grognard.bots.GreedyBot(**wrong)


# --------------------------------------------------------------------------- the command line

MODULE = """
class Last:
    def choose(self, view, options, rng):
        return options[-1]

class Broken:
    def choose(self, view, options, rng):
        return 1 / 0

class Unmade:
    def __init__(self):
        raise RuntimeError("no weights")

class Rubbish:
    def choose(self, view, options, rng):
        return "nonsense"

class Empty:
    def choose(self, view, options, rng):
        raise StopIteration

class Later:
    async def choose(self, view, options, rng):
        return 0

class Talks:
    print("my bots say hello")
    def __init__(self):
        print("made")
    def choose(self, view, options, rng):
        print("thinking", end=" ")
        return 0
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "my_bots_here.py").write_text(MODULE)
    (tmp_path / "torn_here.py").write_text("class Last:\n  def (:\n")
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    yield tmp_path
    for name in ("my_bots_here", "torn_here"):
        sys.modules.pop(name, None)


def test_a_bot_of_ones_own_by_name(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["bots", "akragas", "--games", "2", "--bots", "my_bots_here:Last,random", "--json"])
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 2 and data["bots"][0]["name"] == "my_bots_here:Last"


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("my_bots_here:Broken", 4, "ZeroDivisionError"),
        ("my_bots_here:Unmade", 4, "no weights"),
        ("my_bots_here:Rubbish", 4, "returned 'nonsense'"),
        ("my_bots_here:Empty", 4, "failed: StopIteration\n"),
        ("my_bots_here:Later", 4, "not with 'async def'"),
        ("torn_here:Last", 4, "SyntaxError"),
        ("my_bots_here.py:Last", 2, "name the module, not its file: my_bots_here:Last"),
        ("my_bots_here:Lasst", 2, "did you mean 'Last'"),
        ("my_bots:Last", 2, "there is no module 'my_bots'"),
        ("lasst", 2, "package.module:Class"),
    ],
)
def test_bots_that_fail_have_exit_codes(
    desk: Path, capsys: pytest.CaptureFixture[str], name: str, code: int, said: str
) -> None:
    assert main(["bots", "akragas", "--games", "1", "--bots", f"random,{name}"]) == code
    told = capsys.readouterr().err
    assert said in told and "runtime/runs/series.py" not in told and "internal error" not in told
    assert (
        main(["play", "akragas", "--bot", f"top={name}", "--bot", "bottom=random", "--seed", "1"])
        == code
    )
    assert said in capsys.readouterr().err
    assert not list(
        (desk / "data" / "faults").glob("fault-*")
    )  # the record of the game that was broken off may stand there


@pytest.mark.parametrize(("jobs", "games"), [(1, 2), (2, 2), (2, 10)])
def test_what_a_bot_prints_is_no_result(
    desk: Path, capfd: pytest.CaptureFixture[str], jobs: int, games: int
) -> None:
    asked = ["bots", "akragas", "--games", games, "--bots", "my_bots_here:Talks,random", "--json"]
    assert main([*map(str, asked), "--jobs", str(jobs)]) == 0
    told = capfd.readouterr()
    assert json.loads(told.out)["games"] == games
    assert "hello" in told.err and "made" in told.err and "thinking" in told.err


def test_levels_are_told() -> None:
    told = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    assert list(LEVELS) == list(BOTS)
    assert "\n".join(f"| `{name}` | {line} |" for name, line in LEVELS.items()) in told


def test_built_in_bots_say_how_they_were_made() -> None:
    assert (
        repr(GreedyBot(20)) == "GreedyBot(budget=20, depth=12)"
        and repr(RandomBot()) == "RandomBot()"
    )


def test_bots_are_found_from_a_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(grognard.ArgumentError, match="there is no module 'nowhere_at_all'"):
        find_bot("nowhere_at_all:Bot")
    with pytest.raises(grognard.LoadError, match=r"the current folder .*No such file"):
        grognard.load("akragas")


def test_several_processes(desk: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    call = [
        sys.executable,
        "-m",
        "grognard",
        "bots",
        "akragas",
        "--games",
        "4",
        "--jobs",
        "2",
        "--bots",
    ]
    done = subprocess.run(
        [*call, "my_bots_here:Last,random"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [*call, "my_bots_here:Broken,random"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4 and "in choose" in done.stderr and "concurrent" not in done.stderr
