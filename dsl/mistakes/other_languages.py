"""The ways of writing of other languages."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.language import keywords
from dsl.mistakes.place import Place

# What other languages write, what it is, and what is written here.
FOREIGN_STATEMENTS = {
    "while": "a loop is 'repeat { if … { stop } … }'",
    "for": "a loop over members is 'each x in S { … }'",
    "foreach": "a loop over members is 'each x in S { … }'",
    "loop": "a loop is 'repeat { … }'; 'stop' ends it",
    "break": "a loop is ended with 'stop'",
    "var": "a local is declared with 'let x = …' and changed with 'set x = …'",
    "const": "a local is declared with 'let x = …'",
    "call": "a procedure is run with 'do name(…)'",
    "print": "a line of the log is 'note name(…)'; its words stand in the catalogue",
    "switch": "write 'if … { … } else if … { … }'",
    "end": "a scope is ended with 'expire turn'",
    "ask": "a decision is 'choose x in S by side' or 'offer by side { … }'",
}

FOREIGN_DECLARATIONS = {
    "def": "write 'function' (a value) or 'procedure' (steps)",
    "func": "write 'function' (a value) or 'procedure' (steps)",
    "fn": "write 'function' (a value) or 'procedure' (steps)",
    "proc": "write 'procedure'",
    "class": "write 'piece' (its fields) or 'enum' (its members)",
    "struct": "write 'piece'",
    "type": "write 'enum' (its members) or 'piece' (its fields)",
    "const": "write 'function name(): int = …'",
    "import": "all files of the folder belong together; a base is named by 'ruleset x extends base'",
    "include": "all files of the folder belong together; a base is named by 'ruleset x extends base'",
    "phase": "a stretch of time is a 'scope', a part of a procedure a 'step'",
}

#: What assigns the result of an operator elsewhere, and what is written here.
_ARITHMETIC = {
    "+": "write 'add … to x'",
    "-": "write 'take … from x'",
    "*": "write 'set x = x * …'",
    "/": "write 'set x = x / …'",
}
_COMMENT = "a comment starts with '#'; '/' already rounds down"
_RESULT = "the type of a result is written after ':'"
#: What makes an arrow or a comparison together with '>'.
_ARROWS = {"<": "write 'is not'", "-": _RESULT, "=": _RESULT}


def foreign(place: Place) -> Diagnostic | None:
    """The way of writing of another language."""
    if place.found == "=":
        return _equality(place)
    for guess in (_sign, _half_written, _word):
        found = guess(place)
        if found is not None:
            return found
    return None


def _not_ours(place: Place, start: int, shown: str, remedy: str, length: int = 0) -> Diagnostic:
    """That *shown*, which stands at *start*, is of another language."""
    return Diagnostic(
        "P108",
        f"'{shown}' is not part of the language",
        place.span(start, length or len(shown)),
        remedy=remedy,
    )


def _equality(place: Place) -> Diagnostic | None:
    """``=`` where something is compared."""
    at, rest = place.at, place.rest
    if place.touching == "=":
        return _not_ours(place, at - 1, "==", "'=' gives a value once; equality is written 'is'")
    if rest.startswith("="):
        return _not_ours(place, at, "==", "equality is written 'is'")
    if rest[:1] in ("<", ">"):
        return _not_ours(place, at, f"={rest[0]}", f"write '{rest[0]}='")
    if place.after_value and "IS" in place.accepts:
        return place.at_found("P108", "'=' does not compare", "equality is written 'is'")
    return None


def _sign(place: Place) -> Diagnostic | None:
    """Signs that the language does not have, or not together."""
    found, rest, at, touching = place.found, place.rest, place.at, place.touching
    if found in _ARITHMETIC and rest.startswith("="):
        return _not_ours(place, at, f"{found}=", _ARITHMETIC[found])
    if touching == "/" and found in ("/", "*"):
        return _not_ours(place, at - 1, f"/{found}", _COMMENT)
    if found == "/" and rest.startswith("/"):
        return _not_ours(place, at, "//", _COMMENT, 1)
    if found.startswith("||"):
        return _not_ours(place, at, "||", "write 'or'")
    if found.startswith("|") and place.after_value and not place.first:
        return _not_ours(place, at, "|", "write 'or'")
    if found == ">" and touching in _ARROWS:
        return _not_ours(place, at - 1, f"{touching}>", _ARROWS[touching])
    if found == "-" and rest.startswith(">"):
        return _not_ours(place, at, "->", _ARROWS["-"])
    if found == "?" and place.after_value:
        return _not_ours(place, at, "?", "write 'if c then a else b'")
    return None


def _half_written(place: Place) -> Diagnostic | None:
    """What other languages write with more or fewer words."""
    found = place.found
    if found in ("elif", "elsif", "elseif", "elsf"):
        return _not_ours(place, place.at, found, "write 'else if'")
    if found == ")" and place.before == "(" and place.accepts == {"NAME"}:
        at = place.code[: place.at].rstrip().rfind("(")
        remedy = "write the name alone: parameters are named here only to rename them"
        return Diagnostic(
            "P108", "empty parentheses rename nothing", place.span(at, place.at + 1 - at), remedy=remedy
        )
    if place.before == "return" and (place.first or found == "}") and place.value:
        return Diagnostic(
            "P108",
            "'return' needs a value",
            place.span_before("return"),
            remedy="write 'leave' to end the procedure without a value",
        )
    if found == "is" and place.before == "not":
        return _not_ours(place, place.at, found, "write 'is not'")
    return None


def _word(place: Place) -> Diagnostic | None:
    """A word that begins a statement or a declaration elsewhere."""
    found = place.found
    if place.statement and found.isidentifier():
        if found in FOREIGN_STATEMENTS:
            return _not_ours(place, place.at, found, FOREIGN_STATEMENTS[found])
        return None if found in keywords() else _statement_without_word(place)
    if place.declaration and found in FOREIGN_DECLARATIONS and not place.open:
        return _not_ours(place, place.at, found, FOREIGN_DECLARATIONS[found])
    return None


def _statement_without_word(place: Place) -> Diagnostic | None:
    """A call or an assignment that begins with a name."""
    found = place.found
    if re.match(r"[ \t]*\(", place.rest):
        return place.at_found(
            "P108", f"'{found}(…)' alone is not a statement", f"a procedure is run with 'do {found}(…)'"
        )
    if re.match(r"[\w.\[\] \t]*[-+*/]?=(?!=)", place.rest):
        return place.at_found(
            "P108",
            "this is not how a value is assigned",
            f"write 'set {found}… = …', 'add … to {found}…'; 'let' declares a local",
        )
    return None
