"""Accounts: names with passwords, which hold the seats of all browsers that are signed in.

Of a password only its Argon2 hash is kept.  A browser that signs in or out, or changes a password,
gets a new secret, so one that somebody knew before is good for nothing.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from grognard.database import Database, Transaction
from grognard.fronts.web.visitors import Visitor, digest, give_seat, new_browser
from grognard.lexicon.catalogue import Words
from runtime.errors import ArgumentError

#: How many characters names and passwords have.
NAME: Final = (2, 40)
PASSWORD: Final = (8, 200)
#: How many browsers of an account are remembered, the latest; how many games it may have begun that
#: are under way.
_BROWSERS, _GAMES = 50, 50
#: Seconds in which a forgotten password may be replaced by the link that was sent.
_TO_RECOVER: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Recovery:
    """What is sent to the *address* of the account of a *name* whose password is forgotten, in a
    *language*: a *key*, which is good once.
    """

    name: str
    address: str
    language: str
    key: str


class Accounts:
    """The accounts of a server.

    Every method raises :class:`grognard.database.NotKept` where the database cannot be used.
    Passwords take a tenth of a second and 64 MB to hash.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hasher = PasswordHasher()
        #: what the password of nobody is compared with, so that it takes as long
        self._nobodys = self._hasher.hash(secrets.token_urlsafe(32))

    # ------------------------------------------------------------------ in and out

    def sign_up(self, name: str, password: str, visitor: Visitor | None, words: Words) -> str:
        """Make an account, and sign in the browser of a *visitor*, if it was let in already; its
        new secret.  ArgumentError, in *words*, where there can be no such account.
        """
        shown, known = " ".join(name.split()), _comparable_name(name)
        _check_name(shown, words)
        _check_password(password, words)
        hashed = self._hasher.hash(_comparable_password(password))
        with self._database.transaction() as database:
            row = database.row(
                "INSERT INTO account (name, known, password, since) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (known) DO NOTHING RETURNING id",
                *(shown, known, hashed, time.time()),
            )
            if row is None:
                raise ArgumentError(words("Somebody has this name already."))
            return _sign_in(database, row[0], shown, visitor)

    def sign_in(self, name: str, password: str, visitor: Visitor | None) -> str | None:
        """Sign in the browser of a *visitor*, if it was let in already; its new secret.  None where
        the name is unknown or the password wrong, which takes as long.
        """
        with self._database.transaction(reading=True) as database:
            row = database.row(
                "SELECT id, name, password FROM account WHERE known = ?", _comparable_name(name)
            )
        identity, shown, hashed = row or (None, "", self._nobodys)
        if not self._is_password(hashed, password) or identity is None:
            return None
        with self._database.transaction() as database:
            # who has changed the password meanwhile has shut out who knew it
            if database.row("SELECT 1 FROM account WHERE password = ?", hashed) is None:
                return None
            return _sign_in(database, identity, shown, visitor)

    def sign_out(self, visitor: Visitor) -> str | None:
        """Sign out a browser: it is let in no more, but for one of a host, whose new secret this
        gives.
        """
        with self._database.transaction() as database:
            database.change("DELETE FROM browser WHERE secret = ?", visitor.browser)
            return new_browser(database, host=True)[0] if visitor.host else None

    def change_password(self, visitor: Visitor, old: str, new: str, words: Words) -> str | None:
        """Change the password of the account that is signed in, and sign out its other browsers;
        the new secret of this one, None where the *old* password is wrong.  ArgumentError where the
        *new* one cannot be used.
        """
        _check_password(new, words)
        known = self._password(visitor)
        if visitor.account is None or known is None or not self._is_password(known, old):
            return None
        hashed = self._hasher.hash(_comparable_password(new))
        with self._database.transaction() as database:
            changed = database.change(
                "UPDATE account SET password = ? WHERE id = ? AND password = ?",
                *(hashed, visitor.account, known),
            )
            if not changed:
                return None
            return _sign_in_alone(database, visitor.account, visitor.name, visitor)

    def knows_password(self, visitor: Visitor, password: str) -> bool:
        """Whether this is the password of the account that is signed in."""
        known = self._password(visitor)
        return known is not None and self._is_password(known, password)

    def _password(self, visitor: Visitor) -> str | None:
        with self._database.transaction(reading=True) as database:
            row = database.row("SELECT password FROM account WHERE id = ?", visitor.account)
        return None if row is None else str(row[0])

    def begin_recovery(self, name: str) -> Recovery | None:
        """What is to be sent to the account of this name, whose password is forgotten; it ends what
        was sent before.  None where there is no such account, or its address has not agreed to get
        mail.
        """
        key = secrets.token_urlsafe(24)
        with self._database.transaction() as database:
            row = database.row(
                "SELECT id, name, address, language FROM account"
                " JOIN notice ON notice.account = id WHERE known = ? AND key = ''",
                _comparable_name(name),
            )
            if row is None:
                return None
            identity, shown, address, language = row
            database.change(
                "UPDATE notice SET recovery = ?, recovery_since = ? WHERE account = ?",
                *(digest(key), time.time(), identity),
            )
        return Recovery(shown, address, language, key)

    def recover(self, key: str, new: str, visitor: Visitor | None, words: Words) -> str | None:
        """Give the account to which this *key* was sent a new password, sign out its browsers, and
        sign in that of a *visitor*, if it was let in already; its new secret.  None where the key
        is not, or no more, good; ArgumentError where the password cannot be used.
        """
        _check_password(new, words)
        good, sent = "recovery = ? AND recovery_since > ?", (digest(key), time.time() - _TO_RECOVER)
        with self._database.transaction(reading=True) as database:
            if database.row(f"SELECT 1 FROM notice WHERE {good}", *sent) is None:
                return None
        hashed = self._hasher.hash(_comparable_password(new))
        with self._database.transaction() as database:
            row = database.row(
                "UPDATE account SET password = ? WHERE id ="
                f" (SELECT account FROM notice WHERE {good}) RETURNING id, name",
                *(hashed, *sent),
            )
            return None if row is None else _sign_in_alone(database, row[0], row[1], visitor)

    @staticmethod
    def pace_key(name: str) -> str:
        """What tries of the password of a name are counted under."""
        return digest(_comparable_name(name))

    def _is_password(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, _comparable_password(password))
        except VerificationError:
            return False

    # ------------------------------------------------------------------ games that it begins

    def games_begun(self, visitor: Visitor) -> frozenset[str]:
        """The games under way that the account has begun that is signed in, by their names."""
        with self._database.transaction(reading=True) as database:
            rows = database.rows(f"SELECT game.name {_BEGUN}", visitor.browser)
        return frozenset(name for (name,) in rows)

    def check_game_limit(self, visitor: Visitor, words: Words) -> None:
        """ArgumentError where an account has begun too many games that are not over."""
        if len(self.games_begun(visitor)) >= _GAMES:
            raise ArgumentError(
                words("You have begun too many games that are not over."),
                words("Play them, or remove those that nobody has come to."),
            )

    def note_begun(self, visitor: Visitor, game: str, sides: Iterable[str]) -> None:
        """An account has begun the game of this name, and sits on some sides."""
        with self._database.transaction() as database:
            row = database.row(
                "UPDATE game SET account = ? WHERE name = ? RETURNING id", visitor.account, game
            )
            if row is not None:
                for side in sides:
                    give_seat(database, visitor, row[0], side)

    def may_remove(self, visitor: Visitor, game: str) -> bool:
        """Whether an account has begun the game of this name, and nobody else has a seat in it, or
        it is over by the clock.
        """
        own = f"SELECT game.id, game.account {_BEGUN} AND game.name = ?"
        others = (
            "SELECT 1 FROM seat WHERE game = ? AND (account IS NULL OR account <> ?) AND NOT EXISTS"
            " (SELECT 1 FROM clock WHERE clock.game = seat.game AND late <> '')"
        )
        with self._database.transaction(reading=True) as database:
            row = database.row(own, visitor.browser, game)
            return row is not None and database.row(others, *row) is None


_BEGUN: Final = "FROM game JOIN browser ON browser.account = game.account WHERE browser.secret = ?"


def _comparable_name(name: str) -> str:
    """A name as names are compared: without regard to case, spaces, or how letters are coded."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    spaced = " ".join(unicodedata.normalize("NFKC", folded).split())
    return "".join(letter for letter in spaced if letter.isprintable())


def _sign_in_alone(database: Transaction, account: int, name: str, visitor: Visitor | None) -> str:
    """The new secret of a browser that is signed in with a new password; the others of the account
    are signed out, and a link to a new password ends.
    """
    database.change("UPDATE notice SET recovery = '' WHERE account = ?", account)
    secret = _sign_in(database, account, name, visitor)
    others = "SELECT secret FROM browser WHERE account = ? AND secret <> ?"
    _sign_out(database, database.rows(others, account, digest(secret)))
    return secret


def _sign_in(database: Transaction, account: int, name: str, visitor: Visitor | None) -> str:
    """The new secret of a browser that is signed in; what it held is the account's."""
    secret, _ = new_browser(database, visitor is not None and visitor.host, account, name)
    if visitor is not None:
        database.change(
            "DELETE FROM seat WHERE browser = ? AND EXISTS (SELECT 1 FROM seat AS held"
            " WHERE held.account = ? AND held.game = seat.game AND held.side = seat.side)",
            *(visitor.browser, account),
        )
        database.change(
            "UPDATE seat SET account = ?, browser = NULL WHERE browser = ?",
            *(account, visitor.browser),
        )
        database.change("DELETE FROM browser WHERE secret = ?", visitor.browser)
    browsers = database.rows(
        "SELECT secret FROM browser WHERE account = ? ORDER BY since DESC", account
    )
    _sign_out(database, browsers[_BROWSERS:])
    return secret


def _sign_out(database: Transaction, browsers: Iterable[tuple[str]]) -> None:
    """Sign out browsers; those of hosts stay let in as such."""
    for row in browsers:
        database.change("DELETE FROM browser WHERE secret = ? AND host = 0", *row)
        database.change("UPDATE browser SET account = NULL WHERE secret = ?", *row)


def _check_name(name: str, words: Words) -> None:
    least, most = NAME
    if (
        not least <= len(name) <= most
        or not name.isprintable()
        or len(_comparable_name(name)) < least
    ):
        raise ArgumentError(
            words("A name has {least} to {most} characters.", least=least, most=most)
        )


def _check_password(password: str, words: Words) -> None:
    least, most = PASSWORD
    if not least <= len(password) <= most:
        raise ArgumentError(
            words("A password has {least} to {most} characters.", least=least, most=most)
        )


def _comparable_password(password: str) -> str:
    """A password as it is compared: keyboards code the same letter in several ways."""
    return unicodedata.normalize("NFC", password)
