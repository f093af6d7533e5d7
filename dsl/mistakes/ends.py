"""What is missing: at the end of the text, or of a line."""

from __future__ import annotations

import re

from lark import Token

from dsl.diagnostics import Diagnostic, Label
from dsl.language import declaration_words, statement_words
from dsl.mistakes.place import CLOSERS, Place
from dsl.mistakes.words import no_name


def unfinished(place: Place) -> Diagnostic:
    """The text ends although something is missing."""
    if not place.open:
        last = place.code[: place.at].rstrip()
        return Diagnostic(
            "P103",
            "this declaration is not finished",
            place.span(max(len(last) - 1, 0), 1),
            remedy=f"expected {place.expected()}",
        )
    opener = culprit(place)
    closer = CLOSERS[str(opener)][0]
    swallowed = re.search(r"^[^\n|]*\|[^\n]*\|[ \t]*\}[ \t\r]*$", place.code[: place.at], re.MULTILINE)
    what = f"the block opened by this '{opener}'" if str(opener) == "{" else f"this '{opener}'"
    return Diagnostic(
        "P103",
        f"{what} is never closed",
        place.token_span(opener),
        labels=(Label(place.span(max(place.at - 1, 0), 1), f"'{closer}' is missing here or earlier"),),
        remedy="a table row takes its whole line: write '}' on a line of its own"
        if swallowed
        else f"add '{closer}'",
    )


def culprit(place: Place) -> Token:
    """Which of the open brackets was probably forgotten: layout tells."""
    inner = place.open[-1]
    if str(inner) != "{":
        return inner
    openers: list[int] = []
    for match in re.finditer(r"[{}]", place.code[: place.at]):
        if match.group() == "{":
            openers.append(match.start())
        elif openers:
            opener = openers.pop()
            here = place.code[place.code.rfind("\n", 0, match.start()) + 1 : match.start()]
            there = place.code[place.code.rfind("\n", 0, opener) + 1 : opener]
            if not here.strip() and len(here) < len(there) - len(there.lstrip()):
                return Token("LBRACE", "{", start_pos=opener)
    return inner


def incomplete(place: Place) -> Diagnostic | None:
    """A new line begins something else while something is missing on the line before."""
    found = place.found
    if not place.first or place.statement or found in place.words:
        return None
    if found != "}" and found not in statement_words() | declaration_words():
        return None
    if place.before == "}" and "NAME" in place.accepts and found != "}":
        return no_name(place, found, place.at)
    if place.open and str(place.open[-1]) != "{" and CLOSERS[str(place.open[-1])][1] in place.accepts:
        return unfinished(place)
    at = len(place.code[: place.at].rstrip()) - len(place.before)
    return Diagnostic(
        "P101",
        f"something is missing after '{place.before}'",
        place.span(at, len(place.before)),
        remedy=f"expected {place.expected()}",
    )


#: A mark with the reason for it in quotes, which must end on its line.
_REASON = re.compile(r'[ \t]*@\w+[ \t]*(")[^"\n]*$')


def unclosed_text(place: Place) -> Diagnostic | None:
    """The reason of a mark that is not closed on its line."""
    start = place.text.rfind("\n", 0, place.at) + 1
    line = place.text[start:].partition("\n")[0]
    opened = _REASON.match(line)
    if opened is None or start + opened.start(1) > place.at:
        return None
    return Diagnostic(
        "P103",
        "this text is not closed",
        place.span(start + opened.start(1), 1),
        remedy="add '\"' at its end, on the same line; a long reason goes on in a second such mark",
    )
