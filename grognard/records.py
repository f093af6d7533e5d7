"""Opening records: finding the scenario of a game and playing it up to where the record ends."""

from __future__ import annotations

import sys
from pathlib import Path

from grognard import places
from grognard.exits import Misuse
from grognard.faults import watch
from grognard.files import reason, short
from grognard.journal import key_path
from runtime.files import LARGEST_RECORD, read_bytes
from runtime.game import Game
from runtime.model import NONE
from runtime.record import Record, RecordError, replay
from runtime.sealing import Key, conceals


def read_record(path: Path) -> Record:
    """Read a record from a file.  What an interrupted writing left of its last line is dropped, and that is
    said.
    """
    remedy = "give a record that `play`, `bots --records` or `save` has written"
    if path.is_dir():
        raise Misuse(f"'{short(str(path))}' is a folder; a record is a file", remedy)
    try:
        data = read_bytes(path, LARGEST_RECORD)
    except FileNotFoundError:
        raise Misuse(f"there is no file '{short(str(path))}'", remedy) from None
    except (OSError, ValueError) as error:
        raise Misuse(
            f"{short(str(path))} cannot be read: {reason(error)}", "check the path and its permissions"
        ) from None
    whole, torn = untorn(data)
    try:
        record = Record.parse(whole.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Misuse(
            f"{short(str(path))} is not the record of a game: not UTF-8 text (byte {error.start})",
            "give a record",
        ) from None
    except RecordError as error:
        where = f"{short(str(path))}:{error.line}" if error.line else short(str(path))
        raise Misuse(f"{where}: {error.message}", error.remedy) from None
    if torn:
        line = whole.count(b"\n") + 1
        text = short(torn.decode("utf-8", "replace").strip(), 60)
        print(
            f"{short(str(path))}:{line}: the last line was not written to its end and is left out: '{text}'",
            file=sys.stderr,
        )
    return record


def untorn(data: bytes) -> tuple[bytes, bytes]:
    """A record without the last line that was not written to its end, and that line."""
    end = data.rfind(b"\n") + 1
    if end == len(data) or b"\n\n" not in data.replace(b"\r\n", b"\n") or data[end:].startswith(b"= "):
        return data, b""
    return data[:end], data[end:]


def key_of(path: Path, record: Record) -> Key | None:
    """The key of a sealed record: that which stands beside it and fits.  Misuse when there is none."""
    if record.seed is not None:
        return Key(record.seed, record.nonce) if record.commitment else None
    beside = key_path(path)
    try:
        key = Key.parse(read_bytes(beside, 1 << 16).decode("utf-8", "replace"))
    except OSError:
        key = None
    if key is None or key.commitment != record.commitment:
        problem = "is not there, or cannot be read" if key is None else "belongs to another record"
        raise Misuse(
            f"the record {short(str(path))} is sealed, and its key {beside.name} {problem}",
            "put the key beside the record",
        )
    return key


def scenario_of(record: Record, argument: str | None, path: Path | None = None) -> places.Opened:
    """The scenario of a record: as given, else the one found with the same content.  Misuse, with the *path*
    of the record where that is known, when there is none.
    """
    if argument is not None:
        return places.open_scenario(argument)
    where = "" if path is None else f"{short(str(path))}: "
    folder = places.find(record.ruleset)
    if folder is None:
        message = f"{where}there is no ruleset '{short(record.ruleset)}', with which the game was played"
        raise Misuse(message, "`grognard list` shows those that are found")
    program = places.program_of(folder)
    like: list[str] = []
    for name, path in _likely_first(record):
        found = places.ruleset_of(path)
        if isinstance(found, list) or found != folder:
            continue
        placed, setup, findings = places.load_scenario(path, program)
        if setup is not None and setup.hash == record.setup_hash:
            return places.Opened(path, folder, placed, setup, findings)
        if setup is not None and setup.title == record.title:
            like.append(name)
    changed = (
        f"'{like[0]}' has the same title but has changed since"
        if like
        else "none of the scenarios found is the one that was played"
    )
    raise Misuse(
        f"{where}the scenario of the record ({short(record.title)}) is not found: {changed}",
        "name its file, as it was",
    )


def _likely_first(record: Record) -> list[tuple[str, Path]]:
    """The scenarios found, first those whose files mention ruleset and title, so that few are read."""
    words = [word.encode(errors="replace") for word in (record.ruleset, record.title)]

    def unlikely(named: tuple[str, Path]) -> bool:
        try:
            text = read_bytes(named[1])
        except OSError:
            return True
        return not all(word in text for word in words)

    return sorted(places.scenarios().items(), key=unlikely)


def open_record(path: Path, scenario: str | None = None, lenient: bool = False) -> tuple[places.Opened, Game]:
    """The game of a record, standing where the record ends."""
    opened, game, _ = open_sealed(path, scenario, lenient)
    return opened, game


def open_sealed(
    path: Path, scenario: str | None = None, lenient: bool = False
) -> tuple[places.Opened, Game, Key | None]:
    """The game of a record, standing where the record ends, and its key."""
    record = read_record(path)
    key = key_of(path, record)
    opened = scenario_of(record, scenario, path)
    return opened, _replay(path, record, key, opened, lenient), key


def game_of(path: Path, opened: places.Opened) -> Game:
    """The game of a record of a scenario that is open, standing where the record ends."""
    record = read_record(path)
    return _replay(path, record, key_of(path, record), opened)


def _replay(
    path: Path, record: Record, key: Key | None, opened: places.Opened, lenient: bool = False
) -> Game:
    try:
        game = replay(opened.program, opened.setup, record, lenient, key=key)
    except RecordError as error:
        where = f"{path}:{error.line}" if error.line else str(path)
        raise Misuse(f"{where}: {error.message}", error.remedy) from None
    watch(game)
    return game


def looks_on(game: Game, side: str | None) -> int | None:
    """For whom a game is shown: the side that is named; else NONE, what all see, while it goes on and has
    secrets; else None: all.
    """
    if side is not None:
        return places.side_of(game.spec, game.setup, side)
    return NONE if conceals(game.spec) and not game.over else None
