"""What the library raises: every exception that it means for its users derives from
:class:`GrognardError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard.option import Option

__all__ = [
    "ArgumentError",
    "BotError",
    "Finding",
    "GameOver",
    "GrognardError",
    "IllegalOption",
    "LoadError",
    "RecordError",
    "RulesError",
    "UndoRefused",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a ruleset, a scenario or a file of cases.

    *code* is stable (``docs/diagnostics/<code>.md`` explains it), *severity* ``"error"``, ``"warning"`` or
    ``"note"``.  Lines and columns count from 1; all are 0 where a finding has no place.  The end is
    exclusive.  Of a scenario given as a mapping, *key* says where in it (``pieces.Unit[0].hex``); otherwise
    it is empty.
    """

    code: str
    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    remedy: str = ""
    citation: tuple[str, ...] = ()
    key: str = ""

    @property
    def is_error(self) -> bool:
        """Whether the ruleset or scenario cannot be used because of it."""
        return self.severity == "error"

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {**asdict(self), "citation": list(self.citation)}

    def __str__(self) -> str:
        place = (
            f"{self.file}:{self.line}:{self.column}"
            if self.line
            else f"{self.file}: {self.key}"
            if self.key
            else self.file
        )
        return f"{place}: {self.severity} {self.code}: {self.message}" + (
            f" ({self.remedy})" if self.remedy else ""
        )


class GrognardError(Exception):
    """The base of all: *message* says what is wrong, *remedy* what to do about it, if that is known."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class ArgumentError(GrognardError, ValueError):
    """An argument is of the wrong kind, or names nothing that there is."""


class LoadError(GrognardError):
    """A ruleset, scenario or file of cases is not there, cannot be read, or has errors.

    *findings* holds all that was found, errors first to last in order of place; it is empty where there was
    nothing to look at.
    """

    def __init__(self, message: str, remedy: str = "", findings: Iterable[Finding] = ()) -> None:
        super().__init__(message, remedy)
        self.findings = tuple(findings)

    def __str__(self) -> str:
        return "\n  ".join([super().__str__(), *map(str, self.findings)])


class IllegalOption(GrognardError, ValueError):
    """What was played is not offered, or could mean several options.

    *options* are all that is offered, *near* those that were probably meant: the several, or those that are
    written alike.
    """

    def __init__(
        self, message: str, remedy: str = "", options: Iterable[Option] = (), near: Iterable[Option] = ()
    ) -> None:
        super().__init__(message, remedy)
        self.options = tuple(options)
        self.near = tuple(near)


class GameOver(GrognardError):
    """The game is over: nothing is to be decided any more."""


class UndoRefused(GrognardError):
    """The last decision cannot be taken back: there is none, or taking it back would use what was learned."""


class RecordError(GrognardError):
    """A record cannot be written, read or replayed; *line* is where it goes wrong, 0 where that has no
    place.
    """

    def __init__(self, message: str, remedy: str = "", line: int = 0) -> None:
        super().__init__(message, remedy)
        self.line = line


class RulesError(GrognardError):
    """The rules themselves failed during play (no rule decides, play goes on and on), or a script does not
    fit what is rolled.
    """


class BotError(GrognardError):
    """A bot failed, or returned what is no option; *bot* is its name, *side* the side that it played.

    The exception of the bot, where there was one, is the ``__cause__``, and *trace* the traceback of the
    bot's own code.
    """

    trace: str = ""

    def __init__(self, message: str, remedy: str = "", bot: str = "", side: str = "") -> None:
        super().__init__(message, remedy)
        self.bot = bot
        self.side = side
