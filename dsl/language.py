"""The grammar, loaded once, and the words in it."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from lark import Lark
from lark.lexer import PatternStr


def load(**options: bool) -> Lark:
    """A new LALR(1) parser of the grammar with further *options* of lark."""
    text = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, **options)


@cache
def grammar() -> Lark:
    """The parser of the language."""
    return load(maybe_placeholders=True)


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """What each terminal with fixed spellings is written like: ``IS`` → ``is``, ``BOUND`` → ``most``,
    ``least``.
    """
    found: dict[str, tuple[str, ...]] = {}
    for terminal in grammar().terminals:
        value = terminal.pattern.value
        if isinstance(terminal.pattern, PatternStr):
            found[terminal.name] = (value,)
        elif words := re.fullmatch(r"(\(?[a-z|]+\)?)\\b(\(\?!.*\))?", value):
            found[terminal.name] = tuple(re.findall(r"[a-z]+", words.group(1)))
    return found


@cache
def keywords() -> frozenset[str]:
    """The words that the grammar uses itself."""
    return frozenset(word for words in spellings().values() for word in words if word.isalpha())


@cache
def accepted(before: str) -> frozenset[str]:
    """The terminals that can follow the text *before*."""
    parser = grammar().parse_interactive(before)
    parser.exhaust_lexer()
    terminals: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    return frozenset(terminals)


def _starts(before: str) -> frozenset[str]:
    return frozenset(
        word for name in accepted(before) for word in spellings().get(name, ()) if word.isalpha()
    )


@cache
def declaration_words() -> frozenset[str]:
    """The words that a declaration can start with."""
    return _starts("")


@cache
def statement_words() -> frozenset[str]:
    """The words that a statement can start with."""
    return _starts("procedure p() {")


@cache
def value_words() -> frozenset[str]:
    """The words that an expression can start with."""
    return _starts("function f(): t =")


@cache
def reserved_words() -> frozenset[str]:
    """The words that an expression can start with or go on with, so that nothing that has a value can be
    called so.
    """
    return value_words() | _starts("function f(): t = (a")
