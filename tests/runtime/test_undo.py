"""Taking back never uses what was learned of what another side holds: where it was not asked because of that, undo ends."""

from __future__ import annotations

from random import Random

import pytest
from test_straight_faces import GAMES, opened, other_cards

from runtime.games import undo
from runtime.games.game import Game
from runtime.state import RulesetFault
from runtime.view import Unseen, view


def along(scenario: str, switched: bool, seed: int) -> tuple[list[bool], list[str]]:
    """Whether each action that leaves its side to decide can be taken back, and where that hangs on unseen cards."""
    program, setup = opened(scenario, switched)
    stock, longest = GAMES[scenario]
    rng = Random(seed)
    game = Game(program, setup, seed)
    allowed, told = [], []
    for _ in range(longest):
        if game.over:
            break
        side = game.state.chooser
        twin = game.copy()
        twin.state = other_cards(game.state, side, stock, rng)
        choice = rng.randrange(len(game.state.options))
        for one in (game, twin):
            one.play(choice)
        if view(game.state, side) == view(twin.state, side) and game.can_undo != twin.can_undo:
            told.append(str(game.entries()[-1]))
        if game._before:
            allowed.append(game.can_undo)
            if game.can_undo and twin.can_undo:
                game.undo()
                twin.undo()
                assert view(game.state, side) == view(twin.state, side)
                game.play(choice)
    return allowed, told


@pytest.mark.parametrize("switched", [True, False])
@pytest.mark.parametrize("scenario", GAMES)
def test_undo_uses_nothing_that_was_learned(scenario: str, switched: bool) -> None:
    """Whether an action can be taken back does not hang on unseen cards; it cannot where another side was not asked."""
    played = [along(scenario, switched, seed) for seed in range(2)]
    assert [told for _, told in played] == [[], []]
    allowed = [able for one, _ in played for able in one]
    assert sum(allowed) > len(allowed) / 2
    if scenario == "no_retreat/barbarossa_1941" and not switched:
        assert not all(allowed)


@pytest.mark.parametrize("scenario", GAMES)
def test_what_looks_at_nothing_unseen_tells_nothing(scenario: str) -> None:
    """What is found by an action that meets no unseen card is what is found with other cards."""
    program, setup = opened(scenario, False)
    rng, alone = Random(3), 0
    game = Game(program, setup, 3)
    for number in range(GAMES[scenario][1]):
        if game.over:
            break
        before = game.state.copy()
        option = rng.choice(before.options)
        game.take(option)
        seen = view(before, before.chooser)
        passed = game.state.checkpoints - before.checkpoints
        try:
            guarded = undo._more_happens(program, seen.guarded_state(), option, passed)
        except (Unseen, RulesetFault):
            continue
        alone += 1
        result = view(game.state, before.chooser)
        assert guarded == undo._samples_tell(program, seen, result, option, passed, number)
    assert alone
