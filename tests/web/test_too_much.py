"""Who asks too much, too often or not at all keeps nobody else from playing."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from served import OWN, Served, follow, process, socket, told
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from test_killed_server import begin, enter
from websockets.exceptions import ConnectionClosed

from grognard.fronts.web.bounds import ImpatientProtocol

GAME = "no_retreat/barbarossa_1941"


def test_guessing_links_is_soon_refused(served: Served) -> None:
    stranger = served.browser()
    guesses = [f"/enter/guess{number}" for number in range(70)]
    codes = [stranger.post(guess, headers=OWN).status_code for guess in guesses]
    assert set(codes[:50]) == {403} and codes[-1] == 429
    assert served.own.get("/lobby.json").status_code == 200


def test_changes_are_counted_by_browser(served: Served) -> None:
    other = served.browser()
    follow(other, f"/enter/{served.visitors.link()}")

    def forget(browser: TestClient) -> int:
        return browser.delete("/games/none", headers=OWN).status_code

    assert {forget(other) for _ in range(310)} == {404, 429}
    assert forget(other) == 429 and forget(served.own) == 404


def test_sockets_of_a_browser_are_counted(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.fronts.web.bounds._SOCKETS", 3)
    name = served.begin("cc_ancients/akragas")
    with ExitStack() as stack:
        pages = [stack.enter_context(served.live(name, "top")) for _ in range(3)]
        with pytest.raises(WebSocketDisconnect):
            stack.enter_context(served.live(name, "top"))
        pages.pop().close()
        for _ in range(50):
            try:
                again = stack.enter_context(served.live(name, "top"))
                break
            except WebSocketDisconnect:
                continue
        assert "begin" in again.receive_json()


def test_what_is_refused_is_told_in_the_log(served: Served) -> None:
    stranger, name = served.browser(), served.begin(GAME)
    key = served.visitors.seat_link(name, "")
    assert follow(stranger, f"/enter/{key}x").status_code == 403
    assert stranger.get("/lobby.json?key=secret").status_code == 403
    foreign = {"origin": "http://evil.example"}
    assert served.own.post("/games", headers=foreign).status_code == 403
    with pytest.raises(WebSocketDisconnect), socket(served.own, f"/game/{name}/live", foreign):
        pass
    assert served.own.post(f"/game/{name}/live?seat=north", headers=OWN).status_code == 400
    assert served.own.post("/scenarios", content=b"x" * 400_000, headers=OWN).status_code == 413
    assert served.own.get("/a%0a%1b[0mb").status_code == 404
    assert served.refused == [
        f"testclient was refused: {what}"
        for what in (
            f"POST /enter/…: 403, from {OWN['origin']}",
            "GET /lobby.json: 403",
            "POST /games: 403, from http://evil.example",
            f"socket /game/{name}/live: 1008, from http://evil.example",
            f"POST /game/{name}/live: 400, from {OWN['origin']}",
            f"POST /scenarios: 413, from {OWN['origin']}",
            "GET /a\ufffd\ufffd[0mb: 404",
        )
    ]
    for _ in range(100):
        stranger.get("/")
    assert len(served.refused) == 7 + 20 - 3  # so many of a kind in a minute


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that waits half a second for what is asked, and replies after one."""
    monkeypatch.setattr("grognard.fronts.web.bounds._PATIENCE", 0.5)

    async def app(scope, receive, send) -> None:
        while (await receive()).get("more_body"):
            pass
        await asyncio.sleep(1)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    listening = sockets.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=ImpatientProtocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


_WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
_HEAD, _BODY = _WHOLE[:20], b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"


@pytest.mark.parametrize(
    ("before", "half"),
    [(b"", b""), (b"", _HEAD), (b"", _BODY), (_WHOLE, _HEAD), (_WHOLE, _BODY)],
)
def test_who_does_not_finish_what_he_asks_is_hung_up_on(
    impatient: int, before: bytes, half: bytes
) -> None:
    with sockets.create_connection(("127.0.0.1", impatient), timeout=4) as one:
        if before:
            one.sendall(before)
            assert one.recv(1000).startswith(b"HTTP/1.1 204")  # however long that takes
        one.sendall(half)
        assert one.recv(100) == b""


@pytest.mark.long
def test_what_is_half_open_or_too_large_stops_nobody(tmp_path: Path) -> None:
    with process(tmp_path) as server, ExitStack() as stack:
        cookie = enter(server)
        game = begin(server, cookie, {})
        idle = []
        for number in range(1000):
            one = sockets.create_connection(("127.0.0.1", server.port), timeout=10)
            stack.callback(one.close)
            if number % 2:
                one.sendall(b"GET /lobby.json HTTP/1.1\r\nHost: x\r\n")  # and no more
            idle.append(one)
        page = server.page(game, "axis", cookie)
        assert "begin" in told(page, "begin")
        page.send(json.dumps({"do": "show", "id": 1}))
        assert told(page, "reply")["id"] == 1
        for one in idle[:10]:
            one.settimeout(30)
            assert one.recv(100) == b""  # it is hung up on
        large = server.page(game, "axis", cookie)
        told(large, "begin")
        large.send("x" * 10_000_000)
        with pytest.raises(ConnectionClosed, match="1009"):
            while True:
                large.recv(timeout=20)
        page.send(json.dumps({"do": "show", "id": 2}))
        assert told(page, "reply")["id"] == 2
        server.process.kill()
        assert server.process.stderr is not None
        log = server.process.stderr.read()
        assert log.count("half a request, and no more in 15 s") == 20
        assert f"socket /game/{game}/live: 1009, from {server.address}" in log
