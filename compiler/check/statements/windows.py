"""Events: an act with windows, told in core steps (SPEC §10)."""

from __future__ import annotations

from dataclasses import dataclass

from compiler import ir
from compiler.check.context import Env, EventInfo
from compiler.check.statements.decisions import Decisions
from compiler.trees import substitute
from compiler.types import BOOL, INT, NONE_TYPE, Type, set_of
from dsl import nodes as n
from dsl.source import Span
from runtime.model import NONE, OptionSpec

_BITS = Type("set", of=INT)
_Known = list[tuple[n.Reaction, tuple[str, ...]]]  # reactions, and what they call the parameters


def block_of(steps: tuple[ir.Stmt, ...], span: Span) -> list[ir.Stmt]:
    """The steps of a block that does not count as one; where something is chosen secretly in it, it does, for
    the secret ends with it.
    """
    if any(isinstance(step, ir.Choose) and step.decision.secret for step in steps):
        return [ir.IfStmt(ir.Const(1, type=BOOL, span=span), steps, (), span=span)]
    return list(steps)


def event_steps(statements: Decisions, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
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
        result.append(
            ir.IfStmt(ir.Not(called_off, type=BOOL, span=stmt.span), tuple(body), (), span=stmt.span)
        )
    else:
        result.extend(body)
    return result


def _window(
    statements: Decisions,
    event: EventInfo,
    known: _Known,
    bound: list[ir.Expr],
    env: Env,
    cancelled: str,
    span: Span,
) -> list[ir.Stmt]:
    """The steps of a window: ask the side of the first possible reaction until nobody reacts any more."""
    side = Type("enum", "Side").maybe()
    taken, passed, who = env.bind("_taken", _BITS), env.bind("_passed", _BITS), env.bind("_who", side)
    zero = ir.Const(0, type=_BITS, span=span)
    reactions = [reaction for reaction, _ in known]
    found = [
        _possibility(statements, i, reaction, names, bound, taken, passed, env, span)
        for i, (reaction, names) in enumerate(known)
    ]
    asked = ir.Local(who, type=side, span=span)
    asking = (
        _in_turn(statements, event, found, bound, env, who, span)
        if event.first is not None
        else _as_declared(found, who, env, span)
    )
    branches = [_branch(p, asked, bound, cancelled, span) for p in found]
    options = tuple(
        OptionSpec(p.reaction.name.text, p.member.spec() if p.member is not None else None) for p in found
    )
    rules = tuple(r for reaction in reactions for r in reaction.rules)
    veiled = any(reaction.veil is not None for reaction in reactions)
    spec = statements.decision(event.name, options, "decline", span, rules, veiled=veiled, about=tuple(bound))
    pass_on = ir.Let(
        passed,
        ir.Op("|", ir.Local(passed, type=_BITS), ir.SetLit((asked,), type=_BITS), type=_BITS, span=span),
        span=span,
    )
    # A side is asked because a reaction of its own is possible or seems so; in the latter case it can only
    # pass.
    veil_value = ir.Const(1, type=BOOL, span=span) if veiled else None
    offer = ir.Offer(
        True, asked, tuple(branches), spec, (pass_on,), veil=veil_value, about=tuple(bound), span=span
    )
    statements.program.decision_nodes[spec.index] = offer
    over = ir.Compare("==", asked, ir.Const(NONE, type=side), type=BOOL, span=span)
    called_off = ir.Local(cancelled, type=BOOL, span=span)
    body_stmts: list[ir.Stmt] = [
        *asking,
        ir.IfStmt(over, (ir.Stop(span=span),), (), span=span),
        offer,
    ]
    if any(r.timing == "instead" for r in reactions):
        body_stmts.append(ir.IfStmt(called_off, (ir.Stop(span=span),), (), span=span))
    return [
        ir.Let(taken, zero, span=span),
        *(
            ir.Let(p.taken, ir.Const(0, type=set_of(p.member), span=span), span=span)
            for p in found
            if p.member is not None
        ),
        ir.Let(passed, zero, span=span),
        ir.Repeat(None, "", tuple(body_stmts), span=span),
    ]


@dataclass
class _Possibility:
    """A reaction in a window: its side, when it can be taken, and when its side is asked.

    One that ranges over members has the local *var* for each of them, in *source*, of the type *member*; then
    the three expressions ask it.  *taken* is the local with what has been taken: members, or the numbers of
    reactions.
    """

    number: int
    reaction: n.Reaction
    by: ir.Expr
    possible: ir.Expr
    asks: ir.Expr
    taken: str
    var: str = ""
    source: ir.Expr | None = None
    member: Type | None = None


def _possibility(
    statements: Decisions,
    number: int,
    reaction: n.Reaction,
    names: tuple[str, ...],
    bound: list[ir.Expr],
    taken: str,
    passed: str,
    env: Env,
    span: Span,
) -> _Possibility:
    """What a reaction looks like in this window."""
    inner = env.child()
    renamed: dict[str, ir.Expr] = {}
    for name, value in zip(names, bound, strict=True):
        renamed[inner.bind(name, value.type)] = value
    var, source, where, member = "", None, None, None
    item: ir.Expr = ir.Const(number, type=INT)
    if reaction.ranging is not None:
        ranging, member = statements.ranging(reaction.ranging, inner)
        var, source = ranging.var, substitute(ranging.source, renamed)
        where = substitute(ranging.where, renamed) if ranging.where is not None else None
        item, taken = ir.Local(var, type=member, span=span), env.bind("_taken", set_of(member))
    by = substitute(statements.side(reaction.by, inner), renamed)
    open_ = _open(item, by, taken, passed, span)
    if where is not None:
        open_ = ir.Logic("and", where, open_, type=BOOL, span=span)
    possible = asks = open_
    if reaction.when is not None:
        when = substitute(statements.exprs.condition(reaction.when, inner), renamed)
        possible = asks = ir.Logic("and", open_, when, type=BOOL, span=span)
    veil = statements.veil(reaction.veil, inner)
    if veil is not None:
        seems = ir.Logic("and", open_, substitute(veil, renamed), type=BOOL, span=span)
        asks = ir.Logic("or", possible, seems, type=BOOL, span=span)
    return _Possibility(number, reaction, by, possible, asks, taken, var, source, member)


def _as_declared(found: list[_Possibility], who: str, env: Env, span: Span) -> list[ir.Stmt]:
    """Whom to ask: the side of the first reaction, of one that ranges over members that of the first
    member.
    """
    side = Type("enum", "Side").maybe()
    steps: list[ir.Stmt] = []
    value: ir.Expr = ir.Const(NONE, type=side, span=span)
    for p in reversed(found):
        asks, by = p.asks, p.by
        if p.member is not None and p.source is not None:
            first = env.bind("_first", p.member.maybe())
            one = ir.Local(first, type=p.member.maybe(), span=span)
            steps.append(
                ir.Let(
                    first,
                    ir.Quant("first", p.var, p.source, p.asks, None, type=p.member.maybe(), span=span),
                    span=span,
                )
            )
            asks = ir.Compare("!=", one, ir.Const(NONE, type=NONE_TYPE), type=BOOL, span=span)
            by = substitute(p.by, {p.var: one})
        value = ir.If(asks, by, value, type=side, span=span)
    return [*steps, ir.Let(who, value, span=span)]


def _in_turn(
    statements: Decisions,
    event: EventInfo,
    found: list[_Possibility],
    bound: list[ir.Expr],
    env: Env,
    who: str,
    span: Span,
) -> list[ir.Stmt]:
    """Whom to ask: of the sides with a reaction the first in turn order, beginning with the event's side."""
    assert event.first is not None
    side = Type("enum", "Side")
    sides = set_of(side)
    inner = env.child()
    renamed = {
        inner.bind(p.name.text, value.type): value for p, value in zip(event.params, bound, strict=True)
    }
    first = substitute(statements.side(event.first, inner), renamed)
    asking, begin = env.bind("_asking", sides), env.bind("_begin", side)
    every: ir.Expr | None = None
    for p in found:
        mine: ir.Expr = ir.SetLit((p.by,), type=sides, span=span)
        if p.source is not None:
            mine = ir.Quant("sum", p.var, p.source, p.asks, mine, type=sides, span=span)
        else:
            mine = ir.If(p.asks, mine, ir.SetLit((), type=sides, span=span), type=sides, span=span)
        every = mine if every is None else ir.Op("|", every, mine, type=sides, span=span)
    assert every is not None
    value: ir.Expr = ir.Const(NONE, type=side.maybe(), span=span)
    count = len(statements.program.sides)
    for place in reversed(range(count)):
        turn: ir.Expr = ir.Local(begin, type=side, span=span)
        if place:
            turn = ir.Op("+", turn, ir.Const(place, type=INT), type=side, span=span)
            turn = ir.Op("mod", turn, ir.Const(count, type=INT), type=side, span=span)
        asked = ir.In(turn, ir.Local(asking, type=sides, span=span), type=BOOL, span=span)
        value = ir.If(asked, turn, value, type=side.maybe(), span=span)
    start = ir.Otherwise(first, ir.Const(0, type=side), type=side, span=span)
    return [ir.Let(begin, start, span=span), ir.Let(asking, every, span=span), ir.Let(who, value, span=span)]


def _branch(p: _Possibility, asked: ir.Local, bound: list[ir.Expr], cancelled: str, span: Span) -> ir.Branch:
    """The option of a reaction, for the side that is asked."""
    mine = ir.Logic(
        "and", p.possible, ir.Compare("==", p.by, asked, type=BOOL, span=span), type=BOOL, span=span
    )
    kind = set_of(p.member) if p.member is not None else _BITS
    added: ir.Expr = ir.Const(1 << p.number, type=_BITS)
    args = tuple(bound)
    if p.member is not None:
        one = ir.Local(p.var, type=p.member, span=span)
        added, args = ir.SetLit((one,), type=kind, span=span), (one, *bound)
    body: list[ir.Stmt] = [
        ir.Let(p.taken, ir.Op("|", ir.Local(p.taken, type=kind), added, type=kind, span=span), span=span),
        ir.Do(f"reaction_{p.reaction.name}", args, None, span=p.reaction.span),
    ]
    if p.reaction.timing == "instead":
        body.append(ir.Let(cancelled, ir.Const(1, type=BOOL), span=span))
    name, span = p.reaction.name.text, p.reaction.span
    if p.source is not None:
        return ir.Branch(name, p.var, p.source, mine, None, tuple(body), span, p.reaction.rules)
    return ir.Branch(name, None, None, None, mine, tuple(body), span, p.reaction.rules)


def _open(item: ir.Expr, by: ir.Expr, taken: str, passed: str, span: Span) -> ir.Expr:
    """Whether *item*, a reaction or one of its members, has not been taken, and its side not passed."""
    taken_type = set_of(item.type) if item.type.finite else _BITS
    fresh = ir.Not(
        ir.In(item, ir.Local(taken, type=taken_type, span=span), type=BOOL, span=span), type=BOOL, span=span
    )
    willing = ir.Not(ir.In(by, ir.Local(passed, type=_BITS), type=BOOL, span=span), type=BOOL, span=span)
    result: ir.Expr = ir.Logic("and", fresh, willing, type=BOOL, span=span)
    if not isinstance(by, ir.Const):
        # Nobody can be asked where the side is none; others still can.
        somebody = ir.Compare("!=", by, ir.Const(NONE, type=NONE_TYPE), type=BOOL, span=span)
        result = ir.Logic("and", somebody, result, type=BOOL, span=span)
    return result
