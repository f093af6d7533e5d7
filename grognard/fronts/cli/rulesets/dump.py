"""Print a stage of the compilation as text.

parsed    the syntax tree of every file
resolved  the declarations after extends, replace, drop and insert
checked   the checked program: names and types known
rules     quantities and permissions as trees of rules and exceptions
lowered   the procedures that can ask, as blocks
emitted   the generated Python module
"""

from __future__ import annotations

import argparse
import sys

from compiler.output.dump import STAGES, NotReached, dump
from compiler.output.report import Report
from grognard import places
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.reporting import print_report


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument("--stage", choices=STAGES, required=True, help="which")


def run(args: argparse.Namespace) -> int:
    """The command."""
    folder = places.ruleset_folder(args.ruleset)
    ruleset = places.readable_ruleset(folder, abstract=args.stage in ("parsed", "resolved"))
    try:
        print(dump(ruleset, args.stage), end="")
        return CLEAN
    except NotReached:
        report = Report()
        report.add_ruleset(ruleset)
        print_report(report, stream=sys.stderr)
        print(f"the stage '{args.stage}' was not reached", file=sys.stderr)
        return FINDINGS
