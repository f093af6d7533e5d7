"""Mail to accounts that want it: notices that it is their turn, and links to a new password.

A notice is sent for a turn, a minute after it has begun, unless the game was gone on with or a page
of the account looks at it.  Mail is sent by a thread of its own, which keeps nobody from playing;
what cannot be sent is logged, and not tried again.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from grognard.fronts.room import Room, asked_person
from grognard.fronts.web.lobby import game_entry
from grognard.fronts.web.mail import Mail
from grognard.fronts.web.visitors import digest
from grognard.lexicon.catalogue import words_in
from grognard.table.store import Store

if TYPE_CHECKING:
    from grognard.fronts.web.accounts import Accounts

#: Seconds from the beginning of a turn to the notice.
_WAIT: Final = 60.0
#: How many notices may wait to be sent.
_MOST: Final = 1000
#: Seconds in which somebody may agree to get notices at his address.
_TO_AGREE: Final = 7 * 24 * 3600.0


class Notices:
    """Who wants notices of the games in a *store*, and what is sent to them, with links to the
    *address* of this server.  *log* is told what could not be sent.

    Methods that ask the database raise :class:`grognard.database.NotKept` where it cannot be used.
    """

    def __init__(
        self,
        store: Store,
        mail: Mail,
        address: str,
        log: Callable[[str], None],
        wait: float = _WAIT,
    ) -> None:
        self._store, self._mail, self._address, self._log = store, mail, address, log
        self._wait = wait
        #: how many pages of an account look at a game
        self._looking: Counter[tuple[str, int]] = Counter()
        self._numbers = count()
        #: what is to be done at which time
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        #: the number of the last turn of each game
        self._turns: dict[str, int] = {}
        self._changed, self._closed = Condition(), False
        self._thread = Thread(target=self._work, name="notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    # ------------------------------------------------------------------ who wants them

    def address(self, account: int) -> tuple[str, bool] | None:
        """Where the notices of an account go, and whether somebody there has said so; None where it
        wants none.
        """
        wanted = "SELECT address, key FROM notice WHERE account = ? AND (key = '' OR since > ?)"
        with self._store.database.transaction(reading=True) as database:
            row = database.row(wanted, account, time.time() - _TO_AGREE)
        return None if row is None else (row[0], row[1] == "")

    def end(self, account: int) -> None:
        """Send an account no more of them."""
        with self._store.database.transaction() as database:
            database.change("DELETE FROM notice WHERE account = ?", account)

    def ask(self, account: int, address: str, language: str) -> None:
        """Ask at an address, in a language, whether notices of an account may go there."""
        key, words, now = secrets.token_urlsafe(24), words_in(language), time.time()
        gone = "DELETE FROM notice WHERE account = ? OR (key <> '' AND since <= ?)"
        with self._store.database.transaction() as database:
            database.change(gone, account, now - _TO_AGREE)
            database.change(
                "INSERT INTO notice (account, address, language, key, since)"
                " VALUES (?, ?, ?, ?, ?)",
                *(account, address, language, digest(key), now),
            )
        told = words("Somebody wants to be told here when it is his turn. If it is you, say so:")
        rest = words("If it is not you, do nothing, and nothing more is sent.")
        text = f"{told}\n\n{self._address}/confirm?key={key}\n\n{rest}\n"
        self._later(0.0, partial(self._send, address, words("Notices of Grognard"), text))

    def confirm(self, key: str) -> bool:
        """Somebody who got the key by mail agrees; whether there was such a key, not too old."""
        agreed = "UPDATE notice SET key = '' WHERE key = ? AND since > ?"
        with self._store.database.transaction() as database:
            return database.change(agreed, digest(key), time.time() - _TO_AGREE) > 0

    def recover(self, accounts: Accounts, name: str) -> None:
        """Send a link to a new password to the account of this name, if there is one that gets
        notices; whoever asks for it hears nothing of that, and waits for nothing.
        """
        self._later(0.0, partial(self._recover, accounts, name))

    def _recover(self, accounts: Accounts, name: str) -> None:
        recovery = accounts.begin_recovery(name)
        if recovery is None:
            return
        words = words_in(recovery.language)
        told = words(
            "Somebody wants a new password for the account {name}. If it is you, choose it here"
            " within an hour:",
            name=recovery.name,
        )
        rest = words("If it is not you, do nothing, and your password stays as it is.")
        text = f"{told}\n\n{self._address}/recover?key={recovery.key}\n\n{rest}\n"
        self._send(recovery.address, words("A new password for Grognard"), text)

    # ------------------------------------------------------------------ when they are sent

    @contextmanager
    def note_looking(self, game: str, account: int) -> Iterator[None]:
        """A page of an account looks at a game."""
        self._looking[game, account] += 1
        try:
            yield
        finally:
            self._looking[game, account] -= 1
            if not self._looking[game, account]:
                del self._looking[game, account]

    def follow(self, room: Room) -> None:
        """Tell of each turn that begins in a room from now on."""
        table = room.table
        asked = asked_person(table)

        def heard(_: object) -> None:
            nonlocal asked
            before, asked = asked, asked_person(table)
            if asked and asked != before:
                number = self._turns[room.name] = next(self._numbers)
                self._later(self._wait, partial(self._tell, room.name, asked, number))

        table.heard.append(heard)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        with self._changed:
            if len(self._queue) >= _MOST:
                self._log("a notice is not sent: too many wait")
                return
            heappush(self._queue, (time.monotonic() + seconds, next(self._numbers), what))
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._closed:
                    wait = self._queue[0][0] - time.monotonic() if self._queue else None
                    if wait is not None and wait <= 0:
                        break
                    self._changed.wait(wait)
                if self._closed:
                    return
                what = heappop(self._queue)[2]
            try:
                what()
            except Exception as error:
                self._log(f"a notice is not sent: {type(error).__name__}: {error}")

    def _tell(self, game: str, side: str, number: int) -> None:
        """Tell whoever has this seat that it is his turn, if it still is."""
        if self._turns.get(game) != number:
            return
        del self._turns[game]
        query = """
            SELECT DISTINCT notice.account, address, language FROM notice
            JOIN seat ON seat.account = notice.account JOIN game ON game.id = seat.game
            WHERE game.name = ? AND game.decides = ? AND seat.side = ? AND key = '' AND NOT EXISTS
                (SELECT 1 FROM clock WHERE clock.game = game.id AND late <> '')
        """
        with self._store.database.transaction(reading=True) as database:
            rows = database.rows(query, game, side, side)
        kept = self._store.entry_named(game) if rows else None
        for account, address, language in rows:
            if kept is None or self._looking[game, account]:
                continue
            words, told = words_in(language), game_entry(kept, (), language)
            title = told["title"]
            text = "\n\n".join(
                (
                    words(
                        "It is for {side} to decide in {title}.", side=told["decides"], title=title
                    ),
                    f"{self._address}/game/{quote(game)}?seat={quote(side)}",
                    words("You wanted to be told; here you say that you do not any more:"),
                    f"{self._address}/account\n",
                )
            )
            self._send(address, words("It is your turn: {title}", title=title), text)

    def _send(self, to: str, subject: str, text: str) -> None:
        try:
            self._mail.send(to, subject, text)
        except (OSError, ValueError) as error:
            self._log(f"a notice is not sent: {type(error).__name__}: {error}")
