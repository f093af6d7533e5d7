"""The TextMate grammar of the language, made of the language's own words.

``python -m editors.textmate`` writes it where the extension for VS Code has it.  A word is one of
the language only where it can be: in the list of an enum, behind a ``.`` or before a ``:``, the
same word is a name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from compiler.check.expressions.services import SERVICES
from dsl.language import (
    declaration_words,
    keywords,
    naming_words,
    reserved_words,
    spellings,
    statement_words,
    value_words,
)

TARGET = Path(__file__).parent / "vscode" / "syntaxes" / "grog.tmLanguage.json"

Pattern = dict[str, Any]

_NAME = r"[A-Za-z_]\w*"
#: A name behind a word that names; where an expression goes on, that word is a name itself.
_NAMED = rf"(?!(?:and|or|is|in|not|of|within)\b){_NAME}"
#: What stands behind a name, and behind no word that has something to follow.
_ENDS = r"(?!\s*(?:[,)\]:]|\.(?!\.)|(?:in|is)\b))"
_DECLARE, _OTHER, _MODIFIER = "storage.type", "keyword.other", "storage.modifier"
#: What names are, by the words that declare them.
DECLARED = {
    "entity.name.type": "ruleset extends enum piece scope measure sides cites",
    "entity.name.function": "function quantity permission procedure travel effect forecast event",
    "entity.name.function.rule": "rule allow deny modify limit suspend reaction check require",
    "variable.other.constant": "switch weight table matrix die deck board pile stage step",
    "variable.other.readwrite": "let each as draw some no every count all first own",
}
_OPERATORS = frozenset(("and", "or", "not", "is", "in", "mod", "otherwise"))
_CONSTANTS = frozenset(("true", "false", "none"))
#: Words of the language only in such company; by themselves they are names.
_PHRASES = {
    _MODIFIER: (
        r"\b(?:on|off|abstract|checkpoint)(?=\s*(?:#|$))",
        r"\babstract(?=\s+extends\b)",
        r"\bremembered(?=\s*[={])",
        r"(?<=\boffer)\s+once\b",
        r"(?<=\bchoose)\s+secretly\b(?=\s+\w+\s+in\b)",
        r"\bwhole(?=\s+(?:clear|across)\b)",
    ),
    _OTHER: (
        r"\bclear\s+of\b",
        r"\bacross(?=\s+\w+\s+to\b)",
        r"\bits\s+own\b",
        r"\bup\s+to\b",
        r"\b(?:halt|end)(?=\s+when\b)",
        r"\bstay(?=\s+(?:when|then)\b)",
        r"\bcarrying(?=\s+\w+\s*:)",
        r"\breplace\s+rows\b",
        r"\bat\s+(?:most|least)\b",
        r"\btimes(?=\s*\{)",
        r"\bveiled(?=\s*(?:[#{}]|$|when\b|else\b))",
        r"(?:^|(?<=\{))\s*columns\b",
        r"\b(?:before|instead|after)(?=\s+\w+\s*(?:\([^)]*\)\s*)?by\b)",
        rf"\bdrop\s+(?:{'|'.join(spellings()['KIND'])})\b",
    ),
}
#: Words that stand in :data:`_PHRASES`, or in the lists of fields, and nowhere else.
IN_PHRASES = frozenset(
    {"off", "abstract", "checkpoint", "open", "top", "hidden", "owner", "remembered", "once"}
    | {"secretly", "whole", "clear", "across", "its", "own", "up", "halt", "end", "stay"}
    | {"carrying", "ahead", "behind", "rows", "times", "veiled", "columns", "before", "instead"}
    | {"after", "never", "always", "last", "assume", "field", "column", "member", "pile"}
    | {"fixed", "setup", "map", "place", "alone", "seen"}
)


def _words(words: Iterable[str]) -> str:
    """A pattern for any of *words*, and no part of a longer one."""
    return rf"\b(?:{'|'.join(sorted(words))})\b"


def _scoped(scopes: Iterable[str]) -> dict[str, Pattern]:
    """What the groups of a pattern are."""
    return {str(at): {"name": f"{one}.grog"} for at, one in enumerate(scopes, 1) if one}


def _match(pattern: str, scope: str = "", *groups: str) -> Pattern:
    """What matches *pattern*: of one *scope*, or its groups of one each."""
    if groups:
        return {"match": pattern, "captures": _scoped((scope, *groups))}
    return {"match": pattern, "name": f"{scope}.grog"}


def _included(*names: str) -> list[Pattern]:
    return [{"include": f"#{name}"} for name in names]


def _common() -> list[Pattern]:
    """Comments, texts, marks."""
    return [
        _match(r"#.*$", "comment.line.number-sign"),
        {
            "begin": r"^\s*(@section)\b",
            "beginCaptures": _scoped(["keyword.control.section"]),
            "end": r"$",
            "name": "markup.heading.grog",
            "patterns": [
                _match(r"#.*$", "comment.line.number-sign"),
                _match(r'"[^"]*"', "entity.name.section"),
                *_included("citations"),
            ],
        },
        *_included("citations"),
        {"begin": '"', "end": r'"|$', "name": "string.quoted.double.grog"},
    ]


def _citations() -> list[Pattern]:
    number = r"[\w.\-]*\w"
    more = rf"(?:[ \t]*,[ \t]*(?:§[ \t]*{number}|(?=[\w.\-]*\d){number}))*"
    identity = r"[A-Za-z][A-Za-z0-9]*-[\w.\-]*\w"
    return [
        _match(rf"§[ \t]*{number}{more}", "constant.other.citation"),
        _match(
            rf"(@rule)\b(?:[ \t]+({identity}(?:[ \t]*,[ \t]*{identity})*))?",
            "storage.type.annotation",
            "constant.other.citation",
        ),
        _match(
            r'(@house|@published)\b[ \t]*("[^"]*")?',
            "storage.type.annotation",
            "string.quoted.double.reason",
        ),
    ]


def _row() -> Pattern:
    """A row of a table, to the end of its line."""
    return {
        "begin": r"\|",
        "beginCaptures": {"0": {"name": "punctuation.separator.cell.grog"}},
        "end": r"$",
        "name": "meta.row.grog",
        "patterns": [
            _match(r"#.*$", "comment.line.number-sign"),
            _match(r"\|", "punctuation.separator.cell"),
            _match(r"(?<![\w-])-?\d+\b", "constant.numeric"),
            _match(r"\b(?:yes|no)\b", "constant.language.boolean"),
            _match(r"(?<=\s)[—–?](?=\s)", "constant.language.none"),
            _match(_NAME, "variable.other.enummember"),
        ],
    }


def _block(begin: str, scopes: Iterable[str], inside: list[Pattern]) -> Pattern:
    """A declaration whose braces hold a list: from its word to the brace that closes it."""
    nested = {"begin": r"\{", "end": r"\}", "patterns": _included("common", "words", "names")}
    braces = {**nested, "patterns": [*_included("common"), nested, *inside]}
    return {
        "begin": begin,
        "beginCaptures": _scoped(scopes),
        "end": r"(?<=\})",
        "patterns": [braces, *_included("common"), *_included("heads", "words", "names")],
    }


def _blocks() -> list[Pattern]:
    """Declarations that hold lists, in which words of the language may be names."""
    begin = r"^\s*(?:(replace|extend)\s+)?\b"
    member = _match(_NAME, "variable.other.enummember")
    setting = _match(
        rf"({_NAME})((?:\s+(?:{_NAME}|\d+))*)(?=\s*;)", "variable.other.property", "constant.other"
    )
    field = [
        _match(
            rf"({_NAME})(?:\s+(per)\s+({_NAME}))?(?=\s*:)",
            "variable.other.property",
            _OTHER,
            "entity.name.type",
        ),
        *_included("typed"),
        _match(_words(spellings()["MODIFIER"]), _MODIFIER),
        _match(r"\b(place)(?:\s+(alone))?\b", _MODIFIER, _MODIFIER),
        _match(rf"\b(lasts)\s+({_NAME})", _OTHER, "variable.other.constant"),
        _match(rf"\b(seen)\s+(by)\s+({_NAME})", _OTHER, _OTHER, "variable.other.property"),
        *_included("words", "names"),
    ]
    return [
        _block(
            rf"{begin}(enum)\s+({_NAME})",
            (_DECLARE, _DECLARE, "entity.name.type"),
            [member],
        ),
        _block(
            rf"{begin}(piece|fields)(?:\s+(of))?\s+({_NAME})",
            (_DECLARE, _DECLARE, _OTHER, "entity.name.type"),
            field,
        ),
        _block(
            rf"{begin}(board)\s+({_NAME})",
            (_DECLARE, _DECLARE, "variable.other.constant"),
            [setting],
        ),
        _block(
            rf"{begin}(die)\s+({_NAME})\s+(of)\s+({_NAME})(?=[^#{{]*\{{)",
            (_DECLARE, _DECLARE, "variable.other.constant", _OTHER, "entity.name.type"),
            [_match(r"\d+", "constant.numeric"), member],
        ),
        {
            "begin": r"\b(assume)\b",
            "beginCaptures": _scoped([_DECLARE]),
            "end": r"$",
            "patterns": [
                _match(r"#.*$", "comment.line.number-sign"),
                _match(r"\b(in|beside)\b", _OTHER),
                _match(
                    rf"(?<=\w)\s+{_words(spellings()['ASSUMED'] + spellings()['BOUND'])}", _OTHER
                ),
                _match(_NAME, "variable.other"),
            ],
        },
    ]


def _declarations() -> list[Pattern]:
    """What declares or names something, with the name."""
    pile = rf"\b(pile)\s+({_NAME})(?:\s+(per)\s+({_NAME}))?\s+({_words(spellings()['VISIBILITY'])})"
    found = [
        _match(pile, _DECLARE, "variable.other.constant", _OTHER, "entity.name.type", _MODIFIER),
        _match(rf"\b(insert)\s+(ahead|behind)\s+({_NAME})", _DECLARE, _OTHER, "variable.other"),
    ]
    declares = declaration_words() | {"pile", "stage", "step"}
    for scope, listed in DECLARED.items():
        words = set(listed.split())
        for kind, some in ((_DECLARE, words & declares), (_OTHER, words - declares)):
            if some:
                found.append(_match(rf"({_words(some)})\s+({_NAMED})", kind, scope))
    return found


def _heads() -> list[Pattern]:
    """Words behind which a name stands, with the name."""
    types = _match(r"\b(of|per|create|for)\s+([A-Z]\w*)", _OTHER, "entity.name.type")
    naming = naming_words() - declaration_words() - IN_PHRASES
    control = naming & statement_words()
    called = rf"\s+({_NAME})(?=\s*\()"
    return [
        types,
        _match(rf"({_words(control)}){called}", "keyword.control", "entity.name.function"),
        _match(rf"({_words(naming - control)}){called}", _OTHER, "entity.name.function"),
        _match(rf"({_words(control)})\s+({_NAMED})", "keyword.control", "variable.other"),
        _match(rf"({_words(naming - control)})\s+({_NAMED})", _OTHER, "variable.other"),
    ]


def _typed() -> list[Pattern]:
    """The type behind a colon."""
    return [
        _match(
            rf":\s*(?:(set|roll)\s+(of)\s+)?((?!{_words(reserved_words())}){_NAME})\s*(\??)(?!\s*\()",
            "support.type",
            _OTHER,
            "entity.name.type",
            "keyword.operator.optional",
        )
    ]


def _keywords() -> list[Pattern]:
    """All words of the language."""
    phrases = [_match(one, scope) for scope, some in _PHRASES.items() for one in some]
    rest = keywords() - IN_PHRASES
    groups = [
        (_CONSTANTS, "constant.language"),
        (_OPERATORS, "keyword.operator.word"),
        (statement_words() | {"else", "then"}, "keyword.control"),
        (declaration_words() | {"columns"}, _DECLARE),
        (value_words(), _OTHER),
        (rest, _OTHER),
    ]
    found: list[Pattern] = []
    for words, scope in groups:
        behind = naming_words() & words & rest
        if behind:
            found.append(_match(rf"{_words(behind)}(?=\s+\w){_ENDS}", scope))
        ends = "" if scope in ("constant.language", "keyword.operator.word") else _ENDS
        found.append(_match(_words((words & rest) - behind) + ends, scope))
        rest -= words
    return [*phrases, *found]


def _names() -> list[Pattern]:
    """What is no word of the language."""
    return [
        _match(r"(\d+)[ \t]+([A-Z][A-Za-z_]*)\b", "constant.numeric", "support.type.measure"),
        _match(r"\b\d+\b", "constant.numeric"),
        _match(rf"{_words(SERVICES)}(?=\s*\()", "support.function"),
        _match(rf"{_NAME}(?=\s*\()", "entity.name.function"),
        _match(r"\b[A-Z]\w*[a-z]\w*\b", "entity.name.type"),
        _match(r"\b[A-Z][A-Z0-9_]*\b", "variable.other.enummember"),
        _match(_NAME, "variable.other"),
        _match(r"<=|>=|<|>|=|\.\.|[-+*/]", "keyword.operator"),
    ]


def grammar() -> dict[str, Any]:
    """The grammar, as vscode-textmate reads it."""
    # in the order in which they are tried
    repository = {
        "citations": _citations(),
        "common": _common(),
        "row": [_row()],
        "blocks": _blocks(),
        # behind '.', before ':': never a word of the language
        "properties": [
            _match(rf"(?<!\.)(\.)\s*({_NAME})", "punctuation.accessor", "variable.other.property"),
            _match(rf"{_NAME}(?=\s*:)", "variable.parameter"),
        ],
        "typed": _typed(),
        "declarations": _declarations(),
        "heads": _heads(),
        "words": _keywords(),
        "names": _names(),
    }
    return {
        "name": "Grognard",
        "scopeName": "source.grog",
        "fileTypes": ["grog"],
        "patterns": _included(*(name for name in repository if name != "citations")),
        "repository": {name: {"patterns": patterns} for name, patterns in repository.items()},
    }


def text() -> str:
    """The file of the grammar."""
    return json.dumps(grammar(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
