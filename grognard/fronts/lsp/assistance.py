"""What the server answers about one place: findings, words that may stand there, what a name is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lsprotocol import types as t

from dsl.formatter import format_source
from dsl.source import Source
from grognard.draw.style import FILE as STYLE
from grognard.editing.annotations import open_call, parameters
from grognard.editing.built_in import services
from grognard.editing.completion import Proposal, proposals
from grognard.editing.data_words import data_proposals
from grognard.editing.descriptions import Telling, citation_at, description_of, rule_line
from grognard.editing.desk import GROG, Desk
from grognard.editing.mending import mendings
from grognard.fronts.lsp.in_words import in_words
from grognard.fronts.lsp.protocol_kinds import KINDS
from grognard.fronts.lsp.symbol_place import SymbolPlace
from grognard.fronts.lsp.tested import cases_by_rule
from grognard.fronts.lsp.text_positions import Places, uri_of
from grognard.lexicon.faults import Sayer
from runtime.data.findings import Finding
from runtime.words.said import said

_SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "note": t.DiagnosticSeverity.Information,
}
_UNUSED = ("L803", "S604", "Q503")


def diagnostics(desk: Desk, path: Path, looks: bool, say: Sayer) -> dict[Path, list[t.Diagnostic]]:
    """The findings of a file and of those that belong together with it, by their files; without
    *looks* nothing of styles; in the language of *say*.
    """
    found = desk.findings(path, looks)
    if not looks:
        found = {file: one for file, one in found.items() if file.name != STYLE}
    texts: dict[Path, Places] = {}

    def places(file: Path) -> Places:
        if file not in texts:
            texts[file] = Places(desk.text(file))
        return texts[file]

    return {
        file: [_diagnostic(desk, one, places(file), say) for one in findings]
        for file, findings in found.items()
    }


def _diagnostic(desk: Desk, finding: Finding, places: Places, say: Sayer) -> t.Diagnostic:
    related = []
    for place, text in finding.labels:
        path = Path(place.file).absolute()
        where = Places(desk.text(path)).lines(
            place.line, place.column, place.end_line, place.end_column
        )
        location = t.Location(uri_of(path), where)
        related.append(t.DiagnosticRelatedInformation(location, say(text)))
    remedy = f"\n{say(said('remedy:'))} {say(finding.remedy)}" if finding.remedy else ""
    cited = f" [{', '.join(finding.citation)}]" if finding.citation else ""
    return t.Diagnostic(
        places.lines(finding.line, finding.column, finding.end_line, finding.end_column),
        f"{say(finding.message)}{cited}{remedy}",
        severity=_SEVERITIES[finding.severity],
        code=finding.code or None,
        source="grognard",
        related_information=related or None,
        tags=[t.DiagnosticTag.Unnecessary] if finding.code in _UNUSED else None,
    )


def completions(desk: Desk, path: Path, at: t.Position) -> t.CompletionList:
    """What may stand at a place."""
    places = Places(desk.text(path))
    asked = proposals if path.suffix == GROG else data_proposals
    found = asked(desk, path, places.offset(at))
    where = places.range(found.start, found.end)
    items = [_item(one, where) for one in found.words]
    return t.CompletionList(is_incomplete=False, items=items)


def _item(one: Proposal, where: t.Range) -> t.CompletionItem:
    return t.CompletionItem(
        one.word,
        kind=KINDS.get(one.kind, t.CompletionItemKind.Value),
        label_details=t.CompletionItemLabelDetails(description=one.kind),
        detail=one.about or None,
        sort_text=f"{one.rank}{one.word.lstrip('_')}",
        text_edit=t.TextEdit(where, one.written or one.word),
    )


def hover(desk: Desk, path: Path, at: t.Position, say: Sayer) -> t.Hover | None:
    """What there is to be said of what stands at a place."""
    here = SymbolPlace(desk, path, at)
    symbols = here.symbols
    if symbols is None:
        return None
    cases = cases_by_rule(desk, here.folder)
    words = partial(in_words, symbols.ruleset, say.language)
    telling = Telling(cases, desk.reached_lines(here.folder), say, here.link, words)
    if here.found is not None:
        text = description_of(symbols, here.found[0], telling)
        return t.Hover(_markdown(text), here.places.of(here.found[1])) if text else None
    rule = citation_at(symbols, here.source_name, here.offset)
    if rule is not None:
        about = "".join(f"\n\n* {case}" for case in cases.get(rule, ())[:10])
        return t.Hover(_markdown(f"{rule_line(symbols.resolved, rule)}{about}"))
    service = services().get(here.word) if here.is_source else None
    if service is not None:
        return t.Hover(_markdown(f"`{service.signature}`\n\n{service.text}"))
    parts = [description_of(symbols, one, telling) for one in here.candidates[:3]]
    return t.Hover(_markdown("\n\n---\n\n".join(parts))) if parts else None


def _markdown(text: str) -> t.MarkupContent:
    return t.MarkupContent(t.MarkupKind.Markdown, text)


def signature(desk: Desk, path: Path, at: t.Position) -> t.SignatureHelp | None:
    """What the call that stands open at a place expects."""
    here = SymbolPlace(desk, path, at)
    call = open_call(here.places.source.text, here.offset)
    if here.symbols is None or call is None or not here.is_source:
        return None
    name, number = call
    params = parameters(here.symbols, name)
    label = f"{name}({', '.join(params or ())})"
    service, about = services().get(name), ""
    if params is None and service is not None:
        params, label, about = service.params, service.signature, service.text
    if params is None:
        return None
    information = t.SignatureInformation(
        label,
        documentation=about or None,
        parameters=[t.ParameterInformation(one) for one in params],
    )
    return t.SignatureHelp([information], active_signature=0, active_parameter=number)


def formatting_edits(desk: Desk, path: Path) -> list[t.TextEdit]:
    """The edits that lay a source out; none where it is, or cannot be read."""
    text = desk.text(path)
    if path.suffix != GROG:
        return []
    laid_out = format_source(Source(path.name, text))
    return [] if laid_out == text else [t.TextEdit(Places(text).range(0, len(text)), laid_out)]


def code_actions(desk: Desk, path: Path, where: t.Range, say: Sayer) -> list[t.CodeAction]:
    """The ways in which findings in a range of lines can be mended."""
    places = Places(desk.text(path))
    return [
        action
        for finding in desk.findings(path).get(path, ())
        if where.start.line <= finding.line - 1 <= where.end.line
        for action in _actions(desk, path, finding, places, say)
    ]


def _actions(
    desk: Desk, path: Path, finding: Finding, places: Places, say: Sayer
) -> Iterator[t.CodeAction]:
    for number, one in enumerate(mendings(desk, finding)):
        edits = [t.TextEdit(places.range(e.start, e.end), e.text) for e in one.edits]
        yield t.CodeAction(
            say(one.title),
            kind=t.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(desk, finding, places, say)],
            is_preferred=number == 0,
            edit=t.WorkspaceEdit(changes={uri_of(path): edits}),
        )
