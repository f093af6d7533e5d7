"""When enough has been played: Wald's sequential probability ratio test, to both sides.

A. Wald, *Sequential Tests of Statistical Hypotheses*, The Annals of Mathematical Statistics 16
(1945).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log

#: What can come of it.
OPEN, EVEN, FIRST, SECOND = "open", "even", "first", "second"


def verdict(results: Iterable[float], margin: float, error: float) -> str:
    """Whether the first of two wins half of the games (``EVEN``), or *margin* more (``FIRST``) or
    less (``SECOND``); ``OPEN`` as long as either mistake is likelier than *error*.

    *results* are 1 for a game that the first has won, 0 for one that the other has, and something
    between where both have, or neither; they count for both in part.
    """
    bound = log((1 - error) / error)
    more, less = log(1 + 2 * margin), log(max(1e-9, 1 - 2 * margin))
    up = down = 0.0
    settled_up = settled_down = False
    for result in results:
        if not settled_up:
            up += result * more + (1 - result) * less
        if not settled_down:
            down += result * less + (1 - result) * more
        if up >= bound:
            return FIRST
        if down >= bound:
            return SECOND
        settled_up = settled_up or up <= -bound
        settled_down = settled_down or down <= -bound
        if settled_up and settled_down:
            return EVEN
    return OPEN
