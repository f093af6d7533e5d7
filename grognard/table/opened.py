"""A game that is opened, anew or to go on: how it is kept, and its table."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Self
from weakref import WeakKeyDictionary

from grognard.kept_rules import KeptRules, Opening, opened_in
from grognard.records import NamedRecord
from grognard.scenario import Scenario
from grognard.table.store import GameEntry, GameWriter, Store
from grognard.table.table import Keep, Table
from runtime.games.game import Game
from runtime.games.sealing import Key, conceals
from runtime.runs.seats import Seat

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer


@dataclass
class OpenedGame:
    """A game to be played; one that goes on with its key, who has played it, the file of its record
    and its *name* in the store.
    """

    scenario: Scenario
    game: Game
    key: Key | None = None
    players: dict[str, str] = field(default_factory=dict)
    file: Path | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if self.key is None and conceals(self.game.spec):
            self.key = Key.new(self.game.seed)

    @classmethod
    def start_new(cls, scenario: Scenario, seed: int, file: Path | None = None) -> Self:
        """A new game."""
        return cls(scenario, scenario.begin(seed), file=file)

    @classmethod
    def resume_record(
        cls,
        source: NamedRecord,
        kept: GameEntry | None,
        scenario: Scenario | None,
        file: Path | None,
        opening: Opening = opened_in,
    ) -> Self:
        """A game that goes on where its record ends; of the *scenario* that is given, else of that
        which it began with, as it was then.  GrognardError.
        """
        if scenario is None and kept is not None:
            scenario = KeptRules().scenario_of(source.record, kept.scenario, opening)
        if scenario is None:
            opened, game = source.open()
        else:
            opened, game = scenario, source.game(scenario)
        players = {side: who for side, who in source.record.players if side in game.spec.sides}
        return cls(opened, game, source.key, players, file, "" if kept is None else kept.name)

    def keep(self, store: Store, players: Mapping[str, str]) -> GameWriter:
        """Keep it from here on.  NotKept."""
        if self.name:
            return store.resume(self.name, self.game, players, self.key, self.file)
        with suppress(OSError):  # without them it hangs on what is changed later, and no more
            KeptRules().keep(self.scenario, {kept.rules for kept in store.games()})
        return store.begin(self.game, self.scenario.file, players, self.key, self.file)


def table_of(
    opened: Scenario,
    game: Game,
    bots: Mapping[int, Seat],
    keep: Keep | None = None,
    version: int | None = None,
) -> Table:
    """A table for a game, with the *version* that it begins with; the rules are read when somebody
    asks what they say, once for all tables of a scenario.
    """

    return Table(game, bots, lambda: _explainer(opened, game.wording.language), keep, version)


_READING: Final = Lock()
#: what explains a scenario, by languages
_READ: Final[WeakKeyDictionary[Scenario, dict[str, Explainer]]] = WeakKeyDictionary()


def _explainer(opened: Scenario, language: str) -> Explainer:
    from grognard.explain.explainer import Explainer  # start-up: it reads the rules

    with _READING:
        read = _READ.setdefault(opened, {})
        if language not in read:
            read[language] = Explainer(opened.rules, opened.program.spec.board, language)
        return read[language]
