"""A line of several answers is tried before it is taken; where it is refused, nothing is told of dice, hands, or what others are asked."""

from __future__ import annotations

from random import Random

import pytest
from project import placed, sampled, setup_of

from grognard.draw.scene import Scene
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.games.game import Game
from runtime.view import view

#: Positions looked at in each game at most, lines that are enough, and the longest way to a position.
POSITIONS, ENOUGH, LONGEST = 60, 16, 100


def read(game: Game, line: str) -> list[str]:
    """What a line takes, or what is said of it."""
    try:
        scene = Scene(game.spec, game.setup, game.wording)
        options = LineReader(scene).read(Menu(game, scene), line)
    except IllegalOption as error:
        return ["refused", str(error)]
    return [option.text for option in options]


def otherwise(game: Game, rng: Random) -> Game:
    """The same for the side that decides, with other dice to come, and other cards where it does not see them."""
    other = game.copy()
    seen = view(game.state, game.state.chooser)
    other.state = seen.sample(rng)
    other.state.reveals = game.state.reveals
    other.state.log = other._notes
    other._decision = None
    assert view(other.state, game.state.chooser) == seen
    return other


def ends(game: Game, text: str) -> bool:
    """Whether the side does not simply decide on behind an option."""
    copy, state = game.copy(), game.state
    copy.play(text)
    after = copy.state
    return (after.counters, after.reveals, after.chooser) != (
        state.counters,
        state.reveals,
        state.chooser,
    )


@pytest.mark.parametrize("scenario", sampled())
def test_a_refused_line_tells_nothing(scenario: str) -> None:
    program, setup = placed(scenario), setup_of(scenario)
    passes = sorted({d.passing for d in program.spec.decisions if d.passing})
    compared = 0
    for seed in range(POSITIONS):
        if compared >= ENOUGH:
            break
        rng = Random(seed)
        game = Game(program, setup, seed)
        for _ in range(rng.randrange(LONGEST)):
            if not game.over:
                game.play(rng.randrange(len(game.state.options)))
        if game.over or game.decision is None:
            continue
        other, options = otherwise(game, rng), game.decision.options
        for option in [o for o in rng.sample(options, min(3, len(options))) if ends(game, o.text)]:
            for behind in ("all", "1", *rng.sample(passes, min(2, len(passes)))):
                line = f"{option.text}, {behind}"
                assert read(game, line) == read(other, line), line
                compared += 1
        assert read(game, "all") == read(other, "all")
    assert compared >= ENOUGH


def test_a_line_without_end_is_refused_at_once() -> None:
    game = Game(placed("cc_ancients/akragas"), setup_of("cc_ancients/akragas"), 1)
    for line in ("A1 " * 300_000, "all, " * 300_000):
        assert read(game, line) == ["refused", "this line says too much at once: give it in parts"]
