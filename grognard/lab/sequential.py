"""When enough has been played: Wald's sequential probability ratio test, to both sides.

A. Wald, *Sequential Tests of Statistical Hypotheses*, The Annals of Mathematical Statistics 16
(1945).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

#: What can come of it.
OPEN, EVEN, FIRST, SECOND = "open", "even", "first", "second"
#: No share is nearer to none or all.
_SURE = 1e-9


def verdict(results: Iterable[float], margin: float, error: float, fair: float = 0.5) -> str:
    """Whether the first wins a *fair* share of the games (``EVEN``), or *margin* more (``FIRST``)
    or less (``SECOND``); ``OPEN`` as long as a mistake is likelier than *error*: that it is fair
    where it is not, or that it is not where it is, which may happen to either side.

    *results* are what games count for the first (:func:`share_of`).
    """
    unfair, even = log((1 - error) / (error / 2)), log(error / (1 - error / 2))
    gains, losses = zip(*(_weights(fair, fair + far) for far in (margin, -margin)), strict=True)
    up = down = 0.0
    settled_up = settled_down = False
    for result in results:
        if not settled_up:
            up += result * gains[0] + (1 - result) * losses[0]
        if not settled_down:
            down += result * gains[1] + (1 - result) * losses[1]
        if up >= unfair:
            return FIRST
        if down >= unfair:
            return SECOND
        settled_up = settled_up or up <= even
        settled_down = settled_down or down <= even
        if settled_up and settled_down:
            return EVEN
    return OPEN


def fair_share(sides: int) -> float:
    """What share of the games is fair to a side; one that plays alone should win half of them."""
    return 1 / max(sides, 2)


def share_of(winners: Sequence[int], one: int, sides: int) -> float:
    """What a game counts for *one*: 1, shared by all who have won, and by all sides when nobody
    has; 0 when it has lost alone.
    """
    if one in winners:
        return 1 / len(winners)
    return 0.0 if winners or sides == 1 else 1 / sides


def _weights(fair: float, other: float) -> tuple[float, float]:
    """How much a game that is won, and one that is lost, speaks for another share than the fair."""
    other = min(max(other, _SURE), 1 - _SURE)
    return log(other / fair), log((1 - other) / (1 - fair))
