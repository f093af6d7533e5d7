"""What of a ruleset or a scenario is neither in the rulebook nor published, and why it is as it is.

>>> [mark.what for mark in house("cc_ancients") if not mark.reason]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

from compiler.output.report import shown_path
from compiler.sources.family import KIND_OF
from compiler.sources.resolve import Resolved
from dsl import nodes as n
from dsl.source import Source, Span
from grognard import places
from grognard.opening import ruleset_of
from runtime.data.check import check
from runtime.data.findings import Report as FileReport
from runtime.data.reader import Mapping, Node, Scalar, items_of, read_file, text_of
from runtime.errors import ArgumentError, LoadError, value_in_words
from runtime.files import entries
from runtime.scenario.origins import KEY, Origin, check_origins, origins
from runtime.scenario.shape import CODES, provenance_shape

#: The marks that can be asked for; ``rulebook`` needs none.
MARKS: Final = ("house", "published")
_WIDTH = 160
#: A text in quotes, which stays, or a comment.
_COMMENT: Final = re.compile(r'("[^"\n]*")|#[^\n]*')
_SAID = "and in place of the mark write @rule with the ID, or @published with where it stands"
_HOW: Final = {
    "file": "write your values, and make of 'provenance' a block that says which parts are whose",
    "part": (
        "write your values there, and move its path under 'provenance' to 'published:' or "
        "'rulebook:'"
    ),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that is marked, by its author, as designed here (``house``) or as published.

    *what* it is in words (``row LI of table unit_types``, ``pieces.Unit``), *kind* in one word;
    *file* and *line* are where its value stands, *value* how it is written there, shortened;
    *reason* why it is so, empty where nobody says; *how* is what an owner of the game does who
    wants values of his own; *section* the heading that it stands under, if any.
    """

    what: str
    kind: str
    provenance: str
    reason: str
    value: str
    file: str
    line: int
    how: str
    section: str = ""


def house(
    name: str | Path, *, marks: Sequence[str] = ("house",), root: str | Path | None = None
) -> tuple[Mark, ...]:
    """What is marked as designed here in a ruleset (its name or folder) or a scenario (its name or
    file).

    *marks*: ``house``, ``published``.  LoadError when there are errors, or nothing is so called.
    """
    wanted = tuple(marks) if isinstance(marks, Iterable) and not isinstance(marks, str) else ("",)
    if not all(isinstance(mark, str) and mark in MARKS for mark in wanted):
        raise ArgumentError(f"marks are among {', '.join(MARKS)}, not {value_in_words(marks)}")
    with places.searching(root):
        return marks_of(str(name), wanted)


def marks_of(name: str, marks: Sequence[str]) -> tuple[Mark, ...]:
    """The marks in a ruleset or a scenario: what is called so, rulesets first."""
    path = Path(name)
    if name in places.rulesets() or path.is_dir():
        return of_ruleset(places.ruleset_folder(name), marks)
    try:
        path_of_scenario = places.scenario_path(name)
    except LoadError:
        if "/" in name or name.endswith((".yaml", ".yml")):
            raise
        return of_ruleset(places.ruleset_folder(name), marks)
    return of_scenario(path_of_scenario, marks)


def of_ruleset(folder: Path, marks: Sequence[str] = ("house",)) -> tuple[Mark, ...]:
    """The marks in a ruleset, in those it extends and in their files of boards, as far as they are
    in force.  LoadError when a file cannot be read or has errors.
    """
    places.readable(folder)
    resolved = places.ruleset(folder).resolved
    if any(d.is_error for d in resolved.diagnostics):
        remedy = f"`grognard check {folder.name}` shows them"
        raise LoadError(f"the ruleset '{folder.name}' has errors", remedy)
    marked = [mark for mark in _Ruleset(resolved).marks() if mark.provenance in marks]
    for one in resolved.folders:
        for path in entries(one / "boards", ".yaml"):
            marked += of_file(path, marks)
    return tuple(marked)


def of_scenario(path: Path, marks: Sequence[str] = ("house",)) -> tuple[Mark, ...]:
    """The marks in a scenario and in the file of the board that it names.  LoadError when it cannot
    be read.
    """
    folder = ruleset_of(path)
    if isinstance(folder, list):
        raise places.of_findings(folder, shown_path(path))
    root = _tree(path)
    board = root.get("board")
    if isinstance(board, Mapping):
        _sound(board, path)
    marked = _of_tree(root, path, marks, "")
    if isinstance(board, Scalar):
        resolved = (one / "boards" / f"{board.text}.yaml" for one in places.family(folder))
        marked += tuple(
            mark for file in resolved if file.is_file() for mark in of_file(file, marks)
        )
    if isinstance(board, Mapping) and board.get(KEY) is not None:
        marked += _of_tree(board, path, marks, "board ")
    return marked


def of_file(path: Path, marks: Sequence[str] = ("house",)) -> tuple[Mark, ...]:
    """The marks in a file that says by ``provenance`` where its parts come from."""
    return _of_tree(_tree(path), path, marks, "")


def _tree(path: Path) -> Mapping:
    root, findings = read_file(path, shown_path(path))
    if not isinstance(root, Mapping):
        raise places.of_findings(findings, shown_path(path))
    _sound(root, path)
    return root


def _sound(root: Mapping, path: Path) -> None:
    """LoadError where what is said of the origin of parts is wrong: it would not be listed."""
    faults = FileReport(shown_path(path))
    check_origins(root, faults)
    if (node := root.get(KEY)) is not None:
        faults.findings += check(node, provenance_shape(), faults.file, CODES, (KEY,))
    if faults.findings:
        raise places.of_findings(faults.findings, faults.file)


def _of_tree(root: Mapping, path: Path, marks: Sequence[str], before: str) -> tuple[Mark, ...]:
    shown = shown_path(path)
    parts = (_part(root, one, shown, before) for one in origins(root) if one.provenance in marks)
    return tuple(sorted(parts, key=lambda mark: mark.line))


def _part(root: Mapping, one: Origin, file: str, before: str) -> Mark:
    """The mark of a part of a YAML file."""
    if not one.path:
        notes = " ".join(text_of(note) for note in items_of(root.get("notes")))
        what, line, how = f"{before}the whole file", one.word.line, _HOW["file"]
        return Mark(what, "file", one.provenance, notes, "", file, line, how)
    node: Node | None = root
    for step in one.path.split("."):
        node = node.get(step) if isinstance(node, Mapping) else None
    value, what, line = _cut(" ".join(_words(node))), before + one.path, one.node.line
    return Mark(what, "part", one.provenance, one.reason, value, file, line, _HOW["part"])


def _words(node: Node | None) -> Iterator[str]:
    """What a part of a file says, in short."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Mapping):
        for key, below in node.entries:
            yield f"{key.text}:"
            yield from _words(below)
    elif node is not None:
        yield f"[{len(node.items)}]"


class _Ruleset:
    """The marks in the sources of a ruleset and its bases."""

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self.houses = {
            entry.id: entry.topic
            for index in resolved.indexes
            if index.ruleset == resolved.name
            for entry in index.entries.values()
            if entry.source == "house"
        }
        self.alive = {node.span for decl in resolved.decls for node in _nodes(decl)}
        self.folders = {folder.name: folder for folder in resolved.folders}

    def marks(self) -> Iterator[Mark]:
        """The marks of everything in force, in the order of the files."""
        for decl in self.resolved.written:
            inner = decl.decl if isinstance(decl, n.Replace) else decl
            verb = isinstance(decl, n.Extend | n.Insert | n.Drop)
            if not verb and inner.span not in self.alive:
                continue
            kind, name = _kind_and_name(decl)
            own = self.mark(decl, f"{kind} {name}", kind)
            if own is not None:
                yield own
            yield from self.inner(inner, f"{kind} {name}", verb)

    def inner(self, decl: n.Decl, whole: str, verb: bool) -> Iterator[Mark]:
        """The marks of the parts of a declaration."""
        for part in _nodes(decl):
            if part is decl or getattr(part, "provenance", None) is None:
                continue
            if part.span not in self.alive and not (verb and isinstance(part, n.Branch | n.Stmt)):
                continue
            kind, name = _kind_and_name(part)
            mark = self.mark(part, f"{kind} {name} of {whole.removeprefix('more of ')}", kind)
            if mark is not None:
                yield mark

    def mark(self, node: Any, what: str, kind: str) -> Mark | None:
        """The mark of a declaration or a part of one."""
        provenance, reason = node.provenance, node.reason
        if provenance is None and node.rules and all(rule in self.houses for rule in node.rules):
            provenance = "house"
            reason = "; ".join(f"{rule}: {self.houses[rule]}" for rule in node.rules)
        if provenance is None:
            return None
        span = node.decl.span if isinstance(node, n.Replace) else node.span
        if isinstance(node, n.Field | n.Column | n.Branch):  # its own span begins with the mark
            span = replace(node.name.span, end=span.end)
        source = self.resolved.sources[span.file]
        value = _column(self.resolved, node) if isinstance(node, n.Column) else _text(source, span)
        file = shown_path(self.folders[span.file.partition("/")[0]] / span.file.partition("/")[2])
        marked = (what, kind, provenance, reason, value, file, span.line, _remedy_for(kind))
        return Mark(*marked, self.resolved.heading(span))


def _remedy_for(kind: str) -> str:
    """What an owner does who wants values of his own."""
    if kind in ("row", "column", "more of table"):
        verb = "table" if kind == "column" else "rows of"
        again = f"'replace {verb} …' in a ruleset that extends it"
        return f"write your values into it, {_SAID}; or {again}"
    if kind in ("field", "branch", "step", "member", "drop", "insert") or kind.startswith(
        "more of"
    ):
        return f"change it there, {_SAID}"
    return (
        f"change it there, {_SAID}; or write it anew behind 'replace' in a ruleset that extends it"
    )


def _nodes(value: Any) -> Iterator[Any]:
    """A node and all nodes below it."""
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif isinstance(value, n.Node) and is_dataclass(value):
        yield value
        for f in fields(value):
            yield from _nodes(getattr(value, f.name))


def _kind_and_name(node: Any) -> tuple[str, str]:
    """The kind of a declaration or part, and its name."""
    match node:
        case n.Replace():
            return _kind_and_name(node.decl)
        case n.Extend():
            return f"more of {'table' if node.kind == 'rows' else node.kind}", node.name.text
        case n.Drop():
            return "drop", f"{node.kind} {node.name.text}"
        case n.Insert():
            return "insert", f"{node.place} {node.step.text} of {node.procedure.text}"
        case n.RuleDecl():
            kind = {"most": "limit", "least": "limit"}.get(node.kind, node.kind)
            return kind, f"{node.name.text} for {node.signature.name.text}"
        case n.Case():
            return "case", f"{node.name.text} of {node.signature.name.text}"
        case n.Row():
            return "row", node.cells[0].text if node.cells else ""
        case n.Column() | n.Field() | n.Branch() | n.Step():
            return type(node).__name__.lower(), node.name.text
        case n.Member():
            return "member", node.text
        case n.Stmt():
            return "step", type(node).__name__.lower().removesuffix("stmt")
        case n.Measures():
            return "measure", ", ".join(name.text for name in node.names)
    kind = KIND_OF.get(type(node), type(node).__name__.lower())
    name = getattr(node, "name", None)
    return kind, name.text if isinstance(name, n.Ident) else ""


def _column(resolved: Resolved, column: n.Column) -> str:
    """The cells of a column, each with its row."""
    for decl in resolved.decls:
        if isinstance(decl, n.Table):
            for number, other in enumerate(decl.columns, 1):
                if other.span == column.span:
                    cells = (row.cells for row in decl.rows)
                    return _cut(
                        ", ".join(f"{c[0].text} {c[number].text}" for c in cells if len(c) > number)
                    )
    return ""


def _text(source: Source, span: Span) -> str:
    """What stands at a place, on one line and without comments."""
    plain = _COMMENT.sub(lambda found: found[1] or "", source.text[span.start : span.end])
    return _cut(" ".join(plain.split()))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
