"""A native build beside the program in Python: what one runs, the other runs, too."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from compiler import ir
from compiler.agreement import differences
from compiler.lowered import Lowered
from compiler.native.build import compile_library, toolchain
from compiler.native.module import Module
from runtime.board import Board
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.runs.machine import Library, Machine, Shape, shape_of
from runtime.scenario.setup import SetUp
from runtime.state import RUNNING, RulesetFault, StateBase

__all__ = ["FollowedNatively", "LibraryMaker", "NativeParts"]


#: What is asked, in a state.
_ASKED = ("over", "point", "chooser")


class NativeParts(AssertionError):
    """A native build has not done what the program in Python has."""


class LibraryMaker:
    """Makes native builds of a ruleset that only this process has: one for each board, with room
    for as many pieces as are needed; *optimize* is how hard the C compiler tries, from 0 to 3.
    """

    def __init__(
        self, program: ir.Program, lowered: Lowered | None, spec: RulesetSpec, optimize: int = 0
    ) -> None:
        assert lowered is not None  # it is, of rules without errors
        self._rules, self._optimize = (program, lowered, spec), optimize
        self._made: dict[Board, tuple[dict[str, int], Library]] = {}

    def library(self, spec: RulesetSpec, setup: SetUp) -> Library:
        """One for games of a scenario on the board of *spec*.  CannotBuild."""
        board, wanted = shape_of(spec, setup)
        room, library = self._made.get(board, ({}, None))
        if library is None or any(room[kind] < count for kind, count in wanted):
            room = {kind: max(count, room.get(kind, 0)) for kind, count in wanted}
            library = self._built(spec, Shape(board, tuple(room.items())))
            self._made[board] = room, library
        return library

    def _built(self, spec: RulesetSpec, shape: Shape) -> Library:
        module = Module(*self._rules, shape.board, dict(shape.pieces))
        with TemporaryDirectory(prefix="grognard-followed-") as folder:
            file = Path(folder) / "rules.so"
            file.write_bytes(compile_library(module.text(), toolchain(), self._optimize))
            return Library(file, spec)


class FollowedNatively(CompiledProgram):
    """A ruleset compiled to Python; whatever it runs, to the next decision or to the end, a native
    build runs, too.

    Who decides, what, and the options are compared each time, all that the state holds at every
    *every*-th time and at the end.  The build begins with what Python's state holds: each time
    (*alone*), or only where it is another state than before.  What chance gives it works out for
    itself, but for what a script gives.  NativeParts where the two part.  Not followed are
    forecasts, procedures that ask nobody, and positions of cases with more cards than a deck has,
    where a build has no room for them.
    """

    def __init__(
        self, program: CompiledProgram, maker: LibraryMaker, every: int = 1, alone: bool = True
    ) -> None:
        super().__init__(program.spec, program._code)
        self._plain, self._maker, self._every, self._alone = program, maker, every, alone
        #: how many times something was run by both
        self.followed = 0
        self._machine: Machine | None = None
        self._last: StateBase | None = None
        #: what chance has given in Python, with the counters after it; None: it is not scripted
        self._given_by_chance: list[tuple[list[int], list[int]]] | None = None
        for name, heard in (
            ("roll", self._roll), ("draw", self._draw), ("shuffle", self._shuffle), ("mix", self._mix)
        ):  # fmt: skip
            self.names[name] = partial(heard, self.names[name])

    def _like(self, spec: RulesetSpec) -> CompiledProgram:
        like = CompiledProgram(spec, self._code)
        return FollowedNatively(like, self._maker, self._every, self._alone)

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The state before anything has happened; games of this set-up are followed from now on."""
        state = super().new_state(setup, seed)
        if self._machine is None or self._machine.setup is not setup:
            library = self._maker.library(self.spec, setup)
            self._machine = machine = Machine(library, self._plain, setup)
            self._numbers = library.ffi.cast("int64_t *", machine.memory)
            self._places = [library.slots[name][0] // 8 for name in _ASKED]
            self._told = library.callback("int(void *, int64_t, int64_t *)", self._tell, 0)
        return state

    # ------------------------------------------------------------------ running

    def _run(self, state: StateBase) -> None:
        """Run on to the next decision or to the end."""
        option, fault = state.answer, None
        follows, crowded = self._ready(state), _crowded(state)
        try:
            super()._run(state)
        except RulesetFault as error:
            fault = error
        if follows:
            self.followed += 1
            if parted := self._parted(state, option, fault, crowded):
                raise NativeParts("\n".join(["a native build parts from Python:", *parted]))
        self._given_by_chance = None
        if fault is not None:
            raise fault

    def _ready(self, state: StateBase) -> bool:
        """Have the build where Python is; whether it can be."""
        machine, script, self._given_by_chance = self._machine, state.script, None
        if machine is None or state.observed is not None:
            return False
        if self._alone or state is not self._last or script is not None:
            state.script = None
            try:
                machine.take_over(state, state.FIXED)
                machine.load(state)
            except ValueError:  # its seed is too large, or too much is under way
                return False
            finally:
                state.script = script
        told = machine.library.ffi.NULL
        if script is not None:
            self._given_by_chance, told = [], self._told
        machine.library.c.game_chance(machine.context, told)
        return True

    def _parted(
        self, state: StateBase, option: int, fault: RulesetFault | None, crowded: bool
    ) -> list[str]:
        """Run on natively: in what the two differ now."""
        machine = self._machine
        assert machine is not None
        self._last, native = None, None
        try:
            machine.answer(option)
        except (RulesetFault, LookupError) as error:
            native = error
        if native is not None and crowded:
            self.followed -= 1  # a pile has room for the cards of its deck, and no more
            return []
        if fault is not None or native is not None:
            both = fault is not None and native is not None
            return (
                [] if both else [f"  Python: {fault or 'goes on'}, natively: {native or 'goes on'}"]
            )
        self._last = state
        if self.followed % self._every == 0 or state.over != RUNNING:
            here = machine.position()
            here.about, here.shelf = state.about, state.shelf
            here.log, here.events = state.log, state.events
            return list(differences(state, here, True, "native"))
        ours = [state.over, state.point, state.chooser]
        theirs = [self._numbers[place] for place in self._places]
        if ours == theirs and state.options == machine.options:
            return []
        options = f"{state.options}, natively {machine.options}"
        return [
            f"  {_ASKED}: in Python {ours}, natively {theirs}",
            f"  options: in Python {options}",
        ]

    # ------------------------------------------------------------------ chance

    def _heard(self, state: StateBase, given: Sequence[int]) -> None:
        if self._given_by_chance is not None:
            self._given_by_chance.append((list(given), list(state.counters)))

    def _roll(self, roll: Any, state: StateBase, *args: Any) -> Any:
        given = roll(state, *args)
        if given:
            self._heard(state, given)
        return given

    def _draw(self, draw: Any, state: StateBase, members: Sequence[int], kind: str) -> Any:
        given = draw(state, members, kind)
        if members:
            self._heard(state, [given])
        return given

    def _shuffle(self, shuffle: Any, state: StateBase, stream: int, cards: list[int]) -> None:
        shuffle(state, stream, cards)
        self._heard(state, cards)

    def _mix(
        self, mix: Any, state: StateBase, stream: int, pieces: list[int], columns: Any
    ) -> None:
        of_whom = list(range(max(pieces, default=-1) + 1))
        mix(state, stream, pieces, (*columns, of_whom))
        self._heard(state, [of_whom[piece] for piece in pieces])

    def _tell(self, _: Any, count: int, values: Any) -> int:
        """What chance gives where it is scripted: as it was in Python."""
        assert self._machine is not None and self._given_by_chance is not None
        given, counters = self._given_by_chance.pop(0) if self._given_by_chance else ([], [])
        if len(given) != count:
            raise LookupError("chance is asked for something else than in Python")
        values[0:count] = given
        self._machine.array("counters")[: len(counters)] = array("q", counters)
        return 1


def _crowded(state: StateBase) -> bool:
    """Whether more cards lie in the piles of a deck than it has."""
    for deck in state.SPEC.decks:
        piles = [(pile, getattr(state, pile.slot)) for pile in deck.piles]
        held = sum(sum(map(len, p)) if pile.per is not None else len(p) for pile, p in piles)
        if held > sum(deck.copies):
            return True
    return False
