"""What has changed between two states of a ruleset, and which cases are about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from compiler.ruleset import Ruleset
from compiler.sources.family import key_of
from compiler.sources.resolve import Resolved
from dsl import nodes as n
from grognard.cases.file import Case

_WORD = re.compile(r"\w+")


def changed_names(before: Resolved, after: Resolved) -> tuple[set[str], set[str]]:
    """The names of what is declared otherwise in two states of a ruleset, and the rule IDs that it
    carries out.
    """
    names: set[str] = set()
    rules: set[str] = set()
    old, new = _declarations_by_key(before), _declarations_by_key(after)
    for key in old.keys() | new.keys():
        if old.get(key) != new.get(key):
            for decl in (*old.get(key, ()), *new.get(key, ())):
                names.update(_names_of(decl))
                rules.update(one for node in n.below([decl]) for one in _cited_rules(node))
    return names - {""}, rules


def _declarations_by_key(resolved: Resolved) -> dict[object, list[n.Decl]]:
    """The declarations by what identifies them; those that nothing does by themselves."""
    found: dict[object, list[n.Decl]] = {}
    for decl in resolved.decls:
        found.setdefault(key_of(decl) or decl, []).append(decl)
    return found


def _names_of(decl: n.Decl) -> Iterable[str]:
    """The name of what a declaration is about, of a rule that of what it decides; and those of its
    fields and columns.
    """
    named = decl.signature if isinstance(decl, n.RuleDecl | n.Case | n.Reaction) else decl
    yield str(getattr(named, "name", ""))
    for part in (*getattr(decl, "fields", ()), *getattr(decl, "columns", ())):
        yield part.name.text


def _cited_rules(node: n.Node) -> Iterable[str]:
    return node.rules if isinstance(node, n.Cited) else ()


def is_about(case: Case, names: set[str], rules: set[str]) -> bool:
    """Whether a case names one of these rule IDs, or something by one of these names."""
    if rules.intersection(case.rules):
        return True
    return not names.isdisjoint(_WORD.findall(str(case.data)))


def case_filter(before: Ruleset | None, after: Ruleset) -> Callable[[Case], bool]:
    """Says of a case whether it is about what has changed in a ruleset; every one is, where it was
    not looked at *before*, or had errors then.
    """
    if before is None or not before.ok:
        return lambda case: True
    names, rules = changed_names(before.resolved, after.resolved)
    return lambda case: is_about(case, names, rules)
