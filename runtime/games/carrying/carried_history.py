"""What has happened in a game, so far as other rules have words for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.games.carrying.translation import GONE, Gone, Translation
from runtime.games.events import History
from runtime.model import MASK, NONE, PASS, SECOND, SHIFT, TypeSpec, branch_of
from runtime.state import ROLLED, Told


class CarriedHistory:
    """Carries notes and other events over."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        self.old, self.new = translation.old, translation.new

    def history(self, history: History, folds: Sequence[int]) -> tuple[History, tuple[int, ...]]:
        """What has happened, so far as these rules have words for it, and the checkpoints in it."""
        notes, before = _carried_entries(history.notes, self._note)
        events, earlier = _carried_entries(history.events, lambda event: self._event(event, before))
        since = (before[history.since[0]], earlier[history.since[1]])
        return History(tuple(notes), tuple(events), since), tuple(before[fold] for fold in folds)

    def _note(self, entry: tuple[Any, ...]) -> tuple[Any, ...]:
        number, *values = entry
        told = [values.pop()] if values and isinstance(values[-1], Told) else []
        name = self.old.notes[number]
        if name not in self.new.notes:
            raise Gone(GONE)
        there = self.new.notes.index(name)
        old, new = self.old.note_types[number], self.new.note_types[there]
        return (there, *self.translation.values(old, values, new), *told)

    def _event(self, event: tuple[Any, ...], notes: Sequence[int]) -> tuple[Any, ...]:
        kind, before, number, *what = event
        if kind == ROLLED:
            die = self.old.dice[number]
            there = next((i for i, d in enumerate(self.new.dice) if d.name == die.name), NONE)
            if there == NONE or (die.enum is None) != (self.new.dice[there].enum is None):
                raise Gone(GONE)
            old, new = (_face(enum) for enum in (die.enum, self.new.dice[there].enum))
            faces = tuple(self.translation.value(old, face, new) for face in what[0])
            return (kind, notes[before], there, faces)
        side, option = what
        return (kind, notes[before], *self._option(number, side, option))

    def _option(self, number: int, side: int, option: int) -> tuple[int, int, int]:
        """An option that was taken: decision, side and option."""
        old = self.old.decisions[number]
        for new in self.new.decisions:
            words = [o.word for o in new.options]
            if (new.procedure, new.prompt) != (old.procedure, old.prompt):
                continue
            if option == PASS:
                return new.index, side, PASS
            was = old.options[branch_of(option)]
            if was.word not in words:
                continue
            branch = words.index(was.word)
            given = [option & MASK, option >> SECOND][: len(was.values)]
            values = (*self.translation.values(was.values, given, new.options[branch].values), 0, 0)
            return new.index, side, values[1] << SECOND | branch << SHIFT | values[0]
        raise Gone(GONE)


def _face(enum: str | None) -> TypeSpec:
    """The type of the faces of a die."""
    return TypeSpec("int") if enum is None else TypeSpec("enum", enum)


def _carried_entries(
    entries: Sequence[tuple[Any, ...]], carried: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> tuple[list[tuple[Any, ...]], list[int]]:
    """The entries that can be carried over, and how many of them stand before each."""
    kept: list[tuple[Any, ...]] = []
    before: list[int] = []
    for entry in entries:
        before.append(len(kept))
        try:
            kept.append(carried(entry))
        except Gone:
            continue
    return kept, [*before, len(kept)]
