"""How a command ends: the exit codes, and what ends it before its time.  Nothing slow is imported
here.
"""

from __future__ import annotations

#: Exit codes.
CLEAN, FINDINGS, MISUSE, FAULT, BOT = 0, 1, 2, 3, 4
#: A signal that ends the program gives 128 and its number.
SIGNALLED = 128
INTERRUPTED = SIGNALLED + 2


class Misuse(Exception):
    """Wrong arguments, a missing file: what is wrong, and what to do about it."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy
