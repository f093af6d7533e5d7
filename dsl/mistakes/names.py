"""Words of the language used as names or operands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, ReservedName
from dsl.language import keywords, reserved_words
from dsl.mistakes.foreign import CALLS
from dsl.mistakes.place import Place
from runtime.words.said import said

_QUANTIFIERS = frozenset(
    ("some", "no", "every", "count", "all", "first", "sum", "most", "least", "if", "line")
)
#: A quantifier with the name that it ranges over.
_RANGING = re.compile(rf"\b({'|'.join(sorted(_QUANTIFIERS - {'if', 'line'}))})\s+\w+\s*$")
_WORD_OPERANDS = (_QUANTIFIERS | {"reach", "steps"}) - {"if"}


def reserved(place: Place) -> Diagnostic | None:
    """A word of the language used as the name of a value."""
    values = place.parser.parser_state.value_stack
    last = values[-1] if values else None
    if isinstance(last, Token) and last.type == "NAME" and place.after_value and last in keywords():
        return no_name(place, str(last), last.start_pos or 0)
    before, name_alone = place.previous_word, place.accepts == {"NAME"}
    if before in _WORD_OPERANDS and not place.found[:1].isalnum() and (place.value or name_alone):
        return no_name(place, before, place.previous_start(before))
    ranging = _RANGING.search(place.code[: place.at])
    if ranging is not None and _declaration(place.code[: ranging.start()], ranging[1]):
        return no_name(place, ranging[1], ranging.start(1))
    return None


def _declaration(code: str, word: str) -> re.Match[str] | None:
    """Where a word is declared as a name."""
    return re.search(
        rf"\blet\s+({word})\b|[(,]\s*({word})\s*:|\b(?:each|in|choose|draw|as)\s+({word})\b", code
    )


def no_name(place: Place, word: str, at: int) -> Diagnostic:
    """That a word of the language is no name; said where it is declared, if it is in this text."""
    if word == "do":
        remedy = "the result of a procedure is taken with 'let x = do p(…)'"
        return place.finding("P107", "'do' cannot be used in an expression", remedy, at, 2)
    declared = _declaration(place.code[:at], word)
    opened = place.code[at + len(word) :].lstrip(" \t").startswith("(")
    if word in CALLS and opened and declared is None:
        message = said("'{word}' is not called like a function", word=word)
        return place.finding("P101", message, CALLS[word], at, len(word))
    if word == "no" and declared is None:
        return place.finding("P101", "'no' is not a value", FALSE, at, 2)
    kind = "reserved word" if word in reserved_words() else "word of the language"
    message = said("'{word}' is a {kind} and cannot be a name", word=word, kind=kind)
    remedy = "choose another name"
    if declared is None:
        about = (ReservedName(word, declared=False),)
        return place.finding(
            "P107", said("{message} here", message=message), remedy, at, len(word), about=about
        )
    labels = (Label(place.span(at, len(word)), "used here"),)
    start = declared.start(declared.lastindex or 0)
    about = (ReservedName(word, declared=True),)
    return place.finding("P107", message, remedy, start, len(word), labels, about)


#: What is written where 'no' is not meant.
FALSE = "write 'false'; 'no x in S …' is a condition"


def operand(place: Place) -> Diagnostic | None:
    """Two comparisons in a row, or a quantifier as an operand."""
    if not place.after_value:
        return None
    text, before = place.found, place.previous_word
    if before in _QUANTIFIERS and (text.isidentifier() or text == "("):
        remedy = said(
            "write '({before} …)': it reaches as far right as it can and may only end an "
            "expression",
            before=before,
        )
        message = said("'{before} …' needs parentheses here", before=before)
        return place.finding("P101", message, remedy, place.previous_start(before), len(before))
    if text in ("<", "<=", ">", ">=", "is", "in", "not"):
        remedy = "join two of them with 'and', or use 'x in 1 .. 6'"
        return place.finding("P101", "comparisons do not chain", remedy)
    return None


_NAMED = (
    *(n.Piece, n.Function, n.Quantity, n.Permission, n.Switch, n.Matrix, n.Die, n.Pile),
    *(n.Param, n.Carried, n.Let, n.LetDo, n.Roll, n.Draw),
)
_VARYING = (n.Each, n.Choose, n.Ranging, n.Quant, n.Allot, n.Create)


def reserved_names(module: n.Module) -> list[Diagnostic]:
    """A finding for each reserved word that *module* declares as the name of something that values
    are read from: where it is declared, not where it is used.
    """
    remedy = "choose another name"
    return [
        Diagnostic(
            "P107",
            said("'{name}' is a reserved word and cannot be a name", name=name),
            name.span,
            remedy=remedy,
            about=(ReservedName(name.text, declared=True),),
        )
        for name in _declared_names(module)
        if name.text in reserved_words()
    ]


def _declared_names(node: n.Node) -> Iterator[n.Ident]:
    """The names declared in *node* that stand alone, or before parentheses, where they are used."""
    if isinstance(node, n.Sides | n.Measures):
        yield from node.names
    elif isinstance(node, n.EnumDecl):
        yield node.name
    elif isinstance(node, n.Member):
        yield n.Ident(node.text, span=node.span)
    elif isinstance(node, n.Travel):
        yield from (node.here, node.there)
    elif isinstance(node, _NAMED):
        yield node.name
    elif isinstance(node, _VARYING):
        yield node.var
    if isinstance(node, n.Fields | n.Extend) and node.name.text == "Game":
        yield from (f.name for f in node.fields)
    for child in n.children(node):
        yield from _declared_names(child)
