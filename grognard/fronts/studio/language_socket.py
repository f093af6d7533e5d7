"""The socket on which the page and the language server talk: each message is one of JSON-RPC."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Final

from anyio import create_task_group
from starlette.websockets import WebSocket, WebSocketDisconnect

from grognard.fronts.lsp.server import Server
from grognard.fronts.web.app import text_from

#: What ends a process, and is not for a page to say.
_ENDING: Final = ("shutdown", "exit")
#: The status with which a page is told that another has taken its place.
TAKEN_OVER: Final = 4001


class _Writer:
    """Hands on what the server says, from whatever thread."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def write(self, data: bytes) -> None:
        """Say it."""
        with suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(self.said.put_nowait, data.decode("utf-8"))

    def close(self) -> None:
        """The page goes by itself."""


class LanguageSocket:
    """Leads one page at a time to a language server: who comes takes the place of who is there."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._now: WebSocket | None = None

    async def talk(self, socket: WebSocket) -> None:
        """Let a page talk to the server until it goes, or another comes."""
        await socket.accept()
        before, self._now = self._now, socket
        if before is not None:
            with suppress(RuntimeError, WebSocketDisconnect):
                await before.close(TAKEN_OVER)
        writer = _Writer()
        self._server.protocol.set_writer(writer, include_headers=False)
        async with create_task_group() as both:
            both.start_soon(self._hand_on, socket, writer)
            await self._hear(socket)
            both.cancel_scope.cancel()
        if self._now is socket:
            self._now = None

    async def _hand_on(self, socket: WebSocket, writer: _Writer) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            while True:
                await socket.send_text(await writer.said.get())

    async def _hear(self, socket: WebSocket) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            while True:
                text = await text_from(socket)
                if self._now is not socket:
                    break
                self._heard(text)

    def _heard(self, text: str) -> None:
        protocol = self._server.protocol
        try:
            said = json.loads(text)
            if said.get("method") not in _ENDING:
                protocol.handle_message(protocol.structure_message(said))
        except Exception as error:  # what is no message of the protocol
            self._server.report_server_error(error, type(error))
