"""Sets that are written out, quantifiers, allotments."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker, assume
from compiler.check.parents import adapted, narrowed_members, unified
from compiler.types import BAD, BOOL, INT, LITERAL, Type, set_of
from dsl import nodes as n


class Sets(ExpressionChecker):
    """Checks sets and what is asked of their members."""

    def _setlit(self, node: n.SetLit, env: Env, expected: Type | None) -> ir.Expr:
        wanted = expected.of if expected is not None and expected.kind == "set" else None
        items: list[ir.Expr] = []
        member: Type = Type("none")
        joined: Type | None
        for item in node.items:
            value = self.check(item, env, wanted or (member if member.kind != "none" else None))
            if wanted is not None:
                value = adapted(self.program, value, wanted)
            if not (value.type.finite or value.type.kind == "int"):
                message = f"a set cannot have members of type {value.type}"
                self.ctx.error("T301", message, item.span, types=(value.type,))
            joined = value.type
            if items and member.kind != "none":
                _, value, joined = unified(self.program, replace(items[0], type=member), value)
                items = [
                    adapted(self.program, i, value.type if joined is None else joined)
                    for i in items
                ]
            if joined is None:
                self.ctx.error(
                    "T301",
                    f"the members of a set must have the same type, not {member} and {value.type}",
                    item.span,
                    types=(member, value.type),
                )
                joined = BAD
            member = joined
            items.append(value)
        type_ = Type("set", of=member.plain() if member.kind != "none" else (wanted or member))
        return ir.SetLit(tuple(items), type=type_, span=node.span)

    def _quant(self, node: n.Quant, env: Env, expected: Type | None) -> ir.Expr:
        """A quantifier."""
        source, member = self.members(node.source, env)
        inner = env.child()
        var = inner.bind(node.var.text, member)
        where = None
        if node.where is not None:
            where = self.condition(node.where, inner)
            assume(self.program, inner, where)
        value = None
        type_: Type = BOOL
        if node.value is not None:
            value = self.check(node.value, inner, expected)
            joined = node.kind == "sum" and value.type.kind == "set"
            if value.type.kind != "int" and not joined:
                message = f"'{node.kind}' needs a number; this is {value.type}"
                self.ctx.error("T301", message, node.value.span, types=(value.type,))
            type_ = value.type.plain() if value.type.kind == "int" or joined else BAD
        elif node.kind == "count":
            type_ = LITERAL if expected is not None and expected.kind == "int" else INT
        elif node.kind == "all":
            if not (member.finite or member.kind == "int"):
                message = f"there are no sets of {member}"
                self.ctx.error("T307", message, node.span, types=(member,))
            type_ = set_of(member)
        elif node.kind == "first":
            type_ = member.maybe()
        found = ir.Quant(node.kind, var, source, where, value, type=type_, span=node.span)
        return (
            narrowed_members(self.program, inner, var, found)
            if node.kind in ("all", "first")
            else found
        )

    def _allot(self, node: n.Allot, env: Env, expected: Type | None) -> ir.Expr:
        """An allotment."""
        source, member = self.members(node.source, env)
        inner = env.child()
        var = inner.bind(node.var.text, member)
        among, thing = self.members(node.among, inner)
        if among.type.kind == "roll":
            remedy = (
                "allot faces, each to as many as show it: … its own f in Face up to tally(r, f)"
            )
            message = "dice of a roll that show the same cannot be told apart"
            self.ctx.error("T307", message, node.among.span, remedy)
        if node.own.text == node.var.text:
            message = f"both members are called '{node.own}'"
            self.ctx.error("R104", message, node.own.span, "rename one of the two")
        own = inner.bind(node.own.text, thing)
        where = self.condition(node.where, inner) if node.where is not None else None
        limit = None
        if node.limit is not None:
            alone = env.child()
            alone.names[node.own.text] = (own, thing)
            limit = self.of_type(node.limit, alone, LITERAL, "how many it may serve")
        return ir.Allot(var, source, own, among, limit, where, type=BOOL, span=node.span)
