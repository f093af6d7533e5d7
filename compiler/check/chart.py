"""The file of a board while its ruleset is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.sources.data_files import span_of
from dsl import nodes as n
from dsl.source import Source, Span
from runtime.data.reader import Mapping, Node, Scalar, Sequence
from runtime.scenario.boards import drawn_rows

_LONGEST = 60
_NOTHING = Mapping((), 1, 1)


@dataclass
class Chart:
    """The content of a board's file, without the parts that cannot be used."""

    root: Mapping = _NOTHING
    name: str = ""
    source: Source | None = None
    #: the fields for which the file gives values that nobody has asked for yet
    unused: set[str] = field(default_factory=set)
    #: the fields of which the file owes each hex a value
    owed: list[n.Field] = field(default_factory=list)

    @property
    def rows(self) -> list[str]:
        """The rows, a character for each hex."""
        return drawn_rows(self.root)

    def mapping(self, key: str) -> Mapping:
        """A part of the file that is a mapping; an empty one where it has none."""
        part = self.root.get(key)
        return part if isinstance(part, Mapping) else _NOTHING

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        assert self.source is not None
        return span_of(self.source, node)

    def span_of_key(self, otherwise: Span, *keys: str, word: str | None = None) -> Span:
        """Where the file has the last of nested *keys*, or below them the *word*."""
        node: Node = self.root
        span = otherwise
        for step in keys:
            key = node.key(step) if isinstance(node, Mapping) else None
            below = node.get(step) if isinstance(node, Mapping) else None
            if key is None or below is None:
                break
            span, node = self.span(key), below
        scalar = next((one for one in _scalars(node) if one.text == word), None)
        return span if scalar is None else self.span(scalar)


def shortened(text: str) -> str:
    """What stands in the file, on one line and not too long."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _scalars(node: Node) -> Iterator[Scalar]:
    """The words in a part of a file, in order."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for one in node.items:
            yield from _scalars(one)
    else:
        for key, value in node.entries:
            yield key
            yield from _scalars(value)
