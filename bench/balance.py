"""Whom do the bots find stronger?  python -m bench.balance SCENARIO … --journal FILE [--games N]

Lets the greedy bot play itself, each game with a seed of its own, and the random bot, each seed
from every side, a few games of each scenario in turn, until there are so many; then prints a table
(Markdown) with 95% intervals (Wilson).  What is played is appended to the journal, and the same
command goes on from there; games of other rules are left aside, but not those of other bots: when
these change, begin a new journal.  ``--minutes`` ends it early, ``--games 0`` prints what there is.
A native build (``grognard compile RULESET --native``) makes it some twenty times as fast.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import grognard
from bench.command import command, option, read
from bench.series import Journal, results
from grognard.opening import open_scenario
from runtime.model import RulesetSpec
from runtime.runs.intervals import wilson

KINDS = {"greedy": ("greedy", "greedy"), "random": ("greedy", "random")}
HEADING = """\
| scenario | games | won, by side | first side | decisions a game, most | greedy beats random |
|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Played:
    """Some games of a scenario: *kind* is the other player, *won* counts by side, *greedy* what the
    greedy bot has won, *most* is the number of decisions of the longest game.
    """

    scenario: str
    rules: str
    kind: str
    seed: int
    games: int
    won: dict[str, int]
    greedy: int
    decisions: int
    most: int


def play(scenario: str, rules: str, kind: str, seed: int, games: int) -> Played:
    """Play games from *seed* on; with the random bot as many share a seed as there are sides."""
    series = grognard.play_series(scenario, KINDS[kind], games, seed=seed, swap=kind == "random")
    lengths = [game.decisions for game in series.games]
    greedy = sum("greedy" in game.winners for game in series.games)
    won = series.wins_by_side
    return Played(scenario, rules, kind, seed, games, won, greedy, sum(lengths), max(lengths))


def share(won: int, games: int) -> str:
    """``37% (22 to 56)``."""
    low, high = (round(100 * end) for end in wilson(won, games))
    return f"{round(100 * won / games)}% ({low} to {high})" if games else ""


def row(scenario: str, played: list[Played]) -> str:
    """What was played of a scenario, as a row of the table."""
    by_kind = {kind: [one for one in played if one.kind == kind] for kind in KINDS}
    games = {kind: sum(one.games for one in some) for kind, some in by_kind.items()}
    won: Counter[str] = Counter()
    for one in by_kind["greedy"]:
        won.update(one.won)
    mean = sum(one.decisions for one in by_kind["greedy"]) // max(games["greedy"], 1)
    cells = (
        f"`{scenario}`",
        games["greedy"],
        " : ".join(map(str, won.values())),
        share(next(iter(won.values()), 0), games["greedy"]),
        f"{mean}, {max(one.most for one in played)}",
        f"{sum(one.greedy for one in by_kind['random'])} of {games['random']}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def missing(
    args: argparse.Namespace, specs: dict[str, RulesetSpec], played: list[Played]
) -> Iterator[tuple[str, str, str, int, int]]:
    """What is to be played yet: always of that scenario and kind of which the fewest are."""
    while True:
        done = dict.fromkeys([(s, kind) for s in args.scenarios for kind in KINDS], 0)
        for one in played:
            if one.scenario in specs and specs[one.scenario].hash == one.rules:
                done[one.scenario, one.kind] += one.games
        (scenario, kind), count = min(done.items(), key=lambda item: item[1])
        if count >= args.games:
            return
        together = len(specs[scenario].sides) if kind == "random" else 1
        games = max(min(args.batch, args.games - count), together) // together * together
        yield scenario, specs[scenario].hash, kind, 1 + count // together, games


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    args = read(
        "bench.balance",
        __doc__,
        arguments,
        option("scenarios", None, "scenarios", nargs="+", metavar="SCENARIO"),
        option("--journal", None, "keep what is played", type=Path, required=True, metavar="FILE"),
        option("--games", 200, "of each scenario and kind"),
        option("--batch", 4, "games of a scenario in a row", least=1),
        option("--minutes", float("inf"), "stop after so long"),
    )
    until = time.monotonic() + 60 * args.minutes
    with Journal(args.journal, Played) as journal:
        specs = {s: open_scenario(s).program.spec for s in args.scenarios}
        for one in results(play, missing(args, specs, journal.entries), 1, until):
            journal.add(one)
    print(HEADING)
    for scenario in args.scenarios:
        key = scenario, specs[scenario].hash
        if own := [one for one in journal.entries if (one.scenario, one.rules) == key]:
            print(row(scenario, own))
    return 0


if __name__ == "__main__":
    sys.exit(main())
