"""What stands in a source or a file in YAML: headings with what is declared under each, keys with
what stands below them; and what can be folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from compiler.sources.resolve import Resolved
from dsl import nodes as n
from dsl.source import Source, Span
from grognard.explain.outline import declaration_name

#: How much of a value of a file in YAML is told.
_LONG: Final = 60
#: The keys by which the items of a list are called.
_NAMES: Final = ("name", "title")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Item:
    """A heading, a declaration, a key or an item of a list: how it is called, its kind, what it
    cites or its value, the places of the whole and of its name, and what stands in it.
    """

    name: str
    kind: str
    detail: str
    span: Span
    at: Span
    below: list[Item] = field(default_factory=list)


def contents(resolved: Resolved, file: str) -> list[Item]:
    """The headings and declarations of a file, in order; what stands under a heading below it."""
    source = resolved.sources.get(file)
    if source is None:
        return []
    items: list[Item] = []
    heads = [one for one in resolved.sections.get(file, ()) if one.heads]
    decls = [one for one in resolved.written if one.span.file == file]
    open_head: Item | None = None
    for node in sorted((*heads, *decls), key=lambda one: one.span.start):
        if isinstance(node, n.Section):
            cited = ", ".join(node.rules)
            open_head = Item(node.title, "section", cited, node.span, node.span)
            if node.title:
                items.append(open_head)
            else:
                open_head = None
            continue
        item = _item_of(node)
        if open_head is not None:
            open_head.below.append(item)
            open_head.span = source.span(open_head.span.start, item.span.end)
        else:
            items.append(item)
    return items


def _item_of(decl: n.Decl) -> Item:
    """A declaration with its fields, members, columns or rules."""
    name = getattr(decl, "name", None)
    at = name.span if isinstance(name, n.Ident) else decl.span
    kind = type(decl).__name__.lower().removesuffix("decl")
    item = Item(
        declaration_name(decl), kind, ", ".join(decl.rules), decl.span, _within(at, decl.span)
    )
    for part in (*getattr(decl, "fields", ()), *getattr(decl, "columns", ())):
        item.below.append(Item(part.name.text, "field", str(part.type), part.span, part.name.span))
    for member in getattr(decl, "members", ()):
        item.below.append(Item(member.text, "member", member.remark, member.span, member.span))
    for rule in decl.body if isinstance(decl, n.Effect) else ():
        item.below.append(_item_of(rule))
    return item


def _within(at: Span, whole: Span) -> Span:
    return at if whole.holds(at) else whole


# ---------------------------------------------------------------------- data


def data_contents(source: Source) -> list[Item]:
    """The keys of a text in YAML with what stands below each, and the items of its lists that hold
    keys; what stands in brackets or braces is told as it is written.  Of a text that cannot be read
    what stands before the fault.
    """
    found = _Data(source)
    with suppress(yaml.YAMLError):
        for event in yaml.parse(source.text, Loader=_LOADER):
            found.take(event)
    return found.finished_items()


@dataclass(slots=True)
class _OpenCollection:
    """A collection that is being read; of a mapping also the *key* before a value."""

    item: Item
    maps: bool
    key: ScalarEvent | None = None


class _Data:
    """Makes items of the events of a text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        start = source.span(0, 0)
        self._open = [_OpenCollection(Item("", "", "", start, start), False)]
        #: how deep in brackets it is, and the item that they are the value of
        self._brackets = 0
        self._bracketed: Item | None = None
        self._end = 0

    def take(self, event: Event) -> None:
        """Read on."""
        if isinstance(event, CollectionEndEvent):
            self._close(event)
        elif self._brackets:
            self._brackets += isinstance(event, CollectionStartEvent)
        elif isinstance(event, NodeEvent):
            self._begin(event)

    def finished_items(self) -> list[Item]:
        """All items, those that are open ended where the reading has."""
        while len(self._open) > 1:
            self._leave()
        below = self._open[0].item.below
        return below[0].below if below else []

    def _begin(self, event: NodeEvent) -> None:
        around = self._open[-1]
        if around.maps and around.key is None and isinstance(event, ScalarEvent):
            around.key = event
            self._end = self._at(event.end_mark)
            return
        item = self._item(around, event)
        if not isinstance(event, CollectionStartEvent):
            self._end = max(self._end, self._at(event.end_mark))
            item.detail = _cut(event.value) if isinstance(event, ScalarEvent) else ""
            item.span = self._source.span(item.span.start, self._end)
            if around.maps:
                around.item.below.append(item)
            return
        around.item.below.append(item)
        if event.flow_style:
            self._brackets, self._bracketed = 1, item
        else:
            self._open.append(_OpenCollection(item, isinstance(event, MappingStartEvent)))

    def _item(self, around: _OpenCollection, event: NodeEvent) -> Item:
        key, around.key = around.key, None
        if key is None:
            here = self._source.span(self._at(event.start_mark), self._at(event.start_mark))
            return Item("", "item", "", here, here)
        at = self._source.span(self._at(key.start_mark), self._at(key.end_mark))
        return Item(key.value, "key", "", at, at)

    def _close(self, event: Event) -> None:
        if not self._brackets:
            self._leave()
            return
        self._brackets -= 1
        if self._brackets or self._bracketed is None:
            return
        item, self._end = self._bracketed, self._at(event.end_mark)
        start = max(item.at.end, item.span.start)
        written = _cut(self._source.text[start : self._end].lstrip(": "))
        item.span = self._source.span(item.span.start, self._end)
        if item.kind == "item":
            item.name = written
        else:
            item.detail = written

    def _leave(self) -> None:
        """What was open last has ended."""
        item = self._open.pop().item
        item.span = self._source.span(item.span.start, max(self._end, item.at.end))
        if item.kind == "item" and item.below:
            named = [one.detail for one in item.below if one.name in _NAMES and one.detail]
            first = item.below[0]
            item.name = named[0] if named else f"{first.name}: {first.detail}".rstrip(": ")
            item.at = first.at

    def _at(self, mark: Any) -> int:  # of PyYAML or of libyaml
        return self._source.at(mark.line + 1, mark.column + 1)


def _cut(text: str) -> str:
    """A value on one line, shortened where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else f"{line[:_LONG]}…"


# ---------------------------------------------------------------------- folds


def folds(source: Source, items: list[Item]) -> list[tuple[int, int, str]]:
    """What can be folded: first and last line, and whether it is a ``region`` or a ``comment``."""
    found = {*_of_items(source, items)}
    begin = 0
    for number, line in enumerate([*source.text.split("\n"), ""], 1):
        if line.startswith("#"):
            begin = begin or number
        else:
            if begin and number - begin > 1 and items:
                found.add((begin, number - 1, "comment"))
            begin = 0
    return sorted(found)


def _of_items(source: Source, items: list[Item]) -> Iterator[tuple[int, int, str]]:
    for item in items:
        last = source.position(max(item.span.start, item.span.end - 1))[0]
        if last > item.span.line:
            yield item.span.line, last, "region" if item.kind == "section" else ""
        yield from _of_items(source, item.below)
