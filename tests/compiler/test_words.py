"""A new word of the language comes whole: each node is checked, executed twice and printed, and what a step changes is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agreement import pair
from project import ROOT

from compiler import ir
from compiler import lowered as low
from compiler.check.expressions import Expressions
from compiler.check.statements import Statements
from compiler.emit.blocks import _BlockEmitter
from compiler.emit.expressions import ExpressionEmitter
from compiler.interpreter.evaluate import Evaluator
from compiler.interpreter.execute import Execution
from compiler.lower import _Lowerer
from compiler.printer import Printer
from compiler.trees import written_slots
from dsl import nodes as n

#: Declared for others to derive from.
ABSTRACT = {n.Expr, n.Stmt, ir.Expr, ir.Stmt, low.Terminator}


def kinds(module: Any, base: type) -> list[type]:
    """The classes of a module that derive from *base*."""
    classes = (one for one in vars(module).values() if isinstance(one, type))
    return [one for one in classes if issubclass(one, base) and one not in ABSTRACT]


def lacking(found: list[type], where: type, *prefixes: str) -> list[str]:
    """The classes among *found* for which *where* has no method."""
    return [
        one.__name__
        for one in found
        if not any(hasattr(where, prefix + one.__name__.lower()) for prefix in prefixes)
    ]


def test_all_that_is_written_is_checked() -> None:
    assert lacking(kinds(n, n.Stmt), Statements, "_") == []
    assert lacking(kinds(n, n.Expr), Expressions, "_") == []


def test_all_that_is_checked_is_executed_twice_and_printed() -> None:
    expressions, steps = kinds(ir, ir.Expr), kinds(ir, ir.Stmt)
    asking = [one for one in steps if one in (ir.Choose, ir.Offer)]
    whole = [one for one in steps if one not in asking]
    assert lacking(expressions, ExpressionEmitter, "_") == []
    assert lacking(expressions, Evaluator, "_") == []
    assert lacking(whole, _BlockEmitter, "_") == []
    assert lacking(steps, Execution, "_", "_run_") == []
    holding = [
        one
        for one in steps
        if any("Stmt" in str(f.type) for f in one.__dataclass_fields__.values())  # type: ignore[attr-defined]
    ]
    assert lacking([*asking, *holding, ir.Do], _Lowerer, "") == []
    assert [one.__name__ for one in [*expressions, *steps] if not Printer.knows(one)] == []


def test_what_lowering_adds_is_executed_and_printed() -> None:
    steps = [one for one in kinds(low, ir.Stmt) if one.__module__ == low.__name__]
    assert lacking(steps, _BlockEmitter, "_") == []
    assert [one.__name__ for one in steps if not Printer.knows(one)] == []
    assert lacking(kinds(low, low.Terminator), _BlockEmitter, "_end_") == []


def content(state: Any) -> Iterator[tuple[str, Any]]:
    """The slots of a state that rules change, with what they hold."""
    for name in (*state.INTS, *state.LISTS, *state.FIXED, *state.NESTED):
        value = getattr(state, name)
        if name in state.NESTED:
            yield name, [row[:] for row in value]
        else:
            yield name, value[:] if isinstance(value, list) else value


def test_a_step_changes_no_more_than_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """States share what nothing changes, as `written_slots` says."""
    folder = ROOT / "tests/rulesets/everything"
    both = pair(folder, folder / "drill.yaml")
    seen: set[type] = set()

    def watched(act: Callable[[Execution, Any, Any], Any]) -> Callable[[Execution, Any, Any], Any]:
        def acting(run: Execution, stmt: ir.Stmt, env: Any) -> Any:
            seen.add(type(stmt))
            before = dict(content(run.state))
            result = act(run, stmt, env)
            changed = {name for name, value in content(run.state) if before[name] != value}
            assert changed <= set(written_slots((stmt,))), stmt
            return result

        return acting

    plain = [one for one in kinds(ir, ir.Stmt) if hasattr(Execution, "_" + one.__name__.lower())]
    for one in plain:
        name = "_" + one.__name__.lower()
        monkeypatch.setattr(Execution, name, watched(getattr(Execution, name)))
    monkeypatch.setattr(
        Execution, "_watch", lambda run, *slots: None
    )  # checks are steps of their own
    chance = random.Random(1)
    state = both.interpreted.new_state(both.setup, 1)
    both.interpreted.begin(state)
    for _ in range(200):
        if state.over:
            break
        both.interpreted.answer(state, chance.choice(state.options))
    assert set(plain) - seen <= {ir.Finish, ir.Observe}  # in forecasts, and at the end
