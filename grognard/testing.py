"""Rules under test: positions of one's own, cases, coverage, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grognard import places
from grognard.arguments import path_of
from grognard.cases.suite import (
    LeftOut,
    RulesetErrors,
    UnreadFile,
    case_files,
    run_files,
    workbench,
)
from grognard.coverage.rule_coverage import Coverage
from grognard.coverage.rule_coverage import cover as covered
from grognard.lab.balance import balances
from grognard.opening import open_scenario
from runtime.errors import ArgumentError, LoadError, blaming, whole_number
from runtime.games.game import Game
from runtime.games.scripts import Script, engine_seed

__all__ = ["CaseResult", "Coverage", "cover", "run_cases", "set_up"]


def set_up(
    scenario: str | Path | Mapping[str, Any],
    position: Mapping[str, Any] | None = None,
    *,
    fields: Mapping[str, Any] | None = None,
    piles: Mapping[str, Sequence[str]] | None = None,
    effects: Iterable[str] = (),
    run: str | None = None,
    dice: Script | None = None,
    switches: Mapping[str, bool] | None = None,
    seed: int = 1,
    requirements: bool = False,
    root: str | Path | None = None,
) -> Game:
    """A position of one's own, with scripted chance: for tests of rules.

    *scenario* gives what is not said here.  The rest is as in cases (``docs/cases.md``): *position*
    in the form of a scenario (kinds of pieces that are named replace the scenario's), *fields* that
    a scenario cannot give (``{"hi.blocks": 1}``), *piles* with the last card on top
    (``{"hand[top]": ["rally"]}``), *effects* in force (``["charge", "pinned(hi)"]``).

    *run* is the procedure that is run, ``"attack_unit(hi, foe, E6, attack)"``; when it has ended
    the game can :meth:`Game.run` another.  ``"nothing"`` runs nothing: values can be asked.  None
    begins the whole game from here.  *dice* scripts what chance gives first, as for
    :func:`grognard.load` (``game.dice_left`` tells what was not used); all other chance comes from
    *seed*.

    What the ruleset requires of scenarios (``require``) is looked at only with *requirements*.
    Loading costs most of the time: for many positions, load once and use :meth:`Game.set_up`.

    ArgumentError for what names nothing, LoadError for a ruleset or scenario with errors.
    """
    opened = open_scenario(scenario, root=root, required=bool(requirements))
    return opened.set_up(
        position,
        fields=fields,
        piles=piles,
        effects=effects,
        run=run,
        dice=dice,
        switches=switches,
        seed=seed,
        requirements=requirements,
    )


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case: it held when there are no *problems*.

    *file* and *line* say where it stands, *rules* are the rule IDs that it names; *actions* were
    taken, and *log* is what happened. Of a file that cannot be read there is one result, without a
    name.
    """

    file: str
    line: int
    name: str
    rules: tuple[str, ...]
    problems: tuple[str, ...]
    actions: tuple[str, ...] = ()
    log: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


def _paths(given: str | Path | Iterable[str | Path]) -> list[Path]:
    """Files and folders of cases."""
    if isinstance(given, str | Path):
        return [path_of(given, "a file of cases")]
    if not isinstance(given, Iterable):
        raise ArgumentError(f"cases are paths of files or folders, not {type(given).__name__}")
    return [path_of(one, "a file of cases") for one in given]


def run_cases(
    paths: str | Path | Iterable[str | Path],
    *,
    match: str = "",
    interpreted: bool = False,
    balance: bool = False,
    root: str | Path | None = None,
) -> list[CaseResult]:
    """Run the cases of files, or of all files below folders; *match*: only those whose name or
    rules contain these words.

    *interpreted*: by the reference interpreter instead of compiled code.  *balance*: those of
    balance, which play many games, and no others.  LoadError when files are
    not there or rulesets have errors.
    """
    results: list[CaseResult] = []
    try:
        with places.searching(root):
            files = case_files(_paths(paths))
            outcomes = (
                balances(files, match)
                if balance
                else run_files(files, match, bench=workbench(interpreted))
            )
            for outcome in outcomes:
                if isinstance(outcome, UnreadFile):
                    results.append(CaseResult(str(outcome.path), 0, "", (), (str(outcome.error),)))
                elif not isinstance(outcome, LeftOut):
                    case = outcome.case
                    course = outcome.problems, outcome.actions, outcome.log
                    results.append(CaseResult(case.file, case.line, case.name, case.rules, *course))
    except RulesetErrors as error:
        raise LoadError("the ruleset has errors", findings=error.report.by_place) from None
    return results


def cover(
    ruleset: str | Path,
    *,
    games: int = 4,
    seed: int = 1,
    cases: Iterable[str | Path] = (),
    root: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Which rules of the rulebook the ruleset cites, cases name, and *games* random games reach.

    ``found.own.rules`` and those of ``found.bases`` have ``id``, ``topic``, ``mechanic``,
    ``cited``, ``cases``, ``reached``. *cases* are files and folders beside
    ``tests/cases/<ruleset>``.  LoadError when the ruleset has errors or no index, RulesError when
    its rules fail in play, ArgumentError for a number of games below 0.
    """
    whole_number("games", games, 0)
    if progress is not None and not callable(progress):
        raise ArgumentError("progress is called with two numbers: give a function, or None")
    with places.searching(root):
        folder = places.ruleset_folder(str(path_of(ruleset, "ruleset")))
        with blaming(folder.name):
            compiled = places.readable_ruleset(folder)
            return covered(compiled, games, engine_seed(seed), _paths(cases), progress)
