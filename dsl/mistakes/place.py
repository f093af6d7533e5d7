"""Where the parser stopped, and what is around."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lark import Token, UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.diagnostics import Diagnostic, quoted
from dsl.language import grammar, spellings
from dsl.mistakes.expected import in_words
from dsl.source import Source, Span

#: Brackets, and what closes each: the sign and the terminal.
CLOSERS = {"{": ("}", "RBRACE"), "(": (")", "RPAR"), "[": ("]", "RSQB")}


@dataclass(frozen=True)
class Place:
    """Where the parser stopped: at *at* of *text*, before the token *found*."""

    source: Source
    text: str
    shift: int
    at: int
    found: str

    # ------------------------------------------------------------------ what is around

    @cached_property
    def code(self) -> str:
        """The text with its comments blanked."""
        return re.sub(r"#[^\n]*", lambda match: " " * len(match.group()), self.text)

    @cached_property
    def parser(self) -> InteractiveParser:
        """The parser as it was before it met what it could not use (it may have reduced since)."""
        parser = grammar().parse_interactive(self.text)
        try:
            for token in parser.iter_parse():
                if (token.start_pos or 0) >= self.at:
                    break
        except UnexpectedInput:
            pass
        return parser

    @cached_property
    def accepts(self) -> frozenset[str]:
        """The terminals that could have stood here."""
        accepted: set[str] = self.parser.accepts()  # type: ignore[no-untyped-call]
        return frozenset(accepted)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words and signs that could have stood here."""
        return frozenset(word for name in self.accepts for word in spellings().get(name, ()))

    @cached_property
    def stack(self) -> list[Token]:
        """The tokens that are still part of something unfinished."""
        return [value for value in self.parser.parser_state.value_stack if isinstance(value, Token)]

    @cached_property
    def open(self) -> list[Token]:
        """The brackets that are still open, outermost first."""
        found: list[Token] = []
        for token in self.stack:
            if str(token) in CLOSERS:
                found.append(token)
            elif found and str(token) == CLOSERS[str(found[-1])][0]:
                found.pop()
        return found

    @cached_property
    def before(self) -> str:
        """The word or sign before this place."""
        match = re.search(r"(\w+|\S)\s*$", self.code[: self.at])
        return match.group(1) if match else ""

    @property
    def touching(self) -> str:
        """The character directly before this place."""
        return self.code[self.at - 1 : self.at]

    @cached_property
    def rest(self) -> str:
        """What follows the token found."""
        return self.code[self.at + len(self.found) :]

    @property
    def first(self) -> bool:
        """Whether nothing stands before this place in its line."""
        return not self.code[self.code.rfind("\n", 0, self.at) + 1 : self.at].strip()

    # ------------------------------------------------------------------ what could stand here

    @property
    def statement(self) -> bool:
        """Whether a statement could start here."""
        return "LET" in self.accepts

    @property
    def value(self) -> bool:
        """Whether a value is needed here."""
        return "LPAR" in self.accepts and "INT" in self.accepts

    @property
    def after_value(self) -> bool:
        """Whether a value ends here (an operator could follow)."""
        return "AND" in self.accepts

    @property
    def declaration(self) -> bool:
        """Whether a declaration could start here."""
        return "ENUM" in self.accepts and "PROCEDURE" in self.accepts

    def inside(self, sign: str) -> bool:
        """Whether the innermost open bracket is *sign*."""
        return bool(self.open) and str(self.open[-1]) == sign

    # ------------------------------------------------------------------ places

    def span(self, start: int, length: int) -> Span:
        """A span of *length* characters at *start* of the text."""
        start = min(max(start + self.shift, 0), len(self.source.text))
        return self.source.span(start, min(start + length, len(self.source.text)))

    def token_span(self, token: Token) -> Span:
        """The span of a *token* of the text."""
        return self.span(token.start_pos or 0, len(token))

    def span_before(self, word: str) -> Span:
        """The span of *word*, which stands before this place."""
        return self.span(self.code[: self.at].rstrip().rfind(word), len(word))

    # ------------------------------------------------------------------ findings

    def at_found(self, code: str, message: str, remedy: str) -> Diagnostic:
        """A diagnostic that points at the token found."""
        return Diagnostic(code, message, self.span(self.at, len(self.found)), remedy=remedy)

    def shown(self) -> str:
        """The token found, in quotes."""
        return quoted(self.found)

    def expected(self) -> str:
        """What could have stood here, in few words."""
        return in_words(self.accepts)
