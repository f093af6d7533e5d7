"""Travel (SPEC §7): the cheapest way to every hex where it may end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import ir
from compiler.interpreter.rules import bind
from compiler.interpreter.values import Value

if TYPE_CHECKING:
    from compiler.interpreter.evaluate import Evaluator


def ends(x: Evaluator, travel: ir.TravelInfo, args: list[Value]) -> dict[int, int]:
    """The hexes other than the start where the travel may end, with the cost of the cheapest way.

    Dijkstra's algorithm.  What a step means may depend on both its hexes, so arriving to end there and
    arriving to go on are kept apart: the cheapest way to do the one need not allow the other.
    """
    env = bind(travel.params, args)
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
            cost = going_on[here] + (1 if travel.cost is None else x.number(travel.cost, step))
            if cost > budget:
                continue
            if x.holds(travel.end, step):
                found[there] = min(cost, found.get(there, cost))
            halted = travel.halt is not None and x.holds(travel.halt, step)
            if not halted and there not in done:
                going_on[there] = min(cost, going_on.get(there, cost))
    return found
