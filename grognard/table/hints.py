"""Advice for who is asked: what would come of a choice, as the rules foresee it and as it is seen
when it is played out; what a bot would choose, and what speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
from runtime.runs.bots import GreedyBot, ended
from runtime.state import StateBase
from runtime.view import view

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: How many parts of what a position is worth are told.
_PARTS = 3
#: About how many decisions are looked at: a player who asks waits longer than a match of bots.
_BUDGET = 120

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

    def worth_at_once(self, option: int, after: StateBase | None, side: int) -> float:
        worth = super().worth_at_once(option, after, side)
        if after is not None:
            self.ends.setdefault(option, _Ends()).at_once.append((worth, after.copy()))
        return worth

    def worth_later(
        self, option: int, after: StateBase | None, side: int, turn: int, luck: Iterator[float]
    ) -> float:
        worth = super().worth_later(option, after, side, turn, luck)
        if after is not None:
            self.ends.setdefault(option, _Ends()).played_on.append((worth, after))
        return worth


def hint(
    game: Game, menu: Menu, decision: Decision, explainer: Callable[[], Explainer]
) -> tuple[Option, list[Line]]:
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
    head = Line(words("a bot would choose: {option}", option=menu.wording(decision, best)))
    if len(bot.ranked) < 2 or "standing" not in game.spec.calls:
        return best, [head]
    other = menu.wording(decision, by_value[bot.ranked[1]])
    return best, [head, Line(_compared(game, menu, decision.side, bot, other, explainer), 1)]


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
        if not tries:
            return words("no worse than '{other}', the next best", other=other)
        same = "no worse than '{other}', the next best, in any of {count} tries of how it may go on"
        return words(same, other=other, count=tries)
    message = "ahead of '{other}', the next best, in {ahead} of {count} tries of how it may go on"
    if not tries:  # the position that it leads to has settled
        message = "ahead of '{other}', the next best"
    sentence = words(message, other=other, ahead=ahead, count=tries)
    sentence += words(", level in {level}", level=level) if level else ""
    won = [sum(ended(state, side) for _, state in one.played_on) for one in (best, next_)]
    if won[0] != won[1]:
        if won[0] > won[1]:
            return sentence + words("; the game ends better for you in them")
        return sentence + words("; the game ends worse for you in them")
    gains, losses = _parts(game, side, bot, explainer)
    sentence += words("; for it: {parts}", parts=", ".join(gains)) if gains else ""
    return sentence + (words("; against it: {parts}", parts=", ".join(losses)) if losses else "")


def _parts(
    game: Game, side: int, bot: _Watched, explainer: Callable[[], Explainer]
) -> tuple[list[str], list[str]]:
    """Of the parts that make up what a position is worth, those in which the best is ahead on
    average and those in which the next best is, the greatest first.
    """
    # start-up: who asks for no hint needs no interpreter
    from compiler.interpreter import explain_quantity

    program = explainer().program
    if program.calls["standing"].kind != "quantity":
        return [], []
    sums: dict[str, float] = {}
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
    greatest = sorted(sums, key=lambda name: -abs(sums[name]))[:_PARTS]

    def words(names: list[str]) -> list[str]:
        return [game.wording.text(f"worth.{n}", default=n.replace("_", " ")) for n in names]

    return words([n for n in greatest if sums[n] > 0]), words([n for n in greatest if sums[n] < 0])
