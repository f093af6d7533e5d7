"""Checking what is asked of travels and lines: ``reach``, ``steps``, ``way`` and ``line``."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker
from compiler.check.via import enter_via
from compiler.types import BAD, BOOL, HEX, INT, Type, fits, set_of
from dsl import nodes as n
from runtime.model import NONE


def reach(x: ExpressionChecker, node: n.Reach, env: Env) -> ir.Expr:
    """The hexes where a travel may end."""
    args = _travel(x, node.call, env)
    if args is None:
        return ir.Const(0, type=set_of(HEX), span=node.span)
    name, args = _via(x, node.call.name.text, node.via, args, env)
    return ir.Reach(name, args, type=set_of(HEX), span=node.span)


def steps(x: ExpressionChecker, node: n.Steps, env: Env) -> ir.Expr:
    """What the cheapest way to a hex costs."""
    args = _travel(x, node.call, env)
    target = _target(x, node.target, env, "the end of a travel")
    if args is None or target is None:
        return ir.Const(0, type=BAD, span=node.span)
    budget = x.program.travels[node.call.name.text].budget.type
    name, args = _via(x, node.call.name.text, node.via, args, env)
    return ir.Steps(
        name, args, target, type=budget.maybe() if budget.name != "?" else INT.maybe(), span=node.span
    )


def way(x: ExpressionChecker, node: n.Way, env: Env) -> ir.Expr:
    """The hexes of a cheapest way."""
    args = _travel(x, node.call, env)
    target = _target(x, node.target, env, "the end of a way")
    if args is None or target is None:
        return ir.Const(0, type=BAD, span=node.span)
    name, args = _via(x, node.call.name.text, node.via, args, env)
    x.program.ways.add(f"travel {name}")
    return ir.Way(name, args, target, type=Type("roll", of=HEX), span=node.span)


def _via(
    x: ExpressionChecker, name: str, node: n.Expr | None, args: tuple[ir.Expr, ...], env: Env
) -> tuple[str, tuple[ir.Expr, ...]]:
    """The travel and its arguments where it goes over a certain hex."""
    if node is None:
        return name, args
    over = _target(x, node, env, "the hex to go over")
    return enter_via(x.program, name), (
        *args,
        over if over is not None else ir.Const(NONE, type=BAD, span=node.span),
    )


def _target(x: ExpressionChecker, node: n.Expr, env: Env, what: str) -> ir.Expr | None:
    value = x.check(node, env, HEX.maybe())
    if fits(value.type, HEX.maybe()):
        return value
    x.ctx.error(
        "T301",
        f"{what} has type Hex; this is {value.type}",
        node.span,
        "what is read from it needs parentheses: to (x.hex)",
    )
    return None


def _travel(x: ExpressionChecker, call: n.Call, env: Env) -> tuple[ir.Expr, ...] | None:
    travel = x.program.travels.get(call.name.text)
    if travel is None:
        x.ctx.unknown(
            "R201", "travel", call.name, [t.name for t in x.program.travels.values() if t.via_of is None]
        )
        return None
    x.ctx.used.add(f"travel {travel.name}")
    return x.arguments(call.args, travel.params, env, f"travel {travel.name}", call.span, lenient=True)


def line(x: ExpressionChecker, node: n.Line, env: Env) -> ir.Expr:
    """A line of sight."""
    start = x.of_type(node.start, env, HEX.maybe(), "the start of a line")
    end = x.of_type(node.end, env, HEX.maybe(), "the end of a line")
    var = leaves = enters = ""
    obstacle = barrier = None
    if node.var is not None and node.obstacle is not None:
        inner = env.child()
        var = inner.bind(node.var.text, HEX)
        obstacle = x.condition(node.obstacle, inner)
    if node.leaves is not None and node.enters is not None and node.barrier is not None:
        if node.leaves.text == node.enters.text:
            what = f"the hexes on both sides of a hexside are both called '{node.enters}'"
            x.ctx.error("R104", what, node.enters.span, "rename one of the two")
        inner = env.child()
        leaves, enters = inner.bind(node.leaves.text, HEX), inner.bind(node.enters.text, HEX)
        barrier = x.condition(node.barrier, inner)
    return ir.Line(start, end, var, obstacle, leaves, enters, barrier, node.whole, type=BOOL, span=node.span)
