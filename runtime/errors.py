"""What the library raises: every exception that it means for its users derives from
:class:`GrognardError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from runtime.data.findings import Finding
from runtime.spelling import unsteering, with_words_cut
from runtime.words.said import SaidText, said

if TYPE_CHECKING:
    from runtime.option import Option

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


class GrognardError(Exception):
    """The base of all: *message* says what is wrong, *remedy* what to do about it, if known."""

    def __init__(self, message: str, remedy: str = "") -> None:
        message, remedy = _harmless(message), _harmless(remedy)
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


def _harmless(text: str) -> str:
    """A text without what nobody can read, and what would steer a terminal."""
    harmless = unsteering(with_words_cut(text))
    return text if harmless == text else harmless


class ArgumentError(GrognardError, ValueError):
    """An argument is of the wrong kind, or names nothing that there is."""


class LoadError(GrognardError):
    """A ruleset, scenario or file of cases is not there, cannot be read, or has errors.

    *findings* holds all that was found, errors first to last in order of place; it is empty where
    there was nothing to look at.  *checked* are the names of what was looked at.
    """

    def __init__(
        self,
        message: str,
        remedy: str = "",
        findings: Iterable[Finding] = (),
        checked: Iterable[str] = (),
    ) -> None:
        super().__init__(message, remedy)
        self.findings = tuple(findings)
        self.checked = tuple(checked)

    def __str__(self) -> str:
        return "\n  ".join([super().__str__(), *map(unsteering, map(str, self.findings))])


class IllegalOption(GrognardError, ValueError):
    """What was chosen is not offered, or could mean several options.

    *options* are all that is offered, *matches* the several that it could mean, *near* those that
    were probably meant: the several, or those that are written alike.
    """

    def __init__(
        self,
        message: str,
        matches: Iterable[Option] = (),
        options: Iterable[Option] = (),
        remedy: str = "",
        near: Iterable[Option] = (),
    ) -> None:
        super().__init__(message, remedy)
        self.matches = tuple(matches)
        self.options = tuple(options)
        self.near = self.matches or tuple(near)


class GameOver(GrognardError):
    """Nothing is to be decided: the game or a procedure has ended, or nothing runs."""


class UndoRefused(GrognardError):
    """The last decision cannot be taken back: there is none, or something was learned."""


class RecordError(GrognardError, ValueError):
    """A record cannot be written, read or replayed; *line* is where it goes wrong, 0 where that has
    no place.  Where a *file* is named, the message begins with it and the line.
    """

    def __init__(self, message: str, line: int = 0, remedy: str = "", file: str = "") -> None:
        where = f"{file}:{line}" if line else file
        super().__init__(f"{where}: {message}" if file else message, remedy)
        self.line = line
        self.file = file

    def __str__(self) -> str:
        return (f"line {self.line}: " if self.line and not self.file else "") + super().__str__()


class RulesError(GrognardError):
    """The rules failed during play, or a script does not fit what is rolled."""


@contextmanager
def blaming(ruleset: str) -> Iterator[None]:
    """Rules that fail here are those of a ruleset: its author is told to correct them."""
    try:
        yield
    except RulesError as error:
        error.remedy = error.remedy or f"correct the ruleset: {ruleset}"
        raise


class BotError(GrognardError):
    """A bot failed, or returned what is no option; *bot* is its name, *side* the side that it
    played.

    The exception of the bot, where there was one, is the ``__cause__``, and *trace* the traceback
    of the bot's own code.
    """

    trace: str = ""

    def __init__(self, message: str, remedy: str = "", bot: str = "", side: str = "") -> None:
        super().__init__(message, remedy)
        self.bot = bot
        self.side = side


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """The game that an exception has ended, with its record as far as it came."""

    seed: int
    record: str


def broken_game(error: BaseException) -> BrokenGame | None:
    """The game that an exception has ended, where that is known."""
    broken = error.__dict__.get("broken_game")
    return broken if isinstance(broken, BrokenGame) else None


def whole_number(name: str, value: object, least: int) -> int:
    """*value*, which is a whole number of at least *least*; ArgumentError where it is not."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        message = f"{name} is a whole number of at least {least}, not {value_in_words(value)}"
        raise ArgumentError(message, f"give a number such as {max(least, 1)}")
    return value


def number(name: str, value: object, most: float = inf) -> float:
    """*value*, which is a number of at least 0, at most *most*; ArgumentError where it is not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if 0 <= value <= most and value != inf:
            return float(value)
    bounds = "of at least 0" if most == inf else f"from 0 to {most:g}"
    message = f"{name} is a number {bounds}, not {value_in_words(value)}"
    raise ArgumentError(message, f"give a number such as {min(most, 1.0) / 2:g}")


def words_of(error: Exception) -> str:
    """What an exception says, as it was said, with what to do about it."""
    if isinstance(error, GrognardError) and error.remedy:
        return said("{0} ({1})", **{"0": error.message, "1": error.remedy})
    first = error.args[0] if error.args else ""
    return first if isinstance(first, SaidText) else str(error)


def value_in_words(value: object) -> str:
    """A value that somebody gave, as messages show it: on one line, and cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) < 100 else f"{text[:97]}…"
