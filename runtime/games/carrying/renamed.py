"""A ruleset under the names that others have for the same things."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from runtime.model import RulesetSpec
from runtime.scenario.setup import PieceSetUp, SetUp

#: What of a ruleset is found by name when a game goes on.
_FOUND = (
    *("sides", "enums", "kinds", "parents", "fields", "decks", "dice", "effects", "scopes"),
    *("decisions", "notes", "procedures", "frames", "checks"),
)
#: What stands for attributes of the state, which are called as they were.
_SLOTS = ("slot", "among")
_WORD = re.compile(r"\w+")


def with_new_names(
    old: RulesetSpec, old_setup: SetUp, new: RulesetSpec, setup: SetUp, names: Mapping[str, str]
) -> tuple[RulesetSpec, SetUp]:
    """The *old* ruleset and its set-up with the *names* that were given instead of others: those
    that it has and the new one has no more, for those that it had not and the new one has.
    """
    if not names:
        return old, old_setup
    had, has = (
        {word for text in _texts(_parts_by_name(spec)) for word in _WORD.findall(text)}
        for spec in (old, new)
    )
    given = {name: now for name, now in names.items() if name in had - has and now in has - had}
    if not given:
        return old, old_setup

    def rename(text: str) -> str:
        return _WORD.sub(lambda word: given.get(word[0], word[0]), text)

    pieces = {rename(kind): there for kind, there in old_setup.pieces.items()}
    for kind, there in pieces.items():
        now = setup.pieces.get(kind, ())
        if len(there) == len(now):  # names that are made of what was renamed
            pieces[kind] = _pieces_with_new_names(there, now)
    return replace(old, **_map_names(_parts_by_name(old), rename)), replace(
        old_setup, pieces=pieces
    )


def _pieces_with_new_names(
    old: tuple[PieceSetUp, ...], new: tuple[PieceSetUp, ...]
) -> tuple[PieceSetUp, ...]:
    """The *old* pieces, those that there are no more with the names of those in their place that
    there have not been.
    """
    had, has = ({piece.name for piece in pieces} for pieces in (old, new))
    return tuple(
        replace(was, name=now.name) if was.name not in has and now.name not in had else was
        for was, now in zip(old, new, strict=True)
    )


def _parts_by_name(spec: RulesetSpec) -> dict[str, Any]:
    return {part: getattr(spec, part) for part in _FOUND}


def _texts(value: Any) -> Iterator[str]:
    """All names in a part of a ruleset."""
    names: list[str] = []

    def seen(text: str) -> str:
        names.append(text)
        return text

    _map_names(value, seen)
    yield from names


def _map_names(value: Any, name: Callable[[str], str]) -> Any:
    """A part of a ruleset with other names."""
    match value:
        case str():
            return name(value)
        case tuple():
            return tuple(_map_names(one, name) for one in value)
        case dict():
            return {_map_names(key, name): _map_names(one, name) for key, one in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in _SLOTS}
    return replace(value, **{part: _map_names(one, name) for part, one in parts.items()})
