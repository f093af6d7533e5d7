"""What is the same for several options of a question is worked out once, and only where it is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from project import ROOT

from compiler.ruleset import Ruleset
from runtime.model import MASK, SHIFT, FieldSpec
from runtime.program import Program
from runtime.scenario import load

COLUMNS = ROOT / "tests" / "rulesets" / "columns"


def program_and_state() -> tuple[Any, Any]:
    """The program of the columns with a position in which nothing runs."""
    program = Ruleset(COLUMNS).compiled
    setup, findings = load(COLUMNS / "first.yaml", program.spec)
    assert setup is not None, findings
    program = program.on(setup.board)
    return program, program.new_state(setup, 1)


def place_of(program: Program) -> FieldSpec:
    """The field that says where a unit is."""
    return next(field for field in program.spec.fields_of("Unit") if field.place)


def counted(program: Any, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function of the module is called from now on."""
    calls: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*args, **named)

        return call

    for name, value in list(program.names.items()):
        if name.startswith(("q_", "i_", "travel_", "reach_", "way_")) and callable(value):
            monkeypatch.setitem(program.names, name, counting(name, value))
    return calls


def test_places_are_found_once_for_each_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    program, state = program_and_state()
    calls = counted(program, monkeypatch)
    program.start(state, "move_all", [0])
    assert len(state.options) > 30
    # the places of each unit, as a set or a list, and the hexes of the second part
    assert calls["travel_march"] <= 3 * 4


def test_the_same_for_all_options_is_asked_once_in_each_branch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, state = program_and_state()
    state.place(place_of(program), 4, program.spec.board.index("C2"))
    calls = counted(program, monkeypatch)
    program.start(state, "scout", [0])
    assert state.options == [0, 1, 2, 3] and not calls["travel_march"]
    program.answer(state, 0)
    branches = {option >> SHIFT & MASK for option in state.options if option >= 0}
    assert branches == {0, 1, 2}
    assert calls["q_far_ahead"] == 2
    # each unit's travel is asked for as a set, a list and costs; besides, a way for each of the hexes
    assert calls["travel_march"] - calls["way_march"] <= 4 * 6


def test_what_is_never_needed_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    program, state = program_and_state()
    for unit in range(4, 8):
        state.place(place_of(program), unit, -1)
    calls = counted(program, monkeypatch)
    program.start(state, "scout", [0])
    program.answer(state, 0)
    assert calls["q_far_ahead"] and not calls["travel_march"]
