"""Quantities and permissions, evaluated as the chapters say (SPEC: rules, SPEC: stages)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from compiler import ir
from compiler.interpreter.trace import (
    Applied,
    Cited,
    CitedCell,
    PermissionTrace,
    QuantityTrace,
    StageTrace,
)
from compiler.interpreter.values import Evaluation, Locals, Value
from compiler.trees import child_expressions, conjuncts
from runtime.state import RulesetFault

#: Which rules decide where a rule speaks, by its identity.
Deciding: TypeAlias = dict[int, list[ir.Rule]]


def bind(params: Sequence[ir.ParamInfo], args: Sequence[Value]) -> Locals:
    """The locals of something called with *args*."""
    return {param.name: arg for param, arg in zip(params, args, strict=True)}


def speaks(x: Evaluation, rule: ir.Rule, env: Locals) -> bool:
    """Whether a rule's condition holds and nothing suspends it."""
    return x.holds(rule.when, env) and suspension_in_force(x, rule, env) is None


def suspension_in_force(x: Evaluation, rule: ir.Rule, env: Locals) -> str | None:
    """The first suspension whose condition holds."""
    return next((name for name, when in rule.suspended if x.holds(when, env)), None)


def _unique(rules: Iterable[ir.Rule]) -> list[ir.Rule]:
    """Each rule once: one that excepts several rules hangs below each of them."""
    return list({id(rule): rule for rule in rules}.values())


# --------------------------------------------------------------------------- quantities


def quantity(x: Evaluation, call: ir.Callable, args: Sequence[Value]) -> int:
    """The value of a quantity: that of the deciding rule, modified stage by stage."""
    env = bind(call.params, args)
    if x.tracer is not None:
        x.tracer.depth += 1
    decided, base = _decide(x, call, env)
    value = base
    stages = []
    for name in call.stages:
        applied = _applied_modifiers(x, call.modifiers.get(name, []), env)
        value = _modified(value, applied)
        stages.append(StageTrace(name, tuple(applied), value))
    if x.tracer is not None:
        beaten = _beaten(x, call.roots, decided, env)
        trace = QuantityTrace(
            call.name,
            tuple(args),
            Cited(decided, cells(x, decided, env)),
            base,
            tuple(map(Cited, beaten)),
            _suspended_rules(x, call, env),
            tuple(stages),
            value,
        )
        x.tracer.quantities.append(trace)
        x.tracer.depth -= 1
        if not x.tracer.depth:
            x.tracer.outer.append(trace)
    return value


def _decide(x: Evaluation, call: ir.Callable, env: Locals) -> tuple[ir.Rule, int]:
    known: Deciding = {}
    deciding = _unique(rule for root in call.roots for rule in _deciding(x, root, env, known))
    if not deciding:
        raise RulesetFault(f"no rule decides {call.kind} {call.name}")
    values = [x.number(rule.value, env) for rule in deciding if rule.value is not None]
    if any(value != values[0] for value in values):
        pairs = zip(deciding, values, strict=True)
        verdicts = ", ".join(f"{rule.name} says {value}" for rule, value in pairs)
        raise RulesetFault(f"two rules decide {call.kind} {call.name} differently: {verdicts}")
    return deciding[0], values[0]


def _deciding(x: Evaluation, rule: ir.Rule, env: Locals, known: Deciding) -> list[ir.Rule]:
    """The rules that decide where *rule* speaks: its exceptions that do, else the rule itself."""
    if id(rule) not in known:
        known[id(rule)] = []
        if speaks(x, rule, env):
            below = (r for e in rule.exceptions for r in _deciding(x, e, env, known))
            known[id(rule)] = _unique(below) or [rule]
    return known[id(rule)]


def _beaten(
    x: Evaluation, roots: Sequence[ir.Rule], decided: ir.Rule, env: Locals
) -> list[ir.Rule]:
    """The rules at or below *roots* that speak and that *decided* beats."""
    known: Deciding = {}
    reached = [rule for rule in _speaking_rules(x, roots, env) if rule is not decided]
    return [rule for rule in reached if any(r is decided for r in _deciding(x, rule, env, known))]


def _speaking_rules(x: Evaluation, roots: Sequence[ir.Rule], env: Locals) -> list[ir.Rule]:
    """The rules at or below *roots* that are asked and speak, each once, in order."""
    reached: dict[int, ir.Rule] = {}

    def visit(rule: ir.Rule) -> None:
        if id(rule) not in reached and speaks(x, rule, env):
            reached[id(rule)] = rule
            for exception in rule.exceptions:
                visit(exception)

    for root in roots:
        visit(root)
    return list(reached.values())


def _applied_modifiers(
    x: Evaluation, modifiers: Sequence[ir.Modifier], env: Locals
) -> list[Applied]:
    applied = []
    for m in modifiers:
        if x.holds(m.when, env):
            read = cells(x, m, env) if x.tracer is not None else ()
            applied.append(Applied(Cited(m, read), m.op, x.number(m.value, env)))
    return applied


def _modified(value: int, applied: Sequence[Applied]) -> int:
    """First what is added, then the lowest ``at most``, then the highest ``at least``."""
    value += sum(m.amount for m in applied if m.op == "by")
    value = min([value, *(m.amount for m in applied if m.op == "most")])
    return max([value, *(m.amount for m in applied if m.op == "least")])


def cells(x: Evaluation, rule: ir.Rule | ir.Modifier, env: Locals) -> tuple[CitedCell, ...]:
    """The table entries that a rule reads for its value, or that its condition cites."""
    entries: dict[str, CitedCell] = {}

    def look(expr: ir.Expr, valued: bool) -> None:
        if isinstance(expr, ir.Quant | ir.Allot | ir.Line):
            return  # has locals without a single value
        for part in child_expressions(expr):
            look(part, valued)
        if isinstance(expr, ir.Col):
            at = x.number(expr.key, env)
            own, table, enum = expr.column.citations_at(at), expr.column.rules, expr.column.enum
            label = f"{expr.column.name} of "
        elif isinstance(expr, ir.Cell):
            at, rows = x.number(expr.row, env), expr.matrix.of_rows
            own = rows[at] if 0 <= at < len(rows) else ()
            table, enum = expr.matrix.rules, expr.matrix.row
            label = f"{expr.matrix.name}, row "
        else:
            return
        members = x.program.enums[enum]
        if 0 <= at < len(members) and (own or (valued and table)):
            label += members[at]
            entries[label] = CitedCell(label, tuple(dict.fromkeys(own or table)))

    if rule.value is not None:
        look(rule.value, True)
    for part in conjuncts(rule.when):
        look(part, False)
    return tuple(entries.values())


# --------------------------------------------------------------------------- permissions


def permission(x: Evaluation, call: ir.Callable, args: Sequence[Value]) -> bool:
    """Whether a permission allows: its default, unless a rule of the other verdict is in force."""
    env = bind(call.params, args)
    if x.tracer is not None:
        x.tracer.depth += 1
    known: dict[int, bool] = {}
    against = any(in_force(x, root, env, known) for root in call.roots)
    allowed = (call.default == "allow") != against
    if x.tracer is not None:
        spoken = _speaking_rules(x, call.roots, env)
        deciding = "allow" if allowed else "deny"
        decisive = tuple(
            Cited(r, cells(x, r, env))
            for r in spoken
            if r.verdict == deciding and in_force(x, r, env, known)
        )
        excepted = [
            (r, [e for e in r.exceptions if in_force(x, e, env, known)])
            for r in spoken
            if not in_force(x, r, env, known)
        ]
        trace = PermissionTrace(
            call.name,
            tuple(args),
            call.default,
            allowed,
            () if allowed else decisive,
            tuple((Cited(r), tuple(map(Cited, beating))) for r, beating in excepted),
            _suspended_rules(x, call, env),
            decisive if allowed else (),
        )
        x.tracer.permissions.append(trace)
        x.tracer.depth -= 1
    return allowed


def in_force(x: Evaluation, rule: ir.Rule, env: Locals, known: dict[int, bool]) -> bool:
    """Whether a rule speaks and no exception of it is in force; *known* is a memo for *env*."""
    if id(rule) not in known:
        known[id(rule)] = speaks(x, rule, env) and not any(
            in_force(x, exception, env, known) for exception in rule.exceptions
        )
    return known[id(rule)]


def _suspended_rules(
    x: Evaluation, call: ir.Callable, env: Locals
) -> tuple[tuple[Cited, str], ...]:
    """The rules that would have been asked and have spoken, had nothing suspended them."""

    seen: set[int] = set()

    def below(rule: ir.Rule) -> Iterator[ir.Rule]:
        if id(rule) in seen:
            return
        seen.add(id(rule))
        if x.holds(rule.when, env):
            if rule.suspended and suspension_in_force(x, rule, env) is not None:
                yield rule
            else:
                for exception in rule.exceptions:
                    yield from below(exception)

    rules = _unique(rule for root in call.roots for rule in below(root))
    return tuple((Cited(rule), suspension_in_force(x, rule, env) or "") for rule in rules)
