"""Whole games through the protocol alone: the same record as the same answers give the engine."""

from __future__ import annotations

from random import Random

import pytest
from client import Client, table
from project import one_of_each, placed, setup_of

from grognard.bots.players import seat_for
from grognard.table.protocol import seats
from runtime.games.game import Game
from runtime.games.record import Record

GAMES = one_of_each()
pytestmark = pytest.mark.usefixtures("quick_hints")

#: Answers that are given in a test; whole games have some hundred to two thousand.
ANSWERS, HINTS = 80, 4


def same_game(scenario: str, seed: int, played: Game) -> bool:
    """Whether the engine makes the same record of the same answers."""
    again = Game(placed(scenario), setup_of(scenario), seed)
    for _, action in played.actions:
        again.play(action)
    return Record.of(again).write() == Record.of(played).write()


def meddle(client: Client, rng: Random) -> None:
    """Answers that are none, and answers that come too late: nothing is taken."""
    version, options = client.show["version"], client.options
    wrong = client.take("answer", options=["no such option"])
    assert (wrong["reply"], wrong["kind"]) == ("error", "option")
    late = client.ask("answer", version=version - 1, options=[rng.choice(options)])
    assert (late["kind"], late["version"]) == ("version", version)


@pytest.mark.parametrize("scenario", GAMES)
def test_people_play_at_random(scenario: str) -> None:
    seed, rng = 5, Random(scenario)
    desk = table(scenario, seed)
    clients = {side: Client(seat) for side, seat in seats(desk).items()}
    watcher, undone = clients[None], 0
    for number in range(ANSWERS):
        while desk.step():
            pass
        watcher.ask("show")
        side = watcher.show["decides"]
        if side is None:
            break
        client = clients[side]
        client.ask("show")
        if number % 10 == 0:
            meddle(client, rng)
        before = client.show["version"]
        chosen = rng.choice(client.show["question"]["options"])
        if chosen["passes"]:
            reply = client.take("pass", standing=rng.random() < 0.1)
        else:
            reply = client.take("answer", options=[chosen["text"]])
        assert reply["reply"] == "show" and reply["version"] == before + 1
        if reply["undo"] and rng.random() < 0.3:
            assert client.take("undo")["reply"] == "show"
            undone += 1
        other = next(c for s, c in clients.items() if s not in (side, None))
        assert other.take("undo")["kind"] in ("turn", "version", "undo", "over")
    assert undone and same_game(scenario, seed, desk.game)
    for client in clients.values():
        client.ask("show")
        assert client.log == desk.game.log_of(client.seat.side)


@pytest.mark.parametrize("scenario", GAMES)
def test_somebody_who_takes_every_hint_against_a_bot(scenario: str) -> None:
    bot = seat_for("random", placed(scenario), setup_of(scenario))
    desk = table(scenario, 3, {1: bot})
    client = Client(seats(desk)[desk.game.spec.sides[0]])
    shown: list[int] = []
    stop = seats(desk)[None].stream(lambda show: shown.append(show["version"]))
    taken = 0
    while taken < HINTS and not desk.game.over:
        if desk.step():
            continue
        client.ask("show")
        hint = client.ask("hint")
        assert hint["option"] in client.options
        assert not any("of 0 tries" in line["text"] for line in hint["lines"])
        assert client.take("answer", options=[hint["option"]])["reply"] == "show"
        taken += 1
    stop()
    assert shown == list(range(shown[0], desk.version + 1))
    assert same_game(scenario, 3, desk.game)


@pytest.mark.long
@pytest.mark.parametrize("scenario", GAMES)
def test_a_game_to_its_end(scenario: str) -> None:
    desk, rng = table(scenario, 11), Random(11)
    clients = {side: Client(seat) for side, seat in seats(desk).items()}
    show = clients[None].show
    while (side := show["decides"]) is not None:
        client = clients[side]
        if client.show["version"] < show["version"]:
            client.ask("show")
        assert client.take("answer", options=[rng.choice(client.options)])["reply"] == "show"
        show = client.show
    show = clients[None].ask("show")
    assert show["end"] and show["result"] == desk.game.outcome != "unfinished"
    assert all(client.take("undo")["kind"] in ("over", "version") for client in clients.values())
    assert same_game(scenario, 11, desk.game)
