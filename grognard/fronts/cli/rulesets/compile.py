"""Compile a ruleset and write the generated Python module, or build it natively.

A native build turns the rules into C, and that into machine code, for all scenarios of the ruleset
that are found; it takes some seconds for each board and each number of pieces.  Series of games
between random and greedy bots then run some twenty times as fast, with the same decisions and dice,
and bots that search think as much faster.
It is kept in the cache as long as the sources and Grognard stay the same.  GROGNARD_NATIVE=no
ignores it; `grognard list` shows which rulesets have one.
"""

from __future__ import annotations

import argparse
import sys

from compiler.output.report import Report
from grognard import places
from grognard.files import output
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_output
from grognard.fronts.cli.native_build import build_all
from grognard.fronts.cli.reporting import print_report
from runtime.errors import ArgumentError


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    where = "where to write (default: build/compiled/<name>.py; - prints it)"
    add_output(parser, where, default=None)
    parser.add_argument(
        "--native",
        action="store_true",
        help="build it natively and keep the build in the cache (takes some seconds)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.native and args.output is not None:
        raise ArgumentError(
            "a native build goes into the cache, not into a file", "leave out -o, or --native"
        )
    folder = places.ruleset_folder(args.ruleset)
    ruleset = places.readable_ruleset(folder)
    if ruleset.diagnostics:
        report = Report()
        report.add_ruleset(ruleset)
        print_report(report, stream=sys.stderr)
    if ruleset.emitted is None:
        return FINDINGS
    if args.native:
        return build_all(ruleset)
    name = f"build/compiled/{ruleset.name}.py" if args.output is None else args.output
    output(name, ruleset.emitted.text, folders=True)
    if name != "-":
        lines = ruleset.emitted.text.count("\n")
        print(f"{name}: {lines} lines from {len(ruleset.sources)} files")
    return CLEAN
