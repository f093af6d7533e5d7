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

_Of = TypeVar("_Of", bound="QueriedProgram")
_Found = TypeVar("_Found")
_More = TypeVarTuple("_More")
_Query: TypeAlias = "tuple[Callable[..., Any], tuple[Any, ...]]"


class _Answer(NamedTuple):
    value: Any
    #: the queries that it was answered by, in order
    dependencies: tuple[_Query, ...]


#: The answers about a program, by queries.
Answers: TypeAlias = "dict[_Query, _Answer]"
_NOTHING: Answers = {}


class QueriedProgram(ir.Program):
    """A checked program about which queries are answered; *before*: the answers about another."""

    def __init__(self, program: ir.Program, before: Answers = _NOTHING) -> None:
        self.checked = program
        self.answers: Answers = {}
        self._before = before
        #: the dependencies of the query that is being answered
        self._dependencies: dict[_Query, None] = {}

    def answer(self, find: Callable[..., Any], *args: Any) -> Any:
        """What *find* gives of this program, asked with these arguments, which can be hashed."""
        key = find, args
        self._dependencies[key] = None
        return self._answer_to(key).value

    def dependencies_of(self, find: Callable[..., Any], *args: Any) -> Iterator[tuple[Any, ...]]:
        """The queries that an answer depends on: of each its function, then its arguments."""
        for other, given in self.answers[find, args].dependencies:
            yield other, *given

    def _answer_to(self, key: _Query) -> _Answer:
        """The answer to a query, taken over from before where none of its dependencies changed."""
        answer = self.answers.get(key)
        if answer is None:
            before = self._before.get(key)
            known = () if before is None else before.dependencies
            if before is None or not known or not all(map(self._is_unchanged, known)):
                answer = self._evaluate(key)
                if before is not None and deep_equal(before.value, answer.value):
                    answer = answer._replace(value=before.value)
            else:
                answer = before
            self.answers[key] = answer
        return answer

    def _is_unchanged(self, key: _Query) -> bool:
        """Whether a query has the very answer that it had."""
        before = self._before.get(key)
        return before is not None and self._answer_to(key).value is before.value

    def _evaluate(self, key: _Query) -> _Answer:
        outer, self._dependencies = self._dependencies, {}
        find, args = key
        try:
            return _Answer(find(self, *args), tuple(self._dependencies))
        finally:
            self._dependencies = outer


def query(find: Callable[[_Of, *_More], _Found]) -> Callable[[_Of, *_More], _Found]:
    """A query: a function of a program, and of further arguments without their names."""

    def ask(program: _Of, /, *args: *_More) -> _Found:
        found: _Found = program.answer(find, *args)
        return found

    ask.__doc__ = find.__doc__
    return ask


def deep_equal(one: Any, other: Any) -> bool:
    """Whether two trees, or values of what they are made of, are alike to the last place."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in (tuple, list):
        return len(one) == len(other) and all(map(deep_equal, one, other))
    if kind in (dict, MappingProxyType):
        return list(one) == list(other) and all(map(deep_equal, one.values(), other.values()))
    names = getattr(kind, "__dataclass_fields__", None)
    if names is None:
        return bool(one == other)
    return all(deep_equal(getattr(one, name), getattr(other, name)) for name in names)


# --------------------------------------------------------------------------- the parts of a program


class _Parts(Mapping[Any, Any]):
    """A mapping of a program, whose items are noted as they are looked at."""

    def __init__(self, program: QueriedProgram, name: str) -> None:
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


def _item(program: QueriedProgram, name: str, key: Any) -> tuple[Any, ...] | None:
    items = getattr(program.checked, name)
    return (items[key],) if key in items else None


def _keys(program: QueriedProgram, name: str) -> tuple[Any, ...]:
    return tuple(getattr(program.checked, name))


def _whole(program: QueriedProgram, name: str) -> Any:
    return getattr(program.checked, name)


def _noted_field(name: str) -> property:
    def look(program: QueriedProgram) -> Any:
        if isinstance(getattr(program.checked, name), Mapping):
            return _Parts(program, name)
        return program.answer(_whole, name)

    return property(look)


for _field in fields(ir.Program):
    setattr(QueriedProgram, _field.name, _noted_field(_field.name))
