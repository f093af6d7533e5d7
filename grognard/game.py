"""Games for programs: what is to be decided, playing, looking, taking back, why and why not.

A :class:`Game` is made by :func:`grognard.load` (or :func:`grognard.from_record`, :func:`grognard.set_up`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from grognard.errors import (
    ArgumentError,
    GameOver,
    IllegalOption,
    RecordError,
    UndoRefused,
    given,
)
from grognard.events import Event, events_of
from grognard.option import Option, Value
from grognard.reading import Board, Position
from grognard.scenario import Scenario, options_of
from grognard.scripting import Script, script_of
from grognard.seeds import seeded
from grognard.translating import failing
from grognard.view import Sight, by_side
from runtime.chance import left_in
from runtime.game import ChoiceError
from runtime.game import Game as RawGame
from runtime.model import NONE
from runtime.program import scores
from runtime.spelling import near as similar
from runtime.state import RUNNING, TIED, StateBase
from runtime.view import view as seen_by

if TYPE_CHECKING:
    from grognard.explaining import Explanation
    from grognard.forecasts import Forecast
    from grognard.positions import Given

__all__ = ["Game", "Result", "View"]

_LISTED = 12


@dataclass(frozen=True, slots=True)
class Result:
    """How a game has ended.

    *ranks* holds the rank of each side, 1 for who has won; those who are level share one, and where nobody
    has won, ranks begin at 2.  *winners* are the sides that have won, alone or together: none of a *tie*.
    *scores* are the points of each side, empty where the ruleset counts none.

    Where only a procedure has ended that was run by itself, *procedure* is its name and *value* what it has
    returned (None: nothing); then nobody has won, and nothing is tied.
    """

    ranks: Mapping[str, int]
    winners: tuple[str, ...]
    tie: bool
    scores: Mapping[str, int]
    procedure: str = ""
    value: Value = None

    def __str__(self) -> str:
        if self.procedure:
            return f"procedure ended: {self.procedure}" + ("" if self.value is None else f" = {self.value}")
        return "tie" if self.tie else ", ".join(f"{side}={rank}" for side, rank in self.ranks.items())


class View(Sight):
    """What a side sees of a game: a :class:`Position` in which :data:`UNSEEN` stands for what it does not
    see.

    *options*, *prompt* and *subject* are those of the pending decision when it is the side's own, else empty.
    The view does not change when the game goes on.  *raw* is the engine's view, of ints.
    """

    def sample(self, rng: Random) -> Game:
        """A game that could be this one, drawn at random from all that the side cannot tell apart, with dice
        of its own: to look ahead in.

        Only at the side's own decision; ArgumentError elsewhere.
        """
        if not self.raw.own:
            raise ArgumentError("a view can be played on only where its own side decides")
        if not isinstance(rng, Random):
            raise ArgumentError(
                f"a sample is drawn by a random.Random, not {type(rng).__name__}", "give random.Random(1)"
            )
        with failing(self._names.spec.name):
            return Game.at(self._scenario, self.raw.sample(rng))


class Game:
    """A game in progress.

    Everything is determined by the scenario, the seed and what is chosen.  A game belongs to one thread at a
    time; copies and other games of the same scenario may be in other threads.  *raw* is the engine's game:
    ``raw.state`` and ``raw.program`` work on ints, without texts.
    """

    def __init__(self, scenario: Scenario, raw: RawGame, again: Callable[[int], Game] | None = None) -> None:
        self.raw = raw
        self._scenario = scenario
        self._options: tuple[Option, ...] | None = None
        #: begins it again with a seed, where that is not to begin the scenario
        self._again = again

    @classmethod
    def at(cls, scenario: Scenario, state: StateBase) -> Game:
        """A game that stands where *state* does, which it uses; it has no record.  ArgumentError where that
        is no state of the scenario's ruleset.
        """
        if not isinstance(scenario, Scenario):
            raise ArgumentError(f"a game is of a scenario, not of {type(scenario).__name__}")
        if not isinstance(state, scenario.program.state_class):
            raise ArgumentError(
                f"{type(state).__name__} is no state of the ruleset '{scenario.program.spec.name}'",
                "give the state of one of its games: game.raw.state",
            )
        return cls(scenario, RawGame.at(scenario.program, scenario.setup, state, scenario.language))

    # ------------------------------------------------------------------ what it is

    @property
    def title(self) -> str:
        """The title of the scenario."""
        return self._scenario.setup.title

    @property
    def ruleset(self) -> str:
        """The name of the ruleset."""
        return self.raw.spec.name

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in order."""
        return self.raw.spec.sides

    @property
    def seed(self) -> int:
        """The seed of all chance."""
        return self.raw.seed

    @property
    def switches(self) -> dict[str, bool]:
        """The optional rules, and whether they are on."""
        return {
            name: bool(self._scenario.setup.switches.get(name, default))
            for name, default in self.raw.spec.switches.items()
        }

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self._scenario.names)

    @property
    def side_names(self) -> dict[str, str]:
        """What each side is called, as people are shown it, in the language of the game."""
        words = self._scenario.wording
        return {side: words.member("Side", i) for i, side in enumerate(self.sides)}

    @property
    def tables(self) -> dict[str, dict[str, dict[str, Value]]]:
        """The tables of the ruleset: by enum and member the value of each column, None where it is none or
        not known.
        """
        return self._scenario.names.tables

    # ------------------------------------------------------------------ the decision

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the procedure that was run by itself (:attr:`result` tells)."""
        return self.raw.over

    @property
    def side(self) -> str | None:
        """The side that decides; None when the game is over."""
        state = self.raw.state
        return self.sides[state.chooser] if state.over == RUNNING and state.point >= 0 else None

    @property
    def options(self) -> tuple[Option, ...]:
        """Everything that can be chosen now, two options at least; empty when the game is over."""
        if self._options is None:
            state = self.raw.state
            going = state.over == RUNNING and state.point >= 0
            self._options = (
                options_of(self._scenario.names, state.point, state.options, state.about) if going else ()
            )
        return self._options

    @property
    def prompt(self) -> str:
        """The name of the question that is asked; empty when the game is over."""
        return self.raw.spec.decisions[self.raw.state.point].prompt if self.side is not None else ""

    @property
    def subject(self) -> tuple[str, ...]:
        """What the question is about, as texts: often a piece."""
        state = self.raw.state
        return (
            tuple(s.text for s in self._scenario.wording.subjects(state.point, state.about))
            if self.side is not None
            else ()
        )

    @property
    def question(self) -> str:
        """The question in words: ``"Where to?"``; empty when the game is over."""
        state = self.raw.state
        return self._scenario.wording.prompt(state.point, state.about) if self.side is not None else ""

    @property
    def result(self) -> Result | None:
        """How the game has ended; None while it goes on."""
        if not self.over:
            return None
        raw = self.raw
        type_ = raw.spec.procedures[raw.returned].type if raw.returned else None
        value = None if type_ is None else self._scenario.names.read(type_, raw.state.result)
        return Result(raw.ranks, raw.winners, raw.state.over == TIED, self.scores, raw.returned, value)

    @property
    def scores(self) -> dict[str, int]:
        """The points of each side now; empty where the ruleset counts none.  RulesError where its rules for
        them fail.
        """
        with failing(self.ruleset):
            return by_side(self._scenario.names, scores(self.raw.program, self.raw.state))

    # ------------------------------------------------------------------ playing

    def play(self, choice: Option | int | str) -> None:
        """Choose an option: one of :attr:`options`, its index, or its text.

        A text may be short for the only option that it fits (``"m red1"``, ``"red1"``).  The rules run on to
        the next decision or to the end.

        Raises IllegalOption for what is not offered or could be several options, GameOver when nothing is to
        be decided, RulesError when the rules themselves fail; the game then stands where it stood.
        """
        option = self.find(choice)
        self._options = None
        with failing(self.ruleset):
            self.raw.play(option.index)

    def run(self, procedure: str, *arguments: Value) -> None:
        """Run a procedure of the ruleset by itself in this position, where nothing is to be decided: before
        anything has run, or when another has ended.  It runs to its first decision or to its end.

        Arguments are as those of :meth:`value`, sets as lists; they may also stand in the text:
        ``game.run("take_turn", "top")``, ``game.run("take_turn(top)")``.  The game has no record then.

        GameOver when the game is over; ArgumentError where a side has to decide, there is no such procedure,
        or arguments do not fit; RulesError when the rules fail, and the game then stands where it stood.
        """
        from grognard.positions import run

        if self.over and not self.raw.returned:
            raise GameOver(self.raw.undecided)
        with failing(self.ruleset):
            run(self.raw, procedure, arguments)
        self._options = None

    def script(self, dice: Script | None) -> None:
        """Script what chance gives from here on, as :func:`grognard.load` does with its *dice*; an earlier
        script is replaced.  None leaves all to chance again.

        The game has no record then, and takes back no further than here.  ArgumentError for what cannot be
        rolled.
        """
        try:
            self.raw.script(None if dice is None else script_of(self.raw.spec, dice))
        except ValueError as error:
            raise ArgumentError(str(error)) from None

    def set_up(
        self,
        position: Mapping[str, Any] | None = None,
        *,
        fields: Mapping[str, Any] | None = None,
        piles: Mapping[str, Sequence[str]] | None = None,
        effects: Iterable[str] = (),
        run: str | None = None,
        dice: Script | None = None,
        switches: Mapping[str, bool] | None = None,
        seed: int = 1,
        requirements: bool = False,
    ) -> Game:
        """Another game, of a position made from this one's set-up: :func:`grognard.set_up` without loading
        again.  What this game has come to plays no part.
        """
        from grognard.positions import Given

        given = Given(position, fields, piles, effects, run, dice, switches)
        return placed(self._scenario, given, seed, requirements)

    def forget_options(self) -> None:
        """After something was played on :attr:`raw`: the options are to be read anew."""
        self._options = None

    def find(self, choice: Option | int | str) -> Option:
        """The option that :meth:`play` would take for *choice*; raises the same errors."""
        options = self.options
        if not options:
            raise GameOver(self.raw.undecided)
        if isinstance(choice, Option):
            if choice.index < len(options) and options[choice.index] == choice:
                return choice
            raise self._illegal(f"'{choice}' is not offered", choice.text)
        if isinstance(choice, str):
            try:
                found = self.raw.find(choice)
            except ChoiceError as error:
                if error.matches:
                    near = tuple(o for o in options if any(o.raw == match.value for match in error.matches))
                    message = f"'{choice}' could mean {len(near)} options"
                    raise IllegalOption(
                        message, f"write one of them: {_listed(near)}", options, near
                    ) from None
                raise self._illegal(f"'{choice}' is not offered", choice) from None
            return next(o for o in options if o.raw == found.value)
        try:
            if isinstance(choice, bool):
                raise TypeError
            index = operator.index(choice)
        except TypeError:
            what = f"a choice is an option, its index or its text, not {type(choice).__name__}"
            raise self._illegal(what, "") from None
        if 0 <= index < len(options):
            return options[index]
        raise self._illegal(
            f"there is no option {given(index)}",
            "",
            f"there are {len(options)}, from 0 to {len(options) - 1}",
        )

    def _illegal(self, message: str, text: str, remedy: str = "") -> IllegalOption:
        texts = {option.text.casefold(): option for option in reversed(self.options)}
        near = tuple(texts[t] for t in similar(text.casefold(), texts)[:3])
        meant = f"did you mean {' or '.join(repr(o.text) for o in near)}?" if near else ""
        return IllegalOption(
            message, remedy or meant or f"there is: {_listed(self.options)}", self.options, near
        )

    @property
    def can_undo(self) -> bool:
        """Whether the last decision can be taken back without using what was learned: no die rolled, nothing
        revealed, the same side decides.
        """
        return self.raw.can_undo

    def undo(self) -> None:
        """Take the last decision back.  UndoRefused where :attr:`can_undo` is false.  To look ahead, use
        copies.
        """
        if not self.raw.undo():
            reason = (
                "chance was drawn, something was revealed, or another side decides"
                if self.raw.actions
                else "nothing has been played"
            )
            raise UndoRefused(f"this cannot be taken back: {reason}", "to look ahead, play on a copy")
        self._options = None

    def copy(self) -> Game:
        """An independent game that stands where this one does, with the same chance to come; it takes back no
        further than here.
        """
        made = type(self)(self._scenario, self.raw.copy(), self._again)
        made._options = self._options
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise ArgumentError(
            "a game cannot be pickled", "save its record, and read that with from_record elsewhere"
        )

    def restart(self, seed: int | None = None) -> Game:
        """A new game of the same scenario, or from the same position that was set up; without a *seed* one
        that nobody can guess.  Much cheaper than loading again.

        Dice that were scripted for :func:`grognard.load` are not rolled again, those of
        :func:`grognard.set_up` are.
        """
        number = seeded(seed)
        if self._again is not None:
            return self._again(number)
        return begin(self._scenario, number, log=self.raw.state.log is not None)

    # ------------------------------------------------------------------ looking

    def view(self, side: str | None = None) -> View:
        """What *side* sees, by its name; None: what everybody sees.  ArgumentError when there is no such
        side.
        """
        number = NONE if side is None else self._scenario.names.side(side)
        return View(self._scenario, seen_by(self.raw.state, number), self.raw.course)

    @property
    def position(self) -> Position:
        """The whole position, hidden things and all."""
        return Position(self._scenario.names, self.raw.state.copy())

    @property
    def log(self) -> list[str]:
        """What has happened, as sentences, also what only some sides are told; ``view(side).log`` is what a
        side is told.
        """
        return self.raw.log

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far, as data, in order: each a :class:`Note`, a :class:`Roll`, or an option
        :class:`Taken` without asking.  ``view(side).events`` is what a side knows of it.
        """
        return events_of(self._scenario.names, self.raw.course.entries())

    @property
    def latest(self) -> tuple[Event, ...]:
        """Those of :attr:`events` that have come since the last answer of any side (or since a procedure was
        run).
        """
        return events_of(self._scenario.names, self.raw.course.entries(latest=True))

    @property
    def actions(self) -> list[tuple[str, str]]:
        """What has been chosen so far: pairs of the side and the text of the option."""
        return [(side, text) for side, text in self.raw.entries() if side != "#"]

    # ------------------------------------------------------------------ why

    def value(self, name: str, *arguments: Value) -> Value:
        """The value of a quantity, permission, function or travel in this position (see :meth:`explain`).

        Arguments are names of pieces, labels of hexes, members, numbers, bools and None:
        ``game.value("close_dice", "S.HI1", "H4", "attack")``. ArgumentError when there is nothing so called,
        or arguments do not fit, RulesError when the rules for it fail.
        """
        from grognard.explaining import value_of

        return value_of(self.raw, self._scenario, name, arguments)

    def explain(self, name: str, *arguments: Value, side: str | None = None) -> Explanation:
        """How a quantity, permission or function comes to its value here, with the rules of the rulebook.

        The arguments may also stand in the name: ``"close_dice(S.HI1, H4, attack)"``.  Of a travel the
        value is the hexes that it reaches, or with a hex as its last argument what the way there costs (None
        where there is none), also written ``"reach march(S.HI1)"`` and ``"steps march(S.HI1) to C4"``.  With
        a *side* only by what that side sees.
        """
        from grognard.explaining import explain

        return explain(self.raw, self._scenario, name, arguments, side)

    def why_not(self, text: str) -> Explanation:
        """Why something is not offered at this decision, as far as its side sees it; without lines when it is
        offered.

        *text* is written like an option (``"move red2"``).  ArgumentError where it means nothing at this
        decision.
        """
        from grognard.explaining import why_not

        return why_not(self.raw, self._scenario, text)

    def forecast(self, what: Option | int | str, *, side: str | None = None) -> tuple[Forecast, ...]:
        """What comes of an option of the pending decision before it is taken (one of :attr:`options`, its
        index, or its text), or what a forecast of the ruleset says of its arguments
        (``"blow(S.HI1, F4, attack)"``).

        It goes by what the side that decides sees, or the given *side*.  Empty where no forecast is declared
        for the option.  ArgumentError where nothing is called so.
        """
        from grognard.forecasts import forecasts

        text = what if isinstance(what, str) else self.find(what).text
        return forecasts(self.raw, self._scenario, text, side)

    # ------------------------------------------------------------------ keeping

    def record(self, players: Mapping[str, str] | None = None) -> str:
        """The game so far as the text of a record, with the names of the *players* by side.

        It holds the seed, so it tells everything.  RecordError for games that began from a set-up of one's
        own or with scripted dice.
        """
        from runtime.record import Record
        from runtime.record import RecordError as Refused

        if players is not None and not isinstance(players, Mapping):
            raise ArgumentError(f"players is a mapping from sides to names, not {type(players).__name__}")
        try:
            return Record.of(self.raw, players).write()
        except Refused as error:
            raise RecordError(error.message, error.remedy) from None

    def save(self, path: str | Path, players: Mapping[str, str] | None = None) -> None:
        """Write the record to a file, whole or not at all; :func:`grognard.from_record` reads it."""
        from grognard.commands import Misuse
        from grognard.files import replace

        if not isinstance(path, str | Path):
            raise ArgumentError(f"a record is saved to a path, not {type(path).__name__}")
        text = self.record(players)
        try:
            replace(Path(path), text)
        except Misuse as error:
            raise RecordError(str(error), error.remedy) from None
        except (OSError, ValueError) as error:
            raise RecordError(
                f"{path} cannot be written: {getattr(error, 'strerror', None) or error}", "give another path"
            ) from None

    @property
    def dice_left(self) -> dict[str, int]:
        """How many scripted rolls, shuffles and draws have not been used, by the name of the die or deck
        (``draw``); empty when all have.
        """
        script = self.raw.state.script
        return {die: left for die in script or () if die != "shuffle" and (left := left_in(script, die))}

    @property
    def hash(self) -> str:
        """A hash of the position, 16 hexadecimal digits: positions from which play goes on alike have the
        same.
        """
        return self.raw.state.hash()

    def __repr__(self) -> str:
        if self.over:
            return f"<Game {self.title!r}: {'' if self.raw.returned else 'over, '}{self.result}>"
        if self.side is None:
            return f"<Game {self.title!r}: nothing runs>"
        return f"<Game {self.title!r}: {self.side} decides {self.prompt}, {len(self.options)} options>"


def _listed(options: Sequence[Option]) -> str:
    texts = ", ".join(option.text for option in options[:_LISTED])
    return texts if len(options) <= _LISTED else f"{texts} and {len(options) - _LISTED} more"


def begin(
    scenario: Scenario, seed: int, dice: Mapping[str, Sequence[int | str]] | None = None, log: bool = True
) -> Game:
    """A new game of a scenario."""
    try:
        with failing(scenario.program.spec.name):
            return Game(
                scenario, RawGame(scenario.program, scenario.setup, seed, dice, log, scenario.language)
            )
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def placed(scenario: Scenario, given: Given, seed: int, requirements: bool) -> Game:
    """The game of a position, of which a scenario gives what is not *given*."""
    from grognard.positions import begun, set_up

    made, data = set_up(scenario, given, seed, requirements)

    def again(seed: int) -> Game:
        return Game(made, begun(made, {**data, "seed": seed}), again)

    return again(data["seed"])
