"""A game in progress, for people and programs: decisions, playing, looking, taking back, the log.

A :class:`Game` is made by :func:`grognard.load` (or ``from_record``, ``set_up``), or of a program
and a set-up:

>>> game = Game(program, setup, seed=7)
>>> game.side, [option.text for option in game.options]
>>> game.play("move red1")

What a game needs to go on is in its state alone.  Bots that play thousands of games use
:func:`runtime.runs.playout.playout` or ``program.answer`` on states and build no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from runtime.chance import left_in
from runtime.errors import ArgumentError, GameOver, blaming
from runtime.games.events import Event, events_of
from runtime.games.explanation import Explanation, Forecast, Library
from runtime.games.play import Play
from runtime.games.position import Board, Position
from runtime.games.record import HASH, Record
from runtime.games.scripts import Script, engine_seed
from runtime.games.side_view import SideView, by_side
from runtime.model import NONE
from runtime.option import Option, Value
from runtime.program import scores
from runtime.state import TIED
from runtime.view import view as seen_by

__all__ = ["Game", "Result", "View"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game has ended.

    *ranks* holds the rank of each side, 1 for who has won; those who are level share one, and where
    nobody has won, ranks begin at 2.  *winners* are the sides that have won, alone or together:
    none of a *tie*. *scores* are the points of each side, empty where the ruleset counts none.

    Where only a procedure has ended that was run by itself, *procedure* is its name and *value*
    what it has returned (None: nothing); then nobody has won, and nothing is tied.
    """

    ranks: Mapping[str, int]
    winners: tuple[str, ...]
    tie: bool
    scores: Mapping[str, int]
    procedure: str = ""
    value: Value = None

    def __str__(self) -> str:
        if self.procedure:
            value = "" if self.value is None else f" = {self.value}"
            return f"procedure ended: {self.procedure}{value}"
        ranks = ", ".join(f"{side}={rank}" for side, rank in self.ranks.items())
        return "tie" if self.tie else ranks


class View(SideView):
    """What a side sees of a game: a :class:`Position` in which :data:`UNSEEN` stands for what it
    does not see.

    *options*, *prompt* and *subject* are those of the pending decision when it is the side's own,
    else empty. The view does not change when the game goes on.  *raw* is the engine's view, of
    ints.
    """

    def sample(self, rng: Random) -> Game:
        """A game that could be this one, drawn at random from all that the side cannot tell apart,
        with dice of its own: to look ahead in.

        Only at the side's own decision; ArgumentError elsewhere.
        """
        if not self.raw.own:
            raise ArgumentError("a view can be played on only where its own side decides")
        if not isinstance(rng, Random):
            message = f"a sample is drawn by a random.Random, not {type(rng).__name__}"
            raise ArgumentError(message, "give random.Random(1)")
        with blaming(self.program.spec.name):
            state = self.raw.sample(rng)
        return Game.at(self.program, self._names.setup, state, self._wording.language)


class Game(Play):
    """A game in progress.

    Everything is determined by the scenario, the seed and what is chosen.  A game belongs to one
    thread at a time; copies and other games of the same scenario may be in other threads.
    ``game.state`` and ``game.program`` work on ints, without texts.
    """

    # ------------------------------------------------------------------ what it is

    @property
    def title(self) -> str:
        """The title of the scenario."""
        return self.setup.title

    @property
    def ruleset(self) -> str:
        """The name of the ruleset."""
        return self.spec.name

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in order."""
        return self.spec.sides

    @property
    def side_names(self) -> dict[str, str]:
        """What each side is called, as people are shown it, in the language of the game."""
        return {side: self.wording.member("Side", i) for i, side in enumerate(self.sides)}

    @property
    def switches(self) -> dict[str, bool]:
        """The optional rules, and whether they are on."""
        return {
            name: bool(self.setup.switches.get(name, default))
            for name, default in self.spec.switches.items()
        }

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.names)

    @property
    def tables(self) -> dict[str, dict[str, dict[str, Value]]]:
        """The tables of the ruleset: by enum and member the value of each column, None where it is
        none or not known.
        """
        return self.names.tables

    # ------------------------------------------------------------------ the decision

    @property
    def options(self) -> tuple[Option, ...]:
        """Everything that can be chosen now, two options at least; empty when the game is over."""
        decision = self.decision
        return () if decision is None else decision.options

    @property
    def prompt(self) -> str:
        """The name of the question that is asked; empty when the game is over."""
        return "" if self.side is None else self.spec.decisions[self.state.point].prompt

    @property
    def subject(self) -> tuple[str, ...]:
        """What the question is about, as texts: often a piece."""
        decision = self.decision
        return () if decision is None else tuple(one.text for one in decision.about)

    @property
    def question(self) -> str:
        """The question in words: ``"Where to?"``; empty when the game is over."""
        state = self.state
        return "" if self.side is None else self.wording.prompt(state.point, state.about)

    # ------------------------------------------------------------------ the end

    @property
    def result(self) -> Result | None:
        """How the game has ended; None while it goes on."""
        if not self.over:
            return None
        type_ = self.spec.procedures[self.returned].type if self.returned else None
        value = None if type_ is None else self.names.read(type_, self.state.result)
        tie = self.state.over == TIED
        return Result(self.ranks, self.winners, tie, self.scores, self.returned, value)

    @property
    def scores(self) -> dict[str, int]:
        """The points of each side now; empty where the ruleset counts none.  RulesError where its
        rules for them fail.
        """
        with blaming(self.spec.name):
            return by_side(self.spec.sides, scores(self.program, self.state))

    # ------------------------------------------------------------------ what has happened

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far, as data, in order: each a :class:`Note`, a :class:`Roll`, or an
        option :class:`Taken` without asking.  ``view(side).events`` is what a side knows of it.
        """
        return events_of(self.wording, self.history.entries())

    @property
    def latest(self) -> tuple[Event, ...]:
        """Those of :attr:`events` that have come since the last answer of any side (or since a
        procedure was run).
        """
        return events_of(self.wording, self.history.latest())

    @property
    def actions(self) -> list[tuple[str, str]]:
        """What has been chosen so far: pairs of the side and the text of the option."""
        return [(side, text) for side, text in self.entries() if side != HASH]

    # ------------------------------------------------------------------ playing

    def run(self, procedure: str, *arguments: Value) -> None:
        """Run a procedure of the ruleset by itself in this position, where nothing is to be
        decided: before anything has run, or when another has ended.  It runs to its first decision
        or to its end.

        Arguments are as those of :meth:`value`, sets as lists; they may also stand in the text:
        ``game.run("take_turn", "top")``, ``game.run("take_turn(top)")``.  The game has no record
        then.

        GameOver when the game is over; ArgumentError where a side has to decide, there is no such
        procedure, or arguments do not fit; RulesError when the rules fail, and the game then stands
        where it stood.
        """
        if self.over and not self.returned:
            raise GameOver(self.undecided)
        self.start(*self.names.procedure(procedure, arguments))

    @property
    def dice_left(self) -> dict[str, int]:
        """How many scripted rolls, shuffles and draws have not been used, by the name of the die or
        deck (``draw``); empty when all have.
        """
        script = self.state.script
        dice = [die for die in script or () if die != "shuffle"]
        return {die: left for die in dice if (left := left_in(script, die))}

    # ------------------------------------------------------------------ beginning again

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        remedy = "save its record, and read that with from_record elsewhere"
        raise ArgumentError("a game cannot be pickled", remedy)

    def restart(self, seed: int | None = None) -> Game:
        """A new game of the same scenario, or from the same position that was set up; without a
        *seed* one that nobody can guess.  Much cheaper than loading again.

        Dice that were scripted for :func:`grognard.load` are not rolled again, those of
        :func:`grognard.set_up` are.
        """
        number, log = engine_seed(seed), self._notes is not None
        if self.again is not None:
            return self.again(number)
        language = self.wording.language
        return Game(self.program, self.setup, number, None, log, language, self.library)

    def rewound(self) -> Game:
        """The game once more, as it began: with its seed, or where other rules have led to it."""
        language, library = self.wording.language, self.library
        if self._start is not None:
            return Game.after(self._start, self._procedure, language, library)
        return Game(self.program, self.setup, self.seed, None, True, language, library)

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
        """Another game, of a position made from this one's set-up: :func:`grognard.set_up` without
        loading again.  What this game has come to plays no part.
        """
        game: Game = self._helped().set_up(
            position=position,
            fields=fields,
            piles=piles,
            effects=effects,
            run=run,
            dice=dice,
            switches=switches,
            seed=seed,
            requirements=requirements,
        )
        return game

    # ------------------------------------------------------------------ looking

    def view(self, side: str | None = None) -> View:
        """What *side* sees, by its name; None: what everybody sees.  ArgumentError when there is no
        such side.
        """
        number = NONE if side is None else self.names.side(side)
        return View(self.program, self.wording, seen_by(self.state, number), self.history)

    @property
    def position(self) -> Position:
        """The whole position, hidden things and all."""
        return Position(self.names, self.state.copy())

    @property
    def hash(self) -> str:
        """A hash of the position, 16 hexadecimal digits: positions from which play goes on alike
        have the same.
        """
        return self.state.hash()

    # ------------------------------------------------------------------ why

    def _helped(self) -> Library:
        if self.library is None:
            raise ArgumentError("this game is of no scenario that was loaded", "use grognard.load")
        return self.library

    def value(self, name: str, *arguments: Value) -> Value:
        """The value of a quantity, permission, function or travel in this position (see
        :meth:`explain`).

        Arguments are names of pieces, labels of hexes, members, numbers, bools and None:
        ``game.value("close_dice", "S.HI1", "H4", "attack")``. ArgumentError when there is nothing
        so called, or arguments do not fit, RulesError when the rules for it fail.
        """
        return self._helped().value(self, name, arguments)

    def explain(self, name: str, *arguments: Value, side: str | None = None) -> Explanation:
        """How a quantity, permission or function comes to its value here, with the rules of the
        rulebook.

        The arguments may also stand in the name: ``"close_dice(S.HI1, H4, attack)"``.  Of a travel
        the value is the hexes that it reaches, or with a hex as its last argument what the way
        there costs (None where there is none), also written ``"reach march(S.HI1)"`` and ``"steps
        march(S.HI1) to C4"``.  With a *side* only by what that side sees.
        """
        return self._helped().explain(self, name, arguments, side)

    def why_not(self, text: str) -> Explanation:
        """Why something is not offered at this decision, as far as its side sees it; without lines
        when it is offered.

        *text* is written like an option (``"move red2"``).  ArgumentError where it means nothing at
        this decision.
        """
        return self._helped().why_not(self, text)

    def forecast(
        self, what: Option | int | str, *, side: str | None = None
    ) -> tuple[Forecast, ...]:
        """What comes of an option of the pending decision before it is taken (one of
        :attr:`options`, its index, or its text), or what a forecast of the ruleset says of its
        arguments (``"blow(S.HI1, F4, attack)"``).

        It goes by what the side that decides sees, or the given *side*.  Empty where no forecast is
        declared for the option.  ArgumentError where nothing is called so.
        """
        text = what if isinstance(what, str) else self.find(what).text
        return self._helped().forecast(self, text, side)

    # ------------------------------------------------------------------ keeping

    def record(self, players: Mapping[str, str] | None = None) -> str:
        """The game so far as the text of a record, with the names of the *players* by side.

        It holds the seed, so it tells everything.  RecordError for games that began from a set-up
        of one's own or with scripted dice.
        """
        if players is not None and not isinstance(players, Mapping):
            raise ArgumentError(
                f"players is a mapping from sides to names, not {type(players).__name__}"
            )
        return Record.of(self, players).write()

    def save(self, path: str | Path, players: Mapping[str, str] | None = None) -> None:
        """Write the record to a file, whole or not at all; ``grognard.from_record`` reads it."""
        if not isinstance(path, str | Path):
            raise ArgumentError(f"a record is saved to a path, not {type(path).__name__}")
        self._helped().save(self.record(players), path)

    def __repr__(self) -> str:
        if self.over:
            return f"<Game {self.title!r}: {'' if self.returned else 'over, '}{self.result}>"
        if self.side is None:
            return f"<Game {self.title!r}: nothing runs>"
        return (
            f"<Game {self.title!r}: {self.side} decides {self.prompt}, {len(self.options)} options>"
        )
