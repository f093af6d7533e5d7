"""Views: what a side may see, that nothing else comes through, and what could be behind."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skirmish_game import BLUE, RED, load_game, new_game, position, scramble

from runtime.runs.bots import GreedyBot
from runtime.view import view

seeds, steps = st.integers(0, 10**6), st.integers(0, 80)


def test_a_view_shows_the_own_hand_and_the_size_of_the_rest() -> None:
    state: Any = new_game(1).state
    blue, red = view(state, BLUE), view(state, RED)
    assert blue.data["pile_hand"] == [state.pile_hand[BLUE], 3]
    assert red.data["pile_hand"] == [3, state.pile_hand[RED]]
    assert blue.data["pile_draw"] == red.data["pile_draw"] == 8
    assert blue.data["pile_discard"] == []
    assert blue.unseen_cards == {"plans": Counter(state.pile_draw) + Counter(state.pile_hand[RED])}
    assert red.unseen_cards == {"plans": Counter(state.pile_draw) + Counter(state.pile_hand[BLUE])}


def test_only_the_deciding_side_sees_its_options() -> None:
    game = new_game(1)
    blue, red = view(game.state, BLUE), view(game.state, RED)
    assert blue.own
    assert list(blue.options) == game.state.options
    assert not red.own
    assert red.options == ()
    assert red.data["decision"] is None
    assert red.data["chooser"] == BLUE
    with pytest.raises(ValueError, match="its own side"):
        red.sample(Random(1))


def test_a_field_is_seen_by_its_side_alone() -> None:
    game = new_game(1)
    game.play(0)
    game.play("brace blue.guard1")
    blue, red = view(game.state, BLUE).data, view(game.state, RED).data
    assert blue["piece_braced"] == [0, 0, 1, 0, None, None, None, None]
    assert red["piece_braced"] == [None] * 4 + [0] * 4


def test_a_view_is_plain_data_without_chance_or_script() -> None:
    data = view(new_game(77, script={"fight_die": [0]}).state, BLUE).data
    assert json.loads(json.dumps(data)) == data
    assert not {"seed", "counters", "script", "frames", "reveals", "answer"} & set(data)


@given(seeds, steps, st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_what_a_side_may_not_see_changes_neither_its_view_nor_its_decision(
    seed: int, steps: int, other: int
) -> None:
    game = position(seed, steps)
    for side in (BLUE, RED):
        different = scramble(game.state, side, Random(other))
        different.seed, different.reveals = other, 0
        one, two = view(game.state, side), view(different, side)
        assert one.data == two.data
        assert one == two
        assert one.unseen_cards == two.unseen_cards
        assert one.options == two.options


@given(seeds, steps, st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_the_next_own_decision_depends_on_nothing_hidden(seed: int, steps: int, other: int) -> None:
    program, _ = load_game()
    state = position(seed, steps).state
    if state.over:
        return
    side = state.chooser
    for option in state.options:
        one, two = state.copy(), scramble(state, side, Random(other))
        program.answer(one, option)
        program.answer(two, option)
        drawn = (
            one.counters != state.counters
            or one.reveals != state.reveals
            or two.counters != state.counters
        )
        # That the other side is asked whether it reacts tells that it can: rulesets decide about that.
        if not drawn and one.chooser == two.chooser == side:
            assert view(one, side) == view(two, side)
            assert view(one, side).options == view(two, side).options


@given(seeds, steps)
@settings(max_examples=60, deadline=None)
def test_a_sample_looks_the_same_and_can_be_played(seed: int, steps: int) -> None:
    program, _ = load_game()
    state = position(seed, steps).state
    if state.over:
        return
    before = state.to_data()
    seen = view(state, state.chooser)
    rng = Random(seed)
    for _ in range(3):
        sample = seen.sample(rng)
        assert view(sample, seen.side) == seen
        assert sample.options == state.options
        while not sample.over:
            program.answer(sample, rng.choice(sample.options))
    assert state.to_data() == before
    assert view(state, state.chooser) == seen


def test_samples_deal_all_that_is_possible() -> None:
    state: Any = new_game(1).state
    seen, rng = view(state, BLUE), Random(1)
    hands = {tuple(seen.sample(rng).pile_hand[RED]) for _ in range(400)}  # type: ignore[attr-defined]
    left = seen.unseen_cards["plans"]
    possible = {
        hand
        for hand in {(a, b, c) for a in range(3) for b in range(a, 3) for c in range(b, 3)}
        if all(Counter(hand)[card] <= left[card] for card in range(3))
    }
    assert hands == possible


@given(seeds, steps, st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_a_bot_decides_by_its_view_alone(seed: int, steps: int, other: int) -> None:
    program, setup = load_game()
    state = position(seed, steps).state
    if state.over:
        return
    different = scramble(state, state.chooser, Random(other))
    different.seed = other
    bot = GreedyBot(budget=60)
    choices = [
        bot.search(program, setup, view(s, s.chooser), s.options, Random(5))
        for s in (state, different)
    ]
    assert choices[0] == choices[1]


def test_whoever_has_won_is_seen_by_all() -> None:
    game = position(1, 10**4)
    assert game.over
    for side in (BLUE, RED):
        data = view(game.state, side).data
        assert (data["over"], data["ranks"]) == (game.state.over, list(game.state.ranks))
        assert data["decision"] is None
