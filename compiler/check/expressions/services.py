"""The built-in services: how each is called and what it returns (SPEC §5)."""

from __future__ import annotations

from collections.abc import Callable

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker, bad
from compiler.check.parents import unified
from compiler.types import BOOL, HEX, INT, LITERAL, Type, join, set_of
from dsl import nodes as n
from dsl.diagnostics import Called

Checker = Callable[[ExpressionChecker, n.Call, Env], ir.Expr]
_HEXES = set_of(HEX)


def _taking(count: int) -> Callable[[Checker], Checker]:
    """A service with so many arguments: its checker is asked only where they are given."""

    def taking(checker: Checker) -> Checker:
        def check(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
            if len(node.args) == count:
                return checker(x, node, env)
            message = (
                f"{node.name} expects {count} argument{'s' * (count != 1)}, got {len(node.args)}"
            )
            called = Called(node.name.text, len(node.args))
            x.ctx.error("T303", message, node.span, about=(called,))
            return bad(node)

        return check

    return taking


def _of_kind(x: ExpressionChecker, e: n.Expr, env: Env, kind: str, use: str) -> ir.Expr | None:
    """The argument *e* if it is of a kind; else what the service does with one is said."""
    value = x.check(e, env)
    if value.type.kind == kind:
        return value
    x.ctx.error("T301", f"{use}; this is {value.type}", e.span, types=(value.type,))
    return None


def _fixed(result: Type, *wanted: Type) -> Checker:
    """A service with parameters of fixed types."""

    @_taking(len(wanted))
    def check(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
        args = tuple(
            x.of_type(a, env, t, f"an argument of {node.name}")
            for a, t in zip(node.args, wanted, strict=True)
        )
        return ir.Service(node.name.text, args, type=result, span=node.span)

    return check


@_taking(2)
def _extreme(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    left = x.check(node.args[0], env)
    right = x.check(node.args[1], env, left.type)
    if "bad" in (left.type.kind, right.type.kind):
        return bad(node)
    joined = join(left.type.plain(), right.type.plain())
    if joined is None or joined.kind != "int":
        message = f"{node.name} does not mix {left.type} and {right.type}"
        if left.type.kind == right.type.kind == "int":
            x.ctx.mixed(message, node.span, left.type, right.type)
        else:
            x.ctx.error("T301", message, node.span, types=(left.type, right.type))
        return bad(node)
    return ir.Service(node.name.text, (left, right), type=joined, span=node.span)


@_taking(1)
def _size(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    source, _ = x.members(node.args[0], env)
    return ir.Service("size", (source,), type=LITERAL, span=node.span)


@_taking(2)
def _tally(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    roll = _of_kind(x, node.args[0], env, "roll", "tally counts the dice of a roll")
    if roll is None:
        return bad(node)
    assert roll.type.of is not None
    face = x.of_type(node.args[1], env, roll.type.of.maybe(), "the face")
    return ir.Service("tally", (roll, face), type=LITERAL, span=node.span)


@_taking(1)
def _face(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    roll = _of_kind(x, node.args[0], env, "roll", "face shows the die of a roll")
    if roll is None:
        return bad(node)
    assert roll.type.of is not None
    return ir.Service(
        "face",
        (roll,),
        type=LITERAL if roll.type.of.kind == "int" else roll.type.of,
        span=node.span,
    )


@_taking(1)
def _top(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    pile = _of_kind(x, node.args[0], env, "pile", "top is the top card of a pile")
    if pile is None:
        return bad(node)
    return ir.Service("top", (pile,), type=Type("enum", pile.type.name, True), span=node.span)


@_taking(2)
def _cards(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    pile = _of_kind(x, node.args[0], env, "pile", "cards counts in a pile")
    if pile is None:
        return bad(node)
    card = x.of_type(node.args[1], env, Type("enum", pile.type.name), "the card")
    return ir.Service("cards", (pile, card), type=LITERAL, span=node.span)


@_taking(2)
def _shift(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = _of_kind(x, node.args[0], env, "enum", "shift moves along an enum")
    if member is None:
        return bad(node)
    by = x.check(node.args[1], env)
    if by.type.kind != "int":
        message = f"shift moves by a number; this is {by.type}"
        x.ctx.error("T301", message, node.args[1].span, types=(by.type,))
    return ir.Service("shift", (member, by), type=member.type, span=node.span)


@_taking(1)
def _rank(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = x.check(node.args[0], env)
    if member.type.kind != "enum":
        message = f"rank numbers the members of an enum; this is {member.type}"
        x.ctx.error("T301", message, node.args[0].span, types=(member.type,))
    return ir.Service("rank", (member,), type=INT, span=node.span)


@_taking(2)
def _turn(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    direction = x.of_type(node.args[0], env, Type("enum", "Direction", True), "the direction")
    by = x.of_type(node.args[1], env, LITERAL, "the number of sixths of a turn")
    return ir.Service("turn", (direction, by), type=direction.type, span=node.span)


@_taking(2)
def _both(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    left = x.check(node.args[0], env)
    right = x.check(node.args[1], env, left.type)
    left, right, joined = unified(x.program, left, right, siblings=False)
    for value in (left, right):
        if value.type.kind not in ("set", "bad"):
            remedy = "write both(a, b) for two sets of the same members"
            message = f"both needs sets; this is {value.type}"
            x.ctx.error("T307", message, value.span, remedy, types=(value.type,))
            return bad(node)
    if joined is None:
        message = f"{left.type} and {right.type} have no members in common"
        remedy = "compare sets of the same members"
        x.ctx.error("T301", message, node.span, remedy, types=(left.type, right.type))
        return bad(node)
    return ir.Service("both", (left, right), type=joined, span=node.span)


@_taking(1)
def _opponent(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    side = Type("enum", "Side")
    count = len(x.program.sides)
    if count not in (0, 2):
        there = f"there {'is one side' if count == 1 else f'are {count} sides'}"
        remedy = (
            "write next(s) for the side after s, or 'all t in Side where t is not s' for all others"
        )
        message = f"opponent means the other of two sides, but {there}"
        x.ctx.error("T308", message, node.span, remedy, about=(Called("opponent"),))
    return ir.Service(
        "opponent",
        (x.of_type(node.args[0], env, side.maybe(), "the side"),),
        type=side,
        span=node.span,
    )


@_taking(1)
def _show(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    """The value itself; that it may be hidden is meant."""
    value = x.check(node.args[0], env)
    x.ctx.shown.add(value.span)
    return value


@_taking(1)
def _next(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = x.check(node.args[0], env, Type("enum", "Side", True))
    if member.type.kind != "enum":
        message = f"next goes on to the next side or member of an enum; this is {member.type}"
        x.ctx.error("T301", message, node.args[0].span, types=(member.type,))
        return bad(node)
    return ir.Service("next", (member,), type=member.type, span=node.span)


_ANYWHERE = HEX.maybe()
_DIRECTION = Type("enum", "Direction", True)

SERVICES: dict[str, Checker] = {
    "neighbors": _fixed(_HEXES, _ANYWHERE),
    "distance": _fixed(LITERAL, _ANYWHERE, _ANYWHERE),
    "adjacent": _fixed(BOOL, _ANYWHERE, _ANYWHERE),
    "around": _fixed(_HEXES, _ANYWHERE, LITERAL),
    "entries": _fixed(_HEXES, _ANYWHERE, _ANYWHERE),
    "crossed": _fixed(_HEXES, _ANYWHERE, _ANYWHERE),
    "bearing": _fixed(set_of(Type("enum", "Direction")), _ANYWHERE, _ANYWHERE),
    "row": _fixed(INT, _ANYWHERE),
    "column": _fixed(INT, _ANYWHERE),
    "linked": _fixed(_HEXES, _HEXES, _HEXES),
    "min": _extreme,
    "max": _extreme,
    "size": _size,
    "tally": _tally,
    "cards": _cards,
    "top": _top,
    "face": _face,
    "shift": _shift,
    "rank": _rank,
    "opponent": _opponent,
    "next": _next,
    "both": _both,
    "neighbor": _fixed(HEX.maybe(), _ANYWHERE, _DIRECTION),
    "direction": _fixed(_DIRECTION, _ANYWHERE, _ANYWHERE),
    "turn": _turn,
    "show": _show,
}
