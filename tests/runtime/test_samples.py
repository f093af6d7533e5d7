"""Samples of what is hidden: they look like what is seen, and the truth is among them as often as it should be."""

from __future__ import annotations

from collections import Counter
from math import factorial, prod
from random import Random
from typing import Any

import pytest
from hidden_games import GAMES, exchanged, hiding
from hypothesis import given, settings
from hypothesis import strategies as st
from project import placed, setup_of
from test_secrets import duel

from runtime.games.game import Game
from runtime.runs.bots import GreedyBot
from runtime.view import view

NAMES = sorted(GAMES)
seeds, steps = st.integers(0, 10**6), st.integers(0, 120)


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds, steps=steps)
@settings(max_examples=8, deadline=None)
def test_a_sample_looks_the_same_and_can_be_played(name: str, seed: int, steps: int) -> None:
    one = hiding(name)
    state = one.game(seed, steps).state
    if state.over:
        return
    rng, seen = Random(seed), view(state, state.chooser)
    for _ in range(3):
        sample: Any = seen.sample(rng)
        assert view(sample, seen.side) == seen
        for field in state.SPEC.fields:
            if field.owner != "Game":
                truth, guess = getattr(state, field.slot), getattr(sample, field.slot)
                assert all(
                    truth[i] == guess[i] for i in range(len(truth) - 1) if seen.shows(field.slot, i)
                ), field.name
        while not sample.over:
            one.program.answer(sample, rng.choice(sample.options))


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds, steps=steps, other=seeds)
@settings(max_examples=6, deadline=None)
def test_samples_depend_on_nothing_that_is_not_seen(
    name: str, seed: int, steps: int, other: int
) -> None:
    state = hiding(name).game(seed, steps).state
    if state.over:
        return
    different = exchanged(name, state, state.chooser, Random(other))
    one, two = (view(s, s.chooser).sample(Random(5)) for s in (state, different))
    assert one.content() == two.content()
    bot = GreedyBot(budget=40)
    assert (
        len(
            {
                bot.search(
                    hiding(name).program,
                    hiding(name).setup,
                    view(s, s.chooser),
                    s.options,
                    Random(5),
                )
                for s in (state, different)
            }
        )
        == 1
    )


def close(hits: int, expected: float, variance: float) -> bool:
    """Whether a number of hits is what was to be expected, give or take four standard deviations."""
    return abs(hits - expected) <= 4 * variance**0.5 + 1


def test_hidden_blocks_are_what_they_could_be_as_often_as_they_could() -> None:
    single = whole = 0
    expected, variance, expected_whole, variance_whole = 0.0, 0.0, 0.0, 0.0
    for seed in range(60):
        state: Any = hiding("blocks").game(seed, 5 + seed % 40).state
        if state.over:
            continue
        side, rng = state.chooser, Random(seed)
        kinds = list(zip(state.block_type, state.block_steps, strict=True))
        groups = [
            [
                i
                for i, o in enumerate(state.block_side[:-1])
                if o != side
                and not state.block_seers[i] >> side & 1
                and (state.block_hex[i] >= 0) is on
            ]
            for on in (True, False)
        ]
        hidden = groups[0]
        count = Counter(kinds[i] for i in hidden)
        arrangements = 1
        for group in groups:
            numbers = Counter(kinds[i] for i in group)
            arrangements *= factorial(len(group)) // prod(map(factorial, numbers.values()))
        for _ in range(40):
            sample: Any = view(state, side).sample(rng)
            guess = list(zip(sample.block_type, sample.block_steps, strict=True))
            assert Counter(guess[i] for i in hidden) == count
            if hidden:
                i = hidden[0]
                chance = count[kinds[i]] / len(hidden)
                single += guess[i] == kinds[i]
                expected, variance = expected + chance, variance + chance * (1 - chance)
            whole += guess == kinds
            expected_whole, variance_whole = (
                expected_whole + 1 / arrangements,
                variance_whole + (1 - 1 / arrangements) / arrangements,
            )
    assert expected > 100 and expected_whole > 3
    assert close(single, expected, variance)
    assert close(whole, expected_whole, variance_whole)


def test_what_was_plotted_is_guessed_among_what_could_be_plotted() -> None:
    found: Counter[str] = Counter()
    tries = 0
    for seed in range(120):
        state: Any = hiding("plotted").game(seed, 8).state
        side = state.chooser
        assert state.SPEC.decisions[state.point].secret and side == 1
        ship, rng = 0, Random(seed)
        for _ in range(20):
            sample: Any = view(state, side).sample(rng)
            tries += 1
            for field in ("first", "second", "speed"):
                column = f"ship_{field}"
                found[field] += getattr(sample, column)[ship] == getattr(state, column)[ship]
            found["goal"] += sample.side_goal[0] == state.side_goal[0]
            assert sample.ship_first[ship] in range(4)
            assert sample.ship_second[ship] in range(-1, 4)
            assert state.SPEC.board.row_of[sample.side_goal[0]] in (0, 5)
            assert sample.side_goal[1] == state.side_goal[1]
    # Four orders; none, or one that is not the first (which is guessed, too); two speeds; two rows of seven hexes.
    for field, chance in {
        "first": 1 / 4,
        "second": 13 / 64,
        "speed": 1 / 2,
        "goal": 1 / 14,
    }.items():
        assert close(found[field], tries * chance, tries * chance * (1 - chance)), (
            field,
            found[field],
            tries,
        )


CHOOSING = {
    "plotted": lambda: hiding("plotted").game(3, 8),
    "secrets": lambda: played(Game(*duel(), 1), "planner lea", "plan lunge", "mark rob", "enough"),
    "tokens": lambda: played(
        Game(
            placed("battles_of_napoleon/garcia_hernandez"),
            setup_of("battles_of_napoleon/garcia_hernandez"),
            9301,
        )
    ),
}


def played(game: Game, *actions: str) -> Game:
    """A game after these actions or, without any, when the second side chooses secretly."""
    for action in actions:
        game.play(action)
    while not actions and game.state.chooser == 0:
        game.play(0)
    return game


@pytest.mark.parametrize("name", CHOOSING)
def test_what_there_was_to_choose_tells_nothing_that_is_not_seen(name: str) -> None:
    """Where it hangs on a hand, or on another secret, it is found anew in what is guessed."""
    state: Any = CHOOSING[name]().state
    fields = [f for f in state.SPEC.fields if f.among is not None]
    kept = {f.among: f for f in state.SPEC.fields if f.among is not None}
    anew = [f for f in state.SPEC.fields if f.slot in kept and (f.owner, f.name) in state.INITIALS]
    seen, found = view(state, 1), 0
    different = state.copy()
    for f in anew:
        for i, options in enumerate(getattr(different, f.slot)[:-1]):
            if options and not seen.shows(f.slot, i):
                getattr(different, f.slot)[i] = 1
                found += options != 1
    assert anew and fields and found
    assert view(different, 1) == seen
    for seed in range(5):
        one, two = (view(s, 1).sample(Random(seed)) for s in (state, different))
        assert one.content() == two.content()


def test_what_was_chosen_from_a_hand_is_guessed_in_the_hand_that_is_guessed() -> None:
    state: Any = CHOOSING["tokens"]().state
    tokens = set()
    for seed in range(20):
        sample: Any = view(state, 1).sample(Random(seed))
        chosen = [
            t
            for t, side in zip(sample.group_secret_token, sample.group_side, strict=True)
            if side == 0
        ]
        chosen = [t for t in chosen if t >= 0]
        assert (
            chosen and set(chosen) <= set(sample.pile_drawn[0]) and len(set(chosen)) == len(chosen)
        )
        tokens |= set(chosen)
    assert len(tokens) > 10


def test_a_secret_whose_owner_is_secret_could_be_any_owners() -> None:
    game = Game(*duel(), 1)
    for action in ("planner lea", "plan lunge", "mark rob", "enough"):
        game.play(action)
    state: Any = game.state
    assert state.chooser == 1
    rng, plans = Random(1), Counter[tuple[int, ...]]()
    for _ in range(600):
        sample: Any = view(state, 1).sample(rng)
        plans[tuple(sample.fencer_order[:2])] += 1
    # Lea or Leo, a lunge or a feint: the other holds.
    assert set(plans) == {(0, 1), (1, 0), (2, 1), (1, 2)}
    assert all(close(n, 150, 600 * 3 / 16) for n in plans.values())
