"""Programs: what runs a ruleset.

A program offers ``spec``, :meth:`~Program.new_state`, :meth:`~Program.begin` and
:meth:`~Program.answer`; the latter two run on to the next decision (``state.point >= 0``) or to the
end of the game (``state.over``).
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import CodeType
from typing import Any

from runtime.board import giving
from runtime.errors import ArgumentError, value_in_words
from runtime.model import LARGEST_WEIGHT, NONE, BoardSetUp, RequirementSpec, RulesetSpec
from runtime.scenario.setup import SetUp, Unmet
from runtime.services import ENDLESS
from runtime.spelling import did_you_mean
from runtime.state import RETURNED, TIED, Over, RulesetFault, StateBase, fill, reindex
from runtime.words.said import said


class Program(ABC):
    """What runs a ruleset."""

    spec: RulesetSpec
    state_class: type[StateBase]

    @abstractmethod
    def on(self, board: BoardSetUp | None) -> Program:
        """The same rules on a scenario's board; the program itself for None.  ValueError where
        rules name a hex that it lacks.
        """

    @abstractmethod
    def with_weights(self, weights: Mapping[str, int]) -> Program:
        """The same rules with other weights, by their names; those that are not named stay.
        ArgumentError where there is no such weight.
        """

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The state before anything has happened."""
        state = self.state_class()
        worked_out = fill(state, self.spec, setup, seed)
        for field, owner in worked_out:
            formula = state.INITIALS.get((field.owner, field.name))
            value = NONE if formula is None else int(formula(state, owner))
            if field.owner == "Game":
                setattr(state, field.slot, value)
            else:
                getattr(state, field.slot)[owner] = value
        if worked_out:
            reindex(state)
        return state

    def unmet_requirements(self, setup: SetUp) -> list[Unmet]:
        """What the ruleset demands of a scenario and this one does not meet, in words."""
        if (there := self.on(setup.board)) is not self:
            return there.unmet_requirements(setup)
        state = self.new_state(setup, 0)
        lacking = [
            r for r in self.spec.requirements if not self._call_if_declared(f"require_{r}", state)
        ]
        return [*(unmet(self.spec, name) for name in lacking), *unknown_values(self.spec, state)]

    @abstractmethod
    def begin(self, state: StateBase) -> None:
        """Run to the first decision."""

    @abstractmethod
    def start(self, state: StateBase, procedure: str, args: list[int]) -> None:
        """Run one procedure instead of the whole game, to its first decision or its end."""

    @abstractmethod
    def answer(self, state: StateBase, option: int) -> None:
        """Answer the pending decision with one of its options and run on."""

    @abstractmethod
    def foretell(
        self, state: StateBase, forecast: str, args: Sequence[Any], option: int | None
    ) -> Iterator[None]:
        """Run one of ``spec.forecasts`` in a state of its own, or play on with an *option* of the
        pending decision.  It stops at each decision, to which ``state.answer`` is to be given.
        """

    @abstractmethod
    def _call_if_declared(self, name: str, state: StateBase, *args: int) -> int | None:
        """The value of a function, quantity or permission; None when the ruleset has none."""

    def standing(self, state: StateBase, side: int) -> int:
        """What the position is worth to a side; 0 when the ruleset does not say."""
        return self._call_if_declared("standing", state, side) or 0

    def is_settled(self, state: StateBase) -> bool | None:
        """Whether the position can be valued as it is; None when the ruleset does not say."""
        settled = self._call_if_declared("settled", state)
        return None if settled is None else bool(settled)

    def score(self, state: StateBase, side: int) -> int | None:
        """The points of a side; None when the ruleset does not say."""
        return self._call_if_declared("score", state, side)

    def decision_limit(self, state: StateBase) -> int | None:
        """After how many decisions bots stop a game that is not over; None when the ruleset does
        not say.
        """
        return self._call_if_declared("decision_limit", state)

    def value_of(self, name: str, state: StateBase, *args: Any) -> int:
        """The value of a function of the rules."""
        return self._call_if_declared(name, state, *args) or 0

    def value(self, state: StateBase, name: str, args: Sequence[int] = ()) -> int:
        """What one of ``spec.calls`` is worth in a state: a number, an index, a mask for a set."""
        if name not in self.spec.calls:
            raise KeyError(name)
        return self._call_if_declared(name, state, *args) or 0


def spec_with_weights(spec: RulesetSpec, values: Mapping[str, int]) -> RulesetSpec:
    """A ruleset with other weights; those that *values* does not name stay.  ArgumentError for a
    name that no weight has, and for what is no whole number of at most 9 digits.
    """
    weights = dict(spec.weights)
    for name, value in values.items():
        if name not in weights:
            remedy = did_you_mean(name, weights) or f"there are {', '.join([*weights][:12])}"
            raise ArgumentError(f"{spec.name} has no weight '{name}'", remedy if weights else "")
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_WEIGHT:
            message = f"the weight '{name}' is a whole number, not {value_in_words(value)}"
            raise ArgumentError(message, f"give a number of at most {LARGEST_WEIGHT}")
        weights[name] = replace(weights[name], value=value)
    return spec if weights == spec.weights else replace(spec, weights=weights)


#: How many set-ups a program keeps the beginnings of.
_KEPT = 16


def unmet(spec: RulesetSpec, name: str) -> Unmet:
    """A requirement that is not met, in the words of the catalogue and with what it cites."""
    required = spec.requirements.get(name, RequirementSpec())
    cited = f" ({', '.join(required.rules)})" if required.rules else ""
    return Unmet(
        said("the ruleset requires: {what}{cited}", what=spec.text(f"require.{name}"), cited=cited),
        required.reads,
    )


def scores(program: Program, state: StateBase) -> tuple[int, ...] | None:
    """The points of each side; None when the ruleset does not count any."""
    points_of_sides = [program.score(state, side) for side in range(len(program.spec.sides))]
    return (
        tuple(points for points in points_of_sides if points is not None)
        if None not in points_of_sides
        else None
    )


def finish(program: Program, state: StateBase, over: Over) -> None:
    """End the game as the rules have said; the other sides are ranked by their points."""
    state.end(over.how, over.sides, None if over.how == TIED else scores(program, state))


def unknown_values(spec: RulesetSpec, state: StateBase) -> list[Unmet]:
    """The values that nobody knows and that a game from here would need."""
    used: set[tuple[str, int]] = set()
    for f in spec.fields:
        if f.type.kind == "enum" and f.owner != "Game":
            used |= {(f.type.name, value) for value in getattr(state, f.slot)[:-1]}
    for deck in spec.decks:
        used |= {(deck.enum, card) for card, copies in enumerate(deck.copies) if copies}
    return [
        Unmet(f"the {column} of {spec.enums[enum][member]} is not known")
        for enum, member, column in spec.unknown
        if (enum, member) in used
    ]


#: Finds the library for a board and so many pieces (:mod:`runtime.runs.machine`), if there is one.
Libraries = Callable[[RulesetSpec, Any], Any]


class CompiledProgram(Program):
    """A ruleset compiled to Python."""

    def __init__(
        self, spec: RulesetSpec, code: list[CodeType], libraries: Libraries | None = None
    ) -> None:
        self.spec = spec
        self._code = code
        #: finds native builds
        self.libraries = libraries
        #: in each thread by set-ups, what plays their games natively, or None
        self.machines = threading.local()
        self._boards: dict[BoardSetUp, CompiledProgram] = {}
        self._weighted: dict[tuple[int, ...], CompiledProgram] = {}
        names = self.names = self._run_module()
        self.state_class: type[StateBase] = names["State"]
        self.state_class.SPEC = spec
        self._blocks = names["BLOCKS"]
        self._start: list[int] = names["START"]
        self._play = names["PLAY"]
        self.state_class.INITIALS = names["INITIALS"]
        #: the states that games of a set-up begin with
        self._beginnings: dict[int, tuple[SetUp, StateBase]] = {}

    def _run_module(self) -> dict[str, Any]:
        """The names of the module, run for the board that it is to be played on."""
        names = self._module_names()
        with giving(self.spec.board, self.spec.weighing):
            for part in self._code:
                exec(part, names)  # our own compiler's output, never a user's text
        return names

    def _module_names(self) -> dict[str, Any]:
        """The names that the module finds when it is run."""
        return {"__name__": f"grognard_compiled_{self.spec.name}"}

    def on(self, board: BoardSetUp | None) -> CompiledProgram:
        """The same rules on a scenario's board.  ValueError where rules name a hex it lacks."""
        if board is None:
            return self
        known = self._boards.get(board)
        if known is None:
            if len(self._boards) >= _KEPT:
                self._boards.clear()
            spec = self.spec.on(board)
            known = self._boards[board] = self if spec is self.spec else self._like(spec)
        return known

    def with_weights(self, weights: Mapping[str, int]) -> CompiledProgram:
        """The same rules with other weights."""
        spec = spec_with_weights(self.spec, weights)
        if spec is self.spec:
            return self
        known = self._weighted.get(spec.weighing)
        if known is None:
            if len(self._weighted) >= _KEPT:
                self._weighted.clear()
            known = self._weighted[spec.weighing] = self._like(spec)
        return known

    def _like(self, spec: RulesetSpec) -> CompiledProgram:
        """The same rules with the board and the weights of *spec*."""
        return CompiledProgram(spec, self._code, self.libraries)

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The state before anything has happened."""
        known = self._beginnings.get(id(setup))
        if known is None or known[0] is not setup:
            if len(self._beginnings) >= _KEPT:
                self._beginnings.clear()
            known = self._beginnings[id(setup)] = (setup, super().new_state(setup, seed))
        state = known[1].copy()
        state.begin(seed)
        return state

    def begin(self, state: StateBase) -> None:
        """Run to the first decision."""
        state.alone = 0
        if self._play is not None:
            self._run_whole(state, self._play)
            return
        state.frames.append(self._start[:])
        self._run(state)

    def start(self, state: StateBase, procedure: str, args: list[int]) -> None:
        """Run one procedure instead of the whole game, to its first decision or its end."""
        state.alone = 1
        whole = self.names["WHOLE"].get(procedure)
        if whole is not None:
            self._run_whole(state, whole[args[0]] if isinstance(whole, tuple) else whole, *args)
            return
        block, size = self.names["ENTRIES"][procedure]
        if family := self.names["FAMILIES"].get(procedure):
            block = family[args[0]]
        state.frames.append([block, *args, *[0] * (size - 1 - len(args))])
        self._run(state)

    def answer(self, state: StateBase, option: int) -> None:
        """Answer the pending decision with one of its options and run on."""
        state.answer = option
        self._run(state)

    def go_on(self, state: StateBase) -> None:
        """Run on in the blocks of what is under way."""
        self._run(state)

    def _run(self, state: StateBase) -> None:
        """Run on to the next decision or to the end."""
        blocks = self._blocks
        frames = state.frames
        try:
            f = frames[-1]
            for _ in ENDLESS:
                if blocks[f[0]](state, f):
                    return
                f = frames[-1]
            raise RulesetFault("the rules run on without a decision")
        except (Over, IndexError, RecursionError) as stop:
            self._end_game(state, stop)

    def _run_whole(self, state: StateBase, procedure: Callable[..., object], *args: int) -> None:
        """Run a procedure that asks nobody, from its beginning to its end."""
        try:
            returned = procedure(state, *args)
            state.result = 0 if returned is None else returned
            self._ran_out(state)
        except (Over, RecursionError) as stop:
            self._end_game(state, stop)

    def _end_game(self, state: StateBase, stop: Exception) -> None:
        """After the end: as the rules say, or because play ran out (a tie)."""
        if isinstance(stop, Over):
            finish(self, state, stop)
        elif isinstance(stop, RecursionError):
            fault = RulesetFault("procedures call each other endlessly")
            raise fault.with_traceback(stop.__traceback__) from None
        elif state.frames:
            raise stop
        else:
            self._ran_out(state)
        state.point = NONE
        state.options = []
        state.frames.clear()

    @staticmethod
    def _ran_out(state: StateBase) -> None:
        """Nothing is left to run: a tie, or the end of the procedure that ran by itself."""
        state.end(RETURNED if state.alone else TIED)

    def _call_if_declared(self, name: str, state: StateBase, *args: int) -> int | None:
        function = self.names.get(f"q_{name}")
        return None if function is None else int(function(state, *args))

    def enter(self, state: StateBase, forecast: str, args: Sequence[Any]) -> None:
        """Make one of ``spec.forecasts`` what is under way in a state, for :meth:`step`."""
        block, size = self.names["FORECASTS"][forecast]
        state.frames = [[block, *args, *[0] * (size - 1 - len(args))]]

    def step(self, state: StateBase) -> bool | None:
        """Run a block, with those that it goes on with at once; whether it comes to a decision, to
        which ``state.answer`` is to be given.  None where nothing is left to run, or the game has
        ended.
        """
        frames = state.frames
        if not frames:
            return None
        try:
            return bool(self._blocks[frames[-1][0]](state, frames[-1]))
        except Over:
            return None
        except RecursionError as stop:
            fault = RulesetFault("procedures call each other endlessly")
            raise fault.with_traceback(stop.__traceback__) from None

    @property
    def needed(self) -> tuple[tuple[int, ...], ...]:
        """By block, the places of its frame that can still be read; -1 for an answer, -2 for a
        result.
        """
        needed: tuple[tuple[int, ...], ...] = self.names["NEEDED"]
        return needed

    def at_chance(self, state: StateBase) -> bool:
        """Whether what :meth:`step` runs next is left to chance."""
        return bool(state.frames) and bool(self.names["CHANCE"][state.frames[-1][0]])

    def foretell(
        self, state: StateBase, forecast: str, args: Sequence[Any], option: int | None
    ) -> Iterator[None]:
        """Run one of ``spec.forecasts``, or play on with an *option*, from decision to decision."""
        if option is None:
            self.enter(state, forecast, args)
        else:
            state.answer = option
        for _ in ENDLESS:
            asks = self.step(state)
            if asks is None:
                return
            if asks:
                yield
        raise RulesetFault(f"forecast {forecast} goes on without end")
