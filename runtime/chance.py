"""Chance: one counter-based generator with a stream per die and deck and one for draws from sets.

A number depends on the seed, the stream and how often the stream was asked, on nothing else; so
chance is data, streams do not disturb each other, and a copied state throws the same dice.  Seeds of up to 64 bits
are mixed by SplitMix64 (Steele, Lea and Flood, 2014), which is quick; longer ones, which nobody shall find out from the dice that
he sees, are the key of BLAKE2b.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import blake2b

from runtime.model import NONE
from runtime.services import MOST
from runtime.state import RulesetFault, StateBase

_MASK = (1 << 64) - 1
#: The length of the longest seed.
SEED_BITS = 128


def new_seed() -> int:
    """A seed that nobody can guess, from the operating system."""
    return secrets.randbits(SEED_BITS) | 1 << (SEED_BITS - 1)


def word(seed: int, stream: int, counter: int) -> int:
    """The 64 random bits number *counter* of a stream."""
    if seed > _MASK:
        place = f"{stream}:{counter}".encode()
        return int.from_bytes(blake2b(place, key=seed.to_bytes(SEED_BITS // 8, "big"), digest_size=8).digest(), "big")
    x = (seed + (stream + 1) * 0xD1342543DE82EF95 + (counter + 1) * 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def roll(s: StateBase, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Roll *count* dice with these faces; scripted dice come first.

    A script that names a die without giving any rolls says that it is not rolled; one that is used up leaves the rest to chance.
    """
    if count <= 0:
        return ()
    if count > MOST:
        raise RulesetFault(f"a roll of {count} dice; {MOST} are the most")
    if s.script is not None:
        die = s.SPEC.dice[stream].name
        queue = s.script.get(die)
        if queue is not None:
            if len(queue) < count:
                raise ScriptError(f"the script has {len(queue)} dice left, {count} are rolled")
            s.counters[stream] += 1
            if len(queue) > count:
                s.script[die] = queue[count:]
            else:
                del s.script[die]
            return tuple(queue[:count])
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
            return tuple(result_list)


def draw(s: StateBase, members: Sequence[int], kind: str) -> int:
    """A random one of *members*, which are of the piece kind, enum or ``Hex`` *kind* (``""``: numbers); none of none.

    One stream, the last, serves all draws.  A scripted member comes first; one that is not there to be drawn is an error.
    """
    if not members:
        return NONE
    counters = s.counters
    if s.script is not None:
        queue = s.script.get("draw")
        if queue is not None:
            if not queue:
                raise ScriptError("the script has no draws left")
            counters[-1] += 1
            first = queue[0]
            if len(queue) > 1:
                s.script["draw"] = queue[1:]
            else:
                del s.script["draw"]
            if first.get(kind) not in members:
                raise ScriptError(f"the script draws {first['text']}, which is not among the {len(members)} there are to draw from")
            return int(first[kind])
    if len(members) == 1:
        return members[0]
    c = counters[-1]
    counters[-1] = c + 1
    return members[word(s.seed, len(counters) - 1, c) % len(members)]


class ScriptError(RulesetFault):
    """A script does not fit the dice that are rolled."""


def mix(s: StateBase, stream: int, pieces: list[int], columns: tuple[list[int], ...]) -> None:
    """Let *pieces* exchange their values in *columns* at random, each piece's together."""
    others = pieces[:]
    shuffle(s, stream, others)
    for column in columns:
        values = [column[other] for other in others]
        for piece, value in zip(pieces, values, strict=True):
            column[piece] = value


def shuffle(s: StateBase, stream: int, cards: list[int]) -> None:
    """Shuffle *cards* in place (Fisher and Yates)."""
    if s.script is not None and s.script.get("shuffle") == [0]:
        return
    counters = s.counters
    c = counters[stream]
    seed = s.seed
    for i in range(len(cards) - 1, 0, -1):
        j = word(seed, stream, c) % (i + 1)
        c += 1
        cards[i], cards[j] = cards[j], cards[i]
    counters[stream] = c
