"""Compile a ruleset and write the generated Python module, or build it natively.

A native build turns the rules into machine code with mypyc, which takes a minute or some; games then run
about three times as fast, with the same decisions and dice.  It is kept in the cache, and whatever plays
the ruleset takes it from there as long as the sources, Grognard and Python stay the same.
GROGNARD_NATIVE=no leaves it aside; `grognard list` shows which rulesets have one.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from grognard import places
from grognard.commands import CLEAN, FINDINGS, Misuse
from grognard.files import reason, replace

if TYPE_CHECKING:
    from compiler.api import Compilation


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where to write (default: build/compiled/<name>.py; - prints it)",
    )
    parser.add_argument(
        "--native",
        action="store_true",
        help="build it natively, and keep that in the cache (a minute or some)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.native and args.output is not None:
        raise Misuse("a native build goes into the cache, not into a file", "leave out -o, or --native")
    folder = places.ruleset_folder(args.ruleset)
    compilation = places.compile_folder(folder)
    if compilation.diagnostics:
        from compiler.report import Report

        report = Report()
        report.add_compilation(compilation)
        places.print_report(report, stream=sys.stderr)
    if compilation.emitted is None:
        return FINDINGS
    if args.native:
        return build(folder, compilation)
    if args.output == "-":
        print(compilation.emitted.text, end="")
        return CLEAN
    if args.output is not None and not args.output.strip():
        raise Misuse("-o has an empty name of a file", "give the name of a file")
    path = Path(args.output or f"build/compiled/{compilation.name}.py")
    write(path, compilation.emitted.text)
    print(f"{path}: {compilation.emitted.text.count(chr(10))} lines from {len(compilation.sources)} files")
    return CLEAN


def build(folder: Path, compilation: Compilation) -> int:
    """Build a ruleset natively, saying how far it is."""
    from compiler.native.build import CannotBuild, build_ruleset, toolchain
    from compiler.native.kept import SWITCH, wanted

    begun = time.monotonic()
    place = places.native_place(folder)
    with Stages(sys.stderr) as stages:
        try:
            maker = toolchain()
            if place.fresh(maker):
                print(f"{compilation.name}: the native build in {place.folder} is up to date")
                return CLEAN
            size = build_ruleset(place, compilation, maker, stages)
        except CannotBuild as error:
            raise Misuse(str(error), error.remedy) from None
    program = places.program_of(folder)
    if wanted() and not program.native:
        raise Misuse(
            program.fault or "the native build cannot be loaded", "without one, games run in plain Python"
        )
    spent = time.monotonic() - begun
    print(f"{compilation.name}: built natively in {spent:.0f} s, {size / 1e6:.1f} MB in {place.folder}")
    if not wanted():
        print(f"{SWITCH} says that it is not to be used", file=sys.stderr)
    return CLEAN


class Stages:
    """Says which stage a build is in; on a terminal in one line, with the seconds."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.line = stream.isatty()
        self.stage = ""
        self.begun = time.monotonic()
        self.done = threading.Event()
        self.ticking = threading.Thread(target=self._tick, daemon=True)

    def __call__(self, stage: str) -> None:
        """Another stage begins."""
        self.stage = stage
        if not self.line:
            print(f"{stage} …", file=self.stream, flush=True)

    def __enter__(self) -> Stages:
        if self.line:
            self.ticking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        if self.line:
            self.ticking.join()
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _tick(self) -> None:
        while not self.done.wait(0.5):
            self.stream.write(f"\r\x1b[K{self.stage} … {time.monotonic() - self.begun:.0f} s")
            self.stream.flush()


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, text)
    except OSError as error:
        raise Misuse(f"{path} cannot be written: {reason(error)}", "give another file with -o") from None
