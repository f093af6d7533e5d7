"""The steps of functions (SPEC: functions), which change nothing but locals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from compiler import ir
from compiler.interpreter.values import Evaluation, Locals, Value
from dsl.frozen import Frozen
from runtime.services import ENDLESS
from runtime.state import RulesetFault


class Stopped(metaclass=Frozen):
    """The innermost loop or menu ends."""


class Returned(metaclass=Frozen):
    """The function or procedure ends."""

    value: Value


#: How steps came to their end; None: go on with the next.
Outcome: TypeAlias = Stopped | Returned | None


def function_value(x: Evaluation, call: ir.Callable, env: Locals) -> Value:
    """The value that the steps of a function return."""
    outcome = _block(x, call.steps, env)
    if isinstance(outcome, Returned):
        return outcome.value
    raise RulesetFault(f"function {call.name} ended without a value")


def _block(x: Evaluation, stmts: Iterable[ir.Stmt], env: Locals) -> Outcome:
    for stmt in stmts:
        outcome = _step(x, stmt, env)
        if outcome is not None:
            return outcome
    return None


def _step(x: Evaluation, stmt: ir.Stmt, env: Locals) -> Outcome:
    match stmt:
        case ir.Cited():
            pass
        case ir.Let():
            env[stmt.name] = x.value(stmt.value, env)
        case ir.IfStmt():
            return _block(x, stmt.then if x.holds(stmt.test, env) else stmt.orelse, env)
        case ir.Each():
            for member in x.sequence(stmt.source, env):
                env[stmt.var] = member
                if x.holds(stmt.where, env):
                    outcome = _block(x, stmt.body, env)
                    if outcome is not None:
                        return outcome if isinstance(outcome, Returned) else None
        case ir.Repeat():
            return _repeated(x, stmt, env)
        case ir.Stop():
            return Stopped()
        case ir.Return() if stmt.value is not None:
            return Returned(x.value(stmt.value, env))
        case _:
            raise TypeError(f"a function has no step {type(stmt).__name__}")
    return None


def _repeated(x: Evaluation, stmt: ir.Repeat, env: Locals) -> Outcome:
    most = len(ENDLESS)
    turns = most if stmt.times is None else x.number(stmt.times, env)
    if turns > most:
        raise RulesetFault(f"a repetition of {turns} times; {most} are the most")
    for _ in range(turns):
        outcome = _block(x, stmt.body, env)
        if outcome is not None:
            return outcome if isinstance(outcome, Returned) else None
    if stmt.times is None:
        raise RulesetFault("a repetition never stops")
    return None
