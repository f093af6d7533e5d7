"""Help at the prompt: what would come of a choice, and what a bot would choose."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from grognard.menu import Menu
from grognard.odds import odds_of
from grognard.words import ENGLISH
from runtime.bots import make_bot
from runtime.game import Decision, Game, Option
from runtime.view import view


def foreseen(game: Game, menu: Menu, options: Sequence[Option]) -> list[str]:
    """What would come of options that a side takes one after another."""
    words, texts = menu.scene.words, [option.text for option in options]
    if words.language != ENGLISH and game.decision is not None:
        texts[0] = menu.wording(game.decision, options[0])
    first = words("odds of {options}", options=", ".join(texts))
    found = odds_of(game, menu.scene, options, Random(f"odds {len(game.actions)} {first}"))
    if not found.times:
        return [f"{first}: {words('that cannot be foreseen from here')}"]
    if not found.seen:
        told = words("nothing changes on the board, as long as both sides pass when they may")
        return [f"{first}: {told}"]
    told = words("no chance in it")
    if found.chance:
        told = words(
            "{count} times, where both sides pass when they may; in brackets the 95% interval",
            count=found.times,
        )
    return [f"{first}: {told}", *(f"  {line}" for line in found.lines(words))]


def hint(game: Game, menu: Menu, decision: Decision) -> list[str]:
    """What the greedy bot would choose, going by what the side sees."""
    bot = make_bot("greedy", game.program)
    rng = Random(f"hint {len(game.actions)}")
    value = bot.choose(view(game.state, decision.side), tuple(game.state.options), rng)
    option = game.wording.option(game.state.point, value)
    return [menu.scene.words("a bot would choose: {option}", option=menu.wording(decision, option))]
