"""Games by link: a seat for whoever has its link, and nothing of the others'."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from served import ADDRESS, OWN, Served, follow, socket, until
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

CARDS = "cc_ancients/akragas"


class Guest:
    """A browser that has followed the link of a seat."""

    def __init__(self, served: Served, link: str) -> None:
        self.browser = served.browser()
        entered = follow(self.browser, link)
        assert entered.status_code == 200, entered.text
        self.led = str(entered.url)

    def ask(self, game: str, seat: str, **request: Any) -> dict[str, Any]:
        reply = self.browser.post(f"/game/{game}/live?seat={seat}", json=request, headers=OWN)
        return {"status": reply.status_code, **reply.json()}

    def live(self, game: str, seat: str):
        return socket(self.browser, f"/game/{game}/live?seat={seat}", OWN)


def begin(served: Served, **players: str) -> tuple[str, dict[str, str]]:
    reply = served.own.post("/games", json={"scenario": CARDS, "players": players}, headers=OWN)
    assert reply.status_code == 201, reply.text
    return reply.json()["game"], reply.json()["links"]


def new_link(browser: TestClient, game: str, seat: str) -> Any:
    return browser.post(f"/games/{game}/links", json={"seat": seat}, headers=OWN)


def answer(served: Served, game: str, seat: str) -> None:
    show = served.ask(game, seat, do="show")
    first = show["question"]["options"][0]["text"]
    reply = served.ask(game, seat, do="answer", version=show["version"], options=[first])
    assert reply["reply"] == "show", reply


def test_a_link_gives_its_seat_and_no_other(served: Served) -> None:
    game, links = begin(served, top="link", bottom="person")
    assert list(links) == ["top"] and links["top"].startswith(f"{ADDRESS}/enter/")
    guest = Guest(served, links["top"])
    assert guest.led == f"{ADDRESS}/game/{game}?seat=top"
    assert guest.browser.get(f"/game/{game}?seat=top").status_code == 200
    show = guest.ask(game, "top", do="show")
    assert (show["status"], show["seat"]) == (200, "top")
    assert guest.ask(game, "bottom", do="show")["status"] == 400
    assert guest.ask(game, "none", do="show")["seat"] is None
    # nor does the host sit there
    assert (
        served.own.post(f"/game/{game}/live?seat=top", json={"do": "show"}, headers=OWN).status_code
        == 400
    )
    assert served.ask(game, "bottom", do="show")["seat"] == "bottom"
    # one who has no seat finds no game
    stranger = Guest(served, begin(served, top="link")[1]["top"])
    assert stranger.browser.get(f"/game/{game}").status_code == 404
    assert stranger.ask(game, "none", do="show")["status"] == 404
    with pytest.raises(WebSocketDisconnect), stranger.live(game, "none"):
        pass


def test_who_is_away_is_handed_no_screen_and_answers_for_himself(served: Served) -> None:
    game, links = begin(served, top="link", bottom="person")
    guest = Guest(served, links["top"])
    with served.live(game, "bottom") as host, guest.live(game, "top") as other:
        told = {"bottom": host.receive_json()["begin"], "top": other.receive_json()["begin"]}
        (asked,) = [seat for seat, one in told.items() if one["show"]["question"]]
        (waiting,) = {"top", "bottom"} - {asked}
        assert "handover" not in told[waiting]
        pages = {"top": other, "bottom": host}
        option = told[asked]["show"]["question"]["options"][0]["text"]
        request = {
            "do": "answer",
            "version": told[asked]["show"]["version"],
            "options": [option],
            "id": 1,
        }
        pages[waiting].send_json(request)
        refused = until(pages[waiting], lambda one: one.get("id") == 1)
        assert refused["reply"] == "error"
        pages[asked].send_json(request)
        assert until(pages[asked], lambda one: one.get("id") == 1)["reply"] == "show"
        until(pages[waiting], lambda one: "more" in one)


def test_a_new_link_ends_the_one_of_before(served: Served) -> None:
    game, links = begin(served, top="link", bottom="person")
    guest = Guest(served, links["top"])
    phone = Guest(served, links["top"])  # a second device
    assert phone.ask(game, "top", do="show")["status"] == 200
    with guest.live(game, "top") as page:
        page.receive_json()
        made = new_link(served.own, game, "top")
        assert made.status_code == 200
        page.send_json({"do": "show", "id": 1})
        with pytest.raises(WebSocketDisconnect):
            while page.receive_json().get("id") != 1:
                pass
    assert guest.ask(game, "top", do="show")["status"] == 404
    assert phone.ask(game, "top", do="show")["status"] == 404
    assert follow(served.browser(), links["top"]).status_code == 403
    again = Guest(served, made.json()["link"])
    assert again.ask(game, "top", do="show")["status"] == 200


def test_watchers_see_what_everybody_sees(served: Served) -> None:
    game, _ = begin(served, top="person", bottom="random")
    watcher = Guest(served, new_link(served.own, game, "").json()["link"])
    assert watcher.led.endswith(f"/game/{game}?seat=none")
    with watcher.live(game, "none") as page:
        begun = page.receive_json()["begin"]
        assert begun["show"]["seat"] is None and begun["show"]["question"] is None
        assert watcher.ask(game, "top", do="show")["status"] == 400
        answer(served, game, "top")
        until(page, lambda one: "more" in one)


def test_guests_find_their_games_and_may_do_nothing_else(served: Served) -> None:
    game, links = begin(served, top="link", bottom="person")
    begin(served, top="person")
    guest = Guest(served, links["top"])
    lobby = guest.browser.get("/lobby.json").json()
    assert [one["name"] for one in lobby["games"]] == [game]
    assert (lobby["host"], lobby["scenarios"], lobby["finished"]) == (False, [], [])
    for method, path, content in (
        ("POST", "/games", json.dumps({"scenario": CARDS, "players": {}})),
        ("POST", "/links", ""),
        ("POST", "/scenarios", "ruleset: x"),
        ("POST", f"/games/{game}/links", '{"seat": "top"}'),
        ("DELETE", f"/games/{game}", ""),
        ("GET", f"/picture/{CARDS}.svg", ""),
    ):
        reply = guest.browser.request(method, path, content=content, headers=OWN)
        assert reply.status_code == 403, path
    assert len(served.rooms.store.games()) == 2


@pytest.mark.parametrize("seat", ["bottom", "nobody", None, 7])
def test_links_that_cannot_be(served: Served, seat: Any) -> None:
    game, _ = begin(served, top="link", bottom="person")
    reply = served.own.post(f"/games/{game}/links", json={"seat": seat}, headers=OWN)
    assert reply.status_code == 400 and "by a link" in reply.json()["message"]
    assert new_link(served.own, "no_such_game", "top").status_code == 404


def test_who_had_a_seat_sees_the_game_when_it_is_over(served: Served) -> None:
    game, _ = begin(served, top="random", bottom="random")
    watcher = Guest(served, new_link(served.own, game, "").json()["link"])
    for _ in range(600):
        if served.own.get("/lobby.json").json()["finished"]:
            break
        time.sleep(0.1)
    page = watcher.browser.get(f"/game/{game}")
    assert page.status_code == 200 and "/replay/" in str(page.url)
    (record,) = watcher.browser.get("/lobby.json").json()["finished"]
    stranger = Guest(served, begin(served, top="link")[1]["top"])
    assert stranger.browser.get(f"/replay/{record}").status_code == 404
    assert stranger.browser.get("/lobby.json").json()["finished"] == []
