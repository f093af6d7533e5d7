"""Effects that start and end, the winner, and what the log tells."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env, NoteSignature, number_of
from compiler.check.expressions import Expressions
from compiler.check.parents import is_parent
from compiler.check.statements.base import StatementChecker
from compiler.types import Type, set_of
from dsl import nodes as n
from dsl.source import Span
from runtime.model import FieldSpec
from runtime.words.said import said


class Effects(StatementChecker):
    """Checks steps on what is in force, on who has won, on what is known."""

    def _start(self, stmt: n.Start, env: Env) -> ir.Stmt | list[ir.Stmt]:
        started = self._effect(stmt.call, True, env, stmt.span)
        if isinstance(started, ir.SetEffect) and started.effect.group:
            return in_its_group(self.program, env, started)
        return started

    def _cease(self, stmt: n.Cease, env: Env) -> ir.Stmt:
        return self._effect(stmt.call, False, env, stmt.span)

    def _effect(self, call: n.Call, on: bool, env: Env, span: Span) -> ir.Stmt:
        effect = self.ctx.look_up("effect", call.name, self.program.effects)
        if effect is None:
            return self.nothing(env, span)
        if not call.args and (not on or not effect.params):
            return ir.SetEffect(effect, on, None, span=span)
        arg = self.exprs.instance(effect, call.args, env, call.span)
        return ir.SetEffect(effect, on, arg, span=span)

    def _expire(self, stmt: n.Expire, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        checkpoint = bool(self.ctx.look_up("scope", stmt.scope, self.program.scopes))
        fields = tuple(f for f in self.program.fields.values() if f.lasts == scope)
        effects = tuple(e for e in self.program.effects.values() if e.scope == scope)
        return ir.Expire(scope, checkpoint, fields, effects, span=stmt.span)

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
        to = recipients(self.exprs, stmt.to, env) if stmt.to is not None else None
        told = self._enter_note(stmt, args, self.ctx.notes)
        return ir.Note(number_of(told, self.ctx.note_numbers), args, to, span=stmt.span)

    def _enter_note(
        self, stmt: n.Note | n.Observe, args: tuple[ir.Expr, ...], all_: list[NoteSignature]
    ) -> NoteSignature:
        """Enter what a step tells: its name, with the types of arguments that it is worded by."""
        told = (stmt.call.name.text, tuple(a.type.spec() for a in args))
        self.ctx.numbered.append(stmt.span)
        all_.append(told)
        return told

    def _observe(self, stmt: n.Observe, env: Env) -> ir.Stmt:
        args = tuple(self.exprs.check(a, env) for a in stmt.call.args)
        for arg in args:
            if arg.type.kind == "pile":
                remedy = "name a card, or their number"
                self.ctx.error("T301", "a pile cannot be observed", arg.span, remedy)
        told = self._enter_note(stmt, args, self.ctx.observed)
        return ir.Observe(number_of(told, self.ctx.outcome_numbers), args, span=stmt.span)

    def _mix(self, stmt: n.Mix, env: Env) -> ir.Stmt | list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        if is_parent(self.program, member):
            return mix_each(self.ctx, source, stmt.source.span, stmt.span)
        return ir.Mix(source, mixed_fields(self.ctx, member, stmt.source.span), span=stmt.span)


_SIDE = Type("enum", "Side")


def mixed_fields(ctx: Context, member: Type, span: Span) -> tuple[FieldSpec, ...]:
    """The fields that pieces of a kind exchange: those not seen by all, but for the place."""
    if member.kind != "piece":
        remedy = "write a set of pieces: mix all u in Unit where …"
        ctx.report_misfit("only pieces can be mixed; this is {0}", span, member, remedy=remedy)
        return ()
    own = [f for f in ctx.program.fields.values() if f.owner == member.name]
    fields = tuple(f for f in own if f.seen_by is not None and not f.place)
    ctx.mixed_up.append(span)
    for f in fields:
        if f.fixed:
            message = said("'{name}' is fixed, but mixing would exchange it", name=f.name)
            ctx.error("T305", message, span, "remove 'fixed' from its declaration")
    if not fields:
        message = said(
            "{name} has no field that only some sides see, so there is nothing to mix",
            name=member.name,
        )
        ctx.error(
            "T307", message, span, said("declare fields of {name} as 'seen by'", name=member.name)
        )
    return fields


def mix_each(ctx: Context, source: ir.Expr, span: Span, step: Span) -> list[ir.Stmt]:
    """Pieces of a parent are mixed kind by kind: each exchanges with those of its own kind."""
    program = ctx.program
    parent = source.type.of.name if source.type.of is not None else ""
    hidden = {f.owner for f in program.fields.values() if f.seen_by is not None}
    kinds = [kind for kind in program.parents[parent] if kind in hidden]
    steps: list[ir.Stmt] = []
    for kind in kinds or program.parents[parent][:1]:
        piece = Type("piece", kind)
        own = ir.Narrow(source, type=set_of(piece), span=span)
        steps.append(ir.Mix(own, mixed_fields(ctx, piece, span), span=step))
    return steps


def recipients(x: Expressions, node: n.Expr, env: Env) -> ir.Expr:
    """Whom a note is for: a side or a set of sides."""
    value = x.check(node, env, _SIDE)
    if value.type.kind == "set":
        return x.require(value, Type("set", of=_SIDE), "those who are told", node.span)
    return x.require(value, _SIDE.maybe(), "who is told", node.span)


def in_its_group(program: ir.Program, env: Env, started: ir.SetEffect) -> list[ir.Stmt]:
    """The start of an effect of a group: the others cease for the same value, at once."""
    effect, span = started.effect, started.span
    result: list[ir.Stmt] = []
    value = started.arg
    if value is not None:
        name = env.bind("_value", value.type)
        result.append(ir.Let(name, value, span=span))
        value = ir.Local(name, type=value.type, span=span)
    others = [
        e for e in program.effects.values() if e.group == effect.group and e.name != effect.name
    ]
    steps = (
        *(ir.SetEffect(e, False, value, span=span) for e in others),
        ir.SetEffect(effect, True, value, span=span),
    )
    return [*result, ir.Together(steps, span=span)]
