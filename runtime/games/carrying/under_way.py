"""The procedures under way, with what they wait for and what they hold, in other rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.games.carrying.translation import GONE, NOT_KNOWN, Gone, Translation
from runtime.model import NONE, FrameSpec, WaitSpec
from runtime.state import StateBase


class UnderWay:
    """Finds where procedures of a ruleset go on in another."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        self.old, self.new = translation.old, translation.new
        self._waits: dict[str, dict[int, WaitSpec]] = {}

    def keeps(self, state: StateBase) -> bool:
        """Whether the procedures that are under way can go on."""
        try:
            self.frames(state)
        except Gone:
            return False
        return True

    def frames(self, state: StateBase) -> list[list[Any]]:
        """The frames; the innermost asks again.  Raises Gone where they cannot go on."""
        frames: list[list[Any]] = []
        for frame in state.frames:
            procedure, number = self.old.waiting[frame[0]]
            there, asked = self.new.frames.get(procedure), self.old.frames[procedure].waits[number]
            if there is None:
                raise Gone(GONE, what=procedure)
            wait = self.waits(procedure).get(number)
            if wait is None:
                raise Gone(GONE, what=f"{procedure}: {asked.what}")
            again = wait.block if wait.again == NONE else wait.again
            frames.append([again, *self._locals(procedure, frame, there, wait)])
        return frames

    def _locals(
        self, procedure: str, frame: Sequence[Any], there: FrameSpec, wait: WaitSpec
    ) -> list[Any]:
        """The locals of a frame."""
        known = {name: (place, type_) for name, place, type_ in self.old.frames[procedure].locals}
        values: list[Any] = [0] * (there.size - 1)
        for name, place, type_ in there.locals:
            try:
                if name not in known:
                    raise Gone(NOT_KNOWN, name)
                at, old = known[name]
                values[place - 1] = self.translation.value(old, frame[at], type_)
            except Gone as gone:
                if name in wait.needed:
                    raise Gone(gone.why, gone.value, f"{procedure}: {name}") from None
        return values

    def waits(self, procedure: str) -> dict[int, WaitSpec]:
        """By the number of a place where a procedure waited, where it waits now."""
        if procedure not in self._waits:
            old, new = self.old.frames[procedure].waits, self.new.frames[procedure].waits
            self._waits[procedure] = {i: new[j] for i, j in _same_waits(old, new)}
        return self._waits[procedure]


def _same_waits(old: Sequence[WaitSpec], new: Sequence[WaitSpec]) -> Iterator[tuple[int, int]]:
    """The places where a procedure waits that are the same, by numbers, in the order of its text: a
    longest common subsequence, in which those that are written alike count for more.
    """

    def alike(i: int, j: int) -> int:
        a, b = old[i], new[j]
        if (a.what, a.again == NONE, a.inside) != (b.what, b.again == NONE, b.inside):
            return 0
        return 3 if a.text == b.text else 2

    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            met = alike(i, j)
            both = best[i + 1][j + 1] + met if met else 0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(old) and j < len(new):
        met = alike(i, j)
        if met and best[i][j] == best[i + 1][j + 1] + met:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
