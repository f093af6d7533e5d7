"""Explanations name the entries of tables that rules read."""

from __future__ import annotations

from pathlib import Path

from corpus_cases import compile_folder, write

from compiler.interpreter import explain_permission, explain_quantity
from grognard.explain.derivations import explain_trace
from grognard.explain.rules import Rules
from runtime.scenario import load

RULES = """# preamble
permission may_form(s: Side) allow
@rule C-1.1
deny no_room for may_form when not (every u in Unit has its own t in Type where t.move < u.moved)
"""
SETUP = """
ruleset: corpus
title: Two
sides: {top: {name: Top, goal: 3}, bottom: {name: Bottom, goal: 3}}
pieces:
  Unit:
    - {side: top, type: LI, hex: A1}
    - {side: bottom, type: HI, hex: B2}
"""


def test_an_allotment_has_no_single_entry(tmp_path: Path) -> None:
    write(RULES, tmp_path / "corpus", "case.grog")
    compilation = compile_folder(tmp_path / "corpus")
    program = compilation.compiled
    setup, findings = load(SETUP, program.spec)
    assert setup is not None, findings
    state = program.on(setup.board).new_state(setup, 1)
    trace = explain_permission(compilation.program, state, "may_form", [0])
    assert not trace.allowed
    assert [(rule.label, rule.cells) for rule in trace.refusing] == [("no_room", ())]


DICE = """# preamble
quantity dice(): int { stage ground stage total }
rule two for dice = 2
modify slope for dice stage ground by 0
modify order for dice stage ground by 1
limit few for dice stage ground at most 5
limit one for dice stage total at least 1
function first_dice(): int = dice()
"""


def test_what_changes_nothing_is_left_out_of_a_trace(tmp_path: Path) -> None:
    write(DICE, tmp_path / "corpus", "case.grog")
    compilation = compile_folder(tmp_path / "corpus")
    program = compilation.compiled
    setup, findings = load(SETUP, program.spec)
    assert setup is not None, findings
    state = program.on(setup.board).new_state(setup, 1)
    trace = explain_quantity(compilation.program, state, "dice", [])
    assert [m.rule.label for stage in trace.stages for m in stage.applied] == [
        "slope",
        "order",
        "few",
        "one",
    ]
    told = explain_trace(Rules(compilation), state, trace, setup).lines
    assert [line.text for line in told] == ["dice: 3", "2: two", "+1: order"]
