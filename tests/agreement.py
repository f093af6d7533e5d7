"""Playing the same game by both executions of a ruleset, and saying where they part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.api import Compilation, compile_ruleset, load_program
from compiler.interpreter import InterpretedProgram
from compiler.layout import SHAPES
from runtime.model import MASK, PASS, SECOND, RulesetSpec, branch_of
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.state import StateBase


class Disagreement(AssertionError):
    """The two executions have come to different states."""


@dataclass(frozen=True)
class Pair:
    """A scenario with the compiled and the interpreted program of its ruleset."""

    compilation: Compilation
    compiled: Program
    interpreted: InterpretedProgram
    setup: SetUp


@dataclass
class Played:
    """What happened in one game."""

    actions: int
    points: set[int]
    over: int
    ranks: tuple[int, ...]


def pair(ruleset: Path, scenario: Path) -> Pair:
    """Both programs of a ruleset, with a scenario.  AssertionError, with the findings, when there are errors."""
    compilation = compile_ruleset(ruleset)
    assert compilation.ok, "\n".join(f"{d.code} {d.message} {d.span}" for d in compilation.diagnostics)
    compiled = load_program(compilation)
    setup, findings = load(scenario, compiled.spec)
    assert setup is not None, findings
    compiled = compiled.on(setup.board)
    return Pair(compilation, compiled, InterpretedProgram(compilation.program, compiled.spec), setup)


def play(both: Pair, seed: int, every: int = 10, longest: int = 5000) -> Played:
    """Play one game at random by both programs.

    Who decides, what about, the options and the log are compared at every decision; the hashes of the
    states at every *every*-th and whenever a checkpoint was passed.
    """
    chance = random.Random(seed)
    spec = both.compiled.spec
    ours, theirs = (program.new_state(both.setup, seed) for program in (both.compiled, both.interpreted))
    ours.log, theirs.log = [], []
    both.compiled.begin(ours)
    both.interpreted.begin(theirs)
    points: set[int] = set()
    action, checkpoints, last = 0, -1, "the beginning"
    while True:
        thorough = action % every == 0 or ours.checkpoints != checkpoints or ours.over != 0
        parted = list(differences(ours, theirs, thorough))
        if parted:
            raise Disagreement(f"game {seed} parts at action {action}, after {last}:\n" + "\n".join(parted))
        checkpoints = ours.checkpoints
        ours.log.clear()
        theirs.log.clear()
        if ours.over or action >= longest:
            return Played(action, points, ours.over, ours.ranks)
        option = chance.choice(ours.options)
        last = f"{describe(spec, ours, option)} of {[describe(spec, ours, o) for o in ours.options]}"
        points.add(ours.point)
        action += 1
        both.compiled.answer(ours, option)
        both.interpreted.answer(theirs, option)


def differences(ours: StateBase, theirs: StateBase, thorough: bool) -> Iterator[str]:
    """How the compiled program's state differs from the interpreter's."""
    spec = ours.SPEC
    for name in ("over", "ranks", "chooser", "point", "options", "about", "checkpoints", "reveals", "deferred"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        if mine != other:
            yield f"  {name}: compiled {mine}, interpreted {other}"
    if ours.options != theirs.options:
        for who, state in (("compiled", ours), ("interpreted", theirs)):
            yield f"  {who} offers {[describe(spec, state, o) for o in state.options]}"
    for mine, other in zip(ours.log or [], theirs.log or [], strict=False):
        if mine != other:
            yield f"  note {spec.notes[mine[0]]}: compiled {mine[1:]}, interpreted {spec.notes[other[0]]} {other[1:]}"
            at = next((i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), 0)
            yield f"    first at argument {at}"
            break
    else:
        if len(ours.log or []) != len(theirs.log or []):
            shown = [[spec.notes[n[0]] for n in state.log or []] for state in (ours, theirs)]
            yield f"  notes: compiled {shown[0]}, interpreted {shown[1]}"
    if not thorough:
        return
    # What follows from the rest, and what is put aside, is not part of the hash.
    slots = [*ours.DERIVED, "shelf"]
    if ours.hash() != theirs.hash():
        yield f"  hash: compiled {ours.hash()}, interpreted {theirs.hash()}"
        slots += ["counters", *ours.INTS, *ours.LISTS, *ours.NESTED]
    for name in slots:
        # The hash tells a truth value from a number, and so does this.
        mine, other = repr(getattr(ours, name)), repr(getattr(theirs, name))
        if mine != other:
            yield f"  {name}: compiled {mine}, interpreted {other}"
    for shape in SHAPES:
        mine, other = getattr(ours, shape.upper()), getattr(theirs, shape.upper())
        if mine != other:
            yield f"  slots of shape {shape}: compiled {mine}, interpreted {other}"


def describe(spec: RulesetSpec, state: StateBase, option: int) -> str:
    """An option, for people."""
    if state.point < 0:
        return str(option)
    decision = spec.decisions[state.point]
    if option == PASS:
        return f"{decision.passing}"
    branch = decision.options[branch_of(option)]
    values = (option & MASK, option >> SECOND)
    return " ".join([branch.word, *(str(value) for value, _ in zip(values, branch.values, strict=False))])
