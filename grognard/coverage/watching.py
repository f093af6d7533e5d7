"""Which rules random games reach.

Games are played by code that notes what it uses (:mod:`compiler.emit.watching`): a rule is reached when its
condition held, a function or procedure when it was called, a column when it was read, an option when it was
taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from types import CodeType
from typing import Any

from compiler import ir
from compiler.emit import emit
from compiler.emit.emission import Watched
from compiler.lower import lower
from compiler.trees import rules_of
from runtime.match import LIMIT
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: What cannot be watched: it plays its part in every game.
_ALWAYS = ("enum", "board", "deck", "event", "sides", "scope", "piece")


@dataclass
class Seen:
    """What was used in games: names as :attr:`compiler.ir.Program.citations` has them, and ids of nodes.

    *held* are conditions that held, *run* steps that were run.
    """

    things: set[str] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    run: set[int] = field(default_factory=set)


class WatchedProgram(CompiledProgram):
    """A ruleset compiled to Python that notes what it uses while games are played.

    *marks* takes the marks of what is used and, for rows of tables, pairs of a mark and a member.
    """

    def __init__(
        self, spec: RulesetSpec, code: list[CodeType], marks: set[int | tuple[int, int]] | None = None
    ) -> None:
        self.marks: set[int | tuple[int, int]] = set() if marks is None else marks
        kept = set(self.marks)
        super().__init__(spec, code)
        self.marks.intersection_update(kept)  # working tables out is no use

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
        kept = set(self.marks)
        state = super().new_state(setup, seed)
        self.marks.intersection_update(kept)
        return state

    def score(self, state: StateBase, side: int) -> int | None:
        """The points of a side; that they are asked for is not noted."""
        kept = set(self.marks)
        points = super().score(state, side)
        self.marks.intersection_update(kept)
        return points


def _seen(watched: list[Watched], marks: set[int | tuple[int, int]]) -> Seen:
    """What the marks stand for."""
    seen = Seen()
    for mark in marks:
        what = watched[mark if isinstance(mark, int) else mark[0]]
        if isinstance(what, str):
            seen.things.add(what)
        elif isinstance(what, ir.Expr):
            seen.held.add(id(what))
        elif isinstance(mark, int):
            seen.run.add(id(what))
        else:
            table, members = what
            if isinstance(members, tuple) and isinstance(table, str) and 0 <= mark[1] < len(members):
                seen.things.add(f"row {members[mark[1]]} of {table}")
    return seen


def reached(
    program: ir.Program,
    spec: RulesetSpec,
    setups: list[SetUp],
    games: int,
    seed: int,
    tell: Callable[[int, int], None] | None = None,
) -> set[str]:
    """The rule IDs that random games reach; games that do not end are left where games between bots are."""
    watched: list[Watched] = []
    watching = WatchedProgram(spec, emit(program, lower(program), watched).code({}))
    for number in range(games):
        setup = setups[number % len(setups)]
        playing = watching.on(setup.board)
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
    names = _names(program, _seen(watched, watching.marks)) if games else set()
    return {
        rule
        for rule, uses in program.citations.items()
        if any(use in names or (games and use.split()[0] in _ALWAYS) for use in uses)
    }


def _names(program: ir.Program, seen: Seen) -> set[str]:
    """What was used, by the names that citations have."""
    names = set(seen.things)
    for call in program.calls.values():
        if f"{call.kind} {call.name}" in seen.things:
            names.update(_rules(call, seen))
            names.update(_modifiers(call, seen))
    names.update(_parts(program, names))
    for node in program.decision_nodes:
        if isinstance(node, ir.Offer):
            names |= {
                f"option {branch.name} of {node.decision.procedure}"
                for branch in node.branches
                if id(branch.body) in seen.run
            }
    return names | {f"check {check.name}" for check in program.checks.values() if id(check.when) in seen.held}


def _rules(call: ir.Callable, seen: Seen) -> Iterator[str]:
    """The rules of a call that was asked: roots whose condition held, and exceptions of such rules."""
    reached = {id(rule) for rule in call.roots}
    for rule in rules_of(call.roots):
        if id(rule) not in reached:
            continue
        if rule.when is None or id(rule.when) in seen.held:
            yield f"rule {rule.name} of {call.name}"
            reached |= {id(e) for e in rule.exceptions}
        for name, when in rule.suspended:
            if id(when) in seen.held:
                yield f"suspension of {rule.name} of {call.name}"
                yield f"suspension {name}"


def _modifiers(call: ir.Callable, seen: Seen) -> Iterator[str]:
    for modifiers in call.modifiers.values():
        for m in modifiers:
            if m.when is None or id(m.when) in seen.held:
                yield f"modifier {m.name} of {call.name}"


def _parts(program: ir.Program, names: set[str]) -> list[str]:
    """What procedures that were run stand for: reactions, and cases of others."""
    found = []
    for procedure in program.procedures.values():
        if procedure.case_of is None or f"procedure {procedure.name}" not in names:
            continue
        if procedure.case_of == procedure.name:
            found.append(f"reaction {procedure.name.removeprefix('reaction_')}")
        else:
            own = procedure.name.removeprefix(procedure.case_of + "__")
            found.append(f"{own} of {procedure.case_of}")
    return found
