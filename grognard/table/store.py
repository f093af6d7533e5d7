"""Games under way: a database, by default a file in the user's folder for data.

Every answer is committed before it is acknowledged, so whatever ends the program, all that was
decided is there.  A game that is played on by two processes is lost to neither: who answers a
position that is no longer the last is refused.  The text record (:mod:`grognard.records`) is the
form in which a game is saved, sent and verified; what is kept here is its lines, unsealed, in a
file for its owner alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from grognard.database import NotKept, Transaction, database_at
from grognard.files import data_folder, path_named, reason, short
from grognard.records import (
    NamedRecord,
    key_of,
    read_named,
    read_record,
    remove_record,
    write_record,
)
from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import Record, entry_lines
from runtime.games.sealing import Key

_REVISIONS: Final = "SELECT id, revision FROM game"


class PlayedElsewhere(NotKept):
    """Another process has played the game on, or has ended it."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in the store, as it is listed.

    *file* is where its record is to be written, None where nobody has said; *scenario* the path of
    the scenario; *rules* the hash of its rules; *players* who plays each side; *decisions* how many
    were taken; *changed* when the last was, in seconds since 1970; *decides* the side that is asked
    now, nothing where nobody knows.
    """

    name: str
    file: Path | None
    scenario: Path
    title: str
    rules: str
    players: dict[str, str]
    decisions: int
    changed: float
    decides: str


class Store:
    """The games that are kept in the database at a *place* (:func:`database_at`), by default
    ``games.db`` in the user's folder for data.  Every method raises :class:`NotKept` where the
    database cannot be used.  Threads may share a store.
    """

    def __init__(self, place: Path | str | None = None) -> None:
        self.place = data_folder() / "games.db" if place is None else place
        self.database = database_at(self.place)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def games(self) -> list[GameEntry]:
        """The games under way, the last played first."""
        return self._listed()

    def _listed(self, condition: str = "", *values: str) -> list[GameEntry]:
        missing = isinstance(self.place, Path) and not self.place.exists()
        if missing or "\0" in "".join(values):  # which no text of a database holds
            return []
        query = f"""
            SELECT name, file, scenario, header, changed, decides, (
                SELECT count(*) FROM entry WHERE game = id AND substr(line, 1, 1) <> '#'
            ) FROM game {condition} ORDER BY changed DESC, id DESC
        """
        with self.database.transaction(reading=True) as database:
            rows = database.rows(query, *values)
        return [
            GameEntry(
                name,
                None if file is None else Path(file),
                Path(scenario),
                (begun := Record.parse(f"{header}\n")).title,
                begun.ruleset_hash,
                dict(begun.players),
                decisions,
                changed,
                decides,
            )
            for name, file, scenario, header, changed, decides, decisions in rows
        ]

    def revisions(self) -> dict[int, int]:
        """How often each game was written, by :attr:`GameWriter.identity`."""
        with self.database.transaction(reading=True) as database:
            return {row[0]: row[1] for row in database.rows(_REVISIONS)}

    def find(self, name: str) -> GameEntry | None:
        """The game of this *name*, else that whose record is to be written to the file *name*."""
        return self.entry_named(name) or self.written_to(name)

    def entry_named(self, name: str) -> GameEntry | None:
        """The game of this *name*."""
        return next(iter(self._listed("WHERE name = ?", name)), None)

    def written_to(self, name: str) -> GameEntry | None:
        """The game whose record is to be written to the file *name*."""
        file = name if "\0" in name else os.path.realpath(name)
        return next(iter(self._listed("WHERE file = ?", file)), None)

    def record(self, name: str) -> Record:
        """The record of the game of this *name* as far as it has come, with its seed."""
        with self.database.transaction(reading=True) as database:
            row = database.row("SELECT id, header FROM game WHERE name = ?", name)
            if row is None:
                raise PlayedElsewhere(f"there is no game '{name}' any more")
            lines = _lines(database, row[0])
        return Record.parse("".join(f"{line}\n" for line in (row[1], "", *lines)))

    def recorded(self, kept: GameEntry) -> NamedRecord:
        """The record of a game as far as it has come, and its key where it is to be sealed."""
        record = self.record(kept.name)
        return NamedRecord(kept.name, record, key_of(Path(kept.name), record))

    def begin(
        self,
        game: Game,
        scenario: Path,
        players: Mapping[str, str],
        key: Key | None = None,
        file: Path | None = None,
    ) -> GameWriter:
        """Keep a game from here on, under the name of its *scenario* and, where others have it, a
        number.  With a *key* its record is sealed wherever it is written while it goes on; *file*
        is where it is written in the end.
        """
        header = _header(game, players, key)
        place = None if file is None else os.path.realpath(file)
        with self.database.transaction(alone=True) as database:
            _claim(database, place)
            taken = {name for (name,) in database.rows("SELECT name FROM game")}
            name, number = scenario.stem, 1
            while name in taken:
                number += 1
                name = f"{scenario.stem}-{number}"
            inserted = database.row(
                "INSERT INTO game (name, file, scenario, header, revision, changed, decides)"
                " VALUES (?, ?, ?, ?, 0, ?, ?) RETURNING id",
                *(name, place, str(scenario.resolve()), header, time.time(), _deciding_side(game)),
            )
            assert inserted is not None
            _append(database, inserted[0], 0, game)
        return GameWriter(self, name, game, players, key, file, *inserted)

    def resume(
        self,
        name: str,
        game: Game,
        players: Mapping[str, str],
        key: Key | None = None,
        file: Path | None = None,
    ) -> GameWriter:
        """Keep on keeping the *game* of this *name*, which stands where its record ends."""
        place = None if file is None else os.path.realpath(file)
        with self.database.transaction() as database:
            row = database.row("SELECT id, revision FROM game WHERE name = ?", name)
            if row is None or _lines(database, row[0]) != list(entry_lines(game, 0)):
                raise _played_elsewhere(name)
            _claim(database, place, row[0])
            database.change(
                "UPDATE game SET file = ?, header = ? WHERE id = ?",
                *(place, _header(game, players, key), row[0]),
            )
        return GameWriter(self, name, game, players, key, file, *row)

    def carry_over(self, source: NamedRecord, game: Game, scenario: Path) -> None:
        """Let the game of a record go on as *game*, with the rules and the *scenario* of that.
        PlayedElsewhere where it has been played on since the record was read.
        """
        header = _header(game, dict(source.record.players), source.key)
        with self.database.transaction(alone=True) as database:
            row = database.row("SELECT id FROM game WHERE name = ?", source.name)
            if row is None or _lines(database, row[0]) != source.record.lines():
                raise _played_elsewhere(source.name)
            database.change(
                "UPDATE game SET header = ?, scenario = ?, decides = ?, changed = ?,"
                " revision = revision + 1 WHERE id = ?",
                *(header, str(scenario.resolve()), _deciding_side(game), time.time(), row[0]),
            )
            database.change("DELETE FROM entry WHERE game = ?", row[0])
            _append(database, row[0], 0, game)

    def forget(self, name: str) -> bool:
        """Remove the game of this *name*; whether there was one."""
        with self.database.transaction() as database:
            return database.change("DELETE FROM game WHERE name = ?", name) > 0


class GameWriter:
    """The right to write on at one game; without a *store* only :meth:`finish` keeps anything.

    *players* are named in its record, which is sealed with the *key* while the game goes on, and
    written to the *file* in the end.  What somebody else puts into that file stays there.
    """

    def __init__(
        self,
        store: Store | None,
        name: str,
        game: Game,
        players: Mapping[str, str],
        key: Key | None,
        file: Path | None,
        identity: int = 0,
        revision: int = 0,
    ) -> None:
        self.store = store
        self.name = name
        self.game = game
        self.players = players
        self.key = key
        self.file = file
        self.identity = identity
        #: how often it was written since it was begun, by whomever
        self.revision = revision
        self._length = game.length
        self._durable = True
        self._content = _content(file)
        #: where the record is of a game that is over
        self._recorded: Path | None = None

    def keep(self, game: Game, durable: bool = True) -> None:
        """Commit what has been decided or taken back since; to be called after each of them.

        :class:`PlayedElsewhere` where another process was quicker, :class:`NotKept` where nothing
        can be written; the store is then as it was, and a later call tries again.
        """
        if self.store is None or (game.length == self._length and (self._durable or not durable)):
            return
        with self._writing(self.store, durable) as database:
            first = min(self._length, game.length)
            database.change(
                "DELETE FROM entry WHERE game = ? AND number >= ?", self.identity, first
            )
            _append(database, self.identity, first, game)
        self._length, self._durable = game.length, durable

    @contextmanager
    def _writing(self, store: Store, durable: bool = True) -> Iterator[Transaction]:
        """A transaction on the game as this process knows it; PlayedElsewhere where it is not."""
        with store.database.transaction(durable) as database:
            changed = database.change(
                "UPDATE game SET revision = revision + 1, changed = ?, decides = ?"
                " WHERE id = ? AND revision = ?",
                *(time.time(), _deciding_side(self.game), self.identity, self.revision),
            )
            if not changed:
                raise _played_elsewhere(self.name)
            yield database
        self.revision += 1

    def write(self, path: Path) -> None:
        """Write the record so far to a file.  NotKept where it cannot be written."""
        own = self.file is not None and os.path.realpath(path) == os.path.realpath(self.file)
        if own and _content(path) not in (b"", self._content):
            raise NotKept(
                f"{short(str(path))} holds something else by now, and is not overwritten",
                "give another file",
            )
        try:
            write_record(path, self.game, self.players, self.key)
        except (OSError, ValueError) as error:
            raise NotKept(
                f"{short(str(path))} cannot be written: {reason(error)}", "give another file"
            ) from None
        if own:
            self._content = _content(path)

    def finish(self) -> Path | None:
        """Write the record to its file, and where the game is over to one of its own, and take the
        game out of the store; where that is, None of a game that stays there, or is not kept at
        all.  NotKept.
        """
        if self._recorded is not None or (self.store is None and self.file is None):
            return self._recorded
        path = self.file
        if path is None and self.game.over:
            folder = data_folder() / "games"
            stamp = time.strftime("%Y%m%d-%H%M%S")
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder / f"{self.name}-{stamp}.record"
        if path is None:
            self.keep(self.game)
        elif self.store is None:
            self.write(path)
        else:
            self._hand_over(self.store, path)
        if self.game.over:
            self._recorded = path
        return path

    def _hand_over(self, store: Store, path: Path) -> None:
        """Write the record to a file and take the game out of the store, unless another process has
        played it on; the file is written even where the store cannot be.
        """
        written = False
        try:
            with self._writing(store) as database:
                self.write(path)
                written = True
                if self.game.over:  # who had a seat may still look at it
                    database.change(
                        "UPDATE seat SET game = NULL, record = ? WHERE game = ?",
                        *(path.stem, self.identity),
                    )
                database.change("DELETE FROM game WHERE id = ?", self.identity)
        except PlayedElsewhere:
            raise
        except NotKept:
            if not written:
                self.write(path)

    def discard(self) -> None:
        """Leave nothing of the game and its file, unless another process has played it on."""
        if self.store is not None:
            try:
                with self._writing(self.store) as database:
                    database.change("DELETE FROM game WHERE id = ?", self.identity)
            except NotKept:
                return
        if self.file is not None and _content(self.file) == self._content:
            remove_record(self.file, self.key)


def find_game(name: str, option: str = "") -> tuple[GameEntry | None, NamedRecord]:
    """The game that somebody means by a *name*, which an *option* may have given: the game under
    way whose record is to be written to the file *name*, unless somebody has put something else
    there; else the record in that file (None, as no game is kept); else the game under way of this
    name.  GrognardError where there is none of these.
    """
    there = os.path.exists(name) and not os.path.isdir(name)
    try:
        with Store() as store:
            own = store.written_to(name)
            if own is not None:
                kept, source = _with_file(store, own)
                if kept.file is not None:
                    return kept, source
            called = None if there else store.find(name)
            if called is not None:
                return _with_file(store, called)
    except NotKept:
        if not there:
            raise
    return None, read_named(path_named(name, option))


def last_game() -> tuple[GameEntry, NamedRecord] | None:
    """The game under way that was played last.  NotKept."""
    with Store() as store:
        last = next(iter(store.games()), None)
        return None if last is None else _with_file(store, last)


def _with_file(store: Store, kept: GameEntry) -> tuple[GameEntry, NamedRecord]:
    """A game under way and its record; without the file that was for it where somebody has put
    something else there.
    """
    source = store.recorded(kept)
    if kept.file is not None and not _continues(source.record, kept.file):
        kept = replace(kept, file=None)
    return kept, source


def _continues(record: Record, path: Path) -> bool:
    """Whether a record goes on from what a file holds, if it holds anything."""
    if not _content(path):
        return True
    try:
        written = read_record(path)
    except RecordError:
        return False
    sealed = written.seed is None
    begun = len(written.entries) <= len(record.entries)
    same = record.entries[: len(written.entries)] == written.entries
    return begun and (sealed or same) and record.setup_hash == written.setup_hash


def _header(game: Game, players: Mapping[str, str], key: Key | None) -> str:
    """The beginning of the record of a game, with its seed."""
    return "\n".join(Record.of(game, players, "" if key is None else key.nonce).header())


def _deciding_side(game: Game) -> str:
    state = game.state
    return "" if state.over else game.spec.sides[state.chooser]


def _content(path: Path | None) -> bytes:
    """What a file holds, nothing where it cannot be read."""
    try:
        return b"" if path is None else path.read_bytes()
    except OSError:
        return b""


def _played_elsewhere(name: str) -> PlayedElsewhere:
    return PlayedElsewhere(
        f"the game '{name}' has been played on elsewhere", "resume it to go on from there"
    )


def _lines(database: Transaction, identity: int) -> list[str]:
    """The entries of a game."""
    query = "SELECT line FROM entry WHERE game = ? ORDER BY number"
    return [line for (line,) in database.rows(query, identity)]


def _claim(database: Transaction, file: str | None, identity: int = 0) -> None:
    """A file is that of this game: another that was to be written there stays under its name."""
    database.change(
        "UPDATE game SET file = NULL, revision = revision + 1 WHERE file = ? AND id <> ?",
        *(file, identity),
    )


def _append(database: Transaction, identity: int, first: int, game: Game) -> None:
    lines = enumerate(entry_lines(game, first), first)
    database.execute_each(
        "INSERT INTO entry VALUES (?, ?, ?)", [(identity, number, line) for number, line in lines]
    )
