"""Grognard: a rules compiler for hex-and-card wargames.

>>> import grognard
>>> game = grognard.load("akragas", seed=7)
>>> while not game.over:
...     game.play(game.options[0])
>>> game.result.winners

``docs/python.md`` is the guide.  Names are imported when they are first used, so that importing the
package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grognard.versions import LANGUAGE_VERSION, installed_version
from runtime import __name__ as _RUNTIME  # in an installation it is within this package

if TYPE_CHECKING:
    from grognard import bots as bots
    from grognard.bots.series import play_series
    from grognard.loading import check, from_record, load, rulesets, scenarios, validate
    from grognard.provenance import Mark, house
    from grognard.testing import CaseResult, Coverage, cover, run_cases, set_up
    from runtime.data.findings import Finding
    from runtime.errors import (
        ArgumentError,
        BotError,
        GameOver,
        GrognardError,
        IllegalOption,
        LoadError,
        RecordError,
        RulesError,
        UndoRefused,
    )
    from runtime.games.events import Event, Note, Roll, Taken
    from runtime.games.explanation import Chance, Explanation, Forecast, Outcome, Question
    from runtime.games.game import Game, Result, View
    from runtime.games.position import UNSEEN, Board, Piece, Position
    from runtime.option import Option
    from runtime.runs.series import PlayedGame, Series

    __version__: str

#: By module, within this package, and within the engine's.
_OWN = {
    "bots.series": ("play_series",),
    "loading": ("check", "from_record", "load", "rulesets", "scenarios", "validate"),
    "provenance": ("Mark", "house"),
    "testing": ("CaseResult", "Coverage", "cover", "run_cases", "set_up"),
}
_ENGINE = {
    "errors": (
        "ArgumentError",
        "BotError",
        "GameOver",
        "GrognardError",
        "IllegalOption",
        "LoadError",
        "RecordError",
        "RulesError",
        "UndoRefused",
    ),
    "games.events": ("Event", "Note", "Roll", "Taken"),
    "games.explanation": ("Chance", "Explanation", "Forecast", "Outcome", "Question"),
    "data.findings": ("Finding",),
    "games.game": ("Game", "Result", "View"),
    "option": ("Option",),
    "runs.series": ("PlayedGame", "Series"),
    "games.position": ("UNSEEN", "Board", "Piece", "Position"),
}
_WHERE = {
    name: f"{package}.{module}"
    for package, modules in ((__name__, _OWN), (_RUNTIME, _ENGINE))
    for module, names in modules.items()
    for name in names
}

__all__ = [
    "LANGUAGE_VERSION",
    "UNSEEN",
    "ArgumentError",
    "Board",
    "BotError",
    "CaseResult",
    "Chance",
    "Coverage",
    "Event",
    "Explanation",
    "Finding",
    "Forecast",
    "Game",
    "GameOver",
    "GrognardError",
    "IllegalOption",
    "LoadError",
    "Mark",
    "Note",
    "Option",
    "Outcome",
    "Piece",
    "PlayedGame",
    "Position",
    "Question",
    "RecordError",
    "Result",
    "Roll",
    "RulesError",
    "Series",
    "Taken",
    "UndoRefused",
    "View",
    "bots",
    "check",
    "cover",
    "from_record",
    "house",
    "load",
    "play_series",
    "rulesets",
    "run_cases",
    "scenarios",
    "set_up",
    "validate",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _WHERE:
            value = getattr(import_module(_WHERE[name]), name)
        elif name == "__version__":
            value = installed_version()
        elif name == "bots":
            value = import_module("grognard.bots")
        elif name == "envs":
            value = import_module("grognard.envs")
        else:
            raise AttributeError(f"module 'grognard' has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*__all__, "envs", *(name for name in globals() if name.startswith("__"))})
