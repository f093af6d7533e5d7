"""Misspelt words of the language, found by trying: the text is parsed again with what was probably
meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic
from dsl.language import declaration_words, grammar, keywords
from dsl.mistakes.foreign import DECLARATIONS, ELSE_IF, STATEMENTS
from dsl.mistakes.place import Place
from dsl.source import Source
from runtime.spelling import near, nearest
from runtime.words.said import said

#: How many words before the place where the parser stopped are tried, and how many readings of
#: each.
_WORDS, _READINGS = 12, 4


def _stop_offset(text: str) -> int:
    """Where the parser stops in *text*; its length where it does not."""
    try:
        grammar().parse(text)
    except UnexpectedCharacters as error:
        return error.pos_in_stream or 0
    except UnexpectedToken as error:
        if error.token.type != "$END":
            return error.token.start_pos or 0
    except UnexpectedInput:
        return 0
    return len(text)


def misspelt(text: str, code: str, at: int, end: int) -> tuple[int, str, str] | None:
    """Which word is the mistake of a *text* in which the parser stops at a token from *at* to
    *end*.

    Gives the place of the word, the word, and the one that lets the parser go on; *code* is the
    text without its comments.
    """
    best: tuple[int, tuple[int, str, str]] | None = None
    words = [
        match
        for match in re.finditer(r"[A-Za-z_]\w*", code[:end])
        if match.group() not in keywords()
    ]
    for match in reversed(words[-_WORDS:]):
        word = match.group()
        for similar in near(word, keywords(), parts=False)[:_READINGS]:
            changed = text[: match.start()] + similar + text[match.end() :]
            longer = len(similar) - len(word)
            reached = _stop_offset(changed) - longer
            if reached > end - (match.end() <= at) and (best is None or reached > best[0]):
                best = reached, (match.start(), word, similar)
        if best is not None and best[0] >= len(text):
            break
    return best[1] if best is not None else None


_ASSIGNED = re.compile(r"(?:\.\w+|\[[^\]\n]*\])*[ \t]*[-+*/]?=(?!=)")


def slip(place: Place) -> Diagnostic | None:
    """A misspelt word of the language, here or before."""
    assigned = place.statement and _ASSIGNED.match(place.rest) is not None
    if place.found in (*STATEMENTS, *DECLARATIONS, *ELSE_IF) or assigned:
        return None
    misspelling = misspelt(place.text, place.code, place.at, place.at + len(place.found))
    if misspelling is None:
        return None
    at, word, similar = misspelling
    remedy = said("did you mean '{similar}'?", similar=similar)
    return place.finding("P101", said("unexpected '{word}'", word=word), remedy, at, len(word))


def beginnings(source: Source, text: str) -> Iterator[Diagnostic]:
    """Names in the first column that are slips of the words that begin declarations.

    Where lists need no commas, a list goes on with the misspelt word of the next declaration.
    """
    depth, at = 0, 0
    for line in text.splitlines(keepends=True):
        code = line.partition("#")[0]
        word = re.match(r"[A-Za-z_]\w*", code)
        if word is not None and depth == 0 and word[0] not in keywords():
            similar = nearest(word[0], declaration_words())
            if similar is not None:
                span, remedy = (
                    source.span(at, at + len(word[0])),
                    said("did you mean '{similar}'?", similar=similar),
                )
                yield Diagnostic(
                    "P101", said("unexpected '{word}'", word=word[0]), span, remedy=remedy
                )
        depth += sum(map(code.count, "{([")) - sum(map(code.count, "})]"))
        at += len(line)
