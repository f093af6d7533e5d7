"""The program's own words at the table, in the language of the players.

The code has them in English; ``catalogues/<language>.yaml`` says how they read in another language.
A message may have arguments and forms as the texts of rulesets do: ``{count: 1 one card | #
cards}``.  What a catalogue lacks stays English.  Findings, and what is wrong with files and
arguments, are told in English.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runtime.errors import ArgumentError
from runtime.games.wording import wording_for
from runtime.spelling import plain
from runtime.words.said import fill_wording

if TYPE_CHECKING:
    from runtime.games.game import Game
    from runtime.model import RulesetSpec

CATALOGUES: Final = Path(__file__).resolve().parent / "catalogues"
#: The language of the code.
ENGLISH: Final = "en"
#: Words that only connect others: *S.HI2 to D6*, *the 4th at 1107*.
CONNECTING: Final = frozenset(
    {"and", "at", "by", "from", "in", "into", "of", "on", "over", "the", "then", "through", "to"}
    | {"via", "with"}
)
#: Where gettext looks for the language, after LANGUAGE.
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True)
class Words:
    """The words of one language; called with an English message, gives it in this language."""

    language: str = ENGLISH
    messages: Mapping[str, str] = field(default_factory=dict)
    #: what may be typed, without accents: the word of the language → the English one
    typed: Mapping[str, str] = field(default_factory=dict)
    #: the decimal sign, and what stands between a number and the sign for per cent
    comma: str = "."
    gap: str = ""
    #: what may stand between the words of a line without saying anything, without accents
    connecting: frozenset[str] = CONNECTING

    def __call__(self, message: str, **values: object) -> str:
        """A message with its arguments put in."""
        template = self.messages.get(message, message)
        return (
            fill_wording(template, {name: str(value) for name, value in values.items()})
            if values
            else template
        )

    def lines(self, text: str) -> str:
        """A text of several lines, each a message of its own."""
        return "\n".join(self.messages.get(line, line) for line in text.split("\n"))

    def number(self, value: float, digits: int = 0) -> str:
        """A number with some digits behind the decimal sign."""
        return f"{value:.{digits}f}".replace(".", self.comma)

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of one in per cent: *0.25* is *25%*."""
        return f"{self.number(100 * share, digits)}{self.gap}%"

    def understood(self, word: str) -> str:
        """A typed word in small letters; one of the language in English."""
        return self.typed.get(plain(word), word.casefold())


@cache
def words_in(language: str) -> Words:
    """The words of a language; those of English where there is no catalogue."""
    path = CATALOGUES / f"{language}.yaml"
    if language not in languages() or language == ENGLISH:
        return Words(language)
    from runtime.data.reader import as_text, parse  # start-up: PyYAML takes its time

    data: Any = as_text(parse(path.read_text(encoding="utf-8"), path.name)[0])
    typed = {plain(word): english for english, words in data["typed"].items() for word in words}
    numbers = data["numbers"]
    connecting = CONNECTING.union(map(plain, data["connecting"]))
    return Words(language, data["messages"], typed, numbers["comma"], numbers["gap"], connecting)


@cache
def languages() -> tuple[str, ...]:
    """The languages that the program speaks."""
    return tuple(sorted({ENGLISH, *(path.stem for path in CATALOGUES.glob("*.yaml"))}))


def preferred_languages(environ: Mapping[str, str] | None = None) -> list[str]:
    """The languages that the environment asks for, the dearest first: those of GROGNARD_LANGUAGE,
    or as gettext finds them (LANGUAGE, where the locale is not C; LC_ALL, LC_MESSAGES, LANG).
    """
    environ = os.environ if environ is None else environ
    own = environ.get("GROGNARD_LANGUAGE", "")
    if own:
        return _codes(own)
    locale = next((environ[name] for name in _LOCALES if environ.get(name)), "")
    if _codes(locale) in ([], ["c"], ["posix"]):
        return []
    return [*_codes(environ.get("LANGUAGE", "")), *_codes(locale)]


def _codes(text: str) -> list[str]:
    """The languages of a list of locales: ``cs_CZ.UTF-8:en`` are *cs* and *en*."""
    names = (name.replace(".", "_").replace("@", "_").split("_")[0] for name in text.split(":"))
    return [name.casefold() for name in names if name]


def choose_language(given: str | None, known: Collection[str] = ()) -> str:
    """The language to speak: the *given* one, else the first preferred one that the program speaks
    or that is *known* besides; else English.
    """
    if given is not None:
        return next(iter(_codes(given)), given)
    there = {*languages(), *known}
    return next((code for code in preferred_languages() if code in there), ENGLISH)


def chosen_for(locale: str | None) -> str:
    """The language for somebody whose program has a *locale* (``cs-CZ``): the one that
    GROGNARD_LANGUAGE names, else that of the locale, else the one that the environment prefers.
    """
    own = os.environ.get("GROGNARD_LANGUAGE")
    given = None if own or not locale else choose_language(locale.replace("-", "_"))
    return given if given in languages() else choose_language(None) if given is None else ENGLISH


def speak(game: Game, given: str | None) -> None:
    """Give a game the language of :func:`language_of`."""
    game.wording = wording_for(game.spec, game.setup, language_of(game.spec, given))


def language_of(spec: RulesetSpec, given: str | None) -> str:
    """The *given* language, or the one that the environment prefers.  ArgumentError where neither
    program nor ruleset have texts in it.
    """
    language = choose_language(given, spec.texts)
    known = sorted({*languages(), *spec.texts})
    if language not in known:
        raise ArgumentError(
            f"there are no texts in the language '{given}'", f"there is: {', '.join(known)}"
        )
    return language
