"""A table at a terminal: reading lines, laying out and printing what comes back, handing over.

The same session serves a person at a terminal, several people who share one, and a program that
writes lines into a pipe; only the looks differ.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from grognard.database import NotKept
from grognard.files import kept_for_good, printable_path, reason, short, target
from grognard.fronts.terminal.columns import Listing
from grognard.fronts.terminal.console import Console, Ended
from grognard.fronts.terminal.layout import Layout
from grognard.lexicon.catalogue import ENGLISH, Words
from grognard.table.content import Question, TakenOption
from grognard.table.lines import ALL, DONE
from grognard.table.notes import Notes
from grognard.table.passes import NEVER
from grognard.table.refused import Refused
from grognard.table.sharing import ScreenSharing
from grognard.table.store import GameWriter
from grognard.table.table import Table
from runtime.errors import GrognardError
from runtime.games.decision import Decision
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.model import NONE
from runtime.scenario.names import COMMANDS
from runtime.view import Sight

_COMMANDS = COMMANDS - {ALL, DONE}

HELP = """\
Choose by number, or by typing an option or its beginning (a hex or a name alone will do where it is clear).
Several answers go in one line, taken together or not at all: 'S.HI2 D6', '4th 1206, 6th 1009, done', 'all'.

  ?              what is asked, and this help
  ? 3, ? text    what stands behind an option, what a piece can do, why a thing is not possible
  ? hill         what a kind of ground or of units, a river, a card does; what a term means (? retreat)
  ?? text        the same with all that the rules say, and where it is written
  options, more  the options again, all of them (options name, options odds: sorted)
  board, board X the board again with what its signs mean; the part of it around X
  hand           your cards with their texts    log       what has happened (log 30, log turn 2, log all)
  odds X         what would come of a choice, or of a line: losses and their chances
  hint           what a bot would choose, and why
  expect         how a bot that searches takes the game to stand
  look X         what you see of a piece, on the board or off it, or of a hex
  never          pass, and pass whenever the same is asked again in this turn ('undo' takes it back)
  undo           take the last line back, as long as nothing was revealed and no die rolled
  save FILE      write the game so far to a file, to be resumed or replayed
  quit           leave; the game can be resumed
"""  # noqa: E501 - each line is a message of the catalogues


#: Where the right column of the help begins.
_COLUMN = " " * 17


def help_text(words: Words, width: int) -> str:
    """The help in the words of a language, folded to a width."""
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=_COLUMN if line.startswith(" ") else "")
        for line in words.lines(HELP).split("\n")
    )


class Session(Console):
    """A table at a terminal or a pipe.

    At a *terminal* people hand over to each other; *screen* says whether it may be cleared.  The
    *kept* game writes what is to be saved; *teaching*, each kind of question is explained when it
    first comes up.  *told* is how many notes the players know from before (None: all).
    """

    def __init__(
        self,
        table: Table,
        stdin: TextIO,
        stdout: TextIO,
        color: bool,
        screen: bool,
        terminal: bool,
        kept: GameWriter,
        teaching: bool = False,
        told: int | None = None,
    ) -> None:
        super().__init__(stdin, stdout, color, screen, terminal)
        self.table, self.kept = table, kept
        self.words = table.words
        self._store = table.keep
        table.keep = self.keep  # where there is no room, somebody at a terminal can make some
        table.heard.append(self.on_taken)
        self._seats = ScreenSharing(table, terminal)
        self._notes = Notes(table.game, table.people, terminal, told)
        self._drawn = ""
        self._shown: Decision | None = None
        #: the side that was asked last
        self._asked: int | None = None
        #: whether what the letters on the board mean has been told
        self._keyed = False
        #: the kinds of questions that have been explained; None where none shall be
        self._taught: set[str] | None = set() if teaching else None

    # ------------------------------------------------------------------ the game

    def run(self) -> None:
        """Play to the end, or until the player leaves (:class:`Ended`)."""
        while True:
            decision = self.table.decision
            bot = None if decision is None else self.table.bots.get(decision.side)
            if decision is not None and bot is not None and not bot.blind:
                name = self.table.side_name(decision.side)
                self.say_briefly(self.words("{0} is thinking …", **{"0": name}))
            if self.table.step():
                continue
            if decision is None:
                return self.finish()
            self.person_plays(decision)

    def person_plays(self, decision: Decision) -> None:
        """Show where the game stands and ask until something is chosen."""
        if self._shown is not decision:
            self.table.ensure_kept()
            self.face(decision)
            self.show_position(decision)
            self._shown = decision
            if self.terminal:
                self.table.read_rules()  # while the player reads
        while self.table.decision is decision:
            name, step = self.table.side_name(decision.side), self.table.place().now
            who = ", ".join(filter(None, (name, step)))
            line = self.ask(f"{self.paint(who, '1')} › ")
            if not line:
                continue
            try:
                if not self.command(line, decision):
                    self.table.answer(
                        decision.side, line, careful=self.terminal, reasons=not self._seats.open
                    )
            except Refused as refused:
                self.show_refusal(refused)

    def on_taken(self, taken: TakenOption | None) -> None:
        """Tell what was chosen and what came of it, where nothing is drawn anew."""
        if taken is None:
            self._notes.taken_back()
            return
        people = self.table.people
        text = taken.text if self.words.language == ENGLISH else taken.words
        line = f"{self.table.side_name(taken.side)}: {text}"
        if taken.secret and (len(people) > 1 or taken.side not in people):
            line = f"{self.table.side_name(taken.side)}: {self.words('has chosen')}"
        if taken.side not in people:
            if not taken.notes and not self.screen and not people:
                self.say(line)
            if not self.screen or not people:
                self.show_notes(self._notes.watcher)
        elif not self.terminal:
            self.say(line)
            self.show_notes(taken.side)

    def show_notes(self, side: int) -> None:
        """Show the notes that have not been shown to a side."""
        for line in self.bulleted(self._notes.news(side)):
            self.say(line)

    def bulleted(self, lines: Sequence[str]) -> list[str]:
        """Notes as they are shown."""
        return [self.paint("· ", "dim") + line for line in lines]

    def keep(self, game: Game, sync: bool) -> None:
        """See that all that has been decided is on disk."""
        while True:
            try:
                self._store(game, sync)
                return
            except NotKept as error:
                if not self.terminal or not sync:
                    raise
                self.say(error.message)
                asked = self.words(
                    "Make room and press Enter to try again, or write 'quit' to leave."
                )
                if self.words.understood(self.ask(f"{asked} ")) in ("q", "quit", "exit"):
                    raise

    # ------------------------------------------------------------------ handing over

    def face(self, decision: Decision) -> None:
        """Hand a shared screen over before anything of another's is shown."""
        if not self._seats.stays(decision):
            self.hand_over(decision)
        elif self._seats.open:
            self.forget_typed()  # by who looked before

    def hand_over(self, decision: Decision) -> None:
        """From here on only the side that is asked looks."""
        first = self._seats.facing is None
        self._seats.takes(decision.side)
        self._asked = decision.side
        name = self.table.side_name(decision.side)
        if not self.terminal:
            self.say(f"\n=== {self.words('To decide: {side}', side=name)} ===")
            return
        self.clear()
        for line in self.bulleted(() if first else self.table.said_openly(6)):
            self.say(line)
        self.say()
        several = "To decide: {side}. The other players look away; press Enter to go on."
        one = "To decide: {side}. The other player looks away; press Enter to go on."
        self.forget_typed()  # by whoever sat here before
        side = self.paint(name, "1")
        two = len(self.table.people) == 2
        self.ask(f"{self.words(one, side=side) if two else self.words(several, side=side)} ")

    def hand_over_for(self, decision: Decision, word: str) -> None:
        """Before a command shows what only the side knows that is asked, hand the screen over to
        it.
        """
        if not self._seats.harmless(word):
            self.hand_over(decision)
            self.show_position(decision)

    # ------------------------------------------------------------------ the screen

    def show_position(self, decision: Decision) -> None:
        """The position, what has happened, what is asked, and the options."""
        seats, side = self._seats, decision.side
        notes_of = self._notes.openly if seats.open else self._notes.news
        news = self.bulleted(notes_of(seats.looks(decision)))
        seen = self.table.sight_of(side)
        now = []
        if self._asked not in (None, side) and len(self.table.people) > 1 and self.terminal:
            name = self.table.side_name(side)
            now = [self.paint(self.words("Now to decide: {side}.", side=name), "7")]
        self._asked = side
        if self.screen:
            question = self.table.question(decision, seen)
            asked = [*now, *self.question(decision, question, seen)]
            self.lay_out(seen, self.table.marks(decision, seen), news, asked, question)
            return
        board = self.table.board(seen).board()
        if board != self._drawn:
            self._drawn = board
            self.board(seen, self.table.marks(decision, seen))
            self.say()
        for line in [*news, *([""] if news else []), *now]:
            self.say(line)
        self.options(decision, seen)

    def lay_out(
        self,
        seen: Sight,
        marks: Mapping[int, str],
        news: Sequence[str],
        asked: Sequence[str],
        question: Question | None = None,
    ) -> None:
        """Clear the screen and fill it, with the board as large as the rest lets it be."""
        panel = self.table.panel(seen)
        listing = self._listing(seen.side if question else NONE)
        board = self.table.board(seen, marks, self.color)
        layout = Layout(
            board.lines_within,
            panel.lines(seen.side if seen.own else NONE, self.color),
            panel.brief(self.width),
            lambda width: [*board.signs(width), *board.legend(width)],
            [part for line in news for part in self.wrap(line, "").split("\n")],
            asked,
            lambda rows: (
                [f"  {line}" for line in listing.lines_within(question, rows)] if question else []
            ),
        )
        self.clear()
        for line in layout.lines(self.width, self.height()):
            self.say(line)

    def board(self, seen: Sight, marks: Mapping[int, str]) -> None:
        """The board, the panel and the legend."""
        side = seen.side if seen.own else NONE
        lines = self.table.panel(seen).lines(side, self.color)
        height = max(12, self.height() - 24) if self.terminal else None
        board = self.table.board(seen, marks, self.color)
        self.say(board.whole(lines, self.width, height, not self._keyed))
        self._keyed = self.terminal

    def board_around(self, decision: Decision, around: str) -> None:
        """The board again, or the part of it around a hex or piece."""
        seen = self.table.sight_of(decision.side)
        self._keyed = False
        if not around:
            self.board(seen, self.table.marks(decision, seen))
            self.say()
            return
        h = self.table.place_of(seen, around)
        if h < 0:
            self.say(self.words("there is no place '{text}' on the board", text=short(around)))
        else:
            self.board(seen, {h: ""})

    def options(self, decision: Decision, seen: Sight, whole: bool = False, by: str = "") -> None:
        """The options by their words, sorted *by* something; cut at a terminal where long, unless
        *whole*.
        """
        question = self.table.question(decision, seen)
        for line in self.question(decision, question, seen):
            self.say(line)
        listing = self._listing(decision.side)
        for line in listing.options(question, whole or not self.terminal, by):
            self.say("  " + line)

    def _listing(self, side: int = NONE) -> Listing:
        """What lists options, of the question of a *side* with their odds, and cards."""
        odds = {} if side == NONE else self.table.odds(side).odds
        return Listing(self.words, self.color, self.width, odds)

    def question(self, decision: Decision, question: Question, seen: Sight) -> list[str]:
        """What is asked, below where the game stands and, where it is taught, what such questions
        mean.
        """
        taught: list[str] = []
        if self._taught is not None and question.prompt not in self._taught:
            self._taught.add(question.prompt)
            lines = self.table.explain(decision.side, "")[1:]
            taught = [self.wrap(line.text, "  ") for line in lines]
        place = self.table.place(seen)
        steps = [f"[{step}]" if n == place.step else step for n, step in enumerate(place.steps)]
        where = [" · ".join([*place.header, *place.around]), " › ".join(steps)]
        where = [self.wrap(self.paint(line, "dim"), "") for line in where if line]
        name = self.table.side_name(decision.side)
        asked = self.wrap(self.paint(f"{name}: {question.words}", "1"), "")
        return [part for line in (*taught, *where, asked) for part in line.split("\n")]

    def show_explanation(self, lines: Sequence[Line]) -> None:
        """Show an explanation."""
        for number, line in enumerate(lines):
            text = self.wrap(line.text, "  " * line.level)
            self.say(self.paint(text, "1") if number == 0 and len(lines) > 1 else text)

    def show_refusal(self, refused: Refused) -> None:
        """Say that something is not done and, where the rules tell it, why."""
        if refused.reasons:
            if refused.where:
                self.say(f"{refused.where}:")
            self.show_explanation(refused.reasons)
            return
        said = "; ".join(filter(None, (refused.message, refused.remedy)))
        self.say(self.wrap(said, ""))
        if refused.text:
            self.say(self.words("'? {text}' may tell why, '?' helps", text=refused.text))

    # ------------------------------------------------------------------ commands

    def command(self, line: str, decision: Decision) -> bool:
        """Carry out a command; False when the line is none.  Refused."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if line.startswith("?"):
            self.hand_over_for(decision, "help" if line == "?" else "why")
            self.explain(decision, line)
            return True
        own = self.words.understood(line)
        if self.words.understood(line.removesuffix("!")) == NEVER:  # 'never!' is as 'done!' is
            own = NEVER
        word = "quit" if word.casefold() == "q" else self.words.understood(word)
        if own in _COMMANDS:  # words of the language may consist of several
            word, rest = own, ""
        if word not in _COMMANDS or self.table.menu.begins_option(decision, line):
            return False
        if word in ("quit", "exit"):
            raise Ended
        side, table = decision.side, self.table
        commands: dict[str, Callable[[], None]] = {
            "help": lambda: self.say(help_text(self.words, self.width)),
            "options": lambda: self.options(decision, table.sight_of(side), by=rest),
            "more": lambda: self.options(decision, table.sight_of(side), True, rest),
            "board": lambda: self.board_around(decision, rest),
            "hand": lambda: self.hand(side),
            "log": lambda: self.log(rest, side),
            "look": lambda: self.look(rest, side),
            "odds": lambda: self.odds(rest, side),
            "hint": lambda: self.hint(side),
            "expect": lambda: self.show_explanation(table.expectations()),
            "why": lambda: self.explain(decision, f"? {rest}"),
            "undo": lambda: self.undo(side),
            NEVER: lambda: table.pass_by(side, line, careful=self.terminal),
            "save": lambda: self.save(rest),
        }
        self.hand_over_for(decision, word)
        commands[word]()
        return True

    def hand(self, side: int) -> None:
        """The cards of a side."""
        cards = self.table.hand(side)
        if not cards:
            self.say(self.words("{side}: no cards", side=self.table.side_name(side)))
        for name, text in cards:
            for line in self._listing().card("-", name, text):
                self.say("  " + line)

    def log(self, rest: str, side: int) -> None:
        """What has happened, as a side knows it."""
        for line in self.bulleted(self.table.log(side, rest)):
            self.say(line)

    def look(self, rest: str, side: int) -> None:
        """What the side sees of a piece or a hex."""
        if rest:
            self.show_explanation(self.table.look(side, rest))
        else:
            self.say(self.words("write 'look' and the name of a piece or hex"))

    def odds(self, rest: str, side: int) -> None:
        """What will come of what a line would take."""
        if not rest:
            self.say(self.words("write 'odds' and what you would choose"))
            return
        for lines in self.table.forecast(side, rest):
            self.show_explanation(lines)

    def hint(self, side: int) -> None:
        """What a bot would choose."""
        self.say_briefly(self.words("One moment …"))
        self.show_explanation(self.table.hint(side)[1])

    def undo(self, side: int) -> None:
        """Take the last line back."""
        self.table.undo(side)
        if not self.terminal:
            self.say(self.words("taken back"))

    def explain(self, decision: Decision, line: str) -> None:
        """Answer a line that begins with a question mark."""
        asked = line.lstrip("?").strip()
        first, _, rest = asked.partition(" ")
        if self.words.understood(first) == "why":  # who asks '? why X' means '? X'
            asked = rest.strip()
        if asked and self.terminal and not self.table.rules_read:
            self.say(self.words("(reading the rules …)"))
        self.show_explanation(
            self.table.explain(decision.side, asked, source=line.startswith("??"))
        )
        if not asked:
            self.say("\n" + help_text(self.words, self.width))

    def save(self, rest: str) -> None:
        """Write the game so far to the file *rest*; where there is one already, only if told to."""
        words = self.words
        if not rest:
            self.say(words("write 'save' and the name of a file"))
            return
        try:
            path = target(rest)
            try:
                what = kept_for_good(path, records=False)
            except OSError as error:
                raise NotKept(f"{short(rest)} cannot be written: {reason(error)}") from None
            if what:
                raise NotKept(f"{short(rest)} is {what}, and is not overwritten")
            own = self.kept.file is not None and path.resolve() == self.kept.file.resolve()
            if path.exists() and path.stat().st_size and not own:
                message = "{file} is there already; 'yes' overwrites it, anything else does not"
                self.say(words(message, file=short(rest)))
                if words.understood(self.ask(f"{words('Overwrite it?')} ")) not in ("y", "yes"):
                    self.say(words("not saved"))
                    return
            self.kept.write(path)
        except GrognardError as error:
            self.say(f"{error.message}: {words('not saved')}")
            return
        command = f"grognard play --resume {printable_path(path)}"
        self.say(words("saved; go on with: {command}", command=command))

    # ------------------------------------------------------------------ the end

    def finish(self) -> None:
        """Show the end of the game."""
        side = self._notes.watcher
        news = self.bulleted(self._notes.news(side))
        seen = self.table.sight_of(side)
        end = self.paint(self.table.end, "1")
        if self.screen:
            self.lay_out(seen, {}, news, [end])
            return
        self.board(seen, {})
        for line in ("", *news, end):
            self.say(line)
