"""Somebody who plays on the screen by mouse and keys, in Textual's Pilot."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from grognard import opening
from grognard.bots.players import seat_for
from grognard.fronts.room import Room
from grognard.fronts.screen.field import Field
from grognard.fronts.screen.sayings import Saying, Veil
from grognard.fronts.screen.table_screen import TableScreen
from grognard.lexicon.catalogue import speak
from grognard.table.opened import table_of
from grognard.table.store import GameWriter

PATIENCE = 60.0  # a first "why" compiles the ruleset, which takes slow machines long


def room(scenario: str, seed: int, language: str = "en", **bots: str) -> Room:
    """A room of a game that is not kept."""
    opened = opening.open_scenario(scenario)
    game = opened.begin(seed)
    speak(game, language)
    sides = game.spec.sides
    players = {
        sides.index(side): seat_for(name, game.program, game.setup) for side, name in bots.items()
    }
    table = table_of(opened, game, players)
    assert not table.dress(opened.style)

    def fault(error: Exception) -> str:
        raise error

    return Room(table, GameWriter(None, "game", game, {}, None, None), fault)


class Hand:
    """What somebody does, and what stands on the screen."""

    def __init__(self, pilot: Pilot[None], screen: TableScreen) -> None:
        self.pilot, self.screen = pilot, screen
        self.player, self.table = screen.player, screen.room.table

    async def quiet(self) -> None:
        """Wait until it is for somebody to do something."""
        end = monotonic() + PATIENCE
        while True:
            await self.pilot.pause(0.005)
            if self._quiet():
                return
            if self.screen.failed is not None:
                raise self.screen.failed
            assert monotonic() < end, f"it does not come to rest: {self._state()}"

    def _state(self) -> str:
        """What keeps it from resting."""
        show, table = self.player.show, self.table
        busy = [str(worker) for worker in self.screen.workers if not worker.is_finished]
        shown = show["version"] if show else None
        ended = f"signal {self.screen.stopped}, running {self.screen.is_running}"
        return f"{self.screen.screen}, {busy}, {table.decision}, version {table.version}, shown {shown}, {ended}"

    def _quiet(self) -> bool:
        over = self.screen.screen
        if isinstance(over, Saying | Veil):
            return over.is_mounted and bool(over.query("#saying > *"))
        decision, show = self.table.decision, self.player.show
        busy = any(not worker.is_finished for worker in self.screen.workers)
        waits = decision is None or decision.side in self.table.people
        return not busy and waits and bool(show) and show["version"] == self.table.version

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.quiet()

    async def type(self, line: str) -> None:
        self.screen.query_one(Input).value = line
        self.screen.query_one(Input).focus()
        await self.press("enter")

    async def click(self, place: str) -> None:
        """Click on a hex, where it is seen."""
        field = self.screen.query_one(Field)
        assert field.drawing is not None
        h = list(self.player.called).index(place)
        field.reach([h])
        await self.pilot.pause(0)
        x, y = field.drawing.middles[h]
        left, top = field.scroll_offset
        await self.pilot.click(Field, offset=(x - left, y - top))
        await self.quiet()

    @property
    def options(self) -> list[dict[str, Any]]:
        question = self.player.question
        return question["options"] if question else []

    @property
    def text(self) -> str:
        """All that is written anywhere on the screen, seen or not."""
        parts = []
        for screen in self.screen.screen_stack:
            parts += [str(one.render()) for one in screen.query(Static)]
            for listed in screen.query(OptionList):
                parts += [
                    str(listed.get_option_at_index(n).prompt) for n in range(listed.option_count)
                ]
            for field in screen.query(Field):
                parts += [field.drawing.text if field.drawing else ""]
        return "\n".join(parts)

    @property
    def said(self) -> str:
        """What is said over the board."""
        assert isinstance(self.screen.screen, Saying)
        return "\n".join(str(one.render()) for one in self.screen.screen.query(Static))


@asynccontextmanager
async def at_screen(
    made: Room, size: tuple[int, int] = (120, 40), teaching: bool = False
) -> AsyncIterator[Hand]:
    """Somebody at the screen of a room."""
    screen = TableScreen(made, teaching)
    try:
        async with screen.run_test(size=size) as pilot:
            hand = Hand(pilot, screen)
            await hand.quiet()
            yield hand
    finally:
        made.close()


def at_terminal(folder: Path, arguments: list[str], *typed: str) -> str:
    """What is written by `grognard play --screen` in a process at a terminal, where something is typed."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "grognard", "play", *arguments, "--screen"],
        env={**os.environ, "GROGNARD_DATA": str(folder), "TERM": "xterm-256color"},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    written, waiting, end = "", [*typed], monotonic() + PATIENCE
    try:
        while monotonic() < end:
            still = not select.select([ours], [], [], 0.5)[0]
            if still and waiting and "Quit" in written:
                os.write(ours, waiting.pop(0).encode())
            elif not still:
                written += os.read(ours, 1 << 16).decode(errors="replace")
        raise AssertionError(f"it does not end: {written[-500:]!r}")
    except OSError:  # it has ended
        return written
    finally:
        process.kill()
        process.wait()
        os.close(ours)
