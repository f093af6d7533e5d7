"""Rules that never come to a decision or an end are a fault of the rules, said so by both executions."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.program import Program
from runtime.scenario import SetUp
from runtime.state import RulesetFault

HEAD = "ruleset endless\nsides a, b\nboard field { layout odd_r; rows 2; columns 2; }\nfields of Game { n: int }\n"
BODIES = {
    "a repetition that never stops": "procedure play() { choose k in 1 .. 2 by a prompt k  repeat { set n = k  if n is 9 { stop } } }",
    "a repetition with a decision that is never asked": (
        "procedure play() { choose k in 1 .. 2 by a prompt k  repeat { choose j in 1 .. k where j > 7 by a prompt j  if n is 9 { stop } } }"
    ),
    "procedures that call each other": "procedure play() { choose k in 1 .. 2 by a prompt k  do again() }\nprocedure again() { do again() }",
    "procedures that call each other before anybody is asked": (
        "procedure play() { do again() }\nprocedure again() { do more() }\nprocedure more() { do again() }"
    ),
}


def programs(folder: Path, body: str) -> list[Program]:
    """Both programs of a small ruleset."""
    (folder / "endless.grog").write_text(HEAD + body + "\n", encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, compilation.diagnostics
    return [
        compilation.compiled,
        InterpretedProgram(compilation.program, compilation.spec),
    ]


@pytest.mark.parametrize("name", BODIES)
def test_a_fault_of_the_rules(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "endless"
    folder.mkdir()
    for program in programs(folder, BODIES[name]):
        state = program.new_state(SetUp("endless", "Endless"), 1)
        with pytest.raises(RulesetFault):
            program.begin(state)
            program.answer(state, state.options[0])
