"""The tree of a scenario that is given as plain data, as if it had been read from a file."""

from __future__ import annotations

import math
from typing import Any

from runtime.data.findings import Finding
from runtime.data.reader import (
    DEPTH,
    DIGITS,
    EVENTS,
    MOST_FINDINGS,
    Mapping,
    Node,
    Plain,
    Scalar,
    Sequence,
)
from runtime.words.said import said

#: Keys and places in lists, from the outside in.
Path = tuple[str | int, ...]
_WORDS: dict[Plain, str] = {None: "null", True: "true", False: "false"}


def tree_of(data: Any, name: str) -> tuple[Node | None, list[Finding], list[Path]]:
    """The tree of plain data with text as keys, within the bounds of a file; None where there is a
    finding.

    The line of a node is its number in the data, and at this place of the last list stands the path
    to it.
    """
    reader = _Reader(name)
    root = reader.node(data, ())
    return None if reader.findings else root, reader.findings, reader.paths


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.findings: list[Finding] = []
        self.paths: list[Path] = [()]

    def refuse(self, code: str, message: str, line: int, remedy: str) -> None:
        """Keep a finding."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(code, message, self.name, line, 1, remedy=remedy))

    def place(self, path: Path) -> int:
        """The number of a node that stands there."""
        self.paths.append(path)
        return len(self.paths) - 1

    def node(self, value: Any, path: Path) -> Node:
        """The node of a value; a mapping or list comes after what is in it."""
        if len(path) > DEPTH:
            message = said("nested more than {depth} deep", depth=DEPTH)
            self.refuse("S109", message, self.place(path), "nothing needs such depth")
        elif len(self.paths) > EVENTS:
            message = said(
                "there are more than {events} keys, items and values", events=f"{EVENTS:,}"
            )
            self.refuse("S101", message, self.place(path), "no game is as large; divide it")
        elif isinstance(value, dict):
            entries = tuple(self.entry((*path, key), key, one) for key, one in value.items())
            return Mapping(entries, self.place(path), 1)
        elif isinstance(value, list):
            items = tuple(self.node(one, (*path, i)) for i, one in enumerate(value))
            return Sequence(items, self.place(path), 1)
        else:
            return self.scalar(value, self.place(path))
        return Scalar(None, "", 0, 1)

    def entry(self, path: Path, key: str, value: Any) -> tuple[Scalar, Node]:
        """A key and its value."""
        return self.scalar(key, self.place(path)), self.node(value, path)

    def scalar(self, value: Plain, line: int) -> Scalar:
        """A single value."""
        if isinstance(value, str):
            if any("\ud800" <= sign <= "\udfff" for sign in value):
                self.refuse(
                    "S101", "half a character (a surrogate)", line, "write the character itself"
                )
            return Scalar(value, value, line, 1)
        if value is None or isinstance(value, bool):
            return Scalar(value, _WORDS[value], line, 1)
        if abs(value) >= 10**DIGITS if isinstance(value, int) else not math.isfinite(value):
            self.refuse("S110", "a number out of all bounds", line, "is it meant as text? quote it")
            return Scalar(None, "", line, 1)
        return Scalar(value, str(value), line, 1)
