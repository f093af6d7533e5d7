"""Loops in expressions: quantifiers, what is among what, lines of sight, allotments.

What does not change in a loop, and is dear, is worked out when it is first asked for, and kept in a
local before the outermost loop in which it does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from compiler import ir
from compiler.native.shapes import Shapes
from compiler.native.text import Text
from compiler.nearness import SearchArea, search_area
from compiler.trees import bound_locals, child_expressions, conjuncts, is_filter
from compiler.types import Type


class Room(list[str]):
    """Lines that are found out later, in their place among others."""


@dataclass
class Loop:
    """A loop under way: the locals that it binds, and the lines before it."""

    bound: set[str]
    before: Room
    kept: dict[Hashable, str] = field(default_factory=dict)


def free_locals(e: ir.Expr) -> set[str]:
    """The locals that an expression takes from outside."""
    if isinstance(e, ir.Local):
        return {e.name}
    names: set[str] = set().union(*map(free_locals, child_expressions(e)))
    return names - set(bound_locals(e)) if isinstance(e, ir.Quant | ir.Allot | ir.Line) else names


class Loops:
    """The part of :class:`~compiler.native.expressions.Expressions` that loops."""

    def __init__(self, program: ir.Program, shapes: Shapes, text: Text) -> None:
        self.program = program
        self.shapes = shapes
        self.w = text
        self.loops: list[Loop] = []

    # what the other part brings
    value: Callable[..., str]
    plainly: Callable[[ir.Expr], str]
    test: Callable[[ir.Expr | None], str]
    simple: Callable[..., str]
    first_number: Callable[[str], str]

    # ------------------------------------------------------------------ worked out once

    def hoisted(self, e: ir.Expr) -> str | None:
        """The local that keeps what *e* comes to, where it does not change in a loop."""
        if not self.loops or not isinstance(e, ir.Quant | ir.Apply | ir.Allot | ir.Line | ir.Way):
            return None
        return self.hoist(e, (e,), self.shapes.value(e.type), lambda: self.plainly(e))

    def hoist(
        self, key: Hashable, parts: Iterable[ir.Expr], type_: str, write: Callable[[], str]
    ) -> str | None:
        """The local that keeps what is written once; None where it changes in every loop."""
        names = set().union(*map(free_locals, parts))
        level = len(self.loops)
        while level > 0 and not names & self.loops[level - 1].bound:
            level -= 1
        if level == len(self.loops):
            return None
        loop = self.loops[level]
        name = loop.kept.get(key)
        if name is None:
            name = loop.kept[key] = self.w.temp("k")
            loop.before.append(f"  {type_} {name}; char {name}_known = 0;")
        outer, self.loops = self.loops, self.loops[:level]
        with self.w.block(f"if (!{name}_known)"):
            text = write()
            self.w.add(f"{name} = {text}; {name}_known = 1;")
        self.loops = outer
        return name

    # ------------------------------------------------------------------ going through members

    @contextmanager
    def each(
        self, var: str, source: ir.Expr, where: ir.Expr | None, pure: bool = True
    ) -> Iterator[None]:
        """A loop over the members of *source* for which *where* holds; not *pure*: its body may
        change what is read.
        """
        inner: list[tuple[str, ir.Expr | None]] = [(var, where)]
        while pure and is_filter(source):
            inner.append((source.var, source.where))
            source = source.source
        before = Room()
        nearby = search_area(self.program, source, *inner[-1]) if pure else None
        if nearby is not None and self.shapes.owners(nearby.kind) > nearby.worth:
            head, first = self._near_head(nearby, f"v_{inner[-1][0]}"), ""
        else:
            head, first = self._head(source, f"v_{inner[-1][0]}")
        self.w.lines.append(before)  # type: ignore[arg-type]
        if pure:
            self.loops.append(Loop({name for name, _ in inner}, before))
        with self.w.block(head):
            if first:
                self.w.add(first)
            for place in range(len(inner) - 1, -1, -1):
                name, condition = inner[place]
                if place < len(inner) - 1 and name != inner[place + 1][0]:
                    self.w.add(f"num v_{name} = v_{inner[place + 1][0]};")
                for part in conjuncts(condition):
                    self.w.add(f"if (!{self.value(part)}) continue;")
            yield
        if pure:
            self.loops.pop()

    def _head(self, source: ir.Expr, var: str) -> tuple[str, str]:
        """The head of a loop, and the line that gives the variable its value."""
        w, i = self.w, self.w.temp("i")
        match source:
            case ir.Range():
                low, high = self.w.temp(), self.w.temp()
                w.add(f"num {low} = {self.value(source.low)}, {high} = {self.value(source.high)};")
                w.add(f'if ({high} - {low} >= MOST) fail(c, "a range of too many numbers");')
                return f"for (num {var} = {low}; {var} <= {high}; {var}++)", ""
            case ir.SetLit():
                list_, n = w.temp(), w.temp()
                w.add(f"num {list_}[{max(1, len(source.items))}]; int {n} = 0;")
                for item in source.items:
                    text = self.simple(item)
                    test = f"countable(c, {text})" if source.type.of_numbers else text
                    w.add(f"if ({test} >= 0) {list_}[{n}++] = {text};")
                w.add(f"{n} = in_order({list_}, {n});")
                return f"for (int {i} = 0; {i} < {n}; {i}++)", f"num {var} = {list_}[{i}];"
            case ir.Members():
                assert source.type.of is not None
                count = self.shapes.count(source.type.of)
                return f"for (num {var} = 0; {var} < {count}; {var}++)", ""
        members = w.temp()
        if source.type.kind in ("roll", "pile"):
            text = self.value(source)
            if source.type.kind == "pile":
                text = f"pile_members(c, {text})"
            w.add(f"roll {members} = {text};")
            return f"for (int {i} = 0; {i} < {members}.n; {i}++)", f"num {var} = {members}.at[{i}];"
        type_ = self.shapes.value(source.type)
        if isinstance(source, ir.Active):
            type_ = f"set{self.shapes.effect_width(source.effect)}"
        w.add(f"{type_} {members} = {self.value(source)};")
        step = f"{type_}_next(&{members}, "
        return f"for (num {var} = {step}-1); {var} >= 0; {var} = {step}{var}))", ""

    def _near_head(self, nearby: SearchArea, var: str) -> str:
        """The head of a loop over the pieces that may be near enough, or over all where these are
        few.
        """
        w, kind = self.w, nearby.kind.lower()
        set_, count = f"set{self.shapes.words(self.shapes.owners(nearby.kind))}", f"GIVEN->n_{kind}"
        hex, there, by_hex = w.temp(), w.temp(), w.temp("by_hex")
        tests = [f"{count} > {nearby.worth}"]
        if nearby.far > 1:
            tests.append(f"{hex} >= 0")
        if nearby.alone:
            tests.append("!s->deferred")
        w.add(f"num {hex} = {self.value(nearby.hex)};")
        w.add(f"char {by_hex} = {' && '.join(tests)};")
        w.add(f"{set_} {there};")
        w.add(f"if ({by_hex}) {there} = near_{kind}(s, c, {hex}, {nearby.far});")
        step = f"{set_}_next(&{there}, "
        return (
            f"for (num {var} = {by_hex} ? {step}-1) : 0; {by_hex} ? {var} >= 0 : {var} < {count}; "
            f"{var} = {by_hex} ? {step}{var}) : {var} + 1)"
        )

    # ------------------------------------------------------------------ quantifiers

    def _quant(self, e: ir.Quant) -> str:
        w, name = self.w, self.w.temp()
        var = f"v_{e.var}"
        match e.kind:
            case "some" | "no":
                w.add(f"num {name} = {int(e.kind == 'no')};")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name} = {int(e.kind == 'some')}; break;")
            case "every":
                w.add(f"num {name} = 1;")
                with self.each(e.var, e.source, None):
                    w.add(f"if (!{self.test(e.where)}) {{ {name} = 0; break; }}")
            case "count":
                w.add(f"num {name} = 0;")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name}++;")
            case "first":
                w.add(f"num {name} = -1;")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name} = {var}; break;")
            case "all":
                type_ = self.shapes.value(e.type)
                w.add(f"{type_} {name} = {type_}_none();")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name} = {self.grown(e.type, name, var)};")
            case "sum" if e.type.kind == "set":
                assert e.value is not None
                type_ = self.shapes.value(e.type)
                w.add(f"{type_} {name} = {type_}_none();")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name} = {type_}_or({name}, {self.value(e.value, e.type)});")
            case "sum":
                assert e.value is not None
                w.add(f"num {name} = 0;")
                with self.each(e.var, e.source, e.where):
                    w.add(f"{name} = plus(c, {name}, {self.value(e.value)});")
            case _:
                assert e.value is not None
                sign = ">" if e.kind == "most" else "<"
                w.add(f"num {name} = 0; char {name}_any = 0;")
                with self.each(e.var, e.source, e.where):
                    value = self.simple(e.value)
                    w.add(
                        f"if (!{name}_any || {value} {sign} {name}) {name} = {value}, {name}_any = 1;"
                    )
        return name

    def grown(self, type_: Type, name: str, member: str) -> str:
        """A set with one more member."""
        if type_.of_numbers:
            member = f"countable(c, {member})"
        return f"{self.shapes.value(type_)}_with({name}, {member})"

    def as_set(self, source: ir.Expr) -> bool:
        """Whether what is walked through is at hand as a set."""
        return source.type.kind == "set" and not isinstance(source, ir.Quant | ir.Range | ir.SetLit)

    def member_count(self, source: ir.Expr) -> str:
        """How many members there are, by going through them."""
        name = self.w.temp()
        self.w.add(f"num {name} = 0;")
        numbers = source.type.of_numbers and not isinstance(source, ir.Range)
        with self.each(f"_{name}", source, None):
            self.w.add(f"{f'if (countable(c, v__{name}) >= 0) ' if numbers else ''}{name}++;")
        return name

    def has_member(self, source: ir.Expr) -> str:
        """Whether a set has a member."""
        if isinstance(source, ir.Quant) and source.kind == "all":
            name = self.w.temp()
            self.w.add(f"num {name} = 0;")
            with self.each(source.var, source.source, source.where):
                self.w.add(f"{name} = 1; break;")
            return name
        if isinstance(source, ir.Gathered | ir.Op) and source.op == "|":
            return f"({self.has_member(source.left)} | {self.has_member(source.right)})"
        return f"{self.shapes.value(source.type)}_any({self.value(source)})"

    # ------------------------------------------------------------------ sets

    def _in(self, e: ir.In) -> str:
        return self.member(self.simple(e.item), e.source)

    def member(self, item: str, source: ir.Expr) -> str:
        """Whether *item*, a local or a number, is among *source*."""
        match source:
            case ir.Expr(type=type_) if type_.kind in ("pile", "roll"):
                return f"({type_.kind}_count({self.value(source)}, {item}) > 0)"
            case ir.SetLit():
                finite = source.type.of is not None and source.type.of.finite
                tests = " || ".join(f"{item} == {self.value(i)}" for i in source.items) or "0"
                return f"({item} >= 0 && ({tests}))" if finite else f"({tests})"
            case ir.Range():
                return (
                    f"({self.value(source.low)} <= {item} && {item} <= {self.value(source.high)})"
                )
            case ir.Members():
                return f"({item} >= 0)"
            case ir.Active() if source.effect.params:
                width = self.shapes.effect_width(source.effect)
                return f"set{width}_has(s->{source.effect.slot}, {item})"
            case ir.Quant(kind="all"):
                return self._member_of_all(item, source)
            case ir.Widen(value=ir.Expr(type=Type(of=Type(name=kind)))):
                return self._member_of_kind(item, source.value, kind)
            case ir.Service(name="neighbors", args=(hex,)):
                return f"(DISTANCE({item}, {self.value(hex)}) == 1)"
        return f"{self.shapes.value(source.type)}_has({self.value(source)}, {item})"

    def _member_of_kind(self, item: str, source: ir.Expr, kind: str) -> str:
        """Whether a piece of a parent is of a kind, and there among *source*."""
        first = self.shapes.first_number(kind)
        inside = f"{item} >= {first} && {item} < {first} + GIVEN->n_{kind.lower()}"
        if isinstance(source, ir.Members):
            return f"({inside})"
        own = self.w.temp()
        self.w.add(f"num {own} = {inside} ? {item} - {first} : -1;")
        return f"({own} >= 0 && {self.member(own, source)})"

    def _member_of_all(self, item: str, source: ir.Quant) -> str:
        name = self.w.temp()
        self.w.add(f"num {name} = {self.member(item, source.source)};")
        if source.where is None:
            return name
        with self.w.block(f"if ({name})"):
            self.w.add(f"num v_{source.var} = {item};")
            before = Room()
            self.w.lines.append(before)  # type: ignore[arg-type]
            self.loops.append(Loop({source.var}, before))
            self.w.add(f"{name} = {self.value(source.where)};")
            self.loops.pop()
        return name

    def _range(self, e: ir.Range) -> str:
        width = self.shapes.width(e.type)
        return f"set{width}_span(c, {self.value(e.low)}, {self.value(e.high)})"

    def _setlit(self, e: ir.SetLit) -> str:
        type_ = self.shapes.value(e.type)
        text = f"{type_}_none()"
        for item in e.items:
            text = self.grown(e.type, text, self.value(item))
        return text

    def _members(self, e: ir.Members) -> str:
        assert e.type.of is not None
        return f"{self.shapes.value(e.type)}_up_to({self.shapes.count(e.type.of)})"

    # ------------------------------------------------------------------ lines, allotments

    def _line(self, e: ir.Line) -> str:
        w, clear, at = self.w, self.w.temp(), self.w.temp("p")
        start, end = self.simple(e.start), self.simple(e.end)
        w.add(f"num {clear} = 1;")
        before = Room()
        w.lines.append(before)  # type: ignore[arg-type]
        self.loops.append(Loop(set(bound_locals(e)), before))
        w.add(f"const num *{at} = found(c, {'WHOLES' if e.whole else 'PASSAGES'}, {start}, {end});")
        with w.block(f"for (num passages = *{at}++; passages > 0 && {clear}; passages--)"):
            w.add("num passes = 0;")
            with w.block(f"for (num ways = *{at}++; ways > 0; ways--)"):
                w.add(f"num steps = *{at}++, open = !passes;")
                with w.block("for (num step = 0; step < steps && open; step++)"):
                    w.add(f"num from_ = {at}[2 * step], to_ = {at}[2 * step + 1];")
                    if e.barrier is not None:
                        w.add(f"num v_{e.leaves} = from_, v_{e.enters} = to_;")
                        w.add(f"(void)v_{e.leaves}; (void)v_{e.enters};")
                        w.add(f"if ({self.value(e.barrier)}) {{ open = 0; break; }}")
                    if e.obstacle is not None:
                        with w.block(f"if (to_ != {end})"):
                            w.add(f"num v_{e.var} = to_;")
                            w.add(f"if ({self.value(e.obstacle)}) {{ open = 0; break; }}")
                    w.add("(void)from_; (void)to_;")
                w.add(f"if (open) passes = 1; {at} += 2 * steps;")
            w.add(f"if (!passes) {clear} = 0;")
        self.loops.pop()
        return clear

    def _allot(self, e: ir.Allot) -> str:
        w, name = self.w, self.w.temp()
        among = e.among.type
        things = self.shapes.size(among.of or Type("enum", among.name))
        a, n = w.temp("a"), w.temp("n")
        w.add(f"int {n} = 0, {a}_k = 0, {a}_room = 64, {a}_most = 16;")
        w.add(
            f"int *{a}_own = room(c, {a}_room * sizeof(int)), *{a}_first = room(c, ({a}_most + 1) * sizeof(int));"
        )
        w.add(f"num *{a}_space = room(c, {things} * sizeof(num));")
        with self.each(e.var, e.source, None):
            w.add(f"if ({n} == {a}_most) {a}_first = more(c, {a}_first, {n} + 1, &{a}_most, 1);")
            w.add(f"{a}_first[{n}++] = {a}_k;")
            with self.each(e.own, e.among, e.where):
                w.add(f"if ({a}_k == {a}_room) {a}_own = more(c, {a}_own, {a}_k, &{a}_room, 0);")
                w.add(f"{a}_own[{a}_k++] = (int)v_{e.own};")
                limit = "1" if e.limit is None else self.value(e.limit)
                w.add(f"{a}_space[v_{e.own}] = {limit};")
        w.add(f"{a}_first[{n}] = {a}_k;")
        w.add(f"num {name} = allotted(c, {n}, {a}_first, {a}_own, {a}_space, {things});")
        return name
