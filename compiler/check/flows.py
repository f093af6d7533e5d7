"""Where the values of locals come from, with what is known to hold at each step.

Conditions make facts: what an ``if``, a ``where`` or a ``when`` asks holds behind it, until a step changes
what it speaks of.  A local that takes the value of a procedure comes from what that procedure returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from compiler import ir
from compiler.check.analysis import direct_reads
from compiler.check.draft import Draft
from compiler.check.seers import Facts
from compiler.trees import bodies_of, conjuncts, locals_of, rebuilt, statements_of, substitute, written


@dataclass(frozen=True, slots=True)
class Result(ir.Expr):
    """The value of a procedure, run with these arguments."""

    procedure: str
    args: tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True)
class Laid(ir.Expr):
    """That a card was laid where all see it; no expression of a ruleset, but a fact."""

    card: ir.Local


#: What a local has been given, each time with what held then.
Bound = dict[str, list[tuple[ir.Expr, Facts]]]


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

    # ------------------------------------------------------------------ what those do who look closer

    def option(self, stmt: ir.Choose | ir.Offer, exprs: Iterable[ir.Expr | None], facts: Facts) -> None:
        """What is offered to a side."""

    def prompt(self, stmt: ir.Choose | ir.Offer, facts: Facts) -> None:
        """What a question is about."""

    def note(self, stmt: ir.Note, facts: Facts) -> None:
        """What a note tells."""

    # ------------------------------------------------------------------ steps

    def block(self, stmts: Iterable[ir.Stmt], facts: Facts) -> None:
        """Look through a block."""
        for stmt in stmts:
            more = self.step(stmt, facts)
            facts = (*self.lasting(facts, [stmt]), *more)

    def step(self, stmt: ir.Stmt, facts: Facts) -> Facts:
        """Look at a step; what is known to hold behind it besides what held before."""
        match stmt:
            case ir.IfStmt():
                self.decides(stmt, [stmt.test], facts)
                self.block(stmt.then, (*facts, *conjuncts(stmt.test)))
                self.block(stmt.orelse, facts)
            case ir.Each():
                again = self.lasting(facts, [stmt])
                known = (*again, *self.chosen(stmt))
                self.decides(stmt, [stmt.source, stmt.where], known)
                self.bound.setdefault(stmt.var, []).append((stmt.source, facts))
                self.block(stmt.body, known)
            case ir.Choose():
                chosen = self.chosen(stmt)
                self.option(stmt, [stmt.source], facts)
                self.option(stmt, [stmt.where, stmt.pass_when], (*facts, *chosen))
                self.prompt(stmt, facts)
                self.block(stmt.orelse, facts)
                return self.lasting(chosen, stmt.orelse)
            case ir.Offer():
                self.menu(stmt, facts)
            case ir.Note():
                self.note(stmt, facts)
            case _:
                if isinstance(stmt, ir.Repeat):
                    facts = self.lasting(facts, [stmt])
                for body in bodies_of(stmt):
                    self.block(body, facts)
                return self.takes(stmt, facts)
        return ()

    def takes(self, stmt: ir.Stmt, facts: Facts) -> Facts:
        """Look at a step that gives a local a value, or returns one; what is known to hold of it."""
        match stmt:
            case ir.Let():
                self.bound.setdefault(stmt.name, []).append((stmt.value, facts))
            case ir.Do() if stmt.target is not None and stmt.procedure in self.program.procedures:
                value = Result(stmt.procedure, stmt.args, type=self.program.procedures[stmt.procedure].type)
                self.bound.setdefault(stmt.target, []).append((value, facts))
            case ir.Return() if stmt.value is not None:
                self.returned.append((stmt.value, facts))
            case ir.Draw() if stmt.pile.pile.visibility != "open":
                self.drawn.add(stmt.name)
            case ir.DrawFrom():
                self.bound.setdefault(stmt.name, []).append((stmt.source, facts))
                return self.chosen(stmt)
            case ir.Put() if isinstance(stmt.card, ir.Local) and stmt.pile.pile.visibility in ("open", "top"):
                self.drawn.discard(stmt.card.name)
                return (Laid(stmt.card, type=stmt.card.type),)
        return ()

    def decides(self, stmt: ir.Stmt, asked: Iterable[ir.Expr | None], facts: Facts) -> None:
        """What is returned hangs on what is asked before it."""
        if any(isinstance(inner, ir.Return) and inner.value is not None for inner in statements_of([stmt])):
            self.returned += ((e, facts) for e in asked if e is not None)

    def menu(self, stmt: ir.Offer, facts: Facts) -> None:
        """Look at a menu, which may be asked again."""
        if not stmt.once:
            facts = self.lasting(facts, [stmt])
        self.prompt(stmt, facts)
        self.option(stmt, [stmt.pass_when], facts)
        for branch in stmt.branches:
            self.branch(stmt, branch, facts)
        self.block(stmt.on_pass, facts)

    def branch(self, stmt: ir.Offer, branch: ir.Branch, facts: Facts) -> None:
        """Look at a branch of a menu."""
        known = (*facts, *conjuncts(branch.when))
        self.option(stmt, [branch.when, branch.source], known)
        if branch.var is not None and branch.source is not None:
            known = (*known, *conjuncts(branch.where), *self.members(branch.source, branch.var))
            self.option(stmt, [branch.where], known)
        if branch.second is not None:
            more = branch.second
            self.option(stmt, [more.source], known)
            known = (*known, *conjuncts(more.where), *self.members(more.source, more.var))
            self.option(stmt, [more.where], known)
        self.block(branch.body, known)

    # ------------------------------------------------------------------ what holds

    def chosen(self, stmt: ir.Each | ir.Choose | ir.DrawFrom) -> Facts:
        """What holds of the member that a step takes."""
        name = stmt.name if isinstance(stmt, ir.DrawFrom) else stmt.var
        return (*conjuncts(stmt.where), *self.members(stmt.source, name))

    def members(self, source: ir.Expr, var: str, deep: int = 0) -> Facts:
        """What holds of a member of a set: what the set was made by."""
        this = ir.Local(var, type=source.type.of or source.type)
        if isinstance(source, ir.Quant) and source.kind == "all":
            where = conjuncts(source.where)
            return (
                *(substitute(c, {source.var: this}) for c in where),
                *self.members(source.source, var, deep),
            )
        if isinstance(source, ir.Op) and source.op in ("-", "&~"):
            return self.members(source.left, var, deep)
        if isinstance(source, ir.Apply) and deep < 8:
            call = self.program.calls[source.name]
            if call.body is not None:
                names = dict(zip((p.name for p in call.params), source.args, strict=True))
                return self.members(substitute(call.body, names), var, deep + 1)
        return ()

    def lasting(self, facts: Facts, stmts: Iterable[ir.Stmt]) -> Facts:
        """Those of *facts* that steps leave alone."""
        return self.flows.changes.spare(facts, tuple(stmts)) if facts else ()


class _Changes:
    """What steps change, with what they run."""

    def __init__(self, program: Draft) -> None:
        self.program = program
        #: by procedure and check: slots that change, sets that at most grow, and what is run
        self._known: dict[str, tuple[set[str], set[str], set[str]]] = {}

    def spare(self, facts: Facts, stmts: tuple[ir.Stmt, ...]) -> Facts:
        """Those of *facts* that speak of nothing which *stmts* change."""
        assigned = {name for stmt in statements_of(stmts) for name in _assigned(stmt)}
        slots, grown = self._all(stmts)
        if not (assigned or slots or grown):
            return facts
        return tuple(
            fact for fact in facts if assigned.isdisjoint(locals_of(fact)) and self._holds(fact, slots, grown)
        )

    def _holds(self, fact: ir.Expr, slots: set[str], grown: set[str]) -> bool:
        if isinstance(fact, ir.In) and isinstance(fact.source, ir.Get):  # a set that grows keeps its members
            parts = [fact.item, *([] if fact.source.owner is None else [fact.source.owner])]
            return fact.source.field.slot not in slots and (slots | grown).isdisjoint(self._reads(parts))
        return (slots | grown).isdisjoint(self._reads([fact]))

    def _reads(self, exprs: Iterable[ir.Expr]) -> set[str]:
        slots, used = direct_reads(self.program.place_of, exprs)
        for one in used:
            kind, _, name = one.partition(" ")
            slots |= (self.program.calls if kind == "call" else self.program.travels)[name].reads
        return slots

    def _all(self, stmts: tuple[ir.Stmt, ...]) -> tuple[set[str], set[str]]:
        slots, grown, run = self._directly(stmts)
        ahead, seen = list(run), set(run)
        while ahead:
            name = ahead.pop()
            if name not in self._known:
                self._known[name] = self._directly(self._body(name))
            more, wider, further = self._known[name]
            slots |= more
            grown |= wider
            ahead += further - seen
            seen |= further
        return slots, grown

    def _body(self, name: str) -> tuple[ir.Stmt, ...]:
        kind, _, name = name.partition(" ")
        return (self.program.checks if kind == "check" else self.program.procedures)[name].body

    def _directly(self, stmts: tuple[ir.Stmt, ...]) -> tuple[set[str], set[str], set[str]]:
        slots, grown, run = set[str](), set[str](), set[str]()
        for stmt in statements_of(stmts):
            if isinstance(stmt, ir.SetField):
                (grown if stmt.op == "|" else slots).update(f.slot for f in stmt.fields)
                run.update(f"check {name}" for name in stmt.checks)
            elif isinstance(stmt, ir.Do):
                run.update(f"procedure {name}" for name in _cases(self.program, stmt.procedure))
            elif isinstance(stmt, ir.Within):
                slots.update(f.slot for f in stmt.fields)
                slots.update(e.slot for e in stmt.effects)
            elif not bodies_of(stmt):
                slots.update(written((stmt,)))
        return slots, grown, run


def _assigned(stmt: ir.Stmt) -> tuple[str, ...]:
    """The locals that a step gives a value."""
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


def _cases(program: Draft, name: str) -> tuple[str, ...]:
    """A procedure, and those that are run in its place."""
    found = program.procedures.get(name)  # none: reported elsewhere
    return () if found is None else (name, *found.cases.values())


# ---------------------------------------------------------------------- what procedures return


@dataclass(frozen=True, slots=True)
class Flow:
    """What a procedure returns, with locals named so that they are nobody else's."""

    params: tuple[str, ...]
    returned: tuple[tuple[ir.Expr, Facts], ...]


@dataclass
class Flows:
    """What the procedures of a ruleset return; *bound* and *drawn* tell of the locals of those looked at."""

    program: Draft
    bound: Bound = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    _known: dict[str, Flow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = _Changes(self.program)

    def of(self, name: str) -> Iterator[Flow]:
        """What a procedure returns, or each of those that may be run in its place."""
        for one in _cases(self.program, name):
            if one not in self._known:
                self._known[one] = self._traced(self.program.procedures[one])
            yield self._known[one]

    def passed(self, param: str) -> list[tuple[ir.Expr, Facts]]:
        """What a parameter is given wherever its procedure is run."""
        return self._passed.get(param, [])

    @cached_property
    def _passed(self) -> Bound:
        found: Bound = {}
        for procedure in self.program.procedures.values():
            for stmt in statements_of(procedure.body):
                if not isinstance(stmt, ir.Do):
                    continue
                args = [_renamed(arg, f"{procedure.name}.") for arg in stmt.args]
                for flow in self.of(stmt.procedure):
                    for param, arg in zip(flow.params, args, strict=False):
                        found.setdefault(param, []).append((arg, ()))
            tuple(self.of(procedure.name))  # of whose locals the arguments may be
        return found

    def _traced(self, procedure: ir.Procedure) -> Flow:
        tracer = Tracer(self)
        tracer.block(procedure.body, ())
        own = f"{procedure.name}."

        def all_own(pairs: Iterable[tuple[ir.Expr, Facts]]) -> list[tuple[ir.Expr, Facts]]:
            return [(_renamed(e, own), tuple(_renamed(fact, own) for fact in facts)) for e, facts in pairs]

        self.bound |= {own + name: all_own(values) for name, values in tracer.bound.items()}
        self.drawn |= {own + name for name in tracer.drawn}
        return Flow(tuple(own + p.name for p in procedure.params), tuple(all_own(tracer.returned)))


def _renamed(e: ir.Expr, before: str) -> ir.Expr:
    """*e* with all locals called otherwise: *before* stands before their names."""
    if isinstance(e, ir.Local):
        return replace(e, name=before + e.name)
    made = rebuilt(e, lambda part: _renamed(part, before))
    names = {key: before + old for key in _NAMES if (old := getattr(made, key, ""))}
    return replace(made, **names) if names else made  # type: ignore[arg-type]


#: Where quantifiers, allotments and lines keep the names of the locals that they give.
_NAMES = ("var", "own", "leaves", "enters")
