"""Bots that search for a time, for experiments: ``bots: [[bench.games.levels:fifth, greedy]]``.

A fifth of a second and two seconds a decision, however many playouts that is.
"""

from __future__ import annotations

from runtime.runs.search import SearchBot

_ANY = 1_000_000


def fifth() -> SearchBot:
    """Searches for 0.2 s."""
    return SearchBot(_ANY, seconds=0.2)


def two() -> SearchBot:
    """Searches for 2 s."""
    return SearchBot(_ANY, seconds=2.0)
