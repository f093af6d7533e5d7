"""A state in play: decisions, answers, taking back, what has happened, what a record holds."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from runtime.chance import SEED_BITS
from runtime.errors import ArgumentError, GameOver, UndoRefused, blaming, value_in_words
from runtime.games.decision import Decision
from runtime.games.events import History
from runtime.games.explanation import Library
from runtime.games.record import ENDED, HASH, TIE, UNFINISHED
from runtime.games.scripts import Script, script_for_state
from runtime.games.sealing import conceals
from runtime.games.undo import tells
from runtime.games.wording import wording_for
from runtime.option import Option
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import RETURNED, RUNNING, TIED, WON, StateBase


@dataclass(slots=True)
class _UndoPoint:
    """What stood before an action that can be taken back; *tells* is found when it is asked."""

    state: StateBase
    notes: int
    events: int
    since: tuple[int, int]
    entries: int
    folds: int
    tells: bool | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """Play up to a decision, which can be done again: by a *program* in a set-up, from where it was
    *begun* (which takes the lists for notes and other events, and gives the state), after
    *history*, with the *answers* given since; and what was played *before* by other rules.
    """

    program: Program
    setup: SetUp
    begun: Callable[[list[Any], list[Any]], StateBase]
    history: History
    folds: tuple[int, ...]
    answers: tuple[int, ...]
    before: Past | None


class Play:
    """A game in play, with what taking back, the log and records need.

    *seed* and the choices determine everything, unless there is a *script* of chance.  Without
    *log* no notes are kept, and no other events.
    """

    def __init__(
        self,
        program: Program,
        setup: SetUp,
        seed: int,
        script: Script | None = None,
        log: bool = True,
        language: str = "en",
        library: Library | None = None,
    ) -> None:
        self._stand(program, setup, program.new_state(setup, seed), log, language, library)
        #: the seed of all chance
        self.seed = seed & ((1 << SEED_BITS) - 1)
        #: why it has no record; empty where it has one
        self.unrecorded = "its dice are scripted" if script else ""
        self.state.script = None if script is None else script_for_state(self.spec, setup, script)
        with blaming(self.spec.name):
            program.begin(self.state)
        self._entries.append((HASH, self.state.hash(), 0))

    @classmethod
    def at(
        cls,
        program: Program,
        setup: SetUp,
        state: StateBase,
        language: str = "en",
        library: Library | None = None,
    ) -> Self:
        """A game that stands where *state* does, which it uses; where nothing is under way there,
        :meth:`begin` or :meth:`run` goes on.  How it came there is not known, so it has no record.
        """
        game = object.__new__(cls)
        game._stand(program, setup, state, True, language, library)
        game.seed, game.unrecorded = state.seed, "it begins from a position"
        return game

    def _stand(
        self,
        program: Program,
        setup: SetUp,
        state: StateBase,
        log: bool,
        language: str,
        library: Library | None,
    ) -> None:
        """Where *state* does, with nothing played."""
        self.program, self.setup, self.spec = program, setup, program.spec
        self.state = state
        self.wording = wording_for(program.spec, setup, language)
        #: the stable names of its things
        self.names = self.wording.names
        self.library = library
        #: begins it again with a seed, where that is not to begin the set-up
        self.again: Callable[[int], Self] | None = None
        self._notes: list[tuple[Any, ...]] | None = [] if log else None
        self._events: list[tuple[Any, ...]] | None = [] if log else None
        state.log, state.events = self._notes, self._events
        #: how many notes and other events there were when the last answer was given
        self._since = (0, 0)
        #: where other rules have led, if this began there
        self._start: Past | None = None
        #: the procedure that was run by itself last
        self._procedure = ""
        #: (side, point, option), or (HASH, hash, 0)
        self._entries: list[tuple[int | str, int | str, int]] = []
        #: how many notes there were at each checkpoint
        self._folds: list[int] = []
        self._before: list[_UndoPoint] = []
        self._decision: Decision | None = None

    @classmethod
    def after(
        cls, past: Past, procedure: str = "", language: str = "en", library: Library | None = None
    ) -> Self:
        """A game that stands where other rules have led: after *past*, in which no answer has been
        given by these rules; *procedure* was run by itself last.  RulesError where the rules fail.
        """
        notes, events = list(past.history.notes), list(past.history.events)
        with blaming(past.program.spec.name):
            state = past.begun(notes, events)
        game = cls.at(past.program, past.setup, state, language, library)
        game.unrecorded = "its rules were changed under way"
        game._procedure, game._start = procedure, past
        game._notes, game._events = state.log, state.events = notes, events
        game._folds, game._since = list(past.folds), past.history.since
        return game

    @property
    def past(self) -> Past | None:
        """What has been played, to be done again; None where that is not possible: where the game
        began from a position, a procedure was run in it, or its dice are scripted.
        """
        answers = tuple(self.choices)
        if self._start is not None:
            return replace(self._start, answers=answers)
        if self.unrecorded:
            return None
        program, setup, seed = self.program, self.setup, self.seed

        def begun(notes: list[Any], events: list[Any]) -> StateBase:
            state = program.new_state(setup, seed)
            state.log, state.events = notes, events
            program.begin(state)
            return state

        return Past(program, setup, begun, History(), (), answers, None)

    # ------------------------------------------------------------------ the decision

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when nothing is to be decided."""
        state = self.state
        if self._decision is None and state.over == RUNNING and state.point >= 0:
            point, side = state.point, state.chooser
            spec = self.spec.decisions[point]
            about = state.about if spec.about else ()
            subjects = self.names.subjects(point, about)
            options = self.names.options(point, state.options, tuple(s.text for s in subjects))
            self._decision = Decision(
                side, self.spec.sides[side], spec.prompt, point, options, subjects
            )
        return self._decision

    @property
    def side(self) -> str | None:
        """The side that decides; None when nothing is to be decided."""
        state = self.state
        going = state.over == RUNNING and state.point >= 0
        return self.spec.sides[state.chooser] if going else None

    def find(self, choice: Option | int | str) -> Option:
        """The option that :meth:`play` would take for *choice*; raises the same errors."""
        decision = self.decision
        if decision is None:
            raise GameOver(self.undecided)
        if isinstance(choice, str):
            return decision.find(choice)
        options = decision.options
        if isinstance(choice, Option):
            option = next((o for o in options if o.raw == choice.raw), None)
            if option is None or (option.text, option.subject) != (choice.text, choice.subject):
                raise decision.refusal(f"'{choice}' is not offered", choice.text)
            return option
        try:
            if isinstance(choice, bool):
                raise TypeError
            index = operator.index(choice)
        except TypeError:
            what = f"a choice is an option, its index or its text, not {type(choice).__name__}"
            raise decision.refusal(what) from None
        if 0 <= index < len(options):
            return options[index]
        remedy = f"there are {len(options)}, from 0 to {len(options) - 1}"
        raise decision.refusal(f"there is no option {value_in_words(index)}", remedy=remedy)

    @property
    def undecided(self) -> str:
        """Why nothing is to be decided, in words, where that is so."""
        ended = "the procedure has ended" if self.returned else "the game is over"
        return f"{ended if self.over else 'nothing runs'}: nothing is to be decided"

    # ------------------------------------------------------------------ the end

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the procedure that was run by itself."""
        return self.state.over != RUNNING

    @property
    def returned(self) -> str:
        """The name of the procedure that was run by itself and has ended; else nothing."""
        return self._procedure if self.state.over == RETURNED else ""

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each side, 1 for who has won; empty in a game that goes on."""
        return dict(zip(self.spec.sides, self.state.ranks, strict=False))

    @property
    def winners(self) -> tuple[str, ...]:
        """The sides that have won; none in a game that goes on, is tied or won by nobody."""
        won = self.state.over == WON
        return tuple(side for side, rank in self.ranks.items() if rank == 1) if won else ()

    @property
    def outcome(self) -> str:
        """How the game stands, as records say it: ``unfinished``, ``tie``, or the rank of each side
        (``a=1, b=2``); ``procedure ended`` where only that has.
        """
        plain = {RUNNING: UNFINISHED, TIED: TIE, RETURNED: ENDED}
        ranks = ", ".join(f"{side}={rank}" for side, rank in self.ranks.items())
        return plain.get(self.state.over, ranks)

    @property
    def run_alone(self) -> str:
        """The name of the procedure that was run by itself last; else nothing."""
        return self._procedure

    # ------------------------------------------------------------------ what has happened

    @property
    def log(self) -> list[str]:
        """All notes so far, as sentences; ``view(side).log`` is what a side is told."""
        return [self.wording.note(entry) for entry in self._notes or ()]

    @property
    def notes(self) -> int:
        """How many notes there are so far."""
        return len(self._notes or ())

    def log_of(self, side: int | None, start: int = 0, end: int | None = None) -> list[str]:
        """The notes from *start* to *end* that *side* (NONE: everybody; None: any) is told."""
        return [
            self.wording.note(entry)
            for entry in (self._notes or ())[start:end]
            if side is None or self.wording.tells(entry, side)
        ]

    def noted(self, start: int = 0, end: int | None = None) -> list[tuple[Any, ...]]:
        """The notes so far, from *start* to *end*, as data: number and arguments of each."""
        return (self._notes or [])[start:end]

    @property
    def history(self) -> History:
        """All that has happened so far; empty where no log is kept."""
        return History(tuple(self._notes or ()), tuple(self._events or ()), self._since)

    @property
    def folds(self) -> tuple[int, ...]:
        """How many notes there were at each checkpoint so far."""
        return tuple(self._folds)

    @property
    def choices(self) -> list[int]:
        """The options taken so far, as the program is answered with them."""
        return [option for side, point, option in self._entries if not isinstance(point, str)]

    @property
    def length(self) -> int:
        """How many entries a record of the game has so far."""
        return len(self._entries)

    def entries(self, first: int = 0) -> list[tuple[str, str]]:
        """What a record holds, from the *first* on: the actions as (side, text) and, among them,
        hashes as (``#``, hash).
        """
        return [
            (HASH, str(point))
            if isinstance(side, str) or isinstance(point, str)
            else (self.spec.sides[side], self.names.text(point, value))
            for side, point, value in self._entries[first:]
        ]

    def secret_entries(self) -> set[int]:
        """The places among the entries of what tells a secret."""
        if not conceals(self.spec):
            return set()
        return {
            i
            for i, (_, point, _) in enumerate(self._entries)
            if isinstance(point, str) or self.spec.decisions[point].secret
        }

    # ------------------------------------------------------------------ playing

    def play(self, choice: Option | int | str) -> None:
        """Choose an option: one of :attr:`options`, its index, or its text.

        A text may be short for the only option that it fits (``"m red1"``, ``"red1"``).  The rules
        run on to the next decision or to the end.

        Raises IllegalOption for what is not offered or could be several options, GameOver when
        nothing is to be decided, RulesError when the rules themselves fail; the game then stands
        where it stood.
        """
        value = self.find(choice).raw
        state, kept = self.state, self._undo_point()
        side, checkpoints = state.chooser, state.checkpoints
        self._decision = None
        self._since = (kept.notes, kept.events)
        entry = (side, state.point, value)
        try:
            with blaming(self.spec.name):
                self.program.answer(state, value)
        except BaseException:
            self._restore(kept)  # an action is done wholly or not at all
            raise
        self._entries.append(entry)
        if state.checkpoints != checkpoints:
            self._checkpoint()
        same = state.chooser == side and state.over == RUNNING
        if same and state.counters == kept.state.counters and state.reveals == kept.state.reveals:
            self._before.append(kept)
        else:
            self._before.clear()

    def take(self, value: int) -> None:
        """Take an option that is known to be offered, and cannot be taken back: for bots."""
        state = self.state
        self._since = (self.notes, len(self._events or ()))
        self._entries.append((state.chooser, state.point, value))
        checkpoints = state.checkpoints
        self._decision = None
        self.program.answer(state, value)
        if state.checkpoints != checkpoints:
            self._checkpoint()
        if self._before:
            self._before.clear()

    def _checkpoint(self) -> None:
        """Keep what is kept at the end of a scope declared ``checkpoint``."""
        self._entries.append((HASH, self.state.hash(), 0))
        self._folds.append(self.notes)

    def begin(self) -> None:
        """Run the whole game from here.  ArgumentError where something is under way already."""
        self._idle("the whole game")
        self._go_on(lambda: self.program.begin(self.state))

    def start(self, procedure: str, args: Sequence[int]) -> None:
        """:meth:`run` with arguments as the engine has them."""
        self._idle(procedure)
        self._go_on(lambda: self.program.start(self.state, procedure, list(args)))
        self.unrecorded = self.unrecorded or "a procedure was run in it"
        self._procedure, self._start = procedure, None

    def _idle(self, what: str) -> None:
        """ArgumentError where nothing can be run."""
        if self.decision is not None:
            pending = f"{self.decision.name} has to decide {self.decision.question}"
            raise ArgumentError(f"{what} cannot be run: {pending}")
        if self.over and not self.returned:
            raise ArgumentError(f"{what} cannot be run: the game is over")

    def _go_on(self, run: Callable[[], None]) -> None:
        """Run something from here on, wholly or not at all."""
        kept, state = self._undo_point(), self.state
        state.over, state.ranks = RUNNING, ()
        self._since = (self.notes, len(self._events or ()))
        self._decision = None
        try:
            with blaming(self.spec.name):
                run()
        except BaseException:
            self._restore(kept)
            raise
        self._before.clear()
        if state.checkpoints != kept.state.checkpoints:
            self._checkpoint()

    def script(self, dice: Script | None) -> None:
        """Script what chance gives from here on, as :func:`grognard.load` does with its *dice*; an
        earlier script is replaced.  None leaves all to chance again.

        The game has no record then, and takes back no further than here.  ArgumentError for what
        cannot be rolled.
        """
        self.state.script = None if dice is None else script_for_state(self.spec, self.setup, dice)
        if dice:
            self.unrecorded = self.unrecorded or "its dice are scripted"
        self._start = None
        self._before.clear()

    # ------------------------------------------------------------------ taking back

    @property
    def can_undo(self) -> bool:
        """Whether the last decision can be taken back.

        That is so when it drew no chance, revealed nothing, its side still decides, and what it
        sees does not hang on what other sides hold: else their not being asked, for instance, has
        told it something.
        """
        if not self._before:
            return False
        kept = self._before[-1]
        if kept.tells is None:
            option = self._entries[kept.entries][2]
            kept.tells = tells(self.program, kept.state, self.state, option, kept.entries)
        return not kept.tells

    def undo(self) -> None:
        """Take the last decision back.  UndoRefused where :attr:`can_undo` is false.  To look
        ahead, use copies.
        """
        if not self.can_undo:
            learned = "chance was drawn, something was revealed, or another side decides"
            reason = learned if self.choices else "nothing has been played"
            message = f"this cannot be taken back: {reason}"
            raise UndoRefused(message, "to look ahead, play on a copy")
        self._restore(self._before.pop())

    def _undo_point(self) -> _UndoPoint:
        events = len(self._events or ())
        return _UndoPoint(
            self.state.copy(), self.notes, events, self._since, len(self._entries), len(self._folds)
        )

    def _restore(self, kept: _UndoPoint) -> None:
        self.state = kept.state
        self.state.log, self.state.events = self._notes, self._events
        if self._notes is not None and self._events is not None:
            del self._notes[kept.notes :]
            del self._events[kept.events :]
        self._since = kept.since
        del self._entries[kept.entries :]
        del self._folds[kept.folds :]
        self._decision = None

    def copy(self) -> Self:
        """An independent game that stands where this one does, with the same chance to come; it
        takes back no further than here.
        """
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied.state = self.state.copy()
        copied._notes = None if self._notes is None else self._notes[:]
        copied._events = None if self._events is None else self._events[:]
        copied.state.log, copied.state.events = copied._notes, copied._events
        copied._entries = self._entries[:]
        copied._folds = self._folds[:]
        copied._before = []
        return copied
