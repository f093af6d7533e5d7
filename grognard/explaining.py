"""Why and why not, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import did_you_mean
from grognard.commands import Misuse
from grognard.errors import ArgumentError, GameOver, RulesError
from grognard.game import Scenario
from grognard.loading import translated
from grognard.reading import Value
from runtime.board import Board
from runtime.state import RulesetFault
from runtime.view import Unseen, view

if TYPE_CHECKING:
    from grognard.explain import Explainer
    from grognard.game import Game

__all__ = ["Explanation", "explain", "why_not"]


@dataclass(frozen=True)
class Explanation:
    """How a value came about: *value* (None also where it depends on what a side does not see) and *lines* of text that name the rules."""

    value: Value
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


@lru_cache(maxsize=16)
def _explainer(folder: Path, hash: str, board: Board) -> Explainer:
    from grognard.explain import Explainer

    with translated():
        return Explainer(folder, board)


def explainer_of(scenario: Scenario) -> Explainer:
    """What explains the games of a scenario; made once, as it reads the ruleset's sources."""
    spec = scenario.program.spec
    return _explainer(scenario.folder, spec.hash, spec.board)


def explain(game: Game, scenario: Scenario, name: str, arguments: Sequence[Value], side: str | None) -> Explanation:
    """See :meth:`grognard.Game.explain`."""
    from compiler.interpreter.evaluate import Evaluator
    from grognard.explain import parse_value

    explainer = explainer_of(scenario)
    calls = explainer.program.calls
    if name not in calls:
        raise ArgumentError(f"there is no quantity, permission or function {name!r}", did_you_mean(str(name), calls))
    call = calls[name]
    if len(arguments) != len(call.params):
        expected = ", ".join(f"{p.name}: {p.type}" for p in call.params)
        raise ArgumentError(f"{name} expects {len(call.params)} arguments, got {len(arguments)}", f"write {name}({expected})")
    raw = game.raw
    state = raw.state if side is None else view(raw.state, scenario.names.side(side)).guarded()
    values: list[Any] = []
    for param, given in zip(call.params, arguments, strict=True):
        text = "none" if given is None else ("yes" if given else "no") if isinstance(given, bool) else str(given)
        found = parse_value(raw.spec, raw.setup, state, param.type.spec(), text)
        if len(found) != 1:
            what = "names nothing" if not found else "could be several"
            raise ArgumentError(f"{given!r} for {param.name}: {param.type} {what}")
        values.append(found[0])
    try:
        value = scenario.names.read(call.type.spec(), Evaluator(explainer.program, state).call(name, list(values)))
    except Unseen:
        value = None
    except RulesetFault as fault:
        raise RulesError(str(fault)) from fault
    return Explanation(value, tuple(explainer.quantity(state, name, values, raw.setup)))


def why_not(game: Game, scenario: Scenario, text: str) -> list[str]:
    """See :meth:`grognard.Game.why_not`."""
    if game.over:
        raise GameOver("the game is over: nothing is to be decided")
    offered = next((o for o in game.options if o.text.casefold() == str(text).casefold()), None)
    if offered is not None:
        return []
    explainer = explainer_of(scenario)
    try:
        targets = explainer.targets(game.raw, str(text))
    except Misuse as error:
        raise ArgumentError(str(error), error.remedy) from None
    targets = [t for t in targets if t.option not in game.raw.state.options]
    if len(targets) != 1:
        what = "could mean nothing here" if not targets else "could mean several things"
        words = sorted({o.branch for o in game.options})
        raise ArgumentError(f"{text!r} {what}", f"write it like an option: {', '.join(words)}, and what it takes")
    return explainer.why_not(game.raw, targets[0])
