"""``grognard play --screen``: a game on the whole screen of the terminal (extra ``tui``)."""

from __future__ import annotations

from grognard.fronts.cli.crash import fault_message
from grognard.fronts.cli.signals import Stopped
from grognard.fronts.room import Room
from grognard.fronts.screen.table_screen import TableScreen
from grognard.fronts.terminal.console import Ended
from grognard.table.store import GameWriter
from grognard.table.table import Table


class OnScreen:
    """The screen as a front of the command."""

    def __init__(self, table: Table, kept: GameWriter, teaching: bool) -> None:
        self.table, self.kept, self.words = table, kept, table.words
        self._room = Room(table, kept, self._report)
        self._teaching = teaching

    def _report(self, error: Exception) -> str:
        return fault_message("play", error)

    def say(self, text: str = "") -> None:
        """Say something when the screen is the terminal's own again."""
        print(text)

    def run(self) -> None:
        """Play to the end, or until the player leaves (:class:`Ended`) or a signal does."""
        screen = TableScreen(self._room, self._teaching)
        try:
            screen.run()
        finally:
            self._room.close()
        if screen.stopped:
            raise Stopped(screen.stopped)
        if screen.failed is not None:
            raise screen.failed
        if screen.return_code:
            raise SystemExit(screen.return_code)
        if self._room.fault:
            self.say(self.words("The game cannot go on: {0}", **{"0": self._room.fault}))
        if not self.table.game.over:
            raise Ended
