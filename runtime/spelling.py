"""What was probably meant by a word that is not known, and characters that are not what they look
like.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from runtime.words.said import join_with_sign, said

# Costs of a difference between two words; a slip of the fingers costs less than another word.
_OTHER, _SWAP, _LINE, _CASE = 10, 8, 4, 1
#: What is said of a word that only begins or ends like another: a last resort.
_PART = 40
#: Words that say the same: who writes one, as it is done elsewhere, means that which is known.
_ALIKE = (
    ("true", "yes", "on", "enabled"),
    ("false", "no", "off", "disabled"),
    ("none", "null", "nil", "nothing", "undefined", "nowhere", "off", "-", "–", "—"),
    ("it", "self", "this"),
    ("int", "integer", "number"),
    ("side", "player"),
    ("size", "len", "length"),
    ("both", "intersection"),
    ("where", "with"),
    ("rows", "height"),
    ("columns", "width"),
)
#: No slip is looked for in words longer than this.
_LONGEST = 200
#: ``name(argument, argument)``
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.DOTALL)


def _cost(character: str) -> int:
    """What one character too many costs."""
    return _LINE if character == "_" else _OTHER


def natural(text: str) -> list[tuple[bool, int, str]]:
    """What sorts names with numbers by these: *2nd* before *10th*."""
    parts = re.findall(r"\d+|\D+", plain(text))
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def difference(a: str, b: str) -> int:
    """How different two words are, in tenths of a character: the least cost of characters put in,
    left out, exchanged and swapped.

    Two neighbours swapped (``adn``) count less than one character; capitals and underscores hardly
    count.
    """
    before: list[int] = []
    last = [0]
    for y in b:
        last.append(last[-1] + _cost(y))
    for i, x in enumerate(a):
        row = [last[0] + _cost(x)]
        for j, y in enumerate(b):
            same = 0 if x == y else _CASE if x.lower() == y.lower() else _OTHER
            best = min(last[j] + same, last[j + 1] + _cost(x), row[j] + _cost(y))
            if i and j and x == b[j - 1] and y == a[i - 1] and x != y:
                best = min(best, before[j - 1] + _SWAP)
            row.append(best)
        before, last = last, row
    return last[-1]


def _letters_apart(a: str, b: str) -> int:
    """How many characters at least one of two words has that the other has not: each costs as much
    as another one.
    """
    ours, theirs = _letters(a), _letters(b)
    return max((ours - theirs).total(), (theirs - ours).total())


@lru_cache(maxsize=1 << 12)
def _letters(word: str) -> Counter[str]:
    """How often a word has each character, but for what hardly counts."""
    return Counter(character.lower() for character in word if character != "_")


def _allowed_distance(length: int) -> int:
    """How different a word of some length may be and still be taken for another."""
    return (
        (1, 1, _SWAP, _OTHER, _OTHER, _OTHER + _LINE, 2 * _OTHER, 2 * _OTHER, 2 * _OTHER)[length]
        if length < 9
        else 3 * _OTHER
    )


@lru_cache(maxsize=1 << 15)
def _slip(word: str, other: str) -> int | None:
    """How different a word is from another that it may be a slip of; None where it is none."""
    longest = max(len(word), len(other))
    limit = _allowed_distance(longest)
    if longest > _LONGEST or abs(len(word) - len(other)) * _LINE > limit:
        return None
    if _OTHER * _letters_apart(word, other) > limit:
        return None
    cost = difference(word, other)
    return cost if cost <= limit else None


def near(word: str, known: Iterable[str], parts: bool = True) -> list[str]:
    """The *known* words that say the same as *word* elsewhere, and those that it may be a slip of;
    with *parts* also those it begins or ends.
    """
    costs: list[tuple[int, bool, str]] = []
    alike = {same for group in _ALIKE if word.casefold() in group for same in group}
    for other in dict.fromkeys(known):
        if other == word or not other:
            continue
        cost = 0 if alike and other.casefold() in alike else _slip(word, other)
        if cost is None:
            short, long = sorted((word.lower(), other.lower()), key=len)
            if not parts or len(short) < 4 or not (long.startswith(short) or long.endswith(short)):
                continue
            cost = _PART + len(long) - len(short)
        costs.append((cost, other[:1] != word[:1], other))
    return [other for _, _, other in sorted(costs)]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The *known* word that *word* is most probably a slip of, if there is one."""
    return next(iter(near(word, known)), None)


#: What no text that is shown may hold, in whatever file: control characters, other ends of lines
#: than that of a file, and what turns the direction of writing round.
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def steering(text: str) -> str:
    """What is said of the first character of *text* that would steer a terminal."""
    sign = STEERING.search(text)
    return (
        said(
            "this contains {code_point}, which would steer the terminal",
            code_point=code_point(sign[0]),
        )
        if sign is not None
        else ""
    )


def unsteering(text: str) -> str:
    """*text* with the code in the place of what would steer a terminal: ``\\x1b``."""
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def code_point(character: str) -> str:
    """The code point and the name of a character: ``U+00A0 NO-BREAK SPACE``."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


#: The categories of characters that cannot be seen.
_UNSEEN = ("Cf", "Zs", "Zl", "Zp", "Cc", "Co", "Cn")
_TWINS = dict(
    zip(
        "аеорсухіјѕԁһАВЕКМНОРСТУХІЈЅοναΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijsdhABEKMHOPCTYXIJSovaABEZHIKMNOPTYX",
        strict=True,
    )
)


def strange(text: str) -> Iterator[tuple[int, str]]:
    """The characters of *text* that cannot be seen or look like Latin letters, by index."""
    for at, character in enumerate(text):
        if character.isascii():
            continue
        if unicodedata.category(character) in _UNSEEN:
            yield at, said("{code_point} cannot be seen", code_point=code_point(character))
        elif character in _TWINS:
            twin = _TWINS[character]
            yield (
                at,
                said(
                    "'{character}' is {code_point} and only looks like '{twin}'",
                    character=character,
                    code_point=code_point(character),
                    twin=twin,
                ),
            )


def invisible_character(text: str) -> str:
    """What is said of the first character of a name that cannot be seen, a blank apart."""
    hidden = (c for c in text if c != " " and unicodedata.category(c) in _UNSEEN)
    return next((said("{code_point} cannot be seen", code_point=code_point(c)) for c in hidden), "")


def plain(text: str) -> str:
    """A text as names are compared: small letters without accents, hyphens like blanks."""
    bare = text
    if not text.isascii():
        bare = "".join(
            c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
        )
    return " ".join(bare.casefold().replace("-", " ").split())


def solid(text: str) -> str:
    """A text as :func:`plain` has it, without blanks: *4 Pz* is typed *4pz*."""
    return plain(text).replace(" ", "")


#: What is longer than any word that a person writes.
_ENDLESS = re.compile(r"(\w{254})\w\w+")


def with_words_cut(text: str) -> str:
    """*text* with the words cut that are too long for anybody to read."""
    return _ENDLESS.sub(r"\1…", text)


def odd(text: str) -> str:
    """What is said of the first strange character of *text*; nothing where there is none."""
    return next((fault for _, fault in strange(text)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``"did you mean 'x'?"`` for the known name nearest to *name*, or an empty string."""
    similar = nearest(name, known)
    question = said("did you mean '{similar}'?", similar=similar) if similar is not None else ""
    return join_with_sign("; ", filter(None, (odd(name), question)))


def split_call(text: str) -> tuple[str, list[str]] | None:
    """The name and the arguments of what is written as a call; None where it is none."""
    match = _CALL.fullmatch(text)
    return None if match is None else (match[1], split_arguments(match[2]))


def split_arguments(text: str) -> list[str]:
    """Arguments between which commas stand; those inside parentheses belong to one."""
    return _parts(text, lambda c: c == ",") if text.strip() else []


def words_in(text: str) -> list[str]:
    """Words between which blanks stand; those inside parentheses belong to one."""
    return [word for word in _parts(text, str.isspace) if word]


def _parts(text: str, between: Callable[[str], bool]) -> list[str]:
    """The parts of *text* *between* which a character stands that is not inside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth <= 0 and between(character):
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
