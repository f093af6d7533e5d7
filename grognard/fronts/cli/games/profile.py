"""Say where the time goes while a scenario is played: which rules, which lines.

Games are played in Python, however a ruleset is built, for some seconds; every millisecond it is
looked up which line of the rules is at work.  Two shares of all that time are told: what a line or
a definition takes by itself, and what it takes with all that it asks for.  A condition that stands
first in a filter is asked most often: put the one first that is cheap, or seldom true; declare a
function `remembered` where it is asked again and again between changes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from grognard import opening
from grognard.coverage.costs import Cost, costs
from grognard.files import short
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import count, seed
from runtime.errors import ArgumentError

#: How much of a line is shown.
_WIDEST = 72


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario's file or name")
    bots = "a bot for each side, in order, as for `grognard bots` (default: all random)"
    parser.add_argument("--bots", metavar="A,B", default="", help=bots)
    parser.add_argument(
        "--seconds", metavar="N", type=count, default=5, help="for how long (default: 5)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=seed, default=1, help="the seed of the first game (default: 1)"
    )
    parser.add_argument(
        "--top", metavar="N", type=count, default=12, help="how many are listed (default: 12)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, with all of them")


def run(args: argparse.Namespace) -> int:
    """The command."""
    for name in ("seconds", "top"):
        if (number := getattr(args, name)) < 1:
            raise ArgumentError(
                f"--{name} {number}: that leaves nothing to be listed", "give 1 or more"
            )
    opened = opening.open_scenario(args.scenario)
    sides = opened.program.spec.sides
    bots = args.bots.split(",") if args.bots else ["random"] * len(sides)
    if len(bots) != len(sides):
        raise ArgumentError(
            f"--bots names {len(bots)}, and there are {len(sides)} sides: {', '.join(sides)}",
            "give one for each, in this order",
        )
    found = costs(opened, bots, args.seconds, args.seed)
    if args.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return CLEAN
    print(
        f"{opened.setup.title}, {' against '.join(bots)}: {found.decisions:,} decisions of "
        f"{found.games:,} {'game' if found.games == 1 else 'games'}, {found.samples:,} looks; "
        f"{found.rules:.0%} of the time in the rules, the rest in the engine and the bots"
    )
    for title, listed in (("definitions", found.definitions), ("lines", found.lines)):
        print(f"\n   own  whole  {title}")
        _print_table(listed[: args.top])
    return CLEAN


def _print_table(listed: Sequence[Cost]) -> None:
    places = [f"{cost.file}:{cost.line}" for cost in listed]
    wide = max(map(len, places), default=0)
    for cost, place in zip(listed, places, strict=True):
        print(f"{cost.own:6.1%} {cost.whole:6.1%}  {place:{wide}}  {short(cost.what, _WIDEST)}")
