"""What must not get out: veils that tell what they hide, secret choices that become known."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context
from compiler.check.secrecy.flows import Bound, locals_set_by, origins
from compiler.check.secrecy.reader import Reader, Sight
from compiler.trees import bodies_of, locals_of, statements_of, walk
from runtime.words.said import said


def check_secrets(ctx: Context) -> None:
    """Report veils that ask what not every side sees, and secret choices that become known."""
    sight = Sight(ctx.program)
    for veil in ctx.veils:
        _report_veil(ctx, sight, veil, {})
    for procedure in ctx.program.procedures.values():
        veils, secret = ctx.trees.result(_veils, procedure.body)
        given = origins(procedure.body) if veils else {}
        for veil in veils:
            _report_veil(ctx, sight, veil, given)
        if secret:
            _Keeper(ctx, procedure).look(procedure.body)


def _veils(body: tuple[ir.Stmt, ...]) -> tuple[list[ir.Expr], bool]:
    """The veils of what steps ask, and whether something is chosen secretly."""
    asked = [s for s in statements_of(body) if isinstance(s, ir.Choose | ir.Offer)]
    return [s.veil for s in asked if s.veil is not None], any(s.decision.secret for s in asked)


def hidden_in(sight: Sight, e: ir.Expr, given: Bound) -> str | None:
    """What *e* reads that not every side sees, by name; *given*: what locals hang on."""
    return Reader(sight, lambda name: given.get(name, ())).hidden(e, {}, ())


def _report_veil(ctx: Context, sight: Sight, veil: ir.Expr, given: Bound) -> None:
    hidden = hidden_in(sight, veil, given)
    if hidden is not None:
        message = said(
            "a veil may ask only what every side sees, and not every side sees {hidden}",
            hidden=hidden,
        )
        remedy = (
            "ask something that all can see: how many cards there are, what stands on the board"
        )
        ctx.error("S608", message, veil.span, remedy)


class _Keeper:
    """Follows what was chosen secretly to the end of its block, where little else may be done.

    It fills in the procedure's secret locals: they are new ones of that block, so that they can be
    forgotten afterwards.
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
                inside = {id(s) for s in statements_of(stmts[i:])}
                others = [s for s in statements_of(self.procedure.body) if id(s) not in inside]
                self.outside = {name for s in others for name in locals_set_by(s)}
                self.outside |= {p.name for p in self.procedure.params}
                self.known, self.by = set(), stmt.by
                if any(_seen_by_one(e) for e in walk(stmt.by)):
                    message = "who chooses secretly must be known to all"
                    self.ctx.error("S609", message, stmt.by.span, "name the side by a local")
                self.keep(stmts[i:], False)
                return
            for body in bodies_of(stmt):
                self.look(body)

    def keep(self, stmts: tuple[ir.Stmt, ...], depends: bool) -> None:
        """Look through what is done while the secret is known, or *depends* on it."""
        for stmt in stmts:
            match stmt:
                case ir.Choose() if stmt.decision.secret and stmt.by == self.by and not depends:
                    for name in self.known:
                        self.procedure.secrets[name].add(stmt.decision.index)
                    self.learn(stmt.var)
                    # That the side passed may end the loop: how often it was asked all see anyway.
                    self.keep(tuple(s for s in stmt.orelse if not isinstance(s, ir.Stop)), True)
                case _ if self._asks(stmt):
                    known = "the block where what was chosen secretly is still known"
                    store = "store it in a field 'seen by' the side and let the block end first"
                    remedy = said(
                        "{store}; secret choices of the same side may follow", store=store
                    )
                    self.ctx.error(
                        "S609",
                        said("another decision stands in {known}", known=known),
                        stmt.span,
                        remedy,
                    )
                    return
                case ir.Reveal():
                    pass
                case ir.Let() if stmt.name not in self.outside:
                    self.learn(stmt.name)
                case ir.IfStmt():
                    within = depends or not self.known.isdisjoint(locals_of(stmt.test))
                    self.keep(stmt.then, within)
                    self.keep(stmt.orelse, within)
                case ir.SetField() if stmt.field.seen_by is not None:
                    self._report_watched(stmt)
                case _:
                    until = "until the block ends, only write to fields 'seen by' the side"
                    remedy = said(
                        "{until}; what is to be shown is copied from there later", until=until
                    )
                    message = "what was chosen secretly is revealed here"
                    self.ctx.error("S610", message, stmt.span, remedy)

    def learn(self, name: str) -> None:
        """From here on a local is secret."""
        self.known.add(name)
        self.procedure.secrets.setdefault(name, set())

    def _report_watched(self, stmt: ir.SetField) -> None:
        """Report a check that looks at what is set."""
        slots = {f.slot for f in stmt.fields}
        for check in self.ctx.program.checks.values():
            if not check.reads.isdisjoint(slots):
                watching = said(
                    "check {name} watches field '{base}'", name=check.name, base=stmt.field.base
                )
                message = said(
                    "{watching}, and what it does would tell the secret", watching=watching
                )
                remedy = "let the check look at an open field to which this one is copied later"
                self.ctx.error("S610", message, stmt.span, remedy)
                return

    def _asks(self, stmt: ir.Stmt) -> bool:
        if isinstance(stmt, ir.Do):
            procedure = self.ctx.program.procedures.get(stmt.procedure)
            return procedure is not None and procedure.asks
        return not isinstance(stmt, ir.IfStmt) and any(
            isinstance(s, ir.Choose | ir.Offer) for s in statements_of([stmt])
        )


def _seen_by_one(e: ir.Expr) -> bool:
    """Whether *e* reads a field that not all see."""
    field = e.field if isinstance(e, ir.Get) else e.fields[0] if isinstance(e, ir.Pick) else None
    return field is not None and field.seen_by is not None
