"""A process that plays, for tests of what it leaves behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from running import ROOT

from runtime.games.record import Record

COMMAND = [sys.executable, "-m", "grognard.fronts.cli.main", "play"]
GAME = ("first", "--bot", "red=random", "--seed", "1")


def heed_signals() -> None:
    """Tests that run in the background, or under nohup, are started with signals ignored, and a child would inherit that."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def playing(desk: Path, *arguments: object, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process that plays, with pipes to it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)], cwd=desk, env=env, **{"preexec_fn": heed_signals, **pipes}
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def type_in(process: subprocess.Popen[bytes], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def until(stream: IO[bytes] | None, text: str) -> None:
    """Read until a line holds a text."""
    assert stream is not None
    for line in stream:
        if text in line.decode():
            return
    raise AssertionError(f"'{text}' did not come")


def actions(path: Path) -> list[str]:
    """The actions of a record that can be read as it is."""
    return [entry.text for entry in Record.parse(path.read_text(encoding="utf-8")).actions]


def left(path: Path) -> list[str]:
    """What stands beside a record."""
    return sorted(
        p.name
        for p in path.parent.iterdir()
        if p.name.startswith((path.name, f".{path.name}")) and p != path
    )


def at_most(size: int) -> Callable[[], None]:
    """No file may become larger, as on a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
