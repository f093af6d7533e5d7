"""What has been read of a part of a source, when that part stands elsewhere in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar

from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span

_T = TypeVar("_T")


def moved(thing: _T, characters: int, lines: int) -> _T:
    """*thing* (nodes, findings, tuples of them) with all places in it so much further on.

    Columns stay: what is moved begins and ends with a line.
    """
    if not (characters or lines):
        return thing
    move = _mover(characters, lines)
    result: _T = move(thing)
    return result


def _mover(characters: int, lines: int) -> Callable[[Any], Any]:
    new, put = object.__new__, object.__setattr__

    def move(value: Any) -> Any:
        kind = type(value)
        if kind is Span:
            if value is NOWHERE:
                return value
            at, end = value.line + lines, value.end_line + lines
            start, stop = value.start + characters, value.end + characters
            return Span(value.file, start, stop, at, value.column, end, value.end_column)
        if kind is tuple:
            return tuple([move(item) for item in value])
        names = _parts(kind)  # type: ignore[arg-type]
        if not names:
            return value
        copy = new(kind)
        for name in names:
            put(copy, name, move(getattr(value, name)))
        return copy

    return move


@cache
def _parts(kind: Hashable) -> tuple[str, ...]:
    """The fields of a kind of node or finding; none of what holds no places."""
    names: Any = getattr(kind, "__dataclass_fields__", ())
    return tuple(names) if isinstance(kind, Frozen) else ()
