"""Why and why not: one quantity or permission with the trace of its evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from compiler import ir
from compiler.interpreter.evaluate import Evaluator
from compiler.interpreter.trace import PermissionTrace, QuantityTrace, Tracer
from compiler.interpreter.values import Value
from runtime.state import StateBase


def explain_quantity(
    program: ir.Program, state: StateBase, name: str, args: Sequence[Value]
) -> QuantityTrace:
    """How the quantity *name* gets its value for *args* in *state*.  RulesetFault when no rule decides."""
    return _traced(program, state, name, args, "quantity").quantities[-1]


def explain_permission(
    program: ir.Program, state: StateBase, name: str, args: Sequence[Value]
) -> PermissionTrace:
    """What the permission *name* answers for *args* in *state*, and which rules refuse."""
    return _traced(program, state, name, args, "permission").permissions[-1]


def _traced(program: ir.Program, state: StateBase, name: str, args: Sequence[Value], kind: str) -> Tracer:
    called = program.calls.get(name)
    if called is None or called.kind != kind:
        raise ValueError(f"there is no {kind} {name!r}")
    tracer = Tracer()
    Evaluator(program, state, tracer).call(name, list(args))
    return tracer
