"""What binds a side: the signature of its letters, and a chain of links that decides dice.

The links of a chain are made one from the next by a hash, and are shown in the opposite order: the
anchor that is shown first commits to all of them, and nobody can tell a link from those before it
(Lamport, 1981).
"""

from __future__ import annotations

import hashlib
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from runtime.chance import SEED_BITS

#: How many links a chain has: one for each letter of a side.
LENGTH = 20_000


def new_secret() -> bytes:
    """A secret that nobody can guess, from the operating system."""
    return secrets.token_bytes(32)


def derive_secret(secret: bytes, *place: object) -> bytes:
    """A secret for one purpose, from the one secret of a side."""
    return hashlib.blake2b(repr(place).encode(), key=secret, digest_size=64).digest()


def _hash_link(link: bytes) -> bytes:
    return hashlib.sha256(b"grognard link:" + link).digest()


class Chain:
    """A chain of links; number 0 is its anchor."""

    def __init__(self, secret: bytes) -> None:
        links = [derive_secret(secret, "chain")[:32]]
        for _ in range(LENGTH):
            links.append(_hash_link(links[-1]))
        self._links = links[::-1]

    def link(self, number: int) -> str:
        """The link of this number, in hexadecimal digits."""
        return self._links[number].hex()


def is_next_link(link: str, before: str) -> bool:
    """Whether a link is the one after another."""
    try:
        return len(link) == 64 and _hash_link(bytes.fromhex(link)).hex() == before
    except ValueError:
        return False


def joint_seed(game: str, number: int, own: str, other: str) -> int:
    """The seed of what comes of the decision that ends letter *number*: of the link in that letter,
    and of that in the answer.
    """
    place = f"grognard dice:{game}:{number}:{own}:{other}".encode()
    return int.from_bytes(hashlib.sha256(place).digest()[:16], "big") | 1 << (SEED_BITS - 1)


class Signer:
    """Signs the letters of a side."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(derive_secret(secret, "signature")[:32])

    @property
    def public(self) -> str:
        """The key by which its letters are verified."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, body: bytes) -> bytes:
        """The signature of a letter."""
        return self._key.sign(body)


def is_signed(body: bytes, signature: bytes, key: str) -> bool:
    """Whether a letter was signed with the key that belongs to the public one."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, body)
    except (InvalidSignature, ValueError):
        return False
    return True
