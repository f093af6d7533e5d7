"""The files of rulesets: what is on disk, or texts that stand in for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dsl.diagnostics import Diagnostic
from dsl.source import Source
from runtime.data.findings import Finding
from runtime.data.reader import Node
from runtime.data.reader import parse as parse_yaml
from runtime.files import entries, read_bytes, read_text

if TYPE_CHECKING:
    from dsl.nodes import Decl
    from dsl.parser import ParseResult, Pieces

Report = Callable[[Diagnostic], None]
_Content = TypeVar("_Content")
_Tree = tuple[Node | None, tuple[Finding, ...]]


@dataclass
class _ParsedText:
    """A text of a file, and what was read of it."""

    source: Source
    #: with the rulebook of its folder
    parsed: tuple[str, ParseResult] | None = None
    tree: _Tree | None = None
    #: what is made of the tree, with what is wrong with it
    content: tuple[Any, list[Diagnostic]] | None = None


@dataclass
class Memory:
    """What was read of the last two texts of each file, by the name that people are shown, the last
    one first: an edit is often taken back.
    """

    read: dict[str, tuple[_ParsedText, ...]] = field(default_factory=dict)
    #: the declarations that were made of all files, likewise
    decls: tuple[list[Decl], ...] = ()

    def of(self, name: str, text: str) -> _ParsedText:
        """What was read of a text."""
        before = self.read.get(name, ())
        if before and before[0].source.text == text:
            return before[0]
        known = next((one for one in before if one.source.text == text), None)
        read = known or _ParsedText(Source(name, text))
        self.read[name] = read, *before[:1]
        return read


class Files:
    """Files in the folders of rulesets.

    *overlay* are texts that stand in for what is on disk, or for what is not there yet, by the
    names that people are shown (``no_retreat/texts/cs.yaml``).  What is read is kept in *memory*.
    """

    def __init__(
        self, overlay: Mapping[str, str] | None = None, memory: Memory | None = None
    ) -> None:
        self.overlay = dict(overlay or {})
        self.memory = memory or Memory()

    def entries(self, folder: Path, suffix: str, below: str = "") -> list[Path]:
        """The files with a suffix in the folder of a ruleset, or in one *below* it, by name."""
        place = folder / below if below else folder
        begin = display_name(folder, place) + "/"
        added = (name.removeprefix(begin) for name in self.overlay if name.startswith(begin))
        new = {place / name for name in added if _is_entry(name, suffix)}
        return sorted(new.union(entries(place, suffix))) if new else entries(place, suffix)

    def has(self, folder: Path, path: Path) -> bool:
        """Whether there is a file."""
        return display_name(folder, path) in self.overlay or path.is_file()

    def bytes_of(self, folder: Path, path: Path) -> bytes:
        """What is in a file.  OSError where it cannot be read."""
        text = self.overlay.get(display_name(folder, path))
        if text is None:
            return read_bytes(path, within=folder)
        return text.encode(errors="surrogatepass")

    def text(self, folder: Path, path: Path) -> str:
        """The text of a file.  OSError and UnicodeDecodeError where it cannot be read."""
        text = self.overlay.get(display_name(folder, path))
        return read_text(path, within=folder) if text is None else text

    def rules(self, folder: Path, path: Path) -> Source:
        """A file of rules, with signs in place of what is no UTF-8.  OSError where it cannot be
        read.
        """
        name = display_name(folder, path)
        text = self.overlay.get(name)
        if text is None:
            text = read_bytes(path, within=folder).decode("utf-8-sig", errors="replace")
        return self.source(name, text)

    def source(self, name: str, text: str) -> Source:
        """A text with its name; the very one of before where it has not changed."""
        return self.memory.of(name, text).source

    def parsed(self, source: Source, book: str) -> ParseResult:
        """What stands in a file of rules; declarations that have not changed are not read again."""
        from dsl.parser import parse  # start-up: the grammar takes 0.1 s, and play needs none

        read = self.memory.of(source.name, source.text)
        if read.parsed is None or read.parsed[0] != book:
            known: Pieces = {}
            for one in self.memory.read[source.name]:
                known = {**one.parsed[1].pieces, **known} if one.parsed is not None else known
            read.parsed = book, parse(source, book, known)
        return read.parsed[1]

    def content_of(
        self, source: Source, read: Callable[[Report], _Content], report: Report
    ) -> _Content:
        """What is *read* from a file in YAML alone; what is wrong with it is reported."""
        known = self.memory.of(source.name, source.text)
        if known.content is None:
            findings: list[Diagnostic] = []
            known.content = read(findings.append), findings
        for finding in known.content[1]:
            report(finding)
        result: _Content = known.content[0]
        return result

    def tree(self, source: Source) -> _Tree:
        """What stands in a file in YAML, None where that is nothing; and what is wrong with it."""
        known = self.memory.of(source.name, source.text)
        if known.tree is None:
            known.tree = parse_yaml(source.text, source.name)
        return known.tree


def display_name(folder: Path, path: Path) -> str:
    """What people are shown as the name of a file in the folder of a ruleset."""
    return f"{folder.name}/{path.relative_to(folder).as_posix()}".removesuffix("/.")


def _is_entry(name: str, suffix: str) -> bool:
    return name.endswith(suffix) and "/" not in name and not name.startswith(".")
