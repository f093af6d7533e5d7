"""How a game has ended, in words."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.state import LOST, TIED, StateBase


def ended(state: StateBase, names: Sequence[str]) -> str:
    """The end of a game as sentences; *names* are those of the sides, in order.

    Those behind the winners are told one by one where that says more than who has won.
    """
    if state.over == TIED:
        return "The game is tied."
    winners = _with_rank(state, names, 1)
    first = (
        "Nobody wins."
        if state.over == LOST
        else f"{_and(winners)} {'wins' if len(winners) == 1 else 'win together'}."
    )
    others = sorted(set(state.ranks) - {1})
    if len(others) < 2:
        return first
    return (
        f"{first} Behind: "
        + ", ".join(f"{rank}. {_and(_with_rank(state, names, rank))}" for rank in others)
        + "."
    )


def in_short(state: StateBase, names: Sequence[str]) -> str:
    """The end of a game in a few words."""
    if state.over == TIED:
        return "a tie"
    return "won by " + ("nobody" if state.over == LOST else _and(_with_rank(state, names, 1)))


def _with_rank(state: StateBase, names: Sequence[str], rank: int) -> list[str]:
    return [name for name, own in zip(names, state.ranks, strict=True) if own == rank]


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
