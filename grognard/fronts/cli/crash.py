"""The report of a fault of the program: what is needed to find it, in a file."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from grognard import __version__
from grognard.files import data_folder
from runtime.errors import broken_game
from runtime.games.game import Game
from runtime.games.record import Record

#: The game that is going on.
_games: list[Game] = []


def watch_game(game: Game) -> None:
    """A report of a fault shall hold this game."""
    _games[:] = [game]


def watched_game() -> Game | None:
    """The game that is going on."""
    return _games[0] if _games else None


def write_crash_file(arguments: Sequence[str], error: BaseException) -> Path | None:
    """Write the report of a fault to a file of its own; None when there is no place for it."""
    name = f"fault-{time.strftime('%Y%m%d-%H%M%S')}-"
    return _write_new_file(_report_text(arguments, error), name, ".txt", _report_folders())


def fault_message(command: str, error: BaseException) -> str:
    """What is told of a fault where the program goes on, with the file of its report."""
    path = write_crash_file([command], error)
    where = "" if path is None else f"; please report it with {path}"
    return f"{type(error).__name__}{where}"


def _report_folders() -> tuple[Path, ...]:
    """Where reports are kept: the second where the first has no room."""
    return data_folder() / "faults", Path(tempfile.gettempdir())


def _write_new_file(text: str, name: str, suffix: str, folders: Sequence[Path]) -> Path | None:
    """A new file with a text, in the first of the folders that has room for it."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor, path = tempfile.mkstemp(prefix=name, suffix=suffix, dir=folder)
        except OSError:
            continue
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            Path(path).unlink(missing_ok=True)
            continue
        return Path(path)
    return None


def keep_record(name: str, record: str, folder: Path | None = None) -> Path | None:
    """Write the record of a game that was broken off, to *folder* or where reports are kept; None
    when there is no place for it.
    """
    return _write_new_file(
        record, f"{name}-stopped-", ".record", _report_folders() if folder is None else (folder,)
    )


def _report_text(arguments: Sequence[str], error: BaseException) -> str:
    lines = [
        f"grognard: {__version__}",
        f"python: {' '.join(sys.version.split())}",
        f"system: {platform.platform()}",
        f"command: {shlex.join(['grognard', *arguments])}",
    ]
    for game in _games:
        lines += [
            f"ruleset: {game.spec.name} {game.spec.hash}",
            f"scenario: {game.setup.title}",
            f"seed: {game.seed}",
        ]
    broken = broken_game(error)
    if broken is not None:
        lines.append(f"seed: {broken.seed}")
    lines += ["", "".join(traceback.format_exception(error)).rstrip()]
    if broken is not None and broken.record:
        lines += ["", "record:", "", broken.record.rstrip()]
    for game in _games:
        try:
            record = Record.of(game).write()
        except Exception as another:  # a report of what there is, whatever else is broken
            record = f"{type(another).__name__}: {another}\n"
        lines += ["", "record:", "", record.rstrip()]
    return "\n".join(lines) + "\n"
