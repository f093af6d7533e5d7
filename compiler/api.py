"""Compiling a ruleset from end to end; :mod:`compiler.cache` keeps the results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from compiler import ir
from compiler.check import check
from compiler.emit import Emitted, emit
from compiler.folders import Finder, content_hash, find_in
from compiler.follow_ups import findings
from compiler.forecasting import forecast_spec
from compiler.lower import lower
from compiler.lowered import Lowered
from compiler.resolve import Resolved, resolve
from compiler.trees import statements_of
from dsl.diagnostics import Diagnostic
from dsl.source import Source, Span
from runtime.model import CallSpec, ColumnSpec, ProcedureSpec, RequirementSpec, RulesetSpec
from runtime.program import CompiledProgram

__all__ = [
    "Compilation",
    "compile_ruleset",
    "content_hash",
    "find_in",
    "load_program",
    "source_paths",
    "spec_of",
]


@dataclass
class Compilation:
    """Everything that compiling a ruleset produced; stages after an error are missing."""

    name: str
    resolved: Resolved
    program: ir.Program
    lowered: Lowered | None = None
    emitted: Emitted | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: all sources by the name shown to people
    sources: dict[str, Source] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(d.is_error for d in self.diagnostics)


def _unused_here(finding: Diagnostic, resolved: Resolved) -> bool:
    """Whether a finding says that a rule of an abstract base never applies: no game need use all of them."""
    return finding.code == "Q503" and Path(finding.span.file).parent.name in resolved.abstracts


def compile_ruleset(
    folder: Path, find: Finder | None = None, overlay: dict[str, str] | None = None, emit_code: bool = True
) -> Compilation:
    """Compile the ruleset in *folder*; findings are in the result, nothing is raised on what a user wrote."""
    folder = folder.resolve()
    find = find or find_in(folder.parent)
    resolved = resolve(folder.name, folder, find, overlay)
    if resolved.abstract:  # its declarations make sense together with those of a ruleset that extends it
        return Compilation(
            folder.name,
            resolved,
            ir.Program(name=resolved.name),
            diagnostics=list(resolved.diagnostics),
            sources=resolved.sources,
        )
    program, ctx = check(resolved)
    result = Compilation(
        folder.name, resolved, program, diagnostics=findings(resolved, ctx), sources=ctx.sources
    )
    if not result.ok:
        return result
    from compiler.prove import prove

    result.diagnostics.extend(d for d in prove(program) if not _unused_here(d, resolved))
    if not result.ok or not emit_code:
        return result
    result.lowered = lower(program)
    result.emitted = emit(program, result.lowered)
    return result


def spec_of(program: ir.Program, lowered: Lowered | None = None) -> RulesetSpec:
    """What the engine may know about a checked program; of its blocks, where it is *lowered*."""
    assert program.board is not None
    foretelling = {f.procedure for f in program.forecasts.values()}
    parts: list[ir.Procedure | ir.CheckInfo] = [*program.procedures.values(), *program.checks.values()]
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
        scopes=tuple(program.scopes),
        decisions=tuple(replace(d, open=d.index in program.open_decisions) for d in program.decisions),
        notes=tuple(program.notes),
        streams=program.streams,
        note_types=tuple(program.note_types),
        texts={language: dict(texts) for language, texts in program.texts.items()},
        boards=dict(program.boards),
        labels={name: f"{span.file}:{span.line}" for name, span in program.labels.items()},
        unknown=tuple(program.unknown),
        draws=any(isinstance(step, ir.DrawFrom) for part in parts for step in statements_of(part.body)),
        columns={f"{c.enum}.{c.name}": ColumnSpec(c.type.spec(), c.values) for c in program.columns.values()},
        requirements={
            name: RequirementSpec(call.rules, tuple(sorted(call.reads)))
            for name, call in program.requirements.items()
        },
        calls=_worked_out(program),
        steps=_steps(program),
        outcomes=tuple(program.outcomes),
        forecasts={f.name: forecast_spec(program, f) for f in program.forecasts.values()},
        procedures={
            p.name: ProcedureSpec(
                tuple(q.type.spec() for q in p.params),
                tuple(q.name for q in p.params),
                None if p.type.kind == "void" else p.type.spec(),
            )
            for p in program.procedures.values()
            if p.case_of is None and p.name not in foretelling
        },
        under_way=() if lowered is None else tuple(_step_at(program, b.span) for b in lowered.blocks),
    )


def _worked_out(program: ir.Program) -> dict[str, CallSpec]:
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
    found: dict[str, dict[str, None]] = {}
    for procedure, name, _ in program.steps:
        found.setdefault(procedure, {})[name] = None
    return {procedure: tuple(names) for procedure, names in found.items()}


def _step_at(program: ir.Program, place: Span) -> str:
    """The innermost named step around a place, as ``procedure.step``; nothing where there is none."""
    around = [
        (span.end - span.start, f"{procedure}.{name}")
        for procedure, name, span in program.steps
        if span.file == place.file and span.start <= place.start and place.end <= span.end
    ]
    return min(around)[1] if around else ""


def load_program(compilation: Compilation) -> CompiledProgram:
    """The compiled program, ready to play."""
    assert compilation.emitted is not None
    return CompiledProgram(
        spec_of(compilation.program, compilation.lowered), compilation.emitted.code(source_paths(compilation))
    )


def source_paths(compilation: Compilation) -> dict[str, str]:
    parents = {folder.name: folder for folder in compilation.resolved.folders}
    result = {}
    for shown in compilation.sources:
        name, file = shown.split("/", 1)
        if name in parents:
            result[shown] = str(parents[name] / file)
    return result
