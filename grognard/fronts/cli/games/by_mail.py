"""Play by post: two sides, each with a folder, exchange letters, and need no server.

begin invites the other side with the first letter; take reads letters that have come, and writes
the one that answers them, asking for decisions where it is your turn; play goes on with your turn
where you have left it; show tells how the game stands.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grognard.bots.players import seated
from grognard.files import named, short, shown
from grognard.fronts.cli.crash import watch
from grognard.fronts.cli.exits import CLEAN, INTERRUPTED, SIGNALLED
from grognard.fronts.cli.flags import add_language
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.lexicon.catalogue import speak
from grognard.lexicon.names import Lexicon
from grognard.opening import open_scenario
from grognard.table.opened import table_of
from grognard.table.situation import ended
from grognard.table.store import KeptGame
from grognard.table.table import Table
from runtime.errors import ArgumentError, GrognardError
from runtime.games.game import Game

if TYPE_CHECKING:
    from grognard.post.letter_box import LetterBox
    from grognard.post.letters import Sealed

SPOKEN = True


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    actions = ("begin", "take", "play", "show")
    parser.add_argument("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    what = "for begin a scenario, for take the file of a letter (-: the standard input)"
    parser.add_argument("what", nargs="?", metavar="WHAT", help=what)
    parser.add_argument("--side", metavar="SIDE", help="the side that you play, for begin")
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        default="mail",
        help="where the letters of the game and your secrets are (default: mail)",
    )
    parser.add_argument("--bot", metavar="NAME", help="let a bot decide for your side")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        from grognard.post.letter_box import LetterBox  # start-up: it needs an extra
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"mail needs the library {error.name}, which is not installed",
            "pip install 'grognard[mail]'",
        ) from None
    folder = named(args.folder, "--folder")
    wants = {"begin": "a scenario", "take": "the file of a letter"}.get(args.action)
    if (args.what is None) != (wants is None):
        wrong = f"needs {wants}" if wants else "takes nothing more"
        raise ArgumentError(f"mail {args.action} {wrong}", "`grognard mail --help` tells more")
    if (args.side is None) == (args.action == "begin"):
        raise ArgumentError(
            "begin needs --side, and nothing else takes it", "grognard mail begin SCENARIO --side S"
        )
    if args.action == "begin":
        return _begin(LetterBox, folder, args)
    if args.action == "take":
        box, code = _taken(folder, args.what)
        return _go_on(box, args) if code is None else code
    box = LetterBox.open(folder)
    return _go_on(box, args) if args.action == "play" else _show(box)


def _begin(boxes: type[LetterBox], folder: Path, args: argparse.Namespace) -> int:
    from grognard.post.match import check  # start-up: it needs an extra

    scenario = open_scenario(args.what)
    spec = scenario.program.spec
    check(spec)
    if args.side not in spec.sides:
        raise ArgumentError(
            f"there is no side '{short(args.side, 40)}'", f"sides: {', '.join(spec.sides)}"
        )
    box = boxes.begin(folder, scenario, spec.sides.index(args.side))
    return _send(box)


def _taken(folder: Path, name: str) -> tuple[LetterBox, int | None]:
    """The match after the letters in a file, and the exit code where it does not go on."""
    from grognard.post.letter_box import LetterBox, text_of  # start-up: it needs an extra
    from grognard.post.letters import LARGEST_FILE, read_letters  # start-up: it needs an extra

    text = sys.stdin.read(LARGEST_FILE) if name == "-" else text_of(named(name))
    sealed = read_letters(text)
    if not (folder / "private.json").exists():
        _needs_first(sealed[0], folder)
        box = LetterBox.invited(folder, sealed[0])
        box.keep(sealed[0], [_title(box, sealed[0])])
        new = True
    else:
        box, new = LetterBox.open(folder), False
    for one in sealed:
        if not box.match.taken(one):
            box.match.take(one)
            box.keep(one, [_title(box, one)])
            new = True
    if not new:
        print("the letter was taken already")
        if not box.match.to_write:
            _tell_last(box)
            return box, CLEAN
    return box, None


def _needs_first(sealed: Sealed, folder: Path) -> None:
    if sealed.letter.number != 1:
        raise ArgumentError(
            f"'{short(str(folder))}' holds no game, and letter {sealed.letter.number} begins none",
            "give the --folder of the game",
        )


def _go_on(box: LetterBox, args: argparse.Namespace) -> int:
    """Decide what this side has to decide, and write its letter."""
    from grognard.post.match import Bound  # start-up: it needs an extra

    match = box.match
    if match.over or not match.to_write:
        return _show(box)
    match.open()
    game = match.game
    if game is None or not game.own:
        return _send(box)
    speak(game, args.language)
    watch(game)
    start = match.start

    def keep(game: Game, sync: bool) -> None:
        box.keep_draft([text for side, text in game.entries(start) if side in match.sides])

    try:
        for text in box.texts:
            game.play(text)
    except Bound:
        return _send(box)
    except GrognardError:
        raise ArgumentError(
            "what you had decided cannot be decided any more",
            f"remove {shown(box.folder / 'draft.json')} to decide anew",
        ) from None
    # nobody here plays the other side; who stands in for it is never asked: Bound comes before
    bots = {1 - match.side: seated("random", game.program, game.setup)}
    if args.bot is not None:
        bots[match.side] = seated(args.bot, game.program, game.setup)
    table = table_of(match.scenario, game, bots, keep)
    return _decide(box, table, args)


def _decide(box: LetterBox, table: Table, args: argparse.Namespace) -> int:
    """Ask until the letter is to be written, or the player leaves."""
    from grognard.post.match import Bound  # start-up: it needs an extra

    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    kept = KeptGame(None, box.folder.name, table.game, {}, None, None)
    session = Session(table, sys.stdin, sys.stdout, False, False, terminal, kept)
    how = f"grognard mail play --folder {shown(box.folder)}"
    try:
        with stopped_by_signals():
            session.run()
    except Bound:
        return _send(box)
    except Ended:
        session.say(f"\n{session.words('The game so far is saved. To go on:')}\n  {how}")
        return CLEAN
    except KeyboardInterrupt:
        return INTERRUPTED
    except Stopped as stop:
        return SIGNALLED + stop.number
    return CLEAN


def _send(box: LetterBox) -> int:
    """Write the letter that is due."""
    match = box.match
    sealed = match.compose()
    head = [
        _title(box, sealed),
        f"Save this letter as a file and give it to: grognard mail take FILE{_answer(box)}",
    ]
    path = box.keep(sealed, head)
    print(f"letter {sealed.letter.number} is written; send it to {match.other}:\n  {shown(path)}")
    if match.over:
        return _show(box)
    return CLEAN


def _answer(box: LetterBox) -> str:
    """What the other side will be asked."""
    game = box.match.game
    if game is not None and game.over:
        return "\nThe game is over."
    decides = game is not None and not game.pending and not game.own
    return "\nIt is your turn." if decides else "\nIt is answered at once, without a question."


def _title(box: LetterBox, sealed: Sealed) -> str:
    letter, match = sealed.letter, box.match
    other = next(side for side in match.sides if side != letter.sender)
    return (
        f"Grognard by post: {short(match.scenario.setup.title)}\n"
        f"Letter {letter.number}, from {letter.sender} to {other}"
    )


def _show(box: LetterBox) -> int:
    """How the game stands, and what is to be done."""
    match, game = box.match, box.match.game
    print(f"{short(match.scenario.setup.title)}: you play {match.name}")
    if game is not None:
        for line in game.log[-6:]:
            print(f"· {line}")
    if match.over and game is not None:
        lexicon = Lexicon.of(game.wording)
        names = [game.side_names[side] for side in match.sides]
        print(ended(game.state, names, lexicon.words))
        print("every letter, die and decision was verified")
    elif match.to_write:
        print(f"it is your turn:\n  grognard mail play --folder {shown(box.folder)}")
    else:
        _tell_last(box)
    return CLEAN


def _tell_last(box: LetterBox) -> None:
    number = len(box.match.letters)
    print(f"letter {number} waits for an answer from {box.match.other}; where it was lost, again:")
    print(f"  {shown(box.letter(number))}")
