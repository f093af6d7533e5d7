"""Standard input and output, as they may be: closed, full, of few characters.

What a terminal cannot show is written in its place with what it can; what no text is in the input
is read as the sign for that.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TextIO, cast

#: What stands for a character that a terminal has not.
_INSTEAD = {
    "·": ".", "×": "x", "–": "-", "—": "-", "…": "...", "›": ">", "‹": "<", "→": "->", "←": "<-",
    "│": "|", "█": "#", "−": "-", "─": "-",
    "↑": "^", "↓": "v", "↗": "'", "↘": ".", "↙": ",", "↖": "`",  # as wide, for maps
    "‘": "'", "’": "'", "“": '"', "”": '"', "ß": "ss", "\N{REPLACEMENT CHARACTER}": "?",
}  # fmt: skip


class OutputError(OSError):
    """The standard output cannot be written: closed, or full."""


def _exit_and_message(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    parts = []
    for c in error.object[error.start : error.end]:
        plain = unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode()
        parts.append(_INSTEAD.get(c) or plain or "?")
    return "".join(parts), error.end


codecs.register_error("grognard", _exit_and_message)


class CheckedOutput:
    """A stream whose faults are told from those of other files.

    Unless it is *needed*, a reader that leaves, as ``| head`` does, is no fault: what follows is
    unheard.
    """

    def __init__(self, stream: TextIO | None, needed: bool = True) -> None:
        self._stream = stream
        self._needed = needed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write; OutputError when that is not possible."""
        return self._do(lambda s: s.write(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """See that all is written."""
        self._do(lambda s: s.flush() or 0)

    def isatty(self) -> bool:
        """Whether somebody looks on."""
        return self._stream is not None and self._stream.isatty()

    def _do(self, action: Callable[[TextIO], int]) -> int:
        if self._stream is None:
            raise OutputError(errno.EBADF, "it is closed")
        try:
            return action(self._stream)
        except OSError as error:
            if error.errno == errno.EPIPE and not self._needed:
                give_up(self._stream)
                return 0
            raise OutputError(error.errno, error.strerror) from error
        except ValueError as error:  # a stream that was closed meanwhile
            raise OutputError(errno.EBADF, "it is closed") from error


def prepare(needed: bool = True) -> Callable[[], None]:
    """Make the three streams usable; what is called afterwards puts them back.  The output is
    *needed* or may go unheard (:class:`CheckedOutput`).
    """
    before = sys.stdin, sys.stdout, sys.stderr
    for descriptor in (0, 1, 2):
        # A file that is opened must not get the number of a stream that is closed.
        try:
            os.fstat(descriptor)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDONLY)
    # a pipe of a program that does not wait itself
    hasty = [n for n in (1, 2) if not _is_blocking(n)]
    for descriptor in hasty:
        os.set_blocking(descriptor, True)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    sys.stdout = cast(TextIO, CheckedOutput(sys.stdout, needed))
    for stream, errors in (
        (before[0], "replace"),
        (before[1], "grognard"),
        (before[2], "grognard"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)

    def restore() -> None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            give_up(sys.stderr)
        for descriptor in hasty:
            with suppress(OSError):
                os.set_blocking(descriptor, False)
        sys.stdin, sys.stdout, sys.stderr = before

    return restore


def _is_blocking(descriptor: int) -> bool:
    try:
        return os.get_blocking(descriptor)
    except OSError:
        return True


def give_up(stream: Any = None) -> None:
    """Write no more to a stream (the standard output): what is left cannot be written, and Python
    shall not try it when it ends.
    """
    stream = getattr(sys.stdout, "_stream", sys.stdout) if stream is None else stream
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
