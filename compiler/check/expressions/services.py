"""The built-in services: how each is called and what it returns (SPEC: functions)."""

from __future__ import annotations

from collections.abc import Callable

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker, error_expression
from compiler.check.parents import unify
from compiler.types import BOOL, HEX, INT, LITERAL, Type, join, set_of
from dsl import nodes as n
from dsl.diagnostics import MisfitCall
from runtime.words.said import said

Checker = Callable[[ExpressionChecker, n.Call, Env], ir.Expr]
_HEXES = set_of(HEX)


def _taking(count: int, remedy: str = "") -> Callable[[Checker], Checker]:
    """A service with so many arguments: its checker is asked only where they are given."""

    def taking(checker: Checker) -> Checker:
        def check(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
            if x.has_arity(node.args, count, node.name.text, node.span, remedy):
                return checker(x, node, env)
            return error_expression(node)

        return check

    return taking


def _of_kind(x: ExpressionChecker, e: n.Expr, env: Env, kind: str, use: str) -> ir.Expr | None:
    """The argument *e* if it is of a kind; else what the service does with one is said."""
    value = x.check(e, env)
    return value if x.of_kind(value, kind, use, e.span) else None


def _service(node: n.Call, result: Type, *args: ir.Expr) -> ir.Expr:
    """What is called, with its checked arguments."""
    return ir.Service(node.name.text, args, type=result, span=node.span)


def _fixed(result: Type, *wanted: Type) -> Checker:
    """A service with parameters of fixed types."""

    @_taking(len(wanted))
    def check(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
        what, given = (
            said("an argument of {name}", name=node.name),
            zip(node.args, wanted, strict=True),
        )
        return _service(node, result, *(x.of_type(arg, env, type_, what) for arg, type_ in given))

    return check


@_taking(
    2, "of three write max(a, max(b, c)), of a set 'most e for x in S' or 'least e for x in S'"
)
def _extreme(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    left = x.check(node.args[0], env)
    right = x.check(node.args[1], env, left.type)
    if "bad" in (left.type.kind, right.type.kind):
        return error_expression(node)
    joined = join(left.type.plain(), right.type.plain())
    if joined is None or joined.kind != "int":
        message = said(
            "{name} does not mix {type} and {right_type}",
            name=node.name,
            type=left.type,
            right_type=right.type,
        )
        if left.type.kind == right.type.kind == "int":
            x.ctx.report_mixed(message, node.span, left.type, right.type)
        else:
            x.ctx.report_misfit(message, node.span, left.type, right.type)
        return error_expression(node)
    return _service(node, joined, left, right)


@_taking(1)
def _size(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    source, _ = x.members(node.args[0], env)
    return _service(node, LITERAL, source)


@_taking(2)
def _tally(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    roll = _of_kind(x, node.args[0], env, "roll", "tally counts the dice of a roll")
    if roll is None or roll.type.of is None:
        return error_expression(node)
    face = x.of_type(node.args[1], env, roll.type.of.maybe(), "the face")
    return _service(node, LITERAL, roll, face)


@_taking(1)
def _face(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    roll = _of_kind(x, node.args[0], env, "roll", "face shows the die of a roll")
    if roll is None or roll.type.of is None:
        return error_expression(node)
    return _service(node, LITERAL if roll.type.of.kind == "int" else roll.type.of, roll)


@_taking(1)
def _top(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    pile = _of_kind(x, node.args[0], env, "pile", "top is the top card of a pile")
    if pile is None:
        return error_expression(node)
    return _service(node, Type("enum", pile.type.name, True), pile)


@_taking(2)
def _cards(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    pile = _of_kind(x, node.args[0], env, "pile", "cards counts in a pile")
    if pile is None:
        return error_expression(node)
    card = x.of_type(node.args[1], env, Type("enum", pile.type.name), "the card")
    return _service(node, LITERAL, pile, card)


@_taking(2)
def _shift(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = _of_kind(x, node.args[0], env, "enum", "shift moves along an enum")
    if member is None:
        return error_expression(node)
    by = x.check(node.args[1], env)
    x.of_kind(by, "int", "shift moves by a number", node.args[1].span)
    return _service(node, member.type, member, by)


@_taking(1)
def _rank(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = x.check(node.args[0], env)
    x.of_kind(member, "enum", "rank numbers the members of an enum", node.args[0].span)
    return _service(node, INT, member)


@_taking(2)
def _turn(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    direction = x.of_type(node.args[0], env, Type("enum", "Direction", True), "the direction")
    by = x.of_type(node.args[1], env, LITERAL, "the number of sixths of a turn")
    return _service(node, direction.type, direction, by)


@_taking(2)
def _both(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    left = x.check(node.args[0], env)
    right = x.check(node.args[1], env, left.type)
    left, right, joined = unify(x.program, left, right, siblings=False)
    for value in (left, right):
        if value.type.kind not in ("set", "bad"):
            remedy = "write both(a, b) for two sets of the same members"
            x.of_kind(value, "set", "both needs sets", value.span, remedy, "T307")
            return error_expression(node)
    if joined is None:
        message = "{0} and {1} have no members in common"
        remedy = "compare sets of the same members"
        x.ctx.report_misfit(message, node.span, left.type, right.type, remedy=remedy)
        return error_expression(node)
    return _service(node, joined, left, right)


@_taking(1)
def _opponent(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    side = Type("enum", "Side")
    count = len(x.program.sides)
    if count not in (0, 2):
        there = said(
            "there {what}",
            what="is one side" if count == 1 else said("are {count} sides", count=count),
        )
        remedy = (
            "write next(s) for the side after s, or 'all t in Side where t is not s' for all others"
        )
        message = said("opponent means the other of two sides, but {there}", there=there)
        x.ctx.error("T308", message, node.span, remedy, about=(MisfitCall("opponent"),))
    return _service(node, side, x.of_type(node.args[0], env, side.maybe(), "the side"))


@_taking(1)
def _show(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    """The value itself; that it may be hidden is meant."""
    value = x.check(node.args[0], env)
    x.ctx.shown.append(value.span)
    return value


@_taking(1)
def _next(x: ExpressionChecker, node: n.Call, env: Env) -> ir.Expr:
    member = x.check(node.args[0], env, Type("enum", "Side", True))
    use = "next goes on to the next side or member of an enum"
    if not x.of_kind(member, "enum", use, node.args[0].span):
        return error_expression(node)
    return _service(node, member.type, member)


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
