"""Travels as Python functions: ``travel_t`` gives the cost of every hex where a travel may end,
``reach_t`` those hexes, ``way_t`` a way where some rule asks for ways.

Most travels that carry nothing are searches over hexes, one that carries values is a search over
stages, tuples of a hex and what is carried there.  Asked for a *target* ``travel_t`` may leave out
all other hexes, and asked for −2 all but one.
"""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.inline import fold_calls, mentions
from compiler.emit.marks import expressions_for
from compiler.emit.writer import TURNS, Code, Writer, arguments, parameters
from compiler.ir.travels import Stay, TravelInfo
from compiler.trees import conjuncts, varying


def emit_travel(program: Emission, travel: TravelInfo) -> list[Code]:
    """The functions of a travel."""
    ways = f"travel {travel.name}" in program.ways
    kind: type[_Search] = _StageSearch
    if not travel.carried:
        # without what this ruleset leaves always the same: a permission that no rule speaks of
        travel = replace(
            travel,
            enter=fold_calls(program, travel.enter),
            halt=_unless_idle(program, travel.halt, 0),
            end=_unless_idle(program, travel.end, 1),
        )
        if travel.cost is None or not _depends_on_origin(travel):
            kind = _HexSearch
    search = kind(program, travel, ways, "travel")
    search.search()
    w = Writer(f"reach_{travel.name}", travel.span)
    w.add(f"def reach_{travel.name}(s: State{parameters(travel.params)}) -> list[int]:")
    w.add(f"    return sorted(travel_{travel.name}(s{arguments(travel.params)}))")
    codes = [search.w.code, w.code]
    if ways:
        way = kind(program, travel, ways, "way")
        way.way()
        codes.append(way.w.code)
    return codes


def _depends_on_origin(travel: TravelInfo) -> bool:
    """Whether it matters from where one comes whether a travel may end on a hex, or go on."""
    return mentions(travel.halt, travel.here) or mentions(travel.end, travel.here)


def _unless_idle(program: Emission, e: ir.Expr | None, idle: int) -> ir.Expr | None:
    """*e*, or nothing where it always comes to *idle*."""
    folded = None if e is None else fold_calls(program, e)
    return None if isinstance(folded, ir.Const) and folded.value == idle else folded


class _Search:
    """Writes one function of a travel."""

    def __init__(self, program: Emission, travel: TravelInfo, ways: bool, prefix: str) -> None:
        self.travel = travel
        self.ways = ways
        self.w = Writer(f"{prefix}_{travel.name}", travel.span)
        self.x = expressions_for(program, self.w)
        self.here, self.there = f"v_{travel.here}", f"v_{travel.there}"

    def search(self) -> None:
        """The whole of ``travel_t``."""
        raise NotImplementedError

    def way(self) -> None:
        """The whole of ``way_t``."""
        raise NotImplementedError

    def begin(self, came: str) -> None:
        """The head of ``travel_t``; *came* is the parameter that takes what ways are found by."""
        travel, w = self.travel, self.w
        given = parameters(travel.params) + (f", {came} | None = None" if self.ways else "")
        w.add(f"def travel_{travel.name}(s: State{given}, target: int = -1) -> dict[int, int]:")
        w.depth = 1
        w.cite(travel.rules)
        self.x.note(f"travel {travel.via_of or travel.name}", travel.span)
        w.place = travel.origin.span
        w.add(f"start = {self.x.expr(travel.origin)}")
        if not varying(travel):
            w.place = travel.budget.span
            w.add(f"budget = {self.x.expr(travel.budget)}")

    def begin_way(self) -> None:
        """The head of ``way_t``."""
        given = parameters(self.travel.params)
        name = self.w.code.name
        self.w.add(f"def {name}(s: State{given}, target: int) -> tuple[int, ...]:")
        self.w.depth = 1

    def step_cost(self, cost: ir.Expr | None) -> str:
        """What a step costs: 1 at least."""
        if cost is None:
            return "1"
        step = self.x.simple(cost)
        return f"({step} if {step} > 0 else 1)"

    def refuse(self) -> None:
        """Turn to the next hex when this step is not allowed."""
        for condition in conjuncts(self.travel.enter):
            self.w.place = condition.span
            self.x.skip_unless(condition)

    def test(self, e: ir.Expr, form: str = "if {}:") -> None:
        """Open a block in which *e* holds."""
        self.w.place = e.span
        self.w.open(form, self.x.expr(e))


class _HexSearch(_Search):
    """A search over hexes."""

    def search(self) -> None:
        travel = self.travel
        self.begin("inside: dict[int, int]")
        self.w.add("ends: dict[int, int] = {}")
        with self.w.indented():
            if travel.cost is not None:
                self.cheapest_first()
            elif _depends_on_origin(travel):
                self.every_step()
            else:
                self.breadth_first()
        self.x.leave()
        self.w.add("return ends")

    def begin_steps(self, known: str) -> None:
        """Open the loop of a search that goes a step further at each turn."""
        w = self.w
        w.add(f"{known} = {{start}}")
        self.remember("start", "0")
        w.add("edge = [start]")
        w.add("steps = 0")
        self.x.enter([self.travel.here, self.travel.there])
        w.open("while edge and steps < budget:", often=TURNS)
        w.add("steps += 1")
        w.add("beyond: list[int] = []")

    def breadth_first(self) -> None:
        w, there = self.w, self.there
        # A refusal that does not depend on where one comes from holds for good.
        once = not mentions(self.travel.enter, self.travel.here)
        self.begin_steps("seen")
        with w.indented():
            self.neighbors("edge")
            w.skip(f"{there} in seen")
            if once:
                w.add(f"seen.add({there})")
            self.refuse()
            if not once:
                w.add(f"seen.add({there})")
            self.arrive("steps")
            self.go_on(f"beyond.append({there})", "steps")
        w.add("edge = beyond")

    def every_step(self) -> None:
        """Breadth first where it matters from where one comes: hexes are looked at again."""
        travel, w, there = self.travel, self.w, self.there
        # What holds from wherever one comes is settled at the first look.
        once = not (mentions(travel.enter, travel.here) or mentions(travel.end, travel.here))
        self.begin_steps("passed")
        with w.indented():
            self.neighbors("edge")
            if once:
                w.skip(f"{there} in passed")
                w.add(f"passed.add({there})")
            else:
                w.skip(f"{there} == start or {there} in passed and {there} in ends")
            self.refuse()
            with w.block(f"if {there} not in ends:"):
                self.arrive("steps")
            w.skip("steps == budget" if once else f"steps == budget or {there} in passed")
            if travel.halt is not None:
                w.place = travel.halt.span
                with w.block("if {}:", self.x.expr(travel.halt)):
                    if once:
                        w.add(f"passed.discard({there})")
                    w.next_turn()
            if not once:
                w.add(f"passed.add({there})")
            w.add(f"beyond.append({there})")
            self.remember(there, "steps")
        w.add("edge = beyond")

    def cheapest_first(self) -> None:
        w, here, there = self.w, self.here, self.there
        w.add("best = {start: 0}")
        self.remember("start", "0")
        w.add("waiting: dict[int, list[int]] = {0: [start]}")
        w.add("beyond = budget + 1")
        self.x.enter([self.travel.here, self.travel.there])
        w.open("while waiting:", often=TURNS)
        w.add("spent = min(waiting)")
        w.add("least = spent + 1")
        w.open(f"for {here} in waiting.pop(spent):", often=TURNS)
        w.skip(f"best[{here}] < spent")
        w.open(f"for {there} in NEIGHBORS[{here}]:", often=TURNS)
        # A step costs 1 at least, so what is known to cost no more than that needs no second look.
        w.add(f"known = best.get({there}, beyond)")
        w.skip("known <= least")
        # What costs too much is found out sooner than what is not allowed.
        self.spend()
        w.skip("cost >= known")
        self.refuse()
        w.add(f"best[{there}] = cost")
        self.arrive("cost")
        self.go_on(f"waiting.setdefault(cost, []).append({there})", "cost")

    def neighbors(self, edge: str) -> None:
        """Open the loops over the hexes beside those on an edge."""
        self.w.open(f"for {self.here} in {edge}:", often=TURNS)
        self.w.open(f"for {self.there} in NEIGHBORS[{self.here}]:", often=TURNS)

    def spend(self) -> None:
        """What it costs to come to a hex from here."""
        assert self.travel.cost is not None
        self.w.place = self.travel.cost.span
        self.w.add(f"cost = spent + {self.step_cost(self.travel.cost)}")

    def arrive(self, cost: str) -> None:
        """The travel may end here."""
        w = self.w
        with w.indented():
            if self.travel.end is not None:
                self.test(self.travel.end)
            w.add(f"ends[{self.there}] = {cost}")
            if cost == "steps":  # the first way found is a shortest one
                w.when(f"target != -1 and (target == {self.there} or target == -2)", "return ends")

    def remember(self, hex: str, cost: str) -> None:
        """Note what it costs to be at a hex and free to go on, for ways."""
        if self.ways:
            self.w.when("inside is not None", f"inside[{hex}] = {cost}")

    def go_on(self, action: str, cost: str) -> None:
        """More may follow."""
        travel, w = self.travel, self.w
        # A step costs 1 at least: who has spent all goes no further.
        spent = "" if travel.cost is None else "cost < budget"
        with w.indented():
            if travel.halt is not None:
                self.test(travel.halt, f"if {spent} and not {{}}:" if spent else "if not {}:")
            elif spent:
                w.open(f"if {spent}:")
            w.add(action)
            self.remember(self.there, cost)

    def way(self) -> None:
        """The hexes of a cheapest way, found by following the costs back from its end."""
        travel, w, x, here, there = self.travel, self.w, self.x, self.here, self.there
        self.begin_way()
        w.add("inside: dict[int, int] = {}")
        w.add(f"ends = travel_{travel.name}(s{arguments(travel.params)}, inside)")
        w.when("target not in ends", "return ()")
        w.add("found = [target]")
        w.add("cost = ends[target]")
        w.add(f"{there} = target")
        with w.block("while cost > 0:"):
            with w.block(f"for {here} in NEIGHBORS[{there}]:"):
                w.skip(f"{here} not in inside")
                self.refuse()
                # Where it matters from where one comes, not every step at the right cost is one to
                # end with or to go on from.
                if travel.end is not None and mentions(travel.end, travel.here):
                    w.skip(f"cost == ends[target] and not {x.expr(travel.end)}")
                if travel.halt is not None and mentions(travel.halt, travel.here):
                    w.skip(f"cost != ends[target] and {x.expr(travel.halt)}")
                w.when(f"inside[{here}] + {self.step_cost(travel.cost)} == cost", "break")
            w.add("else:")
            w.add("    break")
            w.add(f"cost = inside[{here}]")
            w.add(f"{there} = {here}")
            w.when("cost > 0", f"found.append({there})")
        w.add("found.reverse()")
        w.add("return tuple(found)")


class _StageSearch(_Search):
    """A search over stages, cheapest first.

    Where ways are asked for, ``came`` takes for each stage the lowest one before it on a cheapest
    way, and for each hex, as a tuple of −1 and itself, the lowest one before ending there.
    """

    def search(self) -> None:
        travel, w, x = self.travel, self.w, self.x
        self.begin("came: dict[tuple[int, ...], tuple[int, ...]]")
        stage = f"tuple[{', '.join(['int'] * (1 + len(travel.carried)))}]"
        initial = [x.expr(c.initial) for c in travel.carried]
        w.add(f"begin: {stage} = ({self.stage('start', initial)})")
        w.add(f"best: dict[{stage}, int] = {{begin: 0}}")
        w.add(f"waiting: dict[int, list[{stage}]] = {{0: [begin]}} if start >= 0 else {{}}")
        w.add("ends: dict[int, int] = {}")
        for c in travel.carried:
            w.add(f"v_{c.after}: int")
        w.add(f"to: {stage}")
        w.add("beyond = 1 << 60" if varying(travel) else "beyond = budget + 1")
        changing = [travel.there, *(c.after for c in travel.carried)]
        x.enter([travel.here, *(c.before for c in travel.carried), *changing])
        with w.block("while waiting:", often=TURNS):
            w.add("spent = min(waiting)")
            # What comes costs more than this.
            w.when("ends.get(target, beyond) <= spent", "break")
            w.open("for at in waiting.pop(spent):", often=TURNS)
            w.skip("best[at] < spent")
            w.add(f"{self.stage(self.here, [f'v_{c.before}' for c in travel.carried])} = at")
            for stay in travel.stays:
                self.stay(stay)
            x.enter(changing)
            with w.block(f"for {self.there} in NEIGHBORS[{self.here}]:", often=TURNS):
                self.refuse()
                self.move(travel.then, travel.cost, travel.halt)
            x.leave()
        x.leave()
        w.add("return ends")

    def stage(self, hex: str, carried: list[str]) -> str:
        """A stage, without its parentheses."""
        return ", ".join([hex, *carried]) if carried else f"{hex},"

    def stay(self, stay: Stay) -> None:
        """A change of what is carried, on the spot."""
        with self.w.indented():
            for condition in conjuncts(stay.when):
                self.test(condition)
            self.w.add(f"{self.there} = {self.here}")
            self.move(stay.then, stay.cost, None)

    def move(self, then: tuple[ir.Expr, ...], cost: ir.Expr | None, halt: ir.Expr | None) -> None:
        """What an allowed move leads to: perhaps an end, perhaps a stage to go on from."""
        travel, w, x = self.travel, self.w, self.x
        with w.indented():
            if cost is not None:
                w.place = cost.span
            w.add(f"cost = spent + {self.step_cost(cost)}")
            if not varying(travel):
                w.open("if cost <= budget:")
            for carried, value in zip(travel.carried, then, strict=True):
                w.place = value.span if value.span.line else w.place
                w.add(f"v_{carried.after} = {{}}", x.expr(value))
            if varying(travel):
                self.test(travel.budget, "if cost <= {}:")
            self.end()
            if not varying(travel):  # who has spent all goes no further
                w.open("if cost < budget:")
            if halt is not None:
                self.test(halt, "if not {}:")
            w.add(f"to = ({self.stage(self.there, [f'v_{c.after}' for c in travel.carried])})")
            w.add(f"known = best.get(to, {'beyond' if varying(travel) else 'budget'})")
            w.when("cost < known", "best[to] = cost", "waiting.setdefault(cost, []).append(to)")
            if self.ways:
                earlier = "cost < known or cost == known and at < came[to]"
                w.when(f"came is not None and ({earlier})", "came[to] = at")

    def end(self) -> None:
        """The travel may end after this move."""
        w, there = self.w, self.there
        with w.indented():
            w.add(f"known = ends.get({there}, beyond)")
            w.open(f"if {there} != start and cost {'<=' if self.ways else '<'} known:")
            if self.travel.end is not None:
                self.test(self.travel.end)
            if self.ways:
                earlier = f"cost < known or at < came[-1, {there}]"
                w.when(f"came is not None and ({earlier})", f"came[-1, {there}] = at")
            w.add(f"ends[{there}] = cost")

    def way(self) -> None:
        name, given = self.travel.name, arguments(self.travel.params)
        w = self.w
        self.begin_way()
        w.add("came: dict[tuple[int, ...], tuple[int, ...]] = {}")
        w.when(f"target not in travel_{name}(s{given}, came)", "return ()")
        w.add("at: tuple[int, ...] = (-1, target)")
        w.add("found = [target]")
        with w.block("while at in came:"):
            w.add("at = came[at]")
            w.when("at[0] != found[-1]", "found.append(at[0])")
        w.add("found.pop()")
        w.add("found.reverse()")
        w.add("return tuple(found)")
