"""Opening records: finding the scenario of a game and playing it up to where the record ends."""

from __future__ import annotations

from pathlib import Path

from grognard import places
from grognard.commands import Misuse
from runtime.files import LARGEST_RECORD, read_bytes
from runtime.game import Game
from runtime.record import Record, RecordError, replay


def read_record(path: Path) -> Record:
    """Read a record from a file."""
    if path.is_dir():
        raise Misuse(f"'{path}' is a folder; a record is a file")
    try:
        text = read_bytes(path, LARGEST_RECORD).decode("utf-8")
    except FileNotFoundError:
        raise Misuse(f"there is no file '{path}'", "give a record that `play`, `bots --records` or `save` has written") from None
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}", "check the path and its permissions") from None
    except UnicodeDecodeError as error:
        raise Misuse(f"{path} is no record of a game: no text in UTF-8 (byte {error.start})", "give a record") from None
    try:
        return Record.parse(text)
    except RecordError as error:
        where = f"{path}:{error.line}" if error.line else str(path)
        raise Misuse(f"{where}: {error.message}", error.remedy) from None


def scenario_of(record: Record, argument: str | None) -> places.Opened:
    """The scenario of a record: as given, else the one found with the same content."""
    if argument is not None:
        return places.open_scenario(argument)
    folder = places.find(record.ruleset)
    if folder is None:
        message = f"there is no ruleset '{record.ruleset}', with which the game was played"
        raise Misuse(message, "`grognard list` shows those that are found")
    program = places.program_of(folder)
    like: list[str] = []
    for name, path in places.scenarios().items():
        found = places.ruleset_of(path)
        if isinstance(found, list) or found != folder:
            continue
        setup, findings = places.load_scenario(path, program)
        if setup is not None and setup.hash == record.setup_hash:
            return places.Opened(path, folder, program, setup, findings)
        if setup is not None and setup.title == record.title:
            like.append(name)
    changed = f"'{like[0]}' has the same title but has changed since" if like else "none of the scenarios found is the one that was played"
    raise Misuse(f"the scenario of the record ({record.title}) is not found: {changed}", "name its file, as it was")


def open_record(path: Path, scenario: str | None = None, lenient: bool = False) -> tuple[places.Opened, Game]:
    """The game of a record, standing where the record ends."""
    record = read_record(path)
    opened = scenario_of(record, scenario)
    try:
        return opened, replay(opened.program, opened.setup, record, lenient)
    except RecordError as error:
        where = f"{path}:{error.line}" if error.line else str(path)
        raise Misuse(f"{where}: {error.message}", error.remedy) from None
