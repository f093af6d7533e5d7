"""A game that people play at screens, those of browsers or a terminal: in a room of its own, with a
thread that plays its bots, and chairs from which one looks at it with the eyes of one side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from threading import Event, Thread, current_thread
from typing import Any, Final

from grognard.database import NotKept
from grognard.retelling.moments import Course
from grognard.retelling.telling import Telling
from grognard.table.content import TakenOption
from grognard.table.protocol import Seat
from grognard.table.sharing import ScreenSharing
from grognard.table.store import GameWriter, PlayedElsewhere
from grognard.table.table import Table
from runtime.errors import GrognardError
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.model import NONE
from runtime.state import RulesetFault

#: What decides; that, and the odds of its question, are asked of the seat of another side where
#: that may be read by all.
DECIDING: Final = ("answer", "pass", "undo")
ODDS: Final = "odds"
#: What an error says that only the side may know that is asked.
_REASONS: Final = {"reasons": [], "where": "", "matches": []}
#: Seconds after which it is tried again to keep what could not be kept.
_AGAIN: Final = 2.0
#: Seconds that are waited for bots that think when a room is closed.
_PATIENCE: Final = 2.0

#: Reports a fault of the program, and says where the report is.
Report = Callable[[Exception], str]


class Room:
    """A game with its table; *kept* writes it into the store.

    Once it has begun, a thread of its own plays the bots and whatever is passed for a turn; without
    one, whoever holds it calls :meth:`advance`.  *listeners* are called, from any thread, when
    there is something new.
    """

    def __init__(self, table: Table, kept: GameWriter, report: Report) -> None:
        self.table, self.kept, self.report = table, kept, report
        self.name = kept.name
        self.listeners: set[Callable[[], None]] = set()
        #: why the game does not go on, where it does not
        self.fault = ""
        #: whether this is the game no more: it was removed, or played on elsewhere
        self.closed = False
        self._tellings: dict[int, Telling] = {}
        self._wake = Event()
        table.keep = self._keep
        table.heard.append(self._on_taken)
        self._thread = Thread(target=self._drive, name=f"game {self.name}", daemon=True)

    def begin(self) -> None:
        """Begin to play, and to read the rules while the players look."""
        self.table.read_rules()
        self._thread.start()

    def stop(self) -> None:
        """Take nothing more."""
        self.closed = True
        self.wake()
        self.notify()

    def close(self) -> None:
        """Stop playing; the game is kept."""
        self.stop()
        if self._thread.is_alive() and self._thread is not current_thread():
            self._thread.join(_PATIENCE)

    def is_overtaken(self, revisions: Mapping[int, int]) -> bool:
        """Whether the game was played on, or removed, by another process: *revisions* are those of
        the store, of a moment since this room was opened.
        """
        with self.table.lock:
            kept = revisions.get(self.kept.identity)
            if kept is None:
                return not self.table.game.over
            return kept > self.kept.revision

    @property
    def is_waiting(self) -> bool:
        """Whether nothing happens before a person decides."""
        return self.table.game.over or asked_person(self.table) != ""

    def wake(self) -> None:
        """See whether there is something to be done."""
        self._wake.set()

    def _keep(self, game: Game, sync: bool) -> None:
        """Commit what has been decided.  NotKept; who has been overtaken ends the room."""
        if self.closed:
            raise PlayedElsewhere(f"the game '{self.name}' is closed", "open it again")
        try:
            self.kept.keep(game, sync)
        except PlayedElsewhere as error:
            self.fault = error.message
            self.stop()
            raise

    def _drive(self) -> None:
        while not self.closed:
            self._wake.clear()
            wait = self.advance()
            if wait != 0:
                self._wake.wait(wait)

    def advance(self) -> float | None:
        """Do what is to be done next: let a bot decide, pass for somebody, keep what could not be
        kept.  In how many seconds there is more to do; None: not before something happens.
        """
        wait = None
        try:
            with self.table.lock:
                if self.table.unkept:
                    self.table.ensure_kept()
                    self.report_kept_late()
            if self.table.step():
                return 0
            self._finish()
        except PlayedElsewhere:
            self.stop()
        except NotKept as error:
            wait = _AGAIN
            self._report_fault(str(error))
        except (GrognardError, RulesetFault) as error:
            self._report_fault(str(error))
        except Exception as error:
            self._report_fault(self.report(error))
        return wait

    def report_kept_late(self) -> None:
        """Tell of what could not be kept before."""
        self._on_taken(None)

    def _finish(self) -> None:
        """Take a game that is over out of the store.  NotKept."""
        with self.table.lock:
            if self.table.game.over and not self.closed:
                self.kept.finish()

    def _report_fault(self, fault: str) -> None:
        self.fault = fault
        self.notify()

    def _on_taken(self, taken: TakenOption | None) -> None:
        self.fault = ""
        self.notify()
        if not self.table.waits:
            self.wake()

    def notify(self) -> None:
        """Have all who look at it look anew."""
        for listener in tuple(self.listeners):
            listener()

    def telling(self, side: int) -> Telling:
        """What a seat has been told of the game; to be asked for with the table's lock."""
        telling = self._tellings.get(side)
        if telling is None:
            course = Course(self.table.game, self.table.scene, side)
            telling = self._tellings[side] = Telling(course)
        telling.follow(self.table.game, self.table.sight_of(side))
        return telling

    def default_side(self, people: Collection[int]) -> int:
        """The side that looks where nobody says which, of those that *people* at a screen play: who
        is asked, else the first.
        """
        decision = self.table.decision
        if decision is not None and decision.side in people:
            return decision.side
        return min(people, default=NONE)


def asked_person(table: Table) -> str:
    """The name of the side that is asked, where a person plays it; else nothing."""
    decision = table.decision
    return decision.name if decision and decision.side in table.people else ""


class Chair:
    """Looks at a room with the eyes of one *side* (NONE: of who looks on).

    What it is told comes from the views of its side alone.  Of several *people* at one screen, by
    default all that play in the room, a question of another is told only if all may read it; else
    that the screen is to be handed over.  *brief*: shows are.
    """

    def __init__(
        self,
        room: Room,
        side: int,
        people: Collection[int] | None = None,
        brief: bool = True,
    ) -> None:
        self.room, self.side, self.brief = room, side, brief
        self.people = room.table.people if people is None else people
        self.seat = Seat(room.table, side)
        self._sharing = ScreenSharing(room.table, True)
        self._opened_decision: tuple[Decision | None, bool] = (None, False)

    def show_data(self) -> dict[str, Any]:
        """The show, and what is to be said beside it: to whom the screen is to be handed over, why
        the game does not go on.
        """
        table = self.room.table
        with table.lock:
            decision = table.decision
            shown: dict[str, Any] = {"show": self._show()}
            if self._another_decides(decision) and self._openly_asked_side() is None:
                assert decision is not None
                words = table.side_name(decision.side)
                shown["handover"] = {"side": decision.name, "words": words}
            if self.room.fault:
                shown["fault"] = self.room.fault
            return shown

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request of the protocol; to a decision that comes too late, with what is
        shown now.
        """
        with self.room.table.lock:
            unkept = self.room.table.unkept
            reply = self._reply(request)
            if self.room.table.unkept:
                self.room.wake()
            elif unkept:
                self.room.report_kept_late()
            return reply

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        open_side, do = self._openly_asked_side(), request.get("do")
        decides = do in DECIDING
        # who reads over somebody's shoulder may answer, and is told no more than the odds
        if open_side is None or not (decides or (do == ODDS and not request.get("options"))):
            reply = self.seat.request(request)
        else:
            brief = {"brief": True} if decides else {}
            reply = Seat(self.room.table, open_side).request({**request, **brief})
            if reply["reply"] == "show":
                named = {"id": reply["id"]} if "id" in reply else {}
                reply = {**self._show(), **named}
            elif reply["reply"] == "error":
                reply |= _REASONS
        if decides and reply["reply"] == "error" and reply["kind"] == "version":
            reply |= self.show_data()
        return reply

    # ------------------------------------------------------------------ what may be seen

    def _show(self) -> dict[str, Any]:
        """The show of this side, with the question of another that all may read."""
        show = self.seat.request({"do": "show", "brief": self.brief})
        side = self._openly_asked_side()
        if side is not None:
            other = Seat(self.room.table, side).request({"do": "show", "brief": True})
            show |= {"question": other["question"], "undo": other["undo"]}
        return show

    def _another_decides(self, decision: Decision | None) -> bool:
        """Whether another person of this screen is asked."""
        return (
            decision is not None
            and self.side in self.people
            and (decision.side in self.people and decision.side != self.side)
        )

    def _openly_asked_side(self) -> int | None:
        """The other side that is asked what all may read; None where none is."""
        decision = self.room.table.decision
        if not self._another_decides(decision):
            return None
        assert decision is not None
        if self._opened_decision[0] is not decision:
            self._sharing.takes(self.side)
            self._opened_decision = decision, self._sharing.stays(decision)
        return decision.side if self._opened_decision[1] else None
