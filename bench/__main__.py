"""What the project measures: python -m bench [--games N] [--native] [--json FILE] [SCENARIO …]

All figures are for one process; those of games and states count the time that the processor spent
on it, so that others on the machine disturb less, and are the best of three runs.  Compare ratios,
on the same machine; never test them.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench.command import command, option, parse_arguments
from bench.speed.builds import built
from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.opening import open_scenario
from runtime.program import CompiledProgram, Program
from runtime.runs.machine import machine_for
from runtime.runs.playout import playout
from runtime.runs.seats import make_bot
from runtime.runs.series import play_match
from runtime.scenario import SetUp

ROOT = Path(__file__).resolve().parent.parent


def times(action: Callable[[], object], repeat: int, clock: Callable[[], float]) -> list[float]:
    """How long an action takes, several times, in seconds."""
    seconds = []
    for _ in range(repeat):
        start = clock()
        action()
        seconds.append(clock() - start)
    return seconds


def seconds(action: Callable[[], object], repeat: int = 3) -> float:
    """The median time of an action, in seconds."""
    return statistics.median(times(action, repeat, time.perf_counter))


def microseconds(action: Callable[[], object], number: int) -> float:
    """The mean time that the processor spends on a short action, in microseconds."""

    def many() -> None:
        for _ in range(number):
            action()

    return min(times(many, 3, time.process_time)) / number * 1e6


def playouts(program: Program, setup: SetUp, games: int) -> dict[str, float]:
    """Random games without records: games and decisions a second."""
    decisions = 0

    def play() -> None:
        nonlocal decisions
        decisions = 0
        for seed in range(games):
            state = program.new_state(setup, seed)
            program.begin(state)
            decisions += playout(program, state, Random(seed))

    spent = min(times(play, 3, time.process_time))
    return {
        "games_per_second": games / spent,
        "decisions_per_second": decisions / spent,
        "decisions_per_game": decisions / games,
    }


def matches(
    program: Program, setup: SetUp, names: tuple[str, ...], games: int, record: bool
) -> dict[str, float]:
    """Games between bots, with records and state hashes or without."""
    bots = [make_bot(name) for name in names]
    decisions = 0
    start = time.process_time()
    for seed in range(games):
        decisions += play_match(program, setup, bots, seed, record=record, names=names).decisions
    spent = time.process_time() - start
    return {"games_per_second": games / spent, "decisions_per_second": decisions / spent}


def figures(program: Program, setup: SetUp, games: int) -> dict[str, Any]:
    """What games and states take."""
    state = program.new_state(setup, 1)
    program.begin(state)
    playout(program, state, Random(1), 150)
    sides = len(program.spec.sides)
    greedy_first = tuple("greedy" if side % 2 == 0 else "random" for side in range(sides))
    return {
        "random": playouts(program, setup, games),
        "random with record and hashes": matches(program, setup, ("random",) * sides, games, True),
        "greedy against random": matches(program, setup, greedy_first, max(1, games // 50), False),
        "clone (µs)": microseconds(state.copy, 5000),
        "state hash (µs)": microseconds(state.hash, 2000),
    }


def measure(scenario: str, games: int) -> dict[str, Any]:
    """Everything about one scenario."""
    opened = open_scenario(scenario)
    folder, setup = opened.folder, opened.setup
    ruleset = Ruleset(folder)
    program = ruleset.compiled.on(setup.board)
    result = figures(program, setup, games)
    slow = InterpretedProgram(ruleset.program, program.spec)
    interpreted = playouts(slow, setup, max(1, games // 100))
    rate = result["random"]["decisions_per_second"]
    result |= {
        "interpreter": interpreted,
        "compiled against interpreter": rate / interpreted["decisions_per_second"],
        "compile, cold (s)": seconds(lambda: Ruleset(folder).compiled),
    }
    cached = Ruleset(folder).loaded
    result["compile, cached (s)"] = seconds(lambda: Ruleset(folder).loaded)
    if cached is not None and (there := cached.on(setup.board)).libraries is not None:
        result |= native(there, setup, games, result)
    return result


def native(
    program: CompiledProgram, setup: SetUp, games: int, plain: dict[str, Any]
) -> dict[str, Any]:
    """The same games by a native build, where there is one."""
    if machine_for(program, setup) is None:
        return {}
    sides = len(program.spec.sides)
    greedy_first = tuple("greedy" if side % 2 == 0 else "random" for side in range(sides))
    figures = {
        "random": matches(program, setup, ("random",) * sides, games, False),
        "greedy against random": matches(program, setup, greedy_first, games, False),
    }
    rate = {name: one["decisions_per_second"] for name, one in figures.items()}
    against = {
        f"{name}, against Python": rate[name] / plain[name]["decisions_per_second"] for name in rate
    }
    return {"native": {**figures, **against}}


def start_up(scenario: str) -> dict[str, float]:
    """Whole commands: the help, and a game to its first prompt."""

    def run(*words: str, text: str = "") -> None:
        whole = [sys.executable, "-m", "grognard", *words]
        subprocess.run(whole, input=text, capture_output=True, text=True, cwd=ROOT, check=False)

    def first_prompt() -> None:
        run("play", scenario, text="quit\n")

    first_prompt()  # now it is in the cache
    return {
        "grognard --help (s)": seconds(lambda: run("--help"), 5),
        f"play {scenario} to the first prompt (s)": seconds(first_prompt, 5),
    }


def show(name: str, value: Any, depth: int = 0) -> None:
    """Print figures."""
    if isinstance(value, dict):
        print("  " * depth + name)
        for key, inner in value.items():
            show(key, inner, depth + 1)
    else:
        print("  " * depth + f"{name:<44} {value:,.{3 if value < 100 else 0}f}")


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    args = parse_arguments(
        "bench",
        __doc__,
        arguments,
        option("scenarios", ["akragas", "barbarossa_1941"], "scenarios", nargs="*"),
        option("--games", 200, "random games of each scenario", least=1),
        option("--json", None, "write the figures, too", type=Path, metavar="FILE"),
        option("--native", False, "build natively first what is not built yet"),
    )
    figures: dict[str, Any] = {}
    for scenario in args.scenarios:
        if args.native:
            took = built(open_scenario(scenario))
            if took:
                show(f"native build of {scenario} (s)", took)
        figures[scenario] = measure(scenario, args.games)
        show(scenario, figures[scenario])
    figures["start-up"] = start_up(args.scenarios[0])
    show("start-up", figures["start-up"])
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
