"""Play a scenario in the terminal: against a bot, against each other, or two bots to look on.

Without a scenario, the scenarios that are found are offered.  Sides without --bot are played by
people; two of them can share the terminal without seeing each other's cards.  At the prompt, ?
helps.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from compiler.output.report import wants_color
from grognard import places
from grognard.bots.background_build import build_meanwhile
from grognard.bots.players import levels, seat_for
from grognard.database import NotKept
from grognard.files import printable_path, short, target
from grognard.fronts.cli.crash import watch_game
from grognard.fronts.cli.exits import CLEAN, INTERRUPTED, MISUSE, SIGNALLED
from grognard.fronts.cli.flags import add_language, seed
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.fronts.cli.streams import OutputError
from grognard.fronts.terminal.console import Ended, read_line
from grognard.fronts.terminal.session import Session
from grognard.lexicon.catalogue import Words, choose_language, speak, words_in
from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import plain_number
from grognard.opening import open_scenario
from grognard.records import NamedRecord
from grognard.scenario import Scenario
from grognard.table.opened import OpenedGame, table_of
from grognard.table.store import GameEntry, GameWriter, PlayedElsewhere, Store, find_game, last_game
from grognard.table.table import Table
from runtime.chance import new_seed
from runtime.errors import ArgumentError
from runtime.games.game import Game
from runtime.games.sealing import conceals
from runtime.runs.seats import BOTS, Seat

#: What ``--resume`` says without a game.
LAST = True
#: Its help is in the language of the players.
SPOKEN = True


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="a scenario's file or name")
    parser.epilog = levels()
    bots = "let a bot play a side: one named below, or your own as package.module:Class; repeatable"
    parser.add_argument("--bot", metavar="SIDE=NAME", action="append", default=[], help=bots)
    parser.add_argument(
        "--seed",
        metavar="N",
        type=seed,
        help="the seed of all chance (default: from the operating system)",
    )
    parser.add_argument(
        "--record", metavar="FILE", help="write the record to a file when the game or the play ends"
    )
    parser.add_argument(
        "--resume",
        metavar="GAME",
        nargs="?",
        const=LAST,
        help="go on with a game that is kept, or with a record (default: the last one played)",
    )
    parser.add_argument("--forget", metavar="GAME", help="remove a game that is kept")
    parser.add_argument(
        "--teach",
        action="store_true",
        help="explain each kind of question the first time it comes up",
    )
    parser.add_argument("--no-odds", action="store_true", help="show no chances beside options")
    parser.add_argument(
        "--plain", action="store_true", help="no colours, no clearing of the screen"
    )
    parser.add_argument(
        "--screen",
        action="store_true",
        help="the board always in sight, options, panel, hand and log beside it; mouse and keys",
    )
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.forget is not None:
        return forget_game(args.forget)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if args.screen:
        _needs_a_screen(terminal and sys.stderr.isatty(), args.plain)
    started = _resumed_game(args) if args.resume is not None else _new_game(args)
    game = started.game
    watch_game(game)
    speak(game, args.language)
    bots = seated_bots(game, args.bot, started.players if not args.bot else {})
    looking_on = len(bots) == len(game.spec.sides)
    names = {side: bots[i][0] if i in bots else "person" for i, side in enumerate(game.spec.sides)}
    if args.record is not None and args.resume is None:
        new_target(args.record)  # another game may have begun meanwhile
    with Store() as store:
        kept = _keep_game(store, started, names, looking_on)
        seats = {side: bot for side, (_, bot) in bots.items()}
        build_meanwhile(started.scenario, seats.values())
        table = table_of(started.scenario, started.game, seats, kept.keep)
        table.menu.foretells = not args.no_odds
        if args.screen:
            plain_looks = table.dress(started.scenario.style)
            if plain_looks:
                print_error(plain_looks)
            return play_to_end(_on_screen(table, kept, args.teach))
        color = wants_color(sys.stdout) and not args.plain
        screen = terminal and not args.plain and _can_clear()
        session = Session(
            table, sys.stdin, sys.stdout, color, screen, terminal, kept, teaching=args.teach
        )
        try:
            _introduce(session, started.scenario, looking_on)
            return play_to_end(session)
        except OutputError:
            if not game.actions:
                kept.discard()
            raise


def _needs_a_screen(terminal: bool, plain: bool) -> None:
    """ArgumentError where there is nothing that ``--screen`` could use."""
    if plain:
        raise ArgumentError("--screen and --plain do not go together", "leave one of them out")
    if not terminal:
        raise ArgumentError(
            "--screen needs a terminal, and here something is piped or redirected",
            "leave --screen out: the plain prompt reads and writes pipes",
        )


def _on_screen(table: Table, kept: GameWriter, teaching: bool) -> Front:
    try:
        from grognard.fronts.cli.on_screen import OnScreen  # start-up: it takes long
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"--screen needs the library {error.name}, which is not installed",
            "pip install 'grognard[tui]'",
        ) from None
    return OnScreen(table, kept, teaching)


def _introduce(session: Session, opened: Scenario, looking_on: bool) -> None:
    """Say which game it is."""
    game, words = session.table.game, session.words
    called = game.wording.display_name(game.setup.title)
    title = game.wording.text("title", default=game.spec.name)
    seed = (
        "" if conceals(game.spec) and not game.over else words(", seed {number}", number=game.seed)
    )
    session.say(f"{called} ({title}){seed}")
    if plain_looks := session.table.dress(opened.style):
        session.say(plain_looks)
    if not looking_on:
        session.say(words("? helps") + "\n")


def _new_game(args: argparse.Namespace) -> OpenedGame:
    words = words_in(choose_language(args.language))
    file = None if args.record is None else new_target(args.record)
    scenario = open_scenario(choose_scenario(words) if args.scenario is None else args.scenario)
    return OpenedGame.start_new(scenario, new_seed() if args.seed is None else args.seed, file)


def _resumed_game(args: argparse.Namespace) -> OpenedGame:
    """A game of the store, or that of a record."""
    if args.seed is not None:
        raise ArgumentError("--seed and --resume do not go together", "the game knows its seed")
    kept, source, file = _find_resumed(args.resume)
    if args.record is not None and (file is None or not same_file(args.record, file)):
        file = new_target(args.record)
    scenario = None if args.scenario is None else open_scenario(args.scenario)
    return OpenedGame.resume_record(source, kept, scenario, file)


def _find_resumed(name: str | bool) -> tuple[GameEntry | None, NamedRecord, Path | None]:
    """The game that is to go on, in the store or in a file, and the file of its record."""
    if isinstance(name, str):
        kept, source = find_game(name, "--resume")
        return kept, source, target(name, "--resume") if kept is None else kept.file
    last = last_game()
    if last is None:
        raise ArgumentError("no game is under way", "begin one: `grognard play SCENARIO`")
    return *last, last[0].file


def new_target(text: str) -> Path:
    """The file of ``--record``.  ArgumentError when it cannot be written, or holds something."""
    path = target(text, "--record")
    if path.exists() and path.stat().st_size > 0:
        raise ArgumentError(
            f"--record '{short(text)}': there is such a file already",
            "resume it, remove it, or give another name",
        )
    return path


def same_file(one: str, other: Path) -> bool:
    """Whether two names are those of one file."""
    return os.path.realpath(one) == os.path.realpath(other)


def _keep_game(
    store: Store, started: OpenedGame, names: dict[str, str], looking_on: bool
) -> GameWriter:
    """The game in the store.  A file that is named is written at once, so that it is known now
    whether it can be; where the store cannot be used, that is said and the game is not kept.
    """
    game, key, file = started.game, started.key, started.file
    unkept = GameWriter(None, started.scenario.file.stem, game, names, key, file)
    if file is not None and not started.name:
        unkept.write(file)
    if game.over or (looking_on and file is None):
        return unkept
    try:
        return started.keep(store, names)
    except PlayedElsewhere:
        raise
    except NotKept as error:
        print(f"grognard play: the game is not kept: {error.message}", file=sys.stderr)
        return unkept


def forget_game(name: str) -> int:
    """Remove a game from the store."""
    with Store() as store:
        kept = store.find(name)
        if kept is None:
            known = ", ".join(game.name for game in store.games()) or "none"
            raise ArgumentError(f"no game '{short(name)}' is under way", f"there is: {known}")
        store.forget(kept.name)
    print(f"{kept.name}: forgotten")
    return CLEAN


def _can_clear() -> bool:
    """Whether the terminal knows how to be cleared; on one that does not, what is hidden scrolls
    away.
    """
    return os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


class Front(Protocol):
    """Where a game is played: ``run`` does, to its end or until the player leaves (``Ended``)."""

    table: Table
    kept: GameWriter
    words: Words

    def run(self) -> None: ...

    def say(self, text: str = "") -> None: ...


def play_to_end(session: Front) -> int:
    """Play; whatever ends it, the game is kept, and the exit code tells."""
    kept = session.kept
    try:
        with stopped_by_signals():
            session.run()
            path = kept.finish()
            if path is not None:
                session.say(session.words("recorded in {file}", file=printable_path(path)))
        return CLEAN
    except Ended:
        return leave(session, lambda text: session.say(f"\n{text}"))
    except KeyboardInterrupt:
        print_error("")
        leave(session, print_error)
        return INTERRUPTED
    except Stopped as stop:
        leave(session, print_error)
        return SIGNALLED + stop.number
    except NotKept:
        leave(session, print_error)
        return MISUSE
    except Exception:
        leave(session, print_error)
        raise


def print_error(text: str) -> None:
    """Say something where the standard output may be gone."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def leave(session: Front, say: Callable[[str], None]) -> int:
    """Save the game of a player who leaves, and say how to go on."""
    game, kept, words = session.table.game, session.kept, session.words
    if kept.store is None and kept.file is None:
        return CLEAN
    if not game.actions:
        kept.discard()
        say(words("Good-bye."))
        return CLEAN
    try:
        stored = _try_keep(kept, game, say)
        path = kept.finish()
    except PlayedElsewhere as error:
        say(f"{error.message}:\n  grognard play --resume {kept.name}")
        return MISUSE
    except NotKept as error:
        if stored:
            say(f"{error.message}\n{words('The game so far is saved. To go on:')}")
            say(f"  grognard play --resume {kept.name}")
        else:
            say(words("The last decision could not be saved: {error}", error=error.message))
            if kept.store is not None:
                say(words("What was decided before is in {file}", file=kept.name))
        return MISUSE
    how = kept.name if path is None else printable_path(path)
    say(f"{words('The game so far is saved. To go on:')}\n  grognard play --resume {how}")
    return CLEAN


def _try_keep(kept: GameWriter, game: Game, say: Callable[[str], None]) -> bool:
    """Whether all that has been decided is in the store."""
    try:
        kept.keep(game)
    except PlayedElsewhere:
        raise
    except NotKept as error:
        if kept.file is not None:
            say(error.message)
        return False
    return kept.store is not None


def choose_scenario(words: Words) -> str:
    """Let the player choose a scenario."""
    known = places.scenarios()
    if not known:
        raise ArgumentError(
            "there are no scenarios to play", "`grognard new NAME` begins a ruleset with one"
        )
    names = list(known)
    print(words("What would you like to play?"))
    for number, name in enumerate(names, 1):
        print(f"  {number} {name}")
    while True:
        print("› ", end="", flush=True)
        line = read_line(sys.stdin)
        if not line:
            raise ArgumentError(
                "no scenario was chosen", f"`grognard play {names[0]}` for instance"
            )
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


def seated_bots(
    game: Game, wanted: list[str], players: dict[str, str]
) -> dict[int, tuple[str, Seat]]:
    """The bots by side."""

    spec = game.spec
    sides = Lexicon.of(game.wording)
    bots: dict[int, tuple[str, Seat]] = {}
    for text in [*wanted, *(f"{side}={name}" for side, name in players.items() if name in BOTS)]:
        side, equals, name = text.partition("=")
        if not equals:
            raise ArgumentError(
                f"'{short(text)}' does not say which side plays which bot",
                f"write --bot {spec.sides[-1]}=greedy",
            )
        index = sides.side_named(side)
        if index in bots:
            raise ArgumentError(
                f"two bots are to play '{short(side)}'", "give each side one --bot at most"
            )
        try:
            bots[index] = name, seat_for(name, game.program, game.setup)
        except ArgumentError as error:
            raise ArgumentError(short(error.message, 200), error.remedy) from None
    return bots
