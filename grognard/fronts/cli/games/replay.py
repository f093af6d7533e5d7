"""Play a recorded game again.

The log of the game is printed.  With --verify nothing but the verdict: whether every action is
possible and every hash agrees, or where the game parts from its record (exit code 1).  With --html
the game is written as a page to look at: one file, without anything from outside.

  grognard replay game.record
  grognard replay game.record --html game.html
  grognard replay game.record --side carthage --html what-carthage-sees.html
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from itertools import zip_longest

from compiler.output.report import wants_color
from grognard.draw.art import Art
from grognard.draw.scene import Scene
from grognard.draw.text.position import TextBoard
from grognard.files import output, path_named, short
from grognard.fronts.cli.crash import watch_game
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_art, add_language, add_record, read_art
from grognard.lexicon.catalogue import speak
from grognard.records import looks_on, read_record, scenario_of
from grognard.retelling.moments import Course
from grognard.retelling.page import page_of
from grognard.scenario import Scenario
from grognard.table.situation import in_short, panel_lines
from grognard.table.store import find_game
from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.sealing import Key
from runtime.model import NONE
from runtime.view import view


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_record(parser)
    parser.add_argument(
        "--verify", action="store_true", help="only say whether the record can be replayed"
    )
    parser.add_argument(
        "--against",
        metavar="SEALED",
        help="the sealed record of the same game, as it was before the end: does it agree?",
    )
    parser.add_argument(
        "--board", action="store_true", help="show the board at the end, as everybody sees it"
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="write a page to step through the game: board, log, hands, dice and their odds",
    )
    add_art(parser)
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    source = find_game(args.record)[1]
    record = source.record
    given = None if args.against is None else read_record(path_named(args.against, "--against"))
    opened = scenario_of(record, args.scenario, source.name)
    try:
        game = source.game(opened, args.lenient, log=not args.verify)
    except RecordError as error:
        print(error.message, file=sys.stderr)
        if error.remedy:
            print(f"  remedy: {error.remedy}", file=sys.stderr)
        return FINDINGS
    watch_game(game)
    speak(game, args.language)
    if given is not None and (parting := seal_difference(game, source.key, given)):
        print(f"{short(args.against)}: {parting}", file=sys.stderr)
        return FINDINGS
    side = looks_on(game, args.side)
    if args.html is not None:
        write_page(args.html, opened, game, record, side, read_art(args))
        if args.html == "-":
            return CLEAN
    elif not args.verify:
        # what only some were told is told to all when the game is over
        for line in game.log_of(side if args.side else None if game.over else NONE):
            print(f"· {line}")
    if args.board:
        _print_board(game, opened)
    hashes = sum(entry.side == "#" for entry in record.entries)
    outcome = "unfinished" if not game.over else in_short(game.state, game.spec.sides)
    players = ", ".join(f"{side} {short(name)}" for side, name in record.players)
    facts = [game.setup.title, players, f"{len(record.actions)} actions", outcome]
    print(f"{source.name}: {', '.join(filter(None, facts))}")
    summary = "1 hash agrees" if hashes == 1 else f"{hashes} hashes agree"
    print(
        f"the record holds: {summary}"
        + (", and what was sealed before" if given is not None else "")
    )
    return CLEAN


def _print_board(game: Game, opened: Scenario) -> None:
    """Print the board as everybody sees it."""
    seen = view(game.state, NONE)
    scene = Scene.of_game(game, opened.style())
    looks = scene.looks(seen)
    color = wants_color(sys.stdout)
    panel = panel_lines(game, scene, seen, game.state.chooser, color)
    print(TextBoard(scene, seen.data, looks, color=color).whole(panel, 110))


def write_page(
    name: str,
    opened: Scenario,
    game: Game,
    record: Record,
    side: int | None,
    art: Iterable[Art] = (),
) -> None:
    """Write the page of a game to the file that *name* says."""
    course = Course(game, Scene.of_game(game, opened.style(art)), side)
    course.scene.style.check_names(game.spec)
    output(name, page_of(course, record), option="--html")


def seal_difference(game: Game, key: Key | None, given: Record) -> str:
    """Where a game parts from the sealed record of it that was given before; nothing when it does
    not.
    """
    if key is None or given.commitment != key.commitment:
        return "the commitment is not that of this game's seed and nonce"
    mine = Record.of(game, nonce=key.nonce, reveal=False)
    if (mine.ruleset, mine.ruleset_hash) != (given.ruleset, given.ruleset_hash):
        return "it is of another ruleset, or of another state of it"
    if mine.setup_hash != given.setup_hash:
        return "it is of another scenario, or of another state of it"
    for one, other in zip_longest(mine.entries[: len(given.entries)], given.entries):
        if one != other:
            return f"the game parts from it in line {other.line}: '{short(other.text)}'"
    return ""
