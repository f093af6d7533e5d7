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
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.output.report import wants_color
from grognard import places
from grognard.files import named, short, shown, target
from grognard.fronts.cli.common import CLEAN, INTERRUPTED, MISUSE, SIGNALLED, Misuse
from grognard.fronts.cli.crash import watch
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.fronts.cli.streams import OutputError, read_line
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.lexicon.catalogue import Words, add_language, chosen, speak, words_in
from grognard.lexicon.typed import plain_number, seed
from grognard.records import open_sealed, read_record, remove_record, scenario_of
from grognard.table.store import KeptGame, NotKept, PlayedElsewhere, Store
from grognard.table.table import Table
from runtime.chance import new_seed
from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.games.sealing import Key, conceals
from runtime.runs.bots import Seat
from runtime.spelling import plain

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: Its help is in the language of the players.
SPOKEN = True

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer
    from grognard.fronts.terminal.session import Session
    from runtime.games.game import Game
    from runtime.games.sealing import Key
    from runtime.runs.bots import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="a scenario's file or name")
    bots = "let a bot play a side: random, greedy, or your own as package.module:Class; repeatable"
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
        const="",
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
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.forget is not None:
        return forget(args.forget)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    started = _resumed(args) if args.resume is not None else _new(args)
    game = started.game
    watch(game)
    speak(game, args.language)
    bots = seats(game, args.bot, started.players if not args.bot else {})
    looking_on = len(bots) == len(game.spec.sides)
    secret = conceals(game.spec)
    if started.key is None and secret:
        started.key = Key.new(game.seed)
    names = {side: bots[i][0] if i in bots else "person" for i, side in enumerate(game.spec.sides)}
    with Store() as store:
        kept = _kept(store, started, names, looking_on)
        table = _table(started, {side: bot for side, (_, bot) in bots.items()}, kept, args.no_odds)
        color = wants_color(sys.stdout) and not args.plain
        screen = terminal and not args.plain and _clears()
        session = Session(
            table, sys.stdin, sys.stdout, color, screen, terminal, kept, teaching=args.teach
        )
        try:
            words = session.words
            shown_seed = (
                words(", seed {number}", number=game.seed) if not secret or game.over else ""
            )
            called = game.wording.called(game.setup.title)
            title = game.wording.text("title", default=game.spec.name)
            session.say(f"{called} ({title}){shown_seed}")
            if plain_looks := table.dress(started.opened.style):
                session.say(plain_looks)
            if not looking_on:
                session.say(words("? helps") + "\n")
            return playing(session)
        except OutputError:
            if not game.actions:
                discard(kept)
            raise


@dataclass
class Started:
    """A game to be played: new, or resumed, then with its key, who has played it, the file of its
    record and its *name* in the store.
    """

    opened: places.Opened
    game: Game
    key: Key | None = None
    players: dict[str, str] = field(default_factory=dict)
    file: Path | None = None
    name: str = ""


def _new(args: argparse.Namespace) -> Started:
    words = words_in(chosen(args.language))
    file = None if args.record is None else new_target(args.record)
    opened = places.open_scenario(choose(words) if args.scenario is None else args.scenario)
    seed = new_seed() if args.seed is None else args.seed
    return Started(opened, Game(opened.program, opened.setup, seed), file=file)


def _resumed(args: argparse.Namespace) -> Started:
    """A game of the store, or that of a record."""
    if args.seed is not None:
        raise Misuse("--seed and --resume do not go together", "the game knows its seed")
    with Store() as store:
        games = store.games()
        if not args.resume and not games:
            raise Misuse("no game is under way", "begin one: `grognard play SCENARIO`")
        kept = store.find(args.resume) if args.resume else games[0]
        record = None if kept is None else store.record(kept.name)
    path = kept.file if kept is not None else named(args.resume, "--resume")
    if kept is not None and record is not None and _goes_on(record, path):
        key = Key(record.seed or 0, record.nonce) if record.commitment else None
        where = args.scenario or (str(kept.scenario) if kept.scenario.is_file() else None)
        opened = scenario_of(record, where)
        game = replay(opened.program, opened.setup, record, key=key)
    else:
        assert path is not None
        kept, record = None, read_record(path)
        path = target(path, "--resume")
        opened, game, key = open_sealed(path, args.scenario)
    if args.record is not None and (path is None or not same_file(args.record, path)):
        path = new_target(args.record)
    players = {side: name for side, name in record.players if side in game.spec.sides}
    return Started(opened, game, key, players, path, kept.name if kept is not None else "")


def _goes_on(record: Record, path: Path | None) -> bool:
    """Whether a game of the store goes on from what its file holds, if there is one."""
    if path is None or not path.is_file():
        return True
    try:
        written = read_record(path)
    except RecordError:
        return True
    sealed = written.seed is None
    begun = len(written.entries) <= len(record.entries)
    same = record.entries[: len(written.entries)] == written.entries
    return begun and (sealed or same) and record.setup_hash == written.setup_hash


def new_target(text: str) -> Path:
    """The file of ``--record``.  Misuse when it cannot be written, or holds something."""
    path = target(text, "--record")
    if path.exists() and path.stat().st_size > 0:
        raise Misuse(
            f"--record '{short(text)}': there is such a file already",
            "resume it, remove it, or give another name",
        )
    return path


def same_file(one: str, other: Path) -> bool:
    """Whether two names are those of one file."""
    return os.path.realpath(one) == os.path.realpath(other)


def _kept(store: Store, started: Started, names: dict[str, str], looking_on: bool) -> KeptGame:
    """The game in the store.  A file that is named is written at once, so that it is known now
    whether it can be; where the store cannot be used, that is said and the game is not kept.
    """
    game, key, file = started.game, started.key, started.file
    made = KeptGame(None, started.opened.path.stem, game, names, key, file)
    if file is not None and not started.name:
        made.write(file)
    if game.over or (looking_on and file is None):
        return made
    try:
        if started.name:
            return store.resume(started.name, game, names, key, file)
        return store.begin(game, started.opened.path, names, key, file)
    except PlayedElsewhere:
        raise
    except NotKept as error:
        print(f"grognard play: the game is not kept: {error.message}", file=sys.stderr)
        return made


def _table(started: Started, bots: dict[int, Seat], kept: KeptGame, no_odds: bool) -> Table:
    @cache
    def explainer() -> Explainer:
        from grognard.explain.explainer import Explainer  # start-up: it reads the rules

        ruleset = places.ruleset(started.opened.folder)
        board = started.opened.program.spec.board
        return Explainer(ruleset, board, started.game.wording.language)

    table = Table(started.game, bots, explainer, kept.keep)
    if no_odds:
        table.menu.foreteller = None
    return table


def forget(name: str) -> int:
    """Remove a game from the store."""
    with Store() as store:
        kept = store.find(name)
        if kept is None:
            known = ", ".join(game.name for game in store.games()) or "none"
            raise Misuse(f"no game '{short(name)}' is under way", f"there is: {known}")
        store.forget(kept.name)
    print(f"{kept.name}: forgotten")
    return CLEAN


def _clears() -> bool:
    """Whether the terminal knows how to be cleared; on one that does not, what is hidden scrolls
    away.
    """
    return os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def playing(session: Session) -> int:
    """Play; whatever ends it, the game is kept, and the exit code tells."""
    kept = session.kept
    try:
        with stopped_by_signals():
            session.run()
            if kept.store is not None or kept.file is not None:
                path = kept.finish()
                if path is not None:
                    session.say(session.words("recorded in {file}", file=shown(path)))
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
        tell(f"grognard play: {error.message}")
        leave(session, tell)
        return MISUSE
    except Exception:
        leave(session, tell)
        raise


def tell(text: str) -> None:
    """Say something where the standard output may be gone."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def discard(kept: KeptGame) -> None:
    """Leave nothing of a game of which nothing was played."""
    with suppress(NotKept):
        kept.forget()
    if kept.file is not None:
        remove_record(kept.file, kept.key)


def leave(session: Session, say: Callable[[str], None]) -> int:
    """Save the game of a player who leaves, and say how to go on."""
    game, kept, words = session.game, session.kept, session.words
    if kept.store is None and kept.file is None:
        return CLEAN
    if not game.actions:
        discard(kept)
        say(words("Good-bye."))
        return CLEAN
    how = kept.name
    try:
        kept.keep(game)
    except PlayedElsewhere as error:
        say(f"{error.message}:\n  grognard play --resume {how}")
        return MISUSE
    except NotKept as error:
        if kept.file is None:
            say(words("The last decision could not be saved: {error}", error=error.message))
            say(words("What was decided before is in {file}", file=how))
            return MISUSE
    try:
        path = kept.finish()
        how = how if path is None else shown(path)
    except NotKept as error:
        say(error.message)
    say(f"{words('The game so far is saved. To go on:')}\n  grognard play --resume {how}")
    return CLEAN


def choose(words: Words) -> str:
    """Let the player choose a scenario."""
    found = places.scenarios()
    if not found:
        raise Misuse(
            "there are no scenarios to play", "`grognard new NAME` begins a ruleset with one"
        )
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


def seats(game: Game, wanted: list[str], players: dict[str, str]) -> dict[int, tuple[str, Seat]]:
    """The bots by side."""
    from dsl.diagnostics import did_you_mean
    from grognard.bots.players import seated
    from runtime.errors import ArgumentError
    from runtime.runs.bots import BOTS

    spec = game.spec
    made: dict[int, tuple[str, Seat]] = {}
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
            raise Misuse(
                f"two bots are to play '{short(side)}'", "give each side one --bot at most"
            )
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
