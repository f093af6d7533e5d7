"""What is wrong where the parser stopped: the diagnostic for a syntax error.

The parser says which token it could not use and which it could have.  From these, from the
brackets still open and from the text around, :func:`explain` tells what was probably meant.
"""

from __future__ import annotations

import re

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic, Label
from dsl.language import keywords
from dsl.mistakes.amounts import amount, weight
from dsl.mistakes.blocks import (
    conditional,
    incomplete,
    misplaced,
    order,
    unclosed_text,
    unfinished,
)
from dsl.mistakes.foreign import character, foreign
from dsl.mistakes.habits import called, habit
from dsl.mistakes.marks import marks
from dsl.mistakes.names import operand, reserved
from dsl.mistakes.place import CLOSERS, Place
from dsl.mistakes.slips import slip
from dsl.source import Source
from runtime.spelling import near
from runtime.words.said import said

#: What can be wrong with a token, the most certain first.
_GUESSES = (
    unclosed_text,
    amount,
    marks,
    habit,
    slip,
    weight,
    foreign,
    conditional,
    misplaced,
    incomplete,
    order,
    operand,
    reserved,
)
#: What declares a name, which is then no slip of a word of the language.
_DECLARED = (
    r"\b(?:pile|let|as|enum|piece|function|procedure|quantity|travel|die|deck|scope|switch|weight)\s+{0}\b"
    r"|\b{0}[ \t]*:"
)


def explain(source: Source, text: str, shift: int, error: UnexpectedInput) -> Diagnostic:
    """The diagnostic for *error*, found in *text*; offsets in *source* are those plus *shift*."""
    if isinstance(error, UnexpectedCharacters):
        return character(Place(source, text, shift, error.pos_in_stream or 0, ""))
    assert isinstance(error, UnexpectedToken)
    token = error.token
    if token.type == "$END":
        end = Place(source, text, shift, token.end_pos or 0, "")
        return called(end) or unfinished(end)
    place = Place(source, text, shift, token.start_pos or 0, str(token).rstrip())
    for guess in _GUESSES:
        diagnostic = guess(place)
        if diagnostic is not None:
            return diagnostic
    return _plain(place, token)


def _plain(place: Place, token: Token) -> Diagnostic:
    """Nothing better is known than what could have stood here."""
    text, expected = place.found, said("expected {expected}", expected=place.expected())
    if text == ";":
        remedy = "only the settings of a board end with ';': remove it"
        return place.finding("P101", "unexpected ';'", remedy)
    if text == "," and "MODIFIER" in place.accepts:
        remedy = "fields follow each other without ',': remove it"
        return place.finding("P101", "unexpected ','", remedy)
    if token.type == "ROW":
        head = "the columns are named by 'columns a: int, b: bool', before the rows"
        remedy = head if "COLUMNS" in place.accepts else expected
        return place.finding("P101", "a table row cannot stand here", remedy)
    labels: tuple[Label, ...] = ()
    if place.open and (inner := place.open[-1]) != "{" and CLOSERS[inner][1] in place.accepts:
        labels = place.open_label(inner, said("this '{inner}' is still open", inner=inner))
    remedy = expected
    if token.type == "NAME":
        declared = re.search(_DECLARED.format(text), place.source.text)
        words = [word for word in place.expected_words if word.isalpha()]
        similar = [] if declared else near(text, words, parts=False)
        two_words = place.previous_word.isidentifier() and place.previous_word not in keywords()
        if similar:
            remedy = said(
                "did you mean '{similar}'? {expected}", similar=similar[0], expected=expected
            )
        elif two_words and not place.is_first_in_line:
            remedy = said(
                "between two values stands an operator; a name is one word: {before}_{text}"
                if "PLUS" in place.accepts
                else "a name is one word: {before}_{text}; otherwise {expected}",
                before=place.previous_word,
                text=text,
                expected=expected,
            )
    return place.finding(
        "P101", said("unexpected {shown}", shown=place.found_text()), remedy, labels=labels
    )
