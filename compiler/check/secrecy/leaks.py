"""What options, prompts and notes tell: they may read only what those see whom they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from compiler import ir
from compiler.check.context import Context
from compiler.check.secrecy.flows import Telling, Tracer
from compiler.check.secrecy.reader import Reader, Sight
from compiler.check.secrecy.seers import Facts
from compiler.trees import conjuncts, statements_of
from dsl.source import Span
from runtime.words.said import said


def check_leaks(ctx: Context) -> None:
    """Report options, prompts and notes that read what those do not see whom they are for."""
    program, sight = ctx.program, Sight(ctx.program, ctx.shown)
    if sight.closed:
        for procedure in program.procedures.values():
            if _tells(procedure.body):
                _Leaks(ctx, sight).block(procedure.body, ())
        for check in program.checks.values():
            if _tells(check.body):
                _Leaks(ctx, sight).block(check.body, tuple(conjuncts(check.when)))


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
