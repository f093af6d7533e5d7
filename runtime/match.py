"""Matches between bots: one, or many on several processors, and what they tell.

A series is a function of its arguments: the number of processes changes nothing but the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from multiprocessing import active_children
from random import Random
from typing import Any

from runtime.bots import Bot, make_bot
from runtime.broken import Broken
from runtime.chance import SEED_BITS
from runtime.game import Game
from runtime.intervals import wilson
from runtime.model import RulesetSpec
from runtime.program import Program, scores
from runtime.record import Record
from runtime.scenario.setup import SetUp
from runtime.state import LOST, TIED, WON
from runtime.view import view
from runtime.workers import at_work, end, end_with_parent

#: More decisions than any sensible game has.
LIMIT = 1_000_000
#: The most games of a series, all of which are held in memory, and the most processes that play them.
MOST_GAMES, MOST_JOBS = 1_000_000, 256


class MatchError(RuntimeError):
    """A match cannot be played or does not end."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went.

    *ranks* are by side, *result* is ``WON``, ``TIED`` or ``LOST`` (:mod:`runtime.state`); *turns* counts
    checkpoints, *seconds* by side the time to think.
    """

    seed: int
    ranks: tuple[int, ...]
    decisions: int
    turns: int
    seconds: tuple[float, ...]
    result: int = WON
    record: Record | None = None
    #: the points of each side in the end, where the ruleset counts them
    scores: tuple[int, ...] | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won, alone or together; none of a tie."""
        return tuple(side for side, rank in enumerate(self.ranks) if rank == 1) if self.result == WON else ()


def play_match(
    program: Program,
    setup: SetUp,
    bots: Sequence[Bot],
    seed: int,
    record: bool = False,
    names: Sequence[str] = (),
    limit: int = LIMIT,
) -> MatchResult:
    """Let *bots*, one for each side in order, play a game.

    Each bot draws its chance from a generator of its own, seeded by *seed* and its side.  With *record* the
    result holds the record, with *names* as the players.  A game of more than *limit* decisions, or of more
    than the ruleset allows (``decision_limit``), is a MatchError; of that as of any exception
    :func:`runtime.broken.broken_game` knows seed and record.
    """
    taken: list[int] = []
    try:
        return _play_match(program, setup, bots, seed, record, names, limit, taken)
    except Exception as error:
        error.__dict__["broken_game"] = Broken(seed, _record_of(program, setup, seed, taken, names))
        raise


def _record_of(program: Program, setup: SetUp, seed: int, taken: Sequence[int], names: Sequence[str]) -> str:
    """The record of a game that was broken off; empty where it cannot be played again."""
    try:
        game = Game(program, setup, seed, log=False)
        for option in taken:
            game.take(option)
        return Record.of(game, dict(zip(program.spec.sides, names, strict=True)) if names else None).write()
    except Exception:  # whatever broke the game may break this, too
        return ""


def _play_match(
    program: Program,
    setup: SetUp,
    bots: Sequence[Bot],
    seed: int,
    record: bool,
    names: Sequence[str],
    limit: int,
    taken: list[int],
) -> MatchResult:
    """Play a game, noting in *taken* every option before the next is asked for."""
    sides = program.spec.sides
    if len(bots) != len(sides):
        raise MatchError(f"{len(bots)} bots for {len(sides)} sides")
    game = Game(program, setup, seed, log=False) if record else None
    if game is not None:
        state = game.state
    else:
        state = program.new_state(setup, seed)
        program.begin(state)
    rngs = [Random(f"{seed}:{side}") for side in sides]
    seconds = [0.0] * len(sides)
    clock = time.perf_counter
    take: Callable[[int], None] = partial(program.answer, state) if game is None else game.take
    stated = program.decision_limit(state)
    whose = f"{limit} decisions"
    if stated is not None and stated < limit:
        limit, whose = stated, f"{stated} decisions, the limit that the ruleset states"
    while not state.over:
        if len(taken) >= limit:
            raise MatchError(f"the game of seed {seed} is not over after {whose}")
        side = state.chooser
        bot = bots[side]
        if bot.blind:
            option = bot.choose(None, state.options, rngs[side])
        else:
            start = clock()
            option = bot.choose(view(state, side), tuple(state.options), rngs[side])
            seconds[side] += clock() - start
        take(option)
        taken.append(option)
    made = None
    if game is not None:
        made = Record.of(game, dict(zip(sides, names, strict=True)) if names else None)
    points = scores(program, state)
    return MatchResult(
        seed, state.ranks, len(taken), state.checkpoints, tuple(seconds), state.over, made, points
    )


# ---------------------------------------------------------------------- series


@dataclass(frozen=True, slots=True)
class Source:
    """Where a process gets program and set-up: a function as ``module:name``, and its arguments.

    The function returns ``(program, setup)``; arguments must be picklable.
    """

    function: str
    args: tuple[Any, ...] = ()

    def load(self) -> tuple[Program, SetUp]:
        """Call the function."""
        module, _, name = self.function.partition(":")
        program, setup = getattr(import_module(module), name)(*self.args)
        return program, setup


@dataclass(frozen=True, slots=True)
class Row:
    """One game of a series: *seats* are the numbers of the bots by side."""

    number: int
    seats: tuple[int, ...]
    result: MatchResult

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the bots that have won."""
        return tuple(self.seats[side] for side in self.result.winners)

    @property
    def ranks(self) -> dict[int, int]:
        """The rank of each bot, by its number."""
        return dict(zip(self.seats, self.result.ranks, strict=True))


@dataclass
class Series:
    """The games of a series, in order, and what they tell."""

    bots: tuple[str, ...]
    sides: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    elapsed: float = 0.0

    def wins_by_bot(self) -> list[int]:
        """Victories of each bot, alone or with others."""
        return [sum(bot in row.winners for row in self.rows) for bot in range(len(self.bots))]

    def wins_by_side(self) -> list[int]:
        """Victories of each side, alone or with others."""
        return [sum(side in row.result.winners for row in self.rows) for side in range(len(self.sides))]

    @property
    def ties(self) -> int:
        """Games that were tied."""
        return sum(row.result.result == TIED for row in self.rows)

    @property
    def lost(self) -> int:
        """Games that nobody has won and that were no ties."""
        return sum(row.result.result == LOST for row in self.rows)

    @property
    def shared(self) -> int:
        """Games that several have won together."""
        return sum(len(row.winners) > 1 for row in self.rows)

    def ranks_by_bot(self) -> list[list[int]]:
        """How often each bot had rank 1, 2, …; the last rank is one more than there are sides (nobody
        won).
        """
        return [self._counted([row.ranks[bot] for row in self.rows]) for bot in range(len(self.bots))]

    def ranks_by_side(self) -> list[list[int]]:
        """How often each side had rank 1, 2, …"""
        return [
            self._counted([row.result.ranks[side] for row in self.rows]) for side in range(len(self.sides))
        ]

    def _counted(self, ranks: list[int]) -> list[int]:
        return [ranks.count(rank) for rank in range(1, len(self.sides) + 2)]

    @property
    def decisions(self) -> int:
        """Decisions of all games."""
        return sum(row.result.decisions for row in self.rows)

    def thinking(self) -> list[float]:
        """Milliseconds a decision, on average over all decisions, that each bot thought (0 for blind
        ones).
        """
        spent = [0.0] * len(self.bots)
        for row in self.rows:
            for side, bot in enumerate(row.seats):
                spent[bot] += row.result.seconds[side]
        return [1000 * one / max(1, self.decisions) for one in spent]

    def scores(self) -> list[dict[str, Any]] | None:
        """How many points each side had in the end; None when the ruleset does not count any."""
        found = [row.result.scores for row in self.rows]
        known = [scores for scores in found if scores is not None]
        return [_spread(sorted(points)) for points in zip(*known, strict=True)] if known else None

    def to_data(self) -> dict[str, Any]:
        """Everything the series tells, as plain data."""
        games = len(self.rows)
        lengths = sorted(row.result.decisions for row in self.rows)
        turns = sorted(row.result.turns for row in self.rows)

        def share(name: str, wins: int, ranks: list[int]) -> dict[str, Any]:
            low, high = wilson(wins, games)
            return {
                "name": name,
                "wins": wins,
                "share": wins / games if games else 0.0,
                "low": low,
                "high": high,
                "ranks": ranks,
            }

        return {
            "games": games,
            "bots": [
                share(*one) for one in zip(self.bots, self.wins_by_bot(), self.ranks_by_bot(), strict=True)
            ],
            "sides": [
                share(*one) for one in zip(self.sides, self.wins_by_side(), self.ranks_by_side(), strict=True)
            ],
            "ties": self.ties,
            "shared": self.shared,
            "lost": self.lost,
            "decisions": _spread(lengths),
            "turns": _spread(turns),
            "scores": self.scores(),
            "elapsed": self.elapsed,
            "decisions_per_second": self.decisions / self.elapsed if self.elapsed else 0.0,
            "games_per_second": games / self.elapsed if self.elapsed else 0.0,
            "thinking_ms": self.thinking(),
        }

    def summary(self) -> str:
        """The series in a few lines."""
        data = self.to_data()
        lines = [f"{data['games']} games, {data['ties']} tied, {data['lost']} won by nobody"]
        for title, shares in (("bot", data["bots"]), ("side", data["sides"])):
            for number, one in enumerate(shares, 1):
                label = f"{title} {number} {one['name']}" if title == "bot" else f"{title} {one['name']}"
                lines.append(
                    f"  {label:<24} {one['wins']:>6} won  {one['share']:>6.1%}  (95%: {one['low']:.1%} to "
                    f"{one['high']:.1%})"
                )
        for title in ("decisions", "turns"):
            spread = data[title]
            lines.append(
                f"  {title} a game: {spread['mean']:.0f} on average, {spread['low']} to {spread['high']}"
            )
        lines.append(
            f"  {data['games_per_second']:.1f} games/s, {data['decisions_per_second']:.0f} decisions/s"
        )
        return "\n".join(lines)


def _spread(values: Sequence[int]) -> dict[str, Any]:
    """Mean, extremes and median of sorted numbers."""
    if not values:
        return {"mean": 0.0, "low": 0, "median": 0, "high": 0}
    return {
        "mean": sum(values) / len(values),
        "low": values[0],
        "median": _median(values),
        "high": values[-1],
    }


def _median(values: Sequence[int]) -> float:
    """The median of sorted numbers: the middle one, or the mean of the two in the middle."""
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def seating(number: int, sides: int, swap: bool) -> tuple[int, ...]:
    """Which bot sits at which side in game *number*: with *swap* they change places from game to game."""
    turn = number % sides if swap else 0
    return tuple((side + turn) % sides for side in range(sides))


def _seed(seed: int, number: int, sides: int, swap: bool) -> int:
    """With *swap* the games that only change places have the same chance."""
    return (seed + (number // sides if swap else number)) % (1 << SEED_BITS)


#: Makes the bot of a name for a program and set-up.
Maker = Callable[[str, Program, SetUp], Bot]
#: Is given the number and the record of each game as soon as it is over.
Keeper = Callable[[int, Record], None]


def _named(name: str, program: Program, setup: SetUp) -> Bot:
    return make_bot(name, program)


def _play(
    loaded: tuple[Program, SetUp],
    bots: tuple[str, ...],
    numbers: Sequence[int],
    seed: int,
    swap: bool,
    record: bool,
    make: Maker,
    keep: Keeper | None = None,
) -> list[Row]:
    program, setup = loaded
    sides = len(program.spec.sides)
    made = [make(name, program, setup) for name in bots]
    rows = []
    for number in numbers:
        seats = seating(number, sides, swap)
        names = [bots[bot] for bot in seats]
        here = _seed(seed, number, sides, swap)
        result = play_match(
            program, setup, [made[bot] for bot in seats], here, record or keep is not None, names
        )
        if keep is not None and result.record is not None:
            keep(number, result.record)
            result = result if record else replace(result, record=None)
        rows.append(Row(number, seats, result))
    return rows


_ENDED = (
    "a process that was playing was ended from outside, perhaps because memory ran out; play with fewer jobs"
)

_loaded: tuple[Program, SetUp] | None = None


def _begin_worker(source: Source) -> None:
    global _loaded
    end_with_parent()
    _loaded = source.load()


def _work(
    bots: tuple[str, ...],
    numbers: Sequence[int],
    seed: int,
    swap: bool,
    record: bool,
    make: Maker,
    keep: Keeper | None,
) -> list[Row]:
    assert _loaded is not None
    return at_work(_play, _loaded, bots, numbers, seed, swap, record, make, keep)


def run_series(
    source: Source | tuple[Program, SetUp],
    bots: Sequence[str],
    games: int,
    seed: int = 1,
    jobs: int = 1,
    swap: bool = False,
    record: bool = False,
    progress: Callable[[int, int], None] | None = None,
    make: Maker = _named,
    keep: Keeper | None = None,
) -> Series:
    """Play *games* games between the named bots, one for each side, on *jobs* processes.

    With *swap* the bots go round the sides from game to game, as many games as there are sides having the
    same seed.  *progress* is told how many games of how many are done.  *make* makes the bots.  *keep* is
    given each record when its game is over, in the process that has played it.  Several processes need a
    :class:`Source`, and a *make* and *keep* that can be pickled.
    """
    loaded = source.load() if isinstance(source, Source) else source
    spec: RulesetSpec = loaded[0].spec
    names = tuple(bots)
    if len(names) != len(spec.sides):
        raise MatchError(f"{len(names)} bots for {len(spec.sides)} sides ({', '.join(spec.sides)})")
    for name in names:
        make(name, *loaded)  # says so at once when there is no such bot
    series = Series(names, spec.sides)
    start = time.perf_counter()
    size = max(1, min(50, games // (max(1, jobs) * 8)))
    chunks = [range(first, min(first + size, games)) for first in range(0, games, size)]
    if jobs <= 1 or not isinstance(source, Source):
        for chunk in chunks:
            series.rows += _play(loaded, names, chunk, seed, swap, record, make, keep)
            if progress is not None:
                progress(len(series.rows), games)
    else:
        others = set(active_children())
        pool = ProcessPoolExecutor(min(jobs, MOST_JOBS), initializer=_begin_worker, initargs=(source,))
        try:
            for done in as_completed(
                [pool.submit(_work, names, chunk, seed, swap, record, make, keep) for chunk in chunks]
            ):
                series.rows += done.result()
                if progress is not None:
                    progress(len(series.rows), games)
        except BrokenProcessPool:
            raise MatchError(_ENDED) from None
        except BaseException as error:
            if not isinstance(error, Exception):  # somebody wants the end at once
                end(child.pid for child in set(active_children()) - others)
            raise
        finally:
            pool.shutdown(cancel_futures=True)
        series.rows.sort(key=lambda row: row.number)
    series.elapsed = time.perf_counter() - start
    return series
