"""Remembered functions give what they would give if they were worked out anew: whatever was written, copied, taken back or
left out, and however many hang on one another.

Here every function of a ruleset that could be remembered is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.emit import emit
from compiler.emit.emission import Emission
from compiler.ruleset import Ruleset
from grognard.cases.words import CaseWords
from grognard.opening import open_scenario
from runtime.model import TypeSpec
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, load
from runtime.state import RulesetFault, StateBase, values_of
from runtime.view import Unseen, view

ROOT = Path(__file__).resolve().parents[1]
GAMES = {
    "rulesets/everything": "drill",
    "rulesets/concealed": "village",
    "rulesets/blocks": "fords",
    "rulesets/plotted": "passage",
    "rulesets/secrets": "duel",
    "rulesets/mixture": "field",
    "rulesets/spaces": "delta",
}


@cache
def _both(
    name: str,
) -> tuple[CompiledProgram, CompiledProgram, SetUp, dict[str, tuple[TypeSpec, ...]]]:
    """A ruleset as it is, and with all functions remembered; its scenario; these functions with their parameters."""
    as_it_is, remembering = Ruleset(ROOT / name), Ruleset(ROOT / name)
    assert as_it_is.ok, as_it_is.diagnostics
    functions = {}
    for call in remembering.program.calls.values():
        types = [p.type for p in call.params]
        if call.kind == "function" and all(t.finite or t.kind == "bool" for t in types):
            call.remembered = True
            functions[call.name] = tuple(t.spec() for t in types)
    code = emit(Emission(remembering.program, remembering.lowered)).code({})
    program = CompiledProgram(remembering.spec, code)
    setup, findings = load(ROOT / name / f"{GAMES[name]}.yaml", program.spec)
    assert setup is not None, findings
    return as_it_is.compiled.on(setup.board), program.on(setup.board), setup, functions


def _outcome(program: CompiledProgram, state: StateBase, name: str, args: tuple[int, ...]) -> Any:
    try:
        return int(program.names[f"q_{name}"](state, *args))
    except Unseen:
        return "unseen"
    except RulesetFault as fault:
        return str(fault)


def _asked(
    state: StateBase, functions: dict[str, tuple[TypeSpec, ...]], rng: Random, most: int = 40
) -> list[tuple[str, tuple[int, ...]]]:
    """Functions with arguments, some of them none, in some order."""
    asked = []
    for name, types in functions.items():
        for _ in range(4):
            counts = [2 if t.kind == "bool" else values_of(state, t) for t in types]
            args = (
                rng.randrange(0 if t.kind == "bool" else -1, n)
                for t, n in zip(types, counts, strict=True)
            )
            asked.append((name, tuple(args)))
    rng.shuffle(asked)
    return asked[:most]


def _agree(name: str, state: StateBase, rng: Random) -> None:
    """What is remembered in a state is what an equal one without memory gives."""
    plain, program, _, functions = _both(name)
    anew = plain.state_class.from_data(state.to_data())
    for call, args in _asked(state, functions, rng):
        assert _outcome(program, state, call, args) == _outcome(plain, anew, call, args), (
            call,
            args,
        )


@pytest.mark.parametrize("name", GAMES)
def test_the_same_games(name: str) -> None:
    plain, program, setup, _ = _both(name)
    for seed in range(3):
        rng = Random(seed)
        one, other = plain.new_state(setup, seed), program.new_state(setup, seed)
        plain.begin(one)
        program.begin(other)
        for _ in range(400):
            assert other.to_data() == one.to_data()
            if one.over:
                break
            option = rng.choice(one.options)
            plain.answer(one, option)
            program.answer(other, option)


@settings(max_examples=12, deadline=None)
@given(name=st.sampled_from(list(GAMES)), seed=st.integers(0, 10_000))
def test_values_as_worked_out_anew(name: str, seed: int) -> None:
    _, program, setup, _ = _both(name)
    rng = Random(seed)
    state = program.new_state(setup, seed)
    program.begin(state)
    kept = [state.copy()]
    for _ in range(30):
        if state.over:
            break
        what = rng.randrange(10)
        if what == 0:  # a copy goes on, or an earlier one: taken back
            kept.append(state)
            state = rng.choice(kept).copy()
        elif what == 1:
            state = _sampled(state, rng)
        elif what < 5:
            _change(program, setup, state, rng)
        elif state.point >= 0:
            program.answer(state, rng.choice(state.options))
        _agree(name, state, rng)
        for side in (-1, 0, 1):
            seen = view(state, side)
            _agree(name, seen.state, rng)
            if side == state.chooser and rng.random() < 0.3:
                _agree(name, seen.sample(rng), rng)
    for one in kept:
        _agree(name, one, rng)


def _sampled(state: StateBase, rng: Random) -> StateBase:
    seen = view(state, state.chooser)
    return seen.sample(rng) if seen.own else state


def _change(program: CompiledProgram, setup: SetUp, state: StateBase, rng: Random) -> None:
    """Write into a field as cases and positions do."""
    words, spec = CaseWords(program.spec, setup), program.spec
    kinds = {
        f.owner: [p for p, (kind, _) in words.pieces.items() if kind == f.owner]
        for f in spec.fields
    }
    free = [
        f for f in spec.fields if f.type.kind in ("bool", "int") and not f.fixed and kinds[f.owner]
    ]
    if free:
        field = rng.choice(free)
        value = rng.random() < 0.5 if field.type.kind == "bool" else rng.randrange(4)
        words.set_field(state, f"{rng.choice(kinds[field.owner])}.{field.name}", value)


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(
        ["rulesets/everything", "rulesets/concealed", "rulesets/plotted", "rulesets/secrets"]
    ),
    seed=st.integers(0, 10_000),
)
def test_a_guarded_view_takes_nothing_from_who_sees_more(name: str, seed: int) -> None:
    _, program, setup, functions = _both(name)
    rng = Random(seed)
    state = program.new_state(setup, seed)
    program.begin(state)
    for _ in range(rng.randrange(25)):
        if not state.over:
            program.answer(state, rng.choice(state.options))
    asked = _asked(state, functions, rng, 200)
    for call, args in asked:  # the whole state knows all values, and so does what each side sees
        _outcome(program, state, call, args)
    for side in (-1, 0, 1):
        seen = view(state, side)
        for call, args in asked:
            _outcome(program, seen.state, call, args)
        ours = seen.guarded_state()
        theirs = view(type(state).from_data(state.to_data()), side).guarded_state()
        for call, args in asked:
            theirs.forget()
            assert _outcome(program, ours, call, args) == _outcome(program, theirs, call, args)


def test_what_no_rule_writes_is_remembered_until_it_is_written_otherwise() -> None:
    opened = open_scenario("battles_of_napoleon/first_lesson")
    program = opened.program
    state = program.new_state(opened.setup, 1)
    program.begin(state)
    before, copy = program.value_of("objectives", state), state.copy()
    CaseWords(program.spec, opened.setup).set_field(copy, "C4.objective", 3)
    assert program.value_of("objectives", copy).bit_count() == before.bit_count() + 1
    assert program.value_of("objectives", state) == before
