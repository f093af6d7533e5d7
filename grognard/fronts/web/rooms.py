"""The games that are played here, each in a room, and the pages that look at them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

from grognard.bots.background_build import build_meanwhile
from grognard.bots.players import seat_for
from grognard.database import NotKept
from grognard.draw.art import Art
from grognard.files import short
from grognard.fronts.room import DECIDING, ODDS, Chair, Report, Room
from grognard.fronts.web.clocks import Clock, Limit, open_clock, set_clock
from grognard.kept_rules import opened_in
from grognard.lexicon.catalogue import speak
from grognard.retelling.telling import Mark
from grognard.scenario import Scenario
from grognard.table.opened import OpenedGame, table_of
from grognard.table.store import GameWriter, Store
from runtime.chance import new_seed
from runtime.errors import ArgumentError
from runtime.games.game import Game
from runtime.model import NONE
from runtime.runs.seats import BOTS

#: Who may play a side beside bots: somebody at the host's screen, and whoever follows its link.
PERSON: Final = "person"
LINK: Final = "link"
PLAYERS: Final = (PERSON, LINK, *BOTS)
#: How long a request may be.
_LONGEST: Final = 100_000
#: Seconds between looks at what other processes have done, and after which a game that nobody looks
#: at is put to rest.
_LOOK, _REST = 0.3, 300.0


class Connection(Chair):
    """A page that looks at a room, which may have a *clock*, with the eyes of one *side*, in JSON;
    *judges*: it may claim a game whoever's time is up.
    """

    def __init__(
        self,
        room: Room,
        side: int,
        people: Collection[int] | None = None,
        clock: Clock | None = None,
        judges: bool = False,
    ) -> None:
        super().__init__(room, side, people)
        self._clock, self._judges = clock, judges
        self._mark: Mark | None = None

    def full_show(self) -> str:
        """All that there is to be seen now."""
        room, table = self.room, self.room.table
        with table.lock:
            if table.unkept:  # what is not kept is not told
                return json.dumps({"fault": room.fault})
            telling = room.telling(self.side)
            self._mark = telling.mark
            told = {
                "table": self.seat.request({"do": "table"}),
                "telling": telling.data,
                **self.show_data(),
            }
            return json.dumps({"begin": told}, ensure_ascii=False)

    def news(self) -> str:
        """What has come since."""
        with self.room.table.lock:
            if self._mark is None or self.room.table.unkept:
                return self.full_show()
            telling = self.room.telling(self.side)
            grown, self._mark = telling.since(self._mark)
            return json.dumps({"more": {"telling": grown, **self.show_data()}}, ensure_ascii=False)

    def show_data(self) -> dict[str, Any]:
        """The show, what is to be said beside it, and the clock."""
        told = super().show_data()
        if self._clock is not None:
            told["clock"] = {**self._clock.data(), "claims": self.may_claim}
            if self._clock.claimed_against:  # nothing is asked any more
                end = self._timeout_error(self._clock)
                told["show"] |= {"question": None, "undo": False, "end": end}
                told.pop("handover", None)
        return told

    @property
    def may_claim(self) -> bool:
        """Whether it may claim the game where the time is up of the side that is asked."""
        decision = self.room.table.decision
        asked = NONE if decision is None else decision.side
        return self._judges or bool(set(self.people) - {asked})

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request of the protocol."""
        clock = self._clock
        if clock is None or not clock.claimed_against or request.get("do") not in DECIDING:
            return super().request(request)
        named = {"id": request["id"]} if "id" in request else {}
        reasons = {"reasons": [], "where": "", "matches": [], "text": ""}
        told = {
            "reply": "error",
            "kind": "over",
            "message": self._timeout_error(clock),
            "remedy": "",
        }
        return {**told, **reasons, **named}

    def _timeout_error(self, clock: Clock) -> str:
        table = self.room.table
        side = table.side_name(table.game.spec.sides.index(clock.claimed_against))
        return table.words("{side} has lost on time", side=side)

    def receive(self, text: str) -> str:
        """The reply to a request."""
        request = read(text)
        if request is None:
            return self.seat.receive(text)
        return json.dumps(self.request(request), ensure_ascii=False)


def read(text: str) -> dict[str, Any] | None:
    """A request; None where a text is none."""
    try:
        request = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        return None
    return request if isinstance(request, dict) else None


def asks_odds(text: str) -> bool:
    """Whether a text asks for odds, which take their time."""
    request = read(text) if f'"{ODDS}"' in text else None  # what it asks is read later
    return request is not None and request.get("do") == ODDS


class Rooms:
    """The rooms that are open, by the names of their games; *report* reports faults of the program
    and says where.
    """

    def __init__(self, report: Report, store: Store, art: Iterable[Art] = ()) -> None:
        self.report, self.store = report, store
        #: pictures of one's own, found under the address of their number
        self.art = [one.with_base(f"/art/{number}") for number, one in enumerate(art)]
        self._rooms: dict[str, Room] = {}
        #: since when nobody looks at a game
        self._alone: dict[Room, float] = {}
        #: are told of each room that is opened
        self.followers: list[Callable[[Room], None]] = []
        #: the clocks of rooms that have one
        self.clocks: WeakKeyDictionary[Room, Clock] = WeakKeyDictionary()
        #: the scenarios that were opened, and when their files had changed
        self._scenarios: dict[Path, tuple[int, Scenario]] = {}
        self._lock, self._opening, self._reading, self._closed = Lock(), Lock(), Lock(), Event()
        self._thread = Thread(target=self._watch, name="games", daemon=True)
        self._thread.start()

    def open_room(self, name: str) -> Room | None:
        """The room of a game where it is open."""
        with self._lock:
            room = self._rooms.get(name)
        return None if room is None or room.closed else room

    def close(self) -> None:
        """Close all of them; their games are kept."""
        self._closed.set()
        self._thread.join()
        rooms = list(self._rooms.values())
        for room in rooms:
            room.stop()
        for room in rooms:
            room.close()
        self.store.close()

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK):
            with suppress(NotKept):  # what cannot be kept, the rooms find out for themselves
                self.close_idle(monotonic())

    def close_idle(self, now: float) -> None:
        """Close the games that another process has played on, and those that wait for a person and
        that nobody has looked at for a while; *now* is the time in seconds.  NotKept.
        """
        with self._lock:
            rooms = [room for room in self._rooms.values() if not room.closed]
        revisions = self.store.revisions() if rooms else {}
        for room in rooms:
            since = self._alone.setdefault(room, now)
            if room.listeners:
                del self._alone[room]
            if room.is_overtaken(revisions) or (
                not room.listeners and now - since > _REST and room.is_waiting
            ):
                room.close()
        for room in [room for room in self._alone if room.closed]:
            del self._alone[room]
        with self._lock:
            self._rooms = {name: room for name, room in self._rooms.items() if not room.closed}

    def begin(
        self,
        scenario: Path,
        players: Mapping[str, str],
        language: str,
        person: str = PERSON,
        limit: Limit | None = None,
    ) -> Room:
        """A new game, whose sides are played by *players* (:data:`PLAYERS`), within a *limit* of
        time; a :data:`PERSON` is kept as a *person* of this kind.  GrognardError.
        """
        opened = OpenedGame.start_new(self._scenario(scenario), new_seed())
        names = checked_players(opened.game, players, PLAYERS)
        names = {side: person if name == PERSON else name for side, name in names.items()}
        return self._make_room(opened, names, language, limit)

    def room(self, name: str, language: str) -> Room | None:
        """The room of a game, opened where it is kept; None where there is no such game.
        GrognardError.
        """
        with self._opening:  # of several pages that come back at once, one opens it
            room = self.open_room(name)
            return self._open_kept(name, language) if room is None else room

    def _open_kept(self, name: str, language: str) -> Room | None:
        kept = self.store.entry_named(name)
        if kept is None:
            return None
        source = self.store.recorded(kept)
        opened = OpenedGame.resume_record(source, kept, None, kept.file, self._scenario)
        return self._make_room(opened, opened.players, language)

    def _scenario(self, path: Path, root: Path | None = None) -> Scenario:
        """The scenario in a file, opened once for all its games.  GrognardError."""
        with self._reading:
            try:
                changed = path.stat().st_mtime_ns
            except OSError:
                return opened_in(path, root)
            known = self._scenarios.get(path)
            if known is None or known[0] != changed:
                known = self._scenarios[path] = changed, opened_in(path, root)
            return known[1]

    def forget(self, name: str) -> bool:
        """Remove a game; whether there was one."""
        with self._lock:
            room = self._rooms.pop(name, None)
        if room is not None:
            room.close()
        return self.store.forget(name)

    def _make_room(
        self,
        opened: OpenedGame,
        names: Mapping[str, str],
        language: str,
        limit: Limit | None = None,
    ) -> Room:
        kept = opened.keep(self.store, names)
        room = make_room(opened, kept, language, self.report, self.art)
        if limit is not None:
            set_clock(self.store.database, kept, limit)
        clock = open_clock(self.store.database, kept, room.table)
        if clock is not None:
            self.clocks[room] = clock
        with self._lock:
            before = self._rooms.get(kept.name)
            self._rooms[kept.name] = room
        if before is not None:  # it is over, or was played on elsewhere
            before.close()
        for follow in self.followers:
            follow(room)
        room.begin()
        return room


def make_room(
    opened: OpenedGame, kept: GameWriter, language: str, report: Report, art: Sequence[Art] = ()
) -> Room:
    """A room for a game, which is told in a language; it has not begun.  GrognardError."""
    game = opened.game
    speak(game, language)
    bots = {
        side: seat_for(kept.players[name], game.program, game.setup)
        for side, name in enumerate(game.spec.sides)
        if kept.players.get(name) in BOTS
    }
    build_meanwhile(opened.scenario, bots.values())
    # as the store counts: what was sent before a restart fits nothing that comes after it
    table = table_of(opened.scenario, game, bots, version=kept.revision)
    table.dress(lambda: opened.scenario.style(art))
    return Room(table, kept, report)


def checked_players(
    game: Game, players: Mapping[str, str], known: Collection[str]
) -> dict[str, str]:
    """Who plays each side of a new game, by what was asked for; of the *known*.  ArgumentError."""
    sides = game.spec.sides
    for side, name in players.items():
        if side not in sides or name not in known:
            raise ArgumentError(
                f"'{short(side)}' cannot be played by '{short(str(name))}'",
                f"sides: {', '.join(sides)}; players: {', '.join(known)}",
            )
    return {side: players.get(side, PERSON) for side in sides}


def side_at(room: Room, people: Collection[int], seat: str | None) -> int:
    """The side that a page looks for: of those that *people* at it play, NONE for who looks on;
    where no *seat* is given, who is asked.  ArgumentError.
    """
    sides = room.table.game.spec.sides
    if seat is None:
        return room.default_side(people)
    if seat == "none":
        return NONE
    if seat not in sides or sides.index(seat) not in people:
        raise ArgumentError(f"nobody plays '{short(seat)}' here")
    return sides.index(seat)
