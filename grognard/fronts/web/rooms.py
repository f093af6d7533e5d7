"""The games that are played here: each in a room, with a thread that plays its bots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Event, Lock, Thread, current_thread
from typing import Any, Final

from grognard import opening
from grognard.bots.players import seated
from grognard.draw.art import Art
from grognard.files import short
from grognard.lexicon.catalogue import speak
from grognard.retelling.moments import Course
from grognard.retelling.telling import Mark, Telling
from grognard.scenario import Scenario
from grognard.table.content import Taken
from grognard.table.opened import table_of
from grognard.table.protocol import Seat
from grognard.table.sharing import Seats
from grognard.table.store import KeptGame, NotKept, PlayedElsewhere, Store
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
_ANSWERS: Final = ("answer", "pass", "undo")
#: What an error says that only the side may know that is asked.
_REASONS: Final = {"reasons": [], "where": "", "matches": []}
#: How long a request may be.
_LONGEST: Final = 100_000
#: Seconds after which it is tried again to keep what could not be kept.
_AGAIN: Final = 2.0
#: Seconds that are waited for bots that think when the server ends.
_PATIENCE: Final = 2.0

#: Reports a fault of the program, and says where the report is.
Report = Callable[[Exception], str]


class Room:
    """A game with its table; *kept* writes it into the store.

    A thread of its own plays the bots and whatever is passed for a turn.  *listeners* are called,
    from any thread, when there is something new.
    """

    def __init__(self, table: Table, kept: KeptGame, report: Report) -> None:
        self.table, self.kept, self.report = table, kept, report
        self.name = kept.name
        self.listeners: set[Callable[[], None]] = set()
        #: why the game does not go on, where it does not
        self.fault = ""
        #: whether this is the game no more: it was removed, or played on elsewhere
        self.closed = False
        self._tellings: dict[int, Telling] = {}
        self._wake, self._finished = Event(), False
        table.keep = self._keep
        table.heard.append(self._heard)
        self._thread = Thread(target=self._drive, name=f"game {self.name}", daemon=True)

    def begin(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Take nothing more."""
        self.closed = True
        self.wake()
        self._tell()

    def close(self) -> None:
        """Stop playing; the game is kept."""
        self.stop()
        if self._thread.is_alive() and self._thread is not current_thread():
            self._thread.join(_PATIENCE)
        with self.table.lock:
            if self.kept.store is not None:
                self.kept.store.close()

    def wake(self) -> None:
        """See whether there is something to be done."""
        self._wake.set()

    def _keep(self, game: Game, sync: bool) -> None:
        """Commit what has been decided.  NotKept; who has been overtaken ends the room."""
        if self.closed:
            raise PlayedElsewhere(f"the game '{self.name}' is closed", "open it again")
        try:
            self.kept.keep(game, sync)
        except PlayedElsewhere:
            self.stop()
            raise

    def _drive(self) -> None:
        while not self.closed:
            self._wake.clear()
            wait = None
            try:
                with self.table.lock:
                    if self.table.unkept:
                        self.table.kept()
                        self.heard_late()
                if self.table.step():
                    continue
                self._finish()
            except PlayedElsewhere:
                self.stop()
            except NotKept as error:
                wait = _AGAIN
                self._fails(str(error))
            except (GrognardError, RulesetFault) as error:
                self._fails(str(error))
            except Exception as error:
                self._fails(self.report(error))
            self._wake.wait(wait)

    def heard_late(self) -> None:
        """Tell of what could not be kept before."""
        self._heard(None)

    def _finish(self) -> None:
        """Take a game that is over out of the store.  NotKept."""
        with self.table.lock:
            if self.table.game.over and not (self._finished or self.closed):
                self.kept.finish()
                self._finished = True

    def _fails(self, fault: str) -> None:
        self.fault = fault
        self._tell()

    def _heard(self, taken: Taken | None) -> None:
        self.fault = ""
        for telling in self._tellings.values():
            telling.follow(self.table.game)
        self._tell()
        self.wake()

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
        self._judged: tuple[Decision | None, bool] = (None, False)
        self._mark: Mark | None = None

    def begin(self) -> str:
        """All that there is to be seen now, as JSON."""
        room, table = self.room, self.room.table
        table.read_rules()  # while the player looks
        with table.lock:
            if table.unkept:  # what is not kept is not told
                return json.dumps({"fault": room.fault})
            telling = room.telling(self.side)
            self._mark = telling.mark
            told = {
                "table": self.seat.request({"do": "table"}),
                "telling": telling.data,
                **self._shown(),
            }
            return json.dumps({"begin": told}, ensure_ascii=False)

    def more(self) -> str:
        """What has come since, as JSON."""
        with self.room.table.lock:
            if self._mark is None or self.room.table.unkept:
                return self.begin()
            telling = self.room.telling(self.side)
            grown, self._mark = telling.since(self._mark)
            return json.dumps({"more": {"telling": grown, **self._shown()}}, ensure_ascii=False)

    def receive(self, text: str) -> str:
        """The reply to a request of the protocol, as JSON; to one that comes too late, with what is
        shown now.
        """
        with self.room.table.lock:
            unkept = self.room.table.unkept
            reply = self._reply(text)
            if self.room.table.unkept:
                self.room.wake()
            elif unkept:
                self.room.heard_late()
            return reply

    def _reply(self, text: str) -> str:
        open_side = self._read_by_all()
        try:
            request = json.loads(text) if len(text) <= _LONGEST else None
        except (ValueError, RecursionError):
            request = None
        if not isinstance(request, dict):
            return self.seat.receive(text)
        if open_side is None or request.get("do") not in _ANSWERS:
            reply = self.seat.request(request)
        else:
            # who reads over somebody's shoulder may answer, and is told nothing more
            reply = Seat(self.room.table, open_side).request({**request, "brief": True})
            if reply["reply"] == "show":
                named = {"id": reply["id"]} if "id" in reply else {}
                reply = {**self._show(), **named}
            else:
                reply |= _REASONS
        if reply["reply"] == "error" and reply["kind"] == "version":
            reply |= self._shown()
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
            self._sharing.takes(self.side)
            self._judged = decision, self._sharing.stays(decision)
        return decision.side if self._judged[1] else None


class Rooms:
    """The rooms that are open, by the names of their games; *report* reports faults of the program
    and says where.
    """

    def __init__(self, report: Report, store: Path | None = None, art: Iterable[Art] = ()) -> None:
        self.report = report
        self._path = store
        #: pictures of one's own, found under the address of their number
        self.art = [one.at(f"/art/{number}") for number, one in enumerate(art)]
        self._rooms: dict[str, Room] = {}
        self._lock, self._opening = Lock(), Lock()

    def store(self) -> Store:
        """The store of games, to be closed after use."""
        return Store(self._path)

    def opened(self, name: str) -> Room | None:
        """The room of a game where it is open."""
        with self._lock:
            room = self._rooms.get(name)
        return None if room is None or room.closed else room

    def close(self) -> None:
        """Close all of them; their games are kept."""
        rooms = list(self._rooms.values())
        for room in rooms:
            room.stop()
        for room in rooms:
            room.close()

    def begin(self, scenario: str, players: Mapping[str, str], language: str) -> Room:
        """A new game, whose sides are played by bots or a ``person``.  GrognardError."""
        opened = opening.open_scenario(scenario)
        sides = opened.program.spec.sides
        for side, name in players.items():
            if side not in sides or name not in ("person", *BOTS):
                raise ArgumentError(
                    f"'{short(side)}' cannot be played by '{short(str(name))}'",
                    f"sides: {', '.join(sides)}; players: person, {', '.join(BOTS)}",
                )
        names = {side: players.get(side, "person") for side in sides}
        game = opened.begin(new_seed())
        speak(game, language)
        key = Key.new(game.seed) if conceals(game.spec) else None
        kept = self.store().begin(game, opened.file, names, key)
        return self._opened(opened, game, names, kept)

    def room(self, name: str, language: str) -> Room | None:
        """The room of a game, opened where it is kept; None where there is no such game.
        GrognardError.
        """
        with self._opening:  # of several pages that come back at once, one opens it
            room = self.opened(name)
            return self._open(name, language) if room is None else room

    def _open(self, name: str, language: str) -> Room | None:
        store = self.store()
        game_kept = next((game for game in store.games() if game.name == name), None)
        if game_kept is None:
            store.close()
            return None
        source = store.recorded(game_kept)
        path = str(game_kept.scenario) if game_kept.scenario.is_file() else None
        opened, game = source.open(path)
        speak(game, language)
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
        # as the store counts: what was sent before a restart fits nothing that comes after it
        table = table_of(opened, game, bots, version=kept.revision)
        table.dress(lambda: opened.style(self.art))
        room = Room(table, kept, self.report)
        with self._lock:
            before = self._rooms.get(kept.name)
            self._rooms[kept.name] = room
        if before is not None:  # it is over, or was played on elsewhere
            before.close()
        room.begin()
        return room
