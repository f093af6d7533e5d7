"""From text to tree: parsing with recovery.

:func:`parse` always returns a tree and all diagnostics it found.  A file without errors is parsed
in one go.  Otherwise the file is cut into its declarations (a declaration starts in the first
column) and each is parsed by itself, so that an error in one does not hide those in the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from lark import UnexpectedInput

from dsl import nodes
from dsl.builder import DEEPEST, Builder, TooDeep
from dsl.diagnostics import Diagnostic
from dsl.language import declaration_words, grammar, keywords
from dsl.mistakes import explain
from dsl.mistakes.names import reserved_names
from dsl.mistakes.slips import beginnings
from dsl.source import Source
from runtime.spelling import near, steering

__all__ = ["ParseResult", "grammar", "keywords", "parse"]


_WORD = re.compile(r"\w+")
#: A comment, or what stands in quotes.
_QUOTED = re.compile(r'#[^\n]*|"([^"\n]*)"')
_Part = TypeVar("_Part", nodes.Field, nodes.Row)


@dataclass(frozen=True)
class ParseResult:
    """A tree (of all declarations that could be read) and the findings.

    *lost* are the names that what could not be read may have declared.
    """

    module: nodes.Module
    diagnostics: tuple[Diagnostic, ...]
    lost: frozenset[str] = frozenset()


def parse(source: Source, book: str = "") -> ParseResult:
    """Parse *source*; never raises on what a user wrote.

    *book* is the prefix of the IDs cited by ``§``, where the source does not say it itself; without
    one, these begin with ``§`` in the tree.
    """
    read = _read(source, book_of(source.text) or book)
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


def _by_itself(
    source: Source, text: str, shift: int, book: str
) -> tuple[nodes.Module | None, list[Diagnostic], set[str]]:
    """A declaration parsed by itself, and where that fails the rules of its block, each alone."""
    try:
        return *_tree(source, text, shift, book), set()
    except (UnexpectedInput, TooDeep) as error:
        whole = None, [_finding(source, text, shift, error)], _declared(text)
    spans = list(_rules_in(text))
    findings: list[Diagnostic] = []
    lost: set[str] = set()
    try:
        _tree(source, _without(text, spans), shift, book)
        for span in spans:
            alone = _without(text, [other for other in spans if other != span])
            try:
                _tree(source, alone, shift, book)
            except (UnexpectedInput, TooDeep) as error:
                findings.append(_finding(source, alone, shift, error))
                lost |= _declared(text[slice(*span)])
                text = _without(text, [span])
        module, more = _tree(source, text, shift, book)
    except (UnexpectedInput, TooDeep):
        return whole
    return module, findings + more, lost


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


def _read(source: Source, book: str) -> ParseResult:
    text = source.text
    if text.startswith("\ufeff"):  # a byte order mark says nothing
        text = " " + text[1:]
    try:
        module, findings = _tree(source, text, 0, book)
        strange = list(beginnings(source, text))
        lost_words = {word for one in strange for word in _WORD.findall(source.line(one.span.line))}
        return ParseResult(_sections(module), (*strange, *findings), frozenset(lost_words))
    except (UnexpectedInput, TooDeep) as error:
        first = error
    decls: list[nodes.Decl] = []
    citations: list[nodes.Citation] = []
    books: list[nodes.Ident] = []
    findings = []
    lost: set[str] = set()
    for start, chunk in chunks(text):
        # Blank lines for what stands before keep lines and columns right.
        lines = text.count("\n", 0, start)
        padded = "\n" * lines + chunk
        shift = start - lines
        part, more, names = _by_itself(source, padded, shift, book)
        findings.extend(more)
        lost |= names
        if part is not None:
            decls.extend(part.decls)
            citations.extend(part.citations)
            books += part.books
    if not findings:  # cannot happen as long as declarations are independent of each other
        findings.append(_finding(source, text, 0, first))
    whole = nodes.Module(source.name, tuple(decls), tuple(citations), (), tuple(books))
    return ParseResult(_sections(whole), tuple(findings), frozenset(lost))


def _sections(module: nodes.Module) -> nodes.Module:
    """*module* with what has no marks itself bearing those of its block or section."""
    section = nodes.Section("")
    sections: list[nodes.Section] = []
    decls: list[nodes.Decl] = []
    for decl in module.decls:
        if isinstance(decl, nodes.Section):
            section = decl
            sections.append(decl)
            continue
        if not decl.rules and decl.provenance is None:
            marks = {name: getattr(section, name) for name in ("rules", "provenance", "reason")}
            decl = replace(decl, **marks)
        elif not decl.rules and decl.provenance != "house":
            decl = replace(decl, rules=section.rules)
        decls.append(_handed_on(decl, decl.rules))
    return replace(module, decls=tuple(decls), sections=tuple(sections))


def _handed_on(decl: nodes.Decl, rules: tuple[str, ...]) -> nodes.Decl:
    """*decl* with its fields and rows citing *rules* where they cite nothing themselves."""
    if not rules:
        return decl
    if isinstance(decl, nodes.Replace):
        return replace(decl, decl=_handed_on(decl.decl, rules))
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


def _tree(
    source: Source, text: str, shift: int, book: str
) -> tuple[nodes.Module, list[Diagnostic]]:
    _not_too_deep(source, text, shift)
    builder = Builder(source, shift, book)
    module = builder.module(grammar().parse(text))
    return module, builder.findings + reserved_names(module)


def _finding(source: Source, text: str, shift: int, error: UnexpectedInput | TooDeep) -> Diagnostic:
    if isinstance(error, TooDeep):
        return Diagnostic(
            "P104",
            f"this is nested too deeply (more than {DEEPEST} constructs inside one another)",
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


def _declared(chunk: str) -> set[str]:
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
