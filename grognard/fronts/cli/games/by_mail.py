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

from compiler.output.report import wants_color
from grognard.bots.players import seat_for
from grognard.draw.scene import Scene
from grognard.files import path_named, printable_path, short
from grognard.fronts.cli.exits import CLEAN, INTERRUPTED, SIGNALLED
from grognard.fronts.cli.flags import add_language
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.lexicon.catalogue import choose_language, language_of, words_in
from grognard.lexicon.faults import sayer
from grognard.lexicon.names import Lexicon
from grognard.opening import open_scenario
from grognard.table.menu import Menu
from grognard.table.opened import table_of
from grognard.table.store import GameWriter
from runtime.errors import ArgumentError, GrognardError
from runtime.games.wording import wording_for
from runtime.words.said import said

if TYPE_CHECKING:
    from grognard.post.letter_box import LetterBox
    from grognard.post.letters import Sealed

SPOKEN = True
#: How many notes `show` tells of those that have been told before.
_RECENT = 6


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
        return _run(args)
    except GrognardError as error:
        say = sayer(choose_language(args.language))
        error.message, error.remedy = say(error.message), say(error.remedy)
        raise


def _run(args: argparse.Namespace) -> int:
    try:
        from grognard.post.letter_box import LetterBox  # start-up: it needs an extra
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"mail needs the library {error.name}, which is not installed",
            "pip install 'grognard[mail]'",
        ) from None
    folder = path_named(args.folder, "--folder")
    wants = {"begin": "a scenario", "take": "the file of a letter"}.get(args.action)
    if (args.what is None) != (wants is None):
        wrong = f"needs {wants}" if wants else "takes nothing more"
        raise ArgumentError(f"mail {args.action} {wrong}", "`grognard mail --help` tells more")
    if (args.side is None) == (args.action == "begin"):
        raise ArgumentError(
            "begin needs --side, and nothing else takes it", "grognard mail begin SCENARIO --side S"
        )
    match args.action:
        case "begin":
            return _begin(folder, args)
        case "take":
            return _take(folder, args)
        case "play":
            return ByMail(LetterBox.open(folder), args).go_on()
    return ByMail(LetterBox.open(folder), args).show()


def _begin(folder: Path, args: argparse.Namespace) -> int:
    from grognard.post.letter_box import LetterBox  # start-up: it needs an extra
    from grognard.post.match import check  # start-up: it needs an extra

    scenario = open_scenario(args.what)
    spec = scenario.program.spec
    check(spec)
    wording = wording_for(spec, scenario.setup, language_of(spec, args.language))
    side = Lexicon.of(wording).side_named(args.side)
    return ByMail(LetterBox.begin(folder, scenario, side), args).send()


def _take(folder: Path, args: argparse.Namespace) -> int:
    """Take the letters in a file, and go on where one of them is new."""
    from grognard.post.letter_box import LetterBox, text_of  # start-up: it needs an extra
    from grognard.post.letters import LARGEST_FILE, read_letters  # start-up: it needs an extra

    text = sys.stdin.read(LARGEST_FILE) if args.what == "-" else text_of(path_named(args.what))
    letters = read_letters(text)
    begins = not LetterBox.there(folder)
    if begins and letters[0].head.number != 1:
        raise ArgumentError(
            said(
                "'{folder}' holds no game, and letter {number} begins none",
                folder=short(str(folder)),
                number=letters[0].head.number,
            ),
            said("give the --folder of the game"),
        )
    box = LetterBox.invited(folder, letters[0]) if begins else LetterBox.open(folder)
    here = ByMail(box, args)
    if begins:
        here.keep(letters[0])
    new = begins
    for sealed in letters:
        if not box.match.has_letter(sealed):
            box.match.take(sealed)
            here.keep(sealed)
            new = True
    return here.go_on() if new or box.match.to_write else here.report_known_letter(letters[-1])


class ByMail:
    """The match in a box, at the terminal of its side, which is shown what its view has."""

    def __init__(self, box: LetterBox, args: argparse.Namespace) -> None:
        self.box, self.match, self.bot = box, box.match, args.bot
        scenario = box.match.scenario
        spec = scenario.program.spec
        self.wording = wording_for(spec, scenario.setup, language_of(spec, args.language))
        self.words = words_in(self.wording.language)

    # ------------------------------------------------------------------ the turn

    def go_on(self) -> int:
        """Decide what this side has to decide, and write its letter."""
        match = self.match
        if match.is_over or not match.to_write:
            return self.show()
        match.open()
        if not match.own:
            self._print_news()
            return self.send()
        self.box.resume()
        if self.bot:
            self._print_news()
        return self._ask_until_done(self.session(told=None if self.bot else match.told))

    def _ask_until_done(self, session: Session) -> int:
        """Ask until the letter is to be written, or the player leaves."""
        from grognard.post.match import TurnEnded  # start-up: it needs an extra

        try:
            with stopped_by_signals():
                session.run()
        except TurnEnded:
            return self.send()
        except Ended:
            session.say(
                f"\n{self.words('The game so far is saved. To go on:')}\n  {self._play_command}"
            )
        except KeyboardInterrupt:
            return INTERRUPTED
        except Stopped as stop:
            return SIGNALLED + stop.number
        return CLEAN

    def session(self, told: int | None = None) -> Session:
        """The prompt for this side, which has been *told* so many notes (None: all); nobody here
        plays the other, and it is never asked.
        """
        game, match = self.match.game, self.match
        assert game is not None
        game.wording = self.wording
        seats = {1 - match.side: "random"} | ({match.side: self.bot} if self.bot else {})
        bots = {side: seat_for(bot, game.program, game.setup) for side, bot in seats.items()}
        table = table_of(match.scenario, game, bots, lambda game, sync: self.box.keep_draft())
        table.admits = match.decides
        plain_looks = table.dress(match.scenario.style)
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        kept = GameWriter(None, self.box.folder.name, game, {}, None, None)
        color = wants_color(sys.stdout)
        session = Session(table, sys.stdin, sys.stdout, color, False, terminal, kept, told=told)
        session.say(self._game_line)
        if plain_looks:
            session.say(plain_looks)
        return session

    # ------------------------------------------------------------------ letters

    def send(self) -> int:
        """Write the letter that is due."""
        match, words = self.match, self.words
        sealed = match.compose()
        how = words("Save this letter as a file and give it to: grognard mail take FILE")
        path = self.keep(sealed, [how])
        message = words(
            "letter {number} is written; send it to {side}:",
            number=sealed.head.number,
            side=self._side_name(match.other),
        )
        print(f"{message}\n  {printable_path(path)}")
        if match.is_over:
            return self.show()
        self._print_pending()
        return CLEAN

    def keep(self, sealed: Sealed, more: list[str] | None = None) -> Path:
        """Keep a letter, below lines for people."""
        head, words = sealed.head, self.words
        other = next(side for side in self.match.sides if side != head.sender)
        first = words("Grognard by post: {title}", title=short(self._title))
        second = words(
            "Letter {number}, from {side} to {other}",
            number=head.number,
            side=self._side_name(head.sender),
            other=self._side_name(other),
        )
        return self.box.keep(sealed, [first, second, *(more or [])])

    def report_known_letter(self, sealed: Sealed) -> int:
        """Say of a letter that it is here already."""
        words, match = self.words, self.match
        if sealed.head.sender == match.name:
            other = self._side_name(match.other)
            print(words("this letter is your own: it is for {side}", side=other))
        else:
            print(words("the letter was taken already"))
        if not match.is_over:
            self._print_waiting_letter()
        return CLEAN

    # ------------------------------------------------------------------ what is shown

    def show(self) -> int:
        """How the game stands, and what is to be done."""
        match, words = self.match, self.words
        if match.to_write:
            match.open()
        if match.game is None:
            print(self._game_line)
        else:
            session = self.session()
            table = session.table
            session.board(table.sight_of(match.side), {})
            if table.hand(match.side):
                session.hand(match.side)
            for line in session.bulleted(match.game.log_of(match.side)[-_RECENT:]):
                session.say(line)
            if match.is_over:
                session.say(table.end)
        if match.is_over:
            print(words("every letter, die and decision was verified"))
        elif match.to_write:
            print(f"{words('it is your turn:')}\n  {self._play_command}")
        else:
            self._print_waiting_letter()
        return CLEAN

    def _print_news(self) -> None:
        """Say what has happened since this side wrote last, as it is told."""
        game = self.match.game
        if game is not None:
            game.wording = self.wording
            for line in game.log_of(self.match.side, self.match.told):
                print(f"· {line}")

    def _print_waiting_letter(self) -> None:
        """Say which letter waits for an answer."""
        number = len(self.match.letters)
        message = self.words(
            "letter {number} waits for an answer from {side}; where it was lost, again:",
            number=number,
            side=self._side_name(self.match.other),
        )
        print(f"{message}\n  {printable_path(self.box.letter(number))}")
        self._print_pending()

    def _print_pending(self) -> None:
        """Say which decision of this side is waiting for what comes of it."""
        game, pending = self.match.game, self.match.pending
        if game is not None and game.decision is not None and pending:
            menu = Menu(game, Scene(game.spec, game.setup, self.wording))
            option = menu.wording(game.decision, game.decision.find(pending))
            print(self.words("the answer will tell what comes of: {option}", option=option))

    @property
    def _play_command(self) -> str:
        """The command that goes on."""
        return f"grognard mail play --folder {printable_path(self.box.folder)}"

    @property
    def _title(self) -> str:
        return self.wording.display_name(self.match.scenario.setup.title)

    @property
    def _game_line(self) -> str:
        """Which game it is, and who plays here."""
        side = self._side_name(self.match.name)
        return self.words("{title}: you play {side}", title=short(self._title), side=side)

    def _side_name(self, side: str) -> str:
        """What a side is called."""
        return self.wording.member("Side", self.match.sides.index(side))
