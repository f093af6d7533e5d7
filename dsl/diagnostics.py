"""Diagnostics: findings about a source, as values.

A diagnostic has a stable code (``docs/diagnostics/<code>.md`` explains it), a message, one main
span, further labelled spans, the citation of the rule concerned and a remedy.  How it is printed
(text, JSON, SARIF) is :mod:`compiler.report`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from dsl.source import NOWHERE, Span
from runtime.spelling import nearest, odd


class Severity(Enum):
    """How much a finding matters; errors stop compilation."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A further place that a diagnostic points at, with what is to be seen there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Use:
    """Something declared at a place as one thing and used as another."""

    declared_at: Span
    declared: str
    used: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding; *about* are the declarations that it speaks against."""

    code: str
    message: str
    span: Span = NOWHERE
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    citation: tuple[str, ...] = ()
    remedy: str = ""
    about: tuple[Use, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether this finding stops compilation."""
        return self.severity is Severity.ERROR


def quoted(text: str) -> str:
    """*text* in quotes, cut where it is long."""
    return f"'{text}'" if len(text) < 30 else f"'{text[:27]}…'"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``"did you mean 'x'?"`` for the known name nearest to *name*, or an empty string."""
    meant = nearest(name, known)
    question = f"did you mean '{meant}'?" if meant is not None else ""
    return "; ".join(part for part in (odd(name), question) if part)
