"""How strong bots are, by all the games that they have played against each other.

R. A. Bradley, M. E. Terry, *Rank Analysis of Incomplete Block Designs*, Biometrika 39 (1952);
worked out as in D. R. Hunter, *MM Algorithms for Generalized Bradley–Terry Models*, The Annals of
Statistics 32 (2004).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import log10
from random import Random
from typing import Final

from grognard.lab.queries import Results

#: Who has how much of a point against whom.
Points = Mapping[tuple[str, str], float]
#: How often games are drawn anew for an interval, and the steps of working a rating out.
_DRAWN, _STEPS = 200, 200
#: What everybody is taken to have won from everybody else besides: nobody is infinitely strong.
_PRIOR: Final = 0.5


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a bot is on the scale of Elo, where 400 more is ten wins to one, less the mean of
    all; with the ends of the 95% interval (bootstrap over games).
    """

    bot: str
    rating: float
    low: float
    high: float
    games: int


def ratings(results: Results, seed: int = 1) -> list[Rating]:
    """The ratings of the bots of an experiment, the strongest first; none where only one played."""
    games = [
        points_of(row["seats"], row["ranks"])
        for row in results.ask("select seats, ranks from games")
    ]
    games = [game for game in games if game]
    bots = sorted({bot for game in games for pair in game for bot in pair})
    if len(bots) < 2:
        return []
    whole, rng = _strengths(bots, games), Random(seed)
    # once it went either way: games that one bot has always won do not tell that it always will
    met = sorted({pair for game in games for pair in game})
    pool = games + [{(one, other): 1.0, (other, one): 0.0} for one, other in met]
    drawn = [_strengths(bots, rng.choices(pool, k=len(games))) for _ in range(_DRAWN)]
    found = []
    for bot in bots:
        spread = sorted(one[bot] for one in drawn)
        low, high = spread[int(0.025 * _DRAWN)], spread[int(0.975 * _DRAWN)]
        count = sum(any(bot in pair for pair in game) for game in games)
        found.append(Rating(bot, whole[bot], low, high, count))
    return sorted(found, key=lambda one: -one.rating)


def points_of(seats: Iterable[str], ranks: Iterable[int]) -> Points:
    """What a game gives to each of two bots against the other: 1 to who is ahead, half to both who
    are level.
    """
    points: dict[tuple[str, str], float] = defaultdict(float)
    placed = list(zip(seats, ranks, strict=True))
    for (one, rank), (other, another) in combinations(placed, 2):
        if one != other:
            won = 1.0 if rank < another else 0.5 if rank == another else 0.0
            points[one, other] += won
            points[other, one] += 1 - won
    return points


def _strengths(bots: list[str], games: Iterable[Points]) -> dict[str, float]:
    won: dict[tuple[str, str], float] = defaultdict(lambda: _PRIOR)
    for game in games:
        for pair, points in game.items():
            won[pair] += points

    strength = dict.fromkeys(bots, 1.0)
    for _ in range(_STEPS):
        new = {}
        for bot in bots:
            points = sum(won[bot, other] for other in bots if other != bot)
            met = sum(
                (won[bot, other] + won[other, bot]) / (strength[bot] + strength[other])
                for other in bots
                if other != bot
            )
            new[bot] = points / met
        strength = new
    scale = {bot: 400 * log10(value) for bot, value in strength.items()}
    mean = sum(scale.values()) / len(scale)
    return {bot: value - mean for bot, value in scale.items()}
