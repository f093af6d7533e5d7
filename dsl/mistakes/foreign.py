"""The ways of writing of other languages, and characters that the language has not."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.language import keywords
from dsl.mistakes.place import Place
from runtime.spelling import code_point, odd
from runtime.words.said import join_with_sign, said

_ONE_FOLDER = "all files of the folder belong together; a base is named by 'ruleset x extends base'"
_MOVED = "a piece is moved with 'set u.hex = h'"
_GONE = "a piece leaves the board with 'set u.hex = none'"
_STATE = "what changes during play is a field: 'fields of Game { x: int = 3 }'"
# What other languages write, what it is, and what is written here.
STATEMENTS = {
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
    "outcome": "what forecasts tell is said with 'observe name(…)'",
    "end": "a scope is ended with 'expire turn', the game with 'win by', 'lose by' or 'tie'",
    "continue": "whom a loop passes over its condition says: 'each x in S where c { … }'",
    "pass": "an empty block is '{ }'",
    "unless": "write 'if not (…) { … }'",
    "when": "write 'if c { … }'; what happens as soon as it is so is a 'check'",
    "move": _MOVED,
    "place": _MOVED,
    "eliminate": _GONE,
    "destroy": _GONE,
    "increase": "write 'add … to x'",
    "decrease": "write 'take … from x'",
    "subtract": "write 'take … from x'",
    "deal": "cards are dealt with 'draw c from p' and 'put c on hand[s]'",
    "ask": "a decision is 'choose x in S by side' or 'offer by side { … }'",
}

DECLARATIONS = {
    "def": "write 'function' (a value) or 'procedure' (steps)",
    "func": "write 'function' (a value) or 'procedure' (steps)",
    "fn": "write 'function' (a value) or 'procedure' (steps)",
    "proc": "write 'procedure'",
    "class": "write 'piece' (its fields) or 'enum' (its members)",
    "struct": "write 'piece'",
    "type": "write 'enum' (its members) or 'piece' (its fields)",
    "const": "write 'function name(): int = …'",
    "import": _ONE_FOLDER,
    "include": _ONE_FOLDER,
    "phase": "a stretch of time is a 'scope', a part of a procedure a 'step'",
    "var": _STATE,
    "global": _STATE,
    "field": "write 'fields of Hex { … }'",
    "option": "an optional rule is 'switch fog off'",
    "victory": "write 'check name when c { win by s }'",
}

#: Words for another condition.
ELSE_IF = ("elif", "elsif", "elseif", "elsf")
_EACH = "write 'every x in S has c' for whether it is true of all, 'all x in S where c' for the set"
_SOME = "write 'some x in S where c'"
_SUM = "write 'sum e for x in S'"
_MOST = "write 'most e for x in S'"
_LEAST = "write 'least e for x in S'"
_COUNT = "write 'count x in S where c', or size(S)"
_HOLDS = "write 'x in S'"
_CHANCE = "chance is a step: 'roll n d6 as r', or 'draw x from 1 .. 6'"
_DOWN = "'/' rounds down already"
_UP = "'/' rounds down: write '(n + 1) / 2' to round up"
_COLUMN = "what a table says of a member is read behind a point: 'u.type.move'"
#: Functions and methods of other languages, in small letters, and what is written for them.
CALLS = {
    "abs": "write 'max(x, -x)'",
    "add": "write 'add x to S'; a card is put with 'put c on p'",
    "all": _EACH,
    "and": "write 'a and b'",
    "any": _SOME,
    "append": "write 'add x to S'; a card is put with 'put c on p'",
    "average": "write '(sum e for x in S) / size(S)'",
    "ceil": _UP,
    "contains": _HOLDS,
    "count": _COUNT,
    "countif": _COUNT,
    "every": _EACH,
    "exists": _SOME,
    "filter": "write 'all x in S where c'",
    "find": "write 'first x in S where c'",
    "first": "write 'first x in S where c'",
    "floor": _DOWN,
    "has": _HOLDS,
    "if": "write 'if c then a else b'",
    "iif": "write 'if c then a else b'",
    "includes": _HOLDS,
    "int": _DOWN,
    "isempty": "write 'S is {}'",
    "isinstance": "write 'u in Wagon' to ask for the kind",
    "least": _LEAST,
    "length": "write 'size(S)'",
    "lookup": _COLUMN,
    "most": _MOST,
    "no": "write 'no x in S where c'",
    "not": "write 'not c'",
    "or": "write 'a or b'",
    "push": "write 'add x to S'; a card is put with 'put c on p'",
    "randbetween": _CHANCE,
    "randint": _CHANCE,
    "random": _CHANCE,
    "range": "a range is written '1 .. 6'",
    "roll": _CHANCE,
    "round": _DOWN,
    "rounddown": _DOWN,
    "roundup": _UP,
    "some": _SOME,
    "sum": _SUM,
    "trunc": _DOWN,
    "union": "write 'S + T'",
    "vlookup": _COLUMN,
}
#: Words that stand between two values elsewhere.
_OPERATORS = {
    "between": "write 'n in 1 .. 6'",
    "contains": _HOLDS,
    "equals": "equality is written 'is'",
    "instanceof": "write 'u in Wagon' to ask for the kind",
    "rounded": "'/' rounds down: write '(n + 1) / 2' to round up",
    "than": "write '<' or '>'",
}

_POWER = "there are no powers: write 'n * n'"
_SIGNS = {
    "!=": "write 'is not'",
    "!": "write 'not'",
    "&&": "write 'and'",
    "&": "write 'and'",
    "^": _POWER,
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

_COMMENT = "a comment starts with '#'; '/' already rounds down"
_RESULT = "the type of a result is written after ':'"
#: Signs of two characters whose first, or second, is the token found; how many are pointed at.
_AHEAD = {
    "+=": ("write 'add … to x'", 2),
    "-=": ("write 'take … from x'", 2),
    "*=": ("write 'set x = x * …'", 2),
    "/=": ("write 'set x = x / …'", 2),
    "//": (_COMMENT, 1),
    "/*": (_COMMENT, 2),
    "->": (_RESULT, 2),
}
_BEHIND = {
    "**": _POWER,
    "//": _COMMENT,
    "/*": _COMMENT,
    "<>": "write 'is not'",
    "->": _RESULT,
    "=>": _RESULT,
}


def character(place: Place) -> Diagnostic:
    """A character that starts nothing."""
    char = place.text[place.at]
    pair = place.text[place.at : place.at + 2]
    sign = pair if pair in _SIGNS else char
    if sign in _SIGNS:
        message = said("'{sign}' is not an operator of the language", sign=sign)
        return place.finding("P108", message, _SIGNS[sign], length=len(sign))
    if char == "@":
        word = re.match(r"@\w*", place.text[place.at :])
        name = word.group() if word else "@"
        remedy = "there are '@rule …', '@section …', '@house' and '@published'"
        return place.finding(
            "P102", said("there is no attribute '{name}'", name=name), remedy, length=len(name)
        )
    if char == '"' and ("TEXT" in place.accepts or place.previous_word == "section"):
        remedy = "add '\"' at its end, on the same line"
        return place.finding("P103", "this text is not closed", remedy, length=1)
    shown = f"'{char}'" if char.isprintable() and not char.isspace() else code_point(char)
    remedy = "remove it"
    if char in _QUOTES:
        remedy = (
            "texts for players live in the catalogue (texts/*.yaml); "
            "names are written without quotes"
        )
    elif char.isspace():
        remedy = "use a plain space"
    elif char.isalpha() and not char.isascii():
        shown = f"'{char}' ({code_point(char)})"
        remedy = "names are made of a–z, A–Z, 0–9 and '_'"
        remedy = join_with_sign("; ", filter(None, (odd(char), remedy)))
    message = said("the character {shown} is not part of the language", shown=shown)
    return place.finding("P102", message, remedy, length=1)


def foreign(place: Place) -> Diagnostic | None:
    """The way of writing of another language."""
    if place.found == "=":
        return _equality(place)
    return _sign(place) or _half_written(place) or _word(place)


def _not_ours(
    place: Place, shown: str, remedy: str, start: int | None = None, length: int = 0
) -> Diagnostic:
    """That *shown*, which stands here or at *start*, is of another language."""
    message = said("'{shown}' is not part of the language", shown=shown)
    return place.finding("P108", message, remedy, start, length or len(shown))


def _equality(place: Place) -> Diagnostic | None:
    """``=`` where something is compared."""
    follows = place.rest[:1]
    if place.touching == "=":
        remedy = "'=' gives a value once; equality is written 'is'"
        return _not_ours(place, "==", remedy, place.at - 1)
    if follows == "=":
        return _not_ours(place, "==", "equality is written 'is'")
    if follows in ("<", ">"):
        return _not_ours(place, f"={follows}", said("write '{follows}='", follows=follows))
    if place.after_value and "IS" in place.accepts:
        return place.finding("P108", "'=' does not compare", "equality is written 'is'")
    return None


def _sign(place: Place) -> Diagnostic | None:
    """Signs that the language does not have, or not together."""
    text = place.found
    ahead, behind = text + place.rest[:1], place.touching + text
    if ahead in _AHEAD and ahead[1:] == "=":
        return _not_ours(place, ahead, _AHEAD[ahead][0])
    if behind in _BEHIND:
        return _not_ours(place, behind, _BEHIND[behind], place.at - 1)
    if ahead in _AHEAD:
        remedy, length = _AHEAD[ahead]
        return _not_ours(place, ahead, remedy, length=length)
    if text.startswith("||"):
        return _not_ours(place, "||", "write 'or'")
    if text.startswith("|") and place.after_value and not place.is_first_in_line:
        return _not_ours(place, "|", "write 'or'")
    if text == "?" and place.after_value:
        remedy = "write 'if c then a else b'"
        if place.rest[:1] == "?":
            return _not_ours(place, "??", "write 'a otherwise b'")
        if place.rest[:1] == ".":
            return _not_ours(place, "?.", "write '.': what is read of none does no harm")
        return _not_ours(place, "?", remedy)
    if text == "[" and place.value:
        return _not_ours(place, "[", "a set is written with braces: { a, b }")
    if text in _OPERATORS and place.after_value:
        return _not_ours(place, text, _OPERATORS[text])
    return None


def _half_written(place: Place) -> Diagnostic | None:
    """What other languages write with more or fewer words."""
    text = place.found
    if text in ELSE_IF:
        return _not_ours(place, text, "write 'else if'")
    if text == ")" and place.previous_word == "(" and place.accepts == {"NAME"}:
        at = place.previous_start("(")
        remedy = "write the name alone: parameters are named here only to rename them"
        message = "empty parentheses rename nothing"
        return place.finding("P108", message, remedy, at, place.at + 1 - at)
    if place.previous_word == "return" and (place.is_first_in_line or text == "}") and place.value:
        remedy = "write 'leave' to end the procedure without a value"
        at = place.previous_start("return")
        return place.finding("P108", "'return' needs a value", remedy, at, len("return"))
    if text == "is" and place.previous_word == "not":
        return _not_ours(place, text, "write 'is not'")
    return None


def _word(place: Place) -> Diagnostic | None:
    """A word that begins a statement or declaration elsewhere; a bare call or assignment."""
    text = place.found
    if place.statement and text.isidentifier():
        if text in STATEMENTS:
            return _not_ours(place, text, STATEMENTS[text])
        if text in keywords():
            return None
        if re.match(r"[ \t]*\(", place.rest):
            remedy = said("a procedure is run with 'do {text}(…)'", text=text)
            return place.finding(
                "P108", said("'{text}(…)' alone is not a statement", text=text), remedy
            )
        if method := re.match(r"(?:\[[^\]\n]*\])?\.[ \t]*(\w+)[ \t]*\(", place.rest):
            name = method[1]
            known = CALLS.get(name.casefold()) or said(
                "a procedure is run with 'do {text}(…)'", text=name
            )
            return place.finding("P108", "there are no methods", known)
        if re.match(r"[\w.\[\] \t]*(?:[-+*/]?=(?!=)|\+\+|--)", place.rest):
            remedy = said(
                "write 'set {text}… = …', 'add … to {text}…'; 'let' declares a local", text=text
            )
            return place.finding("P108", "this is not how a value is assigned", remedy)
    elif place.declaration and text in DECLARATIONS and not place.open:
        return _not_ours(place, text, DECLARATIONS[text])
    return None
