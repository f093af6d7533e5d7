"""What values can be, and what is said about those that cannot."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from dsl.source import Span

_NEVER = {
    "int": ("a number of type {0} is never none", "compare it with 0, or declare it as {0}?"),
    "bool": ("a bool is never none", "write 'not …', or leave the comparison out"),
    "set": ("a set is never none", "write 'is {{}}' for the empty set"),
}


def never_none(ctx: Context, value: ir.Expr, span: Span, env: Env) -> None:
    """Report the comparison of *value* with none at *span* when it can have one outcome only."""
    t = value.type
    if t.optional or t.kind not in _NEVER:
        return
    if isinstance(value, ir.Local) and any(name == value.name and declared.optional for name, declared in env.every()):
        return  # a test before has excluded none
    message, remedy = (text.format(t) for text in _NEVER[t.kind])
    ctx.error("T301", message, span, remedy)
