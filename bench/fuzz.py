"""Long fuzzing: ``python -m bench.fuzz [SCENARIO[=GAMES] …] [--games N] [--jobs J] [--journal FILE]``.

Plays random games of every scenario (those that are found; with --tests those of the rulesets of the tests,
too), some from the scenario's own set-up, most from random positions of random pieces on its board with
random optional rules.  Each game checks the invariants at every n-th decision (--every) and at its end.  A
share of the games (--compared) is played by both executions of the ruleset side by side, compared at every
decision.  The record of these, and of a share of the others (--recorded), must replay; games without one are
several times as fast.  Games that are not compared take the native build where there is one; then records
must replay in plain Python, too.  What a game is follows from its scenario, its number and these figures.

A game that is not over after --limit decisions is left there and counted as stopped: some positions cannot
be won any more, and few rulesets end a game for that.  It is a fault where it has passed no checkpoint (the
end of a turn, say) in the last half of its decisions.

With --journal what is done is appended to a file, some seconds of play a line: the same command goes on where
it stopped, was interrupted or killed; only one command at a time writes a journal.  Each fault is written to
the folder FILE.faults (without a journal: ./fuzz.faults): its set-up, a text with its number and what is
wrong, the record as far as it came.  ``--only NUMBER`` plays one game again.  Exit code 1 when there are
faults.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from bench.journals import alone, append, entries
from bench.positions import Positions
from bench.quick import elsewhere, quick, standstill
from compiler.agreement import Follower
from compiler.api import compile_ruleset, load_program
from compiler.interpreter import InterpretedProgram
from grognard import places
from grognard.exits import Found, Misuse
from grognard.places import initial_values, load_scenario
from runtime.invariants import Fuzzed, fuzzed
from runtime.program import CompiledProgram
from runtime.record import Record
from runtime.scenario import SetUp
from runtime.workers import end_with_parent

ROOT = Path(__file__).resolve().parent.parent
#: How many games in a row have one set-up, and how long a line of the journal takes at the most.
SHARED, SECONDS = 10, 10.0
_WIDE = (7, 7, 7, 8, 8, 11, 10, 9, 8)
#: What is counted, in the order of the summary's columns.
_TOTALS = (
    "games",
    "random",
    "native",
    "recorded",
    "compared",
    "decisions",
    "compared_decisions",
    "checked",
    "seconds",
)


@dataclass(frozen=True)
class Plan:
    """How games are played: everything checked at every n-th decision, a share of them compared, a share of
    the others recorded, none longer than *limit*.
    """

    every: int = 1
    compared: float = 0.1
    recorded: float = 1.0
    limit: int = 50_000
    signed: tuple[str, ...] = ()
    faults: str = "fuzz.faults"


@dataclass(frozen=True)
class Table:
    """A scenario with both executions of its ruleset; *fastest* is the native build where there is one."""

    compiled: CompiledProgram
    fastest: CompiledProgram
    interpreted: InterpretedProgram
    setup: SetUp
    positions: Positions


@dataclass
class Part:
    """Games *first* up to (but not) *end* of a scenario, played: what is counted, and the numbers of those
    with a fault and of those that were stopped.
    """

    scenario: str
    first: int
    end: int
    totals: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_TOTALS, 0))
    faults: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)

    def line(self) -> str:
        """The line of the journal."""
        return json.dumps(
            {
                "scenario": self.scenario,
                "first": self.first,
                "end": self.end,
                "faults": self.faults,
                "stopped": self.stopped,
                **self.totals,
            }
        )

    @classmethod
    def read(cls, data: dict[str, Any]) -> Part:
        """What a line of the journal says.  ValueError, TypeError or KeyError where it is none."""
        totals = {name: float(data[name]) for name in _TOTALS}
        made = cls(
            str(data["scenario"]),
            int(data["first"]),
            int(data["end"]),
            totals,
            [int(n) for n in data["faults"]],
            [int(n) for n in data["stopped"]],
        )
        if not (0 <= made.first < made.end and made.scenario.isprintable()):
            raise ValueError("these are no games of a scenario")
        if not all(math.isfinite(total) and total >= 0 for total in totals.values()):
            raise ValueError("a total is no number")
        return made


# --------------------------------------------------------------------------- playing


def ruleset_of(path: Path) -> Path:
    """The folder of the ruleset of a scenario: where it stands, or a ruleset that is found."""
    if any(path.parent.glob("*.grog")):
        return path.parent
    folder = places.ruleset_of(path)
    if isinstance(folder, list):
        raise Misuse(f"{path}: {folder[0].message}", folder[0].remedy)
    return folder


#: Many scenarios share a ruleset.
compiled = cache(compile_ruleset)
kept = cache(places.program_of)


@cache
def table(path: str) -> Table:
    """Both executions for a scenario's file.  Misuse where there is an error in it or its ruleset."""
    folder = ruleset_of(Path(path))
    compilation = compiled(folder)
    if compilation.emitted is None:
        raise Misuse(f"{compilation.name} does not compile", f"see `grognard check {compilation.name}`")
    program, setup, findings = load_scenario(Path(path), load_program(compilation))
    if setup is None:
        raise Misuse(f"{path}: {findings[0].message}", findings[0].remedy)
    interpreted = InterpretedProgram(compilation.program, program.spec)
    fastest = native if (native := kept(folder).on(setup.board)).native else program
    return Table(program, fastest, interpreted, setup, Positions(program, setup, initial_values(program)))


def setup_of(path: str, number: int) -> tuple[SetUp, str]:
    """The set-up of a game, and its text where it is a random one."""
    here = table(path)
    rng = Random(f"set-up {number // SHARED}")
    if rng.random() < 0.15:
        return here.setup, ""
    return here.positions.draw(rng) or (here.setup, "")


def play(path: str, number: int, plan: Plan, part: Part, drawn: tuple[SetUp, str]) -> None:
    """Play one game and count it; a fault is written down."""
    here, (setup, text) = table(path), drawn
    share, start = Random(f"compared {Path(path).stem} {number}"), time.perf_counter()
    compared = share.random() < plan.compared
    recorded = compared or share.random() < plan.recorded
    program = here.compiled if compared else here.fastest
    signed = [name.partition(".")[2] for name in plan.signed if name.partition(".")[0] == setup.ruleset]
    if recorded:
        follow = Follower(here.interpreted, setup, number).follow if compared else None
        made = fuzzed(program, setup, number, plan.every, plan.limit, signed, follow)
        stands = _judged(made, here)
    else:
        made, stands = quick(program, setup, number, plan.every, plan.limit, signed)
    if stands:
        made.problems.append(f"not over after {plan.limit} decisions, the last half without a checkpoint")
    elif made.actions >= plan.limit and not made.problems:
        part.stopped.append(number)
    told = part.totals
    told["games"] += 1
    told["decisions"] += made.actions
    told["checked"] += made.checked
    told["random"] += bool(text)
    told["native"] += program.native
    told["recorded"] += recorded
    told["compared"] += compared
    told["compared_decisions"] += made.actions if compared else 0
    told["seconds"] += time.perf_counter() - start
    if made.problems:
        part.faults.append(number)
        how = "by both executions" if compared else "natively" if program.native else "in plain Python"
        _write_fault(path, number, plan, made, [f"ruleset: {setup.ruleset} {program.spec.hash}", how], text)


def _judged(made: Fuzzed, here: Table) -> bool:
    """Whether a game with a record stands still at the limit.  That it is not over is not yet a fault; where
    it was played natively its record is replayed in plain Python.
    """
    game = made.game
    if made.stopped:
        made.problems = []
        if game is not None and standstill(game):
            return True
    if game is not None and not made.problems and game.program is not here.compiled:
        made.problems += elsewhere(game, here.compiled)
    return False


def _write_fault(path: str, number: int, plan: Plan, made: Fuzzed, notes: list[str], text: str) -> None:
    """Write down a fault: what it is, the game so far, and its set-up where it is a random one."""
    folder = Path(plan.faults)
    folder.mkdir(parents=True, exist_ok=True)
    name = folder / f"{Path(path).parent.name}-{Path(path).stem}-{number}"
    again = (
        f"python -m bench.fuzz {path} --only {number} --every {plan.every} --compared {plan.compared} "
        f"--recorded {plan.recorded} --limit {plan.limit}"
    )
    again += "".join(f" --signed {name}" for name in plan.signed)
    lines = [f"scenario: {path}", f"game: {number}", f"again: {again}", *notes]
    name.with_suffix(".txt").write_text("\n".join([*lines, "", *made.problems, ""]), encoding="utf-8")
    if text:
        name.with_suffix(".yaml").write_text(text, encoding="utf-8")
    if made.game is not None:
        name.with_suffix(".record").write_text(Record.of(made.game).write(), encoding="utf-8")


def play_part(path: str, first: int, end: int, plan: Plan) -> Part:
    """Play games from *first* on, up to *end* or as many as some seconds allow."""
    part, start = Part(path, first, first), time.monotonic()
    drawn: tuple[SetUp, str] | None = None
    for number in range(first, end):
        if drawn is None or number % SHARED == 0:
            drawn = setup_of(path, number)
        play(path, number, plan, part, drawn)
        part.end = number + 1
        if time.monotonic() - start > SECONDS:
            break
    return part


# --------------------------------------------------------------------------- the journal


class Journal:
    """What has been done, kept in a file where one is named."""

    def __init__(self, path: Path | None, plan: Plan) -> None:
        self.parts: list[Part] = []
        self.path = path
        head = {
            "fuzz": 3,
            "every": plan.every,
            "compared": plan.compared,
            "recorded": plan.recorded,
            "limit": plan.limit,
            "signed": list(plan.signed),
        }
        if path is None:
            return
        lines = entries(path, lambda data: data if "fuzz" in data else Part.read(data))
        if lines and (lines[0] != head or any(isinstance(line, dict) and line != head for line in lines)):
            raise Misuse(
                f"{path} was begun with other figures, or by another command",
                "give the same, or another file",
            )
        self.parts = [line for line in lines if isinstance(line, Part)]
        if lines:
            return
        self._append(json.dumps(head))

    def add(self, part: Part) -> None:
        """Keep what has been played."""
        self.parts.append(part)
        self._append(part.line())

    def _append(self, line: str) -> None:
        if self.path is not None:
            append(self.path, line)

    def open(self, scenario: str, games: int) -> list[tuple[int, int]]:
        """What is still to be played of a scenario, as stretches of numbers."""
        left, at = [], 0
        for first, end in sorted((p.first, p.end) for p in self.parts if p.scenario == scenario):
            if first > at:
                left.append((at, min(first, games)))
            at = max(at, end)
        if at < games:
            left.append((at, games))
        return [(first, end) for first, end in left if first < end]

    def summary(self) -> list[str]:
        """What was played, by scenario, and every fault."""
        heads = zip((*_TOTALS[:6], "compared", *_TOTALS[7:]), _WIDE, strict=True)
        heading = (f"{head:>{wide}}" for head, wide in heads)
        lines = [" ".join([f"{'scenario':<44}", *heading, "stopped", "faults"])]
        every = Part("all", 0, 0)
        for name in dict.fromkeys(part.scenario for part in self.parts):
            one = Part(name, 0, 0)
            for part in self.parts:
                if part.scenario == name:
                    for key in _TOTALS:
                        one.totals[key] += part.totals[key]
                        every.totals[key] += part.totals[key]
                    for whole in (one, every):
                        whole.faults += part.faults
                        whole.stopped += part.stopped
            lines.append(_row(one))
        lines.append(_row(every))
        lines += [f"fault: {part.scenario} game {number}" for part in self.parts for number in part.faults]
        return lines


def _row(part: Part) -> str:
    figures = (f"{part.totals[key]:>{wide}.0f}" for key, wide in zip(_TOTALS, _WIDE, strict=True))
    return " ".join([f"{part.scenario:<44}", *figures, f"{len(part.stopped):>7}", f"{len(part.faults):>6}"])


# --------------------------------------------------------------------------- the run


def stretches(journal: Journal, wanted: dict[str, int], batch: int) -> Iterator[tuple[str, int, int]]:
    """What is to be played, in turn: always of the scenario of which the smallest share is done."""
    left = {name: journal.open(name, games) for name, games in wanted.items()}
    given = {name: wanted[name] - sum(end - first for first, end in parts) for name, parts in left.items()}
    while any(left.values()):
        name = min((name for name in left if left[name]), key=lambda n: given[n] / wanted[n])
        first, end = left[name].pop(0)
        if end - first > batch:
            left[name].insert(0, (first + batch, end))
            end = first + batch
        given[name] += end - first
        yield name, first, end


def run(journal: Journal, wanted: dict[str, int], plan: Plan, jobs: int, batch: int, until: float) -> None:
    """Play what is wanted and not yet done, until then (by the monotonic clock)."""
    while time.monotonic() < until:
        todo = stretches(journal, wanted, batch)
        played = 0
        if jobs == 1:
            for name, first, end in todo:
                journal.add(play_part(name, first, end, plan))
                played += 1
                if time.monotonic() > until:
                    return
        else:
            played = _parallel(journal, todo, plan, jobs, until)
        if not played:
            return


def _parallel(
    journal: Journal, todo: Iterator[tuple[str, int, int]], plan: Plan, jobs: int, until: float
) -> int:
    played, waiting = 0, set[Future[Part]]()
    pool = ProcessPoolExecutor(jobs, initializer=_ignore)
    try:
        while True:
            while len(waiting) < jobs and time.monotonic() < until and (one := next(todo, None)) is not None:
                waiting.add(pool.submit(play_part, *one, plan))
            if not waiting:
                return played
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                journal.add(future.result())
                played += 1
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore() -> None:
    """In processes that play: interrupting is up to the one that keeps the journal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def scenarios(given: list[str], games: int, tests: bool) -> dict[str, int]:
    """The scenarios that are wanted, by path, and how many games of each."""
    wanted: dict[str, int] = {}
    for one in given:
        name, equals, number = one.rpartition("=")
        if equals and not number.isdecimal():
            raise Misuse(f"'{one}': '{number}' is no number of games", "write SCENARIO=1000")
        wanted[_shown(places.scenario_path(name if equals else one))] = int(number) if equals else games
    if not given:
        wanted.update((_shown(path), games) for path in places.scenarios().values())
        if tests:
            found = sorted(ROOT.glob("tests/rulesets/*/*.yaml"))
            wanted.update(
                (_shown(path), games) for path in found if path.name not in ("style.yaml", "rulebook.yaml")
            )
    return {name: number for name, number in wanted.items() if number > 0}


def _shown(path: Path) -> str:
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) and Path.cwd() == ROOT else str(path)


def main() -> int:
    """Fuzz."""
    parser = argparse.ArgumentParser(
        prog="bench.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "scenarios", nargs="*", metavar="SCENARIO[=GAMES]", help="scenarios (default: all that are found)"
    )
    parser.add_argument(
        "--tests", action="store_true", help="without scenarios: those of the rulesets of the tests, too"
    )
    parser.add_argument(
        "--games", type=int, default=1000, help="how many games of each scenario (default: 1000)"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="check everything at every n-th decision (default: 1)"
    )
    parser.add_argument(
        "--compared",
        type=float,
        default=0.1,
        help="the share of games played by both executions (default: 0.1)",
    )
    parser.add_argument(
        "--recorded",
        type=float,
        default=1.0,
        help="the share of the others of which a record is kept and replayed (default: 1)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=Plan.limit,
        help="a game stops after so many decisions (default: %(default)s)",
    )
    parser.add_argument(
        "--signed",
        action="append",
        default=[],
        metavar="RULESET.MEASURE",
        help="values of this measure may be negative",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument(
        "--batch",
        type=int,
        default=100,
        help="games that one process plays before it reports, at most (default: 100)",
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep what is done, and go on from it")
    parser.add_argument(
        "--only", type=int, metavar="NUMBER", help="play this game alone, and say what is wrong"
    )
    args = parser.parse_args()
    if args.every < 1 or args.jobs < 1 or args.batch < 1 or args.limit < 1:
        parser.error("--every, --jobs, --batch and --limit are 1 or more")
    faults = f"{args.journal}.faults" if args.journal else "fuzz.faults"
    plan = Plan(args.every, args.compared, args.recorded, args.limit, tuple(args.signed), faults)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    with ExitStack() as held:
        try:
            wanted = scenarios(args.scenarios, args.games, args.tests)
            if args.only is not None:
                return only(wanted, args.only, plan)
            held.enter_context(alone(args.journal))
            journal = Journal(args.journal, plan)
            for path in wanted:
                table(path)  # says at once what is wrong with it; processes that are started have it
        except Misuse as error:
            parser.error(f"{error}; {error.remedy}")
        except Found:
            return 1
        except KeyboardInterrupt:
            print("interrupted before any game was played", file=sys.stderr)
            return 1
        try:
            run(journal, wanted, plan, args.jobs, args.batch, time.monotonic() + 60 * args.minutes)
        except KeyboardInterrupt:
            print("interrupted: what is in the journal is kept", file=sys.stderr)
        except Misuse as error:
            parser.error(f"{error}; {error.remedy}")
        print(*journal.summary(), sep="\n")
        return 1 if any(part.faults for part in journal.parts) else 0


def only(wanted: dict[str, int], number: int, plan: Plan) -> int:
    """Play one game of each scenario and say what is wrong with it."""
    faults = 0
    for path in wanted:
        part = Part(path, number, number + 1)
        play(path, number, plan, part, setup_of(path, number))
        faults += len(part.faults)
        print(_row(part))
        for _ in part.faults:
            name = Path(plan.faults) / f"{Path(path).parent.name}-{Path(path).stem}-{number}.txt"
            print(name.read_text(encoding="utf-8"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
