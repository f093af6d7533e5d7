"""Several people at one terminal: who looks at it."""

from __future__ import annotations

from grognard.table.menu import Menu
from grognard.table.options import choices
from grognard.table.table import Table
from runtime.games.decision import Decision
from runtime.runs.forecast import of_option

#: How wide a board is drawn where what two sides see of it is compared.
_WIDE = 160
#: Commands that show nothing of what only the side knows that is asked.
_HARMLESS = ("help", "options", "more", "board", "expect", "undo", "never", "save", "quit", "exit")


class ScreenSharing:
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
            and _looks_alike(self.table, decision, self.facing)
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


def _looks_alike(table: Table, decision: Decision, other: int) -> bool:
    """Whether everybody may read a question, and all that is shown with it is the same for an
    *other* side.
    """
    return _is_open(table, decision) and (
        _shown_to(table, decision, decision.side) == _shown_to(table, decision, other)
    )


def _is_open(table: Table, decision: Decision) -> bool:
    """Whether everybody may read a question: it is an open one, and what is foreseen of its options
    tells nothing that is closed.
    """
    spec = table.game.spec
    return spec.decisions[decision.point].open and all(
        spec.closed.isdisjoint(forecast.reads)
        for option in decision.options
        for forecast in of_option(spec, decision.point, option.raw)
    )


def _shown_to(table: Table, decision: Decision, side: int) -> tuple[object, ...]:
    """What is shown if a side sees it: the board and beside it, and the question."""
    seen, menu = table.sight_of(side), Menu(table.game, table.scene)
    panel = table.panel(seen).lines(table.people[0], False)
    board = table.board(seen, menu.marks(decision, seen)).whole(panel, _WIDE)
    return board, table.place(seen), choices(menu, decision, seen)
