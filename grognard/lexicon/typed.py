"""What people type, read with care."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from runtime.spelling import plain, split_call, words_in

#: More digits than any number has that is of use at a prompt.
_DIGITS = 9

#: What stands between the words of a name.
_BETWEEN = re.compile(r"[\s_,;:()…]+")
#: Compares a typed word with one of a name.
Same: TypeAlias = Callable[[str, str], bool]
#: How the rules ask a travel.
_TRAVEL = re.compile(r"\s*(?:reach|steps|way)\s+(.+?)(?:\s+to\s+(\S+|\w+\s*\(.*\)))?\s*", re.DOTALL)


def name_and_arguments(text: str) -> tuple[str, list[str]]:
    """``name(a, b)``, or one word after another; of a travel also as the rules ask: ``reach name(a,
    b)``, ``steps name(a, b) to h``, where the hex is the last argument.
    """
    asked = _TRAVEL.fullmatch(text)
    inner, target = (asked[1], [asked[2]] if asked[2] else []) if asked is not None else (text, [])
    name, *words = words_in(inner) or [""]
    name, words = split_call(inner) or (name, words)
    return name, words + target


def plain_number(text: str) -> int | None:
    """The number that a text writes in plain digits; None when it writes none, or one that is of no
    use.
    """
    return int(text) if is_number(text) and len(text) <= _DIGITS else None


def is_number(text: str) -> bool:
    """Whether a text is a number in plain digits."""
    return text.isascii() and text.isdecimal()


# ---------------------------------------------------------------------- words of names


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, as names are compared."""
    return tuple(filter(None, _BETWEEN.split(plain(text))))


def begins(typed: str, word: str) -> bool:
    """Whether a word begins as it is typed; a number is not the beginning of another."""
    return word.startswith(typed) and not (
        typed[-1:].isdigit() and word[len(typed) :][:1].isdigit()
    )


def among(typed: Sequence[str], name: Sequence[str], same: Same) -> bool:
    """Whether typed words are among those of a name, in their order."""
    left = iter(name)
    return bool(typed) and all(any(same(word, one) for one in left) for word in typed)


def heads(typed: Sequence[str], name: Sequence[str], same: Same) -> bool:
    """Whether a name begins with typed words."""
    return len(typed) <= len(name) and all(map(same, typed, name))
