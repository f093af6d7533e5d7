"""Run test cases of rulesets.

Cases are YAML files (docs/cases.md); a folder stands for all files below it.  Exit code 1 when a
case fails.
"""

from __future__ import annotations

import argparse

from compiler.output.report import harmless
from grognard import places
from grognard.cases.runner import Outcome
from grognard.cases.suite import (
    LeftOut,
    RulesetErrors,
    UnreadFile,
    case_files,
    run_files,
    workbench,
)
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.lab.balance import balances


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "cases", metavar="CASES", nargs="+", help="files of cases, or folders of them"
    )
    parser.add_argument(
        "-k",
        "--match",
        metavar="WORDS",
        default="",
        help="only cases whose name or rules contain these words",
    )
    parser.add_argument(
        "--interpreted", action="store_true", help="run them with the reference interpreter"
    )
    parser.add_argument(
        "--balance",
        action="store_true",
        help="run the cases of balance, which play many games, and no others",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="also name the cases that pass"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    passed = failed = left_out = 0
    try:
        files = case_files(args.cases)
        outcomes = (
            balances(files, args.match)
            if args.balance
            else run_files(files, args.match, bench=workbench(args.interpreted))
        )
        for outcome in outcomes:
            if isinstance(outcome, LeftOut):
                left_out += 1
                continue
            if isinstance(outcome, UnreadFile):
                print(harmless(str(outcome.error)))
            else:
                show(outcome, args.verbose)
            ok = not isinstance(outcome, UnreadFile) and outcome.ok
            passed, failed = passed + ok, failed + (not ok)
    except RulesetErrors as error:
        places.print_report(error.report)
        return FINDINGS
    rest = f", {left_out} of balance left out (--balance runs them)" if left_out else ""
    print(f"{passed} passed, {failed} failed{rest}")
    return FINDINGS if failed else CLEAN


def show(outcome: Outcome, verbose: bool) -> None:
    """Print what came of a case: of one that held only with *verbose*."""
    case = outcome.case
    if outcome.ok:
        if verbose:
            print(f"ok    {case.name}")
        return
    print(
        f"{case.file}:{case.line}: {case.name}"
        + (f" ({', '.join(case.rules)})" if case.rules else "")
    )
    for problem in outcome.problems:
        print(f"    {problem}")
    if outcome.actions:
        print(f"  played: {', '.join(outcome.actions)}")
    if outcome.log:
        print("  log:")
        for line in outcome.log:
            print(f"    {line}")
