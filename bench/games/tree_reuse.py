"""What is it worth that a search goes on with what it has found?  python -m bench.games.tree_reuse

Of two bots that make *--playouts* playouts a decision, one goes on with what stands behind its last
choice, and the other begins anew.  They play *--games* games, each side as often with the same
seeds.  Printed is how many the first has won, with the 95% interval (Wilson), at how many of its
decisions it knew something, and how many playouts it had then, beside those that it made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from bench.command import command, option, parse_arguments
from grognard.opening import open_scenario
from runtime.program import Program
from runtime.runs.intervals import wilson
from runtime.runs.search import SearchBot
from runtime.runs.series import play_match
from runtime.scenario.setup import SetUp
from runtime.view import Sight


class GoingOn(SearchBot):
    """Counts what it knows when it begins to search."""

    decisions = known = kept = made = 0

    def _think(self, tree, ends):  # type: ignore[no-untyped-def]
        before = sum(edge.taken for edge in tree.first.values())
        super()._think(tree, ends)
        self.decisions, self.known = self.decisions + 1, self.known + (before > 0)
        self.kept += before
        self.made += sum(edge.taken for edge in tree.first.values()) - before


class Anew(SearchBot):
    """Forgets what it has found."""

    def search(
        self, program: Program, setup: SetUp, view: Sight, options: Sequence[int], rng: Random
    ) -> int:
        """See SearchBot."""
        self._kept = None
        return super().search(program, setup, view, options, rng)


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print."""
    args = parse_arguments(
        "bench.games.tree_reuse",
        __doc__,
        arguments,
        option("scenarios", ["akragas"], "scenarios of two sides", nargs="*"),
        option("--games", 20, "games of each", least=1),
        option("--playouts", 100, "playouts a decision", least=1),
        option("--seed", 1, "the first seed"),
    )
    for name in args.scenarios:
        opened, bot, won = open_scenario(name), GoingOn(args.playouts), 0
        for game in range(args.games):
            first = game % 2
            bots = [bot, Anew(args.playouts)]
            seats = bots[::-1] if first else bots
            match = play_match(opened.program, opened.setup, seats, args.seed + game // 2)
            won += match.winners == (first,)
        low, high = wilson(won, args.games)
        print(f"{name}: won {won} of {args.games} ({low:.0%} to {high:.0%})", flush=True)
        print(f"  knew something at {bot.known / bot.decisions:.0%} of {bot.decisions} decisions")
        print(f"  {bot.kept / bot.made:.0%} more playouts than it made", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
