"""How often the rules of a ruleset were reached, kept by the text of what they stand in: a number
goes with the change of the declaration that it is about.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard.coverage.watched_games import Counts

#: By file, as people are shown its name, and by line: how often what stands there was reached.
Lines: TypeAlias = dict[str, dict[int, int]]


@dataclass(frozen=True)
class ReachedRules:
    """How often rules were reached: by file and text of a declaration, by line in that."""

    _counts: Mapping[tuple[str, str], Mapping[int, int]]

    @classmethod
    def of(cls, ruleset: Ruleset, counts: Counts) -> ReachedRules:
        """What was counted of a ruleset as it stands."""
        by_file: dict[str, list[n.Decl]] = defaultdict(list)
        for decl in ruleset.resolved.written:
            by_file[decl.span.file].append(decl)
        starts = {}
        for file, decls in by_file.items():
            decls.sort(key=lambda one: one.span.line)
            starts[file] = [one.span.line for one in decls]
        found: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
        for (file, line), count in counts.items():
            decl = by_file[file][bisect_right(starts[file], line) - 1]
            found[file, _text(ruleset, decl)][line - decl.span.line] = count
        return cls(found)

    def lines(self, ruleset: Ruleset) -> Lines:
        """What is known of a ruleset, which may have changed, by its lines from 1."""
        found: Lines = defaultdict(dict)
        for decl in ruleset.resolved.written:
            file, first = decl.span.file, decl.span.line
            for line, count in self._counts.get((file, _text(ruleset, decl)), {}).items():
                found[file][first + line] = count
        return found


def _text(ruleset: Ruleset, decl: n.Decl) -> str:
    return ruleset.resolved.sources[decl.span.file].text[decl.span.start : decl.span.end]
