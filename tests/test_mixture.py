"""Words of the language that are tried one by one elsewhere, together: hidden and alike pieces of kinds with a parent, among others."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import agreement
import pytest

from grognard.explain.explainer import Explainer
from grognard.places import ruleset
from runtime.bitsets import bits
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.games.sealing import Key, conceals
from runtime.model import MASK, NONE, PASS, SECOND, TypeSpec, branch_of
from runtime.runs.invariants import fuzz_game
from runtime.state import values_of
from runtime.view import view

FOLDER = Path(__file__).parent / "rulesets" / "mixture"
SCENARIOS = ("meadow", "field")
#: the chips, numbered through their kinds
CHIPS = ("Coin", "Peg")


@pytest.fixture(scope="module", params=SCENARIOS)
def both(request: pytest.FixtureRequest) -> agreement.Pair:
    return agreement.pair(FOLDER, FOLDER / f"{request.param}.yaml")


@pytest.fixture(scope="module")
def meadow() -> agreement.Pair:
    return agreement.pair(FOLDER, FOLDER / "meadow.yaml")


def test_nothing_is_wrong_with_random_games(both: agreement.Pair) -> None:
    for seed in range(3):
        assert fuzz_game(both.compiled, both.setup, seed, every=5).problems == []


# ---------------------------------------------------------------------- pieces that are alike


def _number(state: Any, type_: TypeSpec, kind: str, index: int) -> int | None:
    """The number of a piece as a value of a type; None where it is none."""
    if type_.kind != "piece" or kind not in state.SPEC.kinds_of(type_.name):
        return None
    return index + (state.n_coin if type_.name == "Chip" and kind == "Peg" else 0)


def _swapped(state: Any, kind: str, pair: tuple[int, int]) -> list[Any]:
    """The content of a state, had two pieces of a kind each other's number."""

    def value(type_: TypeSpec, found: int) -> int:
        if type_.of is not None:
            return sum(1 << value(type_.of, member) for member in bits(found))
        a, b = (_number(state, type_, kind, i) for i in pair)
        return b if found == a and b is not None else a if found == b and a is not None else found

    made: list[Any] = []
    for field in state.SPEC.fields:
        column = getattr(state, field.slot)
        values = [value(field.type, v) for v in ([column] if field.owner == "Game" else column)]
        if field.owner == kind:
            i, j = pair
            values[i], values[j] = values[j], values[i]
        made.append(values)
    for effect in state.SPEC.effects:
        members = set()
        for number in bits(getattr(state, effect.slot)):
            parts = []
            for param in reversed(effect.params):
                number, part = divmod(number, values_of(state, param))
                parts.append(value(param, part))
            members.add(tuple(parts))
        made.append(members)
    return [*made, state.over, state.ranks, state.chooser, state.point]


def _kind(state: Any, type_: TypeSpec, value: int) -> tuple[str, int]:
    if type_.name != "Chip":
        return type_.name, value
    return ("Coin", value) if value < state.n_coin else ("Peg", value - state.n_coin)


def _apart(state: Any, one: int, other: int) -> tuple[str, tuple[int, int]] | None:
    """The kind and the numbers of the only two pieces in which two options differ."""
    if PASS in (one, other) or branch_of(one) != branch_of(other):
        return None
    types = state.SPEC.decisions[state.point].options[branch_of(one)].values
    values = ((one & MASK, other & MASK), (one >> SECOND, other >> SECOND))
    found = [(t, pair) for t, pair in zip(types, values, strict=False) if pair[0] != pair[1]]
    if len(found) != 1 or found[0][0].kind != "piece":
        return None
    (kind, i), (its, j) = (_kind(state, found[0][0], value) for value in found[0][1])
    return (kind, (i, j)) if kind == its else None


def test_chips_that_are_merged_come_to_the_same(meadow: agreement.Pair) -> None:
    compared = dict.fromkeys(CHIPS, 0)
    for seed in range(6):
        rng = Random(seed)
        state: Any = meadow.compiled.new_state(meadow.setup, seed)
        meadow.compiled.begin(state)
        while not state.over:
            every = agreement.all_options(meadow, state)
            assert set(state.options) <= set(every)
            for option in set(every) - set(state.options):
                near = [
                    (other, found)
                    for other in state.options
                    if (found := _apart(state, option, other)) is not None
                ]
                assert near or option >> SECOND, (
                    f"seed {seed}: {option} is like none of {state.options}"
                )
                for other, (kind, pair) in near:
                    taken = [state.copy(), state.copy()]
                    for after, answer in zip(taken, (option, other), strict=True):
                        after.pools = None
                        meadow.compiled.answer(after, answer)
                    if _swapped(taken[0], kind, pair) == _swapped(taken[1], kind, (0, 0)):
                        compared[kind] += 1
                        break
                else:
                    assert not near, (
                        f"seed {seed}: {option} comes to something else than any of {state.options}"
                    )
            meadow.compiled.answer(state, rng.choice(state.options))
    assert min(compared.values()) > 50


def test_why_a_piece_is_not_offered_that_another_stands_for(meadow: agreement.Pair) -> None:
    game, explainer = Game(meadow.compiled, meadow.setup, 3), Explainer(ruleset(FOLDER))
    for _ in range(3):
        game.play("bid 0")
    for text, reason in {
        "shine R.Coin2": "it is in nothing different from R.Coin1, which stands for it",
        "shine R.Peg2": "it is in nothing different from R.Peg1, which stands for it",
        "shine G.Peg1": "does not hold: c.side is s",
    }.items():
        (target,) = explainer.targets(game, text)
        assert [r.text for r in explainer.why_not(game, target)][:1] == [reason]


# ---------------------------------------------------------------------- what is hidden


def test_samples_exchange_within_a_kind_and_choose_plots_again(meadow: agreement.Pair) -> None:
    board, guessed, exchanged = meadow.compiled.spec.board, 0, 0
    for seed in range(12):
        rng = Random(seed)
        game = Game(meadow.compiled, meadow.setup, seed)
        for _ in range(20 + 5 * seed):
            if not game.over:
                game.play(rng.randrange(len(game.state.options)))
        state: Any = game.state
        if state.over:
            continue
        seen = view(state, state.chooser)
        for _ in range(5):
            sample: Any = seen.sample(rng)
            assert view(sample, state.chooser) == seen
            for kind in ("block", "decoy"):
                kinds, side, place = (
                    getattr(sample, f"{kind}_{name}") for name in ("kind", "side", "hex")
                )
                truth = getattr(state, f"{kind}_kind")
                assert sorted(kinds) == sorted(truth)
                exchanged += kinds != truth
                for i, h in enumerate(getattr(sample, f"{kind}_plot")[:-1]):
                    if side[i] != state.chooser and not seen.shows(f"{kind}_plot", i) and h >= 0:
                        assert board.distance(place[i], h) == 1
                        guessed += h != getattr(state, f"{kind}_plot")[i]
    assert guessed > 50 and exchanged > 20


# ---------------------------------------------------------------------- ranks, views, sealed records


def test_ranks_stand_in_views_and_in_sealed_records(both: agreement.Pair) -> None:
    assert conceals(both.compiled.spec)
    ends = set()
    for seed in range(8):
        rng = Random(seed)
        game = Game(both.compiled, both.setup, seed)
        while not game.over:
            game.play(rng.randrange(len(game.state.options)))
        ends.add(game.state.ranks)
        for side in (NONE, 0, 1, 2):
            assert view(game.state, side).state.ranks == game.state.ranks
        sealed = Record.parse(Record.of(game, nonce="rosebud", reveal=False).write())
        again = replay(both.compiled, both.setup, sealed, key=Key(seed, "rosebud"))
        assert (again.state.ranks, again.state.hash()) == (game.state.ranks, game.state.hash())
        opened = Record.parse(Record.of(game, nonce="rosebud").write())
        assert replay(both.compiled, both.setup, opened).state.ranks == game.state.ranks
        assert all(
            "plot " not in entry.text and "bid " not in entry.text for entry in sealed.entries
        )
    assert len(ends) > 2
