"""Cards that neither side knows until it is dealt them: mental poker (Shamir, Rivest and Adleman,
1979) with a commutative cipher on the curve P-256.

A card is a point of the curve; to lock it is to multiply it by a secret number, and locks are
opened in any order.  Only the x of points is kept, which multiplication leaves without a sign.  A
shuffle takes five passes between the side X that begins it and the other, Y:

1. X puts its common lock on all cards, in place of its own on each that lay unseen before;
2. Y does the same, and shuffles;
3. X exchanges its common lock for another, and shuffles;
4. Y exchanges its common lock for one of its own on each card;
5. X does the same.

A card is dealt by the other side giving its key of that card; it is shown by giving one's own.
When the game is over both give the secret from which all their keys come, and each verifies what
the other has done in every pass.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec

from grognard.post.letters import LetterError
from grognard.post.pledges import derived

#: The index of a card: the number of the shuffle, and the place in it from the bottom.
Index = tuple[int, int]
#: What is shuffled: a card that both know, or one that lay unseen.
Item = int | Index
#: How many passes a shuffle has.
PASSES: Final = 5
_CURVE: Final = ec.SECP256R1()
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_INDEX = re.compile(r"(\d{1,4})\.(\d{1,4})\Z")
_CHEATS = "the other side's program was tampered with: play no further with it"


def locked(point: bytes, by: int) -> bytes:
    """A point multiplied by a number.  LetterError where it is no point of the curve."""
    try:
        public = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, b"\x02" + point)
        return ec.derive_private_key(by, _CURVE).exchange(ec.ECDH(), public)
    except ValueError:
        raise LetterError("the letter holds what is no locked card", _CHEATS) from None


def opening(key: int) -> int:
    """The number that opens a lock."""
    return pow(key, -1, _ORDER)


def index_text(index: Index) -> str:
    """An index as letters write it."""
    return f"{index[0]}.{index[1]}"


def index_of(text: str) -> Index:
    """The index that a letter writes.  LetterError."""
    match = _INDEX.match(text)
    if match is None:
        raise LetterError("the letter names a card that there is not", _CHEATS)
    return int(match[1]), int(match[2])


def _points(game: str, epoch: int, items: Sequence[Item]) -> dict[int, tuple[bytes, int]]:
    """By place, the points that stand for the cards known to both, with the card of each."""
    points: dict[int, tuple[bytes, int]] = {}
    copies: Counter[int] = Counter()
    for place, card in enumerate(items):
        if isinstance(card, int):
            points[place] = _point(f"{game}:{epoch}:{card}:{copies[card]}"), card
            copies[card] += 1
    return points


def _point(name: str) -> bytes:
    """The point that stands for something: the first of a row of digests that is one."""
    number = 0
    while True:
        x = hashlib.sha256(f"grognard card:{name}:{number}".encode()).digest()
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, b"\x02" + x)
            return x
        except ValueError:
            number += 1


class Keys:
    """The keys of one side, all from one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def key(self, *place: object) -> int:
        """The key for a purpose."""
        return int.from_bytes(derived(self._secret, *place), "big") % (_ORDER - 1) + 1

    def of(self, index: Index) -> int:
        """The key of one card."""
        return self.key("card", *index)


class Shuffle:
    """One shuffle: what is shuffled, and the passes so far, each a list of locked cards."""

    def __init__(self, game: str, epoch: int, items: Sequence[Item], dealer: Dealer) -> None:
        self.epoch, self.items = epoch, tuple(items)
        self.points = _points(game, epoch, items)
        self._dealer = dealer
        self.passes: list[list[bytes]] = []

    @property
    def done(self) -> bool:
        """Whether all passes are made."""
        return len(self.passes) == PASSES

    @property
    def final(self) -> list[bytes]:
        """The locked cards, from the bottom."""
        return self.passes[-1]

    def made(self, keys: Keys) -> list[bytes]:
        """The next pass, before it is shuffled, with the keys of the side whose it is."""
        number = len(self.passes) + 1
        first, second = keys.key("first", self.epoch), keys.key("second", self.epoch)
        if number <= 2:
            start = self._start() if number == 1 else self.passes[0]
            return [
                locked(card, first if isinstance(item, int) else self._again(keys, item, first))
                for card, item in zip(start, self.items, strict=True)
            ]
        before = self.passes[-1]
        if number == 3:
            change = second * opening(first) % _ORDER
            return [locked(card, change) for card in before]
        free = opening(first if number == 4 else second)
        own = (keys.of((self.epoch, place)) for place in range(len(before)))
        return [locked(card, key * free % _ORDER) for card, key in zip(before, own, strict=True)]

    def _start(self) -> list[bytes]:
        return [
            self.points[place][0] if isinstance(item, int) else self._dealer.locked_card(item)
            for place, item in enumerate(self.items)
        ]

    def _again(self, keys: Keys, item: Index, common: int) -> int:
        return common * opening(keys.of(item)) % _ORDER

    def take(self, cards: Sequence[str]) -> None:
        """A pass as it was sent.  LetterError."""
        try:
            passed = [bytes.fromhex(card) for card in cards]
        except ValueError:
            passed = []
        sizes = {len(card) for card in passed}
        if self.done or sizes != {32} or len(set(passed)) != len(self.items) != len(passed) - 1:
            raise LetterError("the letter holds a shuffle of other cards", _CHEATS)
        for card in passed:
            locked(card, 1)
        self.passes.append(passed)

    def verify(self, sides: Sequence[Keys]) -> None:
        """That each pass was made as it should be, with the keys of X and Y.  LetterError."""
        passes, self.passes = self.passes, []
        for number, passed in enumerate(passes):
            made = self.made(sides[number % 2])
            if number in (1, 2):
                fair = sorted(made) == sorted(passed)
            else:
                fair = made == passed
            if not fair:
                raise LetterError("cards were not shuffled fairly", _CHEATS)
            self.passes.append(passed)


class Dealer:
    """One side's part in all shuffles of a game, and the cards that it knows."""

    def __init__(self, game: str, secret: bytes) -> None:
        self.game = game
        self.keys = Keys(secret)
        self.shuffles: list[Shuffle] = []
        #: by shuffle, whether this side has begun it
        self.began: list[bool] = []
        #: the keys that the other side has given, and the cards that are known by them
        self.given: dict[Index, int] = {}
        self.known: dict[Index, int] = {}

    @property
    def dealt(self) -> int:
        """How many shuffles are done."""
        return sum(shuffle.done for shuffle in self.shuffles)

    @property
    def open(self) -> Shuffle | None:
        """The shuffle that is under way."""
        return self.shuffles[-1] if self.shuffles and not self.shuffles[-1].done else None

    def begin(self, epoch: int, items: Sequence[Item], own: bool) -> Shuffle:
        """The shuffle of this number, begun if need be, by this side where it is its *own*.
        LetterError where another is under way.
        """
        if epoch == len(self.shuffles) and self.open is None:
            self.shuffles.append(Shuffle(self.game, epoch, items, self))
            self.began.append(own)
        shuffle = self.shuffles[-1]
        if shuffle.epoch != epoch or shuffle.items != tuple(items):
            raise LetterError("both sides do not shuffle the same cards", _CHEATS)
        return shuffle

    def next_pass(self, shuffle: Shuffle) -> list[str]:
        """This side's next pass of a shuffle."""
        made = shuffle.made(self.keys)
        if len(shuffle.passes) in (1, 2):
            SystemRandom().shuffle(made)
        return [card.hex() for card in made]

    def locked_card(self, index: Index) -> bytes:
        """A card as it lies under all locks.  LetterError where there is none."""
        epoch, place = index
        shuffle = self.shuffles[epoch] if epoch < len(self.shuffles) else None
        if shuffle is None or not shuffle.done or place >= len(shuffle.final):
            raise LetterError("the letter names a card that there is not", _CHEATS)
        return shuffle.final[place]

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take keys that the other side gives.  LetterError where one opens no card."""
        for text, number in keys.items():
            index = index_of(text)
            card = self.locked_card(index)
            try:
                key = int(number, 16)
            except ValueError:
                key = 0
            if not 0 < key < _ORDER:
                raise LetterError("the letter holds a key that is none", _CHEATS)
            self.given[index] = key
            self.known[index] = self._card(card, key * self.keys.of(index) % _ORDER)

    def _card(self, card: bytes, key: int) -> int:
        point = locked(card, opening(key))
        for shuffle in self.shuffles:
            for own, number in shuffle.points.values():
                if own == point:
                    return number
        raise LetterError("the letter holds a key that opens no card", _CHEATS)

    def verify(self, secret: bytes) -> dict[Index, int]:
        """All cards, when the other side has given its secret.  LetterError where it has not kept
        to the rules of a shuffle, or has given another key of a card.
        """
        other = Keys(secret)
        for index, key in self.given.items():
            if other.of(index) != key:
                raise LetterError("a key that was given was another", _CHEATS)
        cards: dict[Index, int] = {}
        for shuffle, own in zip(self.shuffles, self.began, strict=True):
            shuffle.verify((self.keys, other) if own else (other, self.keys))
            for place, card in enumerate(shuffle.final):
                index = shuffle.epoch, place
                cards[index] = self._card(card, self.keys.of(index) * other.of(index) % _ORDER)
        return cards
