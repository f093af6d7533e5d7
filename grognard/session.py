"""Playing at a terminal: showing positions, reading choices, explaining, handing over.

The same session serves a person at a terminal, several people who share one, and a program that writes lines
into a pipe; only the looks differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, TextIO

from grognard.advice import hint
from grognard.console import Console, Ended
from grognard.draw.keys import key_lines
from grognard.draw.picture import Token
from grognard.draw.scene import PLAIN, Scene
from grognard.draw.style import Style, StyleError
from grognard.files import short
from grognard.handing import Seats
from grognard.helping import each_alone, helping, what_comes
from grognard.journal import Journal, NotKept
from grognard.layout import Layout
from grognard.lines import ALL, DONE, Lines, Stuck, Unread
from grognard.listing import Listing
from grognard.looking import place_of
from grognard.menu import Menu, pass_of
from grognard.outcome import ended
from grognard.passing import Passing
from grognard.saving import saved
from grognard.standing import NEVER, Standing
from grognard.telling import Telling, folded
from grognard.typed import is_number
from grognard.whereabouts import Whereabouts, as_seen, beside, panel_of
from grognard.why import Later, Why
from grognard.words import ENGLISH
from runtime.bots import Bot
from runtime.game import ChoiceError, Decision, Game, Option
from runtime.model import NONE
from runtime.scenario.names import COMMANDS
from runtime.spelling import plain
from runtime.view import View, view

if TYPE_CHECKING:
    from grognard.explain import Explainer

_COMMANDS = COMMANDS - {ALL, DONE}


class Session(Console):
    """One game at a terminal or a pipe.

    *bots* are the players that are programs, by side; the other sides are people.  At a *terminal* people
    hand over to each other; *screen* says whether it may be cleared.  The *journal* keeps the game.
    """

    def __init__(
        self,
        game: Game,
        bots: Mapping[int, Bot],
        explainer: Callable[[], Explainer],
        stdin: TextIO,
        stdout: TextIO,
        color: bool,
        screen: bool,
        terminal: bool,
        journal: Journal,
    ) -> None:
        super().__init__(stdin, stdout, color, screen, terminal)
        self.game = game
        self.bots = dict(bots)
        self.scene = Scene(game.spec, game.setup, game.wording, value=game.program.value)
        #: the program's own words
        self.words = self.scene.words
        self.menu = Menu(game, self.scene)
        self.where = Whereabouts(game, self.scene)
        self.journal = journal
        self.why = Why(game, self.menu, Later(explainer))
        self._rngs = {side: Random(f"{game.seed}:{side}:{len(game.actions)}") for side in bots}
        self._people = [s for s in range(len(game.spec.sides)) if s not in bots]
        self._seats = Seats(game, self.scene, self._people, terminal)
        self._telling = Telling(game, self._people, terminal)
        self._drawn = ""
        self._shown: Decision | None = None
        #: the side that was asked last
        self._asked: int | None = None
        #: whether what the letters on the board mean has been told
        self._keyed = False
        self._lines = Lines(self.scene)
        #: whether each kind of question is explained when it comes up first; those that were
        self.teaching = False
        self._taught: set[str] = set()
        self._standing = Standing(game)
        #: how many decisions each line has taken, as far as they can be taken back
        self._taken: list[int] = []
        self._passing = Passing(self.menu)

    def dress(self, style: Callable[[], Style]) -> None:
        """Take over how the ruleset looks; where that cannot be used, say why and go on with plain looks."""
        try:
            self.scene.style = style()
            self.scene.style.check_names(self.game.spec)
            self.scene.looks(view(self.game.state, NONE), strict=True)
        except StyleError as error:
            self.scene.style = PLAIN
            reason = f"{error} ({error.remedy})"
            self.say(self.words("plain looks are used, since {reason}", reason=reason))

    # ------------------------------------------------------------------ the game

    def run(self) -> None:
        """Play to the end, or until the player leaves (:class:`Ended`)."""
        while not self.game.over:
            decision = self.game.decision
            assert decision is not None
            if decision.side in self.bots:
                self.bot_plays(decision.side)
            else:
                self.person_plays(decision)
        self.finish()

    def bot_plays(self, side: int) -> None:
        """Let a bot decide."""
        state = self.game.state
        bot = self.bots[side]
        seen = None if bot.blind else view(state, side)
        option = bot.choose(seen, tuple(state.options), self._rngs[side])
        log = self.game.notes
        decision = self.game.decision
        assert decision is not None
        text = self._told(decision, self.game.wording.option(state.point, option))
        if self.game.spec.decisions[state.point].secret:
            text = self.words("has chosen")
        self.game.play(state.options.index(option))
        self.journal.keep(self.game, sync=False)
        if self.game.notes == log and not self.screen and not self._people:
            self.say(f"{self.scene.side_name(side)}: {text}")
        if not self.screen or not self._people:
            self.tell(self._telling.watcher)

    def tell(self, side: int) -> None:
        """Show the notes that have not been shown to a side."""
        for line in self.news(side):
            self.say(line)

    def news(self, side: int) -> list[str]:
        """The notes that have not been shown to a side, as lines."""
        return self.dotted(self._telling.news(side))

    def dotted(self, lines: Sequence[str]) -> list[str]:
        """Notes as they are shown."""
        return [self.paint("· ", "dim") + line for line in lines]

    def person_plays(self, decision: Decision) -> None:
        """Show where the game stands and ask until something is chosen."""
        if (passing := self._standing.answer(decision)) is not None:
            return self._passes(decision, passing)
        if self._shown is not decision:
            self.kept()
            self.face(decision)
            self.show(decision)
            self._shown = decision
            if self.terminal:
                self.why.later.begin()  # while the player reads
        while True:
            line = self.ask(f"{self.paint(self._who(decision), '1')} › ")
            if not line:
                continue
            self._passing.begin()
            if self.command(line, decision):
                if self.game.decision is not decision:
                    return
                continue
            try:
                options = self._read(decision, line)
            except ChoiceError as error:
                self.refused(decision, line, error)
                continue
            if len(options) == 1 and self._asked_back(decision, options[0], line):
                continue
            self._taken.append(len(options))
            for option in options:
                now = self.game.decision
                assert now is not None
                self.game.play(option)
                self.kept()  # before it is told: what is told is not lost
                self._heard(now, option)
            return

    def _asked_back(self, decision: Decision, option: Option, line: str) -> bool:
        """Whether a pass would leave something undone; says so, once."""
        told = self._passing.asked_back(decision, option, line) if self.terminal else ""
        if told:
            self.say(self.wrap(told, ""))
        return bool(told)

    def _passes(self, decision: Decision, option: Option) -> None:
        """Take the pass of a question."""
        self._taken.append(1)
        self.game.play(option)
        self.kept()
        self._heard(decision, option)

    def _read(self, decision: Decision, line: str) -> tuple[Option, ...]:
        """The options that a line takes: one or, where it says more, several.  ChoiceError."""
        try:
            if self.words.understood(line) != ALL:
                return (self.menu.resolve(decision, line.removesuffix("!")),)
        except ChoiceError as error:
            several = any(c in line for c in " ,;") or self.scene.hex_named(line) >= 0
            if error.matches or not several:
                raise
        return self._lines.read(self.menu, line)

    def _heard(self, decision: Decision, option: Option) -> None:
        """Tell what was chosen and what came of it, where nothing is drawn anew."""
        if self.terminal:
            return
        secret = self.game.spec.decisions[decision.point].secret and len(self._people) > 1
        told = self.words("has chosen") if secret else self._told(decision, option)
        self.say(f"{self.scene.side_name(decision.side)}: {told}")
        self.tell(decision.side)

    def _told(self, decision: Decision, option: Option) -> str:
        """What was chosen: in English as records have it, else in words."""
        return option.text if self.words.language == ENGLISH else self.menu.wording(decision, option)

    def _who(self, decision: Decision) -> str:
        """Who is asked, and in which step."""
        return ", ".join(filter(None, (self.scene.side_name(decision.side), self.where.step())))

    def kept(self) -> None:
        """See that all that has been decided is on disk."""
        while True:
            try:
                self.journal.keep(self.game)
                return
            except NotKept as error:
                if not self.terminal:
                    raise
                self.say(str(error))
                asked = self.words("Make room and press Enter to try again, or write 'quit' to leave.")
                if self.words.understood(self.ask(f"{asked} ")) in ("q", "quit", "exit"):
                    raise

    def face(self, decision: Decision) -> None:
        """When several people share the screen, hand it over before showing anything of another's."""
        if not self._seats.stays(decision):
            self.hand_over(decision)
        elif self._seats.open:
            self.forget_typed()  # by who looked before

    def hand_over(self, decision: Decision) -> None:
        """From here on only the side that is asked looks."""
        first = self._seats.facing is None
        self._seats.takes(decision.side)
        self._asked = decision.side
        name = self.scene.side_name(decision.side)
        if not self.terminal:
            self.say(f"\n=== {self.words('To decide: {side}', side=name)} ===")
            return
        self.clear()
        for line in self.game.log_of(NONE)[-6:] if not first else ():
            self.say(self.paint("· ", "dim") + line)
        self.say()
        several = "To decide: {side}. The other players look away; press Enter to go on."
        one = "To decide: {side}. The other player looks away; press Enter to go on."
        self.forget_typed()  # by whoever sat here before
        side = self.paint(name, "1")
        told = self.words(one, side=side) if len(self._people) == 2 else self.words(several, side=side)
        self.ask(f"{told} ")

    def show(self, decision: Decision) -> None:
        """The position, what has happened, what is asked, and the options."""
        seats = self._seats
        told = self._telling.openly if seats.open else self._telling.news
        news = self.dotted(told(seats.looks(decision)))
        seen = view(self.game.state, decision.side)
        looks = self.scene.looks(seen)
        now = []
        if self._asked not in (None, decision.side) and len(self._people) > 1 and self.terminal:
            name = self.scene.side_name(decision.side)
            now = [self.paint(self.words("Now to decide: {side}.", side=name), "7")]
        self._asked = decision.side
        if self.screen:
            listing = Listing(self.scene, self.color, self.width)
            self.lay_out(
                seen,
                decision.side,
                self.menu.marks(decision, seen),
                looks,
                news,
                [*now, *self.question(decision, seen)],
                lambda rows: ["  " + line for line in listing.within(self.menu, decision, seen, rows)],
            )
            return
        board = self.scene.board(seen.data, looks=looks)
        if board != self._drawn:
            self._drawn = board
            self.draw(seen, decision, looks)
        for line in [*news, *([""] if news else []), *now]:
            self.say(line)
        self.options(decision, seen)

    def lay_out(
        self,
        seen: View,
        side: int,
        marks: Collection[int],
        looks: Mapping[tuple[str, int], Token],
        news: Sequence[str],
        question: Sequence[str],
        options: Callable[[int], list[str]],
    ) -> None:
        """Clear the screen and fill it, with the board as large as the rest lets it be."""
        scene, color = self.scene, self.color
        panel = panel_of(self.game, scene, seen)
        picture = getattr(looks, "picture", None)
        layout = Layout(
            lambda width, height: scene.within(seen.data, marks, color, looks, width, height),
            panel.lines(side, color),
            panel.brief(self.width),
            lambda width: [
                *key_lines(scene, marks, color, width, picture),
                *scene.legend(seen.data, color, width),
            ],
            [part for line in news for part in self.wrap(line, "").split("\n")],
            question,
            options,
        )
        self.clear()
        for line in layout.lines(self.width, self.height()):
            self.say(line)

    def draw(
        self, seen: View, decision: Decision, looks: Mapping[tuple[str, int], Token] | None = None
    ) -> None:
        """The board with the side panel; *looks* are those of the pieces, where they are known already."""
        marks = self.menu.marks(decision, seen)
        looks = self.scene.looks(seen) if looks is None else looks
        self.table(seen, decision.side, marks, looks)
        self.say()

    def board(self, decision: Decision, around: str) -> None:
        """The board again, or the part of it around a hex or piece."""
        seen = view(self.game.state, decision.side)
        self._keyed = False
        if not around:
            self.draw(seen, decision)
            return
        h = place_of(self.scene, seen.data, around, self.scene.looks(seen))
        if h < 0:
            self.say(self.words("there is no place '{text}' on the board", text=short(around)))
        else:
            self.table(seen, decision.side, {h: ""}, self.scene.looks(seen))

    def table(
        self, seen: View, side: int, marks: Collection[int], looks: Mapping[tuple[str, int], Token]
    ) -> None:
        """The board, the panel and the legend."""
        lines = beside(self.game, self.scene, seen, side, self.color)
        height = max(12, self.height() - 24) if self.terminal else None
        self.say(
            self.scene.whole(seen.data, lines, marks, self.color, self.width, looks, height, not self._keyed)
        )
        self._keyed = self.terminal

    # ------------------------------------------------------------------ options

    def options(self, decision: Decision, seen: View, whole: bool = False, by: str = "") -> None:
        """The options by their words, sorted *by* something; cut at a terminal where long, unless *whole*."""
        for line in self.question(decision, seen):
            self.say(line)
        for line in Listing(self.scene, self.color, self.width).options(
            self.menu, decision, seen, whole or not self.terminal, by
        ):
            self.say("  " + line)

    def question(self, decision: Decision, seen: View) -> list[str]:
        """What is asked, below where the game stands and, where it is taught, what such questions mean."""
        taught: list[str] = []
        if self.teaching and decision.prompt not in self._taught:
            self._taught.add(decision.prompt)
            taught = [self.wrap(line.strip(), "  ") for line in self.why.question(decision)[1:]]
        told = [self.wrap(self.paint(line, "dim"), "") for line in self.where.lines(seen)]
        name = self.scene.side_name(decision.side)
        asked = self.wrap(self.paint(f"{name}: {self.menu.prompt(decision)}", "1"), "")
        return [part for line in (*taught, *told, asked) for part in line.split("\n")]

    def card(self, number: str, name: str, text: str) -> None:
        """A card with its text."""
        for line in Listing(self.scene, self.color, self.width).card(number, name, text):
            self.say("  " + line)

    # ------------------------------------------------------------------ commands

    def command(self, line: str, decision: Decision) -> bool:
        """Carry out a command; False when the line is none."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if line.startswith("?"):
            self.alone(decision, "help" if line == "?" else "why")
            self.explain(decision, line)
            return True
        own = self.words.understood(line)
        if self.words.understood(line.removesuffix("!")) == NEVER:  # 'never!' is as 'done!' is
            own = NEVER
        word = "quit" if word.casefold() == "q" else self.words.understood(word)
        if own in _COMMANDS:  # words of the language may consist of several
            word, rest = own, ""
        if word not in _COMMANDS or self._begins(decision, line):
            return False
        if word in ("quit", "exit"):
            raise Ended
        side = decision.side
        commands: dict[str, Callable[[], None]] = {
            "help": lambda: self.say(helping(self.words, self.width)),
            "options": lambda: self.options(decision, view(self.game.state, side), by=rest),
            "more": lambda: self.options(decision, view(self.game.state, side), True, rest),
            "board": lambda: self.board(decision, rest),
            "hand": lambda: self.hand(side),
            "log": lambda: self.log(rest, side),
            "look": lambda: self.look(rest, decision),
            "odds": lambda: self.odds(rest, decision),
            "hint": lambda: self.answered(hint(self.game, self.menu, decision, self.why.later.get)),
            "why": lambda: self.explain(decision, f"? {rest}"),
            "undo": self.undo,
            NEVER: lambda: self.never(decision, line),
            "save": lambda: saved(self.game, self.journal, self.words, rest, self.say, self.ask),
        }
        self.alone(decision, word)
        commands[word]()
        return True

    def alone(self, decision: Decision, word: str) -> None:
        """Before a command shows what only the side knows that is asked, hand the screen over to it."""
        if not self._seats.harmless(word):
            self.hand_over(decision)
            self.show(decision)

    def _begins(self, decision: Decision, line: str) -> bool:
        """Whether an option begins with what was typed."""
        begins = plain(line)
        return any(
            plain(text).startswith(begins)
            for option in decision.options
            for text in (option.text, self.menu.wording(decision, option))
        )

    def hand(self, side: int) -> None:
        """The cards of a side."""
        cards = self.scene.hand(view(self.game.state, side).data, side)
        if not cards:
            self.say(self.words("{side}: no cards", side=self.scene.side_name(side)))
        for name, text in cards:
            self.card("-", name, text)

    def log(self, rest: str, side: int) -> None:
        """What has happened, as a side knows it."""
        for line in folded(self.game, side, rest):
            self.say(self.paint("· ", "dim") + line)

    def look(self, rest: str, decision: Decision) -> None:
        """What the side sees of a piece or a hex."""
        from grognard.looking import look

        if not rest:
            self.say(self.words("write 'look' and the name of a piece or hex"))
            return
        seen = view(self.game.state, decision.side)
        looks = self.scene.looks(seen)
        self.answered(look(self.scene, seen.data, rest, as_seen(self.game, seen), looks))

    def odds(self, rest: str, decision: Decision) -> None:
        """What will come of what a line would take."""
        if not rest:
            self.say(self.words("write 'odds' and what you would choose"))
            return
        try:
            lines = [self._read(decision, rest)]
        except ChoiceError as error:
            lines = each_alone(self.menu, decision, rest)
            if not lines:
                self.refused(decision, rest, error)
        for options in lines:
            for told in what_comes(self.game, self.menu, options, self.why.later.get):
                self.answered(told)

    def never(self, decision: Decision, line: str) -> None:
        """Pass a question, now and whenever it is asked again in this turn."""
        passing = pass_of(decision)
        if passing is None:
            self.say(self.words("this question cannot be passed by"))
        elif not self._asked_back(decision, passing, line):
            self._standing.take(decision)
            self._passes(decision, passing)

    def undo(self) -> None:
        """Take the last line back."""
        self._standing.drop()
        count = self._taken.pop() if self._taken and self.game.can_undo else 1
        done = 0
        while done < count and self.game.undo():
            done += 1
        if done:
            self._telling.taken_back()
            self.kept()
            if not self.terminal:
                self.say(self.words("taken back"))
        else:
            self._taken.clear()
            self.say(
                self.words(
                    "this cannot be taken back: a die was rolled, something was revealed, or another side "
                    "has decided since"
                )
            )

    def explain(self, decision: Decision, line: str) -> None:
        """Answer a line that begins with a question mark."""
        source = line.startswith("??")
        asked = line.lstrip("?").strip()
        first, _, rest = asked.partition(" ")
        if self.words.understood(first) == "why":  # who asks '? why X' means '? X'
            asked = rest.strip()
        if not asked:
            lines = self.why.question(decision)
        else:
            if self.terminal and not self.why.later.ready:
                self.say(self.words("(reading the rules …)"))
            lines = self.why.line(self._lines, decision, asked, source)
        self.answered(lines)
        if not asked:
            self.say("\n" + helping(self.words, self.width))

    def refused(self, decision: Decision, line: str, error: ChoiceError) -> None:
        """Say that a line cannot be taken and, where it names something and the rules are read, why."""
        asked = error.text if isinstance(error, Stuck | Unread) else line
        number = is_number(asked) and not (self.menu.named(asked) or self.menu.names_piece(decision, asked))
        if not error.matches and not number and self.why.later.ready and not self._seats.open:
            why, text = self.why, short(asked, 60)
            if isinstance(error, Stuck):
                why, text = Why(error.game, error.menu, why.later), short(error.text, 60)
                decision = error.decision
            lines = why.refused(decision, text)
            if lines:
                if isinstance(error, Stuck) and error.where:
                    self.say(f"{error.where}:")
                self.answered(lines)
                return
        self.say(self.wrap(str(error), ""))
        if error.offered and not error.matches:
            self.say(self.words("'? {text}' may tell why, '?' helps", text=short(asked, 40)))

    # ------------------------------------------------------------------ the end

    def finish(self) -> None:
        """Show the end of the game."""
        news = self.news(self._telling.watcher)
        seen = view(self.game.state, self._telling.watcher)
        looks = self.scene.looks(seen)
        names = [self.scene.side_name(side) for side in range(len(self.game.spec.sides))]
        told = self.paint(ended(self.game.state, names, self.words), "1")
        if self.screen:
            self.lay_out(seen, NONE, (), looks, news, [told], lambda _: [])
            return
        self.table(seen, NONE, (), looks)
        for line in ("", *news, told):
            self.say(line)
