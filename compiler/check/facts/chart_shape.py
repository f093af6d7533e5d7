"""The shape of a board's file: what is no board is said, by the file and the key, and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import yaml

from dsl import nodes as n
from dsl.source import Source, Span
from runtime.yaml_plain import compose_plain

#: What is wrong (worded to follow "is") and what to write.
Report = Callable[..., object]
_LONGEST = 60


@dataclass
class Chart:
    """The content of a board's file."""

    data: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    #: the fields for which the file gives values that nobody has asked for yet
    unused: set[str] = field(default_factory=set)
    source: Source | None = None
    #: the fields of which the file owes each hex a value
    owed: list[n.Field] = field(default_factory=list)

    @cached_property
    def _root(self) -> yaml.Node | None:
        return compose_plain(self.source.text) if self.source is not None else None

    def place(self, otherwise: Span, *keys: str, word: str | None = None) -> Span:
        """Where the file has the last of *keys*, each below the one before, or below them the *word*; as far
        as it has them at all.
        """
        node, span = self._root, otherwise
        for key in keys:
            entries = node.value if isinstance(node, yaml.MappingNode) else ()
            found = next(((k, v) for k, v in entries if k.value == key), None)
            if found is None:
                break
            span, node = self._span(found[0]), found[1]
        said = next((one for one in _scalars(node) if one.value == word), None)
        return span if said is None else self._span(said)

    def _span(self, node: yaml.Node) -> Span:
        assert self.source is not None
        return self.source.span(node.start_mark.index, node.end_mark.index)

    @property
    def drawn(self) -> list[str]:
        """The rows, a character for each hex."""
        return [str(row) for row in self.data.get("rows", [])]


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """The words in a part of a file, in order."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for one in pair:
                yield from _scalars(one)
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _scalars(one)


def shaped(data: dict[Any, Any], name: str, report_of: Callable[[str], Report]) -> dict[str, Any]:
    """The parts of a board's file that can be used; what is wrong with one is told to the report of its key.
    *name* is the file's.
    """
    made: dict[str, Any] = {}
    for key, value in data.items():
        read = _PARTS.get(key, _as_it_is)
        here = f"{name}, {shortened(str(key))}"
        made[str(key)] = read(value, here, report_of(str(key)))
    return made


def _as_it_is(value: Any, here: str, report: Report) -> Any:
    return value


def _word(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def shortened(text: str) -> str:
    """What stands in the file, on one line and not too long."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _rows(value: Any, here: str, report: Report) -> list[str]:
    if not isinstance(value, list) or not value:
        report(f"{here} is not a list of rows", 'draw them: ["....", " ..."]')
        return []
    for number, row in enumerate(value, 1):
        if not _word(row):
            report(f"{here}: row {number} is not a line of text", "put it in quotes, one character per hex")
    return [row if _word(row) else "" for row in value]


def _mapping(value: Any, here: str, report: Report) -> dict[Any, Any]:
    if isinstance(value, dict):
        return value
    report(f"{here} is no mapping", "write keys and values, 'key: value'")
    return {}


def _legend(value: Any, here: str, report: Report) -> dict[str, dict[str, Any]]:
    made = {}
    for sign, meaning in _mapping(value, here, report).items():
        if not _word(sign) or len(str(sign)) != 1:
            report(f"{here}: '{shortened(str(sign))}' is not one character", "write f: {field: value}")
        elif not isinstance(meaning, dict) or not all(
            _word(field) and _word(said) for field, said in meaning.items()
        ):
            report(
                f"{here}: '{sign}' does not say which fields it stands for", f"write {sign}: {{field: value}}"
            )
        else:
            made[str(sign)] = {str(field): said for field, said in meaning.items()}
    return made


def _fields(value: Any, here: str, report: Report) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, given in _mapping(value, here, report).items():
        shown = f"{here}: {shortened(str(name))}"
        if isinstance(given, dict):
            wrong = [
                key
                for key, labels in given.items()
                if not _word(key) or not (_word(labels) or _words(labels))
            ]
            if wrong:
                report(
                    f"{shown}: the value of '{shortened(str(wrong[0]))}' is not a list of hexes",
                    "write value: [A1, A2]",
                )
            made[str(name)] = {key: labels for key, labels in given.items() if key not in wrong}
        elif isinstance(given, list) and (
            _words(given) or all(_words(pair) and len(pair) == 2 for pair in given)
        ):
            made[str(name)] = given
        else:
            report(
                f"{shown} is neither a list of hexes, nor of pairs of them, nor values with their hexes",
                "write value: [A1, A2]",
            )
            made[str(name)] = None
    return made


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(_word(item) for item in value)


def _joins(value: Any, here: str, report: Report) -> list[list[Any]]:
    if not isinstance(value, list):
        report(f"{here} is no list", "write pairs of hexes: [[A1, C6]]")
        return []
    for pair in value:
        if not (_words(pair) and len(pair) == 2):
            text = " ".join(map(str, pair)) if _words(pair) else str(pair) if _word(pair) else ""
            told = f"'{shortened(text)}'" if text else "an entry"
            report(f"{here}: {told} is not a pair of hexes", "write pairs of hexes: [[A1, C6]]", word=text)
    return [pair for pair in value if _words(pair) and len(pair) == 2]


def _names(value: Any, here: str, report: Report) -> dict[str, str]:
    made = {}
    for label, text in _mapping(value, here, report).items():
        if not _word(label) or not _word(text) or not str(text).strip():
            report(f"{here}: '{shortened(str(label))}' has no name of one line", "write A1: Name")
        else:
            made[str(label)] = str(text)
    return made


def _one(value: Any, here: str, report: Report) -> Any:
    if not _word(value):
        meant = "did you mean 'names'?" if here.endswith("name") and isinstance(value, dict) else "write one"
        report(f"{here} is not one word or number", meant)
        return None
    return value


_PARTS: dict[Any, Callable[[Any, str, Report], Any]] = {
    "rows": _rows,
    "columns": _one,
    "narrow": _one,
    "name": _one,
    "legend": _legend,
    "fields": _fields,
    "joins": _joins,
    "names": _names,
}
