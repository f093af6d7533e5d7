"""Files of YAML made wrong: each node replaced by what it is not, taken away, repeated, each key by another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from runtime.data.reader import as_text, parse


class Raw(str):
    """Written as it stands."""

    __slots__ = ()


class Pairs(list[tuple[Any, Any]]):
    """A mapping as its entries, of which several may have one key."""


#: How deep the deep ones are; more than any file may be.
_DEEP = 40
VALUES: dict[str, Callable[[Any], Any]] = {
    "null": lambda v: Raw("null"),
    "nothing": lambda v: Raw("~"),
    "an empty text": lambda v: "",
    "a word": lambda v: "zz",
    "odd signs": lambda v: "\x07{0}{}\u2028%s <b>&'\"\U0001f600",
    "braces": lambda v: "{type.zz:9}{",
    "a long text": lambda v: "x" * 5000,
    "an empty list": lambda v: [],
    "itself twice": lambda v: [v, v],
    "an empty mapping": lambda v: {},
    "a mapping with it": lambda v: {"zz": v},
    "a list of mappings": lambda v: {"a": {"b": [{"c": v}]}},
    "zero": lambda v: Raw("0"),
    "a negative number": lambda v: Raw("-1"),
    "a billion": lambda v: Raw("1000000000"),
    "a huge number": lambda v: Raw("9" * 5000),
    "a superscript": lambda v: "²",
    "a fraction": lambda v: Raw("1.5"),
    "infinity": lambda v: Raw(".inf"),
    "true": lambda v: Raw("true"),
    "a date": lambda v: Raw("2001-01-01"),
    "a tag": lambda v: Raw("!!python/object:os.system x"),
    "depth": lambda v: Raw("[" * _DEEP + "]" * _DEEP),
}
KEYS: dict[str, Any] = {
    "a word": "zz",
    "an empty text": "",
    "a number": Raw("7"),
    "a negative number": Raw("-1"),
    "a huge number": Raw("9" * 5000),
    "a superscript": "²",
    "null": Raw("null"),
    "true": Raw("true"),
    "a list": Raw("[a, b]"),
    "a mapping": Raw("{a: b}"),
    "a long text": "y" * 3000,
}


def written(value: Any) -> str:
    """A tree as YAML, on one line, its texts in quotes where they need them."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ", ".join(f"{written(key)}: {written(inner)}" for key, inner in value) + "}"
    if isinstance(value, dict):
        return written(Pairs(value.items()))
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return value if value.isascii() and value.isalnum() else json.dumps(value)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _paths(inner, (*path, number))


def _with(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    if isinstance(value, dict):
        return {
            key: _with(inner, path[1:], change) if key == path[0] else inner
            for key, inner in value.items()
        }
    return [
        _with(inner, path[1:], change) if number == path[0] else inner
        for number, inner in enumerate(value)
    ]


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _written(tree: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> str:
    return written(_with(tree, path, change))


def mutants(text: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """What is done to a file, and what writes its text then: large files have more mutants than anybody wants written."""
    tree = as_text(parse(text, "")[0])
    for path in _paths(tree):
        shown = ".".join(map(str, path)) or "all"
        for what, change in VALUES.items():
            yield f"{shown}: {what}", partial(_written, tree, path, change)
        if not path:
            continue
        outer, last = _at(tree, path[:-1]), path[-1]
        if isinstance(outer, list):
            changed: dict[str, Any] = {
                "taken away": outer[:last] + outer[last + 1 :],
                "repeated": [*outer[:last], outer[last], *outer[last:]],
            }
        else:
            entries = list(outer.items())
            changed = {
                "taken away": Pairs(entry for entry in entries if entry[0] != last),
                "repeated": Pairs([*entries, (last, outer[last])]),
            }
            for what, key in KEYS.items():
                changed[f"the key {what}"] = Pairs(
                    (key if name == last else name, inner) for name, inner in entries
                )
        for what, made in changed.items():
            yield f"{shown}: {what}", partial(_written, tree, path[:-1], lambda _, made=made: made)
