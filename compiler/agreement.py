"""The executions of a ruleset beside each other: how their states differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from compiler.layout import SHAPES
from runtime.model import MASK, PASS, SECOND, RulesetSpec, branch_of
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: What is compared after each decision.
_COMPARED = (
    *("over", "ranks", "chooser", "point", "options", "about"),
    *("checkpoints", "reveals", "deferred"),
)


def differences(
    ours: StateBase, theirs: StateBase, thorough: bool, other: str = "interpreted"
) -> Iterator[str]:
    """How the compiled program's state differs from that of the *other* execution, with what stands
    in logs.
    """
    spec = ours.SPEC
    yield from _unlike(
        ((name, getattr(ours, name), getattr(theirs, name)) for name in _COMPARED), other
    )
    if ours.options != theirs.options:
        for who, state in (("compiled", ours), (other, theirs)):
            yield f"  {who} offers {[describe(spec, state, o) for o in state.options]}"
    yield from _notes(spec, ours.log or [], theirs.log or [])
    if ours.events is not None and theirs.events is not None and ours.events != theirs.events:
        yield f"  events: compiled {ours.events}, {other} {theirs.events}"
    if not thorough:
        return
    # What follows from the rest, and what is put aside, is not part of the hash.
    slots = [*ours.DERIVED, "shelf"]
    if ours.hash() != theirs.hash():
        yield f"  hash: compiled {ours.hash()}, {other} {theirs.hash()}"
        slots += ["counters", *ours.INTS, *ours.LISTS, *ours.NESTED]
    # The hash tells a truth value from a number, and so does this.
    yield from _unlike(
        ((name, repr(getattr(ours, name)), repr(getattr(theirs, name))) for name in slots), other
    )
    for shape in SHAPES:
        kept = (getattr(state, shape.upper()) for state in (ours, theirs))
        yield from _unlike([(f"slots of shape {shape}", *kept)], other)


def _unlike(pairs: Iterable[tuple[Any, ...]], other: str) -> Iterator[str]:
    """What differs of some things: each a name, what is compiled and what the *other* has."""
    for name, mine, its in pairs:
        if mine != its:
            yield f"  {name}: compiled {mine}, {other} {its}"


def _notes(spec: RulesetSpec, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """How the notes differ."""
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other:
            theirs_is = f"{spec.notes[other[0]]} {other[1:]}"
            yield f"  note {spec.notes[mine[0]]}: compiled {mine[1:]}, interpreted {theirs_is}"
            at = next((i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), 0)
            yield f"    first at argument {at}"
            return
    if len(ours) != len(theirs):
        shown = [[spec.notes[note[0]] for note in notes] for notes in (ours, theirs)]
        yield f"  notes: compiled {shown[0]}, interpreted {shown[1]}"


def describe(spec: RulesetSpec, state: StateBase, option: int) -> str:
    """An option, for people."""
    if state.point < 0:
        return str(option)
    decision = spec.decisions[state.point]
    if option == PASS:
        return f"{decision.passing}"
    branch = decision.options[branch_of(option)]
    values = (option & MASK, option >> SECOND)
    return " ".join(
        [branch.word, *(str(value) for value, _ in zip(values, branch.values, strict=False))]
    )


class Follower:
    """Plays by another program what is played by one, and says where they part."""

    def __init__(self, program: Program, setup: SetUp, seed: int) -> None:
        self.program = program
        self.setup = setup
        self.seed = seed
        self._last = "the beginning"

    def follow(
        self, ours: StateBase, told: Sequence[Any], option: int | None, thorough: bool
    ) -> list[str]:
        """Take *option* (None: begin) and compare with *ours*, where that *told* these notes."""
        if option is None:
            self.state = self.program.new_state(self.setup, self.seed)
        self.state.log = []
        if option is None:
            self.program.begin(self.state)
        else:
            self._last = describe(self.state.SPEC, self.state, option)
            self.program.answer(self.state, option)
        kept, ours.log = ours.log, list(told)
        try:
            parted = list(differences(ours, self.state, thorough))
        finally:
            ours.log = kept
        return [f"the two executions part after {self._last}:", *parted] if parted else []
