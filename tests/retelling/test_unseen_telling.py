"""What a seat does not see is in nothing that it is told: that stays the same, byte for byte, when it is exchanged."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hidden_games import CARDS, GAMES, dealt, exchanged, hiding, play_some
from project import ROOT, placed, setup_of

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.places import family
from grognard.retelling.moments import Course
from grognard.retelling.telling import Telling
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import view


def told(telling: Telling) -> str:
    """Everything that a page is given, in the order that it is given in."""
    return json.dumps(telling.data, ensure_ascii=False)


def compare(game: Game, style: Style, side: int, other: Any, rng: Random) -> int:
    """Two seats of games that differ in what the side does not see are told the same, at once and
    as long as they see the same; how many moments that were.
    """
    tellings = [Telling(Course(game, Scene.of_game(game, style), side)) for _ in range(2)]
    for telling in tellings:
        telling.follow(game)
    marks = [telling.mark for telling in tellings]
    assert view(game.state, side) == view(other, side)
    for telling, state in zip(tellings, (game.state.copy(), other), strict=True):
        own = telling.course.game
        own.state, own._decision = state, None
        state.log, state.events = own._notes, own._events
        own = telling.course.game
        telling.add(telling.course._moment(NONE, "", "", own.notes, len(own.folds)))
    for moment in range(12):
        one, two = (telling.since(mark) for telling, mark in zip(tellings, marks, strict=True))
        assert json.dumps(one[0]) == json.dumps(two[0])
        assert told(tellings[0]) == told(tellings[1])
        marks = [one[1], two[1]]
        games = [telling.course.game for telling in tellings]
        if games[0].over or games[1].over:
            return moment
        options = [sorted(one.state.options) for one in games]
        both = set(options[0]) & set(options[1])
        if not both:
            return moment
        chosen = [rng.choice(sorted(both))] * 2
        if games[0].state.chooser != side and rng.random() < 0.5:  # others may choose otherwise
            chosen[1] = rng.choice(options[1])
        moments = [
            telling.course.take(option) for telling, option in zip(tellings, chosen, strict=True)
        ]
        here = [(view(made.after, side), made.notes, made.rolls) for made in moments]
        if here[0] != here[1]:  # which it may see
            return moment
        for telling, made in zip(tellings, moments, strict=True):
            telling.add(made)
    return 12


@pytest.mark.parametrize("name", sorted(GAMES))
def test_small_games_with_hidden_pieces(name: str) -> None:
    style, compared = Style.read([hiding(name).folder]), 0
    for seed in range(8):
        game, rng = hiding(name).game(seed, 15 * seed), Random(seed)
        for side in (0, 1):
            compared += compare(game, style, side, exchanged(name, game.state, side, rng), rng)
        both = exchanged(name, exchanged(name, game.state, 0, rng), 1, rng)
        if view(both, NONE) == view(game.state, NONE):  # who looks on sees less than either
            compared += compare(game, style, NONE, both, rng)
    assert compared > 20


@pytest.mark.parametrize("scenario", CARDS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3))])
def test_games_with_cards(scenario: str, seed: int) -> None:
    game, rng = Game(placed(scenario), setup_of(scenario), seed), Random(seed)
    style = Style.read(family(ROOT / "rulesets" / game.spec.name))
    play_some(game, scenario, rng)
    compared = [
        compare(game, style, side, dealt(game.state, side, rng), rng) for side in (0, 1, NONE)
    ]
    assert any(compared)
