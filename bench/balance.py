"""Whom do the bots find stronger? ``python -m bench.balance SCENARIO … --journal FILE [--games N]``.

Lets the greedy bot play itself, each game with a seed of its own, and the random bot, each seed from every
side, a few games of each scenario in turn, until there are so many; then prints a table (Markdown) with 95%
intervals (Wilson).  What is played is appended to the journal, and the same command goes on from there;
games of other rules are left aside, but not those of other bots: when these change, begin a new journal.
``--minutes`` ends it early, ``--games 0`` prints what there is.  A native build (``grognard compile
RULESET --native``) makes it two to three times as fast.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import grognard
from bench.journals import alone, append, entries, of
from grognard.exits import Misuse
from grognard.places import open_scenario
from runtime.intervals import wilson

KINDS = {"greedy": ("greedy", "greedy"), "random": ("greedy", "random")}


@dataclass(frozen=True)
class Played:
    """Some games of a scenario: *kind* is the other player, *won* counts by side, *greedy* what the greedy
    bot has won, *most* is the number of decisions of the longest game.
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
    """Play *games* games from *seed* on; with the random bot as many share a seed as there are sides."""
    series = grognard.play_series(scenario, KINDS[kind], games, seed=seed, swap=kind == "random")
    lengths = [game.decisions for game in series.games]
    greedy = sum("greedy" in game.winners for game in series.games)
    return Played(scenario, rules, kind, seed, games, series.wins_by_side, greedy, sum(lengths), max(lengths))


def read(journal: Path) -> list[Played]:
    """What has been played; a torn last line is dropped."""
    made = of(Played)

    def one(data: dict[str, Any]) -> Played:
        played = made(data)
        counts = (*played.won.values(), played.greedy)
        if played.games < 1 or min(*counts, played.decisions, played.most) < 0 or max(counts) > played.games:
            raise ValueError("so many games cannot be")
        return played

    return entries(journal, one)


def share(won: int, games: int) -> str:
    """``37% (22 to 56)``."""
    low, high = (round(100 * end) for end in wilson(won, games))
    return f"{round(100 * won / games)}% ({low} to {high})" if games else ""


def table(scenarios: list[str], played: list[Played]) -> list[str]:
    """A row for each scenario."""
    rows = [
        "| scenario | games | won, by side | first side | decisions a game, most | greedy beats random |",
        "|---|---|---|---|---|---|",
    ]
    for scenario in scenarios:
        own = [one for one in played if one.scenario == scenario]
        alone = [one for one in own if one.kind == "greedy"]
        games, others = sum(one.games for one in alone), [one for one in own if one.kind == "random"]
        won: dict[str, int] = defaultdict(int)
        for one in alone:
            for side, number in one.won.items():
                won[side] += number
        if not own:
            continue
        length = f"{sum(one.decisions for one in alone) // max(games, 1)}, {max(one.most for one in own)}"
        beaten = f"{sum(one.greedy for one in others)} of {sum(one.games for one in others)}"
        first = next(iter(won.values()), 0)
        rows.append(
            f"| `{scenario}` | {games} | {' : '.join(map(str, won.values()))} | {share(first, games)} "
            f"| {length} | {beaten} |"
        )
    return rows


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="bench.balance", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO")
    parser.add_argument("--journal", type=Path, required=True, metavar="FILE", help="keep what is played")
    parser.add_argument("--games", type=int, default=200, help="of each scenario and kind (default: 200)")
    parser.add_argument("--batch", type=int, default=4, help="games of a scenario in a row (default: 4)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    args = parser.parse_args()
    if args.batch < 1 or args.games < 0:
        parser.error("--batch is 1 or more, --games not negative")
    try:
        with alone(args.journal):
            kept = play_missing(args)
    except Misuse as error:
        parser.error(f"{error}; {error.remedy}")
    print(*table(args.scenarios, kept), sep="\n")
    return 0


def play_missing(args: argparse.Namespace) -> list[Played]:
    """Play what is missing; all that has been played.  Misuse where the journal cannot be read or written."""
    until = time.monotonic() + 60 * args.minutes
    rules: dict[str, str] = {}
    sides: dict[str, int] = {}
    for scenario in args.scenarios:
        spec = open_scenario(scenario).program.spec
        rules[scenario], sides[scenario] = spec.hash, len(spec.sides)
    kept = [one for one in read(args.journal) if rules.get(one.scenario) == one.rules]
    while time.monotonic() < until:
        done: dict[tuple[str, str], int] = defaultdict(int)
        for one in kept:
            done[one.scenario, one.kind] += one.games
        left = [key for key in ((s, k) for s in args.scenarios for k in KINDS) if done[key] < args.games]
        if not left:
            break
        scenario, kind = min(left, key=lambda key: done[key])
        count = done[scenario, kind]
        together = sides[scenario] if kind == "random" else 1
        games = max(min(args.batch, args.games - count), together) // together * together
        one = play(scenario, rules[scenario], kind, 1 + count // together, games)
        kept.append(one)
        append(args.journal, json.dumps(asdict(one)))
    return kept


if __name__ == "__main__":
    sys.exit(main())
