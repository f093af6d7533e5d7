"""Whatever is given to the library, nothing is raised but its own errors, and no message steers a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import grognard

ODD: dict[str, Any] = {
    "none": None,
    "yes": True,
    "a negative number": -1,
    "a fraction": 0.5,
    "an empty text": "",
    "NUL": "\0",
    "half a character": "\ud800",
    "a text that steers": "\x1b[2J",
    "a long text": "x" * 100_000,
    "bytes": b"x",
    "a list": [None],
    "a mapping": {None: None},
    "an iterator": iter([1]),
    "a type": type,
}


@pytest.fixture(scope="module")
def game() -> grognard.Game:
    return grognard.load("akragas", seed=1)


CALLS: dict[str, Callable[[grognard.Game, Any], Any]] = {
    "load": lambda game, odd: grognard.load(odd),
    "load, seed": lambda game, odd: grognard.load("akragas", seed=odd) if odd is not None else None,
    "load, dice": lambda game, odd: grognard.load("akragas", dice=odd),
    "load, switches": lambda game, odd: grognard.load("akragas", switches=odd),
    "load, ruleset": lambda game, odd: grognard.load("akragas", ruleset=odd),
    "load, root": lambda game, odd: grognard.load("akragas", root=odd),
    "load, language": lambda game, odd: grognard.load("akragas", language=odd),
    "check": lambda game, odd: grognard.check(odd),
    "validate": lambda game, odd: grognard.validate(odd),
    "validate, of a scenario": lambda game, odd: grognard.validate(
        {"ruleset": "cc_ancients", "game": odd}
    ),
    "from_record": lambda game, odd: grognard.from_record(odd),
    "house": lambda game, odd: grognard.house(odd),
    "house, marks": lambda game, odd: grognard.house("akragas", marks=odd),
    "cover": lambda game, odd: grognard.cover(odd, games=0),
    "cover, games": lambda game, odd: grognard.cover("nothing", games=odd),
    "cover, cases": lambda game, odd: grognard.cover("nothing", games=0, cases=odd),
    "cover, progress": lambda game, odd: grognard.cover("nothing", games=0, progress=odd),
    "run_cases": lambda game, odd: grognard.run_cases(odd),
    "run_cases, of a list": lambda game, odd: grognard.run_cases([odd]),
    "set_up, position": lambda game, odd: grognard.set_up("akragas", odd),
    "set_up, run": lambda game, odd: (
        grognard.set_up("akragas", run=odd) if odd is not None else None
    ),
    "set_up, dice": lambda game, odd: grognard.set_up(
        "akragas", run="nothing", dice={"battle": [odd]}
    ),
    "set_up, piles": lambda game, odd: grognard.set_up("akragas", run="nothing", piles=odd),
    "play_series": lambda game, odd: grognard.play_series("akragas", odd),
    "play_series, games": lambda game, odd: grognard.play_series("akragas", ["random"], games=odd),
    "play": lambda game, odd: game.copy().play(odd),
    "find": lambda game, odd: game.find(odd),
    "view": lambda game, odd: game.view(odd),
    "explain": lambda game, odd: game.explain(odd),
    "explain, arguments": lambda game, odd: game.explain("close_dice", odd, odd, odd),
    "explain, side": lambda game, odd: game.explain(
        "close_dice", "S.HI1", "H4", "attack", side=odd
    ),
    "value": lambda game, odd: game.value(odd, odd),
    "why_not": lambda game, odd: game.why_not(odd),
    "forecast": lambda game, odd: game.forecast(odd),
    "record": lambda game, odd: game.record(odd),
    "save": lambda game, odd: game.save(odd) if not isinstance(odd, str) or len(odd) < 2 else None,
    "restart": lambda game, odd: game.restart(odd),
    "sample": lambda game, odd: game.view(game.side).sample(odd),
    "position": lambda game, odd: game.position[odd],
    "piece": lambda game, odd: game.position.piece(odd),
    "pieces": lambda game, odd: game.position.pieces(odd),
    "pieces of": lambda game, odd: game.position.pieces(
        "Unit", **{odd if isinstance(odd, str) else "no": odd}
    ),
    "members": lambda game, odd: game.position.members(odd),
    "pieces at": lambda game, odd: game.position.at(odd),
    "distance": lambda game, odd: game.board.distance(odd, odd),
    "neighbors": lambda game, odd: game.board.neighbors(odd),
}


@pytest.mark.parametrize("name", CALLS)
def test_only_errors_of_its_own(
    game: grognard.Game, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = 0
    for what, odd in ODD.items():
        try:
            CALLS[name](game, odd)
        except grognard.GrognardError as error:
            refused += 1
            assert "\x1b" not in str(error) + error.remedy, what
            assert len(str(error)) < 5_000, what
    assert refused >= 3
    assert capsys.readouterr() == ("", "")
