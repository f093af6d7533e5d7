"""Which steps run, how often, and where a procedure ends."""

from __future__ import annotations

from compiler import ir
from compiler.check.certain import excluded_none, excluded_none_else
from compiler.check.context import Env
from compiler.check.endings import can_leave, ends
from compiler.check.expressions.base import untested
from compiler.check.parents import learn_kinds
from compiler.check.statements.base import StatementChecker
from compiler.check.statements.windows import block_of
from compiler.types import LITERAL
from dsl import nodes as n
from dsl.diagnostics import Label, Severity


class Control(StatementChecker):
    """Checks branches, loops, ends and blocks that hold something back."""

    def _if(self, stmt: n.If, env: Env) -> ir.Stmt:
        test = self.exprs.condition(stmt.test, env)
        inner = env.child()
        inner.sure |= excluded_none(test)
        learn_kinds(self.program, inner, test)
        then = self.sequence(stmt.then, inner)
        other = env.child()
        other.sure |= excluded_none_else(test)
        learn_kinds(self.program, other, test, False)
        orelse = self.sequence(stmt.orelse, other)
        if then and ends(then[-1]):
            env.sure |= excluded_none_else(test)
            learn_kinds(self.program, env, test, False)
        if orelse and ends(orelse[-1]):
            env.sure |= excluded_none(test)
            learn_kinds(self.program, env, test)
        return ir.IfStmt(test, then, orelse, span=stmt.span)

    def _each(self, stmt: n.Each, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        inner = env.child()
        var = inner.bind(stmt.var.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        learn_kinds(self.program, inner, where)
        self.loops += 1
        body = self.block(stmt.body, inner)
        self.loops -= 1
        return ir.Each(var, source, where, body, span=stmt.span)

    def _repeat(self, stmt: n.Repeat, env: Env) -> ir.Stmt:
        times = (
            self.exprs.of_type(stmt.times, env, LITERAL, "the number of times")
            if stmt.times is not None
            else None
        )
        counter = env.bind("_times", LITERAL) if times is not None else ""
        self.loops += 1
        body = self.block(stmt.body, env)
        self.loops -= 1
        if times is None and not can_leave(stmt.body):
            self.ctx.error(
                "S602",
                "this loop never ends",
                stmt.span,
                "write 'stop', 'leave' or 'return' inside, or 'repeat n times'",
                severity=Severity.WARNING,
            )
        return ir.Repeat(times, counter, body, span=stmt.span)

    def _return(self, stmt: n.Return, env: Env) -> ir.Stmt:
        self._not_held(stmt, "return")
        if self.result.kind == "void":
            self.ctx.error(
                "S603",
                "this procedure has no value to return",
                stmt.span,
                "declare its type after the parameters, or write 'leave'",
            )
            self.exprs.check(stmt.value, env)
            return ir.Return(None, span=stmt.span)
        value = self.exprs.of_type(stmt.value, env, self.result, "the value of the procedure")
        certain = self.result.optional or self.result.kind == "bad"
        if value.type.optional and not certain and value.type.kind != "none":
            message = "this may be none, but the value of the procedure may not"
            remedy = f"{untested(value, stmt.value)}, or declare that it is {self.result}?"
            self.ctx.error("T304", message, stmt.value.span, remedy)
        return ir.Return(value, span=stmt.span)

    def _leave(self, stmt: n.Leave, env: Env) -> ir.Stmt:
        self._not_held(stmt, "leave")
        if self.result.kind not in ("void", "bad"):
            self.ctx.error(
                "S603", f"this procedure has a value of type {self.result}", stmt.span, "write: return …"
            )
        return ir.Return(None, span=stmt.span)

    def _stop(self, stmt: n.Stop, env: Env) -> ir.Stmt:
        if not self.loops and self.held:
            self._not_held(stmt, "stop")
        elif not self.loops:
            self.ctx.error(
                "S602",
                "there is nothing to stop here",
                stmt.span,
                "'stop' ends a repeat, each or offer; a procedure ends with 'leave'",
            )
        return ir.Stop(span=stmt.span)

    def _step(self, stmt: n.Step, env: Env) -> list[ir.Stmt]:
        self.program.steps.append((self.procedure, stmt.name.text, stmt.span))
        return block_of(self.sequence(stmt.body, env), stmt.span)

    def _together(self, stmt: n.Together, env: Env) -> ir.Stmt:
        outside, self.loops = self.loops, 0
        self.held.append(stmt.span)
        body = self.block(stmt.body, env)
        self.held.pop()
        self.loops = outside
        return ir.Together(body, span=stmt.span)

    def _within(self, stmt: n.Within, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        if scope not in self.program.scopes:
            self.ctx.unknown("R201", "scope", stmt.scope, self.program.scopes)
        self.ctx.used.add(f"scope {scope}")
        fields = tuple(f for f in self.program.fields.values() if f.lasts == scope and not f.place)
        effects = tuple(e for e in self.program.effects.values() if e.scope == scope)
        for f in fields:
            if f.seen_by is not None:
                message = (
                    f"field '{f.name}' is seen by one side only, and 'within {scope}' would put it "
                    "aside where others could find it"
                )
                self.ctx.error("S610", message, stmt.span, f"let it last for another scope than '{scope}'")
        outside, self.loops = self.loops, 0
        self.held.append(stmt.span)
        body = self.block(stmt.body, env)
        self.held.pop()
        self.loops = outside
        return ir.Within(scope, fields, effects, body, span=stmt.span)

    def _not_held(self, stmt: n.Stmt, word: str) -> None:
        if self.held:
            self.ctx.error(
                "S607",
                f"'{word}' leaves a 'together' or 'within' block before its end",
                stmt.span,
                "end the block first; keep in a local what decides about going on",
                (Label(self.held[-1], "what it holds back or puts aside is restored at its end"),),
            )
