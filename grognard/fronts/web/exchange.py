"""What routes have in common: who asks, in which language, what was sent, and how is replied."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from grognard.fronts.web.language import language_of
from grognard.fronts.web.pages import FORMS, POLICY, message_page
from grognard.fronts.web.visitors import Visitor
from grognard.lexicon.catalogue import Words, words_in

#: How large a request, and a scenario of one's own, may be.
_LARGEST: Final = 300_000
#: How many fields a form may have, and how large it may be: the time to compare the letters of a
#: name or a password grows with the square of their length.
_FIELDS: Final = 20
_FORM: Final = 8_000
#: How long a browser is remembered.
_YEAR: Final = 365 * 24 * 3600


def caller_of(asked: HTTPConnection) -> Visitor | None:
    """The browser that asks, None where it has not been let in."""
    visitor = asked.scope["visitor"]
    assert visitor is None or isinstance(visitor, Visitor)
    return visitor


def visitor_of(asked: HTTPConnection) -> Visitor:
    """The browser that the guard has let in."""
    visitor = caller_of(asked)
    assert visitor is not None
    return visitor


def language_in(asked: HTTPConnection) -> str:
    """The language of whoever asks."""
    return language_of(asked.headers.get("accept-language", ""))


def words_for(asked: HTTPConnection) -> Words:
    """The program's own words for whoever asks."""
    return words_in(language_in(asked))


# --------------------------------------------------------------------------- what is sent


async def body_of(request: Request, most: int = _LARGEST) -> bytes:
    """All that was sent.  HTTPException where that is more than *most* bytes."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > most:
            words = words_for(request)
            raise HTTPException(413, words("That is too large."))
    return content


async def json_of(request: Request) -> dict[str, Any]:
    """The object that was sent.  HTTPException where it is none."""
    try:
        read = json.loads(await body_of(request))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise HTTPException(400, "This is no JSON object.")
    return read


async def form_of(request: Request) -> dict[str, str]:
    """The fields of the form that was sent.  HTTPException where it is none."""
    content = (await body_of(request, _FORM)).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(content, keep_blank_values=True, max_num_fields=_FIELDS))
    except ValueError:
        raise HTTPException(400, "This is no form.") from None


# --------------------------------------------------------------------------- what is replied


def with_secret(reply: Response, cookie: str, secret: str, address: str) -> None:
    """Let the browser keep its secret; at an *address* with https it is sent over that alone."""
    reply.set_cookie(
        cookie,
        secret,
        max_age=_YEAR,
        httponly=True,
        samesite="strict",
        secure=address.startswith("https:"),
        path="/",
    )


def page_response(page: str, policy: str = POLICY, status: int = 200) -> Response:
    """A page, and what it may do."""
    return HTMLResponse(page, status, headers={"Content-Security-Policy": policy})


def with_form(page: str, status: int = 200) -> Response:
    """A page with forms."""
    reply = page_response(page, FORMS, status)
    # with the strict one browsers do not say that a form comes from a page of this server
    reply.headers["Referrer-Policy"] = "same-origin"
    return reply


def error_page(request: Request, message: str, remedy: str, status: int) -> Response:
    """What is wrong, as a page for whoever has asked for one."""
    if "text/html" in request.headers.get("accept", ""):
        return page_response(message_page(language_in(request), message, remedy), status=status)
    return JSONResponse({"message": message, "remedy": remedy}, status)


def no_game(asked: HTTPConnection) -> HTTPException:
    """There is no such game for this browser."""
    words = words_for(asked)
    if visitor_of(asked).host:
        return HTTPException(404, words("There is no such game."))
    message = words(
        "There is no such game for you here. Whoever sent you its link can send a new one."
    )
    return HTTPException(404, message)
