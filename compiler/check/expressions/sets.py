"""Sets that are written out, quantifiers, allotments."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions import quantifiers
from compiler.check.expressions.base import ExpressionChecker
from compiler.check.parents import adapted, unified
from compiler.types import BAD, Type
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
            if not (value.type.finite or value.type.kind in ("int", "bad")):
                self.ctx.error("T301", f"a set cannot have members of type {value.type}", item.span)
            joined = value.type
            if items and member.kind != "none":
                _, value, joined = unified(self.program, replace(items[0], type=member), value)
                items = [adapted(self.program, i, value.type if joined is None else joined) for i in items]
            if joined is None:
                self.ctx.error(
                    "T301",
                    f"the members of a set must have the same type, not {member} and {value.type}",
                    item.span,
                )
                joined = BAD
            member = joined
            items.append(value)
        type_ = Type("set", of=member.plain() if member.kind != "none" else (wanted or member))
        return ir.SetLit(tuple(items), type=type_, span=node.span)

    def _quant(self, node: n.Quant, env: Env, expected: Type | None) -> ir.Expr:
        return quantifiers.quant(self, node, env, expected)

    def _allot(self, node: n.Allot, env: Env, expected: Type | None) -> ir.Expr:
        return quantifiers.allot(self, node, env)
