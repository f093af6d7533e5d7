"""Golden games: python -m bench.checks.golden [--write] [--native] [SCENARIO …]

What play comes to is kept in ``tests/golden``, so that no change of rules or engine goes unnoticed:

* ``games.json`` has a row for each scenario: the positions at each depth under seed 1, and of
  random games of two seeds how many decisions they have, a digest of what was taken, the first
  digits of the state's hash at each checkpoint, and the result;
* a few whole records, by ruleset and scenario, are what other tests need a game of.

A state's hash covers where in the rules a game stands, so rules that are only arranged anew change
the hashes of games that go on just as before; other rules change what is taken.  Which of the two
it is, and from where on, is said of each game that is not what it was.  ``--write`` keeps the games
of today.  With ``--native`` a native build plays all of them, too, and must come to the same.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from bench.checks.fuzz import maker
from bench.command import command, option, parse_arguments
from compiler.native.side_by_side import FollowedNatively
from grognard.opening import open_scenario
from grognard.places import scenarios
from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import HASH, Record
from runtime.games.replay import replay
from runtime.program import Program
from runtime.runs.playout import perft
from runtime.runs.seats import make_bot
from runtime.runs.series import play_match
from runtime.scenario.setup import SetUp

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
TABLE = GOLDEN / "games.json"
SEEDS = (1, 2)
#: Positions are counted down to the first depth that has so many, or to the last.
ENOUGH, DEEPEST = 1_000, 6
#: How many digits of each hash the table keeps.
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A random game: a digest of its decisions, and the first digits of its hashes."""

    decisions: int
    taken: str
    result: str
    hashes: str

    def differs(self, now: Row) -> str:
        """In what the game of today is another one; empty where it is the same."""
        if self == now:
            return ""
        if (self.decisions, self.taken, self.result) == (now.decisions, now.taken, now.result):
            return "only hashes differ"
        both = zip(self.hashes.split(), now.hashes.split(), strict=False)
        turn = next((n for n, (was, is_) in enumerate(both) if was != is_), "the last")
        return f"decisions differ; the first other hash is that of checkpoint {turn}"


def row_of(program: Program, setup: SetUp, seed: int) -> Row:
    """A random game, played now."""
    game, rng = Game(program, setup, seed, log=False), Random(seed)
    while not game.over:
        game.play(rng.randrange(len(game.state.options)))
    entries = game.entries()
    taken = [f"{side}: {text}" for side, text in entries if side != HASH]
    hashes = [text for side, text in entries if side == HASH] + [game.state.hash()]
    digest = hashlib.sha256("\n".join(taken).encode()).hexdigest()[:16]
    return Row(len(taken), digest, game.outcome, " ".join(text[:DIGITS] for text in hashes))


def positions_of(program: Program, setup: SetUp) -> list[int]:
    """The number of positions at each depth (perft) under seed 1."""
    state = program.new_state(setup, 1)
    program.begin(state)
    counts: list[int] = []
    while len(counts) < DEEPEST and (not counts or counts[-1] < ENOUGH):
        counts.append(perft(program, state, len(counts) + 1))
    return counts


@dataclass(frozen=True)
class Golden:
    """What is kept of a scenario: *positions* by depth, *games* by seed."""

    positions: list[int]
    games: dict[int, Row]

    @classmethod
    def of(cls, program: Program, setup: SetUp) -> Golden:
        """What the scenario comes to today."""
        games = {seed: row_of(program, setup, seed) for seed in SEEDS}
        return cls(positions_of(program, setup), games)

    def differences(self, now: Golden) -> list[str]:
        """What is not as it was, a line each."""
        lines = []
        if self.positions != now.positions:
            lines = [f"positions: {self.positions}, now {now.positions}"]
        for seed, row in now.games.items():
            text = self.games[seed].differs(row) if seed in self.games else "is new"
            lines += [f"seed {seed}: {text}"] if text else []
        return lines


def kept_table() -> dict[str, Golden]:
    """The table as it is kept."""
    kept = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    games = {
        name: {int(seed): Row(**row) for seed, row in one["games"].items()}
        for name, one in kept.items()
    }
    return {name: Golden(one["positions"], games[name]) for name, one in kept.items()}


def write(table: dict[str, Golden]) -> None:
    """Keep a table, with a line for each game."""

    def block(golden: Golden) -> str:
        games = (f'   "{seed}": {json.dumps(asdict(row))}' for seed, row in golden.games.items())
        listed = ",\n".join(games)
        return f'{{"positions": {json.dumps(golden.positions)}, "games": {{\n{listed}}}}}'

    lines = (f" {json.dumps(name)}: {block(table[name])}" for name in sorted(table))
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def record_today(program: Program, setup: SetUp, kept: Record) -> tuple[Record, str]:
    """What a whole record is today, and in what it differs."""
    try:
        replay(program, setup, kept, lenient=True)
        return kept, ""
    except RecordError as error:
        parting = str(error)
    assert kept.seed is not None  # golden records tell their seeds
    game = Game(program, setup, kept.seed, log=False)
    for entry in kept.actions:
        decision = game.decision
        offered = decision.options if decision is not None and decision.name == entry.side else ()
        option = next((option for option in offered if option.text == entry.text), None)
        if option is None:
            break
        game.play(option)
    players = dict(kept.players)
    if game.outcome == kept.result:
        return Record.of(game, players), "only hashes differ"
    names = [players[side] for side in program.spec.sides]
    bots = [make_bot(name) for name in names]
    played = play_match(program, setup, bots, kept.seed, record=True, names=names).record
    assert played is not None
    return played, parting


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Tell what differs, or keep it."""
    args = parse_arguments(
        "bench.checks.golden",
        __doc__,
        arguments,
        option("scenarios", (), "ruleset/name; without any, all", nargs="*", metavar="SCENARIO"),
        option("--write", False, "keep the games of today"),
        option("--native", False, "a native build plays all of them, too"),
    )
    names = args.scenarios or sorted(scenarios())
    table, differ = kept_table(), False
    for name in names:
        opened = open_scenario(name)
        program: Program = opened.program
        if args.native:
            program = FollowedNatively(opened.program, maker(opened.folder), 20)
        now = Golden.of(program, opened.setup)
        lines = table[name].differences(now) if name in table else ["is new"]
        table[name] = now
        for path in sorted((GOLDEN / name).glob("*.record")):
            kept = Record.parse(path.read_text(encoding="utf-8"))
            record, text = record_today(program, opened.setup, kept)
            lines += [f"{path.name}: {text}"] if text else []
            if text and args.write:
                path.write_text(record.write(), encoding="utf-8")
        for line in lines:
            print(f"{name}: {line}", flush=True)
        differ = differ or bool(lines)
    if args.write:
        write(table if args.scenarios else {name: table[name] for name in names})
    return int(differ and not args.write)


if __name__ == "__main__":
    sys.exit(main())
