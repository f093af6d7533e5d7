"""Help at the prompt: what would come of a choice, and what a bot would choose."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from grognard.menu import Menu
from grognard.odds import odds_of
from grognard.outlook import Phrases, of_state
from grognard.words import Words
from runtime.game import ChoiceError, Decision, Game, Option
from runtime.view import view

if TYPE_CHECKING:
    from grognard.explain import Explainer

HELP = """\
Choose by number, or by typing an option or its beginning (a hex or a name alone will do where it is clear).
Several answers go in one line, taken together or not at all: 'S.HI2 D6', '4th 1206, 6th 1009, done', 'all'.

  ?              what is asked, and this help
  ? 3, ? text    what stands behind an option, what a piece can do, why a thing is not possible
  ? hill         what a kind of ground or of units, a river, a card does; what a term means (? retreat)
  ?? text        the same with all that the rules say, and where it is written
  options, more  the options again, all of them (options name, options odds: sorted)
  board, board X the board again with what its signs mean; the part of it around X
  hand           your cards with their texts    log       what has happened (log 30, log turn 2, log all)
  odds X         what would come of a choice, or of a line: losses and their chances
  hint           what a bot would choose, and why
  look X         what you see of a piece, on the board or off it, or of a hex
  never          pass, and pass whenever the same is asked again in this turn ('undo' takes it back)
  undo           take the last line back, as long as nothing was revealed and no die rolled
  save FILE      write the game so far to a file, to be resumed or replayed
  quit           leave; the game can be resumed
"""


#: Where the right column of the help begins.
_COLUMN = " " * 17


def helping(words: Words, width: int) -> str:
    """The help in the words of a language, folded to a width."""
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=_COLUMN if line.startswith(" ") else "")
        for line in words.lines(HELP).split("\n")
    )


def foretold(game: Game, menu: Menu, options: Sequence[Option], explainer: Explainer) -> list[str]:
    """What the forecasts say of options that a side takes one after another, and which rules give the numbers
    in them.
    """
    made: list[str] = []
    phrases = Phrases(game.wording, menu.scene.words)
    state = game.state
    for option, named in zip(options, _named(game, menu, options), strict=True):
        if state.chooser != game.state.chooser or option.value not in state.options:
            break
        seen = view(state, state.chooser)
        for one in of_state(game, seen, option.value):
            made += [
                f"{named}: {phrases.beside(one.foreseen)}",
                *(f"  {line}" for line in phrases.lines(one.foreseen)),
            ]
            for found in explainer.forecast(seen, one.forecast.name, one.args, game.setup):
                made += [f"  {line}" for line in found.lines]
        # What comes next is gone on with where nothing of it hangs on chance, or on what is not seen.
        state = seen.sample(Random(0))
        before = list(state.counters)
        game.program.answer(state, option.value)
        if state.counters != before or state.reveals:
            break
    return made


def what_comes(
    game: Game, menu: Menu, options: Sequence[Option], explainer: Callable[[], Explainer]
) -> list[list[str]]:
    """The answers to `odds`: what the forecasts say of options and, unless that is nothing new, what comes of
    them when they are played out.
    """
    told = foretold(game, menu, options, explainer()) if game.spec.forecasts else []
    played = foreseen(game, menu, options, bool(told))
    return [lines for lines in (told, played) if lines]


def each_alone(menu: Menu, decision: Decision, line: str) -> list[tuple[Option, ...]]:
    """The options that a line names one beside the other, as *1, 3* of a question that takes one answer;
    nothing where a part of it is no option.
    """
    try:
        return [(menu.resolve(decision, part.strip()),) for part in line.split(",")]
    except ChoiceError:
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
    """What would come of options that a side takes one after another, when it is played out; *briefly*,
    nothing where that is nothing.
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
            "{count} times; sides pass when they may, else choose at random; in brackets the 95% interval"
        )
        told = words(message, count=found.times)
    return [f"{first}: {told}", *(f"  {line}" for line in found.lines(words))]
