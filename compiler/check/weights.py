"""Weights: only what values positions may read them, for bots may have others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ir
from compiler.check.analysis import call_expressions, travel_expressions
from compiler.check.context import Context
from compiler.trees import expressions_of, walk
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.words.said import said

#: What may ask, of what the engine asks for.
VALUING = ("standing", "settled")
_REMEDY = (
    "weights are there for 'standing' and 'settled', and for what only these ask: give the rule a "
    "number of its own"
)


def check_weights(ctx: Context) -> None:
    """Report what rules read of weights, and remembered functions that read any."""
    program = ctx.program
    if not program.weights:
        return
    weighing = _weighing(ctx)
    for what, span, asking in _rules(ctx):
        for e, own, used in asking:
            read = own or weighing.get(used)
            if read is not None:
                message = said(
                    "{what} hangs on the weight '{read}', and bots may have another",
                    what=what,
                    read=read,
                )
                place = program.weight_spans[read]
                at = e.span if e.span.line else span
                ctx.error("S620", message, at, _REMEDY, (Label(place, "declared here"),))
                break
    for call in program.calls.values():
        if call.remembered and (read := weighing.get(f"call {call.name}")) is not None:
            message = said(
                "'{name}' is remembered, and reads the weight '{read}', of which",
                name=call.name,
                read=read,
            )
            remedy = "leave out 'remembered'"
            ctx.error(
                "S619",
                said("{message} each bot may have its own", message=message),
                call.span,
                remedy,
            )


def _rules(ctx: Context) -> Iterator[tuple[str, Span, Iterable[_Asking]]]:
    """What the rules of a game are made of, in words, and what of it may read weights."""
    program = ctx.program
    for procedure in program.procedures.values():
        asking = ctx.trees.result(_asking_steps, procedure.body, program)
        yield f"procedure {procedure.name}", procedure.span, asking
    for check in program.checks.values():
        asked = (*_asking(ctx, [check.when]), *ctx.trees.result(_asking_steps, check.body, program))
        yield f"check {check.name}", check.span, asked
    for (owner, name), initial in program.initials.items():
        yield f"field {owner}.{name}", initial.span, _asking(ctx, [initial])
    for name, required in program.requirements.items():
        yield f"requirement {name}", required.span, _asking(ctx, call_expressions(required))
    for name in ir.ASKED_BY_ENGINE:
        if name not in VALUING and name in program.calls:
            call = program.calls[name]
            yield f"'{name}'", call.span, _asking(ctx, call_expressions(call))


def _weighing(ctx: Context) -> dict[str, str]:
    """The calls and travels that read weights, themselves or by what they use: one that each reads
    (``call x``, ``travel x``).
    """
    program = ctx.program
    parts = {f"call {name}": ctx.asked[name] for name in program.calls}
    parts |= {f"travel {name}": travel_expressions(t) for name, t in program.travels.items()}
    found: dict[str, str] = {}
    users: dict[str, list[str]] = {}
    for name, expressions in parts.items():
        for _, read, used in _asking(ctx, expressions):
            if read is not None:
                found.setdefault(name, read)
            elif used:
                users.setdefault(used, []).append(name)
    ahead = list(found)
    while ahead:
        name = ahead.pop()
        for user in users.get(name, ()):
            if user not in found:
                found[user] = found[name]
                ahead.append(user)
    return found


#: An expression that may read weights, with the one that it reads itself, and what it uses.
_Asking = tuple[ir.Expr, str | None, str]


def _asking(ctx: Context, expressions: Iterable[ir.Expr]) -> Iterator[_Asking]:
    """What of expressions may read weights, itself or by what it uses."""
    of, program = ctx.trees.result, ctx.program
    return (e for whole in expressions for e in of(_asking_below, whole, program))


def _asking_below(whole: ir.Expr, program: ir.Program) -> list[_Asking]:
    return _asking_in([whole], program)


def _asking_steps(body: tuple[ir.Stmt, ...], program: ir.Program) -> list[_Asking]:
    return _asking_in(expressions_of(body), program)


def _asking_in(wholes: Iterable[ir.Expr], program: ir.Program) -> list[_Asking]:
    """The same, without what reads and uses just what another before it does."""
    exprs = (e for whole in wholes for e in walk(whole) if type(e) in _ASKING)
    found: dict[tuple[str | None, str], ir.Expr] = {}
    for e in exprs:
        found.setdefault((_weight_read(program, e), _use_of(e)), e)
    return [(e, read, used) for (read, used), e in found.items()]


_ASKING = {ir.Weight, ir.Col, ir.Apply, ir.Reach, ir.Steps, ir.Way}


def _weight_read(program: ir.Program, e: ir.Expr) -> str | None:
    """The weight that an expression reads, or one of those among which it does."""
    if isinstance(e, ir.Weight):
        return e.name
    if not isinstance(e, ir.Col) or e.column.place is None:
        return None
    member = e.key.value if isinstance(e.key, ir.Const) and e.key.value >= 0 else 0
    return e.column.weight(program.enums[e.column.enum][member])


def _use_of(e: ir.Expr) -> str:
    match e:
        case ir.Apply():
            return f"call {e.name}"
        case ir.Reach() | ir.Steps() | ir.Way():
            return f"travel {e.travel}"
    return ""
