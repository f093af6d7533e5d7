"""Options that nobody could tell apart are one, and no others are."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import agreement
import pytest

from runtime.alike import merged, told_apart
from runtime.bitsets import bits
from runtime.games.game import Game
from runtime.model import MASK, PASS, SECOND, branch_of

TABLE = Path(__file__).resolve().parents[1] / "rulesets" / "cubes"
OWN = ("cube_color", "cube_side", "cube_hex", "cube_worn", "cube_weary")


@pytest.fixture(scope="module")
def both() -> agreement.Pair:
    return agreement.pair(TABLE, TABLE / "table.yaml")


def seen(
    state: Any, cubes: tuple[int, int] = (0, 0), banners: tuple[int, int] = (0, 0)
) -> tuple[Any, ...]:
    """All that can be seen of a state but the options, had two cubes each other's number, and two banners."""
    swap = dict(zip(cubes, reversed(cubes), strict=True))

    def column(slot: str, pair: tuple[int, int]) -> list[int]:
        values = list(getattr(state, slot))
        i, j = pair
        values[i], values[j] = values[j], values[i]
        return values

    def members(mask: int) -> set[int]:
        return {swap.get(i, i) for i in bits(mask)}

    own = [column(slot, cubes) for slot in OWN]
    bearers = [swap.get(value, value) for value in column("banner_bearer", banners)]
    sets = [
        members(mask)
        for mask in (*column("banner_met", banners), state.game_kept, state.effect_blessed)
    ]
    star = swap.get(state.game_star, state.game_star)
    return (
        own,
        bearers,
        sets,
        star,
        state.hex_taken,
        state.game_round,
        state.over,
        state.chooser,
        state.point,
    )


def test_what_is_merged_comes_to_the_same(both: agreement.Pair) -> None:
    """Whichever of two alike pieces is taken, what comes of it differs in nothing but their numbers."""
    compared = 0
    for seed in range(8):
        rng = Random(seed)
        state = both.compiled.new_state(both.setup, seed)
        both.compiled.begin(state)
        while not state.over:
            every = agreement.all_options(both, state)
            assert set(state.options) <= set(every)
            for option in set(every) - set(state.options):
                # An option that differs from those offered in both of its pieces follows from two that differ in one.
                near = [
                    (other, found)
                    for other in state.options
                    if (found := _differ(state, option, other)) is not None
                ]
                assert near or option >> SECOND, (
                    f"seed {seed}: {option} is like none of {state.options}"
                )
                same = [all(_same(both, state, option, other, *found)) for other, found in near]
                assert any(same) or not near, (
                    f"seed {seed}: {option} comes to something else than any of {state.options}"
                )
                compared += any(same)
            both.compiled.answer(state, rng.choice(state.options))
    assert compared > 300


def _same(
    both: agreement.Pair, state: Any, one: int, other: int, kind: str, pair: tuple[int, int]
) -> list[bool]:
    """Whether two options come to the same but for the two pieces in which they differ."""
    taken = [state.copy(), state.copy()]
    for after, answer in zip(taken, (one, other), strict=True):
        after.pools = None
        both.compiled.answer(after, answer)
    return [seen(taken[0], **{"cubes" if kind == "Cube" else "banners": pair}) == seen(taken[1])]


def _differ(state: Any, one: int, other: int) -> tuple[str, tuple[int, int]] | None:
    """The kind and the two pieces in which two options of one branch differ; None where they differ in more."""
    if other == PASS or one == PASS or branch_of(one) != branch_of(other):
        return None
    types = state.SPEC.decisions[state.point].options[branch_of(one)].values
    values = ((one & MASK, other & MASK), (one >> SECOND, other >> SECOND))
    found = [
        (type_.name, pair) for type_, pair in zip(types, values, strict=False) if pair[0] != pair[1]
    ]
    return found[0] if len(found) == 1 and found[0][0] in ("Cube", "Banner") else None


def test_what_refers_to_a_piece_tells_it_apart(both: agreement.Pair) -> None:
    game = Game(both.compiled, both.setup, 1)
    assert game.decision is not None
    texts = [option.text for option in game.decision.options]
    first = [text for text in texts if text.startswith("shine")]
    assert len(first) == 5  # one for each entry
    game.play(first[0])
    state: Any = game.state
    point = next(d.index for d in state.SPEC.decisions if d.prompt == "keeper")
    names = both.compiled.names  # type: ignore[attr-defined]
    cubes = list(range(7))  # the star among them stands alone
    assert merged(state, cubes, point, told_apart(state, names["LIVE"])) == [0, 1, 3, 5]
    state.banner_bearer[2] = 4
    assert merged(state, cubes, point, {}) == [0, 1, 3, 4, 5]
    state.cube_worn[6] = 1
    assert merged(state, cubes, point, {}) == [0, 1, 3, 4, 5, 6]
    assert merged(state, [*cubes, PASS], point, {"Cube": -1}) == [*cubes, PASS]


def test_a_local_tells_its_piece_apart(both: agreement.Pair) -> None:
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        program.start(state, "follow", [1, 0])
        assert state.options == [0, 1, 3, 5, PASS]
        state = program.new_state(both.setup, 1)
        program.start(state, "keep", [0])
        assert state.options == [0, 3, 5, PASS]
        program.answer(state, 0)
        assert state.options == [0, 1, 3, 5, PASS]


def test_pieces_walked_through_are_not_alike(both: agreement.Pair) -> None:
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        program.start(state, "walk", [0])
        assert state.options == [0, 1, 2, 3, 4, PASS]


def test_without_pools_nothing_is_merged(both: agreement.Pair) -> None:
    state = both.compiled.new_state(both.setup, 1)
    state.pools = None
    both.compiled.start(state, "keep", [0])
    assert state.options == [*range(7), PASS]
