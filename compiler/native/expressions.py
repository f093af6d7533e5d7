"""Expressions as C.

:meth:`Expressions.value` returns C text for a value.  What cannot be said in one expression
(quantifiers, lines, what comes of it only if asked) is written as statements before it.
"""

from __future__ import annotations

from compiler import ir
from compiler.native.loops import Loops
from compiler.trees import ends_anywhere, multiplies_freely
from compiler.types import HEX, Type, from_spec, set_of
from runtime.model import EffectSpec, zero

#: Services of numbers; ``next`` gets the number of members too, ``shift`` that of the last one.
_SERVICES = {
    "distance": "DISTANCE({}, {})",
    "adjacent": "(DISTANCE({}, {}) == 1)",
    "row": "ROW({})",
    "column": "COLUMN({})",
    "neighbor": "TOWARD({}, {})",
    "direction": "direction({}, {})",
    "turn": "turned({}, {})",
    "rank": "{}",
    "next": "following({}, {})",
    "opponent": "following({}, {})",
    "shift": "shifted({}, {}, {})",
    "min": "lower({}, {})",
    "max": "higher({}, {})",
}
_FOUND = {"around": "AROUND", "entries": "ENTRIES", "crossed": "CROSSED", "bearing": "BEARING"}


class Expressions(Loops):
    """Writes expressions of one function."""

    def value(self, e: ir.Expr, wanted: Type | None = None) -> str:
        """C text for the value of *e*; of an empty set as one of the type that is *wanted*."""
        if e.type.kind == "set" and e.type.of is not None and e.type.of.kind in ("none", "bad"):
            assert wanted is not None and wanted.kind == "set"
            if isinstance(e, ir.SetLit | ir.Const):
                return f"{self.shapes.value(wanted)}_none()"
            raise AssertionError("a set of nothing")
        once = self.hoisted(e)
        if once is not None:
            return once
        return self.plainly(e)

    def plainly(self, e: ir.Expr) -> str:
        """:meth:`value`, where it stands."""
        return getattr(self, "_" + type(e).__name__.lower())(e)  # type: ignore[no-any-return]

    def test(self, e: ir.Expr | None) -> str:
        """C text for whether a condition holds."""
        return "1" if e is None else self.value(e)

    def simple(self, e: ir.Expr, wanted: Type | None = None) -> str:
        """The value in a local, where repeating it would be dear."""
        text = self.value(e, wanted)
        if text.isidentifier() or text.lstrip("-").isdigit():
            return text
        name = self.w.temp()
        self.w.add(f"{self.shapes.value(wanted or e.type)} {name} = {text};")
        return name

    # ------------------------------------------------------------------ reading

    def _const(self, e: ir.Const) -> str:
        if e.type.kind == "set":
            return self.constant(e.value, self.shapes.width(e.type))
        return number(e.value)

    def constant(self, mask: int, width: int) -> str:
        """A set that is written down."""
        if not mask:
            return f"set{width}_none()"
        words = (mask >> 64 * i & (1 << 64) - 1 for i in range(width))
        return f"(set{width}){{{{{', '.join(f'{word:#x}ull' for word in words)}}}}}"

    def _label(self, e: ir.Label) -> str:
        return f"{self.shapes.board.index(e.name)} /* {e.name} */"

    def _local(self, e: ir.Local) -> str:
        return f"v_{e.name}"

    def _get(self, e: ir.Get) -> str:
        if e.owner is None:
            return self.shapes.slot(e.field.slot)
        return f"{self.shapes.slot(e.field.slot)}[{self.index(e.owner)}]"

    def index(self, owner: ir.Expr) -> str:
        """The place of a member's value in a column: that of none stands first."""
        if isinstance(owner, ir.Const) and not isinstance(owner, ir.Label):
            return str(owner.value + 1)
        return f"{self.value(owner)} + 1"

    def _pick(self, e: ir.Pick) -> str:
        key, owner = self.simple(e.key), ""
        if e.owner is not None:
            owner = f"[{self.simple(e.owner)} + 1]"
        blank = zero(e.type.spec())
        text = (
            self.constant(blank, self.shapes.width(e.type))
            if e.type.kind == "set"
            else number(blank)
        )
        for i, one in enumerate(e.fields):
            text = f"({key} == {i} ? {self.shapes.slot(one.slot)}{owner} : {text})"
        return text

    def _col(self, e: ir.Col) -> str:
        if e.column.place is not None:
            return f"c->weights[{e.column.place} + {self.index(e.key)}]"
        return f"T_{e.column.enum}_{e.column.name}[{self.index(e.key)}]"

    def _weight(self, e: ir.Weight) -> str:
        return f"c->weights[{e.place}] /* {e.name} */"

    def _cell(self, e: ir.Cell) -> str:
        return f"M_{e.matrix.name}[{self.index(e.row)}][{self.index(e.column)}]"

    def _rung(self, e: ir.Rung) -> str:
        n = self.simple(e.number)
        place = f"(bounded({n}, {number(e.low)}, {number(e.high)}) - {number(e.low)})"
        return f"({n} == -1 ? -1 : {place})" if e.type.optional else place

    def _at(self, e: ir.At) -> str:
        return f"s->{e.kind.lower()}_at[{self.index(e.hex)}]"

    def _pile(self, e: ir.Pile) -> str:
        return f"(pile){{s->N_{e.pile.slot}{self.whose(e)}, s->{e.pile.slot}{self.whose(e)}}}"

    def whose(self, e: ir.Pile) -> str:
        """The index of a pile kept per side."""
        return "" if e.owner is None else f"[{self.index(e.owner)}]"

    def _apply(self, e: ir.Apply) -> str:
        call = self.program.calls[e.name]
        return f"q_{e.name}(s, c{self.args(e.args, [p.type for p in call.params])})"

    def args(self, args: tuple[ir.Expr, ...], types: list[Type]) -> str:
        """Arguments behind others."""
        return "".join(f", {self.value(a, t)}" for a, t in zip(args, types, strict=True))

    # ------------------------------------------------------------------ services

    def _service(self, e: ir.Service) -> str:
        name, args = e.name, e.args
        if name == "size":
            return self.size(args[0])
        if name in ("min", "max") or name in _SERVICES:
            texts = [self.value(a) for a in args]
            if name == "opponent":
                texts.append(str(len(self.program.sides)))
            if name in ("next", "shift"):
                texts.append(str(len(self.program.enums[e.type.name]) - (name == "shift")))
            return _SERVICES[name].format(*texts)
        if name == "neighbors":
            return f"NEIGHBORS({self.value(args[0])})"
        if name in _FOUND:
            width = self.shapes.width(e.type)
            a, b = (self.value(a) for a in args)
            if name == "around":  # no hex is farther
                b = f"bounded({b}, 0, UINT16_MAX)"
            return f"set{width}_found(c, {_FOUND[name]}, {a}, {b})"
        if name == "linked":
            return f"linked({self.value(args[0], set_of(HEX))}, {self.value(args[1], set_of(HEX))})"
        if name == "both":
            wanted = e.type
            return f"{self.shapes.value(wanted)}_and({self.value(args[0], wanted)}, {self.value(args[1], wanted)})"
        if name in ("tally", "cards"):
            kind = "roll" if args[0].type.kind == "roll" else "pile"
            return f"{kind}_count({self.value(args[0])}, {self.value(args[1])})"
        if name in ("face", "top"):
            return f"{name}({self.value(args[0])})"
        raise AssertionError(name)

    def size(self, source: ir.Expr) -> str:
        """How many members, dice or cards."""
        if source.type.kind in ("roll", "pile"):
            return f"{self.value(source)}.n"
        if isinstance(source, ir.Range | ir.SetLit) or not self.as_set(source):
            return self.member_count(source)
        return f"{self.shapes.value(source.type)}_size({self.value(source)})"

    # ------------------------------------------------------------------ operators

    def _not(self, e: ir.Not) -> str:
        return f"!{self.value(e.operand)}"

    def _op(self, e: ir.Op) -> str:
        if e.type.kind == "set":
            does = {"|": "or", "+": "or", "-": "less", "&~": "less", "&": "and"}[e.op]
            left, right = self.value(e.left, e.type), self.value(e.right, e.type)
            return f"{self.shapes.value(e.type)}_{does}({left}, {right})"
        left, right = self.value(e.left), self.value(e.right)
        if e.op in ("/", "mod"):
            return f"{'quotient' if e.op == '/' else 'rest'}({left}, {right})"
        if e.op == "*":
            return f"{'product' if multiplies_freely(e) else 'scaled'}(c, {left}, {right})"
        return f"{'plus' if e.op == '+' else 'minus'}(c, {left}, {right})"

    _gathered = _op

    def _compare(self, e: ir.Compare) -> str:
        if (asked := ends_anywhere(e)) is not None:
            travel, sign = asked
            found = f"{self.trip(travel.travel, travel.args, anywhere=True)}->ends"
            there = f"{self.shapes.value(travel.type)}_any({found})"
            return there if sign == ">" else f"!{there}"
        kind = "set" if "set" in (e.left.type.kind, e.right.type.kind) else e.left.type.kind
        if kind == "set":
            return self._same_sets(e)
        if kind in ("roll", "pile"):
            text = f"{kind}_same({self.value(e.left)}, {self.value(e.right)})"
            return text if e.op == "==" else f"!{text}"
        return f"({self.value(e.left)} {e.op} {self.value(e.right)})"

    def _same_sets(self, e: ir.Compare) -> str:
        nothing = [isinstance(x, ir.SetLit) and not x.items for x in (e.left, e.right)]
        if any(nothing):
            other = e.right if nothing[0] else e.left
            there = self.has_member(other)
            return f"!{there}" if e.op == "==" else there
        known = e.left.type if e.left.type.of and e.left.type.of.kind != "none" else e.right.type
        text = f"{self.shapes.value(known)}_same({self.value(e.left, known)}, {self.value(e.right, known)})"
        return text if e.op == "==" else f"!{text}"

    def _logic(self, e: ir.Logic) -> str:
        left = self.value(e.left)
        with self.w.detached() as lines:
            right = self.value(e.right)
        if not lines:
            return f"({left} {'&&' if e.op == 'and' else '||'} {right})"
        name = self.w.temp()
        self.w.add(f"num {name} = {left};")
        self.w.add(f"if ({name if e.op == 'and' else f'!{name}'}) {{")
        self.w.lines += lines
        self.w.add(f"  {name} = {right};")
        self.w.add("}")
        return name

    def _if(self, e: ir.If) -> str:
        test = self.value(e.test)
        with self.w.detached() as then_lines:
            then = self.value(e.then, e.type)
        with self.w.detached() as else_lines:
            orelse = self.value(e.orelse, e.type)
        if not then_lines and not else_lines:
            return f"({test} ? {then} : {orelse})"
        name = self.w.temp()
        self.w.add(f"{self.shapes.value(e.type)} {name};")
        self.w.add(f"if ({test}) {{")
        self.w.lines += then_lines
        self.w.add(f"  {name} = {then};")
        self.w.add("} else {")
        self.w.lines += else_lines
        self.w.add(f"  {name} = {orelse};")
        self.w.add("}")
        return name

    _common = _if

    def _otherwise(self, e: ir.Otherwise) -> str:
        left = self.simple(e.left)
        with self.w.detached() as lines:
            right = self.value(e.right)
        if not lines:
            return f"({left} != -1 ? {left} : {right})"
        name = self.w.temp()
        self.w.add(f"num {name} = {left};")
        self.w.add(f"if ({name} == -1) {{")
        self.w.lines += lines
        self.w.add(f"  {name} = {right};")
        self.w.add("}")
        return name

    # ------------------------------------------------------------------ pieces of a parent

    def _widen(self, e: ir.Widen) -> str:
        own = e.value.type
        if own.kind == "set":
            assert own.of is not None
            return self._shifted_set(e, self.shapes.first_number(own.of.name), own.of.name)
        first = self.shapes.first_number(own.name)
        if first == "0":
            return self.value(e.value)
        value = self.simple(e.value)
        return f"({value} >= 0 ? {value} + {first} : -1)"

    def _narrow(self, e: ir.Narrow) -> str:
        if e.type.kind == "set":
            assert e.type.of is not None
            kind = e.type.of.name
            moved = self._shifted_set(e, f"-{self.shapes.first_number(kind)}", kind)
            width = self.shapes.width(e.type)
            return f"set{width}_and({moved}, set{width}_up_to(GIVEN->n_{kind.lower()}))"
        kind, value = e.type.name, self.simple(e.value)
        first = self.shapes.first_number(kind)
        return f"({value} >= {first} && {value} < {first} + GIVEN->n_{kind.lower()} ? {value} - {first} : -1)"

    def _shifted_set(self, e: ir.Widen | ir.Narrow, by: str, kind: str) -> str:
        own, width = self.shapes.width(e.value.type), self.shapes.width(e.type)
        source, name = self.w.temp(), self.w.temp()
        self.w.add(f"set{own} {source} = {self.value(e.value)};")
        self.w.add(f"set{width} {name};")
        self.w.add(f"moved({source}.w, {own}, {by}, {name}.w, {width});")
        return name

    # ------------------------------------------------------------------ switches and effects

    def _switchon(self, e: ir.SwitchOn) -> str:
        return f"GIVEN->switch_{e.name}"

    def _offered(self, e: ir.Offered) -> str:
        return "1"

    def _active(self, e: ir.Active) -> str:
        return f"s->{e.effect.slot}"

    def _instance(self, e: ir.Instance) -> str:
        args = [self.simple(a) for a in e.args]
        text = args[0]
        for arg, size in zip(args[1:], self.sizes(e.effect)[1:], strict=True):
            text = f"({text} * {size} + {arg})"
        there = " && ".join(f"{arg} >= 0" for arg in args)
        return f"({there} ? {text} : -1)"

    def _part(self, e: ir.Part) -> str:
        sizes = self.sizes(e.effect)
        text = self.value(e.number)
        for size in sizes[e.index + 1 :]:
            text = f"({text} / {size})"
        return text if e.index == 0 else f"({text} % {sizes[e.index]})"

    def sizes(self, effect: EffectSpec) -> list[str]:
        """How many values each parameter of an effect may have."""
        return [self.shapes.count(from_spec(t)) for t in effect.params]

    # ------------------------------------------------------------------ travels

    def trip(self, travel: str, args: tuple[ir.Expr, ...], anywhere: bool = False) -> str:
        """What is found by a travel; *anywhere*: only whether it ends anywhere."""
        info = self.program.travels[travel]
        text = f"travel_{travel}(s, c{self.args(args, [p.type for p in info.params])}, {int(anywhere)})"
        key = ("trip", travel, args, anywhere)
        kept = self.hoist(key, args, "const Trip *", lambda: text)
        if kept is not None:
            return kept
        name = self.w.temp()
        self.w.add(f"const Trip *{name} = {text};")
        return name

    def _reach(self, e: ir.Reach) -> str:
        return f"{self.trip(e.travel, e.args)}->ends"

    def _steps(self, e: ir.Steps) -> str:
        trip, target = self.trip(e.travel, e.args), self.value(e.target)
        return f"trip_cost({trip}, {target})"

    def _way(self, e: ir.Way) -> str:
        info = self.program.travels[e.travel]
        args = self.args(e.args, [p.type for p in info.params])
        return f"way_{e.travel}(s, c{args}, {self.value(e.target)})"


def number(value: int) -> str:
    """A number as C."""
    return f"{value}LL" if abs(value) >= 1 << 31 else str(value)
