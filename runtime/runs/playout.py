"""Games without texts: played on at random, and counted out."""

from __future__ import annotations

from random import Random

from runtime.program import Program
from runtime.state import StateBase


def playout(program: Program, state: StateBase, rng: Random, limit: int = 1_000_000) -> int:
    """Play on at random until the game is over or *limit* decisions are taken; the number of
    decisions.

    Changes *state*; builds no texts.
    """
    answer, random = program.answer, rng.random
    taken = 0
    while not state.over and taken < limit:
        options = state.options
        answer(state, options[int(random() * len(options))])
        taken += 1
    return taken


def perft(program: Program, state: StateBase, depth: int) -> int:
    """The number of positions *depth* decisions from here; ended games count once."""
    if depth == 0 or state.over:
        return 1
    total = 0
    for option in state.options:
        after = state.copy()
        program.answer(after, option)
        total += perft(program, after, depth - 1)
    return total
