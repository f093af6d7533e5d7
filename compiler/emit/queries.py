"""Queries about a program: each is answered once, and it is noted what it was answered by.

A query is a function of a program and of names.  It looks at parts of the program, which are noted
as they are looked at, and asks other queries.  Of the program before, an answer is taken over where
all that it was answered by is the same now; and where that has to be asked again, but comes to the
same, what hangs on it stays.  What is the same stands at the same places, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from compiler import ir

_Of = TypeVar("_Of", bound="Asked")
_Found = TypeVar("_Found")
_More = TypeVarTuple("_More")
_Query: TypeAlias = "tuple[Callable[..., Any], tuple[Any, ...]]"


class _Answer(NamedTuple):
    value: Any
    #: what was looked at and asked for it, in order
    asked: tuple[_Query, ...]


#: The answers about a program, by queries.
Answers: TypeAlias = "dict[_Query, _Answer]"
_NOTHING: Answers = {}


class Asked(ir.Program):
    """A checked program about which queries are answered; *before*: the answers about another."""

    def __init__(self, program: ir.Program, before: Answers = _NOTHING) -> None:
        self.checked = program
        self.answers: Answers = {}
        self._before = before
        #: what is asked by the query that is being answered
        self._asked: dict[_Query, None] = {}

    def answer(self, find: Callable[..., Any], *args: Any) -> Any:
        """What *find* gives of this program, asked with these arguments, which can be hashed."""
        asked = find, args
        self._asked[asked] = None
        return self._answered(asked).value

    def asked_by(self, find: Callable[..., Any], *args: Any) -> Iterator[tuple[Any, ...]]:
        """The arguments with which an answer has asked for what, each behind its function."""
        for other, given in self.answers[find, args].asked:
            yield other, *given

    def _answered(self, asked: _Query) -> _Answer:
        known = self.answers.get(asked)
        if known is None:
            before = self._before.get(asked)
            if before is None or not before.asked or not all(map(self._is_same, before.asked)):
                known = self._found(asked)
                if before is not None and same(before.value, known.value):
                    known = known._replace(value=before.value)
            else:
                known = before
            self.answers[asked] = known
        return known

    def _is_same(self, asked: _Query) -> bool:
        """Whether something has the very answer that it had."""
        before = self._before.get(asked)
        return before is not None and self._answered(asked).value is before.value

    def _found(self, asked: _Query) -> _Answer:
        outer, self._asked = self._asked, {}
        find, args = asked
        try:
            return _Answer(find(self, *args), tuple(self._asked))
        finally:
            self._asked = outer


def query(find: Callable[[_Of, *_More], _Found]) -> Callable[[_Of, *_More], _Found]:
    """A query: a function of a program, and of further arguments without their names."""

    def ask(program: _Of, /, *args: *_More) -> _Found:
        found: _Found = program.answer(find, *args)
        return found

    ask.__doc__ = find.__doc__
    return ask


def same(one: Any, other: Any) -> bool:
    """Whether two trees, or values of what they are made of, are alike to the last place."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in (tuple, list):
        return len(one) == len(other) and all(map(same, one, other))
    if kind in (dict, MappingProxyType):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    names = getattr(kind, "__dataclass_fields__", None)
    if names is None:
        return bool(one == other)
    return all(same(getattr(one, name), getattr(other, name)) for name in names)


# --------------------------------------------------------------------------- the parts of a program


class _Parts(Mapping[Any, Any]):
    """A mapping of a program, whose items are noted as they are looked at."""

    def __init__(self, program: Asked, name: str) -> None:
        self._program = program
        self._name = name

    def __getitem__(self, key: Any) -> Any:
        found = self._program.answer(_item, self._name, key)
        if found is None:
            raise KeyError(key)
        return found[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._program.answer(_keys, self._name))

    def __len__(self) -> int:
        return len(self._program.answer(_keys, self._name))


def _item(program: Asked, name: str, key: Any) -> tuple[Any, ...] | None:
    items = getattr(program.checked, name)
    return (items[key],) if key in items else None


def _keys(program: Asked, name: str) -> tuple[Any, ...]:
    return tuple(getattr(program.checked, name))


def _whole(program: Asked, name: str) -> Any:
    return getattr(program.checked, name)


def _part(name: str) -> property:
    def look(program: Asked) -> Any:
        if isinstance(getattr(program.checked, name), Mapping):
            return _Parts(program, name)
        return program.answer(_whole, name)

    return property(look)


for _field in fields(ir.Program):
    setattr(Asked, _field.name, _part(_field.name))
