"""Tell what each change of a ruleset does, as soon as a file is saved: what is found in it, which
of the cases about it hold, and how the games of bots end.

Cases are those in tests/cases/RULESET and in the ruleset's folder `cases`; after a change only
those run that are about what has changed. Of SCENARIO some games between greedy bots are played,
and a line says who wins. Ctrl-C ends it. With --once the exit code is 1 when
anything is found, or a case does not hold.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from compiler.output.report import Report
from compiler.ruleset import Ruleset
from grognard import places
from grognard.cases.runner import Outcome
from grognard.cases.suite import UnreadFile, files_about, run_files
from grognard.draw.style_findings import findings_of_looks
from grognard.editing.differences import concerned
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_findings_language, count
from grognard.fronts.cli.games.test import show
from grognard.fronts.cli.reporting import print_report
from grognard.lexicon.faults import Sayer, sayer_for
from grognard.opening import open_scenario
from runtime.errors import ArgumentError, GrognardError, words_of
from runtime.runs.series import run_series
from runtime.words.said import said

#: How many games are played of the scenario.
_GAMES = 10


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
    clean = _look(ruleset, None, args)
    if args.once:
        return CLEAN if clean else FINDINGS
    for _ in _changes(folder, args.scenario):
        print(f"\n{time.strftime('%H:%M:%S')}")
        before, ruleset = ruleset, ruleset.again({})
        _look(ruleset, before, args)
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


def _look(ruleset: Ruleset, before: Ruleset | None, args: argparse.Namespace) -> bool:
    """Print what there is to be said of a ruleset, which was *before* when last looked at; whether
    all is well.
    """
    start, say = time.perf_counter(), sayer_for(args.language)
    report = Report()
    report.add_ruleset(ruleset)
    report.add_findings(findings_of_looks(ruleset))
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
            clean = _cases_hold(ruleset, before, say) and clean
            if args.scenario is not None:
                _play(args.scenario, args.games)
        except GrognardError as error:  # a file may be half written, or wrong: the next save tells
            print(error, flush=True)
            return False
    return clean


def _cases_hold(ruleset: Ruleset, before: Ruleset | None, say: Sayer) -> bool:
    """Run the cases about what has changed; all, where nothing has been looked at before."""
    held = failed = 0
    wanted = concerned(before, ruleset)
    for outcome in run_files(files_about(ruleset.folder), only=wanted):
        if isinstance(outcome, UnreadFile):
            print(say(words_of(outcome.error)))
            failed += 1
        elif isinstance(outcome, Outcome):
            show(outcome, False, say)
            held, failed = held + outcome.ok, failed + (not outcome.ok)
    if held or failed:
        print(
            say(said("cases: {held} hold, {failed} do not", held=held, failed=failed)), flush=True
        )
    return not failed


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
