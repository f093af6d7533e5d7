"""The server: pages, what they ask, and what they are told as a game goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import quote

from anyio import BrokenWorkerProcess, create_task_group, fail_after, to_process
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
from grognard.draw.scene import Scene
from grognard.files import short
from grognard.fronts.room import Report, Room
from grognard.fronts.web import bounds, lobby
from grognard.fronts.web.account_pages import OPEN, AccountPages
from grognard.fronts.web.clocks import Limit, clock_data
from grognard.fronts.web.exchange import (
    body_of,
    error_page,
    json_of,
    language_in,
    no_game,
    page_response,
    visitor_of,
    with_form,
    with_secret,
    words_for,
)
from grognard.fronts.web.guard import Guard, Refusals
from grognard.fronts.web.pages import enter_page, game_page, lobby_page
from grognard.fronts.web.rooms import LINK, PERSON, Connection, Rooms, asks_odds, side_at
from grognard.fronts.web.visitors import WATCHER, Visitor, Visitors
from grognard.lexicon.catalogue import speak
from grognard.records import looks_on, read_named
from grognard.retelling.moments import Course
from grognard.retelling.page import page_of
from runtime.errors import ArgumentError, GrognardError

if TYPE_CHECKING:
    from grognard.fronts.web.accounts import Accounts
    from grognard.fronts.web.notices import Notices

_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
#: Seconds in which what happens is told at once, and after which a page without a socket is told
#: that nothing has.
TOGETHER, _POLL = 0.04, 25.0
#: How pages look, those that strangers see too.
_STYLES: Final = frozenset({"/static/board/page.css", "/static/lobby.css"})


class Server:
    """What the routes share."""

    def __init__(
        self,
        rooms: Rooms,
        visitors: Visitors,
        cookie: str,
        report: Report,
        address: str,
        accounts: Accounts | None,
        notices: Notices | None,
    ) -> None:
        self.rooms, self.visitors, self.cookie, self.report = rooms, visitors, cookie, report
        self.address, self.accounts, self.notices = address, accounts, notices
        if notices is not None:
            rooms.followers.append(notices.follow)
        #: pictures are drawn one by one: a lobby full of them keeps nobody from beginning a game
        self._drawing = asyncio.Semaphore(1)
        #: so are scenarios that were sent checked
        self._checking = asyncio.Semaphore(1)
        #: and odds worked out: whoever decides meanwhile, in whatever game, goes before
        self._foretelling = asyncio.Semaphore(1)

    # ------------------------------------------------------------------ pages

    async def offer(self, request: Request) -> Response:
        """A link that is opened, which changes nothing yet: programs look at links in letters."""
        return with_form(enter_page(language_in(request)))

    async def enter(self, request: Request) -> Response:
        """A link that is followed: a browser that had none gets its secret."""
        known = request.cookies.get(self.cookie)
        entered = await run_in_threadpool(self.visitors.enter, request.path_params["key"], known)
        if entered is None:
            words = words_for(request)
            wrong = words("This link has been followed before, or is too old.")
            return error_page(request, wrong, words("Whoever sent it can send a new one."), 403)
        to = "/"
        if entered.game:
            to = f"/game/{quote(entered.game)}?seat={quote(entered.seat or 'none')}"
        reply = RedirectResponse(to, 303)
        if entered.secret is not None:
            with_secret(reply, self.cookie, entered.secret, self.address)
        return reply

    async def lobby(self, request: Request) -> Response:
        return page_response(lobby_page(language_in(request)))

    async def lobby_data(self, request: Request) -> Response:
        def data() -> dict[str, Any]:
            visitor, language = visitor_of(request), language_in(request)
            seats, begins = self.visitors.games(visitor), self.may_begin(visitor)
            if visitor.host:
                told = lobby.lobby(self.rooms, seats, language)
            else:
                over = self.visitors.finished_games(visitor)
                told = lobby.guests_lobby(self.rooms, seats, over, begins, language)
            begun, times = self._games_begun(visitor), clock_data(self.rooms.store.database)
            for game in told["games"]:
                game["clock"] = clock = times.get(game["name"])
                if clock is not None and clock["late"]:
                    game["turn"], game["decides"] = False, ""
                game["own"] = visitor.host or game["name"] in begun
            account = None if self.accounts is None else visitor.name
            return {**told, "account": account, "begins": begins}

        return JSONResponse(await run_in_threadpool(data))

    async def picture(self, request: Request) -> Response:
        async with self._drawing:
            drawn = await run_in_threadpool(
                lobby.picture, request.path_params["scenario"], language_in(request)
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
            return page_response(game_page(language_in(request)))
        path = await run_in_threadpool(lobby.finished_record, name)
        if path is None or not await run_in_threadpool(self._had_seat, request, path.stem):
            raise no_game(request)
        return RedirectResponse(f"/replay/{quote(path.stem)}", 303)

    async def replay(self, request: Request) -> Response:
        def page() -> str:
            wanted = request.path_params["name"]
            path = next((path for path in lobby.finished_records() if path.stem == wanted), None)
            if path is None or not self._had_seat(request, wanted):
                raise no_game(request)
            source = read_named(path)
            opened, game = source.open()
            speak(game, language_in(request))
            art = [one.with_base("") for one in self.rooms.art]  # the page holds all that it shows
            course = Course(game, Scene.of_game(game, opened.style(art)), looks_on(game, None))
            return page_of(course, source.record)

        # what it may do, the page says itself
        headers = {"Content-Security-Policy": "frame-ancestors 'none'"}
        return HTMLResponse(await run_in_threadpool(page), headers=headers)

    # ------------------------------------------------------------------ games

    async def begin(self, request: Request) -> Response:
        """A new game: ``{"scenario": name, "players": {side: who}, "clock": limit}``; the reply has
        a link for each side that is played by one.
        """
        asked = await json_of(request)
        scenario, players = asked.get("scenario"), asked.get("players", {})
        if not isinstance(scenario, str) or not isinstance(players, dict):
            raise ArgumentError("a game needs a scenario and its players")

        visitor, words, limit = (
            visitor_of(request),
            words_for(request),
            Limit.of(asked.get("clock")),
        )

        def begun() -> tuple[str, dict[str, str]]:
            file = lobby.scenario_file(scenario)
            owner = self.accounts if visitor.account is not None else None
            if owner is not None:
                owner.check_game_limit(visitor, words)
            person = PERSON if owner is None else LINK  # he sits there by his account
            room = self.rooms.begin(file, players, language_in(request), person, limit)
            away = [side for side, who in room.kept.players.items() if players.get(side) == LINK]
            if owner is not None:
                own = [side for side, who in room.kept.players.items() if who == LINK]
                # who plays no side looks on: his lobby has the game, to make links and remove it
                owner.note_begun(visitor, room.name, set(own) - set(away) or {WATCHER})
            return room.name, {side: self._seat_link(request, room.name, side) for side in away}

        name, links = await run_in_threadpool(begun)
        return JSONResponse({"game": name, "links": links}, 201)

    async def forget(self, request: Request) -> Response:
        name, visitor = request.path_params["name"], visitor_of(request)

        def forgotten() -> bool:
            own = self.accounts is not None and self.accounts.may_remove(visitor, name)
            if not visitor.host and not own:
                raise _only_host(request)
            return self.rooms.forget(name)

        if not await run_in_threadpool(forgotten):
            raise no_game(request)
        return Response(status_code=204)

    async def upload(self, request: Request) -> Response:
        """A scenario of one's own: checked, and kept where it has no errors."""
        content, language = await body_of(request), language_in(request)
        try:
            async with self._checking:
                # whose scenario never comes to an end, or takes all memory, stops nobody else
                with fail_after(bounds.CHECKING):
                    name, findings = await to_process.run_sync(
                        bounds.run_bounded,
                        lobby.take_in_scenario,
                        content,
                        language,
                        cancellable=True,
                    )
        except (TimeoutError, MemoryError, BrokenWorkerProcess):
            words = words_for(request)
            raise ArgumentError(
                words("The check of this scenario took too much time or memory, and was ended."),
                words("Make it smaller, or ask whoever wrote its rules."),
            ) from None
        told = {"scenario": name, "findings": findings}
        return JSONResponse(told, 201 if name else 422)

    async def link(self, request: Request) -> Response:
        """A link for another browser of a host."""
        key = await run_in_threadpool(self.visitors.link)
        return JSONResponse({"link": f"{self.address}/enter/{key}"})

    async def seat_link(self, request: Request) -> Response:
        """A new link for a seat, ``{"seat": side}``, or for those who look on, ``{"seat": ""}``."""
        name, seat = request.path_params["name"], (await json_of(request)).get("seat")

        def made() -> str:
            visitor = visitor_of(request)
            if not visitor.host and name not in self._games_begun(visitor):
                raise _only_host(request)
            kept = self.rooms.store.entry_named(name)
            if kept is None:
                raise no_game(request)
            if seat != WATCHER and kept.players.get(str(seat)) != LINK:
                raise ArgumentError(f"nobody plays '{short(str(seat))}' by a link")
            return self._seat_link(request, name, str(seat))

        return JSONResponse({"link": await run_in_threadpool(made)})

    def _seat_link(self, request: Request, game: str, seat: str) -> str:
        key = self.visitors.seat_link(game, seat)
        if key is None:
            raise no_game(request)
        room = self.rooms.open_room(game)
        if room is not None:
            room.notify()  # who had the link before is shut out at once
        return f"{self.address}/enter/{key}"

    # ------------------------------------------------------------------ who may see what

    def _games_begun(self, visitor: Visitor) -> frozenset[str]:
        """The games that the account has begun that is signed in."""
        return frozenset() if self.accounts is None else self.accounts.games_begun(visitor)

    def may_begin(self, visitor: Visitor) -> bool:
        """Whether a browser may begin games: a host's, or one that is signed in."""
        return visitor.host or (self.accounts is not None and visitor.account is not None)

    def _sides_played(self, asked: HTTPConnection, room: Room) -> frozenset[int] | None:
        """The sides that a browser plays; None where it has no seat in a room at all."""
        visitor, players = visitor_of(asked), room.kept.players
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
        visitor = visitor_of(asked)
        return visitor.host or record in self.visitors.finished_games(visitor)

    def _room(self, asked: HTTPConnection) -> Room | None:
        """The room that is asked for; None where it is not there for this browser."""
        name, visitor = asked.path_params["name"], visitor_of(asked)
        if not visitor.host and not self.visitors.seats(visitor, name):
            return None  # and nothing is opened
        return self.rooms.room(name, language_in(asked))

    # ------------------------------------------------------------------ at the table

    def _connection(self, asked: HTTPConnection) -> Connection:
        """The connection of a page that looks at a room from a seat.  HTTPException."""
        room = self._room(asked)
        people = None if room is None else self._sides_played(asked, room)
        if room is None or people is None:
            raise no_game(asked)
        side, clock = (
            side_at(room, people, asked.query_params.get("seat")),
            self.rooms.clocks.get(room),
        )
        return Connection(room, side, people, clock, visitor_of(asked).host)

    async def claim(self, request: Request) -> Response:
        """End a game, as the time is up of the side that is asked."""

        def claimed() -> bool:
            connection = self._connection(request)
            clock = self.rooms.clocks.get(connection.room)
            if clock is None or not connection.may_claim or not clock.claim():
                return False
            connection.room.close()  # and its pages come back
            return True

        if not await run_in_threadpool(claimed):
            words = words_for(request)
            raise HTTPException(409, words("Nobody's time is up here for you to claim."))
        return Response(status_code=204)

    async def ask(self, request: Request) -> Response:
        """One request of the protocol, for pages without a socket."""
        connection = await run_in_threadpool(self._connection, request)
        text = (await body_of(request)).decode("utf-8", "replace")
        async with self._foretelling if asks_odds(text) else nullcontext():
            reply = await run_in_threadpool(connection.receive, text)
        return Response(reply, media_type="application/json")

    async def news(self, request: Request) -> Response:
        """All that is to be seen, once the game has gone on beyond the version ``after``."""
        connection = await run_in_threadpool(self._connection, request)
        room, after = connection.room, request.query_params.get("after", "")
        with self._note_looking(request, room):
            return await self._news(connection, after)

    async def _news(self, connection: Connection, after: str) -> Response:
        room = connection.room
        async with listening(room) as news:
            if after == str(room.table.version):
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), _POLL)
        if after == str(room.table.version):
            return Response(status_code=204)
        return Response(
            await run_in_threadpool(connection.full_show), media_type="application/json"
        )

    async def live(self, socket: WebSocket) -> None:
        """What happens, as it happens, and requests of the protocol."""
        try:
            connection = await run_in_threadpool(self._connection, socket)
        except (HTTPException, GrognardError):
            await socket.close(1008)
            return
        await socket.accept()
        with self._note_looking(socket, connection.room):
            await self._live(socket, connection)

    def _note_looking(self, asked: HTTPConnection, room: Room) -> AbstractContextManager[None]:
        """A page looks at a room meanwhile: who is there is sent no notices."""
        account = visitor_of(asked).account
        if self.notices is None or account is None:
            return nullcontext()
        return self.notices.note_looking(room.name, account)

    async def _live(self, socket: WebSocket, connection: Connection) -> None:
        async with listening(connection.room) as news, create_task_group() as both:

            async def until_it_ends(work: Awaitable[None]) -> None:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await work
                both.cancel_scope.cancel()

            odds: asyncio.Queue[str] = asyncio.Queue(1)
            both.start_soon(until_it_ends, self._tell(socket, connection, news))
            both.start_soon(until_it_ends, self._answer(socket, connection, odds))
            both.start_soon(until_it_ends, self._foretell(socket, connection, odds))
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1012)  # the page comes back, to the game as it is then

    async def _say(
        self, socket: WebSocket, connection: Connection, what: Callable[[], str]
    ) -> None:
        """Send what comes of a call; of a fault of the program, where its report is.  Who has lost
        his seat meanwhile hears nothing more.
        """

        def said() -> str | None:
            people = self._sides_played(socket, connection.room)
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
        await self._say(socket, connection, connection.full_show)
        while not connection.room.closed:
            await news.wait()
            await asyncio.sleep(TOGETHER)
            news.clear()
            if not connection.room.closed:
                await self._say(socket, connection, connection.news)

    async def _answer(
        self, socket: WebSocket, connection: Connection, odds: asyncio.Queue[str]
    ) -> None:
        """Reply to requests in order, but for those for *odds*: nothing waits for these."""
        while True:
            text = await text_from(socket)
            if asks_odds(text):
                await odds.put(text)
            else:
                await self._say(socket, connection, partial(connection.receive, text))

    async def _foretell(
        self, socket: WebSocket, connection: Connection, odds: asyncio.Queue[str]
    ) -> None:
        while True:
            receive = partial(connection.receive, await odds.get())
            async with self._foretelling:
                await self._say(socket, connection, receive)

    # ------------------------------------------------------------------ what goes wrong

    async def report_refusal(self, request: Request, error: Exception) -> Response:
        """What the library says of what it was given."""
        assert isinstance(error, GrognardError)
        return error_page(request, error.message, error.remedy, 400)

    async def report_unknown(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return error_page(request, error.detail, "", error.status_code)

    async def report_failure(self, request: Request, error: Exception) -> Response:
        """A fault of the program: reported in a file, and told without its insides."""
        return error_page(request, self.report(error), "", 500)


def app(
    rooms: Rooms,
    visitors: Visitors,
    hosts: Callable[[str], bool],
    cookie: str,
    report: Report,
    address: str,
    accounts: Accounts | None = None,
    notices: Notices | None = None,
    refusals: Refusals | None = None,
) -> Starlette:
    """The application; *hosts* says which names it answers to, each with its port; links lead to
    the *address*.  With *accounts* people can have some, which get *notices*.  What is refused, the
    *refusals* hear of.
    """
    server = Server(rooms, visitors, cookie, report, address, accounts, notices)
    doors = None if accounts is None else AccountPages(accounts, notices, cookie, address)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        if notices is not None:
            notices.close()
        await run_in_threadpool(rooms.close)

    def route(path: str, endpoint: _Endpoint, method: str) -> Route:
        return Route(path, endpoint, methods=[method])

    def kept_route(
        path: str, endpoint: _Endpoint, method: str, may: Callable[[Visitor], bool]
    ) -> Route:
        async def asked(request: Request) -> Response:
            if not may(visitor_of(request)):
                raise _only_host(request)
            return await endpoint(request)

        return Route(path, asked, methods=[method])

    def hosts_route(path: str, endpoint: _Endpoint, method: str) -> Route:
        return kept_route(path, endpoint, method, lambda visitor: visitor.host)

    def players_route(path: str, endpoint: _Endpoint, method: str) -> Route:
        return kept_route(path, endpoint, method, server.may_begin)

    return Starlette(
        routes=[
            route("/", server.lobby, "GET"),
            route("/enter/{key}", server.offer, "GET"),
            route("/enter/{key}", server.enter, "POST"),
            route("/lobby.json", server.lobby_data, "GET"),
            players_route("/picture/{scenario:path}.svg", server.picture, "GET"),
            route("/art/{number:int}/{file:path}", server.art, "GET"),
            hosts_route("/links", server.link, "POST"),
            hosts_route("/scenarios", server.upload, "POST"),
            players_route("/games", server.begin, "POST"),
            players_route("/games/{name}", server.forget, "DELETE"),
            players_route("/games/{name}/links", server.seat_link, "POST"),
            route("/game/{name}", server.game, "GET"),
            route("/game/{name}/live", server.ask, "POST"),
            route("/game/{name}/news", server.news, "GET"),
            route("/game/{name}/claim", server.claim, "POST"),
            WebSocketRoute("/game/{name}/live", server.live),
            route("/replay/{name}", server.replay, "GET"),
            *(doors.routes if doors is not None else ()),
            Mount("/static/board", StaticFiles(packages=[("grognard.retelling", "page")])),
            Mount("/static", StaticFiles(packages=[("grognard.fronts.web", "page")])),
        ],
        middleware=[
            Middleware(
                Guard,
                visitors=visitors,
                hosts=hosts,
                cookie=cookie,
                open=_STYLES if doors is None else _STYLES | OPEN,
                door=None if doors is None else doors.lead_to_door,
                refusals=refusals,
            ),
            Middleware(GZipMiddleware),
        ],
        exception_handlers={
            GrognardError: server.report_refusal,
            HTTPException: server.report_unknown,
            Exception: server.report_failure,
        },
        lifespan=lifespan,
    )


def _only_host(request: Request) -> HTTPException:
    words = words_for(request)
    return HTTPException(403, words("Only the host may do that."))


async def text_from(socket: WebSocket) -> str:
    """The next message; WebSocketDisconnect where the page has gone, or sends no text."""
    try:
        return await socket.receive_text()
    except KeyError:  # bytes
        await socket.close(1003)
        raise WebSocketDisconnect(1003) from None


@asynccontextmanager
async def listening(room: Room) -> AsyncIterator[asyncio.Event]:
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
