"""What of a standing foretells who wins?  python -m bench.games.foretold SCENARIO… [--games N]

Lets the greedy bot play itself, each game with a seed of its own.  At each checkpoint (a turn, in
most rulesets) it asks what the position is worth to the first side beyond what it is worth to the
best of the others, with the ruleset's weights, and how much of that each weight makes: what is
missing without it.  Printed is for the whole, and for each weight that makes a difference, how
often the first side had more of it in a game that it won than in one that it lost (the area under
the ROC curve), and how far it differs between games (Markdown).  50% is chance; a weight that tells
more than the whole counts for too little, or what stands against it for too much.  For bots that
play on to a later position and judge that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import pstdev

from sklearn.metrics import roc_auc_score

from bench.command import command, option, parse_arguments
from bench.games.course import states
from bench.series import results
from grognard.opening import open_scenario
from runtime.program import Program
from runtime.runs.bots import value_of_end
from runtime.state import RUNNING, StateBase

#: What the whole standing is called in the table.
_WHOLE = "standing"


@dataclass(frozen=True)
class Valued:
    """A game: whether the first side has won, and what its positions were worth, by checkpoint."""

    won: bool
    worths: dict[int, dict[str, int]]


def play(scenario: str, seed: int) -> Valued:
    """Play a game."""
    opened = open_scenario(scenario)
    program = opened.program
    weights = program.spec.weights
    without = {name: program.with_weights({name: 0}) for name in weights if weights[name].value}
    worths: dict[int, dict[str, int]] = {}
    for state in states(program, opened.setup, seed):
        if state.over == RUNNING and state.checkpoints not in worths:
            worths[state.checkpoints] = worths_of(program, without, state)
    return Valued(value_of_end(state, 0) > 0, worths)


def worths_of(program: Program, without: Mapping[str, Program], state: StateBase) -> dict[str, int]:
    """What a position is worth to the first side beyond the others, and how much each weight makes
    of that.
    """
    whole = _lead(program, state)
    return {_WHOLE: whole} | {name: whole - _lead(one, state) for name, one in without.items()}


def _lead(program: Program, state: StateBase) -> int:
    own, *others = (program.standing(state, side) for side in range(len(program.spec.sides)))
    return own - max(others, default=0)


def table(games: Sequence[Valued]) -> Iterator[str]:
    """By checkpoints that most games have; what tells most at the last of them first."""
    numbers = [
        number
        for number in sorted({number for game in games for number in game.worths})
        if sum(number in game.worths for game in games) > len(games) / 2
    ]
    every = (worths for game in games for worths in game.worths.values())
    names = dict.fromkeys(name for worths in every for name in worths)
    rows = {name: [_told(games, number, name) for number in numbers] for name in names}
    yield "| | " + " | ".join(f"after {number}" for number in numbers) + " |"
    yield "|---" * (1 + len(numbers)) + "|"
    for name in sorted(rows, key=lambda name: (name != _WHOLE, -(rows[name][-1] or (0.5, 0))[0])):
        if any(rows[name]):
            cells = [f"{told[0]:.0%} (±{told[1]:.0f})" if told else "" for told in rows[name]]
            yield f"| {name} | " + " | ".join(cells) + " |"


def _told(games: Sequence[Valued], number: int, name: str) -> tuple[float, float] | None:
    """What the part of a weight at a checkpoint tells, and how far it differs between games; None
    where it does not.
    """
    there = [game for game in games if number in game.worths]
    won = [game.won for game in there]
    worths = [game.worths[number][name] for game in there]
    spread = pstdev(worths)
    return (roc_auc_score(won, worths), spread) if len(set(won)) == 2 and spread else None


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print."""
    args = parse_arguments(
        "bench.games.foretold",
        __doc__,
        arguments,
        option("scenarios", [], "scenarios", nargs="+"),
        option("--games", 100, "games of each", least=2),
        option("--seed", 1, "the first seed"),
        option("--jobs", os.cpu_count() or 1, "processes", least=1),
    )
    for name in args.scenarios:
        todo = [(name, args.seed + number) for number in range(args.games)]
        games = list(results(play, todo, args.jobs))
        won = sum(game.won for game in games)
        print(f"{name}: the first side won {won} of {len(games)}\n")
        print("\n".join(table(games)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
