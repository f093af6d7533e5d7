"""How often rules are reached, counted for an editor, and told to it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

from compiler.ruleset import Ruleset
from grognard import places
from grognard.editing.counting import Work
from grognard.editing.desk import Desk
from grognard.fronts.lsp.text_positions import uri_of
from runtime.errors import ArgumentError
from runtime.words.said import said

#: The command that counts for the rulesets of files, by their URIs; without any, for those that are
#: open.
COMMAND: Final = "grognard.countReached"
#: For how long games are played at random, in seconds.
_SECONDS: Final = 5.0

#: By URI and line, from 0: how often what stands there was reached.
Counts: TypeAlias = dict[str, dict[int, int]]


def open_ruleset_files(desk: Desk) -> list[Path]:
    """A file of each ruleset of which one is open."""
    found = {desk.folder_of(path): path for path in desk.texts}
    return [path for folder, path in found.items() if folder is not None]


def work_for(desk: Desk, path: Path) -> tuple[Ruleset, Work]:
    """What is to be counted for the ruleset of a file: its cases, and games of its scenarios.
    ArgumentError.
    """
    folder = desk.folder_of(path)
    if folder is None:
        message = said("{file} belongs to no ruleset", file=path.name)
        raise ArgumentError(message, said("ask for it in one of its files"))
    ruleset = desk.ruleset(desk.games_of(folder)[0])
    if not ruleset.ok or ruleset.resolved.abstract:
        raise ArgumentError(said("the rules have errors"), said("correct them first"))
    own = (one for one in places.scenarios().values() if desk.folder_of(one) == ruleset.folder)
    return ruleset, Work(desk.root, ruleset.folder, dict(desk.texts), tuple(own), None, _SECONDS)


def known_counts(desk: Desk, folder: Path) -> Counts:
    """What is known of the ruleset in a folder as it stands."""
    paths = desk.ruleset(folder).paths
    return {
        uri_of(Path(paths[file])): {line - 1: count for line, count in sorted(lines.items())}
        for file, lines in desk.reached_lines(folder).items()
    }
