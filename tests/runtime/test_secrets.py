"""Secret choices and veiled questions: what the other side sees, hears and reads does not depend on them."""

from __future__ import annotations

import io
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.ruleset import Ruleset
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.table.store import GameWriter
from grognard.table.table import Table
from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.games.sealing import Key, seal
from runtime.model import PASS
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.view import view

FOLDER = Path(__file__).resolve().parent.parent / "rulesets" / "secrets"
LEFT, RIGHT = 0, 1
seeds = st.integers(0, 10**6)


@cache
def duel() -> tuple[Program, SetUp]:
    """The ruleset with its scenario."""
    ruleset = Ruleset(FOLDER)
    assert ruleset.ok
    program = ruleset.compiled
    setup, findings = load(FOLDER / "duel.yaml", program.spec)
    assert setup is not None, findings
    return program, setup


def new_game(seed: int = 1) -> Game:
    """A new duel."""
    return Game(*duel(), seed)


def finished(seed: int) -> Game:
    """A duel played at random to its end."""
    game, rng = new_game(seed), Random(seed)
    while not game.over:
        game.play(rng.randrange(len(game.state.options)))
    return game


def heard(game: Game, side: int) -> tuple[Any, ...]:
    """All that a side is told: its view with the procedures under way, and the log."""
    seen = view(game.state, side)
    return seen.data, seen._base.frames, tuple(game.log)


def test_the_other_side_cannot_tell_what_was_chosen() -> None:
    one, two = new_game(), new_game()
    one.play("planner lea"), one.play("plan lunge"), one.play("mark rob")
    two.play("planner leo"), two.play("plan feint"), two.play("whoever")
    for game in (one, two):
        assert view(game.state, RIGHT).data["chooser"] == LEFT
        game.play("enough")
        assert game.decision is not None
        assert game.decision.name == "right"
        assert game.decision.prompt == "planner"
    assert heard(one, LEFT) != heard(two, LEFT)
    assert heard(one, RIGHT) == heard(two, RIGHT)
    for side in (LEFT, RIGHT):
        assert [f[2:6] for f in one.state.frames][-1] == [f[2:6] for f in two.state.frames][-1], (
            side
        )
    one.play("enough"), two.play("enough")
    assert "lunge" in " ".join(one.log)
    assert one.log != two.log


@given(seeds, seeds)
@settings(max_examples=60, deadline=None)
def test_who_is_asked_does_not_depend_on_the_hand_of_another(seed: int, other: int) -> None:
    program, _ = duel()
    game = new_game(seed)
    rng, swap = Random(seed), Random(other)
    while not game.over:
        state: Any = game.state
        for side in (LEFT, RIGHT):
            # The same position with other cards where the side does not see them.
            changed: Any = state.copy()
            pool = [*changed.pile_stock, *changed.pile_hand[1 - side]]
            swap.shuffle(pool)
            cut = len(changed.pile_stock)
            changed.pile_stock, changed.pile_hand[1 - side] = pool[:cut], sorted(pool[cut:])
            if state.chooser != side:
                continue
            for option in state.options:
                one, two = state.copy(), changed.copy()
                program.answer(one, option)
                program.answer(two, option)
                assert (one.chooser, one.point, one.over) == (two.chooser, two.point, two.over)
        game.play(rng.randrange(len(state.options)))


def test_the_only_thing_left_may_be_to_pass() -> None:
    asked = 0
    for seed in range(30):
        game, rng = new_game(seed), Random(seed)
        while not game.over:
            options = game.state.options
            if options == [PASS]:
                asked += 1
                assert duel()[0].spec.decisions[game.state.point].veiled
            else:
                assert len(options) > 1
            game.play(rng.randrange(len(options)))
    assert asked > 30


def test_of_a_pile_face_up_all_see_the_top_card() -> None:
    covered = 0
    for seed in range(20):
        game, rng = new_game(seed), Random(seed)
        while not game.over:
            state: Any = game.state
            for side in (LEFT, RIGHT):
                seen = view(state, side)
                spent = list(state.pile_spent)
                assert seen.data["pile_spent"] == [None] * (len(spent) - 1) + spent[-1:]
                assert sum(seen.unseen_cards["tricks"].values()) == 8 - len(
                    state.pile_hand[side]
                ) - len(spent[-1:])
                if seen.own:
                    sample: Any = seen.sample(rng)
                    assert sample.pile_spent[-1:] == spent[-1:]
                    assert len(sample.pile_spent) == len(spent)
                    assert view(sample, side) == seen
                    everything = [
                        *sample.pile_stock,
                        *sample.pile_spent,
                        *sample.pile_hand[LEFT],
                        *sample.pile_hand[RIGHT],
                    ]
                    assert sorted(everything) == [0] * 4 + [1] * 4
            covered += len(spent) > 1
            game.play(rng.randrange(len(state.options)))
    assert covered > 20


def test_points_are_counted_from_what_is_seen() -> None:
    program, _ = duel()
    game, rng = new_game(3), Random(3)
    while not game.over:
        state: Any = game.state
        for side in (LEFT, RIGHT):
            seen = view(state, side).scores(program)
            assert seen is not None
            assert seen[side] == program.score(state, side)
            assert seen[1 - side] == state.side_touches[1 - side]
        game.play(rng.randrange(len(state.options)))


def test_a_shuffle_that_uncovers_a_card_cannot_be_taken_back() -> None:
    game = new_game(1)
    state: Any = game.state
    before = state.reveals
    state.pile_stock[:] = [0]
    duel()[0].start(state, "uncover", [])
    assert state.pile_spent[-1:] == [0]
    assert state.reveals > before


def test_an_unrevealed_record_seals_what_is_secret() -> None:
    game = finished(5)
    open_, sealed = (
        Record.of(game, nonce="rosebud"),
        Record.parse(Record.of(game, nonce="rosebud", reveal=False).write()),
    )
    assert len(open_.entries) == len(sealed.entries)
    secret = ("planner", "enough", "plan", "mark", "whoever")
    shut = 0
    for place, (one, two) in enumerate(zip(open_.entries, sealed.entries, strict=True)):
        assert one.side == two.side
        if one.text.startswith(secret) or one.side == "#":
            assert two.text == ("" if one.side == "#" else "sealed ") + seal(
                place, one.text, "rosebud"
            )
            shut += 1
        else:
            assert one.text == two.text
    assert shut > 10
    assert sealed.end == seal(len(open_.entries), open_.end, "rosebud")
    again = replay(*duel(), Record.parse(open_.write()))
    assert Record.of(again, nonce="rosebud", reveal=False) == sealed


def test_what_a_sealed_record_lacks_is_told_as_it_would_show_it() -> None:
    """Who has the key is told the sealed hash: no other fits into the record."""
    game = finished(5)
    sealed = Record.of(game, nonce="rosebud", reveal=False)
    place = next(i for i, entry in enumerate(sealed.entries) if i and entry.side == "#")
    entries = sealed.entries[:place] + sealed.entries[place + 1 :]
    with pytest.raises(RecordError) as caught:
        replay(*duel(), replace(sealed, entries=entries), key=Key(game.seed, "rosebud"))
    assert sealed.entries[place].text in str(caught.value)


def test_two_people_on_one_screen_do_not_read_each_others_plans() -> None:
    def told(people: int) -> str:
        program, setup = duel()
        game = Game(program, setup, 1)
        out = io.StringIO()
        bots = {} if people == 2 else {RIGHT: _Passive()}
        lines = "planner lea\nplan lunge\nmark rob\nenough\nenough\nquit\n"
        with suppress(Ended):
            Session(
                Table(game, bots, lambda: None),  # type: ignore[arg-type, return-value]
                io.StringIO(lines),
                out,
                False,
                False,
                False,
                GameWriter(None, "", game, {}, None, None),
            ).run()  # type: ignore[arg-type, return-value]
        return out.getvalue()

    assert "Left: plan lunge" not in told(2)
    assert "Left: has chosen" in told(2)
    assert "Left: plan lunge" in told(1)


class _Passive:
    """Takes the last option: passing, where that is one."""

    blind = True

    def choose(self, view: object, options: tuple[int, ...], rng: Random) -> int:
        del view, rng
        return options[-1]
