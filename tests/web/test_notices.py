"""Notices by mail: one for a turn, to who wants them and does not look, by a real server for mail; and
links to a new password, by the same way.
"""

from __future__ import annotations

import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from email.message import Message
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as Messages
from aiosmtpd.smtp import AuthResult, LoginPassword
from postgres import Postgres
from served import ADDRESS, OWN, Served, follow, free_port, socket
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from test_accounts import GOOD, begin, send, signed_in

from grognard.fronts.web.mail import Mail, read_mail
from grognard.fronts.web.notices import Notices
from runtime.errors import LoadError

USER, PASSWORD = "games", "a password of mail"


class Box(Messages):
    """What the mail server has taken."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[Message] = []

    def handle_message(self, message: Message) -> None:
        self.got.append(message)

    def waits_for(self, number: int) -> list[Message]:
        """All mail, once there are so many."""
        for _ in range(200):
            if len(self.got) >= number:
                break
            time.sleep(0.05)
        assert len(self.got) == number, [text_of(one) for one in self.got]
        return self.got


def text_of(message: Message) -> str:
    content = message.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8")


@pytest.fixture
def box() -> Iterator[tuple[Box, Mail]]:
    """A mail server that asks for a password, and how it is reached."""

    def known(*asked: Any) -> AuthResult:
        given = asked[-1]
        assert isinstance(given, LoginPassword)
        good = (given.login, given.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=good, handled=good)

    made, port = Box(), free_port()
    controller = Controller(
        made,
        hostname="127.0.0.1",
        port=port,
        authenticator=known,
        auth_required=True,
        auth_require_tls=False,
    )
    controller.start()
    try:
        yield made, Mail("127.0.0.1", port, "none", USER, PASSWORD, "games@example.org")
    finally:
        controller.stop()


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Served]]:
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("grognard.fronts.web.rooms.new_seed", lambda: 1)
    made: list[Served] = []

    def serve(mail: Mail, wait: float = 0.0, place: str | None = None) -> Served:
        made.append(Served(place, accounts=True, mail=mail, wait=wait))
        made[-1].own.__enter__()
        return made[-1]

    yield serve
    for one in made:
        one.own.__exit__(None, None, None)
        assert not one.faults


def wants(browser: TestClient, address: str, language: str = "en", password: str = GOOD) -> Any:
    return browser.post(
        "/account/notices",
        data={"address": address, "password": password},
        headers={**OWN, "accept-language": language},
        follow_redirects=False,
    )


def told_by_mail(served: Served, box: Box, name: str, language: str = "en") -> TestClient:
    """An account that gets notices; its address is its name's."""
    browser = served.browser()
    send(browser, "/sign-up", name=name, password=GOOD)
    before = len(box.got)
    assert wants(browser, f"{name}@example.net", language).status_code == 303
    asked = box.waits_for(before + 1)[-1]
    key = key_in(asked, "confirm")
    stranger = served.browser()
    assert stranger.get(f"/confirm?key={key}").status_code == 200
    for status in (200, 403):  # it works once
        assert send(stranger, "/confirm", key=key).status_code == status
    return browser


def key_in(message: Message, path: str) -> str:
    """The key of the link in a mail."""
    found = re.search(rf"{ADDRESS}/{path}\?key=(\S+)", text_of(message))
    assert found is not None
    return found[1]


def answer(browser: TestClient, game: str, seat: str) -> None:
    path = f"/game/{game}/live?seat={seat}"
    show = browser.post(path, json={"do": "show"}, headers=OWN).json()
    option = show["question"]["options"][0]["text"]
    request = {"do": "answer", "version": show["version"], "options": [option]}
    assert browser.post(path, json=request, headers=OWN).json()["reply"] == "show"


def until_asked(served: Served, game: str, side: str, seats: dict[str, TestClient]) -> None:
    """Play on until a side is asked that was not."""
    for number in range(500):
        (kept,) = [one for one in served.rooms.store.games() if one.name == game]
        if kept.decides == side and number:
            return
        assert kept.decides != side, "it is asked at the beginning"
        answer(seats[kept.decides], game, kept.decides)
    raise AssertionError("it is not asked")


def two(
    served: Served, anna: TestClient, bert: TestClient
) -> tuple[str, str, dict[str, TestClient]]:
    """A game of two, the side that waits, which is Anna's, and who plays which side."""
    for mine in ("top", "bottom"):
        (theirs,) = {"top", "bottom"} - {mine}
        game, links = begin(anna, **{mine: "person", theirs: "link"})
        (kept,) = [one for one in served.rooms.store.games() if one.name == game]
        if kept.decides == theirs:
            assert follow(bert, links[theirs]).status_code == 200
            return game, mine, {mine: anna, theirs: bert}
    raise AssertionError("both begin")


def test_one_mail_for_a_turn(box: tuple[Box, Mail], serving: Callable[..., Served]) -> None:
    got, mail = box
    served = serving(mail)
    anna = told_by_mail(served, got, "anna", "cs")
    bert = served.browser()
    send(bert, "/sign-up", name="bert", password=GOOD)
    game, side, seats = two(served, anna, bert)
    until_asked(served, game, side, seats)
    _, notice = got.waits_for(2)
    assert notice["To"] == "anna@example.net" and notice["From"] == "games@example.org"
    assert notice["Auto-Submitted"] == "auto-generated"
    text = text_of(notice)
    assert f"{ADDRESS}/game/{game}?seat={side}" in text.splitlines()
    assert "na řadě" in text and f"{ADDRESS}/account" in text
    secrets = [anna.cookies["known"], bert.cookies["known"], "/enter/", GOOD]
    assert not [one for one in secrets if one in text]
    # it is still the same turn
    time.sleep(0.3)
    got.waits_for(2)
    assert not served.logged


def test_on_postgresql(
    box: tuple[Box, Mail], serving: Callable[..., Served], database_server: Postgres
) -> None:
    got, mail = box
    served = serving(mail, place=database_server.url())
    anna, bert = told_by_mail(served, got, "anna"), told_by_mail(served, got, "bert")
    game, side, seats = two(served, anna, bert)
    until_asked(served, game, side, seats)
    assert got.waits_for(3)[-1]["To"] == "anna@example.net"
    forgotten(served.browser(), "anna")
    key = key_in(got.waits_for(4)[3], "recover")
    for status in (303, 403):
        done = send(served.browser(), "/recover", key=key, new="another horse")
        assert done.status_code == status
    anna = signed_in(served, "anna", "another horse")
    assert wants(anna, "").status_code == 303 and not served.logged


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
@pytest.mark.parametrize("way", ["starttls", "tls"])
def test_the_way_is_encrypted_to_a_server_that_is_known(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost"
    subprocess.run(
        ["openssl", *made.split(), "-addext", "subjectAltName=IP:127.0.0.1"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    safe = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    safe.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    got, port = Box(), free_port()
    options = (
        {"ssl_context": safe} if way == "tls" else {"tls_context": safe, "require_starttls": True}
    )
    controller = Controller(got, hostname="127.0.0.1", port=port, **options)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    controller.start()
    try:
        mail = Mail("127.0.0.1", port, way, "", "", "games@example.org")
        mail.send("anna@example.net", "Jste na řadě", "Příliš žluťoučký kůň.\n")
        assert text_of(got.waits_for(1)[0]).split() == "Příliš žluťoučký kůň.".split()
        monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
        with pytest.raises(ssl.SSLCertVerificationError):
            mail.send("anna@example.net", "x", "x")
        got.waits_for(1)
    finally:
        controller.stop()


def test_none_to_who_looks_or_wants_no_more(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    got, mail = box
    served = serving(mail)
    anna = told_by_mail(served, got, "anna")
    bert = served.browser()
    send(bert, "/sign-up", name="bert", password=GOOD)
    game, side, seats = two(served, anna, bert)
    # on another device
    with socket(signed_in(served, "anna"), f"/game/{game}/live?seat={side}", OWN) as page:
        page.receive_json()
        until_asked(served, game, side, seats)
        time.sleep(0.3)
        got.waits_for(1)
    assert wants(anna, "").status_code == 303
    game, side, seats = two(served, anna, bert)
    until_asked(served, game, side, seats)
    time.sleep(0.3)
    got.waits_for(1)


def test_who_has_answered_meanwhile_is_not_told(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    got, mail = box
    served = serving(mail, wait=1.5)
    anna = told_by_mail(served, got, "anna")
    bert = served.browser()
    send(bert, "/sign-up", name="bert", password=GOOD)
    game, side, seats = two(served, anna, bert)
    until_asked(served, game, side, seats)
    (other,) = {"top", "bottom"} - {side}
    until_asked(served, game, other, seats)
    time.sleep(2)
    got.waits_for(1)


def test_an_address_that_has_not_agreed_gets_no_notice(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    got, mail = box
    served = serving(mail)
    anna, bert = served.browser(), served.browser()
    for browser, name in ((anna, "anna"), (bert, "bert")):
        send(browser, "/sign-up", name=name, password=GOOD)
    assert wants(anna, "victim@example.net").status_code == 303
    got.waits_for(1)
    game, side, seats = two(served, anna, bert)
    until_asked(served, game, side, seats)
    time.sleep(0.3)
    got.waits_for(1)
    # nor is it asked again and again
    codes = [wants(anna, f"victim{number}@example.net").status_code for number in range(6)]
    assert codes == [303] * 4 + [429] * 2


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "a@b@c",
        "a b@example.org",
        "a@example.org\nBcc: b@example.org",
        "@x",
        "ž@x.cz",
        "😀@x.cz",
        "=?utf-8?q?victim=40evil.example=2c?=@example.org",
    ],
)
def test_what_is_no_address(
    box: tuple[Box, Mail], serving: Callable[..., Served], address: str
) -> None:
    got, mail = box
    served = serving(mail)
    browser = served.browser()
    send(browser, "/sign-up", name="anna", password=GOOD)
    assert wants(browser, address).status_code == 400
    assert not got.got and not served.logged


def test_an_address_wants_the_password(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    """A new password can be sent there."""
    got, mail = box
    served = serving(mail)
    anna = told_by_mail(served, got, "anna")
    assert wants(anna, "thief@example.net", password="wrong password").status_code == 403
    assert 'value="anna@example.net"' in anna.get("/account").text
    assert wants(anna, "", password="").status_code == 303  # to end them wants none
    assert "anna@example.net" not in anna.get("/account").text
    for _ in range(12):
        refused = wants(anna, "thief@example.net", password="wrong password")
    assert refused.status_code == 429
    got.waits_for(1)


def test_who_is_asked_has_seven_days(
    box: tuple[Box, Mail], serving: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    got, mail = box
    served = serving(mail)
    anna, bert = served.browser(), served.browser()
    for browser, name in ((anna, "anna"), (bert, "bert")):
        send(browser, "/sign-up", name=name, password=GOOD)
    now = time.time()
    for mails, days, status in ((1, 6.9, 200), (3, 7.1, 403)):
        assert wants(anna, "anna@example.net").status_code == 303
        key = key_in(got.waits_for(mails)[-1], "confirm")
        with monkeypatch.context() as later:
            later.setattr(
                "grognard.fronts.web.notices.time.time", partial(float, now + days * 86400)
            )
            assert send(served.browser(), "/confirm", key=key).status_code == status
            assert ("anna@example.net" in anna.get("/account").text) == (status == 200)
            assert wants(bert, "bert@example.net").status_code == 303
        got.waits_for(mails + 1)
        with served.rooms.store.database.transaction(reading=True) as database:
            kept = {address for (address,) in database.rows("SELECT address FROM notice")}
        # of who has not agreed in time nothing is kept
        assert ("anna@example.net" in kept) == (status == 200)
        assert wants(anna, "").status_code == 303


# ------------------------------------------------------------------ a forgotten password


def forgotten(browser: TestClient, name: str) -> Any:
    return send(browser, "/forgotten", name=name)


def test_a_forgotten_password_is_replaced_by_mail(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    got, mail = box
    served = serving(mail, wait=600)
    anna = told_by_mail(served, got, "anna", "cs")
    game, _ = begin(anna, top="person", bottom="greedy")
    stranger = served.browser()
    assert 'href="/forgotten"' in stranger.get("/sign-in").text
    assert stranger.get("/forgotten").status_code == 200
    assert forgotten(stranger, "ANNA").status_code == 200
    sent = got.waits_for(2)[1]
    assert sent["To"] == "anna@example.net" and "heslo" in text_of(sent) + str(sent["Subject"])
    key = key_in(sent, "recover")
    with served.rooms.store.database.transaction(reading=True) as database:
        assert key not in repr(database.rows("SELECT * FROM notice"))
    assert key in stranger.get(f"/recover?key={key}").text  # and that changes nothing
    assert send(stranger, "/recover", key=key, new="horse").status_code == 400
    with socket(anna, f"/game/{game}/live?seat=top", OWN) as page:
        page.receive_json()
        done = send(stranger, "/recover", key=key, new="another horse")
        assert done.status_code == 303 and done.headers["location"] == "/account?changed"
        page.send_json({"do": "show", "id": 1})
        with pytest.raises(WebSocketDisconnect):
            while page.receive_json().get("id") != 1:
                pass
    assert anna.get("/lobby.json").status_code == 403
    assert stranger.get("/lobby.json").json()["account"] == "anna"
    assert send(served.browser(), "/sign-in", name="anna", password=GOOD).status_code == 403
    signed_in(served, "anna", "another horse")
    # it works once
    assert send(served.browser(), "/recover", key=key, new="third horse").status_code == 403


def test_who_asks_for_a_new_password_hears_the_same(
    box: tuple[Box, Mail], serving: Callable[..., Served]
) -> None:
    got, mail = box
    served = serving(mail)
    told_by_mail(served, got, "anna")
    for name, address in (("bert", "bert@example.net"), ("carl", "")):  # neither has agreed
        browser = served.browser()
        send(browser, "/sign-up", name=name, password=GOOD)
        assert wants(browser, address).status_code == 303
    got.waits_for(2)
    replies = [forgotten(served.browser(), name) for name in ("anna", "bert", "carl", "nobody")]
    assert {(one.status_code, one.text) for one in replies} == {(200, replies[0].text)}
    assert got.waits_for(3)[2]["To"] == "anna@example.net"
    codes = [
        [forgotten(served.browser(), name).status_code for _ in range(5)]
        for name in ("anna", "nobody")
    ]
    assert codes == [[200] * 4 + [429]] * 2
    codes = [forgotten(served.browser(), f"name {number}").status_code for number in range(10)]
    assert codes == [200] * 6 + [429] * 4  # twenty from an address in a minute
    assert not served.logged


@pytest.mark.parametrize("what", ["an hour", "another link", "another password", "no address"])
def test_a_link_to_a_new_password_ends(
    box: tuple[Box, Mail],
    serving: Callable[..., Served],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    got, mail = box
    served = serving(mail)
    anna = told_by_mail(served, got, "anna")
    forgotten(served.browser(), "anna")
    key = key_in(got.waits_for(2)[1], "recover")
    if what == "an hour":
        now = time.time()
        monkeypatch.setattr("grognard.fronts.web.accounts.time.time", lambda: now + 3601)
    elif what == "another link":
        forgotten(served.browser(), "anna")
        got.waits_for(3)
    elif what == "another password":
        fields = {"old": GOOD, "new": "another horse"}
        assert send(anna, "/account/password", **fields).status_code == 303
    else:
        assert wants(anna, "").status_code == 303
    assert send(served.browser(), "/recover", key=key, new="third horse").status_code == 403
    for nothing in ("", "x"):
        assert send(served.browser(), "/recover", key=nothing, new="third horse").status_code == 403


def test_without_notices_there_is_no_such_page(served: Served) -> None:
    for path in ("/confirm?key=x", "/forgotten", "/recover?key=x", "/account"):
        assert served.own.get(path).status_code == 404
    assert wants(served.own, "a@example.org").status_code == 404


def test_a_server_that_takes_none_stops_nobody(serving: Callable[..., Served]) -> None:
    served = serving(Mail("127.0.0.1", free_port(), "none", "", "", "games@example.org"))
    browser = served.browser()
    send(browser, "/sign-up", name="anna", password=GOOD)
    assert wants(browser, "anna@example.net").status_code == 303
    for _ in range(100):
        if served.logged:
            break
        time.sleep(0.05)
    (logged,) = served.logged
    assert "not sent: ConnectionRefusedError" in logged
    assert browser.get("/account").status_code == 200


def test_the_queue_is_bounded(
    tmp_path: Path, serving: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.fronts.web.notices._MOST", 3)
    served = serving(Mail("127.0.0.1", 9, "none", "", "", "games@example.org"))
    notices = Notices(served.rooms.store, None, ADDRESS, served.logged.append)  # type: ignore[arg-type]
    for _ in range(5):
        notices._later(100.0, lambda: None)
    assert served.logged == ["a notice is not sent: too many wait"] * 2
    notices.close()


# ------------------------------------------------------------------ the file


def test_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mail.yaml"
    path.write_text("server: mail.example.org\nsender: games@example.org\n", encoding="utf-8")
    assert read_mail(path, "mail.yaml") == Mail(
        "mail.example.org", 587, "starttls", "", "", "games@example.org"
    )
    monkeypatch.setenv("MAIL_PASSWORD", "secret")
    path.write_text(
        "server: localhost\nport: 2525\ntls: none\nuser: games\npassword_from: MAIL_PASSWORD\n"
        "sender: games@example.org\n",
        encoding="utf-8",
    )
    assert read_mail(path, "mail.yaml") == Mail(
        "localhost", 2525, "none", "games", "secret", "games@example.org"
    )


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "empty"),
        ("- server", "mapping"),
        ("sender: a@b.cz", "server"),
        ("server: x\nsender: nobody", "no address"),
        ("server: x\nsender: a@b.cz\nport: 0", "port"),
        ("server: x\nsender: a@b.cz\ntls: maybe", "maybe"),
        ("server: x\nsender: a@b.cz\nsevrer: y", "sevrer"),
        ("server: x\nsender: a@b.cz\nuser: u", "goes with a password"),
        ("server: x\nsender: a@b.cz\npassword: u", "goes with a password"),
        ("server: x\nsender: a@b.cz\nuser: u\npassword: p\npassword_from: HOME", "twice"),
        ("server: x\nsender: a@b.cz\nuser: u\npassword_from: NO_SUCH_ONE", "NO_SUCH_ONE"),
        ("server: [", "mail.yaml"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "mail.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LoadError) as raised:
        read_mail(path, "mail.yaml")
    assert wrong in str(raised.value) and "mail.yaml" in str(raised.value)
