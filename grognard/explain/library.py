"""What programs ask of a game: why, why not, what will come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from grognard import places
from grognard.explain.explainer import Explainer
from grognard.explain.forecasts import forecasts_named, seen_by, worked_out
from grognard.lexicon.typed import name_and_arguments
from runtime.board import Board
from runtime.errors import ArgumentError, GameOver, RulesError, blaming, value_in_words
from runtime.games.explanation import Explanation, Forecast
from runtime.games.game import Game
from runtime.model import NONE, TypeSpec
from runtime.option import Value
from runtime.view import view

_HEXES = TypeSpec("set", of=TypeSpec("hex", "Hex"))


@lru_cache(maxsize=16)
def _explainer(folder: Path, hash: str, board: Board) -> Explainer:
    with places.searching():
        return Explainer(places.ruleset(folder), board)


def explainer_of(game: Game, folder: Path) -> Explainer:
    """What explains the games of a ruleset; made once, as it reads the ruleset's sources."""
    return _explainer(folder, game.spec.hash, game.spec.board)


def value_of(game: Game, folder: Path, name: str, arguments: Sequence[Value]) -> Value:
    """See :meth:`grognard.Game.value`."""
    explanation = explain(game, folder, name, arguments, None)
    if explanation.number is None and not explanation.reasons:  # only the fault is told
        raise RulesError(str(explanation), f"correct the ruleset: {game.spec.name}")
    return explanation.value


def explain(
    game: Game, folder: Path, name: str, arguments: Sequence[Value], side: str | None
) -> Explanation:
    """See :meth:`grognard.Game.explain`."""
    explainer, names = explainer_of(game, folder), game.names
    text, words = str(name), [_text(one) for one in arguments]
    if not arguments:
        text, words = name_and_arguments(text)
    state = game.state if side is None else view(game.state, names.side(side)).guarded_state()
    values = explainer.arguments(game, text, words, state)
    with blaming(game.spec.name):
        explanation = explainer.explain(state, text, values, game.setup)
    if explanation.number is None:
        return explanation
    call = explainer.program.calls.get(text)
    if call is not None:
        return replace(explanation, value=names.read(call.type.spec(), explanation.number))
    if len(values) > len(explainer.explainable(text).params):  # what the way of a travel costs
        return replace(
            explanation, value=None if explanation.number == NONE else explanation.number
        )
    return replace(explanation, value=names.read(_HEXES, explanation.number))


def _text(value: Value) -> str:
    """An argument as people write it on the command line."""
    if value is None:
        return "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def why_not(game: Game, folder: Path, text: str) -> Explanation:
    """See :meth:`grognard.Game.why_not`."""
    if game.decision is None:
        raise GameOver(game.undecided)
    options = game.decision.options
    text = str(text)
    if any(o.text.casefold() == text.casefold() for o in options):
        return Explanation()
    explainer = explainer_of(game, folder)
    targets = [t for t in explainer.targets(game, text) if t.option not in game.state.options]
    if len(targets) != 1:
        what = "means nothing at this decision" if not targets else "could mean several things"
        words = sorted({o.branch for o in options})
        raise ArgumentError(
            f"{value_in_words(text)} {what}",
            f"write it like an option: {', '.join(words)}, and what it takes",
        )
    return Explanation(reasons=explainer.why_not(game, targets[0]))


def forecasts(game: Game, what: str, side: str | None) -> tuple[Forecast, ...]:
    """See :meth:`grognard.Game.forecast`."""
    seen = seen_by(game, None if side is None else game.names.side(side))
    wanted = forecasts_named(game, seen, what)
    return tuple(worked_out(game, seen, *one) for one in wanted)
