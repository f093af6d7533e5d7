"""Check rulesets and report what is found.

A ruleset is given by its name or its folder.  Exit code 1 when there are errors or warnings.
"""

from __future__ import annotations

import argparse

from grognard import places
from grognard.commands import CLEAN, FINDINGS


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("rulesets", metavar="RULESET", nargs="+", help="a ruleset's name or folder")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help="how to report (default: text)")


def run(args: argparse.Namespace) -> int:
    """The command."""
    folders = [places.ruleset_folder(argument) for argument in args.rulesets]
    from compiler.report import Report

    report = Report()
    for folder in folders:
        report.add_compilation(places.compile_folder(folder, abstract=True))
    places.print_report(report, args.format)
    return CLEAN if report.clean else FINDINGS
