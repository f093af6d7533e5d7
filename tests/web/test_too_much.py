"""Who asks too much, too often or not at all keeps nobody else from playing."""

from __future__ import annotations

import json
import socket as sockets
from contextlib import ExitStack
from pathlib import Path

import pytest
from served import OWN, Served, process, told
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from test_killed_server import begin, enter
from websockets.exceptions import ConnectionClosed

GAME = "no_retreat/barbarossa_1941"


def test_guessing_links_is_soon_refused(served: Served) -> None:
    stranger = served.browser()
    codes = [stranger.get(f"/enter/guess{number}").status_code for number in range(40)]
    assert set(codes[:20]) == {403} and codes[-1] == 429
    assert served.own.get("/lobby.json").status_code == 200


def test_changes_are_counted_by_browser(served: Served) -> None:
    other = served.browser()
    other.get(f"/enter/{served.visitors.link()}")

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
