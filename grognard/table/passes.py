"""Passing questions: for the rest of a turn, and asked back where something is left undone."""

from __future__ import annotations

from grognard.table.lines import DONE
from grognard.table.menu import Menu, passing_option
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.option import Option

#: The command that passes a question until the turn is over.
NEVER = "never"


class StandingPasses:
    """Which questions each side passes whenever they are asked, until the scope ends in which it
    said so.

    Nothing tells the others of it: who passes unasked is not heard of, as if he had not been asked.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._passed: set[tuple[int, str]] = set()
        self._turn = 0

    def take(self, decision: Decision) -> None:
        """Pass a question whenever it is asked from now on."""
        self._forget_turn()
        self._passed.add((decision.side, decision.prompt))

    def answer(self, decision: Decision) -> Option | None:
        """The pass of a question that its side has passed for the turn."""
        self._forget_turn()
        return (
            passing_option(decision) if (decision.side, decision.prompt) in self._passed else None
        )

    def drop(self, side: int) -> None:
        """Forget what a side has said."""
        self._passed = {passed for passed in self._passed if passed[0] != side}

    def _forget_turn(self) -> None:
        """Forget what was said in a turn that is over."""
        now = self.game.state.checkpoints
        if now != self._turn:
            self._turn = now
            self._passed.clear()


class PassWarnings:
    """Which passes are asked back: those of a list that would leave something undone, once.

    Where `undo` takes a pass back, it is asked back only if it was called `done`, and no more where
    one has passed all the same.  A list's own words for its pass are meant.
    """

    def __init__(self, menu: Menu) -> None:
        self.menu = menu
        #: the point at which the last answer, and the one before it, were asked back
        self._unsure: int | None = None
        self._sure: int | None = None
        #: the points at which one has passed all the same
        self._known: set[int] = set()

    def begin(self) -> None:
        """Another answer is given."""
        self._sure, self._unsure = self._unsure, None

    def asked_back(self, decision: Decision, option: Option, line: str) -> tuple[str, str] | None:
        """What is to be said instead of taking a pass, and how it is taken all the same; None where
        the option is taken.
        """
        if not option.passes or not self.menu.game.spec.decisions[decision.point].menu:
            return None
        words = self.menu.scene.words
        word = words.understood(line.removesuffix("!"))
        done = word == DONE
        if not done and word not in (NEVER, str(self.menu.numbers(decision)[option.raw])):
            return None
        left = self.menu.remaining_work(decision)
        if not left:
            return None
        if line.endswith("!") or self._sure == decision.point:
            self._known.add(decision.point)
            return None
        if (not done or decision.point in self._known) and self.menu.returns(option):
            return None
        self._unsure = decision.point
        return (
            words("Still possible: {options}", options=left),
            words("'{line}' again ends it, '{line}!' at once", line=line),
        )
