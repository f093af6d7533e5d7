"""Steps that hide and reveal: what pieces exchange when they are mixed, who is told, what cannot be taken
back.
"""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.draft import Draft
from compiler.check.expressions import Expressions
from compiler.types import Type, set_of
from dsl import nodes as n
from dsl.source import Span
from runtime.model import FieldSpec

_SIDE = Type("enum", "Side")


def mixed_fields(ctx: Context, member: Type, span: Span) -> tuple[FieldSpec, ...]:
    """The fields that pieces of a kind exchange: those that not every side sees, but for the place."""
    if member.kind != "piece":
        if member.kind != "bad":
            ctx.error(
                "T301",
                f"only pieces can be mixed; this is {member}",
                span,
                "write a set of pieces: mix all u in Unit where …",
            )
        return ()
    fields = tuple(
        f
        for f in ctx.program.fields.values()
        if f.owner == member.name and f.seen_by is not None and not f.place
    )
    ctx.program.streams = 1
    for f in fields:
        if f.fixed:
            message = f"'{f.name}' is fixed, but mixing would exchange it"
            ctx.error("T305", message, span, "remove 'fixed' from its declaration")
    if not fields:
        message = f"{member.name} has no field that only some sides see, so there is nothing to mix"
        ctx.error("T307", message, span, f"declare fields of {member.name} as 'seen by'")
    return fields


def mix_each(ctx: Context, source: ir.Expr, span: Span, step: Span) -> list[ir.Stmt]:
    """Pieces of a parent are mixed kind by kind: each exchanges with those of its own kind."""
    program = ctx.program
    parent = source.type.of.name if source.type.of is not None else ""
    kinds = [
        k
        for k in program.parents[parent]
        if any(f.owner == k and f.seen_by is not None for f in program.fields.values())
    ]
    steps: list[ir.Stmt] = []
    for kind in kinds or program.parents[parent][:1]:
        piece = Type("piece", kind)
        steps.append(
            ir.Mix(
                ir.Narrow(source, type=set_of(piece), span=span), mixed_fields(ctx, piece, span), span=step
            )
        )
    return steps


def told_sides(x: Expressions, node: n.Expr, env: Env) -> ir.Expr:
    """Whom a note is for: a side or a set of sides."""
    value = x.check(node, env, _SIDE)
    if value.type.kind == "set":
        return x.require(value, Type("set", of=_SIDE), "those who are told", node.span)
    return x.require(value, _SIDE.maybe(), "who is told", node.span)


def reveals(program: Draft, stmt: ir.Stmt | None) -> bool:
    """Whether a step may let somebody see fields that were hidden: it changes who sees them."""
    if isinstance(stmt, ir.SetField | ir.Expire | ir.Within | ir.Renew):
        changed = list(stmt.fields)
    else:
        return False
    seers = {(f.owner, f.seen_by) for f in program.fields.values() if f.seen_by is not None}
    return any((f.owner, f.name) in seers for f in changed)
