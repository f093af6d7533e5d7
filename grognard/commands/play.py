"""Play a scenario in the terminal: against a bot, against each other, or two bots to look on.

Without a scenario, the scenarios that are found are offered.  Sides without --bot are played by people; two of
them can share the terminal without seeing each other's cards.  At the prompt, ? helps.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grognard import places
from grognard.commands import CLEAN, Misuse

if TYPE_CHECKING:
    from grognard.explain import Explainer
    from runtime.bots import Bot
    from runtime.game import Game


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="a scenario's file or name")
    bots = "let a bot play a side (random, greedy); may be repeated"
    parser.add_argument("--bot", metavar="SIDE=NAME", action="append", default=[], help=bots)
    parser.add_argument("--seed", metavar="N", type=int, help="the seed of all chance (default: drawn)")
    parser.add_argument("--record", metavar="FILE", help="write the game to a file, when it ends or you leave")
    parser.add_argument("--resume", metavar="FILE", help="go on with a game from its record")
    parser.add_argument("--plain", action="store_true", help="no colours, no clearing of the screen")


def run(args: argparse.Namespace) -> int:
    """The command."""
    from compiler.report import wants_color
    from grognard.faults import watch
    from grognard.records import open_record
    from grognard.session import Ended, Session
    from runtime.game import Game
    from runtime.state import RulesetFault

    screen = sys.stdin.isatty() and sys.stdout.isatty() and not args.plain
    if args.resume is not None:
        if args.seed is not None:
            raise Misuse("--seed and --resume do not go together", "the record knows its seed")
        opened, game = open_record(Path(args.resume), args.scenario)
        players = dict(places_of(game, args.resume))
    else:
        opened = places.open_scenario(args.scenario or choose(screen))
        seed = args.seed if args.seed is not None else secrets.randbelow(1 << 32)
        game = Game(opened.program, opened.setup, seed)
        players = {}
    bots = seats(game, args.bot, players if not args.bot else {})
    names = {side: bots[i][0] if i in bots else "person" for i, side in enumerate(game.spec.sides)}
    explainers: list[Explainer] = []

    def explainer() -> Explainer:
        if not explainers:
            from grognard.explain import Explainer

            explainers.append(Explainer(opened.folder))
        return explainers[0]

    def save(path: Path) -> None:
        path.write_text(game.record(names).write(), encoding="utf-8")

    record = Path(args.record) if args.record else Path(args.resume) if args.resume else None
    if record is not None and not record.parent.is_dir():
        raise Misuse(f"there is no folder '{record.parent}'", "make it first, or give another file")
    color = wants_color(sys.stdout) and not args.plain
    watch(game)
    made = {side: bot for side, (_, bot) in bots.items()}
    session = Session(game, made, explainer, sys.stdin, sys.stdout, color, screen, save, record)
    session.say(f"{game.setup.title} ({game.spec.text('title', default=game.spec.name)}), seed {game.seed}")
    if not made or len(made) < len(game.spec.sides):
        session.say("? helps\n")
    if game.over:
        session.finish()
        return CLEAN
    try:
        session.run()
        if record is not None:
            save(record)
            session.say(f"recorded in {record}")
        return CLEAN
    except RulesetFault:
        leave(game, record, save, session.say, opened.path)
        raise
    except (Ended, KeyboardInterrupt):
        session.say()
        leave(game, record, save, session.say, opened.path)
        return CLEAN


def choose(screen: bool) -> str:
    """Let the player choose a scenario."""
    found = places.scenarios()
    if not found:
        raise Misuse("there are no scenarios to play", "`grognard new NAME` begins a ruleset with one")
    names = list(found)
    print("What would you like to play?")
    for number, name in enumerate(names, 1):
        print(f"  {number} {name}")
    while True:
        print("› ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise Misuse("no scenario was chosen", f"`grognard play {names[0]}` for instance")
        text = line.strip()
        if text.isdigit() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        if text in names:
            return text
        hits = [name for name in names if text and text.casefold() in name.casefold()]
        if len(hits) == 1:
            return hits[0]
        print(f"a number from 1 to {len(names)}, or a name")


def places_of(game: Game, file: str) -> list[tuple[str, str]]:
    """The players that a record names."""
    from grognard.records import read_record

    return [(side, name) for side, name in read_record(Path(file)).players if side in game.spec.sides]


def seats(game: Game, wanted: list[str], players: dict[str, str]) -> dict[int, tuple[str, Bot]]:
    """The bots by side."""
    from dsl.diagnostics import did_you_mean
    from runtime.bots import BOTS, make_bot

    spec = game.spec
    made: dict[int, tuple[str, Bot]] = {}
    for text in [*wanted, *(f"{side}={name}" for side, name in players.items() if name in BOTS)]:
        side, equals, name = text.partition("=")
        if not equals:
            raise Misuse(f"'{text}' does not say which side plays which bot", f"write --bot {spec.sides[-1]}=greedy")
        index = side_of(game, side)
        if index is None:
            raise Misuse(f"there is no side '{side}'", did_you_mean(side, spec.sides) or f"sides: {', '.join(spec.sides)}")
        if name not in BOTS:
            raise Misuse(f"there is no bot '{name}'", did_you_mean(name, BOTS) or f"bots: {', '.join(sorted(BOTS))}")
        made[index] = name, make_bot(name, game.program)
    return made


def side_of(game: Game, text: str) -> int | None:
    """A side by its name in the ruleset or in the scenario."""
    for index, side in enumerate(game.spec.sides):
        names = [side, game.setup.sides[index].name] if index < len(game.setup.sides) else [side]
        if text.casefold() in (name.casefold() for name in names):
            return index
    return None


def leave(game: Game, record: Path | None, save: object, say: object, scenario: Path) -> None:
    """Save the game of a player who leaves, and say how to go on."""
    assert callable(save) and callable(say)
    if not game.actions:
        say("Good-bye.")
        return
    path = record
    if path is None:
        from compiler.cache import cache_folder

        path = cache_folder() / "games" / f"{scenario.stem}-{game.seed}.record"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
    except OSError as error:
        say(f"The game could not be saved: {path}: {error.strerror}")
        return
    shown = path if os.sep not in str(path) or not str(path).startswith(str(Path.home())) else f"~{str(path)[len(str(Path.home())) :]}"
    say(f"The game so far is saved. To go on:\n  grognard play --resume {shown}")
