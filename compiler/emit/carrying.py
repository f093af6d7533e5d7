"""Travels that carry values along, as Python functions.

The search goes over stages, tuples of a hex and what is carried there, cheapest first.
"""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.searching import begin_travel, step_cost
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer, arguments, parameters
from compiler.ir.travels import Stay, TravelInfo
from compiler.trees import conjuncts, varying


def emit_carrying(program: Emission, travel: TravelInfo, ways: bool) -> list[Code]:
    """``travel_t`` as for any travel; with *ways*, ``way_t`` too."""
    codes = [_Search(program, travel, ways).code()]
    if ways:
        w = Writer(f"way_{travel.name}", travel.span)
        w.add(f"def way_{travel.name}(s: State{parameters(travel.params)}, target: int) -> tuple[int, ...]:")
        w.depth = 1
        w.add("came: dict[tuple[int, ...], tuple[int, ...]] = {}")
        w.add(f"if target not in travel_{travel.name}(s{arguments(travel.params)}, came):")
        w.add("    return ()")
        w.add("at: tuple[int, ...] = (target,)")
        w.add("found = [target]")
        w.add("while at in came:")
        w.add("    at = came[at]")
        w.add("    if at[0] != found[-1]:")
        w.add("        found.append(at[0])")
        w.add("found.pop()")
        w.add("found.reverse()")
        w.add("return tuple(found)")
        codes.append(w.code)
    return codes


class _Search:
    """Writes ``travel_t``: the cost of every hex where the travel may end.

    Where ways are asked for, ``came`` takes for each stage the lowest one before it on a cheapest way, and
    for each hex, as a tuple of itself alone, the lowest one before ending there.
    """

    def __init__(self, program: Emission, travel: TravelInfo, ways: bool) -> None:
        self.travel = travel
        self.ways = ways
        self.w = Writer(f"travel_{travel.name}", travel.span)
        self.x = expressions_for(program, self.w)
        self.here, self.there = f"v_{travel.here}", f"v_{travel.there}"

    def code(self) -> Code:
        """The whole function."""
        travel, w, x = self.travel, self.w, self.x
        came = ", came: dict[tuple[int, ...], tuple[int, ...]] | None = None" if self.ways else ""
        begin_travel(travel, w, x, came)
        initial = ", ".join([x.expr(c.initial) for c in travel.carried])
        stage = f"tuple[{', '.join(['int'] * (1 + len(travel.carried)))}]"
        w.add(f"begin: {stage} = (start, {initial})")
        w.add(f"best: dict[{stage}, int] = {{begin: 0}}")
        w.add(f"waiting: dict[int, list[{stage}]] = {{0: [begin]}} if start >= 0 else {{}}")
        w.add("ends: dict[int, int] = {}")
        for c in travel.carried:
            w.add(f"v_{c.after}: int")
        w.add(f"to: {stage}")
        w.add("beyond = 1 << 60" if varying(travel) else "beyond = budget + 1")
        changing = [self.there[2:], *(c.after for c in travel.carried)]
        x.enter([travel.here, *(c.before for c in travel.carried), *changing])
        w.add("while waiting:")
        w.depth += 1
        w.add("spent = min(waiting)")
        # What comes costs more than this.
        w.add("if ends.get(target, beyond) <= spent:")
        w.add("    break")
        w.add("for at in waiting.pop(spent):")
        w.depth += 1
        w.add("if best[at] < spent:")
        w.add("    continue")
        w.add(f"{self.here}, {', '.join(f'v_{c.before}' for c in travel.carried)} = at")
        for stay in travel.stays:
            self.stay(stay)
        x.enter(changing)
        w.add(f"for {self.there} in NEIGHBORS[{self.here}]:")
        w.depth += 1
        for condition in conjuncts(travel.enter):
            w.place = condition.span
            x.unless(condition, "continue")
        self.move(travel.then, travel.cost, travel.halt)
        x.leave()
        x.leave()
        w.depth = 1
        w.add("return ends")
        return w.code

    def stay(self, stay: Stay) -> None:
        """A change of what is carried, on the spot."""
        depth = self.w.depth
        for condition in conjuncts(stay.when):
            self.w.place = condition.span
            self.w.add(f"if {self.x.expr(condition)}:")
            self.w.depth += 1
        self.w.add(f"{self.there} = {self.here}")
        self.move(stay.then, stay.cost, None)
        self.w.depth = depth

    def move(self, then: tuple[ir.Expr, ...], cost: ir.Expr | None, halt: ir.Expr | None) -> None:
        """What an allowed move leads to: perhaps an end, perhaps a stage to go on from."""
        travel, w, x = self.travel, self.w, self.x
        depth = w.depth
        if cost is not None:
            w.place = cost.span
        w.add(f"cost = spent + {step_cost(cost, x)}")
        if not varying(travel):
            w.add("if cost <= budget:")
            w.depth += 1
        for carried, value in zip(travel.carried, then, strict=True):
            w.place = value.span if value.span.line else w.place
            w.add(f"v_{carried.after} = {x.expr(value)}")
        if varying(travel):
            w.place = travel.budget.span
            w.add(f"if cost <= {x.expr(travel.budget)}:")
            w.depth += 1
        self.end()
        if not varying(travel):  # who has spent all goes no further
            w.add("if cost < budget:")
            w.depth += 1
        if halt is not None:
            w.place = halt.span
            w.add(f"if not {x.expr(halt)}:")
            w.depth += 1
        w.add(f"to = ({self.there}, {', '.join(f'v_{c.after}' for c in travel.carried)})")
        w.add(f"known = best.get(to, {'beyond' if varying(travel) else 'budget'})")
        w.add("if cost < known:")
        w.add("    best[to] = cost")
        w.add("    waiting.setdefault(cost, []).append(to)")
        if self.ways:
            w.add("if came is not None and (cost < known or cost == known and at < came[to]):")
            w.add("    came[to] = at")
        w.depth = depth

    def end(self) -> None:
        """The travel may end after this move."""
        travel, w = self.travel, self.w
        depth = w.depth
        w.add(f"known = ends.get({self.there}, beyond)")
        w.add(f"if {self.there} != start and cost {'<=' if self.ways else '<'} known:")
        w.depth += 1
        if travel.end is not None:
            w.place = travel.end.span
            w.add(f"if {self.x.expr(travel.end)}:")
            w.depth += 1
        if self.ways:
            w.add(f"if came is not None and (cost < known or at < came[({self.there},)]):")
            w.add(f"    came[({self.there},)] = at")
        w.add(f"ends[{self.there}] = cost")
        w.depth = depth
