"""Where a travel leads, and why a hex is not among those that it reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from compiler import ir
from compiler.interpreter.travel import approaches, ends, way
from compiler.ir.travels import TravelInfo
from compiler.trees import substitute, varying
from compiler.types import Type
from grognard.explain.conditions import Conditions, Locals, parts
from grognard.explain.explanation import Explanation, Reason
from grognard.explain.rules import HIDDEN, Rules
from grognard.explain.values import names_of
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
    sources = [source, *(lets[e.name] for e in parts(source) if isinstance(e, ir.Local) and e.name in lets)]
    reach = next((e for one in sources for e in parts(one) if isinstance(e, ir.Reach)), None)
    if reach is None:
        reach, env = _inside(conditions, sources, env)
    below = not_reached(conditions, reach, value, env) if reach is not None else []
    return [Reason(text, below=tuple(below), role="because")]


def _inside(
    conditions: Conditions, sources: list[ir.Expr], env: Locals
) -> tuple[ir.Reach | None, dict[str, Any]]:
    """The first travel in a function that is called, and what its parameters are there."""
    for call in (e for one in sources for e in parts(one) if isinstance(e, ir.Apply)):
        called = conditions.program.calls[call.name]
        reach = (
            next((e for e in parts(called.body) if isinstance(e, ir.Reach)), None) if called.body else None
        )
        if reach is not None and called.kind == "function":
            values = [conditions.x.value(a, dict(env)) for a in call.args]
            return reach, dict(zip((p.name for p in called.params), values, strict=True))
    return None, dict(env)


def not_reached(conditions: Conditions, reach: ir.Reach, target: int, env: Locals) -> list[Reason]:
    """Why a travel does not end in a hex, which stands in a condition."""
    args = [conditions.x.value(a, dict(env)) for a in reach.args]
    return not_arriving(conditions, conditions.program.travels[reach.travel], args, target)


def not_arriving(conditions: Conditions, travel: TravelInfo, args: list[Any], target: int) -> list[Reason]:
    """Why a travel does not end in a hex."""
    x, rules = conditions.x, conditions.rules
    inner: dict[str, Any] = dict(zip((p.name for p in travel.params), args, strict=True))
    board = x.board
    # Where it depends on the way, how far it goes from the start.
    begun = {**inner, **{c.after: x.value(c.initial, inner) for c in travel.carried}}
    start, budget = x.number(travel.origin, inner), x.number(travel.budget, begun)
    name = travel.via_of or travel.name
    if start < 0:
        return [rules.said(f"{name} has nowhere to start from", travel.rules)]
    if start == target:
        return [rules.said(f"{name} starts there", travel.rules, plain=rules.plainly("it stands there"))]
    far = f"{name} from {board.label(start)} goes as far as {budget}: {rules.text(travel.budget)}"
    head = rules.said(far, travel.rules)
    away = board.distance(start, target)
    if travel.cost is None and away > budget and not varying(travel):
        return [head, _short(conditions, travel, away, budget)]
    if travel.carried:
        return [head, _not_arrived(conditions, travel, args, target)]
    reached = {*ends(x, travel, args), start}
    there = {**inner, travel.there: target}
    if travel.end is not None and not x.holds(travel.end, dict(there)):
        return [head, _no_end(conditions, board.label(target), travel.end, there)]
    for here in board.neighbors[target]:
        step = {**there, travel.here: here}
        if here in reached and not x.holds(travel.enter, dict(step)):
            text = f"no step from {board.label(here)} to {board.label(target)}:"
            return [head, Reason(text, below=tuple(conditions.because(travel.enter, step)))]
    return [head, _too_far(conditions, travel, args, target, budget, reached)]


def _short(conditions: Conditions, travel: TravelInfo, needed: int, budget: int) -> Reason:
    """That a way costs more than there is."""
    plainly, far = conditions.rules.plainly, travel.cost is None
    return Reason(
        f"it is {needed} hexes away" if far else f"the cheapest way costs {needed}",
        tuple(travel.rules),
        conditions.rules.cite(travel.rules),
        plain=plainly("{needed: 1 # hex | # hexes} away, goes {budget} at most", needed=needed, budget=budget)
        if far
        else plainly("needs {needed} points, has {budget}", needed=needed, budget=budget),
    )


def _too_far(
    conditions: Conditions, travel: TravelInfo, args: list[Any], target: int, budget: int, reached: set[int]
) -> Reason:
    """Why no way is short enough: what it costs, or where it must stop."""
    x = conditions.x
    barred = _barred(conditions, travel, args, target)
    if barred is not None:
        return barred
    endless = replace(travel, budget=ir.Const(_ANYTHING, type=travel.budget.type))
    cost = ends(x, endless, args).get(target)
    if cost is not None:
        return _short(conditions, travel, cost, budget)
    inner: dict[str, Any] = dict(zip((p.name for p in travel.params), args, strict=True))
    for here in x.board.neighbors[target]:
        if here in reached and _halts(conditions, travel, inner, here):
            return _stop(conditions, travel, here)
    return _no_way(conditions)


def _halts(conditions: Conditions, travel: TravelInfo, env: Locals, here: int) -> bool:
    return travel.halt is not None and conditions.x.holds(travel.halt, {**env, travel.there: here})


def _stop(conditions: Conditions, travel: TravelInfo, here: int) -> Reason:
    label = conditions.x.board.label(here)
    plain = conditions.rules.plainly("a move must stop at {hex}", hex=label)
    return conditions.rules.said(f"a move must stop at {label}", travel.rules, plain=plain)


def _barred(conditions: Conditions, travel: TravelInfo, args: list[Any], target: int) -> Reason | None:
    """What bars the direct way, which is short enough; None where it is not, either."""
    x, label = conditions.x, conditions.x.board.label
    free = replace(travel, enter=ir.Const(True, type=travel.enter.type), halt=None)
    inner: dict[str, Any] = dict(zip((p.name for p in travel.params), args, strict=True))
    here = x.number(travel.origin, inner)
    for there in way(x, free, args, target):
        step = {**inner, travel.here: here, travel.there: there}
        if not x.holds(travel.enter, dict(step)):
            text = f"no step from {label(here)} to {label(there)}:"
            below = conditions.because(travel.enter, step)
            if there != target:
                below = [_on_the_way(conditions, reason, label(there)) for reason in below]
            return Reason(text, below=tuple(below))
        if there != target and _halts(conditions, travel, inner, there):
            return _stop(conditions, travel, there)
        here = there
    return None


def _on_the_way(conditions: Conditions, reason: Reason, place: str) -> Reason:
    """A reason with the hex where it holds, as that is not the one that was asked for."""
    message = "on the way, at {hex}: {why}"
    told = conditions.rules.plainly(message, hex=place, why=reason.plain) if reason.plain else ""
    below = tuple(_on_the_way(conditions, one, place) for one in reason.below)
    return replace(reason, plain=told, below=below)


def explain_travel(
    rules: Rules, state: StateBase, name: str, args: list[Any], target: int | None, setup: SetUp
) -> Explanation:
    """Where a travel leads and at what cost, or the way to *target*, or why there is none."""
    travel = rules.program.travels[name]
    conditions = Conditions(rules, state, names_of(setup))
    label = conditions.x.board.label
    shown = f"{name}({conditions.arguments(args, travel.params)})"
    note = rules.cite(travel.rules)
    cited = tuple(travel.rules)
    try:
        found = ends(conditions.x, travel, args)
        if target is None:
            hexes = sorted(found, key=lambda h: (found[h], h))
            told = ", ".join(f"{label(h)} ({found[h]})" for h in hexes) or "nowhere"
            number = sum(1 << h for h in found)
            return Explanation("travel", f"{shown} leads to {told}", (), told, number, cited, note)
        if target in found:
            hexes = list(way(conditions.x, travel, args, target))
            text = f"{shown} to {label(target)} costs {found[target]}: by {', '.join(map(label, hexes))}"
            return Explanation("travel", text, (), str(found[target]), found[target], cited, note)
        reasons = not_arriving(conditions, travel, args, target)
    except RulesetFault as fault:
        return Explanation("travel", f"{shown}: {fault}")
    except Unseen:
        return Explanation("travel", f"{shown} {HIDDEN}")
    return Explanation(
        "travel", f"{shown} does not lead to {label(target)}", tuple(reasons), "none", NONE, cited, note
    )


def _no_end(conditions: Conditions, label: str, end: ir.Expr, env: Locals) -> Reason:
    return Reason(f"it may not end in {label}:", below=tuple(conditions.because(end, env)))


def _not_arrived(conditions: Conditions, travel: TravelInfo, args: list[Any], target: int) -> Reason:
    """Why a travel that carries values does not end in a hex: what is wrong with the end, or else with the
    step before it.
    """
    x = conditions.x
    label = x.board.label
    refused: Reason | None = None
    for before, after in approaches(x, travel, args, target):
        if not x.holds(travel.enter, before):
            carried = ", ".join(
                f"{c.name} {conditions.value(before[c.before], c.type)}" for c in travel.carried
            )
            text = f"no step from {label(before[travel.here])} to {label(target)} with {carried}:"
            refused = refused or Reason(text, below=tuple(conditions.because(travel.enter, before)))
        elif travel.end is not None and not x.holds(travel.end, after):
            # The values after the step under the names that the ruleset gives them.
            end = substitute(travel.end, {c.after: ir.Local(c.before, type=c.type) for c in travel.carried})
            arrived = {**after, **{c.before: after[c.after] for c in travel.carried}}
            return _no_end(conditions, label(target), end, arrived)
    return refused or _no_way(conditions)


def _no_way(conditions: Conditions) -> Reason:
    return Reason(
        "no way leads there that is short enough", plain=conditions.rules.plainly("no way leads there")
    )
