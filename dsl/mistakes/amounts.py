"""Numbers that are no whole ones, and weights that are declared in another way."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.mistakes.place import Place
from runtime.words.said import said

_FRACTION = re.compile(r"(?<![\w.,])-?(\d*)[.,](\d+)(?![\w.])")
#: A weight, or the type of a column of weights, up to where the parser stopped.
_WEIGHT = re.compile(r"\bweight[ \t]+(?!in\b)(\w+)[ \t]*(=[^\n]*|[^=\n]*)\Z")
_WEIGHTS = re.compile(r":[ \t]*weight[ \t]+in\b[^\n]*\Z")


def amount(place: Place) -> Diagnostic | None:
    """A number with a fraction, or a weight that is a text."""
    before = place.code[: place.at]
    weight = _WEIGHT.search(before)
    if place.found.startswith('"') and weight is not None and place.previous_word == "=":
        message = "the value of a weight is a number, not a text"
        return place.finding("P101", message, _declared(place, weight))
    for found in _FRACTION.finditer(place.code):
        if not found.start() <= place.at < found.end():
            continue
        if found.start() == place.at and "INT" not in place.accepts:
            return None  # no number could stand here: this may be the ID of a rule
        number, tuned = found[0], weight is not None or _WEIGHTS.search(before) is not None
        if "," in number and not tuned:
            return None
        remedy = "all numbers are whole: multiply before you divide, as in 'n * 3 / 2'"
        if tuned:
            whole = int(re.sub("[.,]", "", number))
            remedy = said(
                "write {whole}, and make every other weight {number} times as "
                "large: what counts is how they compare",
                whole=whole,
                number=10 ** len(found[2]),
            )
        message = said("'{number}' is no whole number", number=number)
        return place.finding("P101", message, remedy, found.start(), len(number))
    return None


def weight(place: Place) -> Diagnostic | None:
    """What stands in the line of a weight and belongs to none."""
    declared = None if place.open else _WEIGHT.search(place.code[: place.at])
    if declared is None or place.is_first_in_line or place.found in ("=", ";"):
        return None
    return place.finding(
        "P101", said("unexpected {shown}", shown=place.found_text()), _declared(place, declared)
    )


def _declared(place: Place, declared: re.Match[str]) -> str:
    """How the weight is declared that begins before this place."""
    line = declared[2] + place.text[place.at :].partition("\n")[0].partition("#")[0]
    number = re.search(r"=[^\n\d-]*(-?\d+)", line) or re.search(r"(-?\b\d+)\b", line)
    written = said(
        "weight {declared} = {number}", declared=declared[1], number=number[1] if number else 3
    )
    return said(
        "a weight is one whole number: '{written}'; behind it bounds may stand: 'in 0 .. 9'",
        written=written,
    )
