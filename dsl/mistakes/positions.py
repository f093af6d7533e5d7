"""Parts that the language has, at places where they cannot stand."""

from __future__ import annotations

from dsl.diagnostics import Diagnostic, Label
from dsl.language import declaration_words, statement_words, value_words
from dsl.mistakes.ends import culprit
from dsl.mistakes.place import Place

# Words with one place, and which.
_PLACES = {
    "secretly": "a secret choice is 'choose secretly x in S by side'; a menu cannot be secret",
    "veiled": "a veil stands behind the pass, 'pass w veiled when c', or behind the condition of a reaction",
}

# Which words cannot stand after which, what is said of it and what helps.
_STAY_LATE = ("'stay' stands after the step and its cost, before 'halt' and 'end'", "move it up")

_BEFORE = {
    "across": {
        "clear": (
            "the condition before 'across' needs parentheses here",
            "write 'clear of h where (some …) across …': what reaches as far right as it can would take "
            "'across' for itself",
        )
    },
    "clear": {
        "across": (
            "'clear of' stands before 'across'",
            "write 'line a to b clear of h where … across p to q where …'",
        )
    },
    "stay": {"halt": _STAY_LATE, "end": _STAY_LATE},
}


def conditional(place: Place) -> Diagnostic | None:
    """``if`` of statements and ``if`` of expressions taken for each other."""
    if place.found == "then" and "LBRACE" in place.accepts:
        return place.at_found(
            "P108", "a conditional statement has no 'then'", "write 'if c { … } else { … }'"
        )
    kinds = [token.type for token in place.stack]
    if "THEN" not in kinds:
        return None
    then = len(kinds) - 1 - kinds[::-1].index("THEN")
    after = kinds[then + 1 :]
    tests = [token for token in place.stack[:then] if token.type == "IF"]
    if not tests:
        return None
    if "ELSE" in place.accepts and not set(after) & {"LPAR", "LSQB", "LBRACE"}:
        return Diagnostic(
            "P101",
            f"'else' is missing before {place.shown()}",
            place.span(place.at, len(place.found)),
            labels=(Label(place.token_span(tests[-1]), "this 'if … then …' needs an 'else'"),),
            remedy="as a value, a conditional is 'if c then a else b'",
        )
    return None


def misplaced(place: Place) -> Diagnostic | None:
    """A statement outside of a procedure, a declaration inside of a block, a stray brace."""
    if not place.open and place.declaration:
        found = _outside(place)
        if found is not None:
            return found
    if place.found in _PLACES:
        return place.at_found("P109", f"'{place.found}' cannot be used here", _PLACES[place.found])
    return _inside(place) if place.inside("{") and place.first else None


def _outside(place: Place) -> Diagnostic | None:
    """What belongs into a block, between declarations."""
    found = place.found
    if found == "}":
        return place.at_found(
            "P101", "this '}' closes nothing", "remove it, or look for a '}' too many before it"
        )
    if found in statement_words():
        return place.at_found(
            "P109",
            f"the statement '{found}' is outside any procedure",
            "put it into the block of a procedure, case, reaction or check; perhaps a block was closed too "
            "early",
        )
    if found == "else":
        return place.at_found(
            "P109", "this 'else' follows no 'if' block", "perhaps a block is closed too early"
        )
    return None


def _inside(place: Place) -> Diagnostic | None:
    """A declaration or its citation in a block."""
    found = place.found
    if found.startswith("@"):
        message = "a citation stands before a declaration, a field, a rule, a menu branch, a row or a column"
        remedy = "move it before the declaration"
    elif found in declaration_words() - statement_words() and not (place.value and found in value_words()):
        message = f"the declaration '{found} …' is inside a block"
        remedy = "close the block with '}' before it; a declaration starts in the first column"
    else:
        return None
    return Diagnostic(
        "P109",
        message,
        place.span(place.at, len(found)),
        labels=(Label(place.token_span(culprit(place)), "this block is still open"),),
        remedy=remedy,
    )


def order(place: Place) -> Diagnostic | None:
    """A part that stands in its place, but after one that comes later or takes it for its own."""
    if (
        place.found == "when"
        and any(token.type == "RULE" for token in place.stack)
        and "EQUAL" in place.accepts
    ):
        return place.at_found(
            "P101",
            "the value of a rule stands before its condition",
            "write 'rule r for q = value when c'",
        )
    behind = {str(token) for token in place.stack} & _BEFORE.get(place.found, {}).keys()
    if not place.after_value or not behind:
        return None
    message, remedy = _BEFORE[place.found][min(behind)]
    return place.at_found("P101", message, remedy)
