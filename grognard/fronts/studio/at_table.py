"""The table beside the text, whose page stays while the game goes on by other rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from anyio import create_task_group
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from grognard.fronts.room import Report, Room
from grognard.fronts.studio.workshop import Workshop
from grognard.fronts.web.app import TOGETHER, listening, text_from
from grognard.fronts.web.rooms import Connection


class TablePage:
    """A page that looks at the game of a studio with the eyes of whoever is asked."""

    def __init__(self, socket: WebSocket, workshop: Workshop, report: Report) -> None:
        self._socket, self._workshop, self._report = socket, workshop, report
        self._connection = self._connect()

    async def talk(self) -> None:
        """Tell what happens, and answer, until the page goes."""
        await self._socket.accept()
        async with create_task_group() as both:
            both.start_soon(self._answer)
            with suppress(RuntimeError, WebSocketDisconnect):
                while True:
                    await self._tell()
            both.cancel_scope.cancel()

    def _room(self) -> Room:
        room = self._workshop.game_room
        assert room is not None
        return room

    def _connect(self) -> Connection:
        room = self._room()
        return Connection(room, room.default_side(room.table.people))

    async def _tell(self) -> None:
        """Tell of one room, until there is another."""
        room = self._room()
        async with listening(room) as news:
            await self._say(self._full_show)
            while self._room() is room:
                await news.wait()  # a room that has ended tells so, too
                await asyncio.sleep(TOGETHER)
                news.clear()
                if self._room() is room:
                    await self._say(self._news)

    def _full_show(self) -> str:
        self._connection = self._connect()
        return self._connection.full_show()

    def _news(self) -> str:
        """What has come, from the seat of whoever is asked now."""
        room = self._room()
        side = room.default_side(room.table.people)
        if side != self._connection.side or room is not self._connection.room:
            return self._full_show()
        return self._connection.news()

    async def _answer(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            while True:
                text = await text_from(self._socket)
                await self._say(partial(self._connection.receive, text))

    async def _say(self, what: Callable[[], str]) -> None:
        def said() -> str:
            try:
                return what()
            except Exception as error:
                return json.dumps({"fault": self._report(error)})

        await self._socket.send_text(await run_in_threadpool(said))
