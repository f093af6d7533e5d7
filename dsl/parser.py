"""From text to tree: parsing with recovery.

:func:`parse` always returns a tree and all diagnostics it found.  A file is cut into its
declarations (a declaration starts in the first column) and each is parsed by itself, so that an
error in one does not hide those in the others, and what has not changed need not be read again.
Where one cannot be read because it goes on in the first column, the file is parsed in one go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from lark import UnexpectedInput, UnexpectedToken

from dsl import nodes
from dsl.builder import DEEPEST, Builder, TooDeep
from dsl.diagnostics import Diagnostic
from dsl.language import declaration_words, grammar, keywords
from dsl.mistakes import explain
from dsl.mistakes.names import reserved_names
from dsl.mistakes.slips import beginnings
from dsl.moving import shifted_by
from dsl.source import Source
from runtime.spelling import near, steering
from runtime.words.said import said

__all__ = ["ParseResult", "grammar", "keywords", "parse"]


_WORD = re.compile(r"\w+")
#: A comment, or what stands in quotes.
_QUOTED = re.compile(r'#[^\n]*|"([^"\n]*)"')
_Part = TypeVar("_Part", nodes.Field, nodes.Row)


@dataclass(frozen=True)
class Piece:
    """What a part of a file, read by itself, has given, bearing the marks of its section, and where
    it stands: behind so many characters and lines.  *slips* were found while its tree was built,
    *reserved* in the tree.
    """

    characters: int
    lines: int
    module: nodes.Module
    slips: tuple[Diagnostic, ...]
    reserved: tuple[Diagnostic, ...]

    def moved_to(self, characters: int, lines: int) -> Piece:
        """The same, where it stands behind so much."""
        further = characters - self.characters, lines - self.lines
        if further == (0, 0):
            return self
        parts = self.module, self.slips, self.reserved
        return Piece(characters, lines, *shifted_by(parts, *further))


#: What is handed on to what stands below it: the rules of a section, its provenance and reason.
Marks: TypeAlias = tuple[tuple[str, ...], str | None, str]
#: By text, rulebook (see :func:`parse`) and marks, what parts of one file have given.
Pieces: TypeAlias = Mapping[tuple[str, str, Marks], Piece]
_NO_PIECES: Pieces = MappingProxyType({})
_NO_MARKS: Marks = (), None, ""


@dataclass(frozen=True)
class ParseResult:
    """A tree (of all declarations that could be read) and the findings.

    *lost* are the names that what could not be read may have declared, *pieces* what could be read;
    *moved* are the declarations that were known elsewhere in the file, with what they were there.
    """

    module: nodes.Module
    diagnostics: tuple[Diagnostic, ...]
    lost: frozenset[str] = frozenset()
    pieces: Pieces = field(default_factory=dict, compare=False, repr=False)
    moved: tuple[tuple[nodes.Decl, nodes.Decl], ...] = field(default=(), compare=False, repr=False)


def parse(source: Source, book: str = "", known: Pieces = _NO_PIECES) -> ParseResult:
    """Parse *source*; never raises on what a user wrote.

    *book* is the prefix of the IDs cited by ``§``, where the source does not say it itself; without
    one, these begin with ``§`` in the tree.  Parts of the file that are *known*, from another text
    of it, are not read again.
    """
    read = _read(source, book_of(source.text) or book, known)
    hidden = [
        Diagnostic("P102", fault, source.span(*quoted.span(1)), remedy="remove the character")
        for quoted in _QUOTED.finditer(source.text)
        if quoted[1] and (fault := steering(quoted[1]))
    ]
    remedy = "remove one of the two lines; IDs of other rulebooks are cited by '@rule'"
    hidden += [
        Diagnostic("R102", "a file names one rulebook for '§'", other.span, remedy=remedy)
        for other in read.module.books[1:]
    ]
    return replace(read, diagnostics=(*read.diagnostics, *hidden)) if hidden else read


_BOOK = re.compile(r"^cites[ \t]+(\w+)", re.MULTILINE)
_HEADER = re.compile(r"^ruleset\b", re.MULTILINE)


def book_of(text: str) -> str:
    """The prefix of the IDs that a source cites by ``§``, where it says so; else nothing."""
    named = _BOOK.search(text)
    return named[1] if named is not None else ""


def _rule_by_rule(
    source: Source, part: _UnreadablePart, book: str
) -> tuple[nodes.Module | None, list[Diagnostic], set[str]]:
    """A declaration that cannot be read: the rules of its block, each alone."""
    text, shift, marks = part.padded, part.shift, part.marks
    whole = None, [_finding(source, text, shift, part.error)], _declared_names(text)
    spans = list(_rules_in(text))
    findings: list[Diagnostic] = []
    lost: set[str] = set()
    try:
        _piece(source, _without(text, spans), shift, book, marks)
        for span in spans:
            alone = _without(text, [other for other in spans if other != span])
            try:
                _piece(source, alone, shift, book, marks)
            except (UnexpectedInput, TooDeep) as error:
                findings.append(_finding(source, alone, shift, error))
                lost |= _declared_names(text[slice(*span)])
                text = _without(text, [span])
        left = _piece(source, text, shift, book, marks)
    except (UnexpectedInput, TooDeep):
        return whole
    return left.module, [*findings, *left.slips, *left.reserved], lost


def _rules_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the rules in the block of a declaration begin and end: each on lines of its own."""
    code = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    margin = len(code) - len(code.lstrip())
    head = _RULED.match(code, margin)
    if head is None:
        return
    starts: list[int] = []
    done, depth = head.end(), 0
    for match in _RULE.finditer(code, done):
        depth += code.count("{", done, match.start()) - code.count("}", done, match.start())
        done = match.start()
        if depth == 0:
            starts.append(done)
    yield from pairwise(starts)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """*text* with blanks in place of some parts."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def only_marks(line: str) -> bool:
    """Whether a line is blank, or holds nothing but marks of what stands below it."""
    code = line.strip()
    return not code or code.startswith("@section") or _MARKS.fullmatch(code) is not None


def has_header(text: str) -> bool:
    """Whether a source has the header of its ruleset."""
    return _HEADER.search(text) is not None


def book_of_folder(texts: Iterable[str]) -> str:
    """The prefix that the file with the header names for its folder, of whose sources *texts* are
    the content; else nothing.
    """
    return next((book_of(text) for text in texts if has_header(text)), "")


def _read(source: Source, book: str, known: Pieces) -> ParseResult:
    text = source.text
    if text.startswith("\ufeff"):  # a byte order mark says nothing
        text = " " + text[1:]
    parts = _Parts(source, text, book, known)
    result = _result_of(source, text, book, parts)
    return replace(result, pieces=parts.pieces, moved=tuple(parts.moved))


def _result_of(source: Source, text: str, book: str, parts: _Parts) -> ParseResult:
    """What a file gives, of which the *parts* have been read."""
    if parts.first is None:
        return _whole(source, text, parts.read)
    if parts.may_go_on():
        with suppress(UnexpectedInput, TooDeep):
            return _whole(source, text, [_piece(source, text, 0, book, _NO_MARKS)])
    findings: list[Diagnostic] = []
    lost: set[str] = set()
    modules: list[nodes.Module] = []
    for part in parts.read:
        if isinstance(part, Piece):
            modules.append(part.module)
            findings += (*part.slips, *part.reserved)
            continue
        module, more, names = _rule_by_rule(source, part, book)
        modules += [module] if module is not None else []
        findings += more
        lost |= names
    if not findings:
        try:
            grammar().parse(text)
        except UnexpectedInput as error:
            findings.append(_finding(source, text, 0, error))
    return ParseResult(_joined(source, modules), tuple(findings), frozenset(lost))


def _whole(source: Source, text: str, read: list[Any]) -> ParseResult:
    """What a file is of which everything could be *read*."""
    strange = list(beginnings(source, text))
    words = {word for one in strange for word in _WORD.findall(source.line(one.span.line))}
    slips = (finding for piece in read for finding in piece.slips)
    reserved = (finding for piece in read for finding in piece.reserved)
    module = _joined(source, [piece.module for piece in read])
    return ParseResult(module, (*strange, *slips, *reserved), frozenset(words))


def _joined(source: Source, modules: Iterable[nodes.Module]) -> nodes.Module:
    """One module of those of the parts of a file."""
    decls: list[nodes.Decl] = []
    citations: list[nodes.Citation] = []
    sections: list[nodes.Section] = []
    books: list[nodes.Ident] = []
    for module in modules:
        decls += module.decls
        citations += module.citations
        sections += module.sections
        books += module.books
    parts = tuple(decls), tuple(citations), tuple(sections), tuple(books)
    return nodes.Module(source.name, *parts)


@dataclass(frozen=True)
class _UnreadablePart:
    """A part of a file that cannot be read: its text behind blank lines, which keep lines and
    columns right, and how much less than there those are; the marks of its section.
    """

    start: int
    padded: str
    shift: int
    marks: Marks
    error: UnexpectedInput | TooDeep


class _Parts:
    """The declarations of a file, each read by itself."""

    def __init__(self, source: Source, text: str, book: str, known: Pieces) -> None:
        self.text = text
        self.read: list[Piece | _UnreadablePart] = []
        self.pieces: dict[tuple[str, str, Marks], Piece] = {}
        #: declarations that were known elsewhere in the file, with what they were there
        self.moved: list[tuple[nodes.Decl, nodes.Decl]] = []
        #: the number of the first part that cannot be read, or not surely by itself
        self.first: int | None = None
        self.starts: list[int] = []
        lines = done = 0
        marks = _NO_MARKS
        for start, chunk in chunks(text):
            lines += text.count("\n", done, start)
            done = start
            key = chunk, book, marks
            self.starts.append(start)
            word = _FIRST.match(chunk)
            if self.first is None and word is not None and word[1] not in declaration_words():
                self.first = len(self.read)
            before = self.pieces.get(key) or known.get(key)
            if before is None:
                padded, shift = "\n" * lines + chunk, start - lines
                try:
                    piece = _piece(source, padded, shift, book, marks)
                except (UnexpectedInput, TooDeep) as error:
                    if self.first is None:
                        self.first = len(self.read)
                    self.read.append(_UnreadablePart(start, padded, shift, marks, error))
                    continue
                piece = replace(piece, characters=start, lines=lines)
            else:
                piece = before.moved_to(start, lines)
                self.moved += zip(piece.module.decls, before.module.decls, strict=True)
            self.pieces[key] = piece
            self.read.append(piece)
            for section in piece.module.sections[-1:]:
                marks = _marks_of(section)

    def may_go_on(self) -> bool:
        """Whether that part may belong to the next, or to the one before.

        The parser stops at the first sign that nothing can follow what it has read, so what stands
        behind that makes no difference.
        """
        assert self.first is not None
        first = self.first
        failed = self.read[first]
        if not isinstance(
            failed, _UnreadablePart
        ):  # the beginning of its first word was read as one
            first = max(0, first - 1)
        elif isinstance(failed.error, TooDeep):
            return False
        elif not isinstance(failed.error, UnexpectedToken) or failed.error.token.type != "$END":
            at = failed.error.pos_in_stream or 0
            if _COMMENT.sub("", failed.padded[:at]).strip() or first == 0:
                return False
            first -= 1
        try:
            grammar().parse(self.text[self.starts[first] :])
        except UnexpectedInput:
            return False
        return True


def _marks_of(section: nodes.Section) -> Marks:
    return section.rules, section.provenance, section.reason


def _marked(module: nodes.Module, marks: Marks) -> nodes.Module:
    """*module* with what has no marks itself bearing those of its block or section, which are these
    where it begins.
    """
    sections: list[nodes.Section] = []
    decls: list[nodes.Decl] = []
    for decl in module.decls:
        if isinstance(decl, nodes.Section):
            sections.append(decl)
            marks = _marks_of(decl)
            continue
        rules, provenance, reason = marks
        if not decl.rules and decl.provenance is None:
            decl = replace(decl, rules=rules, provenance=provenance, reason=reason)
        elif not decl.rules and decl.provenance != "house":
            decl = replace(decl, rules=rules)
        decls.append(_with_inherited_rules(decl, decl.rules))
    return replace(module, decls=tuple(decls), sections=tuple(sections))


def _with_inherited_rules(decl: nodes.Decl, rules: tuple[str, ...]) -> nodes.Decl:
    """*decl* with its fields and rows citing *rules* where they cite nothing themselves."""
    if not rules:
        return decl
    if isinstance(decl, nodes.Replace):
        return replace(decl, decl=_with_inherited_rules(decl.decl, rules))
    if isinstance(decl, nodes.Piece | nodes.Fields | nodes.Extend):
        decl = replace(decl, fields=tuple(_citing(field, rules) for field in decl.fields))
    if isinstance(decl, nodes.Extend):
        decl = replace(decl, rows=tuple(_citing(row, rules) for row in decl.rows))
    return decl


def _citing(part: _Part, rules: tuple[str, ...]) -> _Part:
    return part if part.rules or part.provenance == "house" else replace(part, rules=rules)


#: Parentheses are no constructs and may be many; to look for one that is missing among ever more
#: of them takes ever longer.
_DEEPEST_BRACKETS = 10_000
_BRACKET = re.compile(r"[({\[]|[)}\]]|#[^\n]*")


def _not_too_deep(source: Source, text: str, shift: int) -> None:
    """Raise :class:`TooDeep` where brackets stand too deep inside one another."""
    depth = 0
    for match in _BRACKET.finditer(text):
        mark = match.group()
        if mark in "({[":
            depth += 1
            if depth > _DEEPEST_BRACKETS:
                at = match.start() + shift
                raise TooDeep(source.span(at, at + 1))
        elif mark in ")}]":
            depth = max(0, depth - 1)


def _piece(source: Source, text: str, shift: int, book: str, marks: Marks) -> Piece:
    """What *text* gives, below these *marks*; its offsets in *source* are those plus *shift*."""
    _not_too_deep(source, text, shift)
    builder = Builder(source, shift, book)
    module = builder.module(grammar().parse(text))
    reserved = tuple(reserved_names(module))
    return Piece(0, 0, _marked(module, marks), tuple(builder.findings), reserved)


def _finding(source: Source, text: str, shift: int, error: UnexpectedInput | TooDeep) -> Diagnostic:
    if isinstance(error, TooDeep):
        return Diagnostic(
            "P104",
            said(
                "this is nested too deeply (more than {deepest} constructs inside one another)",
                deepest=DEEPEST,
            ),
            error.span,
            remedy="give the inner parts names of their own (function, procedure)",
        )
    return explain(source, text, shift, error)


# What is declared by these has one name; what stands in others may be read from elsewhere.
_NAMED = re.compile(
    r"(?:@[^\n]*\n\s*)*(?:replace\s+)?"
    r"(?:procedure|function|permission|travel|case|event|reaction|check|require|forecast|rule|allow|deny|modify|limit|suspend)\s+(\w+)"
)


# What is declared within others: forecasts name prompts, insertions name steps, rules name rules.
_WITHIN = re.compile(r"\b(?:prompt|step|rule|allow|deny|modify|limit|suspend)\s+(\w+)")


def _declared_names(chunk: str) -> set[str]:
    """The names that a declaration, which could not be read, may have declared."""
    code = _COMMENT.sub("", chunk).strip()
    named = _NAMED.match(code)
    if named is not None and named.group(1) not in keywords():
        return {named.group(1), *_WITHIN.findall(code)}
    words = re.findall(r"[A-Za-z_]\w*", code)
    names = {*words, *near(words[0], ("sides", "board"))} if words else set()
    if "sides" in names:
        names.add("Side")
    return names


#: The first word of a declaration.
_FIRST = re.compile(r"(?:\s|#[^\n]*)*([A-Za-z_]\w*)")
_LINE = re.compile(r"^(?=[A-Za-z@§])", re.MULTILINE)
_MARK = "|".join(
    t.pattern.value for t in grammar().terminals if t.name in ("CITE", "SHORT", "PROVENANCE")
)
_ATTRIBUTES = re.compile(rf"(?:(?:{_MARK})[ \t]*)*")
_RULED = re.compile(
    rf"(?:(?:{_MARK})\s*)*(?:replace\s+)?(?:permission|quantity|effect|for)\b[^{{}}]*\{{"
)
_RULE = re.compile(
    rf"^[ \t]*(?:(?:(?:{_MARK})\s*)*(?:rule|allow|deny|modify|limit|suspend|for)\b|\}})",
    re.MULTILINE,
)
_MARKS = re.compile(rf"(?:(?:{_MARK})\s*)+(?:#.*)?")
_HEAD = re.compile(r"[@§]?\w+")
_COMMENT = re.compile(r"#[^\n]*")


def chunks(text: str) -> Iterator[tuple[int, str]]:
    """Cut *text* before every line that starts a declaration in its first column.

    A line in the first column whose first word does not start a declaration is one of its own
    unless something before it is still open or the word continues what stands before.
    """
    code = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    starts = [0]
    attributed = False
    depth = done = 0
    for match in _LINE.finditer(code):
        at = match.start()
        end = code.find("\n", at)
        line = code[at : end if end >= 0 else len(code)]
        bracketed = code[done:at]
        depth += sum(map(bracketed.count, "{([")) - sum(map(bracketed.count, "})]"))
        done = at
        word = _HEAD.match(line)
        head = word.group() if word else "@"
        if not (head[0] in "@§" or head in declaration_words()):
            last = at - 1
            while last > 0 and code[last].isspace():
                last -= 1
            if depth > 0 or head in _CONTINUING or code[max(last, 0)] in ",=+-*/<>.:":
                continue
        if not attributed and at != 0:
            starts.append(at)
            depth = 0
        attributes = _ATTRIBUTES.match(line)
        attributed = (
            head[0] in "@§" and attributes is not None and not line[attributes.end() :].strip()
        )
    starts.append(len(text))
    for start, end in pairwise(starts):
        if code[start:end].strip():
            yield start, text[start:end]


# Words that carry on a declaration or an expression when they stand at the start of a line.
_CONTINUING = frozenset(
    re.findall(
        r"\w+",
        "across and as at by carrying clear copies cost else except extends for from halt has in "
        "into is lasts mod of or otherwise pass per place prompt seen stage stay then times to "
        "when where within",
    )
)
