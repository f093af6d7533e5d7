"""Conditions: what makes them hold."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.prove.claims import ALWAYS, COMPARED, NEVER, Value, constant
from compiler.prove.numbers import Numbers, holds
from compiler.prove.search import Test, branch, mapped, negated
from compiler.trees import conjuncts, locals_of, substitute
from compiler.types import BOOL
from runtime.model import NONE
from runtime.words.said import said

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class Conditions(Numbers):
    """What conditions say."""

    def unequal(self, a: ir.Expr, b: ir.Expr) -> Test:
        """That two values differ."""
        if self._key(a) == self._key(b):
            return NEVER
        return self.test(ir.Compare("!=", a, b, type=BOOL))

    def _test_expr(self, e: ir.Expr) -> Test:
        return self._known(self._opaque(e))

    def _test_const(self, e: ir.Const) -> Test:
        return constant(bool(e.value))

    def _test_not(self, e: ir.Not) -> Test:
        return negated(self.test(e.operand))

    def _test_logic(self, e: ir.Logic) -> Test:
        return self.several((self.test(e.left), self.test(e.right)), e.op == "or")

    def _test_compare(self, e: ir.Compare) -> Test:
        return self._compare(e.op, e.left, e.right)

    def _test_in(self, e: ir.In) -> Test:
        return self._inside(e)

    def _test_entry(self, e: ir.Col | ir.Cell) -> Test:
        return mapped(self._lookup(e), bool)

    _test_col = _test_cell = _test_entry

    def _test_field(self, e: ir.Get | ir.Pick) -> Test:
        test: Test = self._unless(self._nobodys(e), False, self._known(self._opaque(e)))
        return test

    _test_get = _test_pick = _test_field

    def _test_quant(self, e: ir.Quant) -> Test:
        if e.kind in ("no", "every"):
            where = e.where if e.kind == "no" or e.where is None else ir.Not(e.where, type=BOOL)
            if isinstance(where, ir.Not) and isinstance(where.operand, ir.Not):
                where = where.operand.operand
            return negated(self.test(replace(e, kind="some", where=where)))
        if e.kind == "some" and isinstance(e.source, ir.Active) and e.source.effect.group:
            narrowed = _of_one(e)
            if narrowed is not None:
                return self.test(narrowed)
        return self._test_expr(e)

    def _test_active(self, e: ir.Active) -> Test:
        return self._in_group(e, None) if e.effect.group else self._test_expr(e)

    def _test_apply(self, e: ir.Apply) -> Test:
        body = self._inlined(e)
        if body is None:
            return self._test_expr(e)
        self._depth += 1
        known = len(self.atoms)
        inner = self.test(body)
        self._depth -= 1
        if len(self.atoms) == known + 1 and self._is_atom(body):
            list(self.atoms.values())[-1].text = self.printer.expr(e)
        return inner

    @staticmethod
    def _is_atom(e: ir.Expr) -> bool:
        return isinstance(e, ir.Allot | ir.Line | ir.Active | ir.Service) or (
            isinstance(e, ir.Quant) and e.kind == "some"
        )

    # ------------------------------------------------------------------ comparisons

    def _compare(self, op: str, left: ir.Expr, right: ir.Expr) -> Test:
        if left.type.kind == "none":
            left, right, op = right, left, _MIRRORED[op]
        nothing = isinstance(right, ir.Const) and right.value == NONE and right.type.finite
        if nothing or right.type.kind == "none":
            missing = self.none(left)
            gone = missing if missing is not None else NEVER
            return gone if op == "==" else negated(gone)
        kind = left.type.kind
        if kind == "int" and right.type.kind == "int":
            return self._numbers(op, self.number(left), self.number(right))
        if kind in ("enum", "bool"):
            value = self.member if kind == "enum" else self._bit
            ordered = self._ordered(op, value(left), value(right))
            if kind == "enum" and op in ("==", "!="):
                # What is none differs from all that never is; which member that is does not matter.
                for one, other in ((left, right), (right, left)):
                    missing = self.none(one)
                    if missing is not None and self.none(other) is None:
                        return branch(missing, constant(op == "!="), ordered)
            return ordered
        if op in ("==", "!="):
            same = self._same(left, right)
            return same if op == "==" else negated(same)
        return self._known(self._opaque(ir.Compare(op, left, right, type=BOOL)))

    @staticmethod
    def _ordered(op: str, left: Value, right: Value) -> Test:
        def test() -> bool | None:
            a, b = left(), right()
            return None if a is None or b is None else holds(op, a - b)

        return test

    def _bit(self, e: ir.Expr) -> Value:
        return mapped(self.test(e), int)

    def _same(self, left: ir.Expr, right: ir.Expr) -> Test:
        """Whether two pieces, hexes or sets are the same."""
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return constant(left.value == right.value)
        a, b = self.mask(left), self.mask(right)
        if left.type.kind == "set" and a is not None and b is not None:
            return self._ordered("==", a, b)
        keys = tuple(sorted(map(self._key, (left, right))))
        if keys[0] == keys[1]:
            return ALWAYS
        text = said(
            "{left} is {right}",
            left=self.printer.expr(left, COMPARED),
            right=self.printer.expr(right, COMPARED),
        )
        atom = self.atom("same", keys, text, (0, 1))
        known = self._known(atom)
        for e, other in ((left, right), (right, left)):
            missing = self.none(e) if e.type.finite else None
            if missing is not None:
                known = branch(missing, self.none(other) or NEVER, known)
        return known

    # ------------------------------------------------------------------ being among others

    def _inside(self, e: ir.In) -> Test:
        source, item = e.source, e.item
        if isinstance(source, ir.SetLit):
            return self.any_of([*(self._compare("==", item, i) for i in source.items), NEVER])
        if isinstance(source, ir.Range):
            n, low, high = self.number(item), self.number(source.low), self.number(source.high)
            return self.all_of([self._numbers(">=", n, low), self._numbers("<=", n, high)])
        if isinstance(source, ir.Op) and source.op in ("|", "&~") and source.type.kind == "set":
            left, right = (self._inside(replace(e, source=s)) for s in (source.left, source.right))
            if source.op == "|":
                return self.any_of([left, right])
            return self.all_of([left, negated(right)])
        if isinstance(source, ir.Widen):
            return self._of_kind(e, source.value)
        if item.type.kind == "enum":
            mask = self.mask(source)
            if mask is not None:
                member = self.member(item)

                def test() -> bool | None:
                    m, s = member(), mask()
                    return None if m is None or s is None else m >= 0 and bool(s >> m & 1)

                return test
        if isinstance(source, ir.Active) and source.effect.group:
            known = self._in_group(source, item)
        else:
            known = self._known(self._opaque(e))
        missing = self.none(item) if item.type.finite else None
        test_in: Test = self._unless(missing, False, known)
        return test_in

    def _of_kind(self, e: ir.In, source: ir.Expr) -> Test:
        """Whether a piece of a parent is of one of its kinds, and among *source*."""
        item, kind = e.item, source.type.of.name if source.type.of is not None else ""
        if isinstance(item, ir.Widen):
            own = replace(e, item=item.value, source=source)
            return self._inside(own) if item.value.type.name == kind else NEVER
        parent = self.program.parent_of(kind) or ""
        kinds = self.program.parents[parent]
        shown = self.printer.expr(item, COMPARED)
        key, places = (parent, self._key(item)), tuple(range(len(kinds)))
        atom = self.atom(
            "one",
            key,
            shown,
            places,
            names=tuple(said("{shown} in {k}", shown=shown, k=k) for k in kinds),
        )
        mine = kinds.index(kind)

        known = mapped(lambda: self.ask(atom), lambda value: value == mine)
        if not isinstance(source, ir.Members):
            known = self.all_of([known, self._known(self._opaque(e))])
        test: Test = self._unless(self.none(item), False, known)
        return test

    def _in_group(self, active: ir.Active, item: ir.Expr | None) -> Test:
        """Whether this effect of its group is in force (for *item*): at most one of them is."""
        group = active.effect.group
        effects = [e.name for e in self.program.effects.values() if e.group == group]
        shown, none, key = (
            "effect",
            said("no effect of '{group}' is in force", group=group),
            (group, ""),
        )
        if item is not None:
            shown = said("{expr} in effect", expr=self.printer.expr(item, COMPARED))
            none += said(" for {expr}", expr=self.printer.expr(item))
            key = (group, self._key(item))
        names = (*(f"{shown} {name}" for name in effects), none)
        atom = self.atom("one", key, shown, (*range(len(effects)), NONE), names=names)
        mine = effects.index(active.effect.name)
        return mapped(lambda: self.ask(atom), lambda value: value == mine)


def _of_one(e: ir.Quant) -> ir.Expr | None:
    """*e* asked of the one member that its condition says it is: that it is among them, and so."""
    parts = conjuncts(e.where)
    for part in parts:
        if not isinstance(part, ir.Compare) or part.op != "==":
            continue
        for one, other in ((part.left, part.right), (part.right, part.left)):
            if isinstance(one, ir.Local) and one.name == e.var and e.var not in locals_of(other):
                result: ir.Expr = ir.In(other, e.source, type=BOOL, span=e.span)
                for rest in (rest for rest in parts if rest is not part):
                    own = substitute(rest, {e.var: other})
                    result = ir.Logic("and", result, own, type=BOOL, span=rest.span)
                return result
    return None
