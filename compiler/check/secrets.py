"""What must not get out: veils that tell what they hide, secret choices that become known (SPEC §9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from compiler import ir
from compiler.check.analysis import call_expressions, travel_expressions
from compiler.check.context import Context
from compiler.check.draft import Draft
from compiler.trees import bodies_of, locals_of, parts_of, statements_of, walk

#: By name, what a local of a procedure is bound to: steps and, for branches of menus, what they range over.
_Bindings = dict[str, list[ir.Stmt | ir.Expr]]


def check_secrets(ctx: Context) -> None:
    """Report veils that ask what not every side sees, and secret choices that others could learn."""
    for veil in ctx.veils:
        _report_veil(ctx, veil, {})
    for procedure in ctx.program.procedures.values():
        bindings = _bindings(statements_of(procedure.body))
        for stmt in statements_of(procedure.body):
            if isinstance(stmt, ir.Choose | ir.Offer) and stmt.veil is not None:
                _report_veil(ctx, stmt.veil, bindings)
        _Keeper(ctx, procedure).look(procedure.body)


def bindings_of(procedure: ir.Procedure) -> _Bindings:
    """What the locals of a procedure are bound to."""
    return _bindings(statements_of(procedure.body))


def hidden_in(program: Draft, e: ir.Expr, bindings: _Bindings) -> bool:
    """Whether an expression reads what not every side sees."""
    return _Veil(program, bindings).hidden(e) is not None


def _bindings(stmts: Iterable[ir.Stmt]) -> _Bindings:
    """What these steps themselves, without those below them, bind."""
    found: _Bindings = {}

    def bind(name: str | None, to: ir.Stmt | ir.Expr) -> None:
        if name is not None:
            found.setdefault(name, []).append(to)

    for stmt in stmts:
        if isinstance(stmt, ir.Let | ir.Roll | ir.Draw | ir.DrawFrom):
            bind(stmt.name, stmt)
        elif isinstance(stmt, ir.Choose | ir.Each):
            bind(stmt.var, stmt)
        elif isinstance(stmt, ir.Do):
            bind(stmt.target, stmt)
        elif isinstance(stmt, ir.Offer):
            for branch in stmt.branches:
                if branch.source is not None:
                    bind(branch.var, branch.source)
                if branch.second is not None:
                    bind(branch.second.var, branch.second.source)
    return found


# --------------------------------------------------------------------------- veils


def _report_veil(ctx: Context, veil: ir.Expr, bindings: _Bindings) -> None:
    hidden = _Veil(ctx.program, bindings).hidden(veil)
    if hidden is not None:
        ctx.error(
            "S608",
            f"a veil may ask only what every side sees, and not every side sees {hidden}",
            veil.span,
            "ask something that all can see: how many cards there are, what stands on the board",
        )


@dataclass
class _Veil:
    """Looks for what not every side sees, in expressions and in what they call or got their locals from."""

    program: Draft
    bindings: _Bindings
    seen: set[str] = field(default_factory=set)

    def hidden(self, e: ir.Expr) -> str | None:
        """The name of something hidden that *e* reads."""
        if isinstance(e, ir.Service) and e.args and isinstance(e.args[0], ir.Pile):
            # How many cards there are all see, and so they do the top one where it lies face up.
            pile = e.args[0].pile
            if e.name == "size" or (e.name == "top" and pile.visibility == "top"):
                return self.first(parts_of(e.args[0]))
        if isinstance(e, ir.Pile) and e.pile.visibility != "open":
            return f"pile '{e.pile.name}'"
        if isinstance(e, ir.Get) and e.field.seen_by is not None:
            return f"field '{e.field.name}'"
        if isinstance(e, ir.Pick) and e.fields[0].seen_by is not None:
            return f"field '{e.fields[0].base}'"
        if isinstance(e, ir.At):
            place = self.program.place_of(e.kind)
            if place is not None and place.seen_by is not None:
                return f"field '{place.name}'"
        if isinstance(e, ir.Local):
            return self.local(e.name)
        return self.first([*self.called(e), *parts_of(e)])

    def first(self, parts: list[ir.Expr]) -> str | None:
        return next((found for part in parts if (found := self.hidden(part)) is not None), None)

    def local(self, name: str) -> str | None:
        """What a local got from something hidden."""
        if f"local {name}" in self.seen:
            return None
        self.seen.add(f"local {name}")
        for binding in self.bindings.get(name, ()):
            if isinstance(binding, ir.Choose) and binding.decision.secret:
                return "what was chosen secretly"
            if isinstance(binding, ir.Draw):
                if binding.pile.pile.visibility != "open":
                    return "a card that was drawn"
                continue
            found = self.first([binding] if isinstance(binding, ir.Expr) else parts_of(binding))
            if found is not None:
                return found
        return None

    def called(self, e: ir.Expr) -> list[ir.Expr]:
        """The expressions behind a call that was not looked through before."""
        if isinstance(e, ir.Apply):
            name = f"call {e.name}"
        elif isinstance(e, ir.Reach | ir.Steps | ir.Way):
            name = f"travel {e.travel}"
        else:
            return []
        if name in self.seen:
            return []
        self.seen.add(name)
        if isinstance(e, ir.Apply):
            return call_expressions(self.program.calls[e.name])
        return travel_expressions(self.program.travels[e.travel])


# --------------------------------------------------------------------------- secret choices


class _Keeper:
    """Follows what was chosen secretly to the end of its block, where little else may be done.

    It fills in the procedure's secret locals: they are new ones of that block, so that they can be forgotten
    afterwards.
    """

    def __init__(self, ctx: Context, procedure: ir.Procedure) -> None:
        self.ctx = ctx
        self.procedure = procedure
        self.known: set[str] = set()
        self.outside: set[str] = set()
        self.by: ir.Expr | None = None

    def look(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Find the secret choices of a block and of those in it."""
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, ir.Choose) and stmt.decision.secret:
                rest = stmts[i:]
                inside = {id(s) for s in statements_of(rest)}
                others = [s for s in statements_of(self.procedure.body) if id(s) not in inside]
                self.outside = {p.name for p in self.procedure.params} | set(_bindings(others))
                self.known, self.by = set(), stmt.by
                if any(_seen_by_one(x) for x in walk(stmt.by)):
                    self.ctx.error(
                        "S609",
                        "who chooses secretly must be known to all",
                        stmt.by.span,
                        "name the side by a local",
                    )
                self.keep(rest, False)
                return
            for body in bodies_of(stmt):
                self.look(body)

    def keep(self, stmts: tuple[ir.Stmt, ...], told: bool) -> None:
        """Look through what is done while the secret is known; *told*: whether it is done depends on the
        secret.
        """
        for stmt in stmts:
            if isinstance(stmt, ir.Choose) and stmt.decision.secret and stmt.by == self.by and not told:
                for name in self.known:
                    self.procedure.secrets[name].add(stmt.decision.index)
                self.learn(stmt.var)
                # That the side passed may end the loop: how often it was asked all see anyway.
                self.keep(tuple(s for s in stmt.orelse if not isinstance(s, ir.Stop)), True)
            elif self._asks(stmt):
                message = "another decision stands in the block where what was chosen secretly is still known"
                remedy = (
                    "store it in a field 'seen by' the side and let the block end first; secret "
                    "choices of the same side may follow"
                )
                self.ctx.error("S609", message, stmt.span, remedy)
                return
            elif isinstance(stmt, ir.Reveal):
                continue
            elif isinstance(stmt, ir.Let) and stmt.name not in self.outside:
                self.learn(stmt.name)
            elif isinstance(stmt, ir.IfStmt):
                depends = told or not self.known.isdisjoint(locals_of(stmt.test))
                self.keep(stmt.then, depends)
                self.keep(stmt.orelse, depends)
            elif isinstance(stmt, ir.SetField) and stmt.field.seen_by is not None:
                slots = {f.slot for f in stmt.fields}
                watching = [
                    check.name
                    for check in self.ctx.program.checks.values()
                    if not check.reads.isdisjoint(slots)
                ]
                if watching:
                    message = (
                        f"check {watching[0]} watches field '{stmt.field.base}', and what it does "
                        "would tell the secret"
                    )
                    self.ctx.error(
                        "S610",
                        message,
                        stmt.span,
                        "let the check look at an open field to which this one is copied later",
                    )
            else:
                message = "what was chosen secretly is revealed here"
                remedy = (
                    "until the block ends, only write to fields 'seen by' the side; what is to be "
                    "shown is copied from there later"
                )
                self.ctx.error("S610", message, stmt.span, remedy)

    def learn(self, name: str) -> None:
        """From here on a local is secret."""
        self.known.add(name)
        self.procedure.secrets.setdefault(name, set())

    def _asks(self, stmt: ir.Stmt) -> bool:
        if isinstance(stmt, ir.Do):
            return (
                stmt.procedure in self.ctx.program.procedures
                and self.ctx.program.procedures[stmt.procedure].asks
            )
        return any(isinstance(s, ir.Choose | ir.Offer) for s in statements_of([stmt])) and not isinstance(
            stmt, ir.IfStmt
        )


def _seen_by_one(e: ir.Expr) -> bool:
    """Whether *e* reads a field that not all see."""
    return (isinstance(e, ir.Get) and e.field.seen_by is not None) or (
        isinstance(e, ir.Pick) and e.fields[0].seen_by is not None
    )
