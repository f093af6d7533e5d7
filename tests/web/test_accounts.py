"""Accounts: the same games in every browser that is signed in, and nothing for whoever guesses."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from postgres import Postgres
from served import ADDRESS, OWN, Served, follow, socket
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from grognard import database as databases
from grognard.fronts.web.accounts import Accounts
from grognard.fronts.web.visitors import Visitors
from grognard.lexicon.catalogue import words_in
from grognard.table.store import Store

CARDS = "cc_ancients/akragas"
PAGE = {"accept": "text/html"}
GOOD = "correct horse"


@pytest.fixture
def open_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server at which people may have accounts."""
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    made = Served(accounts=True)
    with made.own:
        yield made
    assert not made.faults


def send(browser: TestClient, path: str, **fields: str) -> Any:
    return browser.post(path, data=fields, headers=OWN, follow_redirects=False)


def signed_up(served: Served, name: str, password: str = GOOD) -> TestClient:
    browser = served.browser()
    reply = send(browser, "/sign-up", name=name, password=password)
    assert reply.status_code == 303, reply.text
    return browser


def signed_in(served: Served, name: str, password: str = GOOD) -> TestClient:
    browser = served.browser()
    reply = send(browser, "/sign-in", name=name, password=password)
    assert reply.status_code == 303, reply.text
    return browser


def lobby(browser: TestClient) -> dict[str, Any]:
    reply = browser.get("/lobby.json")
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def games(browser: TestClient) -> list[str]:
    return [game["name"] for game in lobby(browser)["games"]]


def begin(browser: TestClient, **players: str) -> tuple[str, dict[str, str]]:
    reply = browser.post("/games", json={"scenario": CARDS, "players": players}, headers=OWN)
    assert reply.status_code == 201, reply.text
    return reply.json()["game"], reply.json()["links"]


# ------------------------------------------------------------------ without accounts


def test_without_accounts_there_is_no_such_page(served: Served) -> None:
    for browser, status in ((served.own, 404), (served.browser(), 403)):
        for path in ("/sign-in", "/sign-up", "/account"):
            assert browser.get(path, headers=PAGE).status_code == status
            assert send(browser, path, name="Anna", password=GOOD).status_code in (403, 404, 405)
    assert lobby(served.own)["account"] is None


# ------------------------------------------------------------------ signing in


def test_strangers_are_led_to_where_they_sign_in(open_served: Served) -> None:
    stranger = open_served.browser()
    led = stranger.get("/game/akragas?seat=top", headers=PAGE)
    assert "url=/sign-in?to=/game/akragas%3Fseat%3Dtop" in led.text
    assert "set-cookie" not in led.headers
    page = stranger.get("/sign-in?to=/game/akragas%3Fseat%3Dtop", headers=PAGE)
    assert page.status_code == 200 and 'value="/game/akragas?seat=top"' in page.text
    policy = page.headers["content-security-policy"]
    assert "form-action 'self'" in policy and "default-src 'none'" in policy
    assert "script" not in policy and "<script" not in page.text
    # with the strict policy of other pages browsers send the form without its origin
    assert page.headers["referrer-policy"] == "same-origin"
    assert stranger.get("/static/lobby.css").status_code == 200
    for path in ("/lobby.json", "/static/lobby.js", "/account", f"/picture/{CARDS}.svg"):
        assert stranger.get(path).status_code == 403, path
    with pytest.raises(WebSocketDisconnect), socket(stranger, "/game/akragas/live", OWN):
        pass
    czech = stranger.get("/sign-in", headers={**PAGE, "accept-language": "cs"})
    assert "Přihlásit se" in czech.text


def test_an_account_is_made_and_found_again(open_served: Served) -> None:
    browser = signed_up(open_served, "  Anna   K. ")
    assert lobby(browser)["account"] == "Anna K."
    for name in ("anna k.", "ANNA K.", "Ａnna k."):
        assert lobby(signed_in(open_served, name))["account"] == "Anna K."
        again = send(open_served.browser(), "/sign-up", name=name, password=GOOD)
        assert again.status_code == 400 and "this name already" in again.text


def test_the_cookie_is_as_strict_as_before(open_served: Served) -> None:
    browser = open_served.browser()
    reply = send(browser, "/sign-up", name="Anna", password=GOOD)
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    out = send(browser, "/sign-out")
    assert 'known=""' in out.headers["set-cookie"]


@pytest.mark.parametrize(
    ("name", "password", "good"),
    [
        ("An", GOOD, True),
        ("A", GOOD, False),
        ("  A  ", GOOD, False),
        ("A" * 40, GOOD, True),
        ("A" * 41, GOOD, False),
        ("Anna\x07", GOOD, False),
        ("Žofie <b>", GOOD, True),
        ("Anna", "1234567", False),
        ("Anna", "12345678", True),
        ("Anna", "x" * 200, True),
        ("Anna", "x" * 201, False),
    ],
)
def test_names_and_passwords_that_can_be(
    open_served: Served, name: str, password: str, good: bool
) -> None:
    browser = open_served.browser()
    reply = send(browser, "/sign-up", name=name, password=password)
    assert reply.status_code == (303 if good else 400), reply.text
    if good:
        page = browser.get("/account", headers=PAGE).text
        assert "<b>" not in page
    else:
        assert browser.get("/lobby.json").status_code == 403 and password not in reply.text


def test_who_guesses_hears_the_same_and_waits_as_long(open_served: Served) -> None:
    signed_up(open_served, "Anna")
    accounts = Accounts(open_served.rooms.store.database)
    told, took = {}, {}
    for name, password in (("Anna", "wrong password"), ("Nobody", GOOD)):
        reply = send(open_served.browser(), "/sign-in", name=name, password=password)
        told[name] = reply.status_code, reply.text.replace(name, ""), sorted(reply.headers)
        times = []
        for _ in range(5):
            begun = time.process_time()
            assert accounts.sign_in(name, password, None) is None
            times.append(time.process_time() - begun)
        took[name] = median(times)
    assert told["Anna"] == told["Nobody"] and told["Anna"][0] == 403
    assert took["Anna"] / 2 < took["Nobody"] < took["Anna"] * 2


def test_tries_are_counted_by_name_and_by_address(open_served: Served) -> None:
    signed_up(open_served, "Anna")

    def tries(name: str, address: str) -> int:
        browser = TestClient(open_served.app, base_url=ADDRESS, client=(address, 1))
        return int(send(browser, "/sign-in", name=name, password="wrong password").status_code)

    assert [tries("anna", f"10.0.0.{number}") for number in range(12)] == [403] * 10 + [429] * 2
    assert send(open_served.browser(), "/sign-in", name="Anna", password=GOOD).status_code == 429
    codes = [tries(f"name {number}", "10.0.1.1") for number in range(22)]
    assert codes == [403] * 20 + [429] * 2


def test_who_is_signed_in_changes_his_password_whoever_guesses(open_served: Served) -> None:
    browser = signed_up(open_served, "Anna")
    for _ in range(12):
        send(open_served.browser(), "/sign-in", name="Anna", password="wrong password")
    fields = {"old": GOOD, "new": "another horse"}
    assert send(browser, "/account/password", **fields).status_code == 303
    for _ in range(12):
        reply = send(browser, "/account/password", **fields)
    assert reply.status_code == 429


def test_a_form_of_many_marks_keeps_nobody_waiting(open_served: Served) -> None:
    """To bring them into order takes the square of their number."""
    marks = "a" + "\u0316\u0301" * 20_000
    for path in ("/sign-in", "/sign-up"):
        for name, password in ((marks, GOOD), ("Anna", marks)):
            content = f"name={name}&password={password}".encode()
            reply = open_served.browser().post(path, content=content, headers=OWN)
            assert reply.status_code == 413


def test_nothing_is_sent_from_pages_of_others(open_served: Served) -> None:
    for origin in ({}, {"origin": "null"}, {"origin": "http://evil.example"}):
        for path in ("/sign-in", "/sign-up", "/sign-out", "/account/password"):
            fields = {"name": "Anna", "password": GOOD}
            assert open_served.own.post(path, data=fields, headers=origin).status_code == 403


@pytest.mark.parametrize(
    "to",
    ["https://evil.example/", "//evil.example/game/x", "/game/x\\..", "/game/a/../../x", "/links"],
)
def test_one_is_led_nowhere_else(open_served: Served, to: str) -> None:
    reply = send(open_served.browser(), "/sign-up", name="Anna", password=GOOD, to=to)
    assert reply.status_code == 303 and reply.headers["location"] == "/"


# ------------------------------------------------------------------ what an account holds


def test_the_same_seats_in_every_browser(open_served: Served) -> None:
    game, links = begin(open_served.own, top="link", bottom="link")
    guest = open_served.browser()
    assert follow(guest, links["top"]).status_code == 200
    before = guest.cookies["known"]
    assert send(guest, "/sign-up", name="Anna", password=GOOD).status_code == 303
    # the secret of before is good for nothing
    assert guest.cookies["known"] != before
    assert open_served.browser(cookies={"known": before}).get("/lobby.json").status_code == 403
    phone = signed_in(open_served, "Anna")
    assert games(guest) == games(phone) == [game]
    assert phone.get(f"/game/{game}?seat=top").status_code == 200
    # who follows a link while he is signed in has the seat in his account
    assert follow(phone, links["bottom"]).status_code == 200
    show = guest.post(f"/game/{game}/live?seat=bottom", json={"do": "show"}, headers=OWN)
    assert show.json()["seat"] == "bottom"
    other = signed_up(open_served, "Bert")
    assert games(other) == [] and other.get(f"/game/{game}").status_code == 404
    # a new link ends the seat of the account, too
    made = open_served.own.post(f"/games/{game}/links", json={"seat": "top"}, headers=OWN)
    assert made.status_code == 200
    reply = phone.post(f"/game/{game}/live?seat=top", json={"do": "show"}, headers=OWN)
    assert reply.status_code == 400


def test_who_begins_a_game_for_others_finds_it(open_served: Served) -> None:
    anna = signed_up(open_served, "Anna")
    game, links = begin(anna, top="link", bottom="link")
    assert set(links) == {"top", "bottom"} and games(anna) == [game]
    show = anna.post(f"/game/{game}/live", json={"do": "show"}, headers=OWN)
    assert show.status_code == 200 and show.json()["seat"] not in ("top", "bottom")
    assert anna.delete(f"/games/{game}", headers=OWN).status_code == 204


def test_whose_turn_it_is_comes_first(open_served: Served) -> None:
    anna, bert = signed_up(open_served, "Anna"), signed_up(open_served, "Bert")
    for _ in range(2):  # of one game each the first side, of the other the second
        _, links = begin(anna, top="person", bottom="link")
        assert follow(bert, links["bottom"]).status_code == 200
        _, links = begin(bert, top="person", bottom="link")
        assert follow(anna, links["bottom"]).status_code == 200
    for browser in (anna, bert):
        assert [game["turn"] for game in lobby(browser)["games"]] == [True, True, False, False]


def test_signing_out_and_a_new_password_end_open_pages(open_served: Served) -> None:
    desk = signed_up(open_served, "Anna")
    game, _ = begin(desk, top="person", bottom="greedy")
    phone, tablet = signed_in(open_served, "Anna"), signed_in(open_served, "Anna")
    old = phone.cookies["known"]
    with socket(phone, f"/game/{game}/live?seat=top", OWN) as page:
        assert "begin" in page.receive_json()
        assert send(phone, "/sign-out").status_code == 303
        page.send_json({"do": "show", "id": 1})
        with pytest.raises(WebSocketDisconnect):
            while page.receive_json().get("id") != 1:
                pass
    assert open_served.browser(cookies={"known": old}).get("/lobby.json").status_code == 403
    wrong = send(desk, "/account/password", old="wrong password", new="another horse")
    assert wrong.status_code == 403
    short = send(desk, "/account/password", old=GOOD, new="horse")
    assert short.status_code == 400 and games(tablet) == [game]
    before = desk.cookies["known"]
    done = send(desk, "/account/password", old=GOOD, new="another horse")
    assert done.status_code == 303 and desk.cookies["known"] != before
    assert games(desk) == [game] and tablet.get("/lobby.json").status_code == 403
    assert send(open_served.browser(), "/sign-in", name="Anna", password=GOOD).status_code == 403
    assert games(signed_in(open_served, "Anna", "another horse")) == [game]


def test_a_host_stays_one_when_he_signs_in_and_out(open_served: Served) -> None:
    own = open_served.own
    game, _ = begin(own, top="person")
    assert send(own, "/sign-up", name="Anna", password=GOOD).status_code == 303
    assert lobby(own)["host"] and games(own) == [game]
    assert not lobby(signed_in(open_served, "Anna"))["host"]
    mine, _ = begin(own, top="person", bottom="greedy")
    assert games(signed_in(open_served, "Anna")) == [mine]
    assert send(own, "/sign-out").headers["location"] == "/"
    assert lobby(own)["host"] and lobby(own)["account"] == ""


# ------------------------------------------------------------------ games that it begins


def test_accounts_begin_games_and_are_no_hosts(open_served: Served) -> None:
    theirs, _ = begin(open_served.own, top="link", bottom="person")
    anna, bert = signed_up(open_served, "Anna"), signed_up(open_served, "Bert")
    told = lobby(anna)
    assert told["begins"] and not told["host"] and told["scenarios"] and not told["games"]
    game, links = begin(anna, top="person", bottom="link")
    assert list(links) == ["bottom"] and games(bert) == []
    assert lobby(anna)["games"][0]["own"]
    assert follow(bert, links["bottom"]).status_code == 200 and games(bert) == [game]
    assert not lobby(bert)["games"][0]["own"]
    sides = {}
    for browser, side in ((anna, "top"), (bert, "bottom")):
        for seat in ("top", "bottom"):
            path = f"/game/{game}/live?seat={seat}"
            sides[side, seat] = browser.post(path, json={"do": "show"}, headers=OWN).status_code
    assert sides == {
        ("top", "top"): 200,
        ("top", "bottom"): 400,
        ("bottom", "top"): 400,
        ("bottom", "bottom"): 200,
    }
    # nor does the host sit there
    show = open_served.own.post(f"/game/{game}/live?seat=top", json={"do": "show"}, headers=OWN)
    assert show.status_code == 400
    for method, path in (
        ("POST", "/links"),
        ("POST", "/scenarios"),
        ("DELETE", f"/games/{theirs}"),
        ("POST", f"/games/{theirs}/links"),
        ("DELETE", f"/games/{game}"),  # somebody else has come to it
    ):
        content = '{"seat": "top"}'
        assert anna.request(method, path, content=content, headers=OWN).status_code == 403, path
    assert anna.get(f"/game/{theirs}").status_code == 404
    # a link that was lost is made anew by whoever has begun the game, and by nobody else
    new = {"seat": "bottom"}
    assert bert.post(f"/games/{game}/links", json=new, headers=OWN).status_code == 403
    assert anna.post(f"/games/{game}/links", json=new, headers=OWN).status_code == 200
    assert games(bert) == []
    assert anna.delete(f"/games/{game}", headers=OWN).status_code == 204 and games(anna) == []


def test_an_account_begins_not_too_many(
    open_served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.fronts.web.accounts._GAMES", 1)
    anna = signed_up(open_served, "Anna")
    begin(anna, top="person", bottom="link")
    again = anna.post("/games", json={"scenario": CARDS, "players": {}}, headers=OWN)
    assert again.status_code == 400 and "too many games" in again.json()["message"]


# ------------------------------------------------------------------ what is kept


def passwords_hold(place: Path | str) -> None:
    words = words_in("en")
    with Store(place) as store:
        accounts, visitors = Accounts(store.database), Visitors(store.database)
        secret = accounts.sign_up("Žofie", GOOD, None, words)
        visitor = visitors.visitor(secret)
        assert visitor is not None and visitor.name == "Žofie" and not visitor.host
        assert accounts.sign_in("žofie", GOOD + " ", None) is None
        assert accounts.sign_in("ŽOFIE\0", GOOD, None) is not None
        with store.database.transaction(reading=True) as database:
            kept = repr(
                database.rows("SELECT * FROM account") + database.rows("SELECT * FROM browser")
            )
        assert GOOD not in kept and secret not in kept and "$argon2id$" in kept
        new = accounts.change_password(visitor, GOOD, "another horse", words)
        assert new is not None and visitors.visitor(secret) is None
        assert visitors.visitor(new) is not None
        out = visitors.visitor(new)
        assert out is not None and accounts.sign_out(out) is None
        assert visitors.visitor(new) is None


def test_passwords_are_kept_as_hashes(tmp_path: Path) -> None:
    passwords_hold(tmp_path / "games.db")


def test_accounts_on_postgresql(database_server: Postgres) -> None:
    passwords_hold(database_server.url())
    served = Served(database_server.url(), accounts=True)
    with served.own:
        game, links = begin(served.own, top="link")
        guest = served.browser()
        follow(guest, links["top"])
        assert send(guest, "/sign-up", name="Anna", password=GOOD).status_code == 303
        assert games(signed_in(served, "anna")) == [game]
        mine, _ = begin(guest, top="person", bottom="link")
        assert set(games(signed_in(served, "anna"))) == {game, mine}
        assert guest.delete(f"/games/{mine}", headers=OWN).status_code == 204
    assert not served.faults


def test_seats_of_before_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    with monkeypatch.context() as patch:
        patch.setattr(databases, "_STEPS", databases._STEPS[:3])
        with Store(path) as store, store.database.transaction() as database:
            database.rows("SELECT 1")
    old = sqlite3.connect(path)
    old.execute("INSERT INTO browser VALUES ('b', 0, 1.0)")
    old.execute("INSERT INTO seat (browser, side, record) VALUES ('b', 'top', 'akragas-1')")
    old.commit()
    old.close()
    with Store(path) as store, store.database.transaction(reading=True) as database:
        assert database.rows("SELECT browser, account, side, record FROM seat") == [
            ("b", None, "top", "akragas-1")
        ]


def test_of_too_many_browsers_the_first_are_signed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.fronts.web.accounts._BROWSERS", 2)
    with Store(tmp_path / "games.db") as store:
        accounts, visitors = Accounts(store.database), Visitors(store.database)
        secrets = [accounts.sign_up("Anna", GOOD, None, words_in("en"))]
        secrets += [str(accounts.sign_in("Anna", GOOD, None)) for _ in range(2)]
        assert [visitors.visitor(one) is not None for one in secrets] == [False, True, True]
