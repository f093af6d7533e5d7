"""What a bot would choose at the prompt, and what speaks for it: what it has computed, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from grognard.table.menu import Menu
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.option import Option
from runtime.runs.bots import GreedyBot, ended
from runtime.state import StateBase
from runtime.view import view

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: How many parts of what a position is worth are told.
_PARTS = 3
#: About how many decisions are looked at: a player who asks waits longer than a match of bots.
_BUDGET = 120


@dataclass
class _Ends:
    """Where an option has led: right after it, and played on, each with what that is worth."""

    at_once: list[tuple[float, StateBase]] = field(default_factory=list)
    played_on: list[tuple[float, StateBase]] = field(default_factory=list)


class _Watched(GreedyBot):
    """The greedy bot, which remembers where the options have led."""

    def __init__(self) -> None:
        super().__init__(_BUDGET)
        self.ends: dict[int, _Ends] = {}

    def _worth_at_once(self, option: int, after: StateBase | None, side: int) -> float:
        worth = super()._worth_at_once(option, after, side)
        if after is not None:
            self.ends.setdefault(option, _Ends()).at_once.append((worth, after.copy()))
        return worth

    def _worth_later(
        self, option: int, after: StateBase | None, side: int, turn: int, luck: Iterator[float]
    ) -> float:
        worth = super()._worth_later(option, after, side, turn, luck)
        if after is not None:
            self.ends.setdefault(option, _Ends()).played_on.append((worth, after))
        return worth


def hint(
    game: Game, menu: Menu, decision: Decision, explainer: Callable[[], Explainer]
) -> tuple[Option, list[str]]:
    """What the greedy bot would choose, going by what the side sees, and how much better it has
    found that than the next best: in how many of the ways it has played on, by how much, and in
    which parts of what a position is worth.
    """
    bot, words = _Watched(), menu.scene.words
    seen = view(game.state, decision.side)
    luck = Random(f"hint {len(game.actions)}")
    chosen = bot.search(game.program, seen, game.state.options, luck)
    by_value = {option.raw: option for option in decision.options}
    best = by_value[chosen]
    told = words("a bot would choose: {option}", option=menu.wording(decision, best))
    if len(bot.ranked) < 2 or "standing" not in game.spec.calls:
        return best, [told]
    other = menu.wording(decision, by_value[bot.ranked[1]])
    return best, [told, f"  {_compared(game, menu, decision.side, bot, other, explainer)}"]


def _compared(
    game: Game, menu: Menu, side: int, bot: _Watched, other: str, explainer: Callable[[], Explainer]
) -> str:
    """What the best has over the next best, called *other*."""
    words = menu.scene.words
    best, next_ = (bot.ends[option] for option in bot.ranked[:2])
    pairs = [(a, b) for (a, _), (b, _) in zip(best.played_on, next_.played_on, strict=False)]
    ahead, level = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
    tries = len(pairs)
    if level == tries and best.at_once[0][0] == next_.at_once[0][0]:
        same = "no worse than '{other}', the next best, in any of {count} tries of how it may go on"
        return words(same, other=other, count=tries)
    message = "ahead of '{other}', the next best, in {ahead} of {count} tries of how it may go on"
    told = words(message, other=other, ahead=ahead, count=tries)
    told += words(", level in {level}", level=level) if level else ""
    won = [sum(ended(state, side) for _, state in one.played_on) for one in (best, next_)]
    if won[0] != won[1]:
        if won[0] > won[1]:
            return told + words("; the game ends better for you in them")
        return told + words("; the game ends worse for you in them")
    gains, losses = _parts(game, side, bot, explainer)
    told += words("; for it: {parts}", parts=", ".join(gains)) if gains else ""
    return told + (words("; against it: {parts}", parts=", ".join(losses)) if losses else "")


def _parts(
    game: Game, side: int, bot: _Watched, explainer: Callable[[], Explainer]
) -> tuple[list[str], list[str]]:
    """Of the parts that make up what a position is worth, those in which the best is ahead on
    average and those in which the next best is, the greatest first.
    """
    from compiler.interpreter import explain_quantity

    program = explainer().program
    sums: dict[str, float] = {}
    if program.calls["standing"].kind != "quantity":
        return [], []
    for sign, option in zip((1, -1), bot.ranked[:2], strict=False):
        ends = bot.ends[option]
        weighed = [(bot.at_once, state) for _, state in ends.at_once]
        weighed += [(1.0, state) for _, state in ends.played_on]
        for weight, state in weighed:
            for stage in explain_quantity(program, state, "standing", [side]).stages:
                for applied in stage.applied:
                    if applied.op != "by":  # a limit hides what the parts are worth
                        return [], []
                    name = applied.rule.label
                    sums[name] = sums.get(name, 0.0) + sign * weight * applied.amount
    text = game.wording.text
    greatest = sorted(sums, key=lambda name: -abs(sums[name]))[:_PARTS]
    called = {name: text(f"worth.{name}", default=name.replace("_", " ")) for name in greatest}
    return [called[n] for n in greatest if sums[n] > 0], [
        called[n] for n in greatest if sums[n] < 0
    ]
