"""What has happened in a game, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grognard.option import Option, Value
from grognard.reading import Names
from grognard.scenario import options_of
from runtime.bitsets import bits
from runtime.course import NOTED
from runtime.state import ROLLED, Told

__all__ = ["Event", "Note", "Roll", "Taken", "events_of"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the ruleset notes: the *name* of the note, its *arguments* (as they are read everywhere)
    and the sentence that stands in the log.  *told* are the sides that are told; None: everybody.
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
    """The only option of a *side*, taken without asking it; of the *option* the subject is not told."""

    side: str
    option: Option


Event = Note | Roll | Taken


def events_of(names: Names, entries: Iterable[tuple[Any, ...]]) -> tuple[Event, ...]:
    """Entries of a course as people read them."""
    return tuple(_event(names, kind, what) for kind, *what in entries)


def _event(names: Names, kind: int, what: list[Any]) -> Event:
    spec = names.spec
    if kind == NOTED:
        number, *values = what[0]
        told = None
        if values and isinstance(values[-1], Told):
            told = tuple(spec.sides[side] for side in bits(int(values.pop())))
        types = spec.note_types[number] if number < len(spec.note_types) else ()
        arguments = tuple(names.read(type_, value) for type_, value in zip(types, values, strict=False))
        return Note(spec.notes[number], arguments, names.wording.note(what[0]), told)
    if kind == ROLLED:
        die, faces = spec.dice[what[0]], what[1]
        return Roll(die.name, tuple(spec.enums[die.enum][face] for face in faces) if die.enum else faces)
    decision, side, option = what
    return Taken(spec.sides[side], options_of(names, decision, [option], ())[0])
