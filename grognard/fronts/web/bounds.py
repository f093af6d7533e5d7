"""How much is taken from whom: requests in a minute, sockets at once, time to ask, work."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from time import process_time
from typing import Any, Final, ParamSpec, TypeVar

import h11
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from uvicorn.protocols.http.h11_impl import H11Protocol

_P = ParamSpec("_P")
_R = TypeVar("_R")
#: How often an address may ask for what links lead to, and a browser for changes.
ENTERING: Final = parse("60/minute")
CHANGING: Final = parse("300/minute")
#: How often an address may try passwords and make accounts, and the password of a name be tried.
SIGNING_IN: Final = parse("20/minute")
SIGNING_UP: Final = parse("20/hour")
OF_A_NAME: Final = parse("10/10minute")
#: How often an account may have an address asked, and an address be asked.
ASKING: Final = parse("5/hour")
#: How many refusals of a kind are told in the log.
TOLD: Final = parse("20/minute")
#: Sockets of one browser at once.
_SOCKETS: Final = 30
#: Seconds after which what has been begun to be asked has to be there.
_PATIENCE: Final = 15.0
#: Seconds that a scenario which was sent may be checked, and how much memory that may take.
CHECKING: Final = 60.0
_MEMORY: Final = 2 * 1024**3


class Pace:
    """Who has asked how often, and has how many sockets open, in this process."""

    def __init__(self) -> None:
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._sockets: Counter[str] = Counter()

    def may_ask(self, rate: RateLimitItem, who: str) -> bool:
        """Whether somebody may ask now; it counts as asked."""
        return self._limiter.hit(rate, who)

    def open_socket(self, browser: str) -> bool:
        """Whether a browser may open another socket; then it is open until :meth:`close_socket`."""
        if self._sockets[browser] >= _SOCKETS:
            return False
        self._sockets[browser] += 1
        return True

    def close_socket(self, browser: str) -> None:
        """A socket of a browser is open no more."""
        self._sockets[browser] -= 1
        if not self._sockets[browser]:
            del self._sockets[browser]


class ImpatientProtocol(H11Protocol):
    """HTTP that hangs up on who connects and does not ask, or does not finish what he asks.

    *refused* hears the address of each, and why.
    """

    def __init__(
        self, *args: Any, refused: Callable[[str, str], None] = lambda *_: None, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self._refused = refused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection is there."""
        super().connection_made(transport)
        self._wait()

    def _wait(self) -> None:
        self.loop.call_later(_PATIENCE, self._look, self.cycle)

    def _look(self, before: object) -> None:
        """Hang up where since the request of *before* no other has come, or not all of it."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        comes = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        # who has got his reply and asks nothing more is hung up on by the library
        if comes and self.cycle is before and self.timeout_keep_alive_task is None:
            address = self.client[0] if self.client is not None else "somebody"
            self._refused(address, f"half a request, and no more in {_PATIENCE:.0f} s")
            self.transport.close()
        else:
            self._wait()


def run_bounded(work: Callable[_P, _R], *args: _P.args, **named: _P.kwargs) -> _R:
    """What *work* returns, in a process that does it for another; it takes no more time and memory
    than a check may, even where nobody is left to end it.
    """
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + CHECKING), most))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, most))
    return work(*args, **named)


def allow_many_files() -> None:
    """Let this process have as many connections open as the system allows."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
