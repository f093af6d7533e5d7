"""Compile a ruleset and write the generated Python module."""

from __future__ import annotations

import argparse
import sys

from grognard import places
from grognard.commands import CLEAN, FINDINGS
from grognard.files import output


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where to write (default: build/compiled/<name>.py; - prints it)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    compilation = places.compile_folder(places.ruleset_folder(args.ruleset))
    if compilation.diagnostics:
        from compiler.report import Report

        report = Report()
        report.add_compilation(compilation)
        places.print_report(report, stream=sys.stderr)
    if compilation.emitted is None:
        return FINDINGS
    name = f"build/compiled/{compilation.name}.py" if args.output is None else args.output
    output(name, compilation.emitted.text, folders=True)
    if name != "-":
        lines = compilation.emitted.text.count("\n")
        print(f"{name}: {lines} lines from {len(compilation.sources)} files")
    return CLEAN
