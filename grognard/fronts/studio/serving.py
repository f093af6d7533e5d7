"""The server of the studio: its page, the table beside it, and the way to the language server; for
one author, on his own machine.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from secrets import compare_digest, token_urlsafe
from typing import Any, Final

import jinja2
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from dsl.language import declaration_words, keywords, statement_words
from grognard.fronts.lsp.server import Server
from grognard.fronts.room import Report
from grognard.fronts.studio import setting_up
from grognard.fronts.studio.at_table import TablePage
from grognard.fronts.studio.language_socket import LanguageSocket
from grognard.fronts.studio.page_requests import answer_about_files, answer_about_game
from grognard.fronts.studio.reach_counter import ReachCounter
from grognard.fronts.studio.sources import Sources
from grognard.fronts.studio.workshop import Workshop
from grognard.fronts.web.exchange import with_secret
from grognard.fronts.web.guard import Guard
from grognard.fronts.web.page_words import studio_words
from grognard.fronts.web.pages import forward_page, game_page, imports
from grognard.fronts.web.visitors import Visitor
from grognard.lexicon.catalogue import Words, choose_language, words_in
from grognard.retelling.page import UNSAFE, digest

#: Where the page of the game is, which a frame of the studio shows.
GAME: Final = "/game/studio"
_IMPORTS: Final = imports("/static/", "studio/way.js")
#: What pages may do: run this server's scripts, talk to it, and no more.
_POLICY: Final = (
    f"default-src 'none'; script-src 'self' '{digest(_IMPORTS)}'; "
    "style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; "
)
_PAGE: Final = _POLICY + "frame-src 'self'; frame-ancestors 'none'"
#: What only pages of the studio may show in a frame.
_FRAMED: Final = {
    "Content-Security-Policy": _POLICY + "frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
}


class Author:
    """Who is let in: whoever follows the link that has the *key*."""

    def __init__(self) -> None:
        self.key, self._secret = token_urlsafe(24), token_urlsafe(32)

    def enter(self, key: str) -> str | None:
        """The secret for the browser that follows a link with a key; None where that is another."""
        return self._secret if compare_digest(key.encode(), self.key.encode()) else None

    def visitor(self, secret: str | None) -> Visitor | None:
        """The author, where a browser has the secret."""
        known = secret is not None and compare_digest(secret.encode(), self._secret.encode())
        return Visitor("author", True) if known else None


class Studio:
    """What the routes share: the *server* of the language; the *workshop*, which has the game."""

    def __init__(
        self,
        server: Server,
        workshop: Workshop,
        author: Author,
        cookie: str,
        report: Report,
        address: str,
    ) -> None:
        self.server, self.workshop, self.author = server, workshop, author
        self.cookie, self.report, self.address = cookie, report, address
        self.language = choose_language(None)
        self.socket = LanguageSocket(server)
        answer_about_files(server, workshop, Sources(server.desk, workshop.folder), GAME)
        answer_about_game(server, workshop)
        ReachCounter(server, workshop)
        setting_up.register(server)

    # ------------------------------------------------------------------ pages

    async def enter(self, request: Request) -> Response:
        """A link that is followed."""
        secret = self.author.enter(request.path_params["key"])
        if secret is None:
            raise HTTPException(403, _stranger(words_in(self.language)))
        # the page goes on by itself: one that another site has led here is given no strict cookie
        reply = HTMLResponse(forward_page(self.language, "/"))
        reply.headers["Content-Security-Policy"] = _PAGE
        with_secret(reply, self.cookie, secret, self.address)
        return reply

    async def page(self, request: Request) -> Response:
        """The studio."""
        nonce = token_urlsafe(18)  # of the styles that the editor makes itself
        page = studio_page(self.language, self.workshop.folder.name, nonce)
        policy = _PAGE.replace("style-src", f"style-src 'nonce-{nonce}'")
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    async def game(self, request: Request) -> Response:
        """The page of the game."""
        ways = {"lobby": "", "static": "/static/", "imports": _IMPORTS, "policy": ""}
        return HTMLResponse(game_page(self.language, ways), headers=_FRAMED)

    async def live(self, socket: WebSocket) -> None:
        """What happens in the game, and what is answered."""
        if self.workshop.game_room is None:
            await socket.close(1008)
        else:
            await TablePage(socket, self.workshop, self.report).talk()

    async def talk(self, socket: WebSocket) -> None:
        """What the page and the language server tell each other."""
        await self.socket.talk(socket)

    async def report_failure(self, request: Request, error: Exception) -> Response:
        """A fault of the program: reported in a file, and told without its insides."""
        return Response(self.report(error), 500, media_type="text/plain")


def studio(
    server: Server,
    workshop: Workshop,
    author: Author,
    hosts: Callable[[str], bool],
    cookie: str,
    report: Report,
    address: str,
) -> Starlette:
    """The application; *hosts* says which names it answers to, each with its port."""
    made = Studio(server, workshop, author, cookie, report, address)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(workshop.close)
        server.counting.close()

    return Starlette(
        routes=[
            Route("/", made.page),
            Route("/enter/{key}", made.enter),
            Route(GAME, made.game),
            WebSocketRoute(f"{GAME}/live", made.live),
            WebSocketRoute("/language", made.talk),
            Mount("/static/board", StaticFiles(packages=[("grognard.retelling", "page")])),
            Mount("/static/studio", StaticFiles(packages=[("grognard.fronts.studio", "page")])),
            Mount("/static", StaticFiles(packages=[("grognard.fronts.web", "page")])),
        ],
        middleware=[
            Middleware(Guard, visitors=author, hosts=hosts, cookie=cookie, stranger=_stranger),
            Middleware(GZipMiddleware),
        ],
        exception_handlers={Exception: made.report_failure},
        lifespan=lifespan,
    )


def _stranger(words: Words) -> str:
    return words("Open the link that `grognard studio` has printed; it lets this browser in.")


@cache
def _template() -> jinja2.Template:
    text = files(__package__).joinpath("page", "studio.html.j2").read_text(encoding="utf-8")
    made = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return made.from_string(text)


def studio_page(language: str, ruleset: str, nonce: str) -> str:
    """The page of the studio for a *ruleset*; its policy names the *nonce*."""
    return _template().render(
        language=language,
        title=ruleset,
        nonce=nonce,
        words=_data(studio_words(language)),
        keywords=_data(_keywords()),
        imports=Markup(_IMPORTS),
    )


def _data(what: Any) -> Markup:
    """What a page holds as JSON."""
    return Markup(json.dumps(what, ensure_ascii=False).translate(UNSAFE))


def _keywords() -> dict[str, list[str]]:
    """The words of the language, as the editor colours them."""
    declare = declaration_words()
    control = statement_words() | {"else", "then"}
    groups = {"other": keywords(), "control": control - declare, "declare": declare}
    return {kind: sorted(words) for kind, words in groups.items()}
