"""Random games without a record, several times as fast: for :mod:`bench.fuzz`."""

from __future__ import annotations

import traceback
from collections.abc import Collection
from contextlib import suppress
from random import Random

from runtime.game import HASH, Game, playout
from runtime.invariants import Fuzzed, check_game, fixed
from runtime.program import Program
from runtime.record import Record, replay
from runtime.scenario.setup import SetUp


def quick(
    program: Program, setup: SetUp, seed: int, every: int, limit: int, signed: Collection[str]
) -> tuple[Fuzzed, bool]:
    """Play a game at random, checking everything at each *every* decisions and at the end; and whether play
    had come to a standstill.

    No record is kept; after a fault, the game is played again with one.  A game that is not over after
    *limit* decisions is left there.
    """
    made, choices = Fuzzed(), Random(seed)
    state, middle = None, 0
    try:
        state = program.new_state(setup, seed)
        program.begin(state)
        begun = fixed(state)
        while True:
            made.checked += 1
            game = Game.at(program, setup, state)
            made.problems = check_game(game, begun, signed, Random(made.actions))
            state.log = None
            if made.problems or state.over or made.actions >= limit:
                break
            if made.actions <= limit // 2:
                middle = state.checkpoints
            made.actions += playout(program, state, choices, min(every, limit - made.actions))
    except Exception as error:
        made.problems = [f"{type(error).__name__}: {error}", *traceback.format_exception(error)]
        made.actions = limit  # or somewhere before that
    if made.problems:
        made.problems = [f"seed {seed}, action {made.actions}: {line}" for line in made.problems]
        made.game = _again(program, setup, seed, made.actions)
    return made, state is not None and not state.over and state.checkpoints == middle


def _again(program: Program, setup: SetUp, seed: int, actions: int) -> Game | None:
    """The same game, step by step, as far as it comes."""
    choices = Random(seed)
    try:
        game = Game(program, setup, seed)
    except Exception:
        return None
    with suppress(Exception):
        while not game.over and actions:
            options = game.state.options
            game.take(options[int(choices.random() * len(options))])
            actions -= 1
    return game


def standstill(game: Game) -> bool:
    """Whether a game that goes on passed no checkpoint in the last half of its decisions."""
    entries = game.entries()
    return not game.over and all(side != HASH for side, _ in entries[len(entries) // 2 :])


def elsewhere(game: Game, program: Program) -> list[str]:
    """What is different where the record of a game is played by another program."""
    try:
        replay(program, game.setup, Record.of(game))
    except Exception as error:  # a RecordError where they part, or what the plain execution raises
        return [f"seed {game.seed}: native and plain execution part: {type(error).__name__}: {error}"]
    return []
