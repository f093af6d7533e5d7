"""What a roll might have brought.

The action that led to dice is taken again from the same position, many times, with other dice; what
the sides lose on the board then is compared with what they have lost.  Nothing need be declared for
that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from grognard.retelling.account import Forces
from grognard.retelling.moments import Course, Moment
from runtime.state import RulesetFault

#: How many throws all actions share, and how often at least and at most each that led to dice is
#: repeated.
_SHARED, _LEAST, _MOST = 64_000, 24, 200


@dataclass(frozen=True)
class Chance:
    """What a side may have lost by an action: how often each loss came in *times* repetitions, and
    what it was.
    """

    side: int
    times: int
    seen: tuple[tuple[int, int], ...]
    lost: int

    @property
    def mean(self) -> float:
        """The loss to be expected."""
        return sum(loss * count for loss, count in self.seen) / self.times

    @property
    def variance(self) -> float:
        """How far losses lie apart: the mean square from the mean."""
        mean = self.mean
        return sum(count * (loss - mean) ** 2 for loss, count in self.seen) / self.times

    @property
    def share(self) -> float:
        """The share of the repetitions in which so much or more was lost."""
        return sum(count for loss, count in self.seen if loss >= self.lost) / self.times


@dataclass
class Balance:
    """What a side has lost by dice, and what was to be expected."""

    lost: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def deviations(self) -> float:
        """By how many standard deviations it lost more than was to be expected."""
        return (self.lost - self.expected) / sqrt(self.variance) if self.variance else 0.0


@dataclass
class Luck:
    """Repeats the actions of a course that led to dice."""

    course: Course
    forces: Forces
    sides: dict[int, Balance] = field(default_factory=dict)

    @property
    def times(self) -> int:
        """How often each action is repeated."""
        return max(_LEAST, min(_MOST, _SHARED // max(1, len(self.course.played.choices))))

    def of(self, moment: Moment) -> list[Chance]:
        """What each side may have lost by an action that led to dice, where that hung on them."""
        before = moment.before
        if before is None or not moment.rolls or self.course.side is not None:
            return []
        rng = Random(f"{self.course.played.seed}:{moment.number}")
        seen: list[Counter[int]] = [Counter() for _ in self.course.spec.sides]
        for _ in range(self.times):
            state = before.copy()
            state.script = None
            state.seed = rng.getrandbits(64)
            try:
                self.course.program.answer(state, moment.option)
            except RulesetFault:  # a later turn may run into what the game did not
                continue
            for side, lost in enumerate(self.forces.strength_lost(before, state)):
                seen[side][lost] += 1
        chances = []
        for side, lost in enumerate(self.forces.strength_lost(before, moment.after)):
            counted = seen[side]
            if not lost and not any(counted):
                continue
            counted = counted or Counter([lost])
            chance = Chance(side, sum(counted.values()), tuple(sorted(counted.items())), lost)
            if len(counted) > 1 or lost not in counted:
                chances.append(chance)
            balance = self.sides.setdefault(side, Balance())
            balance.lost += lost
            balance.expected += chance.mean
            balance.variance += chance.variance
        return chances
