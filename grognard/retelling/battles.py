"""The odds of what dice decided, and what came of it: the one place where they are worked out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grognard.retelling.account import Forces
from grognard.retelling.course import Course, Moment
from grognard.retelling.luck import Luck


@dataclass(frozen=True)
class Odds:
    """What a roll could bring: *title* says what is counted, *outcomes* are each a text, its share in
    hundredths, and whether it came; *note* says how to read them.
    """

    title: str
    outcomes: tuple[tuple[str, float, bool], ...]
    note: str = ""

    @property
    def data(self) -> list[Any]:
        """As plain data."""
        shares = [[text, round(share, 1), int(came)] for text, share, came in self.outcomes]
        return [self.title, shares, self.note]


class Battles:
    """Says of an action that led to dice what could have come of it."""

    def __init__(self, course: Course, forces: Forces) -> None:
        self.course = course
        self.forces = forces
        self.luck = Luck(course, forces)

    def of(self, moment: Moment) -> list[Odds]:
        """The odds of a moment, one for each side that could lose something."""
        word = self.course.word
        names, unit = self.course.sides, self.forces.unit
        found = []
        for chance in self.luck.of(moment):
            title = word("loses_unit" if unit else "loses", names[chance.side], unit)
            counts = dict(chance.seen)
            counts.setdefault(chance.lost, 0)
            outcomes = tuple(
                (str(loss), 100 * counts[loss] / chance.times, loss == chance.lost) for loss in sorted(counts)
            )
            said = word("expected", chance.lost, float(chance.mean), f"{100 * chance.share:.0f}")
            found.append(Odds(title, outcomes, said))
        return found
