"""Findings that only follow from others: a mistake is told once, where it was made."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from compiler.check.context import Context
from compiler.resolve import Resolved
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Source, Span
from runtime.spelling import nearest

#: How many of many places are pointed at.
_SHOWN = 3
_QUOTED = re.compile(r"'([^']*)'")
_NAME = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"#[^\n]*")


def findings(resolved: Resolved, ctx: Context) -> list[Diagnostic]:
    """All findings of reading and checking but those that follow from others; syntax comes first."""
    syntax = _syntax([d for d in resolved.diagnostics if d.code.startswith("P")])
    others = [d for d in resolved.diagnostics if not d.code.startswith("P")] + ctx.diagnostics
    if not resolved.complete:
        return syntax + [d for d in others if d.code in ("R101", "R102", "R103")]
    unsure = _declared_with_errors(resolved.decls, others)
    if syntax:
        others = [d for d in others if not _spoken_of(d) & resolved.lost and d.code != "S614"]
    others = [d for d in others if not (d in ctx.unknowns and ctx.unknowns[d][0] in unsure)]
    return syntax + _grouped(others, ctx)


def _syntax(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of syntax but those about a reserved word as a name where its declaration has one."""
    reserved = {
        name
        for d in found
        if d.code == "P107" and d.message.endswith("cannot be a name")
        for name in _names(d)
    }
    return [d for d in found if d.message.endswith("cannot be a name") or not _names(d) & reserved]


def _names(finding: Diagnostic) -> set[str]:
    """The names that a finding speaks of."""
    return {name for quoted in _QUOTED.findall(finding.message) for name in _NAME.findall(quoted)}


def _spoken_of(finding: Diagnostic) -> set[str]:
    """The names that a finding may speak of: of rows that are missing, any of its words."""
    return set(_NAME.findall(finding.message)) if finding.code == "F401" else _names(finding)


def _declared_with_errors(decls: list[n.Decl], found: list[Diagnostic]) -> set[str]:
    """What is declared in declarations that are wrong themselves, and so perhaps were left out."""
    wrong: dict[str, list[tuple[int, int]]] = {}
    for span in {d.span for d in found if d.is_error}:
        wrong.setdefault(span.file, []).append((span.start, span.end))
    for places in wrong.values():
        places.sort()
    return {
        name
        for decl in decls
        if _holds_any(decl.span, wrong.get(decl.span.file, []))
        for name in _declares(decl)
    }


def _holds_any(outer: Span, places: list[tuple[int, int]]) -> bool:
    """Whether one of *places*, which are in order, lies within *outer*."""
    for start, end in islice(places, bisect_left(places, (outer.start, 0)), None):
        if start > outer.end:
            break
        if end <= outer.end:
            return True
    return False


def _declares(decl: n.Decl) -> Iterator[str]:
    """The names of a declaration that may be left out when it is wrong, and of its parts."""
    if isinstance(decl, n.EnumDecl | n.Piece | n.Table | n.Matrix | n.Die | n.Deck):
        yield decl.name.text
    parts: Iterable[n.Ident | n.Field | n.Column | n.Pile] = ()
    if isinstance(decl, n.EnumDecl):
        parts = decl.members
    elif isinstance(decl, n.Sides | n.Measures):
        parts = decl.names
    elif isinstance(decl, n.Piece | n.Fields):
        parts = decl.fields
    elif isinstance(decl, n.Table):
        parts = decl.columns
    elif isinstance(decl, n.Deck):
        parts = decl.piles
    for part in parts:
        yield part.text if isinstance(part, n.Ident) else part.name.text


def _grouped(found: list[Diagnostic], ctx: Context) -> list[Diagnostic]:
    """*found* with one finding for each unknown name that stands in several places.

    Where a name like it is declared and used nowhere, that is where the mistake is.
    """
    unknown: dict[str, list[Diagnostic]] = {}
    for d in found:
        if d in ctx.unknowns:
            unknown.setdefault(ctx.unknowns[d][0], []).append(d)
    written: dict[str, list[Span]] | None = None
    instead: dict[Diagnostic, Diagnostic | None] = {}
    for name, group in unknown.items():
        group.sort(key=lambda d: (d.span.file, d.span.start))
        written = written if written is not None else _written(ctx.sources)
        known = {word for d in group for word in ctx.unknowns[d][1] if len(written.get(word, ())) == 1}
        meant = nearest(name, known)
        if meant is not None and len(group) == 1:
            here = Label(written[meant][0], "declared here, and used nowhere")
            instead[group[0]] = replace(group[0], labels=(*group[0].labels, here))
        elif meant is not None:
            instead.update(dict.fromkeys(group, None))
            instead[group[0]] = _at_declaration(meant, name, group, written[meant][0])
        if meant is not None or len(group) == 1:
            continue
        alike = [d for d in group if d.message.startswith("unknown ") or d.code == "F404"]
        for message in dict.fromkeys(d.message for d in alike):
            same = [d for d in group if d.message == message]
            instead.update(dict.fromkeys(same, None))
            instead[same[0]] = replace(same[0], labels=_labels([d.span for d in same[1:]]))
    return [one for d in found if (one := instead.get(d, d)) is not None]


def _at_declaration(declared: str, name: str, group: list[Diagnostic], span: Span) -> Diagnostic:
    """That *declared* should probably be *name*, which several findings miss."""
    code = Counter(d.code for d in group).most_common(1)[0][0]
    message = f"'{declared}' is used nowhere; {len(group)} places write '{name}'"
    remedy = f"did you mean '{name}' here? Otherwise correct those places"
    return Diagnostic(code, message, span, labels=_labels([d.span for d in group]), remedy=remedy)


def _labels(spans: list[Span]) -> tuple[Label, ...]:
    """The first of *spans* to be pointed at."""
    more = len(spans) - _SHOWN
    texts = ["here"] * min(len(spans), _SHOWN)
    if more > 0:
        texts[-1] = f"here, and in {more} more place{'s' * (more != 1)}"
    return tuple(Label(span, text) for span, text in zip(spans, texts, strict=False))


def _written(sources: dict[str, Source]) -> dict[str, list[Span]]:
    """Where each name stands in the rules."""
    found: dict[str, list[Span]] = {}
    for source in sources.values():
        if source.name.endswith(".grog"):
            code = _COMMENT.sub(lambda match: " " * len(match.group()), source.text)
            for match in _NAME.finditer(code):
                found.setdefault(match.group(), []).append(source.span(match.start(), match.end()))
    return found
