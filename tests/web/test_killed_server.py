"""A server that is killed at any moment: what it has acknowledged is there, and nothing is there twice."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from served import Process, process, told
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from grognard.table.store import Store
from runtime.games.record import Record

GAME = "no_retreat/barbarossa_1941"
SIDES = {"axis", "soviet"}


def enter(server: Process) -> str:
    """The cookie of a browser that follows the link."""
    cookies = HTTPCookieProcessor()
    asked = Request(server.link, method="POST", headers={"Origin": server.address})
    build_opener(cookies).open(asked).read()
    (cookie,) = cookies.cookiejar
    return f"{cookie.name}={cookie.value}"


def begin(server: Process, cookie: str, players: dict[str, str]) -> str:
    asked = Request(
        f"{server.address}/games",
        json.dumps({"scenario": GAME, "players": players}).encode(),
        {"Cookie": cookie, "Origin": server.address},
    )
    return str(json.loads(build_opener().open(asked).read())["game"])


def actions(folder: Path, game: str) -> list[str]:
    """What is kept of a game, in the store or, where it is over, as its record; read while no server runs."""
    with Store(folder / "games.db") as store:
        if store.find(game) is not None:
            return [entry.text for entry in store.record(game).actions]
    (path,) = (folder / "games").glob("*.record")
    record = Record.parse(path.read_text(encoding="utf-8"))
    assert record.finished
    return [entry.text for entry in record.actions]


def played(
    server: Process,
    game: str,
    cookie: str,
    rng: Random,
    taken: list[list[str]],
    death: threading.Timer | None,
) -> list[str]:
    """Answer for whoever is asked until the server dies; what was acknowledged goes into *taken*, what
    was sent last and not acknowledged is returned.
    """
    sent: list[str] = []
    try:
        pages = {side: server.page(game, side, cookie) for side in sorted(SIDES)}
        side = told(pages["axis"], "begin")["begin"]["show"]["decides"]
        told(pages["soviet"], "begin")
        if death is not None:
            death.start()
        for number in range(10_000):
            if side is None:  # the game is over
                return []
            page = pages[side]
            page.send(json.dumps({"do": "show", "brief": True, "id": f"show {number}"}))
            show = told_id(page, f"show {number}")
            if show["question"] is None:
                side = show["decides"]
                continue
            sent = [rng.choice(show["question"]["options"])["text"]]
            answer = {
                "do": "answer",
                "version": show["version"],
                "options": sent,
                "id": number,
                "brief": True,
            }
            for _ in range(2):  # sent twice, taken once
                page.send(json.dumps(answer))
            reply = told_id(page, number)
            assert reply["reply"] == "show", reply
            taken.append(sent)
            sent = []
            again = told_id(page, number)
            assert again["reply"] == "error" and again["kind"] == "version", again
            side = reply["decides"]
    except (WebSocketException, OSError, EOFError):
        server.process.wait(5)  # it is dead, or this was something else
    return sent


def told_id(page, wanted: object) -> dict:
    while True:
        message = told(page, "reply")
        if message.get("id") == wanted:
            return message


def killed(folder: Path, times: int, seed: int, longest: float) -> int:
    """Kill servers of one game at random moments, and compare; how many decisions were acknowledged."""
    rng, cookie, game, port, kept = Random(seed), "", "", 0, list[str]()
    acknowledged = 0
    for _ in range(times):
        with process(folder, port) as server:
            port = server.port
            cookie = cookie or enter(server)
            game = game or begin(server, cookie, {})
            taken: list[list[str]] = []
            death = threading.Timer(rng.uniform(0, longest), server.process.kill)
            if early := rng.random() < 0.1:  # while the game is opened
                death.start()
            sent = played(server, game, cookie, rng, taken, death if not early else None)
            death.join()
            server.process.wait()
        now = actions(folder, game)
        done = [text for answer in taken for text in answer]
        assert now[: len(kept)] == kept
        new = now[len(kept) :]
        assert new in (done, done + sent), (done, sent, new)
        acknowledged += len(taken)
        kept = now
        with Store(folder / "games.db") as store:
            if store.find(game) is None:
                (path,) = (folder / "games").glob("*.record")
                path.unlink()
                game, kept = "", []
    return acknowledged


def first_question(page: ClientConnection) -> dict[str, Any]:
    """What the page is asked first; until then a bot may be deciding."""
    show = told(page, "begin")["begin"]["show"]
    while show["question"] is None:
        show = told(page, "more")["more"]["show"]
    question: dict[str, Any] = show["question"]
    return question


@pytest.mark.long
def test_a_few_kills(tmp_path: Path) -> None:
    assert killed(tmp_path, 6, 2, 1.5) > 3


def test_the_page_comes_back_to_a_server_that_was_killed(tmp_path: Path) -> None:
    """Its cookie lets it in, and it is asked the same; a bot plays on what was not kept."""
    with process(tmp_path) as server:
        cookie, port = enter(server), server.port
        game = begin(server, cookie, {"soviet": "greedy"})
        with server.page(game, "axis", cookie) as page:
            question = first_question(page)
        server.process.kill()
        server.process.wait()
    with process(tmp_path, port) as server, server.page(game, "axis", cookie) as page:
        assert first_question(page) == question


def test_a_page_that_reads_nothing_stops_nobody(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        cookie = enter(server)
        game = begin(server, cookie, {"axis": "random", "soviet": "random"})
        with server.page(game, "none", cookie) as page, server.page(game, "none", cookie) as dead:
            for _ in range(20):  # more than is taken in for it
                dead.send(json.dumps({"do": "show"}))
            first = show = told(page, "begin")["begin"]["show"]
            for _ in range(10):
                if show["end"]:  # a battle of bots does not wait for who reads
                    break
                before, show = show, told(page, "more")["more"]["show"]
                assert show["version"] >= before["version"]  # what was seen already may come again
            assert show["end"] or show["version"] > first["version"]
            server.process.kill()


def test_how_it_ends(tmp_path: Path) -> None:
    """Ctrl-C is its regular end, also while pages look; a port that is taken is refused."""
    with process(tmp_path) as server:
        cookie = enter(server)
        game = begin(server, cookie, {})
        page = server.page(game, "axis", cookie)
        told(page, "begin")
        with pytest.raises(AssertionError, match="cannot be listened at"):
            Process(tmp_path, server.port)
        begun = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0 and time.monotonic() - begun < 10
        assert server.process.stdout is not None and server.process.stderr is not None
        said = server.said + server.process.stdout.read() + server.process.stderr.read()
        assert "Traceback" not in said and "rror" not in said
    assert actions(tmp_path, game) == []
