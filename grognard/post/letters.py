"""Letters: small text files that survive mail programs.

Between two marks stands, in base64, what a letter says: JSON, compressed, behind its signature.
Lines may have been wrapped or quoted on the way; what stands outside the marks is for people alone,
and is neither signed nor read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from runtime.errors import GrognardError

FORMAT: Final = 1
_BEGIN, _END = "-----BEGIN GROGNARD LETTER-----", "-----END GROGNARD LETTER-----"
_LETTER = re.compile(
    r"-{3,} ?BEGIN GROGNARD LETTER ?-{3,}(.*?)-{3,} ?END GROGNARD LETTER ?-{3,}", re.DOTALL
)
_OTHER = re.compile(r"[^A-Za-z0-9+/]")
_WIDTH = 64
#: The most bytes of a file with letters, and of what one says; how many letters are looked at.
LARGEST_FILE: Final = 1 << 20
_LARGEST, _MOST_LETTERS = 1 << 18, 50
_SUM, _SIGNATURE = 8, 64
#: The most entries of a list, and characters of a text.
_MOST, _LONGEST = 1_000, 2_000
_AGAIN = "ask for it to be sent again, as an attachment"


class LetterError(GrognardError):
    """A letter cannot be taken: what is wrong with it, and what to do."""


@dataclass(frozen=True)
class Letter:
    """What a letter says.

    *number* counts the letters of a *game*; *before* is the digest of the letter before.  The first
    two bring the *key* by which letters are verified and the *anchor* of the chain of links, of
    which each later one shows the next *link*.  *plays* are decisions that chance has no part in,
    *stand* is the hash of the state behind them, and *pending* one that both sides' links decide.
    """

    game: str
    number: int
    sender: str
    before: str = ""
    rules: list[str] = field(default_factory=list)
    scenario: list[str] = field(default_factory=list)
    key: str = ""
    anchor: str = ""
    link: str = ""
    plays: list[str] = field(default_factory=list)
    stand: str = ""
    pending: str = ""

    def body(self) -> bytes:
        """The letter as it is signed."""
        said = {key: value for key, value in asdict(self).items() if value}
        return json.dumps({"format": FORMAT, **said}, sort_keys=True).encode()


@dataclass(frozen=True)
class Sealed:
    """A letter as it travels: what it says, and the signature of that."""

    letter: Letter
    body: bytes
    signature: bytes

    @property
    def digest(self) -> str:
        """What the next letter calls it."""
        return hashlib.sha256(self.body).hexdigest()

    def write(self, head: list[str]) -> str:
        """The text of the letter below lines for people."""
        data = self.signature + self.body
        packed = zlib.compress(hashlib.sha256(data).digest()[:_SUM] + data, 9)
        text = base64.b64encode(packed).decode().rstrip("=")
        lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
        return "\n".join([*head, "", _BEGIN, *lines, _END, ""])


def read_letters(text: str) -> list[Sealed]:
    """The letters in a text, in the order of their numbers.  LetterError where there is none, or
    one is damaged.
    """
    found = [_read(match[1]) for match in list(_LETTER.finditer(text))[:_MOST_LETTERS]]
    if not found:
        raise LetterError("this holds no letter of a game", f"a letter begins with {_BEGIN}")
    return sorted(found, key=lambda sealed: sealed.letter.number)


def _read(armour: str) -> Sealed:
    text = _OTHER.sub("", armour)
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, _LARGEST)
        if not unpacking.eof or unpacking.unused_data:
            raise zlib.error
    except (binascii.Error, zlib.error):
        raise LetterError("the letter was damaged on the way", _AGAIN) from None
    sum_, data = data[:_SUM], data[_SUM:]
    if hashlib.sha256(data).digest()[:_SUM] != sum_ or len(data) <= _SIGNATURE:
        raise LetterError("the letter was damaged on the way", _AGAIN)
    signature, body = data[:_SIGNATURE], data[_SIGNATURE:]
    return Sealed(_letter(body), body, signature)


def _letter(body: bytes) -> Letter:
    """What the body of a letter says; every value of the kind that it must be."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _strange() from None
    if not isinstance(said, dict):
        raise _strange()
    version = said.pop("format", None)
    if version != FORMAT:
        raise LetterError(
            "the letter is of another version of Grognard", "both sides need the same version"
        )
    for name, value in said.items():
        if not _fits(name, value):
            raise _strange()
    try:
        letter = Letter(**said)
    except TypeError:
        raise _strange() from None
    if letter.body() != body:
        raise _strange()
    return letter


def _strange() -> LetterError:
    return LetterError(
        "the letter says what no letter says", "it was not written by `grognard mail`"
    )


def _fits(name: str, value: Any) -> bool:
    """Whether a letter can have this value under this name."""
    match name:
        case "number":
            return type(value) is int and 1 <= value < 1 << 20
        case "rules" | "scenario":
            return _texts(value) and len(value) == 2
        case "plays":
            return _texts(value)
    return _texts([value])


def _texts(value: Any) -> bool:
    """Whether something is a list of texts, and not too large."""
    return (
        isinstance(value, list)
        and len(value) <= _MOST
        and all(isinstance(one, str) and len(one) <= _LONGEST for one in value)
    )
