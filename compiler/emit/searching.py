"""Travels that carry nothing, as Python functions that search hexes."""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.expressions import ExpressionEmitter
from compiler.emit.inline import mentions
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer, arguments, parameters
from compiler.ir.travels import TravelInfo
from compiler.trees import conjuncts, varying


def begin_travel(travel: TravelInfo, w: Writer, x: ExpressionEmitter, more: str = "") -> None:
    """The head of ``travel_t``, with *more* parameters: where it begins and how far it goes."""
    given = parameters(travel.params) + more
    w.add(f"def travel_{travel.name}(s: State{given}, target: int = -1) -> dict[int, int]:")
    w.depth = 1
    if travel.rules:
        w.add(f"# {', '.join(travel.rules)}")
    w.place = travel.origin.span
    w.add(f"start = {x.expr(travel.origin)}")
    if not varying(travel):
        w.place = travel.budget.span
        w.add(f"budget = {x.expr(travel.budget)}")


def step_cost(cost: ir.Expr | None, x: ExpressionEmitter) -> str:
    """What a step costs: 1 at least."""
    if cost is None:
        return "1"
    step = x.simple(cost)
    return f"({step} if {step} > 0 else 1)"


def emit_searching(program: Emission, travel: TravelInfo, ways: bool) -> list[Code]:
    """``travel_t``; with *ways*, ``way_t`` too."""
    w = Writer(f"travel_{travel.name}", travel.span)
    x = expressions_for(program, w)
    begin_travel(travel, w, x, ", inside: dict[int, int] | None = None" if ways else "")
    w.add("ends: dict[int, int] = {}")
    if any(e is not None and mentions(e, travel.here) for e in (travel.halt, travel.end)):
        (_every_step if travel.cost is None else _every_arrival)(travel, w, x, ways)
    elif travel.cost is None:
        _breadth_first(travel, w, x, ways)
    else:
        _cheapest_first(travel, w, x, ways)
    w.depth = 1
    w.add("return ends")
    return [w.code, _way(program, travel)] if ways else [w.code]


def _way(program: Emission, travel: TravelInfo) -> Code:
    """The hexes of a cheapest way, found by following the costs back from its end."""
    w = Writer(f"way_{travel.name}", travel.span)
    x = expressions_for(program, w)
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add(f"def way_{travel.name}(s: State{parameters(travel.params)}, target: int) -> tuple[int, ...]:")
    w.depth = 1
    w.add("inside: dict[int, int] = {}")
    w.add(f"ends = travel_{travel.name}(s{arguments(travel.params)}, inside)")
    w.add("if target not in ends:")
    w.add("    return ()")
    w.add("found = [target]")
    w.add("cost = ends[target]")
    w.add(f"{there} = target")
    w.add("while cost > 0:")
    w.depth += 1
    w.add(f"for {here} in NEIGHBORS[{there}]:")
    w.depth += 1
    w.add(f"if {here} not in inside:")
    w.add("    continue")
    _refuse(travel, w, x)
    # Where it matters from where one comes, not every step at the right cost is one to end with or to go on
    # from.
    if travel.end is not None and mentions(travel.end, travel.here):
        w.add(f"if cost == ends[target] and not {x.expr(travel.end)}:")
        w.add("    continue")
    if travel.halt is not None and mentions(travel.halt, travel.here):
        w.add(f"if cost != ends[target] and {x.expr(travel.halt)}:")
        w.add("    continue")
    w.add(f"if inside[{here}] + {step_cost(travel.cost, x)} == cost:")
    w.add("    break")
    w.depth -= 1
    w.add("else:")
    w.add("    break")
    w.add(f"cost = inside[{here}]")
    w.add(f"{there} = {here}")
    w.add("if cost > 0:")
    w.add(f"    found.append({there})")
    w.depth = 1
    w.add("found.reverse()")
    w.add("return tuple(found)")
    return w.code


def _begin_steps(travel: TravelInfo, known: str, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Open the loops of a search that goes a step further at each turn; the start is *known*."""
    w.add(f"{known} = {{start}}")
    if ways:
        _remember("start", "0", w)
    w.add("edge = [start]")
    w.add("steps = 0")
    x.enter([travel.here, travel.there])
    w.add("while edge and steps < budget:")
    w.depth += 1
    w.add("steps += 1")
    w.add("beyond: list[int] = []")
    w.add(f"for v_{travel.here} in edge:")
    w.depth += 1
    w.add(f"for v_{travel.there} in NEIGHBORS[v_{travel.here}]:")
    w.depth += 1


def _end_steps(w: Writer, x: ExpressionEmitter) -> None:
    w.depth = 2
    w.add("edge = beyond")
    x.leave()


def _breadth_first(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    there = f"v_{travel.there}"
    # A refusal that does not depend on where one comes from holds for good.
    once = not mentions(travel.enter, travel.here)
    _begin_steps(travel, "seen", w, x, ways)
    w.add(f"if {there} in seen:")
    w.add("    continue")
    if once:
        w.add(f"seen.add({there})")
    _refuse(travel, w, x)
    if not once:
        w.add(f"seen.add({there})")
    _arrive(travel, "steps", w, x)
    _go_on(travel, f"beyond.append({there})", w, x, "steps" if ways else "")
    _end_steps(w, x)


def _every_step(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Breadth first where it matters from where one comes: a hex is looked at again until one may go on
    from it.
    """
    there = f"v_{travel.there}"
    # What holds from wherever one comes is settled at the first look.
    once = not any(e is not None and mentions(e, travel.here) for e in (travel.enter, travel.end))
    _begin_steps(travel, "passed", w, x, ways)
    if once:
        w.add(f"if {there} in passed:")
        w.add("    continue")
        w.add(f"passed.add({there})")
    else:
        w.add(f"if {there} == start or {there} in passed and {there} in ends:")
        w.add("    continue")
    _refuse(travel, w, x)
    depth = w.depth
    w.add(f"if {there} not in ends:")
    w.depth += 1
    _arrive(travel, "steps", w, x)
    w.depth = depth
    w.add("if steps == budget:" if once else f"if steps == budget or {there} in passed:")
    w.add("    continue")
    if travel.halt is not None:
        w.place = travel.halt.span
        w.add(f"if {x.expr(travel.halt)}:")
        if once:
            w.add(f"    passed.discard({there})")
        w.add("    continue")
    if not once:
        w.add(f"passed.add({there})")
    w.add(f"beyond.append({there})")
    if ways:
        _remember(there, "steps", w)
    _end_steps(w, x)


def _refuse(travel: TravelInfo, w: Writer, x: ExpressionEmitter) -> None:
    """Turn to the next hex when this step is not allowed."""
    for condition in conjuncts(travel.enter):
        w.place = condition.span
        x.unless(condition, "continue")


def _arrive(travel: TravelInfo, cost: str, w: Writer, x: ExpressionEmitter) -> None:
    depth = w.depth
    if travel.end is not None:
        w.place = travel.end.span
        w.add(f"if {x.expr(travel.end)}:")
        w.depth += 1
    w.add(f"ends[v_{travel.there}] = {cost}")
    if cost == "steps":  # the first way found is a shortest one
        w.add(f"if target != -1 and (target == v_{travel.there} or target == -2):")
        w.add("    return ends")
    w.depth = depth


def _remember(hex: str, cost: str, w: Writer) -> None:
    w.add("if inside is not None:")
    w.add(f"    inside[{hex}] = {cost}")


def _go_on(travel: TravelInfo, action: str, w: Writer, x: ExpressionEmitter, remember: str = "") -> None:
    depth = w.depth
    # A step costs 1 at least: who has spent all goes no further.
    conditions = ["cost < budget"] if travel.cost is not None else []
    if travel.halt is not None:
        w.place = travel.halt.span
        conditions.append(f"not {x.expr(travel.halt)}")
    if conditions:
        w.add(f"if {' and '.join(conditions)}:")
        w.depth += 1
    w.add(action)
    if remember:
        _remember(f"v_{travel.there}", remember, w)
    w.depth = depth


def _cheapest_first(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add("best = {start: 0}")
    if ways:
        _remember("start", "0", w)
    w.add("waiting: dict[int, list[int]] = {0: [start]}")
    w.add("beyond = budget + 1")
    x.enter([travel.here, travel.there])
    w.add("while waiting:")
    w.depth += 1
    w.add("spent = min(waiting)")
    w.add("least = spent + 1")
    w.add(f"for {here} in waiting.pop(spent):")
    w.depth += 1
    w.add(f"if best[{here}] < spent:")
    w.add("    continue")
    w.add(f"for {there} in NEIGHBORS[{here}]:")
    w.depth += 1
    # A step costs 1 at least, so what is known to cost no more than that needs no second look.
    w.add(f"known = best.get({there}, beyond)")
    w.add("if known <= least:")
    w.add("    continue")
    # What costs too much is found out sooner than what is not allowed.
    _cost(travel, w, x)
    w.add("if cost >= known:")
    w.add("    continue")
    _refuse(travel, w, x)
    w.add(f"best[{there}] = cost")
    _arrive(travel, "cost", w, x)
    _go_on(travel, f"waiting.setdefault(cost, []).append({there})", w, x, "cost" if ways else "")
    x.leave()


def _cost(travel: TravelInfo, w: Writer, x: ExpressionEmitter) -> None:
    """What it costs to come to a hex from here; a step costs 1 at least."""
    assert travel.cost is not None
    w.place = travel.cost.span
    w.add(f"cost = spent + {step_cost(travel.cost, x)}")


def _every_arrival(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Cheapest first where it matters from where one comes: the cheapest arrival may not be one to end with
    or to go on from.
    """
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add("best = {start: 0}")
    if ways:
        _remember("start", "0", w)
    w.add("queue: list[tuple[int, int]] = [(0, start)]")
    w.add("closed: set[int] = set()")
    x.enter([travel.here, travel.there])
    w.add("while queue:")
    w.depth += 1
    w.add(f"spent, {here} = heappop(queue)")
    w.add(f"if {here} in closed:")
    w.add("    continue")
    w.add(f"closed.add({here})")
    w.add(f"for {there} in NEIGHBORS[{here}]:")
    w.depth += 1
    w.add(f"if {there} == start:")
    w.add("    continue")
    _refuse(travel, w, x)
    _cost(travel, w, x)
    w.add("if cost > budget:")
    w.add("    continue")
    depth = w.depth
    w.add(f"if cost < ends.get({there}, budget + 1):")
    w.depth += 1
    _arrive(travel, "cost", w, x)
    w.depth = depth
    w.add(f"if {there} in closed or cost >= best.get({there}, budget):")
    w.add("    continue")
    if travel.halt is not None:
        w.place = travel.halt.span
        w.add(f"if {x.expr(travel.halt)}:")
        w.add("    continue")
    w.add(f"best[{there}] = cost")
    w.add(f"heappush(queue, (cost, {there}))")
    if ways:
        _remember(there, "cost", w)
    x.leave()
