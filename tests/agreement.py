"""Playing the same game by both executions of a ruleset, and saying where they part."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from compiler import lowered as low
from compiler.agreement import describe, differences
from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.program import Program
from runtime.scenario import SetUp, load

__all__ = ["Disagreement", "Pair", "Played", "describe", "differences", "pair", "play"]


class Disagreement(AssertionError):
    """The two executions have come to different states."""


@dataclass(frozen=True)
class Pair:
    """A scenario with the compiled and the interpreted program of its ruleset."""

    compilation: Ruleset
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


@cache
def _compiled(ruleset: Path) -> Ruleset:
    return Ruleset(ruleset)


def pair(ruleset: Path, scenario: Path) -> Pair:
    """Both programs of a ruleset, with a scenario.  AssertionError, with the findings, when there are errors."""
    compilation = _compiled(ruleset)
    assert compilation.ok, "\n".join(
        f"{d.code} {d.message} {d.span}" for d in compilation.diagnostics
    )
    compiled = compilation.compiled
    setup, findings = load(scenario, compiled.spec)
    assert setup is not None, findings
    compiled = compiled.on(setup.board)
    return Pair(
        compilation, compiled, InterpretedProgram(compilation.program, compiled.spec), setup
    )


def play(both: Pair, seed: int, every: int = 10, longest: int = 5000) -> Played:
    """Play one game at random by both programs.

    Who decides, what about, the options, the log and other events are compared at every decision; the hashes of the
    states at every *every*-th and whenever a checkpoint was passed.
    """
    chance = random.Random(seed)
    spec = both.compiled.spec
    ours, theirs = (
        program.new_state(both.setup, seed) for program in (both.compiled, both.interpreted)
    )
    ours.log, theirs.log, ours.events, theirs.events = [], [], [], []
    both.compiled.begin(ours)
    both.interpreted.begin(theirs)
    points: set[int] = set()
    action, checkpoints, last = 0, -1, "the beginning"
    while True:
        thorough = action % every == 0 or ours.checkpoints != checkpoints or ours.over != 0
        parted = list(differences(ours, theirs, thorough))
        if parted:
            raise Disagreement(
                f"game {seed} parts at action {action}, after {last}:\n" + "\n".join(parted)
            )
        checkpoints = ours.checkpoints
        for told in (ours.log, theirs.log, ours.events, theirs.events):
            told.clear()
        if ours.over or action >= longest:
            return Played(action, points, ours.over, ours.ranks)
        option = chance.choice(ours.options)
        last = (
            f"{describe(spec, ours, option)} of {[describe(spec, ours, o) for o in ours.options]}"
        )
        points.add(ours.point)
        action += 1
        both.compiled.answer(ours, option)
        both.interpreted.answer(theirs, option)


def all_options(both: Pair, state: Any) -> list[int]:
    """The options of the pending decision as they were if no two pieces came from one entry."""
    pools, state.pools = state.pools, None
    lowered = both.compilation.lowered
    assert lowered is not None
    ends = [(b.index, b.terminator) for b in lowered.blocks]
    asking = next(
        i
        for i, end in ends
        if isinstance(end, low.Suspend) and end.node.decision.index == state.point
    )
    probe = state.copy()
    state.pools = pools
    names = both.compiled.names  # type: ignore[attr-defined]
    probe.options = []
    names["BLOCKS"][asking](probe, probe.frames[-1])
    return list(probe.options)
