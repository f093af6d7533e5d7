"""What has happened in a game, as data: notes, dice rolled, options taken without asking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from runtime.bitsets import bits
from runtime.games.names import Names
from runtime.games.wording import Wording
from runtime.option import Option, Value
from runtime.state import ROLLED, TAKEN, Told

__all__ = ["NOTED", "Event", "History", "Note", "Roll", "Taken", "events_of"]

#: Stands before a note, as ``ROLLED`` and ``TAKEN`` (:mod:`runtime.state`) before other events.
NOTED = -1


@dataclass(frozen=True, slots=True)
class History:
    """The notes and the other events of a game, as states keep them; *since* is how many there were
    of each when the last answer was given.
    """

    notes: tuple[tuple[Any, ...], ...] = ()
    events: tuple[tuple[Any, ...], ...] = ()
    since: tuple[int, int] = (0, 0)

    @property
    def length(self) -> tuple[int, int]:
        """How many notes and other events there are."""
        return len(self.notes), len(self.events)

    def latest(self, side: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Those of :meth:`entries` that have come since the last answer."""
        return self.entries(self.since, side)

    def entries(
        self, since: tuple[int, int] = (0, 0), side: int | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """All that has happened since there were so many notes and events, in order: ``(NOTED,
        note)``, ``(ROLLED, die, faces)``, ``(TAKEN, decision, side, option)``.

        Only what a *side* knows of it (``NONE``: what everybody knows; None: all): the notes that
        it is told, dice, which are rolled in the open, and the options that were its own.
        """
        note, first = since
        for kind, before, *what in (*self.events[first:], (NOTED, len(self.notes))):
            for entry in self.notes[note:before]:
                if side is None or Wording.tells(entry, side):
                    yield NOTED, entry
            note = max(note, before)
            if kind != NOTED and (side is None or kind != TAKEN or what[1] == side):
                yield kind, *what


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the ruleset notes: the *name* of the note, its *arguments* (as they are read
    everywhere) and the sentence that stands in the log.  *told* are the sides that are told; None:
    everybody.
    """

    name: str
    arguments: tuple[Value, ...]
    text: str
    told: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll: the name of the *die*, and its *faces* in the order rolled: numbers, or names."""

    die: str
    faces: tuple[int | str, ...]

    @property
    def count(self) -> int:
        """How many dice were rolled."""
        return len(self.faces)

    @property
    def total(self) -> int | None:
        """The sum of the faces; None where they are no numbers."""
        numbers = [face for face in self.faces if isinstance(face, int)]
        return sum(numbers) if len(numbers) == len(self.faces) else None


@dataclass(frozen=True, slots=True)
class Taken:
    """The only option of a *side*, taken without asking it."""

    side: str
    option: Option


Event = Note | Roll | Taken


def events_of(wording: Wording, entries: Iterable[tuple[Any, ...]]) -> tuple[Event, ...]:
    """Entries of a history as programs read them."""
    return tuple(_event(wording, wording.names, kind, what) for kind, *what in entries)


def _event(wording: Wording, names: Names, kind: int, what: list[Any]) -> Event:
    spec = names.spec
    if kind == NOTED:
        number, *values = what[0]
        sides = None
        if values and isinstance(values[-1], Told):
            sides = tuple(spec.sides[side] for side in bits(int(values.pop())))
        types = spec.note_types[number] if number < len(spec.note_types) else ()
        arguments = tuple(names.read(t, value) for t, value in zip(types, values, strict=False))
        return Note(spec.notes[number], arguments, wording.note(what[0]), sides)
    if kind == ROLLED:
        die, faces = spec.dice[what[0]], what[1]
        named = tuple(spec.enums[die.enum][face] for face in faces) if die.enum else faces
        return Roll(die.name, named)
    point, side, raw = what
    return Taken(spec.sides[side], names.option(point, raw))
