"""What is asked of travels and lines: ``reach``, ``steps``, ``way`` and ``line``.

Travels that go over a certain hex (``via v``) are as those declared, carrying along whether they
have been there.
"""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.context import Env
from compiler.check.core import Core
from compiler.check.expressions.base import ExpressionChecker, error_expression
from compiler.ir.travels import Carried
from compiler.types import BAD, BOOL, HEX, INT, Type, fits, set_of
from dsl import nodes as n
from dsl.source import NOWHERE
from runtime.model import NONE
from runtime.words.said import said


class Travels(ExpressionChecker):
    """Checks what is asked of travels and lines."""

    def _reach(self, node: n.Reach, env: Env, expected: Type | None) -> ir.Expr:
        """The hexes where a travel may end."""
        args = self._travel_of(node.call, env)
        if args is None:
            return ir.Const(0, type=set_of(HEX), span=node.span)
        name, args = self._via_of(node.call.name.text, node.via, args, env)
        return ir.Reach(name, args, type=set_of(HEX), span=node.span)

    def _steps(self, node: n.Steps, env: Env, expected: Type | None) -> ir.Expr:
        """What the cheapest way to a hex costs."""
        args = self._travel_of(node.call, env)
        target = self._target_of(node.target, env, "the end of a travel")
        if args is None or target is None:
            return error_expression(node)
        budget = self.program.travels[node.call.name.text].budget.type
        name, args = self._via_of(node.call.name.text, node.via, args, env)
        type_ = (budget if budget.name != "?" else INT).maybe()
        return ir.Steps(name, args, target, type=type_, span=node.span)

    def _way(self, node: n.Way, env: Env, expected: Type | None) -> ir.Expr:
        """The hexes of a cheapest way."""
        args = self._travel_of(node.call, env)
        target = self._target_of(node.target, env, "the end of a way")
        if args is None or target is None:
            return error_expression(node)
        name, args = self._via_of(node.call.name.text, node.via, args, env)
        self.ctx.ways.append(f"travel {name}")
        return ir.Way(name, args, target, type=Type("roll", of=HEX), span=node.span)

    def _via_of(
        self, name: str, node: n.Expr | None, args: tuple[ir.Expr, ...], env: Env
    ) -> tuple[str, tuple[ir.Expr, ...]]:
        """The travel and its arguments where it goes over a certain hex."""
        if node is None:
            return name, args
        over = self._target_of(node, env, "the hex to go over")
        over = over or ir.Const(NONE, type=BAD, span=node.span)
        self.ctx.over.append(name)
        return enter_via(self.program, name), (*args, over)

    def _target_of(self, node: n.Expr, env: Env, what: str) -> ir.Expr | None:
        value = self.check(node, env, HEX.maybe())
        if fits(value.type, HEX.maybe()):
            return value
        remedy = "what is read from it needs parentheses: to (x.hex)"
        message = said("{what} has type Hex; this is {0}", what=what)
        self.ctx.report_misfit(message, node.span, value.type, remedy=remedy)
        return None

    def _travel_of(self, call: n.Call, env: Env) -> tuple[ir.Expr, ...] | None:
        travel = self.program.travels.get(call.name.text)
        if travel is None:
            known = [t.name for t in self.program.travels.values() if t.via_of is None]
            self.ctx.report_unknown("R201", "travel", call.name, known)
            return None
        what = f"travel {travel.name}"
        self.ctx.use(what, call.name.span)
        return self.arguments(call.args, travel.params, env, what, call.span, lenient=True)

    def _line(self, node: n.Line, env: Env, expected: Type | None) -> ir.Expr:
        """A line of sight."""
        start = self.of_type(node.start, env, HEX.maybe(), "the start of a line")
        end = self.of_type(node.end, env, HEX.maybe(), "the end of a line")
        var = leaves = enters = ""
        obstacle = barrier = None
        if node.var is not None and node.obstacle is not None:
            inner = env.child()
            var = self.bind(inner, node.var, HEX)
            obstacle = self.condition(node.obstacle, inner)
        if node.leaves is not None and node.enters is not None and node.barrier is not None:
            if node.leaves.text == node.enters.text:
                what = said(
                    "the hexes on both sides of a hexside are both called '{enters}'",
                    enters=node.enters,
                )
                self.ctx.error("R104", what, node.enters.span)
            inner = env.child()
            leaves = self.bind(inner, node.leaves, HEX)
            enters = self.bind(inner, node.enters, HEX)
            barrier = self.condition(node.barrier, inner)
        sides = (leaves, enters, barrier)
        return ir.Line(start, end, var, obstacle, *sides, node.whole, type=BOOL, span=node.span)


def enter_via(program: ir.Program, name: str) -> str:
    """The name of the travel like *name* over a certain hex; :func:`check_via` makes it."""
    known = next((t.name for t in program.travels.values() if t.via_of == name), None)
    if known is None:
        known = f"{name}__via"
        while known in program.travels:
            known += "_"
        plain = program.travels[name]
        taken = {p.name for p in plain.params}
        hex_ = next(f"via{'_' * n}" for n in range(2, 99) if f"via{'_' * n}" not in taken)
        program.travels[known] = replace(
            plain, name=known, params=[*plain.params, ir.ParamInfo(hex_, HEX.maybe())], via_of=name
        )
    return known


def check_via(program: ir.Program) -> None:
    """Make the travels that go over a certain hex: they carry along whether they have been there,
    and end only then.
    """
    for travel in list(program.travels.values()):
        if travel.via_of is None:
            continue
        plain = program.travels[travel.via_of]
        over = ir.Local(travel.params[-1].name, type=HEX.maybe())
        names = (f"{over.name}before", f"{over.name}after")
        been = Carried("via", BOOL, _there(plain.origin, over), *names)
        before, after = (ir.Local(name, type=BOOL) for name in (been.before, been.after))
        there = _there(ir.Local(plain.there, type=HEX), over)
        travel.origin, travel.budget = plain.origin, plain.budget
        travel.here, travel.there = plain.here, plain.there
        travel.enter, travel.cost, travel.halt = plain.enter, plain.cost, plain.halt
        travel.end = after
        if plain.end is not None:
            travel.end = ir.Logic("and", after, plain.end, type=BOOL, span=plain.end.span)
        travel.carried = (*plain.carried, been)
        travel.then = (*plain.then, ir.Logic("or", before, there, type=BOOL))
        travel.stays = tuple(replace(stay, then=(*stay.then, before)) for stay in plain.stays)


def _there(hex: ir.Expr, over: ir.Expr) -> ir.Expr:
    """Whether a hex is the one to go over, which may be none."""
    core = Core(NOWHERE)
    return core.and_(core.not_none(over), core.equal(hex, over))
