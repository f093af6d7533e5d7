"""What runs within a browser, asked as the page's worker asks it; no browser is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

from grognard.fronts.site.browser_host import BrowserHost

AKRAGAS = {"scenario": "cc_ancients/akragas", "taken": [], "language": "en"}


class Worker:
    """Keeps what is to be kept, and advances, as the worker does."""

    def __init__(self) -> None:
        self.host = BrowserHost()
        self.games: dict[str, dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []

    def call(self, **request: Any) -> Any:
        done = self.once(**request)
        while done["wait"] == 0:
            done = self.once(do="advance") | {"first": done.get("first", done)}
        done = done.get("first", done)
        return done["error"] if "error" in done else done["reply"]

    def once(self, **request: Any) -> dict[str, Any]:
        done: dict[str, Any] = json.loads(self.host.call(json.dumps(request)))
        for kept in done["keep"]:
            assert kept["revision"] > self.games.get(kept["name"], {"revision": 0})["revision"]
            self.games[kept["name"]] = kept
        if done["told"]:
            self.told.append(done["told"])
        return done

    def show(self) -> dict[str, Any]:
        """What the page has been told last."""
        last = self.told[-1]
        shown: dict[str, Any] = (last.get("more") or last["begin"])["show"]
        return shown

    def look(self, game: str, seat: str = "", anew: bool = False) -> Any:
        before = len(self.told)
        begun = self.call(
            do="look",
            game=game,
            seat=seat,
            language="en",
            **({"kept": self.games[game]} if anew else {}),
        )
        if "begin" in begun:
            self.told.insert(before, begun)
        return begun

    def answer(self, show: dict[str, Any], number: int = 0) -> Any:
        option = show["question"]["options"][number]["text"]
        request = {
            "do": "answer",
            "version": show["version"],
            "options": [option],
            "careful": False,
            "brief": True,
        }
        return self.call(do="ask", text=json.dumps(request))


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worker:
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path))
    return Worker()


@pytest.mark.smoke
def test_a_bot_answers_and_all_of_it_is_kept(worker: Worker) -> None:
    game = worker.call(do="begin", players={"top": "random"}, **AKRAGAS)
    assert game == "akragas" and worker.games[game]["decides"]
    show = worker.look(game)["begin"]["show"]
    assert show["seat"] == "bottom" and show["question"]
    asked, length = show["version"], len(worker.games[game]["text"])
    for _ in range(40):
        assert worker.answer(worker.show())["reply"] == "show"
    assert worker.show()["version"] > asked and worker.show()["seat"] == "bottom"
    assert len(worker.games[game]["text"]) > length + 400 and not worker.games[game]["over"]


def test_gone_on_with_where_it_stood(worker: Worker) -> None:
    game = worker.call(do="begin", players={"top": "random"}, **AKRAGAS)
    worker.look(game)
    for _ in range(12):
        worker.answer(worker.show())
    before = worker.show()
    another = Worker()
    another.games = worker.games
    show = another.look(game, anew=True)["begin"]["show"]
    for shown in (before, show):
        shown["asked"] = (
            shown["question"]["words"],
            [one["text"] for one in shown["question"]["options"]],
        )
    same = ("asked", "seat", "decides", "place", "position", "counters", "undo")
    assert [show.get(key) for key in same] == [before.get(key) for key in same] and show["asked"][1]
    assert another.answer(show)["reply"] == "show"


def test_names_that_are_taken(worker: Worker) -> None:
    players: dict[str, str] = {}
    again = {**AKRAGAS, "taken": ["akragas", "akragas-2"]}
    assert worker.call(do="begin", players=players, **again) == "akragas-3"


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"do": "begin", **AKRAGAS, "players": {"left": "person"}}, "'left' cannot be played"),
        (
            {"do": "begin", **AKRAGAS, "players": {"top": "link"}},
            "'top' cannot be played by 'link'",
        ),
        ({"do": "begin", **AKRAGAS, "scenario": "x", "players": {}}, "no scenario 'x'"),
        ({"do": "look", "game": "x", "seat": "", "language": "en"}, "There is no such game."),
        ({"do": "ask", "text": "{}"}, "There is no such game."),
        (
            {"do": "record", "scenario": "cc_ancients/akragas", "text": "x", "language": "en"},
            "record",
        ),
    ],
)
def test_what_cannot_be_done(worker: Worker, request_: dict[str, Any], says: str) -> None:
    assert says in worker.call(**request_)["message"]


def test_two_at_one_screen_see_each_their_own(worker: Worker) -> None:
    game = worker.call(do="begin", players={}, **AKRAGAS)
    top, bottom = (worker.look(game, seat)["begin"]["show"] for seat in ("top", "bottom"))
    assert top["seat"] == "top" and bottom["seat"] == "bottom"
    assert sum(bool(show["question"]) for show in (top, bottom)) == 1
    watching = worker.look(game, "none")["begin"]["show"]
    assert watching["seat"] is None and not watching["question"]
    assert "nobody plays 'left'" in worker.look(game, "left")["message"]


def test_what_cannot_be_kept_ends_it_and_says_why(worker: Worker) -> None:
    game = worker.call(do="begin", players={}, **AKRAGAS)
    worker.look(game)
    length = len(worker.games[game]["text"])
    worker.call(do="lose", elsewhere=True)
    assert "another window" in worker.told[-1]["more"]["fault"]
    reply = worker.answer(worker.show())
    assert reply["kind"] == "store" and len(worker.games[game]["text"]) == length


def test_to_its_end_and_its_record(worker: Worker) -> None:
    request = {**AKRAGAS, "scenario": "battles_of_westeros/learning_battle"}
    game = worker.call(do="begin", players={"lannister": "random"}, **request)
    worker.look(game)
    for _ in range(3_000):
        if worker.show()["end"]:
            break
        worker.answer(worker.show(), -1)
    kept = worker.games[game]
    assert kept["over"] and not kept["decides"] and worker.show()["end"]
    page = worker.call(do="record", scenario=request["scenario"], text=kept["text"], language="cs")
    assert page.startswith("<!doctype html>") and 'lang="cs"' in page


def test_a_scenario_of_ones_own(worker: Worker) -> None:
    with_errors = worker.call(do="take_in", text="ruleset: cc_ancients\ntitle: x\n", language="en")
    assert with_errors["findings"] and not with_errors["shown"]
    text = (
        (ROOT / "scenarios/cc_ancients/akragas.yaml")
        .read_text()
        .replace("title: Akragas", "title: Mine")
    )
    taken = worker.call(do="take_in", text=text, language="en")
    (shown,) = taken["shown"]
    assert shown["title"] == "Mine" and taken["scenario"] == shown["name"]
    assert worker.call(do="begin", players={}, **{**AKRAGAS, "scenario": shown["name"]})
