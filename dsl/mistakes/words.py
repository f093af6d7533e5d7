"""Words of the language used as names or operands."""

from __future__ import annotations

import re

from lark import Token

from dsl.diagnostics import Diagnostic, Label
from dsl.language import keywords, reserved_words
from dsl.mistakes.place import Place

_QUANTIFIERS = frozenset(
    ("some", "no", "every", "count", "all", "first", "sum", "most", "least", "if", "line")
)

_WORD_OPERANDS = (_QUANTIFIERS | {"reach", "steps"}) - {"if"}


def reserved(place: Place) -> Diagnostic | None:
    """A word of the language used as the name of a value."""
    found, value = place.found, place.parser.parser_state.value_stack
    last = value[-1] if value else None
    if isinstance(last, Token) and last.type == "NAME" and str(last) in keywords() and place.after_value:
        return no_name(place, str(last), last.start_pos or 0)
    if (
        place.before in _WORD_OPERANDS
        and not found[:1].isalnum()
        and place.value | (place.accepts == {"NAME"})
    ):
        return no_name(place, place.before, place.code[: place.at].rstrip().rfind(place.before))
    return None


def no_name(place: Place, word: str, at: int) -> Diagnostic:
    """That a word of the language, used as a name at a place, is none; said where it is declared, if it is
    declared in this text.
    """
    if word == "do":
        remedy = "the result of a procedure is taken with 'let x = do p(…)'"
        return Diagnostic("P107", "'do' cannot be used in an expression", place.span(at, 2), remedy=remedy)
    declared = re.search(
        rf"\blet\s+({word})\b|[(,]\s*({word})\s*:|\b(?:each|in|choose|draw|as)\s+({word})\b",
        place.code[:at],
    )
    if word == "no" and declared is None:
        remedy = "write 'false'; 'no x in S …' is a condition"
        return Diagnostic("P101", "'no' is not a value", place.span(at, 2), remedy=remedy)
    kind = "reserved word" if word in reserved_words() else "word of the language"
    if declared is None:
        return Diagnostic(
            "P107",
            f"'{word}' is a {kind} and cannot be a name here",
            place.span(at, len(word)),
            remedy="choose another name",
        )
    start = declared.start(declared.lastindex or 0)
    message = f"'{word}' is a {kind} and cannot be a name"
    labels = (Label(place.span(at, len(word)), "used here"),)
    return Diagnostic(
        "P107", message, place.span(start, len(word)), labels=labels, remedy="choose another name"
    )


def operand(place: Place) -> Diagnostic | None:
    """Two comparisons in a row, or a quantifier as an operand."""
    if (
        place.before in _QUANTIFIERS
        and (place.found.isidentifier() or place.found == "(")
        and place.after_value
    ):
        return Diagnostic(
            "P101",
            f"'{place.before} …' needs parentheses here",
            place.span_before(place.before),
            remedy=f"write '({place.before} …)': it reaches as far right as it can and may only end an "
            "expression",
        )
    if place.found in ("<", "<=", ">", ">=", "is", "in", "not") and place.after_value:
        return place.at_found(
            "P101", "comparisons do not chain", "join two of them with 'and', or use 'x in 1 .. 6'"
        )
    return None
