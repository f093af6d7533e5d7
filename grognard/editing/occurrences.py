"""Where a word stands in files of data: in texts, looks, scenarios and cases, but for sentences.

What it names there hangs on more than the word; who changes it, asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dsl.source import Source, Span
from grognard.cases.suite import files_about
from grognard.editing.desk import Desk
from grognard.files import below
from runtime.data.reader import Node, Scalar, Sequence, read_tree

#: The keys behind which people write sentences.
_SENTENCES: Final = frozenset(
    ("name", "log", "note", "notes", "title", "why", "prompt", "sources", "date")
)


def whole(word: str) -> str:
    """A pattern for a word that is no part of a longer one."""
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"


def in_data(desk: Desk, game: Path, word: str) -> Iterator[tuple[Path, Span]]:
    """Where a word stands in the texts, looks, scenarios and cases of a ruleset."""
    rules = (path for folder in desk.family(game) for path in below(folder, ".yaml"))
    for path in dict.fromkeys((*rules, *desk.scenarios_of(game), *files_about(game))):
        yield from _in_file(desk, path, word)


def _in_file(desk: Desk, path: Path, word: str) -> Iterator[tuple[Path, Span]]:
    text = desk.text(path)
    root = read_tree(text, str(path))[0] if re.search(whole(word), text) else None
    if root is None:
        return
    source = Source(str(path), text)
    for scalar in _word_scalars(root):
        at = source.at(scalar.line, scalar.column)
        end = source.at(scalar.line, scalar.end) if scalar.end else at + len(scalar.text)
        for found in re.finditer(whole(word), text[at:end]):
            yield path, source.span(at + found.start(), at + found.end())


def _word_scalars(node: Node) -> Iterator[Scalar]:
    """The scalars of a file that are no sentences."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _word_scalars(item)
    else:
        for key, value in node.entries:
            yield key
            if key.text not in _SENTENCES:
                yield from _word_scalars(value)
