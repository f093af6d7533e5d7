"""The pages on which one signs in and out, makes an account and changes its password."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from grognard.fronts.web.bounds import ASKING, ENTERING, OF_A_NAME, SIGNING_IN, SIGNING_UP, Pace
from grognard.fronts.web.exchange import (
    caller_of,
    form_of,
    language_in,
    page_response,
    visitor_of,
    with_form,
    with_secret,
    words_for,
)
from grognard.fronts.web.mail import is_address
from grognard.fronts.web.pages import (
    account_page,
    confirm_page,
    forgotten_page,
    forward_page,
    recover_page,
    sign_in_page,
)
from grognard.fronts.web.visitors import Visitor
from runtime.errors import ArgumentError

if TYPE_CHECKING:
    from grognard.fronts.web.accounts import Accounts
    from grognard.fronts.web.notices import Notices

_T = TypeVar("_T")
#: What strangers may ask for.
OPEN: Final = frozenset({"/sign-in", "/sign-up", "/confirm", "/forgotten", "/recover"})
#: Where one may be led when one has signed in.
_PLACES: Final = re.compile(r"/(game|replay)/[\w%.~-]+(\?seat=[\w%.~-]+)?", re.ASCII)
#: How many passwords are hashed at once.
_AT_ONCE: Final = 2


class AccountPages:
    """What the routes share; *cookie* holds the secrets of browsers that reach the server at an
    *address*.
    """

    def __init__(
        self, accounts: Accounts, notices: Notices | None, cookie: str, address: str
    ) -> None:
        self.accounts, self.notices = accounts, notices
        self.cookie, self.address = cookie, address
        self.pace = Pace()
        self._hashing = CapacityLimiter(_AT_ONCE)

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("/sign-in", self.door, methods=["GET"]),
            Route("/sign-in", self.sign_in, methods=["POST"]),
            Route("/sign-up", self.door, methods=["GET"]),
            Route("/sign-up", self.sign_up, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            Route("/account", self.account, methods=["GET"]),
            Route("/account/password", self.change_password, methods=["POST"]),
            *(() if self.notices is None else self._notice_routes(self.notices)),
        ]

    def _notice_routes(self, notices: Notices) -> list[Route]:
        return [
            Route("/account/notices", partial(self.set_notices, notices), methods=["POST"]),
            Route("/confirm", partial(self.confirm, notices), methods=["GET", "POST"]),
            Route("/forgotten", partial(self.forgotten, notices), methods=["GET", "POST"]),
            Route("/recover", self.recover, methods=["GET", "POST"]),
        ]

    def lead_to_door(self, scope: Scope) -> Response:
        """What a stranger sees who asks for a page: one that leads to where he signs in, which
        shows whether he has a cookie that was not sent as another site has led him here.
        """
        query = scope["query_string"].decode("ascii", "replace")
        to = scope["path"] + (f"?{query}" if query else "")
        where = f"/sign-in?to={quote(to)}" if _PLACES.fullmatch(to) else "/sign-in"
        return page_response(forward_page(language_in(Request(scope)), where))

    async def door(self, request: Request) -> Response:
        """The page on which one signs in; whoever need not is led on."""
        to, visitor = _place(request.query_params), caller_of(request)
        if visitor is not None and (visitor.account is not None or to != "/"):
            return RedirectResponse(to, 303)
        return with_form(sign_in_page(language_in(request), to, self.notices is not None))

    async def sign_in(self, request: Request) -> Response:
        """A name and a password."""
        form, words = await form_of(request), words_for(request)
        name = form.get("name", "")
        if not self._may_try(request, name):
            return self._refusal_page(
                request, form, words("Too many tries. Wait some minutes."), 429
            )
        call = partial(self.accounts.sign_in, name, form.get("password", ""), caller_of(request))
        secret = await self._hash(call)
        if secret is None:
            wrong = words("There is no such name with this password.")
            return self._refusal_page(request, form, wrong, 403)
        return self._signed_in_response(secret, _place(form))

    async def sign_up(self, request: Request) -> Response:
        """A new account."""
        form, words = await form_of(request), words_for(request)
        if not self.pace.may_ask(SIGNING_UP, f"up {_address(request)}"):
            return self._refusal_page(
                request, form, words("Too many tries. Wait some minutes."), 429
            )
        name, password = form.get("name", ""), form.get("password", "")
        call = partial(self.accounts.sign_up, name, password, caller_of(request), words)
        try:
            secret = await self._hash(call)
        except ArgumentError as error:
            return self._refusal_page(request, form, error.message, 400)
        return self._signed_in_response(secret, _place(form))

    async def sign_out(self, request: Request) -> Response:
        """This browser is no more that of the account."""
        visitor = visitor_of(request)
        if visitor.account is None:
            return RedirectResponse("/", 303)
        secret = await to_thread.run_sync(self.accounts.sign_out, visitor)
        if secret is not None:
            return self._signed_in_response(secret, "/")
        reply = RedirectResponse("/sign-in", 303)
        reply.delete_cookie(self.cookie, path="/", httponly=True, samesite="strict")
        return reply

    async def account(self, request: Request) -> Response:
        """The page of the account that is signed in."""
        visitor = caller_of(request)
        if visitor is None or visitor.account is None:
            return RedirectResponse("/sign-in", 303)
        words = words_for(request)
        done = words("The password is changed.") if "changed" in request.query_params else ""
        return await self._account_page(request, visitor, done=done)

    async def set_notices(self, notices: Notices, request: Request) -> Response:
        """An address for notices; none ends them."""
        form, words, visitor = (
            await form_of(request),
            words_for(request),
            caller_of(request),
        )
        if visitor is None or visitor.account is None:
            return RedirectResponse("/sign-in", 303)
        page = partial(self._account_page, request, visitor)
        address, password = form.get("address", "").strip(), form.get("password", "")
        known = await to_thread.run_sync(notices.address, visitor.account)
        if not address:
            await to_thread.run_sync(notices.end, visitor.account)
        elif not is_address(address):
            return await page(400, wrong=words("That is no address of mail."))
        elif known != (address, True):
            too_often = words("Too many tries. Wait some minutes.")
            if not self.pace.may_ask(OF_A_NAME, f"own {visitor.account}"):
                return await page(429, wrong=too_often)
            # whoever gets mail there can have a new password
            if not await self._hash(partial(self.accounts.knows_password, visitor, password)):
                return await page(403, wrong=words("That is not the password until now."))
            asked = (f"by {visitor.account}", f"at {address.casefold()}")
            if not all(self.pace.may_ask(ASKING, who) for who in asked):
                return await page(429, wrong=too_often)
            language = language_in(request)
            await to_thread.run_sync(notices.ask, visitor.account, address, language)
        return RedirectResponse("/account", 303)

    async def confirm(self, notices: Notices, request: Request) -> Response:
        """Somebody has followed the link that he was sent, and agrees there: a program that looks
        at links in mails does not.
        """
        if request.method != "POST":
            key = request.query_params.get("key", "")
            return with_form(confirm_page(language_in(request), key, False))
        words, key = words_for(request), (await form_of(request)).get("key", "")
        if not self.pace.may_ask(ENTERING, f"confirm {_address(request)}"):
            raise HTTPException(429, words("Too many tries. Wait some minutes."))
        if not await to_thread.run_sync(notices.confirm, key):
            raise HTTPException(403, words("This link has been followed before, or is too old."))
        return with_form(confirm_page(language_in(request), "", True))

    async def forgotten(self, notices: Notices, request: Request) -> Response:
        """Somebody has forgotten his password: a link to a new one is sent, if it can be."""
        language = language_in(request)
        if request.method != "POST":
            return with_form(forgotten_page(language))
        name = (await form_of(request)).get("name", "")
        by_address = self.pace.may_ask(SIGNING_IN, f"forgotten {_address(request)}")
        whose = f"forgotten {self.accounts.pace_key(name)}"
        if not by_address or not self.pace.may_ask(ASKING, whose):
            wrong = words_for(request)("Too many tries. Wait some minutes.")
            return with_form(forgotten_page(language, wrong), 429)
        notices.recover(self.accounts, name)
        return with_form(forgotten_page(language, asked=True))

    async def recover(self, request: Request) -> Response:
        """A new password, from whoever got the link by mail; that it is followed changes nothing:
        programs look at links in mails.
        """
        language, words = language_in(request), words_for(request)
        if request.method != "POST":
            return with_form(recover_page(language, request.query_params.get("key", "")))
        form = await form_of(request)
        key, new = form.get("key", ""), form.get("new", "")
        if not self.pace.may_ask(ENTERING, f"recover {_address(request)}"):
            raise HTTPException(429, words("Too many tries. Wait some minutes."))
        call = partial(self.accounts.recover, key, new, caller_of(request), words)
        try:
            secret = await self._hash(call)
        except ArgumentError as error:
            return with_form(recover_page(language, key, error.message), 400)
        if secret is None:
            wrong = words("This link has been followed before, or is too old.")
            return with_form(forgotten_page(language, wrong), 403)
        return self._signed_in_response(secret, "/account?changed")

    async def change_password(self, request: Request) -> Response:
        """A new password, from whoever knows the old one."""
        form, words, visitor = (
            await form_of(request),
            words_for(request),
            caller_of(request),
        )
        if visitor is None or visitor.account is None:
            return RedirectResponse("/sign-in", 303)
        page = partial(self._account_page, request, visitor)
        # a count of its own: who guesses at the door keeps nobody from changing his password
        if not self.pace.may_ask(OF_A_NAME, f"own {visitor.account}"):
            return await page(429, wrong=words("Too many tries. Wait some minutes."))
        old, new = form.get("old", ""), form.get("new", "")
        call = partial(self.accounts.change_password, visitor, old, new, words)
        try:
            secret = await self._hash(call)
        except ArgumentError as error:
            return await page(400, wrong=error.message)
        if secret is None:
            return await page(403, wrong=words("That is not the password until now."))
        return self._signed_in_response(secret, "/account?changed")

    # ------------------------------------------------------------------ what they share

    async def _account_page(
        self, request: Request, visitor: Visitor, status: int = 200, **told: str
    ) -> Response:
        """The page of the account of a visitor."""
        notices = None
        if self.notices is not None and visitor.account is not None:
            known = await to_thread.run_sync(self.notices.address, visitor.account)
            notices = known or ("", False)
        page = account_page(language_in(request), visitor.name, notices=notices, **told)
        return with_form(page, status)

    def _may_try(self, request: Request, name: str) -> bool:
        """Whether a password may be tried, from this address and for this name."""
        by_address = self.pace.may_ask(SIGNING_IN, f"in {_address(request)}")
        return by_address and self.pace.may_ask(OF_A_NAME, self.accounts.pace_key(name))

    async def _hash(self, call: Callable[[], _T]) -> _T:
        return await to_thread.run_sync(call, limiter=self._hashing)

    def _signed_in_response(self, secret: str, to: str) -> Response:
        reply = RedirectResponse(to, 303)
        with_secret(reply, self.cookie, secret, self.address)
        return reply

    def _refusal_page(
        self, request: Request, form: dict[str, str], wrong: str, status: int
    ) -> Response:
        name = form.get("name", "") if request.url.path == "/sign-in" else ""
        recovers = self.notices is not None
        page = sign_in_page(language_in(request), _place(form), recovers, name, wrong)
        return with_form(page, status)


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


def _place(form: QueryParams | dict[str, str]) -> str:
    """Where one is led then: to a game of this server, else to the lobby."""
    to = form.get("to", "")
    return to if _PLACES.fullmatch(to) else "/"
