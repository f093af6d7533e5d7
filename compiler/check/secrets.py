"""What must not get out: veils that tell what they hide, secret choices that become known (SPEC §9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler import ir
from compiler.check.analysis import call_expressions, travel_expressions
from compiler.check.context import Context
from compiler.trees import walk


def check_secrets(ctx: Context) -> None:
    """Report veils that ask what not every side sees, and secret choices that others could learn."""
    for veil in ctx.veils:
        hidden = _Veil(ctx.program).hidden(veil)
        if hidden is not None:
            ctx.error(
                "S608",
                f"a veil may ask only what every side sees, and not every side sees {hidden}",
                veil.span,
                "ask something that all can see: how many cards there are, what stands on the board",
            )
    for procedure in ctx.program.procedures.values():
        _Keeper(ctx, procedure.secrets).look(procedure.body)


@dataclass
class _Veil:
    """Looks for what not every side sees, in expressions and in what they call."""

    program: ir.Program
    seen: set[str] = field(default_factory=set)

    def hidden(self, e: ir.Expr) -> str | None:
        """The name of something hidden that *e* reads."""
        if isinstance(e, ir.Service) and isinstance(e.args[0], ir.Pile):
            # How many cards there are all see, and so they do the top one where it lies face up.
            pile = e.args[0].pile
            if e.name == "size" or (e.name == "top" and pile.visibility == "top"):
                return None
        if isinstance(e, ir.Pile) and e.pile.visibility != "open":
            return f"pile '{e.pile.name}'"
        if isinstance(e, ir.Get) and e.field.seen_by is not None:
            return f"field '{e.field.name}'"
        for part in (*self.called(e), *_parts(e)):
            found = self.hidden(part)
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


def _parts(node: ir.Expr | ir.Stmt) -> list[ir.Expr]:
    """The expressions directly below an expression or a step."""
    found: list[ir.Expr] = []
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        found += [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, ir.Expr)]
    return found


class _Keeper:
    """Follows what was chosen secretly to the end of its block."""

    def __init__(self, ctx: Context, secrets: dict[str, set[int]]) -> None:
        self.ctx = ctx
        #: each secret local, with the decisions at which it is still known
        self.secrets = secrets
        self.known: set[str] = set()
        self.by: ir.Expr | None = None

    def look(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Find the secret choices of a block and of those in it."""
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, ir.Choose) and stmt.decision.secret:
                self.known, self.by = set(), stmt.by
                self.keep(stmts[i:], False)
                return
            for body in _bodies(stmt):
                self.look(body)

    def keep(self, stmts: tuple[ir.Stmt, ...], veiled: bool) -> None:
        """Look through what is done while the secret is known; *veiled*: whether it is done depends on the secret."""
        for stmt in stmts:
            told = veiled or any(isinstance(x, ir.Local) and x.name in self.known for e in _parts(stmt) for x in walk(e))
            if isinstance(stmt, ir.Choose) and stmt.decision.secret and stmt.by == self.by:
                for name in self.known:
                    self.secrets[name].add(stmt.decision.index)
                self.learn(stmt.var)
                self.keep(stmt.orelse, True)
                continue
            if self._asks(stmt):
                message = "another decision stands in the block where what was chosen secretly is still known"
                remedy = "store it in a field 'seen by' the side and let the block end first; secret choices of the same side may follow"
                self.ctx.error("S609", message, stmt.span, remedy)
                return
            if isinstance(stmt, ir.Let):
                if told:
                    self.learn(stmt.name)
            elif isinstance(stmt, ir.IfStmt | ir.Each | ir.Repeat | ir.Together | ir.Within):
                if isinstance(stmt, ir.Each) and told:
                    self.learn(stmt.var)
                for body in _bodies(stmt):
                    self.keep(body, told)
            elif told and not _quiet(stmt):
                message = "what was chosen secretly gets out here"
                remedy = (
                    "keep it in fields 'seen by' the side and in closed piles; what is to be shown is copied from there, after the block"
                )
                self.ctx.error("S610", message, stmt.span, remedy)

    def learn(self, name: str) -> None:
        """From here on a local is secret."""
        self.known.add(name)
        self.secrets.setdefault(name, set())

    def _asks(self, stmt: ir.Stmt) -> bool:
        if isinstance(stmt, ir.Do):
            return stmt.procedure in self.ctx.program.procedures and self.ctx.program.procedures[stmt.procedure].asks
        return isinstance(stmt, ir.Choose | ir.Offer)


def _quiet(stmt: ir.Stmt) -> bool:
    """Whether nobody else sees what a step does."""
    if isinstance(stmt, ir.SetField):
        return stmt.field.seen_by is not None
    if isinstance(stmt, ir.Put | ir.Remove):
        return stmt.pile.pile.visibility in ("hidden", "owner")
    return isinstance(stmt, ir.Stop) or (isinstance(stmt, ir.Return) and stmt.value is None)


def _bodies(stmt: ir.Stmt) -> list[tuple[ir.Stmt, ...]]:
    """The blocks of a step."""
    found: list[tuple[ir.Stmt, ...]] = []
    for name in stmt.__dataclass_fields__:
        value = getattr(stmt, name)
        if isinstance(value, tuple) and value and isinstance(value[0], ir.Stmt):
            found.append(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], ir.Branch):
            found += [branch.body for branch in value]
    return found
