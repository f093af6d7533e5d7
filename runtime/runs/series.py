"""Games between bots: one, or a series on several processors, and what they tell.

A series is a function of its arguments: the number of processes changes nothing but the time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from runtime.chance import SEED_BITS
from runtime.errors import ArgumentError, BrokenGame, RulesError, blaming
from runtime.games.game import Game, Result
from runtime.games.record import Record
from runtime.games.side_view import by_side
from runtime.program import CompiledProgram, Program, scores
from runtime.runs.bots import Bot
from runtime.runs.intervals import wilson
from runtime.runs.seats import Seat, make_bot
from runtime.runs.workers import end_with_parent, results
from runtime.scenario.setup import SetUp
from runtime.state import LOST, TIED, WON, RulesetFault
from runtime.view import view

if TYPE_CHECKING:
    from runtime.runs.machine import Machine

#: More decisions than any sensible game has.
LIMIT = 1_000_000
#: The most games of a series, all of which are held in memory, and the most processes at once.
MOST_GAMES, MOST_JOBS = 1_000_000, 256


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went.

    *ranks* are by side, *result* is ``WON``, ``TIED`` or ``LOST`` (:mod:`runtime.state`); *turns*
    counts checkpoints, *seconds* by side the time to think.
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
    #: the options taken, in order, where a record was asked for
    taken: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won, alone or together; none of a tie."""
        won = self.result == WON
        return tuple(side for side, rank in enumerate(self.ranks) if won and rank == 1)


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

    Each bot draws its chance from a generator of its own, seeded by *seed* and its side.  With
    *record* the result holds the record, with *names* as the players.  A game of more than *limit*
    decisions, or of more than the ruleset allows (``decision_limit``), is a RulesError; of that as
    of any exception :func:`runtime.errors.broken_game` knows seed and record.
    """
    taken: list[int] = []
    machine = _machine(program, setup, bots, seed)
    if machine is not None:
        native = _play_natively(machine, program, setup, bots, seed, record, names, limit)
        if native is not None:
            return native
    try:
        return _play_match(program, setup, bots, seed, record, names, limit, taken)
    except Exception as error:
        error.__dict__["broken_game"] = BrokenGame(
            seed, _record_of(program, setup, seed, taken, names)
        )
        raise


def _machine(program: Program, setup: SetUp, bots: Sequence[Bot], seed: int) -> Machine | None:
    """What plays games of these bots natively in this thread; None where nothing does."""
    if not isinstance(program, CompiledProgram) or program.libraries is None:
        return None
    from runtime.runs import machine as native  # start-up: only where there may be a build

    machine = native.machine_for(program, setup)
    return machine if machine is not None and native.plays(bots, seed) else None


def _play_natively(
    machine: Machine,
    program: Program,
    setup: SetUp,
    bots: Sequence[Bot],
    seed: int,
    record: bool,
    names: Sequence[str],
    limit: int,
) -> MatchResult | None:
    """How a game goes that a native build can play to its end; None: it is to be played in Python,
    where faults are told with the lines of the rules.
    """
    try:
        decisions, seconds = machine.play(bots, seed, limit)
    except RulesetFault:
        return None
    over = machine.number("over")
    if not over:
        return None
    taken = tuple(machine.options_taken) if record else ()
    recorded = _recorded(_again(program, setup, seed, taken), names) if record else None
    turns = machine.number("checkpoints")
    return MatchResult(
        seed, machine.ranks, decisions, turns, seconds, over, recorded, machine.scores, taken
    )


def _again(program: Program, setup: SetUp, seed: int, taken: Sequence[int]) -> Game:
    """A game that has been played, played again."""
    game = Game(program, setup, seed, log=False)
    for option in taken:
        game.take(option)
    return game


def _record_of(
    program: Program, setup: SetUp, seed: int, taken: Sequence[int], names: Sequence[str]
) -> str:
    """The record of a game that was broken off; empty where it cannot be played again."""
    try:
        return _recorded(_again(program, setup, seed, taken), names).write()
    except Exception:  # whatever broke the game may break this, too
        return ""


def _recorded(game: Game, names: Sequence[str]) -> Record:
    return Record.of(game, dict(zip(game.sides, names, strict=True)) if names else None)


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
        raise ArgumentError(f"{len(bots)} bots for {len(sides)} sides")
    called = names or [type(bot).__name__ for bot in bots]
    seats = [Seat(bot, name, program, setup) for bot, name in zip(bots, called, strict=True)]
    take: Callable[[int], None]
    game = Game(program, setup, seed, log=False) if record else None
    if game is not None:
        state, take = game.state, game.take
    else:
        state = program.new_state(setup, seed)
        program.begin(state)
        take = partial(program.answer, state)
    rngs = [Random(f"{seed}:{side}") for side in sides]
    seconds = [0.0] * len(sides)
    clock = time.perf_counter
    stated = program.decision_limit(state)
    whose = f"{limit} decisions"
    if stated is not None and stated < limit:
        limit, whose = stated, f"{stated} decisions, the limit that the ruleset states"
    while not state.over:
        if len(taken) >= limit:
            raise RulesError(f"the game of seed {seed} is not over after {whose}")
        side = state.chooser
        bot = seats[side]
        if bot.blind:
            option = bot.choose(None, state.options, rngs[side])
        else:
            start = clock()
            option = bot.choose(view(state, side), tuple(state.options), rngs[side])
            seconds[side] += clock() - start
        take(option)
        taken.append(option)
    return MatchResult(
        seed,
        state.ranks,
        len(taken),
        state.checkpoints,
        tuple(seconds),
        state.over,
        None if game is None else _recorded(game, names),
        scores(program, state),
        tuple(taken) if record else (),
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


@dataclass(frozen=True)
class PlayedGame:
    """One game of a series.

    *number* is its place in it; *bots* says who played each side, by names, *seats* by the numbers
    of the bots; *match* is how it went, as the engine has it.
    """

    number: int
    seats: tuple[int, ...]
    bots: Mapping[str, str]
    match: MatchResult

    @property
    def seed(self) -> int:
        """Its seed."""
        return self.match.seed

    @property
    def result(self) -> Result:
        """How it ended."""
        match, sides = self.match, tuple(self.bots)
        return Result(
            dict(zip(sides, match.ranks, strict=True)),
            tuple(sides[side] for side in match.winners),
            match.result == TIED,
            by_side(sides, match.scores),
        )

    @property
    def decisions(self) -> int:
        """How many decisions were taken."""
        return self.match.decisions

    @property
    def turns(self) -> int:
        """How many checkpoints of the ruleset were passed."""
        return self.match.turns

    @property
    def seconds(self) -> Mapping[str, float]:
        """How long each side thought (0 for random bots)."""
        return dict(zip(self.bots, self.match.seconds, strict=True))

    @property
    def record(self) -> str:
        """The text of its record where records were asked for, else empty."""
        return "" if self.match.record is None else self.match.record.write()

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the bots that have won."""
        return tuple(self.bots[side] for side in self.result.winners)

    @property
    def won(self) -> tuple[int, ...]:
        """The numbers of the bots that have won."""
        return tuple(self.seats[side] for side in self.match.winners)

    @property
    def ranks(self) -> dict[int, int]:
        """The rank of each bot, by its number."""
        return dict(zip(self.seats, self.match.ranks, strict=True))


class Series:
    """The games of a series in order.

    *bots* and *sides* are the names of the bots, in the order given, and of the sides; *data* is
    the JSON-able summary that ``grognard bots --json`` prints: counts, shares with 95% intervals
    (Wilson), lengths, points, time (*elapsed*, in seconds).
    """

    def __init__(
        self,
        bots: Sequence[str],
        sides: Sequence[str],
        games: Sequence[PlayedGame] = (),
        elapsed: float = 0.0,
    ) -> None:
        self.bots = tuple(bots)
        self.sides = tuple(sides)
        self.games = tuple(games)
        self.data: Mapping[str, Any] = self._summary(elapsed)

    @property
    def wins(self) -> dict[str, int]:
        """How many games each bot has won, alone or with others, by name."""
        wins: Counter[str] = Counter()
        for one in self.data["bots"]:
            wins[one["name"]] += one["wins"]
        return dict(wins)

    @property
    def wins_by_side(self) -> dict[str, int]:
        """How many games each side has won, alone or with others."""
        return dict(self.data["wins_by_side"])

    @property
    def ties(self) -> int:
        """How many games were tied."""
        return int(self.data["ties"])

    def __str__(self) -> str:
        wins = ", ".join(f"{name} {count}" for name, count in self.wins.items())
        return f"{len(self.games)} games: {wins}" + (f", {self.ties} tied" if self.ties else "")

    def __repr__(self) -> str:
        return f"<Series of {self}>"

    def _summary(self, elapsed: float) -> dict[str, Any]:
        games = self.games
        decisions = sum(game.decisions for game in games)
        ranks = [game.ranks for game in games]
        bots = [
            self._share(name, [game.won for game in games], [rank[i] for rank in ranks], i)
            for i, name in enumerate(self.bots)
        ]
        matches = [game.match for game in games]
        sides = [
            self._share(
                name, [one.winners for one in matches], [one.ranks[i] for one in matches], i
            )
            for i, name in enumerate(self.sides)
        ]
        points = [game.match.scores for game in games if game.match.scores is not None]
        return {
            "games": len(games),
            "wins": [one["wins"] for one in bots],
            "wins_by_side": {one["name"]: one["wins"] for one in sides},
            "ties": sum(game.match.result == TIED for game in games),
            "shared": sum(len(game.won) > 1 for game in games),
            "lost": sum(game.match.result == LOST for game in games),
            "decisions": decisions,
            "bots": bots,
            "sides": sides,
            "decisions_per_game": _spread([game.decisions for game in games]),
            "turns_per_game": _spread([game.turns for game in games]),
            "scores": [_spread(own) for own in zip(*points, strict=True)] if points else None,
            "thinking_ms": [1000 * one / max(1, decisions) for one in self._thinking()],
            "elapsed": elapsed,
            "decisions_per_second": decisions / elapsed if elapsed else 0.0,
            "games_per_second": len(games) / elapsed if elapsed else 0.0,
        }

    def _share(
        self, name: str, winners: list[tuple[int, ...]], ranks: list[int], number: int
    ) -> dict[str, Any]:
        """The wins of one, and how often it had rank 1, 2, … (one more than sides: nobody won)."""
        games, wins = len(self.games), sum(number in won for won in winners)
        low, high = wilson(wins, games)
        return {
            "name": name,
            "wins": wins,
            "share": wins / games if games else 0.0,
            "low": low,
            "high": high,
            "ranks": [ranks.count(rank) for rank in range(1, len(self.sides) + 2)],
        }

    def _thinking(self) -> list[float]:
        """How many seconds each bot thought (0 for blind ones)."""
        spent = [0.0] * len(self.bots)
        for game in self.games:
            for side, bot in enumerate(game.seats):
                spent[bot] += game.match.seconds[side]
        return spent


def _spread(values: Sequence[int]) -> dict[str, Any]:
    """Mean, extremes and median of some numbers."""
    if not values:
        return {"mean": 0.0, "low": 0, "median": 0, "high": 0}
    mean, middle = sum(values) / len(values), median(values)
    return {"mean": mean, "low": min(values), "median": middle, "high": max(values)}


def seating(number: int, sides: int, swap: bool) -> tuple[int, ...]:
    """Which bot sits at which side; with *swap* they change places from game to game."""
    turn = number % sides if swap else 0
    return tuple((side + turn) % sides for side in range(sides))


def _game_seed(seed: int, number: int, sides: int, swap: bool) -> int:
    """With *swap* the games that only change places have the same chance."""
    return (seed + (number // sides if swap else number)) % (1 << SEED_BITS)


#: Makes the bot of a name.
Maker = Callable[[str], Bot]
#: Is given the number and the record of each game as soon as it is over.
Keeper = Callable[[int, Record], None]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be played."""

    bots: tuple[str, ...]
    seed: int
    swap: bool
    record: bool
    make: Maker
    keep: Keeper | None


def _play(loaded: tuple[Program, SetUp], plan: _Plan, numbers: Sequence[int]) -> list[PlayedGame]:
    program, setup = loaded
    sides = program.spec.sides
    bots = [plan.make(name) for name in plan.bots]
    games = []
    for number in numbers:
        seats = seating(number, len(sides), plan.swap)
        names = [plan.bots[bot] for bot in seats]
        seed = _game_seed(plan.seed, number, len(sides), plan.swap)
        record = plan.record or plan.keep is not None
        match = play_match(program, setup, [bots[bot] for bot in seats], seed, record, names)
        if plan.keep is not None and match.record is not None:
            plan.keep(number, match.record)
            match = match if plan.record else replace(match, record=None)
        games.append(PlayedGame(number, seats, dict(zip(sides, names, strict=True)), match))
    return games


_ENDED = (
    "a process that was playing was ended from outside, perhaps because memory ran out; play with "
    "fewer jobs"
)

_loaded: tuple[Program, SetUp] | None = None


def _begin_worker(source: Source) -> None:
    global _loaded
    end_with_parent()
    _loaded = source.load()


def _work(plan: _Plan, numbers: Sequence[int]) -> list[PlayedGame]:
    assert _loaded is not None
    return _play(_loaded, plan, numbers)


def run_series(
    source: Source | tuple[Program, SetUp],
    bots: Sequence[str],
    games: int,
    seed: int = 1,
    jobs: int = 1,
    swap: bool = False,
    record: bool = False,
    progress: Callable[[int, int], None] | None = None,
    make: Maker = make_bot,
    keep: Keeper | None = None,
) -> Series:
    """Play *games* games between the named bots, one for each side, *jobs* at a time: in threads
    where a native build plays them, else in processes.

    With *swap* the bots go round the sides from game to game, as many games as there are sides
    having the same seed.  *progress* is told how many games of how many are done.  *make* makes the
    bots.  *keep* is given each record when its game is over, in the process that has played it.
    Processes need a :class:`Source`, and a *make* and *keep* that can be pickled; without a source
    the games are played one after the other.
    """
    loaded = source.load() if isinstance(source, Source) else source
    spec = loaded[0].spec
    if len(bots) != len(spec.sides):
        sides = f"{len(spec.sides)} sides ({', '.join(spec.sides)})"
        raise ArgumentError(f"{len(bots)} bots for {sides}")
    for name in bots:
        make(name)  # says so at once when there is no such bot
    plan = _Plan(tuple(bots), seed, swap, record, make, keep)
    start = time.perf_counter()
    size = max(1, min(50, games // (max(1, jobs) * 8)))
    chunks = [range(first, min(first + size, games)) for first in range(0, games, size)]
    played: list[PlayedGame] = []
    with blaming(spec.name):
        crew = _play_chunks(source, loaded, plan, chunks, min(jobs, MOST_JOBS))
        with closing(crew):
            for some in crew:
                played += some
                if progress is not None:
                    progress(len(played), games)
    played.sort(key=lambda game: game.number)
    return Series(plan.bots, spec.sides, played, time.perf_counter() - start)


def _play_chunks(
    source: Source | tuple[Program, SetUp],
    loaded: tuple[Program, SetUp],
    plan: _Plan,
    chunks: Sequence[Sequence[int]],
    jobs: int,
) -> Generator[list[PlayedGame], None, None]:
    """The games as they are over."""
    play = partial(_play, loaded, plan)
    pool: Callable[[], Executor]
    if jobs > 1 and _natively(loaded, plan):
        pool = partial(ThreadPoolExecutor, jobs)
    elif jobs > 1 and isinstance(source, Source):
        given = {"initializer": _begin_worker, "initargs": (source,)}
        pool, play = partial(ProcessPoolExecutor, jobs, **given), partial(_work, plan)
    else:
        yield from map(play, chunks)
        return
    try:
        with closing(results(play, chunks, jobs, pool)) as found:
            yield from (games for _, games in found)
    except BrokenProcessPool:
        raise RulesError(_ENDED) from None


def _natively(loaded: tuple[Program, SetUp], plan: _Plan) -> bool:
    """Whether all games are played by a native build, which lets others work meanwhile."""
    if plan.record or plan.keep is not None:
        return False
    return _machine(*loaded, [plan.make(name) for name in plan.bots], plan.seed) is not None
