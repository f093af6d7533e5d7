"""Checking quantifiers and allotments."""

from __future__ import annotations

from compiler import ir
from compiler.check.certain import excluded_none
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker
from compiler.check.parents import learn_kinds, narrowed_members
from compiler.types import BAD, BOOL, INT, LITERAL, Type, set_of
from dsl import nodes as n


def quant(x: ExpressionChecker, node: n.Quant, env: Env, expected: Type | None) -> ir.Expr:
    """A quantifier."""
    source, member = x.members(node.source, env)
    inner = env.child()
    var = inner.bind(node.var.text, member)
    where = None
    if node.where is not None:
        where = x.condition(node.where, inner)
        inner.sure |= excluded_none(where)
        learn_kinds(x.program, inner, where)
    value = None
    type_: Type = BOOL
    if node.value is not None:
        value = x.check(node.value, inner, expected)
        joined = node.kind == "sum" and value.type.kind == "set"
        if value.type.kind not in ("int", "bad") and not joined:
            x.ctx.error("T301", f"'{node.kind}' needs a number; this is {value.type}", node.value.span)
        type_ = value.type.plain() if value.type.kind == "int" or joined else BAD
    elif node.kind == "count":
        type_ = LITERAL if expected is not None and expected.kind == "int" else INT
    elif node.kind == "all":
        if not (member.finite or member.kind in ("bad", "int")):
            x.ctx.error("T307", f"there are no sets of {member}", node.span)
        type_ = set_of(member)
    elif node.kind == "first":
        type_ = member.maybe()
    found = ir.Quant(node.kind, var, source, where, value, type=type_, span=node.span)
    return narrowed_members(x.program, inner, var, found) if node.kind in ("all", "first") else found


def allot(x: ExpressionChecker, node: n.Allot, env: Env) -> ir.Expr:
    """An allotment."""
    source, member = x.members(node.source, env)
    inner = env.child()
    var = inner.bind(node.var.text, member)
    among, thing = x.members(node.among, inner)
    if among.type.kind == "roll":
        remedy = "allot faces, each to as many as show it: … its own f in Face up to tally(r, f)"
        x.ctx.error("T307", "dice of a roll that show the same cannot be told apart", node.among.span, remedy)
    if node.own.text == node.var.text:
        x.ctx.error("R104", f"both members are called '{node.own}'", node.own.span, "rename one of the two")
    own = inner.bind(node.own.text, thing)
    where = x.condition(node.where, inner) if node.where is not None else None
    limit = None
    if node.limit is not None:
        alone = env.child()
        alone.names[node.own.text] = (own, thing)
        limit = x.of_type(node.limit, alone, LITERAL, "how many it may serve")
    return ir.Allot(var, source, own, among, limit, where, type=BOOL, span=node.span)
