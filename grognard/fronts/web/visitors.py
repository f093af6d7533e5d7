"""Who is let in: browsers, each with a secret of its own, which it gets by following a link.

A host's link works once, and lets a browser begin games and sit wherever people play at its screen.
The link of a seat works until another takes its place, and gives a browser that seat of one game
and nothing else.  Only digests of secrets and links are kept.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from grognard.database import Database, Transaction

#: The seat of those who look on, among the names of sides.
WATCHER: Final = ""
#: How many browsers of hosts are remembered, the latest.
_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that has been let in, by the digest of its secret; whether it is a *host*'s."""

    browser: str
    host: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """What a link has given: the *secret* of a browser that had none, and where it leads: to the
    *seat* of a *game*, else to the lobby.
    """

    secret: str | None
    game: str = ""
    seat: str = ""


class Visitors:
    """The browsers that are let in, the links that let others in, and who holds which seat.

    Every method raises :class:`grognard.database.NotKept` where the database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------------ links

    def link(self) -> str:
        """The key of a link for another browser of a host."""
        key = secrets.token_urlsafe(24)
        with self._database.transaction() as database:
            database.change("INSERT INTO link (key) VALUES (?)", _digest(key))
        return key

    def seat_link(self, game: str, side: str) -> str | None:
        """The key of a new link for the seat of a *side* (or :data:`WATCHER`) of a game; the one of
        before ends, and with it what browsers have got by it.  None where there is no such game.
        """
        key = secrets.token_urlsafe(24)
        with self._database.transaction() as database:
            row = database.row("SELECT id FROM game WHERE name = ?", game)
            if row is None:
                return None
            for table in ("link", "seat"):
                database.change(f"DELETE FROM {table} WHERE game = ? AND side = ?", *row, side)
            database.change(
                "INSERT INTO link (key, game, side) VALUES (?, ?, ?)", _digest(key), *row, side
            )
        return key

    def enter(self, key: str, secret: str | None) -> Entered | None:
        """Let in the browser that follows a link, and has a *secret* already or none; None where
        the link is not, or no more, good.
        """
        with self._database.transaction() as database:
            link = database.row(
                "SELECT game, side, name FROM link LEFT JOIN game ON game.id = game WHERE key = ?",
                _digest(key),
            )
            if link is None:
                return None
            game, side, name = link
            known = None if secret is None else _visitor(database, secret)
            new = None
            if secret is None or known is None:
                secret = new = secrets.token_urlsafe(32)
                database.change(
                    "INSERT INTO browser (secret, host, since) VALUES (?, 0, ?)",
                    *(_digest(secret), time.time()),
                )
            browser = _digest(secret)
            if game is None:
                database.change("DELETE FROM link WHERE key = ?", _digest(key))
                _make_host(database, browser)
                return Entered(new)
            held = "SELECT 1 FROM seat WHERE browser = ? AND game = ? AND side = ?"
            if database.row(held, browser, game, side) is None:
                database.change(
                    "INSERT INTO seat (browser, game, side) VALUES (?, ?, ?)", browser, game, side
                )
        return Entered(new, name, side)

    # ------------------------------------------------------------------ who holds what

    def visitor(self, secret: str | None) -> Visitor | None:
        """The browser with this secret; None where none has been let in."""
        if secret is None:
            return None
        with self._database.transaction(reading=True) as database:
            return _visitor(database, secret)

    def seats(self, visitor: Visitor, game: str) -> frozenset[str]:
        """The seats of a game that a browser has got by links."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                "SELECT side FROM seat JOIN game ON game.id = game WHERE browser = ? AND name = ?",
                *(visitor.browser, game),
            )
        return frozenset(side for (side,) in rows)

    def games(self, visitor: Visitor) -> set[str]:
        """The names of the games under way of which a browser has a seat by a link."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                "SELECT name FROM seat JOIN game ON game.id = game WHERE browser = ?",
                visitor.browser,
            )
        return {name for (name,) in rows}

    def finished(self, visitor: Visitor) -> set[str]:
        """The names of the records of games that are over of which a browser had a seat so."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                "SELECT record FROM seat WHERE browser = ? AND record IS NOT NULL", visitor.browser
            )
        return {record for (record,) in rows}


def _visitor(database: Transaction, secret: str) -> Visitor | None:
    browser = _digest(secret)
    row = database.row("SELECT host FROM browser WHERE secret = ?", browser)
    return None if row is None else Visitor(browser, bool(row[0]))


def _make_host(database: Transaction, browser: str) -> None:
    """Make a browser that of a host; of too many, the first are let in no more."""
    database.change("UPDATE browser SET host = 1, since = ? WHERE secret = ?", time.time(), browser)
    hosts = database.rows("SELECT secret FROM browser WHERE host = 1 ORDER BY since DESC")
    for (old,) in hosts[_MOST:]:
        database.change("DELETE FROM browser WHERE secret = ?", old)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
