"""How long are the battles?  python -m bench.games.lengths [SCENARIO …] [--games N] [--write]

Greedy bots play *--games* games of each scenario (all that the project has, unless some are named);
the median of their decisions is printed, with two digits that count, and with *--write* stands in
the file as its ``length``.  Native builds (``grognard compile RULESET --native``) spare hours.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.command import command, option, parse_arguments
from grognard import places
from grognard.opening import open_scenario
from runtime.runs.bots import GreedyBot
from runtime.runs.series import play_match


def length(path: Path, games: int) -> int:
    """About how many decisions a game takes."""
    opened = open_scenario(path)
    bots = [GreedyBot() for _ in opened.program.spec.sides]
    taken = [
        play_match(opened.program, opened.setup, bots, seed).decisions for seed in range(games)
    ]
    number = round(median(taken))
    return round(number, min(0, 2 - len(str(number))))


def with_length(text: str, number: int) -> str:
    """A scenario's text with its length, before what play depends on."""
    line = f"length: {number}\n"
    if re.search(r"^length: .*\n", text, re.MULTILINE):
        return re.sub(r"^length: .*\n", line, text, count=1, flags=re.MULTILINE)
    return re.sub(
        r"^(title: .*\n(?:date: .*\n)?)", rf"\g<1>{line}", text, count=1, flags=re.MULTILINE
    )


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print, and write."""
    args = parse_arguments(
        "bench.games.lengths",
        __doc__,
        arguments,
        option("scenarios", [], "scenarios", nargs="*"),
        option("--games", 9, "games of each", least=1),
        option("--write", False, "write what is found into the files"),
    )
    for name, path in places.scenarios().items():
        if args.scenarios and not {name, path.stem}.intersection(args.scenarios):
            continue
        number = length(path, args.games)
        print(f"{name:45} {number:6}", flush=True)
        if args.write:
            path.write_text(with_length(path.read_text(encoding="utf-8"), number), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
