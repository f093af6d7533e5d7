"""Clocks of games: how long the sides that people play may take, and whose time is up.

The rules know nothing of them.  A game whose time is up goes on, unless somebody who may do so
claims it: then it is over, and stays in the store as it stands.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Final

from grognard.database import Database, NotKept, Transaction
from grognard.fronts.room import asked_person
from grognard.table.store import GameWriter
from grognard.table.table import Table
from runtime.errors import ArgumentError

#: What time is given for: a turn of a side, from when it is asked until another is; a whole game.
TURN, GAME = "turn", "game"
#: How it is asked for: under which key, how many of how many seconds at most.
_UNITS: Final = {TURN: ("days", 24 * 3600, 60), GAME: ("minutes", 60, 100_000)}
_COLUMNS: Final = "kind, seconds, used, runs, since, late"


@dataclass(frozen=True, slots=True)
class Limit:
    """So many *seconds* for each side, of a *kind*."""

    kind: str
    seconds: int

    @classmethod
    def of(cls, asked: object) -> Limit | None:
        """From ``{"by": "turn", "days": 3}`` or ``{"by": "game", "minutes": 60}``; None for None.
        ArgumentError.
        """
        if asked is None:
            return None
        kind = asked.get("by") if isinstance(asked, dict) else None
        if not isinstance(asked, dict) or kind not in tuple(_UNITS):
            raise ArgumentError(
                "there is no such clock",
                '{"by": "turn", "days": 3} or {"by": "game", "minutes": 60}',
            )
        unit, seconds, most = _UNITS[kind]
        number = asked.get(unit)
        if type(number) is not int or not 1 <= number <= most:
            raise ArgumentError(f"a clock has 1 to {most} {unit}")
        return cls(kind, number * seconds)


@dataclass(slots=True)
class Reading:
    """What a clock shows: the seconds that sides have *used* up before *since*, when it began to
    run for the side that it *runs* for, if any; *late*: the side against which it was claimed.
    """

    limit: Limit
    used: dict[str, float] = field(default_factory=dict)
    runs: str = ""
    since: float = 0.0
    late: str = ""

    def seconds_left(self, side: str, now: float) -> float:
        """The seconds that a side has left."""
        used = self.used.get(side, 0.0) if self.limit.kind == GAME else 0.0
        if side == self.runs and not self.late:
            used += max(0.0, now - self.since)
        return self.limit.seconds - used

    def pass_on(self, side: str, now: float) -> None:
        """It runs for another side, or none, from *now* on."""
        if self.runs:
            taken = max(0.0, now - self.since)
            self.used[self.runs] = self.used.get(self.runs, 0.0) + taken
        self.runs, self.since = side, now

    def data(self, now: float) -> dict[str, Any]:
        """As JSON-able data: the seconds that are left for whom it runs."""
        left = round(self.seconds_left(self.runs, now), 1) if self.runs else None
        return {"kind": self.limit.kind, "runs": self.runs, "left": left, "late": self.late}


class Clock:
    """The clock of a game that is open at a *table*, as the database has it."""

    def __init__(
        self, database: Database, kept: GameWriter, table: Table, reading: Reading
    ) -> None:
        self._database, self._kept, self._table = database, kept, table
        self._reading, self._lock = reading, Lock()
        table.heard.append(lambda _: self.move())

    @property
    def claimed_against(self) -> str:
        """The side against which the game was claimed; nothing where none was."""
        return self._reading.late

    def move(self, now: float | None = None) -> None:
        """Let it run for the side that is asked, from *now* on; for none before all have come who
        play by links.  What cannot be kept now is kept with the next move.
        """
        asked = asked_person(self._table)
        with self._lock, suppress(NotKept):
            reading = self._reading
            if (
                reading.late
                or asked == reading.runs
                or not (reading.since or self._has_everybody_come())
            ):
                return
            reading.pass_on(asked, time.time() if now is None else now)
            with self._database.transaction() as database:
                _save(database, self._kept.identity, reading)

    def _has_everybody_come(self) -> bool:
        away = {side for side, who in self._kept.players.items() if who == "link"}
        with self._database.transaction(reading=True) as database:
            rows = database.rows("SELECT side FROM seat WHERE game = ?", self._kept.identity)
        return away <= {side for (side,) in rows}

    def data(self) -> dict[str, Any]:
        """What it shows, as JSON-able data."""
        self.move()
        now = time.time()
        with self._lock:
            left = {
                side: round(self._reading.seconds_left(side, now), 1)
                for number, side in enumerate(self._table.game.spec.sides)
                if number in self._table.people
            }
            return {**self._reading.data(now), "sides": left}

    def claim(self) -> bool:
        """End the game, as the time is up of the side that is asked; whether that is so.  NotKept,
        also where it has been played on meanwhile.
        """
        self.move()
        with self._lock, self._database.transaction() as database:
            reading = self._reading
            if (
                reading.late
                or not reading.runs
                or reading.seconds_left(reading.runs, time.time()) > 0
            ):
                return False
            # an answer that comes now belongs to a game of before
            changed = database.change(
                "UPDATE game SET revision = revision + 1 WHERE id = ? AND revision = ?",
                *(self._kept.identity, self._kept.revision),
            )
            if not changed:
                return False
            claimed = replace(reading, used=dict(reading.used), late=reading.runs)
            claimed.pass_on("", time.time())
            _save(database, self._kept.identity, claimed)
        self._reading = claimed
        return True


def set_clock(database: Database, kept: GameWriter, limit: Limit) -> None:
    """Give a game that has just begun a clock."""
    with database.transaction() as transaction:
        transaction.change(
            f"INSERT INTO clock (game, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(kept.identity, limit.kind, limit.seconds, "{}", "", 0.0, ""),
        )


def open_clock(database: Database, kept: GameWriter, table: Table) -> Clock | None:
    """The clock of a game that is opened, if it has one."""
    with database.transaction(reading=True) as transaction:
        row = transaction.row(
            f"SELECT changed, {_COLUMNS} FROM clock JOIN game ON game.id = clock.game"
            " WHERE clock.game = ?",
            kept.identity,
        )
    if row is None:
        return None
    clock = Clock(database, kept, table, _read(row[1:]))
    # what was decided before the server ended was decided when it was kept
    clock.move(max(row[0], row[5]) if row[5] else None)
    return clock


def clock_data(database: Database) -> Mapping[str, dict[str, Any]]:
    """What the clocks of games under way show, by the names of these, as JSON-able data."""
    with database.transaction(reading=True) as transaction:
        rows = transaction.rows(
            f"SELECT name, {_COLUMNS} FROM clock JOIN game ON game.id = clock.game"
        )
    now = time.time()
    return {row[0]: _read(row[1:]).data(now) for row in rows}


def _read(row: tuple[Any, ...]) -> Reading:
    kind, seconds, used, runs, since, late = row
    return Reading(Limit(kind, seconds), json.loads(used), runs, since, late)


def _save(database: Transaction, game: int, reading: Reading) -> None:
    database.change(
        "UPDATE clock SET used = ?, runs = ?, since = ?, late = ? WHERE game = ?",
        *(json.dumps(reading.used), reading.runs, reading.since, reading.late, game),
    )
