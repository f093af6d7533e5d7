"""What is wrong where the parser stopped: the diagnostic for a syntax error.

The parser says which token it could not use and which it could have.  From these, from the
brackets still open and from the text around, :func:`explain` tells what was probably meant.
"""

from __future__ import annotations

import re

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic, Label
from dsl.language import keywords
from dsl.mistakes.characters import character
from dsl.mistakes.ends import incomplete, unclosed_text, unfinished
from dsl.mistakes.habits import assigned, habit
from dsl.mistakes.other_languages import FOREIGN_DECLARATIONS, FOREIGN_STATEMENTS, foreign
from dsl.mistakes.place import CLOSERS, Place
from dsl.mistakes.positions import conditional, misplaced, order
from dsl.mistakes.words import operand, reserved
from dsl.slips import misspelt
from dsl.source import Source
from runtime.spelling import near


def explain(source: Source, text: str, shift: int, error: UnexpectedInput) -> Diagnostic:
    """The diagnostic for *error*, found in *text*, whose offsets are *shift* short of *source*'s."""
    if isinstance(error, UnexpectedCharacters):
        return character(Place(source, text, shift, error.pos_in_stream or 0, ""))
    assert isinstance(error, UnexpectedToken)
    token = error.token
    if token.type == "$END":
        return unfinished(Place(source, text, shift, token.end_pos or 0, ""))
    return _unexpected(Place(source, text, shift, token.start_pos or 0, str(token).rstrip()), token)


def _slip(place: Place) -> Diagnostic | None:
    """A misspelt word of the language, here or before."""
    if place.found in FOREIGN_STATEMENTS or place.found in FOREIGN_DECLARATIONS or assigned(place):
        return None
    slip = misspelt(place.text, place.code, place.at, place.at + len(place.found))
    if slip is None:
        return None
    at, word, meant = slip
    return Diagnostic(
        "P101", f"unexpected '{word}'", place.span(at, len(word)), remedy=f"did you mean '{meant}'?"
    )


#: What can be wrong with a token, the most certain first.
_GUESSES = (
    unclosed_text,
    habit,
    _slip,
    foreign,
    conditional,
    misplaced,
    incomplete,
    order,
    operand,
    reserved,
)


def _unexpected(place: Place, token: Token) -> Diagnostic:
    """A token that cannot stand where it does."""
    for guess in _GUESSES:
        diagnostic = guess(place)
        if diagnostic is not None:
            return diagnostic
    return _plain(place, token)


def _plain(place: Place, token: Token) -> Diagnostic:
    """Nothing better is known than what could have stood here."""
    found = place.found
    if found == ";":
        return place.at_found(
            "P101", "unexpected ';'", "only the settings of a board end with ';': remove it"
        )
    if found == "," and "MODIFIER" in place.accepts:
        return place.at_found("P101", "unexpected ','", "fields follow each other without ',': remove it")
    if token.type == "ROW":
        return place.at_found("P101", "a table row cannot stand here", f"expected {place.expected()}")
    named = token.type == "NAME" and not re.search(_DECLARED.format(found), place.source.text)
    hint = _near(found, place.words) if named else ""
    labels: tuple[Label, ...] = ()
    if place.open:
        closer = CLOSERS[str(place.open[-1])]
        if str(place.open[-1]) != "{" and closer[1] in place.accepts:
            labels = (Label(place.token_span(place.open[-1]), f"this '{place.open[-1]}' is still open"),)
    if token.type == "NAME" and not hint and _two_words(place):
        hint = f"a name is one word: {place.before}_{found}; otherwise"
    remedy = f"{hint} expected {place.expected()}".strip()
    return Diagnostic(
        "P101", f"unexpected {place.shown()}", place.span(place.at, len(found)), labels=labels, remedy=remedy
    )


def _two_words(place: Place) -> bool:
    """Whether the token found, a name, stands behind another on its line."""
    return place.before.isidentifier() and place.before not in keywords() and not place.first


#: What declares a name, which is then no slip of a word of the language.
_DECLARED = (
    r"\b(?:pile|let|as|enum|piece|function|procedure|quantity|travel|die|deck|scope|switch)\s+{0}\b"
    r"|\b{0}[ \t]*:"
)


def _near(name: str, words: frozenset[str]) -> str:
    """A question for the one of *words* that *name* is a slip of, or nothing."""
    meant = near(name, [word for word in words if word.isalpha()], parts=False)
    return f"did you mean '{meant[0]}'?" if meant else ""
