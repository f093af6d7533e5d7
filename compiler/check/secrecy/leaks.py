"""What options, prompts and notes tell: they may read only what those see whom they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from operator import is_

from compiler import ir
from compiler.check.analysis import (
    read_below,
    touched_by,
    travel_expressions,
)
from compiler.check.context import Context
from compiler.check.secrecy.flows import Flows, Telling, Tracer
from compiler.check.secrecy.reader import Reader, Sight
from compiler.check.secrecy.seers import Facts
from compiler.trees import conjuncts, statements_of
from dsl.source import Span
from runtime.words.said import said

_Tree = ir.Expr | tuple[ir.Stmt, ...]


@dataclass(frozen=True)
class _Tight:
    """A procedure or check that tells nothing hidden: the trees that were looked at to find that,
    its own and others, and what else that hangs on, by name.
    """

    trees: dict[str, list[_Tree]]
    hangs_on: frozenset[str]


@dataclass
class Tight:
    """What is kept between texts of the procedures and checks that tell nothing hidden, and of what
    that hangs on: who always sees, the slots that calls and travels read, what steps change.
    """

    seers: object = None
    facts: dict[str, object] = field(default_factory=dict)
    known: dict[str, _Tight] = field(default_factory=dict)


def check_leaks(ctx: Context, tight: Tight) -> None:
    """Report options, prompts and notes that read what those do not see whom they are for.

    What is *tight* already, and looks at the same trees as before, is not looked through again.
    """
    program, sight = ctx.program, Sight(ctx.program, set(ctx.shown), ctx.trees)
    if not sight.closed:
        return
    facts: dict[str, object] = {**sight.flows.changes}
    facts |= {f"call {name}": call.reads for name, call in program.calls.items()}
    facts |= {f"travel {name}": travel.reads for name, travel in program.travels.items()}
    names = facts.keys() | tight.facts.keys()
    changed = {name for name in names if facts.get(name) != tight.facts.get(name)}
    seers = sight.closed, sight.always
    before = tight.known if tight.seers == seers else {}
    tight.seers, tight.facts, tight.known = seers, facts, {}
    for name, stmts, given in _bodies(program):
        if not ctx.trees.of(_tells, stmts):
            continue
        known = before.get(name)
        if known is None or not changed.isdisjoint(known.hangs_on) or not _same(ctx, known):
            complaints, sight.flows.looked = ctx.complaints, {name}
            _Leaks(ctx, sight).block(stmts, given)
            if ctx.complaints != complaints:
                continue
            known = _looked_through(ctx, sight.flows)
        tight.known[name] = known


def _bodies(program: ir.Program) -> Iterator[tuple[str, tuple[ir.Stmt, ...], Facts]]:
    """The steps of procedures and checks, with what holds before them."""
    for procedure in program.procedures.values():
        yield f"procedure {procedure.name}", procedure.body, ()
    for check in program.checks.values():
        yield f"check {check.name}", check.body, tuple(conjuncts(check.when))


def _looked_through(ctx: Context, flows: Flows) -> _Tight:
    """What has just been looked at."""
    trees = {name: list(_trees_of(ctx, name)) for name in flows.looked}
    hangs_on: set[str] = set()
    for tree in (tree for found in trees.values() for tree in found):
        if isinstance(tree, ir.Expr):
            hangs_on |= ctx.trees.of(read_below, tree, ctx.program)[1]
        else:
            hangs_on |= ctx.trees.of(touched_by, tree, ctx.program)[1]
    run = [name for name in trees if name.partition(" ")[0] in ("procedure", "check")]
    return _Tight(trees, frozenset(hangs_on | flows.run_by(run)))


def _trees_of(ctx: Context, what: str) -> Iterable[_Tree]:
    program = ctx.program
    kind, _, name = what.partition(" ")
    match kind:
        case "call" if name in program.calls:
            return (*ctx.asked[name], program.calls[name].steps)
        case "travel" if name in program.travels:
            return travel_expressions(program.travels[name])
        case "procedure" if name in program.procedures:
            return (program.procedures[name].body,)
        case "check" if name in program.checks:
            return (program.checks[name].when, program.checks[name].body)
    return ()


def _same(ctx: Context, known: _Tight) -> bool:
    """Whether the very trees are still there that were looked at."""
    for name, before in known.trees.items():
        now = list(_trees_of(ctx, name))
        if len(now) != len(before) or not all(map(is_, now, before)):
            return False
    return True


def learn_openness(program: ir.Program, shown: Collection[Span]) -> None:
    """Enter which decisions are open: what they ask and offer follows from what all sides see, but
    for what is *shown* on purpose.
    """
    sight, private = Sight(program, shown), set[int]()
    for procedure in program.procedures.values():
        if _tells(procedure.body):
            _Openness(sight, private, procedure.name).block(procedure.body, ())
    cards = {deck.enum for deck in program.decks.values()}
    for spec in program.decisions:
        types = (*spec.about, *(value for option in spec.options for value in option.values))
        if spec.secret or spec.veiled or any(type_.name in cards for type_ in types):
            private.add(spec.index)
    program.open_decisions = frozenset(range(len(program.decisions))) - private


def _tells(body: Iterable[ir.Stmt]) -> bool:
    """Whether steps tell anything."""
    return any(isinstance(stmt, Telling) for stmt in statements_of(body))


class _Walker(Tracer):
    """Looks through what steps tell."""

    def __init__(self, sight: Sight) -> None:
        super().__init__(sight.flows)
        self.sight = sight

    def values(self, name: str) -> Iterable[tuple[ir.Expr, Facts]]:
        """What a local has been given, of this procedure or of one whose value it takes."""
        return self.bound[name] if name in self.bound else self.flows.bound.get(name, ())


class _Leaks(_Walker):
    """Reports what those do not see whom a step is for."""

    def __init__(self, ctx: Context, sight: Sight) -> None:
        super().__init__(sight)
        self.ctx = ctx

    def tells(self, stmt: Telling, exprs: Iterable[ir.Expr], facts: Facts, what: str) -> None:
        """Report what is hidden in *exprs*."""
        to = stmt.to if isinstance(stmt, ir.Note) else stmt.by
        who = "which the side that is asked may not see"
        if isinstance(stmt, ir.Note):
            who = "which " + ("not every side sees" if to is None else "its readers may not see")
        for e in exprs:
            hidden = Reader(self.sight, self.values, to, self.drawn).hidden(e, {}, facts)
            if hidden is not None:
                sure = "ask for what it sees, make sure that it sees it ('s in u.seers and …')"
                if isinstance(stmt, ir.Note):
                    sure = "ask for what all readers see, or tell those alone who do ('to u.seers')"
                remedy = said("{sure}, or write show(…) where it is meant", sure=sure)
                self.ctx.warning(
                    "S611",
                    said("{what} reveals {hidden}, {who}", what=what, hidden=hidden, who=who),
                    e.span,
                    remedy,
                )


class _Openness(_Walker):
    """Notes the decisions whose questions and options tell what not every side sees."""

    def __init__(self, sight: Sight, private: set[int], procedure: str) -> None:
        super().__init__(sight)
        self.private = private
        self.procedure = procedure

    def values(self, name: str) -> Iterable[tuple[ir.Expr, Facts]]:
        """What a local has been given; a parameter, wherever its procedure is run."""
        own = name if "." in name else f"{self.procedure}.{name}"
        return (*super().values(name), *self.flows.passed.get(own, ()))

    def tells(self, stmt: Telling, exprs: Iterable[ir.Expr], facts: Facts, what: str) -> None:
        """Look whether *exprs* read anything hidden, or too much to know."""
        if not isinstance(stmt, ir.Note):
            for e in exprs:
                reader = Reader(self.sight, self.values, None, self.drawn)
                if reader.hidden(e, {}, facts) is not None or reader.left < 0:
                    self.private.add(stmt.decision.index)
