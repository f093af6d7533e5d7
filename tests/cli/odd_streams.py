"""Commands with streams that are closed, full or of few characters, in places where nothing can be written, or within limits:
each in a process split off from this one, so that nothing is loaded anew.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from running import Ran

from grognard.fronts.cli.main import main

#: Seconds that a command may take.
_PATIENCE = 60


@dataclass(frozen=True)
class Odd:
    """How a command is run: streams (by number) that are closed, those that are a full device, what characters they
    know, what differs in the environment, and what limits it.
    """

    closed: tuple[int, ...] = ()
    full: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    encoding: str = "utf-8"
    environment: dict[str, str] = field(default_factory=dict)
    limit: Callable[[], None] = lambda: None

    @property
    def unheard(self) -> bool:
        """Whether nothing can be printed: then a command may say so by exit code 2."""
        return any(1 in streams for streams in (self.closed, self.full, self.broken))


NOWHERE = dict.fromkeys(
    ("HOME", "GROGNARD_CACHE", "GROGNARD_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"), "/proc/no"
)
ODD = {
    "no output": Odd(closed=(1,)),
    "no errors": Odd(closed=(2,)),
    "no input": Odd(closed=(0,)),
    "nothing": Odd(closed=(0, 1, 2)),
    "full": Odd(full=(1,)),
    "full errors": Odd(full=(2,)),
    "all full": Odd(full=(1, 2)),
    "broken": Odd(broken=(1,)),
    "broken errors": Odd(broken=(2,)),
    "ascii": Odd(encoding="ascii", environment={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
    "latin": Odd(encoding="latin-1", environment={"TERM": "dumb", "COLUMNS": "1", "LINES": "1"}),
    "utf-16": Odd(encoding="utf-16"),
    "ebcdic": Odd(encoding="cp037", environment={"COLUMNS": "-5", "LINES": "x"}),
    "homeless": Odd(environment=NOWHERE),
    "hurried": Odd(
        environment={"COLUMNS": "99999", "LINES": "0", "LANG": "cs_CZ", "PYTHONOPTIMIZE": "2"}
    ),
}


def run(arguments: list[str], typed: list[str], odd: Odd, folder: Path) -> Ran:
    """What a command did in a folder; a negative exit code is the signal that ended it."""
    with (
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        lines = "".join(f"{line}\n" for line in typed)
        said.write(lines.encode(odd.encoding, "replace") if lines else b"")
        said.seek(0)
        child = os.fork()
        if not child:
            _child(arguments, odd, folder, (said.fileno(), out.fileno(), err.fileno()))
        code = _wait(child)
        out.seek(0)
        err.seek(0)
        return Ran(code, *(file.read().decode(odd.encoding, "replace") for file in (out, err)))


def _wait(child: int) -> int:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -1000


def _child(arguments: list[str], odd: Odd, folder: Path, files: tuple[int, int, int]) -> None:
    """Be the command."""
    code = 99
    try:
        os.chdir(folder)
        os.environ.update(odd.environment)
        odd.limit()
        broken, other = os.pipe()
        os.close(broken)
        for number, whole in enumerate(files):
            if number in odd.closed:
                os.close(number)
            elif number in odd.full:
                os.dup2(os.open("/dev/full", os.O_RDWR), number)
            else:
                os.dup2(other if number in odd.broken else whole, number)
        os.close(other)
        streams = [
            None
            if number in odd.closed
            else open(number, mode, encoding=odd.encoding, errors=errors)  # noqa: SIM115
            for number, mode, errors in (
                (0, "r", "strict"),
                (1, "w", "strict"),
                (2, "w", "backslashreplace"),
            )
        ]
        sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = streams  # type: ignore[misc]
        code = main(arguments)
        if sys.stdout is not None:
            with suppress(ValueError):
                sys.stdout.flush()  # as Python does at its end
    except BaseException as error:
        os.write(
            files[2], f"Traceback: {type(error).__name__}: {error}".encode(odd.encoding, "replace")
        )
    finally:
        os._exit(code & 0xFF)


def variants() -> Iterator[tuple[str, Odd]]:
    """All of them again and again."""
    while True:
        yield from ODD.items()
