"""Four sides: won alone, won jointly, drawn and lost by all, with records, matches and what bots make of it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from compiler.ruleset import Ruleset
from runtime.errors import RecordError
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.program import Program
from runtime.runs import search
from runtime.runs.bots import value_of_end
from runtime.runs.search import SearchBot
from runtime.runs.seats import make_bot
from runtime.runs.series import Series, play_match, run_series
from runtime.scenario import SetUp, load
from runtime.state import LOST, RUNNING, TIED, WON
from runtime.view import view

FOLDER = Path(__file__).resolve().parents[1] / "rulesets" / "spaces"
SIDES = ("reed", "heron", "otter", "pike")


@cache
def game() -> tuple[Program, SetUp]:
    compilation = Ruleset(FOLDER)
    assert compilation.ok and not compilation.diagnostics
    program = compilation.compiled
    setup, findings = load(FOLDER / "delta.yaml", program.spec)
    assert setup is not None and not findings
    return program, setup


@cache
def series() -> Series:
    return run_series(game(), ["random"] * 4, 160, seed=1, swap=True, record=True)


def test_every_kind_of_end_occurs() -> None:
    ends = Counter((row.match.result, len(row.won)) for row in series().games)
    assert {(WON, 1), (WON, 2), (TIED, 0), (LOST, 0)} <= set(ends)
    for row in series().games:
        ranks = row.match.ranks
        assert len(ranks) == 4
        assert min(ranks) == (2 if row.match.result == LOST else 1)
        assert all(rank == min(ranks) + sum(other < rank for other in ranks) for rank in ranks)


def test_ranks_follow_points_behind_the_winners() -> None:
    for row in series().games:
        points, ranks = row.match.scores, row.match.ranks
        assert points is not None
        if row.match.result == WON:
            behind = [side for side in range(4) if ranks[side] > 1]
            assert all(
                (ranks[a] < ranks[b]) == (points[a] > points[b]) for a in behind for b in behind
            )


def test_what_a_series_counts() -> None:
    data = series().data
    assert (
        data["ties"] + data["lost"] + sum(len(row.won) > 0 for row in series().games)
        == data["games"]
        == 160
    )
    assert data["shared"] == sum(len(row.won) > 1 for row in series().games) > 0
    for one in (*data["bots"], *data["sides"]):
        assert sum(one["ranks"]) == 160
        assert one["wins"] <= one["ranks"][0] <= one["wins"] + data["ties"]


def test_places_rotate() -> None:
    rows = series().games
    assert [row.seats for row in rows[:4]] == [
        (0, 1, 2, 3),
        (1, 2, 3, 0),
        (2, 3, 0, 1),
        (3, 0, 1, 2),
    ]
    assert len({row.match.seed for row in rows[:4]}) == 1 and rows[4].seed == rows[0].seed + 1
    assert rows[1].ranks == {bot: rows[1].match.ranks[rows[1].seats.index(bot)] for bot in range(4)}


@pytest.mark.parametrize("end", [WON, TIED, LOST])
def test_records(end: int) -> None:
    program, setup = game()
    record = next(row.match.record for row in series().games if row.match.result == end)
    assert record is not None
    text = record.write()
    result = next(line for line in text.splitlines() if line.startswith("result: "))
    if end == TIED:
        assert result == "result: tie"
    else:
        assert [part.split("=")[0] for part in result.removeprefix("result: ").split(", ")] == list(
            SIDES
        )
    played = replay(program, setup, Record.parse(text))
    assert played.outcome == record.result and bool(played.winners) == (end == WON)
    if end == WON:
        ranks = record.result.replace("=1", "=2")
        wrong = text.replace(record.result, ranks)
        with pytest.raises(RecordError, match="the game ends here as"):
            replay(program, setup, Record.parse(wrong))


def test_a_state_in_the_end_is_data() -> None:
    program, setup = game()
    row = next(row for row in series().games if len(row.won) == 2)
    assert row.match.record is not None
    state = replay(program, setup, row.match.record).state
    again = type(state).from_data(state.to_data())
    assert (
        again == state
        and again.hash() == state.hash()
        and again.ranks == state.ranks == row.match.ranks
    )
    again.ranks = again.ranks[::-1]
    assert again.hash() != state.hash()


def test_looking_ahead_ranks_before_chance() -> None:
    program, setup = game()
    total = [0, 0]
    for seed in range(6):
        bots = [make_bot(name) for name in ("random", "greedy", "greedy", "random")]
        ranks = play_match(program, setup, bots, seed).ranks
        total[0] += ranks[1] + ranks[2]
        total[1] += ranks[0] + ranks[3]
    assert total[0] < total[1]


def test_ends_do_not_spoil_what_a_search_takes_for_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[search._Tree] = []
    think = SearchBot._think

    def noted(bot: SearchBot, tree: search._Tree, ends: float) -> None:
        measured.append(tree)
        think(bot, tree, ends)

    monkeypatch.setattr(SearchBot, "_think", noted)
    program, setup = game()
    placed_between = False
    for seed in range(4):
        rng, states = Random(seed), []
        state = program.new_state(setup, seed)
        program.begin(state)
        while state.over == RUNNING:
            states.append(state.copy())
            program.answer(state, rng.choice(state.options))
        values = [value_of_end(state, side) for side in range(4)]
        placed_between |= any(0 < abs(value) < 1 for value in values)
        seen = states[-8]
        bot = SearchBot(playouts=20)
        bot.search(program, setup, view(seen, seen.chooser), seen.options, Random(seed))
    assert placed_between and measured
    assert all(spread < 1000 for tree in measured for _, spread in tree.usual)
