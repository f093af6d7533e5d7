"""Findings: what is wrong with a ruleset, a scenario or a file of cases, in words for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from runtime.spelling import nearest, odd
from runtime.words.said import join_with_sign, said

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file; lines and columns from 1, 0 for no place; the end is exclusive."""

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a ruleset, a scenario or a file of cases.

    *code* is stable (``docs/diagnostics/<code>.md`` explains it; what is wrong with the keys of a
    case has none), *severity* ``"error"``, ``"warning"`` or ``"note"``.  Lines and columns count
    from 1; all are 0 where a finding has no place.  The end is exclusive, and 0 where only the
    start is known.  *labels* are further places with what is to be seen there.  Of a scenario given
    as a mapping, *key* says where in it (``pieces.Unit[0].hex``); otherwise it is empty.
    """

    code: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    severity: Severity = "error"
    remedy: str = ""
    end_line: int = 0
    end_column: int = 0
    citation: tuple[str, ...] = ()
    labels: tuple[tuple[Place, str], ...] = ()
    key: str = ""

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.file, self.line, self.column, self.end_line, self.end_column)

    @property
    def is_error(self) -> bool:
        """Whether the ruleset or scenario cannot be used because of it."""
        return self.severity == "error"

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            **self.place.data(),
            "remedy": self.remedy,
            "citation": list(self.citation),
            "key": self.key,
        }

    def __str__(self) -> str:
        place = f"{self.file}: {self.key}" if self.key and not self.line else str(self.place)
        what = f"{self.severity} {self.code}" if self.code else self.severity
        return f"{place}: {what}: {self.message}" + (f" ({self.remedy})" if self.remedy else "")


class _InFile(Protocol):
    """What stands in a file: a node of its tree."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Report:
    """Collects what is wrong with one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []

    def __call__(
        self,
        code: str,
        message: str,
        node: _InFile,
        remedy: str,
        first: tuple[_InFile, str] | None = None,
        severity: Severity = "error",
    ) -> None:
        """A finding at a node; *first* is another that it is about, and what is seen there."""
        place = (self.file, node.line, node.column, severity, remedy)
        labels = ((Place(self.file, first[0].line, first[0].column), first[1]),) if first else ()
        self.findings.append(Finding(code, message, *place, labels=labels))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in the order of the file, each once."""
    return sorted(dict.fromkeys(findings), key=lambda f: (f.line, f.column, f.code, f.message))


def suggestion(word: str, known: Iterable[str], most: int = 16) -> str:
    """A remedy for the unknown *word*: what was probably meant, and what is possible."""
    words = list(dict.fromkeys(known))
    similar = nearest(word, words)
    parts: list[str] = [said("{odd};", odd=odd(word))] if odd(word) else []
    if similar is not None:
        parts.append(said("did you mean '{similar}'?", similar=similar))
    if not words:
        parts.append("there is none")
    elif len(words) <= most:
        parts.append(said("possible: {words}", words=", ".join(words)))
    elif similar is None:
        parts.append(said("possible: {words}, …", words=", ".join(words[:most])))
    return join_with_sign(" ", parts)
