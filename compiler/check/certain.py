"""Locals that cannot be none where a test holds, or does not."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.parents import base_of


def excluded_none(test: ir.Expr) -> set[str]:
    """Locals that cannot be none where *test* holds."""
    if isinstance(test, ir.Logic) and test.op == "and":
        return excluded_none(test.left) | excluded_none(test.right)
    if isinstance(test, ir.Compare) and isinstance(base_of(test.left), ir.Local):
        test = replace(test, left=base_of(test.left))
        assert isinstance(test.left, ir.Local)
        right_none = test.right.type.kind == "none"
        if test.op == "!=" and right_none:
            return {test.left.name}
        if test.op == "==" and not right_none and not test.right.type.optional:
            return {test.left.name}
    if isinstance(test, ir.In) and isinstance(item := base_of(test.item), ir.Local):
        return {item.name}
    if isinstance(test, ir.Not) and isinstance(test.operand, ir.Compare):
        inner = test.operand
        if (
            inner.op == "=="
            and isinstance(local := base_of(inner.left), ir.Local)
            and inner.right.type.kind == "none"
        ):
            return {local.name}
    return set()


def excluded_none_else(test: ir.Expr) -> set[str]:
    """Locals that cannot be none where *test* does not hold."""
    if isinstance(test, ir.Logic) and test.op == "or":
        return excluded_none_else(test.left) | excluded_none_else(test.right)
    if isinstance(test, ir.Compare) and test.op == "==" and test.right.type.kind == "none":
        local = base_of(test.left)
        return {local.name} if isinstance(local, ir.Local) else set()
    if isinstance(test, ir.Not):
        return excluded_none(test.operand)
    return set()


def never_empty(source: ir.Expr) -> bool:
    """Whether a set has members whatever the state: an enum, the board, what is written down."""
    match source:
        case ir.Members():
            return source.type.of is not None and source.type.of.kind != "piece"
        case ir.SetLit():
            return any(not item.type.optional for item in source.items)
        case ir.Range(ir.Const(low), ir.Const(high)):
            return low <= high
        case ir.Op("|"):
            return never_empty(source.left) or never_empty(source.right)
        case _:
            return False
