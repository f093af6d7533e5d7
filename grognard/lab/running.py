"""Carrying an experiment out: what is left to play, in several processes or on a cluster."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Protocol

from grognard.lab.experiment import Arrangement, Experiment, Unit
from grognard.lab.sequential import OPEN, fair_share, verdict
from grognard.lab.shards import Store
from grognard.lab.watching import Rows
from grognard.lab.work import Workplace
from grognard.scenario import Scenario
from runtime.errors import RulesError
from runtime.games.wording import wording_for
from runtime.runs.workers import end_with_parent, results

#: How often processes may die without anything being played in between.
_AGAIN = 3
_DIED = (
    "processes that were playing were ended from outside, perhaps because memory ran out; play "
    "with fewer jobs: the same command goes on from here"
)


class Crew(Protocol):
    """Plays units, as many at once as it can."""

    def results(self, units: Iterator[Unit]) -> Generator[tuple[Unit, Rows], None, None]:
        """What comes of each, as it comes; the next are taken when there is room."""


def carry_out(
    store: Store,
    place: Workplace,
    crew: Crew,
    build: Callable[[Scenario, list[str], int], None],
    progress: Callable[[int, int], None] | None = None,
    until: float = math.inf,
) -> None:
    """Play what is left of an experiment; no unit is begun after *until* (``time.monotonic()``).

    *build* may build a scenario's ruleset natively first, *progress* is told how many games of how
    many are done.
    """
    experiment = store.experiment
    rows: list[dict[str, Any]] = []
    titles: dict[str, set[str]] = defaultdict(set)
    every = [(one, place.scenario_of(one)) for one in experiment.arrangements]  # faults first
    for arrangement, opened in every:
        build(opened, list(arrangement.bots), experiment.games)
        wording = wording_for(opened.program.spec, opened.setup)
        sides = opened.program.spec.sides
        names = [wording.member("Side", side) for side in range(len(sides))]
        titles[opened.setup.title].add(arrangement.scenario)
        rows.append(
            {
                "arrangement": arrangement.number,
                "scenario": arrangement.scenario,
                "title": opened.setup.title,
                "switches": arrangement.switches,
                "rules": arrangement.rules,
                "bots": list(arrangement.bots),
                "sides": list(sides),
                "names": _distinct(names, sides),
                "swap": arrangement.swap,
                "rules_hash": _hash(opened),
                **_published_share(opened),
            }
        )
    for row in rows:
        if len(titles[row["title"]]) > 1:
            row["title"] += f" ({row['scenario']})"
    store.describe(rows)
    courses = [_Course(store, arrangement) for arrangement in experiment.arrangements]
    by_number = {course.arrangement.number: course for course in courses}

    def told() -> None:
        if progress is not None:
            progress(sum(c.games_played for c in courses), sum(c.games for c in courses))

    told()
    rounds = chain.from_iterable(zip_longest(*(course.units_left() for course in courses)))
    units = (unit for unit in rounds if unit is not None and time.monotonic() < until)
    with closing(crew.results(units)) as found:
        for unit, played in found:
            by_number[unit.arrangement.number].add(unit, played)
            told()


def _hash(opened: Scenario) -> str:
    """Tells rules, scenarios and weights apart."""
    spec = opened.program.spec
    return sha256(repr((spec.hash, opened.setup.hash, spec.weighing)).encode()).hexdigest()[:16]


def _published_share(opened: Scenario) -> dict[str, Any]:
    """What share of games between people the first side has won, and where that is told."""
    told = opened.data.get("published", {})
    won, (first, *others) = told.get("won", {}), opened.program.spec.sides
    share = won.get(first)
    if share is None and len(others) == 1 and others[0] in won:
        share = 1 - won[others[0]]
    return {
        "published": share,
        "published_games": told.get("games"),
        "source": told.get("source"),
    }


def _distinct(names: list[str], sides: Sequence[str]) -> list[str]:
    """What sides are called, with their own names where several are called the same."""
    return [
        name if names.count(name) == 1 else f"{name} ({side})"
        for name, side in zip(names, sides, strict=True)
    ]


class _Course:
    """How far an arrangement is."""

    def __init__(self, store: Store, arrangement: Arrangement) -> None:
        self.store, self.arrangement = store, arrangement
        self.units = list(store.experiment.units(arrangement))
        self.counted = 0
        self.firsts: list[float] = []
        self.decided = OPEN
        self._count()

    @property
    def games(self) -> int:
        """How many games there are to be, as far as is known."""
        return self.units[-1].end

    @property
    def games_played(self) -> int:
        """How many have been played."""
        return sum(unit.end - unit.first for unit in self.units if self.store.is_played(unit))

    def units_left(self) -> Iterator[Unit]:
        """What is to be played yet; it ends when enough has been."""
        for unit in list(self.units):
            if self.decided != OPEN:
                return
            if not self.store.is_played(unit):
                yield unit

    def add(self, unit: Unit, rows: Rows) -> None:
        """Keep what has been played, where it is needed."""
        if unit in self.units:
            self.store.add(unit, rows)
            self._count()

    def _count(self) -> None:
        """Look at what has been played without a gap, and leave the rest where that is enough."""
        stop, fair = self.store.experiment.stop, fair_share(len(self.arrangement.bots))
        while self.counted < len(self.units) and self.store.is_played(self.units[self.counted]):
            self.firsts += self.store.firsts(self.units[self.counted])
            self.counted += 1
            if stop is not None:
                self.decided = verdict(self.firsts, stop.margin, stop.error, fair)
                if self.decided != OPEN:
                    for unit in self.units[self.counted :]:
                        self.store.drop(unit)
                    del self.units[self.counted :]


class Processes:
    """A crew of *jobs* processes on this machine; those that die are replaced."""

    def __init__(self, experiment: Experiment, folder: Path, jobs: int) -> None:
        self.experiment, self.folder, self.jobs = experiment, folder, jobs

    def results(self, units: Iterator[Unit]) -> Generator[tuple[Unit, Rows], None, None]:
        """See :class:`Crew`.  RulesError where units end the processes that play them."""
        if self.jobs == 1:
            place = Workplace(self.experiment, self.folder)
            yield from ((unit, place.play(unit)) for unit in units)
            return
        given = {"initializer": _begin, "initargs": (self.experiment, self.folder)}
        pool = partial(ProcessPoolExecutor, self.jobs, **given)
        try:
            with closing(results(_work, units, self.jobs, pool, _AGAIN)) as found:
                yield from found
        except BrokenProcessPool:
            raise RulesError(_DIED) from None


_place: Workplace | None = None


def _begin(experiment: Experiment, folder: Path) -> None:
    global _place
    end_with_parent()
    _place = Workplace(experiment, folder)


def _work(unit: Unit) -> Rows:
    assert _place is not None
    return _place.play(unit)
