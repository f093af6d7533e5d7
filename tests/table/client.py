"""A client of a table that knows nothing but JSON."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from project import ROOT, placed, setup_of

from compiler.ruleset import Ruleset
from grognard.draw.style import Style
from grognard.explain.explainer import Explainer
from grognard.table.protocol import Seat
from grognard.table.table import Table
from runtime.games.game import Game
from runtime.runs.seats import Seat as Player

_EACH = 20


@cache
def schema(part: str) -> Validator:
    """What checks a request or a reply."""
    whole = json.loads((ROOT / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]})


@cache
def explainer(ruleset: str) -> Explainer:
    return Explainer(Ruleset(ROOT / "rulesets" / ruleset))


def table(scenario: str, seed: int, bots: dict[int, Player] | None = None, **more: Any) -> Table:
    """A table of one of the project's scenarios, in the looks of its ruleset."""
    game = Game(placed(scenario), setup_of(scenario), seed)
    ruleset = scenario.split("/")[0]
    made = Table(game, bots or {}, lambda: explainer(ruleset), **more)
    assert not made.dress(lambda: Style.read([ROOT / "rulesets" / ruleset]))
    return made


class Client:
    """Somebody at a seat; requests and replies are checked, of those that show all one in so many."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.events: list[dict[str, Any]] = []
        self.asked = 0
        self.show: dict[str, Any] = {}
        self.ask("show")

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """The reply to a request."""
        request = {"do": do, **more}
        schema("request").validate(request)
        reply: dict[str, Any] = json.loads(self.seat.receive(json.dumps(request)))
        self.asked += 1
        if reply["reply"] != "show" or self.asked % _EACH == 1:  # checking a show takes long
            schema("reply").validate(reply)
        if reply["reply"] == "show":
            self.show = reply
            news = reply["news"]
            assert news["kept"] <= len(self.events)
            self.events = self.events[: news["kept"]] + news["events"]
        return reply

    def take(self, do: str, **more: Any) -> dict[str, Any]:
        """The reply to what changes the game that was shown last."""
        return self.ask(do, version=self.show["version"], **more)

    @property
    def log(self) -> list[str]:
        """The sentences that it has been told."""
        return [event["words"] for event in self.events if event["kind"] == "note"]

    @property
    def options(self) -> list[str]:
        """The options of this seat."""
        question = self.show["question"]
        return [option["text"] for option in question["options"]] if question else []
