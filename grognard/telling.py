"""Which notes of a game have been told to those who sit at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.game import Game
from runtime.model import NONE


class Telling:
    """Tells each note once: what all may know to whoever looks next, what is for one side when it looks.

    *people* are the sides that are played by people.
    """

    def __init__(self, game: Game, people: Sequence[int]) -> None:
        self.game = game
        self.people = list(people)
        self._told = game.notes if game.actions else 0
        self._waiting: dict[int, list[str]] = {side: [] for side in people}

    @property
    def watcher(self) -> int:
        """Who looks on where nobody in particular does: the only person, or somebody who sees what all see
        (NONE).
        """
        return self.people[0] if len(self.people) == 1 else NONE

    def news(self, side: int) -> list[str]:
        """The notes that *side* (NONE: everybody) has not been told yet."""
        game = self.game
        lines = self._waiting.get(side, [])
        self._waiting[side] = []
        common = game.log_of(NONE, self._told)
        for person in self.people:
            if person != side:
                # In the order of the log; what all have been told is not told again.
                own = game.log_of(person, self._told)
                for line in common:
                    own.remove(line)
                self._waiting[person] += own
        lines = lines + game.log_of(side, self._told)
        self._told = game.notes
        return lines

    def taken_back(self) -> None:
        """Notes of what was taken back are forgotten."""
        self._told = min(self._told, self.game.notes)
