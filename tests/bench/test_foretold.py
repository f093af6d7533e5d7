"""What of a standing foretells who wins."""

from __future__ import annotations

from bench.games.foretold import Valued, table, worths_of
from grognard.opening import open_scenario


def test_the_table_has_what_tells_most_first_below_the_whole() -> None:
    games = [
        Valued(True, {0: {"standing": 0, "a": 0, "b": 0}, 1: {"standing": 5, "a": 1, "b": 4}}),
        Valued(False, {0: {"standing": 0, "a": 0, "b": 0}, 1: {"standing": 5, "a": 2, "b": 3}}),
        Valued(False, {0: {"standing": 0, "a": 0, "b": 0}, 1: {"standing": 2, "a": 2, "b": 0}}),
    ]
    assert list(table(games)) == [
        "| | after 0 | after 1 |",
        "|---|---|---|",
        "| standing |  | 75% (±1) |",
        "| b |  | 100% (±2) |",
        "| a |  | 0% (±0) |",
    ]


def test_what_weights_make_of_a_standing() -> None:
    opened = open_scenario("no_retreat/barbarossa_1941")
    program, state = opened.program, opened.program.new_state(opened.setup, 1)
    program.begin(state)
    without = {"victory_point": program.with_weights({"victory_point": 0})}
    parts = worths_of(program, without, state)
    lead = (12 - 22) * 2 * program.spec.weights["victory_point"].value
    assert parts["victory_point"] == lead
    assert parts["standing"] == program.standing(state, 0) - program.standing(state, 1)
