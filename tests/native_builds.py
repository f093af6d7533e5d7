"""Playing the same game in Python and by a native build, and saying where they part."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from compiler.native import build
from compiler.native.module import Module
from compiler.ruleset import Ruleset
from runtime.program import CompiledProgram
from runtime.runs import worlds
from runtime.runs.bots import GreedyBot
from runtime.runs.machine import Library, Machine, shape_of
from runtime.runs.search import SearchBot
from runtime.runs.seats import Seat
from runtime.scenario import SetUp, load
from runtime.state import StateBase
from runtime.view import view


def missing() -> str:
    """Why nothing can be built here; nothing when it can."""
    try:
        build.toolchain()
    except build.CannotBuild as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Built:
    """A scenario with the program in Python, and with a native build."""

    program: CompiledProgram
    setup: SetUp
    machine: Machine

    def play(self, seed: int, most: int) -> int:
        """Play a random game by both, at most so many decisions; how many were taken.

        Who decides, what, and the options are compared at every decision, all that the state holds at some and at the
        end.  With odd seeds the native game is taken over from Python now and then.  AssertionError where they part.
        """
        program, machine, rng = self.program, self.machine, Random(seed)
        state = program.new_state(self.setup, seed)
        program.begin(state)
        machine.begin(seed)
        for taken in range(most):
            where = f"seed {seed}, after {taken} decisions"
            assert machine.number("over") == state.over, where
            if state.over:
                break
            assert machine.options == state.options, where
            assert machine.number("point") == state.point, where
            assert machine.number("chooser") == state.chooser, where
            if taken % 13 == 0:
                self.compare(state, where)
            if seed % 2 and taken % 23 == 5:
                machine.load(state)
            option = rng.choice(state.options)
            program.answer(state, option)
            machine.answer(option)
        self.compare(state, f"seed {seed}, at the end")
        return taken

    def search(self, seed: int, most: int) -> set[int]:
        """Play a random game, and let a bot search at some decisions by both: the places of the options that it takes.
        AssertionError where it does not take the same.
        """
        program, rng, taken = self.program, Random(seed), set[int]()
        state = program.new_state(self.setup, seed)
        program.begin(state)
        for number in range(most):
            if state.over:
                break
            if number % 10 == 8:
                taken_by = [self._greedy(state, seed, machine) for machine in (None, self.machine)]
                assert taken_by[0] == taken_by[1], f"seed {seed}, after {number} decisions"
            if number % 10 == 3:
                found = [self._searched(state, seed, machine) for machine in (None, self.machine)]
                assert found[0] == found[1], f"seed {seed}, after {number} decisions"
                taken.add(state.options.index(found[0][0]))
            program.answer(state, rng.choice(state.options))
        return taken

    def _searched(self, state: StateBase, seed: int, machine: Machine | None) -> tuple[int, ...]:
        """The options as a bot ranks them that searches with a machine, or in Python."""
        bot, seen = SearchBot(playouts=30), view(state, state.chooser)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.program, "libraries", lambda *_: None)
            patch.setattr(worlds, "machine_for", lambda *_: machine)
            bot.search(self.program, self.setup, seen, state.options, Random(seed))
        assert bot.thought is not None
        return tuple(one.option for one in bot.thought.ranked)

    def _greedy(self, state: StateBase, seed: int, machine: Machine | None) -> tuple[int, float]:
        """What a greedy bot takes with a machine, or in Python, and what its chance gives next."""
        seat, rng = Seat(GreedyBot(), "greedy", self.program, self.setup), Random(seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.program, "libraries", lambda *_: None)
            patch.setattr(worlds, "machine_for", lambda *_: machine)
            return seat.choose(view(state, state.chooser), state.options, rng), rng.random()

    def compare(self, state: StateBase, where: str) -> None:
        """Compare what a state holds.  AssertionError where it differs."""
        ours = self.machine.position()
        names = (*state.INTS, *state.LISTS, *state.NESTED, "counters", "over", "ranks")
        assert {n: getattr(ours, n) for n in names} == {n: getattr(state, n) for n in names}, where
        assert ours.hash() == state.hash(), where


def built(folder: Path, scenario: Path, into: Path, optimize: int = 0, *words: str) -> Built:
    """Build a ruleset for a scenario of it; *words* are more for the C compiler."""
    ruleset = Ruleset(folder)
    setup, findings = load(scenario, ruleset.compiled.spec)
    assert setup is not None and ruleset.lowered is not None, findings
    program = ruleset.compiled.on(setup.board)
    shape = shape_of(program.spec, setup)
    text = Module(
        ruleset.program, ruleset.lowered, ruleset.spec, shape.board, dict(shape.pieces)
    ).text()
    file = into / f"{folder.name}-{scenario.stem}.so"
    file.write_bytes(build.compiled(text, [*build.toolchain(), *words], optimize))
    return Built(program, setup, Machine(Library(file, program.spec), program, setup))
