"""Rules that fail while they are played: the library tells it as its own error, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import grognard
from grognard.bots.players import GreedyBot
from grognard.fronts.cli.main import main

#: A product that is too large.
TOO_MUCH = " * ".join(["turns_left"] * 12)


class Looks:
    """Looks ahead before it chooses."""

    def choose(self, view: grognard.View, options: Any, rng: Random) -> int:
        view.sample(rng).scores  # noqa: B018
        return 0


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources of a ruleset of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    assert main(["new", "hills"]) == 0
    return tmp_path / "rulesets/hills/ruleset.grog"


def test_rules_that_fail_are_told_as_such(rules: Path) -> None:
    more = "".join(
        f"\nquantity {name}(s: Side): int\nrule all for {name} = {TOO_MUCH}\n"
        for name in ("score", "standing")
    )
    rules.write_text(rules.read_text() + more)
    game = grognard.load("hills/first", seed=1)
    assert game.side is not None
    view = game.view(game.side)

    def ended() -> object:
        while not game.over:
            game.play(0)
        return game.result

    asked: list[Callable[[], object]] = [
        lambda: game.scores,
        lambda: game.value("score", "blue"),
        lambda: view.scores,
        lambda: GreedyBot().choose(view, view.options, Random(1)),
        lambda: grognard.play_series("hills/first", ["random", "random"], games=1),
        lambda: grognard.play_series("hills/first", [GreedyBot, "random"], games=1),
        lambda: grognard.play_series("hills/first", [Looks, "random"], games=2, jobs=2),
        ended,
    ]
    assert "a product is larger than" in str(game.explain("score", "blue"))
    for ask in asked:
        with pytest.raises(
            grognard.RulesError, match=r"a product is larger than .*correct the ruleset: hills"
        ):
            ask()


def test_travels_that_fail(rules: Path) -> None:
    travel = f"\ntravel far(h: Hex) from h within {TOO_MUCH} {{ step a to b when true }}\n"
    rules.write_text(rules.read_text() + travel)
    game = grognard.load("hills/first", seed=1)
    where = game.board.hexes[0]
    assert "a product is larger than" in str(game.explain("far", where))
    with pytest.raises(grognard.RulesError, match="a product is larger than"):
        game.value("far", where)


def test_coverage_of_rules_that_fail(rules: Path) -> None:
    rules.write_text(rules.read_text().replace("do turn(active)", "do play()"))
    with pytest.raises(grognard.RulesError, match="procedures call each other endlessly"):
        grognard.cover("hills", games=1)


def test_coverage_of_games_that_do_not_end(rules: Path) -> None:
    """They are left after as many decisions as the ruleset states."""
    endless = rules.read_text().replace("repeat turns_left times", "repeat 200000 times")
    endless = endless.replace("<= 1 {", "< 0 {")
    rules.write_text(f"{endless}\nfunction decision_limit(): int = 40\n")
    found = grognard.cover("hills", games=2)
    assert found.games == 2 and found.own.count("reached") > 3


def test_the_seed_of_a_game_whose_rules_fail(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that of the view in which they failed, which has none."""
    rules.write_text(
        rules.read_text() + f"\nquantity score(s: Side): int\nrule all for score = {TOO_MUCH}\n"
    )
    assert main(["play", "hills/first", "--seed", "77", "--bot", "red=random"]) == 1
    told = capsys.readouterr().err
    assert "the rules themselves fail" in told and "the game's seed is 77\n" in told


def test_a_script_that_does_not_fit_is_not_the_fault_of_the_rules() -> None:
    pieces = {"Unit": [{"side": "bottom", "type": "HI", "hex": "E5", "name": "hi"},
                       {"side": "top", "type": "AUX", "hex": "E6", "name": "foe"}], "Leader": []}  # fmt: skip
    with pytest.raises(grognard.RulesError, match="5 are rolled") as told:
        grognard.set_up(
            "akragas",
            {"pieces": pieces},
            run="attack_unit(hi, foe, E6, attack)",
            dice={"battle": ["light"]},
        )
    assert told.value.remedy == "script what the rules roll and draw"
