"""Places in the terms of the protocol: URIs, lines from 0, and columns in units of UTF-16."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as t
from pygls import uris

from dsl.source import Source, Span


def path_of(uri: str) -> Path:
    """The file of a URI."""
    return Path(uris.to_fs_path(uri) or uri)


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


class Places:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        self.source = Source("", text)

    def offset(self, position: t.Position) -> int:
        """The offset of a position; beyond the end of its line, that end."""
        line = self.source.line(position.line + 1)
        before = line.encode("utf-16-le", "surrogatepass")[: 2 * position.character]
        column = len(before.decode("utf-16-le", "ignore"))
        return self.source.at(position.line + 1, column + 1)

    def position(self, offset: int) -> t.Position:
        """The position of an offset."""
        line, column = self.source.position(offset)
        before = self.source.line(line)[: column - 1]
        return t.Position(line - 1, len(before.encode("utf-16-le", "surrogatepass")) // 2)

    def range(self, start: int, end: int) -> t.Range:
        """The range from one offset to another."""
        return t.Range(self.position(start), self.position(end))

    def of(self, span: Span) -> t.Range:
        """The range of a span of this text."""
        return self.range(span.start, span.end)

    def lines(self, line: int, column: int, end_line: int, end_column: int) -> t.Range:
        """The range of a finding, whose lines and columns count from 1; of one without an end, of
        the word that begins there.
        """
        start = self.source.at(max(line, 1), max(column, 1))
        if end_line:
            return self.range(start, max(self.source.at(end_line, end_column), start))
        text = self.source.text
        end = start
        while end < len(text) and (text[end].isalnum() or text[end] in "_-."):
            end += 1
        return self.range(start, end)
