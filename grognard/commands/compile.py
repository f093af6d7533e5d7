"""Compile a ruleset and write the generated Python module."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grognard import places
from grognard.commands import CLEAN, FINDINGS, Misuse
from grognard.files import reason, replace


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
    if args.output == "-":
        print(compilation.emitted.text, end="")
        return CLEAN
    if args.output is not None and not args.output.strip():
        raise Misuse("-o has an empty name of a file", "give the name of a file")
    path = Path(args.output or f"build/compiled/{compilation.name}.py")
    write(path, compilation.emitted.text)
    print(f"{path}: {compilation.emitted.text.count(chr(10))} lines from {len(compilation.sources)} files")
    return CLEAN


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, text)
    except OSError as error:
        raise Misuse(f"{path} cannot be written: {reason(error)}", "give another file with -o") from None
