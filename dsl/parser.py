"""From text to tree: parsing with recovery.

:func:`parse` always returns a tree and all diagnostics it found.  A file without errors is parsed
in one go.  Otherwise the file is cut into its declarations (a declaration starts in the first
column) and each is parsed by itself, so that an error in one does not hide those in the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from dsl import nodes
from dsl.build import Builder
from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.source import Source


@dataclass(frozen=True)
class ParseResult:
    """A tree (of all declarations that could be read) and the findings."""

    module: nodes.Module
    diagnostics: tuple[Diagnostic, ...]


@cache
def grammar() -> Lark:
    """The LALR(1) parser, built once."""
    text = resources.files("dsl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)


@cache
def keywords() -> frozenset[str]:
    """The words that the grammar uses itself."""
    words: set[str] = set()
    for terminal in grammar().terminals:
        for word in re.findall(r"[a-z]+", terminal.pattern.value):
            if terminal.name.isupper() and re.fullmatch(r"[a-z|()?:]+", terminal.pattern.value):
                words.add(word)
    return frozenset(words)


def parse(source: Source) -> ParseResult:
    """Parse *source*; never raises on what a user wrote."""
    try:
        return ParseResult(_tree(source, source.text), ())
    except (UnexpectedInput, VisitError, RecursionError) as error:
        first = error
    decls: list[nodes.Decl] = []
    findings: list[Diagnostic] = []
    for start, chunk in _chunks(source.text):
        # Blanking what stands before keeps every position right.
        lines = source.text.count("\n", 0, start)
        padded = "\n" * lines + chunk
        shift = start - lines
        part = Source(source.name, padded)
        try:
            decls.extend(_tree(source, padded, shift).decls)
        except (UnexpectedInput, VisitError) as error:
            findings.append(_finding(part, error, source))
        except RecursionError:
            findings.append(_too_deep(source, start))
    if not findings:  # the error lies between declarations
        if isinstance(first, RecursionError):
            findings.append(_too_deep(source, 0))
        else:
            findings.append(_finding(source, first, source))
    return ParseResult(nodes.Module(source.name, tuple(decls)), tuple(findings))


def _too_deep(source: Source, start: int) -> Diagnostic:
    return Diagnostic(
        "P104",
        "this declaration is nested too deeply to be read",
        source.span(start, min(start + 1, len(source.text))),
        remedy="give the inner parts names of their own (function, procedure)",
    )


def _tree(source: Source, text: str, shift: int = 0) -> nodes.Module:
    tree = grammar().parse(text)
    module = Builder(source, shift).transform(tree)
    assert isinstance(module, nodes.Module)
    return module


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Cut *text* before every line that starts a declaration in its first column."""
    starts = [0]
    attributed = False
    for match in re.finditer(r"^(?=[A-Za-z@])", text, re.MULTILINE):
        at = match.start()
        attribute = text.startswith(("@rule", "@house", "@published"), at)
        bare = attribute and re.match(
            r"(@(house|published)|@rule[^\n]*?[A-Z][A-Z0-9.\-]*)[ \t]*(#.*)?$",
            text[at:].split("\n", 1)[0],
        )
        if not attributed and at != 0:
            starts.append(at)
        attributed = bool(bare)
    starts.append(len(text))
    for start, end in zip(starts, starts[1:], strict=False):
        if text[start:end].strip():
            yield start, text[start:end]


_FRIENDLY = {
    "NAME": "a name",
    "INT": "a number",
    "MEASURED": "a number with its measure",
    "ROW": "a table row ('| … |')",
    "CITE": "'@rule …'",
    "PROVENANCE": "'@house' or '@published'",
    "COMPARE": "a comparison",
    "VERDICT": "'allow' or 'deny'",
    "BOUND": "'most' or 'least'",
    "TIMING": "'before', 'instead' or 'after'",
    "PLACE": "'ahead' or 'behind'",
    "VISIBILITY": "'open', 'hidden' or 'owner'",
    "SWITCH": "'on' or 'off'",
    "KIND": "the kind of declaration to drop",
    "$END": "the end of the file",
}


def _friendly(terminal: str) -> str:
    if terminal in _FRIENDLY:
        return _FRIENDLY[terminal]
    for definition in grammar().terminals:
        if definition.name == terminal:
            return f"'{definition.pattern.value}'".replace("\\", "")
    return terminal


def _finding(part: Source, error: UnexpectedInput | VisitError, source: Source) -> Diagnostic:
    """The diagnostic for a parse error at a position of *part* (same lines as *source*)."""
    if isinstance(error, VisitError):
        cause = error.orig_exc
        if isinstance(cause, BadSource):
            return cause.diagnostic
        raise error
    line, column = error.line, error.column
    if isinstance(error, UnexpectedToken) and (error.token.type == "$END" or line < 1):
        end = len(part.text.rstrip())
        line, column = part.position(max(end - 1, 0))
        column += 1
    offset = sum(len(text) + 1 for text in source.text.split("\n")[: line - 1]) + column - 1
    if isinstance(error, UnexpectedCharacters):
        char = source.text[offset] if offset < len(source.text) else ""
        return Diagnostic(
            "P102",
            f"the character {char!r} has no place in the language",
            source.span(offset, min(offset + 1, len(source.text))),
            remedy="texts for players live in the catalogue (texts/*.yaml)" if char in "\"'" else "remove it",
        )
    assert isinstance(error, UnexpectedToken)
    token: Token = error.token
    expected = sorted(_friendly(t) for t in error.accepts or error.expected)
    if token.type == "$END":
        return Diagnostic(
            "P103",
            "the file ends in the middle of a declaration" if part.text == source.text else "this declaration is not finished",
            source.span(max(offset - 1, 0), offset),
            remedy=f"expected {_listing(expected)}",
        )
    found = f"'{token}'" if len(token) < 30 else f"'{str(token)[:27]}…'"
    hint = did_you_mean(str(token), [t.strip("'") for t in expected if t.startswith("'")]) if token.type == "NAME" else ""
    reserved = "a name" in expected and re.fullmatch(r"[a-z]+", str(token)) is not None
    remedy = hint or f"expected {_listing(expected)}"
    if reserved and not hint:
        remedy += f"; '{token}' is a word of the language and cannot be a name"
    return Diagnostic("P101", f"unexpected {found}", source.span(offset, offset + len(token)), remedy=remedy)


def _listing(items: list[str]) -> str:
    shown = items[:6]
    text = ", ".join(shown[:-1]) + (" or " if len(shown) > 1 else "") + shown[-1] if shown else "nothing"
    return text + (" …" if len(items) > 6 else "")


class BadSource(Exception):
    """A finding made while the tree is built."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
