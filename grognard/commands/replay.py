"""Play a recorded game again.

The log of the game is printed.  With --verify nothing but the verdict: whether every action is possible and
every hash agrees, or where the game parts from its record (exit code 1).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grognard.commands import CLEAN, FINDINGS


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("record", metavar="FILE", help="the record of a game")
    parser.add_argument("--scenario", metavar="SCENARIO", help="the scenario, where it is not found by itself")
    parser.add_argument("--verify", action="store_true", help="only say whether the record holds")
    parser.add_argument("--lenient", action="store_true", help="the ruleset or scenario may have changed, as long as the states agree")
    parser.add_argument("--board", action="store_true", help="show the board at the end")


def run(args: argparse.Namespace) -> int:
    """The command."""
    from grognard.outcome import in_short
    from grognard.records import read_record, scenario_of
    from runtime.record import RecordError, replay

    path = Path(args.record)
    record = read_record(path)
    opened = scenario_of(record, args.scenario)
    try:
        game = replay(opened.program, opened.setup, record, args.lenient, log=not args.verify)
    except RecordError as error:
        where = f"{path}:{error.line}" if error.line else str(path)
        print(f"{where}: {error.message}", file=sys.stderr)
        if error.remedy:
            print(f"  remedy: {error.remedy}", file=sys.stderr)
        return FINDINGS
    if not args.verify:
        for line in game.log:
            print(f"· {line}")
    if args.board:
        from compiler.report import wants_color
        from grognard.scene import Scene
        from runtime.view import view

        scene = Scene(game.spec, game.setup, game.wording)
        seen = view(game.state, 0)
        print(scene.whole(seen.data, game.state.chooser, (), wants_color(sys.stdout), 110, seen.scores(game.program)))
    hashes = sum(entry.side == "#" for entry in record.entries)
    outcome = "unfinished" if not game.over else in_short(game.state, game.spec.sides)
    players = ", ".join(f"{side} {name}" for side, name in record.players)
    print(f"{path}: {game.setup.title}, {players + ', ' if players else ''}{len(record.actions)} actions, {outcome}")
    print(f"the record holds: {hashes} hashes agree")
    return CLEAN
