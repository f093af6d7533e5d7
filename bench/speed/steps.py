"""How fast environments for learning step: python -m bench.speed.steps [SCENARIO …] [--jobs N]

Steps *--lanes* games at once for Gymnasium, in which the first side learns and *--opponents* play
the others, by actions drawn at random; on the small skirmish of the tests unless scenarios are
named.  Printed are the steps a second, a step being a decision of the side that learns: of
``env.step`` alone by the clock, by the time of the processor (of one core), and by the clock with
the drawing of actions in NumPy.  The best of five runs counts.  ``--native`` builds first what is
not built yet.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bench.command import command, option, parse_arguments
from bench.speed.builds import built
from grognard.envs import vector_env
from grognard.fronts.envs.vector import Vector
from grognard.opening import open_scenario

SKIRMISH = Path(__file__).resolve().parents[2] / "tests/rulesets/skirmish"
#: How long a run is, in seconds.
_RUN = 1.0


def steps_per_second(env: Vector) -> tuple[float, float, float]:
    """Steps a second in a run: alone by the clock and by the processor, and with the actions."""
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    clocks: tuple[Callable[[], float], ...] = (time.perf_counter, time.process_time)
    spent, steps = [0.0, 0.0], 0
    begun = time.perf_counter()
    while (whole := time.perf_counter() - begun) < _RUN:
        mask = seen["action_mask"]
        actions = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(1)
        before = [clock() for clock in clocks]
        seen, *_ = env.step(actions)
        spent = [s + clock() - b for s, clock, b in zip(spent, clocks, before, strict=True)]
        steps += env.num_envs
    return steps / spent[0], steps / spent[1], steps / whole


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    args = parse_arguments(
        "bench.speed.steps",
        __doc__,
        arguments,
        option("scenarios", [], "scenarios", nargs="*"),
        option("--lanes", 256, "games at once", least=1),
        option("--jobs", 1, "threads", least=1),
        option("--opponents", "random", "who plays the others: random or greedy"),
        option("--native", False, "build natively first what is not built yet"),
    )
    named: list[tuple[str, str | None]] = [(name, None) for name in args.scenarios]
    for scenario, ruleset in named or [(str(SKIRMISH / "meeting.yaml"), str(SKIRMISH))]:
        opened = open_scenario(scenario, ruleset=ruleset)
        if args.native:
            built(opened)
        first = opened.program.spec.sides[0]
        who = {"side": first, "opponents": args.opponents}
        env = vector_env(scenario, args.lanes, **who, ruleset=ruleset, jobs=args.jobs)
        best = [max(run) for run in zip(*(steps_per_second(env) for _ in range(5)), strict=True)]
        numbers, actions = sum(part.size for part in env.layout), env.single_action_space.n
        how = f"natively, {args.jobs} threads" if env.native else "in Python"
        print(f"{scenario}: {numbers} numbers, {actions} actions, {args.lanes} games {how}")
        for what, rate in zip(("step", "step, a core's time", "with actions"), best, strict=True):
            print(f"  {what:<20} {rate:12,.0f} a second", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
