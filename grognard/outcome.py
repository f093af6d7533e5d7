"""How a game has ended, in words."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.words import Words
from runtime.state import LOST, TIED, StateBase

_ENGLISH = Words()


def ended(state: StateBase, names: Sequence[str], words: Words = _ENGLISH) -> str:
    """The end of a game as sentences; *names* are those of the sides, in order.

    Those behind the winners are told one by one where that says more than who has won.
    """
    if state.over == TIED:
        return words("The game is tied.")
    winners = _with_rank(state, names, 1)
    if state.over == LOST:
        first = words("Nobody wins.")
    elif len(winners) == 1:
        first = words("Winner: {winner}.", winner=winners[0])
    else:
        first = words("{winners} win together.", winners=_and(winners, words))
    others = sorted(set(state.ranks) - {1})
    if len(others) < 2:
        return first
    behind = ", ".join(f"{rank}. {_and(_with_rank(state, names, rank), words)}" for rank in others)
    return f"{first} {words('Behind: {names}.', names=behind)}"


def in_short(state: StateBase, names: Sequence[str], words: Words = _ENGLISH) -> str:
    """The end of a game in a few words."""
    if state.over == TIED:
        return words("a tie")
    if state.over == LOST:
        return words("won by nobody")
    return words("won by {winners}", winners=_and(_with_rank(state, names, 1), words))


def _with_rank(state: StateBase, names: Sequence[str], rank: int) -> list[str]:
    return [name for name, own in zip(names, state.ranks, strict=True) if own == rank]


def _and(names: list[str], words: Words) -> str:
    return words(" and ").join(filter(None, (", ".join(names[:-1]), names[-1])))
