"""Games that were broken off by an exception: what is needed to play them again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Broken:
    """The game that an exception has ended: its seed, and the record as far as it came (empty where there is
    none).

    It stands in the exception's ``__dict__`` as ``broken_game``, which other processes are told, too.
    """

    seed: int
    record: str


def broken_game(error: BaseException) -> Broken | None:
    """The game that an exception has ended, where that is known."""
    found = error.__dict__.get("broken_game")
    return found if isinstance(found, Broken) else None
