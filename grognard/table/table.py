"""A game under way with its seats: a front gives it answers and questions, and gets what is to be
shown, as data.

Each side has a seat, where a person or a bot sits; whoever looks on has the seat NONE and sees what
everybody sees.  Whatever a seat gets comes from its own :class:`runtime.view.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from random import Random
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING

from grognard.draw.panel import Panel
from grognard.draw.scene import PLAIN, Scene
from grognard.draw.style import Style, StyleError
from grognard.draw.text.position import TextBoard
from grognard.explain.forecasts import Foreteller
from grognard.files import short
from grognard.lexicon.typed import is_number
from grognard.table.content import (
    GamePlace,
    Ground,
    News,
    NextQuestion,
    Odds,
    Question,
    Show,
    TakenOption,
)
from grognard.table.hints import each_alone, expectations, hint, what_comes
from grognard.table.inspection import look, place_of
from grognard.table.lines import ALL, DONE, LineReader, Stuck, Trial, Unread
from grognard.table.menu import Menu, passing_option
from grognard.table.notes import Newspaper
from grognard.table.on_board import counters, ground, markers, name_of_side
from grognard.table.options import choices
from grognard.table.passes import NEVER, PassWarnings, StandingPasses
from grognard.table.refused import Refused
from grognard.table.situation import Whereabouts, end_sentences, log_folded, panel_of, strict_calls
from grognard.table.why import LazyExplainer, Why
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.games.position import Position
from runtime.model import NONE
from runtime.option import Option
from runtime.runs.seats import Seat
from runtime.view import Sight, view

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: Of how many questions, behind options that are not taken, the odds are kept.
_KEPT = 16

#: Keeps the game as far as it has come, before its last entry is acknowledged; without *sync* the
#: end of the program loses nothing, that of the machine may.
Keep = Callable[[Game, bool], None]


class Table:
    """A *game* whose sides are played by *bots* and, the others, by people.

    *keep* is called for each entry; what it raises ends what was under way, and the entry is kept
    with the next one, or by :meth:`ensure_kept`.  *version* counts entries and what was taken back.
    *heard* are called after each entry with what was taken, and with None after something was taken
    back.  The *lock* is held while something is taken, and to see what is asked; bots think without
    it.
    """

    def __init__(
        self,
        game: Game,
        bots: Mapping[int, Seat],
        explainer: Callable[[], Explainer],
        keep: Keep | None = None,
        version: int | None = None,
    ) -> None:
        self.game, self.bots = game, dict(bots)
        self.keep: Keep = keep or (lambda game, sync: None)
        self.version = game.length if version is None else version
        #: whether something has been decided that could not be kept
        self.unkept = False
        #: is asked before an option is taken; what it raises keeps it from being taken
        self.admits: Callable[[Option], None] = lambda option: None
        self.places = False  # whether who asks why is told where rules stand: an author
        self.heard: list[Callable[[TakenOption | None], None]] = []
        self.lock = RLock()
        self.scene = Scene.of_game(game)
        self.words = self.scene.words  # the program's own
        self.menu = Menu(game, self.scene)
        self.why = Why(game, self.menu, LazyExplainer(explainer))
        self._lines = LineReader(self.scene)
        self._standing = StandingPasses(game)
        self._passing = PassWarnings(self.menu)
        self._luck = {side: Random(f"{game.seed}:{side}:{len(game.actions)}") for side in bots}
        #: what each side sees now, and what is asked, as far as somebody has looked
        self._seen: dict[int, Sight] = {}
        self._asked: tuple[Decision, Question] | None = None
        self._news: dict[int, Newspaper] = {}
        #: what works out odds now, behind options that are not taken
        self._odds: dict[tuple[str, ...], Foreteller] = {}
        #: the decision for which a hint was given last, and the hint
        self._hinted: tuple[Decision, Option, list[Line]] | None = None
        #: how many entries each answer has taken, as far as they can be taken back
        self._taken: list[int] = []
        #: how much had happened at each version, from the first on
        self._happened = [game.history.length]
        self._first = self.version
        self._before = self._happened[0] if game.actions else (0, 0)

    def dress(self, style: Callable[[], Style]) -> str:
        """Take over how the ruleset looks; why it cannot be used, where it cannot."""
        try:
            self.scene.style = style()
            self.scene.style.check_names(self.game.spec)
            self.scene.looks(self.sight_of(NONE), strict=True)
        except StyleError as error:
            self.scene.style = PLAIN
            return self.words("plain looks are used, since {reason}", reason=str(error))
        return ""

    @property
    def people(self) -> list[int]:
        """The sides that are played by people."""
        return [side for side in range(len(self.game.spec.sides)) if side not in self.bots]

    @property
    def decision(self) -> Decision | None:
        """What is asked now; None when the game is over."""
        with self.lock:  # while an option is taken, nothing is asked yet
            return self.game.decision

    def side_name(self, side: int) -> str:
        """What a side is called."""
        return self.scene.side_name(side)

    def sight_of(self, side: int) -> Sight:
        """What a seat sees of the game."""
        if side not in self._seen:
            self._seen[side] = view(self.game.state, side)
        return self._seen[side]

    # ------------------------------------------------------------------ going on

    @property
    def waits(self) -> bool:
        """Whether a person is to answer: there is nothing for :meth:`step` to take."""
        asked = self.game.decision
        return asked is not None and not (asked.side in self.bots or self._standing.answer(asked))

    def step(self) -> bool:
        """Take what no person is asked for: the decision of a bot, or the pass of a question that
        its side passes until the turn is over.  Whether there was anything of the kind.
        """
        with self.lock:
            decision, state = self.game.decision, self.game.state
            if decision is None:
                return False
            bot = self.bots.get(decision.side)
            if bot is None:
                passing = self._standing.answer(decision)
                if passing is not None:
                    self._take([passing])
                return passing is not None
            seen = None if bot.blind else view(state, decision.side)
            options = tuple(state.options)
        chosen = bot.choose(seen, options, self._luck[decision.side])
        with self.lock:
            if self.game.decision is decision:
                option = next(o for o in decision.options if o.raw == chosen)
                self._play(decision, option, sync=False)
        return True

    def _play(self, decision: Decision, option: Option, sync: bool = True) -> None:
        """Take an option, keep it, and tell of it."""
        words = self.menu.wording(decision, option)
        secret = self.game.spec.decisions[decision.point].secret
        before = self.game.notes
        self.admits(option)
        self.game.play(option)
        self._changed()
        self.ensure_kept(sync)  # before it is told: what is told is not lost
        taken = TakenOption(decision.side, option.text, words, secret, self.game.notes - before)
        for heard in self.heard:
            heard(taken)

    def _take(self, options: Sequence[Option]) -> None:
        """Take the options of one answer."""
        self._taken.append(len(options))
        for option in options:
            decision = self.game.decision
            assert decision is not None
            self._play(decision, option)

    def _changed(self) -> None:
        self.version += 1
        self._seen.clear()
        self._odds.clear()
        self._happened.append(self.game.history.length)

    def ensure_kept(self, sync: bool = True) -> None:
        """See that all that has been decided is kept."""
        self.unkept = True
        self.keep(self.game, sync)
        self.unkept = False

    # ------------------------------------------------------------------ answers

    def decision_of(self, side: int) -> Decision:
        """The decision of a side.  Refused where it is not asked."""
        decision = self.game.decision
        if decision is None:
            raise Refused("over", self.words("the game is over: nothing is to be decided"))
        if decision.side != side or side in self.bots:
            name = self.scene.side_name(decision.side)
            raise Refused("turn", self.words("To decide: {side}", side=name))
        return decision

    def answer(self, side: int, line: str, careful: bool = False, reasons: bool = True) -> None:
        """Take what a line says, wholly or not at all: an option or several.

        *careful*: a pass that would leave something undone is asked back once.  Refused, with what
        the rules say of it unless not for *reasons*.
        """
        decision = self._begin(side)
        options = self.options_in_line(decision, line, reasons)
        self._take_answer(decision, options, line, careful)

    def choose(self, side: int, texts: Sequence[str], careful: bool = False) -> None:
        """Take options by their stable texts, one after another, wholly or not at all; *careful* as
        in :meth:`answer`.  Refused.
        """
        decision = self._begin(side)
        self._take_answer(decision, self.options_by_text(texts), DONE, careful)

    def _begin(self, side: int) -> Decision:
        """The decision that a side answers.  Refused."""
        decision = self.decision_of(side)
        self._passing.begin()
        return decision

    def _take_answer(
        self,
        decision: Decision,
        options: Sequence[Option],
        line: str,
        careful: bool,
        standing: bool = False,
    ) -> None:
        """Take options; where one is *careful*, a pass may be asked back; a *standing* one is taken
        whenever the same is asked in this turn.  Refused.
        """
        if careful and len(options) == 1:
            asked_back = self._passing.asked_back(decision, options[0], line)
            if asked_back is not None:
                raise Refused("sure", *asked_back)
        if standing:
            self._standing.take(decision)
        self._take(options)

    def options_by_text(self, texts: Sequence[str]) -> tuple[Option, ...]:
        """The options of the side that is asked with these stable texts, one after another; only
        the last may do what cannot be taken back.  Refused.
        """
        trial, last = self._tried(texts)
        return (*trial.taken, last)

    def _tried(self, texts: Sequence[str]) -> tuple[Trial, Option]:
        """What comes of options but for the last, and the last.  Refused."""
        trial = Trial.of(self.menu)
        last: Option | None = None
        for text in texts:
            if last is not None:
                trial = trial.after(last)
            decision = trial.open
            if decision is None:
                raise self._refusal(trial.closed(), text)
            last = next((one for one in decision.options if one.text == text), None)
            if last is None:
                message = self.words("'{text}' is not among the options", text=short(text, 40))
                raise Refused("option", message, text=short(text, 40))
        if last is None:
            raise Refused("option", self.words("this line names nothing"))
        return trial, last

    def options_in_line(
        self, decision: Decision, line: str, reasons: bool = True
    ) -> tuple[Option, ...]:
        """The options that a line takes: one or, where it says more, several.  Refused, with
        *reasons* where the rules have been read.
        """
        try:
            return self._meant(decision, line)
        except IllegalOption as error:
            raise self._refusal(error, line, decision if reasons else None) from None

    def _meant(self, decision: Decision, line: str) -> tuple[Option, ...]:
        try:
            if self.words.understood(line) != ALL:
                return (self.menu.resolve(decision, line.removesuffix("!")),)
        except IllegalOption as error:
            several = any(c in line for c in " ,;") or self.scene.hex_named(line) >= 0
            if error.matches or not several:
                raise
        return self._lines.read(self.menu, line)

    def _refusal(
        self, error: IllegalOption, line: str, decision: Decision | None = None
    ) -> Refused:
        """Why a line is not taken and, at a *decision* of which it names something, what the rules
        say of that.
        """
        asked = error.text if isinstance(error, Stuck | Unread) else line
        matches = [option.text for option in error.matches]
        text = short(asked, 40) if error.options and not matches else ""
        where, reasons = "", list[Line]()
        number = is_number(asked) and not (
            decision is None or self.menu.is_name(asked) or self.menu.names_piece(decision, asked)
        )
        if decision is not None and not matches and not number and self.why.later.ready:
            if isinstance(error, Stuck):
                where, why = error.where, Why(error.game, error.menu, self.why.later)
                reasons = why.refused(error.decision, short(error.text, 60))
            else:
                reasons = self.why.refused(decision, short(asked, 60))
        return Refused(
            "option",
            str(error),
            reasons=reasons,
            where=where,
            matches=matches,
            text=text,
        )

    def pass_by(self, side: int, line: str, careful: bool = False) -> None:
        """Pass a question; where the *line* says `never`, also whenever it is asked again in this
        turn.  Refused.
        """
        decision = self._begin(side)
        passing = passing_option(decision)
        if passing is None:
            raise Refused("option", self.words("this question cannot be passed by"))
        standing = self.words.understood(line.removesuffix("!")) == NEVER
        self._take_answer(decision, [passing], line, careful, standing)

    def undo(self, side: int) -> int:
        """Take back the last answer of a side, as far as the rules of undo allow it; how many
        entries that were.  Refused where nothing can be taken back.
        """
        self.decision_of(side)
        self._standing.drop(side)
        count = self._taken.pop() if self._taken and self.game.can_undo else 1
        done = 0
        while done < count and self.game.can_undo:
            self.game.undo()
            done += 1
        if not done:
            self._taken.clear()
            message = (
                "this cannot be taken back: a die was rolled, something was revealed, "
                "or another side has decided since"
            )
            raise Refused("undo", self.words(message))
        self._changed()
        self._news.clear()
        self.ensure_kept()
        for heard in self.heard:
            heard(None)
        return done

    # ------------------------------------------------------------------ what a seat is shown

    def place(self, seen: Sight | None = None) -> GamePlace:
        """Where the game stands, with what is worth telling as somebody sees it."""
        return Whereabouts(self.game, self.scene).place(seen)

    def board(
        self, seen: Sight, marks: Mapping[int, str] = MappingProxyType({}), color: bool = False
    ) -> TextBoard:
        """The board as somebody sees it, with marked hexes, to be written as text."""
        return TextBoard(self.scene, seen.data, self.scene.looks(seen), marks, color)

    def marks(self, decision: Decision, seen: Sight) -> dict[int, str]:
        """The hexes that a question marks on the board, with what lets them stand out."""
        return self.menu.marks(decision, seen)

    def panel(self, seen: Sight) -> Panel:
        """What stands beside the board."""
        return panel_of(self.game, self.scene, seen)

    @property
    def end(self) -> str:
        """The end of the game in words; nothing before it."""
        if not self.game.over:
            return ""
        names = [self.scene.side_name(side) for side in range(len(self.game.spec.sides))]
        return end_sentences(self.game.state, names, self.words)

    def show(self, side: int, since: int | None = None, brief: bool = False) -> Show:
        """All that a seat sees now, with its :meth:`news` since a version; a *brief* one is without
        position, counters, markers and what is unseen.
        """
        game, seen = self.game, self.sight_of(side)
        decision, spec = game.decision, game.spec
        looks = self.scene.looks(seen)
        own = decision is not None and decision.side == side and side not in self.bots
        position = {} if brief else Position(self.game.names, seen.state, seen).data
        decks = {deck.name: spec.enums[deck.enum] for deck in spec.decks}
        panel = self.panel(seen)
        # of what others do, the steps may tell what they hold
        place = self.place(seen) if own else GamePlace(tuple(panel.header()), (), (), NONE)
        return Show(
            version=self.version,
            seat=name_of_side(spec.sides, side),
            decides=None if decision is None else decision.name,
            waits=decision is not None and decision.side not in self.bots,
            place=place,
            panel=panel.picture_content(),
            position=position,
            unseen={
                deck: {decks[deck][card]: count for card, count in sorted(cards.items())}
                for deck, cards in seen.unseen_cards.items()
                if not brief
            },
            counters=() if brief else tuple(counters(game, self.scene, seen, looks)),
            markers=() if brief else tuple(markers(spec, looks)),
            news=self.news(side, since),
            question=self.question(decision, seen) if own and decision is not None else None,
            undo=own and game.can_undo,
            result=game.outcome,
            end=self.end,
        )

    def question(self, decision: Decision, seen: Sight, menu: Menu | None = None) -> Question:
        """What the side is asked whose view is *seen*; with another *menu* in its game."""
        if menu is None:
            if self._asked is None or self._asked[0] is not decision:
                self._asked = decision, self.question(decision, seen, self.menu)
            return self._asked[1]
        return Question(
            side=decision.name,
            prompt=decision.prompt,
            about=tuple(map(str, decision.about)),
            words=menu.prompt(decision),
            options=choices(menu, decision, seen),
            hexes={self.game.spec.board.label(h): m for h, m in menu.marks(decision, seen).items()},
        )

    def ground(self) -> Ground:
        """What does not change."""
        return ground(self.game, self.scene, self.bots)

    def news(self, side: int, since: int | None = None) -> News:
        """What a seat is told that has happened since a version (None: since the game was begun, or
        gone on with).
        """
        if since is None:
            start = self._before
        elif self._first <= since <= self.version:
            start = min(self._happened[since - self._first :])
        else:
            start = (0, 0)
        return self._news.setdefault(side, Newspaper(self.game, side)).since(start)

    # ------------------------------------------------------------------ what a seat asks

    @property
    def rules_read(self) -> bool:
        """Whether what the rules say can be told at once."""
        return self.why.later.ready

    def read_rules(self) -> None:
        """Begin to read the rules beside whatever else happens."""
        self.why.later.begin()

    def hint(self, side: int) -> tuple[str, tuple[Line, ...]]:
        """The option that a bot would choose, as its stable text, and what speaks for it."""
        decision = self.decision_of(side)
        if self._hinted is None or self._hinted[0] is not decision:  # it hangs on the clock
            self._hinted = decision, *hint(self.game, self.menu, decision, self.why.later.get)
        _, option, lines = self._hinted
        return option.text, tuple(lines)

    def expectations(self) -> tuple[Line, ...]:
        """What the bots expect, as far as everybody may know it."""
        return tuple(expectations(self.menu, self.bots))

    def explain(self, side: int, asked: str, source: bool = False) -> tuple[Line, ...]:
        """What stands behind what a text names: an option, a line of several, a piece, a hex, a
        term; nothing: the question itself.  With *source* all that the rules say.  Refused.
        """
        decision = self.decision_of(side)
        if not asked:
            return tuple(self.why.question(decision))
        return tuple(self.why.line(self._lines, decision, asked, source))

    def why_not(
        self, side: int, asked: str, source: bool = False, behind: Sequence[str] = ()
    ) -> tuple[Line, ...]:
        """Why what a text names is not offered, now or *behind* options that are not taken; nothing
        where it names nothing that could be.  Refused.
        """
        decision = self.decision_of(side)
        if not behind:
            return tuple(self.why.refused(decision, asked, source))
        trial, last = self._tried(behind)
        trial = trial.after(last)
        if trial.open is None or trial.open.side != side:
            return ()
        return tuple(Why(trial.game, trial.menu, self.why.later).refused(trial.open, asked, source))

    def forecast(self, side: int, asked: str | Sequence[str]) -> tuple[tuple[Line, ...], ...]:
        """What would come of what a line, or options one after another, would take: what the rules
        foresee, and what is seen when it is played out.  Refused.
        """
        decision = self.decision_of(side)
        if isinstance(asked, str):
            try:
                lines = [self._meant(decision, asked)]
            except IllegalOption as error:
                lines = each_alone(self.menu, decision, asked)
                if not lines:
                    raise self._refusal(error, asked, decision) from None
        else:
            lines = [self.options_by_text(asked)]
        return tuple(
            tuple(answer)
            for options in lines
            for answer in what_comes(self.game, self.menu, options, self.why.later.get)
        )

    def after(self, side: int, texts: Sequence[str]) -> NextQuestion:
        """What a side would be asked behind options, one after another, which are not taken.
        Refused.
        """
        menu, closed = self._menu_behind(side, texts)
        decision = None if menu is None else menu.game.decision
        if menu is None or decision is None:
            return NextQuestion(None, closed)
        return NextQuestion(self.question(decision, view(menu.game.state, side), menu), "")

    def _menu_behind(self, side: int, texts: Sequence[str]) -> tuple[Menu | None, str]:
        """The menu of what a side would be asked behind options; None where it would be asked
        nothing, and why.  Refused.
        """
        self.decision_of(side)
        trial, last = self._tried(texts)
        trial = trial.after(last)
        decision = trial.open
        if decision is None:
            return None, str(trial.closed())
        if decision.side != side:
            return None, self.words("To decide: {side}", side=self.scene.side_name(decision.side))
        return trial.menu, ""

    def odds(self, side: int, behind: Sequence[str] = (), seconds: float = inf) -> Odds:
        """What stands beside the options that a side is asked, now or *behind* options that are not
        taken, as far as it is known after so many more *seconds* of work.  Refused.
        """
        self.decision_of(side)
        teller = self._odds.get(tuple(behind))
        if teller is None:
            menu = self._menu_behind(side, behind)[0] if behind else self.menu
            if menu is None or not menu.foretells:
                return Odds({}, True)
            if len(self._odds) >= _KEPT:
                self._odds.clear()
            seen, further = view(menu.game.state, side), self.scene.style.names("odds")
            teller = Foreteller(menu.game, seen, self.words, further)
            self._odds[tuple(behind)] = teller
        teller.go_on(seconds)
        return Odds(dict(teller.odds), teller.whole)

    def look(self, side: int, text: str) -> tuple[Line, ...]:
        """What a seat sees of the piece, hex or card that a text names."""
        seen = self.sight_of(side)
        looks = self.scene.looks(seen)
        return tuple(look(self.scene, seen.data, text, strict_calls(self.game, seen), looks))

    def place_of(self, seen: Sight, text: str) -> int:
        """The hex that a text names, or where the one piece stands that it names; NONE for none."""
        return place_of(self.scene, seen.data, text, self.scene.looks(seen))

    def log(self, side: int, asked: str) -> list[str]:
        """What has happened, as a seat knows it; *asked*: how much of it."""
        return log_folded(self.game, side, asked)

    def said_openly(self, count: int) -> list[str]:
        """The last lines of what has happened, as everybody knows it."""
        return self.game.log_of(NONE)[-count:]

    def hand(self, side: int) -> tuple[tuple[str, str], ...]:
        """The cards of a side, each with its text."""
        return tuple(self.scene.hand(self.sight_of(side).data, side)) if side != NONE else ()
