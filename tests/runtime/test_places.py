"""Pieces that are alone on their places: they may change places within one ``together``, and be two nowhere else."""

from __future__ import annotations

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.program import Program
from runtime.scenario import load
from runtime.state import RulesetFault, StateBase

SOURCE = """
ruleset places
sides top, bottom
board field { layout odd_r; rows 3; columns 3; }
piece Unit { side: Side fixed setup   hex: Hex place alone setup }
procedure play() { tie }
procedure swap(u: Unit, v: Unit) {
  together {
    let h = u.hex
    together { set u.hex = v.hex }
    set v.hex = h
  }
}
procedure crowd(u: Unit, v: Unit) { together { do join(u, v) } }
procedure join(u: Unit, v: Unit) { set u.hex = v.hex }
procedure pass_through(u: Unit, v: Unit) { together { let h = u.hex   set u.hex = v.hex   set u.hex = h } }
"""
SCENARIO = """
ruleset: places
title: Places
pieces: {Unit: [{side: top, hex: A1}, {side: bottom, hex: B2}]}
"""


@pytest.fixture(scope="module", params=["compiled", "interpreted"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("rules") / "places"
    folder.mkdir()
    (folder / "places.grog").write_text(SOURCE, encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, [str(d) for d in compilation.diagnostics]
    return (
        compilation.compiled
        if request.param == "compiled"
        else InterpretedProgram(compilation.program, compilation.spec)
    )


def after(program: Program, procedure: str, *args: int) -> StateBase:
    setup, found = load(SCENARIO, program.spec)
    assert setup is not None and not found
    state = program.new_state(setup, 1)
    program.start(state, procedure, list(args))
    return state


@pytest.mark.parametrize("args", [(0, 1), (1, 0)])
def test_change_of_places(program: Program, args: tuple[int, int]) -> None:
    state = after(program, "swap", *args)
    a1, b2 = program.spec.board.index("A1"), program.spec.board.index("B2")
    assert state.unit_hex == [b2, a1, -1]  # type: ignore[attr-defined]
    assert [state.unit_at[a1], state.unit_at[b2]] == [1, 0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("args", [(0, 1), (1, 0)])
def test_through_the_place_of_another(program: Program, args: tuple[int, int]) -> None:
    state = after(program, "pass_through", *args)
    a1, b2 = program.spec.board.index("A1"), program.spec.board.index("B2")
    assert state.unit_hex == [a1, b2, -1]  # type: ignore[attr-defined]
    assert [state.unit_at[a1], state.unit_at[b2]] == [0, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize("procedure", ["crowd", "join"])
def test_two_on_a_hex(program: Program, procedure: str) -> None:
    with pytest.raises(RulesetFault, match="on one hex"):
        after(program, procedure, 0, 1)
