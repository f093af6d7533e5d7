"""Why a hex is not among those that a travel reaches."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from test_cells import SETUP

from grognard.explain.rules import Rules
from grognard.explain.travels import explain_travel
from runtime.scenario import load

RULES = """# preamble
travel fall_back(u: Unit, n: int) from u.hex within size(Hex) carrying gone: int = 0 {
  step a to b when row(b) < row(a) and (Unit[b] is none or Unit[b].side is u.side) then gone = gone + 1
  halt when gone >= n and Unit[b] is none
  end when gone >= n and Unit[b] is none
}
function backs(u: Unit): set of Hex = reach fall_back(u, 1)
"""


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("C1", "a move must stop at B1"),
        ("A2", "no step from A1 to A2 with gone 0:"),
    ],
)
def test_a_travel_that_carries_a_number(tmp_path: Path, target: str, why: str) -> None:
    write(RULES, tmp_path / "corpus", "case.grog")
    compilation = compile_folder(tmp_path / "corpus")
    program = compilation.compiled
    setup, findings = load(SETUP, program.spec)
    assert setup is not None, findings
    state = program.on(setup.board).new_state(setup, 1)
    board = program.spec.board
    rules = Rules(compilation, board)
    told = explain_travel(rules, state, "fall_back", [0, 1], board.index(target), setup)
    assert why in [reason.text for reason in told.reasons]
