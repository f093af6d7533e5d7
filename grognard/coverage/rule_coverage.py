"""The rule IDs of a ruleset's indexes, each with whether it is cited, named by a case, reached by
random games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from compiler.ruleset import Ruleset
from compiler.sources.rulebook import Index, carriers
from grognard import places
from grognard.cases.suite import files_about
from grognard.coverage.watched_games import reached_rules
from grognard.explain.rules import Rules
from grognard.files import below, reason, short
from grognard.opening import load_scenario, ruleset_of
from runtime.errors import LoadError
from runtime.files import read_bytes, remedy_of
from runtime.scenario.setup import SetUp
from runtime.spelling import natural

#: What is asked of each ID: the fields of :class:`RuleCoverage` that tell it.
KINDS: Final = ("cited", "cases", "reached")


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """One rule ID: whether it states a mechanic, a declaration cites it, a case names it, random
    games reach it.
    """

    id: str
    topic: str
    mechanic: bool
    cited: bool
    cases: bool
    reached: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """The rules of one chapter that state a mechanic; their IDs begin with *name*."""

    name: str
    topic: str
    rules: tuple[RuleCoverage, ...]


@dataclass(frozen=True, slots=True)
class IndexCoverage:
    """The rules of one ruleset's index, in its order."""

    ruleset: str
    rules: tuple[RuleCoverage, ...]

    @property
    def mechanics(self) -> tuple[RuleCoverage, ...]:
        """The rules that state a mechanic; only they are counted."""
        return tuple(rule for rule in self.rules if rule.mechanic)

    def count(self, kind: str) -> int:
        """How many rules that state a mechanic are so; *kind* is one of ``cited``, ``cases``,
        ``reached``.
        """
        return sum(getattr(rule, kind) for rule in self.mechanics)

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The rules that state a mechanic, by chapters, sorted by their numbers."""
        rules_of: dict[str, list[RuleCoverage]] = {}
        for rule in self.mechanics:
            rules_of.setdefault(_chapter(rule.id), []).append(rule)
        ordered = sorted(rules_of.items(), key=lambda item: natural(item[0]))
        return tuple(Chapter(name, rules[0].topic, tuple(rules)) for name, rules in ordered)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is covered of a ruleset's own index and of those of the rulesets that it extends;
    *games* were played.
    """

    own: IndexCoverage
    bases: tuple[IndexCoverage, ...]
    games: int

    def rules(self) -> dict[str, RuleCoverage]:
        """All rules by ID, those of bases first."""
        return {rule.id: rule for index in (*self.bases[::-1], self.own) for rule in index.rules}

    def __repr__(self) -> str:
        own = self.own
        counts = f"{own.count('cited')} cited, {own.count('cases')} in cases"
        games = f"{own.count('reached')} reached in {self.games} game{'s' * (self.games != 1)}"
        return f"<Coverage of {own.ruleset!r}: {len(own.mechanics)} rules, {counts}, {games}>"


def cover(
    ruleset: Ruleset,
    games: int = 4,
    seed: int = 1,
    cases: Iterable[str | Path] = (),
    tell: Callable[[int, int], None] | None = None,
) -> Coverage:
    """What is covered of a ruleset.

    *games* are played at random on its scenarios in turn, the first with *seed*; none where there
    is no scenario. *cases* are files and folders of cases beside those in
    ``tests/cases/<ruleset>``.  *tell* is called after each game with how many have been played, and
    of how many.  LoadError when the ruleset has errors or no index, or *cases* are not there.
    """
    rules = Rules(ruleset)
    if not rules.index:
        raise LoadError(
            f"the ruleset '{ruleset.name}' has no rulebook.yaml", "write an index of its rule IDs"
        )
    named = in_cases(rules.index, case_paths(ruleset.resolved.folders, cases))
    setups = _setups(ruleset) if games else []
    played = games if setups else 0
    hit = reached_rules(ruleset, setups, played, seed, tell) if played else set[str]()
    carried = carriers(ruleset.resolved.indexes)
    shown = named | {rule for rule, by in carried.items() if any(r in named for r in by)}

    cited = rules.program.citations

    def counted(index: Index) -> IndexCoverage:
        rules_covered = (
            RuleCoverage(
                rule, entry.topic, entry.mechanic, rule in cited, rule in shown, rule in hit
            )
            for rule, entry in index.entries.items()
        )
        return IndexCoverage(index.ruleset, tuple(rules_covered))

    own, *bases = map(counted, ruleset.resolved.indexes)
    return Coverage(own, tuple(bases), played)


def in_cases(rules: Iterable[str], paths: Iterable[Path]) -> set[str]:
    """The rule IDs that files of cases name."""
    words: set[str] = set()
    for path in paths:
        for file in below(path, ".yaml", ".yml") if path.is_dir() else [path]:
            try:
                text = read_bytes(file).decode("utf-8", errors="replace")
            except OSError as error:
                raise LoadError(
                    f"{short(str(file))} cannot be read: {reason(error)}", remedy_of(error)
                ) from None
            words.update(re.findall(r"[\w][\w.\-]*\w", text))
    return {rule for rule in rules if rule in words}


def case_paths(folders: Iterable[Path], more: Iterable[str | Path]) -> list[Path]:
    """The files of cases of a ruleset and of those that it extends, and *more* files and folders.
    LoadError when these are not there.
    """
    paths = [path for folder in folders for path in files_about(folder)]
    for text in more:
        if not Path(text).exists():
            raise LoadError(
                f"there is no file or folder '{text}'",
                "give files of cases, or folders with such files",
            )
        paths.append(Path(text))
    return paths


def _setups(ruleset: Ruleset) -> list[SetUp]:
    """The scenarios of a ruleset, those with errors left out."""
    program = places.program_of(ruleset)
    paths = (p for p in places.scenarios().values() if ruleset_of(p) == ruleset.folder)
    loaded = (load_scenario(path, ruleset.folder, program)[0] for path in paths)
    return [scenario.setup for scenario in loaded if scenario is not None]


def _chapter(rule: str) -> str:
    """The chapter that a rule ID belongs to: up to its first number."""
    match = re.match(r"(.*?\d+)(?:[.\-]|$)", rule)
    return match.group(1) if match else rule
