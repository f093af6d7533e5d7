"""Checking travels: where they start, how far they go, what a step means, what is carried."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.ir.travels import Carried, Stay, TravelInfo
from compiler.types import HEX, LITERAL, Type
from dsl import nodes as n


def check_travel(ctx: Context, decl: n.Travel, exprs: Expressions) -> None:
    """Check a travel whose name and parameters are entered already."""
    travel = ctx.program.travels[decl.name.text]
    env = Env()
    for param in travel.params:
        env.bind(param.name, param.type)
    travel.origin = exprs.of_type(decl.origin, env, HEX.maybe(), "the start of a travel")
    inner = env.child()
    travel.carried = _carried(ctx, decl, exprs, env, inner)
    # How far it goes may depend on what is carried after a move.
    travel.budget = exprs.check(decl.budget, _arrived(travel, inner), LITERAL)
    if travel.budget.type.kind not in ("int", "bad"):
        ctx.error(
            "T301",
            f"the range of a travel must be a number, not {travel.budget.type}",
            decl.budget.span,
        )
    staying = inner.child()
    travel.here = staying.bind(decl.here.text, HEX)
    step = staying.child()
    travel.there = step.bind(decl.there.text, HEX)
    travel.enter = exprs.condition(decl.enter, step)
    travel.then = _then(ctx, decl.changes, exprs, step, travel.carried)
    travel.cost = (
        exprs.of_type(decl.cost, step, travel.budget.type, "the cost of a step")
        if decl.cost is not None
        else None
    )
    travel.stays = tuple(_stay(ctx, stay, exprs, staying, travel) for stay in decl.stays)
    # What was carried has changed by the time it is asked whether the travel halts or may end.
    arrived = _arrived(travel, step)
    travel.halt = exprs.condition(decl.halt, arrived) if decl.halt is not None else None
    travel.end = exprs.condition(decl.end, arrived) if decl.end is not None else None


def _arrived(travel: TravelInfo, env: Env) -> Env:
    """*env* where what is carried has the values after a move."""
    arrived = env.child()
    for c in travel.carried:
        arrived.names[c.name] = (c.after, c.type)
    return arrived


def _carried(
    ctx: Context, decl: n.Travel, exprs: Expressions, env: Env, inner: Env
) -> tuple[Carried, ...]:
    """What is carried, entered into *inner*; the initial values are worked out in *env*."""
    found: list[Carried] = []
    for node in decl.carried:
        name = node.name.text
        if any(c.name == name for c in found):
            ctx.error(
                "R104",
                f"two carried values are called '{name}'",
                node.name.span,
                "rename one of the two",
            )
            continue
        type_ = ctx.type_of(node.type)
        if not (type_.finite or type_.kind in ("bool", "bad")):
            remedy = (
                "there would be too many cases to look through: carry what is asked about them, as "
                "a bool"
            )
            if type_.kind == "int":
                remedy = "for a few numbers use an enum, and shift(m, 1) to count"
            ctx.error(
                "T301",
                f"a travel can carry a bool, a member of an enum, a hex or a piece, not {type_}",
                node.type.span,
                remedy,
                types=(type_,),
            )
        initial = _value(ctx, node.initial, exprs, env, name, type_)
        found.append(
            Carried(name, type_, initial, inner.bind(name, type_), inner.bind(name, type_))
        )
        inner.names[name] = (found[-1].before, type_)
    return tuple(found)


def _value(
    ctx: Context, node: n.Expr, exprs: Expressions, env: Env, name: str, type_: Type
) -> ir.Expr:
    value = exprs.of_type(node, env, type_, f"'{name}'")
    if (
        value.type.optional
        and value.type.kind != "none"
        and not type_.optional
        and type_.kind != "bad"
    ):
        ctx.error(
            "T304",
            f"this may be none, but '{name}' may not",
            node.span,
            f"write '… otherwise …', or carry it as {type_}?",
        )
    return value


def _then(
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
            hint = f"a travel carries values from its head: carrying {name}: … = …"
            ctx.unknown(
                "R201",
                "carried value",
                change.name,
                [c.name for c in carried],
                "" if carried else hint,
            )
            exprs.check(change.value, env)
        elif name in values:
            ctx.error(
                "R104",
                f"'{name}' is given a value twice",
                change.name.span,
                "all changes happen at once; keep one",
            )
        else:
            values[name] = _value(ctx, change.value, exprs, env, name, known.type)
    return tuple(values.get(c.name, ir.Local(c.before, type=c.type)) for c in carried)


def _stay(ctx: Context, node: n.Stay, exprs: Expressions, env: Env, travel: TravelInfo) -> Stay:
    when = exprs.condition(node.when, env) if node.when is not None else None
    then = _then(ctx, node.changes, exprs, env, travel.carried)
    cost = (
        exprs.of_type(node.cost, env, travel.budget.type, "the cost of staying")
        if node.cost is not None
        else None
    )
    return Stay(when, then, cost)
