"""Tuning: better values of the weights by which a ruleset values positions, found by self-play.

Candidates play against the weights as they are, at every side, all of a generation with the same
chance; what they are drawn from follows those that did well (CMA-ES: N. Hansen, *The CMA Evolution
Strategy: A Tutorial*, arXiv:1604.00772).  The middle of that is what has been found; in the end it
plays with chance that it has not been chosen by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from math import asinh, log, sinh
from pathlib import Path
from random import Random
from typing import Any

from grognard.bots.series import load_program
from grognard.journal import Journal
from grognard.scenario import Scenario
from runtime.errors import ArgumentError
from runtime.model import LARGEST_WEIGHT, RulesetSpec, WeightSpec
from runtime.program import CompiledProgram
from runtime.runs.bots import Bot, GreedyBot
from runtime.runs.intervals import wilson
from runtime.runs.search import SearchBot
from runtime.runs.seats import BOTS
from runtime.runs.series import PlayedGame, Source, run_series
from runtime.scenario.setup import SetUp
from runtime.spelling import did_you_mean
from runtime.state import TIED

__all__ = ["Plan", "Tuner", "TuningResult", "bot_with", "chosen_weights"]

#: How far the first candidates are from the weights as they are: a third more or less.
_SPREAD = 0.3
#: How many games of each scenario tell whether anything hangs on a weight.
_LOOKS = 6
#: How many times as many games as a candidate has what was found plays in the end.
_LAST = 20
_CANDIDATE, _SHIPPED = "candidate", "shipped"


@dataclass(frozen=True)
class Plan:
    """What is tuned and how: *games* for each candidate, on all scenarios together."""

    games: int = 50
    generations: int = 20
    bot: str = "greedy"
    seed: int = 1
    jobs: int = 1
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class TuningResult:
    """What was found: the *weights* that have changed; how many of the last *games* it has *won*,
    ties counting a half, by scenario; how many were *tuned*; between what the share of its wins is
    to 95%.
    """

    weights: Mapping[str, int]
    won: Mapping[str, float]
    games: Mapping[str, int]
    tuned: int

    @property
    def share(self) -> float:
        """The share of the games that it has won."""
        return sum(self.won.values()) / max(1, sum(self.games.values()))

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95% interval of that (Wilson)."""
        return wilson(sum(self.won.values()), sum(self.games.values()))


@dataclass(frozen=True)
class _Players:
    """Makes the two that play each other; it can be given to other processes."""

    bot: str
    weights: Mapping[str, int]

    def __call__(self, name: str) -> Bot:
        return bot_with(self.bot, self.weights if name == _CANDIDATE else {})


def bot_with(kind: str, weights: Mapping[str, int]) -> Bot:
    """A bot of a kind with weights of its own, without a limit of time, which would make what it
    does hang on the machine.  ArgumentError for kinds that value nothing.
    """
    valuing = [name for name, maker in BOTS.items() if isinstance(maker(), GreedyBot | SearchBot)]
    if kind not in valuing:
        message = f"--bot {kind}: no bot that values positions is called so"
        raise ArgumentError(message, f"give one of {', '.join(valuing)}")
    bot: Any = BOTS[kind]()
    bot.weights = dict(weights)
    if isinstance(bot, SearchBot):
        bot.seconds = 0.0
    return bot  # type: ignore[no-any-return]


def chosen_weights(spec: RulesetSpec, tunable: Sequence[str], only: Sequence[str]) -> list[str]:
    """The weights that are meant: all *tunable*, or those that one of *only* names (``*`` stands
    for anything).  ArgumentError where there are none.
    """
    if not spec.weights:
        message = f"{spec.name} declares no weights"
        raise ArgumentError(message, "declare some: weight w = 120 (dsl/spec/25-end.md)")
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for name in tunable):
            message = f"--only {pattern}: {spec.name} has no such weight of its own"
            remedy = did_you_mean(pattern, tunable) or f"there are {', '.join(tunable[:12])}"
            raise ArgumentError(message, remedy)
    return [n for n in tunable if not only or any(fnmatchcase(n, pattern) for pattern in only)]


def _value(weight: WeightSpec, far: float) -> int:
    """A weight so *far* from what it is: a factor where it is large, a sum where it is small."""
    value = round(sinh(max(-20.0, min(20.0, asinh(weight.value) + far))))
    low, high = weight.bounds or (-LARGEST_WEIGHT, LARGEST_WEIGHT)
    return max(low, min(high, value))


def _size(weights: int) -> int:
    """How many candidates a generation has: twice as many as usual, since games are chance."""
    return 2 * (4 + int(3 * log(max(2, weights))))


@dataclass(frozen=True)
class _Entry:
    """What was found under a name."""

    what: str
    found: Any


class Tuner:
    """Tunes weights of a ruleset on scenarios of it.  *tell* is called with how many games of how
    many are done, *say* with what happens.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        names: Sequence[str],
        plan: Plan,
        journal: Path,
        tell: Callable[[int, int], None],
        say: Callable[[str], None],
    ) -> None:
        self.scenarios, self.plan, self.tell, self.say = scenarios, plan, tell, say
        self.program = next(iter(scenarios.values())).program
        self.spec = self.program.spec
        self.weights = [self.spec.weights[name] for name in names]
        self.sides = len(self.spec.sides)
        heading = {
            "rules": self.spec.hash,
            "weights": {w.name: w.value for w in self.spec.weights.values()},
            "scenarios": {name: one.setup.hash for name, one in scenarios.items()},
            "names": list(names),
            "plan": [plan.games, plan.generations, plan.bot, plan.seed],
        }
        self.journal = Journal(journal, _Entry, "--out", **heading)
        self.known: dict[str, Any] = {}
        self.done = 0
        self.games = 0

    def run(self) -> TuningResult:
        """Tune.  ArgumentError without the library that does it, where the journal is of something
        else, or where nothing hangs on any of the weights.
        """
        with self.journal:
            self.known = {entry.what: entry.found for entry in self.journal.entries}
            return self._run()

    def _remember(self, what: str, find: Callable[[], Any]) -> Any:
        """What is known under a name, or is found now."""
        if what not in self.known:
            self.known[what] = find()
            self.journal.add(_Entry(what, self.known[what]))
        return self.known[what]

    def _run(self) -> TuningResult:
        try:
            from cmaes import CMA  # type: ignore[import-untyped]  # start-up: and it may be missing
            from numpy import zeros  # start-up: see above
        except ImportError:
            message = "tuning needs the package cmaes"
            raise ArgumentError(message, "pip install 'grognard[lab]'") from None
        plan, each = self.plan, self._games_by_scenario(self.plan.games)
        few = self._games_by_scenario(_LOOKS * len(self.scenarios))

        def expected(weights: int) -> int:
            """How many games are played when so many weights matter."""
            looks = sum(few.values()) * (1 + len(self.weights))
            candidates = _size(weights) * plan.generations
            return looks + candidates * sum(each.values()) + sum(self._last().values())

        self.games = expected(len(self.weights))
        active = self._active(few)
        if not active:
            message = "no game hangs on these weights"
            raise ArgumentError(message, "tune others (--only), or on other scenarios")
        self.games, size = expected(len(active)), _size(len(active))
        center = zeros(max(2, len(active)))
        search = CMA(mean=center, sigma=_SPREAD, seed=plan.seed % (1 << 32), population_size=size)
        spread = self._remember("spread", partial(self._margin, few))
        for generation in range(plan.generations):
            seed = Random(f"{plan.seed}:{generation}").getrandbits(48)
            told, values = [], []
            for number in range(size):
                at = search.ask()
                weights = self._weights_at(active, at)
                worth = self._remember(
                    f"{generation}.{number}",
                    partial(self._worth, weights, each, seed, spread),
                )
                self._count(sum(each.values()))
                told.append((at, -worth))
                values.append(worth)
            search.tell(told)
            mean = sum(values) / size
            of = f"generation {generation + 1} of {plan.generations}"
            self.say(f"{of}: {mean:.1%} on average, {max(values):.1%} at best")
        return self._compare(self._weights_at(active, search.mean), len(active))

    # ------------------------------------------------------------------ what is played

    def _games_by_scenario(self, games: int) -> dict[str, int]:
        """How many games are played on each scenario: as many at each side."""
        whole = -(-games // (len(self.scenarios) * self.sides)) * self.sides
        return dict.fromkeys(self.scenarios, whole)

    def _last(self) -> dict[str, int]:
        return self._games_by_scenario(_LAST * self.plan.games)

    def _count(self, games: int) -> None:
        self.done += games
        self.tell(self.done, self.games)

    def _weights_at(self, active: Sequence[WeightSpec], at: Sequence[float]) -> dict[str, int]:
        """The weights that differ at a place of the search."""
        values = {w.name: _value(w, far) for w, far in zip(active, at, strict=False)}
        return {name: v for name, v in values.items() if v != self.spec.weights[name].value}

    def _play_games(
        self, scenario: str, weights: Mapping[str, int], games: int, seed: int
    ) -> Sequence[PlayedGame]:
        """Games of a candidate against the weights as they are."""
        opened, bots = self.scenarios[scenario], [_CANDIDATE, *[_SHIPPED] * (self.sides - 1)]
        make = _Players(self.plan.bot, weights)
        begin: Source | tuple[CompiledProgram, SetUp] = (opened.program, opened.setup)
        if self.plan.jobs > 1 and opened.path is not None:
            begin = Source(f"{load_program.__module__}:load_program", (str(opened.path.resolve()),))
        jobs = min(self.plan.jobs, games)
        return run_series(begin, bots, games, seed, jobs, swap=True, make=make).games

    def _wins(self, scenario: str, weights: Mapping[str, int], games: int, seed: int) -> float:
        return sum(map(_share_won, self._play_games(scenario, weights, games, seed)))

    def _worth(
        self, weights: Mapping[str, int], each: Mapping[str, int], seed: int, spread: float
    ) -> float:
        """How well a candidate does, from 0 to 1: by its victories, and where the ruleset counts
        points, half by the points that it was ahead.
        """
        values = []
        for scenario, games in each.items():
            for game in self._play_games(scenario, weights, games, seed):
                value, ahead = _share_won(game), _ahead(game)
                if ahead is not None:
                    value = 0.5 * value + 0.25 * (1 + ahead / (abs(ahead) + spread))
                values.append(value)
        return sum(values) / len(values)

    def _margin(self, few: Mapping[str, int]) -> float:
        """By how many points games usually end."""
        games = [
            g for name, n in few.items() for g in self._play_games(name, {}, n, self.plan.seed)
        ]
        ahead = [abs(points) for game in games if (points := _ahead(game)) is not None]
        return max(1.0, sum(ahead) / len(ahead)) if ahead else 1.0

    def _active(self, few: Mapping[str, int]) -> list[WeightSpec]:
        """The weights on which some game hangs."""

        def course(weights: Mapping[str, int]) -> list[Any]:
            played = {name: self._play_games(name, weights, n, 1) for name, n in few.items()}
            return [[g.decisions, list(g.match.ranks)] for own in played.values() for g in own]

        usual = self._remember("as they are", partial(course, {}))
        self._count(sum(few.values()))
        active = []
        for weight in self.weights:
            other = {weight.name: _value(weight, 1.0)}
            differs = usual != self._remember(f"about {weight.name}", partial(course, other))
            self._count(sum(few.values()))
            active += [weight] if differs else []
        if 0 < len(active) < len(self.weights):
            self.say(f"{len(active)} of {len(self.weights)} weights matter in these games")
        return active

    def _compare(self, weights: Mapping[str, int], tuned: int) -> TuningResult:
        """What was found against the weights as they are, with chance that is new to it."""
        won: dict[str, float] = {}
        seed = Random(f"{self.plan.seed}:last").getrandbits(48)
        for scenario, games in self._last().items():
            won[scenario] = self._remember(
                f"last {scenario}",
                partial(self._wins, scenario, weights, games, seed),
            )
            self._count(games)
        return TuningResult(weights, won, self._last(), tuned)


def _share_won(game: PlayedGame) -> float:
    """1 for a game that the candidate has won, a half for a tie."""
    return 0.5 if game.match.result == TIED else float(0 in game.won)


def _ahead(game: PlayedGame) -> int | None:
    """By how many points the candidate is ahead of the best of the others."""
    scores = game.match.scores
    if scores is None:
        return None
    own = game.seats.index(0)
    return scores[own] - max(s for side, s in enumerate(scores) if side != own)
