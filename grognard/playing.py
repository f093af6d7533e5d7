"""Series of games between bots, as data."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grognard.bots import BotLike, Seat, name_of, seated
from grognard.errors import ArgumentError, RulesError, counted, given
from grognard.game import Result
from grognard.loading import open_scenario
from grognard.scenario import Scenario
from grognard.seeds import seeded
from grognard.translating import failing
from runtime import match
from runtime.bots import Bot as EngineBot
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram, Program
from runtime.scenario.setup import SetUp
from runtime.state import TIED

__all__ = ["PlayedGame", "Series", "play_series"]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a series.

    *bots* says who played each side, *turns* counts the checkpoints of the ruleset, *seconds* is how long
    each side thought (0 for random bots), *record* the text of its record where records were asked for, else
    empty.
    """

    seed: int
    bots: Mapping[str, str]
    result: Result
    decisions: int
    turns: int
    seconds: Mapping[str, float]
    record: str = ""

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the bots that have won."""
        return tuple(self.bots[side] for side in self.result.winners)


@dataclass(frozen=True)
class Series:
    """The games of a series in order.

    *data* is the JSON-able summary that ``grognard bots --json`` prints: counts, shares with 95% intervals
    (Wilson), lengths, points, time.
    """

    games: tuple[PlayedGame, ...]
    data: Mapping[str, Any]

    @property
    def wins(self) -> dict[str, int]:
        """How many games each bot has won, alone or with others; bots of one name are counted together."""
        made: dict[str, int] = {}
        for one in self.data["bots"]:
            made[one["name"]] = made.get(one["name"], 0) + one["wins"]
        return made

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


def play_series(
    scenario: str | Path | Mapping[str, Any],
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    games: int = 10,
    *,
    seed: int = 1,
    swap: bool = False,
    jobs: int = 1,
    records: bool = False,
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Series:
    """Let bots play a series of games.

    *bots* has one bot for each side: in the order of the sides, or by the names of the sides.  With *swap*
    they rotate through the sides, and as many games as there are sides have the same chance.
    Game number *i* has the seed ``seed + i`` (with *swap*: ``seed + i // sides``).  *jobs* is the number of
    processes, 0 for one for each processor; with several, bots are classes, functions or names, or can be
    pickled.  The same arguments give the same games, whatever *jobs* is.  *progress* is called with how many
    games of how many are done.  The rest is as in :func:`grognard.load`.

    BotError when a bot fails, RulesError when the rules do or a game does not end, LoadError and
    ArgumentError as in ``load``.
    """
    for name, value, least in (("games", games, 1), ("jobs", jobs, 0)):
        counted(name, value, least)
    if games > match.MOST_GAMES:
        raise ArgumentError(
            f"{given(games)} games are too many for a series", f"play at most {match.MOST_GAMES:,} at a time"
        )
    if progress is not None and not callable(progress):
        raise ArgumentError("progress is called with two numbers: give a function, or None")
    where = (scenario, dict(switches) if switches else None, ruleset, root)
    opened = open_scenario(*where)
    seats = _by_side(bots, opened)
    source = match.Source("grognard.playing:_opened", where) if jobs != 1 else None
    series = run(
        opened, seats, games, seeded(seed), jobs or os.cpu_count() or 1, swap, records, progress, source
    )
    return Series(
        tuple(_played(row, series, opened.program.spec) for row in series.rows), series_data(series)
    )


def _opened(*where: Any) -> tuple[CompiledProgram, SetUp]:
    """For processes that start with nothing."""
    opened = open_scenario(*where)
    return opened.program, opened.setup


def _by_side(bots: Any, opened: Scenario) -> list[BotLike]:
    sides = opened.program.spec.sides
    if isinstance(bots, Mapping):
        seated = {opened.names.side(side): bot for side, bot in bots.items()}
        missing = [side for number, side in enumerate(sides) if number not in seated]
        if missing:
            raise ArgumentError(f"there is no bot for {', '.join(missing)}", "name one for each side")
        return [seated[number] for number in range(len(sides))]
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise ArgumentError(
            f"bots is a list with one for each side, or a mapping from sides, not {given(bots)}"
        )
    if len(bots) != len(sides):
        raise ArgumentError(
            f"{len(bots)} bot{'s' if len(bots) != 1 else ''} for {len(sides)} sides ({', '.join(sides)})"
        )
    return list(bots)


def run(
    opened: Scenario,
    bots: Sequence[BotLike],
    games: int,
    seed: int,
    jobs: int,
    swap: bool,
    records: bool,
    progress: Callable[[int, int], None] | None = None,
    source: match.Source | None = None,
    keep: match.Keeper | None = None,
) -> match.Series:
    """Play a series with the engine's loop."""
    labels = _labels(bots)
    make = partial(_seat, dict(zip(labels, bots, strict=True)))
    begin: Any = (opened.program, opened.setup)
    if jobs > 1 and source is not None:
        try:
            pickle.dumps((make, source))
        except Exception as error:
            message = f"the bots cannot be given to other processes: {error}"
            raise ArgumentError(message, "give classes of a module, or names, or play with jobs=1") from None
        begin = source
    try:
        with failing(opened.program.spec.name):
            return match.run_series(
                begin, labels, games, seed, min(jobs, games), swap, records, progress, make, keep
            )
    except match.MatchError as error:
        made = RulesError(str(error))
        made.__dict__.update(error.__dict__)
        raise made from None


def _labels(bots: Sequence[BotLike]) -> list[str]:
    """A name for each bot; the same only for the same bot."""
    labels: list[str] = []
    known: dict[str, BotLike] = {}
    for bot in bots:
        name = base = name_of(bot)
        number = 1
        while name in known and known[name] is not bot and known[name] != bot:
            number += 1
            name = f"{base} {number}"
        known[name] = bot
        labels.append(name)
    return labels


def _seat(bots: Mapping[str, BotLike], name: str, program: Program, setup: SetUp) -> EngineBot:
    """The bot of a name, as the engine asks it."""
    made = seated(bots[name], program, setup)
    if isinstance(made, Seat):
        made.name = name
    return made


def _played(row: match.Row, series: match.Series, spec: RulesetSpec) -> PlayedGame:
    raw = row.result
    ranks = dict(zip(spec.sides, raw.ranks, strict=True))
    points = {} if raw.scores is None else dict(zip(spec.sides, raw.scores, strict=True))
    result = Result(ranks, tuple(spec.sides[side] for side in raw.winners), raw.result == TIED, points)
    bots = {side: series.bots[bot] for side, bot in zip(spec.sides, row.seats, strict=True)}
    seconds = dict(zip(spec.sides, raw.seconds, strict=True))
    record = raw.record.write() if raw.record is not None else ""
    return PlayedGame(raw.seed, bots, result, raw.decisions, raw.turns, seconds, record)


def series_data(series: match.Series) -> dict[str, Any]:
    """A series as the JSON object that the command promises."""
    data = series.to_data()
    return {
        "games": data["games"],
        "wins": [one["wins"] for one in data["bots"]],
        "wins_by_side": {one["name"]: one["wins"] for one in data["sides"]},
        "ties": data["ties"],
        "shared": data["shared"],
        "lost": data["lost"],
        "decisions": series.decisions,
        "bots": data["bots"],
        "sides": data["sides"],
        "decisions_per_game": data["decisions"],
        "turns_per_game": data["turns"],
        "scores": data["scores"],
        "thinking_ms": data["thinking_ms"],
        "elapsed": data["elapsed"],
        "decisions_per_second": data["decisions_per_second"],
        "games_per_second": data["games_per_second"],
    }
