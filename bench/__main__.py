"""What the project measures: ``python -m bench [--games N] [--native] [--json FILE] [SCENARIO …]``.

All figures are for one process; those of games and states count the time that the processor spent on it, so
that others on the machine disturb less, and are the best of three runs.  Compare ratios, on the same
machine; never test them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from compiler.api import compile_ruleset, load_program
from compiler.cache import cached_program
from compiler.interpreter import InterpretedProgram
from grognard.building import build
from grognard.exits import Misuse
from grognard.places import compile_folder, open_scenario
from runtime.bots import make_bot
from runtime.game import playout
from runtime.match import play_match
from runtime.program import Program
from runtime.scenario import SetUp

ROOT = Path(__file__).resolve().parent.parent


def seconds(action: Callable[[], object], repeat: int = 3) -> float:
    """The median time of an action, in seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def least(action: Callable[[], object], repeat: int = 3) -> float:
    """The least time that the processor spent on an action, in seconds."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


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

    spent = least(play)
    return {
        "games_per_second": games / spent,
        "decisions_per_second": decisions / spent,
        "decisions_per_game": decisions / games,
    }


def matches(
    program: Program, setup: SetUp, names: tuple[str, ...], games: int, record: bool
) -> dict[str, float]:
    """Games between bots, with records and state hashes or without."""
    bots = [make_bot(name, program) for name in names]
    start = time.process_time()
    results = [play_match(program, setup, bots, seed, record=record, names=names) for seed in range(games)]
    spent = time.process_time() - start
    decisions = sum(r.decisions for r in results)
    return {"games_per_second": games / spent, "decisions_per_second": decisions / spent}


def microseconds(action: Callable[[], object], number: int = 5000) -> float:
    """The mean time of a short action, in microseconds."""

    def many() -> None:
        for _ in range(number):
            action()

    return least(many) / number * 1e6


def measure(scenario: str, games: int) -> dict[str, object]:
    """Everything about one scenario."""
    opened = open_scenario(scenario)
    folder, setup = opened.folder, opened.setup
    compilation = compile_ruleset(folder)
    program = load_program(compilation).on(setup.board)
    state = program.new_state(setup, 1)
    program.begin(state)
    rng = Random(1)
    for _ in range(150):
        if not state.over:
            program.answer(state, rng.choice(state.options))
    slow = InterpretedProgram(compilation.program, program.spec)
    interpreted = playouts(slow, setup, max(1, games // 100))
    random_games = playouts(program, setup, games)
    sides = len(program.spec.sides)
    greedy_first = tuple("greedy" if side % 2 == 0 else "random" for side in range(sides))
    result: dict[str, object] = {
        "random": random_games,
        "random with record and hashes": matches(program, setup, ("random",) * sides, games, True),
        "greedy against random": matches(program, setup, greedy_first, max(1, games // 50), False),
        "interpreter": interpreted,
        "compiled against interpreter": random_games["decisions_per_second"]
        / interpreted["decisions_per_second"],
        "clone (µs)": microseconds(state.copy),
        "state hash (µs)": microseconds(state.hash, 2000),
        "compile, cold (s)": seconds(lambda: load_program(compile_ruleset(folder))),
    }
    cached, _ = cached_program(folder)
    result["compile, cached (s)"] = seconds(lambda: cached_program(folder))
    if cached is not None and cached.native:
        result["native"] = native(cached.on(setup.board), setup, games, greedy_first, random_games)
    return result


def native(
    program: Program, setup: SetUp, games: int, greedy_first: tuple[str, ...], plain: dict[str, float]
) -> dict[str, object]:
    """The same in machine code."""
    state = program.new_state(setup, 1)
    program.begin(state)
    random_games = playouts(program, setup, games)
    sides = len(program.spec.sides)
    return {
        "random": random_games,
        "random with record and hashes": matches(program, setup, ("random",) * sides, games, True),
        "greedy against random": matches(program, setup, greedy_first, max(1, games // 50), False),
        "against plain Python": random_games["decisions_per_second"] / plain["decisions_per_second"],
        "clone (µs)": microseconds(state.copy),
        "state hash (µs)": microseconds(state.hash, 2000),
    }


def start_up(scenario: str) -> dict[str, float]:
    """Whole commands: the help, and a game to its first prompt."""
    run = [sys.executable, "-m", "grognard.cli"]

    def command(*words: str, text: str = "") -> Callable[[], object]:
        return lambda: subprocess.run(
            [*run, *words], input=text, capture_output=True, text=True, cwd=ROOT, check=False
        )

    first_prompt = command("play", scenario, text="quit\n")
    first_prompt()  # now it is in the cache
    return {
        "grognard --help (s)": seconds(command("--help"), 5),
        f"play {scenario} to the first prompt (s)": seconds(first_prompt, 5),
    }


def show(name: str, value: object, depth: int = 0) -> None:
    """Print figures."""
    if isinstance(value, dict):
        print("  " * depth + name)
        for key, inner in value.items():
            show(key, inner, depth + 1)
    elif isinstance(value, float):
        print(
            "  " * depth + f"{name:<44} {value:,.3f}"
            if value < 100
            else "  " * depth + f"{name:<44} {value:,.0f}"
        )
    else:
        print("  " * depth + f"{name:<44} {value}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=["akragas", "barbarossa_1941"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--native", action="store_true", help="build natively first what is not built yet")
    args = parser.parse_args()
    figures: dict[str, object] = {}
    for scenario in args.scenarios:
        try:
            if args.native:
                folder = open_scenario(scenario).folder
                build(folder, compile_folder(folder))
            figures[scenario] = measure(scenario, args.games)
        except Misuse as error:
            parser.error(f"{error}; {error.remedy}")
        show(scenario, figures[scenario])
    figures["start-up"] = start_up(args.scenarios[0])
    show("start-up", figures["start-up"])
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
