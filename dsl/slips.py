"""Misspelt words of the language, found by trying: the text is parsed again with what was probably meant."""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.language import grammar, keywords
from runtime.spelling import near

#: How many words before the place where the parser stopped are tried, and how many readings of each.
_WORDS, _READINGS = 12, 4


def _stopped(text: str) -> int:
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
    """Which word is the mistake of a *text* in which the parser stops at a token from *at* to *end*.

    Gives the place of the word, the word, and the one that lets the parser go on; *code* is the text without
    its comments.
    """
    best: tuple[int, tuple[int, str, str]] | None = None
    words = [match for match in re.finditer(r"[A-Za-z_]\w*", code[:end]) if match.group() not in keywords()]
    for match in reversed(words[-_WORDS:]):
        word = match.group()
        for meant in near(word, keywords(), parts=False)[:_READINGS]:
            changed = text[: match.start()] + meant + text[match.end() :]
            longer = len(meant) - len(word)
            reached = _stopped(changed) - longer
            if reached > end - (match.end() <= at) and (best is None or reached > best[0]):
                best = reached, (match.start(), word, meant)
        if best is not None and best[0] >= len(text):
            break
    return best[1] if best is not None else None
