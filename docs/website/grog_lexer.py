"""The colours of ``.grog`` in the site's pages, by the words that the grammar itself uses."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from compiler.check.expressions.services import SERVICES
from dsl.language import declaration_words, keywords

__all__ = ["GrogLexer"]  # by which Pygments finds it

CONSTANTS = ("true", "false", "none", "yes", "no", "it")
TYPES = ("int", "bool", "set", "roll", "Side", "Hex", "Direction", "Game")


class GrogLexer(RegexLexer):
    """Sources of rulesets."""

    name, aliases, filenames = "Grognard", ["grog"], ["*.grog"]
    tokens = {
        "root": [
            (r"\s+", Whitespace),
            (r"#.*$", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"(@rule|@house|@published|@section)\b|§[\w.,-]*(?: *, *\d[\w.]*)*", Name.Decorator),
            (rf"^({'|'.join(sorted(declaration_words()))})\b", Keyword.Declaration),
            (words(TYPES, r"\b", r"\b"), Keyword.Type),
            (words(CONSTANTS, r"\b", r"\b"), Keyword.Constant),
            (words(sorted(SERVICES), r"\b", r"(?=\()"), Name.Builtin),
            (words(sorted(keywords()), r"\b", r"\b"), Keyword),
            (r"(\w+)(\()", bygroups(Name.Function, Punctuation)),
            (r"\d+", Number),
            (r"[A-Za-z_]\w*", Name),
            (r"[{}()\[\],:;.|?]", Punctuation),
            (r"[=<>+*/-]", Operator),
            (r".", Text),
        ]
    }
