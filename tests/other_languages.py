"""What is said of faults, in every language: what the catalogues of findings lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grognard.lexicon.catalogue import ENGLISH, languages
from grognard.lexicon.faults import sayer
from runtime.words.said import ARGUMENT, SaidText

OTHERS = [language for language in languages() if language != ENGLISH]
_WORDS = re.compile(r"[^\W\d_]{2}")


def lacking(*texts: str) -> list[str]:
    """The templates of texts of findings that some language has no words for."""
    return [
        f"{language}: {template}"
        for language in OTHERS
        for text in texts
        for template in templates_of(text)
        if template not in sayer(language).messages and worded(template)
    ]


def templates_of(text: str) -> Iterator[str]:
    """The template of a text, and those of the texts that are put into it."""
    yield text.template if isinstance(text, SaidText) else text
    if isinstance(text, SaidText):
        for value in text.values.values():
            if isinstance(value, SaidText):
                yield from templates_of(value)


def worded(template: str) -> bool:
    """Whether a template has words of its own."""
    return _WORDS.search(ARGUMENT.sub("", template)) is not None
