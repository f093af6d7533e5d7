"""What keeps letters, and what lies in a folder, from being read: a key that the two sides agree on
(X25519), and an encryption that shows whether anything was altered (ChaCha20-Poly1305).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from grognard.post.pledges import derive_secret

_KEY: Final = 32
_NONCE: Final = 12


class Cipher:
    """Encrypts with one key."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)

    def seal(self, text: bytes, beside: bytes) -> bytes:
        """A text, encrypted; it can be opened *beside* the same open text alone."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, text, beside)

    def open(self, sealed: bytes, beside: bytes) -> bytes:
        """The text.  ValueError where it, or what it stands beside, was altered."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], beside)
        except (InvalidTag, ValueError):
            raise ValueError("this was altered, or is encrypted with another key") from None


def own_cipher(secret: bytes) -> Cipher:
    """That for what a side keeps for itself."""
    return Cipher(derive_secret(secret, "folder")[:_KEY])


class Agreement:
    """Agrees with the other side on the keys of both."""

    def __init__(self, secret: bytes) -> None:
        self._key = X25519PrivateKey.from_private_bytes(derive_secret(secret, "exchange")[:_KEY])

    @property
    def public(self) -> str:
        """What the other side is given."""
        return self._key.public_key().public_bytes_raw().hex()

    def ciphers(self, other: str, game: str, sides: Sequence[str]) -> dict[str, Cipher]:
        """What each side encrypts with, by its name.  ValueError where *other* is no public key."""
        shared = self._key.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(other)))
        both = ":".join(sorted((self.public, other)))
        return {
            side: Cipher(
                HKDF(
                    SHA256(), _KEY, salt=game.encode(), info=f"grognard {side}:{both}".encode()
                ).derive(shared)
            )
            for side in sides
        }
