"""Effects that start and end, the winner, and what the log tells."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.groups import in_its_group
from compiler.check.parents import is_parent
from compiler.check.statements.base import StatementChecker
from compiler.check.statements.hiding import mix_each, mixed_fields, told_sides
from compiler.types import Type, set_of
from dsl import nodes as n
from dsl.source import Span


class Effects(StatementChecker):
    """Checks steps with an effect that lasts: on what is in force, on who has won, on what is known."""

    def _start(self, stmt: n.Start, env: Env) -> ir.Stmt | list[ir.Stmt]:
        started = self._effect(stmt.call, True, env, stmt.span)
        return (
            in_its_group(self.program, env, started)
            if isinstance(started, ir.SetEffect) and started.effect.group
            else started
        )

    def _cease(self, stmt: n.Cease, env: Env) -> ir.Stmt:
        return self._effect(stmt.call, False, env, stmt.span)

    def _effect(self, call: n.Call, on: bool, env: Env, span: Span) -> ir.Stmt:
        effect = self.program.effects.get(call.name.text)
        if effect is None:
            self.ctx.unknown("R201", "effect", call.name, self.program.effects)
            return self.nothing(env, span)
        self.ctx.used.add(f"effect {effect.name}")
        if not call.args and (not on or not effect.params):
            return ir.SetEffect(effect, on, None, span=span)
        arg = self.exprs.instance(effect, call.args, env, call.span)
        return ir.SetEffect(effect, on, arg, span=span)

    def _expire(self, stmt: n.Expire, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        if scope not in self.program.scopes:
            self.ctx.unknown("R201", "scope", stmt.scope, self.program.scopes)
        self.ctx.used.add(f"scope {scope}")
        fields = tuple(f for f in self.program.fields.values() if f.lasts == scope)
        effects = tuple(e for e in self.program.effects.values() if e.scope == scope)
        return ir.Expire(scope, self.program.scopes.get(scope, False), fields, effects, span=stmt.span)

    def _win(self, stmt: n.Win, env: Env) -> ir.Stmt:
        return ir.Finish("win", self._sides(stmt.sides, env, "the winner"), span=stmt.span)

    def _lose(self, stmt: n.Lose, env: Env) -> ir.Stmt:
        return ir.Finish("lose", self._sides(stmt.sides, env, "the loser"), span=stmt.span)

    def _tie(self, stmt: n.Tie, env: Env) -> ir.Stmt:
        return ir.Finish("tie", None, span=stmt.span)

    def _sides(self, node: n.Expr, env: Env, what: str) -> ir.Expr:
        """A side or a set of sides, as a set; none is the empty set."""
        side = Type("enum", "Side")
        value = self.exprs.check(node, env, set_of(side) if isinstance(node, n.SetLit) else side)
        if value.type.kind == "set":
            self.exprs.require(value, set_of(side), what, node.span)
            return value
        if value.type.kind == "none":
            return ir.SetLit((), type=set_of(side), span=node.span)
        self.exprs.require(value, side.maybe(), what, node.span)
        return ir.SetLit((value,), type=set_of(side), span=node.span)

    def _note(self, stmt: n.Note, env: Env) -> ir.Stmt:
        args = tuple(self.exprs.check(a, env) for a in stmt.call.args)
        told = told_sides(self.exprs, stmt.to, env) if stmt.to is not None else None
        # One entry for each name with arguments of the same types: the engine words them by their types.
        entry = (stmt.call.name.text, tuple(a.type.spec() for a in args))
        number = self.ctx.notes.setdefault(entry, len(self.program.notes))
        if number == len(self.program.notes):
            self.program.notes.append(entry[0])
            self.program.note_types.append(entry[1])
        return ir.Note(number, args, told, span=stmt.span)

    def _outcome(self, stmt: n.Outcome, env: Env) -> ir.Stmt:
        args = tuple(self.exprs.check(a, env) for a in stmt.call.args)
        for arg in args:
            if arg.type.kind == "pile":
                self.ctx.error(
                    "T301", "an outcome cannot be a pile", arg.span, "name a card, or their number"
                )
        if not self.foretells:
            self.ctx.error(
                "S613",
                "an outcome stands in a forecast",
                stmt.span,
                "write 'note' for the log; what comes of options is said in 'forecast f(…) of … { … }'",
            )
            return self.nothing(env, stmt.span)
        entry = (stmt.call.name.text, tuple(a.type.spec() for a in args))
        if entry not in self.program.outcomes:
            self.program.outcomes.append(entry)
        return ir.Outcome(self.program.outcomes.index(entry), args, span=stmt.span)

    def _mix(self, stmt: n.Mix, env: Env) -> ir.Stmt | list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        if is_parent(self.program, member):
            return mix_each(self.ctx, source, stmt.source.span, stmt.span)
        return ir.Mix(source, mixed_fields(self.ctx, member, stmt.source.span), span=stmt.span)
