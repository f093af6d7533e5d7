"""Events: an act with windows, told in core steps (SPEC §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import ir
from compiler.check.context import Env, EventInfo
from compiler.trees import substitute
from compiler.types import BOOL, INT, NONE_TYPE, Type
from dsl import nodes as n
from dsl.source import Span
from runtime.model import NONE, OptionSpec

if TYPE_CHECKING:
    from compiler.check.statements import Statements

_BITS = Type("set", of=INT)
_Known = list[tuple[n.Reaction, tuple[str, ...]]]  # reactions, and what they call the parameters


def block_of(steps: tuple[ir.Stmt, ...], span: Span) -> list[ir.Stmt]:
    """The steps of a block that does not count as one; where something is chosen secretly in it, it does, for the secret ends with it."""
    if any(isinstance(step, ir.Choose) and step.decision.secret for step in steps):
        return [ir.IfStmt(ir.Const(1, type=BOOL, span=span), steps, (), span=span)]
    return list(steps)


def event_steps(statements: Statements, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
    """The steps of an event: the windows before, the act, the windows after."""
    event = statements.ctx.events.get(stmt.name.text)
    if event is None:
        statements.ctx.unknown("R201", "event", stmt.name, statements.ctx.events)
        return list(statements.block(stmt.body, env))
    statements.ctx.used.add(f"event {event.name}")
    params = [ir.ParamInfo(p.name.text, statements.ctx.type_of(p.type)) for p in event.params]
    args = statements.exprs.arguments(stmt.args, params, env, f"event {event.name}", stmt.span)
    inner = env.child()
    result: list[ir.Stmt] = []
    bound: list[ir.Expr] = []
    for param, arg in zip(params, args, strict=True):
        if isinstance(arg, ir.Local | ir.Const):
            bound.append(arg)
            continue
        name = inner.bind(f"_{param.name}", param.type)
        result.append(ir.Let(name, arg, span=stmt.span))
        bound.append(ir.Local(name, type=param.type, span=stmt.span))
    early = [r for r in event.reactions if r[0].timing != "after"]
    late = [r for r in event.reactions if r[0].timing == "after"]
    cancelled = inner.bind("_cancelled", BOOL)
    result.append(ir.Let(cancelled, ir.Const(0, type=BOOL), span=stmt.span))
    if early:
        result.extend(_window(statements, event, early, bound, inner, cancelled, stmt.span))
    body = block_of(statements.block(stmt.body, inner), stmt.span)
    if late:
        body.extend(_window(statements, event, late, bound, inner, cancelled, stmt.span))
    if any(r.timing == "instead" for r, _ in early):
        called_off = ir.Local(cancelled, type=BOOL, span=stmt.span)
        result.append(ir.IfStmt(ir.Not(called_off, type=BOOL, span=stmt.span), tuple(body), (), span=stmt.span))
    else:
        result.extend(body)
    return result


def _window(
    statements: Statements, event: EventInfo, known: _Known, bound: list[ir.Expr], env: Env, cancelled: str, span: Span
) -> list[ir.Stmt]:
    """The steps of a window: ask the side of the first possible reaction until nobody reacts any more."""
    side = Type("enum", "Side").maybe()
    taken, passed, who = env.bind("_taken", _BITS), env.bind("_passed", _BITS), env.bind("_who", side)
    zero = ir.Const(0, type=_BITS, span=span)
    reactions = [reaction for reaction, _ in known]
    #: each reaction, its side, when it is possible, and when its side is asked
    conditions: list[tuple[n.Reaction, ir.Expr, ir.Expr, ir.Expr]] = []
    for reaction, names in known:
        inner = env.child()
        renamed: dict[str, ir.Expr] = {}
        for name, value in zip(names, bound, strict=True):
            unique = inner.bind(name, value.type)
            renamed[unique] = value
        by = substitute(statements._side(reaction.by, inner), renamed)
        when = statements.exprs.condition(reaction.when, inner) if reaction.when is not None else None
        open_ = _open(reactions.index(reaction), by, taken, passed, span)
        possible = asks = open_
        if when is not None:
            possible = asks = ir.Logic("and", open_, substitute(when, renamed), type=BOOL, span=span)
        veil = statements.veil(reaction.veil, inner)
        if veil is not None:
            seems = ir.Logic("and", open_, substitute(veil, renamed), type=BOOL, span=span)
            asks = ir.Logic("or", possible, seems, type=BOOL, span=span)
        conditions.append((reaction, by, possible, asks))
    who_value: ir.Expr = ir.Const(NONE, type=side, span=span)
    for _, by, _, asks in reversed(conditions):
        who_value = ir.If(asks, by, who_value, type=side, span=span)
    asked = ir.Local(who, type=side, span=span)
    branches = []
    for i, (reaction, by, possible, _) in enumerate(conditions):
        mine = ir.Compare("==", by, asked, type=BOOL, span=span)
        when = ir.Logic("and", possible, mine, type=BOOL, span=span)
        body: list[ir.Stmt] = [
            ir.Let(
                taken,
                ir.Op("|", ir.Local(taken, type=_BITS), ir.Const(1 << i, type=_BITS), type=_BITS, span=span),
                span=span,
            ),
            ir.Do(f"reaction_{reaction.name}", tuple(bound), None, span=reaction.span),
        ]
        if reaction.timing == "instead":
            body.append(ir.Let(cancelled, ir.Const(1, type=BOOL), span=span))
        branches.append(ir.Branch(reaction.name.text, None, None, None, when, tuple(body), reaction.span, reaction.rules))
    options = tuple(OptionSpec(b.name, None) for b in branches)
    rules = tuple(r for reaction in reactions for r in reaction.rules)
    veiled = any(reaction.veil is not None for reaction in reactions)
    spec = statements._decision(event.name, options, "decline", span, rules, veiled=veiled, about=tuple(bound))
    pass_on = ir.Let(passed, ir.Op("|", ir.Local(passed, type=_BITS), ir.SetLit((asked,), type=_BITS), type=_BITS, span=span), span=span)
    # A side is asked because a reaction of its own is possible or seems so; in the latter case it can only pass.
    veil_value = ir.Const(1, type=BOOL, span=span) if veiled else None
    offer = ir.Offer(True, asked, tuple(branches), spec, (pass_on,), veil=veil_value, about=tuple(bound), span=span)
    statements.program.decision_nodes[spec.index] = offer
    over = ir.Compare("==", asked, ir.Const(NONE, type=side), type=BOOL, span=span)
    called_off = ir.Local(cancelled, type=BOOL, span=span)
    body_stmts: list[ir.Stmt] = [
        ir.Let(who, who_value, span=span),
        ir.IfStmt(over, (ir.Stop(span=span),), (), span=span),
        offer,
    ]
    if any(r.timing == "instead" for r in reactions):
        body_stmts.append(ir.IfStmt(called_off, (ir.Stop(span=span),), (), span=span))
    return [
        ir.Let(taken, zero, span=span),
        ir.Let(passed, zero, span=span),
        ir.Repeat(None, "", tuple(body_stmts), span=span),
    ]


def _open(index: int, by: ir.Expr, taken: str, passed: str, span: Span) -> ir.Expr:
    """Whether the reaction number *index* of a window has not been taken, and its side not passed."""
    fresh = ir.Not(ir.In(ir.Const(index, type=INT), ir.Local(taken, type=_BITS), type=BOOL, span=span), type=BOOL, span=span)
    willing = ir.Not(ir.In(by, ir.Local(passed, type=_BITS), type=BOOL, span=span), type=BOOL, span=span)
    result: ir.Expr = ir.Logic("and", fresh, willing, type=BOOL, span=span)
    if not isinstance(by, ir.Const):
        # Nobody can be asked where the side is none; others still can.
        somebody = ir.Compare("!=", by, ir.Const(NONE, type=NONE_TYPE), type=BOOL, span=span)
        result = ir.Logic("and", somebody, result, type=BOOL, span=span)
    return result
