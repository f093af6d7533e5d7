"""How often the rules that are written are reached: by the game on the board, by the cases, and by
games at random; and which of all cases hold.  Found out when nothing has been typed for a while.
"""

from __future__ import annotations

import asyncio
from typing import Final

from compiler.ruleset import Ruleset
from grognard.editing.counting import ReplayableGame, Work
from grognard.fronts.lsp.reaching import Counts, known_counts
from grognard.fronts.lsp.server import Server
from grognard.fronts.studio.workshop import Workshop

#: For so long nothing must have been typed, in seconds.
PAUSE: Final = 2.0
#: For so long games are played at random.
SECONDS: Final = 3.0


class ReachCounter:
    """Tells the page how often the rules of a *workshop* are reached."""

    def __init__(self, server: Server, workshop: Workshop) -> None:
        self._server, self._desk, self._workshop = server, server.desk, workshop
        #: the texts for which it has been counted, or is to be
        self._by: list[str] = []
        self._waiting: asyncio.Task[None] | None = None
        server.counts = True
        server.followers.append(self._follow)

    async def _follow(self) -> None:
        """A text has changed: what is known of what has not is told at its new lines."""
        texts, known = await self._server.ask(self._look)
        if texts == self._by:
            self._tell(known)
            return
        self._by = texts
        self._server.counting.next()
        if self._waiting is not None:
            self._waiting.cancel()
        if texts:
            self._tell(known)
            self._waiting = asyncio.get_running_loop().create_task(self._count())

    def _look(self) -> tuple[list[str], Counts]:
        """All texts that games and cases hang on, and what is known; nothing where these have
        errors.
        """
        ruleset = self._ruleset()
        if ruleset is None:
            return [], {}
        return self._workshop.all_texts(), known_counts(self._desk, ruleset.folder)

    async def _count(self) -> None:
        await asyncio.sleep(PAUSE)
        found = await self._server.count(self._work)
        if found is not None:
            self._workshop.take_outcomes(found.outcomes)
            self._tell(await self._server.ask(known_counts, self._desk, self._workshop.folder))

    def _work(self) -> tuple[Ruleset, Work] | None:
        ruleset, workshop, room = self._ruleset(), self._workshop, self._workshop.game_room
        if ruleset is None:
            return None
        game = None
        if room is not None:
            with room.table.lock:
                game = ReplayableGame.of(room.table.game)
        scenarios = () if workshop.scenario is None else (workshop.scenario,)
        texts = dict(self._desk.texts)
        return ruleset, Work(self._desk.root, ruleset.folder, texts, scenarios, game, SECONDS)

    def _ruleset(self) -> Ruleset | None:
        """The ruleset as it stands; None where it has errors."""
        ruleset = self._desk.ruleset(self._workshop.folder)
        return ruleset if ruleset.ok and not ruleset.resolved.abstract else None

    def _tell(self, known: Counts) -> None:
        self._server.protocol.notify("studio/reached", known)
