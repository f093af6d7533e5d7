"""Passing questions by: asked back where something would be left undone."""

from __future__ import annotations

from grognard.lines import DONE
from grognard.menu import Menu
from grognard.standing import NEVER
from runtime.game import Decision, Option


class Passing:
    """Which passes are asked back at a terminal: those of a list that would leave something undone, once.

    Where `undo` takes a pass back, it is asked back only if it was called `done`, and no more where one has
    passed all the same.  A list's own words for its pass are meant.
    """

    def __init__(self, menu: Menu) -> None:
        self.menu = menu
        #: the point at which the last line, and the one before it, were asked back
        self._unsure: int | None = None
        self._sure: int | None = None
        #: the points at which one has passed all the same
        self._known: set[int] = set()

    def begin(self) -> None:
        """Another line has been typed."""
        self._sure, self._unsure = self._unsure, None

    def asked_back(self, decision: Decision, option: Option, line: str) -> str:
        """What is to be said instead of taking a pass; nothing where the option is taken."""
        if not option.passes or not self.menu.game.spec.decisions[decision.point].menu:
            return ""
        words = self.menu.scene.words
        word = words.understood(line.removesuffix("!"))
        done = word == DONE
        if not done and word not in (NEVER, str(self.menu.numbers(decision)[option.value])):
            return ""
        left = self.menu.left(decision)
        if not left:
            return ""
        if line.endswith("!") or self._sure == decision.point:
            self._known.add(decision.point)
            return ""
        if (not done or decision.point in self._known) and self.menu.returns(option):
            return ""
        self._unsure = decision.point
        return words(
            "Still possible: {options}; '{line}' again ends it, '{line}!' at once.", options=left, line=line
        )
