"""Why and why not, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grognard.errors import ArgumentError, GameOver, RulesError, as_text, given
from grognard.exits import Misuse
from grognard.explain import Explainer, Reason, lines_of
from grognard.option import Value
from grognard.scenario import Scenario
from grognard.translating import failing, translated
from grognard.typed import name_and_arguments
from runtime.board import Board
from runtime.game import Game
from runtime.model import NONE, TypeSpec
from runtime.view import view

__all__ = ["Explanation", "explain", "why_not"]


@dataclass(frozen=True)
class Explanation:
    """Why: a tree of statements, each with the rules that it cites.

    *value* is what is explained, as it is read everywhere (None also where it depends on what a side does not
    see, and where why something is not offered was asked).  *reasons* are trees of ``text``, ``rules``,
    ``role`` and what is ``below``; *lines* is all of it as text.
    """

    value: Value
    lines: tuple[str, ...]
    rules: tuple[str, ...]
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<Explanation: {self.lines[0] if self.lines else 'nothing to say'}>"


@lru_cache(maxsize=16)
def _explainer(folder: Path, hash: str, board: Board) -> Explainer:
    with translated():
        return Explainer(folder, board)


def explainer_of(scenario: Scenario) -> Explainer:
    """What explains the games of a scenario; made once, as it reads the ruleset's sources."""
    spec = scenario.program.spec
    return _explainer(scenario.folder, spec.hash, spec.board)


def explain(
    game: Game, scenario: Scenario, name: str, arguments: Sequence[Value], side: str | None
) -> Explanation:
    """See :meth:`grognard.Game.explain`."""
    return _explained(game, scenario, name, arguments, side)[0]


def value_of(game: Game, scenario: Scenario, name: str, arguments: Sequence[Value]) -> Value:
    """See :meth:`grognard.Game.value`."""
    explanation, failed = _explained(game, scenario, name, arguments, None)
    if failed:
        raise RulesError(str(explanation), f"correct the ruleset: {game.spec.name}")
    return explanation.value


def _explained(
    game: Game, scenario: Scenario, name: str, arguments: Sequence[Value], side: str | None
) -> tuple[Explanation, bool]:
    """How something comes to its value, and whether it has none."""
    explainer = explainer_of(scenario)
    if not arguments:
        name, arguments = name_and_arguments(as_text(name))
    text = as_text(name)
    state = game.state if side is None else view(game.state, scenario.names.side(side)).guarded()
    try:
        values = explainer.arguments(game, text, [_text(one) for one in arguments], state)
    except Misuse as error:
        raise ArgumentError(str(error), error.remedy) from None
    with failing(game.spec.name):
        found = explainer.explain(state, text, values, game.setup)
    value = None if found.number is None else _value(scenario, explainer, text, values, found.number)
    made = Explanation(value, tuple(found.lines), found.cited(), found.reasons)
    return made, found.value is None and text in explainer.program.calls


def _value(scenario: Scenario, explainer: Explainer, name: str, values: Sequence[int], number: int) -> Value:
    """What a *number* is worth: of a travel the hexes that it reaches, or the cost of the way to one."""
    if name in explainer.program.calls:
        return scenario.names.read(explainer.program.calls[name].type.spec(), number)
    if len(values) > len(explainer.known(name).params):
        return None if number == NONE else number
    return scenario.names.read(TypeSpec("set", of=TypeSpec("hex", "Hex")), number)


def _text(value: Value) -> str:
    """An argument as people write it on the command line."""
    return (
        "none" if value is None else ("yes" if value else "no") if isinstance(value, bool) else as_text(value)
    )


def why_not(game: Game, scenario: Scenario, text: str) -> Explanation:
    """See :meth:`grognard.Game.why_not`."""
    if game.decision is None:
        raise GameOver(game.undecided)
    options = game.decision.options
    text = as_text(text)
    if any(o.text.casefold() == text.casefold() for o in options):
        return Explanation(None, (), (), ())
    explainer = explainer_of(scenario)
    targets = [t for t in explainer.targets(game, text) if t.option not in game.state.options]
    if len(targets) != 1:
        what = "means nothing at this decision" if not targets else "could mean several things"
        words = sorted({o.word for o in options})
        raise ArgumentError(
            f"{given(text)} {what}", f"write it like an option: {', '.join(words)}, and what it takes"
        )
    reasons = explainer.why_not(game, targets[0])
    return Explanation(
        None,
        tuple(lines_of(reasons)),
        tuple(dict.fromkeys(r for reason in reasons for r in reason.cited())),
        reasons,
    )
