"""Building a ruleset natively, for the commands."""

from __future__ import annotations

import sys
import threading
import time
from typing import TextIO

from compiler.native.build import build_at, toolchain
from compiler.native.kept import SWITCH, wanted
from compiler.ruleset import Ruleset
from grognard import places
from grognard.fronts.cli.exits import CLEAN, SIGNALLED
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from runtime.errors import ArgumentError


def build(ruleset: Ruleset) -> int:
    """Build a ruleset natively, saying how far it is."""
    begun = time.monotonic()
    place = ruleset.native
    with Stages(sys.stderr) as stages:
        try:
            maker = toolchain()
            if place.maker() == maker:
                print(f"{ruleset.name}: the native build in {place.folder} is up to date")
                return CLEAN
            with stopped_by_signals():
                assert ruleset.emitted is not None  # else it was reported before
                size = build_at(place, ruleset.emitted, maker, stages)
        except Stopped as stop:
            return SIGNALLED + stop.number
    program = places.program_of(ruleset.folder)
    if wanted() and not program.native:
        raise ArgumentError(
            program.fault or "the native build cannot be loaded",
            "without one, games run in plain Python",
        )
    spent = time.monotonic() - begun
    print(f"{ruleset.name}: built natively in {spent:.0f} s, {size / 1e6:.1f} MB in {place.folder}")
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
