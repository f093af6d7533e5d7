"""How does the cost of a decision grow?  python -m bench.speed.growth [--chart FILE]

Sets up battles of ``tests/rulesets/masses`` with more and more pieces on larger and larger boards,
all of them near the middle, and plays them at random, in Python and natively; and natively with the
greedy bot, who tries every option.  The figures are the processor's time for a decision in
microseconds, lists of options included.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench import charts
from bench.command import command, option, parse_arguments
from grognard.opening import open_scenario
from grognard.places import readable_ruleset
from runtime.runs.machine import shape_of
from runtime.runs.playout import playout
from runtime.runs.seats import make_bot
from runtime.runs.series import play_match

RULESET = Path(__file__).resolve().parents[2] / "tests/rulesets/masses"
#: rows and columns of the board, and pieces on it
SIZES = ((9, 13, 20), (15, 20, 50), (30, 30, 100), (60, 60, 200), (60, 60, 400), (60, 60, 800))


def battle(rows: int, columns: int, pieces: int) -> dict[str, Any]:
    """Two lines of battle, a hex apart, as deep as they must be; every third piece is horse."""
    wide = min(columns - 1, 2 * max(3, int((pieces / 4) ** 0.5)))
    first, half = (columns - wide) // 2, pieces // 2
    lines: dict[str, list[Any]] = {}
    for side, way in (("blue", -1), ("red", 1)):
        for number in range(half):
            row = rows // 2 + way * (1 + number // wide)
            lines.setdefault(f"{side} {'foot' if number % 3 else 'horse'}", []).append(
                f"{first + number % wide + 1:02}{row + 1:02}"
            )
    return {
        "ruleset": RULESET.name,
        "title": f"{pieces} pieces on {rows} × {columns} hexes",
        "board": {"rows": rows, "columns": columns},
        "sides": {"blue": {"name": "Blue"}, "red": {"name": "Red"}},
        "pieces": {
            "Piece": [
                {"side": name.split()[0], "sort": name.split()[1], "hex": hexes}
                for name, hexes in lines.items()
            ]
        },
    }


def each_takes(play: Callable[[int], int], seconds: float = 2.0) -> float:
    """The processor's time for a decision, in microseconds; *play* plays with a seed, and returns
    how many decisions that were.
    """
    play(0)  # what is found once is found now
    decisions, seed, begun = 0, 1, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        decisions += play(seed)
        seed += 1
    return spent / decisions * 1e6


def figures(rows: int, columns: int, pieces: int) -> dict[str, float]:
    """What a decision costs in each execution."""
    opened = open_scenario(battle(rows, columns, pieces), ruleset=RULESET)
    program, setup = opened.program, opened.setup
    shape, ruleset = shape_of(program.spec, setup), readable_ruleset(RULESET)

    def python(seed: int) -> int:
        state = program.new_state(setup, seed)
        program.begin(state)
        return playout(program, state, Random(seed))

    def native(name: str) -> Callable[[int], int]:
        bots = [make_bot(name) for _ in program.spec.sides]
        return lambda seed: play_match(program, setup, bots, seed).decisions

    result = {"Python, random": each_takes(python)}
    if not ruleset.native.whole(shape):
        ruleset.build_natively(shape)
    opened = open_scenario(battle(rows, columns, pieces), ruleset=RULESET)
    program, setup = opened.program, opened.setup
    return result | {f"native, {name}": each_takes(native(name)) for name in ("random", "greedy")}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    args = parse_arguments(
        "bench.speed.growth",
        __doc__,
        arguments,
        option("--chart", None, "draw the figures, too (SVG)", type=Path, metavar="FILE"),
    )
    found: list[tuple[float, dict[str, float]]] = []
    for rows, columns, pieces in SIZES:
        name = f"{pieces} pieces, {rows} × {columns} hexes"
        costs = figures(rows, columns, pieces)
        if not found:
            print(f"| | {' | '.join(costs)} |\n|---|{'---|' * len(costs)}")
        print(f"| {name} | {' | '.join(f'{v:,.1f}' for v in costs.values())} |", flush=True)
        found.append((pieces, costs))
    if args.chart:
        charts.save(charts.growth("What a decision costs", found), args.chart)
    return 0


if __name__ == "__main__":
    sys.exit(main())
