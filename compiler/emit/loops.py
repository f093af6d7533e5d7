"""Loops that change nothing, as Python: what they walk through, what is found before them, what
holds in them; quantifiers, allotments and lines of sight, which are such loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.inline import (
    FALSE,
    TRUE,
    fill_in,
    filter_of,
    is_cheap,
    loops,
    mentions,
    simplified,
    unrolled,
    uses,
)
from compiler.emit.kinds import KindEmitter
from compiler.emit.writer import (
    TURNS,
    Column,
    Line,
    Local,
    Name,
    Negation,
    Room,
    Writer,
    flat,
    py,
    text_parts,
)
from compiler.nearness import SearchArea, search_area
from compiler.trees import bound_locals, conjuncts, disjuncts, is_filter, locals_of, rebuilt, walk
from runtime.services import MOST

#: How often lines behind one that goes on with the next turn are come to, what stands later in a
#: line is, and how often a column must be read to be kept in a local.
_STAYS, _LATER, _WORTH = 0.7, 0.5, 6.0
#: How often what is kept has not been worked out yet.
_SELDOM = 0.1


@dataclass
class Loop:
    """A loop that changes nothing: what does not mention its locals is found once, before it."""

    room: Room
    bound: set[str]
    #: what has been found before it, and the locals that hold it
    kept: dict[str, str] = field(default_factory=dict)
    #: what is worked out in it when it is first needed, and the locals that hold it; see
    #: :meth:`LoopEmitter.hoisted`
    once: list[tuple[ir.Expr, str, str]] = field(default_factory=list)
    #: whether it is no loop, but what is worked out so
    apart: bool = False
    #: expressions of which it is known by now what they are in this turn of the loop
    facts: list[tuple[ir.Expr, ir.Expr]] = field(default_factory=list)

    def learn(self, condition: ir.Expr, holds: bool = True) -> None:
        """From here to the end of the turn the condition holds, or does not."""
        if isinstance(condition, ir.Not):
            self.learn(condition.operand, not holds)
            return
        parts = conjuncts(condition) if holds else disjuncts(condition)
        if len(parts) > 1:
            for part in parts:
                self.learn(part, holds)
        elif not isinstance(condition, ir.Const):
            self.facts.append((condition, TRUE if holds else FALSE))
            if holds and isinstance(condition, ir.Compare) and condition.op == "==":
                # a field is what it was compared with
                sides = condition.left, condition.right
                self.facts += [
                    (one, other)
                    for one, other in (sides, sides[::-1])
                    if isinstance(one, ir.Get)
                    and isinstance(other, ir.Local | ir.Const)
                    and one.type == other.type
                ]


def apply_facts(e: ir.Expr, pure: Iterable[Loop]) -> ir.Expr:
    """*e* with the conditions replaced of which the loops know what they are."""
    facts = [fact for loop in pure for fact in loop.facts]
    if not facts or not any(part == known for part in walk(e) for known, _ in facts):
        return e

    def change(part: ir.Expr) -> ir.Expr:
        for known, value in facts:
            if part == known:
                return value
        # the test of a field of a parent must stay one
        return part if isinstance(part, ir.Common) else rebuilt(part, change)

    return simplified(change(e))


def keep_columns(w: Writer, room: Room, is_column: Callable[[str], bool]) -> None:
    """Columns that are often read in the loop after *room*, kept in locals from before it."""
    entries = w.code.entries
    start = next(i for i in reversed(range(len(entries))) if entries[i] is room) + 1
    lines = list(flat(entries[start:]))
    reads: dict[str, float] = {}
    #: the lines that what follows stands under: their depth and how often it is come to
    under: list[tuple[int, float]] = [(-1, 1.0)]
    for line in lines:
        while under[-1][0] >= line.depth:
            under.pop()
        often = under[-1][1]
        columns = [part.slot for part in text_parts(line.text) if isinstance(part, Column)]
        for position, slot in enumerate(columns):
            # what stands later in a condition is often not come to
            reads[slot] = reads.get(slot, 0.0) + often * (1.0 if position < 2 else _LATER)
        if line.often != 1.0:
            under.append((line.depth, often * line.often))
        elif line.skips and len(under) > 1:
            under[-2] = (under[-2][0], under[-2][1] * _STAYS)
    kept = {slot for slot in reads if reads[slot] >= _WORTH and is_column(slot)}
    for line in lines if kept else ():
        parts = [
            f"c_{part.slot}" if isinstance(part, Column) and part.slot in kept else part
            for part in text_parts(line.text)
        ]
        line.text = py("{}" * len(parts), *parts)
    for slot in sorted(kept):
        room.lines.insert(0, Line(f"c_{slot} = s.{slot}", room.depth, room.place))


#: What each kind of quantifier finds where there are no members.
_EMPTY = {"some": "False", "no": "True", "every": "True", "first": "-1"}


class LoopEmitter(KindEmitter):
    """Writes the loops of one function; those under way are *pure*, the innermost last."""

    def __init__(self, program: Emission, writer: Writer) -> None:
        super().__init__(program, writer)
        self.pure: list[Loop] = []

    # ------------------------------------------------------------------ walking through sets

    def iterable(
        self, source: ir.Expr, var: str = "", where: ir.Expr | None = None
    ) -> tuple[str, list[ir.Expr]]:
        """A Python iterable over the members of *source*, and what is left of the filter."""
        conditions = conjuncts(where)
        if isinstance(source, ir.Members) and conditions and self.program.watched is None:
            if source.type.of is not None and source.type.of.kind == "piece":
                index = self._index_text(conditions[0], var)
                if index is not None:
                    return index, conditions[1:]
        return self._iterable_text(source), conditions

    def _iterable_text(self, source: ir.Expr) -> str:
        match source:
            case ir.Members() if source.type.of is not None:
                return f"range({self.count(source.type.of)})"
            case ir.Range():
                return py("span({}, {})", self.expr(source.low), self.expr(source.high))
            case ir.Service(name="neighbors", args=(hex,)):
                return py("NEIGHBORS[{}]", self.expr(hex))
            case ir.Service(name="around", args=(hex, far)):
                return py("around(({}, {}))", self.expr(hex), self.expr(far))
            case ir.Reach():
                return self.hoisted_list(source, "reach_{}(s{})", source.travel, source.args)
            case ir.Apply() if self.program.table_of(source.name) is not None:
                return self.entry("L", source)
            case ir.Apply() if self.program.call_info(source.name).listed:
                return self.hoisted_list(source, "i_{}(s{})", source.name, source.args)
            case ir.Col():
                return self.column_entry("I", source)
            case ir.SetLit() if all(
                isinstance(i, ir.Const) and i.value < MOST for i in source.items
            ):
                values = sorted({i.value for i in source.items if isinstance(i, ir.Const)})
                return "(" + "".join(f"{v}, " for v in values if v >= 0) + ")"
        text = self.expr(source)
        forms = {"roll": "{}", "pile": "sorted(set({}))"}
        return py(forms.get(source.type.kind, "bits({})"), text)

    def hoisted_list(self, source: ir.Expr, form: str, name: str, args: tuple[ir.Expr, ...]) -> str:
        """The list of the members of a travel's reach, or of a set that is called for."""

        def write() -> str:
            return py(form, name, self.args(args))

        type_ = "list[int]" if isinstance(source, ir.Reach) else "Sequence[int]"
        return self.hoisted(source, write, type_) or write()

    def entry(self, prefix: str, e: ir.Apply) -> str:
        """An entry of the table of a static function (``F`` values or masks, ``L`` lists)."""
        return py(f"{prefix}_{e.name}" + "[{}]" * len(e.args), *map(self.expr, e.args))

    def column_entry(self, prefix: str, e: ir.Col) -> str:
        """An entry of a table's column (``T`` values or masks, ``I`` lists)."""
        return py(f"{prefix}_{e.column.enum}_{e.column.name}" + "[{}]", self.expr(e.key))

    def _index_text(self, condition: ir.Expr, var: str) -> str | None:
        """An index over a fixed field, for ``x.side is s`` first in the filter of pieces."""
        if not (isinstance(condition, ir.Compare) and condition.op == "=="):
            return None
        sides = condition.left, condition.right
        for get, other in (sides, sides[::-1]):
            if mentions(other, var):
                continue
            if isinstance(get, ir.Common) and is_cheap(other):
                parts = [
                    self._index_text(replace(condition, left=one, right=other), var)
                    for one in get.kinds
                ]
                return self.indexed_kinds(parts, get)
            if isinstance(get, ir.Get) and _has_index(get, var):
                return py("{}[{}]", Column(f"by_{get.field.slot}"), self.expr(other))
        return None

    def _nearby(self, whole: str, nearby: SearchArea) -> str:
        """Where there are many pieces, those that may be near enough instead of the *whole*."""
        if isinstance(nearby.hex, ir.Local):
            hex = self.expr(nearby.hex)
        else:
            hex = self.w.temp()
            self.w.add(f"{hex} = {{}}", self.expr(nearby.hex))
        kind = nearby.kind.lower()
        hexes = f"NEIGHBORS[{hex}]"
        tests = [f"s.n_{kind} > {nearby.worth}"]
        if nearby.far > 1:
            hexes = f"({hex}, *around(({hex}, {nearby.far})))"
            tests.append(f"{hex} >= 0")
        if nearby.alone:
            tests.append("not s.deferred")
        found = "standing_alone" if nearby.alone else "standing"
        return py(
            f"({found}({{}}, {hexes}) if {' and '.join(tests)} else {{}})",
            Column(f"{kind}_at"),
            whole,
        )

    def loop(self, var: str, source: ir.Expr, where: ir.Expr | None) -> None:
        """Open a loop over the members of *source* that pass *where*; its body follows."""
        if is_filter(source):
            self.loop(source.var, source.source, source.where)
            self.pure[-1].bound.add(var)
            self.w.add(f"v_{var} = v_{source.var}")
            rest = conjuncts(where)
        else:
            text, rest = self.iterable(source, var, where)
            nearby = search_area(self.program, source, var, where)
            if nearby is not None and self.program.watched is None:
                # who is found by the hexes has been asked nothing yet
                text, rest = self._nearby(text, nearby), conjuncts(where)
            self.enter([var])
            if len(rest) < len(conjuncts(where)):
                self.pure[-1].learn(conjuncts(where)[0])
            self.w.open("for v_{} in {}:", var, text, often=TURNS)
        for condition in rest:
            self.skip_unless(condition)

    def gather(self, var: str, source: ir.Expr, where: ir.Expr | None, row: str) -> None:
        """Append the members of *source* that pass *where* to the list *row*."""
        with self.w.indented():
            self.loop(var, source, where)
            self.w.add(f"{row}.append(v_{var})")
        self.leave()

    def enter(self, bound: list[str]) -> None:
        """A loop that changes nothing begins with the next line; :meth:`leave` ends it."""
        self.pure.append(Loop(self.w.room(), set(bound)))

    def leave(self) -> None:
        """The innermost loop ends."""
        loop = self.pure.pop()
        if not self.pure and self.program.watched is None:
            keep_columns(self.w, loop.room, self.program.is_column)

    # ------------------------------------------------------------------ what is worked out once

    def hoisted(self, e: ir.Expr, write: Callable[[], str], type_: str = "int") -> str | None:
        """A local that holds *e*, worked out by *write* when it is first needed and then kept as
        long as the loops go on that do not change it; for each value of the locals of those that do
        and stand within them.

        None where each turn needs its own.  *type_* is its type in Python.
        """
        if not self.pure or self.program.watched is not None or e.type.kind in ("roll", "pile"):
            return None
        names = locals_of(e)
        level = next((i for i, loop in enumerate(self.pure) if not names & loop.bound), None)
        if level is None:
            return None
        w, outer, inner = self.w, self.pure[:level], self.pure[level:]
        keys = sorted(names & {name for loop in inner for name in loop.bound})
        if keys and not loops(self.program, e):
            return None
        key = ", ".join(Local(name) for name in keys)
        key = f"({key})" if len(keys) > 1 else key
        loop = inner[0]
        held = next((name for known, of, name in loop.once if known == e and of == type_), "")
        if not held:
            held = w.temp()
            loop.once.append((e, type_, held))
            blank = f"dict[Any, {type_}] = {{}}" if keys else f"{type_} | None = None"
            loop.room.add(f"{held}: {blank}")
        mark = w.mark()
        w.depth += 1
        # what it mentions is found where it is needed
        self.pure = [*outer, Loop(w.room(), names, apart=True)]
        text = write()
        self.pure = [*outer, *inner]
        w.depth -= 1
        lines = w.cut(mark)
        if not any(flat(lines)):
            if keys:
                form = f"({held}[{key}] if {key} in {held} else {held}.setdefault({key}, {{}}))"
            else:
                form = f"({held} if {held} is not None else ({held} := {{}}))"
            return py(form, text)
        if not keys:
            with w.block(f"if {held} is None:", often=_SELDOM):
                w.paste(lines)
                w.add(f"{held} = {{}}", text)
            return Name(held)
        name = w.temp()
        w.when(f"{key} in {held}", f"{name}: {type_} = {held}[{key}]")
        with w.block("else:", often=_SELDOM):
            w.paste(lines)
            w.add(f"{name} = {held}[{key}] = {{}}", text)
        return name

    def lasts(self, args: tuple[ir.Expr, ...]) -> bool:
        """Whether there is a loop under way that does not change *args*."""
        names = {name for arg in args for name in locals_of(arg)}
        return self.program.watched is None and any(not names & loop.bound for loop in self.pure)

    # ------------------------------------------------------------------ what holds in a turn

    def apply_facts(self, e: ir.Expr) -> ir.Expr:
        """*e* without what is known by now."""
        return apply_facts(e, self.pure) if self.program.watched is None else e

    def skip_unless(self, condition: ir.Expr, action: str = "") -> None:
        """*action*, or the next turn of the loop, where *condition* does not hold."""
        if not self.pure or self.program.watched is not None:
            self._skip_unless(condition, action)
            return
        for part in conjuncts(self._filter(self.apply_facts(condition))):
            part = self.apply_facts(part)
            if not (isinstance(part, ir.Const) and part.value):
                self._skip_unless(part, action)
                self.pure[-1].learn(part)

    def _skip_unless(self, condition: ir.Expr, action: str) -> None:
        text = self.expr(condition)
        negated = text.operand if isinstance(text, Negation) else py("not {}", text)
        if action:
            self.w.when(negated, action)
        else:
            self.w.skip(negated)

    def _filter(self, e: ir.Expr) -> ir.Expr:
        """A filter of a loop: what it calls is written out even where it is larger."""
        match e:
            case ir.Logic("and", left, right):
                return replace(e, left=self._filter(left), right=self._filter(right))
            case ir.Apply() if self.program.table_of(e.name) is None:
                body = filter_of(self.program, e.name)
                return e if body is None else self._filter(self.inlined(e, body))
            case ir.Not(ir.Not(operand)):
                return self._filter(operand)
            case ir.Not(ir.Logic("or", left, right) as either):
                left, right = (ir.Not(part, type=part.type) for part in (left, right))
                return ir.Logic("and", self._filter(left), self._filter(right), type=either.type)
        return e

    def inlined(self, e: ir.Apply, body: ir.Expr) -> ir.Expr:
        """What a call stands for, with its arguments in it."""
        values: dict[str, ir.Expr] = {}
        for param, arg in zip(self.program.call_info(e.name).params, e.args, strict=True):
            if not is_cheap(arg) and uses(body, param.name) > 1:
                text = self.expr(arg)
                if isinstance(text, Local):
                    name = text.name
                else:
                    name = f"{param.name}_{self.w.temp()}"
                    self.w.add("{} = {}", Local(name), text)
                    for loop in self.pure[-1:]:
                        loop.bound.add(name)
                arg = ir.Local(name, type=arg.type, span=arg.span)
            values[param.name] = arg
        return fill_in(body, values)

    # ------------------------------------------------------------------ quantifiers

    def _quant(self, e: ir.Quant) -> str:
        """A local that a loop over the members sets, or an expression where none is needed."""
        chain = unrolled(self.program, e)
        if chain is not None:
            return self.expr(chain)
        union = self._union(e)
        if union is not None:
            return union
        w = self.w
        name = w.temp()
        w.add(f"{name} = {_EMPTY.get(e.kind, '0')}")
        seen = ""
        if e.kind in ("most", "least"):
            seen = w.temp()
            w.add(f"{seen} = False")
        with w.indented():
            self.loop(e.var, e.source, None if e.kind == "every" else e.where)
            self._turn(e, name, seen)
        self.leave()
        return name

    def _turn(self, e: ir.Quant, name: str, seen: str) -> None:
        """What is done with a member; *seen* tells whether there was one before."""
        w, var = self.w, f"v_{e.var}"
        match e.kind:
            case "some" | "no":
                w.add(f"{name} = {e.kind == 'some'}")
                w.add("break")
            case "every":
                assert e.where is not None
                w.when(py("not {}", self.expr(e.where)), f"{name} = False", "break")
            case "count":
                w.add(f"{name} += 1")
            case "all":
                # In a view, piles hold cards that are not known: they are in no set.
                bit = f"BIT[{var}]" if isinstance(e.source, ir.Pile) else f"1 << {var}"
                if e.type.of_numbers:
                    bit = f"bit({var})"
                w.add(f"{name} |= {bit}")
            case "first":
                w.add(f"{name} = {var}")
                w.add("break")
            case "sum":
                assert e.value is not None
                w.add("{} {}= {}", name, "|" if e.type.kind == "set" else "+", self.expr(e.value))
            case _:
                assert e.value is not None
                value = self.simple(e.value)
                test = f"not {seen} or {value} {'>' if e.kind == 'most' else '<'} {name}"
                w.when(test, f"{name} = {value}", f"{seen} = True")

    def _union(self, e: ir.Quant) -> str | None:
        """The union of a field of hexes, or of their neighbours: a service is faster."""
        if (
            self.program.watched is not None
            or e.kind != "sum"
            or e.type.kind != "set"
            or e.where is not None
            or e.source.type.kind != "set"
        ):
            return None
        match e.value:
            case ir.Get(owner=ir.Local(name=e.var)) as get:
                slot = get.field.slot
                service = "fixed_union" if self.program.is_fixed(slot) else "union"
                return py("{}(s.{}, {})", service, slot, self.expr(e.source))
            case ir.Service(name="neighbors", args=(ir.Local(name=e.var),)):
                return py("fringe({})", self.expr(e.source))
        return None

    def _allot(self, e: ir.Allot) -> str:
        """The candidates of each member are gathered; a service tells whether they suffice."""
        w = self.w
        rows, row, room = w.temp(), w.temp(), w.temp()
        w.add(f"{rows}: list[list[int]] = []")
        with w.indented():
            self.loop(e.var, e.source, None)
            w.add(f"{row}: list[int] = []")
            self.gather(e.own, e.among, e.where, row)
            w.add(f"{rows}.append({row})")
            w.when(f"not {row}", "break")
        self.leave()
        if e.limit is None:
            return f"allotted({rows})"
        w.add(f"{room}: dict[int, int] = {{}}")
        self.enter([e.own])
        with w.block(f"for v_{e.own} in {{t for r in {rows} for t in r}}:", often=TURNS):
            w.add("{}[v_{}] = {}", room, e.own, self.expr(e.limit))
        self.leave()
        return f"allotted({rows}, {room})"

    # ------------------------------------------------------------------ lines of sight

    def _line(self, e: ir.Line) -> str:
        """Whether a line is free: a local that loops over its gates or passages set."""
        if e.barrier is not None or e.obstacle is None or e.whole:
            return self._crossing_line(e)
        w = self.w
        name, gate = w.temp(), w.temp()
        ends = self.expr(e.start), self.expr(e.end)
        w.add(f"{name} = True")
        self.enter([e.var])
        with w.block(f"for {gate} in lines(({{}}, {{}})):", *ends, often=TURNS):
            with w.block(f"for v_{e.var} in {gate}:", often=TURNS):
                self.skip_unless(e.obstacle, "break")
            w.add("else:")
            w.add(f"    {name} = False")
            w.add("    break")
        self.leave()
        return name

    def _crossing_line(self, e: ir.Line) -> str:
        """A line that hexsides may stop: on each passage some way round must be free all along."""
        w = self.w
        name, passage, way = w.temp(), w.temp(), w.temp()
        end = self.simple(e.end)
        start = self.expr(e.start)
        passages = "wholes" if e.whole else "passages"
        w.add(f"{name} = True")
        self.enter(list(bound_locals(e)))
        with w.block(f"for {passage} in BOARD.{passages}({{}}, {{}}):", start, end, often=TURNS):
            with w.block(f"for {way} in {passage}:", often=TURNS):
                leaves, enters = f"v_{e.leaves}", f"v_{e.enters}"
                if e.barrier is None:
                    leaves, enters = "_", w.temp()
                with w.block(f"for {leaves}, {enters} in {way}:", often=TURNS):
                    if e.obstacle is not None:
                        with w.block(f"if {enters} != {end}:"):
                            w.add(f"v_{e.var} = {enters}")
                            w.when(self.expr(e.obstacle), "break")
                    if e.barrier is not None:
                        w.when(self.expr(e.barrier), "break")
                w.add("else:")
                w.add("    break")
            w.add("else:")
            w.add(f"    {name} = False")
            w.add("    break")
        self.leave()
        return name


def _has_index(get: ir.Get, var: str) -> bool:
    """Whether there is an index over a field of *var*: fixed, and known at the start."""
    field, owner = get.field, get.owner.value if isinstance(get.owner, ir.Narrow) else get.owner
    if not (field.fixed and field.type.kind == "enum") or field.type.optional:
        return False
    known = field.required or field.initial not in (None, -1)
    return known and isinstance(owner, ir.Local) and owner.name == var
