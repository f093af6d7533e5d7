"""Advice for who is asked: what would come of a choice, as the rules foresee it and as it is seen
when it is played out; what a bot would choose, and what speaks for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from grognard.draw.scene import Scene
from grognard.explain.answers import odds_lines
from grognard.explain.forecasts import Phrases, of_state
from grognard.explain.rollouts import Figures, odds_of
from grognard.lexicon.catalogue import Words
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.option import Option
from runtime.runs.search import SearchBot, SearchResult, played_on, spread_of
from runtime.runs.seats import BOTS, REGULAR, Seat, make_bot
from runtime.state import StateBase
from runtime.view import Sight, view

if TYPE_CHECKING:
    from compiler import ir
    from grognard.explain.explainer import Explainer

#: How many parts of what a position is worth are told.
_PARTS = 3
#: How many seconds a search may take: a player who asks waits longer than for a bot.
_SECONDS = 4.0
#: How often the best and the next best are played on to see what makes the difference: at most, at
#: least, and in how many seconds.
_LOOKS, _LEAST, _LOOKING = 40, 8, 1.5
#: How many decisions are told of what is expected to come.
_STEPS = 6

# ---------------------------------------------------------------------- what would come of it


def forecast_lines(
    game: Game, menu: Menu, options: Sequence[Option], explainer: Explainer
) -> list[Line]:
    """What the forecasts say of options that a side takes one after another, and which rules give
    the numbers in them.
    """
    lines: list[Line] = []
    phrases = Phrases(game.wording, menu.scene.words)
    state = game.state
    for option, named in zip(options, _option_names(game, menu, options), strict=True):
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
    forecasts = forecast_lines(game, menu, options, explainer()) if game.spec.forecasts else []
    played = playout_lines(game, menu, options, bool(forecasts))
    return [lines for lines in (forecasts, played) if lines]


def each_alone(menu: Menu, decision: Decision, line: str) -> list[tuple[Option, ...]]:
    """The options that a line names one beside the other, as *1, 3* of a question that takes one
    answer; nothing where a part of it is no option.
    """
    try:
        return [(menu.resolve(decision, part.strip()),) for part in line.split(",")]
    except IllegalOption:
        return []


def _option_names(game: Game, menu: Menu, options: Sequence[Option]) -> list[str]:
    """Options that a side takes one after another, in words."""
    copy, names = game.copy(), []
    for option in options:
        assert copy.decision is not None
        names.append(menu.for_copy(copy).wording(copy.decision, option))
        if option is not options[-1]:
            copy.play(option)
    return names


def playout_lines(
    game: Game, menu: Menu, options: Sequence[Option], briefly: bool = False
) -> list[Line]:
    """What would come of options that a side takes one after another, when it is played out;
    *briefly*, nothing where that is nothing.
    """
    words = menu.scene.words
    first = words("played out: {options}", options=", ".join(_option_names(game, menu, options)))
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
    """What a bot would choose that searches by what the side sees; how often it has tried that and
    the next best, how it rates both, which parts of what a position is worth make the difference,
    and how it expects the game to go on.
    """
    bot, words = SearchBot(REGULAR, _SECONDS), menu.scene.words
    seen, luck = view(game.state, decision.side), f"hint {len(game.actions)}"
    chosen = bot.search(game.program, game.setup, seen, game.state.options, Random(luck))
    best = next(option for option in decision.options if option.raw == chosen)
    lines = [Line(words("a bot would choose: {option}", option=menu.wording(decision, best)))]
    thought = bot.thought
    if thought is None or "standing" not in game.spec.calls:
        return best, lines
    sentence = _comparison(menu, decision, thought)
    gains, losses = _parts(game, words, seen, thought, luck, explainer)
    sentence += words("; for it: {parts}", parts=", ".join(gains)) if gains else ""
    sentence += words("; against it: {parts}", parts=", ".join(losses)) if losses else ""
    lines.append(Line(sentence, 1))
    return best, [*lines, *(line.under() for line in expected_line(menu, thought.line[1:]))]


def _comparison(menu: Menu, decision: Decision, thought: SearchResult) -> str:
    """How often the best and the next best were tried, and how they are rated."""
    words = menu.scene.words
    best, other = thought.ranked[:2]
    count = sum(one.times for one in thought.ranked)
    message = "of {count} tries of how it may go on {times} begin with it, rated {rating}"
    rating = words.percent(best.value)
    sentence = words(message, count=count, times=best.times, rating=rating)
    name = next(menu.wording(decision, o) for o in decision.options if o.raw == other.option)
    if not other.times:
        return sentence + words("; no other was worth a try")
    sentence += words(
        "; with '{other}', the next, {times}, rated {rating}",
        other=name,
        times=other.times,
        rating=words.percent(other.value),
    )
    # where the numbers seem to say something else, the rule by which it chooses
    if other.times > best.times:
        message = "; it passes only if that is tried more than twice as often, or rated better"
        return sentence + words(message)
    if other.value > best.value:
        return sentence + words("; it takes what it tries most, as fewer tries are less sure")
    return sentence


def expected_line(menu: Menu, line: Sequence[tuple[int, int, int]]) -> list[Line]:
    """How a search expects the game to go on, in words."""
    game, steps = menu.game, list[str]()
    for side, point, raw in line[:_STEPS]:
        option = game.names.option(point, raw)
        decision = Decision(side, game.spec.sides[side], option.prompt, point, (option,))
        steps.append(f"{menu.scene.side_name(side)}: {menu.wording(decision, option)}")
    if not steps:
        return []
    return [Line(menu.scene.words("expected to come: {steps}", steps="; ".join(steps)))]


def expectations(menu: Menu, bots: Mapping[int, Seat]) -> list[Line]:
    """What bots that search expect, to be told to everybody: in which share of their tries they
    stand ahead, which hangs on their cards, too, but names none; and how the game would go on, up
    to the first decision that hangs on what not all see.
    """
    words, lines = menu.scene.words, list[Line]()
    for side, bot in bots.items():
        thought = bot.thought
        if thought is None:
            continue
        count = sum(one.times for one in thought.ranked if one.option == thought.chosen)
        message = "{side} stands ahead in {share} of its {count} tries of how it may go on"
        name, share = menu.scene.side_name(side), words.percent(thought.ahead)
        lines.append(Line(words(message, side=name, share=share, count=count)))
        lines += [line.under() for line in expected_line(menu, thought.line[1 : thought.openly])]
    if not any(isinstance(bot.engines, SearchBot) for bot in bots.values()):
        message = "no bot here looks ahead so far that it expects anything: {levels} do"
        levels = ", ".join(name for name in BOTS if isinstance(make_bot(name), SearchBot))
        return [Line(words(message, levels=levels))]
    return lines or [Line(words("no bot says yet what it expects"))]


def _parts(
    game: Game,
    words: Words,
    seen: Sight,
    thought: SearchResult,
    luck: str,
    explainer: Callable[[], Explainer],
) -> tuple[list[str], list[str]]:
    """Of the parts that make up what a position is worth, those in which the best is ahead on
    average and those in which the next best is, the greatest first, and by how much; of a
    difference that may well be chance nothing.
    """
    program, looks = explainer().program, list[dict[str, int]]()
    if program.calls["standing"].kind != "quantity":
        return [], []
    until = time.monotonic() + _LOOKING
    for number in range(_LOOKS):
        if number >= _LEAST and time.monotonic() >= until:
            break
        gains: dict[str, int] = {}
        for sign, one in zip((1, -1), thought.ranked, strict=False):
            after = played_on(game.program, seen, one.option, f"{luck} {number}", thought.horizon)
            parts = None if after is None else _worth(program, after, seen.side)
            if parts is None:
                break
            for name, amount in parts:
                gains[name] = gains.get(name, 0) + sign * amount
        else:
            looks.append(gains)
    means: dict[str, float] = {}
    for name in dict.fromkeys(name for gains in looks for name in gains):
        mean, spread = spread_of([gains.get(name, 0) for gains in looks])
        if abs(mean) > 2 * spread / sqrt(len(looks)):
            means[name] = mean
    greatest = sorted(means, key=lambda name: -abs(means[name]))[:_PARTS]

    def told(name: str) -> str:
        text = game.wording.text(f"worth.{name}", default=name.replace("_", " "))
        return f"{text} {'+' * (means[name] > 0)}{words.number(means[name], 1)}"

    ahead = [told(name) for name in greatest if means[name] > 0]
    return ahead, [told(name) for name in greatest if means[name] < 0]


def _worth(program: ir.Program, state: StateBase, side: int) -> list[tuple[str, int]] | None:
    """The parts of what a position is worth; None where a limit hides what they are worth."""
    # start-up: who asks for no hint needs no interpreter
    from compiler.interpreter import explain_quantity

    stages = explain_quantity(program, state, "standing", [side]).stages
    applied = [one for stage in stages for one in stage.applied]
    if any(one.op != "by" for one in applied):
        return None
    return [(one.rule.label, one.amount) for one in applied]
