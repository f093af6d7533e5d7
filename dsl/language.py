"""The grammar, loaded once, and the words in it."""

from __future__ import annotations

import hashlib
import marshal
import re
import sys
from functools import cache, lru_cache
from importlib import resources

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

from runtime.private_files import cache_folder, checked_content, fetch, keep, with_digest


def _text() -> str:
    return resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")


def load(**options: bool) -> Lark:
    """A new LALR(1) parser of the grammar with further *options* of lark."""
    return Lark(_text(), parser="lalr", propagate_positions=True, **options)


@cache
def grammar(every_token: bool = False) -> Lark:
    """The parser of the language, or one that keeps *every token* in its trees; its tables, slow to
    make, are kept in the cache.
    """
    made_of = hashlib.blake2b(digest_size=16)
    for one in (lark.__version__, sys.version, every_token, _text()):
        made_of.update(f"{one}\0".encode())
    key = made_of.hexdigest()
    path = cache_folder() / "parser" / f"tables-{key}.bin"
    try:
        made_for, tables = marshal.loads(checked_content(fetch(path)))
        if made_for == key:
            return Lark.load(tables)
    except (OSError, ValueError, EOFError, TypeError):
        pass  # none yet, or no use: they are made
    parser = load(keep_all_tokens=every_token, maybe_placeholders=not every_token)
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    keep(path, with_digest(marshal.dumps((key, {"data": data, "memo": memo}))), "tables", 4)
    return parser


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """What terminals with fixed spellings are written like: ``BOUND`` → ``most``, ``least``."""
    words_of: dict[str, tuple[str, ...]] = {}
    for terminal in grammar().terminals:
        value = terminal.pattern.value
        if isinstance(terminal.pattern, PatternStr):
            words_of[terminal.name] = (value,)
        elif words := re.fullmatch(r"(\(?[a-z|]+\)?)\\b(\(\?!.*\))?", value):
            words_of[terminal.name] = tuple(re.findall(r"[a-z]+", words.group(1)))
    return words_of


@cache
def keywords() -> frozenset[str]:
    """The words that the grammar uses itself."""
    return frozenset(word for words in spellings().values() for word in words if word.isalpha())


@lru_cache(maxsize=256)
def next_terminals(before: str) -> frozenset[str]:
    """The terminals that can follow the text *before*."""
    parser = grammar().parse_interactive(before)
    parser.exhaust_lexer()
    terminals: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    return frozenset(terminals)


def _starts(before: str) -> frozenset[str]:
    return frozenset(
        word
        for name in next_terminals(before)
        for word in spellings().get(name, ())
        if word.isalpha()
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
    """The words that expressions can start or go on with: nothing with a value is called so."""
    return value_words() | _starts("function f(): t = (a")


@cache
def naming_words() -> frozenset[str]:
    """The words behind which a name stands, and never a word of the language."""
    words_of = {name: words for name, words in spellings().items() if all(map(str.isalpha, words))}
    named, others = set[str](), set[str]()
    states = grammar().parser.parser.parser.parse_table.states
    for actions in states.values():
        for name, (action, then) in actions.items():
            if action is Shift and name in words_of:
                (others if words_of.keys() & states[then].keys() else named).update(words_of[name])
                if "NAME" not in states[then]:
                    others.update(words_of[name])
    return frozenset(named - others)
