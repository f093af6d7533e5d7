"""Where the parser stopped, what is around, and what could have stood there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lark import Token, UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.diagnostics import Diagnostic, Label, Subject, quoted
from dsl.language import grammar, next_terminals, spellings
from dsl.source import Source, Span
from runtime.words.said import OR, join_with_sign, join_with_word

#: Brackets, and what closes each: the sign and the terminal.
CLOSERS = {"{": ("}", "RBRACE"), "(": (")", "RPAR"), "[": ("]", "RSQB")}


#: What terminals that are spelt in many ways are called.
FRIENDLY = {
    "NAME": "a name",
    "INT": "a number",
    "MEASURED": "a number with its measure",
    "ROW": "a table row ('| … |')",
    "CITE": "'@rule …'",
    "SHORT": "'§…'",
    "TEXT": "a remark in quotes",
    "SECTION": "'@section …'",
    "PROVENANCE": "'@house' or '@published'",
    "COMPARE": "a comparison",
    "KIND": "what is dropped (a rule, case, procedure, function, quantity, permission, travel, "
    "effect, event, reaction, check, require, enum, member, table, column, matrix, die, deck, "
    "pile, board, piece, fields, field, stage, switch, weight, scope or measure)",
    "$END": "the end of the file",
}

_DECLARATION = next_terminals("")
_STATEMENT = next_terminals("procedure p() {") - {"RBRACE"}
_VALUE = next_terminals("function f(): t =")
_OPERATOR = next_terminals("function f(): t = (a") - {"RPAR"}

# The terminals of a group, those of them that must be there, and what the group is called.
_GROUPS = (
    (_DECLARATION, {"ENUM", "PROCEDURE"}, "a declaration (procedure, rule, table …)"),
    (_STATEMENT, {"LET", "DO"}, "a statement (let, set, do …)"),
    (_VALUE, {"INT", "LPAR", "NAME"}, "a value"),
    (_OPERATOR, {"PLUS", "STAR"}, "an operator"),
    (_OPERATOR, {"DOT", "LSQB"}, "'.' or '['"),
)


def terminals_in_words(terminals: frozenset[str]) -> str:
    """Terminals of the grammar in few words."""
    left = set(terminals)
    groups: list[str] = []
    for members, least, words in _GROUPS:
        if least <= left:
            groups.append(words)
            left -= members
    single = [
        FRIENDLY.get(name)
        or join_with_word(OR, [f"'{word}'" for word in spellings().get(name, (name,))])
        for name in left
    ]
    single.sort(key=lambda words: (words.startswith("'"), words))
    items = [*single[:5], *groups] if len(single) <= 5 else [*single[:4], *groups, "…"]
    if len(items) < 2:
        return items[0] if items else "nothing more"
    listed = join_with_sign(", ", items[:-1])
    return (
        join_with_sign(" ", (listed, "…"))
        if items[-1] == "…"
        else join_with_word(OR, (listed, items[-1]))
    )


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
    def expected_words(self) -> frozenset[str]:
        """The words and signs that could have stood here."""
        return frozenset(word for name in self.accepts for word in spellings().get(name, ()))

    @cached_property
    def stack(self) -> list[Token]:
        """The tokens that are still part of something unfinished."""
        return [value for value in self.parser.parser_state.value_stack if isinstance(value, Token)]

    @cached_property
    def open(self) -> list[Token]:
        """The brackets that are still open, outermost first."""
        brackets: list[Token] = []
        for token in self.stack:
            if str(token) in CLOSERS:
                brackets.append(token)
            elif brackets and str(token) == CLOSERS[str(brackets[-1])][0]:
                brackets.pop()
        return brackets

    @cached_property
    def previous_word(self) -> str:
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
    def is_first_in_line(self) -> bool:
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

    # ------------------------------------------------------------------ places

    def span(self, start: int, length: int) -> Span:
        """A span of *length* characters at *start* of the text."""
        start = min(max(start + self.shift, 0), len(self.source.text))
        return self.source.span(start, min(start + length, len(self.source.text)))

    def token_span(self, token: Token) -> Span:
        """The span of a *token* of the text."""
        return self.span(token.start_pos or 0, len(token))

    # ------------------------------------------------------------------ findings

    def finding(
        self,
        code: str,
        message: str,
        remedy: str,
        start: int | None = None,
        length: int | None = None,
        labels: tuple[Label, ...] = (),
        about: tuple[Subject, ...] = (),
    ) -> Diagnostic:
        """A diagnostic that points at the token found, or at *length* characters from *start*."""
        start = self.at if start is None else start
        span = self.span(start, len(self.found) if length is None else length)
        return Diagnostic(code, message, span, labels=labels, remedy=remedy, about=about)

    def previous_start(self, word: str) -> int:
        """Where *word* begins, which stands before this place."""
        return self.code[: self.at].rstrip().rfind(word)

    def found_text(self) -> str:
        """The token found, in quotes."""
        return quoted(self.found)

    def expected(self) -> str:
        """What could have stood here, in few words."""
        return terminals_in_words(self.accepts)

    def open_label(self, bracket: Token, text: str) -> tuple[Label, ...]:
        """A label at an open bracket."""
        return (Label(self.token_span(bracket), text),)
