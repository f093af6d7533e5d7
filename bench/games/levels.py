"""Bots that search for a time, for experiments: ``bots: [[bench.games.levels:fifth, greedy]]``.

A fifth of a second a decision, however many playouts that is.
"""

from __future__ import annotations

from runtime.runs.search import SearchBot

_ANY = 1_000_000


def fifth() -> SearchBot:
    """Searches for 0.2 s."""
    return SearchBot(_ANY, seconds=0.2)
