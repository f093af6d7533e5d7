"""What the remedy of a finding would change, where its words say so exactly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dsl import nodes as n
from dsl.source import Source
from grognard.editing.desk import GROG, Desk
from grognard.editing.edits import Edit, apply_edits
from runtime.data.findings import Finding
from runtime.words.said import said

_MEANT = re.compile(r"did you mean (its )?'?([\w.\-]+)'?\?")
_REMOVE = re.compile(r"remove (?:it|one of the two)(?=$|[,;:.])")
_INSTEAD = re.compile(r"(?:leave them out|write just|write): ?((?:(?! or |…).)+?)$")
_WITHOUT = re.compile(r"(?:remove|leave out) '([a-z ]+)'")
_DECLARED = re.compile(r"declare it '(\w+)' or '(\w+)'")
_ROW = re.compile(r"add a row \| ([^|]+) \|")


@dataclass(frozen=True, slots=True)
class Mending:
    """What would be done, in words, and the edits of the file of the finding."""

    title: str
    edits: tuple[Edit, ...]


def mendings(desk: Desk, finding: Finding) -> list[Mending]:
    """The ways in which a finding can be mended so that it is gone and no other error has come."""
    path = Path(finding.file)
    text = desk.text(path)
    if not finding.line or not finding.remedy:
        return []
    source = Source(finding.file, text)
    start = source.at(finding.line, finding.column)
    end = source.at(finding.end_line, finding.end_column) if finding.end_line else start
    if end <= start:
        word = re.match(r"[\w.\-]+", text[start:])
        end = start + len(word[0] if word else "")
    place = _Place(desk, path, text, start, end, finding)
    looks = finding.code.startswith("V")
    before = _errors(desk, path, looks)
    found: dict[tuple[Edit, ...], Mending] = {}
    for one in (one for way in _WAYS for one in way(place)):
        after = _errors(desk.trying(path, apply_edits(text, one.edits)), path, looks)
        if (finding.code, finding.message) not in after and sum(after.values()) <= sum(
            before.values()
        ):
            found.setdefault(one.edits, one)
    return list(found.values())


def _errors(desk: Desk, path: Path, looks: bool) -> Counter[tuple[str, str]]:
    """The findings around a file, by code and message."""
    return Counter(
        (f.code, f.message) for found in desk.findings(path, looks).values() for f in found
    )


@dataclass(frozen=True, slots=True)
class _Place:
    desk: Desk
    path: Path
    text: str
    start: int
    end: int
    finding: Finding

    @property
    def remedy(self) -> str:
        return self.finding.remedy

    def declaration(self) -> n.Decl | None:
        """The declaration that the finding stands in."""
        folder = self.desk.folder_of(self.path) if self.path.suffix == GROG else None
        if folder is None:
            return None
        shown = f"{folder.name}/{self.path.name}"
        for decl in self.desk.ruleset(folder).resolved.written:
            if decl.span.file == shown and decl.span.start <= self.start < decl.span.end:
                return decl
        return None


def _meant(place: _Place) -> Iterator[Mending]:
    """Another name was meant."""
    for its, meant in _MEANT.findall(place.remedy):
        if its:
            yield Mending(
                said("Write its '{meant}'", meant=meant), (Edit(place.end, place.end, f".{meant}"),)
            )
            continue
        here = place.text[place.start : place.end]
        wrong = re.search(r"'([^']+)'", place.finding.message)
        at, end = place.start, place.end
        if wrong is not None and place.text.startswith(wrong[1], at):  # a text of several words
            end = at + len(wrong[1])
        elif wrong is not None and wrong[1] != here and wrong[1] in here:
            at = place.start + here.rindex(wrong[1])
            end = at + len(wrong[1])
        yield Mending(said("Write '{meant}'", meant=meant), (Edit(at, end, meant),))


def _instead(place: _Place) -> Iterator[Mending]:
    """The remedy is what should be written."""
    found = _INSTEAD.search(place.remedy)
    if found is not None and re.match(r"[\w(|{'\"§@]", found[1]) and not found[1].startswith("a "):
        yield Mending(
            said("Write: {found}", found=found[1]), (Edit(place.start, place.end, found[1]),)
        )


def _remove_word(place: _Place) -> Iterator[Mending]:
    """A word is too many, here or in the declaration that the finding is about."""
    found = _WITHOUT.match(place.remedy)
    decl = place.declaration()
    if found is None or decl is None:
        return
    for start, end in ((place.start, place.end), (decl.span.start, decl.span.end)):
        words = [*re.finditer(rf" ?\b{found[1]}\b", place.text[start:end])]
        if len(words) == 1:
            edit = Edit(start + words[0].start(), start + words[0].end(), "")
            yield Mending(said("Remove '{found}'", found=found[1]), (edit,))
            return


def _remove(place: _Place) -> Iterator[Mending]:
    """What the finding is about is too many: what stands there, or what is declared there."""
    if _REMOVE.match(place.remedy) is None or _INSTEAD.search(place.remedy) is not None:
        return
    start, end = place.start, place.end
    decl = place.declaration()
    name = getattr(decl, "name", None)
    if decl is not None and isinstance(name, n.Ident) and name.span.start == start:
        start, end = decl.span.start, decl.span.end
    elif decl is not None:
        parts = (*n.children(decl), *(p for one in n.children(decl) for p in n.children(one)))
        for part in parts:
            own = part.cells[0] if isinstance(part, n.Row) and part.cells else part
            own = getattr(own, "name", own)
            if isinstance(own, n.Ident | n.Cell | n.Member) and own.span.start == start:
                start, end = part.span.start, part.span.end
    title = said("Remove '{short}'", short=_short(place.text[start:end]))
    yield Mending(title, (_line_of(place.text, start, end),))


def _line_of(text: str, start: int, end: int) -> Edit:
    """The removal of a stretch, with the line that nothing else stands on."""
    begin, behind = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    behind = len(text) if behind < 0 else behind + 1
    alone = not text[begin:start].strip() and not text[end:behind].strip()
    return Edit(begin, behind, "") if alone else Edit(start, end, "")


def _add_word(place: _Place) -> Iterator[Mending]:
    """A field lacks a word."""
    found = _DECLARED.match(place.remedy)
    if found is not None:
        line = place.text.find("\n", place.start)
        code = place.text[place.start : line if line >= 0 else len(place.text)]
        at = place.start + len(re.split(r"\s*(?:#|\}|\"|$)", code)[0])
        for word in found.groups():
            yield Mending(said("Declare it '{word}'", word=word), (Edit(at, at, f" {word}"),))


def _rows(place: _Place) -> Iterator[Mending]:
    """A table lacks a row: one like the last, to be filled in."""
    decl = place.declaration()
    found = _ROW.match(place.remedy)
    if found is None or not isinstance(decl, n.Table | n.Matrix) or not decl.rows:
        return
    last = decl.rows[-1]
    cells = " | ".join([found[1].strip(), *("?" for _ in last.cells[1:])])
    margin = place.text[place.text.rfind("\n", 0, last.span.start) + 1 : last.span.start]
    row = f"\n{margin if not margin.strip() else '  '}| {cells} |"
    yield Mending(
        said("Add a row for '{found}'", found=found[1].strip()),
        (Edit(last.span.end, last.span.end, row),),
    )


def _short(text: str) -> str:
    line = text.strip().split("\n")[0]
    return line if len(line) <= 40 else f"{line[:39]}…"


_WAYS: tuple[Callable[[_Place], Iterator[Mending]], ...] = (
    *(_meant, _instead, _remove_word, _add_word, _rows, _remove),
)
