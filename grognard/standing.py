"""Answers that stand: questions that a player passes by until the turn is over."""

from __future__ import annotations

from grognard.menu import pass_of
from runtime.game import Decision, Game, Option

#: The command that takes one.
NEVER = "never"


class Standing:
    """Which questions each side passes whenever they are asked, until the scope ends in which it said so.

    Nothing tells the others of it: who passes unasked is not heard of, as if he had not been asked.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._passed: set[tuple[int, str]] = set()
        self._turn = 0

    def take(self, decision: Decision) -> None:
        """Pass a question whenever it is asked from now on."""
        self._still()
        self._passed.add((decision.side, decision.prompt))

    def answer(self, decision: Decision) -> Option | None:
        """The pass of a question that its side has passed for the turn."""
        self._still()
        return pass_of(decision) if (decision.side, decision.prompt) in self._passed else None

    def drop(self) -> None:
        """Forget all of it."""
        self._passed.clear()

    def _still(self) -> None:
        """Forget what was said in a turn that is over."""
        now = self.game.state.checkpoints
        if now != self._turn:
            self._turn = now
            self.drop()
