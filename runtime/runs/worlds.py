"""Positions that a search plays on: in Python, or in the memory of a native build.

Both do the same with the same chance (:class:`World`), so that a search is written once, and takes
the same options in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from runtime.program import CompiledProgram, Program
from runtime.runs.bots import worth
from runtime.runs.machine import Machine, machine_for, seed_words
from runtime.scenario.setup import SetUp
from runtime.state import RUNNING, StateBase
from runtime.view import Sight

#: What a native world reads of its position.
_NUMBERS = "over", "point", "chooser", "checkpoints"


class World(Protocol):
    """A position that could be where a side sees what it sees.  All that plays on may raise
    RulesetFault: what is drawn may contradict what procedures under way remember.
    """

    def begin(self) -> None:
        """Be such a position, drawn anew."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def pending(self) -> tuple[int, int]:
        """Which decision is pending, and who decides."""

    @property
    def options(self) -> Sequence[int]:
        """The options of the pending decision."""

    def answer(self, option: int) -> None:
        """Answer it, and run on to the next."""

    def worths(self) -> Sequence[float]:
        """What the position right after each option is worth to whoever decides."""

    @property
    def checkpoints(self) -> int:
        """How many checkpoints are past in the game."""

    def rollout(self, tries: int, until: int, most: int) -> tuple[int, Sequence[float]]:
        """Play on *until* so many checkpoints are past, but at most so many decisions, by the best
        of *tries* options drawn at random: how many were taken, and what the position is worth
        then, to each side.
        """


def world_for(program: Program, setup: SetUp, view: Sight, rng: Random) -> World:
    """A world of a game as a side sees it, in the quicker way that there is."""
    chance = str(rng.getrandbits(64))
    machine = machine_at(program, setup, view)
    if machine is not None:
        return _NativeWorld(machine, view.side, chance)
    return PlainWorld(program, view, chance)


def machine_at(program: Program, setup: SetUp, view: Sight) -> Machine | None:
    """What plays natively on from a position that could be where a side sees what it sees; None
    where there is nothing that can.
    """
    if not isinstance(program, CompiledProgram) or program.libraries is None:
        return None
    machine = machine_for(program, setup)
    if machine is not None:
        try:
            machine.load(view.sample(Random(0)))
        except ValueError:  # more is under way than a machine has room for
            return None
    return machine


class PlainWorld:
    """In Python; *state* is the position."""

    def __init__(self, program: Program, view: Sight, chance: str) -> None:
        self.program, self.view = program, view
        self.chance = Random(chance)

    def begin(self) -> None:
        self.state = self.view.sample(self.chance)

    @property
    def over(self) -> bool:
        return self.state.over != RUNNING

    @property
    def pending(self) -> tuple[int, int]:
        return self.state.point, self.state.chooser

    @property
    def options(self) -> Sequence[int]:
        return self.state.options

    def answer(self, option: int) -> None:
        self.program.answer(self.state, option)

    def _state_after(self, option: int) -> StateBase:
        after = self.state.copy()
        self.program.answer(after, option)
        return after

    def worths(self) -> Sequence[float]:
        side = self.state.chooser
        return [
            worth(self.program, self._state_after(option), side) for option in self.state.options
        ]

    @property
    def checkpoints(self) -> int:
        return self.state.checkpoints

    def rollout(self, tries: int, until: int, most: int) -> tuple[int, Sequence[float]]:
        random, taken = self.chance.random, 0
        while self.state.over == RUNNING and self.state.checkpoints < until and taken < most:
            options, side = self.state.options, self.state.chooser
            taken += 1
            if len(options) > 1:  # after the same option twice, the same chance comes
                options = list(
                    dict.fromkeys(options[int(random() * len(options))] for _ in range(tries))
                )
            if len(options) == 1:
                self.answer(options[0])
            else:
                afters = [self._state_after(option) for option in options]
                self.state = max(afters, key=lambda after: worth(self.program, after, side))
        sides = range(len(self.program.spec.sides))
        return taken, [worth(self.program, self.state, side) for side in sides]


class _NativeWorld:
    """In the memory of a machine that has loaded a position to draw from."""

    def __init__(self, machine: Machine, side: int, chance: str) -> None:
        self.machine, self.side = machine, side
        library = machine.library
        ffi, self.c = library.ffi, library.c
        self.memory = [ffi.new("char[]", library.size) for _ in range(3)]
        self.state, self.spare, self.best = (ffi.cast("State *", one) for one in self.memory)
        self.chance = ffi.new("char[]", self.c.game_random_size())
        words = seed_words(chance)
        self.c.game_random(self.chance, ffi.new("uint32_t[]", words), len(words))
        self.found = ffi.new("const int64_t **")
        self.values = ffi.new("double[]", library.slots["stack"][2])
        self.numbers = ffi.cast("int64_t *", self.memory[0])
        self.at = {name: library.slots[name][0] // 8 for name in _NUMBERS}

    def _held(self, done: bool) -> None:
        if not done:
            raise self.machine.failure()

    def begin(self) -> None:
        machine = self.machine
        done = self.c.game_sampled(
            self.state, machine.state, machine.context, self.side, self.chance
        )
        self._held(done)

    @property
    def over(self) -> bool:
        return bool(self.numbers[self.at["over"]] != RUNNING)

    @property
    def pending(self) -> tuple[int, int]:
        return self.numbers[self.at["point"]], self.numbers[self.at["chooser"]]

    @property
    def options(self) -> Sequence[int]:
        count = self.c.game_options(self.state, self.found)
        return list(self.found[0][0:count])

    def answer(self, option: int) -> None:
        self._held(self.c.game_answer(self.state, self.machine.context, option))

    def worths(self) -> Sequence[float]:
        self._held(self.c.game_worths(self.state, self.spare, self.machine.context, self.values))
        return list(self.values[0 : self.c.game_options(self.state, self.found)])

    @property
    def checkpoints(self) -> int:
        return int(self.numbers[self.at["checkpoints"]])

    def rollout(self, tries: int, until: int, most: int) -> tuple[int, Sequence[float]]:
        taken = self.c.game_rollout(
            self.state, self.spare, self.best, self.machine.context, self.chance,
            tries, until, most, self.values,
        )  # fmt: skip
        self._held(taken >= 0)
        return taken, list(self.values[0 : self.machine.sides])
