"""The rules that games under way began with: what is changed in a ruleset or a scenario later does
not reach them.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final
from uuid import uuid4

from grognard.files import data_folder, replace
from grognard.opening import open_scenario
from grognard.places import RULESETS, SCENARIOS, family
from grognard.scenario import Scenario
from runtime.errors import GrognardError
from runtime.files import entries, read_bytes
from runtime.games.record import Record

#: Opens the scenario in a file, with the rulesets below a folder before all others.
Opening = Callable[[Path, Path | None], Scenario]

#: What a ruleset consists of: folders in it, and the endings of files there.
_PARTS: Final = (("", ".grog"), ("", ".yaml"), ("boards", ".yaml"), ("texts", ".yaml"))
#: Seconds for which rules that no game has are kept all the same: one may be about to begin.
_UNUSED: Final = 24 * 3600.0


def opened_in(path: Path, root: Path | None) -> Scenario:
    """See :data:`Opening`.  GrognardError."""
    return open_scenario(path, root=root)


class KeptRules:
    """Rulesets and scenarios as they were, in the user's folder for data: below the hash of the
    rules a folder with ``rulesets`` and ``scenarios``.
    """

    def __init__(self) -> None:
        self.folder = data_folder() / "rules"

    def keep(self, scenario: Scenario, used: Collection[str]) -> None:
        """Keep what a game begins with; of other rules forget those that are not *used* any more.
        OSError.
        """
        hash = scenario.program.spec.hash
        root = self.folder / hash
        for folder in family(scenario.folder):
            place = root / RULESETS / folder.name
            if not place.is_dir():
                _copy(folder, place)
        file = self._file(hash, scenario.setup.hash)
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace(file, read_bytes(scenario.file))
        for other in self.folder.iterdir():
            old = time.time() - other.stat().st_mtime > _UNUSED
            if old and other.name not in {hash, *used}:
                shutil.rmtree(other, ignore_errors=True)

    def scenario_of(self, record: Record, path: Path, opening: Opening) -> Scenario | None:
        """The scenario of a record: that in the file *path* where it is still what it was, else as
        it was kept, else that in the file; None where there is neither.  GrognardError where it
        cannot be opened.
        """
        try:
            now = opening(path, None) if path.is_file() else None
        except GrognardError:
            kept = self.kept_scenario(record, opening)
            if kept is None:
                raise
            return kept
        if now is not None and fits(now, record):
            return now
        return self.kept_scenario(record, opening) or now

    def kept_scenario(self, record: Record, opening: Opening) -> Scenario | None:
        """The scenario of a record with its rules as they were kept, if they were.
        GrognardError where it cannot be opened.
        """
        file = self._file(record.ruleset_hash, record.setup_hash)
        scenario = opening(file, self.folder / record.ruleset_hash) if file.is_file() else None
        return scenario if scenario is not None and fits(scenario, record) else None

    def _file(self, rules: str, setup: str) -> Path:
        return self.folder / Path(rules).name / SCENARIOS / f"{Path(setup).name}.yaml"


def fits(scenario: Scenario, record: Record) -> bool:
    """Whether a scenario and its rules are those of a record."""
    rules = scenario.program.spec
    found = rules.name, rules.hash, scenario.setup.hash
    return found == (record.ruleset, record.ruleset_hash, record.setup_hash)


def _copy(folder: Path, place: Path) -> None:
    """Copy a ruleset, whole or not at all."""
    made = place.with_name(f".{uuid4().hex}")
    for part, ending in _PARTS:
        for path in entries(folder / part, ending):
            (made / part).mkdir(parents=True, exist_ok=True, mode=0o700)
            (made / part / path.name).write_bytes(read_bytes(path, within=folder))
    try:
        made.rename(place)
    except OSError:  # another process was quicker
        shutil.rmtree(made, ignore_errors=True)
        if not place.is_dir():
            raise
