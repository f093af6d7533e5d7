"""Which rules give the numbers that a forecast rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from compiler.interpreter import Tracer
from compiler.interpreter.execute import Run
from compiler.interpreter.trace import QuantityTrace
from compiler.liveness import Liveness
from grognard.explain.calls import explain_trace
from grognard.explain.explanation import Explanation
from grognard.explain.rules import Rules
from runtime.scenario.setup import SetUp
from runtime.state import Over, RulesetFault
from runtime.view import Unseen, View

#: How many ways of chance are looked at: numbers that matter only on rare ways are left out.
_WAYS = 12


def explain_forecast(
    rules: Rules, seen: View, name: str, args: Sequence[Any], setup: SetUp
) -> list[Explanation]:
    """How the quantities come to their values that a forecast asks itself, on what a side sees; each once."""
    found: dict[tuple[str, tuple[int, ...]], QuantityTrace] = {}
    seen_on: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for number in range(_WAYS):
        tracer = Tracer()
        with suppress(Over, Unseen, RulesetFault):
            _run(rules, seen, name, list(args), tracer, Random(number))
        for trace in tracer.outer:
            found.setdefault((trace.name, trace.args), trace)
        seen_on.update({(trace.name, trace.args) for trace in tracer.outer})
    return [
        explain_trace(rules, seen.state, trace, setup)
        for key, trace in found.items()
        if _telling(trace, seen_on[key])
    ]


def _run(rules: Rules, seen: View, name: str, args: list[Any], tracer: Tracer, rng: Random) -> None:
    """Run a forecast, and what it goes on with, once."""
    state = seen.guarded()
    onward: tuple[str, list[Any]] | None = (name, args)
    while onward is not None:
        name, args = onward
        state.log, state.seed = [], rng.getrandbits(64)
        run = Run(rules.program, state, Liveness())
        run.x.tracer = tracer
        for _ in run.alone(rules.program.forecasts[name].procedure, args):
            return
        log = state.log or []
        onward = next(((what, values) for what, *values in log if isinstance(what, str)), None)


def _telling(trace: QuantityTrace, ways: int) -> bool:
    """Whether there is something to tell of a value that was asked on so many ways."""
    modified = any(stage.applied for stage in trace.stages)
    return modified or (bool(trace.value or trace.base) and 2 * ways > _WAYS)
