"""The record of a game on disk, growing with the game.

Each decision is appended and flushed before the game goes on, so that whatever ends the program, what was
decided is there. Where something was taken back, and at the end, the whole file is replaced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grognard.exits import Misuse
from grognard.faults import data_folder
from grognard.files import reason, replace, short, target
from grognard.leftovers import clear_games, clear_parts
from grognard.locks import Lock, LockNotWritten
from runtime.files import LARGEST_RECORD, read_bytes

if TYPE_CHECKING:
    from runtime.game import Game
    from runtime.sealing import Key


#: Bytes for which there must be room where games are kept.
_ROOM = 4096


class NotKept(Exception):
    """A record could not be written; what had been written is as it was."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{short(str(path))} cannot be written: {why}")
        self.path = path


def key_path(path: Path) -> Path:
    """Where the key of a sealed record stands: beside it."""
    path = Path(os.path.realpath(path))
    return path.with_name(f"{path.name}.key")


class Journal:
    """Keeps the record of one game.

    *players* are named in the record.  With a *key* the record is sealed until the game is over, and the key
    stands beside it. Without a *path* the file is one of its own among the games that are kept by themselves,
    made when there is something to keep; *off*, nothing is kept but what is copied.
    """

    def __init__(
        self,
        path: Path | None,
        players: Mapping[str, str],
        key: Key | None,
        stem: str = "game",
        lock: Lock | None = None,
        off: bool = False,
    ) -> None:
        self.path = path
        self.named = path is not None
        self.players = players
        self.key = key
        self.stem = stem
        self._lock = lock
        self._descriptor = -1
        self._mine: tuple[
            bytes, ...
        ] = ()  # what this has written or tried to: any beginning of it may be there
        self._count = 0  # entries that are written
        self._size, self._time = 0, 0  # bytes that are written, and when
        self._whole = False  # whether the file is as this says
        self._unsynced = False
        self._ours = False  # whether the file was not there before
        self.kept = False
        self.off = off

    def begin(self, game: Game) -> None:
        """Write the game as far as it has come, so that it is known now whether it can be.  Misuse when it
        cannot.
        """
        try:
            if self.path is None:
                folder = games_folder()
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                clear_games(folder)
                with tempfile.TemporaryFile(dir=folder) as file:  # a full disk may well have room for a name
                    file.write(bytes(_ROOM))
                    file.flush()
                    os.fsync(file.fileno())
                return
            if self._lock is None:
                self._lock = Lock(self.path)
                if self.path.exists() and self.path.stat().st_size:  # another process was quicker
                    raise NotKept(self.path, "there is such a file already")
            clear_parts(self.path.parent, self.path.name)
            self._rewrite(game)
        except (NotKept, OSError) as error:
            self.discard()
            message = (
                str(error)
                if isinstance(error, NotKept)
                else f"{games_folder()} cannot be written: {reason(error)}"
            )
            raise Misuse(message, "give another file with --record") from None

    def keep(self, game: Game, sync: bool = True) -> None:
        """Write what has been decided since, and see that it is on disk.  NotKept when that is not possible.

        Without *sync* the end of the program loses nothing, that of the machine may.  Must be called after
        each action and each taking back.
        """
        entries = game.length
        if self.off or (self._whole and entries == self._count and not (sync and self._unsynced)):
            return
        if self.path is None and game.length <= 1:
            return  # nothing that would be missed
        if game.over or not self._whole or entries < self._count or not self._in_place():
            self._rewrite(game)
            return
        from runtime.record import entry_lines

        lines = entry_lines(game, self._count, None if self.key is None else self.key.nonce)
        data = "".join(f"{line}\n" for line in lines).encode()
        self._mine = (self._mine[-1] + data,)
        self._whole = False
        written = 0
        try:
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            if sync:
                os.fsync(self._descriptor)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise NotKept(self._path(), reason(error)) from None
        self._written(entries, not sync)

    def writes(self, path: Path) -> bool:
        """Whether this is the file that is written."""
        return self.path is not None and os.path.realpath(path) == os.path.realpath(self.path)

    def copy(self, game: Game, path: Path) -> None:
        """Write the game so far to another file.  Misuse when it cannot be written."""
        try:
            if self.writes(path):
                self._rewrite(game)
                return
            lock = Lock(path)
            try:
                write(path, record_of(game, self.players, self.key), game, self.key)
            finally:
                lock.release()
        except (OSError, NotKept) as error:
            raise Misuse(
                str(error)
                if isinstance(error, NotKept)
                else f"{short(str(path))} cannot be written: {reason(error)}"
            ) from None

    def _path(self) -> Path:
        if self.path is None:
            self.path = self._new_file()
        return self.path

    def _new_file(self) -> Path:
        """A name among the kept games that no other game has.  Its lock is taken, so that nobody else takes
        it; the file is not made before there is something to put in it.
        """
        folder = games_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        start = f"{self.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
        for number in range(1, 10_000):
            path = folder / (f"{start}.record" if number == 1 else f"{start}-{number}.record")
            if os.path.lexists(path):
                continue
            try:
                lock = Lock(path)
            except LockNotWritten:
                raise
            except Misuse:  # another process has just taken it
                continue
            if os.path.lexists(path):
                lock.release()
                continue
            self._lock = lock
            return path
        raise OSError(0, "there are too many games")

    def _in_place(self) -> bool:
        """Whether the file is still the one that was written, and as it was."""
        try:
            there, ours = os.stat(self._path()), os.fstat(self._descriptor)
        except OSError:
            return False
        return os.path.samestat(there, ours) and (ours.st_size, ours.st_mtime_ns) == (self._size, self._time)

    def _another(self) -> bool:
        """Whether something that this has not written stands now where it has written."""
        if not self._mine:
            return False
        try:
            there = read_bytes(self._path(), LARGEST_RECORD)
        except FileNotFoundError:
            return False
        return not any(mine.startswith(there) for mine in self._mine)

    def _rewrite(self, game: Game) -> None:
        self._whole = False
        try:
            path = self._path()
            if self._lock is None:
                self._lock = Lock(path)
            if self._another():
                raise OSError(errno.EEXIST, "something else has been put in its place")
            self._ours = self._ours or not path.exists()
            text = record_of(game, self.players, self.key)
            self._mine = (*self._mine, text.encode())
            write(path, text, game, self.key, private=not self.named)
            self._mine = self._mine[-1:]
            self._shut()
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0))
        except (OSError, LockNotWritten) as error:
            path = self.path or games_folder()
            self._give_up_new()
            raise NotKept(path, reason(error.__cause__ or error)) from None
        self._written(game.length)
        self.kept = True

    def _written(self, entries: int, unsynced: bool = False) -> None:
        """All is in the file, now."""
        self._count, self._whole, self._unsynced = entries, True, unsynced
        self._size, self._time = len(self._mine[-1]), os.fstat(self._descriptor).st_mtime_ns

    def _give_up_new(self) -> None:
        """A file of its own that could not be written the first time is not left there; the next try makes
        another one.
        """
        if not self.named and not self.kept:
            self.discard()
            self.path, self._ours = None, False

    def discard(self) -> None:
        """There is nothing worth keeping: leave no file where there was none."""
        if self._ours and self.path is not None:
            with contextlib.suppress(OSError):
                if not self._another():
                    _remove_key(self.path, self.key)
                    self.path.unlink()
        self.close()

    def _shut(self) -> None:
        """Close the file.  What is in it has been synced, so a disk that fails now takes nothing away."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1

    def close(self) -> None:
        """Give the file back."""
        self._shut()
        self._whole = False
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def record_of(game: Game, players: Mapping[str, str], key: Key | None) -> str:
    """The text of a record, sealed while the game goes on where there is a *key*."""
    from runtime.record import Record

    sealed = key is not None and not game.over
    return Record.of(game, players, "" if key is None else key.nonce, reveal=not sealed).write()


def write(path: Path, text: str, game: Game, key: Key | None, private: bool = False) -> None:
    """Write the whole record of a game, its key beside it while it is sealed.  OSError when it cannot be."""
    sealed = key is not None and not game.over
    if key is not None and sealed:
        _see_that_no_other_key_is_lost(path, key)
        replace(key_path(path), key.write(), private=True)
    replace(path, text, private)
    if not sealed:
        _remove_key(path, key)


def _remove_key(path: Path, key: Key | None) -> None:
    """Remove the file of the key beside a record, where it holds this one."""
    if key is not None:
        with contextlib.suppress(OSError):
            from runtime.sealing import Key

            if Key.parse(key_path(path).read_text(encoding="utf-8", errors="replace")) == key:
                key_path(path).unlink()


def _see_that_no_other_key_is_lost(path: Path, key: Key) -> None:
    """OSError where beside a record that is to be written stands what is neither its key nor that of the
    record which it replaces.
    """
    from runtime.sealing import Key

    beside = key_path(path)
    try:
        there = beside.read_bytes()
    except FileNotFoundError:
        return
    other = Key.parse(there.decode("utf-8", "replace"))
    if other == key or not there:
        return
    with contextlib.suppress(OSError):
        if other is not None and f"\ncommitment: {other.commitment}\n".encode() in path.read_bytes()[:4096]:
            return
    what = "is no key" if other is None else "is the key of another record"
    raise OSError(errno.EEXIST, f"its key would be {beside.name}, but that file {what}")


def elsewhere(game: Game, players: Mapping[str, str], key: Key | None, stem: str) -> Path | None:
    """Keep a game whose own file cannot be written among the kept games; where, or None."""
    journal = Journal(None, players, key, stem)
    try:
        journal.keep(game)
    except (NotKept, Misuse, OSError):
        journal.discard()
        return None
    finally:
        journal.close()
    return journal.path


def new_target(text: str, option: str) -> Path:
    """A file for a new record.  Misuse when it cannot be written, or holds something."""
    path = target(text, option)
    try:
        there = path.exists() and path.stat().st_size > 0
    except OSError as error:
        raise Misuse(f"{short(text)} cannot be written: {reason(error)}", "give another file") from None
    if there:
        raise Misuse(
            f"{option} '{short(text)}': there is such a file already",
            "resume it, remove it, or give another name",
        )
    return path


def games_folder() -> Path:
    """Where games are kept of which nobody has said where."""
    return data_folder() / "games"


def shown(path: Path) -> str:
    """A path as people write it, printable."""
    home = os.path.join(os.path.expanduser("~"), "")
    text = short(str(path), 5_000)
    return f"~{os.sep}{text.removeprefix(home)}" if text.startswith(home) and len(home) > 2 else text
