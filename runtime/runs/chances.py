"""Chance in forecasts: every way that it can take, one of its own, or what dice came to.

Each stands in ``state.script`` and is asked by :mod:`runtime.chance`.  Where more than one thing
can come it marks that in *said*, among what is observed (``state.observed``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from random import Random
from typing import Any

from runtime.chance import ScriptError

#: The most ways of one throw of dice.
MOST_WAYS = 40_000
#: How often chance may come in on one way.
LONGEST = 200


class TooMany(Exception):
    """There are too many ways, or there is chance that cannot be gone through."""


class ChanceReached(Exception):
    """Chance comes in, further than is looked."""


class Chances(dict[str, list[Any]]):
    """What takes the place of chance; of *most* times that it comes in, the next raises
    :class:`ChanceReached`.

    Chance behind which nothing is observed and what comes in next are one time: a throw, and what
    is thrown again of it.  *silent* says that nothing has been observed since chance came in last.
    """

    def __init__(self, most: int | None = None, silent: bool = False) -> None:
        super().__init__()
        self.chances = self
        self.most = most
        self.silent = silent
        self.times = self.all_times = 0
        #: what is observed, and None where chance came in
        self.said: list[tuple[Any, ...] | None] = []

    def comes_in(self) -> None:
        """Something is left to chance."""
        self.all_times += 1
        if self.all_times > LONGEST:
            raise ChanceReached
        if self.said[-1] is None if self.said else self.silent:
            return
        if self.most is not None and self.times >= self.most:
            raise ChanceReached
        self.times += 1
        self.said.append(None)

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show."""
        raise ChanceReached

    def draw(self, members: Sequence[int], kind: str) -> int:
        """Which member is drawn."""
        raise ChanceReached

    def deal(self, cards: Sequence[int]) -> int:
        """Which of these cards, that nobody sees, is drawn."""
        raise ChanceReached

    def shuffle(self, cards: list[int], stream: int) -> None:
        """Put cards into an order."""
        raise ChanceReached


class NoChance(Chances):
    """No chance: where it comes in, it is looked no further."""

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show that can show one thing only."""
        if len(set(faces)) > 1:
            raise ChanceReached
        return faces[:1] * count

    def draw(self, members: Sequence[int], kind: str) -> int:
        """The only member there is."""
        if len(members) > 1:
            raise ChanceReached
        return members[0]

    def deal(self, cards: Sequence[int]) -> int:
        """The only card that it can be."""
        return self.draw(tuple(set(cards)), "")

    def shuffle(self, cards: list[int], stream: int) -> None:
        """Cards that are all the same."""
        if len(set(cards)) > 1:
            raise ChanceReached


@lru_cache(maxsize=256)
def _throws(
    faces: tuple[int, ...], count: int, ordered: bool
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """What so many dice can show, each with how many of the throws show it."""
    weights = {face: faces.count(face) for face in sorted(set(faces))}
    size = len(weights) ** count if ordered else comb(count + len(weights) - 1, count)
    if size > MOST_WAYS:
        raise TooMany
    if ordered:
        return tuple(
            (dice, prod(weights[d] for d in dice)) for dice in product(weights, repeat=count)
        )
    throws = []
    for dice in combinations_with_replacement(weights, count):
        numbers = [dice.count(face) for face in weights]
        orders = factorial(count) // prod(map(factorial, numbers))
        throws.append(
            (dice, orders * prod(w**n for w, n in zip(weights.values(), numbers, strict=True)))
        )
    return tuple(throws)


class Way(Chances):
    """One way: chance gives what *trail* says, and beyond that the first."""

    def __init__(
        self, trail: list[int], ordered: tuple[int, ...], most: int | None, silent: bool
    ) -> None:
        super().__init__(most, silent)
        self.trail = trail
        self.ordered = ordered
        self.sizes: list[int] = []
        #: of so many equally likely cases this way is so many
        self.cases, self.of = 1, 1

    def _place(self, size: int) -> int:
        if size > 1:
            self.comes_in()
        at = len(self.sizes)
        self.sizes.append(size)
        if at == len(self.trail):
            self.trail.append(0)
        return self.trail[at]

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show."""
        throws = _throws(faces, count, count > 1 and stream in self.ordered)
        dice, cases = throws[self._place(len(throws))]
        self.cases *= cases
        self.of *= len(faces) ** count
        return dice

    def draw(self, members: Sequence[int], kind: str) -> int:
        """Which member is drawn."""
        place = self._place(len(members))
        self.of *= len(members)
        return members[place]

    def deal(self, cards: Sequence[int]) -> int:
        """Which card is drawn."""
        different = sorted(set(cards))
        card = different[self._place(len(different))]
        self.cases *= cards.count(card)
        self.of *= len(cards)
        return card

    def shuffle(self, cards: list[int], stream: int) -> None:
        """Cards have too many orders."""
        if len(set(cards)) > 1:
            raise TooMany

    def next(self) -> bool:
        """Make the trail that of the next way: whether there is one."""
        trail, sizes = self.trail, self.sizes
        while trail and trail[-1] + 1 >= sizes[len(trail) - 1]:
            trail.pop()
        if trail:
            trail[-1] += 1
        return bool(trail)


class Luck(Chances):
    """Chance of its own."""

    def __init__(self, rng: Random, most: int | None = None) -> None:
        super().__init__(most)
        self.rng = rng

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show."""
        if len(set(faces)) > 1:
            self.comes_in()
        return tuple(self.rng.choices(faces, k=count))

    def draw(self, members: Sequence[int], kind: str) -> int:
        """Which member is drawn."""
        if len(members) > 1:
            self.comes_in()
        return self.rng.choice(members)

    def deal(self, cards: Sequence[int]) -> int:
        """Which card is drawn."""
        return self.draw(cards, "")

    def shuffle(self, cards: list[int], stream: int) -> None:
        """Put cards into an order."""
        if len(set(cards)) > 1:
            self.comes_in()
        self.rng.shuffle(cards)


class ThrownDice(Chances):
    """What was thrown, by the name of each die in *names*; what was not ends it."""

    def __init__(self, dice: Mapping[str, list[Any]], names: Sequence[str]) -> None:
        super().__init__()
        self.left = {name: list(faces) for name, faces in dice.items()}
        self.names = names

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice showed."""
        left = self.left.get(self.names[stream])
        if not left:
            raise ChanceReached
        if len(left) < count:
            raise ScriptError(f"{len(left)} dice were thrown, {count} are rolled")
        self.left[self.names[stream]] = left[count:]
        self.comes_in()
        return tuple(left[:count])

    def draw(self, members: Sequence[int], kind: str) -> int:
        """The only member there is."""
        if len(members) > 1:
            raise ChanceReached
        return members[0]
