"""Sets that are written out, quantifiers, allotments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker, assume
from compiler.check.parents import coerce, narrowed_members, unify
from compiler.trees import locals_of
from compiler.types import BAD, BOOL, INT, LITERAL, Type, set_of
from dsl import nodes as n
from runtime.words.said import said


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
                value = coerce(self.program, value, wanted)
            if not (value.type.finite or value.type.kind == "int"):
                self.ctx.report_misfit(
                    "a set cannot have members of type {0}", item.span, value.type
                )
            joined = value.type
            if items and member.kind != "none":
                _, value, joined = unify(self.program, replace(items[0], type=member), value)
                items = [coerce(self.program, i, joined or value.type) for i in items]
            if joined is None:
                message = "the members of a set must have the same type, not {0} and {1}"
                self.ctx.report_misfit(message, item.span, member, value.type)
                joined = BAD
            member = joined
            items.append(value)
        type_ = Type("set", of=member.plain() if member.kind != "none" else (wanted or member))
        return ir.SetLit(tuple(items), type=type_, span=node.span)

    def _quant(self, node: n.Quant, env: Env, expected: Type | None) -> ir.Expr:
        """A quantifier."""
        source, member = self.members(node.source, env)
        inner = env.child()
        var = self.bind(inner, node.var, member)
        where = self.where(node.where, inner)
        if where is not None:
            assume(self.program, inner, where)
        value = None
        type_: Type = BOOL
        if node.value is not None:
            value = self.check(node.value, inner, expected)
            joined = node.kind == "sum" and value.type.kind == "set"
            if not joined:
                self.of_kind(
                    value, "int", said("'{kind}' needs a number", kind=node.kind), node.value.span
                )
            type_ = value.type.plain() if value.type.kind == "int" or joined else BAD
        elif node.kind == "count":
            type_ = LITERAL if expected is not None and expected.kind == "int" else INT
        elif node.kind == "all":
            if not (member.finite or member.kind == "int"):
                self.ctx.report_misfit("there are no sets of {0}", node.span, member, code="T307")
            type_ = set_of(member)
        elif node.kind == "first":
            type_ = member.maybe()
        self._named_like_a_member(node, var, source, member, (where, value))
        quant = ir.Quant(node.kind, var, source, where, value, type=type_, span=node.span)
        if node.kind not in ("all", "first"):
            return quant
        return narrowed_members(self.program, inner, var, quant)

    def _named_like_a_member(
        self, node: n.Quant, var: str, source: ir.Expr, member: Type, asks: Sequence[ir.Expr | None]
    ) -> None:
        """A finding where a member stands for the new name, as in ``count hit in r``: a member of
        what is gone through, or one of another enum which then nothing *asks* for.
        """
        name, enums = node.var.text, self.ctx.members.get(node.var.text, ())
        own = member.kind == "enum" and member.name in enums
        read = any(var in locals_of(e) for e in asks if e is not None)
        if not enums or (read and not own):
            return
        enum = member.name if own else enums[0]
        shown = node.source.name if isinstance(node.source, n.Name) else "…"
        part = "" if own else self.only_part(member, Type("enum", enum))
        if own and node.kind == "count" and source.type.kind == "roll":
            remedy = said("write tally({roll}, {face})", roll=shown, face=name)
        elif own:
            remedy = said("write 'x in {source} where x is {name}'", source=shown, name=name)
        elif part:
            remedy = self.filter_remedy(shown, part, name)
        else:
            remedy = "choose another name"
        message = "'{name}' is a member of {enum}; before 'in' stands a new name for each in turn"
        self.ctx.error("R104", said(message, name=name, enum=enum), node.var.span, remedy)

    def _allot(self, node: n.Allot, env: Env, expected: Type | None) -> ir.Expr:
        """An allotment."""
        source, member = self.members(node.source, env)
        inner = env.child()
        var = self.bind(inner, node.var, member)
        among, thing = self.members(node.among, inner)
        if among.type.kind == "roll":
            remedy = (
                "allot faces, each to as many as show it: … its own f in Face up to tally(r, f)"
            )
            message = "dice of a roll that show the same cannot be told apart"
            self.ctx.error("T307", message, node.among.span, remedy)
        if node.own.text == node.var.text:
            self.ctx.error(
                "R104", said("both members are called '{own}'", own=node.own), node.own.span
            )
        own = self.bind(inner, node.own, thing)
        where = self.where(node.where, inner)
        limit = None
        if node.limit is not None:
            alone = env.child()
            alone.names[node.own.text] = (own, thing)
            limit = self.of_type(node.limit, alone, LITERAL, "how many it may serve")
        return ir.Allot(var, source, own, among, limit, where, type=BOOL, span=node.span)
