"""What is missing at an end, and what stands in another's place."""

from __future__ import annotations

import re

from lark import Token

from dsl.diagnostics import Diagnostic, Label
from dsl.language import declaration_words, statement_words, value_words
from dsl.mistakes.names import no_name
from dsl.mistakes.place import CLOSERS, Place
from runtime.words.said import said

# ------------------------------------------------------------------------- what is missing


def unfinished(place: Place) -> Diagnostic:
    """The text ends although something is missing."""
    if not place.open:
        last = max(len(place.code[: place.at].rstrip()) - 1, 0)
        remedy = said("expected {expected}", expected=place.expected())
        return place.finding("P103", "this declaration is not finished", remedy, last, 1)
    opener = culprit(place)
    sign, closer = str(opener), CLOSERS[str(opener)][0]
    row = r"^[^\n|]*\|[^\n]*\|[ \t]*\}[ \t\r]*$"
    swallowed = re.search(row, place.code[: place.at], re.MULTILINE)
    remedy = said("add '{closer}'", closer=closer)
    if swallowed:
        remedy = "a table row takes its whole line: write '}' on a line of its own"
    what = (
        said("the block opened by this '{sign}'", sign=sign)
        if sign == "{"
        else said("this '{sign}'", sign=sign)
    )
    end = Label(
        place.span(max(place.at - 1, 0), 1),
        said("'{closer}' is missing here or earlier", closer=closer),
    )
    start = opener.start_pos or 0
    return place.finding(
        "P103", said("{what} is never closed", what=what), remedy, start, len(opener), (end,)
    )


def culprit(place: Place) -> Token:
    """Which of the open brackets was probably forgotten: layout tells."""
    inner = place.open[-1]
    if str(inner) != "{":
        return inner
    code = place.code[: place.at]
    openers: list[int] = []
    for match in re.finditer(r"[{}]", code):
        if match.group() == "{":
            openers.append(match.start())
        elif openers:
            opener = openers.pop()
            here = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
            there = code[code.rfind("\n", 0, opener) + 1 : opener]
            if not here.strip() and len(here) < len(there) - len(there.lstrip()):
                return Token("LBRACE", "{", start_pos=opener)
    return inner


def incomplete(place: Place) -> Diagnostic | None:
    """A new line begins something else while something is missing on the line before."""
    text, before = place.found, place.previous_word
    if not place.is_first_in_line or place.statement or text in place.expected_words:
        return None
    if text != "}" and text not in statement_words() | declaration_words():
        return None
    if before == "}" and "NAME" in place.accepts and text != "}":
        return no_name(place, text, place.at)
    inner = str(place.open[-1]) if place.open else "{"
    if inner != "{" and CLOSERS[inner][1] in place.accepts:
        return unfinished(place)
    at = len(place.code[: place.at].rstrip()) - len(before)
    remedy = said("expected {expected}", expected=place.expected())
    return place.finding(
        "P101",
        said("something is missing after '{before}'", before=before),
        remedy,
        at,
        len(before),
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
    remedy = "add '\"' at its end, on the same line; a long reason goes on in a second such mark"
    return place.finding("P103", "this text is not closed", remedy, start + opened.start(1), 1)


# ------------------------------------------------------------------------- what is misplaced

#: Words with one place, and which.
_PLACES = {
    "secretly": "a secret choice is 'choose secretly x in S by side'; a menu cannot be secret",
    "veiled": "a veil stands behind the pass, 'pass w veiled when c', or behind the condition of "
    "a reaction",
}
_STAY_LATE = ("'stay' stands after the step and its cost, before 'halt' and 'end'", "move it up")
#: Which words cannot stand after which, what is said of it and what helps.
_BEFORE = {
    "across": {
        "clear": (
            "the condition before 'across' needs parentheses here",
            "write 'clear of h where (some …) across …': what reaches as far right as it can "
            "would take 'across' for itself",
        )
    },
    "clear": {
        "across": (
            "'clear of' stands before 'across'",
            "write 'line a to b clear of h where … across p to q where …'",
        )
    },
    "stay": {"halt": _STAY_LATE, "end": _STAY_LATE},
    "except": {
        "when": ("'except' stands before the value", "write 'rule r except a = 2 when c'"),
    },
}


def conditional(place: Place) -> Diagnostic | None:
    """``if`` of statements and ``if`` of expressions taken for each other."""
    if place.found == "then" and "LBRACE" in place.accepts:
        message = "a conditional statement has no 'then'"
        return place.finding("P108", message, "write 'if c { … } else { … }'")
    kinds = [token.type for token in place.stack]
    if "THEN" not in kinds or "ELSE" not in place.accepts:
        return None
    then = len(kinds) - 1 - kinds[::-1].index("THEN")
    tests = [token for token in place.stack[:then] if token.type == "IF"]
    if not tests or set(kinds[then + 1 :]) & {"LPAR", "LSQB", "LBRACE"}:
        return None
    labels = place.open_label(tests[-1], "this 'if … then …' needs an 'else'")
    remedy = "as a value, a conditional is 'if c then a else b'"
    return place.finding(
        "P101",
        said("'else' is missing before {shown}", shown=place.found_text()),
        remedy,
        labels=labels,
    )


def misplaced(place: Place) -> Diagnostic | None:
    """A statement outside of a procedure, a declaration inside of a block, a stray brace."""
    text = place.found
    if not place.open and place.declaration:
        if text == "}":
            remedy = "remove it, or look for a '}' too many before it"
            return place.finding("P101", "this '}' closes nothing", remedy)
        if text in statement_words():
            remedy = (
                "put it into the block of a procedure, case, reaction or check; "
                "perhaps a block was closed too early"
            )
            return place.finding(
                "P109", said("the statement '{text}' is outside any procedure", text=text), remedy
            )
        if text == "else":
            remedy = "perhaps a block is closed too early"
            return place.finding("P109", "this 'else' follows no 'if' block", remedy)
    if text in _PLACES:
        return place.finding("P109", said("'{text}' cannot be used here", text=text), _PLACES[text])
    return (
        _inside(place) if place.is_first_in_line and place.open and place.open[-1] == "{" else None
    )


def _inside(place: Place) -> Diagnostic | None:
    """A declaration or its citation in a block."""
    text = place.found
    if text.startswith("@"):
        message = (
            "a citation stands before a declaration, a field, a rule, a step, a menu branch, "
            "a row, a column or a member"
        )
        remedy = "move it before the declaration"
    elif text in declaration_words() - statement_words() and not (
        place.value and text in value_words()
    ):
        message = said("the declaration '{text} …' is inside a block", text=text)
        remedy = "close the block with '}' before it; a declaration starts in the first column"
    else:
        return None
    labels = place.open_label(culprit(place), "this block is still open")
    return place.finding("P109", message, remedy, labels=labels)


def order(place: Place) -> Diagnostic | None:
    """A part that stands in its place, but after one that comes later or takes it for its own."""
    rule = any(token.type == "RULE" for token in place.stack)
    if place.found == "when" and rule and "EQUAL" in place.accepts:
        message = "the value of a rule stands before its condition"
        return place.finding("P101", message, "write 'rule r for q = value when c'")
    behind = {str(token) for token in place.stack} & _BEFORE.get(place.found, {}).keys()
    if not place.after_value or not behind:
        return None
    return place.finding("P101", *_BEFORE[place.found][min(behind)])
