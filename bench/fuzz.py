"""Long fuzzing: ``python -m bench.fuzz SCENARIO [--games 1000] [--every 1]``.

Random games with all invariants after every action, snapshot and replay compared, undo checked.  Exit code 1 with the
seed and action of the first fault.
"""

from __future__ import annotations

import argparse
import sys
import time

from grognard.commands import Misuse
from grognard.places import loaded
from runtime.invariants import fuzz


def main() -> int:
    """Fuzz one scenario."""
    parser = argparse.ArgumentParser(prog="bench.fuzz", description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1, help="check every n-th action")
    parser.add_argument("--from", dest="first", type=int, default=0, help="first seed")
    args = parser.parse_args()
    try:
        program, setup = loaded(args.scenario)
    except Misuse as error:
        parser.error(f"{error}; {error.remedy}")
    start = time.perf_counter()
    for seed in range(args.first, args.first + args.games):
        problems = fuzz(program, setup, seed, every=args.every)
        if problems:
            print(f"seed {seed}:", *problems[:10], sep="\n  ")
            return 1
        if (seed + 1) % 50 == 0:
            print(f"{seed + 1 - args.first} games, {time.perf_counter() - start:.0f} s", flush=True)
    print(f"{args.games} games without a fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
