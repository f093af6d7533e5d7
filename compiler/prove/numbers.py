"""Numbers as sums of others that nothing is known of, and how they compare."""

from __future__ import annotations

from math import gcd

from compiler import ir
from compiler.prove.claims import Form, Number, constant, zero
from compiler.prove.members import Members
from compiler.prove.search import Test, branch, mapped
from runtime.model import NONE

#: The services that never give less than 0.
_COUNTS = ("size", "distance", "tally", "cards", "row", "column")


class Numbers(Members):
    """What is said of numbers."""

    def _no_number(self, e: ir.Expr) -> Test | None:
        if not e.type.optional and not isinstance(e, ir.Col | ir.Get | ir.Pick):
            return None
        return self._numbers("==", self.number(e), constant(((), NONE)))

    def _number_expr(self, e: ir.Expr) -> Number:
        nothing: Form = ((), zero(e.type))
        number: Number = self._unless(self._nobodys(e), nothing, self._unknown(e))
        return number

    def _number_const(self, e: ir.Const) -> Number:
        return constant(((), e.value))

    def _number_col(self, e: ir.Col | ir.Cell) -> Number:
        if isinstance(e, ir.Col) and e.column.place is not None:
            return self._number_expr(e)  # bots may have others
        return mapped(self._lookup(e), _just)

    _number_cell = _number_col

    def _number_otherwise(self, e: ir.Otherwise) -> Number:
        missing = self.none(e.left)
        left = self.number(e.left)
        return left if missing is None else branch(missing, self.number(e.right), left)

    def _number_op(self, e: ir.Op) -> Number:
        return self._arithmetic(e) if e.op in ("+", "-", "*", "/", "mod") else self._number_expr(e)

    def _number_service(self, e: ir.Service) -> Number:
        if e.name in ("min", "max"):
            a, b = (self.number(x) for x in e.args)
            return branch(self._numbers("<=" if e.name == "min" else ">=", a, b), a, b)
        if e.name != "rank":
            return self._number_expr(e)
        return mapped(self.member(e.args[0]), _just)

    def _number_apply(self, e: ir.Apply) -> Number:
        inner: Number | None = self._ask_body(e, self.number)
        return self._number_expr(e) if inner is None else inner

    def _unknown(self, e: ir.Expr) -> Number:
        name = self._key(e)
        counted = isinstance(e, ir.Quant) and e.kind == "count"
        if counted or (isinstance(e, ir.Service) and e.name in _COUNTS):
            self.least[name] = 0
        elif e.type.optional:
            self.least[name] = NONE
        form: Form = (((name, 1),), 0)
        return lambda: form

    def _arithmetic(self, e: ir.Op) -> Number:
        left, right, op = self.number(e.left), self.number(e.right), e.op
        opaque = self._unknown(e)

        def result() -> Form | None:
            a, b = left(), right()
            if a is None or b is None:
                return None
            if op in ("/", "mod"):
                if a[0] or b[0] or not b[1]:
                    return opaque()
                return (), a[1] // b[1] if op == "/" else a[1] % b[1]
            if op != "*":
                return _sum(a, b, 1 if op == "+" else -1)
            if not b[0]:
                return _sum(((), 0), a, b[1])
            return _sum(((), 0), b, a[1]) if not a[0] else opaque()

        return result

    # ------------------------------------------------------------------ comparisons

    def _numbers(self, op: str, left: Number, right: Number) -> Test:
        def test() -> bool | None:
            a, b = left(), right()
            if a is None or b is None:
                return None
            form, constant = _sum(a, b, -1)
            if not form:
                return holds(op, constant)
            if op == "<=":
                return self._at_most(form, -constant)
            if op == "<":
                return self._at_most(form, -constant - 1)
            if op in (">", ">="):
                held = self._at_most(form, -constant - (op == ">="))
                return None if held is None else not held
            high = self._at_most(form, -constant)
            low = None if high is False else self._at_most(form, -constant - 1)
            if high is False or low is True:
                return op != "=="
            return None if high is None or low is None else op == "=="

        return test

    def _at_most(self, form: tuple[tuple[str, int], ...], limit: int) -> bool | None:
        """Whether the sum *form* is at most *limit*."""
        whole = gcd(*(factor for _, factor in form))
        turned = form[0][1] < 0
        if turned:
            form, limit = tuple((name, -factor) for name, factor in form), -limit
        # turned: the sum is at least the limit, that is: not at most the limit − 1
        edge = -(-limit // whole) - 1 if turned else limit // whole
        form = tuple((name, factor // whole) for name, factor in form)
        value = self.ask(self.atom("bound", (form, edge), "", (1, 0), form=form, limit=edge))
        return None if value is None else bool(value) != turned


def _just(number: int) -> Form:
    return (), number


def _sum(a: Form, b: Form, factor: int) -> Form:
    total = dict(a[0])
    for name, n in b[0]:
        total[name] = total.get(name, 0) + n * factor
    return tuple(sorted((name, n) for name, n in total.items() if n)), a[1] + b[1] * factor


def holds(op: str, difference: int) -> bool:
    """Whether two numbers with this *difference* compare so."""
    if op in ("==", "!="):
        return (difference == 0) == (op == "==")
    if op in ("<", "<="):
        return difference < 0 or (op == "<=" and difference == 0)
    return difference > 0 or (op == ">=" and difference == 0)
