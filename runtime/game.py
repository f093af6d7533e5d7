"""A game in progress, for people and programs: decisions with texts, playing, taking back, the log.

>>> game = Game(program, setup, seed=7)
>>> game.decision.name, [option.text for option in game.decision.options]
>>> game.play("move red1")

What a game needs to go on is in its state alone.  Bots that play thousands of games use
:func:`playout` or ``program.answer`` on states and build no texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from runtime.chance import SEED_BITS
from runtime.course import Course
from runtime.native import NativeProgram
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.scripts import scripted
from runtime.sealing import conceals
from runtime.state import RETURNED, RUNNING, TIED, WON, StateBase
from runtime.wording import Option, Subject, wording_for

__all__ = ["ChoiceError", "Decision", "Game", "Option", "Subject", "perft", "playout", "scripted"]

#: In a list of entries: not an action but the hash of the state.
HASH = "#"
#: What a record says of games without ranks, and what is said of a procedure that was run by itself.
UNFINISHED, TIE, ENDED = "unfinished", "tie", "procedure ended"
_LISTED = 12


class ChoiceError(ValueError):
    """What was chosen is not offered, or could be several options.

    *matches* are the options that it could mean, *offered* all options there are.
    """

    def __init__(
        self, message: str, matches: tuple[Option, ...] = (), offered: tuple[Option, ...] = ()
    ) -> None:
        super().__init__(message)
        self.matches = matches
        self.offered = offered


@dataclass(frozen=True, slots=True)
class Decision:
    """The pending decision: who decides, what is asked and about what, all options there are."""

    side: int
    name: str
    prompt: str
    point: int
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()

    @property
    def question(self) -> str:
        """The prompt with what it is about, in stable form: ``order(g1)``."""
        return f"{self.prompt}({', '.join(map(str, self.about))})" if self.about else self.prompt

    def find(self, text: str) -> Option:
        """The option that *text* means.

        That is the option with just this text; else, upper and lower case being the same, the only one whose
        words *text* gives, the first perhaps shortened; else the only one of which each word begins like that
        of *text*; else the only one whose value alone is *text*.  ChoiceError when there is none, or more
        than one.
        """
        for option in self.options:
            if option.text == text:
                return option
        words = text.casefold().split()
        split = [(option, option.text.casefold().split()) for option in self.options]
        tiers = (
            lambda given: given == words,
            lambda given: (
                len(given) == len(words) and given[0].startswith(words[0]) and given[1:] == words[1:]
            ),
            lambda given: (
                len(given) >= len(words) and all(g.startswith(w) for g, w in zip(given, words, strict=False))
            ),
            lambda given: given[1:] == words,
        )
        for fits in tiers if words else ():
            matches = tuple(option for option, given in split if fits(given))
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise ChoiceError(f"'{text}' could mean: {_listed(matches)}", matches, self.options)
        raise ChoiceError(f"'{text}' is not offered; there is: {_listed(self.options)}", (), self.options)


def _listed(options: Sequence[Option]) -> str:
    texts = ", ".join(option.text for option in options[:_LISTED])
    return texts if len(options) <= _LISTED else f"{texts} and {len(options) - _LISTED} more"


@dataclass(slots=True)
class _Before:
    """What stood before an action that can be taken back; whether that would tell something is found when it
    is asked.
    """

    state: StateBase
    notes: int
    events: int
    since: tuple[int, int]
    entries: int
    folds: int
    tells: bool | None = None


class Game:
    """One game of a ruleset and scenario.

    *seed* and the choices determine everything, unless there is a *script* (see :func:`scripted`).  Without
    *log* no notes are kept, and no other events.
    """

    def __init__(
        self,
        program: Program,
        setup: SetUp,
        seed: int,
        script: Mapping[str, Sequence[Any]] | None = None,
        log: bool = True,
        language: str = "en",
    ) -> None:
        self.program = program
        self.setup = setup
        self.spec = program.spec
        self.seed = seed & ((1 << SEED_BITS) - 1)
        #: why it has no record; empty where it has one
        self.unrecorded = "its dice are scripted" if script else ""
        self.wording = wording_for(program.spec, setup, language)
        self._notes: list[tuple[Any, ...]] | None = [] if log else None
        self._events: list[tuple[Any, ...]] | None = [] if log else None
        #: how many notes and other events there were when the last answer was given
        self._since = (0, 0)
        #: the procedure that was run by itself last
        self._procedure = ""
        #: (side, point, option), or (HASH, hash, 0)
        self._entries: list[tuple[int | str, int | str, int]] = []
        #: how many notes there were at each checkpoint
        self._folds: list[int] = []
        self._before: list[_Before] = []
        self._decision: Decision | None = None
        self.state = program.new_state(setup, seed)
        self.state.script = scripted(self.spec, setup, script) if script is not None else None
        self.state.log, self.state.events = self._notes, self._events
        program.begin(self.state)
        self._entries.append((HASH, self.state.hash(), 0))

    @classmethod
    def at(cls, program: Program, setup: SetUp, state: StateBase, language: str = "en") -> Game:
        """A game that stands where *state* does, which it uses; where nothing is under way there,
        :meth:`begin` or :meth:`run` goes on.  How it came there is not known, so it has no record.
        """
        made: Game = object.__new__(cls)
        made.program, made.setup, made.spec, made.state = program, setup, program.spec, state
        made.seed, made.unrecorded = state.seed, "it begins from a position"
        made.wording = wording_for(program.spec, setup, language)
        made._notes, made._entries, made._before, made._decision = [], [], [], None
        made._events, made._since, made._procedure = [], (0, 0), ""
        made._folds = []
        state.log, state.events = made._notes, made._events
        return made

    # ------------------------------------------------------------------ where the game stands

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over."""
        if self._decision is None and self.state.over == RUNNING and self.state.point >= 0:
            state = self.state
            point, side = state.point, state.chooser
            options = tuple(self.wording.option(point, value) for value in state.options)
            spec = self.spec.decisions[point]
            about = self.wording.subjects(point, state.about) if spec.about else ()
            self._decision = Decision(side, self.spec.sides[side], spec.prompt, point, options, about)
        return self._decision

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the procedure that was run by itself."""
        return self.state.over != RUNNING

    @property
    def returned(self) -> str:
        """The name of the procedure that was run by itself and has ended, which leaves the game going on;
        else nothing.
        """
        return self._procedure if self.state.over == RETURNED else ""

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each side, 1 for who has won, those who are level sharing one; empty in a game that
        goes on.
        """
        return dict(zip(self.spec.sides, self.state.ranks, strict=False))

    @property
    def winners(self) -> tuple[str, ...]:
        """The sides that have won; none in a game that goes on, is tied or won by nobody."""
        return tuple(side for side, rank in self.ranks.items() if rank == 1) if self.state.over == WON else ()

    @property
    def result(self) -> str:
        """How the game stands, as records say it: ``unfinished``, ``tie``, or the rank of each side (``a=1,
        b=2``); ``procedure ended`` where only that has.
        """
        plain = {RUNNING: UNFINISHED, TIED: TIE, RETURNED: ENDED}
        ranks = ", ".join(f"{side}={rank}" for side, rank in self.ranks.items())
        return plain.get(self.state.over, ranks)

    @property
    def log(self) -> list[str]:
        """All notes so far, as sentences, also those that only some sides are told."""
        return [self.wording.note(entry) for entry in self._notes or ()]

    @property
    def notes(self) -> int:
        """How many notes there are so far."""
        return len(self._notes or ())

    def log_of(self, side: int | None, start: int = 0, end: int | None = None) -> list[str]:
        """The notes so far, from number *start* (to *end*), that *side* is told; NONE: those that everybody
        is told; None: all.
        """
        return [
            self.wording.note(entry)
            for entry in (self._notes or ())[start:end]
            if side is None or self.wording.tells(entry, side)
        ]

    def noted(self, start: int = 0, end: int | None = None) -> list[tuple[Any, ...]]:
        """The notes so far, from number *start* (to *end*), as data: the number of each and its arguments."""
        return (self._notes or [])[start:end]

    @property
    def course(self) -> Course:
        """All that has happened so far; empty where no log is kept."""
        return Course(tuple(self._notes or ()), tuple(self._events or ()), self._since)

    @property
    def folds(self) -> tuple[int, ...]:
        """How many notes there were at each checkpoint so far."""
        return tuple(self._folds)

    @property
    def actions(self) -> list[str]:
        """The texts of the options taken so far."""
        return [text for side, text in self.entries() if side != HASH]

    @property
    def choices(self) -> list[int]:
        """The options taken so far, as the program is answered with them."""
        return [option for side, point, option in self._entries if not isinstance(point, str)]

    @property
    def length(self) -> int:
        """How many entries a record of the game has so far."""
        return len(self._entries)

    def entries(self, first: int = 0) -> list[tuple[str, str]]:
        """What a record holds, from the *first* on: the actions as (side, text) and, among them, hashes as
        (``#``, hash).
        """
        sides, option = self.spec.sides, self.wording.option
        return [
            (HASH, str(point))
            if isinstance(side, str) or isinstance(point, str)
            else (sides[side], option(point, value).text)
            for side, point, value in self._entries[first:]
        ]

    def secret_entries(self) -> set[int]:
        """The places among the entries of what was chosen secretly and, where a ruleset has secrets at all,
        of the hashes.
        """
        decisions = self.spec.decisions
        if not conceals(self.spec):
            return set()
        return {
            i
            for i, (_, point, _) in enumerate(self._entries)
            if isinstance(point, str) or decisions[point].secret
        }

    def find(self, text: str) -> Option:
        """The option of the pending decision that *text* means; see :meth:`Decision.find`."""
        decision = self.decision
        if decision is None:
            raise ChoiceError(self.undecided)
        return decision.find(text)

    @property
    def undecided(self) -> str:
        """Why nothing is to be decided, in words, where that is so."""
        why = (
            "the procedure has ended"
            if self.returned
            else "the game is over"
            if self.over
            else "nothing runs"
        )
        return f"{why}: nothing is to be decided"

    # ------------------------------------------------------------------ playing

    def begin(self) -> None:
        """Run the whole game from here, where nothing is under way yet.  ValueError where something is."""
        self._idle("the whole game")
        self._go_on(lambda: self.program.begin(self.state))

    def run(self, procedure: str, args: Sequence[int] = ()) -> None:
        """Run a procedure by itself in this position, where nothing is under way: to its first decision or
        its end.

        *args* are as the engine has them.  When it has ended the game can run another.  ValueError where
        something is to be decided, the game has ended, or there is no such procedure.
        """
        self._idle(procedure)
        spec = self.spec.procedures.get(procedure)
        if spec is None or len(args) != len(spec.params):
            raise ValueError(
                f"there is no procedure '{procedure}'"
                if spec is None
                else f"{procedure} expects {len(spec.params)} arguments, got {len(args)}"
            )
        self._go_on(lambda: self.program.start(self.state, procedure, list(args)))
        self.unrecorded = self.unrecorded or "a procedure was run in it"
        self._procedure = procedure

    def _idle(self, what: str) -> None:
        """ValueError where nothing can be run."""
        if self.decision is not None:
            side = self.spec.sides[self.decision.side]
            raise ValueError(f"{what} cannot be run: {side} has to decide {self.decision.question}")
        if self.over and not self.returned:
            raise ValueError(f"{what} cannot be run: the game is over")

    def _go_on(self, run: Callable[[], None]) -> None:
        """Run something from here on, wholly or not at all."""
        kept, state = self._kept(), self.state
        state.over, state.ranks = RUNNING, ()
        self._since = (self.notes, len(self._events or ()))
        self._decision = None
        try:
            run()
        except BaseException:
            self._restore(kept)
            raise
        self._before.clear()
        if state.checkpoints != kept.state.checkpoints:
            self._checkpoint()

    def script(self, script: Mapping[str, Sequence[Any]] | None) -> None:
        """From here on, chance gives what a *script* says (see :func:`scripted`), in place of an earlier one;
        None: no script.  ValueError for what cannot be rolled.  What was played before is not taken back.
        """
        self.state.script = scripted(self.spec, self.setup, script) if script is not None else None
        if script:
            self.unrecorded = self.unrecorded or "its dice are scripted"
        self._before.clear()

    def play(self, choice: Option | str | int) -> None:
        """Take an option: itself, its text (see :meth:`find`) or its position among the options."""
        value = self._value(choice)
        before = self.state
        kept = self._kept()
        side, checkpoints = before.chooser, before.checkpoints
        self._decision = None
        self._since = (kept.notes, kept.events)
        entry = (side, before.point, value)
        try:
            self.program.answer(before, value)
        except BaseException:
            self._restore(kept)  # an action is done wholly or not at all
            raise
        self._entries.append(entry)
        if before.checkpoints != checkpoints:
            self._checkpoint()
        same = before.chooser == side and before.over == RUNNING
        if same and before.counters == kept.state.counters and before.reveals == kept.state.reveals:
            self._before.append(kept)
        else:
            self._before.clear()

    def take(self, value: int) -> None:
        """Take an option that is known to be offered, without keeping what taking back needs: for bots."""
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

    def _value(self, choice: Option | str | int) -> int:
        options = self.state.options
        if self.over:
            raise ChoiceError(self.undecided)
        if isinstance(choice, str):
            return self.find(choice).value
        if isinstance(choice, Option):
            if choice.value in options and self.wording.option(self.state.point, choice.value) == choice:
                return choice.value
            choice_text = choice.text
        elif 0 <= choice < len(options):
            return options[choice]
        else:
            choice_text = f"option {choice}"
        assert self.decision is not None
        offered = self.decision.options
        raise ChoiceError(f"'{choice_text}' is not offered; there is: {_listed(offered)}", (), offered)

    @property
    def can_undo(self) -> bool:
        """Whether the last action can be taken back.

        That is so when it drew no chance, revealed nothing, its side still decides, and what it sees does not
        hang on what other sides hold: else their not being asked, for instance, has told it something.
        """
        if not self._before:
            return False
        kept = self._before[-1]
        if kept.tells is None:
            from runtime.undo import tells

            kept.tells = tells(
                self.program, kept.state, self.state, self._entries[kept.entries][2], kept.entries
            )
        return not kept.tells

    def undo(self) -> bool:
        """Take back the last action where that is allowed; says whether it was."""
        if not self.can_undo:
            return False
        self._restore(self._before.pop())
        return True

    def _kept(self) -> _Before:
        events = len(self._events or ())
        return _Before(
            self.state.copy(), self.notes, events, self._since, len(self._entries), len(self._folds)
        )

    def _restore(self, kept: _Before) -> None:
        self.state = kept.state
        self.state.log, self.state.events = self._notes, self._events
        if self._notes is not None and self._events is not None:
            del self._notes[kept.notes :]
            del self._events[kept.events :]
        self._since = kept.since
        del self._entries[kept.entries :]
        del self._folds[kept.folds :]
        self._decision = None

    def copy(self) -> Game:
        """An independent game that stands where this one does; it takes back no further than here."""
        made: Game = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.state = self.state.copy()
        made._notes = None if self._notes is None else self._notes[:]
        made._events = None if self._events is None else self._events[:]
        made.state.log, made.state.events = made._notes, made._events
        made._entries = self._entries[:]
        made._folds = self._folds[:]
        made._before = []
        return made


def playout(program: Program, state: StateBase, rng: Random, limit: int = 1_000_000) -> int:
    """Play on at random until the game is over or *limit* decisions are taken; the number of decisions.

    Changes *state*; builds no texts.
    """
    if isinstance(program, NativeProgram):
        return program.playout(state, rng.random, limit)
    answer, random = program.answer, rng.random
    taken = 0
    while not state.over and taken < limit:
        options = state.options
        answer(state, options[int(random() * len(options))])
        taken += 1
    return taken


def perft(program: Program, state: StateBase, depth: int) -> int:
    """The number of positions *depth* decisions from here, chance being what the seed makes it; ended games
    count once.
    """
    if depth == 0 or state.over:
        return 1
    total = 0
    for option in state.options:
        after = state.copy()
        program.answer(after, option)
        total += perft(program, after, depth - 1)
    return total
