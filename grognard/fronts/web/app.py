"""The server: pages, what they ask, and what they are told as a game goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from anyio import create_task_group
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from grognard.database import NotKept
from grognard.files import short
from grognard.fronts.room import Report, Room
from grognard.fronts.web import lobby
from grognard.fronts.web.guard import Guard
from grognard.fronts.web.language import language_of
from grognard.fronts.web.pages import POLICY, entered_page, game_page, lobby_page, message_page
from grognard.fronts.web.rooms import LINK, Connection, Rooms, side_at
from grognard.fronts.web.visitors import WATCHER, Visitor, Visitors
from grognard.lexicon.catalogue import Words, speak, words_in
from grognard.records import looks_on, recorded
from grognard.retelling.moments import Course
from grognard.retelling.page import page_of
from runtime.errors import ArgumentError, GrognardError

_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
#: How large a request, and a scenario of one's own, may be.
_LARGEST: Final = 300_000
#: Seconds in which what happens is told at once, and after which a page without a socket is told
#: that nothing has.
_TOGETHER, _POLL = 0.04, 25.0
#: How long a browser is remembered.
_YEAR: Final = 365 * 24 * 3600


class Server:
    """What the routes share."""

    def __init__(
        self, rooms: Rooms, visitors: Visitors, cookie: str, report: Report, address: str
    ) -> None:
        self.rooms, self.visitors, self.cookie, self.report = rooms, visitors, cookie, report
        self.address = address
        #: pictures are drawn one by one: a lobby full of them keeps nobody from beginning a game
        self._drawing = asyncio.Semaphore(1)

    # ------------------------------------------------------------------ pages

    async def enter(self, request: Request) -> Response:
        """A link that is followed: a browser that had none gets its secret."""
        known = request.cookies.get(self.cookie)
        entered = await run_in_threadpool(self.visitors.enter, request.path_params["key"], known)
        if entered is None:
            raise _used_link(request)
        to = "/"
        if entered.game:
            to = f"/game/{quote(entered.game)}?seat={quote(entered.seat or 'none')}"
        # the page goes on by itself: one that another site has led here is given no strict cookie
        reply = _page(entered_page(_language(request), to))
        if entered.secret is not None:
            reply.set_cookie(
                self.cookie,
                entered.secret,
                max_age=_YEAR,
                httponly=True,
                samesite="strict",
                secure=self.address.startswith("https:"),
                path="/",
            )
        return reply

    async def lobby(self, request: Request) -> Response:
        return _page(lobby_page(_language(request)))

    async def lobby_data(self, request: Request) -> Response:
        def data() -> dict[str, Any]:
            visitor, language = _visitor(request), _language(request)
            if visitor.host:
                return lobby.lobby(self.rooms, language)
            games, finished = self.visitors.games(visitor), self.visitors.finished(visitor)
            return lobby.guests_lobby(self.rooms, games, finished, language)

        return JSONResponse(await run_in_threadpool(data))

    async def picture(self, request: Request) -> Response:
        async with self._drawing:
            drawn = await run_in_threadpool(
                lobby.picture, request.path_params["scenario"], _language(request)
            )
        return Response(
            drawn,
            media_type="image/svg+xml",
            headers={
                "Cache-Control": "private, max-age=3600",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            },
        )

    async def art(self, request: Request) -> Response:
        """A picture of the player's own."""
        number: int = request.path_params["number"]
        file: str = request.path_params["file"]

        def read() -> tuple[bytes, str]:
            if number >= len(self.rooms.art) or file not in self.rooms.art[number].files:
                raise HTTPException(404, "There is no such picture.")
            return self.rooms.art[number].content(file)

        content, kind = await run_in_threadpool(read)
        return Response(
            content, media_type=kind, headers={"Cache-Control": "private, max-age=3600"}
        )

    async def game(self, request: Request) -> Response:
        name = request.path_params["name"]
        room = await run_in_threadpool(self._room, request)
        if room is not None:
            return _page(game_page(_language(request)))
        path = await run_in_threadpool(lobby.finished_as, name)
        if path is None or not await run_in_threadpool(self._had_seat, request, path.stem):
            raise _no_game(request)
        return RedirectResponse(f"/replay/{quote(path.stem)}", 303)

    async def replay(self, request: Request) -> Response:
        def page() -> str:
            wanted = request.path_params["name"]
            path = next((path for path in lobby.finished() if path.stem == wanted), None)
            if path is None or not self._had_seat(request, wanted):
                raise _no_game(request)
            source = recorded(path)
            opened, game = source.open()
            speak(game, _language(request))
            art = [one.at("") for one in self.rooms.art]  # the page holds all that it shows
            course = Course(game, opened.style(art), looks_on(game, None))
            return page_of(course, source.record)

        # what it may do, the page says itself
        headers = {"Content-Security-Policy": "frame-ancestors 'none'"}
        return HTMLResponse(await run_in_threadpool(page), headers=headers)

    # ------------------------------------------------------------------ games

    async def begin(self, request: Request) -> Response:
        """A new game: ``{"scenario": name, "players": {side: who}}``; the reply has a link for each
        side that is played by one.
        """
        asked = await _json(request)
        scenario, players = asked.get("scenario"), asked.get("players", {})
        if not isinstance(scenario, str) or not isinstance(players, dict):
            raise ArgumentError("a game needs a scenario and its players")

        def begun() -> tuple[str, dict[str, str]]:
            file = lobby.file_of(scenario)
            room = self.rooms.begin(file, players, _language(request))
            away = [side for side, who in room.kept.players.items() if who == LINK]
            return room.name, {side: self._seat_link(request, room.name, side) for side in away}

        name, links = await run_in_threadpool(begun)
        return JSONResponse({"game": name, "links": links}, 201)

    async def forget(self, request: Request) -> Response:
        if not await run_in_threadpool(self.rooms.forget, request.path_params["name"]):
            raise _no_game(request)
        return Response(status_code=204)

    async def upload(self, request: Request) -> Response:
        """A scenario of one's own: checked, and kept where it has no errors."""
        content = await _body(request)

        name, findings = await run_in_threadpool(lobby.taken_in, content)
        told = {"scenario": name, "findings": findings}
        return JSONResponse(told, 201 if name else 422)

    async def link(self, request: Request) -> Response:
        """A link for another browser of a host."""
        key = await run_in_threadpool(self.visitors.link)
        return JSONResponse({"link": f"{self.address}/enter/{key}"})

    async def seat_link(self, request: Request) -> Response:
        """A new link for a seat, ``{"seat": side}``, or for those who look on, ``{"seat": ""}``."""
        name, seat = request.path_params["name"], (await _json(request)).get("seat")

        def made() -> str:
            kept = next((game for game in self.rooms.store.games() if game.name == name), None)
            if kept is None:
                raise _no_game(request)
            if seat != WATCHER and kept.players.get(str(seat)) != LINK:
                raise ArgumentError(f"nobody plays '{short(str(seat))}' by a link")
            return self._seat_link(request, name, str(seat))

        return JSONResponse({"link": await run_in_threadpool(made)})

    def _seat_link(self, request: Request, game: str, seat: str) -> str:
        key = self.visitors.seat_link(game, seat)
        if key is None:
            raise _no_game(request)
        room = self.rooms.opened(game)
        if room is not None:
            room.tell()  # who had the link before is shut out at once
        return f"{self.address}/enter/{key}"

    # ------------------------------------------------------------------ who may see what

    def _people(self, asked: HTTPConnection, room: Room) -> frozenset[int] | None:
        """The sides that a browser plays; None where it has no seat in a room at all."""
        visitor, players = _visitor(asked), room.kept.players
        seats = self.visitors.seats(visitor, room.name)
        if not seats and not visitor.host:
            return None
        sides = room.table.game.spec.sides
        return frozenset(
            side
            for side in room.table.people
            if sides[side] in seats or (visitor.host and players.get(sides[side]) != LINK)
        )

    def _had_seat(self, asked: HTTPConnection, record: str) -> bool:
        """Whether a browser may see the record of a game that is over."""
        visitor = _visitor(asked)
        return visitor.host or record in self.visitors.finished(visitor)

    def _room(self, asked: HTTPConnection) -> Room | None:
        """The room that is asked for; None where it is not there for this browser."""
        name, visitor = asked.path_params["name"], _visitor(asked)
        if not visitor.host and not self.visitors.seats(visitor, name):
            return None  # and nothing is opened
        return self.rooms.room(name, _language(asked))

    # ------------------------------------------------------------------ at the table

    def _connection(self, asked: HTTPConnection) -> Connection:
        """The connection of a page that looks at a room from a seat.  HTTPException."""
        room = self._room(asked)
        people = None if room is None else self._people(asked, room)
        if room is None or people is None:
            raise _no_game(asked)
        return Connection(room, side_at(room, people, asked.query_params.get("seat")), people)

    async def ask(self, request: Request) -> Response:
        """One request of the protocol, for pages without a socket."""
        connection = await run_in_threadpool(self._connection, request)
        text = (await _body(request)).decode("utf-8", "replace")
        reply = await run_in_threadpool(connection.receive, text)
        return Response(reply, media_type="application/json")

    async def news(self, request: Request) -> Response:
        """All that is to be seen, once the game has gone on beyond the version ``after``."""
        connection = await run_in_threadpool(self._connection, request)
        room, after = connection.room, request.query_params.get("after", "")
        async with _listening(room) as news:
            if after == str(room.table.version):
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), _POLL)
        if after == str(room.table.version):
            return Response(status_code=204)
        return Response(await run_in_threadpool(connection.begin), media_type="application/json")

    async def live(self, socket: WebSocket) -> None:
        """What happens, as it happens, and requests of the protocol."""
        try:
            connection = await run_in_threadpool(self._connection, socket)
        except (HTTPException, GrognardError):
            await socket.close(1008)
            return
        await socket.accept()
        async with _listening(connection.room) as news, create_task_group() as both:

            async def until_it_ends(work: Awaitable[None]) -> None:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await work
                both.cancel_scope.cancel()

            both.start_soon(until_it_ends, self._tell(socket, connection, news))
            both.start_soon(until_it_ends, self._answer(socket, connection))
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1012)  # the page comes back, to the game as it is then

    async def _say(
        self, socket: WebSocket, connection: Connection, what: Callable[[], str]
    ) -> None:
        """Send what comes of a call; of a fault of the program, where its report is.  Who has lost
        his seat meanwhile hears nothing more.
        """

        def said() -> str | None:
            people = self._people(socket, connection.room)
            if people != connection.people and not connection.room.table.game.over:
                return None
            return what()

        try:
            text = await run_in_threadpool(said)
        except NotKept as error:
            text = json.dumps({"fault": str(error)})
        except Exception as error:
            text = json.dumps({"fault": self.report(error)})
        if text is None:
            raise WebSocketDisconnect
        await socket.send_text(text)

    async def _tell(self, socket: WebSocket, connection: Connection, news: asyncio.Event) -> None:
        await self._say(socket, connection, connection.begin)
        while not connection.room.closed:
            await news.wait()
            await asyncio.sleep(_TOGETHER)
            news.clear()
            if not connection.room.closed:
                await self._say(socket, connection, connection.more)

    async def _answer(self, socket: WebSocket, connection: Connection) -> None:
        while True:
            text = await socket.receive_text()
            await self._say(socket, connection, partial(connection.receive, text))

    # ------------------------------------------------------------------ what goes wrong

    async def refused(self, request: Request, error: Exception) -> Response:
        """What the library says of what it was given."""
        assert isinstance(error, GrognardError)
        return _told(request, error.message, error.remedy, 400)

    async def unknown(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _told(request, error.detail, "", error.status_code)

    async def failed(self, request: Request, error: Exception) -> Response:
        """A fault of the program: reported in a file, and told without its insides."""
        return _told(request, self.report(error), "", 500)


def app(
    rooms: Rooms,
    visitors: Visitors,
    hosts: Callable[[str], bool],
    cookie: str,
    report: Report,
    address: str,
) -> Starlette:
    """The application; *hosts* says which names it answers to, each with its port; links lead to
    the *address*.
    """
    server = Server(rooms, visitors, cookie, report, address)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(rooms.close)

    def route(path: str, endpoint: _Endpoint, method: str) -> Route:
        return Route(path, endpoint, methods=[method])

    def hosts_route(path: str, endpoint: _Endpoint, method: str) -> Route:
        async def asked(request: Request) -> Response:
            if not _visitor(request).host:
                words = _words(request)
                raise HTTPException(403, words("Only the host may do that."))
            return await endpoint(request)

        return Route(path, asked, methods=[method])

    return Starlette(
        routes=[
            route("/", server.lobby, "GET"),
            route("/enter/{key}", server.enter, "GET"),
            route("/lobby.json", server.lobby_data, "GET"),
            hosts_route("/picture/{scenario:path}.svg", server.picture, "GET"),
            route("/art/{number:int}/{file:path}", server.art, "GET"),
            hosts_route("/links", server.link, "POST"),
            hosts_route("/scenarios", server.upload, "POST"),
            hosts_route("/games", server.begin, "POST"),
            hosts_route("/games/{name}", server.forget, "DELETE"),
            hosts_route("/games/{name}/links", server.seat_link, "POST"),
            route("/game/{name}", server.game, "GET"),
            route("/game/{name}/live", server.ask, "POST"),
            route("/game/{name}/news", server.news, "GET"),
            WebSocketRoute("/game/{name}/live", server.live),
            route("/replay/{name}", server.replay, "GET"),
            Mount("/static/board", StaticFiles(packages=[("grognard.retelling", "page")])),
            Mount("/static", StaticFiles(packages=[("grognard.fronts.web", "page")])),
        ],
        middleware=[
            Middleware(Guard, visitors=visitors, hosts=hosts, cookie=cookie),
            Middleware(GZipMiddleware),
        ],
        exception_handlers={
            GrognardError: server.refused,
            HTTPException: server.unknown,
            Exception: server.failed,
        },
        lifespan=lifespan,
    )


@asynccontextmanager
async def _listening(room: Room) -> AsyncIterator[asyncio.Event]:
    """An event that is set whenever there is something new in a room."""
    news, loop = asyncio.Event(), asyncio.get_running_loop()

    def heard() -> None:
        with suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(news.set)

    room.listeners.add(heard)
    try:
        yield news
    finally:
        room.listeners.discard(heard)


def _visitor(asked: HTTPConnection) -> Visitor:
    """The browser that the guard has let in."""
    visitor = asked.scope["visitor"]
    assert isinstance(visitor, Visitor)
    return visitor


def _language(asked: HTTPConnection) -> str:
    return language_of(asked.headers.get("accept-language", ""))


def _words(asked: HTTPConnection) -> Words:
    return words_in(_language(asked))


def _no_game(asked: HTTPConnection) -> HTTPException:
    words = _words(asked)
    if _visitor(asked).host:
        return HTTPException(404, words("There is no such game."))
    message = words(
        "There is no such game for you here. Whoever sent you its link can send a new one."
    )
    return HTTPException(404, message)


def _used_link(asked: HTTPConnection) -> HTTPException:
    words = _words(asked)
    return HTTPException(403, words("This link has been followed before, or is too old."))


def _too_large(asked: HTTPConnection) -> HTTPException:
    words = _words(asked)
    return HTTPException(413, words("That is too large."))


def _told(request: Request, message: str, remedy: str, status: int) -> Response:
    """What is wrong, as a page for whoever has asked for one."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        page = message_page(_language(request), message, remedy)
        return HTMLResponse(page, status, headers={"Content-Security-Policy": POLICY})
    return JSONResponse({"message": message, "remedy": remedy}, status)


def _page(page: str) -> Response:
    return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})


async def _body(request: Request) -> bytes:
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _LARGEST:
            raise _too_large(request)
    return content


async def _json(request: Request) -> dict[str, Any]:
    try:
        read = json.loads(await _body(request))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise HTTPException(400, "This is no JSON object.")
    return read
