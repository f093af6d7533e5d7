"""Games under way carried over to rules that have changed since they began."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any, Final

from grognard.files import data_folder
from grognard.files import replace as write
from grognard.kept_rules import KeptRules, opened_in
from grognard.records import NamedRecord, key_path, write_record
from grognard.scenario import Scenario
from runtime.errors import GrognardError
from runtime.games.game import Game
from runtime.games.record import HASH, UNFINISHED, Record
from runtime.games.replay import RetracedRecord, replay, retrace
from runtime.model import RulesetSpec

#: Kinds of what a ruleset names, in the order in which they are told.
KINDS: Final = (
    "side", "switch", "piece", "field", "member", "pile", "effect", "question", "option",
)  # fmt: skip
#: What is told of a value that there is not.
_NOTHING: Final = "none"


@dataclass(frozen=True)
class Upgrade:
    """A recorded game and what becomes of it with the scenario and the rules of *now*; *then* is
    the scenario as it began with it, where that was kept.
    """

    source: NamedRecord
    now: Scenario
    then: Scenario | None
    retraced: RetracedRecord

    @classmethod
    def of(cls, source: NamedRecord, now: Scenario) -> Upgrade:
        """The game retraced.  RecordError where its key is missing, or where the record does not
        hold with the rules that it began with.
        """
        then = None
        with suppress(GrognardError):  # rules that this version cannot read are as good as none
            then = KeptRules().kept_scenario(source.record, opened_in)
        if then is not None:
            source.game(then, log=False)
        retraced = retrace(now.program, now.setup, source.record, source.key, now)
        return cls(source, now, then, retraced)

    @cached_property
    def gone(self) -> dict[str, list[str]]:
        """What the rules named and name no more, by kind; empty where they were not kept."""
        return (
            {}
            if self.then is None
            else _missing_names(self.then.program.spec, self.now.program.spec)
        )

    @cached_property
    def added(self) -> dict[str, list[str]]:
        """What the rules name and did not, by kind; empty where they were not kept."""
        return (
            {}
            if self.then is None
            else _missing_names(self.now.program.spec, self.then.program.spec)
        )

    @cached_property
    def differences(self) -> list[tuple[str, str, str]]:
        """What everybody sees otherwise where the states first part: what, how it was, how it is;
        empty where the rules were not kept.
        """
        parted = self.retraced.parted
        if parted is None or self.then is None:
            return []
        begun = _truncated(self.source.record, parted)
        key = self.source.key
        was = replay(self.then.program, self.then.setup, begun, key=key, library=self.then)
        now = retrace(self.now.program, self.now.setup, begun, key, self.now).game
        old, new = (dict(_values(_position_data(game))) for game in (was, now))
        both = {**old, **new}
        told = ((what, old.get(what, _NOTHING), new.get(what, _NOTHING)) for what in both)
        return [(what, before, after) for what, before, after in told if before != after]

    def put_by(self) -> Path:
        """Write the record as it was beside those of the games that are over, and its key; where
        it stands then.  OSError.
        """
        folder = data_folder() / "games"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        stem = f"{Path(self.source.name).stem}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = chain((stem,), (f"{stem}-{number}" for number in count(2)))
        paths = (folder / f"{name}-before.record" for name in names)
        path = next(path for path in paths if not path.exists())
        record, key = self.source.record, self.source.key
        if key is not None and record.seed is not None and self.then is not None:  # it is kept open
            game = replay(self.then.program, self.then.setup, record, library=self.then)
            write_record(path, game, dict(record.players), key, private=True)
            return path
        write(path, record.write(), private=True)
        if key is not None and record.seed is None:
            write(key_path(path), key.write(), private=True)
        return path


def _position_data(game: Game) -> dict[str, Any]:
    return (game.position if game.over else game.view()).data


def _truncated(record: Record, decisions: int) -> Record:
    """A record up to where so many decisions were taken, with the hash that follows them."""
    taken, end = 0, len(record.entries)
    for place, entry in enumerate(record.entries):
        if entry.side != HASH:
            if taken == decisions:
                end = place
                break
            taken += 1
    if end == len(record.entries):
        return record
    return replace(record, entries=record.entries[:end], result=UNFINISHED, end="")


def _values(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """All values of a position by what they are of."""
    if isinstance(data, Mapping):
        for name, part in data.items():
            yield from _values(part, (*path, str(name)))
    elif isinstance(data, (list, tuple)):
        yield " ".join(path[1:] or path), _values_text(data)
    else:
        yield " ".join(path[1:] or path), _value_text(data)


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _NOTHING if value is None else str(value)


def _values_text(values: Sequence[Any]) -> str:
    """Some values, those in a row that are alike counted."""
    rows = [(told, len(list(alike))) for told, alike in groupby(map(_value_text, values))]
    return ", ".join(told if n == 1 else f"{n} {told}" for told, n in rows) or _NOTHING


def _missing_names(these: RulesetSpec, those: RulesetSpec) -> dict[str, list[str]]:
    """What one ruleset names and another does not, by kind."""
    named, others = _names_by_kind(these), _names_by_kind(those)
    missing = {kind: [name for name in named[kind] if name not in others[kind]] for kind in KINDS}
    return {kind: names for kind, names in missing.items() if names}


def _names_by_kind(spec: RulesetSpec) -> dict[str, dict[str, None]]:
    """What a ruleset names, by kind, each once and in its order."""
    names: dict[str, list[str]] = {
        "side": list(spec.sides),
        "switch": list(spec.switches),
        "piece": list(spec.kinds),
        "field": [f"{field.owner}.{field.name}" for field in spec.fields],
        "member": [f"{enum}.{name}" for enum, known in spec.enums.items() for name in known],
        "pile": [f"{deck.name}.{pile.name}" for deck in spec.decks for pile in deck.piles],
        "effect": [effect.name for effect in spec.effects],
        "question": [decision.prompt for decision in spec.decisions],
        "option": [
            f"{decision.prompt} {option.word}"
            for decision in spec.decisions
            for option in decision.options
        ],
    }
    return {kind: dict.fromkeys(known) for kind, known in names.items()}
