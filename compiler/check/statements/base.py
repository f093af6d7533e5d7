"""What every part of the checker of steps stands on: blocks, and dispatch."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.check.expressions.base import none_remedy
from compiler.trees import bodies_of
from compiler.types import BAD, Type, from_spec
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.model import FieldSpec
from runtime.words.said import join_with_sign, said

#: What steps are called that are not called by the word that they begin with.
_WORDS: dict[type[n.Stmt], str] = {
    n.LetDo: "let",
    n.SetDo: "set",
    n.Assign: "set",
}


def ends(stmt: ir.Stmt) -> bool:
    """Whether nothing runs after *stmt* in its block."""
    if isinstance(stmt, ir.IfStmt):
        return bool(stmt.then and stmt.orelse) and ends(stmt.then[-1]) and ends(stmt.orelse[-1])
    return isinstance(stmt, ir.Return | ir.Stop | ir.Finish)


#: The steps of functions; what is set must be a local.
_WORKING_OUT = (n.Let, n.Assign, n.If, n.Each, n.Repeat, n.Stop, n.Return)


class StatementChecker:
    """Checks the body of one procedure.

    The methods that check a step of a class are in the modules of this folder, by topic.
    """

    def __init__(
        self,
        ctx: Context,
        procedure: str,
        result: Type,
        rules: tuple[str, ...] = (),
        decisions: bool = True,
    ) -> None:
        self.ctx, self.program, self.exprs = ctx, ctx.program, Expressions(ctx)
        self.procedure, self.result, self.rules = procedure, result, rules
        self.decisions = decisions
        #: the function whose steps these are
        self.function = ""
        self.loops = 0
        self.held: list[Span] = []

    def block(self, stmts: tuple[n.Stmt, ...], env: Env) -> tuple[ir.Stmt, ...]:
        """Check a block in a scope of its own."""
        return self.sequence(stmts, env.child())

    def sequence(self, stmts: tuple[n.Stmt, ...], env: Env) -> tuple[ir.Stmt, ...]:
        """Check steps one after another in *env*."""
        result: list[ir.Stmt] = []
        for i, stmt in enumerate(stmts):
            result.extend(self.statement(stmt, env))
            if result and ends(result[-1]) and i + 1 < len(stmts):
                labels = (Label(stmt.span, "the block ends here at the latest"),)
                remedy = "remove it, or the step that ends the block before it"
                self.ctx.error("S604", "this step never runs", stmts[i + 1].span, remedy, labels)
                break
        return tuple(result)

    def statement(self, stmt: n.Stmt, env: Env) -> list[ir.Stmt]:
        """Check one step; some become several."""
        if self.function and not isinstance(stmt, _WORKING_OUT):
            return self._doing(stmt, env)
        method = getattr(self, "_" + type(stmt).__name__.lower())
        shown, around = len(self.ctx.shown), self.rules
        self.rules = stmt.rules or around
        result = method(stmt, env)
        self.rules = around
        steps = result if isinstance(result, list) else [result]
        if stmt.rules:
            steps = [self._citation_step(stmt), *steps]
        shows = len(self.ctx.shown) > shown and not bodies_of(steps[-1])
        if self.function:
            return steps
        if shows or (steps and reveals(self.program, steps[-1])):
            return [ir.Reveal(span=stmt.span), *steps]
        return steps

    def _citation_step(self, stmt: n.Stmt) -> ir.Stmt:
        """What says that a step cites rules."""
        kind = _WORDS.get(type(stmt), type(stmt).__name__.lower().removesuffix("stmt"))
        if isinstance(stmt, n.Step):
            kind = f"step {stmt.name}"
        what = f"{kind} of {self.procedure}, line {stmt.span.line}"
        self.ctx.lined.append(stmt.span)
        self.ctx.cite(what, stmt.rules)
        return ir.Cited(what, stmt.rules, span=stmt.span)

    def certain(self, field: FieldSpec, value: ir.Expr, node: n.Expr, env: Env) -> None:
        """Report a value of *field* that may be none where that may not be, or is hardly meant.

        A piece whose place is what was chosen, if there was anything to choose, would leave the
        board.
        """
        if not value.type.optional or value.type.kind == "none" or field.type.kind == "set":
            return
        if not field.type.optional:
            otherwise = said("or declare the field as {type}?", type=from_spec(field.type))
            message = said("this may be none, but '{base}' may not", base=field.base)
        elif field.place and isinstance(value, ir.Local) and value.name in env.picked:
            otherwise = "or leave where nothing was chosen (… else { leave })"
            unchosen = "this is none where there was nothing to choose"
            message = said("{unchosen}, and the piece would leave the board", unchosen=unchosen)
        else:
            return
        remedy = join_with_sign(", ", (none_remedy(value, node), otherwise))
        self.ctx.error("T304", message, node.span, remedy)

    def _doing(self, stmt: n.Stmt, env: Env) -> list[ir.Stmt]:
        """Report a step that does something, in a function; what it would give is not known."""
        if isinstance(stmt, n.Leave):
            message = said(
                "'{function}' is a function, which always has a value", function=self.function
            )
            self.ctx.error("S603", message, stmt.span, "write: return …")
            return [ir.Return(None, span=stmt.span)]
        remedy = (
            "let a procedure do that; a function has let, set of its own locals, if, each, "
            "repeat, stop and return"
        )
        message = said(
            "'{function}' is a function, which only works something out; this step does more",
            function=self.function,
        )
        self.ctx.error("S618", message, stmt.span, remedy)
        for name in ("name", "var"):
            given = getattr(stmt, name, None)
            if isinstance(given, n.Ident):
                env.bind(given.text, BAD)
        return [self.nothing(env, stmt.span)]

    def nothing(self, env: Env, span: Span) -> ir.Stmt:
        """What stands for a step that is wrong."""
        return ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=span)


def reveals(program: ir.Program, stmt: ir.Stmt) -> bool:
    """Whether a step may let somebody see fields that were hidden: it changes who sees them."""
    if not isinstance(stmt, ir.SetField | ir.Expire | ir.Within | ir.Renew):
        return False
    seers = {(f.owner, f.seen_by) for f in program.fields.values() if f.seen_by is not None}
    return any((f.owner, f.name) in seers for f in stmt.fields)
