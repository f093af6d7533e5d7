"""Reading the files of a ruleset and of those it extends, and applying its verbs.

The result is one flat list of declarations; whether they make sense is the checker's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compiler.sources.family import Called, Family, key_of
from compiler.sources.files import Files, Memory
from compiler.sources.folders import Finder, is_ruleset
from compiler.sources.rulebook import (
    CarriedCitations,
    Index,
    carriers,
    carry,
    check_bases,
    check_citations,
    read_index,
)
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, did_you_mean
from dsl.moving import shifted
from dsl.parser import book_of_folder
from dsl.source import NOWHERE, Source, Span
from runtime.words.said import said


@dataclass
class Resolved:
    """A ruleset as one list of declarations, with everything read on the way."""

    name: str
    #: of which it is read
    files: Files = field(default_factory=Files, repr=False)
    bases: tuple[str, ...] = ()
    decls: list[n.Decl] = field(default_factory=list)
    #: what stands in the files, with the verbs, those of the bases first
    written: list[n.Decl] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    #: the indexes of rule IDs, that of the ruleset itself first
    indexes: list[Index] = field(default_factory=list)
    #: only there to be extended
    abstract: bool = False
    #: which rulesets of the family are
    abstracts: set[str] = field(default_factory=set)
    #: whether the ruleset that it extends could be read, if it extends one
    complete: bool = True
    #: names that what could not be read may have declared
    lost: set[str] = field(default_factory=set)
    #: by the identities of declarations that only stand elsewhere than before: as they were
    moved: dict[int, n.Node] = field(default_factory=dict)
    #: what verbs have put in the place of something with other parameters, by name, with that
    reshaped: dict[str, tuple[Called, Called]] = field(default_factory=dict)
    #: the IDs cited in each file, by the name shown to people
    citations: dict[str, tuple[n.Citation, ...]] = field(default_factory=dict)
    #: the headings of each file, likewise
    sections: dict[str, tuple[n.Section, ...]] = field(default_factory=dict)
    #: where each file that names a rulebook for its citations by ``§`` does so, likewise
    books: dict[str, n.Ident] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def heading(self, span: Span) -> str:
        """The title of the section that something stands in; empty where it stands in none."""
        sections = self.sections.get(span.file, ())
        above = [s.title for s in sections if s.heads and s.span.start <= span.start]
        return above[-1] if above else ""


def resolve(name: str, folder: Path, find: Finder, files: Files) -> Resolved:
    """Read ruleset *name* in *folder*."""
    out = Resolved(name, files=files)
    report = out.diagnostics.append
    family = Family(report)
    _Reader(out, family, find).read(name, folder, [])
    out.decls, out.reshaped = family.decls, family.reshaped
    indexes = (read_index(files, one, out.sources, report) for one in out.folders)
    out.indexes = [index for index in indexes if index is not None]
    for index in out.indexes:
        index.abstract = index.ruleset in out.abstracts
    check_bases(out.indexes, report)
    names = [one.name for one in out.folders]
    check_citations(names, out.indexes, out.citations, out.books, report)
    by = carriers(out.indexes)
    if by:
        out.decls = [carry(decl, by) for decl in out.decls]
    _compare(out, files.memory)
    return out


def _compare(out: Resolved, memory: Memory) -> None:
    """Put what declarations were made into before in the place of what is the same, so that their
    checking is kept, and remember what only stands elsewhere in its file.
    """
    now = set(map(id, out.decls))
    known = [decl for decls in reversed(memory.decls) for decl in decls]
    before = set(map(id, known))
    gone = [decl for decl in known if id(decl) not in now]
    by_span = {decl.span: decl for decl in gone}
    by_name = {(key_of(decl), decl.span.file): decl for decl in gone}
    for i, decl in enumerate(out.decls):
        if id(decl) in before:
            continue
        was = out.moved.get(id(decl))
        if was is None:
            was = by_span.get(decl.span)
            if was is not None and _is_unchanged(decl, was, decl.span, decl.span):
                out.decls[i] = was
                continue
            was = by_name.get((key_of(decl), decl.span.file))
            if was is None or not _is_unchanged(was, decl, was.span, decl.span):
                continue
            out.moved[id(decl)] = was
        if isinstance(decl, n.Effect) and isinstance(was, n.Effect):
            out.moved.update(zip(map(id, decl.body), was.body, strict=True))
    memory.decls = out.decls, *memory.decls[:1]


def _is_unchanged(one: Any, other: Any, inside: Span, now: Span) -> bool:
    """Whether all in two nodes is the same, and stands in the same places as far as these are
    *inside* of a stretch of a file, which stands *now* elsewhere; nothing may stand outside then.
    """
    if one is other and inside is now:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Span):
        return bool((one if inside is now else shifted(one, inside, now)) == other)
    if isinstance(one, n.Node):
        names = one.__dataclass_fields__
        return all(
            _is_unchanged(getattr(one, name), getattr(other, name), inside, now) for name in names
        )
    if isinstance(one, tuple) and not isinstance(one, CarriedCitations):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_is_unchanged(*pair, inside, now) for pair in pairs)
    return bool(one == other)


class _Reader:
    """Reads the files of a ruleset and of its bases into one family of declarations."""

    def __init__(self, out: Resolved, family: Family, find: Finder) -> None:
        self.out = out
        self.family = family
        self.find = find

    def read(self, name: str, folder: Path, chain: list[str]) -> None:
        """Read a ruleset, which those of *chain* extend, behind what it extends itself."""
        out = self.out
        decls, whole = self._declarations(name, folder)
        headers = [decl for decl in decls if isinstance(decl, n.Header)]
        for other in headers[1:]:
            labels = (Label(headers[0].span, "the other one"),)
            message, remedy = "a ruleset has one header", "remove one of the two lines"
            self._report("R102", message, other.span, remedy, labels)
        header = headers[0] if headers else None
        out.folders.append(folder)
        if header is not None and header.abstract:
            out.abstracts.add(name)
            out.abstract = out.abstract or not chain
        if header is None:
            out.complete = out.complete and whole
            if whole:
                sources = (s for s in out.sources.values() if s.name.startswith(f"{name}/"))
                where = next((s.span(0, 0) for s in sources), NOWHERE)
                message = said("no file of the ruleset '{name}' has a header", name=name)
                self._report(
                    "R102", message, where, said("add the line: ruleset {name}", name=name)
                )
        elif header.base is not None:
            self._read_base(header.base, folder, [*chain, name])
        declared = [decl for decl in decls if not isinstance(decl, n.Header)]
        out.written += declared
        self.family.merge(declared)

    def _read_base(self, base: n.Ident, folder: Path, chain: list[str]) -> None:
        """Read what the last ruleset of *chain*, in *folder*, extends."""
        if base.text in chain:
            circle = " → ".join([*chain, base.text])
            message = said("rulesets extend each other in a circle: {circle}", circle=circle)
            self._report("R103", message, base.span, "extend another ruleset")
            self.out.complete = False
            return
        base_folder = self.find(base.text)
        if base_folder is None:
            message = said("there is no ruleset '{base}' to extend", base=base)
            remedy = "rulesets are looked for beside this one; check the name"
            near = did_you_mean(base.text, _neighbouring_rulesets(folder))
            self._report("R101", message, base.span, near or remedy)
            self.out.complete = False
            return
        self.read(base.text, base_folder, chain)
        self.out.bases = (base.text, *self.out.bases)

    def _declarations(self, name: str, folder: Path) -> tuple[list[n.Decl], bool]:
        """What stands in the files of a ruleset, and whether all of it could be read."""
        out, decls, whole = self.out, list[n.Decl](), True
        files = out.files
        sources = [files.rules(folder, path) for path in files.entries(folder, ".grog")]
        book = book_of_folder(source.text for source in sources)
        for source in sources:
            result, shown = files.parsed(source, book), source.name
            out.sources[shown] = source
            out.diagnostics.extend(result.diagnostics)
            out.lost |= result.lost
            out.moved.update((id(decl), was) for decl, was in result.moved)
            out.citations[shown] = result.module.citations
            out.sections[shown] = result.module.sections
            out.books.update((shown, named) for named in result.module.books[:1])
            whole = whole and not result.diagnostics
            decls += result.module.decls
        return decls, whole

    def _report(
        self, code: str, message: str, span: Span, remedy: str, labels: tuple[Label, ...] = ()
    ) -> None:
        diagnostic = Diagnostic(code, message, span, labels=labels, remedy=remedy)
        self.out.diagnostics.append(diagnostic)


def _neighbouring_rulesets(folder: Path) -> list[str]:
    """The rulesets in the folder that holds this one."""
    try:
        return sorted(one.name for one in folder.absolute().parent.iterdir() if is_ruleset(one))
    except OSError:
        return []
