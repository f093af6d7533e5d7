"""Findings in the language of the author.

The code has them in English, as templates and what is put into them (:mod:`runtime.words.said`);
``catalogues/findings/<language>.yaml`` says how the templates read in another language.  What a
catalogue lacks stays English.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from grognard.lexicon.catalogue import CATALOGUES, ENGLISH, choose_language, languages
from runtime.errors import ArgumentError
from runtime.words.said import SaidText, fill_wording


@dataclass(frozen=True)
class Sayer:
    """Says in one language what findings say in English."""

    messages: Mapping[str, str] = field(default_factory=dict)
    #: what is put into messages that ask for it as a word, ``{what/nom}``
    words: Mapping[str, str] = field(default_factory=dict)
    language: str = ENGLISH

    def __call__(self, text: str) -> str:
        """A text of a finding."""
        if not isinstance(text, SaidText):
            return self.messages.get(text, text)
        values = {name: self._argument(value) for name, value in text.values.items()}

        def word(name: str, case: str) -> str:
            return self.words.get(str(text.values[name]), values[name])

        return fill_wording(self.messages.get(text.template, text.template), values, word)

    def _argument(self, value: str) -> str:
        """What is put into a template: a text, too, or a name, which stays as it is."""
        return self(value) if isinstance(value, SaidText) or " " in value else value


@cache
def sayer(language: str) -> Sayer:
    """Who speaks a language; English where there is no catalogue."""
    path = CATALOGUES / "findings" / f"{language}.yaml"
    if language == ENGLISH or not path.is_file():
        return Sayer()
    from runtime.data.reader import as_text, parse  # start-up: PyYAML takes its time

    data: Any = as_text(parse(path.read_text(encoding="utf-8"), path.name)[0])
    return Sayer(data["messages"], data["words"], language)


def sayer_for(given: str | None) -> Sayer:
    """Who speaks the *given* language, or the one that the environment prefers.  ArgumentError
    where the program does not speak it.
    """
    language = choose_language(given)
    if given is not None and language not in languages():
        known = ", ".join(languages())
        raise ArgumentError(
            f"there are no findings in the language '{given}'", f"there is: {known}"
        )
    return sayer(language)
