"""Results on disk: Parquet files in a folder, one for each unit of work and table.

A unit is done when its file of *games* is there, which is written last; so nothing is lost or
counted twice, whenever the program is ended.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from grognard.files import reason, replace, short
from grognard.lab.experiment import Experiment, Unit
from grognard.lab.tables import ARRANGEMENTS, TABLES
from grognard.lab.watching import Rows
from runtime.errors import ArgumentError
from runtime.files import read_text

_ABOUT: Final = "experiment.json"
#: Seconds in which a command that was ended lets go of its folder.
_PATIENCE: Final = 3.0
_ANOTHER: Final = "give another folder with -o, or remove this one"


class Store:
    """The results of an experiment in a folder.  In a ``with`` block no other command writes
    there.
    """

    def __init__(self, folder: Path, experiment: Experiment) -> None:
        self.folder, self.experiment = folder, experiment
        self._held = ExitStack()
        #: how many games the files of units hold
        self._games: dict[Path, int] = {}

    def __enter__(self) -> Self:
        made = not self.folder.exists()
        try:
            for name in TABLES:
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            lock = self._held.enter_context(open(self.folder / ".lock", "ab"))
            self._hold(lock)
            self._begin()
        except BlockingIOError:
            message = f"another command is writing {short(str(self.folder))}"
            raise ArgumentError(
                message, "wait until it has ended, or give another folder"
            ) from None
        except OSError as error:
            self._held.close()
            message = f"{short(str(self.folder))} cannot be written: {reason(error)}"
            raise ArgumentError(message, "give another folder with -o") from None
        except ArgumentError:
            self._held.close()
            raise
        if made:
            self._held.callback(self._leave_nothing)
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _leave_nothing(self) -> None:
        """Remove a new folder in which nothing has been begun."""
        if not self._description_path.exists():
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _description_path(self) -> Path:
        return self.folder / "arrangements.parquet"

    def _hold(self, lock: IO[bytes]) -> None:
        """Hold the lock; of a command that was ended just now, its workers have it for a moment."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    self._held.close()
                    raise
                time.sleep(_PATIENCE / 20)

    def _begin(self) -> None:
        about = self.folder / _ABOUT
        if about.exists():
            begun = experiment_in(self.folder)
            if begun.key != self.experiment.key:
                message = f"{short(str(self.folder))} holds the results of another experiment"
                raise ArgumentError(message, _ANOTHER)
            if begun.games > self.experiment.games:
                message = (
                    f"{short(str(self.folder))} is an experiment of {begun.games} games,"
                    f" {self.experiment.games} are fewer"
                )
                raise ArgumentError(message, f"ask for {begun.games} or more, or {_ANOTHER}")
            if begun.games == self.experiment.games:
                return
        text = json.dumps(self.experiment.data, indent=2, ensure_ascii=False)
        replace(about, text + "\n")

    def describe(self, rows: list[dict[str, Any]]) -> None:
        """Write what is played.  ArgumentError where games of other rules are there already."""
        path = self._description_path
        if path.exists() or any((self.folder / "games").glob("*.parquet")):
            try:
                known = pq.read_table(path, columns=["rules_hash"])["rules_hash"].to_pylist()
            except (OSError, pa.ArrowException) as error:
                raise undescribed(path, error) from None
            if known != [row["rules_hash"] for row in rows]:
                message = f"rules, scenarios or weights have changed since {short(str(path))}"
                raise ArgumentError(message, _ANOTHER)
        self._write(path, ARRANGEMENTS, rows)

    def is_played(self, unit: Unit) -> bool:
        """Whether the games of a unit have been played, all of them: the last one of an experiment
        has fewer until more games are asked for.  Those of a file that is damaged have not, nor
        those of which not all is told.
        """
        path = self._file("games", unit)
        if path not in self._games and all(self._file(name, unit).exists() for name in TABLES):
            with suppress(OSError, pa.ArrowException):
                self._games[path] = pq.read_table(path, columns=["first"]).num_rows
        return self._games.get(path) == unit.end - unit.first

    def firsts(self, unit: Unit) -> list[float]:
        """What each game of a unit that is done counts for the first."""
        column = pq.read_table(self._file("games", unit), columns=["first"]).column("first")
        return [float(one) for one in column.to_pylist()]

    def add(self, unit: Unit, rows: Rows) -> None:
        """Keep the results of a unit."""
        for name in (*(table for table in TABLES if table != "games"), "games"):
            self._write(self._file(name, unit), TABLES[name], rows[name])
        self._games[self._file("games", unit)] = len(rows["games"])

    def drop(self, unit: Unit) -> None:
        """Forget a unit, which is not needed."""
        for name in TABLES:
            self._file(name, unit).unlink(missing_ok=True)
        self._games.pop(self._file("games", unit), None)

    def _file(self, table: str, unit: Unit) -> Path:
        return self.folder / table / f"{unit.arrangement.number:04d}-{unit.first:07d}.parquet"

    def _write(self, path: Path, schema: pa.Schema, rows: list[dict[str, Any]]) -> None:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink, compression="zstd")
        try:
            replace(path, sink.getvalue().to_pybytes())
        except OSError as error:
            message = f"{short(os.fspath(path))} cannot be written: {reason(error)}"
            raise ArgumentError(message, "make room; the same command goes on from there") from None


def experiment_in(folder: Path) -> Experiment:
    """The experiment whose results a folder holds.  ArgumentError where it holds none."""
    about = folder / _ABOUT
    try:
        return Experiment.of(json.loads(read_text(about)))
    except OSError:
        message = f"{short(str(folder))} holds no results of an experiment"
        remedy = "give the folder that `grognard lab FILE` has written"
        raise ArgumentError(message, remedy) from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"{short(str(about))} is damaged: {reason(error)}"
        raise ArgumentError(message, "begin the experiment anew in another folder") from None


def undescribed(path: Path, error: BaseException) -> ArgumentError:
    """What is played in a folder of results is not known, so that nothing can be told or added."""
    message = f"{short(str(path))}, which says what was played, cannot be read: {reason(error)}"
    return ArgumentError(message, "begin the experiment anew in another folder")
