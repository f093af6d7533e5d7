"""A terminal or a pipe: writing to it, and reading from it."""

from __future__ import annotations

import os
import shutil
import textwrap
from contextlib import suppress
from typing import TextIO

from grognard.draw.text.canvas import paint
from runtime.errors import ArgumentError
from runtime.spelling import with_words_cut

try:
    import termios
except ImportError:  # not on every system
    termios = None  # type: ignore[assignment]

#: The most characters that a line of input may have.
_LONGEST = 1 << 20
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
#: Clears the line.
_WIPE = "\r\x1b[K"


class Ended(Exception):
    """The player leaves."""


class Console:
    """Where somebody reads and types.

    *color*: with colours; *screen*: it may be cleared; *terminal*: a person sits at it.
    """

    def __init__(
        self, stdin: TextIO, stdout: TextIO, color: bool, screen: bool, terminal: bool
    ) -> None:
        self.color, self.screen, self.terminal = color, screen, terminal
        self._stdin, self._stdout = stdin, stdout
        #: whether a line is to be wiped before anything is written
        self._passing = False

    @property
    def width(self) -> int:
        """How wide the terminal is."""
        return shutil.get_terminal_size((110, 40)).columns if self.terminal else 110

    def say(self, text: str = "") -> None:
        """Write lines."""
        self._wipe()
        print(with_words_cut(text), file=self._stdout, flush=True)

    def say_briefly(self, text: str) -> None:
        """Write a line that stands until something else is written, where there can be one."""
        if self.screen:
            self._wipe()
            print(self.paint(text, "dim"), end="", file=self._stdout, flush=True)
            self._passing = True

    def _wipe(self) -> None:
        if self._passing:
            self._passing = False
            print(_WIPE, end="", file=self._stdout, flush=True)

    def paint(self, text: str, style: str) -> str:
        """Text in a style, where there are colours."""
        return paint(text, style, self.color)

    def wrap(self, text: str, indent: str = "  ") -> str:
        """A paragraph."""
        return textwrap.fill(
            text,
            max(40, min(self.width, 110)),
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )

    def height(self) -> int:
        """How many lines the terminal has, even where the environment says less."""
        rows = shutil.get_terminal_size((110, 40)).lines
        try:
            return max(rows, os.get_terminal_size(self._stdout.fileno()).lines)
        except (OSError, ValueError):
            return rows

    def clear(self) -> None:
        """Clear the screen; where it must not be cleared, what stands on it scrolls away."""
        if self.screen:
            print(_CLEAR, end="", file=self._stdout, flush=True)
        else:
            self.say("\n" * self.height())

    def ask(self, prompt: str) -> str:
        """A line of input; :class:`Ended` at its end."""
        self._wipe()
        if self.terminal:
            self._stdout.write(prompt)
            self._stdout.flush()
        try:
            line = read_line(self._stdin)
        except OSError:  # the terminal is gone
            raise Ended from None
        if not line:
            if self.terminal:
                self.say()
            raise Ended
        return line.strip()

    def forget_typed(self) -> None:
        """Forget what has been typed ahead."""
        forget_typed(self._stdin)


def read_line(stream: TextIO) -> str:
    """A line, empty at the end of the input; what has no end of a line (a device) is no input
    either.  ArgumentError where it is no text at all in the encoding that was asked for.
    """
    try:
        line = stream.readline(_LONGEST)
    except UnicodeError as error:  # UTF-16 and its like have no sign for what they cannot read
        raise ArgumentError(
            f"the standard input is no text in {stream.encoding}: {error}",
            "set PYTHONIOENCODING=utf-8",
        ) from None
    return "" if len(line) == _LONGEST and not line.endswith("\n") else line


def forget_typed(stream: TextIO) -> None:
    """Throw away what was typed at a terminal before it was asked for."""
    if termios is None:
        return
    with suppress(OSError, ValueError, AttributeError, termios.error):
        termios.tcflush(stream.fileno(), termios.TCIFLUSH)
