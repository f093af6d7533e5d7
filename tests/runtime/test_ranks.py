"""Ranks: how games end for each side."""

from __future__ import annotations

import pytest
from skirmish_game import load_game, new_game

from grognard.table.situation import end_sentences as told
from grognard.table.situation import in_short
from runtime.model import RulesetSpec
from runtime.runs.bots import ended
from runtime.state import LOST, TIED, WON, StateBase

PROGRAM, SETUP = load_game()
NAMES = ("Ants", "Bees", "Cats", "Dogs")


class _Spec:
    sides = NAMES


class _State(StateBase):
    SPEC: RulesetSpec = _Spec()  # type: ignore[assignment]


def finished(how: int, sides: int = 0, points: tuple[int, ...] | None = None) -> StateBase:
    state = _State()
    state.end(how, sides, points)
    return state


@pytest.mark.parametrize(
    ("how", "sides", "points", "ranks"),
    [
        (WON, 0b0001, None, (1, 2, 2, 2)),
        (WON, 0b0001, (0, 5, 9, 5), (1, 3, 2, 3)),
        (WON, 0b0110, (9, 1, 2, 4), (3, 1, 1, 4)),
        (WON, 0b1111, (9, 1, 2, 4), (1, 1, 1, 1)),
        (WON, 0, None, (2, 2, 2, 2)),
        (WON, 0, (4, 4, 1, 9), (3, 3, 5, 2)),
        (LOST, 0b0100, (1, 2, 9, 3), (4, 3, 5, 2)),
        (LOST, 0b1100, None, (2, 2, 4, 4)),
        (LOST, 0, None, (2, 2, 2, 2)),
        (TIED, 0, (4, 4, 1, 9), (1, 1, 1, 1)),
    ],
)
def test_ranks(
    how: int, sides: int, points: tuple[int, ...] | None, ranks: tuple[int, ...]
) -> None:
    state = finished(how, sides, points)
    assert state.ranks == ranks
    assert state.over == (LOST if 1 not in ranks else how)


def test_what_an_end_is_worth() -> None:
    def worth(state: StateBase) -> list[float]:
        return [round(ended(state, side), 2) for side in range(4)]

    assert worth(finished(WON, 0b0001, (0, 5, 9, 5))) == [1.0, -0.67, 0.33, -0.67]
    assert worth(finished(WON, 0b0011)) == [0.67, 0.67, -0.67, -0.67]
    assert worth(finished(TIED)) == [0, 0, 0, 0]
    assert worth(finished(LOST, 0b1000)) == [0.0, 0.0, 0.0, -1.0]
    assert max(worth(finished(WON, 0))) < 0


@pytest.mark.parametrize(
    ("state", "sentence", "short"),
    [
        (finished(WON, 0b0001), "Winner: Ants.", "won by Ants"),
        (
            finished(WON, 0b0001, (0, 5, 9, 5)),
            "Winner: Ants. Behind: 2. Cats, 3. Bees and Dogs.",
            "won by Ants",
        ),
        (finished(WON, 0b0111), "Ants, Bees and Cats win together.", "won by Ants, Bees and Cats"),
        (finished(TIED), "The game is tied.", "a tie"),
        (finished(WON), "Nobody wins.", "won by nobody"),
        (
            finished(LOST, 0b1000),
            "Nobody wins. Behind: 2. Ants, Bees and Cats, 5. Dogs.",
            "won by nobody",
        ),
    ],
)
def test_in_words(state: StateBase, sentence: str, short: str) -> None:
    assert told(state, NAMES) == sentence
    assert in_short(state, NAMES) == short


def test_a_game_that_goes_on_has_no_ranks() -> None:
    game = new_game(1)
    assert (game.ranks, game.winners, game.outcome) == ({}, (), "unfinished")
    assert game.state.to_data()["ranks"] == []
