"""The index of rule IDs, ``rulebook.yaml``: where each ID stands, and which IDs of a base it is carried out
by.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Severity, did_you_mean
from dsl.nodes.declarations import RULE_ID
from dsl.source import Source, Span
from runtime.files import read_text, unreadable
from runtime.spelling import code_point, odd
from runtime.yaml_errors import explained
from runtime.yaml_plain import compose_plain

#: What an entry may say of an ID.
KEYS = ("source", "page", "topic", "mechanic", "by")
#: What looks like a hyphen.
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_BOOLS = {"true": True, "yes": True, "false": False, "no": False}

Report = Callable[[Diagnostic], None]
Node = TypeVar("Node", bound=n.Node)


@dataclass(frozen=True)
class Entry:
    """What an index says of one ID.

    *mechanic* is false for IDs that state nothing to be carried out (components, advice, examples); *by* are
    IDs of a base: what cites them carries this ID out.
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
    """The index of one ruleset of a family; *abstract*: that is only there to be extended; not *whole*: what
    stands in it cannot be read.
    """

    ruleset: str
    entries: dict[str, Entry] = field(default_factory=dict)
    abstract: bool = False
    whole: bool = True


class Carried(tuple[str, ...]):
    """Citations of a base in the terms of what extends it; *own* are those that its author wrote."""

    own: tuple[str, ...]

    def __new__(cls, rules: tuple[str, ...], own: tuple[str, ...]) -> Carried:
        """*rules*, cited as *own*."""
        result = super().__new__(cls, rules)
        result.own = own
        return result


def keyed(
    folder: Path, path: Path, sources: dict[str, Source], report: Report
) -> list[tuple[str, yaml.Node, Source, Span]]:
    """The keys of a YAML mapping with their values and places; what cannot be read is reported."""
    shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    each = "write one 'key: value' on each line"
    try:
        text = read_text(path, within=folder)
    except (OSError, UnicodeDecodeError) as error:
        reason, remedy = unreadable(error)
        message = f"{shown} cannot be read: {reason}"
        report(Diagnostic("C703", message, Source(shown, "").span(0, 0), remedy=remedy))
        return []
    source = sources.setdefault(shown, Source(shown, text))
    try:
        root = compose_plain(text)
    except yaml.YAMLError as error:
        trouble = explained(error, text)
        at = source.at(trouble.line, trouble.column)
        report(Diagnostic("C703", trouble.message, source.span(at, at), remedy=trouble.remedy))
        return []
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        report(Diagnostic("C703", "this is not a mapping of keys to values", source.span(0, 0), remedy=each))
        return []
    found: list[tuple[str, yaml.Node, Source, Span]] = []
    seen: set[str] = set()
    for key, value in root.value:
        span = source.span(key.start_mark.index, key.end_mark.index)
        if not isinstance(key, yaml.ScalarNode):
            report(Diagnostic("C703", "a key is a word", span, remedy=each))
            continue
        if key.value in seen:
            message = f"duplicate key '{key.value}'; the last value is used"
            report(Diagnostic("C703", message, span, Severity.WARNING, remedy="remove one"))
        seen.add(key.value)
        found.append((key.value, value, source, span))
    return found


def read_index(folder: Path, sources: dict[str, Source], report: Report) -> Index | None:
    """The index of the ruleset in *folder*; None without one."""
    path = folder / "rulebook.yaml"
    if not path.is_file():
        return None
    index = Index(folder.name)
    faults: list[Diagnostic] = []
    for name, node, source, span in keyed(folder, path, sources, faults.append):
        entry = _entry(name, node, source, span, report)
        if not RULE_ID.fullmatch(name):
            form = "an ID is letters and digits, '-', then letters, digits, '.' and '-': X-1.1"
            dash = _DASHES.search(name)
            remedy = f"write '-' for {code_point(dash[0])}" if dash is not None else odd(name) or form
            report(Diagnostic("C704", f"'{name}' is not a rule ID", span, remedy=remedy))
            name = _DASHES.sub("-", name)
        index.entries[name] = entry
    for fault in faults:
        report(fault)
    index.whole = bool(index.entries) or not faults
    return index


def _entry(name: str, node: yaml.Node, source: Source, span: Span, report: Report) -> Entry:
    values: dict[str, Any] = {}

    def wrong(message: str, at: Span, remedy: str, severity: Severity = Severity.ERROR) -> None:
        report(Diagnostic("C704", f"{name}: {message}", at, severity, remedy=remedy))

    if not isinstance(node, yaml.MappingNode):
        wrong("an entry is a mapping", span, f"write {name}: {{source: rulebook, page: 1, topic: …}}")
        return Entry(name, span)
    seen: set[str] = set()
    for key, value in node.value:
        place = source.span(key.start_mark.index, key.end_mark.index)
        if not isinstance(key, yaml.ScalarNode):
            wrong("a key is a word", place, f"the keys of an entry are {', '.join(KEYS)}")
            continue
        word = str(key.value)
        if word in seen:
            wrong(f"duplicate key '{word}'; the last value is used", place, "remove one", Severity.WARNING)
        seen.add(word)
        if word not in KEYS:
            wrong(
                f"unknown key '{word}'",
                place,
                did_you_mean(word, KEYS) or f"the keys of an entry are {', '.join(KEYS)}",
            )
        elif word == "by":
            items = value.value if isinstance(value, yaml.SequenceNode) else [value]
            if not all(isinstance(i, yaml.ScalarNode) and i.value for i in items):
                wrong("'by' is an ID, or a list of IDs", place, "write by: X-1.1, or by: [X-1.1, X-1.2]")
                continue
            values["by"] = tuple(str(i.value) for i in items)
        elif not isinstance(value, yaml.ScalarNode):
            wrong(f"'{word}' is a word or a number", place, f"write {word}: …")
        elif word == "mechanic":
            if value.value.lower() not in _BOOLS:
                wrong(
                    f"'mechanic' is true or false, not '{value.value}'",
                    place,
                    "write mechanic: false for an ID that states no mechanic",
                )
            values[word] = _BOOLS.get(value.value.lower(), True)
        else:
            values[word] = str(value.value)
    return Entry(name, span, **values)


def check_bases(indexes: list[Index], report: Report) -> None:
    """Report what is carried out ``by`` IDs that no base has; *indexes* begin with that of the ruleset
    itself.
    """
    for number, index in enumerate(indexes):
        below = {rule for other in indexes[number + 1 :] for rule in other.entries}
        for entry in index.entries.values():
            for rule in entry.by:
                if rule not in below:
                    own = (
                        " (an ID of the same index does not carry out another)"
                        if rule in index.entries
                        else ""
                    )
                    message = (
                        f"{entry.id}: no ruleset that '{index.ruleset}' extends has the rule "
                        f"'{rule}' in its index{own}"
                    )
                    remedy = did_you_mean(rule, below) or "name IDs of the index of a base"
                    report(Diagnostic("C704", message, entry.span, remedy=remedy))


def check_citations(
    names: list[str], indexes: list[Index], citations: dict[str, tuple[n.Citation, ...]], report: Report
) -> None:
    """Report IDs that the index of the file's own ruleset, or of one that it extends, does not know.

    *names* are the rulesets of the family, the one that is checked first; *citations* are those of each file.
    Where no ruleset has an index nothing is reported.
    """
    for file, cited in citations.items():
        ruleset = file.partition("/")[0]
        if ruleset not in names:
            continue
        allowed = names[names.index(ruleset) :]
        ids = {rule for index in indexes if index.ruleset in allowed for rule in index.entries}
        read = [index for index in indexes if index.ruleset in allowed]
        if not read or not all(index.whole for index in read):
            continue
        for citation in cited:
            rule = citation.rule
            if rule in ids:
                continue
            other = next((index.ruleset for index in indexes if rule in index.entries), None)
            meant = did_you_mean(rule, ids)
            enter = "enter it in rulebook.yaml"
            remedy = f"{meant} Otherwise {enter}" if meant else f"cite a rule of rulebook.yaml, or {enter}"
            if other is not None:
                remedy = (
                    f"'{other}' only extends it: cite an ID of its own, which the index of "
                    f"'{other}' names with 'by'"
                )
            message = f"the rulebook index of '{ruleset}' has no rule '{rule}'"
            report(Diagnostic("C701", message, citation.span, remedy=remedy))


def carriers(indexes: list[Index]) -> dict[str, tuple[str, ...]]:
    """For each ID of a base that others are carried out by, what is cited where it is: those others, in the
    order of their indexes, and before them the ID itself where its ruleset is played as it is.
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


def carry(node: Node, by: dict[str, tuple[str, ...]]) -> Node:
    """*node* with the citations in it and below it in the terms of what extends the ruleset they were written
    in.
    """
    changes: dict[str, Any] = {}
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if name != "rules":
            new = _carried(value, by)
        elif any(rule in by for rule in value):
            new = Carried(tuple(dict.fromkeys(r for rule in value for r in by.get(rule, (rule,)))), value)
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
