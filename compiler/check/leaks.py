"""What options, prompts and notes tell: they may read only what the side sees that is asked or told (SPEC
§9).

A side sees a hidden field of a piece where a condition beside it makes sure: ``s in u.seers``, ``u.side is
s``.  What is shown on purpose stands in ``show(…)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from compiler import ir
from compiler.check.analysis import travel_expressions
from compiler.check.context import Context
from compiler.check.flows import Flows, Laid, Result, Tracer
from compiler.check.seers import Facts, Owned, equal_to, key_of, of_the_kind
from compiler.trees import conjuncts, parts_of, substitute
from compiler.types import Type
from dsl.diagnostics import Severity
from dsl.source import Span
from runtime.model import FieldSpec, closed_slots

Locals = Mapping[str, ir.Expr]
#: How many expressions are looked at for one option or note before it is let pass.
_ENOUGH = 20_000


def check_leaks(ctx: Context) -> None:
    """Report options, prompts and notes that read what those do not see whom they are for."""
    program = ctx.program
    closed = closed_slots(program.fields.values(), program.piles.values())
    if closed:
        owned, flows = Owned(program), Flows(program)
        for procedure in program.procedures.values():
            _Walker(ctx, closed, owned, flows).block(procedure.body, ())
        for check in program.checks.values():
            _Walker(ctx, closed, owned, flows).block(check.body, tuple(conjuncts(check.when)))


def learn_openness(ctx: Context) -> None:
    """Enter which decisions are open: what they ask and offer follows from what all sides see."""
    program = ctx.program
    closed = closed_slots(program.fields.values(), program.piles.values())
    owned, flows, private = Owned(program), Flows(program), set[int]()
    for procedure in program.procedures.values():
        _Openness(ctx, closed, owned, flows, private, procedure.name).block(procedure.body, ())
    cards = {deck.enum for deck in program.decks.values()}
    for spec in program.decisions:
        types = (*spec.about, *(value for option in spec.options for value in option.values))
        if spec.secret or spec.veiled or any(type_.name in cards for type_ in types):
            private.add(spec.index)
    program.open_decisions = frozenset(range(len(program.decisions))) - private


class _Walker(Tracer):
    """Reports what steps tell."""

    def __init__(self, ctx: Context, closed: frozenset[str], owned: Owned, flows: Flows) -> None:
        super().__init__(flows)
        self.ctx = ctx
        self.closed = closed
        self.owned = owned

    def values(self, name: str) -> Iterable[tuple[ir.Expr, Facts]]:
        """What a local has been given, of this procedure or of one whose value it takes."""
        return self.bound[name] if name in self.bound else self.flows.bound.get(name, ())

    def option(self, stmt: ir.Choose | ir.Offer, exprs: Iterable[ir.Expr | None], facts: Facts) -> None:
        """What is offered to a side."""
        for e in exprs:
            if e is not None and (what := _Reader(self, stmt.by).hidden(e, {}, facts)) is not None:
                self.report(
                    e.span, f"what is offered here reveals {what}, which the side that is asked may not see"
                )

    def prompt(self, stmt: ir.Choose | ir.Offer, facts: Facts) -> None:
        """What a question is about."""
        for e in stmt.about:
            if (what := _Reader(self, stmt.by).hidden(e, {}, facts)) is not None:
                self.report(e.span, f"the question reveals {what}, which the side that is asked may not see")

    def note(self, stmt: ir.Note, facts: Facts) -> None:
        """What a note tells all, or those whom it is for."""
        for e in stmt.args:
            if (what := _Reader(self, stmt.to, noted=True).hidden(e, {}, facts)) is not None:
                who = "not every side sees" if stmt.to is None else "its readers may not see"
                self.report(e.span, f"the note reveals {what}, which {who}")

    def report(self, span: Span, message: str) -> None:
        """One finding."""
        remedy = (
            "ask for what it sees, make sure that it sees it ('s in u.seers and …'), or write show(…) "
            "where it is meant"
        )
        self.ctx.error("S611", message, span, remedy, severity=Severity.WARNING)


class _Openness(_Walker):
    """Notes the decisions whose questions and options tell what not every side sees."""

    def __init__(
        self,
        ctx: Context,
        closed: frozenset[str],
        owned: Owned,
        flows: Flows,
        private: set[int],
        procedure: str,
    ) -> None:
        super().__init__(ctx, closed, owned, flows)
        self.private = private
        self.procedure = procedure

    def values(self, name: str) -> Iterable[tuple[ir.Expr, Facts]]:
        """What a local has been given; a parameter, wherever its procedure is run."""
        own = name if "." in name else f"{self.procedure}.{name}"
        return (*super().values(name), *self.flows.passed(own))

    def option(self, stmt: ir.Choose | ir.Offer, exprs: Iterable[ir.Expr | None], facts: Facts) -> None:
        """What is offered to a side."""
        for e in exprs:
            reader = _Reader(self, None, noted=True)
            if e is not None and (reader.hidden(e, {}, facts) is not None or reader.left < 0):
                self.private.add(stmt.decision.index)

    def prompt(self, stmt: ir.Choose | ir.Offer, facts: Facts) -> None:
        """What a question is about."""
        self.option(stmt, stmt.about, facts)

    def note(self, stmt: ir.Note, facts: Facts) -> None:
        """Notes are no decisions."""


class _Reader:
    """Looks for something that a side (or, for notes to all, not every side) does not see."""

    def __init__(self, walker: _Walker, by: ir.Expr | None, noted: bool = False) -> None:
        self.walker = walker
        self.program = walker.program
        self.by = by
        self.noted = noted
        self.left = _ENOUGH
        self.under_way: set[str] = set()
        #: what the parameters of procedures stand for whose values are looked at
        self.given: dict[str, ir.Expr] = {}

    def hidden(self, e: ir.Expr, env: Locals, facts: Facts) -> str | None:
        """The name of something hidden that *e* reads, where *env* says what parameters stand for and *facts*
        hold.
        """
        self.left -= 1
        if self.left < 0 or e.span in self.walker.ctx.shown:
            return None
        return _LOOKS.get(type(e), _Reader.parts)(self, e, env, facts)

    def parts(self, e: ir.Expr, env: Locals, facts: Facts) -> str | None:
        """What the parts of an expression read."""
        return self.first(parts_of(e), env, facts)

    def _local(self, e: ir.Local, env: Locals, facts: Facts) -> str | None:
        return self.local(e.name, facts) if e.name not in env else None

    def _get(self, e: ir.Get | ir.Pick, env: Locals, facts: Facts) -> str | None:
        field = e.field if isinstance(e, ir.Get) else e.fields[0]
        if field.seen_by is not None and not self.sees(field, e.owner, env, facts):
            return f"field '{field.name if isinstance(e, ir.Get) else field.base}'"
        return self.parts(e, env, facts)

    def _at(self, e: ir.At, env: Locals, facts: Facts) -> str | None:
        place = self.program.place_of(e.kind)
        if place is not None and place.seen_by is not None:
            return f"field '{place.name}'"
        return self.parts(e, env, facts)

    def _service(self, e: ir.Service, env: Locals, facts: Facts) -> str | None:
        if e.args and isinstance(e.args[0], ir.Pile):
            if e.name == "size" or (e.name == "top" and e.args[0].pile.visibility == "top"):
                return self.parts(e.args[0], env, facts)
        return self.parts(e, env, facts)

    def _pile(self, e: ir.Pile, env: Locals, facts: Facts) -> str | None:
        if e.pile.visibility == "open":
            return self.parts(e, env, facts)
        own = (
            e.pile.visibility == "owner"
            and e.owner is not None
            and self.same(substitute(e.owner, dict(env)), facts)
        )
        return None if own else f"pile '{e.pile.name}'"

    def _logic(self, e: ir.Logic, env: Locals, facts: Facts) -> str | None:
        if e.op != "and":
            return self.parts(e, env, facts)
        both = conjuncts(e)
        return self.first(both, env, (*facts, *(substitute(c, dict(env)) for c in both)))

    def _if(self, e: ir.If, env: Locals, facts: Facts) -> str | None:
        known = (*facts, *(substitute(c, dict(env)) for c in conjuncts(e.test)))
        return (
            self.hidden(e.test, env, facts)
            or self.hidden(e.then, env, known)
            or self.hidden(e.orelse, env, facts)
        )

    def _asked(self, e: ir.Apply | ir.Reach | ir.Steps | ir.Way, env: Locals, facts: Facts) -> str | None:
        return self.parts(e, env, facts) or self.called(e, env, facts)

    def first(self, exprs: Iterable[ir.Expr], env: Locals, facts: Facts) -> str | None:
        return next((found for e in exprs if (found := self.hidden(e, env, facts)) is not None), None)

    def quant(self, e: ir.Quant, env: Locals, facts: Facts) -> str | None:
        """Of each member its conditions hold."""
        var = ir.Local(f"{e.var} {self.left}", type=e.source.type.of or e.source.type)
        inner = {**env, e.var: var}
        source = substitute(e.source, dict(env))
        where = [substitute(c, dict(inner)) for c in conjuncts(e.where)]
        known = (*facts, *where, *self.walker.members(source, var.name))
        parts = [part for part in (e.where, e.value) if part is not None]
        return self.hidden(e.source, env, facts) or self.first(parts, inner, known)

    def called(self, e: ir.Apply | ir.Reach | ir.Steps | ir.Way, env: Locals, facts: Facts) -> str | None:
        """What a call or a travel reads in its turn."""
        call = self.program.calls[e.name] if isinstance(e, ir.Apply) else self.program.travels[e.travel]
        if self.walker.closed.isdisjoint(call.reads) or call.name in self.under_way:
            return None
        self.under_way.add(call.name)
        names = [p.name for p in call.params]
        inner: Locals = {name: substitute(arg, dict(env)) for name, arg in zip(names, e.args, strict=True)}
        found = None
        if isinstance(e, ir.Apply):
            for exprs in _together(self.program.calls[e.name]):
                known = (*facts, *(substitute(c, dict(inner)) for one in exprs for c in conjuncts(one)))
                found = found or self.first(exprs, inner, known)
        else:
            travel = self.program.travels[e.travel]
            own = {
                travel.here,
                travel.there,
                *(c.before for c in travel.carried),
                *(c.after for c in travel.carried),
            }
            inner = {**inner, **{name: ir.Local(f"{name} ", type=Type("hex", "Hex")) for name in own}}
            found = self.first(travel_expressions(travel), inner, facts)
        self.under_way.discard(call.name)
        return found

    def local(self, name: str, facts: Facts) -> str | None:
        """What a local got from something hidden."""
        if any(isinstance(fact, Laid) and fact.card.name == name for fact in facts):
            return None
        if name in self.walker.drawn or name in self.walker.flows.drawn:
            # Whoever decides while a card is drawn knows it.
            return "a card that was drawn" if self.noted and self.by is None else None
        if f"local {name}" in self.under_way or (isinstance(self.by, ir.Local) and self.by.name == name):
            return None  # who is asked, all see
        self.under_way.add(f"local {name}")
        found = self.among([self.called_with(*value) for value in self.walker.values(name)], facts)
        self.under_way.discard(f"local {name}")
        return found

    def result(self, e: Result, env: Locals, facts: Facts) -> str | None:
        """What the value of a procedure comes from."""
        if f"procedure {e.procedure}" in self.under_way:
            return None
        self.under_way.add(f"procedure {e.procedure}")
        found = None
        for flow in self.walker.flows.of(e.procedure):
            before, args = self.given, [substitute(arg, dict(env)) for arg in e.args]
            self.given = {**before, **dict(zip(flow.params, args, strict=False))}
            found = found or self.among([self.called_with(*value) for value in flow.returned], facts)
            self.given = before
        self.under_way.discard(f"procedure {e.procedure}")
        return found

    def called_with(self, e: ir.Expr, facts: Facts) -> tuple[ir.Expr, Facts]:
        """What a procedure computes, with the arguments that it was given."""
        if not self.given:
            return e, facts
        return substitute(e, self.given), tuple(substitute(fact, self.given) for fact in facts)

    def among(self, values: Iterable[tuple[ir.Expr, Facts]], facts: Facts) -> str | None:
        """What one of some values reads, each of which had its own facts."""
        return next(
            (f for e, known in values if (f := self.hidden(e, {}, (*known, *facts))) is not None), None
        )

    # ------------------------------------------------------------------ who sees

    def sees(self, field: FieldSpec, whose: ir.Expr | None, env: Locals, facts: Facts) -> bool:
        """Whether those concerned see a hidden field."""
        seer = self.program.fields.get((field.owner, field.seen_by or ""))
        if seer is None or self.by is None:
            return False
        owner = None if whose is None else substitute(whose, dict(env))
        by = of_the_kind(self.by, owner)
        facts = (
            (*facts, *(of_the_kind(fact, owner) for fact in facts)) if isinstance(owner, ir.Narrow) else facts
        )
        if key_of(by) == ("Get", seer.slot, key_of(owner)):
            return True
        if by.type.kind == "set":
            return isinstance(by, ir.SetLit) and all(
                self.one_sees(one, seer, owner, facts) for one in by.items
            )
        return self.one_sees(by, seer, owner, facts)

    def one_sees(self, side: ir.Expr, seer: FieldSpec, owner: ir.Expr | None, facts: Facts) -> bool:
        """Whether *side* is among those who see what is *owner*'s."""
        equal = equal_to(side, facts)
        those = ("Get", seer.slot, key_of(owner))
        if seer.type.kind == "set":
            if any(
                isinstance(fact, ir.In) and key_of(fact.source) == those and key_of(fact.item) in equal
                for fact in facts
            ):
                return True
        elif those in equal:
            return True
        if seer.slot not in self.walker.owned.always:
            return False
        own = self.walker.owned.always[seer.slot]
        return (
            owner is not None
            and (key_of(owner) if own is None else ("Get", own.slot, key_of(owner))) in equal
        )

    def same(self, side: ir.Expr, facts: Facts) -> bool:
        """Whether a side is that which is asked or told."""
        if self.by is None or self.by.type.kind == "set":
            return False
        return key_of(side) in equal_to(self.by, facts)


#: How each kind of expression is looked through that is more than its parts.
_LOOKS: dict[type[ir.Expr], Callable[[_Reader, Any, Locals, Facts], str | None]] = {
    ir.Local: _Reader._local,
    ir.Get: _Reader._get,
    ir.Pick: _Reader._get,
    ir.At: _Reader._at,
    ir.Service: _Reader._service,
    ir.Pile: _Reader._pile,
    ir.Logic: _Reader._logic,
    ir.If: _Reader._if,
    ir.Common: _Reader._if,
    ir.Quant: _Reader.quant,
    ir.Apply: _Reader._asked,
    ir.Reach: _Reader._asked,
    ir.Steps: _Reader._asked,
    ir.Way: _Reader._asked,
    Result: _Reader.result,
}


def _together(call: ir.Callable) -> Iterator[list[ir.Expr]]:
    """The expressions of a call, those together of which one is asked only where another holds."""
    if call.body is not None:
        yield [call.body]
    seen: set[int] = set()
    waiting = list(call.roots)
    while waiting:
        rule = waiting.pop()
        if id(rule) in seen:
            continue
        seen.add(id(rule))
        waiting += rule.exceptions
        yield [e for e in (rule.when, rule.value) if e is not None]
        for _, when in rule.suspended:
            yield [when]
    for modifiers in call.modifiers.values():
        for m in modifiers:
            yield [e for e in (m.when, m.value) if e is not None]
