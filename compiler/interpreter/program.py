"""A checked program run as it stands: the oracle that compiled programs are held against."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Self

from compiler import ir
from compiler.interpreter.evaluate import Evaluator
from compiler.interpreter.execute import Execution
from compiler.layout import SHAPES, layout
from compiler.liveness import Liveness, liveness
from runtime.model import NONE, BoardSetUp, RulesetSpec
from runtime.program import Program, finish, spec_with_weights
from runtime.scenario.setup import SetUp
from runtime.state import RETURNED, TIED, Over, RulesetFault, StateBase


class InterpretedState(StateBase):
    """A state of the interpreter: the same slots as a compiled program's, and the steps under way.

    The steps under way are a Python generator, which can be neither copied nor written down.
    ``frames`` stays empty, and a copy (or what :meth:`from_data` reads back) can be looked at and
    evaluated against, but play cannot go on in it.
    """

    __slots__ = ("steps",)
    steps: Generator[None, None, None] | None

    def copy(self) -> Self:
        """An equal state without the steps under way; the two share nothing that changes."""
        other = type(self).__new__(type(self))
        once = ("result", "ranks", "about", "pools")
        for name in (*self._BASE_INTS, *self.INTS, *self.FIXED, *once):
            setattr(other, name, getattr(self, name))
        for name in (*self.LISTS, *self.DERIVED, "options", "shelf", "counters"):
            setattr(other, name, getattr(self, name)[:])  # a slice of what is hidden is hidden
        for name in self.NESTED:
            setattr(other, name, [part[:] for part in getattr(self, name)])
        other.frames = []
        other.script = None
        if self.script is not None:
            other.script = {name: list(queue) for name, queue in self.script.items()}
        other.log = other.events = other.asked = other.observed = other.steps = None
        other.checking = other.assumed = 0
        other.unseen = self.unseen
        return other


def state_class(program: ir.Program, spec: RulesetSpec) -> type[InterpretedState]:
    """The class of a ruleset's states."""
    slots = layout(program)
    members: dict[str, Any] = {
        "__slots__": tuple(slot.name for slot in slots),
        "__doc__": f"The state of a game of {spec.name}.",
        "SPEC": spec,
    }
    for shape in SHAPES:
        members[shape.upper()] = tuple(s.name for s in slots if s.shape == shape)
    return type("State", (InterpretedState,), members)


class InterpretedProgram(Program):
    """Runs a checked program by walking its tree."""

    def __init__(self, program: ir.Program, spec: RulesetSpec) -> None:
        self.program = program
        self.spec = spec
        self.state_class = state_class(program, spec)
        self.state_class.INITIALS = {key: partial(self._initial, key) for key in program.initials}

    @cached_property
    def _live(self) -> Liveness:
        return liveness(self.program)

    def _initial(self, key: tuple[str, str], state: StateBase, owner: int) -> int:
        """The initial value of a field that is given by an expression."""
        return Evaluator(self.program, state).number(self.program.initials[key], {"it": owner})

    def on(self, board: BoardSetUp | None) -> Self:
        """The same rules on a scenario's board; the program itself for None."""
        spec = self.spec.on(board)
        return self if spec is self.spec else type(self)(self.program, spec)

    def with_weights(self, weights: Mapping[str, int]) -> Self:
        """The same rules with other weights."""
        spec = spec_with_weights(self.spec, weights)
        return type(self)(replace(self.program, weights=spec.weights), spec)

    def new_state(self, setup: SetUp, seed: int) -> InterpretedState:
        """The state before anything has happened."""
        state = super().new_state(setup, seed)
        assert isinstance(state, InterpretedState)
        state.steps = None
        return state

    def begin(self, state: StateBase) -> None:
        """Run to the first decision."""
        self._begin(state, 0, Execution(self.program, state, self._live).play())

    def start(self, state: StateBase, procedure: str, args: list[int]) -> None:
        """Run one procedure instead of the whole game, to its first decision or its end."""
        self._begin(state, 1, Execution(self.program, state, self._live).run_alone(procedure, args))

    def _begin(self, state: StateBase, alone: int, steps: Generator[None, None, None]) -> None:
        assert isinstance(state, InterpretedState)
        state.alone = alone
        state.steps = steps
        self._go_on(state, steps)

    def answer(self, state: StateBase, option: int) -> None:
        """Answer the pending decision with one of its options and run on."""
        assert isinstance(state, InterpretedState)
        if state.steps is None:
            raise RuntimeError("play cannot go on here: this state was copied, or its game is over")
        state.answer = option
        self._go_on(state, state.steps)

    def foretell(
        self, state: StateBase, forecast: str, args: Sequence[Any], option: int | None
    ) -> Iterator[None]:
        """Run one of ``spec.forecasts`` in a state of its own, from decision to decision.

        RuntimeError for an option: play cannot go on in a copy.
        """
        if option is not None:
            raise RuntimeError("play cannot go on here: this state was copied")
        procedure = self.program.forecasts[forecast].procedure
        with suppress(Over), _deep_calls():
            yield from Execution(self.program, state, self._live).run_alone(procedure, list(args))

    def _call_if_declared(self, name: str, state: StateBase, *args: int) -> int | None:
        if name not in self.program.calls:
            return None
        return int(Evaluator(self.program, state).call(name, list(args)))

    def _go_on(self, state: InterpretedState, steps: Generator[None, None, None]) -> None:
        """Run to the next decision or to the end."""
        try:
            with _deep_calls():
                next(steps)
            return
        except StopIteration:
            state.end(RETURNED if state.alone else TIED)
        except Over as over:
            finish(self, state, over)
        except RecursionError:
            raise RulesetFault("procedures call each other endlessly") from None
        state.steps = None
        state.point = NONE
        state.options = []


@contextmanager
def _deep_calls() -> Iterator[None]:
    """Let Python's calls nest deep enough for procedures that call each other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 6000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
