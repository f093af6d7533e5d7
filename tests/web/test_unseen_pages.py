"""What a seat does not see is in nothing that the server sends it: that stays the same, byte for byte, when it is exchanged."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hidden_games import CARDS, GAMES, dealt, exchanged, hiding, play_some
from project import ROOT, compiled, placed, setup_of

from compiler.ruleset import Ruleset
from grognard.draw.style import Style
from grognard.explain import forecasts
from grognard.explain.explainer import Explainer
from grognard.fronts.room import Room
from grognard.fronts.web.rooms import Connection
from grognard.places import family
from grognard.table import protocol
from grognard.table.table import Table
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import view

pytestmark = pytest.mark.usefixtures("quick_hints", "patient")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds do not mind the time."""
    monkeypatch.setattr(forecasts, "_SECONDS", 60.0)
    monkeypatch.setattr(protocol, "_TOGETHER", 60.0)


@cache
def explainer(ruleset: Any) -> Explainer:
    return Explainer(Ruleset(ruleset) if not isinstance(ruleset, Ruleset) else ruleset)


def rooms(game: Game, style: Style, rules: Any, states: tuple[Any, Any]) -> list[Room]:
    """Two rooms in which people play the same game, from states that differ in what some side does not see."""
    made = []
    for state in states:
        own = game.copy()
        own.state, own._decision = state.copy(), None
        own.state.log, own.state.events = own._notes, own._events
        desk = Table(own, {}, lambda: explainer(rules))
        desk.scene.style = style
        desk.why.later.get()
        kept: Any = SimpleNamespace(name="game", store=None, keep=lambda *_: None)
        made.append(Room(desk, kept, str))  # type: ignore[arg-type]
    return made


def telling_of(room: Room, side: int) -> None:
    """What the seat has been told, in the room's own state."""
    telling = room.telling(side)
    own = telling.course.game
    own.state, own._decision = room.table.game.state.copy(), None
    own.state.log, own.state.events = own._notes, own._events
    telling.add(telling.course._moment(NONE, "", "", own.notes, len(own.folds)))


def sent(room: Room, side: int, things: list[str]) -> list[str]:
    """All that a page is sent, whatever it asks."""
    connection, version = Connection(room, side), room.table.version
    told = [connection.full_show(), connection.news()]
    requests: list[dict[str, Any]] = [
        {"do": do} for do in ("table", "show", "hand", "log", "hint", "why")
    ]
    requests += [{"do": "show", "since": 0}, {"do": "log", "line": "all"}]
    requests.append({"do": "odds", "version": version})
    decision = room.table.decision
    for option in decision.options[:3] if decision is not None else ():
        requests.append({"do": "after", "options": [option.text]})
        requests.append({"do": "odds", "version": version, "options": [option.text]})
    for line in things:
        requests += [{"do": do, "line": line} for do in ("look", "why", "why_not")]
        requests.append({"do": "answer", "version": version - 1, "line": line})
        requests.append({"do": "answer", "version": version, "line": f"{line} and nonsense"})
    requests.append({"do": "undo", "version": version - 1})
    told += [connection.receive(json.dumps(request)) for request in requests]
    return told


def compare(game: Game, style: Style, rules: Any, side: int, other: Any, things: list[str]) -> None:
    assert view(game.state, side) == view(other, side)
    one, two = rooms(game, style, rules, (game.state, other))
    for room in (one, two):
        telling_of(room, side)
    for first, second in zip(sent(one, side, things), sent(two, side, things), strict=True):
        assert first == second


@pytest.mark.parametrize("name", sorted(GAMES))
def test_small_games_with_hidden_pieces(name: str) -> None:
    style = Style.read([hiding(name).folder])
    for seed in range(5):
        game, rng = hiding(name).game(seed, 17 * seed), Random(seed)
        pieces = [piece.name for pieces in game.setup.pieces.values() for piece in pieces]
        things = rng.sample(pieces, 2) + rng.sample(game.spec.board.labels, 1)
        if game.decision is not None:
            words = [option.word for option in game.spec.decisions[game.decision.point].options]
            things += [f"{rng.choice(words)} {thing}" for thing in things if words]
        rules = hiding(name).compilation
        for side in (0, 1):
            compare(game, style, rules, side, exchanged(name, game.state, side, rng), things)
        both = exchanged(name, exchanged(name, game.state, 0, rng), 1, rng)
        if view(both, NONE) == view(game.state, NONE):  # who looks on sees less than either
            compare(game, style, rules, NONE, both, things)


@pytest.mark.parametrize("scenario", CARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_games_with_cards(scenario: str, seed: int) -> None:
    game, rng = Game(placed(scenario), setup_of(scenario), seed), Random(seed)
    style = Style.read(family(ROOT / "rulesets" / game.spec.name))
    play_some(game, scenario, rng)
    pieces = [piece.name for pieces in game.setup.pieces.values() for piece in pieces]
    things, rules, decision = rng.sample(pieces, 2), compiled(game.spec.name), game.decision
    assert decision is not None
    for side in (0, 1, NONE):
        own = [rng.choice(decision.options).text] if side == decision.side else []
        compare(game, style, rules, side, dealt(game.state, side, rng), things + own)


def test_the_screen_is_handed_over_before_a_question_that_not_all_may_read() -> None:
    """Who has looked before is told that it is for another to look, and no more; of a question that
    all may read the odds, too.
    """
    scenario, handed, read = "cc_ancients/akragas", 0, 0
    game, rng = Game(placed(scenario), setup_of(scenario), 5), Random(5)
    style, rules = Style.read(family(ROOT / "rulesets" / game.spec.name)), compiled(game.spec.name)
    (room, _) = rooms(game, style, rules, (game.state, game.state))
    pages = [Connection(room, side) for side in (0, 1)]
    for page in pages:
        page.full_show()

    def odds(page: Connection) -> Any:
        return json.loads(page.receive(json.dumps({"do": "odds", "version": room.table.version})))

    for _ in range(40):
        decision = room.table.decision
        assert decision is not None
        other = pages[1 - decision.side]
        told = json.loads(other.news())["more"]
        assert json.loads(pages[decision.side].news())["more"]["show"]["question"]
        if "handover" in told:
            handed += 1
            assert told["handover"]["side"] == decision.name and told["show"]["question"] is None
            answer = {
                "do": "answer",
                "version": room.table.version,
                "options": [decision.options[0].text],
            }
            reply = json.loads(other.receive(json.dumps(answer)))
            assert reply["reply"] == "error" and reply["kind"] == "turn"
            assert not reply["reasons"] and not reply["matches"]
            assert odds(other)["kind"] == "turn"
        else:
            read += 1
            assert told["show"]["question"]["side"] == decision.name
            wrong = {"do": "answer", "version": room.table.version, "line": "nonsense B2"}
            reply = json.loads(other.receive(json.dumps(wrong)))
            assert reply["reply"] == "error" and not reply["reasons"] and not reply["matches"]
            assert odds(other) == odds(pages[decision.side]) and odds(other)["reply"] == "odds"
            behind = {
                "do": "odds",
                "version": room.table.version,
                "options": [decision.options[0].text],
            }
            reply = json.loads(
                other.receive(json.dumps(behind))
            )  # what is asked then may be closed
            assert reply["kind"] == "turn"
        room.table.choose(decision.side, [rng.choice(decision.options).text])
    assert handed and read, (handed, read)
