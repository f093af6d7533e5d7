"""Who is let in: browsers with a secret, pages of the server itself, nobody else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from served import ADDRESS, OWN, Served, follow, socket
from starlette.websockets import WebSocketDisconnect

from grognard.fronts.cli.listening import is_own_name
from grognard.fronts.web.visitors import Visitors
from grognard.table.store import Store

GAME = "no_retreat/barbarossa_1941"
PAGES = (
    "/",
    "/lobby.json",
    f"/picture/{GAME}.svg",
    "/static/lobby.js",
    "/static/board/board.js",
    "/nothing",
)


def test_a_link_lets_in_one_browser_once(served: Served) -> None:
    link = served.own.post("/links", headers=OWN).json()["link"]
    assert link.startswith(f"{ADDRESS}/enter/")
    other, third = served.browser(), served.browser()
    assert other.get("/").status_code == 403
    assert "Pokračovat" in other.get(link, headers={"accept-language": "cs"}).text
    entered = other.post(link, headers=OWN, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert other.get("/").status_code == 200
    assert follow(third, link).status_code == 403 and third.get("/").status_code == 403
    told = third.post(link, headers={**OWN, "accept": "text/html", "accept-language": "cs"})
    assert told.status_code == 403 and "Kdo vám ho poslal, může poslat nový." in told.text
    assert third.get("/enter/").status_code == 404 and follow(third, "/enter/x").status_code == 403


def test_programs_that_look_at_links_use_up_none(served: Served) -> None:
    """Those of mail servers and chats ask for what they find, before anybody follows it."""
    game = served.begin(GAME, axis="link")
    key = served.visitors.seat_link(game, "axis")
    for link in (f"/enter/{key}", f"/enter/{served.visitors.link()}"):
        program = served.browser()
        assert program.get(link).status_code == program.head(link).status_code == 200
        assert not program.cookies
        for style in re.findall('rel="stylesheet" href="([^"]+)"', program.get(link).text):
            assert program.get(style).status_code == 200
    with served.rooms.store.database.transaction(reading=True) as database:
        assert database.rows("SELECT * FROM seat") == []
    assert follow(served.browser(), link).status_code == 200  # and that of a host lets one in


def test_only_digests_of_secrets_are_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        visitors = Visitors(store.database)
        key = visitors.link()
        entered = visitors.enter(key, None)
        assert entered is not None and entered.secret
        known = visitors.visitor(entered.secret)
        assert known is not None and known.host and visitors.visitor("guessed") is None
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert known.browser.encode() in kept
        assert entered.secret.encode() not in kept and key.encode() not in kept


def test_of_too_many_browsers_the_first_are_let_in_no_more(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        visitors = Visitors(store.database)
        secrets = []
        for _ in range(52):
            entered = visitors.enter(visitors.link(), None)
            assert entered is not None
            secrets.append(entered.secret)
        assert [visitors.visitor(one) is not None for one in secrets] == [False] * 2 + [True] * 50


@pytest.mark.parametrize("path", PAGES)
def test_strangers_are_told_what_to_do(served: Served, path: str) -> None:
    for cookies in ({}, {"known": "guessed"}):
        reply = served.browser(cookies=cookies).get(path)
        assert reply.status_code == 403 and "grognard serve" in reply.text
    czech = served.browser().get(path, headers={"accept-language": "de, cs;q=0.9, en;q=0.5"})
    assert czech.status_code == 403 and "prohlížeč" in czech.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8137", "127.0.0.1", "localhost:8137", ""]
)
def test_other_names_of_the_machine_are_refused(served: Served, host: str) -> None:
    """A name that somebody has made lead here does not make his page this server's."""
    assert served.own.get("/lobby.json", headers={"host": host}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        socket(served.own, "/game/x/live", {"host": host, "origin": f"http://{host}"}),
    ):
        pass


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1:9", "http://localhost:8137"]
)
def test_pages_of_others_change_and_hear_nothing(served: Served, origin: str | None) -> None:
    name = served.begin(GAME)
    headers = {} if origin is None else {"origin": origin}
    asked = {"scenario": GAME, "players": {}}
    for method, path, content in (
        ("POST", "/games", json.dumps(asked)),
        ("POST", "/links", ""),
        ("POST", "/scenarios", "ruleset: x"),
        ("POST", f"/game/{name}/live?seat=axis", '{"do": "show"}'),
        ("DELETE", f"/games/{name}", ""),
    ):
        reply = served.own.request(method, path, content=content, headers=headers)
        assert reply.status_code == 403, path
    with (
        pytest.raises(WebSocketDisconnect),
        socket(served.own, f"/game/{name}/live", headers),
    ):
        pass
    assert [game.name for game in served.rooms.store.games()] == [name]


def test_what_pages_may_do(served: Served) -> None:
    """No script but the server's own runs, nothing is asked of anybody else, nothing is kept."""
    name = served.begin(GAME)
    for path in (
        "/",
        f"/game/{name}",
        "/game/none",
        "/lobby.json",
        f"/picture/{GAME}.svg",
        "/nothing",
        f"/game/{name}/news",
        "/static/game.js",
    ):
        reply = served.own.get(path, headers={"accept": "text/html"})
        assert reply.headers["x-content-type-options"] == "nosniff", path
        assert reply.headers["referrer-policy"] == "no-referrer", path
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        scripts = re.search(r"script-src ([^;]*)", policy)
        assert scripts is None or re.fullmatch(r"'self' 'sha256-[^']*'", scripts[1]), policy
        if not path.startswith("/picture"):
            assert reply.headers["cache-control"] == "no-store", path
        for tag in re.findall(
            r"<script[^>]*>", reply.text if "html" in reply.headers["content-type"] else ""
        ):
            assert 'src="/static/' in tag or "application/json" in tag or "importmap" in tag, tag
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", reply.text), path


@pytest.mark.parametrize(
    ("host", "asked", "good"),
    [
        ("127.0.0.1", "127.0.0.1:8137", True),
        ("127.0.0.1", "LOCALHOST:8137", True),
        ("127.0.0.1", "[::1]:8137", True),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "127.0.0.1:80", False),
        ("127.0.0.1", "192.168.1.2:8137", False),
        ("127.0.0.1", "evil.example:8137", False),
        ("127.0.0.1", "127.0.0.1:8137@evil.example", False),
        ("127.0.0.1", "[:8137", False),
        ("127.0.0.1", "", False),
        ("0.0.0.0", "192.168.1.2:8137", True),
        ("0.0.0.0", "192.168.1.2.evil.example:8137", False),
        ("::", "[fe80::1]:8137", True),
        ("192.168.1.2", "192.168.1.2:8137", True),
        ("192.168.1.2", "192.168.1.3:8137", False),
    ],
)
def test_names_that_the_server_answers_to(host: str, asked: str, good: bool) -> None:
    assert is_own_name(host, asked, 8137) is good
