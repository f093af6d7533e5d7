"""Which rules games reach, and how often.

Games are played by code that notes what it uses (:mod:`compiler.emit.marks`): a rule is reached
when its condition held, a function or procedure when it was called, a column when it was read, an
option when it was taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import CodeType
from typing import Any, TypeAlias

from compiler import ir
from compiler.emit import emit
from compiler.emit.emission import Emission, WatchedItem
from compiler.ruleset import Ruleset
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.runs.series import LIMIT
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: The number of something that is watched; of rows of a table, with that of a member.
Mark: TypeAlias = int | tuple[int, int]
#: How often what stands in a file, by the name that people are shown, at a line was reached.
Counts: TypeAlias = Mapping[tuple[str, int], int]

#: What cannot be watched: it plays its part in every game.
_ALWAYS = ("enum", "member", "board", "deck", "event", "sides", "scope", "piece")
#: How much is noted before it is counted.
_MANY = 100_000


class WatchedProgram(CompiledProgram):
    """A ruleset compiled to Python that notes what it uses while games are played.

    Programs on other boards note in the same place.
    """

    def __init__(
        self,
        spec: RulesetSpec,
        code: list[CodeType],
        noted: tuple[list[Mark], Counter[Mark]] | None = None,
    ) -> None:
        #: what was used since it was counted last, in order; and how often before that
        self._noted, self._counted = ([], Counter()) if noted is None else noted
        with self.pause_notes():  # working tables out is no use
            super().__init__(spec, code)

    @property
    def marks(self) -> Counter[Mark]:
        """How often each thing was used, by its mark and, for rows of tables, a pair of a mark and
        a member.
        """
        self._counted.update(self._noted)
        self._noted.clear()
        return self._counted

    @contextmanager
    def pause_notes(self) -> Iterator[None]:
        """Note nothing in this block."""
        before = len(self._noted)
        yield
        del self._noted[before:]

    def _run(self, state: StateBase) -> None:
        super()._run(state)
        if len(self._noted) > _MANY:
            self._counted.update(self._noted)
            self._noted.clear()

    def _module_names(self) -> dict[str, Any]:
        note = self._noted.append

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

        return {
            **super()._module_names(),
            "see": note,
            "held": held,
            "shown": shown,
            "keyed": keyed,
        }

    def _like(self, spec: RulesetSpec) -> CompiledProgram:
        return WatchedProgram(spec, self._code, (self._noted, self._counted))

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The state before anything has happened; what it takes to find that is not noted."""
        with self.pause_notes():
            return super().new_state(setup, seed)

    def score(self, state: StateBase, side: int) -> int | None:
        """The points of a side; that they are asked for is not noted."""
        with self.pause_notes():
            return super().score(state, side)


def watching(ruleset: Ruleset) -> tuple[WatchedProgram, list[WatchedItem]]:
    """The program of a ruleset that notes what it uses, and what its marks mean."""
    watched = list[WatchedItem]()
    emitted = emit(Emission(ruleset.program, ruleset.lowered, watched))
    return WatchedProgram(ruleset.spec, emitted.code({})), watched


def used_names(watched: list[WatchedItem], marks: Counter[Mark]) -> set[str]:
    """What was used, by the names that :attr:`compiler.ir.Program.citations` has."""
    seen: set[str] = set()
    for mark in marks:
        if isinstance(mark, int):
            seen.add(watched[mark].what)
            continue
        table = watched[mark[0]]
        if 0 <= mark[1] < len(table.members):
            seen.add(f"row {table.members[mark[1]]} of {table.what}")
    return seen


def counts(watched: list[WatchedItem], marks: Counter[Mark]) -> Counts:
    """How often what decides or does something was reached, by its place; 0: never."""
    found: dict[tuple[str, int], int] = {}
    by_thing: Counter[tuple[str, int, str]] = Counter()
    for mark, thing in enumerate(watched):
        if thing.at.file:
            by_thing[thing.at.file, thing.at.line, thing.what] += marks[mark]
    for (file, line, _), count in by_thing.items():
        found[file, line] = max(count, found.get((file, line), 0))
    return found


def reached_rules(
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
        play_at_random(noting, setups[number % len(setups)], seed + number)
        if tell is not None:
            tell(number + 1, games)
    names = used_names(watched, noting.marks)
    names.update(_parts(program, names))
    return {
        rule
        for rule, uses in program.citations.items()
        if any(use in names or (games and use.split()[0] in _ALWAYS) for use in uses)
    }


def play_at_random(
    program: CompiledProgram,
    setup: SetUp,
    seed: int,
    going_on: Callable[[], bool] = lambda: True,
) -> None:
    """Play a game at random, as long as it is *going_on*; one that does not end is left where games
    between bots are.
    """
    playing = program.on(setup.board)
    state = playing.new_state(setup, seed)
    playing.begin(state)
    rng = Random(seed)
    stated = playing.decision_limit(state)
    for _ in range(LIMIT if stated is None else min(stated, LIMIT)):
        if state.over or not going_on():
            break
        playing.answer(state, state.options[rng.randrange(len(state.options))])


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
