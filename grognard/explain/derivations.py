"""How a quantity, permission or function comes to its value in a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from compiler import ir
from compiler.interpreter import (
    Applied,
    Cited,
    Evaluator,
    PermissionTrace,
    QuantityTrace,
    Tracer,
    explain_permission,
    explain_quantity,
)
from compiler.interpreter.execute import Execution
from compiler.interpreter.rules import bind
from compiler.liveness import Liveness
from grognard.explain.conditions import Conditions
from grognard.explain.rules import HIDDEN, Rules, label
from runtime.games.explanation import Explanation, Reason, Role
from runtime.runs.chances import Luck
from runtime.runs.forecast import Assumptions
from runtime.scenario.setup import SetUp
from runtime.state import Over, RulesetFault, StateBase
from runtime.view import Sight, Unseen

#: How many ways of chance are looked at: numbers that matter only on rare ways are left out.
_WAYS = 12
_LIMITS = {"most": "at most", "least": "at least"}


def explain_call(
    rules: Rules, state: StateBase, name: str, args: Sequence[int], setup: SetUp
) -> Explanation:
    """How *name* of *args* comes to its value in *state*, which may be guarded
    (:mod:`runtime.view`).
    """
    call = rules.program.calls[name]
    conditions = Conditions(rules, state, setup)
    shown = f"{name}({conditions.arguments(args, call.params)})"
    try:
        if call.kind == "quantity":
            return _quantity(rules, call, shown, explain_quantity(rules.program, state, name, args))
        if call.kind == "permission":
            return _permission(
                conditions, call, shown, explain_permission(rules.program, state, name, args)
            )
        value = Evaluator(rules.program, state).call(name, list(args))
    except RulesetFault as fault:
        return Explanation(f"{shown}: {fault}")
    except Unseen:
        return Explanation(f"{shown} {HIDDEN}")
    number = value if isinstance(value, int) else None
    text = conditions.value(value, call.type) if number is not None else str(value)
    reasons: list[Reason] = []
    if call.body is not None:
        reasons.append(Reason(f"= {rules.text(call.body)}"))
        if call.type.kind == "bool" and not value:
            reasons += conditions.because(call.body, bind(call.params, args))
    cited = tuple(call.rules)
    return Explanation(f"{shown} = {text}", tuple(reasons), number, cited, rules.cite(cited))


def explain_trace(
    rules: Rules, state: StateBase, trace: QuantityTrace, setup: SetUp
) -> Explanation:
    """How a quantity has come to its value, by the trace that it has left: in a player's words, and
    without what changes nothing.
    """
    call = rules.program.calls[trace.name]
    arguments = Conditions(rules, state, setup).arguments(trace.args, call.params)

    def worth(number: int) -> str:
        return str(number) if call.type.kind == "int" else rules.words.value(number, call.type)

    def by(amount: str, rule: Cited, role: Role) -> Reason:
        return rules.rule_statement(
            f"{amount}: {rules.refusal_text('', rule.label, rule.all_citations)}", rule, role
        )

    reasons = [by(worth(trace.base), trace.decided, "decides")]
    reasons += _suspensions(rules, trace.suspended)
    before = trace.base
    for stage in trace.stages:
        for m in _changing(before, stage.applied):
            amount = f"{m.amount:+d}" if m.op == "by" else worth(m.amount)
            if m.op == "most":
                amount = rules.plainly("at most {amount}", amount=amount)
            elif m.op == "least":
                amount = rules.plainly("at least {amount}", amount=amount)
            reasons.append(by(amount, m.rule, "modifier"))
        before = stage.value
    name, value = rules.value_name(trace.name), worth(trace.value)
    head = f"{name} ({arguments}): {value}" if arguments else f"{name}: {value}"
    return Explanation(head, tuple(reasons), trace.value)


def explain_forecast(
    rules: Rules, seen: Sight, name: str, args: Sequence[Any], setup: SetUp
) -> list[Explanation]:
    """How the quantities come to their values that a forecast asks itself, on what a side sees;
    each once.
    """
    traces: dict[tuple[str, tuple[int, ...]], QuantityTrace] = {}
    seen_on: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for number in range(_WAYS):
        tracer = Tracer()
        with suppress(Over, Unseen, RulesetFault):
            _run(rules, seen, name, list(args), tracer, Random(number))
        for trace in tracer.outer:
            traces.setdefault((trace.name, trace.args), trace)
        seen_on.update({(trace.name, trace.args) for trace in tracer.outer})
    return [
        explain_trace(rules, seen.state, trace, setup)
        for key, trace in traces.items()
        if _telling(trace, seen_on[key])
    ]


def _run(
    rules: Rules, seen: Sight, name: str, args: list[Any], tracer: Tracer, rng: Random
) -> None:
    """Run a forecast once."""
    forecast = seen.spec.forecasts[name]
    if forecast.takes:  # the interpreter cannot go on in a copy
        return
    state = seen.guarded_state()
    assumed = Assumptions(
        forecast, lambda name, s, *a: Evaluator(rules.program, s).call(name, [*a])
    )
    state.script, state.assumed = Luck(rng), assumed.never
    run = Execution(rules.program, state, Liveness())
    run.x.tracer = tracer
    for _ in run.run_alone(rules.program.forecasts[name].procedure, args):
        answer = assumed.answer(state)
        if answer is None:
            return
        state.answer = answer


def _telling(trace: QuantityTrace, ways: int) -> bool:
    """Whether there is something to tell of a value that was asked on so many ways."""
    modified = any(stage.applied for stage in trace.stages)
    return modified or (bool(trace.value or trace.base) and 2 * ways > _WAYS)


def _changing(value: int, applied: Sequence[Applied]) -> tuple[Applied, ...]:
    """The modifiers of a stage that change the *value* before it: not what adds nothing, nor bounds
    kept.
    """
    added = value + sum(m.amount for m in applied if m.op == "by")
    bounded = min([added, *(m.amount for m in applied if m.op == "most")])
    return tuple(
        m
        for m in applied
        if (m.op == "by" and m.amount != 0)
        or (m.op == "most" and m.amount < added)
        or (m.op == "least" and m.amount > bounded)
    )


def _suspensions(rules: Rules, found: Sequence[tuple[Cited, str]]) -> list[Reason]:
    return [
        rules.rule_statement(
            f"'{label(rule.label)}' is suspended by '{label(name)}'", rule, "suspended"
        )
        for rule, name in found
    ]


def _quantity(rules: Rules, call: ir.Callable, shown: str, trace: QuantityTrace) -> Explanation:
    def worth(number: int) -> str:
        return rules.words.value(number, call.type)

    decided = f"{worth(trace.base)} by rule '{label(trace.decided.label)}'"
    reasons = [rules.rule_statement(decided, trace.decided, "decides")]
    for rule in trace.beaten:
        reasons.append(rules.rule_statement(f"which excepts '{label(rule.label)}'", rule, "beaten"))
    reasons += _suspensions(rules, trace.suspended)
    for stage in trace.stages:
        for applied in stage.applied:
            limit = _LIMITS.get(applied.op)
            amount = f"{limit} {applied.amount}" if limit else f"{applied.amount:+d}"
            text = f"{amount} '{label(applied.rule.label)}' in stage {stage.name}"
            last = applied is stage.applied[-1]
            after = [Reason(f"→ {worth(stage.value)}", role="stage")] if last else []
            reasons.append(rules.rule_statement(text, applied.rule, "modifier", after))
    return Explanation(f"{shown} = {worth(trace.value)}", tuple(reasons), trace.value)


def _permission(
    conditions: Conditions, call: ir.Callable, shown: str, trace: PermissionTrace
) -> Explanation:
    rules = conditions.rules
    reasons = list(conditions.refusal(call, trace.args))
    excepting = {b.span for _, beating in trace.excepted for b in beating}
    for rule in trace.allowing:
        if rule.span not in excepting:
            reasons.append(rules.rule_statement(f"allowed: {label(rule.label)}", rule, "allows"))
    for rule, beating in trace.excepted:
        by = ", ".join(f"'{label(b.label)}'" for b in beating)
        assert isinstance(rule.rule, ir.Rule)
        text = f"'{label(rule.label)}' would {rule.rule.verdict}, but {by} excepts it"
        reasons.append(rules.rule_statement(text, rule, "beaten"))
    reasons += _suspensions(rules, trace.suspended)
    if not reasons:
        reasons.append(Reason(f"nothing speaks against it (it is '{call.default}' by default)"))
    verdict = "allowed" if trace.allowed else "refused"
    return Explanation(f"{shown}: {verdict}", tuple(reasons), int(trace.allowed))
