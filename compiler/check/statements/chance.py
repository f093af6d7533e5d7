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


class Chance(StatementChecker):
    """Checks rolls, draws, and what moves cards."""

    def _roll(self, stmt: n.Roll, env: Env) -> ir.Stmt:
        count = self.exprs.check(stmt.count, env)
        if count.type.kind != "int":
            message = f"the number of dice must be a number, not {count.type}"
            self.ctx.error("T301", message, stmt.count.span, types=(count.type,))
        die = self.program.dice.get(stmt.die.text)
        if die is None:
            self.ctx.unknown("R201", "die", stmt.die, self.program.dice)
            env.bind(stmt.name.text, BAD)
            return ir.Let(env.bind("_", BAD), count, span=stmt.span)
        self.ctx.used.add(f"die {die.name}")
        self._measure_of(die.name, count)
        face = Type("enum", die.enum) if die.enum else INT
        return ir.Roll(count, die, env.bind(stmt.name.text, Type("roll", of=face)), span=stmt.span)

    def _measure_of(self, die: str, count: ir.Expr) -> None:
        """Dice of one kind are counted in one measure."""
        if count.type.kind != "int" or count.type.name in ("", "?"):
            return
        measure, span = self.ctx.rolled.setdefault(die, (count.type.plain(), count.span))
        if measure.name != count.type.name:
            self.ctx.mixed(
                f"elsewhere '{die}' is rolled in {measure}, here in {count.type.plain()}",
                count.span,
                measure,
                count.type,
                "use the right column or quantity; a plain number can be rolled anywhere",
                (Label(span, f"rolled in {measure} here"),),
            )

    def _draw(self, stmt: n.Draw, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        if isinstance(source, ir.Pile):
            self.ctx.used.add(f"pile {source.pile.name}")
            if stmt.where is not None:
                remedy = (
                    "a random one of those for which a condition holds is drawn from a set: draw c "
                    "from (all x in … where …)"
                )
                message = "of a pile the top card is taken, whatever it is"
                self.ctx.error("T307", message, stmt.where.span, remedy)
            return ir.Draw(env.bind(stmt.name.text, member.maybe()), source, span=stmt.span)
        if source.type.kind == "roll":
            remedy = "draw from a set, a kind, an enum or a range a .. b"
            self.ctx.error("T307", "nothing can be drawn from a roll", stmt.source.span, remedy)
        # The filter sees the candidate under the name of what is drawn.
        inner = env.child()
        name = inner.bind(stmt.name.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        some = stmt.where is None and never_empty(source)
        env.names[stmt.name.text] = (name, member if some else member.maybe())
        env.picked.add(name)
        learn_kinds(self.program, env, where)
        return ir.DrawFrom(name, source, where, span=stmt.span)

    def _pile(self, node: n.Expr, env: Env) -> ir.Pile | None:
        pile = self.exprs.check(node, env, Type("pile"))
        if isinstance(pile, ir.Pile):
            self.ctx.used.add(f"pile {pile.pile.name}")
            return pile
        message = f"this is {pile.type}, not a pile"
        self.ctx.error("T301", message, node.span, "name a pile of a deck", types=(pile.type,))
        return None

    def _card_to(self, card: n.Expr, pile: n.Expr, env: Env) -> tuple[ir.Expr, ir.Pile] | None:
        where = self._pile(pile, env)
        if where is None:
            self.exprs.check(card, env)
            return None
        return self.exprs.of_type(
            card, env, Type("enum", where.pile.enum).maybe(), "the card"
        ), where

    def _put(self, stmt: n.Put, env: Env) -> ir.Stmt:
        found = self._card_to(stmt.card, stmt.pile, env)
        return ir.Put(*found, span=stmt.span) if found else self.nothing(env, stmt.span)

    def _remove(self, stmt: n.Remove, env: Env) -> ir.Stmt:
        found = self._card_to(stmt.card, stmt.pile, env)
        return ir.Remove(*found, span=stmt.span) if found else self.nothing(env, stmt.span)

    def _shuffle(self, stmt: n.Shuffle, env: Env) -> ir.Stmt:
        pile = self._pile(stmt.pile, env)
        into = self._pile(stmt.into, env) if stmt.into is not None else None
        if pile is not None and into is not None and into.pile.deck != pile.pile.deck:
            message = f"'{pile.pile.name}' and '{into.pile.name}' are piles of different decks"
            self.ctx.error("T301", message, stmt.span, "cards stay in their deck")
        if pile is None:
            return self.nothing(env, stmt.span)
        return ir.Shuffle(pile, into, span=stmt.span)
