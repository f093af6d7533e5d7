"""What has been read of a part of a source, when that part stands elsewhere in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from operator import is_not
from types import MappingProxyType
from typing import Any, TypeVar

from dsl.frozen import Frozen
from dsl.nodes import Node
from dsl.source import NOWHERE, Span

_T = TypeVar("_T")


def shifted_by(thing: _T, characters: int, lines: int) -> _T:
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


def shifted(span: Span, old: Span, new: Span) -> Span | None:
    """A place in what stood at *old* and stands at *new*, in the same column; None for another."""
    if not old.holds(span):
        return None
    characters, lines = new.start - old.start, new.line - old.line
    place = (span.start + characters, span.end + characters, span.line + lines, span.column)
    return Span(new.file, *place, span.end_line + lines, span.end_column)


class Move:
    """Takes along what was made of nodes that stand elsewhere now: pairs of what was and what is.
    All places in it are where they are now, and what holds none is not copied.  *changes* are made
    besides, to things of their kinds.
    """

    def __init__(
        self,
        nodes: Sequence[tuple[Node, Node]],
        changes: Mapping[type, Callable[[Any], Any]] = MappingProxyType({}),
    ) -> None:
        self.changes = changes
        self.places = [(old.span, new.span) for old, new in nodes]
        #: by identity: what has been moved, and what has become of it
        self.made: dict[int, tuple[Any, Any]] = {id(pair[0]): pair for pair in nodes}

    def __call__(self, thing: _T) -> _T:
        """*thing* (values of classes with places, tuples, lists and dictionaries of them)."""
        kind: Any = type(thing)
        result: Any = thing
        if isinstance(thing, Span):
            found = (shifted(thing, old, new) for old, new in self.places)
            result = next(filter(None, found), thing)
        elif kind in (tuple, list, dict) or _span_fields(kind):
            if id(thing) not in self.made:
                change = self.changes.get(kind)
                moved = self._moved(thing)
                self.made[id(thing)] = thing, moved if change is None else change(moved)
            result = self.made[id(thing)][1]
        there: _T = result
        return there

    def _moved(self, thing: Any) -> Any:
        kind: Any = type(thing)
        if kind is dict:
            items = dict(zip(thing, map(self, thing.values()), strict=True))
            return items if any(map(is_not, items.values(), thing.values())) else thing
        if kind in (tuple, list):
            things = [self(item) for item in thing]
            return kind(things) if any(map(is_not, things, thing)) else thing
        names = _span_fields(kind)
        before = [getattr(thing, name) for name in names]
        parts = [self(part) for part in before]
        if _LINE.issubset(names):
            file, line = names.index("file"), names.index("line")
            for old, new in self.places:
                here = thing.file == old.file and old.line <= thing.line <= old.end_line
                if here and (old.file, old.line) != (new.file, new.line):
                    parts[file], parts[line] = new.file, thing.line + new.line - old.line
        if not any(map(is_not, parts, before)):
            return thing
        copy = object.__new__(kind)
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(copy, name, part)
        return copy


@cache
def _span_fields(kind: Hashable) -> tuple[str, ...]:
    """The fields of a kind of thing in which there can be places."""
    names: Any = getattr(kind, "__dataclass_fields__", ())
    placed = isinstance(kind, Frozen) or "span" in names or _LINE.issubset(names)
    return tuple(names) if placed else ()


#: What says the place of a thing that has no span.
_LINE = {"file", "line"}


@cache
def _parts(kind: Hashable) -> tuple[str, ...]:
    """The fields of a kind of node or finding; none of what holds no places."""
    names: Any = getattr(kind, "__dataclass_fields__", ())
    return tuple(names) if isinstance(kind, Frozen) else ()
