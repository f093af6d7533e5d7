"""What has happened in a game so far, as data: notes, dice that were rolled, options taken without asking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from runtime.state import TAKEN
from runtime.wording import Wording

#: Stands before a note, as ``ROLLED`` and ``TAKEN`` of :mod:`runtime.state` stand before other events.
NOTED = -1


@dataclass(frozen=True, slots=True)
class Course:
    """The notes and the other events of a game, as states keep them; *since* is how many there were of each
    when the last answer was given.
    """

    notes: tuple[tuple[Any, ...], ...] = ()
    events: tuple[tuple[Any, ...], ...] = ()
    since: tuple[int, int] = (0, 0)

    def entries(self, latest: bool = False, side: int | None = None) -> Iterator[tuple[Any, ...]]:
        """All that has happened, in order, or with *latest* since the last answer: ``(NOTED, note)``,
        ``(ROLLED, die, faces)``, ``(TAKEN, decision, side, option)``.

        Only what a *side* knows of it (``NONE``: what everybody knows; None: all): the notes that it is told,
        dice, which are rolled in the open, and the options that were its own.
        """
        note, first = self.since if latest else (0, 0)
        for kind, before, *what in (*self.events[first:], (NOTED, len(self.notes))):
            for entry in self.notes[note:before]:
                if side is None or Wording.tells(entry, side):
                    yield NOTED, entry
            note = max(note, before)
            if kind != NOTED and (side is None or kind != TAKEN or what[1] == side):
                yield kind, *what
