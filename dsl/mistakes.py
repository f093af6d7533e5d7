"""What is wrong where the parser stopped: the diagnostic for a syntax error.

The parser says which token it could not use and which it could have.  From these, from the
brackets still open and from the text around, :func:`explain` tells what was probably meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.diagnostics import Diagnostic, Label
from dsl.language import (
    accepted,
    declaration_words,
    grammar,
    keywords,
    reserved_words,
    spellings,
    statement_words,
    value_words,
)
from dsl.slips import misspelt
from dsl.source import Source, Span
from runtime.spelling import code_point, near, odd


def explain(source: Source, text: str, shift: int, error: UnexpectedInput) -> Diagnostic:
    """The diagnostic for *error*, found in *text*, whose offsets are *shift* short of *source*'s."""
    if isinstance(error, UnexpectedCharacters):
        return _Place(source, text, shift, error.pos_in_stream or 0, "").character()
    assert isinstance(error, UnexpectedToken)
    token = error.token
    if token.type == "$END":
        return _Place(source, text, shift, token.end_pos or 0, "").unfinished()
    return _Place(source, text, shift, token.start_pos or 0, str(token).rstrip()).unexpected(token)


# What other languages write, what it is, and what is written here.
_FOREIGN_STATEMENTS = {
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
    "end": "a scope is ended with 'expire turn'",
    "ask": "a decision is 'choose x in S by side' or 'offer by side { … }'",
}
# Words with one place, and which.
_PLACES = {
    "secretly": "a secret choice is 'choose secretly x in S by side'; a menu cannot be secret",
    "veiled": "a veil stands behind the pass, 'pass w veiled when c', or behind the condition of a reaction",
}
_FOREIGN_DECLARATIONS = {
    "def": "write 'function' (a value) or 'procedure' (steps)",
    "func": "write 'function' (a value) or 'procedure' (steps)",
    "fn": "write 'function' (a value) or 'procedure' (steps)",
    "proc": "write 'procedure'",
    "class": "write 'piece' (its fields) or 'enum' (its members)",
    "struct": "write 'piece'",
    "type": "write 'enum' (its members) or 'piece' (its fields)",
    "const": "write 'function name(): int = …'",
    "import": "all files of the folder belong together; a base is named by 'ruleset x extends base'",
    "include": "all files of the folder belong together; a base is named by 'ruleset x extends base'",
    "phase": "a stretch of time is a 'scope', a part of a procedure a 'step'",
}
_FOREIGN_SIGNS = {
    "!=": "write 'is not'",
    "!": "write 'not'",
    "&&": "write 'and'",
    "&": "write 'and'",
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
_QUANTIFIERS = frozenset(
    ("some", "no", "every", "count", "all", "first", "sum", "most", "least", "if", "line")
)
_WORD_OPERANDS = (_QUANTIFIERS | {"reach", "steps"}) - {"if"}
# Which words cannot stand after which, what is said of it and what helps.
_STAY_LATE = ("'stay' stands after the step and its cost, before 'halt' and 'end'", "move it up")
_BEFORE = {
    "across": {
        "clear": (
            "the condition before 'across' needs parentheses here",
            "write 'clear of h where (some …) across …': what reaches as far right as it can would take 'across' for itself",
        )
    },
    "clear": {
        "across": (
            "'clear of' stands before 'across'",
            "write 'line a to b clear of h where … across p to q where …'",
        )
    },
    "stay": {"halt": _STAY_LATE, "end": _STAY_LATE},
}
_CLOSERS = {"{": ("}", "RBRACE"), "(": (")", "RPAR"), "[": ("]", "RSQB")}


@dataclass(frozen=True)
class _Place:
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
            if str(token) in _CLOSERS:
                found.append(token)
            elif found and str(token) == _CLOSERS[str(found[-1])][0]:
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

    def span(self, start: int, length: int) -> Span:
        """A span of *length* characters at *start* of the text."""
        start = min(max(start + self.shift, 0), len(self.source.text))
        return self.source.span(start, min(start + length, len(self.source.text)))

    def token_span(self, token: Token) -> Span:
        """The span of a *token* of the text."""
        return self.span(token.start_pos or 0, len(token))

    # ------------------------------------------------------------------ the end

    def unfinished(self) -> Diagnostic:
        """The text ends although something is missing."""
        if not self.open:
            last = self.code[: self.at].rstrip()
            return Diagnostic(
                "P103",
                "this declaration is not finished",
                self.span(max(len(last) - 1, 0), 1),
                remedy=f"expected {self.expected()}",
            )
        opener = self.culprit()
        closer = _CLOSERS[str(opener)][0]
        swallowed = re.search(r"^[^\n|]*\|[^\n]*\|[ \t]*\}[ \t\r]*$", self.code[: self.at], re.MULTILINE)
        what = f"the block opened by this '{opener}'" if str(opener) == "{" else f"this '{opener}'"
        return Diagnostic(
            "P103",
            f"{what} is never closed",
            self.token_span(opener),
            labels=(
                Label(self.span(max(self.at - 1, 0), 1), f"'{closer}' is missing here or earlier"),
            ),
            remedy="a table row takes its whole line: write '}' on a line of its own"
            if swallowed
            else f"add '{closer}'",
        )

    def culprit(self) -> Token:
        """Which of the open brackets was probably forgotten: layout tells."""
        inner = self.open[-1]
        if str(inner) != "{":
            return inner
        openers: list[int] = []
        for match in re.finditer(r"[{}]", self.code[: self.at]):
            if match.group() == "{":
                openers.append(match.start())
            elif openers:
                opener = openers.pop()
                here = self.code[self.code.rfind("\n", 0, match.start()) + 1 : match.start()]
                there = self.code[self.code.rfind("\n", 0, opener) + 1 : opener]
                if not here.strip() and len(here) < len(there) - len(there.lstrip()):
                    return Token("LBRACE", "{", start_pos=opener)
        return inner

    # ------------------------------------------------------------------ characters

    def character(self) -> Diagnostic:
        """A character that starts nothing."""
        char = self.text[self.at]
        pair = self.text[self.at : self.at + 2]
        sign = pair if pair in _FOREIGN_SIGNS else char
        if sign in _FOREIGN_SIGNS:
            return Diagnostic(
                "P108",
                f"'{sign}' is not an operator of the language",
                self.span(self.at, len(sign)),
                remedy=_FOREIGN_SIGNS[sign],
            )
        shown = f"'{char}'" if char.isprintable() and not char.isspace() else code_point(char)
        remedy = "remove it"
        length = 1
        message = ""
        if char == "@":
            word = re.match(r"@\w*", self.text[self.at :])
            name = word.group() if word else "@"
            length = len(name)
            message = f"there is no attribute '{name}'"
            remedy = "there are '@rule …', '@section …', '@house' and '@published'"
        elif char in _QUOTES:
            remedy = (
                "texts for players live in the catalogue (texts/*.yaml); names are written without quotes"
            )
        elif char.isspace():
            remedy = "use a plain space"
        elif char.isalpha() and not char.isascii():
            shown = f"'{char}' ({code_point(char)})"
            remedy = "; ".join(
                part for part in (odd(char), "names are made of a–z, A–Z, 0–9 and '_'") if part
            )
        message = message or f"the character {shown} is not part of the language"
        return Diagnostic("P102", message, self.span(self.at, length), remedy=remedy)

    # ------------------------------------------------------------------ tokens

    def unexpected(self, token: Token) -> Diagnostic:
        """A token that cannot stand where it does."""
        for guess in (
            self.slip,
            self.foreign,
            self.conditional,
            self.misplaced,
            self.incomplete,
            self.order,
            self.operand,
            self.reserved,
        ):
            diagnostic = guess()
            if diagnostic is not None:
                return diagnostic
        return self.plain(token)

    def slip(self) -> Diagnostic | None:
        """A misspelt word of the language, here or before."""
        if self.found in _FOREIGN_STATEMENTS or self.found in _FOREIGN_DECLARATIONS:
            return None
        slip = misspelt(self.text, self.code, self.at, self.at + len(self.found))
        if slip is None:
            return None
        at, word, meant = slip
        return Diagnostic(
            "P101", f"unexpected '{word}'", self.span(at, len(word)), remedy=f"did you mean '{meant}'?"
        )

    def foreign(self) -> Diagnostic | None:
        """The way of writing of another language."""
        found, rest = self.found, self.rest
        start, length = self.at, len(found)
        what = f"'{found}'"
        remedy = ""
        if found == "=":
            if self.touching == "=":
                start, length, what = start - 1, 2, "'=='"
                remedy = "'=' gives a value once; equality is written 'is'"
            elif rest.startswith("="):
                length, what, remedy = 2, "'=='", "equality is written 'is'"
            elif rest[:1] in ("<", ">"):
                length, what, remedy = 2, f"'={rest[0]}'", f"write '{rest[0]}='"
            elif self.after_value and "IS" in self.accepts:
                return self.at_found("P108", "'=' does not compare", "equality is written 'is'")
        elif found in ("+", "-", "*", "/") and rest.startswith("="):
            length, what = 2, f"'{found}='"
            remedy = {"+": "write 'add … to x'", "-": "write 'take … from x'"}.get(
                found, f"write 'set x = x {found} …'"
            )
        elif (found == "/" and (self.touching == "/" or rest.startswith("/"))) or (
            found == "*" and self.touching == "/"
        ):
            if self.touching == "/":
                start, length = start - 1, 2
            what, remedy = f"'/{found}'", "a comment starts with '#'; '/' already rounds down"
        elif found.startswith("||"):
            length, what, remedy = 2, "'||'", "write 'or'"
        elif found.startswith("|") and self.after_value and not self.first:
            length, what, remedy = 1, "'|'", "write 'or'"
        elif found == ">" and self.touching in ("<", "-", "="):
            start, length, what = start - 1, 2, f"'{self.touching}>'"
            remedy = "write 'is not'" if self.touching == "<" else "the type of a result is written after ':'"
        elif found == "-" and rest.startswith(">"):
            length, what, remedy = 2, "'->'", "the type of a result is written after ':'"
        elif found == "?" and self.after_value:
            remedy = "write 'if c then a else b'"
        elif found in ("elif", "elsif", "elseif", "elsf"):
            remedy = "write 'else if'"
        elif found == ")" and self.before == "(" and self.accepts == {"NAME"}:
            at = self.code[: self.at].rstrip().rfind("(")
            remedy = "write the name alone: parameters are named here only to rename them"
            return Diagnostic(
                "P108", "empty parentheses rename nothing", self.span(at, self.at + 1 - at), remedy=remedy
            )
        elif self.before == "return" and (self.first or found == "}") and self.value:
            at = self.code[: self.at].rstrip().rfind("return")
            return Diagnostic(
                "P108",
                "'return' needs a value",
                self.span(at, 6),
                remedy="write 'leave' to end the procedure without a value",
            )
        elif found == "is" and self.before == "not":
            remedy = "write 'is not'"
        elif self.statement and found.isidentifier():
            what = f"'{found}'"
            if found in _FOREIGN_STATEMENTS:
                remedy = _FOREIGN_STATEMENTS[found]
            elif re.match(r"[ \t]*\(", rest) and found not in keywords():
                return self.at_found(
                    "P108", f"'{found}(…)' alone is not a statement", f"a procedure is run with 'do {found}(…)'"
                )
            elif found not in keywords() and re.match(r"[\w.\[\] \t]*[-+*/]?=(?!=)", rest):
                return self.at_found(
                    "P108",
                    "this is not how a value is assigned",
                    f"write 'set {found}… = …', 'add … to {found}…'; 'let' declares a local",
                )
        elif (
            "PROCEDURE" in self.accepts
            and "ENUM" in self.accepts
            and found in _FOREIGN_DECLARATIONS
            and not self.open
        ):
            remedy = _FOREIGN_DECLARATIONS[found]
        if not remedy:
            return None
        return Diagnostic(
            "P108", f"{what} is not part of the language", self.span(start, length), remedy=remedy
        )

    def conditional(self) -> Diagnostic | None:
        """``if`` of statements and ``if`` of expressions taken for each other."""
        if self.found == "then" and "LBRACE" in self.accepts:
            return self.at_found(
                "P108", "a conditional statement has no 'then'", "write 'if c { … } else { … }'"
            )
        kinds = [token.type for token in self.stack]
        if "THEN" not in kinds:
            return None
        then = len(kinds) - 1 - kinds[::-1].index("THEN")
        after = kinds[then + 1 :]
        tests = [token for token in self.stack[:then] if token.type == "IF"]
        if not tests:
            return None
        if "ELSE" in self.accepts and not set(after) & {"LPAR", "LSQB", "LBRACE"}:
            return Diagnostic(
                "P101",
                f"'else' is missing before {self.shown()}",
                self.span(self.at, len(self.found)),
                labels=(Label(self.token_span(tests[-1]), "this 'if … then …' needs an 'else'"),),
                remedy="as a value, a conditional is 'if c then a else b'",
            )
        return None

    def misplaced(self) -> Diagnostic | None:
        """A statement outside of a procedure, a declaration inside of a block, a stray brace."""
        found = self.found
        if not self.open and "ENUM" in self.accepts and "PROCEDURE" in self.accepts:
            if found == "}":
                return self.at_found(
                    "P101", "this '}' closes nothing", "remove it, or look for a '}' too many before it"
                )
            if found in statement_words():
                return self.at_found(
                    "P109",
                    f"the statement '{found}' is outside any procedure",
                    "put it into the block of a procedure, case, reaction or check; perhaps a block is closed too early",
                )
            if found == "else":
                return self.at_found(
                    "P109", "this 'else' follows no 'if' block", "perhaps a block is closed too early"
                )
        if found in _PLACES:
            return self.at_found("P109", f"'{found}' cannot be used here", _PLACES[found])
        if self.open and str(self.open[-1]) == "{" and self.first:
            cite = found.startswith("@")
            if (
                found in declaration_words() - statement_words()
                and not (self.value and found in value_words())
            ) or cite:
                message = (
                    "a citation can only stand before a declaration, a field, a rule or a menu branch"
                    if cite
                    else f"the declaration '{found} …' is inside a block"
                )
                return Diagnostic(
                    "P109",
                    message,
                    self.span(self.at, len(found)),
                    labels=(Label(self.token_span(self.culprit()), "this block is still open"),),
                    remedy="close the block with '}' before it; a declaration starts in the first column"
                    if not cite
                    else "move it before the declaration",
                )
        return None

    def incomplete(self) -> Diagnostic | None:
        """A new line begins something else while something is missing on the line before."""
        found = self.found
        if not self.first or self.statement or found in self.words:
            return None
        if found != "}" and found not in statement_words() | declaration_words():
            return None
        if self.before == "}" and "NAME" in self.accepts and found != "}":
            return self.no_name(found, self.at)
        if self.open and str(self.open[-1]) != "{" and _CLOSERS[str(self.open[-1])][1] in self.accepts:
            return self.unfinished()
        at = len(self.code[: self.at].rstrip()) - len(self.before)
        return Diagnostic(
            "P101",
            f"something is missing after '{self.before}'",
            self.span(at, len(self.before)),
            remedy=f"expected {self.expected()}",
        )

    def reserved(self) -> Diagnostic | None:
        """A word of the language used as the name of a value."""
        found, value = self.found, self.parser.parser_state.value_stack
        last = value[-1] if value else None
        if isinstance(last, Token) and last.type == "NAME" and str(last) in keywords() and self.after_value:
            return self.no_name(str(last), last.start_pos or 0)
        if (
            self.before in _WORD_OPERANDS
            and not found[:1].isalnum()
            and self.value | (self.accepts == {"NAME"})
        ):
            return self.no_name(self.before, self.code[: self.at].rstrip().rfind(self.before))
        return None

    def no_name(self, word: str, at: int) -> Diagnostic:
        """That a word of the language, used as a name at a place, is none; said where it is declared, if it is so in this text."""
        if word == "do":
            remedy = "the result of a procedure is taken with 'let x = do p(…)'"
            return Diagnostic("P107", "'do' cannot be used in an expression", self.span(at, 2), remedy=remedy)
        declared = re.search(
            rf"\blet\s+({word})\b|[(,]\s*({word})\s*:|\b(?:each|in|choose|draw|as)\s+({word})\b",
            self.code[:at],
        )
        kind = "reserved word" if word in reserved_words() else "word of the language"
        if declared is None:
            return Diagnostic(
                "P107",
                f"'{word}' is a {kind} and cannot be a name here",
                self.span(at, len(word)),
                remedy="choose another name",
            )
        start = declared.start(declared.lastindex or 0)
        message = f"'{word}' is a {kind} and cannot be a name"
        labels = (Label(self.span(at, len(word)), "used here"),)
        return Diagnostic(
            "P107", message, self.span(start, len(word)), labels=labels, remedy="choose another name"
        )

    def order(self) -> Diagnostic | None:
        """A part that stands in its place, but after one that comes later or takes it for its own."""
        if (
            self.found == "when"
            and any(token.type == "RULE" for token in self.stack)
            and "EQUAL" in self.accepts
        ):
            return self.at_found(
                "P101",
                "the value of a rule stands before its condition",
                "write 'rule r for q = value when c'",
            )
        behind = {str(token) for token in self.stack} & _BEFORE.get(self.found, {}).keys()
        if not self.after_value or not behind:
            return None
        message, remedy = _BEFORE[self.found][min(behind)]
        return self.at_found("P101", message, remedy)

    def operand(self) -> Diagnostic | None:
        """Two comparisons in a row, or a quantifier as an operand."""
        if (
            self.before in _QUANTIFIERS
            and (self.found.isidentifier() or self.found == "(")
            and self.after_value
        ):
            return Diagnostic(
                "P101",
                f"'{self.before} …' needs parentheses here",
                self.span(self.code[: self.at].rstrip().rfind(self.before), len(self.before)),
                remedy=f"write '({self.before} …)': it reaches as far right as it can and may only end an expression",
            )
        if self.found in ("<", "<=", ">", ">=", "is", "in", "not") and self.after_value:
            return self.at_found(
                "P101", "comparisons do not chain", "join two of them with 'and', or use 'x in 1 .. 6'"
            )
        return None

    def plain(self, token: Token) -> Diagnostic:
        """Nothing better is known than what could have stood here."""
        found = self.found
        if found == ";":
            return self.at_found(
                "P101", "unexpected ';'", "only the settings of a board end with ';': remove it"
            )
        if found == "," and "MODIFIER" in self.accepts:
            return self.at_found("P101", "unexpected ','", "fields follow each other without ',': remove it")
        if token.type == "ROW":
            return self.at_found("P101", "a table row cannot stand here", f"expected {self.expected()}")
        hint = _near(found, self.words) if token.type == "NAME" else ""
        labels: tuple[Label, ...] = ()
        if self.open:
            closer = _CLOSERS[str(self.open[-1])]
            if str(self.open[-1]) != "{" and closer[1] in self.accepts:
                labels = (Label(self.token_span(self.open[-1]), f"this '{self.open[-1]}' is still open"),)
        remedy = f"{hint} expected {self.expected()}".strip()
        return Diagnostic(
            "P101", f"unexpected {self.shown()}", self.span(self.at, len(found)), labels=labels, remedy=remedy
        )

    # ------------------------------------------------------------------ words for people

    def at_found(self, code: str, message: str, remedy: str) -> Diagnostic:
        """A diagnostic that points at the token found."""
        return Diagnostic(code, message, self.span(self.at, len(self.found)), remedy=remedy)

    def shown(self) -> str:
        """The token found, in quotes."""
        return f"'{self.found}'" if len(self.found) < 30 else f"'{self.found[:27]}…'"

    def expected(self) -> str:
        """What could have stood here, in few words."""
        left = set(self.accepts)
        groups: list[str] = []
        for members, least, words in _GROUPS:
            if least <= left:
                groups.append(words)
                left -= members
        single = [
            FRIENDLY.get(name) or " or ".join(f"'{word}'" for word in spellings().get(name, (name,)))
            for name in left
        ]
        single.sort(key=lambda words: (words.startswith("'"), words))
        items = [*single[:5], *groups] if len(single) <= 5 else [*single[:4], *groups, "…"]
        if not items:
            return "nothing more"
        return (
            items[0]
            if len(items) == 1
            else ", ".join(items[:-1]) + (" " if items[-1] == "…" else " or ") + items[-1]
        )


def _near(name: str, words: frozenset[str]) -> str:
    """A question for the one of *words* that *name* is a slip of, or nothing."""
    meant = near(name, [word for word in words if word.isalpha()], parts=False)
    return f"did you mean '{meant[0]}'?" if meant else ""


#: What terminals that are spelt in many ways are called.
FRIENDLY = {
    "NAME": "a name",
    "INT": "a number",
    "MEASURED": "a number with its measure",
    "ROW": "a table row ('| … |')",
    "CITE": "'@rule …'",
    "SECTION": "'@section …'",
    "PROVENANCE": "'@house' or '@published'",
    "COMPARE": "a comparison",
    "KIND": "what is dropped (a rule, case, procedure, function, quantity, permission, travel, effect, event, reaction, check, require, enum, member, "
    "table, column, matrix, die, deck, pile, board, piece, fields, field, stage, switch, scope or measure)",
    "$END": "the end of the file",
}


_DECLARATION = accepted("")
_STATEMENT = accepted("procedure p() {") - {"RBRACE"}
_VALUE = accepted("function f(): t =")
_OPERATOR = accepted("function f(): t = (a") - {"RPAR"}
# The terminals of a group, those of them that must be there, and what the group is called.
_GROUPS = (
    (_DECLARATION, {"ENUM", "PROCEDURE"}, "a declaration (procedure, rule, table …)"),
    (_STATEMENT, {"LET", "DO"}, "a statement (let, set, do …)"),
    (_VALUE, {"INT", "LPAR", "NAME"}, "a value"),
    (_OPERATOR, {"PLUS", "STAR"}, "an operator"),
    (_OPERATOR, {"DOT", "LSQB"}, "'.' or '['"),
)
