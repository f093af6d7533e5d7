"""Ratings of bots: by whom they beat, on the scale of Elo, with intervals that hold the truth."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.lab import ratings
from grognard.lab.ratings import points_of

TRUE = {"able": 200.0, "fair": 0.0, "poor": -200.0}


class Played:
    """Games between bots of such strengths, as results have them."""

    def __init__(self, games: int, seed: int) -> None:
        rng, self.rows = Random(seed), list[dict[str, Any]]()
        pairs = [("able", "fair"), ("fair", "poor"), ("able", "poor")]
        for number in range(games):
            seats = pairs[number % 3]
            ahead = TRUE[seats[0]] - TRUE[seats[1]]
            won = rng.random() < 1 / (1 + 10 ** (-ahead / 400))
            self.rows.append({"seats": list(seats), "ranks": [1, 2] if won else [2, 1]})

    def ask(self, question: str) -> list[dict[str, Any]]:
        return self.rows


def test_they_are_found_again() -> None:
    held = 0
    for seed in range(5):
        found = {one.bot: one for one in ratings.ratings(Played(900, seed))}  # type: ignore[arg-type]
        assert list(found) == ["able", "fair", "poor"]
        for bot, rating in TRUE.items():
            assert found[bot].rating == pytest.approx(rating, abs=45)
            assert found[bot].low < found[bot].rating < found[bot].high and found[bot].games == 600
            held += found[bot].low <= rating <= found[bot].high
    assert held >= 11, "of fifteen intervals of 95%"


def test_who_wins_always_is_not_infinitely_strong() -> None:
    played = Played(3, 1)
    played.rows = [{"seats": ["able", "poor"], "ranks": [1, 2]}] * 20
    able, poor = ratings.ratings(played)  # type: ignore[arg-type]
    assert 400 < able.rating - poor.rating < 1200 and able.rating == pytest.approx(-poor.rating)
    assert able.low < able.rating - 50, "nor sure to win the next twenty"


def test_points() -> None:
    assert points_of(["a", "b"], [1, 1]) == {("a", "b"): 0.5, ("b", "a"): 0.5}
    assert points_of(["a", "a"], [1, 2]) == {}
    three = points_of(["a", "b", "a"], [2, 1, 3])
    assert three == {("a", "b"): 0, ("b", "a"): 2}


def test_where_one_bot_plays_itself_there_are_none(desk: Path) -> None:
    played = Played(2, 1)
    played.rows = [{"seats": ["able", "able"], "ranks": [1, 2]}]
    assert ratings.ratings(played) == []  # type: ignore[arg-type]
