"""A place that an editor asks about, and what stands there."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as t

from dsl.source import Span
from grognard.editing.desk import GROG, Desk
from grognard.editing.meanings import Symbol, Symbols
from grognard.fronts.lsp.text_positions import Places, uri_of


class SymbolPlace:
    """A place in a file: the *symbols* of its game, the name *found* there with its place, and its
    *source_name*, which data have not: there words may name things (*candidates*).
    """

    def __init__(self, desk: Desk, path: Path, at: t.Position | None = None) -> None:
        folder = desk.folder_of(path)
        self.places = Places(desk.text(path))
        self.offset = self.places.offset(at) if at is not None else 0
        self.is_source = path.suffix == GROG
        self.symbols: Symbols | None = None
        self.source_name = ""
        self.found: tuple[Symbol, Span] | None = None
        self._files: dict[str, tuple[str, Places]] = {}
        if folder is not None:
            self.symbols = desk.symbols(desk.games_of(folder)[0])
            self.folder = self.symbols.ruleset.folder
            if self.is_source:
                self.source_name = f"{folder.name}/{path.name}"
                self.found = self.symbols.symbol_at(self.source_name, self.offset)

    @property
    def span(self) -> Span:
        """Where the word at the place stands."""
        text = self.places.source.text
        start = end = self.offset
        while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        return self.places.source.span(start, end)

    @property
    def word(self) -> str:
        """The word that stands there."""
        return self.places.source.text[self.span.start : self.span.end]

    @property
    def candidates(self) -> list[Symbol]:
        """What the word may name in a file of data."""
        if self.is_source or self.symbols is None:
            return []
        return self.symbols.by_name(self.word)

    @property
    def symbol(self) -> Symbol | None:
        """What is named there, where that is one thing."""
        if self.found is not None:
            return self.found[0]
        named = self.candidates
        return named[0] if len(named) == 1 else None

    def location(self, span: Span) -> t.Location | None:
        """A span of any file of the ruleset."""
        assert self.symbols is not None
        if span.file not in self._files:
            path = self.symbols.ruleset.paths.get(span.file)
            source = self.symbols.sources.get(span.file)
            if path is not None and source is not None:
                self._files[span.file] = uri_of(Path(path)), Places(source.text)
        file = self._files.get(span.file)
        return None if file is None else t.Location(file[0], file[1].of(span))

    def locations(self, spans: list[Span]) -> list[t.Location]:
        """The spans that lie in files."""
        return [one for one in map(self.location, spans) if one is not None]

    def link(self, text: str, span: Span) -> str:
        """A text in Markdown that leads to a span, where that lies in a file."""
        where = self.location(span)
        return text if where is None else f"[{text}]({where.uri}#L{where.range.start.line + 1})"
