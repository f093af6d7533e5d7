"""The compiled program and the reference interpreter are the same game.

``GROGNARD_AGREEMENT_GAMES`` sets how many games are played with each small ruleset.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import agreement
import pytest
from project import sampled, scenarios

from compiler import ir
from compiler.check.analysis import travel_expressions
from compiler.interpreter import explain_permission, explain_quantity
from compiler.ruleset import Ruleset
from compiler.trees import walk
from runtime.runs.forecast import arguments, foresee, of_option
from runtime.state import StateBase
from runtime.view import view

ROOT = Path(__file__).resolve().parent.parent
GAMES = int(os.environ.get("GROGNARD_AGREEMENT_GAMES", "2"))
EVERYTHING = ROOT / "tests/rulesets/everything"
_BESIDE = ("style.yaml", "rulebook.yaml")
SCENARIOS = sorted(
    p
    for p in (*ROOT.glob("tests/rulesets/*/*.yaml"), *ROOT.glob("scenarios/*/*.yaml"))
    if p.name not in _BESIDE and p != EVERYTHING / "drill.yaml"  # it has a test of its own
)


def _ruleset(scenario: Path) -> Path:
    beside = scenario.parent
    return beside if any(beside.glob("*.grog")) else ROOT / "rulesets" / beside.name


@cache
def _pair(scenario: Path) -> agreement.Pair:
    return agreement.pair(_ruleset(scenario), scenario)


def _everything() -> agreement.Pair:
    return _pair(EVERYTHING / "drill.yaml")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_same_games(scenario: Path) -> None:
    ruleset = _ruleset(scenario)
    if ruleset.parent.name == "rulesets" and ruleset.parent.parent == ROOT:
        compilation = Ruleset(ruleset)
        if not compilation.ok:
            pytest.skip(f"{ruleset.name} does not compile: {compilation.diagnostics[0].message}")
    name = f"{scenario.parent.name}/{scenario.stem}"
    small = name not in scenarios()
    for seed in range(GAMES if small else 1):
        whole = small or name in sampled()
        agreement.play(_pair(scenario), seed, longest=5000 if whole else 50)


def test_every_decision_is_asked() -> None:
    """In its games, in which all have been compared."""
    both = _everything()
    asked: set[int] = set()
    for seed in range(GAMES):
        asked |= agreement.play(both, seed).points
    assert [d.prompt for d in both.compiled.spec.decisions if d.index not in asked] == []


def _logs(procedure: str) -> list[list[tuple[Any, ...]]]:
    both = _everything()
    logs = []
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        state.log = []
        program.start(state, procedure, [])
        logs.append([(both.compiled.spec.notes[number], *values) for number, *values in state.log])
    return logs


def test_same_travels_and_lines_everywhere() -> None:
    compiled, interpreted = _logs("survey")
    parted = next(((a, b) for a, b in zip(compiled, interpreted, strict=True) if a != b), None)
    assert parted is None
    assert len(compiled) > 1000


def test_values_that_the_specification_states() -> None:
    """Both executions could err alike: these are worked out by hand."""
    expected = [
        ("division", 3, -4, 3, 1, 0, 0),
        ("nothing", -1, 0, -1, 0, -1, 0, -1, 0, 0, -1, -1),
        ("harmless", 1, 1, 0, 0, 0, -1, -1),
        ("empty", 0, 0, 4, 3, 1, 0),
        ("sets", 0b111, 0b100, 1, 1, 0, 0b110100),
        ("unset", -1, -1, 1),
        ("order", 1, 2, 0, 2, 1, 1),
        ("places", 1 << 1 | 1 << 7, 1 << 1 | 1 << 7, 1, 6, 0),
    ]
    compiled, interpreted = _logs("facts")
    assert interpreted == expected
    assert compiled == expected


def test_a_reaction_of_nobody_does_not_close_the_window() -> None:
    both = _everything()
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        state.game_active = 1  # type: ignore[attr-defined]
        program.start(state, "raise_alarm", [-1, -1])
        words = [agreement.describe(program.spec, state, option) for option in state.options]
        assert (state.chooser, words) == (1, ["calm", "decline"])


# --------------------------------------------------------------------------- the ruleset shows everything


def below(value: Any) -> Iterator[Any]:
    """*value* and all nodes in it."""
    if isinstance(value, ir.Expr):
        yield from walk(value)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from below(item)
    elif isinstance(value, ir.Stmt | ir.Branch | ir.Ranging):
        yield value
        for name in value.__dataclass_fields__:
            yield from below(getattr(value, name))
    elif isinstance(value, ir.Rule):
        yield value
        yield from below(
            [value.when, value.value, value.exceptions, [when for _, when in value.suspended]]
        )
    elif isinstance(value, ir.Modifier):
        yield value
        yield from below([value.when, value.value])


def _nodes(program: ir.Program) -> Iterator[Any]:
    """Every checked expression and step."""

    for call in program.calls.values():
        yield from below([call.body, call.roots, *call.modifiers.values()])
    for travel in program.travels.values():
        yield from below(travel_expressions(travel))
    for procedure in program.procedures.values():
        yield from below(procedure.body)
    for check in program.checks.values():
        yield from below([check.when, check.body])
    yield from below(list(program.initials.values()))


def _subclasses(base: type) -> set[str]:
    return {
        cls.__name__
        for cls in vars(ir).values()
        if isinstance(cls, type) and issubclass(cls, base) and cls is not base
    }


def test_the_ruleset_uses_every_construct() -> None:
    program = _everything().compilation.program
    nodes = list(_nodes(program))
    used = {type(node).__name__ for node in nodes}
    assert (_subclasses(ir.Expr) | _subclasses(ir.Stmt)) - used == set()

    def having(kind: type, name: str) -> set[Any]:
        return {getattr(node, name) for node in nodes if isinstance(node, kind)}

    from compiler.check.expressions.services import SERVICES

    assert having(ir.Quant, "kind") == {
        "some",
        "no",
        "every",
        "count",
        "all",
        "first",
        "sum",
        "most",
        "least",
    }
    assert having(ir.Service, "name") == set(SERVICES) - {"show"}  # that one is the value itself
    assert having(ir.Op, "op") == {"+", "-", "*", "/", "mod", "|", "&~"}
    assert having(ir.Compare, "op") >= {"==", "!=", "<", ">", ">="}
    assert having(ir.Logic, "op") == {"and", "or"}
    assert having(ir.SetField, "op") == {"=", "+", "-", "|", "&~"}
    assert having(ir.Modifier, "op") == {"by", "most", "least"}
    assert having(ir.Rule, "verdict") == {"", "allow", "deny"}
    assert (
        having(ir.Offer, "once")
        == having(ir.SetEffect, "on")
        == having(ir.Expire, "checkpoint")
        == {True, False}
    )
    assert {node.pass_when is None for node in nodes if isinstance(node, ir.Choose)} == {
        True,
        False,
    }
    assert {node.pass_when is None for node in nodes if isinstance(node, ir.Offer)} == {True, False}
    assert {node.times is None for node in nodes if isinstance(node, ir.Repeat)} == {True, False}
    assert {node.into is None for node in nodes if isinstance(node, ir.Shuffle)} == {True, False}
    assert having(ir.Finish, "how") == {"win", "lose", "tie"}
    assert {effect.param is None for effect in program.effects.values()} == {True, False}
    assert {pile.visibility for pile in program.piles.values()} == {"hidden", "owner", "open"}
    lines = {
        (node.obstacle is None, node.barrier is None) for node in nodes if isinstance(node, ir.Line)
    }
    assert lines == {(False, True), (True, False), (False, False)}
    assert {bool(travel.carried) for travel in program.travels.values()} == {True, False}
    stays = [stay for travel in program.travels.values() for stay in travel.stays]
    assert (
        {stay.when is None for stay in stays}
        == {stay.cost is None for stay in stays}
        == {True, False}
    )
    assert any(node.suspended for node in nodes if isinstance(node, ir.Rule))
    assert any(
        inner.exceptions for node in nodes if isinstance(node, ir.Rule) for inner in node.exceptions
    )


# --------------------------------------------------------------------------- why and why not


def _started() -> tuple[ir.Program, StateBase]:
    both = _everything()
    state = both.compiled.new_state(both.setup, 1)
    both.compiled.begin(state)
    return both.compilation.program, state


def _unit(state: StateBase, label: str) -> int:
    return int(state.unit_at[state.SPEC.board.index(label)])  # type: ignore[attr-defined]


def test_why_a_quantity_has_its_value() -> None:
    program, state = _started()
    ours, theirs = _unit(state, "E3"), _unit(state, "B3")
    mode = program.enums["Mode"].index("attack")
    trace = explain_quantity(program, state, "dice", [ours, theirs, mode])
    assert (trace.decided.label, trace.decided.citations, trace.base, trace.beaten) == (
        "printed",
        ("EV-2.2",),
        3,
        (),
    )
    applied = {a.rule.label: (a.op, a.amount) for stage in trace.stages for a in stage.applied}
    assert applied["ever"] == ("least", 1)
    assert [stage.name for stage in trace.stages] == ["ground", "card"]
    assert trace.value == trace.stages[-1].value

    state.unit_blocks[ours] = 1  # type: ignore[attr-defined]
    trace = explain_quantity(
        program, state, "dice", [ours, theirs, program.enums["Mode"].index("reply")]
    )
    assert trace.decided.label == "tired"
    assert [rule.label for rule in trace.beaten] == ["printed"]
    assert [(rule.label, by) for rule, by in trace.suspended] == [("replying", "replying")]
    assert trace.decided.span.file.endswith("rules.grog")


def test_why_a_permission_refuses() -> None:
    program, state = _started()
    board = state.SPEC.board
    heavy, light = _unit(state, "E3"), _unit(state, "E2")
    refused = explain_permission(program, state, "may_enter", [heavy, board.index("E2")])
    assert not refused.allowed
    assert [(rule.label, rule.citations) for rule in refused.refusing] == [
        ("occupied", ("EV-3.1",))
    ]
    # The exception of the light unit is itself excepted: the hex is the home of who stands there.
    twice = explain_permission(program, state, "may_enter", [light, board.index("E3")])
    assert [rule.label for rule in twice.refusing] == ["occupied", "not_home"]
    assert [(rule.label, [r.label for r in by]) for rule, by in twice.excepted] == [
        ("own_light", ["not_home"])
    ]
    state.unit_home[heavy] = -1  # type: ignore[attr-defined]
    allowed = explain_permission(program, state, "may_enter", [light, board.index("E3")])
    assert allowed.allowed and allowed.refusing == ()
    assert [(rule.label, [r.label for r in by]) for rule, by in allowed.excepted] == [
        ("occupied", ["own_light"])
    ]
    # Nothing allows: nobody refuses either.
    rest = explain_permission(program, state, "may_rest", [heavy])
    assert rest.default == "deny"


def test_what_is_asked_about_must_exist() -> None:
    program, state = _started()
    with pytest.raises(ValueError, match="no quantity 'may_enter'"):
        explain_quantity(program, state, "may_enter", [0, 0])


def test_a_copy_can_be_looked_at_but_not_played_on() -> None:
    both = _everything()
    state = both.interpreted.new_state(both.setup, 5)
    both.interpreted.begin(state)
    copy = state.copy()
    assert copy.hash() == state.hash()
    assert both.interpreted.standing(copy, 0) == both.interpreted.standing(state, 0)
    with pytest.raises(RuntimeError, match="copied"):
        both.interpreted.answer(copy, copy.options[0])
    both.interpreted.answer(state, state.options[0])
    assert copy.hash() != state.hash()


@pytest.mark.parametrize("scenario", ["drill", "elsewhere"])
def test_hexes_by_name_are_those_with_the_same_labels_on_every_board(scenario: str) -> None:
    both = _pair(EVERYTHING / f"{scenario}.yaml")
    board, logs = both.compiled.spec.board, []
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        state.log = []
        program.start(state, "named_places", [])
        logs.append([(program.spec.notes[number], *values) for number, *values in state.log])
    assert logs[0] == logs[1]
    a1, b2, f7 = (board.index(label) for label in ("A1", "B2", "F7"))
    found = {name: values for name, *values in reversed(logs[0])}
    assert found["post"] == [a1, 1 << a1 | 1 << b2, a1, f7, a1, 1]
    assert found["changed"] == [a1, 1 << a1]
    assert found["back"] == [f7, 1 << a1 | 1 << f7, board.size, 1 << a1 | 1 << f7]
    assert [values[1] for name, *values in logs[0] if name == "seen_from"] == [
        board.distance(h, a1) + board.distance(h, f7) for h in range(board.size)
    ]


@pytest.mark.parametrize("procedure", ["treks", "sights"])
def test_same_travels_over_a_hex_and_same_sights(procedure: str) -> None:
    both, logs = _everything(), []
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        state.log = []
        program.start(state, procedure, [])
        logs.append(state.log)
    assert logs[0] == logs[1] and len(logs[0]) > 500


def test_forecasts_say_the_same() -> None:
    both, rng, found, seed = _everything(), random.Random(3), 0, 0
    spec, state = both.compiled.spec, both.compiled.new_state(both.setup, 0)
    both.compiled.begin(state)
    while found < 4:
        if state.over:
            seed += 1
            assert seed < 9, "hardly any forecast in many games"
            state = both.compiled.new_state(both.setup, seed)
            both.compiled.begin(state)
        for option in state.options:
            for forecast in of_option(spec, state.point, option):
                args = arguments(spec, state.point, option, state.about)
                seen = view(state, state.chooser)
                if forecast.takes:  # the interpreter cannot go on in a copy
                    continue
                programs = both.compiled, both.interpreted
                one, other = (
                    foresee(program, seen, forecast, args, random.Random(1), times=5, most=most)
                    for program, most in zip(programs, (4_000, 200), strict=True)
                )
                if one.exact and other.exact:  # the interpreter joins no ways
                    assert replace(one, ways=0) == replace(other, ways=0), (forecast.name, args)
                    found += 1
                one, other = (
                    foresee(program, seen, forecast, args, random.Random(1), times=20, most=0)
                    for program in programs
                )
                assert one.exact or one == other, (forecast.name, args)
        both.compiled.answer(state, rng.choice(state.options))
