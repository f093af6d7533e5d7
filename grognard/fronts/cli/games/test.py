"""Run test cases of rulesets.

Cases are YAML files (docs/cases.md); a folder stands for all files below it, a ruleset for those in
tests/cases/RULESET and in its own folder cases.  Exit code 1 when a case fails.
"""

from __future__ import annotations

import argparse

from compiler.output.report import harmless
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
from grognard.fronts.cli.flags import add_findings_language
from grognard.fronts.cli.native_build import build_for
from grognard.fronts.cli.reporting import print_report
from grognard.lab.balance import balances
from grognard.lexicon.faults import Sayer, sayer_for
from runtime.errors import ArgumentError, words_of
from runtime.words.said import said


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "cases", metavar="CASES", nargs="+", help="files of cases, folders of them, or rulesets"
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
    add_findings_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    passed = failed = left_out = 0
    say = sayer_for(args.language)
    try:
        files = case_files(args.cases)
        outcomes = (
            balances(files, args.match, build_for)
            if args.balance
            else run_files(files, args.match, bench=workbench(args.interpreted))
        )
        for outcome in outcomes:
            if isinstance(outcome, LeftOut):
                left_out += 1
                continue
            if isinstance(outcome, UnreadFile):
                print(harmless(say(words_of(outcome.error))))
            else:
                print_outcome(outcome, args.verbose, say)
            ok = not isinstance(outcome, UnreadFile) and outcome.ok
            passed, failed = passed + ok, failed + (not ok)
    except RulesetErrors as error:
        print_report(error.report, language=args.language)
        return FINDINGS
    if args.balance and not passed + failed:
        raise ArgumentError(
            "there is no case of balance in these files",
            "write one, as `balance: 0.45..0.55, games 400` (docs/lab.md)",
        )
    count = said("{passed} passed, {failed} failed", passed=passed, failed=failed)
    if left_out:
        count += said(", {count} of balance left out (--balance runs them)", count=left_out)
    print(say(count))
    return FINDINGS if failed else CLEAN


def print_outcome(outcome: Outcome, verbose: bool, say: Sayer) -> None:
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
        print(f"    {say(problem)}")
    if outcome.actions:
        print(say(said("  played: {actions}", actions=", ".join(outcome.actions))))
    if outcome.log:
        print(say(said("  log:")))
        for line in outcome.log:
            print(f"    {line}")
