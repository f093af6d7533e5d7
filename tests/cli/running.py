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

    It minds an interrupt even where the tests run in the background of a shell, which has them ignore it.
    """
    here = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # not ignored, so that it is not inherited so
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
        signal.signal(signal.SIGINT, here)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
