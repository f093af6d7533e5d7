"""Write a site on which games are played without a server: the engine runs in the browser.

Any server of files can serve the folder, also one that knows nothing but files; nothing is asked of
anybody else.  Games are kept by the browser.  Node.js is needed to build it: the rules are compiled
by the Python that runs in browsers, which npm fetches once.

  grognard site public
  grognard site public --ruleset cc_ancients
  python -m http.server -d public
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from grognard.fronts.cli.exits import CLEAN, SIGNALLED
from grognard.fronts.cli.signals import Stopped, stopped_by_signals


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("folder", metavar="FOLDER", help="a new folder, or that of an older site")
    parser.add_argument(
        "--ruleset",
        metavar="NAME",
        action="append",
        default=[],
        help="only with the scenarios of this ruleset; may be given several times",
    )
    parser.add_argument(
        "--pyodide", metavar="FOLDER", type=Path, help="the unpacked package `pyodide` of npm"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    from grognard.fronts.site.building import build  # start-up: only this command writes pages

    folder = Path(args.folder)
    try:
        with stopped_by_signals():
            size = build(folder, args.ruleset, args.pyodide, partial(print, file=sys.stderr))
    except Stopped as stop:
        return SIGNALLED + stop.number
    print(f"{args.folder} holds the site, {size / 1e6:.0f} MB; any server of files can serve it:")
    print(f"  python -m http.server -d {args.folder}")
    return CLEAN
