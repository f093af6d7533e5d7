"""The index of rule IDs, ``rulebook.yaml``: where each stands, what of a base carries it out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from compiler.sources.data_files import read_mapping, report_faults, span_of
from compiler.sources.files import Files, Report
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.nodes.declarations import RULE_ID
from dsl.source import Source, Span
from runtime.data.check import faults
from runtime.data.reader import Mapping, Node, entries_of, items_of, text_of
from runtime.data.shapes import SCALAR, WORDED, Either, List, Record, Text, Truth
from runtime.spelling import code_point, odd
from runtime.words.said import OR, join_with_word, said

_ID = Text(types=WORDED, want="an ID, or a list of IDs")
#: What an entry may say of an ID.
_ENTRY: Final = Record(
    keys={
        **dict.fromkeys(("source", "page", "topic"), SCALAR),
        "mechanic": Truth(words=("yes", "no")),
        "by": Either(shapes=(_ID, List(item=_ID))),
    },
)
#: What looks like a hyphen.
_DASHES = re.compile("[\u2010-\u2015\u2212]")

Tree = TypeVar("Tree", bound=n.Node)


@dataclass(frozen=True)
class Entry:
    """What an index says of one ID.

    *mechanic* is false for IDs that state nothing to be carried out (components, advice, examples);
    *by* are IDs of a base: what cites them carries this ID out.
    """

    id: str
    span: Span
    source: str = ""
    page: str = ""
    topic: str = ""
    mechanic: bool = True
    by: tuple[str, ...] = ()


@dataclass
class Index:
    """The index of one ruleset of a family; not *whole*: what stands in it cannot be read."""

    ruleset: str
    entries: dict[str, Entry] = field(default_factory=dict)
    abstract: bool = False
    whole: bool = True


class CarriedCitations(tuple[str, ...]):
    """Citations of a base in the terms of what extends it; *own* are those its author wrote, and
    make a difference between two that are carried.
    """

    own: tuple[str, ...]

    def __new__(cls, rules: tuple[str, ...], own: tuple[str, ...] = ()) -> CarriedCitations:
        """*rules*, cited as *own*, which is set afterwards where it is unpickled."""
        result = super().__new__(cls, rules)
        result.own = own
        return result

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and (
            not isinstance(other, CarriedCitations) or self.own == other.own
        )

    __hash__ = tuple.__hash__


def read_index(
    files: Files, folder: Path, sources: dict[str, Source], report: Report
) -> Index | None:
    """The index of the ruleset in *folder*; None without one."""
    path = folder / "rulebook.yaml"
    if not files.has(folder, path):
        return None
    unreadable: list[Diagnostic] = []
    source, root = read_mapping(files, folder, path, sources, "C703", unreadable.append)
    index = files.content_of(source, lambda own: _index(folder.name, source, root, own), report)
    for finding in unreadable:
        report(finding)
    return replace(index, whole=bool(index.entries) or not unreadable)


def _index(ruleset: str, source: Source, root: Mapping, report: Report) -> Index:
    """What an index says."""
    index = Index(ruleset)
    for key, node in root.entries:
        report_faults(source, faults(node, _ENTRY, (key.text,)), "C704", report)
        name, span = key.text, span_of(source, key)
        if not RULE_ID.fullmatch(name):
            form = "an ID is letters and digits, '-', then letters, digits, '.' and '-': X-1.1"
            dash = _DASHES.search(name)
            remedy = (
                said("write '-' for {code_point}", code_point=code_point(dash[0]))
                if dash
                else odd(name) or form
            )
            report(
                Diagnostic(
                    "C704", said("'{name}' is not a rule ID", name=name), span, remedy=remedy
                )
            )
            name = _DASHES.sub("-", name)
        index.entries[name] = _entry(name, span, node)
    return index


def _entry(name: str, span: Span, node: Node) -> Entry:
    """What an entry says, as far as it can be read."""
    given = {key.text: value for key, value in entries_of(node)}
    source, page, topic, mechanic = (
        text_of(given.get(key)) for key in ("source", "page", "topic", "mechanic")
    )
    by = tuple(text_of(item) for item in items_of(given.get("by")) if text_of(item))
    return Entry(name, span, source, page, topic, mechanic not in ("false", "no"), by)


def check_bases(indexes: list[Index], report: Report) -> None:
    """Report what is carried out ``by`` IDs that no base has; that of the ruleset comes first."""
    for number, index in enumerate(indexes):
        below = {rule for other in indexes[number + 1 :] for rule in other.entries}
        lacking = [(e, rule) for e in index.entries.values() for rule in e.by if rule not in below]
        for entry, rule in lacking:
            none = said(
                "{id}: no ruleset that '{ruleset}' extends", id=entry.id, ruleset=index.ruleset
            )
            message = said("{none} has the rule '{rule}' in its index", none=none, rule=rule)
            if rule in index.entries:
                message += said(" (an ID of the same index does not carry out another)")
            remedy = did_you_mean(rule, below) or "name IDs of the index of a base"
            report(Diagnostic("C704", message, entry.span, remedy=remedy))


def check_citations(
    names: list[str],
    indexes: list[Index],
    citations: dict[str, tuple[n.Citation, ...]],
    books: dict[str, n.Ident],
    report: Report,
) -> None:
    """Report IDs that no index of the file's own ruleset, or of what it extends, knows.

    *names* are the rulesets of the family, the one that is checked first; *citations* are those of
    each file, *books* the files that name a rulebook. Where no ruleset has an index nothing is
    reported but citations by ``§`` that no rulebook is named for.
    """
    known_by = {
        name: {rule for index in indexes if index.ruleset in names[at:] for rule in index.entries}
        for at, name in enumerate(names)
    }
    prefixes_of = {
        name: sorted({rule.partition("-")[0] for rule in ids}) for name, ids in known_by.items()
    }
    for file, cited in citations.items():
        bookless = [one for one in cited if one.rule.startswith("§")]
        if bookless:
            message = said("nothing says which rulebook '{rule}' stands in", rule=bookless[0].rule)
            if len(bookless) > 1:
                message += said(", nor {count} more of this file", count=len(bookless) - 1)
            remedy = "write 'cites X', with the prefix of its IDs, below the header of the ruleset"
            report(Diagnostic("C709", message, bookless[0].span, remedy=remedy))
        ruleset = file.partition("/")[0]
        allowed = names[names.index(ruleset) :] if ruleset in names else ()
        read = [index for index in indexes if index.ruleset in allowed]
        ids = known_by.get(ruleset, set())
        if not read or not all(index.whole for index in read):
            continue
        prefixes = prefixes_of[ruleset]
        book = books.get(file)
        if book is not None and book.text not in prefixes:
            message = said("no ID of the rulebook index begins with '{book}-'", book=book)
            remedy = said(
                "name the prefix of its IDs: {prefixes}", prefixes=join_with_word(OR, prefixes)
            )
            report(Diagnostic("C701", message, book.span, remedy=remedy))
        known = {*prefixes, ""}
        for citation in cited:
            rule = citation.rule
            if rule in ids or rule.startswith("§"):
                continue
            if citation.short and rule.partition("-")[0] not in known:  # reported at the rulebook
                continue
            other = next((index.ruleset for index in indexes if rule in index.entries), None)
            near, enter = did_you_mean(rule, ids), "enter it in rulebook.yaml"
            remedy = said("cite a rule of rulebook.yaml, or {enter}", enter=enter)
            if near:
                remedy = said("{near} Otherwise {enter}", near=near, enter=enter)
            if other is not None:
                own = said(
                    "an ID of its own, which the index of '{other}' names with 'by'", other=other
                )
                remedy = said("'{other}' only extends it: cite {own}", other=other, own=own)
            message = said(
                "the rulebook index of '{ruleset}' has no rule '{rule}'", ruleset=ruleset, rule=rule
            )
            report(Diagnostic("C701", message, citation.span, remedy=remedy))


def carriers(indexes: list[Index]) -> dict[str, tuple[str, ...]]:
    """For each ID of a base that others are carried out by, what is cited where it is.

    That is those others, in the order of their indexes, and before them the ID itself where its
    ruleset is played as it is.
    """
    played = {rule for index in indexes if not index.abstract for rule in index.entries}
    direct: dict[str, list[str]] = {}
    for index in indexes:
        for entry in index.entries.values():
            for rule in entry.by:
                direct.setdefault(rule, []).append(entry.id)

    def last(rule: str, way: tuple[str, ...]) -> list[str]:
        if rule in way or rule not in direct:
            return [rule]
        own = [rule] if rule in played else []
        return own + [r for other in direct[rule] for r in last(other, (*way, rule))]

    return {rule: tuple(dict.fromkeys(last(rule, ()))) for rule in direct}


def carry(node: Tree, by: dict[str, tuple[str, ...]]) -> Tree:
    """*node* with the citations in it in the terms of what extends the ruleset they stand in."""
    changes: dict[str, Any] = {}
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if name != "rules":
            new = _carried(value, by)
        elif any(rule in by for rule in value):
            rules = dict.fromkeys(r for rule in value for r in by.get(rule, (rule,)))
            new = CarriedCitations(tuple(rules), value)
        else:
            continue
        if new is not value:
            changes[name] = new
    return replace(node, **changes) if changes else node


def _carried(value: Any, by: dict[str, tuple[str, ...]]) -> Any:
    if isinstance(value, n.Node):
        return carry(value, by)
    if isinstance(value, tuple):
        items = tuple(_carried(item, by) for item in value)
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value
