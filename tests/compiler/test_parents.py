"""Common parents of piece kinds: what moving fields to one changes (nothing), what extensions and scenarios may say."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from compiler.sources.folders import find_in
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.model import TypeSpec
from runtime.program import Program
from runtime.scenario import SetUp, load

HEAD = """ruleset game
sides red, blue
board field { layout odd_r; rows 4; columns 5; letters up; }
scope turn checkpoint
"""
#: The same game twice: with the fields in each kind, and with a parent that has them.
APART = """
piece Unit {
  hex: Hex place alone setup
  strength: int = 3
  side: Side fixed setup
  ordered: bool = false lasts turn
  moved: bool = false lasts turn
}
piece Leader {
  hex: Hex place alone setup
  side: Side fixed setup
  ordered: bool = false lasts turn
  fame: int = 1 lasts turn
}
permission may_order_unit(u: Unit) allow
deny ordered for may_order_unit when u.ordered
deny weak for may_order_unit when u.strength < 2
permission may_order_leader(l: Leader) allow
deny ordered for may_order_leader when l.ordered
procedure tire_unit(u: Unit) { set u.ordered = true  take 1 from u.strength }
procedure tire_leader(l: Leader) { set l.ordered = true  add 1 to l.fame }
function taken(h: Hex): bool = Unit[h] is not none or Leader[h] is not none
function order_unit(u: Unit): bool = may_order_unit(u)
function order_leader(l: Leader): bool = may_order_leader(l)
"""
TOGETHER = """
piece Counter {
  ordered: bool = false lasts turn
  hex: Hex place alone setup
  side: Side fixed setup
}
piece Unit of Counter {
  strength: int = 3
  moved: bool = false lasts turn
}
piece Leader of Counter { fame: int = 1 lasts turn }
permission may_order(c: Counter) allow
deny ordered for may_order when c.ordered
deny weak for may_order when c in Unit and c.strength < 2
procedure tire(c: Counter) {
  set c.ordered = true
  if c in Unit { take 1 from c.strength } else { add 1 to c.fame }
}
procedure tire_unit(u: Unit) { do tire(u) }
procedure tire_leader(l: Leader) { do tire(l) }
function taken(h: Hex): bool = Counter[h] is not {}
function order_unit(u: Unit): bool = may_order(u)
function order_leader(l: Leader): bool = may_order(l)
"""
PLAY = """
procedure play() {
  repeat 5 times {
    each s in Side {
      offer by s prompt act {
        unit(u in Unit where u.side is s and order_unit(u), h in neighbors(u.hex) where not taken(h)) {
          set u.hex = h
          set u.moved = not u.moved
          do tire_unit(u)
        }
        lead(l in Leader where l.side is s and order_leader(l) and l.fame < 3) { do tire_leader(l)  set l.ordered = l.fame > 2 }
        pass done
      }
    }
    expire turn
  }
}
"""
SCENARIO = """
ruleset: game
title: Apart and together
pieces:
  Unit:
    - {side: red, hex: [A1, A2, B2]}
    - {side: blue, hex: [D4, C4]}
  Leader:
    - {side: red, hex: A1}
    - {side: blue, hex: D3}
"""


def compiled(folder: Path, text: str) -> Ruleset:
    folder.mkdir(parents=True)
    (folder / "rules.grog").write_text(text, encoding="utf-8")
    compilation = Ruleset(folder, find_in(folder.parent))
    assert compilation.ok, compilation.diagnostics
    return compilation


def ready(compilation: Ruleset, scenario: str = SCENARIO) -> tuple[Program, SetUp]:
    program = compilation.compiled
    setup, findings = load(scenario, program.spec)
    assert setup is not None, findings
    return program, setup


def test_hashes_stay_when_fields_move_to_a_parent(tmp_path: Path) -> None:
    games = [
        ready(compiled(tmp_path / name / "game", HEAD + text + PLAY))
        for name, text in (("apart", APART), ("together", TOGETHER))
    ]
    compared = 0
    for seed in range(10):
        one, two = (Game(program, setup, seed) for program, setup in games)
        rng = Random(seed)
        while not one.over:
            assert one.decision is not None and two.decision is not None
            texts = [option.text for option in one.decision.options]
            assert texts == [option.text for option in two.decision.options]
            assert one.state.hash() == two.state.hash()
            chosen = rng.choice(texts)
            one.play(chosen)
            two.play(chosen)
            compared += 1
        assert two.over and one.state.hash() == two.state.hash()
        assert Record.of(one).entries == Record.of(two).entries
    assert compared > 100


def test_a_call_about_a_kind_is_written_out_for_it(tmp_path: Path) -> None:
    lonely = "deny lonely for may_order when no d in Counter where d is not c and adjacent(d.hex, c.hex)\n"
    compilation = compiled(tmp_path / "game", HEAD + TOGETHER + lonely + PLAY)
    assert compilation.emitted is not None
    functions = {
        name: code.text
        for code in compilation.emitted.functions
        for name in [code.text.partition("(")[0]]
    }
    assert {"def q_may_order", "def q_may_order__Unit", "def q_may_order__Leader"} <= set(functions)
    assert "s.unit_ordered[v_c]" in functions["def q_may_order__Unit"]
    assert "strength" not in functions["def q_may_order__Leader"]


BASE = """ruleset base
sides red, blue
enum Arm { foot, horse }
board field { layout odd_r; rows 4; columns 5; letters up; }
scope turn
piece Marker { side: Side fixed setup  hex: Hex place alone setup  worth: int = 1  old: int = 0 }
piece Fort of Marker { walls: int = 2 }
piece Mine of Marker { }
permission may_use(m: Marker) allow
deny no_mines for may_use when m in Mine
procedure play() { each m in Marker where may_use(m) { note worth(m, m.worth, m.old) } }
"""
MORE = """ruleset more extends base
extend piece Marker { tired: bool = false lasts turn  kept per Arm: int = 0 }
extend piece Fort { height: int = 1 }
piece Tower of Marker { bells: int = 3 }
drop piece Mine
drop rule no_mines
drop field Marker.old
replace procedure play() {
  each m in Marker where may_use(m) and not m.tired {
    add 1 to m.worth
    set m.tired = true
    add 1 to m.kept[foot]
    if m in Tower { take 1 from m.bells } else { add 1 to m.height }
    note worth(m, m.worth, m.kept[foot])
  }
}
"""
FORTS = """
ruleset: more
title: Forts and towers
pieces:
  Fort: [{side: red, hex: A1, name: fort}]
  Tower: [{side: red, hex: A1, name: tower}, {side: blue, hex: B2, name: belfry}]
"""


@pytest.fixture
def more(tmp_path: Path) -> Ruleset:
    compiled(tmp_path / "base", BASE)
    return compiled(tmp_path / "more", MORE)


def test_an_extension_adds_kinds_and_fields_to_a_parent(more: Ruleset) -> None:
    program, setup = ready(more, FORTS)
    assert program.spec.parents == {"Marker": ("Fort", "Tower")}
    for one in (program, InterpretedProgram(more.program, program.spec)):
        state: Any = one.new_state(setup, 1)
        state.log = []
        one.begin(state)
        assert state.log == [(0, i, 2, 1) for i in range(3)]
        assert (
            state.fort_height[:-1],
            state.tower_bells[:-1],
            state.fort_tired[:-1],
            state.n_marker,
        ) == ([2], [2, 2], [1], 3)
        with pytest.raises(AttributeError):
            _ = state.fort_old


def test_a_scenario_names_kinds_and_refers_to_pieces_of_their_parent(more: Ruleset) -> None:
    program, setup = ready(more, FORTS)
    setup_, findings = load(FORTS.replace("  Fort:", "  Marker:"), program.spec)
    assert setup_ is None
    assert [(f.code, f.remedy) for f in findings] == [
        ("S111", "no piece is only a Marker: write Fort or Tower")
    ]
    game = Game(program, setup, 1)
    marker = TypeSpec("piece", "Marker")
    assert [game.names.name(marker, i) for i in range(3)] == ["fort", "tower", "belfry"]
    kinds = program.spec.kinds_of("Marker")
    assert [setup.own_number(kinds, i) for i in range(-1, 4)] == [
        ("", -1),
        ("Fort", 0),
        ("Tower", 0),
        ("Tower", 1),
        ("", -1),
    ]
    assert [setup.common_number(kinds, *own) for own in (("Fort", 0), ("Tower", 1))] == [0, 2]
