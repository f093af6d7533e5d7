"""Pages and reports of the golden records of all games, made once."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from project import ROOT, placed, setup_of

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.places import family
from grognard.retelling.moments import Course
from grognard.retelling.page import page_of
from runtime.games.record import Record
from runtime.games.replay import replay

#: A game of each ruleset, by the scenario.
GAMES = {
    "cc_ancients/akragas": "greedy-1",
    "cc_napoleonics/muster": "random-1",
    "no_retreat/barbarossa_1941": "greedy-1",
    "battles_of_westeros/learning_battle": "random-1",
    "battles_of_napoleon/first_lesson": "random-1",
}


@cache
def record_of(scenario: str) -> Record:
    """The record of a game."""
    path = ROOT / "tests/golden" / scenario / f"{GAMES[scenario]}.record"
    return Record.parse(path.read_text(encoding="utf-8"))


def course_of(scenario: str, side: int | None = None) -> Course:
    """The course of a game."""
    game = replay(placed(scenario), setup_of(scenario), record_of(scenario), lenient=True)
    style = Style.read(family(ROOT / "rulesets" / scenario.split("/")[0]))
    return Course(game, Scene.of_game(game, style), side)


@cache
def page(scenario: str) -> str:
    """The page of a game."""
    return page_of(course_of(scenario), record_of(scenario))


def data_of(text: str) -> dict[str, Any]:
    """What the script of a page reads."""
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def positions(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The moments of a page with nothing left out, as its script makes them."""
    made: list[dict[str, Any]] = []
    held: dict[str, Any] = {"pieces": {}, "rows": {}}
    for step in data["steps"]:
        held = {**held, **{key: step[key] for key in "bevtnhwlcx" if key in step}}
        held["pieces"], held["rows"] = dict(held["pieces"]), dict(held["rows"])
        for slot, *spot in step.get("p", ()):
            held["pieces"][slot] = spot
        for row, *values in step.get("r", ()):
            held["rows"][row] = values
        made.append(held)
    return made
