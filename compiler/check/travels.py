"""Checking travels: where they start, how far they go, what a step means, what is carried."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.ir.travels import Carried, Stay, TravelInfo
from compiler.trees import locals_of
from compiler.types import HEX, LITERAL, Type
from dsl import nodes as n
from runtime.words.said import said


def check_travel(ctx: Context, decl: n.Travel, exprs: Expressions) -> TravelInfo:
    """Check a travel whose name and parameters are entered already."""
    travel = ctx.program.travels[decl.name.text]
    env = Env.of(travel.params)
    travel.origin = exprs.of_type(decl.origin, env, HEX.maybe(), "the start of a travel")
    inner = env.child()
    travel.carried = _enter_carried(ctx, decl, exprs, env, inner)
    # How far it goes may depend on what is carried after a move.
    travel.budget = exprs.check(decl.budget, _env_after_move(travel, inner), LITERAL)
    if travel.budget.type.kind not in ("int", "bad"):
        message = said(
            "the range of a travel must be a number, not {type}", type=travel.budget.type
        )
        ctx.error("T301", message, decl.budget.span)
    read = locals_of(travel.budget)
    for c in travel.carried:
        if c.after in read and c.type.kind == "int":
            message = said(
                "the range of a travel cannot depend on '{name}', a number carried along",
                name=c.name,
            )
            remedy = (
                "it might never be exhausted: write a number, and let 'when' ask the one carried"
            )
            ctx.error("T301", message, decl.budget.span, remedy)
    staying = inner.child()
    travel.here = exprs.bind(staying, decl.here, HEX)
    step = staying.child()
    travel.there = exprs.bind(step, decl.there, HEX)
    travel.enter = exprs.condition(decl.enter, step)
    travel.then = _values_after_move(ctx, decl.changes, exprs, step, travel.carried)
    travel.cost = _cost(decl.cost, exprs, step, travel, "the cost of a step")
    travel.stays = tuple(_stay(ctx, stay, exprs, staying, travel) for stay in decl.stays)
    # What was carried has changed by the time it is asked whether the travel halts or may end.
    arrived = _env_after_move(travel, step)
    travel.halt, travel.end = exprs.where(decl.halt, arrived), exprs.where(decl.end, arrived)
    return travel


def _env_after_move(travel: TravelInfo, env: Env) -> Env:
    """*env* where what is carried has the values after a move."""
    arrived = env.child()
    for c in travel.carried:
        arrived.names[c.name] = (c.after, c.type)
    return arrived


def _enter_carried(
    ctx: Context, decl: n.Travel, exprs: Expressions, env: Env, inner: Env
) -> tuple[Carried, ...]:
    """What is carried, entered into *inner*; the initial values are worked out in *env*."""
    carried: list[Carried] = []
    for node in decl.carried:
        name = node.name.text
        if any(c.name == name for c in carried):
            ctx.error(
                "R104", said("two carried values are called '{name}'", name=name), node.name.span
            )
            continue
        type_ = ctx.type_of(node.type)
        if not (type_.finite or type_.kind in ("bool", "int", "bad")):
            remedy = (
                "there would be too many cases to look through: carry what is asked about them, "
                "as a bool or a number"
            )
            message = (
                "a travel can carry a bool, a number, a member of an enum, a hex or a piece, "
                "not {0}"
            )
            ctx.report_misfit(message, node.type.span, type_, remedy=remedy)
        initial = _value(ctx, node.initial, exprs, env, name, type_)
        before, after = (exprs.bind(inner, node.name, type_) for _ in range(2))
        carried.append(Carried(name, type_, initial, before, after))
        inner.names[name] = (before, type_)
    return tuple(carried)


def _value(
    ctx: Context, node: n.Expr, exprs: Expressions, env: Env, name: str, type_: Type
) -> ir.Expr:
    value, remedy = exprs.of_type(node, env, type_, f"'{name}'"), "write '… otherwise …'"
    ctx.require_not_none(
        value,
        type_,
        f"'{name}'",
        node.span,
        said("{remedy}, or carry it as {type}?", remedy=remedy, type=type_),
    )
    return value


def _values_after_move(
    ctx: Context,
    changes: tuple[n.Change, ...],
    exprs: Expressions,
    env: Env,
    carried: tuple[Carried, ...],
) -> tuple[ir.Expr, ...]:
    """What becomes of each thing carried: what *changes* say, else it stays as it is."""
    values: dict[str, ir.Expr] = {}
    for change in changes:
        name = change.name.text
        known = next((c for c in carried if c.name == name), None)
        if known is None:
            names, hint = [c.name for c in carried], ""
            if not carried:
                hint = said(
                    "a travel carries values from its head: carrying {name}: … = …", name=name
                )
            ctx.report_unknown("R201", "carried value", change.name, names, hint)
            exprs.check(change.value, env)
        elif name in values:
            message = said("'{name}' is given a value twice", name=name)
            remedy = "all changes happen at once; keep one"
            ctx.error("R104", message, change.name.span, remedy)
        else:
            ctx.mention(f"local {known.before}", change.name.span)
            values[name] = _value(ctx, change.value, exprs, env, name, known.type)
    return tuple(values.get(c.name, ir.Local(c.before, type=c.type)) for c in carried)


def _stay(ctx: Context, node: n.Stay, exprs: Expressions, env: Env, travel: TravelInfo) -> Stay:
    when = exprs.where(node.when, env)
    then = _values_after_move(ctx, node.changes, exprs, env, travel.carried)
    return Stay(when, then, _cost(node.cost, exprs, env, travel, "the cost of staying"))


def _cost(
    node: n.Expr | None, exprs: Expressions, env: Env, travel: TravelInfo, what: str
) -> ir.Expr | None:
    """What a step or stay takes of the range, if that is said."""
    return None if node is None else exprs.of_type(node, env, travel.budget.type, what)
