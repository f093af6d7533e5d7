"""Serve an editor: findings while rules, scenarios and cases are written, what may stand somewhere,
what a name means, another name for it.

The editor starts this command and talks to it over standard input and output (Language Server
Protocol).  docs/editors/README.md tells how editors are set up.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from grognard.fronts.cli.exits import CLEAN
from runtime.errors import ArgumentError


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("--stdio", action="store_true", help="what it always does")


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        from grognard.fronts.lsp.server import make_server  # start-up: pygls comes with an extra
    except ModuleNotFoundError as error:
        message = f"the language server needs the package '{error.name}'"
        raise ArgumentError(message, "pip install 'grognard[lsp]'") from None
    if sys.stdin.isatty():
        message = "an editor starts this command, and talks to it; there is nothing to type here"
        raise ArgumentError(message, "docs/editors/README.md tells how editors are set up")
    # the server closes what it writes to, which the command line flushes at its end
    with open(os.dup(sys.stdout.fileno()), "wb", closefd=True) as out:
        make_server(Path.cwd()).start_io(sys.stdin.buffer, out)
    return CLEAN
