"""What can be chosen at a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.model import MASK, NONE, SECOND

__all__ = ["Option", "Subject", "Value"]

#: What a field holds or an option takes, as it is read (:mod:`runtime.games.position`).
Value = Any


@dataclass(frozen=True, slots=True, repr=False)
class Option:
    """One thing that can be chosen at a decision.

    *text* is its stable form, which records hold and :meth:`Game.play` takes (``"move red1"``): it
    is made of identifiers and the names of the set-up and does not depend on a language.  *branch*
    is the word in it, *values* what it takes, as names and numbers (none, one, or two of a pair);
    *kinds* are what these are (``int bool enum piece hex``).  *prompt* is the name of the question
    and *subject* what that is about, as texts; both are the same for all options of a decision.
    *index* is its place among the options, *raw* the number that the program is answered with.
    """

    text: str
    branch: str
    values: tuple[Value, ...]
    kinds: tuple[str, ...]
    passes: bool
    prompt: str
    subject: tuple[str, ...]
    index: int
    raw: int

    @property
    def value(self) -> str | int | None:
        """The only value, or the first of two; None without any."""
        return self.values[0] if self.values else None

    @property
    def kind(self) -> str:
        """What the only or first value is; empty without any, ``pass`` of an option that passes."""
        return "pass" if self.passes else self.kinds[0] if self.kinds else ""

    @property
    def number(self) -> int:
        """The first value as the engine has it: a number, the index of a member, piece or hex."""
        return NONE if self.passes else self.raw & MASK

    @property
    def second_kind(self) -> str:
        """What the second value of a pair is; else empty."""
        return self.kinds[1] if len(self.kinds) > 1 else ""

    @property
    def second(self) -> int:
        """The second value of a pair as the engine has it; ``NONE`` without one."""
        return self.raw >> SECOND if len(self.kinds) > 1 else NONE

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Option {self.index}: {self.text!r}>"


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the things that a question is about.

    *kind* is that of its type (``int bool enum piece hex set roll``), *value* the value itself: a
    number, an index, a mask for a set, a tuple for a roll; *text* is its stable form, the names of
    a set or roll one after another.
    """

    kind: str
    value: Any
    text: str

    def __str__(self) -> str:
        return self.text
