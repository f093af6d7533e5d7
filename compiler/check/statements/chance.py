"""Dice and cards."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import never_empty
from compiler.check.parents import learn_kinds
from compiler.check.statements.base import StatementChecker
from compiler.types import BAD, INT, Type
from dsl import nodes as n
from dsl.diagnostics import Label
from runtime.words.said import said


class Chance(StatementChecker):
    """Checks rolls, draws, and what moves cards."""

    def _roll(self, stmt: n.Roll, env: Env) -> ir.Stmt:
        count = self.exprs.check(stmt.count, env)
        if count.type.kind != "int":
            message = "the number of dice must be a number, not {0}"
            self.ctx.report_misfit(message, stmt.count.span, count.type)
        die = self.ctx.look_up("die", stmt.die, self.program.dice)
        if die is None:
            self.exprs.bind(env, stmt.name, BAD)
            return ir.Let(env.bind("_", BAD), count, span=stmt.span)
        self._measure_of(die.name, count)
        face = Type("enum", die.enum) if die.enum else INT
        name = self.exprs.bind(env, stmt.name, Type("roll", of=face))
        return ir.Roll(count, die, name, span=stmt.span)

    def _measure_of(self, die: str, count: ir.Expr) -> None:
        """Dice of one kind are counted in one measure."""
        if count.type.kind != "int" or count.type.name in ("", "?"):
            return
        rolled = self.ctx.rolled
        self.ctx.numbered.append(count.span)
        if all(die != other for other, _, _ in rolled):
            rolled.append((die, count.type.plain(), count.span))
        measure, span = next((type_, at) for other, type_, at in rolled if other == die)
        if measure.name != count.type.name:
            message = said(
                "elsewhere '{die}' is rolled in {measure}, here in {type}",
                die=die,
                measure=measure,
                type=count.type.plain(),
            )
            remedy = "use the right column or quantity; a plain number can be rolled anywhere"
            labels = (Label(span, said("rolled in {measure} here", measure=measure)),)
            self.ctx.report_mixed(message, count.span, measure, count.type, remedy, labels)

    def _draw(self, stmt: n.Draw, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        if isinstance(source, ir.Pile):
            if stmt.where is not None:
                drawn = "a random one of those for which a condition holds is drawn from a set"
                remedy = said("{drawn}: draw c from (all x in … where …)", drawn=drawn)
                message = "of a pile the top card is taken, whatever it is"
                self.ctx.error("T307", message, stmt.where.span, remedy)
            name = self.exprs.bind(env, stmt.name, member.maybe())
            return ir.Draw(name, source, span=stmt.span)
        if source.type.kind == "roll":
            remedy = "draw from a set, a kind, an enum or a range a .. b"
            self.ctx.error("T307", "nothing can be drawn from a roll", stmt.source.span, remedy)
        # The filter sees the candidate under the name of what is drawn.
        inner = env.child()
        name = self.exprs.bind(inner, stmt.name, member)
        where = self.exprs.where(stmt.where, inner)
        some = stmt.where is None and never_empty(source)
        env.names[stmt.name.text] = (name, member if some else member.maybe())
        env.picked.add(name)
        learn_kinds(self.program, env, where)
        return ir.DrawFrom(name, source, where, span=stmt.span)

    def _pile(self, node: n.Expr, env: Env) -> ir.Pile | None:
        pile = self.exprs.check(node, env, Type("pile"))
        if isinstance(pile, ir.Pile):
            return pile
        remedy = "name a pile of a deck"
        if pile.type.kind == "hex":
            remedy = "a piece is moved with 'set u.hex = h'"
        self.ctx.report_misfit("this is {0}, not a pile", node.span, pile.type, remedy=remedy)
        return None

    def _card_to(self, card: n.Expr, pile: n.Expr, env: Env) -> tuple[ir.Expr, ir.Pile] | None:
        where = self._pile(pile, env)
        if where is None:
            self.exprs.check(card, env)
            return None
        kind = Type("enum", where.pile.enum).maybe()
        return self.exprs.of_type(card, env, kind, "the card"), where

    def _put(self, stmt: n.Put, env: Env) -> ir.Stmt:
        target = self._card_to(stmt.card, stmt.pile, env)
        return ir.Put(*target, span=stmt.span) if target else self.nothing(env, stmt.span)

    def _remove(self, stmt: n.Remove, env: Env) -> ir.Stmt:
        target = self._card_to(stmt.card, stmt.pile, env)
        return ir.Remove(*target, span=stmt.span) if target else self.nothing(env, stmt.span)

    def _shuffle(self, stmt: n.Shuffle, env: Env) -> ir.Stmt:
        pile = self._pile(stmt.pile, env)
        into = self._pile(stmt.into, env) if stmt.into is not None else None
        if pile is not None and into is not None and into.pile.deck != pile.pile.deck:
            message = said(
                "'{name}' and '{another}' are piles of different decks",
                name=pile.pile.name,
                another=into.pile.name,
            )
            self.ctx.error("T301", message, stmt.span, "cards stay in their deck")
        if pile is None:
            return self.nothing(env, stmt.span)
        return ir.Shuffle(pile, into, span=stmt.span)
