"""Operators: arithmetic, comparisons, logic, conditional values."""

from __future__ import annotations

import operator
from dataclasses import replace

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions.base import (
    OF_ROLL,
    ExpressionChecker,
    assume,
    error_expression,
)
from compiler.check.expressions.names import has_hex_numbers
from compiler.check.parents import coerce, is_parent, learn_kinds, unify
from compiler.types import BAD, BOOL, INT, LITERAL, Type, join, set_of
from dsl import nodes as n
from dsl.source import Span
from runtime.words.said import said

_COMPARE = {"is": "==", "is not": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
#: what is worked out at once where both sides are known
_FOLDED = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def _number_remedy(value: ir.Expr, node: n.Binary) -> str:
    """How a number is had from what is none, where that can be told."""
    if value.type.kind == "roll":
        return OF_ROLL
    if value.type.kind == "enum" and node.op in ("+", "-"):
        by = "1" if node.op == "+" else "-1"
        return said("write shift(m, {by}) for another member, rank(m) for its number", by=by)
    if value.type.kind == "hex":
        return "write neighbor(h, d) for the next hex in a direction, distance(a, b) for a number"
    if value.type.kind == "enum":
        return "write rank(m) for the number of a member, m.column for what its table says"
    return ""


_NEVER = {
    "int": ("a number of type {0} is never none", "compare it with 0, or declare it as {0}?"),
    "bool": ("a bool is never none", "write 'not …', or leave the comparison out"),
    "set": ("a set is never none", "write 'is {}' for the empty set"),
}


def report_needless_none_test(ctx: Context, value: ir.Expr, span: Span, env: Env) -> None:
    """Report the comparison of *value* with none at *span* when it can have one outcome only."""
    t = value.type
    if t.optional or t.kind not in _NEVER:
        return
    tested = {name for name, declared in env.all_locals() if declared.optional}
    if isinstance(value, ir.Local) and value.name in tested:
        return  # a test before has excluded none
    message, remedy = (said(text, **{"0": t}) for text in _NEVER[t.kind])
    ctx.error("T301", message, span, remedy)


class Operators(ExpressionChecker):
    """Checks operators and conditional values."""

    def _unary(self, node: n.Unary, env: Env, expected: Type | None) -> ir.Expr:
        if node.op == "not":
            return ir.Not(self.condition(node.operand, env), type=BOOL, span=node.span)
        value = self.check(node.operand, env, expected)
        if not self.of_kind(value, "int", "'-' needs a number", node.span):
            return error_expression(node)
        if isinstance(value, ir.Const):
            return replace(value, value=-value.value)
        return ir.Op("-", ir.Const(0, type=value.type), value, type=value.type, span=node.span)

    def _binary(self, node: n.Binary, env: Env, expected: Type | None) -> ir.Expr:
        op = node.op
        if op in ("and", "or"):
            return self._logic(node, env)
        if op in _COMPARE:
            return self._comparison(node, env)
        if op in ("in", "not in"):
            return self._membership(node, env)
        left = self.check(node.left, env, expected)
        right = self.check(node.right, env, expected if expected is not None else left.type)
        if op == "..":
            number = self._numbers(left, right, node)
            type_ = Type("set", of=INT if number.name == "?" else number)
            return ir.Range(left, right, type=type_, span=node.span)
        if op == "otherwise":
            return self._otherwise(node, left, right)
        if left.type.kind == "set" or right.type.kind == "set":
            return self._set_operation(node, left, right)
        return self._arithmetic(node, left, right)

    def _membership(self, node: n.Binary, env: Env) -> ir.Expr:
        # Members of a written set take their meaning from what is looked for.
        hint = None
        if isinstance(node.right, n.SetLit) and not self.ambiguous(node.left, env):
            hint = set_of(self.check(node.left, env).type)
        source, member = self.members(node.right, env, hint, node.left)
        item = self.check(node.left, env, member.maybe() if member.kind != "int" else member)
        if is_parent(self.program, item.type):
            source = coerce(self.program, source, set_of(item.type))
            if source.type.kind == "set" and source.type.of is not None:
                member = source.type.of
        wanted = member.maybe() if member.kind != "int" else member
        item = self.require(item, wanted, "a member of this set", node.left.span)
        inside = ir.In(item, source, type=BOOL, span=node.span)
        return inside if node.op == "in" else ir.Not(inside, type=BOOL, span=node.span)

    def _otherwise(self, node: n.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        left, right, joined = unify(self.program, left, right)
        if joined is None:
            message = "both sides of 'otherwise' must have the same type, not {0} and {1}"
            self.ctx.report_misfit(message, node.span, left.type, right.type)
            joined = BAD
        result = joined if right.type.optional else joined.plain()
        return ir.Otherwise(left, right, type=result, span=node.span)

    def _set_operation(self, node: n.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """The sum or difference of sets."""
        left, right, joined = unify(self.program, left, right)
        if joined is None or node.op not in ("+", "-"):
            message = said("'{op}' does not combine {0} and {1}", op=node.op)
            remedy = "sets of the same members: a + b, a - b"
            self.ctx.report_misfit(message, node.span, left.type, right.type, remedy=remedy)
            joined = BAD
        return ir.Op("|" if node.op == "+" else "&~", left, right, type=joined, span=node.span)

    def _numbers(self, left: ir.Expr, right: ir.Expr, node: n.Binary) -> Type:
        if left.type.kind == "bad" or right.type.kind == "bad":
            return BAD
        for value in (left, right):
            if value.type.kind != "int":
                message = said("'{op}' needs numbers; this is {type}", op=node.op, type=value.type)
                self.ctx.error("T301", message, value.span, _number_remedy(value, node))
                return BAD
        joined = join(left.type.plain(), right.type.plain())
        if joined is None:
            message = said(
                "'{op}' does not mix {type} and {right_type}",
                op=node.op,
                type=left.type,
                right_type=right.type,
            )
            remedy = "both sides must have the same measure"
            self.ctx.report_mixed(message, node.span, left.type, right.type, remedy)
            return BAD
        self.ctx.agree(left.type, right.type)
        return joined

    def _arithmetic(self, node: n.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        op = node.op
        plain = {"int", "bad"}
        if op in ("*", "/") and left.type.kind in plain and right.type.kind in plain:
            type_ = self._product(node, left.type, right.type)
        else:
            type_ = self._numbers(left, right, node)
        if op in _FOLDED and isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return ir.Const(_FOLDED[op](left.value, right.value), type=type_, span=node.span)
        return ir.Op(op, left, right, type=type_, span=node.span)

    def _product(self, node: n.Binary, left: Type, right: Type) -> Type:
        """The measure of a product or quotient."""
        op = node.op
        if "bad" in (left.kind, right.kind):
            return BAD
        factors = [t for t in (left, right) if t.kind == "int" and t.name not in ("", "?")]
        if op == "/" and len(factors) == 2 and factors[0].name == factors[1].name:
            return INT
        inverse = op == "/" and len(factors) == 1 and factors[0] is right and left.name == ""
        if len(factors) == 2 or inverse:
            remedy = "multiply or divide by a plain number"
            self.ctx.error(
                "T302",
                said("{left} {op} {right} has no measure", left=left, op=op, right=right),
                node.span,
                remedy,
            )
            return BAD
        if factors:
            return factors[0].plain()
        return INT if "" in (left.name, right.name) else LITERAL

    def _logic(self, node: n.Binary, env: Env) -> ir.Expr:
        left = self.condition(node.left, env)
        inner = env.child()
        if node.op == "and":
            assume(self.program, inner, left)
        else:
            learn_kinds(self.program, inner, left, False)
        right = self.condition(node.right, inner, node.left)
        return ir.Logic(node.op, left, right, type=BOOL, span=node.span)

    def _comparison(self, node: n.Binary, env: Env) -> ir.Expr:
        # A bare member on the left, or the number of a hex, takes its meaning from the right.
        if self.ambiguous(node.left, env) or (
            isinstance(node.left, n.Int) and has_hex_numbers(self.ctx)
        ):
            right = self.check(node.right, env)
            left = self.check(node.left, env, right.type)
        else:
            left = self.check(node.left, env)
            right = self.check(node.right, env, left.type)
        if node.op in ("is", "is not"):
            left, right, joined = unify(self.program, left, right, siblings=False)
            if "none" in (left.type.kind, right.type.kind):
                report_needless_none_test(
                    self.ctx, left if right.type.kind == "none" else right, node.span, env
                )
            elif joined is None:
                self._report_never_same(node, left.type, right.type)
            else:
                self.ctx.agree(left.type, right.type)
        else:
            ordered = left.type.kind == "enum" and left.type.name == right.type.name
            if not ordered:
                self._numbers(left, right, node)
        return ir.Compare(_COMPARE[node.op], left, right, type=BOOL, span=node.span)

    def _report_never_same(self, node: n.Binary, left: Type, right: Type) -> None:
        span = node.span
        message, remedy = (
            said("{left} and {right} are never the same", left=left, right=right),
            "compare things of one type",
        )
        if left.kind == right.kind == "int":
            self.ctx.report_mixed(message, span, left, right, remedy)
            return
        if "roll" in (left.kind, right.kind):
            remedy = "write face(r) for what a die shows"
        if "set" in (left.kind, right.kind):
            empty = "none" in (t.of.kind for t in (left, right) if t.of is not None)
            remedy = "write 'is none'" if empty else "write 'x in S'"
        for whole, part, wanted in ((node.left, left, right), (node.right, right, left)):
            if inner := self.only_part(part, wanted):
                remedy = self._comparison_text(node, whole, inner)
                span = node.span if remedy else whole.span
                remedy = remedy or said("did you mean its '{fitting}'?", fitting=inner)
        self.ctx.report_misfit(message, span, left, right, remedy=remedy)

    def _comparison_text(self, node: n.Binary, whole: n.Expr, inner: str) -> str:
        """How a comparison with a part of one of its sides is written, where both are names."""
        names = [one.name for one in (node.left, node.right) if isinstance(one, n.Name)]
        if len(names) < 2:
            return ""
        names[int(whole is node.right)] += f".{inner}"
        return said("write: {written}", written=f"{names[0]} {node.op} {names[1]}")

    def _cond(self, node: n.Cond, env: Env, expected: Type | None) -> ir.Expr:
        test = self.condition(node.test, env)
        inner = env.child()
        assume(self.program, inner, test)
        then = self.check(node.then, inner, expected)
        other = env.child()
        assume(self.program, other, test, False)
        orelse = self.check(node.orelse, other, expected if expected is not None else then.type)
        then, orelse, joined = unify(self.program, then, orelse)
        if joined is None:
            message = "both branches must have the same type, not {0} and {1}"
            self.ctx.report_misfit(message, node.span, then.type, orelse.type)
            joined = BAD
        return ir.If(test, then, orelse, type=joined, span=node.span)
