"""The games that are played here: each in a room, with a thread that plays its bots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from grognard import opening
from grognard.bots.players import seated
from grognard.draw.art import Art
from grognard.lexicon.catalogue import speak
from grognard.retelling.moments import Course
from grognard.retelling.telling import Mark, Telling
from grognard.scenario import Scenario
from grognard.table.content import Taken
from grognard.table.opened import table_of
from grognard.table.protocol import Seat
from grognard.table.sharing import Seats
from grognard.table.store import KeptGame, Store
from grognard.table.table import Table
from runtime.chance import new_seed
from runtime.errors import ArgumentError, GrognardError
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.games.sealing import Key, conceals
from runtime.model import NONE
from runtime.runs.bots import BOTS
from runtime.state import RulesetFault

#: What is asked of the seat of another side where its question may be read by all.
_ANSWERS = ("answer", "pass", "undo")


class Room:
    """A game with its table; *kept* writes it into the store.

    A thread of its own plays the bots and whatever is passed for a turn.  *listeners* are called,
    from any thread, when there is something new.
    """

    def __init__(self, opened: Scenario, table: Table, kept: KeptGame) -> None:
        self.opened, self.table, self.kept = opened, table, kept
        self.name = kept.name
        self.listeners: set[Callable[[], None]] = set()
        #: why the game does not go on, where it does not
        self.fault = ""
        self._tellings: dict[int, Telling] = {}
        self._wake, self._closed, self._finished = Event(), False, False
        table.heard.append(self._heard)
        self._thread = Thread(target=self._drive, name=f"game {self.name}", daemon=True)

    def begin(self) -> None:
        """Begin to play."""
        self._thread.start()

    def close(self) -> None:
        """Stop playing; the game is kept."""
        self._closed = True
        self._wake.set()
        with suppress(RuntimeError):
            self._thread.join(5)
        if self.kept.store is not None:
            self.kept.store.close()

    def _drive(self) -> None:
        while not self._closed:
            try:
                if self.table.step():
                    continue
                if self.table.game.over and not self._finished:
                    with self.table.lock:
                        self._finished = True
                        self.kept.finish()
            except (GrognardError, RulesetFault) as error:
                self.fault = str(error)
                self._tell()
            self._wake.wait()
            self._wake.clear()

    def _heard(self, taken: Taken | None) -> None:
        for telling in self._tellings.values():
            telling.follow(self.table.game)
        self._tell()
        self._wake.set()

    def _tell(self) -> None:
        for listener in tuple(self.listeners):
            listener()

    def telling(self, side: int) -> Telling:
        """What a seat has been told of the game; to be asked for with the table's lock."""
        telling = self._tellings.get(side)
        if telling is None:
            scene = self.table.scene
            course = Course(self.table.game, scene.style, side)
            telling = self._tellings[side] = Telling(course)
            telling.follow(self.table.game)
        return telling

    @property
    def asked(self) -> int:
        """The side of a person that a page without a wish is for: who is asked, else the first."""
        people, decision = self.table.people, self.table.decision
        if decision is not None and decision.side in people:
            return decision.side
        return people[0] if people else NONE


class Connection:
    """A page that looks at a room with the eyes of one *side* (NONE: of who looks on).

    What it is told comes from the views of its side alone.  Where several people play in a room, a
    question of another side is told only if all may read it; else that the screen is to be handed
    over.
    """

    def __init__(self, room: Room, side: int) -> None:
        self.room, self.side = room, side
        self.seat = Seat(room.table, side)
        self._sharing = Seats(room.table, True)
        self._sharing.facing = side if side != NONE else None
        self._judged: tuple[Decision | None, bool] = (None, False)
        self._mark: Mark | None = None

    def begin(self) -> str:
        """All that there is to be seen now, as JSON."""
        room, table = self.room, self.room.table
        table.read_rules()  # while the player looks
        with table.lock:
            telling = room.telling(self.side)
            self._mark = telling.mark
            told = {
                "table": self.seat.request({"do": "table"}),
                "telling": telling.data,
                "people": [table.game.spec.sides[side] for side in table.people],
                **self._shown(),
            }
            return json.dumps({"begin": told}, ensure_ascii=False)

    def more(self) -> str:
        """What has come since, as JSON."""
        with self.room.table.lock:
            if self._mark is None:
                return self.begin()
            telling = self.room.telling(self.side)
            grown, self._mark = telling.since(self._mark)
            return json.dumps({"more": {"telling": grown, **self._shown()}}, ensure_ascii=False)

    def receive(self, text: str) -> str:
        """The reply to a request of the protocol, as JSON."""
        with self.room.table.lock:
            open_side = self._read_by_all()
            if open_side is None:
                return self.seat.receive(text)
            # who reads over somebody's shoulder may answer, and is told nothing more
            try:
                request = json.loads(text)
            except (ValueError, RecursionError):
                return self.seat.receive(text)
            if not isinstance(request, dict) or request.get("do") not in _ANSWERS:
                return self.seat.receive(text)
            reply = Seat(self.room.table, open_side).request({**request, "brief": True})
            if reply["reply"] == "show":
                named = {"id": reply["id"]} if "id" in reply else {}
                reply = {**self._show(), **named}
            return json.dumps(reply, ensure_ascii=False)

    # ------------------------------------------------------------------ what may be seen

    def _show(self) -> dict[str, Any]:
        """The show of this page's side, with the question of another that all may read."""
        show = self.seat.request({"do": "show", "brief": True})
        side = self._read_by_all()
        if side is not None:
            other = Seat(self.room.table, side).request({"do": "show", "brief": True})
            show |= {"question": other["question"], "undo": other["undo"]}
        return show

    def _shown(self) -> dict[str, Any]:
        """The show, and what is to be said beside it."""
        table, decision = self.room.table, self.room.table.decision
        shown: dict[str, Any] = {"show": self._show()}
        if self._another_decides(decision) and self._read_by_all() is None:
            assert decision is not None
            words = table.side_name(decision.side)
            shown["handover"] = {"side": decision.name, "words": words}
        if self.room.fault:
            shown["fault"] = self.room.fault
        return shown

    def _another_decides(self, decision: Decision | None) -> bool:
        """Whether another person of this screen is asked."""
        people = self.room.table.people
        return (
            decision is not None
            and self.side in people
            and (decision.side in people and decision.side != self.side)
        )

    def _read_by_all(self) -> int | None:
        """The other side that is asked what all may read; None where none is."""
        decision = self.room.table.decision
        if not self._another_decides(decision):
            return None
        assert decision is not None
        if self._judged[0] is not decision:
            self._sharing.facing = self.side
            self._judged = decision, self._sharing.stays(decision)
        return decision.side if self._judged[1] else None


class Rooms:
    """The rooms that are open, by the names of their games."""

    def __init__(self, store: Path | None = None, art: Iterable[Art] = ()) -> None:
        self._path = store
        #: pictures of one's own, found under the address of their number
        self.art = [one.at(f"/art/{number}") for number, one in enumerate(art)]
        self._rooms: dict[str, Room] = {}
        self._lock = Lock()

    def store(self) -> Store:
        """The store of games, to be closed after use."""
        return Store(self._path)

    def opened(self, name: str) -> Room | None:
        """The room of a game where it is open."""
        return self._rooms.get(name)

    def close(self) -> None:
        """Close all of them; their games are kept."""
        for room in list(self._rooms.values()):
            room.close()

    def begin(self, scenario: str, players: Mapping[str, str], language: str) -> Room:
        """A new game, whose sides are played by bots or a ``person``.  GrognardError."""
        opened = opening.open_scenario(scenario)
        game = opened.begin(new_seed())
        speak(game, language if language in opened.program.spec.texts else None)
        names = {side: players.get(side, "person") for side in game.spec.sides}
        for side, name in players.items():
            if side not in names or name not in ("person", *BOTS):
                raise ArgumentError(
                    f"'{side}' cannot be played by '{name}'",
                    f"sides: {', '.join(game.spec.sides)}; players: person, {', '.join(BOTS)}",
                )
        key = Key.new(game.seed) if conceals(game.spec) else None
        kept = self.store().begin(game, opened.file, names, key)
        return self._opened(opened, game, names, kept)

    def room(self, name: str) -> Room | None:
        """The room of a game, opened where it is kept; None where there is no such game.
        GrognardError.
        """
        with self._lock:
            room = self._rooms.get(name)
        if room is not None:
            return room
        store = self.store()
        known = {game.name: game for game in store.games()}
        if name not in known:
            store.close()
            return None
        game_kept = known[name]
        source = store.recorded(game_kept)
        path = str(game_kept.scenario) if game_kept.scenario.is_file() else None
        opened, game = source.open(path)
        names = {side: who for side, who in source.record.players if side in game.spec.sides}
        kept = store.resume(name, game, names, source.key, game_kept.file)
        return self._opened(opened, game, names, kept)

    def forget(self, name: str) -> bool:
        """Remove a game; whether there was one."""
        with self._lock:
            room = self._rooms.pop(name, None)
        if room is not None:
            room.close()
        with self.store() as store:
            return store.forget(name)

    def _opened(
        self, opened: Scenario, game: Game, names: Mapping[str, str], kept: KeptGame
    ) -> Room:
        bots = {
            side: seated(names[name], game.program, game.setup)
            for side, name in enumerate(game.spec.sides)
            if names.get(name) in BOTS
        }
        table = table_of(opened, game, bots, kept.keep)
        table.dress(lambda: opened.style(self.art))
        room = Room(opened, table, kept)
        with self._lock:
            other = self._rooms.setdefault(kept.name, room)
        if other is not room:  # two have opened it at once
            room.close()
            return other
        room.begin()
        return room
