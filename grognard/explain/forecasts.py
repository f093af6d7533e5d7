"""Forecasts: what comes of an option before it is taken, and how likely."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from grognard.lexicon.catalogue import Words, words_in
from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import name_and_arguments
from grognard.lexicon.values import parse_arguments, type_text
from runtime.errors import ArgumentError, GameOver, IllegalOption, blaming
from runtime.games.explanation import Chance, Forecast, Line, Outcome
from runtime.games.explanation import Question as Asking
from runtime.games.game import Game
from runtime.games.wording import Wording, wording_for
from runtime.model import ForecastSpec, TypeSpec
from runtime.option import Option, Value
from runtime.runs.forecast import (
    Alternative,
    ForecastResult,
    Foretold,
    Question,
    arguments,
    foresee,
    of_option,
)
from runtime.runs.outcomes import together
from runtime.state import RulesetFault
from runtime.view import Sight, Unseen, view
from runtime.words.said import fill_wording

#: How many ways or samples a forecast may take beside an option, and how long those of a list, in
#: seconds.
_WAYS, _SAMPLES, _SECONDS = 4_000, 200, 0.4


#: How many of the alternatives of an outcome are named beside an option, and in all.
_BESIDE, _LISTED = 6, 24

_SIDE = TypeSpec("enum", "Side")


class Phrases:
    """Outcomes in the words of a ruleset's catalogue."""

    def __init__(self, wording: Wording, words: Words) -> None:
        self.wording = wording
        self.words = words

    def percent(self, chance: Fraction | float, digits: int = 0) -> str:
        """A chance; what is possible is not told as 0, what is not certain not as 100."""
        least = 0.5 / 10**digits / 100
        share = float(chance)
        if 0 < share < least:
            return self.words("under {share}", share=self.words.percent(2 * least, digits))
        if 1 - least <= share < 1:
            return self.words("over {share}", share=self.words.percent(1 - 2 * least, digits))
        return self.words.percent(share, digits)

    # ------------------------------------------------------------------ beside an option

    def beside(self, foreseen: ForecastResult, further: Collection[str] = ()) -> str:
        """What a forecast says itself, in a few words, and what it says of *further* outcomes
        behind that.
        """
        sure: list[str] = []
        about: list[str] = []
        told = (o for o in foreseen.outcomes if not o.depth or o.name in further)
        for outcome in together(told).values():
            (sure if foreseen.exact or (outcome.certain and not about) else about).extend(
                self._few(outcome)
            )
        rest = [self.words("about {outcomes}", outcomes=", ".join(about))] if about else []
        return ", ".join([*sure, *rest])

    def _few(self, outcome: Foretold) -> Iterator[str]:
        if outcome.number and len(outcome.alternatives) > 1:
            chance = f" ({self.percent(outcome.chance)})" if outcome.chance < 1 else ""
            yield f"{self.mean(outcome)}{chance}"
            return
        likely = outcome.alternatives
        if len(likely) > _BESIDE:
            likely = tuple(sorted(likely, key=lambda a: -a.chance)[: _BESIDE - 1])
        for one in likely:
            chance = f" {self.percent(one.chance)}" if one.chance < 1 else ""
            yield f"{self.outcome_text(outcome, one)}{chance}"
        if len(likely) < len(outcome.alternatives):
            yield "…"

    # ------------------------------------------------------------------ all

    def lines(self, foreseen: ForecastResult) -> list[Line]:
        """All that a forecast says: outcomes, the deeper the further behind chance they lie, the
        questions at which it ends, and what it was found from where that is not all ways.
        """
        lines = [Line(self._whole(outcome), outcome.depth) for outcome in foreseen.outcomes]
        lines += [Line(self.question(question)) for question in foreseen.questions]
        if not foreseen.exact:
            message = "from {count} samples; in brackets the 95% interval"
            lines.append(Line(self.words(message, count=foreseen.ways)))
        return lines

    def question(self, question: Question) -> str:
        """A decision at which a forecast ends."""
        side = self.wording.word(_SIDE, question.side)
        asked = self.wording.prompt(question.decision, question.about)
        text = self.words("{side} is asked: {question}", side=side, question=asked)
        return text if question.chance == 1 else f"{text} {self._chance(question)}"

    def _whole(self, outcome: Foretold) -> str:
        first = outcome.alternatives[0]
        if outcome.certain:
            return self.outcome_text(outcome, first)
        listed = outcome.alternatives[:_LISTED]
        more = ["…"] if len(outcome.alternatives) > len(listed) else []
        if not outcome.number or len(listed) == 1:
            each = (f"{self.outcome_text(outcome, one)} {self._chance(one)}" for one in listed)
            return ", ".join([*each, *more])
        numbers = ", ".join([*(f"{one.values[0]}: {self._chance(one)}" for one in listed), *more])
        when = f"{self.percent(outcome.chance, 1)}: " if outcome.chance < 1 else ""
        message = "{outcome} on average ({numbers})"
        return when + self.words(message, outcome=self.mean(outcome), numbers=numbers)

    def _chance(self, one: Alternative | Question) -> str:
        if one.interval is None:
            return self.percent(one.chance, 1)
        low, high = one.interval
        words = self.words
        return f"{self.percent(one.chance)} ({words.number(100 * low)}–{words.number(100 * high)})"

    # ------------------------------------------------------------------ texts

    def outcome_text(self, outcome: Foretold, one: Alternative) -> str:
        """An outcome with certain values."""
        word = self.wording.word
        words = [word(type_, value) for type_, value in zip(outcome.types, one.values, strict=True)]
        return self._text(outcome, words, one.values)

    def mean(self, outcome: Foretold) -> str:
        """An outcome of one number with its mean."""
        return self._text(outcome, [self.words.number(float(outcome.mean), 1)], ())

    def _text(self, outcome: Foretold, words: Sequence[str], values: Sequence[Any]) -> str:
        template = self.wording.text(f"outcome.{outcome.name}", default="")
        if not template:
            return " ".join([outcome.name.replace("_", " "), *words])

        def inflected(name: str, case: str) -> str:
            place = int(name)
            if not values:
                return words[place]
            return self.wording.word(outcome.types[place], values[place], case)

        return fill_wording(template, words, inflected)


@dataclass(frozen=True)
class AskedForecast:
    """A forecast of an option: what it was given, and what it says."""

    forecast: ForecastSpec
    args: tuple[Any, ...]
    foreseen: ForecastResult


def of_state(game: Game, seen: Sight, option: int, **limits: Any) -> list[AskedForecast]:
    """What the forecasts of an option of the pending decision say, in the order of the rules;
    without those that say nothing.  *limits* are those of :func:`runtime.runs.forecast.foresee`.
    """
    answers = []
    for forecast in of_option(game.spec, seen.decision, option):
        args = arguments(game.spec, seen.decision, option, seen.about)
        rng = Random(f"forecast {len(game.choices)} {option}")
        try:
            foreseen = foresee(game.program, seen, forecast, args, rng, option=option, **limits)
        except (Unseen, RulesetFault):
            continue
        if foreseen.outcomes:
            answers.append(AskedForecast(forecast, args, foreseen))
    return answers


@dataclass(frozen=True, slots=True)
class Prospect:
    """What may come of an option, in a few *words*; options are sorted by its *weight*: the mean of
    the first outcome that hangs on chance, or how likely that is.
    """

    words: str
    weight: float


class Foreteller:
    """Works out what stands beside the options of the pending decision of a game, option by option.

    *seen* is what the side sees that is asked; *further* names outcomes that stand there also where
    a forecast comes to them behind chance.
    """

    def __init__(
        self, game: Game, seen: Sight, words: Words, further: Collection[str] = ()
    ) -> None:
        self.game, self.seen = game, seen
        self._phrases, self._further = Phrases(game.wording, words), further
        #: what is known so far, by the stable texts of options
        self.odds: dict[str, Prospect] = {}
        decision = game.decision
        assert decision is not None
        self._left = [
            option
            for option in decision.options
            if any(of_option(game.spec, decision.point, option.raw))
        ]
        self._spent = 0.0

    @property
    def whole(self) -> bool:
        """Whether there is nothing more to come."""
        return not self._left

    def go_on(self, seconds: float) -> None:
        """Work out at least one more, and no further one after so many *seconds*; none where the
        list has taken long enough.
        """
        until = time.monotonic() + seconds
        while self._left:
            began = time.monotonic()
            self._foretell(self._left.pop(0), _SECONDS - self._spent)
            now = time.monotonic()
            self._spent += now - began
            if self._spent >= _SECONDS:
                self._left.clear()
            if now >= until:
                break

    def _foretell(self, option: Option, seconds: float) -> None:
        follow = bool(self._further)
        limits = {"most": _WAYS, "times": _SAMPLES, "seconds": seconds, "follow": follow}
        answers = [one.foreseen for one in of_state(self.game, self.seen, option.raw, **limits)]
        phrases = (self._phrases.beside(one, self._further) for one in answers)
        if words := "; ".join(filter(None, phrases)):
            self.odds[option.text] = Prospect(words, _weight(answers))


def _weight(answers: Sequence[ForecastResult]) -> float:
    outcomes = [outcome for one in answers for outcome in one.outcomes]
    hanging = next((outcome for outcome in outcomes if not outcome.certain), None)
    if hanging is None:
        return 0.0
    return float(hanging.chance * hanging.mean if hanging.number else hanging.chance)


def seen_by(game: Game, side: int | None) -> Sight:
    """What a side sees, or whoever decides."""
    return view(game.state, game.state.chooser if side is None else side)


def forecasts_named(
    game: Game, seen: Sight, what: str
) -> list[tuple[ForecastSpec, tuple[Any, ...], int | None]]:
    """The forecasts that a text names, with their arguments: those of an option, which stands
    beside them, or one with arguments.
    """
    spec = game.spec
    name, words = name_and_arguments(what)
    named = spec.forecasts.get(name)
    if what.rstrip().endswith(")"):  # no option is written so
        if named is None:
            known = ", ".join(spec.forecasts) or "none"
            raise ArgumentError(f"there is no forecast '{name}'", f"the ruleset declares: {known}")
        return [(named, _values(game, seen, named, words), None)]
    error: Exception = GameOver(game.undecided)
    decision = None if game.over else game.decision
    if decision is not None and seen.own:  # what is offered may tell what is held
        try:
            option, point = decision.find(what), game.state.point
        except IllegalOption as refused:
            remedy = "give an option of the pending decision, or a forecast"
            error = ArgumentError(str(refused), remedy)
        else:
            return [
                (forecast, arguments(spec, point, option.raw, game.state.about), option.raw)
                for forecast in of_option(spec, point, option.raw)
            ]
    elif decision is not None:
        side = spec.sides[decision.side]
        error = ArgumentError(
            f"only {side} sees the options of this decision",
            f"ask for {side}, or for a forecast by its name",
        )
    if named is None or (seen.own and not game.over and len(words) != len(named.params)):
        raise error
    return [(named, _values(game, seen, named, words), None)]


def _values(
    game: Game, seen: Sight, forecast: ForecastSpec, words: Sequence[str]
) -> tuple[Any, ...]:
    """Arguments as people write them."""
    wanted = list(zip(forecast.names, forecast.params, strict=True))
    english = Lexicon.of(wording_for(game.spec, game.setup))
    return tuple(parse_arguments(english, seen.state, signature(forecast), wanted, words))


def signature(forecast: ForecastSpec) -> str:
    """A forecast with its parameters."""
    params = zip(forecast.names, forecast.params, strict=True)
    return f"{forecast.name}({', '.join(f'{name}: {type_text(type_)}' for name, type_ in params)})"


def worked_out(
    game: Game,
    seen: Sight,
    forecast: ForecastSpec,
    args: tuple[Any, ...],
    option: int | None = None,
) -> Forecast:
    """What a forecast says of its arguments, or of an option, on what a side sees."""
    try:
        with blaming(game.spec.name):
            rng = Random(f"forecast {len(game.actions)}")
            foreseen = foresee(game.program, seen, forecast, args, rng, option=option)
    except Unseen:
        message = f"forecast '{forecast.name}' depends on what is not seen"
        raise ArgumentError(message, "ask for the side that decides") from None
    except KeyError:
        message = f"forecast '{forecast.name}' is of an option that is not offered now"
        raise ArgumentError(message, "ask where the option is offered") from None
    phrases = Phrases(game.wording, words_in(game.wording.language))

    def read(types: Sequence[TypeSpec], values: Sequence[Any]) -> tuple[Value, ...]:
        return tuple(game.names.read(t, value) for t, value in zip(types, values, strict=True))

    def outcome(one: Foretold) -> Outcome:
        chances = tuple(
            Chance(
                read(one.types, a.values), float(a.chance), phrases.outcome_text(one, a), a.interval
            )
            for a in one.alternatives
        )
        mean = float(one.mean) if one.number else None
        return Outcome(one.name, float(one.chance), mean, chances, one.depth)

    def question(one: Question) -> Asking:
        decision = game.spec.decisions[one.decision]
        about = read(decision.about, one.about)
        side, text = game.spec.sides[one.side], phrases.question(one)
        return Asking(side, decision.prompt, about, float(one.chance), text, one.interval)

    return Forecast(
        forecast.name,
        read(forecast.params, args),
        tuple(map(outcome, foreseen.outcomes)),
        foreseen.exact,
        foreseen.ways,
        phrases.beside(foreseen),
        tuple(map(question, foreseen.questions)),
        tuple(phrases.lines(foreseen)),
    )
