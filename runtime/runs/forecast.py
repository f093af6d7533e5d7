"""What comes of an option, as the ruleset's forecasts say it: exactly, or from samples.

A forecast runs on a copy of what a side sees.  Wherever it rolls or draws, every way that chance
can take is gone, one after another: dice as the sets of faces that they show, unless the order in
which they fell could matter.  Where it goes on with another forecast, the ways that have come to
the same position are gone on with as one.  Too many ways, a shuffle, or something that the side
does not see: then positions that agree with what it sees are played with dice of their own, and
what is said comes with an interval.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod, sqrt
from random import Random
from typing import Any

from runtime.model import MASK, PASS, SECOND, ForecastSpec, RulesetSpec, TypeSpec, branch_of
from runtime.program import Program
from runtime.runs.intervals import wilson
from runtime.state import StateBase
from runtime.view import Sight, Unseen

__all__ = [
    "MOST_WAYS",
    "Alternative",
    "Foreseen",
    "Foretold",
    "arguments",
    "came",
    "foresee",
    "of_option",
]

#: How many ways are gone before samples are taken instead, and how many of these.
MOST_WAYS, TIMES = 40_000, 2_000
#: How long it may take to go all ways, or to take samples, in seconds.
SECONDS = 3.0

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Values of an outcome, and how likely they are; from samples with the 95% interval."""

    values: Values
    chance: Fraction
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Foretold:
    """An outcome: its *name*, the types of its values, and what these can be, in ascending order.

    *depth* is 0 for what is said before chance or with the first that comes, 1 and more for the
    outcomes of forecasts that are gone on with behind it.
    """

    name: str
    types: tuple[TypeSpec, ...]
    alternatives: tuple[Alternative, ...]
    depth: int = 0

    @property
    def chance(self) -> Fraction:
        """How likely it is that it comes to this outcome at all."""
        return sum((a.chance for a in self.alternatives), Fraction())

    @property
    def certain(self) -> bool:
        """Whether nothing else can be."""
        return len(self.alternatives) == 1 and self.chance == 1

    @property
    def number(self) -> bool:
        """Whether it is one number, of which there is a mean."""
        return len(self.types) == 1 and self.types[0].kind == "int"

    @property
    def mean(self) -> Fraction:
        """The mean of a number where it comes to it."""
        return sum((a.chance * a.values[0] for a in self.alternatives), Fraction()) / self.chance

    @property
    def deviation(self) -> float:
        """The standard deviation of a number where it comes to it."""
        mean = self.mean
        square = sum((a.chance * (a.values[0] - mean) ** 2 for a in self.alternatives), Fraction())
        return sqrt(square / self.chance)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a forecast says: its outcomes in the order of the rules, and from how many *ways* or
    samples.

    *exact* says whether all ways were gone; else *ways* is the number of samples.
    """

    forecast: str
    outcomes: tuple[Foretold, ...]
    exact: bool
    ways: int


def of_option(spec: RulesetSpec, point: int, option: int) -> Iterator[ForecastSpec]:
    """The forecasts of an option of a decision."""
    at = (point, PASS if option == PASS else branch_of(option))
    return (forecast for forecast in spec.forecasts.values() if at in forecast.at)


def arguments(spec: RulesetSpec, point: int, option: int, about: Sequence[Any]) -> tuple[Any, ...]:
    """What a forecast of an option is given: what the question is about, and its values."""
    decision = spec.decisions[point]
    given = tuple(about) if decision.about else ()
    if option == PASS:
        return given
    values = decision.options[branch_of(option)].values
    return (*given, *(option & MASK, option >> SECOND)[: len(values)])


# ---------------------------------------------------------------------- the ways of chance


class TooMany(Exception):
    """There are too many ways, or there is chance that cannot be gone through."""


@lru_cache(maxsize=256)
def _throws(
    faces: tuple[int, ...], count: int, ordered: bool
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """What so many dice can show, each with how many of the throws show it."""
    weights = {face: faces.count(face) for face in sorted(set(faces))}
    size = len(weights) ** count if ordered else comb(count + len(weights) - 1, count)
    if size > MOST_WAYS:
        raise TooMany
    if ordered:
        return tuple(
            (dice, prod(weights[d] for d in dice)) for dice in product(weights, repeat=count)
        )
    found = []
    for dice in combinations_with_replacement(weights, count):
        numbers = [dice.count(face) for face in weights]
        orders = factorial(count) // prod(map(factorial, numbers))
        found.append(
            (dice, orders * prod(w**n for w, n in zip(weights.values(), numbers, strict=True)))
        )
    return tuple(found)


class _Way(dict[str, list[Any]]):
    """The script of one way: chance gives what *trail* says, and beyond that the first."""

    def __init__(self, trail: list[int], ordered: tuple[int, ...]) -> None:
        super().__init__()
        self.chances = self
        self.trail = trail
        self.ordered = ordered
        self.sizes: list[int] = []
        #: of so many equally likely cases this way is so many
        self.cases, self.of = 1, 1

    def _place(self, size: int) -> int:
        at = len(self.sizes)
        self.sizes.append(size)
        if at == len(self.trail):
            self.trail.append(0)
        return self.trail[at]

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show."""
        throws = _throws(faces, count, count > 1 and stream in self.ordered)
        dice, cases = throws[self._place(len(throws))]
        self.cases *= cases
        self.of *= len(faces) ** count
        return dice

    def draw(self, members: Sequence[int]) -> int:
        """Which member is drawn."""
        self.of *= len(members)
        return members[self._place(len(members))]

    def shuffle(self, cards: list[int]) -> None:
        """Cards have too many orders."""
        if len(set(cards)) > 1:
            raise TooMany


def _next(trail: list[int], sizes: list[int]) -> bool:
    """The next way: whether there is one."""
    while trail and trail[-1] + 1 >= sizes[len(trail) - 1]:
        trail.pop()
    if trail:
        trail[-1] += 1
    return bool(trail)


# ---------------------------------------------------------------------- what is said


@dataclass
class _Said:
    """By depth and number of the outcome, the weight of each of its values."""

    weights: dict[tuple[int, int], dict[Values, Fraction]] = field(default_factory=dict)
    #: how many things were said before each on the same way, at least
    before: dict[tuple[int, int], int] = field(default_factory=dict)

    def note(self, depth: int, said: Mapping[int, Values], before: int = 0) -> None:
        """Note in which order outcomes are said, *before* others at this depth."""
        for place, number in enumerate(said, before):
            if place < self.before.get((depth, number), place + 1):
                self.before[depth, number] = place

    def add(self, depth: int, number: int, values: Values, weight: Fraction) -> None:
        """Count values that were said."""
        found = self.weights.setdefault((depth, number), {})
        found[values] = found.get(values, Fraction()) + weight

    def outcomes(self, spec: RulesetSpec, times: int) -> tuple[Foretold, ...]:
        """All outcomes; with *times* they were counted in so many samples."""
        made = []
        order = sorted(self.weights, key=lambda key: (key[0], self.before.get(key, 0), key[1]))
        for depth, number in order:
            weights = self.weights[depth, number]
            name, types = spec.outcomes[number]
            alternatives = tuple(
                Alternative(values, weight, _interval(weight, times))
                for values, weight in sorted(weights.items())
            )
            made.append(Foretold(name, types, alternatives, depth))
        return tuple(made)


def _interval(share: Fraction, times: int) -> tuple[float, float] | None:
    return wilson(int(share * times), times) if times else None


def _entries(log: Sequence[Any] | None) -> tuple[dict[int, Values], tuple[str, Values] | None]:
    """What a run has said, by the number of the outcome, and the forecast that it goes on with."""
    said: dict[int, Values] = {}
    onward = None
    for what, *values in log or ():
        plain = tuple(tuple(sorted(v)) if isinstance(v, tuple) else int(v) for v in values)
        if isinstance(what, str):
            onward = what, plain
        elif what < 0:
            said[-1 - what] = plain
    return said, onward


def came(
    program: Program, state: StateBase, forecast: str, args: Values, dice: Mapping[str, list[Any]]
) -> dict[str, Values]:
    """What a forecast says, by the name of the outcome, where the dice show what was thrown (by
    die, the faces in order): itself, and what it goes on with as long as dice are left.

    RulesetFault where the dice do not fit.
    """
    state = state.copy()
    state.script, state.frames, state.options = dict(dice), [], []
    found: dict[int, Values] = {}
    onward: tuple[str, Values] | None = (forecast, args)
    while onward is not None:
        state.log = []
        program.foretell(state, *onward)
        said, onward = _entries(state.log)
        found = {**said, **found}
        if not state.script:
            break
    return {program.spec.outcomes[number][0]: values for number, values in found.items()}


# ---------------------------------------------------------------------- all ways


@dataclass
class _Start:
    """A position that ways have come to, from which a forecast goes on."""

    forecast: str
    args: Values
    depth: int
    weight: Fraction
    state: StateBase
    #: how many things were said at this depth before
    before: int = 0


class _Walk:
    """Goes all ways of a forecast on what a side sees."""

    def __init__(
        self,
        program: Program,
        seen: Sight,
        forecast: ForecastSpec,
        most: int,
        until: float,
        follow: bool,
    ) -> None:
        self.program = program
        self.seen = seen
        self.forecast = forecast
        self.most = most
        self.until = until
        self.follow = follow
        self.said = _Said()
        self.ways = 0
        self.guarded = seen.hides(forecast.reads)
        if self.guarded and seen.state.NATIVE:
            raise TooMany

    def run(self, args: Values) -> None:
        """Go all ways."""
        base = self.seen.guarded() if self.guarded else self.seen.state.copy()
        if not self.guarded:
            base.frames, base.options = [], []
        starts = [_Start(self.forecast.name, args, 0, Fraction(1), base)]
        while starts:
            onward: dict[tuple[Any, ...], _Start] = {}
            for start in starts:
                self._from(start, onward)
            starts = list(onward.values())

    def _copy(self, state: StateBase) -> StateBase:
        if not self.forecast.writes:
            return state
        return self.seen.guarded(state) if self.guarded else state.copy()

    def _from(self, start: _Start, onward: dict[tuple[Any, ...], _Start]) -> None:
        """Go all ways from a position; collect where they go on."""
        trail: list[int] = []
        sums: dict[tuple[int, Values], dict[int, int]] = {}
        while True:
            self.ways += 1
            if self.ways > self.most or (self.ways % 64 == 0 and time.monotonic() > self.until):
                raise TooMany
            state, way = self._copy(start.state), _Way(trail, self.forecast.ordered)
            state.script, state.log = way, []
            self.program.foretell(state, start.forecast, start.args)
            said, next_ = _entries(state.log)
            state.script = state.log = None
            self.said.note(start.depth, said, start.before)
            for number, values in said.items():
                cases = sums.setdefault((number, values), {})
                cases[way.of] = cases.get(way.of, 0) + way.cases
            chance = max(way.sizes, default=1) > 1
            if next_ is not None and (self.follow or not chance):
                before = 0 if chance else start.before + len(said)
                self._onward(
                    start, next_, chance, before, state, Fraction(way.cases, way.of), onward
                )
            if not _next(trail, way.sizes):
                break
        for (number, values), cases in sums.items():
            weight = sum((Fraction(n, of) for of, n in cases.items()), Fraction())
            self.said.add(start.depth, number, values, weight * start.weight)

    def _onward(
        self,
        start: _Start,
        next_: tuple[str, Values],
        deeper: bool,
        before: int,
        state: StateBase,
        share: Fraction,
        onward: dict[tuple[Any, ...], _Start],
    ) -> None:
        """Note where a way goes on; ways to the same position are one."""
        depth = start.depth + deeper
        key = (*next_, depth, *(_plain(getattr(state, slot)) for slot in self.forecast.writes))
        known = onward.get(key)
        if known is None:
            onward[key] = _Start(*next_, depth, start.weight * share, state, before)
        else:
            known.weight += start.weight * share


def _plain(value: Any) -> Any:
    """The content of a slot, to be compared."""
    if isinstance(value, list):
        return tuple(tuple(v) if isinstance(v, list) else v for v in value)
    return value


# ---------------------------------------------------------------------- samples


def _sampled(
    program: Program,
    seen: Sight,
    forecast: ForecastSpec,
    args: Values,
    rng: Random,
    times: int,
    until: float,
) -> tuple[_Said, int]:
    """Run a forecast with dice of its own; what was said how often, and of how many times."""
    said = _Said()
    fresh: Callable[[], StateBase] = seen.state.copy
    if seen.hides(forecast.reads):
        if not seen.own:
            raise Unseen
        fresh = lambda: seen.sample(rng)  # noqa: E731
    counts: dict[tuple[int, int, Values], int] = {}
    done = 0
    while done < times and (done < 20 or time.monotonic() < until):
        done += 1
        state = fresh()
        state.seed = rng.getrandbits(64)
        state.frames = []
        onward: tuple[str, Values] | None = (forecast.name, args)
        depth = place = 0
        while onward is not None:
            state.log, before = [], list(state.counters)
            program.foretell(state, *onward)
            told, onward = _entries(state.log)
            said.note(depth, told, place)
            for number, values in told.items():
                counts[depth, number, values] = counts.get((depth, number, values), 0) + 1
            chance = state.counters != before
            depth, place = depth + chance, 0 if chance else place + len(told)
    for (depth, number, values), count in counts.items():
        said.add(depth, number, values, Fraction(count, done))
    return said, done


def foresee(
    program: Program,
    seen: Sight,
    forecast: ForecastSpec,
    args: Values,
    rng: Random | None = None,
    *,
    most: int = MOST_WAYS,
    times: int = TIMES,
    seconds: float = SECONDS,
    follow: bool = True,
) -> Foreseen:
    """What *forecast* says of *args*, as far as the side knows whose view *seen* is.

    All ways are gone, *most* of them and for so many *seconds* at most; else *times* samples are
    taken. Without *follow* only what comes first is told: the outcomes of depth 0.  Unseen where it
    hangs on what the side does not see, and the decision is not the side's own; RulesetFault where
    the rules fail.
    """
    spec = program.spec
    try:
        walk = _Walk(program, seen, forecast, most, time.monotonic() + seconds, follow)
        walk.run(args)
        return Foreseen(forecast.name, walk.said.outcomes(spec, 0), True, walk.ways)
    except (TooMany, Unseen):
        pass
    until = time.monotonic() + seconds
    said, done = _sampled(program, seen, forecast, args, rng or Random("forecast"), times, until)
    return Foreseen(forecast.name, said.outcomes(spec, done), False, done)
