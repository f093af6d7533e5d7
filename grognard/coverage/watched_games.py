"""Which rules random games reach.

Games are played by code that notes what it uses (:mod:`compiler.emit.marks`): a rule is reached
when its condition held, a function or procedure when it was called, a column when it was read, an
option when it was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import CodeType
from typing import Any

from compiler import ir
from compiler.emit import emit
from compiler.emit.emission import Watched
from compiler.ruleset import Ruleset
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.runs.series import LIMIT
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: What cannot be watched: it plays its part in every game.
_ALWAYS = ("enum", "member", "board", "deck", "event", "sides", "scope", "piece")


class WatchedProgram(CompiledProgram):
    """A ruleset compiled to Python that notes what it uses while games are played.

    *marks* takes the marks of what is used and, for rows of tables, pairs of a mark and a member.
    """

    def __init__(
        self,
        spec: RulesetSpec,
        code: list[CodeType],
        marks: set[int | tuple[int, int]] | None = None,
    ) -> None:
        self.marks: set[int | tuple[int, int]] = set() if marks is None else marks
        with self.unnoted():  # working tables out is no use
            super().__init__(spec, code)

    @contextmanager
    def unnoted(self) -> Iterator[None]:
        """Note nothing in this block."""
        kept = set(self.marks)
        yield
        self.marks.intersection_update(kept)

    def _given(self) -> dict[str, Any]:
        note = self.marks.add

        def held(mark: int) -> bool:
            note(mark)
            return True

        def shown(mark: int, value: int) -> int:
            if value:
                note(mark)
            return value

        def keyed(mark: int, key: int) -> int:
            note((mark, key))
            return key

        return {**super()._given(), "see": note, "held": held, "shown": shown, "keyed": keyed}

    def _like(self, spec: RulesetSpec) -> CompiledProgram:
        return WatchedProgram(spec, self._code, self.marks)

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The state before anything has happened; what it takes to find that is not noted."""
        with self.unnoted():
            return super().new_state(setup, seed)

    def score(self, state: StateBase, side: int) -> int | None:
        """The points of a side; that they are asked for is not noted."""
        with self.unnoted():
            return super().score(state, side)


def watching(ruleset: Ruleset) -> tuple[WatchedProgram, list[Watched]]:
    """The program of a ruleset that notes what it uses, and what its marks mean."""
    watched = list[Watched]()
    emitted = emit(ruleset.program, ruleset.lowered, watched)
    return WatchedProgram(ruleset.spec, emitted.code({})), watched


def used(watched: list[Watched], marks: set[int | tuple[int, int]]) -> set[str]:
    """What was used, by the names that :attr:`compiler.ir.Program.citations` has."""
    seen: set[str] = set()
    for mark in marks:
        what = watched[mark if isinstance(mark, int) else mark[0]]
        if isinstance(what, str):
            seen.add(what)
        elif isinstance(mark, tuple) and 0 <= mark[1] < len(what[1]):
            seen.add(f"row {what[1][mark[1]]} of {what[0]}")
    return seen


def reached(
    ruleset: Ruleset,
    setups: list[SetUp],
    games: int,
    seed: int,
    tell: Callable[[int, int], None] | None = None,
) -> set[str]:
    """The rule IDs that random games reach; games that do not end are left where games between bots
    are.
    """
    program = ruleset.program
    noting, watched = watching(ruleset)
    for number in range(games):
        setup = setups[number % len(setups)]
        playing = noting.on(setup.board)
        state = playing.new_state(setup, seed + number)
        playing.begin(state)
        rng = Random(seed + number)
        stated = playing.decision_limit(state)
        for _ in range(LIMIT if stated is None else min(stated, LIMIT)):
            if state.over:
                break
            playing.answer(state, state.options[rng.randrange(len(state.options))])
        if tell is not None:
            tell(number + 1, games)
    names = used(watched, noting.marks)
    names.update(_parts(program, names))
    return {
        rule
        for rule, uses in program.citations.items()
        if any(use in names or (games and use.split()[0] in _ALWAYS) for use in uses)
    }


def _parts(program: ir.Program, names: set[str]) -> list[str]:
    """What procedures that were run stand for: reactions, and cases of others."""
    parts = []
    for procedure in program.procedures.values():
        if procedure.case_of is None or f"procedure {procedure.name}" not in names:
            continue
        if procedure.case_of == procedure.name:
            parts.append(f"reaction {procedure.name.removeprefix('reaction_')}")
        else:
            own = procedure.name.removeprefix(procedure.case_of + "__")
            parts.append(f"{own} of {procedure.case_of}")
    return parts
