"""Loading scenarios, checking rulesets: what is written in files, as values, without printing
anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.output.report import Report, shown_path
from grognard import places
from grognard.arguments import path_of, plain, unplaced, written
from grognard.draw.style_findings import findings_of_looks
from grognard.files import short
from grognard.records import key_of, placed, read_record, scenario_of
from grognard.scenario import Scenario
from runtime.data.findings import Finding
from runtime.data.tree import tree_of
from runtime.errors import ArgumentError, LoadError, RecordError, given
from runtime.games.game import Game
from runtime.games.replay import replay
from runtime.games.scripts import Script, seeded
from runtime.scenario import board_of
from runtime.scenario import load as load_setup
from runtime.spelling import did_you_mean

__all__ = ["check", "from_record", "load", "open_scenario", "rulesets", "scenarios", "validate"]


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
        report.add_findings(findings_of_looks(compiled))
        return report.sorted


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
        return _read(scenario, ruleset)[1]


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
    number = seeded(seed)
    opened = open_scenario(scenario, switches, ruleset, root, language)
    return opened.begin(number, dice, log)


def open_scenario(
    scenario: str | Path | Mapping[str, Any],
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    language: str = "en",
    required: bool = True,
) -> Scenario:
    """A scenario ready to be played; see :func:`load`.  Whether it meets what the ruleset requires
    is looked at only where that is *required*.
    """
    with places.searching(root):
        opened, findings = _read(scenario, ruleset, required)
        if opened is None:
            errors = sum(f.is_error for f in findings)
            raise LoadError(
                f"the scenario has {errors} error{'s' if errors != 1 else ''}", findings=findings
            )
        known = sorted({"en", *opened.program.spec.texts})
        if language not in known:
            raise ArgumentError(
                f"there are no texts in the language {given(language)}",
                f"there is: {', '.join(known)}",
            )
        opened.language = language
        return _switched(opened, switches) if switches else opened


def _switched(made: Scenario, switches: Mapping[str, bool]) -> Scenario:
    """A scenario with other optional rules."""
    spec = made.program.spec
    if not isinstance(switches, Mapping):
        raise ArgumentError(
            f"switches is a mapping from names to bools, not {type(switches).__name__}"
        )
    for name, on in switches.items():
        if name not in spec.switches:
            known = (
                f"there is: {', '.join(spec.switches)}"
                if spec.switches
                else f"'{spec.name}' has no switches"
            )
            raise LoadError(
                f"'{spec.name}' has no switch {given(name)}",
                did_you_mean(str(name), spec.switches) or known,
            )
        if not isinstance(on, bool):
            raise ArgumentError(
                f"the switch '{name}' is on or off: give True or False, not {given(on)}"
            )
    setup = replace(made.setup, switches={**made.setup.switches, **switches})
    unmet = made.program.broken(setup)
    if unmet:
        raise LoadError(f"with these switches {unmet[0]}", "change the switches, or the scenario")
    return replace(made, setup=setup)


def _read(
    scenario: Any, ruleset: str | Path | None, required: bool = True
) -> tuple[Scenario | None, list[Finding]]:
    """A scenario, None when it has errors, and what is found."""
    folder = None if ruleset is None else places.ruleset_folder(str(path_of(ruleset, "ruleset")))
    if isinstance(scenario, Mapping):
        return _from_mapping(scenario, folder, required)
    path = places.scenario_path(str(path_of(scenario, "scenario")))
    owner = folder if folder is not None else places.ruleset_of(path)
    report = Report()
    if isinstance(owner, list):
        report.add_findings(owner, shown_path(path))
        return None, report.sorted
    program, setup, findings = places.load_scenario(path, places.program_of(owner), required)
    report.add_findings(findings, shown_path(path))
    return None if setup is None else Scenario(program, setup, owner, path=path), report.sorted


def _from_mapping(
    content: Mapping[str, Any], folder: Path | None, required: bool
) -> tuple[Scenario | None, list[Finding]]:
    """A scenario from what its file would hold."""
    data = plain(content, "")
    if folder is None:
        name = data.get("ruleset")
        if not isinstance(name, str):
            raise LoadError(
                "the scenario does not say for which ruleset it is",
                "give the key 'ruleset', or the argument",
            )
        folder = places.ruleset_folder(name)
    data.setdefault("ruleset", folder.name)
    data.setdefault("title", "untitled")
    program = places.program_of(folder)
    tree, diagnostics, paths = tree_of(data, "scenario")
    setup = None
    if tree is not None:
        program = program.on(board_of(tree, program.spec))
        setup, diagnostics = load_setup(
            tree,
            program.spec,
            name="scenario",
            initial=places.initial_values(program),
            broken=program.broken if required else None,
        )
    findings = []
    for f in diagnostics:
        path = paths[f.line]
        message = unplaced(f.message, path)
        findings.append(
            Finding(
                f.code, message, "scenario", severity=f.severity, remedy=f.remedy, key=written(path)
            )
        )
    return None if setup is None else Scenario(program, setup, folder, content=data), findings


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
    file = path_of(path, "a record")
    record = read_record(file)
    if scenario is not None:
        opened = open_scenario(scenario, root=root)
    else:
        with places.searching(root):
            similar = scenario_of(record, None, short(str(file)))
            opened = Scenario(similar.program, similar.setup, similar.folder, path=similar.path)
    key = key_of(file, record)
    try:
        return replay(opened.program, opened.setup, record, lenient, key=key, library=opened)
    except RecordError as error:
        raise placed(error, short(str(file))) from None
