"""Bots and matches between them."""

from __future__ import annotations

from random import Random

import pytest
from skirmish_game import load_game, position

from runtime.errors import ArgumentError, RulesError
from runtime.games.replay import replay
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.runs.intervals import wilson
from runtime.runs.seats import BOTS, Seat, make_bot
from runtime.runs.series import Series, Source, play_match, run_series, seating
from runtime.view import view

PROGRAM, SETUP = load_game()
SOURCE = Source("skirmish_game:load_game")


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_choose_what_is_offered(name: str) -> None:
    bot = make_bot(name)
    for seed in range(3):
        state = position(seed, 7 * seed).state
        seat = Seat(bot, name, PROGRAM, SETUP)
        option = seat.choose(view(state, state.chooser), state.options, Random(seed))
        assert option in state.options


def test_an_unknown_bot_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="bots: greedy, novice, random, regular, veteran"):
        make_bot("wise")
    with pytest.raises(ValueError, match="no bot 'wise'"):
        run_series((PROGRAM, SETUP), ["random", "wise"], 1)


def test_looking_ahead_beats_chance() -> None:
    series = run_series((PROGRAM, SETUP), ["greedy", "random"], 40, seed=5, swap=True)
    greedy, random = series.data["wins"]
    assert greedy >= 26
    assert random <= 10


def test_a_match_is_a_function_of_its_seed() -> None:
    bots: list[Bot] = [GreedyBot(budget=40), RandomBot()]
    one = play_match(PROGRAM, SETUP, bots, 4, record=True, names=["greedy", "random"])
    two = play_match(PROGRAM, SETUP, bots, 4)
    assert (one.ranks, one.decisions, one.turns) == (two.ranks, two.decisions, two.turns)
    assert one.record is not None
    assert one.record.players == (("blue", "greedy"), ("red", "random"))
    assert len(one.record.actions) == one.decisions
    assert replay(PROGRAM, SETUP, one.record).over


def test_a_match_ends_or_says_so() -> None:
    bots: list[Bot] = [RandomBot(), RandomBot()]
    with pytest.raises(RulesError, match="not over after 5"):
        play_match(PROGRAM, SETUP, bots, 1, limit=5)
    with pytest.raises(ArgumentError, match="1 bots for 2 sides"):
        play_match(PROGRAM, SETUP, bots[:1], 1)


def outcomes(series: Series) -> list[tuple[int, tuple[int, ...], int, int, int]]:
    """What happened in a series, without times."""
    return [(r.number, r.seats, r.seed, r.match.ranks, r.decisions) for r in series.games]


def test_processes_change_nothing_but_the_time() -> None:
    told: list[tuple[int, int]] = []
    alone = run_series(SOURCE, ["random", "random"], 30, seed=9)
    shared = run_series(
        SOURCE,
        ["random", "random"],
        30,
        seed=9,
        jobs=2,
        progress=lambda done, of: told.append((done, of)),
    )
    assert outcomes(alone) == outcomes(shared)
    assert told[-1] == (30, 30)


def test_with_swap_bots_change_places_under_the_same_chance() -> None:
    series = run_series((PROGRAM, SETUP), ["random", "random"], 6, seed=20, swap=True)
    assert [row.seats for row in series.games] == [(0, 1), (1, 0)] * 3
    assert [row.seed for row in series.games] == [20, 20, 21, 21, 22, 22]
    assert seating(4, 3, True) == (1, 2, 0)


def test_a_series_adds_up() -> None:
    series = run_series((PROGRAM, SETUP), ["random", "random"], 20, seed=1, swap=True, record=True)
    data = series.data
    assert sum(data["wins"]) == sum(data["wins_by_side"].values()) == 20 - series.ties
    assert data["games"] == 20
    spread = data["decisions_per_game"]
    assert spread["low"] <= spread["mean"] <= spread["high"]
    assert all(row.record for row in series.games)
    assert "20 games" in str(series)
    assert Series(("a",), ("x",)).data["games"] == 0


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_median_of_an_even_number() -> None:
    from runtime.runs.series import _spread

    assert _spread([1, 2, 10, 20])["median"] == 6
    assert _spread([1, 2, 10])["median"] == 2
