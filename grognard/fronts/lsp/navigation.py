"""What the server answers about names: where they are declared and used, what calls what, and what
another name changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as t

from dsl.source import Span
from grognard.editing.annotations import hints, lenses
from grognard.editing.contents import Item, contents, data_contents, folds
from grognard.editing.descriptions import citation_at, entry_of, reached_words
from grognard.editing.desk import GROG, OTHER, Desk, kind_of
from grognard.editing.meanings import Definition, Symbols
from grognard.editing.names.renaming import rename
from grognard.editing.occurrences import in_data
from grognard.fronts.lsp.protocol_kinds import SYMBOL_KINDS, TOKEN_TYPES, TOKENS
from grognard.fronts.lsp.reaching import COMMAND
from grognard.fronts.lsp.symbol_place import SymbolPlace
from grognard.fronts.lsp.tested import cases_by_rule
from grognard.fronts.lsp.text_positions import Places, path_of, uri_of
from grognard.lexicon.faults import Sayer
from runtime.words.said import said

_CALLED = ("function", "quantity", "permission", "procedure", "travel", "event", "effect")
#: How many symbols of all files are told.
_MOST = 200


def definition(desk: Desk, path: Path, at: t.Position) -> list[t.Location]:
    """Where what is named at a place is declared; of a citation its entry in the index."""
    here = SymbolPlace(desk, path, at)
    if here.symbols is None:
        return []
    if here.found is not None:
        symbol = here.found[0]
        return here.locations([one.at for one in symbol.definitions] or symbol.places[:1])
    rule = citation_at(here.symbols, here.source_name, here.offset)
    entry = entry_of(here.symbols.resolved, rule) if rule is not None else None
    if entry is not None:
        return here.locations([entry.span])
    return here.locations([one.at for symbol in here.candidates for one in symbol.definitions])


def references(desk: Desk, path: Path, at: t.Position, declared: bool) -> list[t.Location]:
    """Where what is named at a place is named: in the rules, and as far as the word tells in the
    texts, looks, scenarios and cases of the game.
    """
    here = SymbolPlace(desk, path, at)
    symbols = [here.found[0]] if here.found is not None else here.candidates
    found = []
    for symbol in symbols:
        own = {(one.at.file, one.at.start) for one in symbol.definitions}
        found += here.locations(
            [one for one in symbol.places if declared or (one.file, one.start) not in own]
        )
    for word in {symbol.name for symbol in symbols if not symbol.is_local}:
        for file, span in in_data(desk, here.folder, word):
            found.append(t.Location(uri_of(file), Places(desk.text(file)).of(span)))
    return found


def highlights(desk: Desk, path: Path, at: t.Position) -> list[t.DocumentHighlight]:
    """Where what is named at a place is named in the same file."""
    here = SymbolPlace(desk, path, at)
    if here.found is None:
        return []
    spans = [one for one in here.found[0].places if one.file == here.source_name]
    return [t.DocumentHighlight(here.places.of(one)) for one in spans]


def renameable(desk: Desk, path: Path, at: t.Position) -> t.PrepareRenamePlaceholder | None:
    """The name at a place, where it can be another; in a file of data where the rules know one
    thing of that name.
    """
    here = SymbolPlace(desk, path, at)
    symbol = here.symbol
    if symbol is None or not (symbol.definitions or symbol.is_local):
        return None
    return t.PrepareRenamePlaceholder(here.places.of(here.span), symbol.name)


def rename_edit(desk: Desk, path: Path, at: t.Position, new: str) -> t.WorkspaceEdit | None:
    """What another name of what stands at a place changes; ArgumentError where it may not be."""
    here = SymbolPlace(desk, path, at)
    if here.symbol is None:
        return None
    renaming = rename(desk, here.folder, here.symbol, new)
    note = t.ChangeAnnotation("cases that tell nothing of what it means", needs_confirmation=True)
    changes: list[t.TextDocumentEdit | t.CreateFile | t.RenameFile | t.DeleteFile] = []
    for file, edits in sorted(renaming.edits.items()):
        places = Places(desk.text(file))
        unsure = renaming.unsure.get(file, set())
        made: list[t.TextEdit | t.AnnotatedTextEdit | t.SnippetTextEdit] = []
        for edit in sorted(edits):
            where = places.range(edit.start, edit.end)
            plain = t.TextEdit(where, edit.text)
            asked = t.AnnotatedTextEdit("cases", where, edit.text)
            made.append(asked if edit in unsure else plain)
        document = t.OptionalVersionedTextDocumentIdentifier(uri_of(file))
        changes.append(t.TextDocumentEdit(document, made))
    return t.WorkspaceEdit(document_changes=changes, change_annotations={"cases": note})


# ---------------------------------------------------------------------- outlines


def outline(desk: Desk, path: Path) -> list[t.DocumentSymbol]:
    """The headings and declarations of a source, the keys and items of a file in YAML."""
    places, items = _outline_items(desk, path)

    def told(item: Item) -> t.DocumentSymbol:
        return t.DocumentSymbol(
            item.name or "(nothing)",
            SYMBOL_KINDS.get(item.kind, t.SymbolKind.Constant),
            places.of(item.span),
            places.of(item.at),
            detail=item.detail or None,
            children=[told(one) for one in item.below],
        )

    return [told(item) for item in items]


def _outline_items(desk: Desk, path: Path) -> tuple[Places, list[Item]]:
    """What stands in a file; nothing in YAML that belongs to no game."""
    if path.suffix != GROG:
        places = Places(desk.text(path))
        known = kind_of(path, places.source.text) != OTHER
        return places, data_contents(places.source) if known else []
    here = SymbolPlace(desk, path)
    return here.places, [] if here.symbols is None else contents(
        here.symbols.resolved, here.source_name
    )


def workspace_symbols(desk: Desk, query: str) -> list[t.WorkspaceSymbol]:
    """What is declared in open rulesets under a name that holds the letters of *query*."""
    found: list[t.WorkspaceSymbol] = []
    folders = {desk.folder_of(path): path for path in desk.texts}
    for folder, path in folders.items():
        here = SymbolPlace(desk, path)
        if folder is None or here.symbols is None:
            continue
        for symbol in here.symbols.symbols:
            for one in symbol.definitions:
                if len(found) >= _MOST or not _matches_query(one.name, query):
                    continue
                location = here.location(one.at)
                if location is not None:
                    kind = SYMBOL_KINDS.get(one.kind, t.SymbolKind.Constant)
                    found.append(
                        t.WorkspaceSymbol(location, one.name, kind, container_name=one.kind)
                    )
    return found


def _matches_query(name: str, query: str) -> bool:
    """Whether the letters of a query stand in a name, in their order."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold())


def folding_ranges(desk: Desk, path: Path) -> list[t.FoldingRange]:
    """What can be folded in a file."""
    places, items = _outline_items(desk, path)
    found = folds(places.source, items)
    return [
        t.FoldingRange(first - 1, last - 1, kind=t.FoldingRangeKind(kind) if kind else None)
        for first, last, kind in found
    ]


# ---------------------------------------------------------------------- margins and colours


def inlay_hints(desk: Desk, path: Path, where: t.Range) -> list[t.InlayHint]:
    """The types of locals that are declared in a range of lines."""
    here = SymbolPlace(desk, path)
    if here.symbols is None:
        return []
    return [
        t.InlayHint(here.places.position(one.at.end), one.text, t.InlayHintKind.Type)
        for one in hints(here.symbols, here.source_name)
        if where.start.line <= one.at.line - 1 <= where.end.line
    ]


def code_lenses(desk: Desk, path: Path, say: Sayer, counting: bool) -> list[t.CodeLens]:
    """What is said above each declaration: how often it is used and reached, and how many cases are
    about it; beside that, to have it explained, which is to show what is said of it when pointed
    at.  Above all of them it is offered to count how often they are reached, where that is not done
    anyway (*counting*).
    """
    here = SymbolPlace(desk, path)
    if here.symbols is None or not here.is_source:
        return []
    found = []
    if not counting:
        top = t.Range(t.Position(0, 0), t.Position(0, 0))
        title = say(said("count how often rules are reached"))
        found.append(t.CodeLens(top, command=t.Command(title, COMMAND, None, [uri_of(path)])))
    cases = cases_by_rule(desk, here.folder)
    reached = desk.reached_lines(here.folder).get(here.source_name, {})
    for one in lenses(here.symbols, here.source_name, cases, reached):
        where = here.places.of(one.at)
        texts = []
        if one.symbol.kind != "rule":
            words = "{count: 0 used nowhere | 1 used once | used # times}"
            texts.append(said(words, count=one.uses))
        if one.cases is not None:
            texts.append(said("{count: 0 no case | 1 # case | # cases}", count=len(one.cases)))
        if one.reached is not None:
            texts.append(reached_words(one.reached))
        if not texts:
            continue
        arguments = [uri_of(path), where.start, here.locations(one.symbol.places)]
        title = " · ".join(map(say, texts))
        shown = t.Command(title, "grognard.showReferences", None, arguments)
        explained = t.Command(say(said("explain")), "grognard.explain", None, arguments[:2])
        found += [t.CodeLens(where, command=shown), t.CodeLens(where, command=explained)]
    return found


def semantic_tokens(desk: Desk, path: Path) -> t.SemanticTokens:
    """The names of a source by what they are."""
    here = SymbolPlace(desk, path)
    data: list[int] = []
    line = column = 0
    for span, symbol in here.symbols.in_file(here.source_name) if here.symbols is not None else ():
        named = TOKENS.get(symbol.kind)
        if named is None:
            continue
        at = here.places.position(span.start)
        length = here.places.position(span.end).character - at.character
        declared = any(one.at.start == span.start for one in symbol.definitions)
        step = at.character - column if at.line == line else at.character
        data += [at.line - line, step, length, TOKEN_TYPES.index(named), int(declared)]
        line, column = at.line, at.character
    return t.SemanticTokens(data)


# ---------------------------------------------------------------------- calls


def callable_at(desk: Desk, path: Path, at: t.Position) -> list[t.CallHierarchyItem]:
    """What can be called that is named at a place."""
    here = SymbolPlace(desk, path, at)
    if here.found is None:
        return []
    items = (_item(here, one) for one in here.found[0].definitions if one.kind in _CALLED)
    return [one for one in items if one is not None]


def _item(here: SymbolPlace, one: Definition) -> t.CallHierarchyItem | None:
    whole, name = here.location(one.decl.span), here.location(one.at)
    if whole is None or name is None:
        return None
    kind = SYMBOL_KINDS.get(one.kind, t.SymbolKind.Function)
    return t.CallHierarchyItem(one.name, kind, whole.uri, whole.range, name.range, None, one.kind)


def callers(desk: Desk, item: t.CallHierarchyItem) -> list[t.CallHierarchyIncomingCall]:
    """The declarations in which something is called."""
    here = SymbolPlace(desk, path_of(item.uri), item.selection_range.start)
    if here.found is None or here.symbols is None:
        return []
    found: dict[tuple[str, int], tuple[t.CallHierarchyItem, list[t.Range]]] = {}
    for span in here.found[0].places:
        for one in _enclosing(here.symbols, span):
            called, place = _item(here, one), here.location(span)
            if called is not None and place is not None and one.at != span:
                key = (one.at.file, one.at.start)
                found.setdefault(key, (called, []))[1].append(place.range)
    return [t.CallHierarchyIncomingCall(one, ranges) for one, ranges in found.values()]


def _enclosing(symbols: Symbols, span: Span) -> Iterator[Definition]:
    """What a place stands in: the declaration, or what a rule is for."""
    for symbol in symbols.symbols:
        for one in symbol.definitions:
            if one.kind in (*_CALLED, "rule", "reaction", "check") and one.decl.span.holds(span):
                yield one


def calls_from(desk: Desk, item: t.CallHierarchyItem) -> list[t.CallHierarchyOutgoingCall]:
    """What is called in a declaration."""
    path = path_of(item.uri)
    here = SymbolPlace(desk, path, item.selection_range.start)
    if here.found is None or here.symbols is None:
        return []
    spans = [d.decl.span for d in here.found[0].definitions if d.at.file == here.source_name]
    found: dict[int, tuple[t.CallHierarchyItem, list[t.Range]]] = {}
    for span, symbol in here.symbols.in_file(here.source_name):
        if symbol is here.found[0] or not any(one.holds(span) for one in spans):
            continue
        for one in symbol.definitions[:1]:
            called = _item(here, one) if one.kind in _CALLED else None
            if called is not None:
                found.setdefault(id(symbol), (called, []))[1].append(here.places.of(span))
    return [t.CallHierarchyOutgoingCall(one, ranges) for one, ranges in found.values()]
