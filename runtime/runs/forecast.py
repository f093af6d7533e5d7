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

import marshal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from random import Random
from typing import Any

from runtime.model import MASK, NONE, PASS, SECOND, ForecastSpec, RulesetSpec, branch_of
from runtime.program import CompiledProgram, Program
from runtime.runs.chances import MOST_WAYS, Chanced, Chances, Luck, NoChance, Thrown, TooMany, Way
from runtime.runs.outcomes import Alternative, Foreseen, Foretold, Key, Question, Tally, Values
from runtime.services import ENDLESS
from runtime.state import RulesetFault, StateBase
from runtime.view import Sight, Unseen

__all__ = [
    "MOST_WAYS",
    "Alternative",
    "Assumptions",
    "Foreseen",
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
#: How often chance may come in on one way, and how many decisions may be answered on it.
_LONGEST, _ANSWERS = 200, 2_000


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


def option_of(forecast: ForecastSpec, state: StateBase, args: Sequence[Any]) -> int:
    """The option of the pending decision that a forecast with these arguments is of.

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
    """How the decisions are answered to which a forecast comes."""

    def __init__(self, forecast: ForecastSpec) -> None:
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
            if meant:
                return meant[-1 if how == "last" else 0]
        return None


def _branch(option: int) -> int:
    return PASS if option == PASS else branch_of(option)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a way, at a question or at none."""

    question: tuple[int, int, Values] | None = None


class _Runner:
    """Runs one forecast of certain arguments: to its end, or block by block."""

    def __init__(
        self, program: Program, forecast: ForecastSpec, args: Values, state: StateBase
    ) -> None:
        self.program = program
        self.forecast = forecast
        self.args = args
        self.assumed = Assumptions(forecast)
        #: the option that is taken, and how deep it was asked for; None: a procedure is run
        self.option = option_of(forecast, state, args) if forecast.takes else None
        self.asked = (len(state.frames), state.point)
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

    def segment(self, state: StateBase) -> _End | None:
        """Run on to the end of a block; None where it goes on."""
        if not self.stepping:
            return self.run(state)
        program, assumed = self.program, self.assumed
        assert isinstance(program, CompiledProgram)
        for _ in range(_ANSWERS):
            asks = program.step(state)
            if asks is None:
                return _End()
            if not asks:
                returned = self.option is not None and len(state.frames) < self.asked[0]
                return _End() if returned else None
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
        except Chanced:
            return None
        return end

    def script(self, state: StateBase, chances: Chances) -> None:
        """Let a state have these chances, and what is assumed."""
        said: Any = chances.said
        state.script, state.observed, state.assumed = chances, said, self.assumed.never

    def _endless(self) -> RulesetFault:
        return RulesetFault(f"forecast {self.forecast.name} goes on without end")

    def _ended_at(self, state: StateBase) -> _End:
        """The end at the pending decision; where it is that of which an option was taken, asked
        again, nothing of the option is left.
        """
        if self.option is not None and self.asked == (len(state.frames), state.point):
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


def _keys(said: Mapping[int, Values], before: dict[int, int]) -> list[Key]:
    """What was observed, with how often that was so *before*, which is counted on."""
    keys = [(number, before.get(number, 0)) for number in said]
    for number, times in keys:
        before[number] = times + 1
    return keys


def came(
    program: Program, state: StateBase, forecast: str, args: Values, dice: Mapping[str, list[Any]]
) -> dict[str, Values]:
    """What a forecast says, by the name of the outcome (the first where it is said again behind
    further chance), where the dice show what was thrown (by die, the faces in order), as far as
    they go.

    RulesetFault where the dice do not fit.
    """
    spec, copy = program.spec, state.copy()
    thrown = Thrown(dice, [die.name for die in spec.dice])
    try:
        runner = _Runner(program, spec.forecasts[forecast], args, copy)
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
    #: how often each outcome was observed before that
    before: dict[int, int]


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
        most: int,
        until: float,
        far: bool,
    ) -> None:
        self.forecast = forecast
        self.most, self.until, self.far = most, until, far
        self.tally = Tally()
        self.ways = 0
        if not seen.hides(forecast.reads):
            state = seen.state.copy()
        elif seen.state.NATIVE and isinstance(program, CompiledProgram):
            program = program.plain
            state = seen.guarded(program.state_class)
        else:
            state = seen.guarded()
        self.runner = _Runner(program, forecast, args, state)
        self.runner.begin(state)
        self.start = state
        self.needed = program.needed if isinstance(program, CompiledProgram) else ()
        self.chancy = program.chancy if isinstance(program, CompiledProgram) else ()
        self.written = attrgetter("deferred", "shelf", *forecast.writes)

    def run(self) -> None:
        """Go all ways."""
        nodes = [_Node(self.start, Fraction(1), 0, {}, {})]
        for _ in range(_LONGEST):
            at_chance: dict[Any, _Node] = {}
            for node in nodes:
                self._on(node, at_chance)
            onward: dict[Any, _Node] = {}
            for node in at_chance.values():
                self._chance(node, onward)
            nodes = list(onward.values())
            if not nodes:
                return
        raise TooMany

    def _copy(self, state: StateBase, chances: Chances) -> StateBase:
        """A copy to go on in."""
        copy = state.copy()
        self.runner.script(copy, chances)
        return copy

    def _on(self, node: _Node, at_chance: dict[Any, _Node]) -> None:
        """Go on to the next block with chance, or to the end."""
        script = NoChance()
        base = state = node.state  # what stays behind where chance may come in, and what runs ahead
        self.runner.script(state, script)
        ahead = observed = 0
        end: _End | None = None
        for done in range(len(ENDLESS)):
            self._in_time(done)
            if state is base and self._chancy(state):
                state, ahead, observed = self._copy(state, script), 0, len(script.said)
            try:
                end = self.runner.segment(state)
            except Chanced:
                break
            if end is not None:
                break
            ahead += 1
        else:
            raise RulesetFault(f"forecast {self.forecast.name} goes on without end")
        if end is None:
            del script.said[observed:]
            for _ in range(ahead):
                self.runner.segment(base)
        node.said.update(*_periods(script.said))
        if end is None:
            self._join(node, at_chance)
            return
        keys = _keys(node.said, dict(node.before))
        self.tally.note(node.times, keys)
        for key, values in zip(keys, node.said.values(), strict=True):
            self.tally.add(key, values, node.weight)
        if end.question is not None:
            self.tally.ask(end.question, node.weight)

    def _chancy(self, state: StateBase) -> bool:
        """Whether chance may come in before the next block that waits."""
        frames = state.frames
        return not self.chancy or (bool(frames) and bool(self.chancy[frames[-1][0]]))

    def _in_time(self, done: int) -> None:
        if done % 64 == 63 and time.monotonic() > self.until:
            raise TooMany

    def _chance(self, node: _Node, onward: dict[Any, _Node]) -> None:
        """Go all ways of the block at which a node stands; collect where they come to."""
        said, ends, reached = _Shares(), _Shares(), _Shares()
        states: dict[Any, _Node] = {}
        more = None if self.far else max(0, 1 - node.times)
        trail: list[int] = []
        while True:
            self.ways += 1
            if self.ways > self.most:
                raise TooMany
            self._in_time(self.ways)
            way = Way(trail, self.forecast.ordered, more)
            state = self._copy(node.state, way)
            end = self._way(state)
            first, *others = _periods(way.said)
            periods = [{**node.said, **first}, *others]
            last = periods.pop() if end is None else {}
            before = dict(node.before)
            for times, period in enumerate(periods, node.times):
                keys = _keys(period, before)
                self.tally.note(times, keys)
                for one in zip(keys, period.values(), strict=True):
                    said.add(one, way.cases, way.of)
            if end is None:
                times = node.times + way.times
                come = self._join(_Node(state, Fraction(), times, last, before), states)
                reached.add(come, way.cases, way.of)
            elif end.question is not None:
                ends.add(end.question, way.cases, way.of)
            if not way.next():
                break
        for (key, values), share in said.items():
            self.tally.add(key, values, node.weight * share)
        for question, share in ends.items():
            self.tally.ask(question, node.weight * share)
        for key, share in reached.items():
            other = onward.setdefault(key, states[key])
            other.weight += node.weight * share

    def _way(self, state: StateBase) -> _End | None:
        """Go one way to the end of the block."""
        try:
            return self.runner.segment(state)
        except Chanced:  # further than is told
            return _End()

    def _join(self, node: _Node, nodes: dict[Any, _Node]) -> Any:
        """Enter a state that a way has come to; ways to the same are one.  The key that it has."""
        node.state.script = node.state.observed = None
        said, before = tuple(node.said.items()), tuple(sorted(node.before.items()))
        key = (node.times, said, before, self._content(node.state))
        known = nodes.setdefault(key, node)
        if known is not node:
            known.weight += node.weight
        return key

    def _content(self, state: StateBase) -> bytes:
        """What can tell states of the forecast from each other."""
        needed, frames = self.needed, state.frames
        taken: list[Any] = []
        if frames:
            for place in needed[frames[-1][0]]:
                if place < 0:
                    taken.append(state.answer if place == -1 else state.result)
        under_way = [(f[0], *(f[i] for i in needed[f[0]] if i > 0)) for f in frames]
        return marshal.dumps((taken, under_way, *map(_plain, self.written(state))), 2)


def _plain(value: Any) -> Any:
    """The content of a slot; guards of what is not seen are passed by."""
    if not isinstance(value, list):
        return value
    if type(value) is not list:
        return list.copy(value)
    if value and isinstance(value[0], list):
        return [list.copy(part) for part in value]
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
) -> tuple[Tally, int]:
    """Run a forecast with dice of its own; what was said how often, and of how many times."""
    fresh: Callable[[], StateBase] = seen.state.copy
    if seen.hides(forecast.reads):
        if not seen.own:
            raise Unseen
        fresh = lambda: seen.sample(rng)  # noqa: E731
    runner = _Runner(program, forecast, args, seen.state)
    tally = Tally()
    counts: dict[tuple[Key, Values], int] = {}
    asked: dict[tuple[int, int, Values], int] = {}
    done = 0
    while done < times and (done < 20 or time.monotonic() < until):
        done += 1
        luck = Luck(rng, _LONGEST)
        end = runner.all_of_it(fresh(), luck)
        if end is None:
            raise RulesetFault(f"forecast {forecast.name} goes on without end")
        before: dict[int, int] = {}
        for at, period in enumerate(_periods(luck.said)):
            keys = _keys(period, before)
            tally.note(at, keys)
            for one in zip(keys, period.values(), strict=True):
                counts[one] = counts.get(one, 0) + 1
        if end is not None and end.question is not None:
            asked[end.question] = asked.get(end.question, 0) + 1
    for (key, values), count in counts.items():
        tally.add(key, values, Fraction(count, done))
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
    most: int = MOST_WAYS,
    times: int = TIMES,
    seconds: float = SECONDS,
    follow: bool = True,
) -> Foreseen:
    """What *forecast* says of *args*, as far as the side knows whose view *seen* is.

    All ways are gone, *most* of them and for so many *seconds* at most; else *times* samples are
    taken. Without *follow*, where there are too many, ways end before that where chance comes in
    for the second time; what is told of outcomes of depth 0 is then what it comes to till there.
    Unseen where it hangs on what the side does not see, and the decision is not the side's own;
    RulesetFault where the rules fail; KeyError where it is of an option that is not offered.
    """
    spec = program.spec
    start = time.monotonic()
    for far in (True,) if follow else (True, False):
        until = start + (seconds if far is follow else seconds / 2)
        try:
            walk = _Walk(program, seen, forecast, args, most, until, far)
            walk.run()
            return walk.tally.foreseen(spec, forecast.name, walk.ways, False)
        except TooMany:
            continue
        except Unseen:
            break
    until = time.monotonic() + seconds
    rng = rng or Random("forecast")
    tally, done = _sampled(program, seen, forecast, args, rng, times, until)
    return tally.foreseen(spec, forecast.name, done, True)
