"""Where a travel leads, and why a hex is not among those that it reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from compiler import ir
from compiler.interpreter.rules import bind
from compiler.interpreter.travel import approaches, ends, passable, way
from compiler.interpreter.values import Locals
from compiler.ir.travels import TravelInfo
from compiler.trees import substitute, varying
from compiler.types import Type
from grognard.explain.conditions import Conditions, parts
from grognard.explain.rules import HIDDEN, Rules, place_of
from runtime.games.explanation import Explanation, Reason
from runtime.model import NONE
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault, StateBase
from runtime.view import Unseen

#: More than any travel may cost.
_ANYTHING = 10**6


def not_among(
    conditions: Conditions, source: ir.Expr, value: int, env: Locals, lets: Mapping[str, ir.Expr]
) -> list[Reason]:
    """Why a value is not among the members of a set; *lets* are what locals were given."""
    rules = conditions.rules
    of = source.type.of or Type("enum", source.type.name)
    text = f"{conditions.value(value, of)} is not in: {rules.text(source)}"
    locals_ = (part.name for part in parts(source) if isinstance(part, ir.Local))
    sources = [source, *(lets[name] for name in locals_ if name in lets)]
    reach = next((e for one in sources for e in parts(one) if isinstance(e, ir.Reach)), None)
    if reach is None:
        reach, env = _inside(conditions, sources, env)
    below: list[Reason] = []
    if reach is not None:
        args = [conditions.x.value(a, env) for a in reach.args]
        travel = conditions.program.travels[reach.travel]
        below = Arrival(conditions, travel, args, value).reasons()
    return [Reason(text, below=tuple(below), role="because", place=place_of(source.span))]


def _inside(
    conditions: Conditions, sources: list[ir.Expr], env: Locals
) -> tuple[ir.Reach | None, Locals]:
    """The first travel in a function that is called, and what its parameters are there."""
    for call in (e for one in sources for e in parts(one) if isinstance(e, ir.Apply)):
        called = conditions.program.calls[call.name]
        inner = () if called.body is None else parts(called.body)
        reach = next((e for e in inner if isinstance(e, ir.Reach)), None)
        if reach is not None and called.kind == "function":
            values = [conditions.x.value(a, env) for a in call.args]
            return reach, bind(called.params, values)
    return None, env


class Arrival:
    """What keeps a travel from ending in a hex."""

    def __init__(
        self, conditions: Conditions, travel: TravelInfo, args: list[Any], target: int
    ) -> None:
        self.conditions, self.travel, self.args, self.target = conditions, travel, args, target
        self.x, self.rules, self.board = conditions.x, conditions.rules, conditions.x.board
        self.label = self.board.label
        self.env = bind(travel.params, args)

    def reasons(self) -> list[Reason]:
        """Why it does not end there."""
        x, travel, target, rules = self.x, self.travel, self.target, self.rules
        # Where it depends on the way, how far it goes from the start.
        begun = {**self.env, **{c.after: x.value(c.initial, self.env) for c in travel.carried}}
        start, budget = x.number(travel.origin, self.env), x.number(travel.budget, begun)
        name = travel.via_of or travel.name
        if start < 0:
            return [self._statement(f"{name} has nowhere to start from")]
        if start == target:
            plain = rules.plainly("it stands there")
            return [self._statement(f"{name} starts there", plain)]
        text = rules.text(travel.budget)
        far = f"{name} from {self.label(start)} goes as far as {budget}: {text}"
        return [self._statement(far), self._against(start, budget)]

    def _statement(self, text: str, plain: str = "") -> Reason:
        """A statement about the travel."""
        travel = self.travel
        return self.rules.statement(text, travel.rules, plain=plain, span=travel.span)

    def _against(self, start: int, budget: int) -> Reason:
        """What speaks against it, which can start and costs at most *budget*."""
        x, travel, target = self.x, self.travel, self.target
        away = self.board.distance(start, target)
        if travel.cost is None and away > budget and not varying(travel):
            return self._short(away, budget)
        if travel.carried:
            return self._not_arrived()
        reached = {*ends(x, travel, self.args), start}
        there = {**self.env, travel.there: target}
        if travel.end is not None and not x.holds(travel.end, there):
            return self._no_end(travel.end, there)
        for here in self.board.neighbors[target]:
            step = {**there, travel.here: here}
            if here in reached and not x.holds(travel.enter, step):
                return self._no_step(step)
        return self._barrier(start) or self._too_far(budget, reached)

    def _short(self, needed: int, budget: int) -> Reason:
        """That a way costs more than there is."""
        if self.travel.cost is None:
            text = f"it is {needed} hexes away"
            message = "{needed: 1 # hex | # hexes} away, goes {budget} at most"
        else:
            text = f"the cheapest way costs {needed}"
            message = "needs {needed} points, has {budget}"
        plain = self.rules.plainly(message, needed=needed, budget=budget)
        return self._statement(text, plain)

    def _too_far(self, budget: int, reached: set[int]) -> Reason:
        """Why no way is short enough: what it costs, or where it must stop."""
        most = ir.Const(_ANYTHING, type=self.travel.budget.type)
        cost = ends(self.x, replace(self.travel, budget=most), self.args).get(self.target)
        if cost is not None:
            return self._short(cost, budget)
        for here in self.board.neighbors[self.target]:
            if here in reached and self._halts(here):
                return self._stop(here)
        return self._no_way()

    def _barrier(self, here: int) -> Reason | None:
        """What bars the direct way from *here*, which is short enough; None where it is not,
        either.
        """
        travel = self.travel
        free = replace(travel, enter=ir.Const(True, type=travel.enter.type), halt=None)
        for there in way(self.x, free, self.args, self.target):
            step = {**self.env, travel.here: here, travel.there: there}
            if not self.x.holds(travel.enter, step):
                return self._no_step(step)
            if there != self.target and self._halts(there):
                return self._stop(there)
            here = there
        return None

    def _no_step(self, step: Locals, carried: str = "") -> Reason:
        """Why a step is not allowed; its reasons with the hex, if that was not asked for."""
        here, there = step[self.travel.here], step[self.travel.there]
        assert isinstance(here, int) and isinstance(there, int)
        below = self.conditions.because(self.travel.enter, step)
        if there != self.target:
            below = [self._on_the_way(reason, self.label(there)) for reason in below]
        text = f"no step from {self.label(here)} to {self.label(there)}{carried}:"
        return Reason(text, below=tuple(below))

    def _on_the_way(self, reason: Reason, place: str) -> Reason:
        message = "on the way, at {hex}: {why}"
        plain = self.rules.plainly(message, hex=place, why=reason.plain) if reason.plain else ""
        below = tuple(self._on_the_way(one, place) for one in reason.below)
        return replace(reason, plain=plain, below=below)

    def _halts(self, here: int) -> bool:
        halt = self.travel.halt
        return halt is not None and self.x.holds(halt, {**self.env, self.travel.there: here})

    def _stop(self, here: int) -> Reason:
        plain = self.rules.plainly("a move must stop at {hex}", hex=self.label(here))
        text = f"a move must stop at {self.label(here)}"
        return self._statement(text, plain)

    def _no_end(self, end: ir.Expr, env: Locals) -> Reason:
        below = self.conditions.because(end, env)
        return Reason(f"it may not end in {self.label(self.target)}:", below=tuple(below))

    def _not_arrived(self) -> Reason:
        """What is wrong, in a travel that carries values, with the end, or else with the step
        before it.
        """
        travel = self.travel
        refused: Reason | None = None
        for before, after in approaches(self.x, travel, self.args, self.target):
            if not self.x.holds(travel.enter, before):
                value = self.conditions.value
                carried = (f"{c.name} {value(before[c.before], c.type)}" for c in travel.carried)
                refused = refused or self._no_step(before, f" with {', '.join(carried)}")
            elif travel.end is not None and not self.x.holds(travel.end, after):
                # The values after the step under the names that the ruleset gives them.
                names: dict[str, ir.Expr] = {
                    c.after: ir.Local(c.before, type=c.type) for c in travel.carried
                }
                arrived = {**after, **{c.before: after[c.after] for c in travel.carried}}
                return self._no_end(substitute(travel.end, names), arrived)
        return refused or self._forced_stop() or self._no_way()

    def _forced_stop(self) -> Reason | None:
        """Where a travel that carries values must stop which would arrive if it went on."""
        onward = way(self.x, replace(self.travel, halt=None), self.args, self.target)
        goes_on = passable(self.x, self.travel, self.args) if onward else ()
        return next((self._stop(h) for h in onward[:-1] if h not in goes_on), None)

    def _no_way(self) -> Reason:
        plain = self.rules.plainly("no way leads there")
        return Reason("no way leads there that is short enough", plain=plain)


def explain_travel(
    rules: Rules, state: StateBase, name: str, args: list[Any], target: int | None, setup: SetUp
) -> Explanation:
    """Where a travel leads and at what cost, or the way to *target*, or why there is none."""
    travel = rules.program.travels[name]
    conditions = Conditions(rules, state, setup)
    label = conditions.x.board.label
    shown = f"{name}({conditions.arguments(args, travel.params)})"
    note, cited = rules.cite(travel.rules), tuple(travel.rules)
    try:
        reached = ends(conditions.x, travel, args)
        if target is None:
            hexes = sorted(reached, key=lambda h: (reached[h], h))
            ends_in = ", ".join(f"{label(h)} ({reached[h]})" for h in hexes) or "nowhere"
            number = sum(1 << h for h in reached)
            return Explanation(f"{shown} leads to {ends_in}", (), number, cited, note)
        if target in reached:
            by = ", ".join(map(label, way(conditions.x, travel, args, target)))
            text = f"{shown} to {label(target)} costs {reached[target]}: by {by}"
            return Explanation(text, (), reached[target], cited, note)
        reasons = Arrival(conditions, travel, args, target).reasons()
    except RulesetFault as fault:
        return Explanation(f"{shown}: {fault}")
    except Unseen:
        return Explanation(f"{shown} {HIDDEN}")
    text = f"{shown} does not lead to {label(target)}"
    return Explanation(text, tuple(reasons), NONE, cited, note)
