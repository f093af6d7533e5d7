"""Checking procedures: steps, decisions, events."""

from __future__ import annotations

from collections.abc import Iterable

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.parents import changed_locals
from compiler.check.statements.assignments import Assignments
from compiler.check.statements.base import ends
from compiler.check.statements.chance import Chance
from compiler.check.statements.control import Control, always_returns
from compiler.check.statements.creation import create_steps
from compiler.check.statements.decisions import Decisions
from compiler.check.statements.effects import Effects
from compiler.check.statements.events import event_steps
from compiler.types import Type
from dsl import nodes as n
from dsl.frozen import Frozen
from runtime.words.said import said


class Statements(Assignments, Control, Chance, Effects, Decisions):
    """The checker of all kinds of steps."""

    def _create(self, stmt: n.Create, env: Env) -> list[ir.Stmt]:
        orelse = self.block(stmt.orelse or (), env)
        return create_steps(self, stmt, orelse, bool(orelse) and ends(orelse[-1]), env)

    def _eventstmt(self, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
        return event_steps(self, stmt, env)


class Body(metaclass=Frozen):
    """The steps of a procedure or function, with all their locals in order, *params* first."""

    params: tuple[tuple[str, Type], ...]
    steps: tuple[ir.Stmt, ...]
    locals: tuple[tuple[str, Type], ...]


def check_procedure(
    ctx: Context,
    procedure: ir.Procedure,
    params: Iterable[tuple[str, Type]],
    body: tuple[n.Stmt, ...],
) -> Body:
    """Check the body of *procedure*, which calls its parameters as in *params*."""
    env = Env()
    env.changed = changed_locals(body)
    own = tuple((env.bind(name, type_), type_) for name, type_ in params)
    statements = Statements(
        ctx, procedure.case_of or procedure.name, procedure.type, procedure.rules
    )
    steps = statements.sequence(body, env)
    ended = bool(steps) and ends(steps[-1])
    if procedure.type.kind not in ("void", "bad") and not ended:
        if not always_returns(steps):
            message = said("procedure {name} can end without a value", name=procedure.name)
            ctx.error("S603", message, procedure.span, "end it with 'return …'")
    return Body(own, steps, tuple(env.order))
