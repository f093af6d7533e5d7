"""What there was to choose, kept beside what was chosen secretly: whoever guesses at it later
chooses from the same.

A field that is set to what was chosen secretly gets a companion that nobody sees either: the set of
what could be chosen, or the empty set when the field was set in another way.

Where what could be chosen hangs on what not all see (a hand, another secret), that set would tell
it.  Then whoever guesses finds it anew in what is guessed, by an expression over ``it``, the owner
of the field, which stands among the initial values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from operator import is_not

from compiler import ir
from compiler.check.secrecy.flows import origins
from compiler.check.secrecy.reader import Sight
from compiler.check.secrecy.secrets import hidden_in
from compiler.trees import bodies_of, conjuncts, locals_of, statements_of, substitute
from compiler.types import Type, from_spec, set_of
from runtime.model import FieldSpec, TypeSpec


def remember_choices(program: ir.Program) -> None:
    """Give such fields their companions, and the steps that set them those that keep the choice."""
    by_field: dict[str, list[_Filling]] = {}
    for procedure in program.procedures.values():
        if procedure.secrets:
            for filling in _fillings(procedure.body, procedure):
                by_field.setdefault(filling.step.field.slot, []).append(filling)
    filled = [filling for fillings in by_field.values() for filling in fillings]
    kept = {filling.choice.decision.index for filling in filled if filling.is_guessable}
    companions = _declare(program, by_field)
    if not companions:
        return
    for name, procedure in program.procedures.items():
        secrets = dict(procedure.secrets)
        part = replace(procedure, locals=list(procedure.locals), secrets=secrets)
        _remember(_OptionsKeeper(companions, kept, part), part)
        program.procedures[name] = part
    for name, check in program.checks.items():
        program.checks[name] = watching = replace(check)
        _remember(_OptionsKeeper(companions, kept, None), watching)


def _remember(memory: _OptionsKeeper, part: ir.Procedure | ir.CheckInfo) -> None:
    part.body = memory.rewritten(part.body)
    slots = part.writes & memory.companions.keys()
    part.writes |= {memory.companions[slot].slot for slot in slots}


@dataclass(frozen=True)
class _Filling:
    """A step that sets a field to what a choice gave, with the steps of the row of that choice."""

    choice: ir.Choose
    step: ir.SetField
    procedure: ir.Procedure
    row: tuple[ir.Stmt, ...]

    @property
    def is_guessable(self) -> bool:
        """Whether a set can hold what is chosen from: members, or numbers none of them negative."""
        source = self.choice.source
        if self.step.field.type.kind in ("enum", "piece", "hex"):
            return True
        low = source.low if isinstance(source, ir.Range) else None
        return isinstance(low, ir.Const) and low.value >= 0

    @property
    def roams(self) -> bool:
        """Whether whose field is set hangs on what was chosen."""
        chosen = {s.var for s in self.row if isinstance(s, ir.Choose)}
        owner = self.step.owner
        return owner is not None and not chosen.isdisjoint(locals_of(owner))

    def hidden(self, sight: Sight) -> bool:
        """Whether what there is to choose hangs on what not all see."""
        given = origins(self.procedure.body)
        given.pop(self.choice.var, None)
        asked = (self.choice.source, *conjuncts(self.choice.where))
        return any(hidden_in(sight, e, given) is not None for e in asked)

    def anew(self, program: ir.Program, member: Type) -> ir.Expr:
        """What there is to choose, told of the owner of the field, as far as that can be."""
        known = self._known_locals(program)
        loose = {*origins(self.procedure.body), *(p.name for p in self.procedure.params)}
        loose -= {*known, self.choice.var}
        where: ir.Expr | None = None
        for e in conjuncts(self.choice.where):
            if loose.isdisjoint(locals_of(e)):
                e = substitute(e, known)
                where = e if where is None else ir.Logic("and", where, e, type=e.type, span=e.span)
        source = self.choice.source
        if not loose.isdisjoint(locals_of(source)):
            return self.whole(member, where)
        return self._filtered(substitute(source, known), member, where)

    def whole(self, member: Type, where: ir.Expr | None = None) -> ir.Expr:
        """All that a field could hold."""
        every = ir.Members(type=set_of(member), span=self.choice.span)
        return self._filtered(self.choice.source if member.kind == "int" else every, member, where)

    def _filtered(self, source: ir.Expr, member: Type, where: ir.Expr | None) -> ir.Expr:
        span, var = self.choice.span, self.choice.var
        return ir.Quant("all", var, source, where, None, type=set_of(member), span=span)

    def _known_locals(self, program: ir.Program) -> dict[str, ir.Expr]:
        """The locals that can be told of the owner: it, its side, what else was chosen for it."""
        owner, span, field = self.step.owner, self.choice.span, self.step.field
        if owner is None:
            return {}
        known: dict[str, ir.Expr] = {}
        seer = program.fields[field.owner, field.seen_by or ""]
        it = ir.Local("it", type=owner.type, span=span)
        if isinstance(self.choice.by, ir.Local) and seer.type.kind == "enum":
            known[self.choice.by.name] = ir.Get(seer, it, type=from_spec(seer.type), span=span)
        for step in self.row:
            if not isinstance(step, ir.SetField) or not isinstance(step.value, ir.Local):
                continue
            if step.owner == owner and step.field.owner == field.owner:
                kept = ir.Get(step.field, it, type=from_spec(step.field.type), span=span)
                known[step.value.name] = kept
        if isinstance(owner, ir.Local):
            known[owner.name] = it
        known.pop(self.choice.var, None)
        return known


def _fillings(stmts: tuple[ir.Stmt, ...], procedure: ir.Procedure) -> Iterator[_Filling]:
    """The steps of a block that set fields from secret choices."""
    for i, stmt in enumerate(stmts):
        if isinstance(stmt, ir.Choose) and stmt.decision.secret:
            row = tuple(statements_of(stmts[i:]))
            chosen = {s.var: s for s in row if isinstance(s, ir.Choose)}
            for step in row:
                match step:
                    case ir.SetField(op="=", value=ir.Local(name=name)) if name in chosen:
                        yield _Filling(chosen[name], step, procedure, row)
            return
        for body in bodies_of(stmt):
            yield from _fillings(body, procedure)


def _declare(program: ir.Program, by_field: dict[str, list[_Filling]]) -> dict[str, FieldSpec]:
    """Declare the companions, by the slots of the fields; in the order of the choices."""
    companions: dict[str, FieldSpec] = {}
    sight = Sight(program)

    def first(fillings: list[_Filling]) -> int:
        return min(f.choice.decision.index for f in fillings)

    for slot, fillings in sorted(by_field.items(), key=lambda item: first(item[1])):
        if not all(f.is_guessable for f in fillings):
            continue
        field = fillings[0].step.field
        roams = field.roams or any(f.roams for f in fillings)
        passing = [f for f in fillings if f.choice.decision.passing is not None]
        passes = field.passes or (field.type.optional and bool(passing))
        head = (field.owner, f"{field.name} options")
        type_ = TypeSpec("set", of=replace(field.type, optional=False))
        among = FieldSpec(*head, type_, f"{slot}__options", roams=roams, options=True)
        among = replace(among, lasts=field.lasts, seen_by=field.seen_by)
        companions[slot] = program.fields[head] = among
        key = (field.owner, field.name)
        chosen = replace(program.fields[key], among=among.slot, roams=roams, passes=passes)
        program.fields[key] = chosen
        if field.owner == "Game" or not any(f.hidden(sight) for f in fillings):
            continue  # all see what there was to choose
        member, one = from_spec(replace(field.type, optional=False)), fillings[0]
        same = len({f.choice.decision.index for f in fillings}) == 1
        anew = one.anew(program, member) if same else one.whole(member)
        program.initials[among.owner, among.name] = anew
    return companions


class _OptionsKeeper:
    """Adds to the steps of a procedure or check those that keep what there was to choose."""

    def __init__(
        self, companions: dict[str, FieldSpec], kept: set[int], procedure: ir.Procedure | None
    ) -> None:
        self.companions = companions
        #: the secret choices whose options are kept, by the index of their decision
        self.kept = kept
        self.procedure = procedure

    def rewritten(self, stmts: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """A block whose steps keep what there was to choose; itself where none has to."""
        steps = tuple(step for stmt in stmts for step in self._steps(stmt))
        changed = len(steps) != len(stmts) or any(map(is_not, steps, stmts))
        return steps if changed else stmts

    def _steps(self, stmt: ir.Stmt) -> Iterator[ir.Stmt]:
        procedure = self.procedure
        if isinstance(stmt, ir.Choose) and stmt.decision.index in self.kept:
            if procedure is not None:
                yield self._options_step(stmt, procedure)
        elif isinstance(stmt, ir.SetField) and stmt.field.slot in self.companions:
            among = self.companions[stmt.field.slot]
            type_ = from_spec(among.type)
            value: ir.Expr = ir.Const(0, type=type_, span=stmt.span)
            if procedure is not None and isinstance(stmt.value, ir.Local):
                name = f"{stmt.value.name}__options"
                if name in procedure.secrets:
                    value = ir.Local(name, type=type_, span=stmt.span)
            yield ir.SetField(among, stmt.owner, "=", value, span=stmt.span)
        yield self._with_rewritten_blocks(stmt)

    def _options_step(self, choice: ir.Choose, procedure: ir.Procedure) -> ir.Stmt:
        """The step that finds what there is to choose."""
        name, candidate, span = f"{choice.var}__options", f"{choice.var}__option", choice.span
        member = next(type_ for local, type_ in procedure.locals if local == choice.var).plain()
        type_, where = set_of(member), choice.where
        if where is not None:
            where = substitute(where, {choice.var: ir.Local(candidate, type=member, span=span)})
        procedure.locals.append((name, type_))
        procedure.secrets[name] = {choice.decision.index, *procedure.secrets.get(choice.var, ())}
        options = ir.Quant("all", candidate, choice.source, where, None, type=type_, span=span)
        return ir.Let(name, options, span=span)

    def _with_rewritten_blocks(self, stmt: ir.Stmt) -> ir.Stmt:
        """A step whose blocks keep what there was to choose."""
        changes: dict[str, object] = {}
        if isinstance(stmt, ir.Expire | ir.Mix):
            more = [self.companions[f.slot] for f in stmt.fields if f.slot in self.companions]
            if more:
                changes["fields"] = (*stmt.fields, *more)
        for part in fields(stmt):
            value = getattr(stmt, part.name)
            if isinstance(value, tuple) and value and isinstance(value[0], ir.Stmt):
                steps = self.rewritten(value)
                if steps is not value:
                    changes[part.name] = steps
            elif isinstance(value, tuple) and value and isinstance(value[0], ir.Branch):
                bodies = [self.rewritten(branch.body) for branch in value]
                if any(b is not branch.body for b, branch in zip(bodies, value, strict=True)):
                    pairs = zip(value, bodies, strict=True)
                    changes[part.name] = tuple(replace(b, body=body) for b, body in pairs)
        return replace(stmt, **changes) if changes else stmt  # type: ignore[arg-type]
