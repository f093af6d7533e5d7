"""OpenSpiel's search against ours.

python -m bench.games.ismcts [SCENARIO] [--games N] [--playouts N] …

ISMCTSBot of ``open_spiel.python.algorithms.ismcts`` (UCT, with playouts at random to the end of the
game) plays against SearchBot, with the same number of playouts for a decision or with one of its
own (``--theirs``), on the small skirmish of the tests or another scenario of two sides.  They
change sides after each game, and both games of a pair have the same dice.  Ties count in no share.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from bench.command import command, option, parse_arguments
from bench.series import results
from grognard.envs import open_spiel_game
from runtime.runs.intervals import wilson
from runtime.runs.search import SearchBot
from runtime.view import view

SKIRMISH = Path(__file__).resolve().parents[2] / "tests/rulesets/skirmish"
#: How much what was seldom tried counts, beside results from -1 to 1.
_CURIOSITY = 2.0


def play(
    scenario: str, ruleset: str | None, playouts: int, theirs: int, number: int
) -> tuple[float, float, float]:
    """A game: what SearchBot has won, from -1 to 1; the seconds that it and the other took for a
    decision.
    """
    game = open_spiel_game(scenario, ruleset=ruleset)
    rules = game.rules
    dice, rng = Random(number // 2), Random(number)
    chance = np.random.RandomState(number)
    ours, evaluator = SearchBot(playouts), mcts.RandomRolloutEvaluator(1, chance)
    other = ismcts.ISMCTSBot(game, evaluator, _CURIOSITY, theirs, random_state=chance)
    state, side = game.new_initial_state(), number % 2
    spent, decisions = [0.0, 0.0], [0, 0]
    while state.is_chance_node():
        state.apply_action(dice.randrange(len(state.chance_outcomes())))
    while not state.is_terminal():
        begun, own = time.perf_counter(), state.current_player() == side
        if own:
            at = state.at
            sight = view(at.state, side)
            raw = ours.search(rules.program, rules.setup, sight, at.state.options, rng)
            action = next(action for action, option in at.actions.items() if option == raw)
        else:
            action = other.step(state)
        spent[not own] += time.perf_counter() - begun
        decisions[not own] += 1
        state.apply_action(action)
    first, second = (s / max(1, n) for s, n in zip(spent, decisions, strict=True))
    return float(state.returns()[side]), first, second


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print."""
    args = parse_arguments(
        "bench.games.ismcts",
        __doc__,
        arguments,
        option("scenario", None, "a scenario", nargs="?"),
        option("--games", 40, "how many games", least=1),
        option("--playouts", 100, "for a decision", least=1),
        option("--theirs", 0, "of ISMCTSBot, 0: the same"),
        option("--jobs", 1, "how many games at a time", least=1),
    )
    scenario, ruleset = args.scenario, None
    if scenario is None:
        scenario, ruleset = str(SKIRMISH / "meeting.yaml"), str(SKIRMISH)
    budgets = args.playouts, args.theirs or args.playouts
    todo = [(scenario, ruleset, *budgets, number) for number in range(args.games)]
    played = list(results(play, todo, args.jobs))
    won, lost = (sum(worth * sign > 0 for worth, *_ in played) for sign in (1, -1))
    tied = len(played) - won - lost
    low, high = wilson(won, won + lost)
    print(f"SearchBot won {won}, lost {lost}, tied {tied} of {len(played)} games")
    print(f"its share {won / max(1, won + lost):.1%} (95%: {low:.1%} to {high:.1%})")
    ours, theirs = (sum(one[at] for one in played) / len(played) * 1e3 for at in (1, 2))
    print(f"a decision took {ours:.0f} ms, those of ISMCTSBot {theirs:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
