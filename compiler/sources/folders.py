"""The folders of rulesets: where they are, what they extend, what they contain."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from compiler.sources.files import Files, display_name
from dsl.source import Span
from runtime.data.reader import as_text, parse
from runtime.files import entries, read_bytes

#: Finds the folder of a ruleset by name.
Finder = Callable[[str], Path | None]


def is_ruleset(folder: Path) -> bool:
    """Whether a folder holds a ruleset."""
    return bool(entries(folder, ".grog"))


def find_in(root: Path) -> Finder:
    """Rulesets are folders beside each other below *root*."""

    def find(name: str) -> Path | None:
        folder = root / name
        return folder if is_ruleset(folder) else None

    return find


def content_hash(folders: list[Path]) -> str:
    """A hash of the sources of a ruleset and its bases (16 hexadecimal digits).  OSError when one
    cannot be read.
    """
    digest = hashlib.blake2b(digest_size=8)
    for name, content in _sources(Files(), folders):
        digest.update(f"{name}\0".encode(errors="surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def _sources(files: Files, folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    """The files with rules and boards of a ruleset and its bases, with the names people see."""
    for folder in folders:
        boards = files.entries(folder, ".yaml", "boards")
        for path in (*files.entries(folder, ".grog"), *boards):
            yield display_name(folder, path), files.bytes_of(folder, path)


#: Of how many files the content is kept, while they are edited.
_KEPT = 128
#: A comment, what stands in quotes, a word, a sign.
_TOKEN = re.compile(r'#[^\n]*|"[^"\n]*"|\w+|[^\w\s]')


def rules_hash(files: Files, folders: list[Path], weights: Iterable[Span] = ()) -> str:
    """A hash of what the sources of a ruleset and its bases say (16 hexadecimal digits), layout and
    comments left out: records name their rules by it.  No rule hangs on the values of *weights*,
    and so the hash does not.  OSError when a source cannot be read.
    """
    places: dict[str, list[Span]] = {}
    for span in weights:
        places.setdefault(span.file, []).append(span)
    digest = hashlib.blake2b(digest_size=8)
    for name, source in _sources(files, folders):
        text = source.decode(errors="surrogateescape").removeprefix("\ufeff")
        for span in sorted(places.get(name, ()), key=lambda span: -span.start):
            text = f"{text[: span.start]}0{text[span.end :]}"
        content = _tokens(text) if name.endswith(".grog") else _content(text)
        digest.update(f"{name}\0{content}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


@lru_cache(_KEPT)
def _tokens(text: str) -> str:
    return " ".join(token for token in _TOKEN.findall(text) if token[0] != "#")


@lru_cache(_KEPT)
def _content(text: str) -> str:
    root, faults = parse(text, "")
    return text if faults else repr(as_text(root))  # what is wrong with it is told elsewhere


def chain(folder: Path, find: Finder) -> list[Path]:
    """The folder and those of the rulesets it extends, found by their header lines alone."""
    folders = [folder]
    seen = {folder.name}
    current = folder
    while True:
        base = None
        for path in entries(current, ".grog"):
            text = read_bytes(path, within=current).decode("utf-8", errors="replace")
            match = re.search(r"^\s*ruleset\s+\w+\s+extends\s+(\w+)", text, re.MULTILINE)
            if match:
                base = match.group(1)
                break
        base_folder = find(base) if base and base not in seen else None
        if base_folder is None:
            return folders
        seen.add(base_folder.name)
        folders.append(base_folder)
        current = base_folder
