"""A terminal or a pipe: writing to it, and reading from it."""

from __future__ import annotations

import os
import shutil
import textwrap
from typing import TextIO

from grognard.draw.text.canvas import paint
from grognard.fronts.cli.streams import forget_typed, read_line
from runtime.spelling import shortened

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


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

    @property
    def width(self) -> int:
        """How wide the terminal is."""
        return shutil.get_terminal_size((110, 40)).columns if self.terminal else 110

    def say(self, text: str = "") -> None:
        """Write lines."""
        print(shortened(text), file=self._stdout, flush=True)

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
        said = shutil.get_terminal_size((110, 40)).lines
        try:
            return max(said, os.get_terminal_size(self._stdout.fileno()).lines)
        except (OSError, ValueError):
            return said

    def clear(self) -> None:
        """Clear the screen; where it must not be cleared, what stands on it scrolls away."""
        if self.screen:
            print(_CLEAR, end="", file=self._stdout, flush=True)
        else:
            self.say("\n" * self.height())

    def ask(self, prompt: str) -> str:
        """A line of input; :class:`Ended` at its end."""
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
