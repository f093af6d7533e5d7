"""Forecasts: what comes of an option before it is taken, and how likely."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from grognard.explain.phrases import Phrases
from grognard.explain.values import parse_arguments, written
from grognard.lexicon.catalogue import Words, words_in
from grognard.lexicon.typed import name_and_arguments
from runtime.errors import ArgumentError, GameOver, IllegalOption, blaming
from runtime.games.decision import Decision
from runtime.games.explanation import Chance, Forecast, Outcome
from runtime.games.game import Game
from runtime.games.wording import wording_for
from runtime.model import ForecastSpec
from runtime.option import Option
from runtime.runs.forecast import Foreseen, Foretold, arguments, foresee, of_option
from runtime.state import RulesetFault
from runtime.view import Sight, Unseen, view

#: How many ways or samples a forecast may take beside an option, and how long those of a list, in
#: seconds.
_WAYS, _SAMPLES, _SECONDS = 4_000, 200, 0.4


@dataclass(frozen=True)
class Asked:
    """A forecast of an option: what it was given, and what it says."""

    forecast: ForecastSpec
    args: tuple[Any, ...]
    foreseen: Foreseen


def of_state(game: Game, seen: Sight, option: int, **limits: Any) -> list[Asked]:
    """What the forecasts of an option of the pending decision say, in the order of the rules;
    without those that say nothing.  *limits* are those of :func:`runtime.runs.forecast.foresee`.
    """
    made = []
    for forecast in of_option(game.spec, seen.decision, option):
        args = arguments(game.spec, seen.decision, option, seen.about)
        rng = Random(f"forecast {len(game.actions)} {option}")
        try:
            found = foresee(game.program, seen, forecast, args, rng, **limits)
        except (Unseen, RulesetFault):
            continue
        if found.outcomes:
            made.append(Asked(forecast, args, found))
    return made


class Foreteller:
    """What stands beside the options of the pending decision; worked out once for each.

    *further* names outcomes that stand there also where a forecast comes to them behind chance.
    """

    def __init__(
        self, game: Game, words: Words, further: Callable[[], Collection[str]] = tuple
    ) -> None:
        self.game = game
        self._further = further
        self.phrases = Phrases(game.wording, words)
        self._decision: Decision | None = None
        self._known: dict[int, list[Foreseen]] = {}

    def beside(self, decision: Decision, option: Option) -> str:
        """What comes of an option, in a few words; nothing where no forecast says anything, or
        where the list has taken long enough already.
        """
        told = (self.phrases.beside(one, self._further()) for one in self._of(decision, option))
        return "; ".join(filter(None, told))

    def weight(self, decision: Decision, option: Option) -> float:
        """What sorts options: the mean of the first outcome that hangs on chance, or how likely
        that is.
        """
        outcomes = [outcome for one in self._of(decision, option) for outcome in one.outcomes]
        hanging = next((outcome for outcome in outcomes if not outcome.certain), None)
        if hanging is None:
            return 0.0
        return float(hanging.chance * hanging.mean if hanging.number else hanging.chance)

    def _of(self, decision: Decision, option: Option) -> list[Foreseen]:
        """What the forecasts of an option say."""
        if not self.game.spec.forecasts:
            return []
        if self._decision is not decision:
            self._decision, self._known = decision, {}
            self._seen = view(self.game.state, decision.side)
            self._until = time.monotonic() + _SECONDS
        if option.raw not in self._known:
            left = self._until - time.monotonic()
            found = (
                of_state(
                    self.game,
                    self._seen,
                    option.raw,
                    most=_WAYS,
                    times=_SAMPLES,
                    seconds=left,
                    follow=bool(self._further()),
                )
                if left > 0
                else []
            )
            self._known[option.raw] = [one.foreseen for one in found]
        return self._known[option.raw]


def seen_by(game: Game, side: int | None) -> Sight:
    """What a side sees, or whoever decides."""
    return view(game.state, game.state.chooser if side is None else side)


def asked(game: Game, seen: Sight, what: str) -> list[tuple[ForecastSpec, tuple[Any, ...]]]:
    """The forecasts that a text names, with their arguments: those of an option, or one with
    arguments.
    """
    spec = game.spec
    name, words = name_and_arguments(what)
    named = spec.forecasts.get(name)
    if what.rstrip().endswith(")"):  # no option is written so
        if named is None:
            known = ", ".join(spec.forecasts) or "none"
            raise ArgumentError(f"there is no forecast '{name}'", f"the ruleset declares: {known}")
        return [(named, _values(game, seen, named, words))]
    error: Exception = GameOver(game.undecided)
    decision = None if game.over else game.decision
    if decision is not None and seen.own:  # what is offered may tell what is held
        try:
            option, point = decision.find(what), game.state.point
        except IllegalOption as refused:
            error = ArgumentError(
                str(refused), "give an option of the pending decision, or a forecast"
            )
        else:
            return [
                (forecast, arguments(spec, point, option.raw, game.state.about))
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
    return [(named, _values(game, seen, named, words))]


def _values(
    game: Game, seen: Sight, forecast: ForecastSpec, words: Sequence[str]
) -> tuple[Any, ...]:
    """Arguments as people write them."""
    wanted = list(zip(forecast.names, forecast.params, strict=True))
    english = wording_for(game.spec, game.setup)
    return tuple(parse_arguments(english, seen.state, signature(forecast), wanted, words))


def signature(forecast: ForecastSpec) -> str:
    """A forecast with its parameters."""
    params = zip(forecast.names, forecast.params, strict=True)
    return f"{forecast.name}({', '.join(f'{name}: {written(type_)}' for name, type_ in params)})"


def worked_out(game: Game, seen: Sight, forecast: ForecastSpec, args: tuple[Any, ...]) -> Forecast:
    """What a forecast says of its arguments, on what a side sees."""
    try:
        with blaming(game.spec.name):
            found = foresee(
                game.program, seen, forecast, args, Random(f"forecast {len(game.actions)}")
            )
    except Unseen:
        message = f"forecast '{forecast.name}' depends on what is not seen"
        raise ArgumentError(message, "ask for the side that decides") from None
    phrases = Phrases(game.wording, words_in(game.wording.language))

    def outcome(one: Foretold) -> Outcome:
        chances = tuple(
            Chance(
                tuple(
                    game.names.read(type_, value)
                    for type_, value in zip(one.types, a.values, strict=True)
                ),
                float(a.chance),
                phrases.worded(one, a),
                a.interval,
            )
            for a in one.alternatives
        )
        return Outcome(
            one.name, float(one.chance), float(one.mean) if one.number else None, chances, one.depth
        )

    return Forecast(
        forecast.name,
        tuple(
            game.names.read(type_, value)
            for type_, value in zip(forecast.params, args, strict=True)
        ),
        tuple(map(outcome, found.outcomes)),
        found.exact,
        found.ways,
        phrases.beside(found),
        tuple(phrases.lines(found)),
    )
