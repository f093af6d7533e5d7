"""Who is let in: browsers, each with a secret of its own, which it gets by following a link.

A host's link works once, and lets a browser begin games and sit wherever people play at its screen.
The link of a seat works until another takes its place, and gives a browser that seat of one game
and nothing else.  Only digests of secrets and links are kept.  What a browser holds that is signed
in belongs to its account (:mod:`grognard.fronts.web.accounts`), and so to all browsers of that.
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
#: The seats that a browser holds, or its account.
_HELD: Final = "(browser = ? OR seat.account = (SELECT account FROM browser WHERE secret = ?))"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that has been let in, by the digest of its secret; whether it is a *host*'s, and
    the *account* that is signed in there, with its *name*.
    """

    browser: str
    host: bool
    account: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
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
            database.change("INSERT INTO link (key) VALUES (?)", digest(key))
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
                "INSERT INTO link (key, game, side) VALUES (?, ?, ?)", digest(key), *row, side
            )
        return key

    def enter(self, key: str, secret: str | None) -> Entry | None:
        """Let in the browser that follows a link, and has a *secret* already or none; None where
        the link is not, or no more, good.
        """
        with self._database.transaction() as database:
            link = database.row(
                "SELECT game, side, name FROM link LEFT JOIN game ON game.id = game WHERE key = ?",
                digest(key),
            )
            if link is None:
                return None
            game, side, name = link
            known = None if secret is None else _visitor(database, secret)
            new = None
            if known is None:
                new, known = new_browser(database)
            if game is None:
                database.change("DELETE FROM link WHERE key = ?", digest(key))
                _make_host(database, known.browser)
                return Entry(new)
            give_seat(database, known, game, side)
        return Entry(new, name, side)

    # ------------------------------------------------------------------ who holds what

    def visitor(self, secret: str | None) -> Visitor | None:
        """The browser with this secret; None where none has been let in."""
        if secret is None:
            return None
        with self._database.transaction(reading=True) as database:
            return _visitor(database, secret)

    def seats(self, visitor: Visitor, game: str) -> frozenset[str]:
        """The seats of a game that a browser, or its account, has got by links."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                f"SELECT side FROM seat JOIN game ON game.id = game WHERE {_HELD} AND name = ?",
                *(visitor.browser, visitor.browser, game),
            )
        return frozenset(side for (side,) in rows)

    def games(self, visitor: Visitor) -> dict[str, set[str]]:
        """The games under way of which a browser, or its account, has seats, and these."""
        games: dict[str, set[str]] = {}
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                f"SELECT name, side FROM seat JOIN game ON game.id = game WHERE {_HELD}",
                *(visitor.browser, visitor.browser),
            )
        for name, side in rows:
            games.setdefault(name, set()).add(side)
        return games

    def finished_games(self, visitor: Visitor) -> set[str]:
        """The names of the records of games that are over of which a browser had a seat so."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(
                f"SELECT record FROM seat WHERE {_HELD} AND record IS NOT NULL",
                *(visitor.browser, visitor.browser),
            )
        return {record for (record,) in rows}


def new_browser(
    database: Transaction, host: bool = False, account: int | None = None, name: str = ""
) -> tuple[str, Visitor]:
    """Let in a browser; its secret, which nobody had before."""
    secret = secrets.token_urlsafe(32)
    visitor = Visitor(digest(secret), host, account, name)
    database.change(
        "INSERT INTO browser (secret, host, since, account) VALUES (?, ?, ?, ?)",
        *(visitor.browser, int(host), time.time(), account),
    )
    return secret, visitor


def give_seat(database: Transaction, visitor: Visitor, game: int, side: str) -> None:
    """Let a browser or, where one is signed in there, an account have a seat of a game."""
    held = f"SELECT 1 FROM seat WHERE {_HELD} AND game = ? AND side = ?"
    if database.row(held, visitor.browser, visitor.browser, game, side) is None:
        browser = visitor.browser if visitor.account is None else None
        database.change(
            "INSERT INTO seat (browser, account, game, side) VALUES (?, ?, ?, ?)",
            *(browser, visitor.account, game, side),
        )


def _visitor(database: Transaction, secret: str) -> Visitor | None:
    browser = digest(secret)
    row = database.row(
        "SELECT host, browser.account, name FROM browser"
        " LEFT JOIN account ON account.id = browser.account WHERE secret = ?",
        browser,
    )
    return None if row is None else Visitor(browser, bool(row[0]), row[1], row[2] or "")


def _make_host(database: Transaction, browser: str) -> None:
    """Make a browser that of a host; of too many, the first are let in no more."""
    database.change("UPDATE browser SET host = 1, since = ? WHERE secret = ?", time.time(), browser)
    hosts = database.rows("SELECT secret FROM browser WHERE host = 1 ORDER BY since DESC")
    for (old,) in hosts[_MOST:]:
        database.change("DELETE FROM browser WHERE secret = ?", old)


def digest(text: str) -> str:
    """What of a secret is kept."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()
