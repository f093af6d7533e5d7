"""Advice for who is asked: what would come of a choice, as the rules foresee it and as it is seen
when it is played out; what a bot would choose, and what speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from grognard.draw.scene import Scene
from grognard.explain.answers import odds_lines
from grognard.explain.forecasts import Phrases, of_state
from grognard.explain.rollouts import Figures, odds_of
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.option import Option
from runtime.runs.bots import ended
from runtime.runs.search import Look, SearchBot
from runtime.runs.worlds import PlainWorld
from runtime.state import RulesetFault, StateBase
from runtime.view import Sight, view

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: How many parts of what a position is worth are told.
_PARTS = 3
#: How far a bot looks ahead for somebody who asks: in so many playouts, or for so many seconds.
_PLAYOUTS, _SECONDS = 150, 3.0
#: How often two options are played on to be compared, and by how many decisions at most.
_TRIES, _MOST = 6, 60

# ---------------------------------------------------------------------- what would come of it


def foretold(game: Game, menu: Menu, options: Sequence[Option], explainer: Explainer) -> list[Line]:
    """What the forecasts say of options that a side takes one after another, and which rules give
    the numbers in them.
    """
    lines: list[Line] = []
    phrases = Phrases(game.wording, menu.scene.words)
    state = game.state
    for option, named in zip(options, _named(game, menu, options), strict=True):
        if state.chooser != game.state.chooser or option.raw not in state.options:
            break
        seen = view(state, state.chooser)
        for one in of_state(game, seen, option.raw):
            lines.append(Line(f"{named}: {phrases.beside(one.foreseen)}"))
            lines += [line.under() for line in phrases.lines(one.foreseen)]
            for explanation in explainer.forecast(seen, one.forecast.name, one.args, game.setup):
                lines += [line.under() for line in explanation.lines]
        # What comes next is gone on with where nothing of it hangs on chance, or on what is not
        # seen.
        state = seen.sample(Random(0))
        before = list(state.counters)
        game.program.answer(state, option.raw)
        if state.counters != before or state.reveals:
            break
    return lines


def what_comes(
    game: Game, menu: Menu, options: Sequence[Option], explainer: Callable[[], Explainer]
) -> list[list[Line]]:
    """The answers to `odds`: what the forecasts say of options and, unless that is nothing new,
    what comes of them when they are played out.
    """
    forecasts = foretold(game, menu, options, explainer()) if game.spec.forecasts else []
    played = foreseen(game, menu, options, bool(forecasts))
    return [lines for lines in (forecasts, played) if lines]


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


def foreseen(
    game: Game, menu: Menu, options: Sequence[Option], briefly: bool = False
) -> list[Line]:
    """What would come of options that a side takes one after another, when it is played out;
    *briefly*, nothing where that is nothing.
    """
    words = menu.scene.words
    first = words("played out: {options}", options=", ".join(_named(game, menu, options)))
    rng = Random(f"odds {len(game.actions)} {first}")
    odds = odds_of(game, menu.scene, options, rng, figures(menu.scene))
    if not odds.times:
        return [Line(f"{first}: {words('that cannot be foreseen from here')}")]
    if not odds.seen:
        if briefly:
            return []
        sentence = words("nothing changes on the board, as long as both sides pass when they may")
        return [Line(f"{first}: {sentence}")]
    sentence = words("no chance in it")
    if odds.chance:
        message = (
            "{count} times; sides pass when they may, else choose at random; "
            "in brackets the 95% interval"
        )
        sentence = words(message, count=odds.times)
    return [Line(f"{first}: {sentence}"), *odds_lines(words, odds)]


def figures(scene: Scene) -> Figures:
    """What counters say for the strength of pieces, of kinds where that is no number of theirs."""

    def of(state: StateBase, side: int) -> dict[tuple[str, int], str]:
        looks = scene.looks(view(state, side))
        return {piece: token.figures for piece, token in looks.items()}

    def numbered(kind: str) -> bool:
        strength = scene.strength_of(kind)
        text = str(scene.style.part("pieces", kind).get("figures", ""))
        return strength is not None and (not text or f"{{{strength.name}" in text)

    return Figures([kind for kind in scene.spec.kinds if not numbered(kind)], of)


# ---------------------------------------------------------------------- what a bot would choose


def hint(
    game: Game, menu: Menu, decision: Decision, explainer: Callable[[], Explainer]
) -> tuple[Option, list[Line]]:
    """What a bot that looks ahead would choose, going by what the side sees: how it rates the
    side's chances with that and with the next best, and in which parts of what a position is worth
    the two differ.
    """
    bot, words = SearchBot(_PLAYOUTS, _SECONDS), menu.scene.words
    seen = view(game.state, decision.side)
    luck = f"hint {len(game.actions)}"
    best, *others = bot.rank(game.program, game.setup, seen, game.state.options, Random(luck))
    by_value = {option.raw: option for option in decision.options}
    chosen = by_value[best.option]
    head = Line(words("a bot would choose: {option}", option=menu.wording(decision, chosen)))
    if not others or not others[0].tried or "standing" not in game.spec.calls:
        return chosen, [head]
    other = menu.wording(decision, by_value[others[0].option])
    message = "it rates your chances with that {share}%, with '{other}', the next best, {less}%"
    share, less = (round(100 * one.value) for one in (best, others[0]))
    sentence = words(message, share=share, other=other, less=less)
    return chosen, [head, Line(sentence + _why(game, menu, seen, best, others[0], explainer), 1)]


def _why(
    game: Game,
    menu: Menu,
    seen: Sight,
    best: Look,
    other: Look,
    explainer: Callable[[], Explainer],
) -> str:
    """What speaks for the best and what for the next best, where both are played on from the same
    positions with the same luck.
    """
    words, side = menu.scene.words, seen.side
    ends = [_played_on(game, seen, one.option) for one in (best, other)]
    won = [sum(ended(state, side) for state in states) for states in ends]
    if won[0] != won[1]:
        if won[0] > won[1]:
            return words("; the game ends better for you with it")
        return words("; the game ends worse for you with it")
    gains, losses = _parts(game, side, ends, explainer)
    sentence = words("; for it: {parts}", parts=", ".join(gains)) if gains else ""
    return sentence + (words("; against it: {parts}", parts=", ".join(losses)) if losses else "")


def _played_on(game: Game, seen: Sight, option: int) -> list[StateBase]:
    """Positions soon after an option, some in each of which others have other luck."""
    ends = []
    for number in range(_TRIES):
        world = PlainWorld(game.program, seen, f"{len(game.actions)}:{number}")
        with suppress(RulesetFault):  # what is drawn may contradict what is under way
            world.begin()
            world.answer(option)
            world.rollout(3, 1, _MOST)
            ends.append(world.state)
    return ends


def _parts(
    game: Game, side: int, ends: Sequence[Sequence[StateBase]], explainer: Callable[[], Explainer]
) -> tuple[list[str], list[str]]:
    """Of the parts that make up what a position is worth, those in which the first positions are
    ahead on average and those in which the second are, the greatest first.
    """
    # start-up: who asks for no hint needs no interpreter
    from compiler.interpreter import explain_quantity

    program = explainer().program
    if program.calls["standing"].kind != "quantity":
        return [], []
    sums: dict[str, float] = {}
    for sign, states in zip((1, -1), ends, strict=True):
        for state in states:
            for stage in explain_quantity(program, state, "standing", [side]).stages:
                for applied in stage.applied:
                    if applied.op != "by":  # a limit hides what the parts are worth
                        return [], []
                    name, amount = applied.rule.label, sign * applied.amount / len(states)
                    sums[name] = sums.get(name, 0.0) + amount
    greatest = sorted(sums, key=lambda name: -abs(sums[name]))[:_PARTS]

    def words(names: list[str]) -> list[str]:
        return [game.wording.text(f"worth.{n}", default=n.replace("_", " ")) for n in names]

    return words([n for n in greatest if sums[n] > 0]), words([n for n in greatest if sums[n] < 0])
