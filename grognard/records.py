"""Records as files: read and written, with their keys; the scenario of one found and the game
played up to where it ends.
"""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grognard import places
from grognard.files import reason, replace, short
from grognard.kept_rules import KeptRules, fits, opened_in
from grognard.lexicon.names import Lexicon
from grognard.opening import load_scenario, open_scenario, ruleset_of
from grognard.scenario import Scenario
from runtime.errors import LoadError, RecordError
from runtime.files import LARGEST_RECORD, read_bytes
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.games.sealing import Key, conceals
from runtime.model import NONE


class TornRecord(UserWarning):
    """The last line of a record was not written to its end and is left out."""


def read_record(path: Path) -> Record:
    """Read a record from a file.  What an interrupted writing left of its last line is left out,
    with a :class:`TornRecord` warning.
    """
    name = short(str(path))
    remedy = "give a record that `play`, `bots --records` or `save` has written, or a game that "
    remedy += "`grognard list` names"
    try:
        data = read_bytes(path, LARGEST_RECORD)
    except FileNotFoundError:
        raise RecordError(f"there is no file '{name}'", remedy=remedy) from None
    except IsADirectoryError:
        raise RecordError(f"'{name}' is a folder; a record is a file", remedy=remedy) from None
    except (OSError, ValueError) as error:
        raise RecordError(
            f"{name} cannot be read: {reason(error)}", remedy="check the path and its permissions"
        ) from None
    whole, torn = untorn(data)
    try:
        record = Record.parse(whole.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(
            f"{name} is not the record of a game: not UTF-8 text (byte {error.start})",
            remedy="give a record",
        ) from None
    except RecordError as error:
        raise with_file(error, name) from None
    if torn:
        text = short(torn.decode("utf-8", "replace").strip(), 60)
        line = whole.count(b"\n") + 1
        message = (
            f"{name}:{line}: the last line was not written to its end and is left out: '{text}'"
        )
        warnings.warn(message, TornRecord, stacklevel=2)
    return record


def with_file(error: RecordError, name: str) -> RecordError:
    """What is wrong with a record, with the name of its file."""
    return RecordError(error.message, error.line, error.remedy, name)


def untorn(data: bytes) -> tuple[bytes, bytes]:
    """A record without the last line that was not written to its end, and that line."""
    end = data.rfind(b"\n") + 1
    header_ended = b"\n\n" in data.replace(b"\r\n", b"\n")
    if end == len(data) or not header_ended or data[end:].startswith(b"= "):
        return data, b""
    return data[:end], data[end:]


# --------------------------------------------------------------------------- keys


def key_path(path: Path) -> Path:
    """Where the key of a sealed record stands: beside it."""
    path = Path(os.path.realpath(path))
    return path.with_name(f"{path.name}.key")


def key_of(path: Path, record: Record) -> Key | None:
    """The key of a sealed record: that which stands beside it and fits.  RecordError when there is
    none.
    """
    if record.seed is not None:
        return Key(record.seed, record.nonce) if record.commitment else None
    key = _key_beside(path)
    if key is None or key.commitment != record.commitment:
        problem = "is not there, or cannot be read" if key is None else "belongs to another record"
        raise RecordError(
            f"the record {short(str(path))} is sealed, and its key {key_path(path).name} {problem}",
            remedy="put the key beside the record",
        )
    return key


def _key_beside(path: Path) -> Key | None:
    try:
        return Key.parse(read_bytes(key_path(path), 1 << 16).decode("utf-8", "replace"))
    except OSError:
        return None


# --------------------------------------------------------------------------- writing


def write_record(
    path: Path, game: Game, players: Mapping[str, str], key: Key | None, private: bool = False
) -> None:
    """Write the record of a game, whole or not at all.  With a *key* it is sealed while the game
    goes on, and the key stands beside it until the game is over.  OSError when it cannot be
    written, or the key of another record stands there.
    """
    sealed = key is not None and not game.over
    record = Record.of(game, players, "" if key is None else key.nonce, reveal=not sealed)
    if key is not None and sealed:
        _spare_other_key(path, key)
        replace(key_path(path), key.write(), private=True)
    replace(path, record.write(), private)
    if not sealed:
        _remove_key(path, key)


def remove_record(path: Path, key: Key | None) -> None:
    """Remove a record with its key, as far as that can be done."""
    _remove_key(path, key)
    with suppress(OSError):
        path.unlink()


def _remove_key(path: Path, key: Key | None) -> None:
    if key is not None and _key_beside(path) == key:
        with suppress(OSError):
            key_path(path).unlink()


def _spare_other_key(path: Path, key: Key) -> None:
    """OSError where beside a record that is to be written stands what is neither its key nor that
    of the record which it replaces.
    """
    beside = key_path(path)
    other = _key_beside(path)
    if other == key or not beside.exists() or not beside.stat().st_size:
        return
    with suppress(OSError):
        if other is not None and f"\ncommitment: {other.commitment}\n" in path.read_text()[:4096]:
            return
    what = "is no key" if other is None else "is the key of another record"
    raise OSError(errno.EEXIST, f"its key would be {beside.name}, but that file {what}")


# --------------------------------------------------------------------------- opening


def scenario_of(record: Record, argument: str | None, name: str = "") -> Scenario:
    """The scenario of a record: as given, else the one found with the same content, with the rules
    that a game of this machine began with where others are found now.  LoadError, with the *name*
    of the record where that is known, when there is none.
    """
    if argument is not None:
        return open_scenario(argument)
    try:
        found = _find_scenario(record, name)
    except LoadError:
        kept = KeptRules().kept_scenario(record, opened_in)
        if kept is None:
            raise
        return kept
    return found if fits(found, record) else KeptRules().kept_scenario(record, opened_in) or found


def successor_of(record: Record, name: str) -> Scenario:
    """The scenario of a record as it is found now, of whatever content: the only one with its
    title.  LoadError, with the *name* of the record, when there is none.
    """
    folder = _ruleset_of(record, name)
    like: dict[str, Scenario] = {}
    for known, scenario in _alike(record, folder):
        if scenario.setup.hash == record.setup_hash:
            return scenario
        like[known] = scenario
    if len(like) == 1:
        return next(iter(like.values()))
    several = f"{', '.join(like)} have that title" if like else "none has that title"
    raise LoadError(
        f"{name}: the scenario of the record ({short(record.title)}) is not found: {several}",
        "name it with --scenario",
    )


def _find_scenario(record: Record, name: str) -> Scenario:
    folder = _ruleset_of(record, name)
    like: list[str] = []
    for known, scenario in _alike(record, folder):
        if scenario.setup.hash == record.setup_hash:
            return scenario
        like.append(known)
    changed = (
        f"'{like[0]}' has the same title but has changed since"
        if like
        else "none of the scenarios found is the one that was played"
    )
    where = f"{name}: " if name else ""
    raise LoadError(
        f"{where}the scenario of the record ({short(record.title)}) is not found: {changed}",
        "name its file, as it was",
    )


def _ruleset_of(record: Record, name: str) -> Path:
    folder = places.find(record.ruleset)
    if folder is None:
        where = f"{name}: " if name else ""
        message = (
            f"{where}there is no ruleset '{short(record.ruleset)}', with which the game was played"
        )
        raise LoadError(message, "`grognard list` shows those that are found")
    return folder


def _alike(record: Record, folder: Path) -> Iterator[tuple[str, Scenario]]:
    """The scenarios of a ruleset that have the content of a record's, or its title, by name."""
    program = places.program_of(folder)
    for known, path in _likely_first(record):
        own = ruleset_of(path)
        if isinstance(own, list) or own != folder:
            continue
        scenario, _ = load_scenario(path, folder, program)
        if scenario is not None and (
            scenario.setup.hash == record.setup_hash or scenario.setup.title == record.title
        ):
            yield known, scenario


def _likely_first(record: Record) -> list[tuple[str, Path]]:
    """The scenarios found, first those whose files mention ruleset and title."""
    words = [word.encode(errors="replace") for word in (record.ruleset, record.title)]

    def unlikely(named: tuple[str, Path]) -> bool:
        try:
            text = read_bytes(named[1])
        except OSError:
            return True
        return not all(word in text for word in words)

    return sorted(places.scenarios().items(), key=unlikely)


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A record and its key, under the *name* of its file, or of the game where it is kept."""

    name: str
    record: Record
    key: Key | None

    def open(self, scenario: str | None = None, lenient: bool = False) -> tuple[Scenario, Game]:
        """The scenario, as given or found, and the game, standing where the record ends."""
        opened = scenario_of(self.record, scenario, self.name)
        return opened, self.game(opened, lenient)

    def game(self, opened: Scenario, lenient: bool = False, log: bool = True) -> Game:
        """The game, of a scenario that is open, standing where the record ends."""
        try:
            return replay(
                opened.program,
                opened.setup,
                self.record,
                lenient,
                log=log,
                key=self.key,
                library=opened,
            )
        except RecordError as error:
            raise with_file(error, self.name) from None


def read_named(path: Path) -> NamedRecord:
    """The record in a file."""
    record = read_record(path)
    return NamedRecord(short(str(path)), record, key_of(path, record))


def looks_on(game: Game, side: str | None) -> int | None:
    """For whom a game is shown: the side that is named; else NONE, what all see, while it goes on
    and has secrets; else None: all.
    """
    if side is not None:
        return Lexicon.of(game.wording).side_named(side)
    return NONE if conceals(game.spec) and not game.over else None
