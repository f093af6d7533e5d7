"""What values can be, and what is said about those that cannot."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.types import BAD, HEX
from dsl import nodes as n
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
    if isinstance(value, ir.Local) and any(
        name == value.name and declared.optional for name, declared in env.every()
    ):
        return  # a test before has excluded none
    message, remedy = (text.format(t) for text in _NEVER[t.kind])
    ctx.error("T301", message, span, remedy)


def numbered(ctx: Context) -> bool:
    """Whether the hexes of the board have numbers for labels."""
    return ctx.program.board is not None and ctx.program.board.labeling == "numbers"


def hex_called(ctx: Context, node: n.Int) -> ir.Expr:
    """The hex with the number that is written down; a number that no hex has is reported."""
    assert ctx.program.board is not None
    label = f"{node.value:04}"
    try:
        found = ctx.program.board.index(label)
    except ValueError as error:
        ctx.error("R201", str(error), node.span, "write the number of a hex as it stands on the board")
        return ir.Const(0, type=BAD, span=node.span)
    if node.span.end - node.span.start < len(label):
        ctx.error(
            "R201",
            f"the number of a hex has {len(label)} digits, not '{node.value}'",
            node.span,
            f"write {label}",
        )
    ctx.program.labels.setdefault(label, node.span)
    return ir.Label(found, label, type=HEX, span=node.span)
