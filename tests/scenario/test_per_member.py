"""Fields kept per member of an enum, and pools of pieces, in scenarios: given, written, refused."""

from __future__ import annotations

from random import Random

import pytest

from compiler.ruleset import Ruleset
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, dump, load
from runtime.view import view

SOURCE = """
ruleset kept
sides top, bottom
measure Steps
enum Section { left, middle, right }
enum Sort { foot, guns }
board field { layout odd_r; rows 3; columns 3; }
scope turn
piece Unit {
  side: Side fixed setup
  hex: Hex place setup
  hits per Section: Steps = 0 setup
  cover per Sort: bool setup
  near per Section: set of Hex = {} setup
  plan per Section: int = 1 seen by side
}
fields of Hex { dug per Side: int = 0 setup   tracks per Sort: set of Sort = {} setup }
fields of Sort { left_over per Side: int = 4 setup }
fields of Side { points per Section: int = 0 setup }
fields of Game { stock per Sort: int setup }
procedure play() {
  each s in Side {
    choose u in Unit where u.side is s and u.hits[left] < 9 by s prompt unit
    choose x in Section by s prompt section
    set u.plan[x] = 7
    add 1 to u.hits[x]
    set u.hits[if u.plan[x] > 6 then none else x] = 0
  }
}
"""
SCENARIO = """
ruleset: kept
title: Kept
game: {stock: {foot: 3, guns: 1}}
sides:
  top: {points: {right: 2}}
fields:
  Sort: {left_over: {bottom: {guns: 2, foot: 7}}}
hexes:
  dug: {top: {2: [A1, B2]}, bottom: {1: [A1]}}
  tracks: {guns: {foot: [C1], guns: [C1, C2]}}
pieces:
  Unit:
    - {side: top, hex: [A1, A2], hits: {left: 2, right: 1}, cover: {foot: true, guns: false}}
    - {side: bottom, hex: C3, cover: {foot: false, guns: false}, near: {middle: [A1, A2]}, name: last}
    - {side: bottom, hex: B3, cover: {foot: false, guns: true}}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> CompiledProgram:
    folder = tmp_path_factory.mktemp("rules") / "kept"
    folder.mkdir()
    (folder / "kept.grog").write_text(SOURCE, encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, [str(d) for d in compilation.diagnostics]
    return compilation.compiled


def good(text: str, program: CompiledProgram) -> SetUp:
    setup, found = load(text, program.spec, name="it")
    assert not found, [str(f) for f in found]
    assert setup is not None
    return setup


def test_given(program: CompiledProgram) -> None:
    setup = good(SCENARIO, program)
    state = program.new_state(setup, 1)
    board = program.spec.board
    assert setup.game == {"stock[foot]": 3, "stock[guns]": 1}
    assert state.unit_hits__left == [2, 2, 0, 0, 0]  # type: ignore[attr-defined]
    assert state.unit_hits__middle == [0] * 5  # type: ignore[attr-defined]
    assert state.unit_near__middle[2] == 1 << board.index("A1") | 1 << board.index("A2")  # type: ignore[attr-defined]
    assert [state.hex_dug__top[board.index(h)] for h in ("A1", "B2", "C3")] == [2, 2, 0]  # type: ignore[attr-defined]
    assert state.hex_tracks__guns[board.index("C1")] == 0b11  # type: ignore[attr-defined]
    assert state.sort_left_over__bottom == [7, 2, 0]  # type: ignore[attr-defined]
    assert state.side_points__right == [2, 0, 0]  # type: ignore[attr-defined]


def test_written_and_read_again(program: CompiledProgram) -> None:
    setup = good(SCENARIO, program)
    text = dump(setup, program.spec)
    assert "hits: {left: 2, right: 1}" in text
    assert good(text, program) == setup


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("hits: {left: 2, right: 1}", "hits: {lift: 2}", "S111"),
        ("hits: {left: 2, right: 1}", "hits: 2", "S113"),
        ("hits: {left: 2, right: 1}", "hits: {left: many}", "S113"),
        ("cover: {foot: true, guns: false}", "cover: {foot: true}", "S218"),
        (", cover: {foot: false, guns: true}", "", "S218"),
        ("game: {stock: {foot: 3, guns: 1}}", "game: {stock: {foot: 3}}", "S218"),
        ("dug: {top: {2: [A1, B2]}", "dug: {2: [A1, B2]", "S111"),
        ("guns: [C1, C2]", "guns: [C1, C2, C1]", "S217"),
    ],
)
def test_refused(program: CompiledProgram, old: str, new: str, code: str) -> None:
    assert old in SCENARIO
    setup, found = load(SCENARIO.replace(old, new), program.spec, name="it")
    assert setup is None
    assert code in {f.code for f in found}, [str(f) for f in found]


def test_others_do_not_see_them(program: CompiledProgram) -> None:
    state = program.new_state(good(SCENARIO, program), 1)
    program.begin(state)
    program.answer(state, 0)
    program.answer(state, 2)
    assert state.unit_plan__right[0] == 7  # type: ignore[attr-defined]
    seen = view(state, 1)
    assert seen.data["unit_plan__right"] == [None, None, 1, 1]
    assert view(seen.sample(Random(1)), 1) == seen
    assert state.unit_hits__right == [2, 1, 0, 0, 0]  # type: ignore[attr-defined]


def test_a_pool_is_named_written_and_read_again(program: CompiledProgram) -> None:
    entries = """
    - {side: top, hex: none, cover: {foot: false, guns: false}, count: 2}
    - {side: top, hex: [A3, B1], cover: {foot: false, guns: false}, count: 2, name: cube2}
    - {side: bottom, hex: none, cover: {foot: true, guns: false}}
    - {side: bottom, hex: none, cover: {foot: true, guns: false}, count: 1}
"""
    setup = good(SCENARIO.rstrip() + entries, program)
    names = [(piece.name, piece.pool) for piece in setup.pieces["Unit"][4:]]
    assert names == [
        ("T.Unit3", 0),
        ("T.Unit4", 0),
        *(("cube21", 1), ("cube22", 1), ("cube23", 2), ("cube24", 2)),
        ("B.Unit2", -1),
        ("B.Unit3", 3),
    ]
    text = dump(setup, program.spec)
    assert 'name: "T.Unit", count: 2' in text and 'name: "cube2", count: 2' in text
    again = good(text, program)
    assert again == setup and again.hash == setup.hash
    assert good(SCENARIO.rstrip() + entries.replace(", count: 1}", "}"), program).hash != setup.hash
