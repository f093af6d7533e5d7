"""The game of the ruleset that is written."""

from __future__ import annotations

from pathlib import Path

from grognard.fronts.lsp.server import Server
from grognard.fronts.room import Report, Room
from grognard.fronts.web.rooms import room_of
from grognard.opening import open_scenario
from grognard.table.opened import Opened
from grognard.table.store import KeptGame


class Workshop:
    """A stand-in until the other branch is merged."""

    def __init__(self, server: Server, folder: Path, scenario: Path | None, report: Report) -> None:
        self.folder, self.scenario, self.report = folder, scenario, report
        opened = Opened.anew(open_scenario(scenario), 1)
        players = dict.fromkeys(opened.game.spec.sides, "person")
        kept = KeptGame(None, "studio", opened.game, players, None, None)
        self.game_room: Room = room_of(opened, kept, "en", report)
        self.game_room.begin()

    def close(self) -> None:
        self.game_room.close()
