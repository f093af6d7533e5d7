"""Characters and signs that start nothing in the language."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.mistakes.place import Place
from runtime.spelling import code_point, odd

_FOREIGN_SIGNS = {
    "!=": "write 'is not'",
    "!": "write 'not'",
    "&&": "write 'and'",
    "&": "write 'and'",
    "%": "write 'mod'",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write 'is not'",
    "×": "write '*'",
    "÷": "write '/'",
    "−": "write '-'",
    "–": "write '-'",
    "—": "write '-', or 'none' (a dash stands for none only in a table)",
    "…": "a range is written '1 .. 6'",
    "‥": "a range is written '1 .. 6'",
    "¬": "write 'not'",
    "∧": "write 'and'",
    "∨": "write 'or'",
    "→": "the type of a result is written after ':'",
}

_QUOTES = "\"'`„“”‘’«»"


def character(place: Place) -> Diagnostic:
    """A character that starts nothing."""
    char = place.text[place.at]
    pair = place.text[place.at : place.at + 2]
    sign = pair if pair in _FOREIGN_SIGNS else char
    if sign in _FOREIGN_SIGNS:
        return Diagnostic(
            "P108",
            f"'{sign}' is not an operator of the language",
            place.span(place.at, len(sign)),
            remedy=_FOREIGN_SIGNS[sign],
        )
    shown = f"'{char}'" if char.isprintable() and not char.isspace() else code_point(char)
    remedy = "remove it"
    length = 1
    message = ""
    if char == "@":
        word = re.match(r"@\w*", place.text[place.at :])
        name = word.group() if word else "@"
        length = len(name)
        message = f"there is no attribute '{name}'"
        remedy = "there are '@rule …', '@section …', '@house' and '@published'"
    elif char in _QUOTES:
        remedy = "texts for players live in the catalogue (texts/*.yaml); names are written without quotes"
    elif char.isspace():
        remedy = "use a plain space"
    elif char.isalpha() and not char.isascii():
        shown = f"'{char}' ({code_point(char)})"
        remedy = "; ".join(part for part in (odd(char), "names are made of a–z, A–Z, 0–9 and '_'") if part)
    message = message or f"the character {shown} is not part of the language"
    return Diagnostic("P102", message, place.span(place.at, length), remedy=remedy)
