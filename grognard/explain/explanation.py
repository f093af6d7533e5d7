"""What explanations are: trees of statements, each with the rules that it cites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from runtime.model import SECOND, SHIFT

#: What a statement says: which part it plays in an explanation; "" for mere facts.
Role = Literal[
    "",
    "decides",  # the rule that gives the value, or that speaks of a permission
    "beaten",  # a rule that another one excepts
    "suspended",
    "modifier",
    "stage",  # the value after a stage
    "refuses",
    "allows",
    "because",  # the condition of the rule above, or the part of it that fails
    "exception",
    "use",  # a place that cites a rule ID
    "source",  # where it is written
]


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement, and below it what stands behind it.

    *rules* are the rule IDs that it cites; *note* is how they are told to people (with their topics, house
    rules marked as such); *role* says which part the statement plays.  *plain* says it in a player's words,
    where it says him something.
    """

    text: str
    rules: tuple[str, ...] = ()
    note: str = ""
    below: tuple[Reason, ...] = ()
    role: Role = ""
    plain: str = ""

    def lines(self, depth: int = 0) -> list[str]:
        """The statement and what is below it as lines, indented by two spaces a level."""
        head = "  " * depth + "  ".join(part for part in (self.text, self.note) if part)
        return [head, *(line for reason in self.below for line in reason.lines(depth + 1))]

    def cited(self) -> tuple[str, ...]:
        """The rule IDs that it and all below it cite, each once."""
        below = (rule for reason in self.below for rule in reason.cited())
        return tuple(dict.fromkeys((*self.rules, *below)))


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer: *text* is its first line, *reasons* what stands behind it.

    *kind* is what is explained: ``quantity``, ``permission``, ``function``, ``rule`` (an ID), ``option``, or
    ``declaration``.  *value* is its value in words (``"5"``, ``"allowed"``), *number* as the engine has
    it (of a set a bit mask, 1 and 0 for yes and no, -1 for none); both None where there is none, or where the
    side that asks does not see what it depends on.
    """

    kind: str
    text: str
    reasons: tuple[Reason, ...] = ()
    value: str | None = None
    number: int | None = None
    rules: tuple[str, ...] = ()
    note: str = ""

    @property
    def lines(self) -> list[str]:
        """All of it as lines of text, indented by two spaces a level."""
        return Reason(self.text, self.rules, self.note, self.reasons).lines()

    def cited(self) -> tuple[str, ...]:
        """All rule IDs in it, each once."""
        return Reason(self.text, self.rules, self.note, self.reasons).cited()


@dataclass(frozen=True, slots=True)
class Target:
    """Something that could be chosen: a branch of a decision and, where it takes one, a value, or a pair of
    them.
    """

    branch: int
    value: int | None
    second: int | None = None

    @property
    def option(self) -> int:
        """The option that it would be; of a pair without its second value, the first such."""
        return max(0, self.second or 0) << SECOND | self.branch << SHIFT | max(0, self.value or 0)


def lines_of(reasons: Iterable[Reason]) -> list[str]:
    """Statements as lines of text."""
    return [line for reason in reasons for line in reason.lines()]


def plainly(reasons: Iterable[Reason]) -> list[str]:
    """Statements in a player's words, each with the rules it cites: of each branch of the tree the deepest
    that says him something.
    """
    told: list[str] = []
    for reason in reasons:
        below = plainly(reason.below)
        if below:
            told += below
        elif reason.plain:
            told.append(reason.plain + (f" [{', '.join(reason.rules)}]" if reason.rules else ""))
    return list(dict.fromkeys(told))
