"""Check scenarios: their shape, and whether what they say makes sense for their ruleset.

A scenario is given by its file, as ruleset/name, or by its name.  Exit code 1 when there are errors
or warnings.
"""

from __future__ import annotations

import argparse

from compiler.output.report import Report, shown_path
from grognard import places
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_findings_language, add_format
from grognard.fronts.cli.reporting import print_report
from grognard.opening import read_scenario


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "scenarios", metavar="SCENARIO", nargs="+", help="a scenario's file or name"
    )
    add_format(parser)
    add_findings_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    paths = [places.scenario_path(argument) for argument in args.scenarios]
    report = Report()
    for path in paths:
        report.add_findings(read_scenario(path)[1], shown_path(path))
    print_report(report, args.format, language=args.language)
    return CLEAN if report.clean else FINDINGS
