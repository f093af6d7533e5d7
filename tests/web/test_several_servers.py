"""Several server processes on one database: each game is decided by one of them at a time, and any may take it over."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, build_opener

import pytest
from postgres import Postgres
from served import Process, process, told
from test_killed_server import begin, enter

from grognard.table.store import Store

SIDES = ("axis", "soviet")


@pytest.fixture
def url(database_server: Postgres) -> str:
    return database_server.url()


@pytest.fixture
def servers(tmp_path: Path, url: str) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        yield [stack.enter_context(process(tmp_path, 0, "--database", url)) for _ in range(2)]


def ask(server: Process, cookie: str, game: str, seat: str, **request: Any) -> dict[str, Any]:
    asked = Request(
        f"{server.address}/game/{game}/live?seat={seat}",
        json.dumps(request).encode(),
        {"Cookie": cookie, "Origin": server.address},
    )
    for _ in range(100):
        try:
            told: dict[str, Any] = json.loads(build_opener().open(asked).read())
        except HTTPError as error:
            told = {"reply": "error", "kind": str(error.code), "message": error.read().decode()}
        if told["reply"] != "error" or told["kind"] != "store":
            return told
        time.sleep(0.05)  # the room closes, and is opened as the game is now
    raise AssertionError(told)


def decides(server: Process, cookie: str, game: str) -> tuple[str, dict[str, Any]]:
    """Who is asked, and what is shown to him."""
    for _ in range(20):  # the server may hear of a decision while one seat after the other is asked
        for seat in SIDES:
            show = ask(server, cookie, game, seat, do="show", brief=True)
            if show["question"]:
                return seat, show
        time.sleep(0.05)
    raise AssertionError("nobody is asked")


def answer(
    server: Process, cookie: str, game: str, seat: str, show: dict[str, Any]
) -> dict[str, Any]:
    first = show["question"]["options"][0]["text"]
    return ask(server, cookie, game, seat, do="answer", version=show["version"], options=[first])


def test_a_game_is_played_on_by_any_of_them(servers: list[Process], url: str) -> None:
    cookies = [enter(server) for server in servers]
    game = begin(servers[0], cookies[0], {})
    taken = 0
    for number in range(12):
        which = number % 2
        for _ in range(200):  # until it has heard of what the other has done
            seat, show = decides(servers[which], cookies[which], game)
            if answer(servers[which], cookies[which], game, seat, show)["reply"] == "show":
                taken += 1
                break
            time.sleep(0.05)
    with Store(url) as store:
        assert len(store.record(game).actions) == taken == 12
    servers[0].process.kill()
    servers[0].process.wait()
    seat, show = decides(servers[1], cookies[1], game)
    assert answer(servers[1], cookies[1], game, seat, show)["reply"] == "show"
    with Store(url) as store:
        assert len(store.record(game).actions) == 13


def test_of_answers_given_at_once_one_is_taken(servers: list[Process], url: str) -> None:
    cookies = [enter(server) for server in servers]
    game = begin(servers[0], cookies[0], {})
    for number in range(1, 5):
        both = [decides(*one, game) for one in zip(servers, cookies)]
        with ThreadPoolExecutor(2) as pool:
            replies = list(pool.map(answer, servers, cookies, [game] * 2, *zip(*both)))
        assert sum(reply["reply"] == "show" for reply in replies) == 1, replies
        with Store(url) as store:
            assert len(store.record(game).actions) == number
        time.sleep(0.7)  # both have heard of it


def test_pages_of_another_server_hear_of_it(servers: list[Process]) -> None:
    cookies = [enter(server) for server in servers]
    game = begin(servers[0], cookies[0], {})
    page = servers[1].page(game, "soviet", cookies[1])
    version = told(page, "begin")["begin"]["show"]["version"]
    seat, show = decides(servers[0], cookies[0], game)
    assert answer(servers[0], cookies[0], game, seat, show)["reply"] == "show"
    with pytest.raises(Exception, match="1012"):  # it comes back, to the game as it is then
        while True:
            page.recv(timeout=20)
    again = servers[1].page(game, "soviet", cookies[1])
    assert told(again, "begin")["begin"]["show"]["version"] > version


@pytest.mark.long
def test_one_after_another_is_killed_under_play(tmp_path: Path, url: str) -> None:
    """Whatever was acknowledged is there, in its order, and nothing is there twice, although what was not
    acknowledged is sent again, to the server that is left.
    """
    rng, done = Random(5), list[str]()
    with ExitStack() as stack:

        def started() -> Process:
            return stack.enter_context(process(tmp_path, 0, "--database", url))

        servers = [started(), started()]
        cookies = [enter(server) for server in servers]
        game = begin(servers[0], cookies[0], {})
        for _ in range(6):
            dies = rng.randrange(2)
            death = Timer(rng.uniform(0, 1.5), servers[dies].process.kill)
            death.start()
            which, taken = dies, 0
            while which == dies or taken < 3:
                seat, show = decides(servers[1 - dies], cookies[1 - dies], game)
                text = rng.choice(show["question"]["options"])["text"]
                request = {"do": "answer", "version": show["version"], "options": [text]}
                try:
                    reply = ask(servers[which], cookies[which], game, seat, **request)
                except (URLError, OSError, HTTPException):  # it is dead, and may have taken it
                    death.join()
                    which = 1 - dies
                    reply = ask(servers[which], cookies[which], game, seat, **request)
                    with Store(url) as store:
                        kept = [entry.text for entry in store.record(game).actions]
                    # where it is refused, it was taken before, or answered what is asked no more
                    assert kept == [*done, text] or (reply["kind"], kept) == ("version", done), (
                        reply
                    )
                    done = kept
                    continue
                if reply["reply"] == "show":
                    done.append(text)
                    taken += which != dies
                else:
                    assert reply["kind"] in ("version", "turn", "over"), reply
            with Store(url) as store:
                assert [entry.text for entry in store.record(game).actions] == done
            servers[dies] = started()
            cookies[dies] = enter(servers[dies])
        assert len(done) > 18
