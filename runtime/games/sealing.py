"""Sealing: what a record keeps to itself while a game with secrets goes on.

The record of such a game shows a commitment to the seed instead of the seed, and digests, salted
with a nonce, of its hashes and of what was chosen secretly.  The *key*, seed and nonce, opens it;
both are in the record when the game is over.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass

from runtime.model import RulesetSpec

#: How an action is written of which only the digest is shown.
SEALED = "sealed "
_KEY = re.compile(
    r"grognard key: 1\ncommitment: ([0-9a-f]{64})\nseed: ([0-9]{1,39})\nnonce: (\S+)\n?\Z"
)


def conceals(spec: RulesetSpec) -> bool:
    """Whether games of a ruleset have secrets: piles, fields or choices that not all see."""
    return bool(spec.closed) or any(d.secret for d in spec.decisions)


def commitment(seed: int, nonce: str) -> str:
    """What can be published before a game so that its seed can be checked afterwards."""
    return hashlib.sha256(f"{seed}:{nonce}".encode()).hexdigest()


def seal(place: int, text: str, nonce: str) -> str:
    """What stands for the entry *text* at *place* while the nonce is secret: 16 hex digits."""
    return hashlib.sha256(f"{place}:{text}:{nonce}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Key:
    """What opens a sealed record."""

    seed: int
    nonce: str

    @classmethod
    def new(cls, seed: int) -> Key:
        """A key with a nonce that nobody can guess."""
        return cls(seed, secrets.token_hex(16))

    @property
    def commitment(self) -> str:
        """What the sealed record shows of it."""
        return commitment(self.seed, self.nonce)

    def write(self) -> str:
        """The key as text."""
        lines = (f"commitment: {self.commitment}", f"seed: {self.seed}", f"nonce: {self.nonce}")
        return "\n".join(("grognard key: 1", *lines, ""))

    @classmethod
    def parse(cls, text: str) -> Key | None:
        """The key that a text holds; None when it holds none."""
        found = _KEY.match(text.replace("\r\n", "\n"))
        if found is None:
            return None
        made = cls(int(found[2]), found[3])
        return made if made.commitment == found[1] else None
