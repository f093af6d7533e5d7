"""The cases of a ruleset, by the rules of the rulebook that they name."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from grognard.cases.suite import files_about
from grognard.editing.desk import Desk
from runtime.data.reader import Mapping, items_of, read, text_of


def cases_by_rule(desk: Desk, game: Path) -> dict[str, list[str]]:
    """The names of the cases that name a rule ID, by these IDs."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files_about(game):
        root, _ = read(desk.text(path), str(path))
        for case in items_of(root.get("cases")) if isinstance(root, Mapping) else ():
            if isinstance(case, Mapping):
                for rule in items_of(case.get("rules")):
                    found[text_of(rule)].append(text_of(case.get("name")))
    return found
