"""Playing the same game in Python and by a native build, and saying where they part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

from compiler.native import build
from compiler.native.side_by_side import FollowedNatively, LibraryMaker
from compiler.ruleset import Ruleset
from runtime.model import closed_slots
from runtime.program import CompiledProgram
from runtime.runs import worlds
from runtime.runs.bots import GreedyBot
from runtime.runs.machine import Machine, seed_words
from runtime.runs.search import SearchBot, SearchResult
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
                taken.add(state.options.index(found[0].ranked[0].option))
            program.answer(state, rng.choice(state.options))
        return taken

    def samples(self, seed: int, most: int) -> int:
        """Play a random game, and draw at its decisions by both what the side that decides does not see: how often
        fields had been hidden from it.  AssertionError where it is not the same.
        """
        program, rng, hidden = self.program, Random(seed), 0
        state = program.new_state(self.setup, seed)
        program.begin(state)
        for number in range(most):
            if state.over:
                break
            hidden += bool(view(state, state.chooser)._blanks)
            self._sampled(state, f"seed {seed}, a sample after {number} decisions")
            program.answer(state, rng.choice(state.options))
        return hidden

    def _searched(self, state: StateBase, seed: int, machine: Machine | None) -> SearchResult:
        """What a bot finds that searches with a machine, or in Python."""
        bot, seen = SearchBot(playouts=30), view(state, state.chooser)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.program, "libraries", lambda *_: None)
            patch.setattr(worlds, "machine_for", lambda *_: machine)
            bot.search(self.program, self.setup, seen, state.options, Random(seed))
        assert bot.thought is not None
        return bot.thought

    def _sampled(self, state: StateBase, where: str) -> None:
        """Compare two positions that could be where the side that decides sees what it sees."""
        machine, sight, rng = self.machine, view(state, state.chooser), Random(where)
        ffi, c = machine.library.ffi, machine.library.c
        words, world = seed_words(where), ffi.new("char[]", machine.library.size)
        chance = ffi.new("char[]", c.game_random_size())
        c.game_random(chance, ffi.new("uint32_t[]", words), len(words))
        for _ in range(2):
            machine.load(state)
            drawn = sight.sample(rng)
            sampled = c.game_sampled(
                ffi.cast("State *", world), machine.state, machine.context, state.chooser, chance
            )
            assert sampled, where
            ffi.memmove(machine.memory, world, machine.library.size)
            assert machine.number("seed") & (1 << 64) - 1 == drawn.seed, where
            self.compare(drawn, where)

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
        names = (
            *state.INTS,
            *state.LISTS,
            *state.NESTED,
            *state.DERIVED,
            "counters",
            "over",
            "ranks",
        )
        names += tuple(name for name in state.FIXED if name in closed_slots(state.SPEC.fields, ()))
        assert {n: getattr(ours, n) for n in names} == {n: getattr(state, n) for n in names}, where
        assert ours.hash() == state.hash(), where


@cache
def maker(folder: Path, optimize: int = 0) -> LibraryMaker:
    """What makes native builds of a ruleset, which serve all tests of a process."""
    ruleset = Ruleset(folder)
    return LibraryMaker(ruleset.program, ruleset.lowered, ruleset.spec, optimize)


def followed(folder: Path, program: CompiledProgram, every: int = 1) -> FollowedNatively:
    """The program of a ruleset, with a native build beside it."""
    return FollowedNatively(program, maker(folder), every)


def built(folder: Path, scenario: Path, optimize: int = 0) -> Built:
    """A ruleset with a native build for a scenario of it."""
    compiled = Ruleset(folder).compiled
    setup, findings = load(scenario, compiled.spec)
    assert setup is not None, findings
    program = compiled.on(setup.board)
    return Built(
        program,
        setup,
        Machine(maker(folder, optimize).library(program.spec, setup), program, setup),
    )
