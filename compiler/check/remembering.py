"""What there was to choose, kept beside what was chosen secretly: whoever guesses at it later chooses from
the same.

A field that is set to what was chosen secretly gets a companion that nobody sees either: the set of what
could be chosen, or the empty set when the field was set in another way.

Where what could be chosen hangs on what not all see (a hand, another secret), that set would tell it.  Then
whoever guesses finds it anew in what is guessed, by an expression over ``it``, the owner of the field, which
stands among the initial values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from dataclasses import fields as parts

from compiler import ir
from compiler.check.context import Context
from compiler.check.draft import Draft
from compiler.check.secrets import bindings_of, hidden_in
from compiler.trees import bodies_of, conjuncts, locals_of, statements_of, substitute
from compiler.types import Type, from_spec, set_of
from runtime.model import FieldSpec, TypeSpec


def remember_choices(ctx: Context) -> None:
    """Give such fields their companions, and the steps that set them the steps that keep the choice."""
    program = ctx.program
    memory = _Memory(program)
    for procedure in program.procedures.values():
        if procedure.secrets:
            memory.find(procedure.body, procedure)
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
    def __init__(self, program: Draft) -> None:
        self.program = program
        #: by slot, the fields that are set from secret choices, and what is known of these
        self.filled: dict[str, FieldSpec] = {}
        self.bad: set[str] = set()
        self.companions: dict[str, FieldSpec] = {}
        #: the secret choices whose options are kept, by the index of their decision
        self.kept: set[int] = set()
        #: by slot, the choices that fill a field, each with the step that does and the row that it is one of
        self.choices: dict[str, list[_Filling]] = {}

    # ------------------------------------------------------------------ looking

    def find(self, stmts: tuple[ir.Stmt, ...], procedure: ir.Procedure) -> None:
        """Look through a block for fields that are set from secret choices."""
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, ir.Choose) and stmt.decision.secret:
                self._row(stmts[i:], procedure)
                return
            for body in bodies_of(stmt):
                self.find(body, procedure)

    def _row(self, stmts: tuple[ir.Stmt, ...], procedure: ir.Procedure) -> None:
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
            filling = _Filling(choice, step, procedure, tuple(steps))
            self.choices.setdefault(step.field.slot, []).append(filling)

    def declare(self) -> None:
        """Declare the companions."""
        first = {slot: min(f.choice.decision.index for f in self.choices[slot]) for slot in self.filled}
        for slot in sorted(self.filled, key=first.__getitem__):
            field = self.filled[slot]
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
            anew = self._anew(field)
            if anew is not None:
                self.program.initials[among.owner, among.name] = anew

    def _anew(self, field: FieldSpec) -> ir.Expr | None:
        """What there is to choose as it is found in what is guessed; None where all see what there was."""
        choices = self.choices[field.slot]
        if field.owner == "Game" or not any(f.hidden(self.program) for f in choices):
            return None
        member = from_spec(replace(field.type, optional=False))
        if len({f.choice.decision.index for f in choices}) == 1:
            return choices[0].anew(self.program, member)
        return choices[0].whole(member, None)

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


@dataclass(frozen=True)
class _Filling:
    """A step that sets a field to what a choice gave, with the steps of the row of that choice."""

    choice: ir.Choose
    step: ir.SetField
    procedure: ir.Procedure
    row: tuple[ir.Stmt, ...]

    def hidden(self, program: Draft) -> bool:
        """Whether what there is to choose hangs on what not all see."""
        return any(self._hides(program, e) for e in [self.choice.source, *conjuncts(self.choice.where)])

    def _hides(self, program: Draft, e: ir.Expr) -> bool:
        bindings = bindings_of(self.procedure)
        bindings.pop(self.choice.var, None)
        return hidden_in(program, e, bindings)

    def anew(self, program: Draft, member: Type) -> ir.Expr:
        """What there is to choose, told of the owner of the field, without the conditions that cannot be."""
        known = self._known(program)
        loose = {*bindings_of(self.procedure), *(p.name for p in self.procedure.params)}
        loose -= {*known, self.choice.var}
        source = self.choice.source
        wheres = [e for e in conjuncts(self.choice.where) if loose.isdisjoint(locals_of(e))]
        where: ir.Expr | None = None
        for e in wheres:
            e = substitute(e, known)
            where = e if where is None else ir.Logic("and", where, e, type=e.type, span=e.span)
        if not loose.isdisjoint(locals_of(source)):
            return self.whole(member, where)
        return self._all(substitute(source, known), member, where)

    def whole(self, member: Type, where: ir.Expr | None) -> ir.Expr:
        """All that a field could hold."""
        span = self.choice.span
        every = ir.Members(type=set_of(member), span=span)
        return self._all(self.choice.source if member.kind == "int" else every, member, where)

    def _all(self, source: ir.Expr, member: Type, where: ir.Expr | None) -> ir.Expr:
        span, var = self.choice.span, self.choice.var
        return ir.Quant("all", var, source, where, None, type=set_of(member), span=span)

    def _known(self, program: Draft) -> dict[str, ir.Expr]:
        """The locals that can be told of the owner: it, its side, what else was chosen for it."""
        owner, span, field = self.step.owner, self.choice.span, self.step.field
        known: dict[str, ir.Expr] = {}
        seer = program.fields[field.owner, field.seen_by or ""]
        if owner is not None:
            it = ir.Local("it", type=owner.type, span=span)
            if isinstance(self.choice.by, ir.Local) and seer.type.kind == "enum":
                known[self.choice.by.name] = ir.Get(seer, it, type=from_spec(seer.type), span=span)
            for step in self.row:
                if (
                    isinstance(step, ir.SetField)
                    and isinstance(step.value, ir.Local)
                    and step.owner == owner
                    and step.field.owner == field.owner
                ):
                    kept = ir.Get(step.field, it, type=from_spec(step.field.type), span=span)
                    known[step.value.name] = kept
            if isinstance(owner, ir.Local):
                known[owner.name] = it
        known.pop(self.choice.var, None)
        return known


def _counted(source: ir.Expr) -> bool:
    """Whether what is chosen from are numbers, none of them negative."""
    return isinstance(source, ir.Range) and isinstance(source.low, ir.Const) and source.low.value >= 0
