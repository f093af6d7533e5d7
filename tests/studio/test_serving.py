"""The server of the studio: who is let in, and that files are saved so that nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed (the extra 'studio')")

from pygls.exceptions import JsonRpcInvalidParams
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from grognard.fronts.lsp.server import make_server
from grognard.fronts.lsp.text_positions import uri_of
from grognard.fronts.studio import reach_counter
from grognard.fronts.studio.language_socket import TAKEN_OVER
from grognard.fronts.studio.serving import GAME, Author, studio
from grognard.fronts.studio.sources import Sources
from grognard.fronts.studio.workshop import Workshop
from grognard.lexicon.faults import sayer

HOST = "127.0.0.1:8139"
OWN = {"origin": f"http://{HOST}"}


class Talk:
    """A page that talks to the language server."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket, self.asked = socket, 0
        self.told: list[dict[str, Any]] = []
        self.request("initialize", processId=None, rootUri=None, capabilities={})
        self.notify("initialized")

    def notify(self, method: str, **params: Any) -> None:
        self.socket.send_json({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """What is answered; AssertionError with what is refused."""
        self.asked += 1
        self.socket.send_json(
            {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        )
        while (message := self.socket.receive_json()).get("id") != self.asked:
            self.told.append(message)
        assert "error" not in message, message["error"]["message"]
        return message["result"]

    def until(self, method: str) -> Any:
        """What a notification says, once it comes."""
        for _ in range(200):
            message = self.told.pop(0) if self.told else self.socket.receive_json()
            if message.get("method") == method:
                return message["params"]
        raise AssertionError(f"no {method}")

    def open(self, path: Path) -> str:
        """Open a file as the page does."""
        text = self.request("studio/text", uri=uri_of(path))["text"]
        document = {"uri": uri_of(path), "languageId": "grog", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return str(text)

    def type(self, path: Path, text: str) -> None:
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri_of(path), "version": 2},
            contentChanges=[{"text": text}],
        )


class Open:
    """A studio in this process, and a browser that it has let in."""

    def __init__(self, folder: Path) -> None:
        self.faults: list[Exception] = []
        self.author = Author()
        self.rules = folder / "rulesets/hills/ruleset.grog"
        self.scenario = folder / "scenarios/hills/first.yaml"
        server = make_server(folder)
        workshop = Workshop(server, self.rules.parent, self.scenario, self._fault, "en")
        self.app = studio(
            *(server, workshop, self.author, lambda host: host == HOST, "known", self._fault),
            f"http://{HOST}",
        )
        self.browser = TestClient(self.app, base_url=f"http://{HOST}")

    def _fault(self, error: Exception) -> str:
        self.faults.append(error)
        return "a fault"

    @contextmanager
    def talk(self) -> Iterator[Talk]:
        with self.browser.websocket_connect(f"ws://{HOST}/language", headers=OWN) as socket:
            yield Talk(socket)


@pytest.fixture
def opened(hills: Path) -> Iterator[Open]:
    made = Open(hills)
    with made.browser:
        assert made.browser.get(f"/enter/{made.author.key}").status_code == 200
        yield made
    assert not made.faults


def test_who_has_no_secret_is_not_let_in(opened: Open) -> None:
    stranger = TestClient(opened.app, base_url=f"http://{HOST}")
    for path in ("/", GAME, "/static/studio/studio.js"):
        assert stranger.get(path).status_code == 403
        assert opened.browser.get(path).status_code == 200
    assert stranger.get(f"/enter/{opened.author.key}x").status_code == 403
    for path in ("/language", f"{GAME}/live"):
        with pytest.raises(WebSocketDisconnect):
            stranger.websocket_connect(f"ws://{HOST}{path}", headers=OWN).__enter__()


def test_pages_of_others_cannot_talk_to_it(opened: Open) -> None:
    for headers in ({"origin": "http://evil.example"}, {}, {"origin": "null"}):
        for path in ("/language", f"{GAME}/live"):
            with pytest.raises(WebSocketDisconnect):
                opened.browser.websocket_connect(f"ws://{HOST}{path}", headers=headers).__enter__()
    assert opened.browser.get("/", headers={"host": "evil.example"}).status_code == 403


def test_only_the_studio_frames_the_game(opened: Open) -> None:
    page, game = opened.browser.get("/").headers, opened.browser.get(GAME).headers
    assert "frame-ancestors 'none'" in page["content-security-policy"]
    assert page["x-frame-options"] == "DENY"
    assert "frame-ancestors 'self'" in game["content-security-policy"]
    assert game["x-frame-options"] == "SAMEORIGIN"
    for headers in (page, game):
        scripts = headers["content-security-policy"].partition("script-src ")[2].partition(";")[0]
        assert scripts.startswith("'self' 'sha256-") and "unsafe" not in scripts


def test_a_second_page_takes_over_and_finds_what_is_not_saved(opened: Open) -> None:
    with opened.talk() as first:
        text = opened.rules.read_text()
        assert first.open(opened.rules) == text
        first.type(opened.rules, text + "# more\n")
        first.request("studio/begin")
        with opened.talk() as second:
            with pytest.raises(WebSocketDisconnect) as closed:
                while True:
                    first.socket.receive_json()
            assert closed.value.code == TAKEN_OVER
            files = second.request("studio/begin")["files"]
            assert [file["name"] for file in files if file["open"]] == ["ruleset.grog"]
            told = second.request("studio/text", uri=uri_of(opened.rules))
            assert told == {"text": text, "open": text + "# more\n"}


def test_nonsense_ends_nothing(opened: Open) -> None:
    with opened.talk() as page:
        for text in ("nonsense{", "[" * 100_000, "[1]", "7", '{"method": 3}', '{"id": 900}'):
            page.socket.send_text(text)
        page.notify("exit")
        assert page.request("studio/begin")["ruleset"] == "hills"
        page.socket.send_bytes(b"{")
        with pytest.raises(WebSocketDisconnect):
            page.socket.receive_text()
    with opened.talk() as page:
        assert page.request("studio/begin")["ruleset"] == "hills"


def test_what_is_saved_stands_on_disk(opened: Open) -> None:
    with opened.talk() as page:
        page.open(opened.rules)
        text = opened.rules.read_text().replace("| infantry | 3 |", "| infantry | 4 |")
        page.type(opened.rules, text)
        assert page.request("studio/save", uri=uri_of(opened.rules)) == {"saved": True}
        assert opened.rules.read_text() == text
        assert page.request("studio/text", uri=uri_of(opened.rules))["open"] is None


def test_a_folder_is_made_for_the_first_case(opened: Open) -> None:
    path = opened.rules.parent / "cases/made_first.yaml"
    with opened.talk() as page:
        page.request("studio/text", uri=uri_of(path))
        document = {"uri": uri_of(path), "languageId": "yaml", "version": 1, "text": "cases: []\n"}
        page.notify("textDocument/didOpen", textDocument=document)
        assert page.request("studio/save", uri=uri_of(path)) == {"saved": True}
    assert path.read_text() == "cases: []\n"


def test_a_byte_order_mark_is_no_text(opened: Open) -> None:
    text = opened.scenario.read_text()
    opened.scenario.write_text(text, encoding="utf-8-sig")
    with opened.talk() as page:
        assert page.open(opened.scenario) == text
        assert (
            page.request("studio/setup", uri=uri_of(opened.scenario))["title"] == "First skirmish"
        )


def test_what_others_have_written_is_not_written_over(opened: Open) -> None:
    with opened.talk() as page:
        text = page.open(opened.rules)
        opened.rules.write_text(text + "# theirs\n")
        page.type(opened.rules, text + "# mine\n")
        assert page.request("studio/save", uri=uri_of(opened.rules)) == {"saved": False}
        assert opened.rules.read_text() == text + "# theirs\n"
        told = page.request("studio/save", uri=uri_of(opened.rules), over=True)
        assert told == {"saved": True} and opened.rules.read_text() == text + "# mine\n"


def test_what_is_refused_is_said_in_the_language_of_the_page(hills: Path) -> None:
    server = make_server(hills)
    server.say = sayer("cs")
    sources = Sources(server.desk, hills / "rulesets/hills")
    with pytest.raises(JsonRpcInvalidParams, match=r"není jméno pro soubor pravidel \(pojmenujte"):
        asyncio.run(server.ask(sources.create, "rules.txt"))


def test_nothing_is_written_outside_of_the_ruleset(opened: Open, hills: Path) -> None:
    outside = hills / "outside.yaml"
    (opened.rules.parent / "link.yaml").symlink_to(outside)
    with opened.talk() as page:
        for path in (outside, opened.rules.parent / "link.yaml", hills / "rulesets/hills/x.py"):
            page.notify(
                "textDocument/didOpen",
                textDocument={
                    "uri": uri_of(path),
                    "languageId": "grog",
                    "version": 1,
                    "text": "x: 1\n",
                },
            )
            for what in ("studio/save", "studio/text"):
                with pytest.raises(AssertionError, match="no file of the ruleset"):
                    page.request(what, uri=uri_of(path))
            assert not path.exists()
        for name in (
            "../x.grog",
            "/tmp/x.grog",
            "a/b.grog",
            "ruleset.grog",
            ".x.grog",
            "x" * 300 + ".grog",
        ):
            with pytest.raises(AssertionError, match=r"no name|already|too long"):
                page.request("studio/create", name=name)


def test_a_new_scenario_begins_as_the_one_on_the_board(opened: Open) -> None:
    with opened.talk() as page:
        page.request("studio/create", name="combat.grog")
        uri = page.request("studio/create", name="scenarios/second.yaml")["uri"]
        made = opened.scenario.with_name("second.yaml")
        assert uri == uri_of(made) and made.read_text() == opened.scenario.read_text()
        begun = page.request("studio/begin")
        assert [one["name"] for one in begun["scenarios"]] == ["first", "second"]
        assert "combat.grog" in [file["name"] for file in begun["files"]]


def test_a_text_that_changes_changes_the_game_beside_it(opened: Open) -> None:
    with opened.talk() as page:
        assert page.request("studio/begin")["players"] == {"blue": "person", "red": "person"}
        text = page.open(opened.rules)
        live = opened.browser.websocket_connect(f"ws://{HOST}{GAME}/live", headers=OWN)
        with live as table:
            show = table.receive_json()["begin"]["show"]
            option = show["question"]["options"][0]["text"]
            version = show["version"]
            table.send_json({"do": "answer", "version": version, "options": [option], "id": 1})
            page.type(opened.rules, text.replace("| infantry | 3 | 1 |", "| infantry | 3 | 2 |"))
            assert page.until("studio/game")["state"] == "goes on"
            while "begin" not in (message := table.receive_json()):
                pass
            assert message["begin"]["show"]["version"] > version
            page.type(opened.rules, text.replace("table unit_types", "tabel unit_types"))
            assert page.until("studio/game")["state"] == "stands still"
        (reason,) = page.request("studio/why", line="G9")
        assert "goes 2 at most" in reason["text"] and reason["uri"] == uri_of(opened.rules)
        line = opened.rules.read_text().splitlines()[reason["line"]]
        assert "allowance" in line or "printed" in line or "march" in line, line


def test_it_is_told_how_often_rules_are_reached(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach_counter, "PAUSE", 0.1)
    monkeypatch.setattr(reach_counter, "SECONDS", 0.0)
    uri = uri_of(opened.rules)
    with opened.talk() as page:
        page.request("studio/begin")
        text = page.open(opened.rules)
        assert page.until("studio/reached") == {}
        first = page.until("studio/reached")[uri]

        def at(start: str) -> str:
            """The line that begins so."""
            return str(text[: text.index(start)].count("\n"))

        play, move, fire = at("procedure play"), at("    move(u"), at("    fire(u")
        assert (first[play], first[move], first[fire]) == (1, 0, 0) and first[
            at("travel march")
        ] > 0
        document = {"uri": uri}
        titles = [
            lens["command"]["title"]
            for lens in page.request("textDocument/codeLens", textDocument=document)
        ]
        assert "used nowhere · no case · reached once" in titles
        assert not any("count how often" in title for title in titles)

        page.type(opened.rules, text.replace("do turn(active)", "do turn(next(active))"))
        known = page.until("studio/reached")[uri]
        assert play not in known and known[move] == 0
        again = page.until("studio/reached")[uri]
        assert again[play] == 0 and again.keys() == first.keys()


def test_all_cases_run_in_the_end(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a case depends on without a word of it is found out, and until then it is told as old."""
    monkeypatch.setattr(reach_counter, "PAUSE", 0.1)
    monkeypatch.setattr(reach_counter, "SECONDS", 0.0)
    cases = opened.rules.parent / "cases/riding.yaml"
    cases.parent.mkdir()
    cases.write_text(
        "ruleset: hills\nscenario: hills/first\ncases:\n"
        "  - {name: it rides, run: nothing, expect: {values: {allowance(B.cavalry1): 3}}}\n"
    )
    with opened.talk() as page:

        def told(**wanted: bool) -> dict[str, Any]:
            while True:
                (case,) = page.until("studio/cases")["cases"] or [{}]
                if wanted.items() <= case.items():
                    return case  # type: ignore[no-any-return]

        page.request("studio/begin")
        text = page.open(opened.rules)
        told(held=True, old=False)
        page.type(opened.rules, text.replace("| cavalry  | 2 | 3 |", "| cavalry  | 2 | 4 |"))
        assert told(old=True)["held"]
        assert "4" in told(held=False, old=False)["problems"][0]
        page.request("studio/save", uri=uri_of(opened.rules))  # which changes no text
        (case,) = page.until("studio/cases")["cases"]
        assert not case["old"]


@pytest.mark.parametrize(
    "old, new, state",
    [("prompt destination", "prompt goal", "went back"), ("turn(", "turns(", "begun anew")],
)
def test_what_went_back_comes_back(opened: Open, old: str, new: str, state: str) -> None:
    """A text that is valid half-way leaves the game where it was."""
    with opened.talk() as page:
        page.request("studio/begin")
        text = page.open(opened.rules)
        live = opened.browser.websocket_connect(f"ws://{HOST}{GAME}/live", headers=OWN)
        with live as table:
            show = table.receive_json()["begin"]["show"]
            first, option = show["question"]["words"], show["question"]["options"][0]["text"]
            asked = {"do": "answer", "version": show["version"], "options": [option], "id": 1}
            table.send_json(asked)
            page.type(opened.rules, f"# hills\n{text}")  # the answer is taken by now
            assert page.until("studio/game")["state"] == "goes on"

            def question() -> str:
                while "begin" not in (message := table.receive_json()):
                    pass
                return str(message["begin"]["show"]["question"]["words"])

            there = question()
            assert there != first
            page.type(opened.rules, text.replace(old, new))
            assert page.until("studio/game")["state"] == state and question() == first
            page.type(opened.rules, text)
            assert page.until("studio/game")["state"] == "goes on" and question() == there


def test_what_is_renamed_goes_on_under_its_new_name(opened: Open) -> None:
    with opened.talk() as page:
        page.request("studio/begin")
        text = page.open(opened.rules)
        line = text[: text.index("cavalry")].count("\n")
        at = {"line": line, "character": text.split("\n")[line].index("cavalry")}
        document = {"uri": uri_of(opened.rules)}
        page.request("textDocument/rename", textDocument=document, position=at, newName="lancers")
        live = opened.browser.websocket_connect(f"ws://{HOST}{GAME}/live", headers=OWN)
        with live as table:
            before = table.receive_json()["begin"]["show"]["question"]["options"]
            scenario = page.open(opened.scenario)
            page.type(opened.scenario, scenario.replace("cavalry", "lancers"))
            page.type(opened.rules, text.replace("cavalry", "lancers"))
            while (told := page.until("studio/game"))["state"] == "stands still":
                pass
            assert told["state"] == "goes on" and told["lost"] == []
            while "begin" not in (message := table.receive_json()):
                pass
            now = message["begin"]["show"]["question"]["options"]
            assert len(now) == len(before)
