"""What people write from habit, where the parser stops only at the word behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic
from dsl.language import keywords
from dsl.mistakes.foreign import CALLS, STATEMENTS
from dsl.mistakes.names import FALSE
from dsl.mistakes.place import Place
from runtime.words.said import said


@dataclass(frozen=True)
class _Habit:
    """*before*: what the text before the place ends with; its first group, where there is one, is
    what the finding points at.  *found* is what stands there, *accepts* a terminal that could, and
    *only*: no other.  Messages name the group ``{word}`` and the token ``{found}``.
    """

    before: str
    message: str
    remedy: str
    found: str = ""
    accepts: str = ""
    only: bool = False


_HABITS = [
    _Habit(r"[=:(,]\s*(no)\s+\w+\s*", "'no' is not a value", FALSE, accepts="IN", only=True),
    _Habit(
        r"[(,]\s*([A-Z]\w*)\s*",
        "the type of a parameter stands after its name",
        "write '{found}: {word}'",
        found=r"[^\W\d]\w*",
        accepts="COLON",
    ),
    _Habit(r"\binstead\s+(of)\s*", "unexpected 'of'", "write 'instead {found}'"),
    _Habit(
        r"\broll\b[^\n]*\b(as)\s*",
        "the die is missing before 'as'",
        "write 'roll n die as r'",
        accepts="AS",
        only=True,
    ),
    _Habit(
        r"=\s*(roll)\s*",
        "'roll' is a statement and has no value",
        "write 'roll n die as r', then use r",
    ),
    _Habit(
        r"\bput\b.*\b(in|into|to)\b[^}\n]*\s*",
        "unexpected '{word}'",
        "write 'put … on …'",
        accepts="ON",
    ),
    _Habit(r"\bextend\s+fields\s+(of)\s*", "unexpected 'of'", "write 'extend fields {found}'"),
    _Habit(
        r"\bfunction\s+\w+\s*\([^()]*\)[^={}]*(=)\s*\{\s*(?:return|let|each|repeat)\s+",
        "a function has an expression behind '=' or steps in a block",
        "remove '=' before the block, or write the expression without braces and 'return'",
    ),
    _Habit(
        r"\bfunction\b[^{}]*=\s*(return)\s*",
        "unexpected 'return'",
        "remove 'return': the value of a function is the expression behind '='",
    ),
    _Habit(
        r"\b(prompt)(?:\s*\.\s*\w+)?\s*",
        "'prompt' is a word of the language and has no fields",
        "write 'prompt target' for a question, and 'of target' or 'of duels.duel' for a forecast",
        found=r"\.",
    ),
    _Habit(r"\brepeat\s+(while|until)\s+", "unexpected '{word}'", STATEMENTS["while"]),
    _Habit(
        r"\b(?:deny|allow|rule)\s+(when)\s+", "this rule has no name", "write 'deny name when …'"
    ),
    _Habit(
        r"\b(quantity|permission)\s+\w+\s*\([^()]*\)[^={}]*",
        "a {word} has rules in a block",
        "write 'quantity q(…): int { rule r = … }', 'permission p(…) allow { deny r when c }', or "
        "a function",
        found="=",
    ),
    _Habit(
        r"[{\n]\s*(function|procedure|quantity|permission)\s+",
        "the declaration '{word} …' is inside a block",
        "close the block with '}' before it; a declaration starts in the first column",
        accepts="COLON",
    ),
    _Habit(
        r"[{\n]\s*(int|bool|[A-Z]\w*)[ \t]+",
        "the type of a field stands after its name",
        "write '{found}: {word}'",
        found=r"[^\W\d]\w*",
        accepts="COLON",
    ),
    _Habit(
        r"\b(\w+)[ \t]+",
        "':' is missing before the type",
        "write '{word}: {found}'",
        found=r"int|bool|Hex|Direction",
        accepts="COLON",
    ),
    _Habit(
        r"\b(\w+)\s*:\s*",
        "the type of '{word}' is missing",
        "write '{word}: int = {found}'",
        found=r"\d+",
        accepts="NAME",
    ),
    _Habit(
        r":\s*\w+\??\s+(per)\s+",
        "'per' stands before the type",
        "write 'x per {found}: int'",
        accepts="COLON",
    ),
    _Habit(
        r":\s*([Ll]ist|[Aa]rray|[Ss]et)\s+of\s+",
        "there is no type '{word}'",
        "write 'set of {found}'",
        accepts="COLON",
    ),
    _Habit(
        r":\s*\w+\s+(or)\s+",
        "unexpected '{word}'",
        "the type of what may be none ends with '?'",
        found="none",
    ),
    _Habit(
        r"\bboard\b[^{}]*\{(?:[^{}]*\W)?(\w+)\s*",
        "a setting of a board has no ':'",
        "write '{word} …;'",
        found=":",
    ),
    _Habit(
        r"\b(remove)\s+\w+\s*",
        "it is not said where this is removed from",
        "a card is taken out with 'remove c from p'; a piece leaves the board with "
        "'set u.hex = none'",
        found=r"\}|let|set|add|take|do|if|each|note|leave",
        accepts="FROM",
    ),
    _Habit(
        r"\b(?:each|choose|some|every|all|no|count|first)\s+([A-Z]\w*)[ \t]+",
        "what is gone through stands behind the name",
        "write '{found} in {word}'",
        found=r"[^\W\d]\w*",
        accepts="IN",
    ),
    _Habit(r"\b(travel)[ \t]+", "unexpected '{word}'", "write 'reach {found}(…)'", accepts="AND"),
    _Habit(r"\bby\s*", "a number has no '+' before it", "remove it", found=r"\+"),
    _Habit(
        r"\bdie\b[^{}]*\{(?:[^{}]*\W)?(\w+)\s*",
        "the weight of '{word}' is missing",
        "write '{word} 1'; without braces each face is once on the die",
        found=r"[,}]|[^\W\d]\w*",
        accepts="INT",
    ),
    _Habit(
        r"\bfunction\b[^{}=]*(\{)\s*",
        "the value of a function with steps is missing",
        "write 'return {found}'",
        found=r"\d+",
    ),
    _Habit(
        r"\b(\d+)",
        "dice have no value before they are rolled",
        "write 'roll {word} {found} as r', then use r",
        found=r"d\d+",
    ),
]


def habit(place: Place) -> Diagnostic | None:
    """A word too many, too few, or in another's place."""
    return (
        _reason(place)
        or next(filter(None, (_habit(place, one) for one in _HABITS)), None)
        or _if_for_when(place)
        or _called(place)
        or _else_of_a_menu(place)
        or called(place)
    )


def called(place: Place) -> Diagnostic | None:
    """A quantifier written like a function of what it goes through."""
    begun = re.search(r"\b([^\W\d]\w*)[ \t]*\([^()]*(\)?)\s*\Z", place.code[: place.at])
    if begun is None or ("FOR" not in place.accepts if begun[2] else place.found != "for"):
        return None
    word = begun[1]
    remedy = CALLS.get({"max": "most", "min": "least"}.get(word, word.casefold()))
    if remedy is None:
        return None
    message = said("'{word}' is not called like a function", word=word)
    return place.finding("P101", message, remedy, begun.start(1), len(word))


def _habit(place: Place, habit: _Habit) -> Diagnostic | None:
    if habit.found and not re.fullmatch(habit.found, place.found):
        return None
    if habit.accepts and habit.accepts not in place.accepts:
        return None
    if habit.only and len(place.accepts) > 1:
        return None
    before = re.search(rf"(?:{habit.before})\Z", place.code[: place.at])
    if before is None:
        return None
    word = before[before.lastindex] if before.lastindex else ""
    message, remedy = (
        said(text, word=word, found=place.found) for text in (habit.message, habit.remedy)
    )
    if not word:
        return place.finding("P101", message, remedy)
    return place.finding("P101", message, remedy, before.start(1), len(word))


def _reason(place: Place) -> Diagnostic | None:
    """A reason behind ``@house`` that is not in quotes."""
    behind = re.search(
        r"@(?:house|published)(?:[ \t]*|[ \t]+([^\W\d]\w*)[ \t]+)\Z", place.code[: place.at]
    )
    if behind is None or behind[1] in keywords():
        return None
    if not behind[1] and place.found[:1] not in (":", "("):
        return None
    name = behind[0].split()[0]
    end = place.code.find("\n", place.at)
    line = place.code[behind.start() : end if end >= 0 else None]
    reason = line.removeprefix(name).strip(" \t:()'\"").replace('"', "'")
    remedy = (
        said("write '{name} \"{reason}\"'", name=name, reason=reason)
        if reason
        else said("write '{name} \"…\"', or '{name}' alone", name=name)
    )
    message = said("the reason behind '{name}' is not in quotes", name=name)
    return place.finding("P110", message, remedy, behind.start(), len(line.rstrip()))


def _if_for_when(place: Place) -> Diagnostic | None:
    if place.found == "unless" and "WHEN" in place.accepts:
        return place.finding("P101", "unexpected 'unless'", "write 'when not (…)'")
    condition = "WHEN" in place.accepts or (place.declaration and not place.open)
    if place.found != "if" or not condition or place.is_first_in_line:
        return None
    remedy = (
        "the condition of a rule is 'when c'; as a value, a conditional is 'if c then a else b'"
    )
    return place.finding("P101", "unexpected 'if'", remedy)


def _called(place: Place) -> Diagnostic | None:
    """A field or column with arguments, as if it were called."""
    field = re.search(r"\.\s*(\w+)\Z", place.code[: place.at])
    if place.found != "(" or field is None or not place.after_value:
        return None
    name = field[1]
    remedy = CALLS.get(name.casefold()) or said(
        "what is kept per member is read with brackets, {name}[…]; a function is written {name}(…)",
        name=name,
    )
    return place.finding(
        "P101", said("'{name}' stands behind a point and cannot be called", name=name), remedy
    )


def _else_of_a_menu(place: Place) -> Diagnostic | None:
    """An ``else`` behind a menu, as a choice has one."""
    before = place.code[: place.at].rstrip()
    if place.found != "else" or not before.endswith("}"):
        return None
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        depth += (before[at] == "}") - (before[at] == "{")
        if depth == 0:
            head = before[max(before.rfind(sign, 0, at) for sign in "{}\n") + 1 : at]
            if not re.match(r"\s*(?:\}\s*)?offer\b", head):
                return None
            remedy = "a menu ends when the side passes, 'pass w': what comes then stands behind it"
            return place.finding("P101", "a menu has no 'else'", remedy)
    return None
