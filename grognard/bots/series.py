"""Series of games between bots, as data."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from grognard.bots.players import BotLike, find_bot, name_of
from grognard.opening import open_scenario
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, value_in_words, whole_number
from runtime.games.scripts import engine_seed
from runtime.program import CompiledProgram, Program
from runtime.runs.bots import Bot
from runtime.runs.series import MOST_GAMES, Keeper, PlayedGame, Series, Source, run_series
from runtime.scenario.setup import SetUp

__all__ = ["PlayedGame", "Series", "play_series"]


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

    *bots* has one bot for each side: in the order of the sides, or by the names of the sides.  With
    *swap* they rotate through the sides, and as many games as there are sides have the same chance.
    Game number *i* has the seed ``seed + i`` (with *swap*: ``seed + i // sides``).  *jobs* is the
    number of processes, 0 for one for each processor; with several, bots are classes, functions or
    names, or can be pickled.  The same arguments give the same games, whatever *jobs* is.
    *progress* is called with how many games of how many are done.  The rest is as in
    :func:`grognard.load`.

    BotError when a bot fails, RulesError when the rules do or a game does not end, LoadError and
    ArgumentError as in ``load``.
    """
    for name, value, least in (("games", games, 1), ("jobs", jobs, 0)):
        whole_number(name, value, least)
    if games > MOST_GAMES:
        raise ArgumentError(
            f"{value_in_words(games)} games are too many for a series",
            f"play at most {MOST_GAMES:,} at a time",
        )
    if progress is not None and not callable(progress):
        raise ArgumentError("progress is called with two numbers: give a function, or None")
    where = (scenario, dict(switches) if switches else None, ruleset, root)
    opened = open_scenario(*where)
    seats = _by_side(bots, opened)
    source = Source(f"{__name__}:load_program", where) if jobs != 1 else None
    jobs = jobs or os.cpu_count() or 1
    return run(opened, seats, games, engine_seed(seed), jobs, swap, records, progress, source)


def load_program(*where: Any) -> tuple[CompiledProgram, SetUp]:
    """For processes that start with nothing."""
    opened = open_scenario(*where)
    return opened.program, opened.setup


def _by_side(bots: Any, opened: Scenario) -> list[BotLike]:
    sides = opened.program.spec.sides
    if isinstance(bots, Mapping):
        seated = {opened.names.side(side): bot for side, bot in bots.items()}
        missing = [side for number, side in enumerate(sides) if number not in seated]
        if missing:
            raise ArgumentError(
                f"there is no bot for {', '.join(missing)}", "name one for each side"
            )
        return [seated[number] for number in range(len(sides))]
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise ArgumentError(
            "bots is a list with one for each side, or a mapping from sides, "
            f"not {value_in_words(bots)}"
        )
    if len(bots) != len(sides):
        raise ArgumentError(
            f"{len(bots)} bot{'s' if len(bots) != 1 else ''} for {len(sides)} sides "
            f"({', '.join(sides)})"
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
    source: Source | None = None,
    keep: Keeper | None = None,
) -> Series:
    """Play a series with the engine's loop."""
    labels = _labels(bots)
    make = partial(_make_bot, dict(zip(labels, bots, strict=True)))
    begin: Source | tuple[Program, SetUp] = (opened.program, opened.setup)
    if jobs > 1 and source is not None:
        try:
            pickle.dumps((make, source))
        except Exception as error:
            message = f"the bots cannot be given to other processes: {error}"
            raise ArgumentError(
                message, "give classes of a module, or names, or play with jobs=1"
            ) from None
        begin = source
    return run_series(
        begin, labels, games, seed, min(jobs, games), swap, records, progress, make, keep
    )


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


def _make_bot(bots: Mapping[str, BotLike], name: str) -> Bot:
    """The bot of a name."""
    return find_bot(bots[name])
