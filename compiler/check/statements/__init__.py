"""Checking procedures: steps, decisions, events."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.parents import changed_in
from compiler.check.statements.assignments import Assignments
from compiler.check.statements.base import ends
from compiler.check.statements.chance import Chance
from compiler.check.statements.control import Control, always_returns
from compiler.check.statements.creation import create_steps
from compiler.check.statements.decisions import Decisions
from compiler.check.statements.effects import Effects
from compiler.check.statements.events import event_steps
from dsl import nodes as n
from runtime.words.said import said


class Statements(Assignments, Control, Chance, Effects, Decisions):
    """The checker of all kinds of steps."""

    def _create(self, stmt: n.Create, env: Env) -> list[ir.Stmt]:
        orelse = self.block(stmt.orelse or (), env)
        return create_steps(self, stmt, orelse, bool(orelse) and ends(orelse[-1]), env)

    def _eventstmt(self, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
        return event_steps(self, stmt, env)


def check_procedure(
    ctx: Context, procedure: ir.Procedure, names: tuple[str, ...], body: tuple[n.Stmt, ...]
) -> None:
    """Check the body of *procedure*, whose parameters are called *names* here."""
    env = Env()
    env.changed = changed_in(body)
    for name, param in zip(names, procedure.params, strict=True):
        param.name = env.bind(name, param.type)
    statements = Statements(
        ctx, procedure.case_of or procedure.name, procedure.type, procedure.rules
    )
    procedure.body = statements.sequence(body, env)
    procedure.locals = env.order
    ended = bool(procedure.body) and ends(procedure.body[-1])
    if procedure.type.kind not in ("void", "bad") and not ended:
        if not always_returns(procedure.body):
            message = said("procedure {name} can end without a value", name=procedure.name)
            ctx.error("S603", message, procedure.span, "end it with 'return …'")
