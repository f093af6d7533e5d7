"""The cases of a ruleset, by the rules of the rulebook that they name."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path

from grognard.cases.suite import files_about
from grognard.editing.desk import Desk
from runtime.data.reader import Mapping, items_of, read_tree, text_of


def cases_by_rule(desk: Desk, game: Path) -> dict[str, list[str]]:
    """The names of the cases that name a rule ID, by these IDs."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files_about(game):
        for rule, case in _cited_in(desk.text(path)):
            found[rule].append(case)
    return found


# A game has some dozens of files of cases, and to read them takes seconds.
@lru_cache(maxsize=256)
def _cited_in(text: str) -> tuple[tuple[str, str], ...]:
    """The rule IDs that the cases of a file name, each with the name of the case."""
    root, _ = read_tree(text, "")
    return tuple(
        (text_of(rule), text_of(case.get("name")))
        for case in (items_of(root.get("cases")) if isinstance(root, Mapping) else ())
        if isinstance(case, Mapping)
        for rule in items_of(case.get("rules"))
    )
