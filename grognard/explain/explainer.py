"""The explanations of one ruleset, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.explain import citations, decisions, derivations
from grognard.explain.citations import Explainable
from grognard.explain.decisions import Target
from grognard.explain.mentions import ThingFacts, about_field, about_member
from grognard.explain.rules import Rules, place_of
from grognard.explain.travels import explain_travel
from grognard.lexicon.catalogue import ENGLISH
from grognard.lexicon.names import Lexicon
from grognard.lexicon.values import parse_arguments
from runtime.errors import ArgumentError
from runtime.games.decision import Decision
from runtime.games.explanation import Explanation, Reason
from runtime.games.game import Game
from runtime.games.wording import wording_for
from runtime.model import DecisionSpec, TypeSpec
from runtime.option import Option
from runtime.scenario.setup import SetUp
from runtime.spelling import did_you_mean
from runtime.state import StateBase
from runtime.view import Sight


class Explainer(Rules):
    """Explains one ruleset, with the labels of *board* where that is not the ruleset's own.  What
    players are told (:func:`plainly`) is in *language*.

    Explanations are found by evaluating the checked rules in the position at hand; they change
    nothing. LoadError when the ruleset has errors or is abstract.
    """

    # ------------------------------------------------------------------ without a position

    def catalogue(self) -> tuple[Explainable, ...]:
        """What can be asked for, in the order of the sources."""
        return tuple(citations.explainable(self, name) for name in self._explainable())

    def _explainable(self) -> tuple[str, ...]:
        travels = (travel.name for travel in self.program.travels.values() if travel.via_of is None)
        return (*self.program.calls, *travels)

    def declaration(self, name: str) -> Explanation:
        """A quantity, permission or function with its rules.  ArgumentError when there is none."""
        self.explainable(name)
        return citations.declaration(self, name)

    def rule(self, rule: str) -> Explanation | None:
        """Where a rule ID is used; None when neither index nor rules know it."""
        return citations.explain_rule(self, rule)

    def member(self, enum: str, member: int) -> ThingFacts:
        """What tables and rules say of a member of an enumeration, by its number."""
        key = (enum, member)
        if key not in self._known:
            self._known[key] = about_member(self.program, enum, member)
        return self._known[key]

    def mark(self, field: str) -> ThingFacts:
        """What rules say of hexes that have a field of Hex."""
        return about_field(self.program, field)

    def remark(self, owner: str, name: str) -> str:
        """What the author remarks of a field, or of a column of an enumeration, in English."""
        if self.language != ENGLISH:
            return ""
        column = self.program.columns.get((owner, name))
        what = f"field {owner}.{name}" if column is None else f"column {name} of {column.table}"
        return self.program.remarks.get(what, "")

    def explainable(self, name: str) -> Explainable:
        """What can be explained under a *name*.  ArgumentError when there is none."""
        if name not in self._explainable():
            unknown = f"there is no quantity, permission, function or travel '{name}'"
            listing = f"`grognard explain {self.ruleset.name}` lists what can be explained"
            raise ArgumentError(unknown, did_you_mean(name, self._explainable()) or listing)
        return citations.explainable(self, name)

    # ------------------------------------------------------------------ in a position

    def explain(
        self, state: StateBase, name: str, args: Sequence[int], setup: SetUp
    ) -> Explanation:
        """How a quantity, permission or function comes to its value; where a travel leads.

        *args* are values as the engine has them (see :meth:`arguments`), of a travel with a hex
        more to ask for the way to it; a *state* guarded for a side (:mod:`runtime.view`) gives what
        that side may be told.
        """
        about = self.explainable(name)
        if about.kind == "travel":
            count = len(about.params)
            target = args[count] if len(args) > count else None
            return explain_travel(self, state, name, list(args[:count]), target, setup)
        return derivations.explain_call(self, state, name, args, setup)

    def arguments(
        self, game: Game, name: str, words: Sequence[str], state: StateBase | None = None
    ) -> list[int]:
        """Arguments that people write, as values: names of pieces (or the hex where one stands),
        hexes, members, numbers.

        *state* is the game's, or as much of it as a side sees.  ArgumentError when there are too
        many or too few, or one names nothing, or several things.
        """
        about = self.explainable(name)
        calls, travels = self.program.calls, self.program.travels
        params = calls[name].params if name in calls else travels[name].params
        wanted = [(param.name, param.type.spec()) for param in params]
        if about.kind == "travel" and len(words) == len(wanted) + 1:
            wanted.append(("to", TypeSpec("hex", "Hex")))
        there = game.state if state is None else state
        english = Lexicon.of(wording_for(game.spec, game.setup))
        return parse_arguments(english, there, about.signature, wanted, words)

    def forecast(
        self, seen: Sight, name: str, args: Sequence[Any], setup: SetUp
    ) -> list[Explanation]:
        """How the numbers come about that a forecast rests on, on what a side sees."""
        return derivations.explain_forecast(self, seen, name, args, setup)

    # ------------------------------------------------------------------ at a decision

    def targets(self, game: Game, text: str) -> list[Target]:
        """What *text* could mean at the pending decision, offered or not."""
        return decisions.targets(game, text)

    def why_not(self, game: Game, target: Target) -> tuple[Reason, ...]:
        """Why something is not offered at the pending decision, as far as its side sees it; () when
        nothing says so.
        """
        return decisions.why_not(self, game, target)

    def coming(self, procedure: str, step: str) -> list[tuple[str, list[DecisionSpec]]]:
        """The steps that come behind one in the same procedure, with the decisions that they ask
        for.
        """
        return decisions.coming(self, procedure, step)

    def asked_at(self, decision: Decision) -> str:
        """Where the question stands that is asked, as lines of explanations have it."""
        return place_of(self.program.decision_nodes[decision.point].span)

    def option(self, game: Game, option: Option) -> Explanation:
        """What stands behind an option of the pending decision: its rules, where it is written."""
        return decisions.explain_option(self, game, option)
