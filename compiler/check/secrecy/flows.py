"""Where the values of locals come from, with what is known to hold at each step.

Conditions make facts: what an ``if``, a ``where`` or a ``when`` asks holds behind it, until a step
changes what it speaks of.  A local that takes the value of a procedure comes from what that
procedure returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from compiler import ir
from compiler.check.analysis import reads_of
from compiler.check.secrecy.seers import Facts
from compiler.check.tree_cache import TreeCache
from compiler.trees import (
    bodies_of,
    child_expressions,
    conjuncts,
    locals_of,
    rebuilt,
    statements_of,
    substitute,
    written_slots,
)
from compiler.types import BOOL, VOID, from_spec


class Result(ir.Expr):
    """The value of a procedure, run with these arguments."""

    procedure: str
    args: tuple[ir.Expr, ...]


class Unseen(ir.Expr):
    """A value that not every side sees; *what* names it."""

    what: str


class CardLaid(ir.Expr):
    """That a card was laid where all see it; no expression of a ruleset, but a fact."""

    card: ir.Local


#: What a local has been given, each time with what held then.
Bound = dict[str, list[tuple[ir.Expr, Facts]]]
#: What a finding calls a card from a closed pile.
DRAWN = "a card that was drawn"


def locals_set_by(stmt: ir.Stmt) -> tuple[str, ...]:
    """The locals to which a step itself gives a value."""
    match stmt:
        case ir.Let() | ir.Roll() | ir.Draw() | ir.DrawFrom():
            return (stmt.name,)
        case ir.Each() | ir.Choose():
            return (stmt.var,)
        case ir.Do() if stmt.target is not None:
            return (stmt.target,)
        case ir.Repeat():
            return (stmt.counter,)
        case ir.Offer():
            return tuple(name for branch in stmt.branches for name in branch.variables)
    return ()


def origins(stmts: Iterable[ir.Stmt]) -> Bound:
    """What the locals of steps hang on, wherever they are given a value."""
    bound: Bound = {}
    for stmt in statements_of(stmts):
        values = child_expressions(stmt)
        if isinstance(stmt, ir.Choose) and stmt.decision.secret:
            values = [Unseen("what was chosen secretly", type=stmt.source.type)]
        elif isinstance(stmt, ir.Draw):
            hidden = stmt.pile.pile.visibility != "open"
            values = [Unseen(DRAWN, type=stmt.pile.type)] if hidden else []
        elif isinstance(stmt, ir.Do):
            values.append(Result(stmt.procedure, stmt.args, type=VOID))
        elif isinstance(stmt, ir.Offer):
            for branch in stmt.branches:
                for part in (branch, branch.second):
                    if part is not None and part.var is not None and part.source is not None:
                        bound.setdefault(part.var, []).append((part.source, ()))
            continue
        for name in locals_set_by(stmt):
            bound.setdefault(name, []).extend((value, ()) for value in values)
    return bound


#: The steps that tell something.
Telling = ir.Choose | ir.Offer | ir.Note


class Tracer:
    """Goes through the steps of a procedure."""

    def __init__(self, flows: Flows) -> None:
        self.flows = flows
        self.program = flows.program
        self.bound: Bound = {}
        #: locals that hold cards drawn from closed piles
        self.drawn: set[str] = set()
        #: what the procedure returns, and what that hangs on
        self.returned: list[tuple[ir.Expr, Facts]] = []

    def tells(self, stmt: Telling, exprs: Iterable[ir.Expr], facts: Facts, what: str) -> None:
        """Look at what a step tells, and what that is in words."""

    def block(self, stmts: Iterable[ir.Stmt], facts: Facts) -> None:
        """Look through a block."""
        for stmt in stmts:
            more = self.step(stmt, facts)
            facts = (*self.flows.unaffected(facts, [stmt]), *more)

    def step(self, stmt: ir.Stmt, facts: Facts) -> Facts:
        """Look at a step; what is known to hold behind it besides what held before."""
        match stmt:
            case ir.IfStmt():
                self._decides(stmt, [stmt.test], facts)
                self.block(stmt.then, (*facts, *conjuncts(stmt.test)))
                self.block(stmt.orelse, facts)
            case ir.Each():
                known = (*self.flows.unaffected(facts, [stmt]), *self._member_facts(stmt, stmt.var))
                self._decides(stmt, [stmt.source, stmt.where], known)
                self._bind(stmt.var, stmt.source, facts)
                self.block(stmt.body, known)
            case ir.Choose():
                chosen = self._member_facts(stmt, stmt.var)
                self._offers(stmt, [stmt.source], facts)
                self._offers(stmt, [stmt.where, stmt.pass_when], (*facts, *chosen))
                self.tells(stmt, stmt.about, facts, "the question")
                self.block(stmt.orelse, facts)
                return self.flows.unaffected(chosen, stmt.orelse)
            case ir.Offer():
                self._menu(stmt, facts)
            case ir.Note():
                self.tells(stmt, stmt.args, facts, "the note")
            case _:
                if isinstance(stmt, ir.Repeat):
                    facts = self.flows.unaffected(facts, [stmt])
                for body in bodies_of(stmt):
                    self.block(body, facts)
                return self._gives(stmt, facts)
        return ()

    def _gives(self, stmt: ir.Stmt, facts: Facts) -> Facts:
        """Look at a step without others in it; what is known to hold of what it gives."""
        match stmt:
            case ir.Let():
                self._bind(stmt.name, stmt.value, facts)
            case ir.Do():
                procedure = self.program.procedures.get(stmt.procedure)
                if stmt.target is not None and procedure is not None:
                    value = Result(stmt.procedure, stmt.args, type=procedure.type)
                    self._bind(stmt.target, value, facts)
            case ir.Return() if stmt.value is not None:
                self.returned.append((stmt.value, facts))
            case ir.Draw() if stmt.pile.pile.visibility != "open":
                self.drawn.add(stmt.name)
            case ir.DrawFrom():
                self._bind(stmt.name, stmt.source, facts)
                return self._member_facts(stmt, stmt.name)
            case ir.Put() if isinstance(stmt.card, ir.Local):
                if stmt.pile.pile.visibility in ("open", "top"):
                    self.drawn.discard(stmt.card.name)
                    return (CardLaid(stmt.card, type=stmt.card.type),)
            case ir.SetField(value=ir.SetLit(items=items)) if stmt.op in ("=", "|"):
                return self._members(stmt, items)
        return ()

    def _members(self, stmt: ir.SetField, items: Iterable[ir.Expr]) -> Facts:
        """What a step makes members of a set is in it, where it is the same behind the step."""
        field, owner = stmt.field, stmt.owner
        own = [] if owner is None else [owner]
        into = ir.Get(field, owner, type=from_spec(field.type), span=stmt.span)
        return tuple(
            ir.In(item, into, type=BOOL, span=stmt.span)
            for item in items
            if not stmt.among and field.slot not in reads_of(self.program, [item, *own])
        )

    def _offers(
        self, stmt: ir.Choose | ir.Offer, exprs: Iterable[ir.Expr | None], facts: Facts
    ) -> None:
        self.tells(stmt, [e for e in exprs if e is not None], facts, "what is offered here")

    def _bind(self, name: str, value: ir.Expr, facts: Facts) -> None:
        self.bound.setdefault(name, []).append((value, facts))

    def _decides(self, stmt: ir.Stmt, asked: Iterable[ir.Expr | None], facts: Facts) -> None:
        """What is returned hangs on what is asked before it."""
        if any(isinstance(s, ir.Return) and s.value is not None for s in statements_of([stmt])):
            self.returned += ((e, facts) for e in asked if e is not None)

    def _menu(self, stmt: ir.Offer, facts: Facts) -> None:
        """Look at a menu, which may be asked again."""
        if not stmt.once:
            facts = self.flows.unaffected(facts, [stmt])
        self.tells(stmt, stmt.about, facts, "the question")
        self._offers(stmt, [stmt.pass_when], facts)
        for branch in stmt.branches:
            known = (*facts, *conjuncts(branch.when))
            self._offers(stmt, [branch.when], known)
            for part in (branch, branch.second):
                if part is not None and part.var is not None and part.source is not None:
                    self._offers(stmt, [part.source], known)
                    known = (*known, *self._member_facts(part, part.var))
                    self._offers(stmt, [part.where], known)
            self.block(branch.body, known)
        self.block(stmt.on_pass, facts)

    def _member_facts(
        self, part: ir.Each | ir.Choose | ir.DrawFrom | ir.Branch | ir.Ranging, name: str
    ) -> Facts:
        """What holds of the member that a step takes."""
        source = self.flows.members(part.source, name) if part.source is not None else ()
        return (*conjuncts(part.where), *source)


@dataclass(frozen=True, slots=True)
class Flow:
    """What a procedure returns, with locals named so that they are nobody else's."""

    params: tuple[str, ...]
    returned: tuple[tuple[ir.Expr, Facts], ...]


@dataclass
class Flows:
    """What procedures return and change; *bound*, *drawn*: the locals of those looked at."""

    program: ir.Program
    trees: TreeCache = field(default_factory=TreeCache)
    #: the calls, travels and procedures that have been looked into
    looked: set[str] = field(default_factory=set)
    bound: Bound = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    #: by procedure, with what was looked into for that
    _known: dict[str, tuple[Flow, set[str]]] = field(default_factory=dict)
    #: by procedure and check: slots that change, sets that at most grow, and what is run
    _changed: dict[str, tuple[set[str], set[str], set[str]]] = field(default_factory=dict)
    _all_changed: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    #: by the identities of steps, and of facts, which are kept with what is known of them
    _changes: dict[tuple[int, ...], tuple[object, tuple[set[str], set[str], set[str]]]] = field(
        default_factory=dict
    )
    _reads: dict[int, tuple[object, tuple[set[str], set[str]]]] = field(default_factory=dict)

    # ------------------------------------------------------------------ what procedures return

    def flows_of(self, name: str) -> Iterator[Flow]:
        """What a procedure returns, or each of those that may be run in its place."""
        for one in self._cases(name):
            if one not in self._known:
                before, self.looked = self.looked, {f"procedure {one}"}
                flow = self._trace(self.program.procedures[one])
                self._known[one] = flow, self.looked
                self.looked = before
            self.looked |= self._known[one][1]
            yield self._known[one][0]

    def _cases(self, name: str) -> tuple[str, ...]:
        """A procedure, and those that are run in its place."""
        procedure = self.program.procedures.get(name)  # none: reported elsewhere
        return () if procedure is None else (name, *procedure.cases.values())

    def _trace(self, procedure: ir.Procedure) -> Flow:
        tracer, own = Tracer(self), f"{procedure.name}."
        tracer.block(procedure.body, ())

        def renamed(pairs: Iterable[tuple[ir.Expr, Facts]]) -> list[tuple[ir.Expr, Facts]]:
            return [
                (_with_prefix(e, own), tuple(_with_prefix(f, own) for f in facts))
                for e, facts in pairs
            ]

        self.bound |= {own + name: renamed(values) for name, values in tracer.bound.items()}
        self.drawn |= {own + name for name in tracer.drawn}
        return Flow(tuple(own + p.name for p in procedure.params), tuple(renamed(tracer.returned)))

    def members(self, source: ir.Expr, var: str, deep: int = 0) -> Facts:
        """What holds of a member of a set: what the set was made by."""
        if isinstance(source, ir.Quant) and source.kind == "all":
            this = ir.Local(var, type=source.type.of or source.type)
            return (
                *(substitute(c, {source.var: this}) for c in conjuncts(source.where)),
                *self.members(source.source, var, deep),
            )
        if isinstance(source, ir.Op) and source.op in ("-", "&~"):
            return self.members(source.left, var, deep)
        if isinstance(source, ir.Apply) and deep < 8:
            call = self.program.calls[source.name]
            self.looked.add(f"call {call.name}")
            if call.body is not None:
                names = dict(zip((p.name for p in call.params), source.args, strict=True))
                return self.members(substitute(call.body, names), var, deep + 1)
        return ()

    @cached_property
    def passed_arguments(self) -> Bound:
        """What each parameter is given, wherever its procedure is run."""
        bound: Bound = {}
        for procedure in self.program.procedures.values():
            for stmt in statements_of(procedure.body):
                if isinstance(stmt, ir.Do):
                    args = [_with_prefix(arg, f"{procedure.name}.") for arg in stmt.args]
                    for flow in self.flows_of(stmt.procedure):
                        for param, arg in zip(flow.params, args, strict=False):
                            bound.setdefault(param, []).append((arg, ()))
            tuple(self.flows_of(procedure.name))  # of whose locals the arguments may be
        return bound

    # ------------------------------------------------------------------ what steps change

    def unaffected(self, facts: Facts, stmts: Iterable[ir.Stmt]) -> Facts:
        """Those of *facts* that speak of nothing which *stmts*, and what they run, change."""
        if not facts:
            return ()
        given, slots, grown = self._change(tuple(stmts))
        if not (given or slots or grown):
            return facts
        touched = slots | grown

        def holds(fact: ir.Expr) -> bool:
            if isinstance(fact, ir.In) and isinstance(fact.source, ir.Get):
                # A set that grows keeps its members.
                parts = [e for e in (fact.item, fact.source.owner) if e is not None]
                unchanged = fact.source.field.slot not in slots
                return unchanged and all(
                    touched.isdisjoint(self._slots_and_locals(e)[0]) for e in parts
                )
            return touched.isdisjoint(self._slots_and_locals(fact)[0])

        return tuple(
            f for f in facts if given.isdisjoint(self._slots_and_locals(f)[1]) and holds(f)
        )

    def _slots_and_locals(self, e: ir.Expr) -> tuple[set[str], set[str]]:
        """The slots that an expression reads, and the locals."""
        known = self._reads.get(id(e))
        if known is None:
            known = self._reads[id(e)] = e, (reads_of(self.program, [e]), locals_of(e))
        return known[1]

    def _change(self, steps: tuple[ir.Stmt, ...]) -> tuple[set[str], set[str], set[str]]:
        """The locals to which steps give values, the slots that they and what they run change, and
        the sets that at most grow.
        """
        key = tuple(map(id, steps))
        known = self._changes.get(key)
        if known is None:
            given = {name for stmt in statements_of(steps) for name in locals_set_by(stmt)}
            known = self._changes[key] = steps, (given, *self._changed_slots(steps))
        return known[1]

    def _changed_slots(self, steps: tuple[ir.Stmt, ...]) -> tuple[set[str], set[str]]:
        slots, grown, run = self._and_cases(_directly(steps))
        for name in run:
            more, wider = self._changes_when_run(name)
            slots |= more
            grown |= wider
        return slots, grown

    def _changes_when_run(self, first: str) -> tuple[set[str], set[str]]:
        """What a procedure or check changes, with all that it runs."""
        if first not in self._all_changed:
            slots, grown = set[str](), set[str]()
            for name in self.reachable_from([first]):
                more, wider, _ = self._own_changes(name)
                slots |= more
                grown |= wider
            self._all_changed[first] = slots, grown
        return self._all_changed[first]

    def reachable_from(self, names: Iterable[str]) -> set[str]:
        """Procedures and checks, with all that they run."""
        ahead = list(names)
        seen = set(ahead)
        while ahead:
            further = self._own_changes(ahead.pop())[2] - seen
            ahead += further
            seen |= further
        return seen

    @property
    def changes(self) -> dict[str, tuple[set[str], set[str], set[str]]]:
        """What each procedure and check changes itself, and what it runs."""
        names = [f"procedure {name}" for name in self.program.procedures]
        return {
            n: self._own_changes(n) for n in (*names, *(f"check {c}" for c in self.program.checks))
        }

    def _own_changes(self, name: str) -> tuple[set[str], set[str], set[str]]:
        """What a procedure or check changes itself, and what it runs."""
        if name not in self._changed:
            kind, _, plain = name.partition(" ")
            parts = self.program.checks if kind == "check" else self.program.procedures
            self._changed[name] = self._and_cases(
                self.trees.result_anywhere(_directly, parts[plain].body)
            )
        return self._changed[name]

    def _and_cases(
        self, changed: tuple[set[str], set[str], set[str], set[str]]
    ) -> tuple[set[str], set[str], set[str]]:
        slots, grown, checks, done = changed
        run = {f"procedure {one}" for name in done for one in self._cases(name)}
        return set(slots), set(grown), run.union(f"check {name}" for name in checks)


def _directly(
    stmts: tuple[ir.Stmt, ...],
) -> tuple[set[str], set[str], set[str], set[str]]:
    """The slots that steps change, the sets that at most grow, and the checks and procedures that
    they run.
    """
    slots, grown, checks, done = set[str](), set[str](), set[str](), set[str]()
    for stmt in statements_of(stmts):
        if isinstance(stmt, ir.SetField):
            (grown if stmt.op == "|" else slots).update(f.slot for f in stmt.fields)
            checks.update(stmt.checks)
        elif isinstance(stmt, ir.Do):
            done.add(stmt.procedure)
        elif isinstance(stmt, ir.Within):
            slots.update(f.slot for f in stmt.fields)
            slots.update(e.slot for e in stmt.effects)
        elif not bodies_of(stmt):
            slots.update(written_slots((stmt,)))
    return slots, grown, checks, done


def _with_prefix(e: ir.Expr, before: str) -> ir.Expr:
    """*e* with all locals called otherwise: *before* stands before their names."""
    if isinstance(e, ir.Local):
        return replace(e, name=before + e.name)
    copy = rebuilt(e, lambda part: _with_prefix(part, before))
    names = {key: before + old for key in _NAMES if (old := getattr(copy, key, ""))}
    return replace(copy, **names) if names else copy  # type: ignore[arg-type]


#: Where quantifiers, allotments and lines keep the names of the locals that they give.
_NAMES = ("var", "own", "leaves", "enters")
