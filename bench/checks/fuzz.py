"""Long fuzzing: games at random, of which nothing must go wrong.

python -m bench.checks.fuzz [SCENARIO[=GAMES] …] [--games N] [--jobs J] [--journal FILE]

Plays random games of every scenario (those that are found; with --tests those of the rulesets of
the tests, too), some from the scenario's own set-up, most from random positions of random pieces on
its board with random optional rules.  Each game checks the invariants at every n-th decision
(--every; 0: never) and at its end.  A share of the games (--compared) is played by both executions
of the ruleset side by side, compared at every decision.  The record of these, and of a share of the
others (--recorded), must replay; games without one are several times as fast.  With --native a
native build plays all games, too, compared at every decision, and in all that a state holds at
every n-th (of 100 where n is 0).  What a game is follows from its scenario, its number and these
figures.

A game that is not over after --limit decisions is left there and counted as stopped: some positions
cannot be won any more, and few rulesets end a game for that.  It is a fault where it has passed no
checkpoint (the end of a turn, say) in the last half of its decisions.

With --journal what is done is appended to a file, some seconds of play a line: the same command
goes on where it stopped, was interrupted or killed; only one command at a time writes a journal.
Each fault is written to the folder FILE.faults (without a journal: ./fuzz.faults): its set-up, a
text with its number and what is wrong, the record as far as it came.  ``--only NUMBER`` plays one
game again.  Exit code 1 when there are faults.
"""

from __future__ import annotations

import math
import signal
import sys
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import NoReturn

from bench.checks.positions import Positions
from bench.command import command, option, parse_arguments
from bench.series import results
from compiler.agreement import Follower
from compiler.interpreter import InterpretedProgram
from compiler.native.side_by_side import FollowedNatively, LibraryMaker
from compiler.ruleset import Ruleset
from grognard import opening, places
from grognard.journal import Journal
from grognard.opening import load_scenario
from grognard.scenario import initial_values
from runtime.errors import ArgumentError
from runtime.games.game import Game
from runtime.games.record import HASH, Record
from runtime.program import CompiledProgram, Program
from runtime.runs.invariants import FuzzedGame, check_game, fixed_values, fuzz_game
from runtime.runs.playout import playout
from runtime.scenario import SetUp

ROOT = Path(__file__).resolve().parents[2]
#: At every so many decisions something is looked at where nothing is checked.
UNCHECKED = 100
#: How many games in a row have one set-up, and how long a line of the journal takes at the most.
SHARED, SECONDS = 10, 10.0
#: What is counted, in the order of the summary's columns, and how wide these are.
_TOTALS = {"games": 7, "random": 7, "recorded": 8, "compared": 8, "decisions": 11}
_TOTALS |= {"compared_decisions": 10, "checked": 9, "seconds": 8}


@dataclass(frozen=True)
class Plan:
    """How games are played: what share is compared, and of the others recorded; whether natively,
    too.
    """

    every: int = 1
    compared: float = 0.1
    recorded: float = 1.0
    limit: int = 50_000
    signed: tuple[str, ...] = ()
    faults: str = "fuzz.faults"
    native: bool = False

    def journal(self, path: Path | None) -> Journal[Part]:
        """The journal of games that are played so."""
        figures = {**asdict(self), "signed": list(self.signed)}
        del figures["faults"]
        return Journal(path, Part, **figures)


@dataclass(frozen=True)
class Table:
    """A scenario with both executions of its ruleset."""

    compiled: CompiledProgram
    interpreted: InterpretedProgram
    setup: SetUp
    positions: Positions


@dataclass
class Part:
    """Games *first* up to (but not) *end* of a scenario, played and counted."""

    scenario: str
    first: int
    end: int
    totals: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_TOTALS, 0.0))
    faults: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)

    def add(self, other: Part) -> None:
        """Count what was played elsewhere, too."""
        for name in _TOTALS:
            self.totals[name] += other.totals[name]
        self.faults += other.faults
        self.stopped += other.stopped

    def row(self) -> str:
        """The row of the summary."""
        figures = (f"{self.totals[name]:>{wide}.0f}" for name, wide in _TOTALS.items())
        ends = f"{len(self.stopped):>7} {len(self.faults):>6}"
        return " ".join([f"{self.scenario:<44}", *figures, ends])


# --------------------------------------------------------------------------- tables


def ruleset_of(path: Path) -> Path:
    """The folder of the ruleset of a scenario: where it stands, or a ruleset that is found."""
    if any(path.parent.glob("*.grog")):
        return path.parent
    folder = opening.ruleset_of(path)
    if isinstance(folder, list):
        raise ArgumentError(f"{path}: {folder[0].message}", folder[0].remedy)
    return folder


#: Many scenarios share a ruleset.
compiled = cache(Ruleset)
kept = cache(places.program_of)


@cache
def maker(folder: Path) -> LibraryMaker:
    """What makes native builds of a ruleset."""
    ruleset = compiled(folder)
    return LibraryMaker(ruleset.program, ruleset.lowered, ruleset.spec)


@cache
def followed_program(path: str, every: int) -> FollowedNatively:
    """The program for a scenario's file, with a native build beside it."""
    return FollowedNatively(
        table(path).compiled, maker(ruleset_of(Path(path))), every or UNCHECKED, False
    )


@cache
def table(path: str) -> Table:
    """Both executions for a scenario's file.  ArgumentError where either has an error."""
    folder = ruleset_of(Path(path))
    ruleset = compiled(folder)
    if ruleset.emitted is None:
        name = ruleset.name
        raise ArgumentError(f"{name} does not compile", f"see `grognard check {name}`")
    scenario, findings = load_scenario(Path(path), folder, ruleset.compiled)
    if scenario is None:
        raise ArgumentError(f"{path}: {findings[0].message}", findings[0].remedy)
    program, setup = scenario.program, scenario.setup
    interpreted = InterpretedProgram(ruleset.program, program.spec)
    positions = Positions(program, setup, initial_values(program))
    return Table(program, interpreted, setup, positions)


def setup_of(path: str, number: int) -> tuple[SetUp, str]:
    """The set-up of a game, and its text where it is a random one."""
    here = table(path)
    rng = Random(f"set-up {number // SHARED}")
    if rng.random() < 0.15:
        return here.setup, ""
    return here.positions.draw(rng) or (here.setup, "")


# --------------------------------------------------------------------------- playing


def play(path: str, number: int, plan: Plan, part: Part, drawn: tuple[SetUp, str]) -> None:
    """Play one game and count it; a fault is written down."""
    here, (setup, text) = table(path), drawn
    share, start = Random(f"compared {Path(path).stem} {number}"), time.perf_counter()
    compared = share.random() < plan.compared
    recorded = compared or share.random() < plan.recorded
    program = followed_program(path, plan.every) if plan.native else here.compiled
    own = f"{setup.ruleset}."
    signed = [name.removeprefix(own) for name in plan.signed if name.startswith(own)]
    if recorded:
        follow = Follower(here.interpreted, setup, number).follow if compared else None
        game = fuzz_game(
            program, setup, number, plan.every or UNCHECKED, plan.limit, signed, follow
        )
        stands = _judge(game, here)
    else:
        game, stands = quick(program, setup, number, plan.every, plan.limit, signed)
    if stands:
        message = f"not over after {plan.limit} decisions, the last half without a checkpoint"
        game.problems.append(message)
    elif game.actions >= plan.limit and not game.problems:
        part.stopped.append(number)
    counted = {
        "games": 1,
        "decisions": game.actions,
        "checked": game.checked,
        "random": bool(text),
        "recorded": recorded,
        "compared": compared,
        "compared_decisions": game.actions * compared,
        "seconds": time.perf_counter() - start,
    }
    for name, count in counted.items():
        part.totals[name] += count
    if game.problems:
        part.faults.append(number)
        how = "by both executions" if compared else "in Python"
        how += ", and natively" if plan.native else ""
        notes = [f"ruleset: {setup.ruleset} {program.spec.hash}", how, "", *game.problems]
        _write_fault(path, number, plan, game.game, notes, text)


def quick(
    program: Program, setup: SetUp, seed: int, every: int, limit: int, signed: Collection[str]
) -> tuple[FuzzedGame, bool]:
    """Play a game without a record; and whether play had come to a standstill."""
    fuzz, choices = FuzzedGame(), Random(seed)
    state, middle = None, 0
    try:
        state = program.new_state(setup, seed)
        program.begin(state)
        begun = fixed_values(state) if every else {}
        while True:
            if every:
                fuzz.checked += 1
                game = Game.at(program, setup, state)
                fuzz.problems = check_game(game, begun, signed, Random(fuzz.actions))
                state.log = None
            if fuzz.problems or state.over or fuzz.actions >= limit:
                break
            if fuzz.actions <= limit // 2:
                middle = state.checkpoints
            fuzz.actions += playout(
                program, state, choices, min(every or UNCHECKED, limit - fuzz.actions)
            )
    except Exception as error:
        fuzz.problems = [f"{type(error).__name__}: {error}", *traceback.format_exception(error)]
        fuzz.actions = limit  # or somewhere before that
    if fuzz.problems:
        fuzz.problems = [f"seed {seed}, action {fuzz.actions}: {line}" for line in fuzz.problems]
        fuzz.game = _again(program, setup, seed, fuzz.actions)
    return fuzz, state is not None and not state.over and state.checkpoints == middle


def _again(program: Program, setup: SetUp, seed: int, actions: int) -> Game | None:
    """The same game, step by step, as far as it comes."""
    choices, game = Random(seed), None
    with suppress(Exception):
        game = Game(program, setup, seed)
        while not game.over and actions:
            options = game.state.options
            game.take(options[int(choices.random() * len(options))])
            actions -= 1
    return game


def _judge(fuzz: FuzzedGame, here: Table) -> bool:
    """Whether a game stands still at the limit."""
    game = fuzz.game
    if fuzz.stopped:
        fuzz.problems = []
        entries = game.entries() if game is not None else []
        if entries and all(side != HASH for side, _ in entries[len(entries) // 2 :]):
            return True
    return False


def _fault(path: str, number: int, plan: Plan) -> Path:
    """Where a fault is written down, without the ending."""
    return Path(plan.faults) / f"{Path(path).parent.name}-{Path(path).stem}-{number}"


def _write_fault(
    path: str, number: int, plan: Plan, game: Game | None, notes: list[str], text: str
) -> None:
    """Write down a fault: what it is, the game so far, and its set-up where it is a random one."""
    name = _fault(path, number, plan)
    name.parent.mkdir(parents=True, exist_ok=True)
    figures = {name: getattr(plan, name) for name in ("every", "compared", "recorded", "limit")}
    words = [f"--only {number}", *(f"--{name} {value}" for name, value in figures.items())]
    words += [f"--signed {signed}" for signed in plan.signed]
    words += ["--native"] * plan.native
    again = f"python -m bench.checks.fuzz {path} {' '.join(words)}"
    lines = [f"scenario: {path}", f"game: {number}", f"again: {again}", *notes, ""]
    name.with_suffix(".txt").write_text("\n".join(lines), encoding="utf-8")
    if text:
        name.with_suffix(".yaml").write_text(text, encoding="utf-8")
    if game is not None:
        name.with_suffix(".record").write_text(Record.of(game).write(), encoding="utf-8")


def play_part(path: str, first: int, end: int, plan: Plan) -> Part:
    """Play games from *first* on, up to *end* or as many as some seconds allow."""
    part, start = Part(path, first, end), time.monotonic()
    drawn: tuple[SetUp, str] | None = None
    for number in range(first, end):
        if drawn is None or number % SHARED == 0:
            drawn = setup_of(path, number)
        play(path, number, plan, part, drawn)
        if time.monotonic() - start > SECONDS:
            part.end = number + 1
            break
    return part


# --------------------------------------------------------------------------- the run


def summary(parts: list[Part]) -> list[str]:
    """What was played, by scenario, and every fault."""
    heads = (f"{name.partition('_')[0]:>{wide}}" for name, wide in _TOTALS.items())
    lines = [" ".join([f"{'scenario':<44}", *heads, "stopped", "faults"])]
    sums: dict[str, Part] = {}
    whole = Part("all", 0, 1)
    for part in parts:
        sums.setdefault(part.scenario, Part(part.scenario, 0, 1)).add(part)
        whole.add(part)
    lines += [one.row() for one in (*sums.values(), whole)]
    return lines + [f"fault: {p.scenario} game {number}" for p in parts for number in p.faults]


def missing(parts: list[Part], scenario: str, games: int) -> list[tuple[int, int]]:
    """What is still to be played of a scenario, as stretches of numbers."""
    left, at = [], 0
    played = sorted((part.first, part.end) for part in parts if part.scenario == scenario)
    for first, end in [*played, (games, games)]:
        left.append((at, min(first, games)))
        at = max(at, end)
    return [(first, end) for first, end in left if first < end]


def stretches(
    parts: list[Part], wanted: dict[str, int], batch: int
) -> Iterator[tuple[str, int, int]]:
    """What is to be played, in turn: always of the scenario of which the smallest share is done."""
    left = {name: missing(parts, name, games) for name, games in wanted.items()}
    given = {n: wanted[n] - sum(end - first for first, end in left[n]) for n in wanted}
    while open_ := [name for name in left if left[name]]:
        name = min(open_, key=lambda n: given[n] / wanted[n])
        first, last = left[name].pop(0)
        end = min(last, first + batch)
        if end < last:
            left[name].insert(0, (end, last))
        given[name] += end - first
        yield name, first, end


def run(
    journal: Journal[Part], wanted: dict[str, int], plan: Plan, jobs: int, batch: int, until: float
) -> None:
    """Play what is wanted and not yet done, until then (by the monotonic clock)."""
    played = None
    while time.monotonic() < until and played != len(journal.entries):
        played = len(journal.entries)
        todo = ((*one, plan) for one in stretches(journal.entries, wanted, batch))
        for part in results(play_part, todo, jobs, until):
            journal.add(part)  # it ends after some seconds, perhaps before its last game


def scenarios(given: list[str], games: int, tests: bool) -> dict[str, int]:
    """The scenarios that are wanted, by path, and how many games of each."""
    wanted: dict[Path, int] = {}
    for one in given:
        name, equals, number = one.rpartition("=")
        if equals and not number.isdecimal():
            raise ArgumentError(f"'{one}': '{number}' is no number of games", "write SCENARIO=1000")
        path = places.scenario_path(name if equals else one)
        wanted[path] = int(number) if equals else games
    if not given:
        wanted = dict.fromkeys(places.scenarios().values(), games)
        if tests:
            files = sorted(ROOT.glob("tests/rulesets/*/*.yaml"))
            others = [path for path in files if path.name not in ("style.yaml", "rulebook.yaml")]
            wanted |= dict.fromkeys(others, games)
    return {_short(path): number for path, number in wanted.items() if number > 0}


def _short(path: Path) -> str:
    path = path.resolve()
    inside = path.is_relative_to(ROOT) and Path.cwd() == ROOT
    return str(path.relative_to(ROOT) if inside else path)


def only(wanted: dict[str, int], number: int, plan: Plan) -> int:
    """Play one game of each scenario and say what is wrong with it."""
    faults = 0
    for path in wanted:
        part = Part(path, number, number + 1)
        play(path, number, plan, part, setup_of(path, number))
        faults += len(part.faults)
        print(part.row())
        if part.faults:
            print(_fault(path, number, plan).with_suffix(".txt").read_text(encoding="utf-8"))
    return 1 if faults else 0


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz."""
    args = parse_arguments(
        "bench.checks.fuzz",
        __doc__,
        arguments,
        option("scenarios", (), "default: all", nargs="*", metavar="SCENARIO[=GAMES]"),
        option("--tests", False, "without scenarios: those of the rulesets of the tests, too"),
        option("--games", 1000, "how many games of each scenario"),
        option("--every", 1, "check everything at every n-th decision; 0: nothing"),
        option("--compared", 0.1, "the share of games played by both executions"),
        option("--recorded", 1.0, "the share of the others of which a record is kept and replayed"),
        option("--native", False, "a native build plays all games, too"),
        option("--limit", Plan.limit, "a game stops after so many decisions", least=1),
        option("--signed", [], "RULESET.MEASURE, which may be negative", action="append"),
        option("--jobs", 1, "processes", least=1),
        option("--minutes", math.inf, "stop after so long"),
        option("--batch", 100, "games that a process plays before it reports, at most", least=1),
        option("--journal", None, "keep what is done, and go on", type=Path, metavar="FILE"),
        option("--only", None, "play this game alone", type=int, metavar="NUMBER"),
    )
    faults = f"{args.journal}.faults" if args.journal else Plan.faults
    signed = tuple(args.signed)
    plan = Plan(args.every, args.compared, args.recorded, args.limit, signed, faults, args.native)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    begun = False
    try:
        wanted = scenarios(args.scenarios, args.games, args.tests)
        if args.only is not None:
            return only(wanted, args.only, plan)
        with plan.journal(args.journal) as journal:
            for path in wanted:
                table(path)  # says at once what is wrong with it; other processes have it then
            begun = True
            until = time.monotonic() + 60 * args.minutes
            run(journal, wanted, plan, args.jobs, args.batch, until)
    except KeyboardInterrupt:
        if not begun:
            print("interrupted before any game was played", file=sys.stderr)
            return 1
        print("interrupted: what is in the journal is kept", file=sys.stderr)
    print(*summary(journal.entries), sep="\n")
    return 1 if any(part.faults for part in journal.entries) else 0


if __name__ == "__main__":
    sys.exit(main())
