"""The commands, one module each, and what they share.  Nothing slow is imported here."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from compiler.report import Report

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


class Found(Exception):
    """There are findings: in the *report*, or printed already."""

    def __init__(self, report: Report | None = None) -> None:
        super().__init__()
        self.report = report


class Parser(argparse.ArgumentParser):
    """Says what is wrong in our own form."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Complain and end."""
        from grognard.files import short

        with suppress(OSError):
            print(f"{self.prog}: {short(message, 300)}", file=sys.stderr)
            print(f"  remedy: `{self.prog} --help` tells what can be given", file=sys.stderr)
        self.exit(MISUSE)
