"""What tokens stand for: names, numbers, rows of tables, citations and provenances."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lark import Token
from lark.tree import Meta

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, did_you_mean, quoted
from dsl.nodes.declarations import RULE_ID
from dsl.source import NOWHERE, Source, Span
from runtime.words.said import said

#: How large a number may be, and the most characters of a name.
LARGEST, _LONGEST_NAME = 999_999_999, 100

_Cited = TypeVar("_Cited", bound=n.Cited)

#: What may stand behind ``@section`` on its line.
_OF_SECTION = re.compile(
    r'"(?P<title>[^"]*)"'
    r"|(?P<short>§[^\"@]*)"
    r'|@(?:house|published)\b(?:\s*"[^"]*")?'
    r'|"[^"]*$'
    r"|[^\s\"@§](?:[^\"@§]*[^\s\"@§])?"
    r"|@rule\b[^\"@§]*"
)


@dataclass(frozen=True)
class Attribute:
    """A citation, a provenance with its reason, or a remark, on its way to a declaration."""

    rules: tuple[str, ...] = ()
    provenance: str | None = None
    reason: str = ""
    remark: str = ""
    span: Span = NOWHERE


def split_attributes(items: list[Any]) -> tuple[list[Attribute], list[Any]]:
    """The attributes among what a rule of the grammar holds, and the rest."""
    attributes = [item for item in items if isinstance(item, Attribute)]
    return attributes, [item for item in items if not isinstance(item, Attribute)]


def subspan(span: Span, start: int, length: int) -> Span:
    """*length* characters from *start* within a *span* on one line."""
    at, column = span.start + start, span.column + start
    return Span(span.file, at, at + length, span.line, column, span.line, column + length)


class Tokens:
    """Reads tokens; *shift* corrects offsets when only a part of the source was parsed, *book* is
    the prefix of the IDs that are cited by ``§``.

    What is wrong but can be read all the same is collected in *findings*.
    """

    def __init__(self, source: Source, shift: int = 0, book: str = "") -> None:
        self.source = source
        self.shift = shift
        self.book = book
        self.findings: list[Diagnostic] = []
        self.citations: list[n.Citation] = []
        self.books: list[n.Ident] = []
        self.readers: dict[str, Callable[[Token], Any]] = {
            "NAME": self._name,
            "INT": self._number,
            "ROW": self._row,
            "TEXT": self._remark,
        }

    def _found(self, code: str, message: str, span: Span, remedy: str) -> None:
        self.findings.append(Diagnostic(code, message, span, remedy=remedy))

    def _span(self, at: Token | Meta) -> Span:
        """Where a token or a tree stands."""
        if getattr(at, "empty", False):
            return NOWHERE
        start, end = (at.start_pos or 0) + self.shift, (at.end_pos or 0) + self.shift
        lines = (at.line or 0, at.column or 0, at.end_line or 0, at.end_column or 0)
        return Span(self.source.name, start, end, *lines)

    # ------------------------------------------------------------------ names, numbers, rows

    def _name(self, token: Token) -> n.Ident:
        span = self._span(token)
        if len(token) > _LONGEST_NAME:
            message = said(
                "this name has {count} characters; names have at most {most}",
                count=f"{len(token):,}",
                most=_LONGEST_NAME,
            )
            remedy = "choose a shorter name; what players read stands in texts/"
            self._found("P107", message, span, remedy)
        return n.Ident(str(token), span=span)

    def _number(self, token: Token) -> int:
        digits = token.split()[0]
        if len(digits.lstrip("0")) <= len(str(LARGEST)):
            return int(digits)
        message = said("the number {digits}… is too large", digits=digits[:12])
        self._found(
            "P106",
            message,
            self._span(token),
            said("numbers are at most {largest}", largest=LARGEST),
        )
        return 0

    def _row(self, token: Token) -> n.Row:
        text = str(token).split("#", 1)[0].rstrip()
        span = self._span(token)
        cells: list[n.Cell] = []
        end = 0
        for match in re.finditer(r"\|([^|]*)(?=\|)", text):
            raw = match.group(1)
            content = raw.strip()
            lead = len(raw) - len(raw.lstrip()) if content else 0
            cells.append(n.Cell(content, span=subspan(span, match.start(1) + lead, len(content))))
            end = match.end()
        if end != len(text) - 1:
            rest = text[end + 1 :].strip()
            place = subspan(span, text.index(rest, end + 1), len(rest))
            message = said("this row has something after its last '|': {rest}", rest=quoted(rest))
            if rest == "}":
                self._found("P105", message, place, "'}' belongs on a line of its own")
            else:
                self._found("P105", message, place, "a row ends with '|', as in '| a | b |'")
                cells.append(n.Cell(rest, span=place))
        elif not cells:
            remedy = "write the cells: '| a | b |'"
            self._found("P105", "this row has no cell", subspan(span, 0, 1), remedy)
        return n.Row(tuple(cells), span=subspan(span, 0, len(text)))

    # ------------------------------------------------------------------ citations and provenances

    def _cited(self, node: _Cited, attributes: list[Attribute]) -> _Cited:
        """*node* with what stands before it: all citations, one provenance, its texts joined."""
        if not attributes:
            return node
        first = attributes[0].span
        if first is not NOWHERE and self._trails(first, node):
            message = (
                "this stands behind something on its line, and is about what begins on the next"
            )
            remedy = "write it on a line of its own, above what it is about"
            self._found("P110", message, first, remedy)
        marks = [a for a in attributes if a.provenance]
        for other in marks[1:]:
            if other.provenance != marks[0].provenance:
                message = said(
                    "'@{provenance}' stands beside '@{another}'",
                    provenance=other.provenance,
                    another=marks[0].provenance,
                )
                remedy = (
                    "keep one; of what is partly ours, mark the rows, columns or fields that are"
                )
                self._found("P110", message, other.span, remedy)
        remark = " ".join(a.remark for a in attributes if a.remark)
        others: dict[str, Any] = {"remark": remark} if remark else {}
        rules = [rule for attribute in attributes for rule in attribute.rules]
        return replace(
            node,
            rules=(*rules, *node.rules),
            provenance=marks[0].provenance if marks else node.provenance,
            reason=" ".join(a.reason for a in marks if a.reason) or node.reason,
            **others,
        )

    def _trails(self, span: Span, node: n.Node) -> bool:
        """Whether an attribute stands on a line behind something that it is not about."""
        text = self.source.text
        line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        named = getattr(node, "name", None)  # the span of a part may begin with its attributes
        begins = named.span.line if isinstance(named, n.Ident) else node.span.line
        before = line.partition("@")[0].rstrip()
        return begins > span.end_line and bool(before) and before[-1] not in "{,"

    def cite(self, meta: Meta, items: list[Token]) -> Attribute:
        token = items[0]
        return Attribute(rules=self._ids(str(token), self._span(token)), span=self._span(token))

    def provenance(self, meta: Meta, items: list[Token]) -> Attribute:
        return self._provenance(str(items[0]), self._span(items[0]))

    def _section(self, token: Token) -> n.Section:
        """The heading and the marks of a ``@section``."""
        text, span = str(token), self._span(token)
        title, attributes = "", list[Attribute]()
        for match in _OF_SECTION.finditer(text, len("@section")):
            piece, place = match.group(), subspan(span, match.start(), len(match.group()))
            if match["title"] is not None and (title or attributes):
                remedy = "write '@section \"Title\"', then what is cited"
                self._found("P110", "the title of a section stands first", place, remedy)
            elif match["title"] is not None:
                title = " ".join(match["title"].split())
                if not title:
                    remedy = "write the title, or leave the quotes out"
                    self._found("P110", "the title of this section is empty", place, remedy)
            elif match["short"] is not None:
                attributes.append(Attribute(rules=self._short_ids(piece, place), span=place))
            elif piece.startswith(("@house", "@published")):
                attributes.append(self._provenance(piece, place))
            elif piece.startswith('"'):
                remedy = "end it with '\"', on the same line"
                self._found("P110", "the title of this section is not closed", place, remedy)
            elif not title and piece[0].isalpha() and "-" not in piece:
                remedy = said("write '@section \"{words}\"'", words=" ".join(text.split()[1:]))
                self._found("P110", "the title of a section stands in quotes", place, remedy)
                break
            else:
                word = "@rule" if piece.startswith("@rule") else ""
                attributes.append(Attribute(rules=self._ids(piece, place, word), span=place))
        section = n.Section(title, span=span)
        return replace(self._cited(section, attributes), span=span)

    def _remark(self, token: Token) -> Attribute:
        """What is said of a member, column or field."""
        text, span = str(token)[1:-1], self._span(token)
        if not text.strip():
            self._found("P110", "this remark is empty", span, "say what it is, or leave it out")
        return Attribute(remark=" ".join(text.split()), span=span)

    def _section_citation(self, token: Token, ahead: bool) -> Attribute:
        """A citation by ``§``, *ahead* of a part or behind the name of a declaration."""
        span = self._span(token)
        if not ahead and span.column == 1:
            message = "a citation by '§' does not stand before a declaration"
            remedy = "write it behind the name (and parameters) of what it is about, or use '@rule'"
            self._found("P110", message, span, remedy)
        return Attribute(rules=self._short_ids(str(token), span), span=span)

    def _short_ids(self, text: str, span: Span) -> tuple[str, ...]:
        """The IDs of a citation by ``§``: without a rulebook that is known they begin with it."""
        ids: list[str] = []
        for match in re.finditer(r"[^\s,§]+", text):
            rule, place = match.group(), subspan(span, match.start(), len(match.group()))
            if RULE_ID.fullmatch(f"X-{rule}") is None:
                message = said("{rule} is not a number of a rule", rule=quoted(rule))
                remedy = "it holds letters, digits, '.' and '-', as in §3.1 or §AMB-30"
                self._found("P110", message, place, remedy)
                continue
            rule = f"{self.book}-{rule}" if self.book else f"§{rule}"
            ids.append(rule)
            self.citations.append(n.Citation(rule, short=True, span=place))
        if text.rstrip().endswith(","):
            place = subspan(span, len(text.rstrip()) - 1, 1)
            remedy = "remove it; what goes on in the next line begins with '§' again"
            message = "a number is missing after the last ',' of this citation"
            self._found("P110", message, place, remedy)
        elif not text.strip("§ \t"):
            self._found("P110", "no number stands behind '§'", span, "write it: §3.1")
        return tuple(ids)

    def _provenance(self, text: str, span: Span) -> Attribute:
        name = re.split(r"[\s,\"]", text, maxsplit=1)[0]
        if name not in ("@house", "@published"):
            remedy = did_you_mean(name, ("@rule", "@house", "@published", "@section"))
            remedy = remedy or "there are '@rule …', '@section …', '@house' and '@published'"
            message = said("there is no attribute '{name}'", name=name)
            self._found("P102", message, subspan(span, 0, len(name)), remedy)
            return Attribute()
        words = text[len(name) :].strip()
        if words.endswith('"') and len(words) > 1:
            reason = " ".join(words[1:-1].split())
            if not words.strip('" \t'):
                remedy = "say why, or leave the text out"
                self._found("P110", said("the text of '{name}' is empty", name=name), span, remedy)
            return Attribute(provenance=name[1:], reason=reason, span=span)
        if words.startswith('"'):
            remedy = "end the line with '\"'; what goes on in the next line begins so again"
            self._found("P110", said("the text of '{name}' is not closed", name=name), span, remedy)
        elif words.startswith("'"):
            remedy = said("write '{name} \"{words}\"'", name=name, words=words.strip(chr(39)))
            self._found(
                "P110",
                said("the reason behind '{name}' is not in double quotes", name=name),
                span,
                remedy,
            )
        elif words:
            remedy = said(
                "write '@rule {words}' for what is cited, '{name} \"…\"' for what is said of it",
                words=words,
                name=name,
            )
            self._found(
                "P110",
                said("'{name}' cites nothing", name=name),
                subspan(span, 0, len(text)),
                remedy,
            )
        return Attribute(provenance=name[1:], span=span)

    def _ids(self, text: str, span: Span, word: str = "@rule") -> tuple[str, ...]:
        """The IDs of a citation; what has not the form of one is reported and left out."""
        ids: list[str] = []
        for match in re.finditer(r"[^\s,]+", text[len(word) :]):
            rule, at = match.group(), len(word) + match.start()
            place = subspan(span, at, len(rule))
            if RULE_ID.fullmatch(rule) is None:
                remedy = (
                    "an ID is letters and digits, '-', then letters, digits, '.' and '-', "
                    "as in CCA2-3.1"
                )
                if rule.startswith("§"):
                    remedy = said("write '{rule}' alone, or the whole ID behind '@rule'", rule=rule)
                self._found(
                    "P110", said("{rule} is not the ID of a rule", rule=quoted(rule)), place, remedy
                )
                continue
            if ids and "," not in text[:at].rstrip(" \t")[-1:]:
                remedy = said("write '{ids}, {rule}'", ids=ids[-1], rule=rule)
                self._found("P110", "',' is missing between two IDs", place, remedy)
            ids.append(rule)
            self.citations.append(n.Citation(rule, span=place))
        if text.rstrip().endswith(","):
            message = "an ID is missing after the last ',' of this citation"
            remedy = "remove it; what goes on in the next line begins with '@rule' again"
            self._found("P110", message, subspan(span, len(text.rstrip()) - 1, 1), remedy)
        elif word == "@rule" and not text[len(word) :].strip():
            remedy = "write the IDs of the rulebook: '@rule CCA-8.2, CCA-8.3'"
            self._found("P110", "this citation names no rule", subspan(span, 0, len(word)), remedy)
        return tuple(ids)
