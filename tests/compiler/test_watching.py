"""Code that notes what it uses plays the same games as code that does not, and notes what is there to note."""

from __future__ import annotations

from random import Random

import pytest
from project import ROOT, compiled, playable, scenarios, setup_of

from compiler import ir
from compiler.emit import emit
from compiler.emit.emission import Emission, WatchedItem
from compiler.lower import lower
from compiler.ruleset import Ruleset
from grognard.coverage.watched_games import WatchedProgram, reached_rules, used_names
from runtime.model import PASS, branch_of
from runtime.scenario import load

PLACES = (
    ("cc_ancients", "scenarios/cc_ancients/akragas.yaml"),
    ("skirmish", "tests/rulesets/skirmish/meeting.yaml"),
)


@pytest.mark.parametrize(("name", "scenario"), PLACES)
def test_the_same_games(name: str, scenario: str) -> None:
    compilation = (
        compiled(name) if name == "cc_ancients" else Ruleset(ROOT / "tests/rulesets" / name)
    )
    plain = compilation.compiled
    watched: list[WatchedItem] = []
    code = emit(Emission(compilation.program, lower(compilation.program), watched)).code({})
    watching = WatchedProgram(compilation.spec, code)
    setup, findings = load(ROOT / scenario, plain.spec)
    assert setup is not None, findings
    programs = (plain.on(setup.board), watching.on(setup.board))
    states = [program.new_state(setup, 4) for program in programs]
    assert not watching.marks
    for program, state in zip(programs, states, strict=True):
        program.begin(state)
    rng = Random(4)
    for _ in range(150):
        if states[0].over:
            break
        option = rng.choice(states[0].options)
        for program, state in zip(programs, states, strict=True):
            program.answer(state, option)
        assert states[0].hash() == states[1].hash() and states[0].options == states[1].options
    assert 10 < len({m for m in watching.marks if isinstance(m, int)}) < len(watched)


@pytest.mark.parametrize("name", playable())
def test_options_that_are_taken_count(name: str) -> None:
    compilation = compiled(name)
    watched: list[WatchedItem] = []
    code = emit(Emission(compilation.program, lower(compilation.program), watched)).code({})
    setup = setup_of(next(s for s in scenarios() if s.startswith(f"{name}/")))
    watching = WatchedProgram(compilation.spec, code).on(setup.board)
    assert isinstance(watching, WatchedProgram)
    state, rng = watching.new_state(setup, 4), Random(4)
    watching.begin(state)
    taken: set[str] = set()
    for _ in range(200):
        option, node = rng.choice(state.options), compilation.program.decision_nodes[state.point]
        if isinstance(node, ir.Offer) and option != PASS:
            taken.add(
                f"option {node.branches[branch_of(option)].name} of {node.decision.procedure}"
            )
        watching.answer(state, option)
        if state.over:
            break
    assert len(taken) > 3 and taken <= used_names(watched, watching.marks)


def test_more_games_reach_more() -> None:
    compilation = compiled("cc_ancients")
    setup, findings = load(ROOT / "scenarios/cc_ancients/akragas.yaml", compilation.spec)
    assert setup is not None, findings
    told: list[tuple[int, int]] = []
    one = reached_rules(compilation, [setup], 1, 1)
    three = reached_rules(compilation, [setup], 3, 1, lambda done, of: told.append((done, of)))
    assert 300 < len(one) < len(three) <= len(compilation.program.citations)
    assert one <= three and told == [(1, 3), (2, 3), (3, 3)]
    assert reached_rules(compilation, [setup], 0, 1) == set()


def test_no_index_stands_for_what_a_filter_reads() -> None:
    compilation = compiled("cc_ancients")
    lowered = lower(compilation.program)
    plain, watching = (
        "".join(
            code.text for code in emit(Emission(compilation.program, lowered, watched)).functions
        )
        for watched in (None, [])
    )
    assert "in s.by_unit_side[" in plain
    assert "in s.by_" not in watching
