"""Seeds that programs give."""

from __future__ import annotations

import operator
from typing import Any

from grognard.errors import ArgumentError, given
from runtime.chance import SEED_BITS, new_seed


def seeded(seed: Any) -> int:
    """A seed as the engine takes it: of a whole number it is itself, of None a new one that nobody can
    guess.
    """
    if seed is None:
        return new_seed()
    try:
        if isinstance(seed, bool):
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        raise ArgumentError(
            f"a seed is a whole number or None, not {type(seed).__name__}", "give a number such as 7"
        ) from None
    if not 0 <= number < 1 << SEED_BITS:
        raise ArgumentError(
            f"the seed {given(number)} is out of range",
            f"a seed has at most {SEED_BITS} bits and is not negative",
        )
    return number
