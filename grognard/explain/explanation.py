"""What could be chosen, and explanations in a player's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runtime.games.explanation import Reason
from runtime.model import SECOND, SHIFT


@dataclass(frozen=True, slots=True)
class Target:
    """Something that could be chosen: a branch of a decision and, where it takes one, a value, or a
    pair of them.
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
    """Statements in a player's words, each with the rules it cites: of each branch of the tree the
    deepest that says him something.
    """
    told: list[str] = []
    for reason in reasons:
        below = plainly(reason.below)
        if below:
            told += below
        elif reason.plain:
            told.append(reason.plain + (f" [{', '.join(reason.rules)}]" if reason.rules else ""))
    return list(dict.fromkeys(told))
