"""Requests and replies of a seat."""

from __future__ import annotations

import doctest
import json
import re
from random import Random
from typing import Any

import pytest
from client import Client, schema, table
from project import ROOT, placed, setup_of

from grognard.bots.players import seat_for
from grognard.explain import forecasts
from grognard.explain.forecasts import of_state
from grognard.table import protocol
from grognard.table.content import ROLES
from grognard.table.protocol import PROTOCOL, Seat, seats
from grognard.table.table import Table
from runtime.games.events import Roll, Taken
from runtime.games.game import Game
from runtime.model import NONE
from runtime.runs.bots import RandomBot
from runtime.runs.search import Horizon, SearchBot, SearchResult, TriedOption
from runtime.runs.seats import Seat as Player
from runtime.view import Sight

AKRAGAS, BARBAROSSA = "cc_ancients/akragas", "no_retreat/barbarossa_1941"
NAPOLEONICS = "cc_napoleonics/bussaco_1"


@pytest.fixture
def desk() -> Table:
    return table(AKRAGAS, 7)


@pytest.fixture
def client(desk: Table) -> Client:
    """Who is asked first."""
    assert desk.game.decision is not None
    return Client(seats(desk)[desk.game.decision.name])


def test_the_schema_is_one() -> None:
    schema("request").check_schema(schema("request").schema)
    assert set(schema("reply").schema["$defs"]["part"]["properties"]["role"]["enum"]) == set(ROLES)


def test_the_document_tells_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    parts = schema("reply").schema["$defs"]
    fields = [
        name for part in ("show", "error", "option", "news") for name in parts[part]["properties"]
    ]
    requests = [one["properties"] for one in parts["request"]["oneOf"]]
    fields += [one["do"]["const"] for one in requests] + [name for one in requests for name in one]
    fields += [*parts["error"]["properties"]["kind"]["enum"], *ROLES]
    assert not [name for name in fields if f"`{name}`" not in text]
    monkeypatch.chdir(ROOT)
    typed, said = text.split("```")[1].removeprefix("python\n"), list[str]()
    test = doctest.DocTestParser().get_doctest(typed, {}, "protocol.md", "protocol.md", 0)
    doctest.DocTestRunner().run(test, out=said.append)
    assert test.examples and not said, "".join(said)


def test_what_does_not_change(client: Client) -> None:
    ground = client.ask("table", id=4)
    assert ground["id"] == 4 and ground["protocol"] == PROTOCOL
    assert ground["sides"] == {"top": "Carthage", "bottom": "Syracuse"}
    assert len(ground["hexes"]) == len(client.seat.table.game.spec.board.labels)
    assert len({(h["x"], h["y"]) for h in ground["hexes"]}) == len(ground["hexes"])


def test_options_say_what_their_parts_are(client: Client) -> None:
    question = client.show["question"]
    assert {part["role"] for o in question["options"] for part in o["parts"]} == {"card"}
    assert all(o["card"] for o in question["options"])
    client.take("answer", options=["command order_3_center"])
    question = client.show["question"]
    orders = [o for o in question["options"] if not o["passes"]]
    assert {part["role"] for o in orders for part in o["parts"]} == {"piece"}
    assert {h for o in orders for part in o["parts"] for h in part["hexes"]} == {*question["hexes"]}
    assert next(o for o in question["options"] if o["passes"])["parts"] == []
    assert client.show["place"]["steps"]


def test_what_comes_after_options_that_are_not_taken(client: Client) -> None:
    before = client.show
    card = "command order_3_center"
    after = client.ask("after", options=[card])
    assert after["closed"] == "" and after["question"]["prompt"] == "orders"
    assert client.ask("show") == {**before, "news": client.show["news"]}
    order, *_ = [o["text"] for o in after["question"]["options"] if not o["passes"]]
    longer = client.ask("after", options=[card, order])
    assert order not in [o["text"] for o in longer["question"]["options"]]
    assert client.ask("after", options=[order])["kind"] == "option"
    assert client.take("answer", options=[card], brief=True)["question"] == after["question"]
    assert "position" not in client.show and "counters" not in client.show


def test_nothing_is_asked_behind_what_cannot_be_taken_back() -> None:
    desk = table(BARBAROSSA, 5)
    clients, closed = seats(desk), list[str]()
    while len(closed) < 3 and desk.game.decision is not None:
        seat = clients[desk.game.decision.name]
        option = desk.game.decision.options[-1].text
        after = json.loads(seat.receive(json.dumps({"do": "after", "options": [option]})))
        schema("reply").validate(after)
        assert (after["question"] is None) == bool(after["closed"])
        side = desk.game.decision.side
        desk.choose(side, [option])
        if after["question"] is None:
            closed.append(after["closed"])
        else:
            assert desk.game.decision is not None and desk.game.decision.side == side
            assert desk.game.decision.prompt == after["question"]["prompt"]
    assert len(closed) == 3


def test_highlights_are_told_by_name(client: Client) -> None:
    lights = client.ask("table")["highlights"]
    assert lights[""]["sign"] == "*" and lights["must_stop"]["label"] == "must stop there"
    assert set(client.show["question"]["hexes"].values()) <= set(lights)


def test_several_answers_are_taken_together_or_not_at_all(client: Client) -> None:
    first = ["command order_3_center", "order S.HI3"]
    refused = client.take("answer", options=[*first, "order nobody"])
    assert refused["kind"] == "option" and client.ask("show")["version"] == refused["version"]
    assert client.take("answer", options=first)["reply"] == "show"
    assert client.take("answer", line="b8, done")["reply"] == "show"
    undone = client.take("undo")
    assert undone["reply"] == "show" and "order S.HI4" in client.options


def test_news_after_something_was_taken_back(desk: Table, client: Client) -> None:
    watcher = Client(Seat(desk, NONE))
    client.take("answer", options=["command order_3_center", "order S.HI3"])
    watcher.ask("show")
    since, told = watcher.show["version"], list(watcher.log)
    client.take("undo")
    client.take("answer", options=["command order_heavy_troops"])
    again = watcher.ask("show", since=since)
    assert watcher.log == desk.game.log_of(NONE) != told
    assert watcher.ask("show", since=since)["news"] == again["news"]
    assert watcher.ask("show", since=10**9)["news"]["kept"] == 0


def test_what_has_happened_is_told_as_data(desk: Table) -> None:
    watcher, players = Client(Seat(desk, NONE)), seats(desk)
    stood = {one["piece"]: one["hex"] for one in watcher.show["counters"]}
    moved = 0
    for _ in range(60):
        decision = desk.game.decision
        assert decision is not None
        desk.choose(decision.side, [decision.options[0].text])
        watcher.ask("show")
        for move in watcher.show["moves"]:
            assert move["from"] == stood.get(move["piece"]) != move["to"]
            stood[move["piece"]] = move["to"]
            moved += 1
    assert moved and stood == {one["piece"]: one["hex"] for one in watcher.show["counters"]}
    rolls = [one for one in watcher.events if one["kind"] == "roll"]
    assert (
        [one.faces for one in desk.game.events if isinstance(one, Roll)]
        == [tuple(one["values"]) for one in rolls]
        != []
    )
    taken = {one.side for one in desk.game.events if isinstance(one, Taken)}
    assert taken and not [one for one in watcher.events if one["kind"] == "taken"]
    for side in taken:
        own = Client(players[side])
        assert [one for one in own.events if one["kind"] == "taken"]


def test_a_line_that_is_no_option_says_why(client: Client) -> None:
    client.seat.table.why.later.get()
    client.take("answer", options=["command order_3_center"])
    refused = client.take("answer", line="C.LI1")
    assert refused["kind"] == "option" and refused["reasons"]
    several = client.take("answer", line="S.H")
    assert several["kind"] == "option" and len(several["matches"]) > 1
    assert client.take("answer", line="nonsense")["text"] == "nonsense"


def test_a_pass_that_leaves_something_undone_is_asked_back_once(client: Client) -> None:
    client.take("answer", options=["command order_3_center", "order S.HI3"])
    refused = client.take("pass", careful=True)
    assert refused["kind"] == "sure" and "Still possible" in refused["message"]
    assert client.take("pass", careful=True)["reply"] == "show"
    client.take("undo")
    assert client.take("pass")["reply"] == "show"


def test_a_question_that_is_passed_for_the_turn() -> None:
    desk = table(BARBAROSSA, 7)
    client = Client(seats(desk)["axis"])
    assert client.show["question"]["prompt"] == "movement"
    assert client.take("pass", standing=True)["reply"] == "show"
    while (
        client.ask("show")["decides"] == "axis" and client.show["question"]["prompt"] != "movement"
    ):
        client.take("answer", options=[client.options[-1]])
        while desk.step():
            pass


def test_questions(client: Client) -> None:
    option = client.options[0]
    assert client.ask("why")["lines"][0]["text"] == client.show["question"]["words"]
    assert len(client.ask("why", line=option)["lines"]) > 1
    assert client.ask("why_not", line="order C.LI1")["reply"] == "lines"
    assert not any("place" in line for line in client.ask("why", line=option, source=True)["lines"])
    client.seat.table.places = True  # at an author's table
    told = client.ask("why", line=option, source=True)["lines"]
    written = next(line for line in told if "written in" in line["text"])
    assert written["text"].removeprefix("written in ").startswith(f"{written['place']}:")
    client.seat.table.places = False
    assert client.ask("look", line="S.HI3")["lines"][0]["level"] == 0
    assert len(client.ask("hand")["cards"]) > 3
    assert client.ask("log")["lines"] == client.log
    client.take("answer", options=["command order_3_center", "order S.HI3", "done"])
    told = client.ask("forecast", options=[client.options[0]])["forecasts"]
    assert told and told[0][0]["text"]
    assert client.ask("forecast", line=client.options[0])["forecasts"] == told


def test_odds_are_told_when_they_are_asked_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question is told without them; what is known stays known until something is decided."""
    worked_out = []

    def counted(game: Game, seen: Sight, option: int, **limits: Any) -> Any:
        worked_out.append(option)
        return of_state(game, seen, option, **limits)

    monkeypatch.setattr(forecasts, "of_state", counted)
    monkeypatch.setattr(forecasts, "_SECONDS", 60.0)
    monkeypatch.setattr(protocol, "_TOGETHER", 0.0)  # one after another
    foreseen = [o["text"] for o in client.show["question"]["options"] if o["foreseen"]]
    assert len(foreseen) > 3 and not worked_out
    for number in range(1, len(foreseen) + 1):
        told = client.take("odds")
        assert list(told["odds"]) == foreseen[:number]
        assert told["whole"] == (number == len(foreseen))
    assert told["odds"]["command order_3_center"]["words"]
    client.ask("show")
    assert client.take("odds")["odds"] == told["odds"] and len(worked_out) == len(foreseen)
    version = client.show["version"]
    client.take("answer", options=["command order_3_center"])
    assert client.ask("odds", version=version)["kind"] == "version"
    assert len(worked_out) == len(foreseen)


def test_odds_behind_options_are_those_once_they_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "_SECONDS", 60.0)  # whatever else the machine does
    desk, rng, compared = table(NAPOLEONICS, 5), Random(5), 0
    asked = seats(desk)
    while compared < 3 and desk.decision is not None:
        seat, version = asked[desk.decision.name], desk.version
        texts = [option.text for option in desk.decision.options]
        for text in texts if rng.random() < 0.2 else ():
            behind = seat.request({"do": "after", "options": [text]})["question"]
            if behind is not None and any(option["foreseen"] for option in behind["options"]):
                told = desk.odds(seat.side, [text])
                assert told.whole and told == desk.odds(seat.side, [text])
                reply = seat.request({"do": "odds", "version": version, "options": [text]})
                schema("reply").validate(reply)
                assert set(reply["odds"]) == set(told.odds)
                desk.choose(seat.side, [text])
                assert desk.odds(seat.side) == told
                compared += bool(told.odds)
                break
        else:
            desk.choose(seat.side, [rng.choice(texts)])
    assert compared == 3


def test_nobody_is_told_odds_who_wants_none(desk: Table) -> None:
    desk.menu.foretells = False
    assert desk.decision is not None
    client = Client(seats(desk)[desk.decision.name])
    assert not any(option["foreseen"] for option in client.show["question"]["options"])
    told = client.take("odds")
    assert told["odds"] == {} and told["whole"]
    assert client.take("odds", options=["nothing"])["kind"] == "option"


def test_only_who_is_asked_may_answer(desk: Table, client: Client) -> None:
    other = next(s for side, s in seats(desk).items() if side not in (client.show["seat"], None))
    for seat in (other, Seat(desk, NONE)):
        somebody = Client(seat)
        assert somebody.show["question"] is None and not somebody.show["undo"]
        for do in ("undo", "pass"):
            assert somebody.take(do)["kind"] == "turn"
        for do in ("hint", "why"):
            assert somebody.ask(do)["kind"] == "turn"
        assert somebody.take("answer", options=client.options[:1])["kind"] == "turn"
        assert somebody.ask("forecast", line=client.options[0])["kind"] == "turn"
        assert somebody.take("odds")["kind"] == "turn"
    assert client.ask("show")["question"]


def test_what_a_bot_expects_names_nothing_that_not_all_see() -> None:
    bot = SearchBot(playouts=60)
    desk = table(AKRAGAS, 7)
    assert desk.game.decision is not None
    side, spec = desk.game.decision.side, desk.game.spec
    desk.bots = {side: Player(bot, "searching", placed(AKRAGAS), setup_of(AKRAGAS))}
    desk._luck = {side: Random(1)}
    other, told = Client(Seat(desk, 1 - side)), 0
    assert other.ask("expect")["lines"][0]["text"] == "no bot says yet what it expects"
    for _ in range(12):
        if not desk.step():
            break
        assert bot.thought is not None
        head, *more = [line["text"] for line in other.ask("expect")["lines"]]
        assert re.fullmatch(r"\w+ stands ahead in \d+% of its \d+ tries of how it may go on", head)
        known = bot.thought.line[1 : bot.thought.openly]
        assert all(spec.decisions[question].open for _, question, _ in known)
        assert len(more) == bool(known) and "play " not in "".join(more)
        told += len(known)
    assert told


@pytest.mark.parametrize(
    ("best", "other", "why"),
    [
        ((60, 0.5), (40, 0.5), ""),
        ((60, 0.5), (40, 0.6), "; it takes what it tries most, as fewer tries are less sure"),
        (
            (40, 0.6),
            (60, 0.5),
            "; it passes only if that is tried more than twice as often, or rated better",
        ),
    ],
)
def test_a_hint_says_why_it_takes_what_the_numbers_do_not_show(
    monkeypatch: pytest.MonkeyPatch,
    best: tuple[int, float],
    other: tuple[int, float],
    why: str,
) -> None:
    desk = table(AKRAGAS, 7)
    assert desk.game.decision is not None
    ranked = [
        TriedOption(option.raw, *tried)
        for option, tried in zip(desk.game.decision.options, (best, other), strict=False)
    ]
    thought = SearchResult(ranked[0].option, tuple(ranked), 0.5, (), 0, Horizon(1, 1))

    def search(bot: SearchBot, *_: object) -> int:
        bot.thought = thought
        return thought.chosen

    monkeypatch.setattr(SearchBot, "search", search)
    monkeypatch.setattr("grognard.table.hints._parts", lambda *_: ([], []))
    _, lines = desk.hint(desk.game.decision.side)
    shown = f"of 100 tries of how it may go on {best[0]} begin with it, rated {best[1]:.0%}"
    assert lines[1].text.startswith(shown)
    assert lines[1].text.endswith(f", the next, {other[0]}, rated {other[1]:.0%}{why}")


def test_a_bot_is_not_answered_for() -> None:
    program = placed(AKRAGAS)
    bot = Player(RandomBot(), "random", program, setup_of(AKRAGAS))
    desk = table(AKRAGAS, 7, {0: bot, 1: bot})
    assert list(seats(desk)) == [None] and desk.game.decision is not None
    seat = Client(Seat(desk, desk.game.decision.side))
    assert seat.show["question"] is None and not seat.show["waits"]
    text = desk.game.decision.options[0].text
    assert seat.take("answer", options=[text])["kind"] == "turn"
    assert desk.step() and seat.ask("show")["version"] == seat.seat.table.version


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_bot_takes_options_of_questions_about_something(name: str) -> None:
    """An option that is made anew has no place in the list and is about nothing: it is not the one on offer."""
    bot = seat_for(name, placed(BARBAROSSA), setup_of(BARBAROSSA))
    desk, subjects, places = table(BARBAROSSA, 7, {0: bot, 1: bot}), set(), set()
    for _ in range(60):
        decision = desk.game.decision
        assert decision is not None and desk.step()
        subjects.add(decision.options[0].subject)
        places.add([option.text for option in decision.options].index(desk.game.actions[-1][1]))
    assert len(desk.game.actions) == 60 and len(subjects) > 1 and len(places) > 1


def test_nothing_is_acknowledged_that_is_not_kept() -> None:
    full, kept = True, []

    def keep(game: Game, sync: bool) -> None:
        if full:
            raise OSError("no room")
        kept.append(game.length)

    desk = table(AKRAGAS, 7, keep=keep)
    assert desk.game.decision is not None
    client = Client(seats(desk)[desk.game.decision.name])
    options = ["command order_3_center", "order S.HI3"]
    assert client.take("answer", options=options)["kind"] == "store"
    assert client.ask("show")["kind"] == "store" and not kept
    full = False
    show = client.ask("show")
    assert kept == [desk.game.length] and "order S.HI3" in client.options and show["undo"]


REQUESTS: list[Any] = [
    None,
    [],
    "show",
    {},
    {"do": "dance"},
    {"do": ["show"]},
    {"do": "show", "more": 1},
    {"do": "show", "since": "1"},
    {"do": "show", "since": True},
    {"do": "answer", "line": "1"},
    {"do": "answer", "version": 1},
    {"do": "answer", "version": 1, "line": "1", "options": []},
    {"do": "answer", "version": 1, "options": "1"},
    {"do": "answer", "version": 1, "options": [1]},
    {"do": "answer", "version": 1, "options": ["1"] * 61},
    {"do": "answer", "version": 1, "line": "1" * 2001},
    {"do": "answer", "version": 1.0, "line": "1"},
    {"do": "why_not"},
    {"do": "odds"},
    {"do": "odds", "version": 1, "options": "1"},
]


@pytest.mark.parametrize("request_", REQUESTS)
def test_what_is_no_request(desk: Table, request_: Any) -> None:
    assert not schema("request").is_valid(request_) or request_["version"] == 1.0
    reply = Seat(desk, 0).request(request_)
    schema("reply").validate(reply)
    assert reply["kind"] == "request" and reply["message"] and desk.version == desk.game.length


@pytest.mark.parametrize("text", ["", "{", "[" * 99_000, "x" * 200_000, '"\ud800"', "NaN"])
def test_what_is_no_json(desk: Table, text: str) -> None:
    reply = json.loads(Seat(desk, 0).receive(text))
    assert reply["kind"] == "request"


def test_lines_that_are_anything(client: Client) -> None:
    for line in ("\0", "\x1b[2J", "9" * 1500, "x " * 900, "{0}", "², ½", "\ud800"):
        for do in ("answer", "why", "why_not", "forecast", "look", "log"):
            more = {"version": client.show["version"]} if do == "answer" else {}
            reply = client.ask(do, line=line, **more)
            assert reply["reply"] in ("error", "lines", "log")
