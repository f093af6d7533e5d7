"""Travel (SPEC: travel): the cheapest way to every hex where it may end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from compiler.interpreter.rules import bind
from compiler.interpreter.values import Evaluation, Locals, Value
from compiler.ir.travels import Stay, TravelInfo
from compiler.trees import varying

#: Where a travel is: the hex, then what it carries.
Stage: TypeAlias = tuple[int, ...]


def ends(x: Evaluation, travel: TravelInfo, args: list[Value]) -> dict[int, int]:
    """The hexes where the travel may end, not the start, with the cost of the cheapest way."""
    env = bind(travel.params, args)
    return _search(x, travel, env, _begin(x, travel, env))[0]


def way(x: Evaluation, travel: TravelInfo, args: list[Value], target: int) -> tuple[int, ...]:
    """The hexes of a cheapest way to *target*, without the start and with the end; empty when there
    is none.

    Of equally cheap ways the one that, followed back from its end, comes over the lowest hexes,
    with the lowest values carried.
    """
    env = bind(travel.params, args)
    begin = _begin(x, travel, env)
    costs, going_on = _search(x, travel, env, begin)
    if target not in costs:
        return ()
    # A way may cross its end before it ends there, where the first arrival is not one to end with.
    hexes, cost, at = [target], costs[target], None
    while at != begin:
        at = _came_from(x, travel, env, going_on, hexes[0], at, cost)
        cost = going_on[at]
        if at[0] != hexes[0]:
            hexes.insert(0, at[0])
    return tuple(hexes[1:])


def passable(x: Evaluation, travel: TravelInfo, args: list[Value]) -> set[int]:
    """The hexes on which the travel may go on, with the start."""
    env = bind(travel.params, args)
    return {stage[0] for stage in _search(x, travel, env, _begin(x, travel, env))[1]}


def approaches(
    x: Evaluation, travel: TravelInfo, args: list[Value], target: int
) -> Iterator[tuple[Locals, Locals]]:
    """The locals before and after a step to *target*, allowed or not, from each stage beside it
    that can go on; cheapest first.
    """
    env = bind(travel.params, args)
    _, going_on = _search(x, travel, env, _begin(x, travel, env))
    for at in sorted(going_on, key=lambda stage: (going_on[stage], stage)):
        if at[0] in x.board.neighbors[target]:
            before = {**_locals(travel, env, at), travel.there: target}
            yield before, _move(x, travel, before, target, None).after


def _came_from(
    x: Evaluation,
    travel: TravelInfo,
    env: Locals,
    going_on: dict[Stage, int],
    hex: int,
    at: Stage | None,
    cost: int,
) -> Stage:
    """The lowest stage before *at*, which has this cost; at None: before ending on *hex*."""
    for before in sorted(stage for stage in going_on if stage[0] in (hex, *x.board.neighbors[hex])):
        for move in _moves(x, travel, env, before):
            arrives = (
                move.stage == at and move.goes_on(x)
                if at is not None
                else move.stage[0] == hex and move.ends(x)
            )
            if (
                arrives
                and going_on[before] + move.cost(x) == cost
                and (not varying(travel) or cost <= move.limit(x))
            ):
                return before
    raise AssertionError("a way leads to every hex that was reached")


def _begin(x: Evaluation, travel: TravelInfo, env: Locals) -> Stage:
    return (x.number(travel.origin, env), *(x.number(c.initial, env) for c in travel.carried))


def _search(
    x: Evaluation, travel: TravelInfo, env: Locals, begin: Stage
) -> tuple[dict[int, int], dict[Stage, int]]:
    """The cheapest cost of ending on each hex, and that of being at a stage and free to go on.

    Dijkstra's algorithm.  What a step means may depend on both its hexes, so the two are kept
    apart: the cheapest way to do the one need not allow the other.
    """
    budget = None if varying(travel) else x.number(travel.budget, env)
    cheapest: dict[int, int] = {}
    going_on = {begin: 0} if begin[0] >= 0 else {}
    done: set[Stage] = set()
    while open_ := going_on.keys() - done:
        at = min(open_, key=lambda stage: (going_on[stage], stage))
        done.add(at)
        for move in _moves(x, travel, env, at):
            cost = going_on[at] + move.cost(x)
            if cost > (move.limit(x) if budget is None else budget):
                continue
            there = move.stage[0]
            if there != begin[0] and move.ends(x):
                cheapest[there] = min(cost, cheapest.get(there, cost))
            if move.stage not in done and move.goes_on(x):
                going_on[move.stage] = min(cost, going_on.get(move.stage, cost))
    return cheapest, going_on


@dataclass(frozen=True)
class _Move:
    """A step or a stay that is allowed: the stage it leads to, and the locals around it."""

    travel: TravelInfo
    stay: Stay | None
    stage: Stage
    before: Locals
    after: Locals

    def cost(self, x: Evaluation) -> int:
        cost = self.travel.cost if self.stay is None else self.stay.cost
        return 1 if cost is None else max(1, x.number(cost, self.before))

    def limit(self, x: Evaluation) -> int:
        """What a way may cost that makes this move: it may depend on what is carried then."""
        return x.number(self.travel.budget, self.after)

    def ends(self, x: Evaluation) -> bool:
        return x.holds(self.travel.end, self.after)

    def goes_on(self, x: Evaluation) -> bool:
        """Whether more may follow: only what is entered can bring to a halt."""
        return (
            self.stay is not None
            or self.travel.halt is None
            or not x.holds(self.travel.halt, self.after)
        )


def _moves(x: Evaluation, travel: TravelInfo, env: Locals, at: Stage) -> Iterator[_Move]:
    """What may be done at a stage."""
    here = at[0]
    now = _locals(travel, env, at)
    for stay in travel.stays:
        if x.holds(stay.when, now):
            yield _move(x, travel, now, here, stay)
    for there in x.board.neighbors[here]:
        step = {**now, travel.there: there}
        if x.holds(travel.enter, step):
            yield _move(x, travel, step, there, None)


def _locals(travel: TravelInfo, env: Locals, at: Stage) -> Locals:
    here, *carried = at
    return {
        **env,
        travel.here: here,
        **dict(zip((c.before for c in travel.carried), carried, strict=True)),
    }


def _move(
    x: Evaluation, travel: TravelInfo, before: Locals, there: int, stay: Stay | None
) -> _Move:
    then = travel.then if stay is None else stay.then
    values = [x.number(e, before) for e in then]
    after = {
        **before,
        travel.there: there,
        **dict(zip((c.after for c in travel.carried), values, strict=True)),
    }
    return _Move(travel, stay, (there, *values), before, after)
