"""What options, prompts and notes tell: they may read only what those see whom they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from operator import is_

from compiler import ir
from compiler.check.analysis import (
    reads_and_uses,
    reads_uses_and_writes,
    travel_expressions,
)
from compiler.check.context import Context
from compiler.check.secrecy.flows import Flows, Telling, Tracer
from compiler.check.secrecy.reader import Reader, Sight
from compiler.check.secrecy.seers import Facts
from compiler.check.tree_cache import TreeCache
from compiler.trees import conjuncts, statements_of
from dsl.source import Span
from runtime.words.said import said

_Tree = ir.Expr | tuple[ir.Stmt, ...]


@dataclass(frozen=True)
class _Tight:
    """A procedure or check that tells nothing hidden: what was looked into to find that, itself and
    others, and what else that hangs on, by name.
    """

    looked: frozenset[str]
    hangs_on: frozenset[str]


@dataclass
class LeakCache:
    """What is kept between texts of the procedures and checks that tell nothing hidden, and of what
    that hangs on: who always sees, the trees of all that can be looked into, the slots that calls
    and travels read, what steps change.
    """

    seers: object = None
    trees: dict[str, list[_Tree]] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    known: dict[str, _Tight] = field(default_factory=dict)


def check_leaks(ctx: Context, tight: LeakCache) -> None:
    """Report options, prompts and notes that read what those do not see whom they are for.

    What is *tight* already, and looks at the very trees of before, is not looked through again.
    """
    program, sight = ctx.program, Sight(ctx.program, set(ctx.shown), ctx.trees)
    if not sight.closed:
        return
    facts: dict[str, object] = {**sight.flows.changes}
    facts |= {f"call {name}": call.reads for name, call in program.calls.items()}
    facts |= {f"travel {name}": travel.reads for name, travel in program.travels.items()}
    trees = {name: list(map(ctx.trees.origin, found)) for name, found in _trees(ctx)}
    changed = {name for name, fact in facts.items() if tight.facts.get(name) != fact}
    other = {name for name, found in trees.items() if not _are_same(tight.trees.get(name), found)}
    changed |= tight.facts.keys() - facts.keys()
    other |= tight.trees.keys() - trees.keys()
    seers = sight.closed, sight.permanent_seers
    before = tight.known if tight.seers == seers else {}
    tight.seers, tight.trees, tight.facts, tight.known = seers, trees, facts, {}
    for name, stmts, given in _bodies(program):
        if not ctx.trees.result_anywhere(_tells, stmts):
            continue
        known = before.get(name)
        holds = known is not None and other.isdisjoint(known.looked)
        if known is None or not (holds and changed.isdisjoint(known.hangs_on)):
            complaints, sight.flows.looked = ctx.complaints, {name}
            _Leaks(ctx, sight).block(stmts, given)
            if ctx.complaints != complaints:
                continue
            known = _tight_now(ctx, sight.flows, trees)
        tight.known[name] = known


def _bodies(program: ir.Program) -> Iterator[tuple[str, tuple[ir.Stmt, ...], Facts]]:
    """The steps of procedures and checks, with what holds before them."""
    for procedure in program.procedures.values():
        yield f"procedure {procedure.name}", procedure.body, ()
    for check in program.checks.values():
        yield f"check {check.name}", check.body, tuple(conjuncts(check.when))


def _tight_now(ctx: Context, flows: Flows, trees: dict[str, list[_Tree]]) -> _Tight:
    """What has just been looked at."""
    hangs_on: set[str] = set()
    for tree in (tree for name in flows.looked for tree in trees.get(name, ())):
        if isinstance(tree, ir.Expr):
            hangs_on |= ctx.trees.result_anywhere(reads_and_uses, tree, ctx.program)[1]
        else:
            hangs_on |= ctx.trees.result_anywhere(reads_uses_and_writes, tree, ctx.program)[1]
    run = [name for name in flows.looked if name.partition(" ")[0] in ("procedure", "check")]
    return _Tight(frozenset(flows.looked), frozenset(hangs_on | flows.reachable_from(run)))


def _trees(ctx: Context) -> Iterator[tuple[str, Iterable[_Tree]]]:
    """The trees of all that can be looked into, by name."""
    program = ctx.program
    for name, call in program.calls.items():
        yield f"call {name}", (*ctx.asked[name], call.steps)
    for name, travel in program.travels.items():
        yield f"travel {name}", travel_expressions(travel)
    for name, procedure in program.procedures.items():
        yield f"procedure {name}", (procedure.body,)
    for name, check in program.checks.items():
        yield f"check {name}", (check.when, check.body)


def _are_same(before: list[_Tree] | None, now: list[_Tree]) -> bool:
    """Whether the very trees are still there."""
    return before is not None and len(now) == len(before) and all(map(is_, before, now))


def learn_openness(program: ir.Program, shown: Collection[Span], trees: TreeCache) -> None:
    """Enter which decisions are open: what they ask and offer follows from what all sides see, but
    for what is *shown* on purpose.
    """
    sight, private = Sight(program, shown, trees), set[int]()
    for procedure in program.procedures.values():
        if trees.result_anywhere(_asks, procedure.body):
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


def _asks(body: Iterable[ir.Stmt]) -> bool:
    """Whether steps ask something."""
    return any(isinstance(stmt, ir.Choose | ir.Offer) for stmt in statements_of(body))


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
        return (*super().values(name), *self.flows.passed_arguments.get(own, ()))

    def tells(self, stmt: Telling, exprs: Iterable[ir.Expr], facts: Facts, what: str) -> None:
        """Look whether *exprs* read anything hidden, or too much to know."""
        if not isinstance(stmt, ir.Note):
            for e in exprs:
                reader = Reader(self.sight, self.values, None, self.drawn)
                if reader.hidden(e, {}, facts) is not None or reader.left < 0:
                    self.private.add(stmt.decision.index)
