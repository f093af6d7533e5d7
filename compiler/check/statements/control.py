"""Which steps run, how often, and where a procedure ends; what ``together`` holds back."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions.base import assume, none_remedy
from compiler.check.parents import learn_kinds
from compiler.check.statements.base import StatementChecker, ends
from compiler.check.statements.events import block_of
from compiler.trees import bodies_of, statements_of
from compiler.types import LITERAL
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.model import put_aside
from runtime.words.said import said


class Control(StatementChecker):
    """Checks branches, loops, ends and blocks that hold something back."""

    def _if(self, stmt: n.If, env: Env) -> ir.Stmt:
        test = self.exprs.condition(stmt.test, env)
        inner = env.child()
        assume(self.program, inner, test)
        then = self.sequence(stmt.then, inner)
        other = env.child()
        assume(self.program, other, test, False)
        orelse = self.sequence(stmt.orelse, other)
        if then and ends(then[-1]):
            assume(self.program, env, test, False)
        if orelse and ends(orelse[-1]):
            assume(self.program, env, test)
        return ir.IfStmt(test, then, orelse, span=stmt.span)

    def _each(self, stmt: n.Each, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        inner = env.child()
        var = self.exprs.bind(inner, stmt.var, member)
        where = self.exprs.where(stmt.where, inner)
        learn_kinds(self.program, inner, where)
        return ir.Each(var, source, where, self._loop(stmt.body, inner), span=stmt.span)

    def _loop(self, body: tuple[n.Stmt, ...], env: Env) -> tuple[ir.Stmt, ...]:
        """A block that can be stopped."""
        self.loops += 1
        steps = self.block(body, env)
        self.loops -= 1
        return steps

    def _repeat(self, stmt: n.Repeat, env: Env) -> ir.Stmt:
        times, counter = None, ""
        if stmt.times is not None:
            times = self.exprs.of_type(stmt.times, env, LITERAL, "the number of times")
            counter = env.bind("_times", LITERAL)
        body = self._loop(stmt.body, env)
        if times is None and not can_leave(stmt.body):
            remedy = "write 'stop', 'leave' or 'return' inside, or 'repeat n times'"
            message = "this loop never ends"
            self.ctx.warning("S602", message, stmt.span, remedy)
        return ir.Repeat(times, counter, body, span=stmt.span)

    def _return(self, stmt: n.Return, env: Env) -> ir.Stmt:
        self._not_held(stmt, "return")
        if self.result.kind == "void":
            remedy = "declare its type after the parameters, or write 'leave'"
            self.ctx.error("S603", "this procedure has no value to return", stmt.span, remedy)
            self.exprs.check(stmt.value, env)
            return ir.Return(None, span=stmt.span)
        what = said("the value of the {what}", what="function" if self.function else "procedure")
        value = self.exprs.of_type(stmt.value, env, self.result, what)
        remedy = said(
            "{untested}, or declare that it is {result}?",
            untested=none_remedy(value, stmt.value),
            result=self.result,
        )
        self.ctx.require_not_none(value, self.result, what, stmt.value.span, remedy)
        return ir.Return(value, span=stmt.span)

    def _leave(self, stmt: n.Leave, env: Env) -> ir.Stmt:
        self._not_held(stmt, "leave")
        if self.result.kind != "void":
            message, remedy = "this procedure has a value of type {0}", "write: return …"
            self.ctx.report_misfit(message, stmt.span, self.result, remedy=remedy, code="S603")
        return ir.Return(None, span=stmt.span)

    def _stop(self, stmt: n.Stop, env: Env) -> ir.Stmt:
        if not self.loops and self.held:
            self._not_held(stmt, "stop")
        elif not self.loops:
            remedy = "'stop' ends a repeat, each or offer; a procedure ends with 'leave'"
            self.ctx.error("S602", "there is nothing to stop here", stmt.span, remedy)
        return ir.Stop(span=stmt.span)

    def _step(self, stmt: n.Step, env: Env) -> list[ir.Stmt]:
        self.program.steps.append((self.procedure, stmt.name.text, stmt.span))
        return block_of(self.sequence(stmt.body, env), stmt.span)

    def _together(self, stmt: n.Together, env: Env) -> ir.Stmt:
        return ir.Together(self._holding(stmt, env), span=stmt.span)

    def _within(self, stmt: n.Within, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        self.ctx.look_up("scope", stmt.scope, self.program.scopes)
        program = self.program
        fields, effects = put_aside(scope, program.fields.values(), program.effects.values())
        for f in fields:
            if f.seen_by is not None:
                seen = said("field '{name}' is seen by one side only", name=f.name)
                aside = said(
                    "'within {scope}' would put it aside where others could find it", scope=scope
                )
                remedy = said("let it last for another scope than '{scope}'", scope=scope)
                self.ctx.error(
                    "S610", said("{seen}, and {aside}", seen=seen, aside=aside), stmt.span, remedy
                )
        return ir.Within(scope, fields, effects, self._holding(stmt, env), span=stmt.span)

    def _holding(self, stmt: n.Together | n.Within, env: Env) -> tuple[ir.Stmt, ...]:
        """The block of a step that holds something back."""
        outside, self.loops = self.loops, 0
        self.held.append(stmt.span)
        body = self.block(stmt.body, env)
        self.held.pop()
        self.loops = outside
        return body

    def _not_held(self, stmt: n.Stmt, word: str) -> None:
        if self.held:
            message = said(
                "'{word}' leaves a 'together' or 'within' block before its end", word=word
            )
            remedy = "end the block first; keep in a local what decides about going on"
            held = Label(self.held[-1], "what it holds back or puts aside is restored at its end")
            self.ctx.error("S607", message, stmt.span, remedy, (held,))


def check_together(ctx: Context) -> None:
    """Report the steps that end the game in a ``together``, or in what is run there; each once."""
    program = ctx.program
    bodies = {name: procedure.body for name, procedure in program.procedures.items()}
    bodies |= {f"check {name}": check.body for name, check in program.checks.items()}
    reported: set[Span] = set()
    for name, body in bodies.items():
        for stmt in ctx.trees.result(_together, body):
            for path, finish in _ends(program, name, stmt):
                if finish.span not in reported:
                    reported.add(finish.span)
                    _report(ctx, path, finish, stmt)


def _together(body: tuple[ir.Stmt, ...]) -> list[ir.Together]:
    return [stmt for stmt in statements_of(body) if isinstance(stmt, ir.Together)]


def _ends(
    program: ir.Program, name: str, together: ir.Together
) -> Iterator[tuple[tuple[str, ...], ir.Finish]]:
    """The steps that end the game in a ``together`` of *name*, each with the shortest way there."""
    ahead: list[tuple[tuple[str, ...], tuple[ir.Stmt, ...]]] = [((name,), together.body)]
    seen: set[str] = set()
    for path, body in ahead:  # grows on the way
        for stmt in statements_of(body):
            if isinstance(stmt, ir.Finish):
                yield path, stmt
            elif isinstance(stmt, ir.Do) and stmt.procedure in program.procedures:
                for run in (stmt.procedure, *program.procedures[stmt.procedure].cases.values()):
                    if run not in seen:
                        seen.add(run)
                        ahead.append(((*path, run), program.procedures[run].body))


def _report(ctx: Context, path: tuple[str, ...], finish: ir.Finish, together: ir.Together) -> None:
    way = "" if len(path) == 1 else f": {' → '.join(_shown(ctx.program, name) for name in path)}"
    ending = "set a field here, and let a check that reads it end the game"
    remedy = said("{ending}: checks wait for the end of 'together'", ending=ending)
    labels = (Label(together.span, "all that happens here happens at once"),)
    ctx.error(
        "S615",
        said("the game would end inside a 'together'{way}", way=way),
        finish.span,
        remedy,
        labels,
    )


def _shown(program: ir.Program, name: str) -> str:
    """What a procedure, case, reaction, forecast or check is called where it is declared."""
    procedure = program.procedures.get(name)
    if procedure is None or procedure.case_of is None:
        return name
    if procedure.case_of != name:
        return f"{name.removeprefix(f'{procedure.case_of}__')} of {procedure.case_of}"
    return name.replace("_", " ", 1)


def can_leave(body: tuple[n.Stmt, ...]) -> bool:
    """Whether a repetition's body holds a step that can end it, or a call that ends the game."""
    ends = n.Stop | n.Leave | n.Return | n.Win | n.Lose | n.Tie | n.Do | n.LetDo | n.SetDo
    return any(isinstance(node, ends) for node in n.below(body))


def always_returns(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether steps always come to an end of the procedure or the game."""
    return any(
        isinstance(stmt, ir.Return | ir.Finish)
        or (isinstance(stmt, ir.IfStmt) and all(map(always_returns, (stmt.then, stmt.orelse))))
        or (isinstance(stmt, ir.Repeat) and stmt.times is None and not _has_stop(stmt.body))
        for stmt in body
    )


def _has_stop(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether steps may stop the loop that they stand in."""
    within = ir.IfStmt | ir.Together | ir.Choose
    return any(
        isinstance(stmt, ir.Stop)
        or (isinstance(stmt, within) and any(map(_has_stop, bodies_of(stmt))))
        for stmt in body
    )
