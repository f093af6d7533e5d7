"""The invariants hold in random games, and each of them notices what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from skirmish_game import load_game, new_game, position

from runtime.runs.invariants import check_options, check_state, check_texts, check_views, fuzz_game


@pytest.mark.parametrize("seed", range(4))
def test_random_games_keep_every_invariant(seed: int) -> None:
    assert fuzz_game(*load_game(), seed).problems == []


def break_place(s: Any) -> None:
    s.piece_hex[0] = s.piece_hex[1]


def break_index(s: Any) -> None:
    s.piece_at[5] = 3


def break_sentinel(s: Any) -> None:
    s.piece_steps[-1] = 1


def break_measure(s: Any) -> None:
    s.piece_steps[0] = -1


def break_bool(s: Any) -> None:
    s.piece_ordered[0] = 2


def break_set(s: Any) -> None:
    s.game_last_rolled = 8


def lose_card(s: Any) -> None:
    for pile in (s.pile_draw, *s.pile_hand):
        pile[:] = [c for c in pile if c != 2]


def double_card(s: Any) -> None:
    s.pile_discard += [2, 2, 2, 2]


def unsort_hand(s: Any) -> None:
    s.pile_hand[0] = [1, 0, 1]


def fill_nobodys_hand(s: Any) -> None:
    s.pile_hand[-1].append(0)


def drop_options(s: Any) -> None:
    s.options = s.options[:1]


def double_option(s: Any) -> None:
    s.options = [*s.options, s.options[0]]


def invent_option(s: Any) -> None:
    s.options = [*s.options, 7 << 16]


def invent_value(s: Any) -> None:
    s.options = [*s.options, 9]


def invent_pass(s: Any) -> None:
    s.options = [*s.options, -1]


def ask_nobody(s: Any) -> None:
    s.chooser = 5


def ask_nothing(s: Any) -> None:
    s.point = 99


def ask_after_the_end(s: Any) -> None:
    s.over = 1


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (break_place, "piece_at"),
        (break_index, "piece_at[5] is 3"),
        (break_sentinel, "last entry of piece_steps"),
        (break_measure, "piece_steps[0] is -1"),
        (break_bool, "piece_ordered[0] is 2"),
        (break_set, "game_last_rolled"),
        (lose_card, "have vanished"),
        (double_card, "there are only 3"),
        (unsort_hand, "out of order"),
        (fill_nobodys_hand, "last part of pile_hand"),
        (drop_options, "only 1 options"),
        (double_option, "there twice"),
        (invent_option, "is no option"),
        (invent_value, "with value 9"),
        (invent_pass, "not allowed"),
        (ask_nobody, "side 5 decides"),
        (ask_nothing, "no decision 99"),
        (ask_after_the_end, "asks on"),
    ],
)
def test_each_invariant_notices(damage: Callable[[Any], None], message: str) -> None:
    state = new_game(1).state
    assert check_state(state) == []
    damage(state)
    assert any(message in line for line in check_state(state)), check_state(state)


def test_measures_may_be_declared_to_go_below_zero() -> None:
    state = new_game(1).state
    break_measure(state)
    assert check_state(state, signed=("Steps",)) == []


def test_options_of_one_name_are_noticed() -> None:
    game = position(1, 1)
    assert check_texts(game) == []
    game._decision = None
    game.state.options = [game.state.options[0]] * 2
    assert any("are called" in line for line in check_texts(game))


def test_views_are_checked() -> None:
    state: Any = new_game(1).state
    assert check_views(state, Random(1)) == []
    state.pile_hand[1].append(7)
    assert any("are no cards" in line for line in check_views(state, Random(1)))


@pytest.mark.parametrize(
    ("over", "ranks", "found"),
    [
        (0, (1, 2), "goes on, and has the ranks"),
        (1, (), "over with the ranks"),
        (1, (1, 2), ""),
        (1, (2, 2), "over with the ranks"),
        (1, (1, 3), "over with the ranks"),
        (2, (1, 1), ""),
        (2, (1, 2), "over with the ranks"),
        (3, (2, 2), ""),
        (3, (1, 2), "over with the ranks"),
    ],
)
def test_ranks(over: int, ranks: tuple[int, ...], found: str) -> None:
    state = new_game(1).state.copy()
    state.over, state.ranks = over, ranks
    if over:
        state.frames, state.options, state.point = [], [], -1
    problems = check_options(state)
    assert any(found in problem for problem in problems) if found else problems == []
