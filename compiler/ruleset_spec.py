"""What the engine may know of a ruleset, from its checked program."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.emission import Emission
from compiler.forecast_specs import forecast_specs
from compiler.layout import changing
from compiler.trees import statements_of
from dsl.source import Span
from runtime.model import CallSpec, ColumnSpec, ProcedureSpec, RequirementSpec, RulesetSpec


def spec_of(emission: Emission) -> RulesetSpec:
    """What the engine may know about a checked program and its blocks."""
    program, lowered = emission.checked, emission.lowered
    assert program.board is not None and lowered is not None
    foretelling = {f.procedure for f in program.forecasts.values()}
    bodies = [procedure.body for procedure in program.procedures.values()]
    bodies += [check.body for check in program.checks.values()]
    steps = (step for body in bodies for step in statements_of(body))
    moving = changing(program.procedures, program.checks, program.fields)
    slots = [f.slot for f in program.fields.values()]
    return RulesetSpec(
        name=program.name,
        bases=program.bases,
        hash=program.hash,
        sides=program.sides,
        enums=dict(program.enums),
        kinds=program.kinds,
        parents=dict(program.parents),
        board=program.board,
        fields=tuple(program.fields.values()),
        decks=tuple(program.decks.values()),
        dice=tuple(program.dice.values()),
        effects=tuple(program.effects.values()),
        switches=dict(program.switches),
        weights=dict(program.weights),
        scopes=tuple(program.scopes),
        decisions=tuple(
            replace(d, open=d.index in program.open_decisions) for d in program.decisions
        ),
        notes=tuple(program.notes),
        streams=program.streams,
        note_types=tuple(program.note_types),
        texts={language: dict(texts) for language, texts in program.texts.items()},
        boards=dict(program.boards),
        labels={name: f"{span.file}:{span.line}" for name, span in program.labels.items()},
        unknown=tuple(program.unknown),
        draws=any(isinstance(step, ir.DrawFrom) for step in steps),
        columns={
            f"{c.enum}.{c.name}": ColumnSpec(c.type.spec(), c.values)
            for c in program.columns.values()
        },
        requirements={
            name: RequirementSpec(call.rules, tuple(sorted(call.reads)))
            for name, call in program.requirements.items()
        },
        calls=_calls(program),
        steps=_steps(program),
        outcomes=tuple(program.outcomes),
        forecasts=forecast_specs(emission),
        procedures={
            name: _procedure(p)
            for name, p in program.procedures.items()
            if p.case_of is None and name not in foretelling
        },
        frames={name: emission.frame_spec(name) for name in lowered.by_procedure},
        still=tuple(slot for slot in slots if slot not in moving),
        checks=tuple(program.checks),
        under_way=tuple(_step_at(program, b.span) for b in lowered.blocks),
    )


def _procedure(procedure: ir.Procedure) -> ProcedureSpec:
    """What is told of a procedure that can be run by itself."""
    types = tuple(param.type.spec() for param in procedure.params)
    value = None if procedure.type.kind == "void" else procedure.type.spec()
    return ProcedureSpec(types, tuple(param.name for param in procedure.params), value)


def _calls(program: ir.Program) -> dict[str, CallSpec]:
    """What players may be shown of a position, or of one or two members of it."""
    required = {call.name for call in program.requirements.values()}
    return {
        call.name: CallSpec(tuple(p.type.spec() for p in call.params), call.type.spec())
        for call in program.calls.values()
        if len(call.params) <= 2
        and call.name not in required
        and all(p.type.kind in ("enum", "piece", "hex") for p in call.params)
    }


def _steps(program: ir.Program) -> dict[str, tuple[str, ...]]:
    """The named steps of each procedure, each once, in the order in which they stand."""
    steps: dict[str, dict[str, None]] = {}
    for procedure, name, _ in program.steps:
        steps.setdefault(procedure, {})[name] = None
    return {procedure: tuple(names) for procedure, names in steps.items()}


def _step_at(program: ir.Program, place: Span) -> str:
    """The innermost named step around a place, as ``procedure.step``; else nothing."""
    around = [
        (span.end - span.start, f"{procedure}.{name}")
        for procedure, name, span in program.steps
        if span.file == place.file and span.start <= place.start and place.end <= span.end
    ]
    return min(around)[1] if around else ""
