"""Clocks: time for whom it runs, for people alone, kept with the game, and claimed by the others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from postgres import Postgres
from served import OWN, Served, follow, until
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

GAME = "no_retreat/barbarossa_1941"
DAY, MINUTE = 24 * 3600, 60
TURN, WHOLE = {"by": "turn", "days": 3}, {"by": "game", "minutes": 60}


class Hands:
    """What time it is, in games that all have the same luck."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000.0
        monkeypatch.setattr("grognard.fronts.web.rooms.new_seed", lambda: 1)
        monkeypatch.setattr(
            "grognard.fronts.web.clocks.time", SimpleNamespace(time=lambda: self.now)
        )


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


def begin(served: Served, clock: Any, **players: str) -> tuple[str, dict[str, str]]:
    asked = {"scenario": GAME, "players": players, "clock": clock}
    reply = served.own.post("/games", json=asked, headers=OWN)
    assert reply.status_code == 201, reply.text
    return reply.json()["game"], reply.json()["links"]


def at(browser: TestClient, game: str, seat: str) -> dict[str, Any]:
    """All that a page at a seat is told."""
    reply = browser.get(f"/game/{game}/news?seat={seat}&after=")
    assert reply.status_code == 200, reply.text
    told: dict[str, Any] = reply.json()["begin"]
    return told


def answer(browser: TestClient, game: str, seat: str) -> dict[str, Any]:
    path = f"/game/{game}/live?seat={seat}"
    show = browser.post(path, json={"do": "show"}, headers=OWN).json()
    option = show["question"]["options"][0]["text"]
    request = {"do": "answer", "version": show["version"], "options": [option]}
    reply: dict[str, Any] = browser.post(path, json=request, headers=OWN).json()
    return reply


def until_another_is_asked(browser: TestClient, game: str, seats: dict[str, TestClient]) -> str:
    """Play on until another side is asked; who it is."""
    before = at(browser, game, "none")["show"]["decides"]
    for _ in range(2000):
        now = at(browser, game, "none")["show"]["decides"]
        if now != before:
            return str(now)
        assert answer(seats[now], game, now)["reply"] == "show"
    raise AssertionError("nobody else is asked")


def claim(browser: TestClient, game: str, seat: str) -> int:
    return browser.post(f"/game/{game}/claim?seat={seat}", headers=OWN).status_code


@pytest.mark.parametrize(
    "clock",
    [
        7,
        [],
        {},
        {"by": "move"},
        {"by": []},
        {"by": "turn", "minutes": 3},
        {"by": "turn", "days": 0},
        {"by": "turn", "days": 61},
        {"by": "game", "minutes": True},
        {"by": "game", "minutes": "60"},
    ],
)
def test_clocks_that_cannot_be(served: Served, clock: Any) -> None:
    asked = {"scenario": GAME, "players": {}, "clock": clock}
    reply = served.own.post("/games", json=asked, headers=OWN)
    assert reply.status_code == 400 and "clock" in reply.json()["message"]
    assert served.rooms.store.games() == []


def test_without_a_clock_none_is_shown(served: Served) -> None:
    game = served.begin(GAME)
    assert "clock" not in at(served.own, game, "axis")
    assert served.own.get("/lobby.json").json()["games"][0]["clock"] is None
    assert claim(served.own, game, "axis") == 409


def test_time_for_each_turn(served: Served, hands: Hands) -> None:
    game, _ = begin(served, TURN)
    told = at(served.own, game, "axis")
    first = told["show"]["decides"]
    assert told["clock"]["runs"] == first and told["clock"]["left"] == 3 * DAY
    hands.now += DAY
    assert answer(served.own, game, first)["reply"] == "show"
    assert at(served.own, game, "none")["show"]["decides"] == first
    # it runs on until another is asked
    clock = at(served.own, game, "none")["clock"]
    assert (clock["runs"], clock["left"]) == (first, 2 * DAY)
    lobby = served.own.get("/lobby.json").json()["games"][0]["clock"]
    assert (lobby["runs"], lobby["left"]) == (first, 2 * DAY)
    seats = dict.fromkeys(("axis", "soviet"), served.own)
    other = until_another_is_asked(served.own, game, seats)
    clock = at(served.own, game, "none")["clock"]
    assert (clock["runs"], clock["left"]) == (other, 3 * DAY)
    assert clock["sides"] == dict.fromkeys(("axis", "soviet"), 3 * DAY)


def test_time_for_the_game(served: Served, hands: Hands) -> None:
    game, _ = begin(served, WHOLE)
    first = at(served.own, game, "none")["clock"]["runs"]
    hands.now += 10 * MINUTE
    seats = dict.fromkeys(("axis", "soviet"), served.own)
    other = until_another_is_asked(served.own, game, seats)
    hands.now += 5 * MINUTE
    clock = at(served.own, game, "none")["clock"]
    assert clock["sides"] == {first: 50 * MINUTE, other: 55 * MINUTE}
    until_another_is_asked(served.own, game, seats)
    hands.now += MINUTE
    clock = at(served.own, game, "none")["clock"]
    assert clock["runs"] == first
    assert clock["sides"] == {first: 49 * MINUTE, other: 55 * MINUTE}


def test_it_runs_for_people_alone(served: Served, hands: Hands) -> None:
    game, _ = begin(served, WHOLE, soviet="random", axis="person")
    clock = at(served.own, game, "axis")["clock"]
    assert clock["runs"] in ("axis", "") and list(clock["sides"]) == ["axis"]


def test_it_runs_once_all_have_come(served: Served, hands: Hands) -> None:
    game, links = begin(served, WHOLE, axis="link", soviet="link")
    guests = {}
    for side, link in links.items():
        clock = at(served.own, game, "none")["clock"]
        assert clock["runs"] == "" and clock["left"] is None
        hands.now += 10 * MINUTE
        guests[side] = served.browser()
        assert follow(guests[side], link).status_code == 200
    clock = at(guests["axis"], game, "axis")["clock"]
    assert clock["runs"] and clock["left"] == 60 * MINUTE


def test_who_waits_may_claim_when_the_time_is_up(served: Served, hands: Hands) -> None:
    game, links = begin(served, TURN, axis="link", soviet="link")
    guests = {side: served.browser() for side in links}
    for side, link in links.items():
        follow(guests[side], link)
    late = at(guests["axis"], game, "axis")["clock"]["runs"]
    (other,) = {"axis", "soviet"} - {late}
    assert at(guests[other], game, other)["clock"]["claims"]
    assert not at(guests[late], game, late)["clock"]["claims"]
    hands.now += 3 * DAY - 1
    assert claim(guests[other], game, other) == 409
    hands.now += 2
    # the game goes on, until it is claimed
    assert answer(guests[late], game, late)["reply"] == "show"
    if at(guests[late], game, late)["clock"]["runs"] != late:
        pytest.fail("this position asks the other side at once")
    assert claim(guests[late], game, late) == 409
    watcher = served.browser()
    made = served.own.post(f"/games/{game}/links", json={"seat": ""}, headers=OWN)
    follow(watcher, made.json()["link"])
    assert claim(watcher, game, "none") == 409 and claim(served.browser(), game, other) == 403
    with served.live(game, "none") as page:
        page.receive_json()
        assert claim(guests[other], game, other) == 204
        with pytest.raises(WebSocketDisconnect):  # it comes back
            until(page, lambda _: False)
    for browser, seat in ((guests[late], late), (guests[other], other), (served.own, "none")):
        told = at(browser, game, seat)
        assert told["clock"]["late"] == late and told["show"]["question"] is None
        assert "has lost on time" in told["show"]["end"]
    refused = answer(guests[late], game, late)
    assert refused["reply"] == "error" and "on time" in refused["message"]
    assert claim(guests[other], game, other) == 409
    listed = guests[late].get("/lobby.json").json()["games"][0]
    assert listed["clock"]["late"] == late and not listed["turn"] and not listed["decides"]


def test_the_host_may_claim(served: Served, hands: Hands) -> None:
    game, links = begin(served, WHOLE, axis="link", soviet="random")
    guest = served.browser()
    follow(guest, links["axis"])
    for _ in range(200):
        if at(guest, game, "axis")["clock"]["runs"]:
            break
    hands.now += 61 * MINUTE
    assert claim(guest, game, "axis") == 409 and claim(served.own, game, "none") == 204


def test_an_answer_that_came_first_counts(served: Served, hands: Hands) -> None:
    game, _ = begin(served, TURN)
    first = at(served.own, game, "none")["clock"]["runs"]
    hands.now += 4 * DAY
    seats = dict.fromkeys(("axis", "soviet"), served.own)
    until_another_is_asked(served.own, game, seats)
    assert claim(served.own, game, first) == 409


def test_on_postgresql(hands: Hands, database_server: Postgres) -> None:
    served = Served(database_server.url())
    with served.own:
        game, _ = begin(served, WHOLE)
        side = at(served.own, game, "none")["clock"]["runs"]
        hands.now += 10 * MINUTE
        assert answer(served.own, game, side)["reply"] == "show"
        assert at(served.own, game, "none")["clock"]["sides"][side] == 50 * MINUTE
        hands.now += 50 * MINUTE
        assert claim(served.own, game, "none") == 204
        assert served.own.get("/lobby.json").json()["games"][0]["clock"]["late"] == side
    assert not served.faults


def test_it_goes_on_when_the_server_is_started_again(served: Served, hands: Hands) -> None:
    game, _ = begin(served, WHOLE)
    side = at(served.own, game, "none")["clock"]["runs"]
    hands.now += 10 * MINUTE
    served.rooms.close()
    hands.now += 10 * MINUTE
    again = Served()
    with again.own:
        assert at(again.own, game, "none")["clock"]["sides"][side] == 40 * MINUTE
        hands.now += 41 * MINUTE
        assert claim(again.own, game, "none") == 204
    again = Served()
    with again.own:
        assert at(again.own, game, "none")["clock"]["late"] == side
        # and whoever has lost may look at it until a host removes it
        assert again.own.delete(f"/games/{game}", headers=OWN).status_code == 204
