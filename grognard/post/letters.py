"""Letters: small text files that survive mail programs.

Between two marks stands, in base64, a signature and what is signed: a head of JSON that all may
read, and behind it, encrypted, what the letter says.  Lines may have been wrapped or quoted on the
way; what stands outside the marks is for people alone, and is neither signed nor read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeVar

from runtime.errors import GrognardError
from runtime.words.said import said

FORMAT: Final = 2
_BEGIN, _END = "-----BEGIN GROGNARD LETTER-----", "-----END GROGNARD LETTER-----"
_LETTER = re.compile(
    r"-{3,} ?BEGIN GROGNARD LETTER ?-{3,}(.*?)-{3,} ?END GROGNARD LETTER ?-{3,}", re.DOTALL
)
_OTHER = re.compile(r"[^A-Za-z0-9+/]")
_WIDTH = 64
#: The most bytes of a file with letters, and of a letter; how many letters are looked at.
LARGEST_FILE: Final = 1 << 20
_LARGEST, _MOST_LETTERS = 1 << 18, 50
_SUM, _SIGNATURE = 8, 64
#: The most entries of a list, and characters of a text.
_MOST, _LONGEST = 1_000, 2_000
#: What a letter says is filled up to a multiple of so many bytes, so that its length tells little.
_BLOCK = 1_024
#: What both sides have alike.
SAME: Final = said("both sides need the same rules, scenario and version of Grognard")
_AGAIN = said("ask for it to be sent again, as an attachment")


class LetterError(GrognardError):
    """A letter cannot be taken: what is wrong with it, and what to do."""


@dataclass(frozen=True)
class Head:
    """What everybody may read of a letter.

    *number* counts the letters of a *game*; *before* is the digest of the letter before.  The first
    two bring the *key* by which letters are verified, the one for the *exchange* of what they are
    encrypted with, and the *anchor* of the chain of links.
    """

    game: str
    number: int
    sender: str
    before: str = ""
    rules: list[str] = field(default_factory=list)
    scenario: list[str] = field(default_factory=list)
    key: str = ""
    exchange: str = ""
    anchor: str = ""

    def encoded(self) -> bytes:
        """The head as it is signed."""
        told = {key: value for key, value in asdict(self).items() if value}
        return json.dumps({"format": FORMAT, **told}, sort_keys=True).encode()


@dataclass(frozen=True)
class Content:
    """What a letter says to the other side alone.

    Each letter behind the first shows the next *link*.  *plays* are decisions that could have been
    taken back, *stand* is the hash of the state behind them, and *pending* the decision that ends
    the letter: what comes of it hangs on the links of both sides.
    """

    link: str = ""
    plays: list[str] = field(default_factory=list)
    stand: str = ""
    pending: str = ""

    def encoded(self) -> bytes:
        """What is encrypted."""
        told = {key: value for key, value in asdict(self).items() if value}
        data = json.dumps(told, sort_keys=True).encode()
        return data + b" " * (-len(data) % _BLOCK)

    @staticmethod
    def read(data: bytes) -> Content:
        """What a letter says; LetterError where no letter says that."""
        content = _build_part(Content, _object(data), _fits_content)
        if content.encoded() != data:
            raise malformed()
        return content


Part = TypeVar("Part", Head, Content)


@dataclass(frozen=True)
class Sealed:
    """A letter as it travels: its *head*, what it says as it is *encrypted*, its *signature*."""

    head: Head
    encrypted: bytes
    signature: bytes

    @property
    def body(self) -> bytes:
        """What is signed."""
        return self.head.encoded() + b"\n" + self.encrypted

    @property
    def digest(self) -> str:
        """What the next letter calls it."""
        return hashlib.sha256(self.body).hexdigest()

    def write(self, above: list[str]) -> str:
        """The text of the letter below lines for people."""
        data = self.signature + self.body
        text = base64.b64encode(hashlib.sha256(data).digest()[:_SUM] + data).decode().rstrip("=")
        lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
        return "\n".join([*above, "", _BEGIN, *lines, _END, ""])


def read_letters(text: str) -> list[Sealed]:
    """The letters in a text, in the order of their numbers.  LetterError where there is none, or
    one is damaged.
    """
    found = [_read(match[1]) for match in list(_LETTER.finditer(text))[:_MOST_LETTERS]]
    if not found:
        raise LetterError(
            said("this holds no letter of a game"),
            said("a letter begins with {mark}", mark=_BEGIN),
        )
    return sorted(found, key=lambda sealed: sealed.head.number)


def _read(armour: str) -> Sealed:
    text = _OTHER.sub("", armour)
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        raise _damaged() from None
    again = base64.b64encode(data).decode().rstrip("=")
    total, data = data[:_SUM], data[_SUM:]
    if hashlib.sha256(data).digest()[:_SUM] != total or again != text or len(data) > _LARGEST:
        raise _damaged()
    signature, body = data[:_SIGNATURE], data[_SIGNATURE:]
    encoded, _, encrypted = body.partition(b"\n")
    told = _object(encoded)
    if told.pop("format", None) != FORMAT:
        raise LetterError(said("the letter is of another version of Grognard"), SAME)
    sealed = Sealed(_build_part(Head, told, _fits_head), encrypted, signature)
    if sealed.body != body:
        raise malformed()
    return sealed


def _damaged() -> LetterError:
    return LetterError(said("the letter was damaged on the way"), _AGAIN)


def malformed() -> LetterError:
    """The error for what no command has written."""
    return LetterError(
        said("the letter says what no letter says"),
        said("it was not written by `grognard mail`"),
    )


def _object(data: bytes) -> dict[str, Any]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise malformed() from None
    if not isinstance(told, dict):
        raise malformed()
    return told


def _build_part(kind: type[Part], told: dict[str, Any], fits: Callable[[str, Any], bool]) -> Part:
    """A part of a letter; every value of the kind that it must be."""
    if not all(fits(name, value) for name, value in told.items()):
        raise malformed()
    try:
        return kind(**told)
    except TypeError:
        raise malformed() from None


def _fits_head(name: str, value: Any) -> bool:
    """Whether a head can have this value under this name."""
    match name:
        case "number":
            return type(value) is int and 1 <= value < 1 << 20
        case "rules" | "scenario":
            return _is_text_list(value) and len(value) == 2
    return _is_text_list([value])


def _fits_content(name: str, value: Any) -> bool:
    """Whether a content can have this value under this name."""
    return _is_text_list(value if name == "plays" else [value])


def _is_text_list(value: Any) -> bool:
    """Whether something is a list of texts, and not too large."""
    return (
        isinstance(value, list)
        and len(value) <= _MOST
        and all(isinstance(one, str) and len(one) <= _LONGEST for one in value)
    )
