"""Travels as functions of C: ``travel_t`` finds every hex where one may end, with what it costs and
from where one comes.

One that carries nothing is a search over hexes, one that carries values a search over stages: a hex
and what is carried there.
"""

from __future__ import annotations

from compiler import ir
from compiler.ir.travels import Stay, TravelInfo
from compiler.native.calls import parameters
from compiler.native.expressions import Expressions
from compiler.native.loops import Loop, Room
from compiler.native.shapes import Shapes
from compiler.native.text import Text, source_place
from compiler.trees import conjuncts, varying


def travel_head(shapes: Shapes, travel: TravelInfo) -> str:
    """The head of a travel's function; with ``any``, the first end that is found will do."""
    return f"static Trip *travel_{travel.name}({parameters(shapes, travel.params)}, char any)"


def way_head(shapes: Shapes, travel: TravelInfo) -> str:
    """The head of the function that gives a way."""
    return f"static roll way_{travel.name}({parameters(shapes, travel.params)}, num target)"


def written_travel(program: ir.Program, shapes: Shapes, travel: TravelInfo) -> list[str]:
    """The functions of a travel."""
    search = _Search(program, shapes, travel)
    lines = [
        f"/* travel {travel.name}, {source_place(travel.span)} */",
        f"{travel_head(shapes, travel)} {{",
    ]
    lines += [*search.lines(), "}"]
    if search.ways:
        args = "".join(f", v_{p.name}" for p in travel.params)
        lines += [
            f"/* ways of travel {travel.name}, {source_place(travel.span)} */",
            f"{way_head(shapes, travel)} {{",
            f"  return trip_way(c, travel_{travel.name}(s, c{args}, 0), target);",
            "}",
        ]
    return lines


class _Search:
    def __init__(self, program: ir.Program, shapes: Shapes, travel: TravelInfo) -> None:
        self.travel, self.shapes = travel, shapes
        self.ways = f"travel {travel.name}" in program.ways
        self.w = Text()
        self.x = Expressions(program, shapes, self.w)

    def lines(self) -> list[str]:
        """The body of the search."""
        w, travel, x = self.w, self.travel, self.x
        w.cite(travel.rules)
        w.add("(void)s; (void)c; (void)any;")
        w.add("Trip *trip = trip_begun(c);")
        begin = [x.simple(e) for e in (travel.origin, *(c.initial for c in travel.carried))]
        if not varying(travel):
            w.add(f"num budget = {x.value(travel.budget)};")
        stride = len(begin)
        w.add(f"num start = {begin[0]};")
        w.add("if (start < 0) return trip;")
        #: where each step costs the same, hexes are come upon in the order of their costs
        even = self.even = not travel.carried and travel.cost is None and not travel.stays
        w.add(
            "int16_t queue[SIZE]; int first = 0, last = 0;" if even else "Queue queue = {0, 0, 0};"
        )
        if travel.carried:
            w.add(f"trip->stride = {stride};")
            w.add(f"num first[] = {{{', '.join(begin)}}};")
            w.add("trip->begin = stage_of(c, trip, first);")
        else:
            w.add("trip->begin = start;")
        waits = "queue[last++] = (int16_t)start;" if even else "wait(c, &queue, 0, trip->begin);"
        w.add(f"{self._on('trip->begin', 'going')} = 0; {waits}")
        bound = {travel.here, *(c.before for c in travel.carried)}
        further = {travel.there, *(c.after for c in travel.carried)}
        self._enter(bound | further)
        with w.block("while (first < last)" if even else "while (queue.n)"):
            if even:
                w.add(f"num at = queue[first++], gone = {self._on('at', 'going')};")
                w.add("if (gone >= budget) break;")
            else:
                w.add("Waiting next = nearest(&queue);")
                w.add("num at = next.at, gone = next.cost;")
                done, going = self._on("at", "done"), self._on("at", "going")
                w.add(f"if ({done} > 0 || {going} != gone) continue;")
            w.add(f"{self._on('at', 'done')} = 1;")
            if travel.carried:
                w.add(f"num v_{travel.here} = trip->stages[at * {stride}];")
                for i, carried in enumerate(travel.carried, 1):
                    w.add(f"num v_{carried.before} = trip->stages[at * {stride} + {i}];")
                    w.add(f"(void)v_{carried.before};")
            else:
                w.add(f"num v_{travel.here} = at;")
            for stay in travel.stays:
                with w.block(""):
                    w.add(f"num v_{travel.there} = v_{travel.here}; (void)v_{travel.there};")
                    w.add(f"num holds = {x.test(stay.when)};")
                    with w.block("if (holds) do"):
                        self._move(stay)
                    w.add("while (0);")
            self._enter(further)
            with w.block(f"for (int n = 0; n < NEIGHBOR_COUNT(v_{travel.here}); n++)"):
                w.add(f"num v_{travel.there} = NEIGHBOR(v_{travel.here}, n);")
                if not travel.carried and travel.cost is None:
                    worse = "<" if self.ways else "<="
                    w.add(f"num there = v_{travel.there};")
                    w.add("const Cell *there_cell = cell(c, trip, there);")
                    ended = f"(there == start || (there_cell->cost >= 0 && there_cell->cost {worse} gone + 1))"
                    went = f"(there_cell->done > 0 || (there_cell->going >= 0 && there_cell->going {worse} gone + 1))"
                    w.add(f"if ({ended} && {went}) continue;")
                for part in conjuncts(travel.enter):
                    w.add(f"if (!{x.value(part)}) continue;")
                self._move(None)
            self._leave()
        self._leave()
        w.add("return trip;")
        return w.lines

    def _on(self, at: str, what: str) -> str:
        """What is known of how one goes on from a stage: by its hex, where nothing is carried."""
        return f"trip->{what}[{at}]" if self.travel.carried else f"cell(c, trip, {at})->{what}"

    def _enter(self, bound: set[str]) -> None:
        before = Room()
        self.w.lines.append(before)  # type: ignore[arg-type]
        self.x.loops.append(Loop(bound, before))

    def _leave(self) -> None:
        self.x.loops.pop()

    def _move(self, stay: Stay | None) -> None:
        """A step or a stay that is allowed."""
        w, x, travel = self.w, self.x, self.travel
        then = travel.then if stay is None else stay.then
        values = [x.simple(e) for e in then]
        cost = travel.cost if stay is None else stay.cost
        step = "1" if cost is None else f"higher(1, {x.value(cost)})"
        w.add(f"num cost = plus(c, gone, {step});")
        for carried, value in zip(travel.carried, values, strict=True):
            w.add(f"num v_{carried.after} = {value}; (void)v_{carried.after};")
        limit = x.value(travel.budget) if varying(travel) else "budget"
        w.add(f"if (cost > {limit}) continue;" if stay is None else f"if (cost > {limit}) break;")
        w.add('if (RARELY(cost > INT32_MAX)) fail(c, "a travel costs too much");')
        there = f"v_{travel.there}"
        ended = f"cell(c, trip, {there})->cost"
        better = f"{ended} < 0 || cost < {ended}"
        if self.ways:
            better += (
                f" || (cost == {ended} && stage_before(trip, at, cell(c, trip, {there})->end_from))"
            )
        with w.block(f"if ({there} != start && ({better}))"):
            ends = x.test(travel.end)
            with w.block(f"if ({ends})"):
                w.add(f"trip_ends(c, trip, {there}, cost, at);")
                w.add("if (any) return trip;")
        if travel.carried:
            w.add(
                f"num stage[] = {{{', '.join([there, *(f'v_{c.after}' for c in travel.carried)])}}};"
            )
            w.add("num to = stage_known(trip, stage);")
        else:
            w.add(f"num to = {there};")
        known = "to >= 0 && " if travel.carried else ""
        going, go_from = self._on("to", "going"), self._on("to", "go_from")
        w.add(
            f"if ({known}{self._on('to', 'done')} > 0) {'continue' if stay is None else 'break'};"
        )
        worse = f"cost >= {going}"
        if self.ways:
            worse = f"(cost > {going} || (cost == {going} && !stage_before(trip, at, {go_from})))"
        w.add(f"if ({known}{going} >= 0 && {worse}) {'continue' if stay is None else 'break'};")
        if stay is None and travel.halt is not None:
            w.add(f"if ({x.value(travel.halt)}) continue;")
        if travel.carried:
            w.add("if (to < 0) to = stage_of(c, trip, stage);")
        waits = "queue[last++] = (int16_t)to" if self.even else "wait(c, &queue, cost, to)"
        w.add(f"if (cost != {going}) {waits};")
        whole = "" if travel.carried else "(int32_t)"
        w.add(f"{going} = {whole}cost; {go_from} = {whole}at;")
