"""Diagnostics: findings about a source, as values.

A diagnostic has a stable code (``docs/diagnostics/<code>.md`` explains it), a message, one main
span, further labelled spans, the citation of the rule concerned and a remedy.  How it is printed
(text, JSON, SARIF) is :mod:`compiler.output.report`'s business.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span
from runtime.spelling import did_you_mean as did_you_mean


class Severity(Enum):
    """How much a finding matters; errors stop compilation."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Label(metaclass=Frozen):
    """A further place that a diagnostic points at, with what is to be seen there."""

    span: Span
    text: str


class Subject(metaclass=Frozen):
    """What a finding is about: by it, and by nothing in words, findings are told apart."""


class Use(Subject):
    """Something declared at a place as one thing and used as another."""

    declared_at: Span
    declared: str
    used: str


class Unknown(Subject):
    """A name that nothing has: *what* is looked for, whether one of the *known* names is like it
    (*meant*), and whether something wrong beside it might give it its meaning (*unsure*).
    """

    name: str
    what: str = ""
    meant: bool = False
    unsure: bool = False
    known: tuple[str, ...] = field(default=(), compare=False, repr=False)
    #: the type that is wanted there, in words
    wanted: str = field(default="", compare=False, repr=False)


class MissingTarget(Subject):
    """What a verb would change, and what is not there."""

    kind: str
    name: str


class MisfitCall(Subject):
    """What is called by arguments, so many of them as are *given*, that do not fit it."""

    what: str
    given: int = 0

    @property
    def name(self) -> str:
        """Its name, without the word for what it is."""
        return self.what.rpartition(" ")[2]


class Lacking(Subject):
    """A table or matrix that has no rows for some *members*."""

    kind: str
    name: str
    members: tuple[str, ...]


class ReservedName(Subject):
    """A word of the language as a name: where it is *declared*, or where it is used."""

    word: str
    declared: bool


class Diagnostic(metaclass=Frozen):
    """One finding, and what it is *about*."""

    code: str
    message: str
    span: Span = NOWHERE
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    citation: tuple[str, ...] = ()
    remedy: str = ""
    about: tuple[Subject, ...] = ()

    @property
    def unknown(self) -> Unknown | None:
        """The unknown name that this finding is about, if it is about one."""
        return next((one for one in self.about if isinstance(one, Unknown)), None)

    @property
    def is_error(self) -> bool:
        """Whether this finding stops compilation."""
        return self.severity is Severity.ERROR


def quoted(text: str) -> str:
    """*text* in quotes, cut where it is long."""
    return f"'{text}'" if len(text) < 30 else f"'{text[:27]}…'"
