"""What there was to choose, kept beside what was chosen secretly: whoever guesses at it later chooses from
the same.

A field that is set to what was chosen secretly gets a companion that nobody sees either: the set of what
could be chosen, or the empty set when the field was set in another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields as parts
from dataclasses import replace

from compiler import ir
from compiler.check.context import Context
from compiler.trees import bodies_of, locals_of, statements_of, substitute
from compiler.types import from_spec, set_of
from runtime.model import FieldSpec, TypeSpec


def remember_choices(ctx: Context) -> None:
    """Give such fields their companions, and the steps that set them the steps that keep the choice."""
    program = ctx.program
    memory = _Memory(program)
    for procedure in program.procedures.values():
        if procedure.secrets:
            memory.find(procedure.body)
    memory.declare()
    if not memory.companions:
        return
    for procedure in program.procedures.values():
        procedure.body = memory.rewritten(procedure.body, procedure)
        procedure.writes |= {
            memory.companions[slot].slot for slot in procedure.writes & set(memory.companions)
        }
    for check in program.checks.values():
        check.body = memory.rewritten(check.body, None)
        check.writes |= {memory.companions[slot].slot for slot in check.writes & set(memory.companions)}


class _Memory:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        #: by slot, the fields that are set from secret choices, and what is known of these
        self.filled: dict[str, FieldSpec] = {}
        self.bad: set[str] = set()
        self.companions: dict[str, FieldSpec] = {}
        #: the secret choices whose options are kept, by the index of their decision
        self.kept: set[int] = set()

    # ------------------------------------------------------------------ looking

    def find(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Look through a block for fields that are set from secret choices."""
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, ir.Choose) and stmt.decision.secret:
                self._row(stmts[i:])
                return
            for body in bodies_of(stmt):
                self.find(body)

    def _row(self, stmts: tuple[ir.Stmt, ...]) -> None:
        steps = list(statements_of(stmts))
        chosen = {s.var: s for s in steps if isinstance(s, ir.Choose)}
        for step in steps:
            if not (isinstance(step, ir.SetField) and step.op == "=" and isinstance(step.value, ir.Local)):
                continue
            choice = chosen.get(step.value.name)
            if choice is None:
                continue
            if step.field.type.kind not in ("enum", "piece", "hex") and not _counted(choice.source):
                self.bad.add(step.field.slot)
                continue
            known = self.filled.get(step.field.slot, step.field)
            roams = known.roams or (step.owner is not None and not locals_of(step.owner).isdisjoint(chosen))
            passes = known.passes or (step.field.type.optional and choice.decision.passing is not None)
            self.filled[step.field.slot] = replace(known, roams=roams, passes=passes)
            self.kept.add(choice.decision.index)

    def declare(self) -> None:
        """Declare the companions."""
        for slot, field in self.filled.items():
            if slot in self.bad:
                continue
            of = TypeSpec("set", of=replace(field.type, optional=False))
            name, own = f"{field.name} options", f"{slot}__options"
            among = FieldSpec(
                field.owner,
                name,
                of,
                own,
                lasts=field.lasts,
                seen_by=field.seen_by,
                roams=field.roams,
                options=True,
            )
            self.companions[slot] = among
            self.program.fields[field.owner, field.name] = replace(
                self.program.fields[field.owner, field.name],
                among=among.slot,
                roams=field.roams,
                passes=field.passes,
            )
            self.program.fields[among.owner, among.name] = among

    # ------------------------------------------------------------------ rewriting

    def rewritten(self, stmts: tuple[ir.Stmt, ...], procedure: ir.Procedure | None) -> tuple[ir.Stmt, ...]:
        """A block whose steps keep what there was to choose."""
        return tuple(step for stmt in stmts for step in self._steps(stmt, procedure))

    def _steps(self, stmt: ir.Stmt, procedure: ir.Procedure | None) -> Iterable[ir.Stmt]:
        if isinstance(stmt, ir.Choose) and stmt.decision.index in self.kept and procedure is not None:
            yield self._before(stmt, procedure)
        if isinstance(stmt, ir.SetField) and stmt.field.slot in self.companions:
            among = self.companions[stmt.field.slot]
            type_ = from_spec(among.type)
            value: ir.Expr = ir.Const(0, type=type_, span=stmt.span)
            if (
                procedure is not None
                and isinstance(stmt.value, ir.Local)
                and f"{stmt.value.name}__options" in procedure.secrets
            ):
                value = ir.Local(f"{stmt.value.name}__options", type=type_, span=stmt.span)
            yield ir.SetField(among, stmt.owner, "=", value, span=stmt.span)
        yield self._below(stmt, procedure)

    def _before(self, choice: ir.Choose, procedure: ir.Procedure) -> ir.Stmt:
        """The step that finds what there is to choose."""
        name, candidate = f"{choice.var}__options", f"{choice.var}__option"
        member = next(type_ for local, type_ in procedure.locals if local == choice.var).plain()
        where = None
        if choice.where is not None:
            where = substitute(choice.where, {choice.var: ir.Local(candidate, type=member, span=choice.span)})
        type_ = set_of(member)
        procedure.locals.append((name, type_))
        procedure.secrets[name] = {choice.decision.index, *procedure.secrets.get(choice.var, ())}
        return ir.Let(
            name,
            ir.Quant("all", candidate, choice.source, where, None, type=type_, span=choice.span),
            span=choice.span,
        )

    def _below(self, stmt: ir.Stmt, procedure: ir.Procedure | None) -> ir.Stmt:
        changes: dict[str, object] = {}
        if isinstance(stmt, ir.Expire | ir.Mix):
            more = tuple(self.companions[f.slot] for f in stmt.fields if f.slot in self.companions)
            if more:
                changes["fields"] = (*stmt.fields, *more)
        for part in parts(stmt):
            value = getattr(stmt, part.name)
            if isinstance(value, tuple) and value and isinstance(value[0], ir.Stmt):
                changes[part.name] = self.rewritten(value, procedure)
            elif isinstance(value, tuple) and value and isinstance(value[0], ir.Branch):
                changes[part.name] = tuple(replace(b, body=self.rewritten(b.body, procedure)) for b in value)
        return replace(stmt, **changes) if changes else stmt  # type: ignore[arg-type]


def _counted(source: ir.Expr) -> bool:
    """Whether what is chosen from are numbers, none of them negative."""
    return isinstance(source, ir.Range) and isinstance(source.low, ir.Const) and source.low.value >= 0
