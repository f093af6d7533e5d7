"""What those at a table are told of what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.table.content import Event, News
from runtime.games.events import History, Note, Roll, Taken, events_of
from runtime.games.game import Game
from runtime.model import NONE


class Newspaper:
    """What a *side* (NONE: who looks on) is told of what has happened, as long as nothing is taken
    back.
    """

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side = game, side
        #: how many notes and other events there were, and how many events it knew of these
        self._counted = (0, 0), 0

    def since(self, start: tuple[int, int]) -> News:
        """What it knows of what has happened since there were so many notes and other events."""
        history, side = self.game.history, self.side
        told = events_of(self.game.wording, history.entries(start, side))
        return News(self._known(history, start), tuple(map(_event, told)))

    def _known(self, history: History, start: tuple[int, int]) -> int:
        """How many events it knew when there were so many notes and other events."""
        first, count = self._counted
        if start[0] < first[0] or start[1] < first[1]:
            first, count = (0, 0), 0
        before = History(history.notes[: start[0]], history.events[: start[1]])
        self._counted = start, count + sum(1 for _ in before.entries(first, self.side))
        return self._counted[1]


def _event(event: Note | Roll | Taken) -> Event:
    match event:
        case Note():
            return Event("note", event.name, event.arguments, event.text)
        case Roll():
            return Event("roll", event.die, event.faces)
        case Taken():
            return Event("taken", event.option.text)


class Notes:
    """Tells each note once: what all may know to whoever looks next, what is for one side when it
    looks.

    *people* are the sides that are played by people.  Where they take *turns* at a screen, each is
    told all that has happened since it last looked.  The first *start* notes have been told; None:
    all of a game that goes on.
    """

    def __init__(
        self, game: Game, people: Sequence[int], turns: bool = False, start: int | None = None
    ) -> None:
        self.game = game
        self.people = list(people)
        self.turns = turns and len(self.people) > 1
        if start is None:
            start = game.notes if game.actions else 0
        self._start = start
        #: how many notes there were when those for all were told, and those for a side alone
        self._common: dict[int, int] = {}
        self._own: dict[int, int] = {}

    @property
    def watcher(self) -> int:
        """Who looks on where nobody in particular does: the only person, or somebody who sees what
        all see (NONE).
        """
        return self.people[0] if len(self.people) == 1 else NONE

    def news(self, side: int) -> list[str]:
        """The notes that *side* (NONE: everybody) has not been told yet."""
        own = self._own.get(side, self._start)
        self._own[side] = self.game.notes
        return self._lines(side, self._last_told(side), own)

    def openly(self, side: int) -> list[str]:
        """The notes for all since *side* last looked, which looks on; its own wait until it is
        asked.
        """
        return self._lines(NONE, self._last_told(side), 0)

    def _last_told(self, side: int) -> int:
        """How many notes there were when those for all were told last; they are told now."""
        key = side if self.turns else NONE
        since = self._common.get(key, self._start)
        self._common[key] = self.game.notes
        return since

    def _lines(self, side: int, common: int, own: int) -> list[str]:
        """The notes for all from the number *common* on, and those for a side from *own* on."""
        tells, first = self.game.wording.tells, min(common, own)
        return [
            self.game.wording.note(note)
            for n, note in enumerate(self.game.noted(first), first)
            if tells(note, side) and n >= (common if tells(note, NONE) else own)
        ]

    def taken_back(self) -> None:
        """Notes of what was taken back are forgotten."""
        for counts in (self._common, self._own):
            counts.update({side: min(count, self.game.notes) for side, count in counts.items()})
        self._start = min(self._start, self.game.notes)
