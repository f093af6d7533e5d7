"""Put .grog files into canonical layout.

Only white space changes.  A folder stands for all .grog files below it; - reads the standard input
and writes the standard output.  Files with errors stay as they are, and the errors are reported.

--upgrade also writes what has a shorter form today in that: rules in the block of what they are
for, citations of one rulebook by §, headings for rulers of dashes.  What sources mean, and their
comments, stay as they are.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from compiler.output.report import Report, shown_path
from dsl.formatter import format_source
from dsl.parser import parse
from dsl.source import Source
from dsl.upgrade import books, reworded, upgraded
from grognard.files import below, replace
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.reporting import print_report
from runtime.errors import ArgumentError
from runtime.files import LARGEST, read_bytes, remedy_of


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a .grog file or a folder, - for the standard input",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="change nothing; exit code 1 when something would change",
    )
    parser.add_argument(
        "--upgrade", action="store_true", help="bring older sources into the form of today, too"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    files = list(dict.fromkeys(file for path in args.paths for file in _files(path)))
    report = Report()
    changed = 0
    texts = {file: _read(file, _display_name(file)) for file in files}
    cited = _cited_books(texts) if args.upgrade else {}
    for file, text in texts.items():
        name = _display_name(file)
        source = Source(name, reworded(text) if args.upgrade else text)
        diagnostics = parse(source).diagnostics
        if diagnostics:
            report.add_diagnostics(diagnostics, {name: source})
        new = upgraded(source, *cited[file]) if file in cited else format_source(source)
        new = text if diagnostics else new
        if file is None:
            print(new, end="")
        elif new != text:
            changed += 1
            if not args.check:
                _write(file, new, name)
            print(f"{'would change' if args.check else 'changed'} {name}")
    if report.findings:
        print_report(report, stream=sys.stderr)
    if None not in files:
        word = "would change" if args.check else "changed"
        print(f"{len(files)} file{'s' if len(files) != 1 else ''}, {changed} {word}")
    return FINDINGS if report.findings or (args.check and changed) else CLEAN


def _display_name(file: Path | None) -> str:
    return "<stdin>" if file is None else shown_path(file)


def _cited_books(texts: dict[Path | None, str]) -> dict[Path | None, tuple[str, bool]]:
    """Which rulebook each file cites by ``§``, and whether it is to say so itself."""
    cited: dict[Path | None, tuple[str, bool]] = {}
    for folder in {file and file.parent for file in texts}:
        chosen = [file for file in texts if (file and file.parent) == folder]
        beside = [] if folder is None else [*folder.glob("*.grog")]
        whole = {one: texts[one] for one in chosen}
        whole |= {one: _read(one, _display_name(one)) for one in beside if one not in texts}
        cited |= books(whole, chosen)
    return cited


def _files(argument: str) -> list[Path | None]:
    if argument == "-":
        return [None]
    path = Path(argument)
    if path.is_dir():
        files: list[Path | None] = [*below(path, ".grog")]
        if not files:
            raise ArgumentError(
                f"there are no .grog files below '{argument}'",
                "give a file or the folder of a ruleset",
            )
        return files
    if not path.is_file():
        raise ArgumentError(
            f"there is no file '{argument}'", "give a .grog file or a folder with such files"
        )
    if path.suffix != ".grog":
        raise ArgumentError(
            f"'{argument}' is not a .grog file", "only the sources of rulesets are formatted"
        )
    return [path]


def _read(file: Path | None, name: str) -> str:
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if file is None else read_bytes(file)
        if len(data) > LARGEST:
            raise ArgumentError(
                f"{name} has more than {LARGEST >> 20} MB", "give the source of a ruleset"
            )
        return data.decode("utf-8")
    except OSError as error:
        raise ArgumentError(f"{name} cannot be read: {error.strerror}", remedy_of(error)) from None
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ArgumentError(
            f"{name}:{line}: this is not UTF-8 text (byte {error.start})", "save the file as UTF-8"
        ) from None


def _write(file: Path, text: str, name: str) -> None:
    try:
        replace(file, text)
    except OSError as error:
        raise ArgumentError(
            f"{name} cannot be written: {error.strerror}", "check its permissions"
        ) from None
