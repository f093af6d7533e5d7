"""With the optional rule ``straight_faces`` nobody can tell from the questions put to the other side which cards it holds."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from project import ROOT, program_of

from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.view import view

#: Scenario, its deck's hidden first pile, how many decisions to look at.
GAMES = {
    "cc_ancients/akragas": ("pile_stock", 250),
    "no_retreat/barbarossa_1941": ("pile_supply", 120),
}


@cache
def opened(scenario: str, switched: bool) -> tuple[Program, SetUp]:
    """A program and a scenario with the optional rule, or without."""
    program = program_of(scenario.split("/")[0])
    text = (ROOT / "scenarios" / f"{scenario}.yaml").read_text(encoding="utf-8")
    setup, findings = load(
        text + f"\nswitches: {{straight_faces: {str(switched).lower()}}}\n",
        program.spec,
        name=scenario,
    )
    assert setup is not None, findings
    return program, setup


def other_cards(state: Any, side: int, stock: str, rng: Random) -> Any:
    """The same position with other cards in the hand of the other side than *side*'s."""
    made = state.copy()
    first, hand = getattr(made, stock), made.pile_hand[1 - side]
    pool = [*first, *hand]
    rng.shuffle(pool)
    first[:], hand[:] = pool[: len(first)], sorted(pool[len(first) :])
    return made


def public(state: Any, side: int) -> dict[str, Any]:
    """What *side* sees of a state, but for who is asked and what."""
    return {
        key: value
        for key, value in view(state, side).data.items()
        if key not in ("chooser", "decision")
    }


def told(program: Program, setup: SetUp, stock: str, seed: int, longest: int) -> list[str]:
    """Where a question depends on the hand of the side that is asked, before chance or a new card decides."""
    rng = Random(seed)
    state: Any = program.new_state(setup, seed)
    program.begin(state)
    found = []
    for _ in range(longest):
        if state.over:
            break
        side = state.chooser
        other = other_cards(state, side, stock, rng)
        assert view(state, side) == view(other, side)
        for option in state.options:
            one, two = state.copy(), other.copy()
            program.answer(one, option)
            program.answer(two, option)
            chance = [
                s.counters != state.counters or s.reveals != state.reveals for s in (one, two)
            ]
            if (
                not all(chance)
                and public(one, side) == public(two, side)
                and (one.chooser, one.point, one.over) != (two.chooser, two.point, two.over)
            ):
                points = [
                    s.SPEC.decisions[s.point].prompt if s.point >= 0 else "–"
                    for s in (state, one, two)
                ]
                found.append(" / ".join(points))
        program.answer(state, rng.choice(state.options))
    return found


@pytest.mark.parametrize("scenario", GAMES)
def test_no_question_tells_of_a_hand(scenario: str) -> None:
    stock, longest = GAMES[scenario]
    for seed in range(6):
        assert told(*opened(scenario, True), stock, seed, longest) == []


@pytest.mark.parametrize("scenario", GAMES)
def test_without_the_rule_some_do(scenario: str) -> None:
    stock, longest = GAMES[scenario]
    assert any(told(*opened(scenario, False), stock, seed, longest) for seed in range(40))
