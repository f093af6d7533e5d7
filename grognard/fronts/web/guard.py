"""Who is let in: browsers that know a secret, and pages of this server alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from grognard.database import NotKept
from grognard.files import short
from grognard.fronts.web.bounds import CHANGING, ENTERING, TOLD, Pace
from grognard.fronts.web.language import language_of
from grognard.fronts.web.visitors import Visitor
from grognard.lexicon.catalogue import Words, words_in

#: What every reply says.
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
#: How sockets end that bring what no page sends, or are refused (RFC 6455).
_REFUSED: Final = frozenset({1003, 1007, 1008, 1009, 1013})


class VisitorRegistry(Protocol):
    """Knows who has been let in, by the secrets of their browsers."""

    def visitor(self, secret: str | None) -> Visitor | None:
        """The browser with this secret; None where none has been let in."""


def _stranger(words: Words) -> str:
    return words(
        "This browser has not been let in. Open the link that you were sent, or the one that "
        "`grognard serve` has printed (it works once); a host finds others in his lobby."
    )


class Refusals:
    """Tells a *log* who was refused what; of too many of a kind in a minute, how many they were."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log, self._pace = log, Pace()
        self._untold: Counter[str] = Counter()

    def tell(self, address: str, what: str, kind: str = "") -> None:
        """Somebody at an address was refused, and *what*, which is of a *kind*."""
        if not self._pace.may_ask(TOLD, kind):
            self._untold[kind] += 1
            return
        untold = self._untold.pop(kind, 0)
        more = f" (and {untold} more like it before)" if untold else ""
        self._log(f"{short(address)} was refused: {what}{more}")

    def wrap(self, scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
        """The same, of which is told what is refused; links are secrets, and are not told."""

        def tell(status: int) -> None:
            path = "/enter/…" if scope["path"].startswith("/enter/") else short(scope["path"])
            origin = Headers(scope=scope).get("origin")
            told = f"{scope.get('method', 'socket')} {path}: {status}"
            told += f", from {short(origin)}" if origin else ""
            self.tell((scope.get("client") or ("somebody",))[0], told, str(status))

        async def received() -> Message:
            message = await receive()
            if message["type"] == "websocket.disconnect" and message.get("code") in _REFUSED:
                tell(message["code"])
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and 400 <= message["status"] < 500:
                tell(message["status"])
            elif message["type"] == "websocket.close" and message.get("code") in _REFUSED:
                tell(message["code"])
            await send(message)

        return received, sent


class Guard:
    """Lets in requests to a name that is among this server's *hosts*, of *visitors* that it knows,
    and, where they change something or stay open, from its own pages.  Who asks stands in the
    scope, as ``visitor``: None for a stranger, who may come to the paths that are *open*.  Whoever
    asks for another page is led to the *door*, where there is one; else is told as *stranger* says.
    What is refused, by the application too, the *refusals* hear of.
    """

    def __init__(
        self,
        app: ASGIApp,
        visitors: VisitorRegistry,
        hosts: Callable[[str], bool],
        cookie: str,
        open: Collection[str] = (),
        door: Callable[[Scope], Response] | None = None,
        stranger: Callable[[Words], str] = _stranger,
        refusals: Refusals | None = None,
    ) -> None:
        self.app, self.visitors, self.hosts, self.cookie = app, visitors, hosts, cookie
        self.open, self.door, self.stranger = open, door, stranger
        self.refusals, self.pace = refusals, Pace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.refusals is not None:
            receive, send = self.refusals.wrap(scope, receive, send)
        headers = Headers(scope=scope)
        words = words_in(language_of(headers.get("accept-language", "")))
        status, refusal = await run_in_threadpool(self._refusal, scope, headers, words)
        if not refusal and scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif not refusal:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await WebSocketClose(code=1008)(scope, receive, send)
        elif self.door is not None and scope.get("visitor", self) is None and _a_page(headers):
            await self.door(scope)(scope, receive, _with_headers(send))
        else:
            await PlainTextResponse(f"{refusal}\n", status)(scope, receive, _with_headers(send))

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        browser = scope["visitor"].browser
        if not self.pace.open_socket(browser):
            await WebSocketClose(code=1013)(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.pace.close_socket(browser)

    def _refusal(self, scope: Scope, headers: Headers, words: Words) -> tuple[int, str]:
        """Why a request is not let in, with the status of the reply; nothing where it is."""
        host = headers.get("host", "")
        if not self.hosts(host):
            return 403, words("This server does not answer to that name.")
        own = headers.get("origin") in (f"http://{host}", f"https://{host}")
        if (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")) and not own:
            return 403, words("Only pages of this server may ask for that.")
        busy = 429, words("Too much is asked at once. Try again in a minute.")
        if scope["path"].startswith("/enter/"):
            address = (scope.get("client") or ("",))[0]
            return (0, "") if self.pace.may_ask(ENTERING, address) else busy
        try:
            scope["visitor"] = self.visitors.visitor(_cookie(headers, self.cookie))
        except NotKept as error:
            return 503, str(error)
        if scope["visitor"] is not None:
            changes = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
            if changes and not self.pace.may_ask(CHANGING, scope["visitor"].browser):
                return busy
            return 0, ""
        if scope["type"] == "http" and scope["path"] in self.open:
            return 0, ""
        return 403, self.stranger(words)


def _a_page(headers: Headers) -> bool:
    return "text/html" in headers.get("accept", "")


def _cookie(headers: Headers, name: str) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=_scope(message))
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


def _scope(message: Message) -> MutableMapping[str, Any]:
    message.setdefault("headers", [])
    return message
