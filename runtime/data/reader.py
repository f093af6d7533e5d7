"""A strict reader of YAML: a light tree in which every node knows its line and column.

Of YAML's many readings of plain words only those of JSON are kept: ``true false null``, whole
numbers and decimal fractions (with a point).  Everything else is text, so ``E5``, ``0101``,
``1e3``, ``on`` and ``no`` stay what was written.  Anchors, aliases, tags, merge keys and repeated
keys are refused. Whatever is wrong becomes a finding; nothing is raised.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from runtime.data.findings import Finding, in_order
from runtime.data.troubles import place_behind, trouble_of
from runtime.files import read_bytes
from runtime.spelling import steering
from runtime.words.said import AND, join_with_word, said

#: The value of a scalar.
Plain = str | int | float | bool | None

#: How deep a file may be nested.
DEPTH = 32
#: How many keys, items and values a file may hold.
EVENTS = 100_000
#: So many findings are told of one file: who has made more, has made the same one many times.
MOST_FINDINGS = 100
#: How many digits a whole number may have.
DIGITS = 15

#: With what the file of a scenario starts.
_SCENARIO = ("ruleset", "title")

_INT = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][+-]?[0-9]+)?\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ODD = re.compile(r"(?m)\\U(?!000|0010)[0-9A-Fa-f]{8}|^%")
#: What libyaml reads otherwise than PyYAML, wherever it stands.
_OTHERWISE = re.compile(r"[\t\ufeff]|\?\s")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "null": None, "": None}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value; *text*: as written, without quotes; *end*: the column behind it (0: other line)."""

    value: Plain
    text: str
    line: int
    column: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and their values, in the order of the file.  Keys are always text."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int

    def get(self, key: str) -> Node | None:
        """The value of *key*."""
        return next((value for name, value in self.entries if name.text == key), None)

    def key(self, key: str) -> Scalar | None:
        """The key itself, for its place."""
        return next((name for name, _ in self.entries if name.text == key), None)


Node = Scalar | Sequence | Mapping


def _cut(text: str | None) -> str:
    """A name that somebody wrote, shortened."""
    text = text or ""
    return text if len(text) <= 40 else text[:40] + "…"


def entries_of(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """The entries of a mapping that may be absent."""
    yield from node.entries if isinstance(node, Mapping) else ()


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a list that may be absent or a single item."""
    if isinstance(node, Sequence):
        return node.items
    return () if node is None else (node,)


def text_of(node: Node | None) -> str:
    """The text of a scalar; empty for anything else."""
    return node.text if isinstance(node, Scalar) else ""


def plain(node: Node) -> Any:
    """The tree as dicts, lists and values."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def as_text(node: Node | None) -> Any:
    """The tree as dicts, lists and texts: every value as it was written; None of nothing."""
    if isinstance(node, Sequence):
        return [as_text(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key.text: as_text(value) for key, value in node.entries}
    return None if node is None else node.text


def read_file(
    path: Path, name: str, keys: Iterable[str] = _SCENARIO
) -> tuple[Node | None, list[Finding]]:
    """Read a file; see :func:`read`."""
    try:
        data = read_bytes(path)
    except OSError as error:
        message = said("cannot read the file: {reason}", reason=error.strerror or error)
        return None, [Finding("S101", message, name, remedy="check the path")]
    return read_tree(data, name, keys)


def read_tree(
    source: str | bytes, name: str, keys: Iterable[str] = _SCENARIO
) -> tuple[Node | None, list[Finding]]:
    """Read a text.  The tree is None when there is a finding; that there is nothing is one, with
    the *keys* to start with, which are a scenario's where nothing is said.
    """
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
    except UnicodeDecodeError as error:
        line, column = place_behind(error.object[: error.start].decode("utf-8"))
        message = said("byte 0x{object} is not UTF-8", object=f"{error.object[error.start]:02x}")
        return None, [Finding("S101", message, name, line, column, remedy="save the file as UTF-8")]
    if text.startswith("grognard: "):
        remedy = "'grognard play --resume' goes on with it, 'grognard replay' shows it"
        return None, [Finding("S101", "this is the record of a game", name, 1, 1, remedy=remedy)]
    root, findings = parse(text.removeprefix("\ufeff"), name)
    if root is None and not findings:
        remedy = said("start with {keys}", keys=join_with_word(AND, (f"'{key}:'" for key in keys)))
        return None, [Finding("S103", "the file is empty", name, 1, 1, remedy=remedy)]
    return root, list(findings)


#: libyaml, where PyYAML has it: twelve times as fast.
_QUICK: Any = getattr(yaml, "CSafeLoader", None)


# A scenario is read for its ruleset, for its board and for the rest.
@lru_cache(maxsize=8)
def parse(text: str, name: str) -> tuple[Node | None, tuple[Finding, ...]]:
    """The tree of a text, None where it holds nothing or there are findings; and those."""
    reader = _quickly(text, name)
    if reader is None:
        reader = _Reader(name)
        try:
            reader.read(text, yaml.SafeLoader)
        except yaml.YAMLError as error:
            trouble = trouble_of(error, text)
            code = "S101" if isinstance(error, yaml.reader.ReaderError) else "S102"
            reader.report(code, trouble.message, trouble.line, trouble.column, trouble.remedy)
        except (ValueError, OverflowError):
            # PyYAML itself stumbles over an escape beyond Unicode, or an absurd version number
            odd = _ODD.search(text)
            line, column = place_behind(text[: odd.start()]) if odd else (1, 1)
            message = "not YAML: a number or an escape that has no meaning"
            reader.report("S102", message, line, column, "look at escapes and directives")
    if reader.findings:
        return None, tuple(in_order(reader.findings))
    empty = isinstance(reader.root, Scalar) and reader.root.value is None
    return None if empty else reader.root, ()


def _quickly(text: str, name: str) -> _Reader | None:
    """What libyaml reads; None where PyYAML's own reader is to be asked: of what is wrong, and of
    what libyaml reads or places otherwise.
    """
    if _QUICK is None or _OTHERWISE.search(text):
        return None
    reader = _Reader(name)
    try:
        reader.read(text, _QUICK)
    except (yaml.YAMLError, ValueError):
        return None
    return None if reader.findings or reader.doubtful else reader


@dataclass(slots=True)
class _OpenCollection:
    """A list or mapping that is being read."""

    mapping: bool
    line: int
    column: int
    items: list[Node] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)


class _Reader:
    """Builds the tree from YAML's events, without recursion."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Node | None = None
        self.findings: list[Finding] = []
        self.stack: list[_OpenCollection] = []
        self.documents = 0
        #: whether it holds a value that libyaml and PyYAML read or place otherwise
        self.doubtful = False

    def read(self, text: str, loader: Any) -> None:
        """Take all events that a loader of PyYAML makes of a text."""
        for number, event in enumerate(yaml.parse(text, Loader=loader)):
            if not self.take(event) or len(self.findings) >= MOST_FINDINGS:
                return
            if number >= EVENTS:
                message = said(
                    "the file holds more than {events} keys, items and values", events=f"{EVENTS:,}"
                )
                mark: Any = event.start_mark
                place = (mark.line + 1, mark.column + 1)
                self.report("S101", message, *place, "no game is as large; divide it")
                return

    def report(self, code: str, message: str, line: int, column: int, remedy: str) -> None:
        """Keep a finding."""
        self.findings.append(Finding(code, message, self.name, line, column, remedy=remedy))

    def take(self, event: Event) -> bool:
        """One event; False when there is no sense in going on."""
        mark: Any = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        if isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                remedy = "remove the line '---', or divide the file"
                self.report("S105", "a second document starts here", line, column, remedy)
                return False
        elif isinstance(event, AliasEvent):
            message = said("alias '*{cut}'", cut=_cut(event.anchor))
            self.report("S106", message, line, column, "write the value out, or quote the text")
            self.close(Scalar(None, "", line, column))
        elif isinstance(event, ScalarEvent):
            self.refuse(event, line, column)
            self.close(self.scalar(event, line, column))
        elif isinstance(event, (SequenceStartEvent, MappingStartEvent)):
            self.refuse(event, line, column)
            if len(self.stack) >= DEPTH:
                message = said("nested more than {depth} deep", depth=DEPTH)
                self.report("S109", message, line, column, "nothing needs such depth")
                return False
            self.stack.append(_OpenCollection(isinstance(event, MappingStartEvent), line, column))
        elif isinstance(event, CollectionEndEvent):
            done = self.stack.pop()
            if done.mapping:
                self.close(Mapping(tuple(done.entries), done.line, done.column))
            else:
                self.close(Sequence(tuple(done.items), done.line, done.column))
        return True

    def refuse(
        self, event: ScalarEvent | SequenceStartEvent | MappingStartEvent, line: int, column: int
    ) -> None:
        """Anchors and tags are not used."""
        remedy = "leave it out, or quote the text"
        if event.anchor is not None:
            self.report(
                "S106", said("anchor '&{cut}'", cut=_cut(event.anchor)), line, column, remedy
            )
        if event.tag is not None:
            tag = _cut(event.tag.replace("tag:yaml.org,2002:", "!!"))
            self.report("S106", said("tag '{tag}'", tag=tag), line, column, remedy)

    def scalar(self, event: ScalarEvent, line: int, column: int) -> Scalar:
        """A value, read as JSON would."""
        text: str = event.value
        value: Plain = text
        if _SURROGATE.search(text):
            message = "half a character (a surrogate)"
            self.report("S101", message, line, column, "write the character itself")
        if wrong := steering(text):
            self.report("S101", wrong, line, column, "remove the character")
        if not event.style:  # libyaml says "" of what has none
            self.doubtful |= not text or "?" in text
            quote = "is it meant as text? quote it"
            if text in _WORDS:
                value = _WORDS[text]
            elif _INT.match(text):
                if len(text.lstrip("-")) > DIGITS:
                    message = said("a number of more than {digits} digits", digits=DIGITS)
                    self.report("S110", message, line, column, quote)
                else:
                    value = int(text)
            elif _FLOAT.match(text):
                value = float(text)
                if math.isinf(value):
                    self.report("S110", "a number out of all bounds", line, column, quote)
        mark: Any = event.end_mark
        return Scalar(value, text, line, column, mark.column + 1 if mark.line + 1 == line else 0)

    def close(self, node: Node) -> None:
        """A node is complete: it goes where it belongs."""
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if not top.mapping:
            top.items.append(node)
        elif top.key is None:
            top.key = self.key(top, node)
        else:
            if top.keys.get(top.key.text) is top.key:
                top.entries.append((top.key, node))
            top.key = None

    def key(self, top: _OpenCollection, node: Node) -> Scalar:
        """A key of a mapping: text, and not there yet."""
        if not isinstance(node, Scalar) or node.text == "":
            kind = "nothing" if isinstance(node, Scalar) else "a list or mapping"
            place = (node.line, node.column)
            self.report(
                "S108",
                said("{kind} stands as a key", kind=kind),
                *place,
                "a key is a word before ': '",
            )
            return Scalar("", "", *place)
        if node.text == "<<":
            self.report("S106", "merge key '<<'", node.line, node.column, "write the entries out")
        elif node.text in top.keys:
            line = top.keys[node.text].line
            message = said(
                "duplicate key '{text}', first given in line {line}", text=node.text, line=line
            )
            self.report("S107", message, node.line, node.column, "keep one of the two")
        else:
            top.keys[node.text] = node
        return node
