"""What is hidden stays hidden: nothing that a side can look at depends on what it does not see."""

from __future__ import annotations

import io
import re
from collections import Counter
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
from hidden_games import GAMES, Hiding, exchanged, hiding
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.draw.svg import render
from grognard.draw.text.position import TextBoard
from grognard.explain.explainer import Explainer
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.places import ruleset
from grognard.table.situation import panel_lines, strict_calls
from grognard.table.store import GameWriter
from grognard.table.table import Table
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.model import NONE
from runtime.view import Unseen, view

NAMES = sorted(GAMES)
seeds, steps = st.integers(0, 10**6), st.integers(0, 120)


@cache
def explainer(name: str) -> Explainer:
    return Explainer(ruleset(hiding(name).folder))


def started(game: Game, state: Any) -> Game:
    """The game as it would stand with another state."""
    other = game.copy()
    other.state = state
    state.log = other._notes
    other._decision = None
    return other


def at_the_terminal(one: Hiding, game: Game) -> str:
    """All that a session shows to the side that decides, whatever it asks."""
    out, spec = io.StringIO(), game.spec
    labels = [piece.name for pieces in one.setup.pieces.values() for piece in pieces] + list(
        spec.board.labels[::5]
    )
    words = [option.word for option in spec.decisions[game.state.point].options]
    lines = [
        "options",
        "board",
        "hand",
        "log 50",
        *(f"? {w} {label}" for label in labels for w in ("", *words)),
        "quit",
    ]
    with suppress(Ended):
        session = Session(
            Table(game.copy(), {}, lambda: explainer(spec.name)),
            io.StringIO("\n".join(lines)),
            out,
            False,
            False,
            False,
            GameWriter(None, "", game, {}, None, None),
        )
        session.run()
    return out.getvalue()


def drawn(one: Hiding, game: Game, side: int) -> str:
    """The position as pictures show it to a side."""
    seen = view(game.state, side)
    picture = Picture(game.spec, one.setup, game.state, Style(), seen)
    scene = Scene(game.spec, one.setup, game.wording)
    board = TextBoard(scene, seen.data, scene.looks_of(picture))
    shown = board.whole(panel_lines(game, scene, seen, side, False), 110)
    return "\n".join(
        [shown, render(picture), *(repr(board.map.cell(h)) for h in range(game.spec.board.size))]
    )


def explained(name: str, game: Game, side: int) -> list[str]:
    """The rules' numbers and permissions, for all pieces, as a side may be told of them."""
    one, found = explainer(name), []
    state = view(game.state, side).guarded_state()
    pieces = [piece.name for pieces in game.setup.pieces.values() for piece in pieces]
    for call in one.program.calls.values():
        if call.kind != "function" and all(p.type.kind == "piece" for p in call.params):
            for a in pieces:
                for b in pieces if len(call.params) > 1 else [""]:
                    args = one.arguments(game, call.name, [a, b][: len(call.params)], state)
                    found += one.explain(state, call.name, args, game.setup).lines
    return found


def observed(name: str, game: Game, side: int) -> list[Any]:
    """All that a side can find out."""
    one = hiding(name)
    found = [
        view(game.state, side).data,
        game.log_of(side),
        drawn(one, game, side),
        explained(name, game, side),
    ]
    # The seal of the last state tells nothing without the nonce.
    found.append(
        re.sub(r"^= .*", "", Record.of(game, nonce="n", reveal=False).write(), flags=re.MULTILINE)
    )
    if not game.over and game.state.chooser == side:
        found += [at_the_terminal(one, game), [option.text for option in game.decision.options]]  # type: ignore[union-attr]
    return found


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds, steps=steps, other=seeds)
@settings(max_examples=5, deadline=None)
def test_a_side_observes_nothing_that_it_does_not_see(
    name: str, seed: int, steps: int, other: int
) -> None:
    game = hiding(name).game(seed, steps)
    for side in (0, 1):
        different = started(game, exchanged(name, game.state, side, Random(other)))
        for one, two in zip(
            observed(name, game, side), observed(name, different, side), strict=True
        ):
            assert one == two


@pytest.mark.parametrize("name", NAMES)
def test_the_exchange_is_real(name: str) -> None:
    changed = 0
    for seed in range(8):
        game = hiding(name).game(seed, 30)
        different = started(game, exchanged(name, game.state, 0, Random(seed)))
        changed += observed(name, game, 1) != observed(name, different, 1)
    assert changed > 4


@pytest.mark.parametrize("name", NAMES)
def test_names_tell_no_type(name: str) -> None:
    one = hiding(name)
    if name == "plotted":
        return
    types = one.program.spec.enums["Type"]
    for pieces in one.setup.pieces.values():
        assert not any(word in piece.name for piece in pieces for word in types)


def test_somebody_who_looks_on_sees_what_all_see() -> None:
    state: Any = hiding("blocks").game(1).state
    data = view(state, NONE).data
    assert set(data["block_type"]) == set(data["block_steps"]) == {None}
    assert view(state, 0).data["block_type"][:6] == state.block_type[:6]


def test_a_note_to_one_side_is_read_by_that_side() -> None:
    told: Counter[int] = Counter()
    for seed in range(40):
        game = hiding("blocks").game(seed, 40)
        for side in (0, 1):
            told[side] += sum(" of " in line for line in game.log_of(side))
        told[2] += sum(" of " in line for line in game.log)
        assert not any(" of " in line for line in game.log_of(NONE))
        assert sum(len(game.log_of(side)) for side in (0, 1)) == len(game.log) + len(
            game.log_of(NONE)
        )
    assert told[0] > 0 and told[1] > 0 and told[0] + told[1] == told[2]


def test_calls_are_worked_out_from_what_a_side_sees() -> None:
    hidden = hiding("blocks")
    game = Game(hidden.program, hidden.setup, 1)
    known = strict_calls(game, view(game.state, 0))
    assert known("to_hit", (0, 0)) == 3  # red foot of three steps
    with pytest.raises(Unseen):
        known("to_hit", (6, 0))  # blue's first
