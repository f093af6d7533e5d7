"""Functions: an expression, or steps that change nothing; what the compiler keeps the values of."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.check.parents import changed_locals
from compiler.check.statements import Body, Statements
from compiler.check.statements.base import ends
from compiler.check.statements.control import always_returns
from compiler.types import fits
from dsl import nodes as n
from dsl.diagnostics import Severity
from runtime.words.said import said


def check_function(ctx: Context, decl: n.Function, call: ir.Callable) -> ir.Expr | Body:
    """Check what a function says."""
    env = Env.of(call.params)
    what, type_ = f"function {call.name}", ctx.type_of(decl.type)
    if decl.body is None:
        return _steps(ctx, decl, call, env)
    wanted = type_.maybe() if type_.finite else type_
    body = Expressions(ctx).of_type(decl.body, env, wanted, what)
    mixed = body.type.kind == wanted.kind == "int"
    if not (mixed or fits(body.type, wanted)):
        ctx.suspects.setdefault(what, decl.body.span)
    return body


def _steps(ctx: Context, decl: n.Function, call: ir.Callable, env: Env) -> Body:
    env.changed = changed_locals(decl.steps)
    statements = Statements(ctx, call.name, call.type, call.rules, decisions=False)
    statements.function = call.name
    steps = statements.sequence(decl.steps, env)
    ended = bool(steps) and ends(steps[-1])
    if call.type.kind != "bad" and not ended and not always_returns(steps):
        message = said("function {name} can end without a value", name=call.name)
        ctx.error("S603", message, decl.name.span, "end it with 'return …'")
    return Body((), steps, tuple(env.order))


def check_remembered(ctx: Context) -> None:
    """Report functions whose values cannot be kept, or need not be; what they read is known."""
    program = ctx.program
    whole = all(d.severity is not Severity.ERROR for d in ctx.diagnostics)
    for call in program.calls.values():
        if not call.remembered:
            continue
        endless = [p for p in call.params if not (p.type.finite or p.type.kind in ("bool", "bad"))]
        if endless:
            param = endless[0]
            message = said(
                "'{name}' is remembered for each of its arguments, and there is no end of them: "
                "'{param}' is {0}",
                name=call.name,
                param=param.name,
            )
            remedy = "take a member, a piece, a hex or a bool, or leave out 'remembered'"
            ctx.report_misfit(message, call.span, param.type, remedy=remedy, code="S619")
        elif whole and not call.reads:
            message = said(
                "'{name}' is remembered, and reads nothing but tables, switches and the board",
                name=call.name,
            )
            remedy = "leave out 'remembered': there is nothing in the game that it hangs on"
            ctx.warning("S619", message, call.span, remedy)
