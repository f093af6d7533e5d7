"""Games at the server: begun, seen alike by all pages of a seat, gone on with, ended, removed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from threading import Event

import pytest
from project import scenarios
from served import OWN, Served, until
from starlette.websockets import WebSocketDisconnect

from grognard.database import NotKept
from grognard.explain.forecasts import Foreteller
from grognard.table.store import Store
from runtime.runs.seats import BOTS

CARDS, SMALL = "cc_ancients/akragas", "no_retreat/barbarossa_1941"


def first(show: dict) -> str:
    """The first option that is no pass."""
    options = show["question"]["options"]
    return next((one["text"] for one in options if not one["passes"]), options[0]["text"])


def waits_for(page, side: str) -> dict:
    """What is shown once a side is asked."""
    told = until(
        page,
        lambda one: one.get("begin", one.get("more", {})).get("show", {}).get("decides") == side,
    )
    return (told.get("begin") or told["more"])["show"]


def test_the_lobby(served: Served) -> None:
    told = served.own.get("/lobby.json").json()
    lengths = {one["name"]: one["length"] for one in told["scenarios"]}
    assert {CARDS, SMALL} <= lengths.keys() and told["games"] == [] and told["finished"] == []
    assert set(told["players"]) == {"person", "link", *BOTS}
    assert [name for name in scenarios() if not lengths[name]] == []
    one = next(one for one in told["scenarios"] if one["name"] == CARDS)
    assert one["title"] and len(one["sides"]) == 2 and len(one["lines"]) <= 2
    picture = served.own.get(f"/picture/{CARDS}.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml") and "<svg" in picture.text
    assert served.own.get("/picture/none/such.svg").status_code == 400
    name = served.begin(CARDS, top="greedy")
    (game,) = served.own.get("/lobby.json").json()["games"]
    assert game["name"] == name and game["decides"]
    served.rooms.close()
    (closed,) = served.own.get("/lobby.json").json()["games"]
    assert closed == game
    assert served.own.delete(f"/games/{name}", headers=OWN).status_code == 204
    assert served.own.delete(f"/games/{name}", headers=OWN).status_code == 404
    assert served.own.get("/lobby.json").json()["games"] == []


def test_czech(served: Served) -> None:
    name = served.begin(CARDS, "cs-CZ,cs;q=0.9,en;q=0.8")
    page = served.own.get(f"/game/{name}", headers={"accept-language": "cs"})
    assert '<html lang="cs">' in page.text
    with served.live(name, "bottom") as one:
        assert one.receive_json()["begin"]["table"]["language"] == "cs"
    served.rooms.close()
    with served.live(name, "bottom", **{"accept-language": "cs"}) as one:  # gone on with, too
        assert one.receive_json()["begin"]["table"]["language"] == "cs"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        [],
        {"scenario": "../../etc/passwd"},
        {"scenario": "/etc/passwd"},
        {"scenario": 3},
        {"scenario": CARDS, "players": []},
        {"scenario": CARDS, "players": {"top": "os:system"}},
        {"scenario": CARDS, "players": {"<b>": "greedy"}},
        {"scenario": CARDS, "players": {"top": ["greedy"]}},
        {"scenario": CARDS, "players": {"top": None}},
    ],
)
def test_games_that_cannot_be(served: Served, asked: object) -> None:
    reply = served.own.post("/games", json=asked, headers=OWN)
    assert reply.status_code == 400 and reply.json()["message"]
    assert served.rooms.store.games() == []


def test_two_pages_of_a_seat_see_the_same(served: Served) -> None:
    name = served.begin(CARDS, top="greedy")
    with served.live(name, "bottom") as one, served.live(name, "bottom") as two:
        shows = [waits_for(page, "bottom") for page in (one, two)]
        assert shows[0]["question"] == shows[1]["question"]
        one.send_json(
            {"do": "answer", "version": shows[0]["version"], "options": [first(shows[0])], "id": 1}
        )
        reply = until(one, lambda message: message.get("id") == 1)
        assert reply["reply"] == "show"
        later = [
            until(
                page,
                lambda message: (
                    message.get("more", {}).get("show", {}).get("version", -1) >= reply["version"]
                ),
            )
            for page in (one, two)
        ]
        assert later[0]["more"]["show"]["question"] == later[1]["more"]["show"]["question"]
        with served.live(name, "bottom") as three:  # reloaded
            begun = three.receive_json()["begin"]
            assert begun["show"]["question"] == later[0]["more"]["show"]["question"]


def test_who_decides_does_not_wait_for_odds(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Odds of one game at a time are worked out; those of a question that is answered meanwhile are
    not, nor told.
    """
    working, go_on, worked = Event(), Event(), Foreteller.go_on
    waited_for = []

    def slow(teller: Foreteller, seconds: float) -> None:
        waited_for.append(teller)
        working.set()
        assert go_on.wait(30)
        worked(teller, seconds)

    monkeypatch.setattr(Foreteller, "go_on", slow)
    names = [served.begin(CARDS, top="greedy") for _ in range(2)]
    with served.own, served.live(names[0], "bottom") as one, served.live(names[1], "bottom") as two:
        pages = (one, two)
        shows = [waits_for(page, "bottom") for page in pages]
        assert any(option["foreseen"] for option in shows[0]["question"]["options"])
        for page, show in zip(pages, shows, strict=True):
            page.send_json({"do": "odds", "version": show["version"], "id": 1})
        assert working.wait(30)
        late = two if len(served.rooms.open_room(names[0]).table._odds) else one
        show = shows[pages.index(late)]
        answer = {"do": "answer", "version": show["version"], "options": [first(show)]}
        late.send_json({**answer, "id": 2})
        replied = until(late, lambda message: "id" in message)
        assert replied["id"] == 2 and replied["reply"] == "show"
        go_on.set()
        outdated = until(late, lambda message: message.get("id") == 1)
        assert outdated["kind"] == "version" and "show" not in outdated
        other = one if late is two else two
        assert until(other, lambda message: message.get("id") == 1)["reply"] == "odds"
    assert len(waited_for) == 1


def test_a_decision_that_is_sent_twice_is_taken_once(served: Served) -> None:
    name = served.begin(CARDS)
    room = served.rooms.open_room(name)
    assert room is not None
    side = room.table.decision.name
    show = served.ask(name, side, do="show")
    answer = {"do": "answer", "version": show["version"], "options": [first(show)]}
    with served.live(name, side) as one:
        waits_for(one, side)
        for number in (1, 2):
            one.send_json({**answer, "id": number})
        replies = [until(one, lambda message, n=n: message.get("id") == n) for n in (1, 2)]
    late = served.ask(name, side, **answer)
    assert [reply["reply"] for reply in (*replies, late)] == ["show", "error", "error"]
    assert late["kind"] == "version" and room.table.version == replies[0]["version"]
    assert late["show"]["question"] == served.ask(name, side, do="show", brief=True)["question"]


def test_versions_count_on_over_restarts(served: Served) -> None:
    """What was sent before a server ended, fits nothing that is asked later."""
    name = served.begin(SMALL)
    seen = set()
    for _ in range(4):
        room = served.rooms.room(name, "en")
        assert room is not None
        for _ in range(3):
            side = room.table.decision.name
            show = served.ask(name, side, do="show", brief=True)
            assert show["version"] not in seen
            seen.add(show["version"])
            done = served.ask(
                name, side, do="answer", version=show["version"], options=[first(show)]
            )
            if done["undo"]:
                seen.add(done["version"])
                served.ask(name, side, do="undo", version=done["version"])
        seen.add(room.table.version - 1)
        served.rooms.close()
    assert len(seen) > 8


def test_a_server_that_comes_again_goes_on(served: Served, tmp_path: Path) -> None:
    name = served.begin(CARDS, top="random")
    with served.live(name, "bottom") as one:
        show = waits_for(one, "bottom")
    served.rooms.close()
    again = Served()
    with again.own, again.live(name, "bottom") as one:
        begun = waits_for(one, "bottom")
        assert begun["question"] == show["question"]
        assert (
            again.ask(
                name, "bottom", do="answer", version=begun["version"], options=[first(begun)]
            )["reply"]
            == "show"
        )
    again.rooms.close()


def test_a_game_that_nobody_looks_at_is_put_to_rest(served: Served) -> None:
    name = served.begin(CARDS)
    room = served.rooms.open_room(name)
    assert room is not None
    with served.live(name, "bottom") as page:
        page.receive_json()
        served.rooms.close_idle(time.monotonic() + 1000)
        assert not room.closed
    while room.listeners:
        time.sleep(0.01)
    served.rooms.close_idle(time.monotonic())
    served.rooms.close_idle(time.monotonic() + 290)
    assert not room.closed
    served.rooms.close_idle(time.monotonic() + 310)
    assert room.closed and served.rooms.open_room(name) is None
    assert served.ask(name, "bottom", do="show")["reply"] == "show"


def test_a_game_that_is_played_on_in_a_terminal_is_read_again(served: Served) -> None:
    name = served.begin(CARDS)
    room = served.rooms.open_room(name)
    assert room is not None
    side = room.table.decision.name
    with served.live(name, side) as page:
        show = waits_for(page, side)
        with Store() as store:
            kept = store.find(name)
            assert kept is not None
            _, game = store.recorded(kept).open()
            elsewhere = store.resume(name, game, {})
            game.play(1)
            elsewhere.keep(game)
        page.send_json(
            {"do": "answer", "version": show["version"], "options": [first(show)], "id": 1}
        )
        assert until(page, lambda message: message.get("id") == 1)["kind"] == "store"
        with pytest.raises(WebSocketDisconnect):
            while True:
                page.receive_json()
    room = served.rooms.room(name, "en")
    assert room is not None and room.table.game.entries() == game.entries()


def test_what_cannot_be_kept_is_kept_later_and_then_told(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = served.begin(CARDS)
    room = served.rooms.open_room(name)
    assert room is not None and room.kept.store is not None
    side = room.table.decision.name
    with served.live(name, side) as page, monkeypatch.context() as patch:
        show = waits_for(page, side)
        full = True
        database = room.kept.store.database
        transaction = database.transaction

        def refusing(durable: bool = True, reading: bool = False):
            if full and not reading:
                raise NotKept("no space left", "make room")
            return transaction(durable, reading=reading)

        patch.setattr(database, "transaction", refusing)
        page.send_json(
            {"do": "answer", "version": show["version"], "options": [first(show)], "id": 1}
        )
        message, told = {}, []
        while message.get("id") != 1:
            message = page.receive_json()
            told.append(message)
        assert message["kind"] == "store" and not any("more" in one for one in told)
        assert "fault" in until(page, lambda one: "fault" in one)
        full = False
        assert until(page, lambda one: "more" in one)["more"]["show"]["version"] > show["version"]
    with Store() as store:
        assert len(store.record(name).actions) == 1


def test_games_that_are_over(served: Served) -> None:
    """They can be stepped through under the name that they were played by, and begun anew."""
    name = served.begin("cc_ancients/akragas", top="random", bottom="random")
    for _ in range(600):
        if served.own.get("/lobby.json").json()["finished"]:
            break
        time.sleep(0.1)
    (record,) = served.own.get("/lobby.json").json()["finished"]
    replayed = served.own.get(f"/replay/{record}")
    assert replayed.status_code == 200 and "default-src &#39;none&#39;" in replayed.text.replace(
        "'", "&#39;"
    )
    assert served.own.get("/replay/..%2f..%2fgames").status_code == 404
    again = served.begin("cc_ancients/akragas")
    room = served.rooms.open_room(again)
    assert again == name and room is not None and not room.table.game.over
    served.own.delete(f"/games/{again}", headers=OWN)
    led = served.own.get(f"/game/{name}", follow_redirects=False)
    assert led.status_code == 303 and led.headers["location"] == f"/replay/{record}"


def test_a_bot_that_thinks_blocks_nobody(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    thinks, done = Event(), Event()

    class Slow:
        blind, engines = False, None

        def choose(self, view, options, rng):
            thinks.set()
            assert done.wait(30)
            return options[0]

    monkeypatch.setattr("grognard.fronts.web.rooms.seat_for", lambda *_: Slow())
    name = served.begin(CARDS, top="greedy", bottom="greedy")
    other = served.begin(SMALL)
    assert thinks.wait(10)
    begun = time.monotonic()
    assert served.ask(name, "none", do="show")["waits"] is False
    assert served.own.get(f"/game/{other}").status_code == 200
    assert served.own.get("/lobby.json").status_code == 200
    assert time.monotonic() - begun < 5
    done.set()


def test_a_page_that_goes_away_or_reads_nothing_stops_nobody(served: Served) -> None:
    name = served.begin(CARDS, top="random", bottom="random")
    room = served.rooms.open_room(name)
    assert room is not None
    with served.live(name, "none"), served.live(name, "none") as silent:
        silent.send_text("{")
        with served.live(name, "none") as other:
            other.receive_json()
            other.send_bytes(b"{")
            with pytest.raises(WebSocketDisconnect):
                other.receive_json()
        for _ in range(600):
            if room.table.game.over:
                break
            time.sleep(0.1)
    assert room.table.game.over
    for _ in range(100):
        if not room.listeners:
            break
        time.sleep(0.05)
    assert not room.listeners


def test_who_looks_and_from_where(served: Served) -> None:
    name = served.begin(CARDS, top="greedy")
    for seat in ("top", "nobody", "<script>"):  # a bot's, and none
        assert served.own.get(f"/game/{name}/news", params={"seat": seat}).status_code == 400
        with pytest.raises(WebSocketDisconnect), served.live(name, seat):
            pass
    with pytest.raises(WebSocketDisconnect), served.live("none", "none"):
        pass
    assert served.own.get("/game/none/news").status_code == 404
    assert served.ask(name, "none", do="show")["question"] is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '"x"',
        "[" * 50_000,
        '{"do": "show", "id": "\\ud800"}',
        "x" * 120_000,
        '{"do": 1}',
        "1" * 5000,
    ],
)
def test_requests_that_are_none(served: Served, text: str) -> None:
    name = served.begin(CARDS)
    with served.live(name, "top") as page:
        page.receive_json()
        page.send_text(text)
        assert page.receive_json()["reply"] in ("error", "show")
        page.send_json({"do": "table", "id": 7})
        assert until(page, lambda message: message.get("id") == 7)["reply"] == "table"
    assert (
        served.own.post(f"/game/{name}/live?seat=top", content=text, headers=OWN).status_code == 200
    )


def test_seeds_and_nonces_are_told_to_nobody(served: Served) -> None:
    name = served.begin(CARDS)
    room = served.rooms.open_room(name)
    assert room is not None and room.kept.key is not None
    game = room.table.game
    told = [
        served.own.get(path).text
        for path in ("/", "/lobby.json", f"/game/{name}", f"/game/{name}/news")
    ]
    for seat in ("top", "bottom", "none"):
        with served.live(name, seat) as page:
            told.append(json.dumps(page.receive_json()))
        told += [
            json.dumps(served.ask(name, seat, do=do))
            for do in ("table", "show", "log", "hint", "why")
        ]
    for _ in range(30):
        decision = room.table.decision
        assert decision is not None
        show = served.ask(name, decision.name, do="show")
        told.append(
            json.dumps(
                served.ask(
                    name,
                    decision.name,
                    do="answer",
                    version=show["version"],
                    options=[show["question"]["options"][0]["text"]],
                )
            )
        )
    for text in told:
        assert str(game.seed) not in text and room.kept.key.nonce not in text
