"""What runs within a browser: one game at a time, for the page that looks at it.

There are no threads, and no files that last: who calls gets, beside the reply, what is to be kept
before anything of it is shown, what the page is to be told then, and when there is more to do.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from grognard.draw.scene import Scene
from grognard.fronts.room import Room
from grognard.fronts.web import lobby
from grognard.fronts.web.rooms import PERSON, Connection, checked_players, make_room, side_at
from grognard.kept_rules import opened_in
from grognard.lexicon.catalogue import speak, words_in
from grognard.records import NamedRecord, key_of, looks_on
from grognard.retelling.moments import Course
from grognard.retelling.page import page_of
from grognard.scenario import Scenario
from grognard.table.opened import OpenedGame
from grognard.table.store import GameWriter
from runtime.chance import new_seed
from runtime.errors import ArgumentError, GrognardError
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.runs.seats import BOTS

#: Who may play a side.
PLAYERS: Final = (PERSON, *BOTS)


class BrowserHost:
    """The game that is played, and the page that looks at it."""

    def __init__(self) -> None:
        self._room: Room | None = None
        self._connection: Connection | None = None
        self._language = "en"
        #: of the request that is worked on: what is to be kept, whether there is something new, and
        #: when there is more to do
        self._keep: list[dict[str, Any]] = []
        self._news = False
        self._wait: float | None = None
        self._does: dict[str, Callable[..., Any]] = {
            "begin": self._begin,
            "look": self._look,
            "ask": self._ask,
            "advance": self._advance,
            "lose": self._give_up,
            "record": self._record,
            "take_in": self._take_in,
        }

    def call(self, text: str) -> str:
        """Do what a request wants, ``{"do": name, …}``; request and result are JSON.

        In the result ``reply`` is the answer, or ``error`` says why there is none; ``keep`` are the
        games to be kept, ``told`` is what the page is told after that; ``wait`` in how many seconds
        ``advance`` is to be asked for, null: not before something else is.
        """
        request = json.loads(text)
        does = self._does[request.pop("do")]
        self._keep, self._news, self._wait = [], False, None
        done: dict[str, Any] = {}
        try:
            done["reply"] = does(**request)
        except GrognardError as error:
            done["error"] = {"message": error.message, "remedy": error.remedy}
        except Exception as error:
            done["error"] = {"message": self._report(error), "remedy": ""}
        told = None
        if self._news and self._connection is not None:
            told = json.loads(self._connection.news())
        done |= {"keep": self._keep, "told": told, "wait": self._wait}
        return json.dumps(done, ensure_ascii=False)

    # ------------------------------------------------------------------ games

    def _begin(
        self, scenario: str, players: Mapping[str, str], taken: list[str], language: str
    ) -> str:
        """Begin a game; its name, which is none of those that are *taken*."""
        opened = OpenedGame.start_new(_open_scenario(scenario), new_seed())
        name, number = scenario.rpartition("/")[2], 1
        while (called := name if number == 1 else f"{name}-{number}") in taken:
            number += 1
        opened.name, opened.players = called, checked_players(opened.game, players, PLAYERS)
        room = self._sit(opened, scenario, 0, language)
        room.kept.keep(opened.game)
        return called

    def _look(
        self, game: str, seat: str, language: str, kept: Mapping[str, Any] | None = None
    ) -> Any:
        """All that is to be seen of a game from a seat.  The game is opened as it was *kept*; None:
        it is the one that is open.
        """
        if kept is not None:
            record = Record.parse(kept["text"])
            source = NamedRecord(game, record, key_of(Path(game), record))
            scenario = _open_scenario(kept["scenario"])
            players = dict(record.players)
            opened = OpenedGame(scenario, source.game(scenario), source.key, players, name=game)
            self._sit(opened, kept["scenario"], kept["revision"], language)
        room = self._room
        if room is None or room.name != game:
            raise ArgumentError(words_in(language)("There is no such game."))
        side = side_at(room, room.table.people, seat or None)
        self._connection = Connection(room, side)
        self._wait = 0
        return json.loads(self._connection.full_show())

    def _sit(self, opened: OpenedGame, scenario: str, revision: int, language: str) -> Room:
        kept = _KeptInBrowser(opened, scenario, revision, self._keep_last)
        self._room = room = make_room(opened, kept, language, self._report)
        room.listeners.add(self._hear)
        self._connection, self._language = None, language
        return room

    def _hear(self) -> None:
        self._news, self._wait = True, 0

    def _keep_last(self, game: dict[str, Any]) -> None:
        """Of several states of the game only the last is to be kept."""
        assert self._room is not None
        table = self._room.table
        called = table.game.wording.display_name(table.game.setup.title)
        decides = "" if table.decision is None else table.side_name(table.decision.side)
        self._keep = [{**game, "title": called, "decides": decides}]

    # ------------------------------------------------------------------ at the table

    def _ask(self, text: str) -> Any:
        """The reply to a request of the protocol."""
        if self._connection is None:
            raise ArgumentError(words_in(self._language)("There is no such game."))
        return json.loads(self._connection.receive(text))

    def _advance(self) -> None:
        """Do what is to be done next."""
        if self._room is not None and not self._room.closed:
            self._wait = self._room.advance()

    def _give_up(self, elsewhere: bool) -> str:
        """The game could not be kept, as it was played on *elsewhere*, or for want of room: what is
        to be said.
        """
        words = words_in(self._language)
        told = (
            words("It has been played on in another window. Load this page again.")
            if elsewhere
            else words("The browser keeps nothing more. Make room, and load this page again.")
        )
        if self._room is not None:
            self._room.fault = told
            self._room.stop()
        return told

    # ------------------------------------------------------------------ beside it

    def _record(self, scenario: str, text: str, language: str) -> str:
        """The page of a game that is over, by its record."""
        record = Record.parse(text)
        opened = _open_scenario(scenario)
        game = NamedRecord(record.title, record, None).game(opened)
        speak(game, language)
        scene = Scene.of_game(game, opened.style())
        return page_of(Course(game, scene, looks_on(game, None)), record)

    def _take_in(self, text: str, language: str) -> dict[str, Any]:
        """Take in a scenario of somebody's own: what the lobby shows of it, and what is found."""
        name, findings = lobby.take_in_scenario(text.encode("utf-8", "replace"), language)
        shown = [one for one in lobby.scenarios(language) if one["name"] == name]
        return {"scenario": name, "findings": findings, "shown": shown}

    @staticmethod
    def _report(error: Exception) -> str:
        """Tell of a fault of the program where the browser shows such things."""
        traceback.print_exception(error, file=sys.stderr)
        return f"a fault of grognard itself ({type(error).__name__}); the console has the report"


class _KeptInBrowser(GameWriter):
    """A game that whoever calls keeps."""

    def __init__(
        self,
        opened: OpenedGame,
        scenario: str,
        revision: int,
        put: Callable[[dict[str, Any]], None],
    ) -> None:
        who = opened.name, opened.game, opened.players, opened.key
        super().__init__(None, *who, None, revision=revision)
        self._scenario, self._put, self._finished = scenario, put, False

    def keep(self, game: Game, durable: bool = True) -> None:
        """Have it kept as far as it has come."""
        self._hand_out(game, False)

    def finish(self) -> None:
        """Have a game that is over kept as one."""
        if self.game.over and not self._finished:
            self._finished = True
            self._hand_out(self.game, True)

    def _hand_out(self, game: Game, over: bool) -> None:
        self.revision += 1
        record = Record.of(game, self.players, "" if self.key is None else self.key.nonce)
        self._put(
            {
                "name": self.name,
                "scenario": self._scenario,
                "revision": self.revision,
                "over": over,
                "text": record.write(),
            }
        )


def _open_scenario(scenario: str) -> Scenario:
    """The scenario of this name.  GrognardError."""
    return opened_in(lobby.scenario_file(scenario), None)
