"""What a cache entry holds, as plain data: the description of a ruleset.

Entries are written with :mod:`marshal`, which knows numbers, text, tuples, lists, dicts and code,
and calls nothing when it reads.  A dataclass of :mod:`runtime.model` becomes a tuple that begins
with its marked name, a board the mapping it is built from.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from runtime import model
from runtime.board import Board

_MARK = "\0"
_KINDS: dict[str, Any] = {
    name: kind
    for name, kind in vars(model).items()
    if isinstance(kind, type) and is_dataclass(kind)
}
_NAMES = {kind: _MARK + name for name, kind in _KINDS.items()}
_BOARD = _MARK + "Board"


def pack(value: Any) -> Any:
    """*value* as plain data.  TypeError for an object that :func:`unpack` does not know."""
    name = _NAMES.get(type(value))
    if name is not None:
        return (name, *(pack(getattr(value, part.name)) for part in fields(value)))
    if isinstance(value, Board):
        return (_BOARD, pack(value.spec()))
    if isinstance(value, tuple):
        return tuple(pack(item) for item in value)
    if isinstance(value, list):
        return [pack(item) for item in value]
    if isinstance(value, dict):
        return {key: pack(item) for key, item in value.items()}
    if value is None or isinstance(value, int | float | str | bytes | frozenset):
        return value
    raise TypeError(f"a cache entry cannot hold a {type(value).__name__}")


def unpack(data: Any) -> Any:
    """What :func:`pack` made *data* of.  ValueError or TypeError when it did not make it."""
    if isinstance(data, tuple):
        if data and isinstance(data[0], str) and data[0].startswith(_MARK):
            if data[0] == _BOARD:
                return Board.from_spec(unpack(data[1]))
            kind = _KINDS.get(data[0][1:])
            if kind is None:
                raise ValueError(f"a cache entry holds an unknown {data[0][1:]}")
            return kind(*(unpack(item) for item in data[1:]))
        return tuple(unpack(item) for item in data)
    if isinstance(data, list):
        return [unpack(item) for item in data]
    if isinstance(data, dict):
        return {key: unpack(item) for key, item in data.items()}
    return data
