"""Expressions as Python.

:meth:`ExpressionEmitter.expr` returns Python text for a value.  What cannot be said in one
expression (quantifiers, lines) is written as statements before it, into the same function.
"""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.inline import (
    body_of,
    fill_in,
    filter_of,
    invariant,
    is_cheap,
    simplified,
    table_of,
    uses,
)
from compiler.emit.kinds import KindEmitter
from compiler.emit.loops import Loop, keep_columns, settled
from compiler.emit.places import constant, label
from compiler.emit.quantifiers import quantifier
from compiler.emit.sight import line
from compiler.emit.text import Local, Name, Negation, Number, Slot
from compiler.emit.variants import variant_of
from compiler.emit.walking import allot, ends_anywhere, iterable
from compiler.emit.writer import Lines, Writer
from compiler.trees import conjuncts, multiplies_freely, walk
from compiler.types import from_spec, set_of
from runtime.model import EffectSpec

#: Services as Python; ``next`` and ``shift`` are told how many members there are, or which is the last.
_SERVICES = {
    "neighbors": "NEIGHBOR_MASKS[{0}]",
    "distance": "DISTANCE[{0}][{1}]",
    "adjacent": "(DISTANCE[{0}][{1}] == 1)",
    "around": "around_mask({0}, {1})",
    "entries": "BOARD.entries_mask({0}, {1})",
    "crossed": "BOARD.crossed_mask({0}, {1})",
    "bearing": "BOARD.bearing_mask({0}, {1})",
    "row": "ROW[{0}]",
    "column": "COLUMN[{0}]",
    "linked": "linked({0}, {1})",
    "tally": "{0}.count({1})",
    "cards": "{0}.count({1})",
    "face": "face({0})",
    "top": "top({0})",
    "both": "({0} & {1})",
    "neighbor": "BOARD.toward[{0}][{1}]",
    "direction": "direction(({0}, {1}))",
    "turn": "turn({0}, {1})",
    "rank": "{0}",
    "opponent": "OPPONENT[{0}]",
    "next": "following({0}, {1})",
    "shift": "shift({0}, {1}, {2})",
}


class ExpressionEmitter:
    """Writes expressions of one function."""

    def __init__(self, program: Emission, writer: Writer) -> None:
        self.program = program
        self.w = writer
        self.pure: list[Loop] = []
        self.kinds = KindEmitter(self)

    # ------------------------------------------------------------------ marks, where what is used is watched

    def holding(self, what: str, text: str) -> str:
        """*text*, which is that of the condition under which a rule is used."""
        return text

    def note(self, what: str) -> None:
        """What follows is used."""

    # ------------------------------------------------------------------ values

    def expr(self, e: ir.Expr) -> str:
        """Python text for the value of *e* (a set: its mask)."""
        if self.pure and not isinstance(e, ir.Local | ir.Const) and invariant(e):
            kept = self._kept(e)
            if kept is not None:
                return kept
        return getattr(self, "_" + type(e).__name__.lower())(e)  # type: ignore[no-any-return]

    def entry(self, prefix: str, e: ir.Apply) -> str:
        """An entry of the table of a static function (``F`` values or masks, ``L`` lists)."""
        return f"{prefix}_{e.name}" + "".join(f"[{self.expr(a)}]" for a in e.args)

    def _kept(self, e: ir.Expr) -> str | None:
        """The local that holds *e* before the outermost loop in which it does not change; None if there is
        none.
        """
        names = {x.name for x in walk(e) if isinstance(x, ir.Local)}
        level = len(self.pure)
        while level > 0 and not (names & self.pure[level - 1].bound):
            level -= 1
        if level == len(self.pure):
            return None
        loop, rest = self.pure[level], self.pure[level:]
        outer, self.pure = self.pure, self.pure[:level]
        text = self.expr(e)
        self.pure = outer
        if isinstance(text, Name | Slot):
            return text
        for known in rest:
            if text in known.kept:
                return known.kept[text]
        name = self.w.temp()
        kind = ": int" if isinstance(e, ir.Logic) else ""
        loop.room.lines.append(f"{loop.room.indent}{name}{kind} = {text}")
        loop.kept[text] = name
        return name

    def simple(self, e: ir.Expr) -> str:
        """Like :meth:`expr`, but a name or number that can be repeated."""
        text = self.expr(e)
        return text if isinstance(text, Number) else self.named(text)

    def named(self, text: str) -> str:
        """A local with the value of *text*; *text* itself where it is one."""
        if isinstance(text, Name):
            return text
        name = self.w.temp()
        self.w.add(f"{name} = {text}")
        return name

    def args(self, args: tuple[ir.Expr, ...]) -> str:
        """Arguments after the state."""
        return "".join(", " + self.expr(a) for a in args)

    def _const(self, e: ir.Const) -> str:
        return Number(e.value)

    def _label(self, e: ir.Label) -> str:
        return label(e.name)

    def _local(self, e: ir.Local) -> str:
        return Local(e.name)

    def _get(self, e: ir.Get) -> str:
        if e.owner is None:
            return Slot(f"s.{e.field.slot}")
        return f"s.{e.field.slot}[{self.expr(e.owner)}]"

    def _pick(self, e: ir.Pick) -> str:
        key = self.simple(e.key)
        zero = -1 if e.type.optional or e.type.finite else 0
        return f"({self.picked(e, key)} if {key} >= 0 else {zero})"

    def picked(self, e: ir.Pick, key: str) -> str:
        """The entry that is kept for a member."""
        if e.owner is None:
            return f"({', '.join(f's.{f.slot}' for f in e.fields)},)[{key}]"
        return f"({', '.join(f's.{f.slot}' for f in e.fields)},)[{key}][{self.expr(e.owner)}]"

    def _col(self, e: ir.Col) -> str:
        return f"T_{e.column.enum}_{e.column.name}[{self.expr(e.key)}]"

    def _cell(self, e: ir.Cell) -> str:
        return f"M_{e.matrix.name}[{self.expr(e.row)}][{self.expr(e.column)}]"

    def _rung(self, e: ir.Rung) -> str:
        number = self.simple(e.number)
        place = (
            f"({e.low} if {number} < {e.low} else {e.high} if {number} > {e.high} else {number}) - {e.low}"
        )
        return f"(-1 if {number} == -1 else {place})" if e.type.optional else f"({place})"

    def _at(self, e: ir.At) -> str:
        return f"s.{e.kind.lower()}_at[{self.expr(e.hex)}]"

    def _pile(self, e: ir.Pile) -> str:
        return f"s.{e.pile.slot}" if e.owner is None else f"s.{e.pile.slot}[{self.expr(e.owner)}]"

    def _apply(self, e: ir.Apply) -> str:
        if table_of(self.program, e.name) is not None:
            return self.entry("F", e)
        body = body_of(self.program, e.name)
        if body is not None:
            return self.expr(self.settled(self._written_out(e, body)))
        suffix, args = variant_of(self.program, e)
        return f"q_{e.name}{suffix}(s{self.args(args)})"

    def _written_out(self, e: ir.Apply, body: ir.Expr) -> ir.Expr:
        """What a call stands for, with its arguments in it."""
        values: dict[str, ir.Expr] = {}
        for param, arg in zip(self.program.calls[e.name].params, e.args, strict=True):
            if not is_cheap(arg) and uses(body, param.name) > 1:
                text = self.expr(arg)
                name = text.name if isinstance(text, Local) else ""
                if not name:
                    name = f"{param.name}_{self.w.temp()}"
                    self.w.add(f"v_{name} = {text}")
                    for loop in self.pure[-1:]:
                        loop.bound.add(name)
                arg = ir.Local(name, type=arg.type, span=arg.span)
            values[param.name] = arg
        return fill_in(body, values)

    def _service(self, e: ir.Service) -> str:
        name = e.name
        if name == "size":
            source = e.args[0]
            if isinstance(source, ir.Reach):
                return f"len(travel_{source.travel}(s{self.args(source.args)}))"
            if source.type.kind == "set":
                return f"({self.expr(source)}).bit_count()"
            return f"len({self.expr(source)})"
        if name in ("min", "max"):
            left, right = self.simple(e.args[0]), self.simple(e.args[1])
            return f"({left} if {left} {'<' if name == 'min' else '>'} {right} else {right})"
        args = [self.expr(a) for a in e.args]
        if name in ("next", "shift"):
            args.append(str(len(self.program.enums[e.type.name]) - (name == "shift")))
        return _SERVICES[name].format(*args)

    def _not(self, e: ir.Not) -> str:
        return Negation(self.expr(e.operand))

    def _op(self, e: ir.Op) -> str:
        if e.op == "&~":
            return f"({self.expr(e.left)} & ~{self.expr(e.right)})"
        if e.op in ("/", "mod"):
            sign = "//" if e.op == "/" else "%"
            if isinstance(e.right, ir.Const) and e.right.value != 0:
                return f"({self.expr(e.left)} {sign} {e.right.value})"
            right = self.simple(e.right)
            return f"({self.expr(e.left)} {sign} {right} if {right} else 0)"
        if multiplies_freely(e):
            return f"product({self.expr(e.left)}, {self.expr(e.right)})"
        return f"({self.expr(e.left)} {e.op} {self.expr(e.right)})"

    _gathered = _op

    def _compare(self, e: ir.Compare) -> str:
        if isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
            return Name(simplified(e) == ir.Const(1, type=e.type))
        if e.left.type.kind == "bool" and isinstance(e.right, ir.Const):
            positive = (e.op == "==") == bool(e.right.value)
            return self.expr(e.left) if positive else Negation(self.expr(e.left))
        if isinstance(e.left, ir.Gathered) and isinstance(e.right, ir.SetLit) and not e.right.items:
            return self.kinds.anybody(e.left, e.op == "!=")
        if (asked := ends_anywhere(e)) is not None:
            travel, sign = asked
            return f"(len(travel_{travel.travel}(s{self.args(travel.args)}, target=-2)) {sign} 0)"
        if e.right.type.kind == "none" and e.left.type.finite:
            return f"({self.expr(e.left)} {'<' if e.op == '==' else '>='} 0)"
        return f"({self.expr(e.left)} {e.op} {self.expr(e.right)})"

    def _logic(self, e: ir.Logic) -> str:
        left = self.expr(e.left)
        right, lines = self._apart(e.right)
        idle = "1" if e.op == "and" else "0"
        if not lines and idle in (left, right):
            return left if right == idle else right
        if not lines:
            return f"({left} {e.op} {right})"
        name = self.w.temp()
        self.w.add(f"{name}: int = {left}")
        self._given(f"if {name}:" if e.op == "and" else f"if not {name}:", name, right, lines)
        return name

    def _if(self, e: ir.If) -> str:
        test = self.expr(e.test)
        then, orelse = self._apart(e.then), self._apart(e.orelse)
        if not then[1] and not orelse[1]:
            return f"({then[0]} if {test} else {orelse[0]})"
        name = self.w.temp()
        self.w.add(f"{name}: {'tuple[int, ...]' if e.type.kind == 'roll' else 'int'}")
        self._given(f"if {test}:", name, *then)
        self._given("else:", name, *orelse)
        return name

    def _apart(self, e: ir.Expr) -> tuple[str, Lines]:
        """Python text for a value, and the lines that must come before it, for a block of their own."""
        mark = self.w.mark()
        self.w.depth += 1
        text = self.expr(e)
        self.w.depth -= 1
        return text, self.w.cut(mark)

    def _given(self, head: str, name: str, text: str, lines: Lines) -> None:
        """A block under *head* that gives a local the value that was written apart."""
        self.w.add(head)
        self.w.paste(lines)
        self.w.depth += 1
        self.w.add(f"{name} = {text}")
        self.w.depth -= 1

    def _common(self, e: ir.Common) -> str:
        return self.kinds.common(e) or self._if(e)

    def _widen(self, e: ir.Widen) -> str:
        return self.kinds.widen(e)

    def _narrow(self, e: ir.Narrow) -> str:
        return self.kinds.narrow(e)

    def _otherwise(self, e: ir.Otherwise) -> str:
        left = self.simple(e.left)
        right = self.simple(e.right)
        return f"({left} if {left} != -1 else {right})"

    def _switchon(self, e: ir.SwitchOn) -> str:
        return Slot(f"s.switch_{e.name}")

    def _active(self, e: ir.Active) -> str:
        return Slot(f"s.{e.effect.slot}")

    def _instance(self, e: ir.Instance) -> str:
        args = [self.simple(a) for a in e.args]
        text = args[0]
        for arg, size in zip(args[1:], self._sizes(e.effect)[1:], strict=True):
            text = f"({text} * {size} + {arg})"
        there = " and ".join(
            f"{text} >= 0" for text, arg in zip(args, e.args, strict=True) if not isinstance(arg, ir.Const)
        )
        return f"({text} if {there} else -1)" if there else text

    def _part(self, e: ir.Part) -> str:
        sizes = self._sizes(e.effect)
        text = self.expr(e.number)
        for size in sizes[e.index + 1 :]:
            text = f"({text} // {size})"
        return text if e.index == 0 else f"({text} % {sizes[e.index]})"

    def _sizes(self, effect: EffectSpec) -> list[str]:
        """How many values each parameter of an effect may have."""
        return [self.count(ir.Members(type=set_of(from_spec(t)))) for t in effect.params]

    # ------------------------------------------------------------------ sets

    def _in(self, e: ir.In) -> str:
        return self.member(self.expr(e.item), e.source, e.item)

    def member(self, item: str, source: ir.Expr, node: ir.Expr | None = None) -> str:
        """Python text for whether *item* is among *source*."""
        if source.type.kind in ("pile", "roll"):
            return f"({item} in {self.expr(source)})"
        if isinstance(source, ir.SetLit):
            # None is no member of any set.
            index = source.type.of is not None and source.type.of.finite
            if all(constant(i) for i in source.items):
                values = ", ".join(
                    str(i.value)
                    for i in source.items
                    if isinstance(i, ir.Const) and (i.value >= 0 or not index)
                )
                return f"({item} in ({values},))" if values else Name(False)
            guard = f"{item} >= 0 and " if index else ""
            return f"({guard}(" + " or ".join(f"{item} == {self.expr(i)}" for i in source.items) + "))"
        if isinstance(source, ir.Range):
            return f"({self.expr(source.low)} <= {item} <= {self.expr(source.high)})"
        if isinstance(source, ir.Members):
            return f"({item} >= 0)"
        if isinstance(source, ir.Widen) and source.value.type.of is not None:
            return self.kinds.member(item, source.value, source.value.type.of.name)
        if isinstance(source, ir.Active) and len(source.effect.params) > 1:
            item = self.named(item)
            return f"({item} >= 0 and s.{source.effect.slot} >> {item} & 1 != 0)"
        if isinstance(source, ir.Reach) and isinstance(item, Name):
            return f"({item} in travel_{source.travel}(s{self.args(source.args)}, target={item}))"
        if isinstance(source, ir.Service) and source.name == "neighbors":
            return f"(DISTANCE[{item}][{self.expr(source.args[0])}] == 1)"
        if isinstance(source, ir.Quant) and source.kind == "all":
            return self._member_of_all(item, source)
        return f"(({self.expr(source)} & BIT[{item}]) != 0)"

    def _member_of_all(self, item: str, source: ir.Quant) -> str:
        name = self.w.temp()
        var = Local(source.var)
        self.w.add(f"{var} = {item}")
        self.w.add(f"{name}: int = {self.member(var, source.source)}")
        if source.where is not None:
            self.w.add(f"if {name}:")
            self.w.depth += 1
            self.w.add(f"{name} = {self.expr(source.where)}")
            self.w.depth -= 1
        return name

    def _range(self, e: ir.Range) -> str:
        return f"span_set({self.expr(e.low)}, {self.expr(e.high)})"

    def _setlit(self, e: ir.SetLit) -> str:
        if not e.items:
            return Number(0)
        if all(constant(i) and isinstance(i, ir.Const) and i.value >= 0 for i in e.items):
            return Number(sum({1 << i.value for i in e.items if isinstance(i, ir.Const)}))
        return "(" + " | ".join(f"BIT[{self.expr(i)}]" for i in e.items) + ")"

    def _members(self, e: ir.Members) -> str:
        count = self.count(e)
        return Name("EVERYWHERE") if count == "SIZE" else f"((1 << {count}) - 1)"

    def count(self, e: ir.Members) -> str:
        """How many members a kind, enum or the board has."""
        member = e.type.of
        assert member is not None
        if member.kind == "piece":
            return f"s.n_{member.name.lower()}"
        if member.kind == "hex":
            return "SIZE"
        return str(len(self.program.enums[member.name]))

    def _reach(self, e: ir.Reach) -> str:
        return f"mask_of(reach_{e.travel}(s{self.args(e.args)}))"

    def _steps(self, e: ir.Steps) -> str:
        args = self.args(e.args)
        target = self.simple(e.target)
        return f"travel_{e.travel}(s{args}, target={target}).get({target}, -1)"

    def _way(self, e: ir.Way) -> str:
        return f"way_{e.travel}(s{self.args(e.args)}, {self.expr(e.target)})"

    # ------------------------------------------------------------------ walking through sets

    def iterable(self, source: ir.Expr, var: str, where: ir.Expr | None) -> tuple[str, list[ir.Expr]]:
        """A Python iterable over the members of *source*, and what is left of the filter."""
        return iterable(self, source, var, where)

    def loop(self, var: str, source: ir.Expr, where: ir.Expr | None) -> None:
        """Open a loop over the members of *source* that pass *where*; the body follows one deeper."""
        if isinstance(source, ir.Quant) and source.kind == "all":
            self.loop(source.var, source.source, source.where)
            self.pure[-1].bound.add(var)
            self.w.add(f"v_{var} = v_{source.var}")
            rest = conjuncts(where)
        else:
            text, rest = self.iterable(source, var, where)
            self.enter([var])
            if len(rest) < len(conjuncts(where)):
                self.pure[-1].learn(conjuncts(where)[0])
            self.w.add(f"for v_{var} in {text}:")
            self.w.depth += 1
        for condition in rest:
            self.unless(condition, "continue")

    def enter(self, bound: list[str]) -> None:
        """A loop that changes nothing begins with the next line; :meth:`leave` ends it."""
        self.pure.append(Loop(self.w.room(), set(bound)))

    def leave(self) -> None:
        """The innermost loop ends."""
        loop = self.pure.pop()
        if not self.pure and self.program.watched is None:
            keep_columns(self.w, loop.room, self.program.column_slots)

    def settled(self, e: ir.Expr) -> ir.Expr:
        """*e* without what is known by now."""
        return settled(e, self.pure) if self.program.watched is None else e

    def unless(self, condition: ir.Expr, action: str) -> None:
        """``if not condition: action``."""
        if self.pure and self.program.watched is None:
            for part in conjuncts(self._filter(self.settled(condition))):
                part = self.settled(part)
                if isinstance(part, ir.Const) and part.value:
                    continue
                self._unless(part, action)
                self.pure[-1].learn(part)
        else:
            self._unless(condition, action)

    def _filter(self, condition: ir.Expr) -> ir.Expr:
        """A condition on what a loop walks through: what it calls is written out even where it is larger."""
        if isinstance(condition, ir.Logic) and condition.op == "and":
            return replace(condition, left=self._filter(condition.left), right=self._filter(condition.right))
        if isinstance(condition, ir.Apply) and table_of(self.program, condition.name) is None:
            body = filter_of(self.program, condition.name)
            if body is not None:
                condition = self._written_out(condition, body)
                return self._filter(condition)
        if isinstance(condition, ir.Not):
            inner = condition.operand
            if isinstance(inner, ir.Not):
                return self._filter(inner.operand)
            if isinstance(inner, ir.Logic) and inner.op == "or":
                left, right = (ir.Not(e, type=e.type, span=e.span) for e in (inner.left, inner.right))
                return ir.Logic("and", self._filter(left), self._filter(right), type=inner.type)
        return condition

    def _unless(self, condition: ir.Expr, action: str) -> None:
        text = self.expr(condition)
        negated = text.operand if isinstance(text, Negation) else f"not {text}"
        self.w.add(f"if {negated}:")
        self.w.depth += 1
        self.w.add(action)
        self.w.depth -= 1

    def _quant(self, e: ir.Quant) -> str:
        return quantifier(self, e)

    def _allot(self, e: ir.Allot) -> str:
        return allot(self, e)

    def _line(self, e: ir.Line) -> str:
        return line(self, e)
