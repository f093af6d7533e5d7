"""The database in which games are kept: a file (SQLite), or a PostgreSQL server on which several
processes work.

Statements are written once, in the SQL that both have, with ``?`` for values.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from grognard.files import reason
from runtime.errors import ArgumentError, GrognardError

if TYPE_CHECKING:
    import sqlite3

#: Seconds to wait for another process that is writing, or for a connection.
_PATIENCE: Final = 10.0
#: The most connections of one process to a server.
_CONNECTIONS: Final = 8
#: How a database on a server is named.
_SERVERS: Final = ("postgresql://", "postgres://")
#: Writes the content of a file to disk.
_SYNC: Final = getattr(os, "fdatasync", os.fsync)

#: What makes each version of the tables from the one before; ``{id}`` is a number that the database
#: gives, ``{real}`` a floating-point number of 64 bits.
_STEPS: Final = (
    """
    CREATE TABLE game (
        id {id},
        name TEXT NOT NULL UNIQUE,
        file TEXT UNIQUE,
        scenario TEXT NOT NULL,
        header TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed {real} NOT NULL
    );
    CREATE TABLE entry (
        game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
        number INTEGER NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (game, number)
    );
    """,
    "ALTER TABLE game ADD COLUMN decides TEXT NOT NULL DEFAULT ''",
    """
    CREATE TABLE browser (
        secret TEXT PRIMARY KEY,
        host INTEGER NOT NULL,
        since {real} NOT NULL
    );
    CREATE TABLE link (
        key TEXT PRIMARY KEY,
        game INTEGER REFERENCES game ON DELETE CASCADE,
        side TEXT,
        UNIQUE (game, side)
    );
    CREATE TABLE seat (
        browser TEXT NOT NULL REFERENCES browser ON DELETE CASCADE,
        game INTEGER REFERENCES game ON DELETE CASCADE,
        side TEXT NOT NULL,
        record TEXT
    );
    CREATE INDEX seat_of_browser ON seat (browser);
    CREATE INDEX seat_of_game ON seat (game);
    """,
    """
    CREATE TABLE account (
        id {id},
        name TEXT NOT NULL,
        known TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL,
        since {real} NOT NULL
    );
    ALTER TABLE browser ADD COLUMN account INTEGER REFERENCES account ON DELETE CASCADE;
    CREATE INDEX browser_of_account ON browser (account);
    ALTER TABLE game ADD COLUMN account INTEGER REFERENCES account ON DELETE SET NULL;
    ALTER TABLE seat RENAME TO seat_of_before;
    DROP INDEX seat_of_browser;
    DROP INDEX seat_of_game;
    CREATE TABLE seat (
        browser TEXT REFERENCES browser ON DELETE CASCADE,
        account INTEGER REFERENCES account ON DELETE CASCADE,
        game INTEGER REFERENCES game ON DELETE CASCADE,
        side TEXT NOT NULL,
        record TEXT
    );
    INSERT INTO seat (browser, game, side, record)
        SELECT browser, game, side, record FROM seat_of_before;
    DROP TABLE seat_of_before;
    CREATE INDEX seat_of_browser ON seat (browser);
    CREATE INDEX seat_of_account ON seat (account);
    CREATE INDEX seat_of_game ON seat (game);
    """,
    """
    CREATE TABLE clock (
        game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE,
        kind TEXT NOT NULL,
        seconds INTEGER NOT NULL,
        used TEXT NOT NULL,
        runs TEXT NOT NULL,
        since {real} NOT NULL,
        late TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE notice (
        account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
        address TEXT NOT NULL,
        language TEXT NOT NULL,
        key TEXT NOT NULL
    )
    """,
    """
    ALTER TABLE notice ADD COLUMN since {real} NOT NULL DEFAULT 0;
    ALTER TABLE notice ADD COLUMN recovery TEXT NOT NULL DEFAULT '';
    ALTER TABLE notice ADD COLUMN recovery_since {real} NOT NULL DEFAULT 0
    """,
)


class NotKept(GrognardError):
    """The store cannot be read or written; what was committed before is there as it was."""


class Transaction:
    """Statements that are committed together."""

    def __init__(self, connection: Any, mark: str = "?") -> None:
        self._connection, self._mark = connection, mark

    def change(self, statement: str, *values: object) -> int:
        """Carry out a statement; how many rows it has changed."""
        return int(self._execute(statement, values).rowcount)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return [tuple(row) for row in self._execute(query, values).fetchall()]

    def row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """The first row of a query, if there is one."""
        row = self._execute(query, values).fetchone()
        return None if row is None else tuple(row)

    def execute_each(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Carry out a statement for each of several rows of values."""
        self._connection.cursor().executemany(self._with_placeholders(statement), list(values))

    def _execute(self, statement: str, values: Sequence[object]) -> Any:
        return self._connection.execute(self._with_placeholders(statement), values)

    def _with_placeholders(self, statement: str) -> str:
        return statement.replace("?", self._mark)


class Database(ABC):
    """A database that threads may share; *name* is what errors call it."""

    name: str

    @abstractmethod
    def transaction(
        self, durable: bool = True, alone: bool = False, reading: bool = False
    ) -> AbstractContextManager[Transaction]:
        """All or nothing of what is done in this block is committed, on disk where it is to be
        *durable*; otherwise the end of the program loses nothing, that of the machine may.

        *alone*: no other such transaction runs meanwhile; *reading*: nothing is written, and nobody
        waited for.  :class:`NotKept` where the database cannot be used.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connections."""


def database_at(place: Path | str) -> Database:
    """The database in a file, or at the URL of a PostgreSQL server.  ArgumentError where the
    library for that is not installed.
    """
    if isinstance(place, str) and place.startswith(_SERVERS):
        return _Postgres(place)
    return _Sqlite(Path(place))


def _upgrade(database: Transaction, version: int, identity: str, real: str) -> None:
    """Make the tables of today from those of a *version*; 0: there are none."""
    if version > len(_STEPS):
        raise OSError("a newer version of grognard has written it")
    for step in _STEPS[version:]:
        for statement in step.format(id=identity, real=real).split(";"):
            if statement.strip():
                database.change(statement)


class _Sqlite(Database):
    def __init__(self, path: Path) -> None:
        import sqlite3  # start-up: within a browser there is none, and nobody asks for one

        self.path, self.name = path, str(path)
        self._sqlite = sqlite3
        self._connection: sqlite3.Connection | None = None
        self._lock = RLock()
        #: how many transactions were committed here, and how many of them are on disk for sure
        self._committed = self._synced = 0
        self._syncing = Lock()
        #: the file in which transactions are on disk first; None where there is no such file
        self._log: int | None = None

    @contextmanager
    def transaction(
        self, durable: bool = True, alone: bool = False, reading: bool = False
    ) -> Iterator[Transaction]:
        try:
            with self._lock:
                database = self._open()
                # of those that write there is one at a time in any case
                database.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
                try:
                    yield Transaction(database)
                    database.execute("COMMIT")
                except BaseException:
                    with suppress(self._sqlite.Error):
                        database.execute("ROLLBACK")
                    raise
                self._committed += not reading
                number = self._committed
            if durable and not reading:
                self._sync(number)
        except (self._sqlite.Error, OSError) as error:
            raise NotKept(
                f"{self.name} cannot be used: {reason(error)}",
                "make room, or set GROGNARD_DATA to another folder",
            ) from None

    def _sync(self, number: int) -> None:
        """See that so many transactions are on disk.  Those that are committed while the disk is
        waited for, go together the next time; meanwhile others may read and write.
        """
        with self._syncing:
            if self._log is None or self._synced >= number:
                return
            committed = self._committed
            _SYNC(self._log)
            self._synced = committed

    def close(self) -> None:
        with self._syncing, self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._log is not None:
                with suppress(OSError):  # somebody may have committed, and not come to it yet
                    _SYNC(self._log)
                os.close(self._log)
                self._log = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        database = self._sqlite.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
            # the log of transactions is synced by this class; without one, SQLite sees to it
            database.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("BEGIN IMMEDIATE")  # of two processes that begin, one makes the tables
            (version,) = database.execute("PRAGMA user_version").fetchone()
            _upgrade(Transaction(database), version, "INTEGER PRIMARY KEY", "REAL")
            database.execute(f"PRAGMA user_version = {len(_STEPS)}")
            database.execute("COMMIT")
            if mode == "wal":
                self._log = os.open(f"{self.path}-wal", os.O_RDWR)
        except BaseException:
            database.close()
            raise
        self._connection = database
        return database


class _Postgres(Database):
    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.name = f"{parts.hostname or ''}{parts.path}"  # no user, no password
        try:
            import psycopg  # start-up: only servers have such a database
            import psycopg_pool  # start-up: the same
        except ModuleNotFoundError as error:
            raise ArgumentError(
                f"PostgreSQL needs the library {error.name}, which is not installed",
                "pip install 'grognard[server]'",
            ) from None
        self._failures = (psycopg.Error, psycopg_pool.PoolTimeout, OSError)
        self._pool = psycopg_pool.ConnectionPool(
            url,
            min_size=1,
            max_size=_CONNECTIONS,
            timeout=_PATIENCE,
            check=psycopg_pool.ConnectionPool.check_connection,
            open=False,
        )
        self._ready, self._opening = False, RLock()

    @contextmanager
    def transaction(
        self, durable: bool = True, alone: bool = False, reading: bool = False
    ) -> Iterator[Transaction]:
        try:
            self._open()
            with self._pool.connection() as connection:
                database = Transaction(connection, "%s")
                if not durable:
                    database.change("SET LOCAL synchronous_commit = off")
                if alone:
                    database.rows("SELECT pg_advisory_xact_lock(hashtext('grognard'))")
                yield database
        except self._failures as error:
            said = str(error).partition("\n")[0]
            raise NotKept(
                f"the database {self.name} cannot be used: {said}", "see whether its server runs"
            ) from None

    def close(self) -> None:
        with self._opening:
            self._pool.close()

    def _open(self) -> None:
        with self._opening:
            if self._ready:
                return
            self._pool.open()
            with self._pool.connection() as connection:
                database = Transaction(connection, "%s")
                database.rows("SELECT pg_advisory_xact_lock(hashtext('grognard'))")
                database.change("CREATE TABLE IF NOT EXISTS tables (version INTEGER NOT NULL)")
                row = database.row("SELECT version FROM tables")
                version = 0 if row is None else row[0]
                identity = "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
                _upgrade(database, version, identity, "DOUBLE PRECISION")
                database.change("DELETE FROM tables")
                database.change("INSERT INTO tables VALUES (?)", len(_STEPS))
            self._ready = True
