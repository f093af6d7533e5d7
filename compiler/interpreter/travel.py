"""Travel (SPEC §7): the cheapest way to every hex where it may end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import ir
from compiler.interpreter.rules import bind
from compiler.interpreter.values import Locals, Value

if TYPE_CHECKING:
    from compiler.interpreter.evaluate import Evaluator


def ends(x: Evaluator, travel: ir.TravelInfo, args: list[Value]) -> dict[int, int]:
    """The hexes other than the start where the travel may end, with the cost of the cheapest way."""
    return _search(x, travel, bind(travel.params, args))[0]


def way(x: Evaluator, travel: ir.TravelInfo, args: list[Value], target: int) -> tuple[int, ...]:
    """The hexes of a cheapest way to *target*, without the start and with the end; empty when there is none.

    Of equally cheap ways the one that, followed back from its end, comes over the lowest hexes.
    """
    env = bind(travel.params, args)
    found, going_on = _search(x, travel, env)
    if target not in found:
        return ()
    start = x.number(travel.origin, env)
    # A way may cross its end before it ends there, where the first arrival is not one to end with.
    hexes, cost = [target], found[target]
    while hexes[0] != start:
        there = hexes[0]
        for here in x.board.neighbors[there]:
            step = {**env, travel.here: here, travel.there: there}
            if here not in going_on or not x.holds(travel.enter, step):
                continue
            arrives = _ends(x, travel, step) if len(hexes) == 1 else _goes_on(x, travel, step)
            if arrives and going_on[here] + _cost(x, travel, step) == cost:
                hexes.insert(0, here)
                cost = going_on[here]
                break
        else:
            raise AssertionError("a way leads to every hex that was reached")
    return tuple(hexes[1:])


def _search(x: Evaluator, travel: ir.TravelInfo, env: Locals) -> tuple[dict[int, int], dict[int, int]]:
    """The cheapest cost of ending on each hex, and that of being on it and free to go on.

    Dijkstra's algorithm.  What a step means may depend on both its hexes, so the two are kept apart: the
    cheapest way to do the one need not allow the other.
    """
    start, budget = x.number(travel.origin, env), x.number(travel.budget, env)
    found: dict[int, int] = {}
    going_on = {start: 0} if start >= 0 else {}
    done: set[int] = set()
    while open_ := going_on.keys() - done:
        here = min(open_, key=lambda h: (going_on[h], h))
        done.add(here)
        for there in x.board.neighbors[here]:
            step = {**env, travel.here: here, travel.there: there}
            if there == start or not x.holds(travel.enter, step):
                continue
            cost = going_on[here] + _cost(x, travel, step)
            if cost > budget:
                continue
            if _ends(x, travel, step):
                found[there] = min(cost, found.get(there, cost))
            if there not in done and _goes_on(x, travel, step):
                going_on[there] = min(cost, going_on.get(there, cost))
    return found, going_on


def _cost(x: Evaluator, travel: ir.TravelInfo, step: Locals) -> int:
    return 1 if travel.cost is None else max(1, x.number(travel.cost, step))


def _ends(x: Evaluator, travel: ir.TravelInfo, step: Locals) -> bool:
    return x.holds(travel.end, step)


def _goes_on(x: Evaluator, travel: ir.TravelInfo, step: Locals) -> bool:
    return travel.halt is None or not x.holds(travel.halt, step)
