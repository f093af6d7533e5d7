"""Bots and matches between them."""

from __future__ import annotations

from random import Random

import pytest
from skirmish_game import load_game, position

from runtime.bots import BOTS, Bot, GreedyBot, RandomBot, make_bot
from runtime.intervals import wilson
from runtime.match import MatchError, Series, Source, play_match, run_series, seating
from runtime.record import replay
from runtime.view import view

PROGRAM, SETUP = load_game()
SOURCE = Source("skirmish_game:load_game")


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_choose_what_is_offered(name: str) -> None:
    bot = make_bot(name, PROGRAM)
    for seed in range(6):
        state = position(seed, 7 * seed).state
        assert bot.choose(view(state, state.chooser), state.options, Random(seed)) in state.options


def test_an_unknown_bot_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="bots: greedy, random"):
        make_bot("wise", PROGRAM)
    with pytest.raises(ValueError, match="no bot 'wise'"):
        run_series((PROGRAM, SETUP), ["random", "wise"], 1)


def test_looking_ahead_needs_a_view() -> None:
    with pytest.raises(ValueError, match="needs its view"):
        GreedyBot(PROGRAM).choose(None, [0, 1], Random(1))


def test_looking_ahead_beats_chance() -> None:
    series = run_series((PROGRAM, SETUP), ["greedy", "random"], 40, seed=5, swap=True)
    greedy, random = series.wins_by_bot()
    assert greedy >= 26
    assert random <= 10


def test_a_match_is_a_function_of_its_seed() -> None:
    bots: list[Bot] = [GreedyBot(PROGRAM, budget=40), RandomBot(PROGRAM)]
    one = play_match(PROGRAM, SETUP, bots, 4, record=True, names=["greedy", "random"])
    two = play_match(PROGRAM, SETUP, bots, 4)
    assert (one.ranks, one.decisions, one.turns) == (two.ranks, two.decisions, two.turns)
    assert one.record is not None
    assert one.record.players == (("blue", "greedy"), ("red", "random"))
    assert len(one.record.actions) == one.decisions
    assert replay(PROGRAM, SETUP, one.record).over


def test_a_match_ends_or_says_so() -> None:
    bots: list[Bot] = [RandomBot(PROGRAM), RandomBot(PROGRAM)]
    with pytest.raises(MatchError, match="not over after 5"):
        play_match(PROGRAM, SETUP, bots, 1, limit=5)
    with pytest.raises(MatchError, match="1 bots for 2 sides"):
        play_match(PROGRAM, SETUP, bots[:1], 1)


def outcomes(series: Series) -> list[tuple[int, tuple[int, ...], int, int, int]]:
    """What happened in a series, without times."""
    return [(r.number, r.seats, r.result.seed, r.result.ranks, r.result.decisions) for r in series.rows]


def test_processes_change_nothing_but_the_time() -> None:
    told: list[tuple[int, int]] = []
    alone = run_series(SOURCE, ["random", "random"], 30, seed=9)
    shared = run_series(
        SOURCE, ["random", "random"], 30, seed=9, jobs=2, progress=lambda done, of: told.append((done, of))
    )
    assert outcomes(alone) == outcomes(shared)
    assert told[-1] == (30, 30)


def test_with_swap_bots_change_places_under_the_same_chance() -> None:
    series = run_series((PROGRAM, SETUP), ["random", "random"], 6, seed=20, swap=True)
    assert [row.seats for row in series.rows] == [(0, 1), (1, 0)] * 3
    assert [row.result.seed for row in series.rows] == [20, 20, 21, 21, 22, 22]
    assert seating(4, 3, True) == (1, 2, 0)


def test_a_series_adds_up() -> None:
    series = run_series((PROGRAM, SETUP), ["random", "random"], 20, seed=1, swap=True, record=True)
    data = series.to_data()
    assert (
        sum(series.wins_by_bot()) + series.ties
        == sum(series.wins_by_side()) + series.ties
        == data["games"]
        == 20
    )
    assert data["decisions"]["low"] <= data["decisions"]["mean"] <= data["decisions"]["high"]
    assert all(row.result.record is not None for row in series.rows)
    summary = series.summary()
    assert "20 games" in summary
    assert "side blue" in summary
    assert Series(("a",), ("x",)).to_data()["games"] == 0


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_median_of_an_even_number() -> None:
    from runtime.match import _spread

    assert _spread([1, 2, 10, 20])["median"] == 6
    assert _spread([1, 2, 10])["median"] == 2
