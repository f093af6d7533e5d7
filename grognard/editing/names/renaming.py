"""Giving something another name, wherever it is named: in rules, texts, looks and scenarios, and
in cases.

In rules the checker knows every place. Beside them it is asked once the rules have the new name:
what it then misses under the old name is renamed, until nothing is missed. Cases are run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from compiler.output.report import Report
from compiler.ruleset import Ruleset
from dsl.language import keywords
from dsl.source import Source
from grognard import places
from grognard.cases.suite import Workbench, files_about
from grognard.draw.style_findings import look_findings
from grognard.editing.desk import Desk
from grognard.editing.edits import Edit, apply_edits
from grognard.editing.meanings import Symbol
from grognard.editing.names.case_names import CaseNames
from grognard.editing.occurrences import whole
from runtime.data.findings import Finding
from runtime.data.reader import read_tree
from runtime.errors import ArgumentError
from runtime.scenario import load
from runtime.words.said import said

#: How often what is missed under the old name is looked for.
_ROUNDS = 4
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass
class Renaming:
    """The edits of each file; of some it is *unsure* whether they are meant."""

    edits: dict[Path, set[Edit]] = field(default_factory=dict)
    unsure: dict[Path, set[Edit]] = field(default_factory=dict)

    def add(self, path: Path, edit: Edit) -> bool:
        """Enter an edit; whether it is new."""
        known = self.edits.setdefault(path, set())
        new = edit not in known
        known.add(edit)
        return new


def rename(desk: Desk, folder: Path, symbol: Symbol, new: str) -> Renaming:
    """What must be written otherwise for *symbol*, of the ruleset in *folder*, to be called *new*.

    ArgumentError where it cannot be called so.
    """
    old = symbol.name
    if not symbol.definitions and not symbol.is_local:
        raise ArgumentError(said("'{name}' is not declared by a ruleset", name=old))
    if not _NAME.fullmatch(new):
        remedy = said("a name is letters, digits and _, and begins with no digit")
        raise ArgumentError(said("'{name}' is no name", name=new), remedy)
    if new in keywords():
        message = said("'{name}' is a word of the language", name=new)
        raise ArgumentError(message, said("choose another name"))
    if old == "it":
        raise ArgumentError(said("'{name}' is a word of the language", name=old))
    renaming = Renaming()
    games = _games(desk, folder, symbol)
    for game in games:
        symbols = desk.symbols(game)
        for meaning in symbol.meanings:
            there = symbols.by_meaning(meaning)
            for span in there.places if there is not None else ():
                path = symbols.ruleset.paths.get(span.file)
                if path is not None:
                    renaming.add(Path(path), Edit(span.start, span.end, new))
    if not symbol.is_local:
        for game in games:
            _beside(desk, game, old, new, renaming)
    made = _faultless(desk, games, renaming, new)
    if not symbol.is_local:
        _in_cases(desk, made, CaseNames(_bench(desk, made, renaming), old, new), renaming)
    return renaming


def _games(desk: Desk, folder: Path, symbol: Symbol) -> list[Path]:
    """The rulesets in which a symbol of the one in *folder* may be named."""
    at = symbol.definitions[0].at if symbol.definitions else symbol.places[0]
    home = places.ruleset_around(Path(desk.ruleset(folder).paths[at.file]))
    everywhere = dict.fromkeys([folder, *places.rulesets().values()])
    games = [one for one in everywhere if home in desk.family(one)]
    return [one for one in games if not desk.ruleset(one).resolved.abstract] or games[:1]


def _texts(desk: Desk, renaming: Renaming) -> dict[Path, str]:
    """The files as they will be."""
    return {path: apply_edits(desk.text(path), edits) for path, edits in renaming.edits.items()}


def _renamed_ruleset(desk: Desk, game: Path, renaming: Renaming) -> Ruleset:
    return desk.ruleset(game).with_overlay(desk.overlay(game, _texts(desk, renaming)))


def _findings_of(ruleset: Ruleset) -> list[Finding]:
    """What is found in a ruleset, its texts and its looks."""
    report = Report()
    report.add_diagnostics(ruleset.diagnostics, ruleset.sources, ruleset.paths)
    report.add_findings(look_findings(ruleset))
    return report.findings


# ---------------------------------------------------------------------- texts and scenarios


def _beside(desk: Desk, game: Path, old: str, new: str, renaming: Renaming) -> None:
    """Rename what is missed under the old name in texts, looks and scenarios."""
    known = {_about(one) for one in _findings_of(desk.ruleset(game))}
    for _ in range(_ROUNDS):
        made = _renamed_ruleset(desk, game, renaming)
        found = [one for one in _findings_of(made) if _about(one) not in known]
        if made.ok:
            found += _in_scenarios(desk, made, game, renaming)
        mended = [_rename_missed(desk, one, old, new, renaming) for one in found]
        if not any(mended):
            return


def _about(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.message, finding.file


def _in_scenarios(desk: Desk, made: Ruleset, game: Path, renaming: Renaming) -> Iterator[Finding]:
    """What is found in the scenarios of a ruleset."""
    changed = _texts(desk, renaming)
    for path in desk.scenarios_of(game):
        root, _ = read_tree(changed.get(path) or desk.text(path), str(path))
        if root is not None:
            yield from load(root, made.spec, name=str(path))[1]


def _rename_missed(desk: Desk, finding: Finding, old: str, new: str, renaming: Renaming) -> bool:
    """Rename what a finding misses, where the old name stands there; whether that is new."""
    path = Path(finding.file).absolute()
    if path.suffix == ".grog" or finding.line == 0:
        return False
    source = Source(finding.file, desk.text(path))
    line, start = source.line(finding.line), source.at(finding.line, 1)
    known = renaming.edits.get(path, set())
    column = finding.column - 1
    for edit in sorted(known):  # what has been renamed before it in the line has moved it
        if start <= edit.start < start + column:
            column -= len(edit.text) - (edit.end - edit.start)
    places_there = [found.start() for found in re.finditer(whole(old), line)]
    free = [at for at in places_there if Edit(start + at, start + at + len(old), new) not in known]
    behind = [at for at in free if at >= column]
    for at in (behind or free)[:1]:
        return renaming.add(path, Edit(start + at, start + at + len(old), new))
    return False


# ---------------------------------------------------------------------- cases


def _bench(desk: Desk, made: dict[Path, Ruleset], renaming: Renaming) -> Workbench:
    """What runs cases by rules and scenarios as they will be."""
    changed = _texts(desk, renaming)
    return Workbench(
        {game.name: ruleset for game, ruleset in made.items()},
        text=lambda path: changed.get(path.absolute()) or desk.text(path),
    )


def _in_cases(desk: Desk, games: Iterable[Path], names: CaseNames, renaming: Renaming) -> None:
    """Rename what is meant in the cases of rulesets."""
    for path in dict.fromkeys(path for game in games for path in files_about(game)):
        meant, doubtful = names.in_file(path, desk.text(path))
        for edit in meant | doubtful:
            renaming.add(path, edit)
        if doubtful:
            renaming.unsure[path] = doubtful


# ---------------------------------------------------------------------- whether it may be


def _faultless(
    desk: Desk, games: Iterable[Path], renaming: Renaming, new: str
) -> dict[Path, Ruleset]:
    """The rulesets as they will be, by their folders.

    ArgumentError where something would be wrong with one that is not wrong now.
    """
    every = {}
    for game in games:
        before = sum(one.severity == "error" for one in _findings_of(desk.ruleset(game)))
        made = every[game] = _renamed_ruleset(desk, game, renaming)
        after = [one for one in _findings_of(made) if one.severity == "error"]
        if len(after) > before:
            one = after[0]
            message = said(
                "called '{name}' it would be something else: {finding} ({place})",
                name=new,
                finding=one.message,
                place=f"{game.name}, {Path(one.file).name}:{one.line}",
            )
            raise ArgumentError(message, said("choose another name"))
    return every
