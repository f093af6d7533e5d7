"""Loading scenarios, checking rulesets: what is written in files, as values, without printing
anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compiler.output.report import Report
from grognard import places
from grognard.arguments import path_of
from grognard.draw.style_findings import look_findings
from grognard.opening import open_scenario, read_scenario
from grognard.records import read_named
from runtime.data.findings import Finding
from runtime.games.game import Game
from runtime.games.scripts import Script, engine_seed

__all__ = ["check", "from_record", "load", "rulesets", "scenarios", "validate"]


# --------------------------------------------------------------------------- what there is


def rulesets(root: str | Path | None = None) -> dict[str, Path]:
    """The folders of all rulesets that are found, by name.  *root* is searched first; see
    :func:`load`.
    """
    with places.searching(root):
        return places.rulesets()


def scenarios(root: str | Path | None = None) -> dict[str, Path]:
    """The files of all scenarios that are found, by ``ruleset/name``.  *root* is searched first;
    see :func:`load`.
    """
    with places.searching(root):
        return places.scenarios()


def check(ruleset: str | Path, *, root: str | Path | None = None) -> list[Finding]:
    """Check a ruleset with its texts and looks, given by its name or its folder: everything that is
    found, in order of place; empty when all is well.

    LoadError when there is no such ruleset, or its files cannot be read.
    """
    with places.searching(root):
        report = Report()
        folder = places.ruleset_folder(str(path_of(ruleset, "ruleset")))
        compiled = places.readable_ruleset(folder, abstract=True)
        report.add_ruleset(compiled)
        report.add_findings(look_findings(compiled))
        return report.by_place


def validate(
    scenario: str | Path | Mapping[str, Any],
    *,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
) -> list[Finding]:
    """Check a scenario, given as to :func:`load`: everything that is found, in order of place;
    empty when all is well.

    LoadError when there is no such scenario, or its ruleset has errors.
    """
    with places.searching(root):
        report = Report()
        report.add_findings(read_scenario(scenario, ruleset)[1], "scenario")
        return report.by_place


# --------------------------------------------------------------------------- loading


def load(
    scenario: str | Path | Mapping[str, Any],
    *,
    seed: int | None = None,
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    dice: Script | None = None,
    language: str = "en",
    log: bool = True,
) -> Game:
    """Load a scenario and begin a game of it.

    *scenario* is a name (``"akragas"``, ``"cc_ancients/akragas"``), a path to a file, or what such
    a file would hold, as a mapping.  Rulesets and scenarios are looked for in the folders
    ``rulesets`` and ``scenarios`` of *root*, of the current directory and of the installation, in
    this order; *ruleset*, a name or a folder, takes the place of the ruleset that the scenario
    names, which must be called the same.

    *seed* (0 ≤ seed < 2¹²⁸) determines all chance; None takes one that nobody can guess
    (``game.seed`` tells it).  *switches* turns optional rules on and off.  *language* is that of
    questions and log; without *log* none is kept (nor are :attr:`Game.events`), which saves a
    little time.

    *dice* scripts what chance gives first: by the name of a die what is rolled, ``{"d6": [6, 1]}``;
    by the name of a deck, for each shuffle of one of its piles, the cards that then lie on top, the
    first to be drawn first, ``{"deck": [["ace", "king"]]}``; ``{"draw": ["red1"]}`` what is drawn
    from sets.  ``"end"`` as the last entry says that there is no more of it.

    LoadError carries the findings when the ruleset or scenario has errors; ArgumentError is raised
    for arguments of the wrong kind.
    """
    number = engine_seed(seed)
    opened = open_scenario(scenario, switches, ruleset, root, language)
    return opened.begin(number, dice, log)


# --------------------------------------------------------------------------- records


def from_record(
    path: str | Path,
    *,
    scenario: str | Path | Mapping[str, Any] | None = None,
    lenient: bool = False,
    root: str | Path | None = None,
) -> Game:
    """The game of a record, standing where the record ends; every action and hash in it is checked
    on the way.

    The scenario is found by its content, or given.  With *lenient* ruleset and scenario may have
    changed as long as the positions agree.  A sealed record needs its key beside it.  RecordError
    says what is wrong, and in which line; LoadError when the scenario is not found.
    """
    source = read_named(path_of(path, "a record"))
    if scenario is not None:
        return source.game(open_scenario(scenario, root=root), lenient)
    with places.searching(root):
        return source.open(None, lenient)[1]
