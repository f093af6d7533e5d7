"""What a case expects of forecasts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from grognard.cases.file import CaseError
from grognard.explain.forecasts import forecasts_named, seen_by
from runtime.data.findings import suggestion
from runtime.errors import ArgumentError, GameOver, words_of
from runtime.games.game import Game
from runtime.games.names import Names
from runtime.program import CompiledProgram
from runtime.runs.forecast import foresee
from runtime.runs.outcomes import Foretold, together
from runtime.view import Unseen
from runtime.words.said import said

#: Seconds: a case asks what is exact, however slow the machine.
_PATIENCE: Final = 300.0


def check_foreseen(
    game: Game, what: str, wanted: dict[str, Any], problem: Callable[[str], None]
) -> None:
    """Compare what the forecasts of an option say, or a forecast with arguments: of each outcome
    named how likely it is (``70%``), its number or the mean of it (``0.6``), or that it is not said
    (``none``).
    """
    known = [name for name, _ in game.spec.outcomes]
    for name in wanted:
        if name not in known:
            raise CaseError(
                said(
                    "foreseen: no forecast says '{name}'; {suggestion}",
                    name=name,
                    suggestion=suggestion(str(name), known),
                )
            )
        _known_values(game, name, wanted[name])
    seen = seen_by(game, None)
    try:
        forecasts = forecasts_named(game, seen, what)
        if not isinstance(game.program, CompiledProgram) and any(f.takes for f, *_ in forecasts):
            return  # the interpreter cannot play on in a copy
        outcomes = together(
            outcome
            for forecast, args, option in forecasts
            for outcome in foresee(
                game.program, seen, forecast, args, option=option, seconds=_PATIENCE
            ).outcomes
        )
    except (ArgumentError, GameOver, Unseen) as error:
        raise CaseError(said("foreseen: {error}", error=words_of(error))) from None
    for name, value in wanted.items():
        one = outcomes.get(name)
        if not isinstance(value, dict):
            pairs = [(name, str(value), _in_words(one, str(value)))]
        else:
            shares = _shares(one, game.names)
            pairs = [
                (f"{name} {v}", str(share), _percent(shares.get(str(v), 0.0), str(share)))
                for v, share in value.items()
            ]
        for label, text, actual in pairs:
            if actual != text:
                problem(
                    said(
                        "{what}: expected {label} {text}, is {actual}",
                        what=what,
                        label=label,
                        text=text,
                        actual=actual,
                    )
                )


def _known_values(game: Game, name: str, shares: Any) -> None:
    """CaseError where a share is expected of what is no member of an outcome's enum."""
    types = dict(game.spec.outcomes)[name]
    if not isinstance(shares, dict) or [type_.kind for type_ in types] != ["enum"]:
        return
    members = game.spec.enums[types[0].name]
    for value in shares:
        if value not in members:
            raise CaseError(
                said(
                    "foreseen: {name} has no '{value}'; {suggestion}",
                    name=types[0].name,
                    value=value,
                    suggestion=suggestion(str(value), members),
                )
            )


def _shares(outcome: Foretold | None, names: Names) -> dict[str, float]:
    """How likely each value is that an outcome can have."""
    if outcome is None:
        return {}
    return {
        " ".join(
            str(names.read(t, v)) for t, v in zip(outcome.types, one.values, strict=True)
        ): float(one.chance)
        for one in outcome.alternatives
    }


def _percent(share: float, like: str) -> str:
    return f"{100 * share:.{len(like.rstrip('%').partition('.')[2])}f}%"


def _in_words(outcome: Foretold | None, like: str) -> str:
    """What is said, written as what is expected is."""
    if outcome is None:
        return "none"
    digits = len(like.rstrip("%").partition(".")[2])
    if like.endswith("%") or not outcome.number:
        return _percent(float(outcome.chance), like)
    return f"{float(outcome.mean):.{digits}f}"
