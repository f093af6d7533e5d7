"""Several people at one terminal: who looks at it."""

from __future__ import annotations

from grognard.table.table import Table
from runtime.games.decision import Decision

#: Commands that show nothing of what only the side knows that is asked.
_HARMLESS = ("help", "options", "more", "board", "expect", "undo", "never", "save", "quit", "exit")


class Seats:
    """Who of several *people* looks at the screen, and which questions everybody may read.

    What is asked openly (:attr:`runtime.model.DecisionSpec.open`) is asked in sight of who looked
    before, as at a table, if they all look at a *terminal*: then *open* holds, and *facing* stays
    who it was.
    """

    def __init__(self, table: Table, terminal: bool) -> None:
        self.table = table
        self.people = tuple(table.people)
        self.terminal = terminal
        self.facing: int | None = None
        self.open = False

    def stays(self, decision: Decision) -> bool:
        """Whether a question needs no handing over; notes who looks from now on."""
        self.open = False
        if len(self.people) < 2 or self.facing == decision.side:
            self.facing = decision.side
            return True
        self.open = (
            self.terminal
            and self.facing is not None
            and self.table.all_alike(decision, self.facing)
        )
        return self.open

    def looks(self, decision: Decision) -> int:
        """The side that looks at the screen while a question is asked."""
        return self.facing if self.open and self.facing is not None else decision.side

    def takes(self, side: int) -> None:
        """From now on only *side* looks."""
        self.facing, self.open = side, False

    def harmless(self, word: str) -> bool:
        """Whether a command shows nothing that only the side may see that is asked."""
        return not self.open or word in _HARMLESS
