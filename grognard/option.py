"""What can be chosen, for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Option", "Value"]

#: What a field holds or an option takes, as it is read (:mod:`grognard.reading`).
Value = Any


@dataclass(frozen=True, slots=True, repr=False)
class Option:
    """One thing that can be chosen at a decision.

    *text* is its stable form, which records hold and :meth:`Game.play` takes (``"move red1"``): *branch* is
    the word in it, *values* what it takes, as names and numbers (none, one, or two of a pair).  *prompt* is
    the name of the question and *subject* what that is about, as texts; both are the same for all options of
    a decision.  *index* is its place among the options, *raw* the number by which the engine knows it.
    """

    text: str
    branch: str
    values: tuple[Value, ...]
    passes: bool
    prompt: str
    subject: tuple[str, ...]
    index: int
    raw: int

    @property
    def value(self) -> Value:
        """The only value, or the first of two; None without any."""
        return self.values[0] if self.values else None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Option {self.index}: {self.text!r}>"
