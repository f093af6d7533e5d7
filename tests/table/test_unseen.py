"""What a seat does not see is in none of its replies: they stay the same, byte for byte, when it is exchanged."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from client import explainer, schema, table
from hidden_games import CARDS, GAMES, dealt, exchanged, hiding, play_some
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.ruleset import Ruleset
from grognard.explain.explainer import Explainer
from grognard.table.protocol import Seat
from grognard.table.table import Table
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import view

seeds = st.integers(0, 10**6)
pytestmark = pytest.mark.usefixtures("quick_hints")


@cache
def small_explainer(name: str) -> Explainer:
    return Explainer(Ruleset(hiding(name).folder))


def put(desk: Table, state: Any) -> Table:
    """The table as it would be with another state."""
    game = desk.game.copy()
    game.state, game._decision = state, None
    state.log, state.events = game._notes, game._events
    made = Table(game, {}, desk.why.later.get)
    made.scene.style = desk.scene.style
    made.menu.foreteller = None  # which minds the time
    return made


def replies(desk: Table, side: int, things: list[str]) -> list[str]:
    """All that a seat is told, whatever it asks."""
    seat = Seat(desk, side)
    requests: list[dict[str, Any]] = [
        {"do": do} for do in ("table", "show", "hand", "log", "hint", "why")
    ]
    requests += [{"do": "log", "line": "all"}, {"do": "show", "since": 0}]
    decision = desk.game.decision
    for option in decision.options[:3] if decision is not None else ():
        requests.append({"do": "after", "options": [option.text]})
    for thing in things:
        requests += [{"do": do, "line": thing} for do in ("look", "why", "why_not")]
        requests.append({"do": "answer", "version": -1, "line": thing})
        requests.append({"do": "answer", "version": desk.version, "line": f"{thing} and nonsense"})
    told = [seat.receive(json.dumps(request)) for request in requests]
    kinds = {reply["reply"]: reply for reply in map(json.loads, told)}
    for reply in kinds.values():
        schema("reply").validate(reply)
    return told


def compare(desk: Table, state: Any, side: int, things: list[str]) -> None:
    """The seat of a side is told the same of a game and of one that differs in what it does not see."""
    desk, other = put(desk, desk.game.state.copy()), put(desk, state)
    assert view(desk.game.state, side) == view(other.game.state, side)
    for one, two in zip(replies(desk, side, things), replies(other, side, things), strict=True):
        assert one == two


@pytest.mark.parametrize("name", sorted(GAMES))
@given(seed=seeds, steps=st.integers(0, 120), other=seeds)
@settings(max_examples=4, deadline=None)
def test_small_games_with_hidden_pieces(name: str, seed: int, steps: int, other: int) -> None:
    game, rng = hiding(name).game(seed, steps), Random(other)
    desk = Table(game, {}, lambda: small_explainer(name))
    pieces = [piece.name for pieces in game.setup.pieces.values() for piece in pieces]
    things = rng.sample(pieces, 3) + rng.sample(game.spec.board.labels, 2)
    decision = game.decision
    if decision is not None:
        words = [option.word for option in game.spec.decisions[decision.point].options]
        things += [f"{rng.choice(words)} {thing}" for thing in things if words]
    for side in (0, 1):
        compare(desk, exchanged(name, game.state, side, rng), side, things)
    both = exchanged(name, exchanged(name, game.state, 0, rng), 1, rng)
    if view(both, NONE) == view(game.state, NONE):  # who looks on sees less than either
        compare(desk, both, NONE, things)


@pytest.mark.parametrize("scenario", CARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_games_with_cards(scenario: str, seed: int) -> None:
    rng, desk = Random(seed), table(scenario, seed)
    game: Game = desk.game
    explainer(scenario.split("/")[0])
    play_some(game, scenario, rng)
    decision = game.decision
    assert decision is not None
    things = [option.text for option in rng.sample(decision.options, min(3, len(decision.options)))]
    things += rng.sample([p.name for pieces in game.setup.pieces.values() for p in pieces], 3)
    for side in (0, 1):
        compare(desk, dealt(game.state, side, rng), side, things if side == decision.side else [])
    compare(desk, dealt(game.state, NONE, rng), NONE, [])
