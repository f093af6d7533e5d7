"""A server for tests: in this process, or in one of its own, and browsers that know it."""

from __future__ import annotations

import json
import os
import re
import socket as sockets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from project import ROOT
from starlette.testclient import TestClient, WebSocketTestSession
from websockets.sync.client import ClientConnection, connect

from grognard.fronts.web.accounts import Accounts
from grognard.fronts.web.app import app
from grognard.fronts.web.guard import Refusals
from grognard.fronts.web.mail import Mail
from grognard.fronts.web.notices import Notices
from grognard.fronts.web.rooms import Rooms
from grognard.fronts.web.visitors import Visitors
from grognard.table.store import Store

HOST = "127.0.0.1:8137"
ADDRESS = f"http://{HOST}"
OWN = {"origin": ADDRESS}


class Served:
    """A server in this process, with the browser *own* that it has let in."""

    def __init__(
        self,
        place: Path | str | None = None,
        accounts: bool = False,
        mail: Mail | None = None,
        wait: float = 0.0,
    ) -> None:
        self.faults: list[Exception] = []
        store = Store(place)
        self.visitors = Visitors(store.database)
        self.rooms = Rooms(self._fault, store)
        self.logged: list[str] = []
        self.refused: list[str] = []
        notices = None
        if mail is not None:
            notices = Notices(store, mail, ADDRESS, self.logged.append, wait)
        self.app = app(
            self.rooms,
            self.visitors,
            lambda host: host == HOST,
            "known",
            self._fault,
            ADDRESS,
            Accounts(store.database) if accounts else None,
            notices,
            Refusals(self.refused.append),
        )
        self.own = self.browser()
        assert follow(self.own, f"/enter/{self.visitors.link()}").status_code == 200

    def _fault(self, error: Exception) -> str:
        self.faults.append(error)
        return "a fault"

    def browser(self, **more: Any) -> TestClient:
        """Another browser."""
        return TestClient(self.app, base_url=ADDRESS, raise_server_exceptions=False, **more)

    def begin(self, scenario: str, language: str = "en", **players: str) -> str:
        """The name of a new game."""
        reply = self.own.post(
            "/games",
            json={"scenario": scenario, "players": players},
            headers={**OWN, "accept-language": language},
        )
        assert reply.status_code == 201, reply.text
        return str(reply.json()["game"])

    def live(self, game: str, seat: str, **headers: str) -> WebSocketTestSession:
        """A page at a seat."""
        return socket(self.own, f"/game/{game}/live?seat={seat}", {**OWN, **headers})

    def ask(self, game: str, seat: str, **request: Any) -> dict[str, Any]:
        """The reply to a request of a page without a socket."""
        reply = self.own.post(f"/game/{game}/live?seat={seat}", json=request, headers=OWN)
        assert reply.status_code == 200, reply.text
        told: dict[str, Any] = reply.json()
        return told


def follow(browser: TestClient, link: str, **headers: str) -> Any:
    """The page to which a link leads a browser."""
    assert browser.get(link).status_code == 200
    return browser.post(link, headers={**OWN, **headers})


def socket(browser: TestClient, path: str, headers: dict[str, str]) -> WebSocketTestSession:
    """A socket of a browser."""
    return browser.websocket_connect(f"ws://{HOST}{path}", headers=headers)


def until(page: WebSocketTestSession, wanted: Any) -> dict[str, Any]:
    """The first message for which something holds."""
    for _ in range(200):
        message: dict[str, Any] = page.receive_json()
        if wanted(message):
            return message
    raise AssertionError("it does not come")


# ------------------------------------------------------------------ a process of its own


class Process:
    """`grognard serve` on a port that is free, with its data in a *folder*, and *more* options;
    *link* lets in.
    """

    def __init__(self, folder: Path, port: int = 0, *more: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grognard", "serve", "--no-open", "--port", str(port), *more],
            env={**os.environ, "PYTHONPATH": str(ROOT), "GROGNARD_DATA": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.link, self.said = "", ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"http://\S+/enter/\S+", line):
                self.link = found[0]
            if "Ctrl-C" in line:
                break
        assert self.link, self.process.communicate()

    @property
    def address(self) -> str:
        return self.link.partition("/enter/")[0]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def page(self, game: str, seat: str, cookie: str) -> ClientConnection:
        """A page at a seat."""
        return connect(
            f"ws{self.address[4:]}/game/{game}/live?seat={seat}",
            origin=self.address,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
            max_size=None,
            close_timeout=1,
        )


@contextmanager
def process(folder: Path, port: int = 0, *more: str) -> Iterator[Process]:
    """A server that does not outlive the block."""
    made = Process(folder, port, *more)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def told(page: ClientConnection, wanted: str, seconds: float = 30) -> dict[str, Any]:
    """The first message that has a key, of those that come."""
    while True:
        message: dict[str, Any] = json.loads(page.recv(timeout=seconds))
        if wanted in message:
            return message


def free_port() -> int:
    """A port at which nobody listens."""
    with sockets.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Way:
    """A way to a server, on a port of its own; what goes it can be :meth:`cut`."""

    def __init__(self) -> None:
        self._listening = sockets.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        #: the port of the server
        self.to = free_port()
        self._cut = Event()
        Thread(target=self._take, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def cut(self) -> None:
        """Nothing more comes by connections that are there, and neither end hears of that; those
        that are made from now on work.
        """
        self._cut.set()
        self._cut = Event()

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                far = sockets.create_connection(("127.0.0.1", self.to))
                for one, other in ((near, far), (far, near)):
                    Thread(target=self._pass, args=(one, other, self._cut), daemon=True).start()

    @staticmethod
    def _pass(one: sockets.socket, other: sockets.socket, cut: Event) -> None:
        with suppress(OSError):
            while content := one.recv(65536):
                if not cut.is_set():
                    other.sendall(content)
            if not cut.is_set():
                other.shutdown(sockets.SHUT_WR)
