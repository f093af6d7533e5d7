"""Play a scenario in the terminal: against a bot, against each other, or two bots to look on.

Without a scenario, the scenarios that are found are offered.  Sides without --bot are played by people; two
of them can share the terminal without seeing each other's cards.  At the prompt, ? helps.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grognard import places
from grognard.commands import CLEAN, INTERRUPTED, MISUSE, SIGNALLED, Misuse
from grognard.files import named, short, target
from grognard.streams import OutputError, read_line
from grognard.typed import plain_number, seed
from grognard.words import Words, add_language, chosen, speak, words_in
from runtime.spelling import plain

#: Its help is in the language of the players.
SPOKEN = True

if TYPE_CHECKING:
    from grognard.explain import Explainer
    from grognard.journal import Journal
    from grognard.locks import Lock
    from grognard.session import Session
    from runtime.bots import Bot
    from runtime.game import Game
    from runtime.sealing import Key


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="a scenario's file or name")
    bots = "let a bot play a side: random, greedy, or your own as package.module:Class; repeatable"
    parser.add_argument("--bot", metavar="SIDE=NAME", action="append", default=[], help=bots)
    parser.add_argument(
        "--seed", metavar="N", type=seed, help="the seed of all chance (default: from the operating system)"
    )
    parser.add_argument(
        "--record", metavar="FILE", help="write the game to a file, each decision as it is taken"
    )
    parser.add_argument("--resume", metavar="FILE", help="continue a game from its record")
    parser.add_argument(
        "--teach", action="store_true", help="explain each kind of question the first time it comes up"
    )
    parser.add_argument("--no-odds", action="store_true", help="show no chances beside options")
    parser.add_argument("--plain", action="store_true", help="no colours, no clearing of the screen")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    from compiler.report import wants_color
    from grognard.faults import watch
    from grognard.journal import Journal
    from grognard.session import Session
    from runtime.sealing import Key, conceals

    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    path, lock = _target(args)
    try:
        opened, game, key, players = _opened(args, terminal)
        watch(game)
        speak(game, args.language)
        bots = seats(game, args.bot, players if not args.bot else {})
    except BaseException:
        if lock is not None:
            lock.release()
        raise
    secret = conceals(game.spec)
    if key is None and secret:
        key = Key.new(game.seed)
    names = {side: bots[i][0] if i in bots else "person" for i, side in enumerate(game.spec.sides)}
    made = {side: bot for side, (_, bot) in bots.items()}
    looking_on = len(made) == len(game.spec.sides)
    journal = Journal(path, names, key, opened.path.stem, lock, off=path is None and looking_on)

    @cache
    def explainer() -> Explainer:
        from grognard.explain import Explainer

        return Explainer(opened.folder, opened.program.spec.board, game.wording.language)

    color = wants_color(sys.stdout) and not args.plain
    screen = terminal and not args.plain and _clears()
    session = Session(game, made, explainer, sys.stdin, sys.stdout, color, screen, terminal, journal)
    try:
        begin(journal, game)
        words = session.words
        shown = "" if secret and not game.over else words(", seed {number}", number=game.seed)
        called = game.wording.called(game.setup.title)
        session.say(f"{called} ({game.wording.text('title', default=game.spec.name)}){shown}")
        session.dress(opened.style)
        session.teaching = args.teach
        if args.no_odds:
            session.menu.foreteller = None
        if not looking_on:
            session.say(words("? helps") + "\n")
        if game.over:
            session.finish()
            return CLEAN
        return playing(session)
    except OutputError:
        if not game.actions:
            journal.discard()
        raise
    finally:
        journal.close()


def _clears() -> bool:
    """Whether the terminal knows how to be cleared; on one that does not, what is hidden scrolls away."""
    return os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def _target(args: argparse.Namespace) -> tuple[Path | None, Lock | None]:
    """The file that the game is written to, where one is named; its lock, where it is there already."""
    from grognard.journal import new_target
    from grognard.locks import Lock

    if args.resume is not None and args.seed is not None:
        raise Misuse("--seed and --resume do not go together", "the record knows its seed")
    if args.record is not None and (args.resume is None or not _same(args.record, args.resume)):
        return new_target(args.record, "--record"), None
    if args.resume is not None and named(args.resume, "--resume").is_file():
        path = target(args.resume, "--resume")
        return path, Lock(path)
    return None, None


def _opened(
    args: argparse.Namespace, terminal: bool
) -> tuple[places.Opened, Game, Key | None, dict[str, str]]:
    """The game to be played: a new one, or one that is resumed, with its key and who has played."""
    from grognard.records import open_sealed
    from runtime.chance import new_seed
    from runtime.game import Game

    if args.resume is not None:
        opened, game, key = open_sealed(named(args.resume, "--resume"), args.scenario)
        return opened, game, key, dict(places_of(game, args.resume))
    words = words_in(chosen(args.language))
    opened = places.open_scenario(choose(words) if args.scenario is None else args.scenario)
    seed = new_seed() if args.seed is None else args.seed
    return opened, Game(opened.program, opened.setup, seed), None, {}


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other) if "\0" not in one + other else one == other


def begin(journal: Journal, game: Game) -> None:
    """See that the game can be kept.  Misuse when the file that was named cannot be written."""
    if journal.off:
        return
    try:
        journal.begin(game)
    except Misuse as error:
        if journal.named:
            raise
        journal.off = True
        print(f"grognard play: the game is not kept: {error}", file=sys.stderr)


def playing(session: Session) -> int:
    """Play; whatever ends it, the game is kept, and the exit code tells."""
    from grognard.console import Ended
    from grognard.journal import NotKept, shown
    from grognard.signals import Stopped, stopped_by_signals

    game, journal = session.game, session.journal
    try:
        with stopped_by_signals():
            session.run()
            journal.keep(game)
            if journal.path is not None and journal.kept:
                session.say(session.words("recorded in {file}", file=shown(journal.path)))
        return CLEAN
    except Ended:
        session.say()
        return leave(session, session.say)
    except KeyboardInterrupt:
        tell("")
        leave(session, tell)
        return INTERRUPTED
    except Stopped as stop:
        leave(session, tell)
        return SIGNALLED + stop.number
    except NotKept as error:
        tell(f"grognard play: {error}")
        leave(session, tell)
        return MISUSE
    except Exception:
        leave(session, tell)
        raise


def tell(text: str) -> None:
    """Say something where the standard output may be gone."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def leave(session: Session, say: Callable[[str], None]) -> int:
    """Save the game of a player who leaves, and say how to go on."""
    from grognard.journal import NotKept, elsewhere, shown

    game, journal, words = session.game, session.journal, session.words
    if journal.off:
        return CLEAN
    if not game.actions:
        journal.discard()
        say(words("Good-bye."))
        return CLEAN
    path = journal.path
    try:
        journal.keep(game)
        path = journal.path
    except NotKept as error:
        other = elsewhere(game, journal.players, journal.key, journal.stem)
        if other is None:
            say(words("The last decision could not be saved: {error}", error=error))
            if path is not None and journal.kept:
                say(words("What was decided before is in {file}", file=shown(path)))
            return MISUSE
        path = other
    assert path is not None
    say(f"{words('The game so far is saved. To go on:')}\n  grognard play --resume {shown(path)}")
    return CLEAN


def choose(words: Words) -> str:
    """Let the player choose a scenario."""
    found = places.scenarios()
    if not found:
        raise Misuse("there are no scenarios to play", "`grognard new NAME` begins a ruleset with one")
    names = list(found)
    print(words("What would you like to play?"))
    for number, name in enumerate(names, 1):
        print(f"  {number} {name}")
    while True:
        print("› ", end="", flush=True)
        line = read_line(sys.stdin)
        if not line:
            raise Misuse("no scenario was chosen", f"`grognard play {names[0]}` for instance")
        text = line.strip()
        if words.understood(text) in ("q", "quit", "exit"):
            raise SystemExit(CLEAN)
        chosen = plain_number(text)
        if chosen is not None and 1 <= chosen <= len(names):
            return names[chosen - 1]
        if text in names:
            return text
        hits = [name for name in names if text and text.casefold() in name.casefold()]
        if len(hits) == 1:
            return hits[0]
        print(words("a number from 1 to {count}, or a name", count=len(names)))


def places_of(game: Game, file: str) -> list[tuple[str, str]]:
    """The players that a record names."""
    from grognard.records import read_record

    return [(side, name) for side, name in read_record(Path(file)).players if side in game.spec.sides]


def seats(game: Game, wanted: list[str], players: dict[str, str]) -> dict[int, tuple[str, Bot]]:
    """The bots by side."""
    from dsl.diagnostics import did_you_mean
    from grognard.bots import seated
    from grognard.errors import ArgumentError
    from runtime.bots import BOTS

    spec = game.spec
    made: dict[int, tuple[str, Bot]] = {}
    for text in [*wanted, *(f"{side}={name}" for side, name in players.items() if name in BOTS)]:
        side, equals, name = text.partition("=")
        if not equals:
            raise Misuse(
                f"'{short(text)}' does not say which side plays which bot",
                f"write --bot {spec.sides[-1]}=greedy",
            )
        index = side_of(game, side)
        if index is None:
            raise Misuse(
                f"there is no side '{short(side)}'",
                did_you_mean(side, spec.sides) or f"sides: {', '.join(spec.sides)}",
            )
        if index in made:
            raise Misuse(f"two bots are to play '{short(side)}'", "give each side one --bot at most")
        try:
            made[index] = name, seated(name, game.program, game.setup)
        except ArgumentError as error:
            raise Misuse(short(error.message, 200), error.remedy) from None
    return made


def side_of(game: Game, text: str) -> int | None:
    """A side by its name in the ruleset or in the scenario."""
    for index, side in enumerate(game.spec.sides):
        names = [side, game.wording.member("Side", index)]
        names += [own.name for own in game.setup.sides[index : index + 1]]
        if plain(text) in map(plain, names):
            return index
    return None
