"""What holds all through a game of Commands & Colors: Napoleonics, whatever is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from project import placed, setup_of

TRACKS = ("pile_track_1", "pile_track_2", "pile_track_3", "pile_track_4")


def wrong(state: Any, before: dict[int, int]) -> str:
    """What does not hold, in words; nothing when all does. *before*: where squares stood."""
    piles = [state.pile_stock, state.pile_inplay, state.pile_discard, *state.pile_hand, *state.pile_scouted]
    on_tracks = [pile for name in TRACKS for pile in getattr(state, name)]
    if sum(map(len, [*piles, *on_tracks])) != 70:
        return "cards are lost or made"
    for side in range(2):
        slots = sorted(s for u, s in enumerate(state.unit_slot[:-1]) if s >= 0 and state.unit_side[u] == side)
        held = sorted(i for i, name in enumerate(TRACKS) if getattr(state, name)[side])
        if slots != held:
            return f"squares in slots {slots}, cards in {held}"
    for unit, slot in enumerate(state.unit_slot[:-1]):
        if slot >= 0 and before.get(unit, state.unit_hex[unit]) != state.unit_hex[unit]:
            return f"square {unit} has moved"
    standing = [h for h in state.unit_hex[:-1] if h >= 0]
    if len(standing) != len(set(standing)):
        return "two units on a hex"
    return ""


@pytest.mark.parametrize("scenario", ["cc_napoleonics/muster", "cc_napoleonics/rolica_1"])
def test_cards_squares_and_hexes(scenario: str) -> None:
    program, setup = placed(scenario), setup_of(scenario)
    formed = 0
    for seed in range(3):
        state = program.new_state(setup, seed)
        program.begin(state)
        rng = Random(seed)
        before: dict[int, int] = {}
        round_ = 0
        while not state.over:
            assert wrong(state, before) == "", f"seed {seed}, round {state.game_round}"
            before = {u: state.unit_hex[u] for u, s in enumerate(state.unit_slot[:-1]) if s >= 0}
            formed += len(before)
            if state.game_round != round_:
                round_ = state.game_round
                for side in range(2):
                    held = len(state.pile_hand[side]) + sum(len(getattr(state, t)[side]) for t in TRACKS)
                    assert held == state.side_command[side], f"seed {seed}, round {round_}"
            program.answer(state, rng.choice(state.options))
    assert formed > 0
