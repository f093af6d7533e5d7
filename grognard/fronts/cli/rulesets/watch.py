"""Tell what each change of a ruleset does, as soon as a file is saved: what is found in it, which
of the cases hold, and how the games of bots end.

Cases are those in tests/cases/RULESET and in the ruleset's folder `cases`; after a change those run
first that are about what has changed, then the others, unless something is saved meanwhile. Of
SCENARIO some games between greedy bots are played, and a line says who wins. Ctrl-C ends it. With
--once the exit code is 1 when anything is found, or a case does not hold.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from compiler.output.report import Report
from compiler.ruleset import Ruleset
from grognard import places
from grognard.cases.file import Case
from grognard.cases.runner import Outcome
from grognard.cases.suite import LeftOut, UnreadFile, Workbench, files_about, run_files
from grognard.draw.style_findings import look_findings
from grognard.editing.differences import case_filter
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_findings_language, count
from grognard.fronts.cli.games.test import print_outcome
from grognard.fronts.cli.reporting import print_report
from grognard.lexicon.faults import Sayer, sayer_for
from grognard.opening import open_scenario
from runtime.errors import ArgumentError, GrognardError, words_of
from runtime.runs.series import run_series
from runtime.words.said import said

#: How many games are played of the scenario.
_GAMES = 10
#: How long files are not looked at again while cases run, in seconds.
_LOOKS = 0.2


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument(
        "scenario", metavar="SCENARIO", nargs="?", help="a scenario of which games are played"
    )
    parser.add_argument(
        "--games", metavar="N", type=count, default=_GAMES, help=f"how many (default: {_GAMES})"
    )
    parser.add_argument("--once", action="store_true", help="look once, and end")
    add_findings_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    folder = places.ruleset_folder(args.ruleset)
    if args.scenario is not None:
        args.scenario = places.scenario_path(args.scenario)
    ruleset = places.ruleset(folder)
    clean = _check_once(ruleset, None, args)
    if args.once:
        return CLEAN if clean else FINDINGS
    for _ in _changes(folder, args.scenario):
        print(f"\n{time.strftime('%H:%M:%S')}")
        before, ruleset = ruleset, ruleset.with_overlay({})
        _check_once(ruleset, before, args)
    return CLEAN


def _changes(folder: Path, scenario: Path | None) -> Iterator[None]:
    """Each time that something has been saved which belongs to a ruleset."""
    try:
        import watchfiles  # start-up: it comes with an extra
    except ModuleNotFoundError:
        message = "to watch files the package 'watchfiles' is needed"
        raise ArgumentError(message, "pip install 'grognard[watch]'") from None
    watched = [
        *places.family(folder),
        *{path.parent for path in files_about(folder)},
    ]
    if scenario is not None:
        watched.append(scenario)
    print("waiting for changes; Ctrl-C ends it", flush=True)
    for _ in watchfiles.watch(*watched, raise_interrupt=True):
        yield


def _check_once(ruleset: Ruleset, before: Ruleset | None, args: argparse.Namespace) -> bool:
    """Print what there is to be said of a ruleset, which was *before* when last looked at; whether
    all is well.
    """
    start, say = time.perf_counter(), sayer_for(args.language)
    report = Report()
    report.add_ruleset(ruleset)
    report.add_findings(look_findings(ruleset))
    seconds = time.perf_counter() - start
    if not report.clean:
        print_report(report, language=args.language)
    else:
        well = said(
            "{name}: nothing found ({seconds} s)", name=ruleset.name, seconds=f"{seconds:.1f}"
        )
        print(say(well), flush=True)
    clean = report.clean
    if ruleset.ok and not ruleset.resolved.abstract:
        try:
            clean = _Cases(ruleset, say).all_hold(before) and clean
            if args.scenario is not None:
                _play(args.scenario, args.games)
        except GrognardError as error:  # a file may be half written, or wrong: the next save tells
            print(error, flush=True)
            return False
    return clean


class _Cases:
    """Runs the cases of a ruleset, and tells which do not hold."""

    def __init__(self, ruleset: Ruleset, say: Sayer) -> None:
        self._ruleset, self._say = ruleset, say
        self._bench = Workbench({ruleset.name: ruleset})
        self._saved = self._when_saved()
        self._held = self._failed = 0
        self._looked = time.monotonic()

    def all_hold(self, before: Ruleset | None) -> bool:
        """Whether all hold; those about what has changed since *before* are run first."""
        about = case_filter(before, self._ruleset)
        for outcome in self._outcomes(about):
            self._take(outcome)
        if before is not None:
            self._print("cases about it: {held} hold, {failed} do not")
            for outcome in self._outcomes(lambda case: not about(case)):
                if self._is_overtaken():
                    return not self._failed
                if not isinstance(outcome, UnreadFile):
                    self._take(outcome)
        self._print("cases: {held} hold, {failed} do not")
        return not self._failed

    def _outcomes(self, wanted: Callable[[Case], bool]) -> Iterator[Outcome | UnreadFile | LeftOut]:
        return run_files(files_about(self._ruleset.folder), only=wanted, bench=self._bench)

    def _take(self, outcome: Outcome | UnreadFile | LeftOut) -> None:
        if isinstance(outcome, UnreadFile):
            print(self._say(words_of(outcome.error)))
            self._failed += 1
        elif isinstance(outcome, Outcome):
            print_outcome(outcome, False, self._say)
            self._held += outcome.ok
            self._failed += not outcome.ok

    def _print(self, text: str) -> None:
        if self._held or self._failed:
            told = said(text, held=self._held, failed=self._failed)
            print(self._say(told), flush=True)

    def _is_overtaken(self) -> bool:
        """Whether something was saved since it began; looked at now and then."""
        if time.monotonic() - self._looked < _LOOKS:
            return False
        saved = self._when_saved()
        self._looked = time.monotonic()
        return saved != self._saved

    def _when_saved(self) -> dict[Path, int]:
        """When each file of the ruleset, and of its cases, was saved last."""
        folder = self._ruleset.folder
        files = [*(path for path, _ in places.files_of(folder)), *files_about(folder)]
        return {path: path.stat().st_mtime_ns for path in files if path.is_file()}


def _play(scenario: Path, games: int) -> None:
    """Print how games between greedy bots end."""
    opened = open_scenario(scenario)
    sides = opened.program.spec.sides
    series = run_series((opened.program, opened.setup), ["greedy"] * len(sides), games)
    wins = [
        sum(number in game.match.winners for game in series.games) for number in range(len(sides))
    ]
    told = ", ".join(f"{side} {won}" for side, won in zip(sides, wins, strict=True))
    turns = sorted(game.turns for game in series.games)[games // 2]
    none = sum(not game.match.winners for game in series.games)
    told += f", nobody {none}" if none else ""
    print(f"{games} game{'s' * (games != 1)}: {told}; the median takes {turns} turns", flush=True)
