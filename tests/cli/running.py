"""What the tests of the command line share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        """Everything it printed."""
        return self.out + self.err


@contextmanager
def begun(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A command under way, in a session of its own; none of its processes outlives the block.

    It minds interrupts and hang-ups even where the tests run in the background, and so ignore them.
    """
    ours = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    for number in ours:  # not ignored, so that it is not inherited so
        signal.signal(number, lambda *_: None)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "grognard", *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
