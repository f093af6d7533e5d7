"""What comes of an option, as the rules themselves have it: exactly, or from samples.

A forecast runs a procedure, or plays on behind an option, on a copy of what a side sees.  Decisions
are answered as is assumed of them; one of which nothing is assumed ends the way.  Wherever chance
comes in, every way that it can take is gone, one after another, from there to the end of the block:
dice as the sets of faces that they show, unless the order in which they fell could matter.  The
ways that have come to the same state, and have observed the same since, are gone on with as one.
Too many ways, a shuffle, or something that the side does not see: then positions that agree with
what it sees are played with chance of their own, and what is said comes with an interval.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from runtime.model import MASK, NONE, PASS, SECOND, ForecastSpec, RulesetSpec, branch_of
from runtime.program import CompiledProgram, Program
from runtime.runs.chances import (
    LONGEST,
    MOST_WAYS,
    ChanceReached,
    Chances,
    Luck,
    NoChance,
    ThrownDice,
    TooMany,
    Way,
)
from runtime.runs.outcomes import Alternative, ForecastResult, Foretold, Question, Tally, Values
from runtime.services import ENDLESS
from runtime.state import RulesetFault, StateBase
from runtime.view import Sight, Unseen

__all__ = [
    "MOST_WAYS",
    "Alternative",
    "Assumptions",
    "ForecastResult",
    "Foretold",
    "Question",
    "arguments",
    "came",
    "foresee",
    "of_option",
]

#: How many samples are taken where not all ways are gone.
TIMES = 2_000
#: How long it may take to go all ways, or to take samples, in seconds.
SECONDS = 3.0
#: How many decisions may be answered on one way.
_ANSWERS = 2_000


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
    count = decision.options[branch_of(option)].count
    return (*given, *(option & MASK, option >> SECOND)[:count])


def _option_of(forecast: ForecastSpec, state: StateBase, args: Sequence[Any]) -> int:
    """The first option of the pending decision that a forecast with these arguments is of.

    KeyError where there is none.
    """
    spec, point = state.SPEC, state.point
    for option in state.options if point != NONE else ():
        at = (point, PASS if option == PASS else branch_of(option))
        if at in forecast.at and arguments(spec, point, option, state.about) == tuple(args):
            return option
    raise KeyError(forecast.name)


# ---------------------------------------------------------------------- running one


class Assumptions:
    """How the decisions are answered to which a forecast comes.  *called* gives the value of a
    function of the rules in a state.
    """

    def __init__(self, forecast: ForecastSpec, called: Callable[..., int]) -> None:
        self.called = called
        self.never = forecast.never
        self._by_decision: dict[int, list[tuple[int | None, str]]] = {}
        for (decision, branch), how in forecast.assumed:
            if how != "never":
                self._by_decision.setdefault(decision, []).append((branch, how))

    def answer(self, state: StateBase) -> int | None:
        """The answer to the pending decision; None where nothing is assumed of it."""
        options = state.options
        if options == [PASS]:  # asked only for the sake of a veil
            return PASS
        for branch, how in self._by_decision.get(state.point, ()):
            meant = [o for o in options if branch is None or _branch(o) == branch]
            meant = [o for o in meant if o != PASS] or meant
            if meant and " " in how:
                return self._by_value(state, meant, *how.split())
            if meant:
                return meant[-1 if how == "last" else 0]
        return None

    def _by_value(self, state: StateBase, meant: list[int], how: str, function: str) -> int:
        """Of these options the one that a function values most or least; passing is worth 0."""
        spec, point, about = state.SPEC, state.point, tuple(state.about)
        sign = 1 if how == "most" else -1
        worth = {
            option: sign * self.called(function, state, *arguments(spec, point, option, about))
            for option in meant
        }
        if PASS in state.options:
            worth = {PASS: 0, **worth}
        return max(worth, key=worth.__getitem__)


def _branch(option: int) -> int:
    return PASS if option == PASS else branch_of(option)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a way, at a question or at none."""

    question: tuple[int, int, Values] | None = None


class _Runner:
    """Runs one forecast of certain arguments: to its end, or block by block."""

    def __init__(
        self,
        program: Program,
        forecast: ForecastSpec,
        args: Values,
        state: StateBase,
        option: int | None,
    ) -> None:
        self.program = program
        self.forecast = forecast
        self.args = args
        self.assumed = Assumptions(forecast, program.value_of)
        #: the option that is taken, and how deep it was asked for; None: a procedure is run
        self.option = None
        if forecast.takes:
            self.option = _option_of(forecast, state, args) if option is None else option
        self.asked = (len(state.frames), state.point)
        #: how many scopes are open where the option was asked for
        self.scopes = len(state.shelf)
        self.stepping = isinstance(program, CompiledProgram)

    def begin(self, state: StateBase) -> None:
        """Make a copy of a position one from which the forecast is run."""
        state.log = state.events = None
        state.script = None
        if self.option is None:
            state.frames, state.options = [], []
        if self.stepping:
            assert isinstance(self.program, CompiledProgram)
            if self.option is None:
                self.program.enter(state, self.forecast.name, self.args)
            state.answer = NONE if self.option is None else self.option

    def at_chance(self, state: StateBase) -> bool:
        """Whether the block that is run next is left to chance."""
        program = self.program
        return not isinstance(program, CompiledProgram) or program.at_chance(state)

    def segment(self, state: StateBase) -> _End | None:
        """Run on to the end of a block; None where it goes on."""
        if not self.stepping:
            return self.run(state)
        program, assumed = self.program, self.assumed
        assert isinstance(program, CompiledProgram)
        for _ in range(_ANSWERS):
            asks = program.step(state)
            if asks is None or (self.option is not None and len(state.shelf) < self.scopes):
                return _End()
            if not asks:
                return None
            answer = assumed.answer(state)
            if answer is None:
                return self._ended_at(state)
            state.answer = answer
        raise self._endless()

    def run(self, state: StateBase) -> _End:
        """Run to the end."""
        asked = self.program.foretell(state, self.forecast.name, self.args, self.option)
        for number, _ in enumerate(asked):
            answer = self.assumed.answer(state)
            if answer is None:
                return self._ended_at(state)
            state.answer = answer
            if number > _ANSWERS:
                raise self._endless()
        return _End()

    def all_of_it(self, state: StateBase, chances: Chances) -> _End | None:
        """Run from the beginning to the end, with *chances*; None where these end it."""
        self.begin(state)
        self.script(state, chances)
        try:
            while (end := self.segment(state)) is None:
                pass
        except ChanceReached:
            return None
        return end

    def script(self, state: StateBase, chances: Chances) -> None:
        """Let a state have these chances, and what is assumed."""
        said: Any = chances.said
        state.script, state.observed, state.assumed = chances, said, self.assumed.never

    def _endless(self) -> RulesetFault:
        return RulesetFault(f"forecast {self.forecast.name} goes on without end")

    def _ended_at(self, state: StateBase) -> _End:
        """The end at the pending decision; behind an option that was taken, that which play comes
        to next is none that belongs to it.
        """
        depth, point = self.asked
        if self.option is not None and (
            len(state.frames) < depth or (len(state.frames) == depth and state.point == point)
        ):
            return _End()
        about = state.about if state.SPEC.decisions[state.point].about else ()
        return _End((state.chooser, state.point, _plainly(about)))


def _plainly(values: Sequence[Any]) -> Values:
    """Values as they are told: of dice, the faces in ascending order."""
    return tuple(tuple(sorted(v)) if isinstance(v, tuple) else int(v) for v in values)


def _periods(said: Sequence[tuple[Any, ...] | None]) -> list[dict[int, Values]]:
    """What was observed before and behind each time that chance came in, the last of each name."""
    periods: list[dict[int, Values]] = [{}]
    for one in said:
        if one is None:
            periods.append({})
        else:
            periods[-1][one[0]] = _plainly(one[1:])
    return periods


def came(
    program: Program,
    state: StateBase,
    forecast: str,
    args: Values,
    dice: Mapping[str, list[Any]],
    option: int | None = None,
) -> dict[str, Values]:
    """What a forecast says, by the name of the outcome (the first where it is said again behind
    further chance), where the dice show what was thrown (by die, the faces in order), as far as
    they go.

    RulesetFault where the dice do not fit.
    """
    spec, copy = program.spec, state.copy()
    thrown = ThrownDice(dice, [die.name for die in spec.dice])
    try:
        runner = _Runner(program, spec.forecasts[forecast], args, copy, option)
    except KeyError:
        return {}
    runner.all_of_it(copy, thrown)
    found: dict[str, Values] = {}
    for period in _periods(thrown.said):
        for number, values in period.items():
            found.setdefault(spec.outcomes[number][0], values)
    return found


# ---------------------------------------------------------------------- all ways


@dataclass
class _Node:
    """A state that ways have come to, and what was observed since chance came in last."""

    state: StateBase
    weight: Fraction
    #: how often chance has come in
    times: int
    said: dict[int, Values]


class _Shares:
    """Of equally likely cases, those of each thing; added up as whole numbers."""

    def __init__(self) -> None:
        self.cases: dict[Any, dict[int, int]] = {}

    def add(self, what: Any, cases: int, of: int) -> None:
        """Count cases."""
        counts = self.cases.setdefault(what, {})
        counts[of] = counts.get(of, 0) + cases

    def items(self) -> Iterator[tuple[Any, Fraction]]:
        """Each thing with its share."""
        for what, counts in self.cases.items():
            yield what, sum((Fraction(n, of) for of, n in counts.items()), Fraction())


class _Walk:
    """Goes all ways of a forecast on what a side sees."""

    def __init__(
        self,
        program: Program,
        seen: Sight,
        forecast: ForecastSpec,
        args: Values,
        option: int | None,
        most: int,
        until: float,
        follow: bool,
    ) -> None:
        self.forecast = forecast
        self.most, self.until, self.follow = most, until, follow
        self.tally = Tally()
        self.ways = 0
        if not seen.hides(forecast.reads):
            state = seen.state.copy()
        else:
            state = seen.guarded_state()
        self.runner = _Runner(program, forecast, args, state, option)
        self.runner.begin(state)
        self.start = state
        self.needed = program.needed if isinstance(program, CompiledProgram) else ()
        nested = set(state.NESTED)
        self.slots = [(slot, slot in nested) for slot in forecast.writes]

    def run(self) -> None:
        """Go all ways."""
        onward: dict[Any, _Node] = {}
        script, state = NoChance(), self.start.copy()
        self.runner.script(state, script)
        try:
            end = self._to_chance(state)
        except ChanceReached:  # in the midst of a block
            self._join(self.start, Fraction(1), 0, {}, onward)
        else:
            (said,) = _periods(script.said)
            if end is not None:
                self._note_end(said, end)
                return
            self._join(state, Fraction(1), 0, said, onward)
        for _ in range(LONGEST):
            nodes, onward = onward, {}
            for node in nodes.values():
                self._chance(node, onward)
            if not onward:
                return
        raise TooMany

    def _to_chance(self, state: StateBase) -> _End | None:
        """Run on to the next block that is left to chance; the end where there is none."""
        for done in range(len(ENDLESS)):
            if self.runner.at_chance(state):
                return None
            self._in_time(done)
            end = self.runner.segment(state)
            if end is not None:
                return end
        raise RulesetFault(f"forecast {self.forecast.name} goes on without end")

    def _in_time(self, done: int) -> None:
        if done % 64 == 63 and time.monotonic() > self.until:
            raise TooMany

    def _chance(self, node: _Node, onward: dict[Any, _Node]) -> None:
        """Go all ways of the block at which a node stands; collect where they come to."""
        said, ends, reached = _Shares(), _Shares(), _Shares()
        states: dict[Any, _Node] = {}
        more = None if self.follow else max(0, 1 - node.times)
        silent = node.times > 0 and not node.said
        trail: list[int] = []
        while True:
            self.ways += 1
            if self.ways > self.most:
                raise TooMany
            self._in_time(self.ways)
            way = Way(trail, self.forecast.ordered, more, silent)
            state = node.state.copy()
            self.runner.script(state, way)
            end = self._way(state)
            first, *others = _periods(way.said)
            periods = [{**node.said, **first}, *others]
            last = periods.pop() if end is None else {}
            for times, period in enumerate(periods, node.times):
                self.tally.note(times, period)
                for number, values in period.items():
                    said.add((times, number, values), way.cases, way.of)
            if end is None:
                key = self._join(state, Fraction(), node.times + way.times, last, states)
                reached.add(key, way.cases, way.of)
            elif end.question is not None:
                ends.add(end.question, way.cases, way.of)
            if not way.next():
                break
        for (times, number, values), share in said.items():
            self.tally.add(times, number, values, node.weight * share)
        for question, share in ends.items():
            self.tally.ask(question, node.weight * share)
        for key, share in reached.items():
            other = onward.setdefault(key, states[key])
            other.weight += node.weight * share

    def _way(self, state: StateBase) -> _End | None:
        """Go one way through a block with chance, and on to the next."""
        try:
            end = self.runner.segment(state)
            return self._to_chance(state) if end is None else end
        except ChanceReached:  # further than is told
            return _End()

    def _note_end(self, said: dict[int, Values], end: _End) -> None:
        """Note the end where no chance has come in."""
        self.tally.note(0, said)
        for number, values in said.items():
            self.tally.add(0, number, values, Fraction(1))
        if end.question is not None:
            self.tally.ask(end.question, Fraction(1))

    def _join(
        self,
        state: StateBase,
        weight: Fraction,
        times: int,
        said: dict[int, Values],
        nodes: dict[Any, _Node],
    ) -> Any:
        """Enter a state that a way has come to; ways to the same are one.  The key that it has."""
        state.script = state.observed = None
        key = (times, tuple(said.items()), self._content(state))
        known = nodes.get(key)
        if known is None:
            nodes[key] = _Node(state, weight, times, said)
        else:
            known.weight += weight
        return key

    def _content(self, state: StateBase) -> Values:
        """What can tell states of the forecast from each other."""
        needed, frames = self.needed, state.frames
        taken: list[Any] = []
        if frames:
            for place in needed[frames[-1][0]]:
                if place < 0:
                    taken.append(state.answer if place == -1 else state.result)
        under_way = [(f[0], *(f[i] for i in needed[f[0]] if i > 0)) for f in frames]
        slots = [_plain(getattr(state, slot), deep) for slot, deep in self.slots]
        return (*taken, *under_way, state.deferred, tuple(state.shelf), state.unseen, *slots)


def _plain(value: Any, deep: bool) -> Any:
    """The content of a slot, to be compared; guards of what is not seen are passed by.  *deep*: it
    may be a list of lists.
    """
    if not isinstance(value, list):
        return value
    rows = list.copy(value)
    return (
        tuple(tuple(list.copy(v)) if isinstance(v, list) else v for v in rows)
        if deep
        else tuple(rows)
    )


# ---------------------------------------------------------------------- samples


def _sample(
    program: Program,
    seen: Sight,
    forecast: ForecastSpec,
    args: Values,
    option: int | None,
    rng: Random,
    times: int,
    until: float,
    follow: bool,
) -> tuple[Tally, int]:
    """Run a forecast with dice of its own; what was said how often, and of how many times."""
    fresh: Callable[[], StateBase] = seen.state.copy
    if seen.hides(forecast.reads):
        if not seen.own:
            raise Unseen
        fresh = lambda: seen.sample(rng)  # noqa: E731
    runner = _Runner(program, forecast, args, seen.state, option)
    tally = Tally()
    counts: dict[tuple[int, int, Values], int] = {}
    asked: dict[tuple[int, int, Values], int] = {}
    done = 0
    while done < times and (done < 20 or time.monotonic() < until):
        done += 1
        luck = Luck(rng, None if follow else 1)
        end = runner.all_of_it(fresh(), luck)
        if end is None and follow:
            raise RulesetFault(f"forecast {forecast.name} goes on without end")
        for at, period in enumerate(_periods(luck.said)):
            tally.note(at, period)
            for number, values in period.items():
                counts[at, number, values] = counts.get((at, number, values), 0) + 1
        if end is not None and end.question is not None:
            asked[end.question] = asked.get(end.question, 0) + 1
    for (at, number, values), count in counts.items():
        tally.add(at, number, values, Fraction(count, done))
    for question, count in asked.items():
        tally.ask(question, Fraction(count, done))
    return tally, done


def foresee(
    program: Program,
    seen: Sight,
    forecast: ForecastSpec,
    args: Values,
    rng: Random | None = None,
    *,
    option: int | None = None,
    most: int = MOST_WAYS,
    times: int = TIMES,
    seconds: float = SECONDS,
    follow: bool = True,
) -> ForecastResult:
    """What *forecast* says of *args*, as far as the side knows whose view *seen* is; *option* is
    the one that it is asked of, where it is of several with the same arguments.

    All ways are gone, *most* of them and for so many *seconds* at most; else *times* samples are
    taken. Without *follow* only what comes first is told: the outcomes of depth 0.  Unseen where it
    hangs on what the side does not see, and the decision is not the side's own; RulesetFault where
    the rules fail; KeyError where it is of an option that is not offered.
    """
    spec = program.spec
    try:
        until = time.monotonic() + seconds
        walk = _Walk(program, seen, forecast, args, option, most, until, follow)
        walk.run()
        return walk.tally.foreseen(spec, forecast.name, walk.ways, False)
    except (TooMany, Unseen):
        pass
    until = time.monotonic() + seconds
    rng = rng or Random("forecast")
    tally, done = _sample(program, seen, forecast, args, option, rng, times, until, follow)
    return tally.foreseen(spec, forecast.name, done, True)
