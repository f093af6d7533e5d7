"""Grognard: a rules compiler for hex-and-card wargames.

>>> import grognard
>>> game = grognard.load("akragas", seed=7)
>>> while not game.over:
...     game.play(game.options[0])
>>> game.result.winners

``docs/python.md`` is the guide.  Names are imported when they are first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard import bots as bots
    from grognard.errors import (
        ArgumentError,
        BotError,
        Finding,
        GameOver,
        GrognardError,
        IllegalOption,
        LoadError,
        RecordError,
        RulesError,
        UndoRefused,
    )
    from grognard.events import Event, Note, Roll, Taken
    from grognard.explaining import Explanation
    from grognard.forecasts import Chance, Forecast, Outcome
    from grognard.game import Game, Result, View
    from grognard.loading import check, from_record, load, rulesets, scenarios, validate
    from grognard.option import Option
    from grognard.playing import PlayedGame, Series, play_series
    from grognard.provenance import Mark, house
    from grognard.reading import UNSEEN, Board, Piece, Position
    from grognard.testing import CaseResult, Coverage, cover, run_cases, set_up

    __version__: str

#: The version of the language of rulesets.
LANGUAGE_VERSION = "0.1"

_FROM = {
    "errors": (
        "ArgumentError",
        "BotError",
        "Finding",
        "GameOver",
        "GrognardError",
        "IllegalOption",
        "LoadError",
        "RecordError",
        "RulesError",
        "UndoRefused",
    ),
    "events": ("Event", "Note", "Roll", "Taken"),
    "explaining": ("Explanation",),
    "forecasts": ("Chance", "Forecast", "Outcome"),
    "game": ("Game", "Result", "View"),
    "loading": ("check", "from_record", "load", "rulesets", "scenarios", "validate"),
    "option": ("Option",),
    "playing": ("PlayedGame", "Series", "play_series"),
    "provenance": ("Mark", "house"),
    "reading": ("UNSEEN", "Board", "Piece", "Position"),
    "testing": ("CaseResult", "Coverage", "cover", "run_cases", "set_up"),
}
_WHERE = {name: module for module, names in _FROM.items() for name in names}

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
            value = getattr(import_module(f"grognard.{_WHERE[name]}"), name)
        elif name == "__version__":
            value = import_module("grognard.faults").version()
        elif name in ("bots", "envs"):
            value = import_module(f"grognard.{name}")
        else:
            raise AttributeError(f"module 'grognard' has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*__all__, "envs", *(name for name in globals() if name.startswith("__"))})
