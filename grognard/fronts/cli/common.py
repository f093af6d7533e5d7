"""The commands, one module each, and what they share.  Nothing slow is imported here."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import NoReturn

from grognard.files import short
from grognard.fronts.cli.exits import (
    BOT,
    CLEAN,
    FAULT,
    FINDINGS,
    INTERRUPTED,
    MISUSE,
    SIGNALLED,
    Misuse,
)

__all__ = [
    "BOT",
    "CLEAN",
    "FAULT",
    "FINDINGS",
    "INTERRUPTED",
    "MISUSE",
    "SIGNALLED",
    "Misuse",
    "Parser",
]


class Parser(argparse.ArgumentParser):
    """Says what is wrong in our own form."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Complain and end."""
        with suppress(OSError):
            print(f"{self.prog}: {short(message, 300)}", file=sys.stderr)
            print(f"  remedy: `{self.prog} --help` tells what can be given", file=sys.stderr)
        self.exit(MISUSE)
