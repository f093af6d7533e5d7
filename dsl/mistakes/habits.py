"""What people write from habit, where the parser stops only at the word behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.diagnostics import Diagnostic
from dsl.language import declaration_words, keywords
from dsl.mistakes.place import Place
from dsl.source import Source
from runtime.spelling import nearest

_ASSIGNED = re.compile(r"(?:\.\w+|\[[^\]\n]*\])*[ \t]*[-+*/]?=(?!=)")


def assigned(place: Place) -> bool:
    """Whether a statement begins with a name to which something is assigned."""
    return place.statement and _ASSIGNED.match(place.rest) is not None


def habit(place: Place) -> Diagnostic | None:
    """A word too many, too few, or in another's place."""
    for guess in (
        _reason,
        _bool,
        _parameter,
        _instead_of,
        _roll,
        _if_for_when,
        _put_in,
        _fields_of,
        _called,
        _else_of_a_menu,
        _body_of_a_function,
        _returned,
        _prompt_as_owner,
    ):
        found = guess(place)
        if found is not None:
            return found
    return None


def _line(place: Place) -> str:
    """The line on which the last word stands."""
    code = place.code[: place.at].rstrip()
    return code[code.rfind("\n") + 1 :]


def _at_word(place: Place, word: str, message: str, remedy: str) -> Diagnostic:
    """A finding at the last *word* before the place."""
    at = [m.start() for m in re.finditer(rf"\b{word}\b", place.code[: place.at])][-1]
    return Diagnostic("P101", message, place.span(at, len(word)), remedy=remedy)


def _reason(place: Place) -> Diagnostic | None:
    """A reason behind ``@house`` that is not in quotes."""
    behind = re.search(r"@(?:house|published)(?:[ \t]*|[ \t]+([^\W\d]\w*)[ \t]+)\Z", place.code[: place.at])
    if behind is None or behind[1] in keywords() or not (behind[1] or place.found[:1] in (":", "(")):
        return None
    name = behind[0].split()[0]
    end = place.code.find("\n", place.at)
    line = place.code[behind.start() : end if end >= 0 else None]
    said = line.removeprefix(name).strip(" \t:()'\"").replace('"', "'")
    remedy = f"write '{name} \"{said}\"'" if said else f"write '{name} \"…\"', or '{name}' alone"
    span = place.span(behind.start(), len(line.rstrip()))
    return Diagnostic("P110", f"the reason behind '{name}' is not in quotes", span, remedy=remedy)


def _bool(place: Place) -> Diagnostic | None:
    """``no`` where a field is false."""
    if place.accepts == {"IN"} and re.search(r"[=:(,]\s*no\s+\w+\s*\Z", place.code[: place.at]):
        return _at_word(place, "no", "'no' is not a value", "write 'false'; 'no x in S …' is a condition")
    return None


def _parameter(place: Place) -> Diagnostic | None:
    """A type before the name of a parameter."""
    type_ = place.before
    if "COLON" in place.accepts and type_[:1].isupper() and place.found.isidentifier():
        if re.search(rf"[(,]\s*{type_}\s*\Z", place.code[: place.at]):
            message = "the type of a parameter stands after its name"
            return _at_word(place, type_, message, f"write '{place.found}: {type_}'")
    return None


def _instead_of(place: Place) -> Diagnostic | None:
    if place.before == "of" and re.search(r"\binstead\s+of\s*\Z", place.code[: place.at]):
        return _at_word(place, "of", "unexpected 'of'", f"write 'instead {place.found}'")
    return None


def _roll(place: Place) -> Diagnostic | None:
    """A roll without its die, or as a value."""
    if place.before == "as" and place.accepts == {"AS"} and re.search(r"\broll\b", _line(place)):
        return _at_word(place, "as", "the die is missing before 'as'", "write 'roll n die as r'")
    if place.before == "roll" and re.search(r"=\s*roll\s*\Z", place.code[: place.at]):
        message = "'roll' is a statement and has no value"
        return _at_word(place, "roll", message, "write 'roll n die as r', then use r")
    return None


_FUNCTION = re.compile(r"\bfunction\s+\w+\s*\([^()]*\)[^={}]*\Z")


def _body_of_a_function(place: Place) -> Diagnostic | None:
    """A function with steps, as a procedure has them."""
    if place.found != "{" or not _FUNCTION.search(place.code[: place.at]):
        return None
    remedy = "write 'function name(…): T = e', without braces and 'return'; what takes steps is a procedure"
    return place.at_found("P101", "a function is one expression and has no block", remedy)


def _returned(place: Place) -> Diagnostic | None:
    """``return`` before the value of a function."""
    if not re.search(r"\bfunction\b[^{}]*=\s*return\s*\Z", place.code[: place.at]):
        return None
    remedy = "remove 'return': the value of a function is the expression behind '='"
    return _at_word(place, "return", "unexpected 'return'", remedy)


def _prompt_as_owner(place: Place) -> Diagnostic | None:
    """``prompt.target``, as if a question were a field of something."""
    owner = re.search(r"\bprompt(?:\s*\.\s*\w+)?\s*\Z", place.code[: place.at])
    if place.found != "." or owner is None:
        return None
    remedy = "write 'prompt target' for a question, and 'of target' or 'of duels.duel' for a forecast"
    return _at_word(place, "prompt", "'prompt' is a word of the language and has no fields", remedy)


def _if_for_when(place: Place) -> Diagnostic | None:
    if place.found == "if" and place.declaration and not place.open and not place.first:
        return place.at_found(
            "P101",
            "unexpected 'if'",
            "the condition of a rule is 'when c'; as a value, a conditional is 'if c then a else b'",
        )
    return None


def _put_in(place: Place) -> Diagnostic | None:
    if "ON" in place.accepts and (found := re.search(r"\bput\b.*\b(in|into|to)\b[^}]*\Z", _line(place))):
        return _at_word(place, found[1], f"unexpected '{found[1]}'", "write 'put … on …'")
    return None


def _fields_of(place: Place) -> Diagnostic | None:
    if place.before == "of" and re.search(r"\bextend\s+fields\s+of\s*\Z", place.code[: place.at]):
        return _at_word(place, "of", "unexpected 'of'", f"write 'extend fields {place.found}'")
    return None


def _called(place: Place) -> Diagnostic | None:
    """A field or column with arguments, as if it were called."""
    field = re.search(r"\.\s*(\w+)\Z", place.code[: place.at])
    if place.found != "(" or field is None or not place.after_value:
        return None
    remedy = (
        f"what is kept per member is read with brackets, {field[1]}[…]; a function is written {field[1]}(…)"
    )
    return place.at_found("P101", f"'{field[1]}' stands behind a point and cannot be called", remedy)


def _else_of_a_menu(place: Place) -> Diagnostic | None:
    """An ``else`` behind a menu, as a choice has one."""
    before = place.code[: place.at].rstrip()
    if place.found != "else" or not before.endswith("}"):
        return None
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        depth += (before[at] == "}") - (before[at] == "{")
        if depth == 0:
            head = before[:at]
            if re.match(r"\s*(?:\}\s*)?offer\b", head[max(head.rfind(sign) for sign in "{}\n") + 1 :]):
                remedy = "a menu ends when the side passes, 'pass w': what comes then stands behind it"
                return place.at_found("P101", "a menu has no 'else'", remedy)
            return None
    return None


def beginnings(source: Source, text: str) -> Iterator[Diagnostic]:
    """Names in the first column that are slips of the words that begin declarations.

    Where lists need no commas, a list goes on with the misspelt word of the next declaration.
    """
    depth, at = 0, 0
    for line in text.splitlines(keepends=True):
        code = line.partition("#")[0]
        word = re.match(r"[A-Za-z_]\w*", code)
        if word is not None and depth == 0 and word[0] not in keywords():
            meant = nearest(word[0], declaration_words())
            if meant is not None:
                span = source.span(at, at + len(word[0]))
                yield Diagnostic("P101", f"unexpected '{word[0]}'", span, remedy=f"did you mean '{meant}'?")
        depth += sum(map(code.count, "{([")) - sum(map(code.count, "})]"))
        at += len(line)
