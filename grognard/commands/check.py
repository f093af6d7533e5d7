"""Check rulesets and report what is found.

A ruleset is given by its name or its folder.  Exit code 1 when there are errors or warnings.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from grognard import places
from grognard.commands import CLEAN, FINDINGS, Misuse


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("rulesets", metavar="RULESET", nargs="+", help="a ruleset's name or folder")
    files = "the arguments are files: check the rulesets that they belong to, each once"
    parser.add_argument("--files", action="store_true", help=files)
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help="how to report (default: text)")


def run(args: argparse.Namespace) -> int:
    """The command."""
    find = ruleset_around if args.files else places.ruleset_folder
    folders = list(dict.fromkeys(find(argument) for argument in args.rulesets))
    from compiler.report import Report

    report = Report()
    for folder in folders:
        report.add_compilation(places.compile_folder(folder, abstract=True))
    places.print_report(report, args.format)
    return CLEAN if report.clean else FINDINGS


def ruleset_around(argument: str) -> Path:
    """The folder of the ruleset that a file belongs to."""
    path = Path(argument).absolute()
    for folder in path.parents[:3]:
        if places.is_ruleset(folder):
            return folder.resolve()
    raise Misuse(f"'{argument}' belongs to no ruleset", "give a file in the folder of a ruleset")
