"""Run test cases of rulesets.

Cases are YAML files (docs/cases.md); a folder stands for all files below it.  Exit code 1 when a
case fails.
"""

from __future__ import annotations

import argparse

from compiler.output.report import harmless
from grognard import places
from grognard.cases.runner import Outcome
from grognard.cases.suite import RulesetErrors, UnreadFile, case_files, run_files
from grognard.fronts.cli.exits import CLEAN, FINDINGS


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
        "-v", "--verbose", action="store_true", help="also name the cases that pass"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    passed = failed = 0
    try:
        for outcome in run_files(case_files(args.cases), args.match, args.interpreted):
            if isinstance(outcome, UnreadFile):
                print(harmless(str(outcome.error)))
            else:
                show(outcome, args.verbose)
            ok = not isinstance(outcome, UnreadFile) and outcome.ok
            passed, failed = passed + ok, failed + (not ok)
    except RulesetErrors as error:
        places.print_report(error.report)
        return FINDINGS
    print(f"{passed} passed, {failed} failed")
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
