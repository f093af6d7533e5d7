"""The small game the tests of the engine play, and helpers to bring it into interesting positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from compiler.ruleset import Ruleset
from runtime.games.game import Game
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.state import StateBase

FOLDER = Path(__file__).resolve().parent.parent / "rulesets" / "skirmish"
BLUE, RED = 0, 1


@cache
def load_game() -> tuple[Program, SetUp]:
    """The compiled ruleset and its scenario."""
    compilation = Ruleset(FOLDER)
    assert compilation.emitted is not None, compilation.diagnostics
    program = compilation.compiled
    setup, findings = load(FOLDER / "meeting.yaml", program.spec)
    assert setup is not None, findings
    return program, setup


def new_game(seed: int = 1, **more: Any) -> Game:
    """A game at its first decision."""
    return Game(*load_game(), seed, **more)


def play_random(
    game: Game, rng: Random, until: Callable[[Game], bool] = lambda game: False, limit: int = 10_000
) -> bool:
    """Play at random until a condition holds; says whether it did before the end."""
    for _ in range(limit):
        if game.over:
            return False
        if until(game):
            return True
        game.play(rng.randrange(len(game.state.options)))
    return False


def at_prompt(*prompts: str) -> Game:
    """A game that asks one of *prompts*, from the first seed that leads there."""
    for seed in range(200):
        game = new_game(seed)
        if play_random(
            game, Random(seed), lambda g: g.decision is not None and g.decision.prompt in prompts
        ):
            return game
    raise AssertionError(f"no game asks {prompts}")


def position(seed: int, steps: int) -> Game:
    """A game after some random actions (fewer if it is over before)."""
    game = new_game(seed)
    rng = Random(seed)
    for _ in range(steps):
        if game.over:
            break
        game.play(rng.randrange(len(game.state.options)))
    return game


def scramble(state: StateBase, side: int, rng: Random) -> Any:
    """A state that differs only in what *side* may not see: written for this ruleset, apart from the engine's views."""
    made: Any = state.copy()
    other = 1 - side
    pool = [*made.pile_draw, *made.pile_hand[other]]
    rng.shuffle(pool)
    drawn = len(made.pile_draw)
    made.pile_draw, made.pile_hand[other] = pool[:drawn], sorted(pool[drawn:])
    # How many pieces are braced counts as known; which of them, does not.
    for there in (True, False):
        group = [
            i
            for i, owner in enumerate(made.piece_side[:-1])
            if owner == other and (made.piece_hex[i] >= 0) is there
        ]
        values = [made.piece_braced[i] for i in group]
        rng.shuffle(values)
        for i, value in zip(group, values, strict=True):
            made.piece_braced[i] = value
    return made
