"""What of an expression a side, or not every side, sees.

A side sees a hidden field of a piece where a condition beside it makes sure: ``s in u.seers``,
``u.side is s``.  What is shown on purpose stands in ``show(…)``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from functools import cached_property
from typing import Any

from compiler import ir
from compiler.check.analysis import (
    direct_reads,
    expression_groups,
    travel_expressions,
    with_indirect_reads,
)
from compiler.check.secrecy.flows import DRAWN, CardLaid, Flows, Result, Unseen
from compiler.check.secrecy.seers import Facts, equal_to, key_of, permanent_seers, with_kind_fields
from compiler.check.tree_cache import TreeCache
from compiler.trees import bodies_of, bound_locals, child_expressions, conjuncts, substitute
from compiler.types import HEX
from dsl.source import Span
from runtime.model import FieldSpec, closed_slots
from runtime.words.said import said

#: What parameters stand for.
Locals = dict[str, ir.Expr]
#: How many expressions are looked at for one option or note before it is let pass.
_ENOUGH = 20_000


class Sight:
    """What follows from the declarations of a ruleset about who sees what."""

    def __init__(
        self, program: ir.Program, shown: Collection[Span] = (), trees: TreeCache | None = None
    ) -> None:
        self.program = program
        #: the places of what is shown on purpose
        self.shown = shown
        self.closed = closed_slots(program.fields.values(), program.piles.values())
        self.flows = Flows(program, trees or TreeCache())
        self._asked: dict[str, list[list[ir.Expr]]] = {}
        self._open: dict[int, tuple[ir.Expr, tuple[ir.Local, ...] | None]] = {}

    @cached_property
    def permanent_seers(self) -> dict[str, FieldSpec | None]:
        """Who is always among those who see, by slot of who sees."""
        return permanent_seers(self.program, self.flows.trees)

    def expression_groups(self, call: ir.Callable) -> list[list[ir.Expr]]:
        """The expressions of a call, those together of which one hangs on another."""
        if call.name not in self._asked:
            self._asked[call.name] = list(expression_groups(call))
        return self._asked[call.name]

    def open_locals(self, e: ir.Expr) -> tuple[ir.Local, ...] | None:
        """The locals by which alone *e* could tell something hidden, but for those that it gives
        itself; None where it reads what not every side sees.
        """
        known = self._open.get(id(e))
        if known is None:
            known = self._open[id(e)] = e, self._find_open_locals(e)
        return known[1]

    def _find_open_locals(self, e: ir.Expr) -> tuple[ir.Local, ...] | None:
        if isinstance(e, ir.Local):
            return (e,)
        slots, used = direct_reads(self.program.place_of, [e], deep=False)
        if isinstance(e, Unseen | Result) or not self.closed.isdisjoint(
            with_indirect_reads(self.program, slots, used)
        ):
            return None
        found: dict[str, ir.Local] = {}
        for part in child_expressions(e):
            below = self.open_locals(part)
            if below is None:
                return None
            found |= {local.name: local for local in below}
        if isinstance(e, ir.Quant | ir.Allot | ir.Line):
            for name in bound_locals(e):
                found.pop(name, None)
        return tuple(found.values())


class Reader:
    """Looks for something that those do not see who are asked or told (*by*); where that is None,
    that not every side sees.

    *values* gives what a local has been given.  A card in a local that is *drawn* is known to
    whoever decides.
    """

    def __init__(
        self,
        sight: Sight,
        values: Callable[[str], Iterable[tuple[ir.Expr, Facts]]],
        by: ir.Expr | None = None,
        drawn: Set[str] = frozenset(),
    ) -> None:
        self.sight = sight
        self.program = sight.program
        self.values = values
        self.by = by
        self.drawn = drawn
        self.left = _ENOUGH
        self.under_way: set[str] = set()
        #: what the parameters of procedures stand for whose values are looked at
        self.given: Locals = {}

    def hidden(self, e: ir.Expr, env: Locals, facts: Facts) -> str | None:
        """The name of something hidden that *e* reads, with what parameters stand for in *env*."""
        self.left -= 1
        if self.left < 0 or e.span in self.sight.shown:
            return None
        if not isinstance(e, ir.Local) and self._is_open([e], env, facts):
            return None
        return _LOOKS.get(type(e), Reader._hidden_in_parts)(self, e, env, facts)

    def _is_open(self, exprs: Iterable[ir.Expr], env: Locals, facts: Facts) -> bool:
        """Whether nothing hidden is read, whatever more is known within *exprs*: that can only make
        more of it seen.
        """
        told_by = [self.sight.open_locals(e) for e in exprs]
        return all(
            some is not None and all(self._local(one, env, facts) is None for one in some)
            for some in told_by
        )

    def _first_hidden(self, exprs: Iterable[ir.Expr], env: Locals, facts: Facts) -> str | None:
        read = (self.hidden(e, env, facts) for e in exprs)
        return next((hidden for hidden in read if hidden is not None), None)

    def _hidden_among(self, values: Iterable[tuple[ir.Expr, Facts]], facts: Facts) -> str | None:
        """What one of some values reads, each with its own facts, and with what it was given."""
        for e, known in values:
            if self.given:
                e = substitute(e, self.given)
                known = tuple(substitute(fact, self.given) for fact in known)
            if (hidden := self.hidden(e, {}, (*known, *facts))) is not None:
                return hidden
        return None

    # ------------------------------------------------------------------ each kind of expression

    def _hidden_in_parts(self, e: ir.Expr, env: Locals, facts: Facts) -> str | None:
        return self._first_hidden(child_expressions(e), env, facts)

    def _unseen(self, e: Unseen, env: Locals, facts: Facts) -> str | None:
        return e.what

    def _get(self, e: ir.Get | ir.Pick, env: Locals, facts: Facts) -> str | None:
        field = e.field if isinstance(e, ir.Get) else e.fields[0]
        if field.seen_by is not None and not self._sees(field, e.owner, env, facts):
            return said("field '{name}'", name=field.name if isinstance(e, ir.Get) else field.base)
        return self._hidden_in_parts(e, env, facts)

    def _at(self, e: ir.At, env: Locals, facts: Facts) -> str | None:
        place = self.program.place_of(e.kind)
        if place is not None and place.seen_by is not None:
            return said("field '{name}'", name=place.name)
        return self._hidden_in_parts(e, env, facts)

    def _service(self, e: ir.Service, env: Locals, facts: Facts) -> str | None:
        pile = e.args[0] if e.args else None
        if isinstance(pile, ir.Pile):
            # How many cards there are all see, and so they do the top one where it lies face up.
            if e.name == "size" or (e.name == "top" and pile.pile.visibility == "top"):
                return self._hidden_in_parts(pile, env, facts)
        return self._hidden_in_parts(e, env, facts)

    def _pile(self, e: ir.Pile, env: Locals, facts: Facts) -> str | None:
        if e.pile.visibility == "open":
            return self._hidden_in_parts(e, env, facts)
        if e.pile.visibility == "owner" and e.owner is not None:
            if self.by is not None and self.by.type.kind != "set":
                if key_of(substitute(e.owner, env)) in equal_to(self.by, facts):
                    return None
        return said("pile '{name}'", name=e.pile.name)

    def _logic(self, e: ir.Logic, env: Locals, facts: Facts) -> str | None:
        if e.op != "and":
            return self._hidden_in_parts(e, env, facts)
        return self._first_hidden(conjuncts(e), env, _with_fact(facts, e, env))

    def _if(self, e: ir.If, env: Locals, facts: Facts) -> str | None:
        return (
            self.hidden(e.test, env, facts)
            or self.hidden(e.then, env, _with_fact(facts, e.test, env))
            or self.hidden(e.orelse, env, facts)
        )

    def _quant(self, e: ir.Quant, env: Locals, facts: Facts) -> str | None:
        """Of each member its conditions hold."""
        var = ir.Local(f"{e.var} {self.left}", type=e.source.type.of or e.source.type)
        inner = {**env, e.var: var}
        source = self.sight.flows.members(substitute(e.source, env), var.name)
        known = (*_with_fact(facts, e.where, inner), *source)
        parts = [part for part in (e.where, e.value) if part is not None]
        return self.hidden(e.source, env, facts) or self._first_hidden(parts, inner, known)

    def _asked(
        self, e: ir.Apply | ir.Reach | ir.Steps | ir.Way, env: Locals, facts: Facts
    ) -> str | None:
        """What a call or a travel reads, and what it is given."""
        hidden = self._hidden_in_parts(e, env, facts)
        calls, travels = self.program.calls, self.program.travels
        part = calls[e.name] if isinstance(e, ir.Apply) else travels[e.travel]
        if hidden is not None or part.name in self.under_way:
            return hidden
        if self.sight.closed.isdisjoint(part.reads):
            return None
        self.sight.flows.looked.add(
            f"{'call' if isinstance(e, ir.Apply) else 'travel'} {part.name}"
        )
        self.under_way.add(part.name)
        names = [p.name for p in part.params]
        inner = {n: substitute(arg, env) for n, arg in zip(names, e.args, strict=True)}
        if isinstance(part, ir.Callable) and part.steps:
            for name, type_ in part.locals:
                inner.setdefault(name, ir.Local(f"{name} ", type=type_))
            hidden = self._worked_out(part.steps, inner, facts)
        elif isinstance(part, ir.Callable):
            for exprs in self.sight.expression_groups(part):
                if self._is_open(exprs, inner, facts):
                    continue
                known = facts
                for one in exprs:
                    known = _with_fact(known, one, inner)
                hidden = hidden or self._first_hidden(exprs, inner, known)
        else:
            own = [part.here, part.there, *(n for c in part.carried for n in (c.before, c.after))]
            inner |= {name: ir.Local(f"{name} ", type=HEX) for name in own}
            hidden = self._first_hidden(travel_expressions(part), inner, facts)
        self.under_way.discard(part.name)
        return hidden

    def _worked_out(self, stmts: Iterable[ir.Stmt], env: Locals, facts: Facts) -> str | None:
        """What the steps of a function read."""
        hidden = None
        for stmt in stmts:
            match stmt:
                case ir.IfStmt():
                    known = _with_fact(facts, stmt.test, env)
                    hidden = (
                        self.hidden(stmt.test, env, facts)
                        or self._worked_out(stmt.then, env, known)
                        or self._worked_out(stmt.orelse, env, facts)
                    )
                case ir.Each():
                    type_ = stmt.source.type.of or stmt.source.type
                    var = ir.Local(f"{stmt.var} {self.left}", type=type_)
                    inner = {**env, stmt.var: var}
                    source = self.sight.flows.members(substitute(stmt.source, env), var.name)
                    known = (*_with_fact(facts, stmt.where, inner), *source)
                    asked = () if stmt.where is None else (stmt.where,)
                    hidden = (
                        self.hidden(stmt.source, env, facts)
                        or self._first_hidden(asked, inner, known)
                        or self._worked_out(stmt.body, inner, known)
                    )
                case _:
                    hidden = self._first_hidden(child_expressions(stmt), env, facts)
                    for body in bodies_of(stmt):
                        hidden = hidden or self._worked_out(body, env, facts)
            if hidden is not None:
                return hidden
        return hidden

    def _local(self, e: ir.Local, env: Locals, facts: Facts) -> str | None:
        """What a local got from something hidden."""
        name = e.name
        if name in env or any(isinstance(f, CardLaid) and f.card.name == name for f in facts):
            return None
        if name in self.drawn or name in self.sight.flows.drawn:
            return DRAWN if self.by is None else None
        if f"local {name}" in self.under_way or (
            isinstance(self.by, ir.Local) and self.by.name == name
        ):
            return None  # who is asked, all see
        self.under_way.add(f"local {name}")
        hidden = self._hidden_among(self.values(name), facts)
        self.under_way.discard(f"local {name}")
        return hidden

    def _result(self, e: Result, env: Locals, facts: Facts) -> str | None:
        """What the value of a procedure comes from."""
        if f"procedure {e.procedure}" in self.under_way:
            return None
        self.under_way.add(f"procedure {e.procedure}")
        hidden, before = None, self.given
        args = [substitute(arg, env) for arg in e.args]
        for flow in self.sight.flows.flows_of(e.procedure):
            self.given = {**before, **dict(zip(flow.params, args, strict=False))}
            hidden = hidden or self._hidden_among(flow.returned, facts)
        self.given = before
        self.under_way.discard(f"procedure {e.procedure}")
        return hidden

    # ------------------------------------------------------------------ who sees

    def _sees(self, field: FieldSpec, whose: ir.Expr | None, env: Locals, facts: Facts) -> bool:
        """Whether those concerned see a hidden field."""
        seer = self.program.fields.get((field.owner, field.seen_by or ""))
        if seer is None or self.by is None:
            return False
        owner = None if whose is None else substitute(whose, env)
        by = with_kind_fields(self.by, owner)
        if isinstance(owner, ir.Narrow):
            facts = (*facts, *(with_kind_fields(fact, owner) for fact in facts))
        if key_of(by) == ("Get", seer.slot, key_of(owner)):
            return True
        if by.type.kind != "set":
            return self._one_sees(by, seer, owner, facts)
        return isinstance(by, ir.SetLit) and all(
            self._one_sees(one, seer, owner, facts) for one in by.items
        )

    def _one_sees(
        self, side: ir.Expr, seer: FieldSpec, owner: ir.Expr | None, facts: Facts
    ) -> bool:
        """Whether *side* is among those who see what is *owner*'s."""
        equal = equal_to(side, facts)
        those = ("Get", seer.slot, key_of(owner))
        if seer.type.kind != "set":
            if those in equal:
                return True
        elif any(
            isinstance(f, ir.In) and key_of(f.source) == those and key_of(f.item) in equal
            for f in facts
        ):
            return True
        if owner is None or seer.slot not in self.sight.permanent_seers:
            return False
        own = self.sight.permanent_seers[seer.slot]
        return (key_of(owner) if own is None else ("Get", own.slot, key_of(owner))) in equal


#: How each kind of expression is looked through that is more than its parts.
_LOOKS: dict[type[ir.Expr], Callable[[Reader, Any, Locals, Facts], str | None]] = {
    Unseen: Reader._unseen,
    Result: Reader._result,
    ir.Local: Reader._local,
    ir.Get: Reader._get,
    ir.Pick: Reader._get,
    ir.At: Reader._at,
    ir.Service: Reader._service,
    ir.Pile: Reader._pile,
    ir.Logic: Reader._logic,
    ir.If: Reader._if,
    ir.Common: Reader._if,
    ir.Quant: Reader._quant,
    ir.Apply: Reader._asked,
    ir.Reach: Reader._asked,
    ir.Steps: Reader._asked,
    ir.Way: Reader._asked,
}


def _with_fact(facts: Facts, condition: ir.Expr | None, env: Locals) -> Facts:
    """*facts*, and that a condition holds."""
    return (*facts, *(substitute(c, env) for c in conjuncts(condition)))
