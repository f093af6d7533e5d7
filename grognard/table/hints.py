"""What would come of a choice: as the rules foresee it, and as it is seen when it is played out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from grognard.explain.forecasts import of_state
from grognard.explain.phrases import Phrases
from grognard.explain.rollouts import odds_of
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.option import Option
from runtime.view import view

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer


def foretold(game: Game, menu: Menu, options: Sequence[Option], explainer: Explainer) -> list[str]:
    """What the forecasts say of options that a side takes one after another, and which rules give
    the numbers in them.
    """
    made: list[str] = []
    phrases = Phrases(game.wording, menu.scene.words)
    state = game.state
    for option, named in zip(options, _named(game, menu, options), strict=True):
        if state.chooser != game.state.chooser or option.raw not in state.options:
            break
        seen = view(state, state.chooser)
        for one in of_state(game, seen, option.raw):
            made += [
                f"{named}: {phrases.beside(one.foreseen)}",
                *(f"  {line}" for line in phrases.lines(one.foreseen)),
            ]
            for found in explainer.forecast(seen, one.forecast.name, one.args, game.setup):
                made += [f"  {line}" for line in found.lines]
        # What comes next is gone on with where nothing of it hangs on chance, or on what is not
        # seen.
        state = seen.sample(Random(0))
        before = list(state.counters)
        game.program.answer(state, option.raw)
        if state.counters != before or state.reveals:
            break
    return made


def what_comes(
    game: Game, menu: Menu, options: Sequence[Option], explainer: Callable[[], Explainer]
) -> list[list[str]]:
    """The answers to `odds`: what the forecasts say of options and, unless that is nothing new,
    what comes of them when they are played out.
    """
    told = foretold(game, menu, options, explainer()) if game.spec.forecasts else []
    played = foreseen(game, menu, options, bool(told))
    return [lines for lines in (told, played) if lines]


def each_alone(menu: Menu, decision: Decision, line: str) -> list[tuple[Option, ...]]:
    """The options that a line names one beside the other, as *1, 3* of a question that takes one
    answer; nothing where a part of it is no option.
    """
    try:
        return [(menu.resolve(decision, part.strip()),) for part in line.split(",")]
    except IllegalOption:
        return []


def _named(game: Game, menu: Menu, options: Sequence[Option]) -> list[str]:
    """Options that a side takes one after another, in words."""
    copy, names = game.copy(), []
    for option in options:
        assert copy.decision is not None
        names.append(menu.over(copy).wording(copy.decision, option))
        if option is not options[-1]:
            copy.play(option)
    return names


def foreseen(game: Game, menu: Menu, options: Sequence[Option], briefly: bool = False) -> list[str]:
    """What would come of options that a side takes one after another, when it is played out;
    *briefly*, nothing where that is nothing.
    """
    words = menu.scene.words
    first = words("played out: {options}", options=", ".join(_named(game, menu, options)))
    found = odds_of(game, menu.scene, options, Random(f"odds {len(game.actions)} {first}"))
    if not found.times:
        return [f"{first}: {words('that cannot be foreseen from here')}"]
    if not found.seen:
        if briefly:
            return []
        told = words("nothing changes on the board, as long as both sides pass when they may")
        return [f"{first}: {told}"]
    told = words("no chance in it")
    if found.chance:
        message = (
            "{count} times; sides pass when they may, else choose at random; "
            "in brackets the 95% interval"
        )
        told = words(message, count=found.times)
    return [f"{first}: {told}", *(f"  {line}" for line in found.lines(words))]
