"""Tell a recorded game in a page of prose and tables.

Who played, how it ended, the turns that decided it, what each side lost in which turn, who left the
board, and what the dice gave against what was to be expected of them.  As Markdown, or as a page
with --html.

  grognard report game.record
  grognard report game.record -o report.md
  grognard report game.record --html -o report.html
"""

from __future__ import annotations

import argparse

from grognard.draw.scene import Scene
from grognard.files import output
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_language, add_output, add_record
from grognard.lexicon.catalogue import speak
from grognard.records import looks_on
from grognard.retelling.moments import Course
from grognard.retelling.prose import Report
from grognard.table.store import find_game


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_record(parser)
    parser.add_argument("--html", action="store_true", help="write HTML instead of Markdown")
    add_output(parser)
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    source = find_game(args.record)[1]
    opened, game = source.open(args.scenario, args.lenient)
    speak(game, args.language)
    course = Course(game, Scene.of_game(game, opened.style()), looks_on(game, args.side))
    course.scene.style.check_names(game.spec)
    report = Report(course, source.record)
    output(args.output, report.html() if args.html else report.markdown())
    return CLEAN
