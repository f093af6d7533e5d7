"""Forecasts, for programs: what comes of an option before it is taken, and how likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from grognard.errors import ArgumentError, GameOver
from grognard.exits import Misuse
from grognard.option import Value
from grognard.outlook import Phrases
from grognard.reading import Names
from grognard.scenario import Scenario
from grognard.translating import failing
from grognard.typed import name_and_arguments
from grognard.words import words_in
from runtime.forecast import Foretold, arguments, foresee, of_option
from runtime.game import ChoiceError, Game
from runtime.model import ForecastSpec
from runtime.view import Unseen, View, view

__all__ = ["Chance", "Forecast", "Outcome", "forecasts"]


@dataclass(frozen=True, slots=True)
class Chance:
    """Values that an outcome can have: *probability* (from 0 to 1), from samples with the 95% *interval*.

    *text* is the outcome with these values in the words of the catalogue.
    """

    values: tuple[Value, ...]
    probability: float
    text: str
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that a forecast says: its *name*, how likely it is that it comes to it at all, its values.

    *mean* is that of an outcome of one number, where it comes to it; else None.  *depth* is 0 for what the
    forecast says itself, more for what it goes on with.
    """

    name: str
    probability: float
    mean: float | None
    chances: tuple[Chance, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a forecast says of certain *arguments*.

    *exact* says whether all *ways* of chance were gone; else so many samples were taken.  *lines* is all of
    it as text, *text* in short as it stands beside an option.
    """

    name: str
    arguments: tuple[Value, ...]
    outcomes: tuple[Outcome, ...]
    exact: bool
    ways: int
    text: str
    lines: tuple[str, ...]

    def __getitem__(self, name: str) -> Outcome:
        """The outcome of a name.  KeyError where the forecast does not say it."""
        for outcome in self.outcomes:
            if outcome.name == name:
                return outcome
        raise KeyError(name)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<Forecast {self.name}({', '.join(map(str, self.arguments))}): {self.text}>"


def forecasts(game: Game, scenario: Scenario, what: str, side: str | None) -> tuple[Forecast, ...]:
    """See :meth:`grognard.Game.forecast`."""
    seen = seen_by(game, None if side is None else scenario.names.side(side))
    found = asked(game, seen, what)
    return tuple(worked_out(game, scenario.names, seen, forecast, args) for forecast, args in found)


def seen_by(game: Game, side: int | None) -> View:
    """What a side sees, or whoever decides."""
    return view(game.state, game.state.chooser if side is None else side)


def asked(game: Game, seen: View, what: str) -> list[tuple[ForecastSpec, tuple[Any, ...]]]:
    """The forecasts that a text names, with their arguments: those of an option, or one with arguments."""
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
        except ChoiceError as refused:
            error = ArgumentError(str(refused), "give an option of the pending decision, or a forecast")
        else:
            return [
                (forecast, arguments(spec, point, option.value, game.state.about))
                for forecast in of_option(spec, point, option.value)
            ]
    elif decision is not None:
        side = spec.sides[decision.side]
        error = ArgumentError(
            f"only {side} sees the options of this decision", f"ask for {side}, or for a forecast by its name"
        )
    if named is None or (seen.own and not game.over and len(words) != len(named.params)):
        raise error
    return [(named, _values(game, seen, named, words))]


def _values(game: Game, seen: View, forecast: ForecastSpec, words: Sequence[str]) -> tuple[Any, ...]:
    """Arguments as people write them."""
    from grognard.explain.values import parse_arguments

    wanted = list(zip(forecast.names, forecast.params, strict=True))
    try:
        return tuple(parse_arguments(game.spec, game.setup, seen.state, signature(forecast), wanted, words))
    except Misuse as error:
        raise ArgumentError(str(error), error.remedy) from None


def signature(forecast: ForecastSpec) -> str:
    """A forecast with its parameters."""
    from grognard.explain.values import written

    params = zip(forecast.names, forecast.params, strict=True)
    return f"{forecast.name}({', '.join(f'{name}: {written(type_)}' for name, type_ in params)})"


def worked_out(
    game: Game, names: Names, seen: View, forecast: ForecastSpec, args: tuple[Any, ...]
) -> Forecast:
    """What a forecast says of its arguments, on what a side sees."""
    try:
        with failing(game.spec.name):
            found = foresee(game.program, seen, forecast, args, Random(f"forecast {len(game.actions)}"))
    except Unseen:
        message = f"forecast '{forecast.name}' depends on what is not seen"
        raise ArgumentError(message, "ask for the side that decides") from None
    phrases = Phrases(game.wording, words_in(game.wording.language))

    def outcome(one: Foretold) -> Outcome:
        chances = tuple(
            Chance(
                tuple(names.read(type_, value) for type_, value in zip(one.types, a.values, strict=True)),
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
        tuple(names.read(type_, value) for type_, value in zip(forecast.params, args, strict=True)),
        tuple(map(outcome, found.outcomes)),
        found.exact,
        found.ways,
        phrases.beside(found),
        tuple(phrases.lines(found)),
    )
