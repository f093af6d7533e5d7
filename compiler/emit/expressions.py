"""Expressions as Python.

:meth:`ExpressionEmitter.expr` returns Python text for a value.  What cannot be said in one
expression (quantifiers, lines) is written as statements before it, into the same function.
"""

from __future__ import annotations

from compiler import ir
from compiler.emit.inline import body_of, invariant, loops, simplified, unrolled, variant_of
from compiler.emit.loops import LoopEmitter
from compiler.emit.remembered import key_of, memo_lookup
from compiler.emit.writer import (
    Column,
    Lines,
    Local,
    Name,
    Number,
    Slot,
    constant,
    join,
    label,
    negation,
    py,
)
from compiler.trees import ends_anywhere, locals_of, multiplies_freely, walk
from compiler.types import HEX, from_spec, set_of
from dsl.source import NOWHERE, Span
from runtime.model import EffectSpec, zero
from runtime.services import MOST

#: Services as Python; ``next`` gets the number of members too, ``shift`` that of the last one.
_SERVICES = {
    "neighbors": "NEIGHBOR_MASKS[{}]",
    "distance": "DISTANCE[{}][{}]",
    "adjacent": "(DISTANCE[{}][{}] == 1)",
    "around": "around_mask({}, {})",
    "entries": "BOARD.entries_mask({}, {})",
    "crossed": "BOARD.crossed_mask({}, {})",
    "bearing": "BOARD.bearing_mask({}, {})",
    "row": "ROW[{}]",
    "column": "COLUMN[{}]",
    "linked": "linked({}, {})",
    "tally": "{}.count({})",
    "cards": "{}.count({})",
    "face": "face({})",
    "top": "top({})",
    "both": "({} & {})",
    "neighbor": "BOARD.toward[{}][{}]",
    "direction": "direction(({}, {}))",
    "turn": "turn({}, {})",
    "rank": "{}",
    "opponent": "OPPONENT[{}]",
    "next": "following({}, {})",
    "shift": "shift({}, {}, {})",
}


class ExpressionEmitter(LoopEmitter):
    """Writes expressions of one function."""

    # ------------------------------------------------------------------ marks, where what is used
    # is watched

    def holding(self, what: str, text: str, at: Span) -> str:
        """*text*, which is that of the condition under which a rule is used."""
        return text

    def note(self, what: str, at: Span = NOWHERE) -> None:
        """What follows is used."""

    # ------------------------------------------------------------------ values

    def expr(self, e: ir.Expr) -> str:
        """Python text for the value of *e* (a set: its mask)."""
        if self.pure and self.program.watched is None and invariant(e):
            kept = self._hoisted_local(e)
            if kept is not None:
                return kept
        if self.pure and self.program.watched is None:
            asked = self._hoisted_memo(e)
            if asked is not None:
                return Name(asked)

        def write() -> str:
            return getattr(self, "_" + type(e).__name__.lower())(e)  # type: ignore[no-any-return]

        return (self.hoisted(e, write) if self._dear(e) else None) or write()

    def _dear(self, e: ir.Expr) -> bool:
        """Whether *e* takes more time than to keep what it comes to."""
        match e:
            case ir.Quant():
                return unrolled(self.program, e) is None
            case ir.Apply():
                return self.program.table_of(e.name) is None and (
                    body_of(self.program, e.name) is None or loops(self.program, e)
                )
            case ir.Compare():
                return ends_anywhere(e) is not None
        return isinstance(e, ir.Allot | ir.Line | ir.Reach | ir.Way)

    def _hoisted_local(self, e: ir.Expr) -> str | None:
        """The local that holds *e* before the outermost loop in which it does not change."""
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
        loop.room.add(
            py(f"{name}: int = {{}}" if isinstance(e, ir.Logic) else f"{name} = {{}}", text)
        )
        loop.kept[text] = name
        return name

    def _const(self, e: ir.Const) -> str:
        return Number(e.value)

    def _label(self, e: ir.Label) -> str:
        return label(e.name)

    def _local(self, e: ir.Local) -> str:
        return Local(e.name)

    def _get(self, e: ir.Get) -> str:
        if e.owner is None:
            return Slot(f"s.{e.field.slot}")
        return py("{}[{}]", Column(e.field.slot), self.expr(e.owner))

    def _pick(self, e: ir.Pick) -> str:
        key = self.simple(e.key)
        columns = ", ".join(f"s.{f.slot}" for f in e.fields)
        entry = f"({columns},)[{key}]"
        if e.owner is not None:
            entry = py("{}[{}]", entry, self.expr(e.owner))
        return py("({} if {} >= 0 else {})", entry, key, Number(zero(e.type.spec())))

    def _col(self, e: ir.Col) -> str:
        return self.column_entry("T", e)

    def _weight(self, e: ir.Weight) -> str:
        return Name(f"W_{e.name}")

    def _cell(self, e: ir.Cell) -> str:
        return py(f"M_{e.matrix.name}[{{}}][{{}}]", self.expr(e.row), self.expr(e.column))

    def _rung(self, e: ir.Rung) -> str:
        number = self.simple(e.number)
        bounded = (
            f"{e.low} if {number} < {e.low} else {e.high} if {number} > {e.high} else {number}"
        )
        place = f"({bounded}) - {e.low}"
        return f"(-1 if {number} == -1 else {place})" if e.type.optional else f"({place})"

    def _at(self, e: ir.At) -> str:
        return py("{}[{}]", Column(f"{e.kind.lower()}_at"), self.expr(e.hex))

    def _pile(self, e: ir.Pile) -> str:
        pile = Column(e.pile.slot)
        return pile if e.owner is None else py("{}[{}]", pile, self.expr(e.owner))

    def _apply(self, e: ir.Apply) -> str:
        if self.program.table_of(e.name) is not None:
            return self.entry("F", e)
        body = body_of(self.program, e.name)
        if body is not None:
            return self.expr(self.apply_facts(self.inlined(e, body)))
        if self.program.call_info(e.name).remembered:
            return self._memo_value(e)
        suffix, args = variant_of(self.program, e)
        return py(f"q_{e.name}{suffix}(s{{}})", self.args(args))

    def _memo_value(self, e: ir.Apply) -> str:
        """The value of a remembered function: where it is known, without a call."""
        if self.pure and self.pure[-1].apart:
            return py(f"q_{e.name}(s{{}})", self.args(e.args))
        return self._memo_text(e.name, [self.simple(a) for a in e.args])

    def _hoisted_memo(self, e: ir.Expr) -> str | None:
        """The local that holds the value of a remembered function that may be asked for before the
        outermost loop in which its arguments do not change.
        """
        kept = self.program.memo_of(e.name) if isinstance(e, ir.Apply) else None
        if not isinstance(e, ir.Apply) or kept is None:
            return None
        names = locals_of(e)
        level = len(self.pure)
        while level > 0 and not (names & self.pure[level - 1].bound):
            level -= 1
        if level == len(self.pure) or not kept.harmless:
            return None
        args = [self.expr(a) for a in e.args]
        if not all(isinstance(a, Name | Number) for a in args):
            return None
        loop, asked = self.pure[level], f"q_{e.name}({', '.join(args)})"
        if asked not in loop.kept:
            loop.kept[asked] = name = self.w.temp()
            loop.room.add(f"{name} = {self._memo_text(e.name, args)}")
        return loop.kept[asked]

    def _memo_text(self, function: str, args: list[str]) -> str:
        """The value of a remembered function, given what can be repeated."""
        known = self.w.temp()
        return py(
            "({} if ({} := {}) is not None and s.asked is None else {})",
            *(known, known, memo_lookup(self.program, function, key_of(args))),
            f"q_{function}({', '.join(['s', *args])})",
        )

    def _service(self, e: ir.Service) -> str:
        name = e.name
        if name == "size":
            source = e.args[0]
            if isinstance(source, ir.Range):
                return py("len(span({}, {}))", self.expr(source.low), self.expr(source.high))
            if isinstance(source, ir.Reach):
                return py(f"len(travel_{source.travel}(s{{}}))", self.args(source.args))
            form = "({}).bit_count()" if source.type.kind == "set" else "len({})"
            return py(form, self.expr(source))
        if name in ("min", "max"):
            left, right = self.simple(e.args[0]), self.simple(e.args[1])
            return f"({left} if {left} {'<' if name == 'min' else '>'} {right} else {right})"
        args = [self.expr(a) for a in e.args]
        if name in ("next", "shift"):
            args.append(str(len(self.program.enums[e.type.name]) - (name == "shift")))
        return py(_SERVICES[name], *args)

    # ------------------------------------------------------------------ operators

    def _not(self, e: ir.Not) -> str:
        return negation(self.expr(e.operand))

    def _op(self, e: ir.Op) -> str:
        if e.op == "&~":
            return py("({} & ~{})", self.expr(e.left), self.expr(e.right))
        if e.op in ("/", "mod"):
            sign = "//" if e.op == "/" else "%"
            if isinstance(e.right, ir.Const) and e.right.value != 0:
                return py("({} {} {})", self.expr(e.left), sign, Number(e.right.value))
            right = self.simple(e.right)
            return py("({} {} {} if {} else 0)", self.expr(e.left), sign, right, right)
        if multiplies_freely(e):
            return py("product({}, {})", self.expr(e.left), self.expr(e.right))
        return py("({} {} {})", self.expr(e.left), e.op, self.expr(e.right))

    _gathered = _op

    def _compare(self, e: ir.Compare) -> str:
        if isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
            return Name(simplified(e) == ir.Const(1, type=e.type))
        if e.left.type.kind == "bool" and isinstance(e.right, ir.Const):
            positive = (e.op == "==") == bool(e.right.value)
            return self.expr(e.left) if positive else negation(self.expr(e.left))
        if isinstance(e.left, ir.Gathered) and isinstance(e.right, ir.SetLit) and not e.right.items:
            return self.anybody(e.left, e.op == "!=")
        if (asked := ends_anywhere(e)) is not None:
            travel, sign = asked
            args = self.args(travel.args)
            return py("(len(travel_{}(s{}, target=-2)) {} 0)", travel.travel, args, sign)
        if e.right.type.kind == "none" and e.left.type.finite:
            return py("({} {} 0)", self.expr(e.left), "<" if e.op == "==" else ">=")
        return py("({} {} {})", self.expr(e.left), e.op, self.expr(e.right))

    def _logic(self, e: ir.Logic) -> str:
        left = self.expr(e.left)
        right, lines = self._text_and_lines(e.right)
        if not lines:
            idle = Number(int(e.op == "and"))
            for text, other in ((right, left), (left, right)):
                if isinstance(text, Number) and text == idle:
                    return other
            return py("({} {} {})", left, e.op, right)
        name = self.w.temp()
        self.w.add("{}: int = {}", name, left)
        self._assign_in_block(
            f"if {name}:" if e.op == "and" else f"if not {name}:", name, right, lines
        )
        return name

    def _if(self, e: ir.If) -> str:
        test = self.expr(e.test)
        then, orelse = self._text_and_lines(e.then), self._text_and_lines(e.orelse)
        if not then[1] and not orelse[1]:
            return py("({} if {} else {})", then[0], test, orelse[0])
        name = self.w.temp()
        self.w.add(f"{name}: {'tuple[int, ...]' if e.type.kind == 'roll' else 'int'}")
        self._assign_in_block(py("if {}:", test), name, *then)
        self._assign_in_block("else:", name, *orelse)
        return name

    def _text_and_lines(self, e: ir.Expr) -> tuple[str, Lines]:
        """The text of a value, and the lines that must come before it in a block of their own."""
        mark = self.w.mark()
        self.w.depth += 1
        text = self.expr(e)
        self.w.depth -= 1
        return text, self.w.cut(mark)

    def _assign_in_block(self, head: str, name: str, text: str, lines: Lines) -> None:
        """A block under *head* that gives a local the value that was written apart."""
        with self.w.block("{}", head):
            self.w.paste(lines)
            self.w.add("{} = {}", name, text)

    def _common(self, e: ir.Common) -> str:
        return self.common(e) or self._if(e)

    def _otherwise(self, e: ir.Otherwise) -> str:
        left = self.simple(e.left)
        right = self.simple(e.right)
        return f"({left} if {left} != -1 else {right})"

    # ------------------------------------------------------------------ switches and effects

    def _switchon(self, e: ir.SwitchOn) -> str:
        return Slot(f"s.switch_{e.name}")

    def _offered(self, e: ir.Offered) -> str:
        return self.offered_test(e.option) or Number(1)

    def offered_test(self, option: tuple[int, int]) -> str:
        """The test that no forecast assumes an option never offered; '' where none can."""
        bit = self.program.never.get(option)
        return f"(not s.assumed & {bit})" if bit is not None else ""

    def _active(self, e: ir.Active) -> str:
        return Slot(f"s.{e.effect.slot}")

    def _instance(self, e: ir.Instance) -> str:
        args = [self.simple(a) for a in e.args]
        text = args[0]
        for arg, size in zip(args[1:], self._sizes(e.effect)[1:], strict=True):
            text = f"({text} * {size} + {arg})"
        there = " and ".join(
            f"{arg} >= 0"
            for arg, value in zip(args, e.args, strict=True)
            if not isinstance(value, ir.Const)
        )
        return f"({text} if {there} else -1)" if there else text

    def _part(self, e: ir.Part) -> str:
        sizes = self._sizes(e.effect)
        text = self.expr(e.number)
        for size in sizes[e.index + 1 :]:
            text = py("({} // {})", text, size)
        return text if e.index == 0 else py("({} % {})", text, sizes[e.index])

    def _sizes(self, effect: EffectSpec) -> list[str]:
        """How many values each parameter of an effect may have."""
        return [self.count(from_spec(t)) for t in effect.params]

    # ------------------------------------------------------------------ sets

    def _in(self, e: ir.In) -> str:
        return self.member(self.expr(e.item), e.source)

    def member(self, item: str, source: ir.Expr) -> str:
        """Python text for whether *item* is among *source*."""
        match source:
            case ir.Expr(type=type_) if type_.kind in ("pile", "roll"):
                return py("({} in {})", item, self.expr(source))
            case ir.SetLit():
                return self._member_of_few(item, source)
            case ir.Range():
                return py("({} <= {} <= {})", self.expr(source.low), item, self.expr(source.high))
            case ir.Members():
                return py("({} >= 0)", item)
            case ir.Widen() if source.value.type.of is not None:
                return self.member_of_kind(item, source.value, source.value.type.of.name)
            case ir.Active() if len(source.effect.params) > 1:
                item = self.as_local(item)
                return f"({item} >= 0 and s.{source.effect.slot} >> {item} & 1 != 0)"
            case ir.Reach() if isinstance(item, Name) and not self.lasts(source.args):
                args = self.args(source.args)
                return py("({} in travel_{}(s{}, target={}))", item, source.travel, args, item)
            case ir.Service(name="neighbors", args=(hex,)):
                return py("(DISTANCE[{}][{}] == 1)", item, self.expr(hex))
            case ir.Quant(kind="all"):
                return self._member_of_all(item, source)
        if source.type.of_numbers:
            item = self.as_local(item)
            return py("({} >= 0 and {} >> {} & 1 != 0)", item, self.expr(source), item)
        return py("(({} & BIT[{}]) != 0)", self.expr(source), item)

    def _member_of_few(self, item: str, source: ir.SetLit) -> str:
        # None is no member of any set.
        index = source.type.of is not None and source.type.of.finite
        constants = [i for i in source.items if isinstance(i, ir.Const) and constant(i)]
        if len(constants) == len(source.items):
            values = ", ".join(str(i.value) for i in constants if i.value >= 0 or not index)
            return py("({} in ({},))", item, values) if values else Name(False)
        tests = join(" or ", [py("{} == {}", item, self.expr(i)) for i in source.items])
        return py("({} >= 0 and ({}))", item, tests) if index else py("(({}))", tests)

    def _member_of_all(self, item: str, source: ir.Quant) -> str:
        name = self.w.temp()
        var = Local(source.var)
        for loop in self.pure[-1:]:
            loop.bound.add(source.var)
        self.w.add("{} = {}", var, item)
        self.w.add("{}: int = {}", name, self.member(var, source.source))
        if source.where is not None:
            with self.w.block(f"if {name}:"):
                self.w.add("{} = {}", name, self.expr(source.where))
        return name

    def _range(self, e: ir.Range) -> str:
        return py("span_set({}, {})", self.expr(e.low), self.expr(e.high))

    def _setlit(self, e: ir.SetLit) -> str:
        constants = [i.value for i in e.items if isinstance(i, ir.Const) and constant(i)]
        if len(constants) == len(e.items) and all(0 <= value < MOST for value in constants):
            return Number(sum({1 << value for value in constants}))
        one = "bit({})" if e.type.of_numbers else "BIT[{}]"
        return py("({})", join(" | ", [py(one, self.expr(i)) for i in e.items]))

    def _members(self, e: ir.Members) -> str:
        assert e.type.of is not None
        if e.type.of.kind == "hex":
            return Name("EVERYWHERE")
        return f"((1 << {self.count(e.type.of)}) - 1)"

    # ------------------------------------------------------------------ travels

    def _reach(self, e: ir.Reach) -> str:
        return py("mask_of(reach_{}(s{}))", e.travel, self.args(e.args))

    def _steps(self, e: ir.Steps) -> str:
        if self.lasts(e.args):
            reach = ir.Reach(e.travel, e.args, type=set_of(HEX))

            def write() -> str:
                return py("travel_{}(s{})", e.travel, self.args(e.args))

            costs = self.hoisted(reach, write, "dict[int, int]")
            if costs is not None:
                return py("{}.get({}, -1)", costs, self.expr(e.target))
        args = self.args(e.args)
        target = self.simple(e.target)
        return py("travel_{}(s{}, target={}).get({}, -1)", e.travel, args, target, target)

    def _way(self, e: ir.Way) -> str:
        return py("way_{}(s{}, {})", e.travel, self.args(e.args), self.expr(e.target))
