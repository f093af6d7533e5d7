"""Chance: one counter-based generator with a stream per die and deck and one for draws from sets.

A number depends on the seed, the stream and how often the stream was asked, on nothing else; so
chance is data, streams do not disturb each other, and a copied state throws the same dice.  Seeds
of up to 64 bits are mixed by SplitMix64 (Steele, Lea and Flood, 2014), which is quick; longer ones,
which nobody shall find out from the dice that he sees, are the key of BLAKE2b.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from runtime.hidden import Cards, Unseen
from runtime.model import NONE
from runtime.services import MOST
from runtime.state import RulesetFault, StateBase

_MASK = (1 << 64) - 1
_STREAM, _STEP = 0xD1342543DE82EF95, 0x9E3779B97F4A7C15
#: The length of the longest seed.
SEED_BITS = 128


def new_seed() -> int:
    """A seed that nobody can guess, from the operating system."""
    return secrets.randbits(SEED_BITS) | 1 << (SEED_BITS - 1)


def word(seed: int, stream: int, counter: int) -> int:
    """The 64 random bits number *counter* of a stream."""
    if seed > _MASK:
        place = f"{stream}:{counter}".encode()
        key = seed.to_bytes(SEED_BITS // 8, "big")
        return int.from_bytes(blake2b(place, key=key, digest_size=8).digest(), "big")
    x = (seed + (stream + 1) * _STREAM + (counter + 1) * _STEP) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


#: Stands last in a script where nothing may be rolled or drawn beyond it.
END = None


def left_in(script: Mapping[str, list[Any]] | None, name: str) -> int:
    """How many faces of a die, shuffles of a deck, or draws are left in a script."""
    queue = (script or {}).get(name) or []
    return len(queue) - (bool(queue) and queue[-1] is END)


def roll(s: StateBase, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Roll *count* dice with these faces; scripted dice come first.

    A script that names a die without giving any rolls says that it is not rolled; one that is used
    up leaves the rest to chance, unless ``END`` stands last in it.
    """
    if count <= 0:
        return ()
    if count > MOST:
        raise RulesetFault(f"a roll of {count} dice; {MOST} are the most")
    if s.script is not None:
        return _scripted_roll(s, s.script, stream, count, faces)
    counters = s.counters
    sides = len(faces)
    result_list: list[int] = []
    while True:
        c = counters[stream]
        counters[stream] = c + 1
        x = word(s.seed, stream, c)
        # 16 dice of up to 12 faces fit into one word with a bias below 2**-6 of a percent.
        for _ in range(min(count, 16)):
            result_list.append(faces[x % sides])
            x //= sides
        count -= 16
        if count <= 0:
            result = tuple(result_list)
            s.rolled(stream, result)
            return result


def _scripted_roll(
    s: StateBase, script: dict[str, list[Any]], stream: int, count: int, faces: tuple[int, ...]
) -> tuple[int, ...]:
    """A roll where there is a script, which may say nothing of this die."""
    chances = getattr(script, "chances", None)
    if chances is not None:
        rolled: tuple[int, ...] = chances.roll(stream, count, faces)
        return rolled
    name = s.SPEC.dice[stream].name
    queue = script.get(name)
    if queue is None:
        s.script = None
        rolled = roll(s, stream, count, faces)
        s.script = script
    else:
        rolled = tuple(_next(script, name, queue, count, "dice", f"{count} are rolled"))
        s.counters[stream] += 1
        s.rolled(stream, rolled)
    return rolled


def _next(
    script: dict[str, list[Any]], name: str, queue: list[Any], count: int, what: str, wanted: str
) -> list[Any]:
    """The next *count* of a script, which are taken from it."""
    left = left_in(script, name)
    if left < count:
        raise ScriptError(f"the script has {left or 'no'} {what} left, {wanted}")
    if len(queue) > count:
        script[name] = queue[count:]
    else:
        del script[name]
    return queue[:count]


def draw(s: StateBase, members: Sequence[int], kind: str) -> int:
    """A random one of *members*, which are of the piece kind, enum or ``Hex`` *kind* (``""``:
    numbers); none of none.

    One stream, the last, serves all draws.  A scripted member comes first; one that is not there to
    be drawn is an error.
    """
    if not members:
        return NONE
    counters = s.counters
    if s.script is not None:
        chances = getattr(s.script, "chances", None)
        if chances is not None:
            return int(chances.draw(members, kind))
        queue = s.script.get("draw")
        if queue is not None:
            first = _next(s.script, "draw", queue, 1, "draws", "one is made")[0]
            counters[-1] += 1
            if first.get(kind) not in members:
                message = f"the script draws {first['text']}, which is not among the {len(members)}"
                raise ScriptError(f"{message} there are to draw from")
            return int(first[kind])
    if len(members) == 1:
        return members[0]
    c = counters[-1]
    counters[-1] = c + 1
    return members[word(s.seed, len(counters) - 1, c) % len(members)]


def drawn(s: StateBase, pile: list[int], deck: int) -> int:
    """The top card of a closed pile, taken off it; none of an empty one.

    In a forecast that does not see it, it is any of the cards of the deck that are not seen.
    """
    if not pile:
        return NONE
    card = pile.pop()
    return card if card != NONE else _dealt_unseen(s, deck)


def _dealt_unseen(s: StateBase, deck: int) -> int:
    """One of the cards of a deck that a forecast does not see, each as likely as any other."""
    chances = getattr(s.script, "chances", None)
    if chances is None or not s.unseen or not s.unseen[deck]:
        raise Unseen
    card = int(chances.deal(s.unseen[deck]))
    left = list(s.unseen[deck])
    left.remove(card)
    s.unseen = (*s.unseen[:deck], tuple(left), *s.unseen[deck + 1 :])
    return card


def _order_stays_open(s: StateBase, stream: int, cards: list[int]) -> bool:
    """Whether a forecast need not know in which order cards come to lie, as they are in a closed
    pile in which all lie that are not seen of its deck.
    """
    deck = stream - len(s.SPEC.dice)
    if not s.unseen or deck >= len(s.unseen) or not isinstance(cards, Cards):
        return False
    seen = [card for card in list.copy(cards) if card != NONE]
    if len(cards) - len(seen) != len(s.unseen[deck]):
        return False
    unseen = tuple(sorted((*s.unseen[deck], *seen)))
    s.unseen = (*s.unseen[:deck], unseen, *s.unseen[deck + 1 :])
    cards[:] = [NONE] * len(cards)
    return True


class ScriptError(RulesetFault):
    """A script does not fit the dice that are rolled."""

    def __init__(self, message: str, remedy: str = "script what the rules roll and draw") -> None:
        super().__init__(message, remedy)


def mix(s: StateBase, stream: int, pieces: list[int], columns: tuple[list[int], ...]) -> None:
    """Let *pieces* exchange their values in *columns* at random, each piece's together."""
    others = pieces[:]
    shuffle(s, stream, others)
    for column in columns:
        values = [column[other] for other in others]
        for piece, value in zip(pieces, values, strict=True):
            column[piece] = value


def shuffle(s: StateBase, stream: int, cards: list[int]) -> None:
    """Shuffle *cards* in place (Fisher and Yates); those that a script gives come to lie on top."""
    if s.script is not None:
        chances = getattr(s.script, "chances", None)
        if chances is not None:
            if not _order_stays_open(s, stream, cards):
                chances.shuffle(cards, stream)
            return
        first = _dealt(s, s.script, stream, cards)
        if s.script.get("shuffle") != [0]:
            _mix_cards(s, stream, cards)
        cards += first
        return
    _mix_cards(s, stream, cards)


def _dealt(s: StateBase, script: dict[str, list[Any]], stream: int, cards: list[int]) -> list[int]:
    """The cards that the script gives for this shuffle, the top one last, taken out of *cards*."""
    number = stream - len(s.SPEC.dice)
    if number >= len(s.SPEC.decks):  # pieces are mixed
        return []
    deck = s.SPEC.decks[number]
    queue = script.get(deck.name)
    if queue is None:
        return []
    first: list[int] = _next(script, deck.name, queue, 1, "shuffles", "one is made")[0]
    for card in first:
        if card not in cards:
            name = s.SPEC.enums[deck.enum][card]
            raise ScriptError(f"the script deals {name}, which the pile that is shuffled lacks")
        cards.remove(card)
    return first[::-1]


def _mix_cards(s: StateBase, stream: int, cards: list[int]) -> None:
    """Put *cards* in an order that chance gives."""
    counters = s.counters
    c = counters[stream]
    seed = s.seed
    short = seed <= _MASK
    state = seed + (stream + 1) * _STREAM + c * _STEP
    for i in range(len(cards) - 1, 0, -1):
        if short:  # as in `word`: hands of cards are shuffled more often than dice are rolled
            state += _STEP
            x = state & _MASK
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
            j = (x ^ (x >> 31)) % (i + 1)
        else:
            j = word(seed, stream, c) % (i + 1)
        c += 1
        cards[i], cards[j] = cards[j], cards[i]
    counters[stream] = c
