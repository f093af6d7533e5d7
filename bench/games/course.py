"""How does the war go?  python -m bench.games.course SCENARIO FIELD KIND --journal FILE [--games N]
[--switches NAME …]

Lets the greedy bot play itself, each game with a seed of its own, and counts turn by turn what the
sides hold: FIELD is a field of sides, a set of hexes (``holds``), KIND a fixed field of hexes by
which these are told apart (``home``: the country).  Prints who has won and when (Markdown), and
when the hexes of --hexes first changed hands; --chart draws the counts, the median game with the
middle half around it.  What is played is appended to the journal, and the same command goes on from
there; games of other rules are left aside, but not those of other bots: when these change, begin a
new journal.  Optional rules named by --switches are on.  ``--games 0`` prints what there is.  A
native build (``grognard compile RULESET --native``) makes it some fifteen times as fast.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import charts
from bench.command import command, option, parse_arguments
from bench.series import results
from grognard.journal import Journal
from grognard.opening import open_scenario
from runtime.errors import ArgumentError
from runtime.games.replay import replay
from runtime.model import FieldSpec, RulesetSpec
from runtime.program import Program
from runtime.runs.bots import GreedyBot
from runtime.runs.intervals import wilson
from runtime.runs.series import play_match
from runtime.scenario import SetUp
from runtime.state import StateBase


@dataclass(frozen=True)
class Course:
    """A game from its first turn to that in which it ended: at the beginning of each, and at the
    end, what each side holds of each kind, and who holds the hexes that are watched (the number of
    the side, −1: nobody).
    """

    scenario: str
    rules: str
    seed: int
    first: int
    ended: int
    counts: list[list[list[int]]]
    held: list[dict[str, int]]
    won: list[str]
    decisions: int


class Watch:
    """What is counted of a ruleset's states."""

    def __init__(self, spec: RulesetSpec, field: str, kind: str, hexes: Sequence[str]) -> None:
        self.field = _field(spec, "Side", field, "set")
        self.kind = _field(spec, "Hex", kind, "enum")
        self.turn = _field(spec, "Game", "turn", "enum")
        values = self.kind.values or ()
        self.kinds = [
            (number, sum(1 << h for h, value in enumerate(values) if value == number), word)
            for number, word in enumerate(spec.enums[self.kind.type.name])
        ]
        self.hexes = {label: spec.board.index(label) for label in hexes}

    def hex_counts(self, state: StateBase) -> list[list[int]]:
        """How many hexes of each kind each side holds."""
        held = getattr(state, self.field.slot)
        return [[(mask & kind).bit_count() for _, kind, _ in self.kinds] for mask in held]

    def holders(self, state: StateBase) -> dict[str, int]:
        """Who holds the hexes that are watched."""
        held = getattr(state, self.field.slot)
        return {
            label: next((side for side, mask in enumerate(held) if mask >> h & 1), -1)
            for label, h in self.hexes.items()
        }


def _field(spec: RulesetSpec, owner: str, name: str, kind: str) -> FieldSpec:
    """A field of the ruleset, of the right sort."""
    for field in spec.fields_of(owner):
        if field.name == name and field.type.kind == kind:
            return field
    known = ", ".join(f.name for f in spec.fields_of(owner) if f.type.kind == kind)
    raise ArgumentError(f"{owner} has no field '{name}' that is a {kind}", f"there are: {known}")


def play(
    scenario: str,
    switches: Sequence[str],
    field: str,
    kind: str,
    hexes: Sequence[str],
    seed: int,
) -> Course:
    """Play a game."""
    opened = open_scenario(scenario, dict.fromkeys(switches, True))
    program, setup = opened.program, opened.setup
    watch = Watch(program.spec, field, kind, hexes)
    counts: list[list[list[int]]] = []
    held: list[dict[str, int]] = []
    turn = first = -1
    decisions = 0
    for state in states(program, setup, seed):
        decisions += 1
        now = getattr(state, watch.turn.slot)
        if now != turn or state.over:
            turn, first = now, now if turn < 0 else first
            counts.append(watch.hex_counts(state))
            held.append(watch.holders(state))
    won = [side for side, rank in zip(program.spec.sides, state.ranks, strict=True) if rank == 1]
    return Course(scenario, program.spec.hash, seed, first, turn, counts, held, won, decisions)


def states(program: Program, setup: SetUp, seed: int) -> Iterator[StateBase]:
    """The positions of a game between greedy bots, up to its end."""
    match = play_match(program, setup, [GreedyBot() for _ in program.spec.sides], seed, True)
    assert match.record is not None
    state = program.new_state(setup, seed)
    program.begin(state)
    for choice in replay(program, setup, match.record).choices:
        yield state
        program.answer(state, choice)
    yield state


# ---------------------------------------------------------------------- what comes of it


def table(courses: Sequence[Course], turns: Sequence[str], sides: Sequence[str]) -> Iterator[str]:
    """Who has won, and in which turn the games ended."""
    yield "| won by | games | share | ended in turn |\n|---|---|---|---|"
    for side in sides:
        own = [one for one in courses if one.won == [side]]
        low, high = (round(100 * end) for end in wilson(len(own), len(courses)))
        ends = Counter(one.ended for one in own)
        when = ", ".join(f"{turns[turn]}: {count}" for turn, count in sorted(ends.items()))
        share = f"{round(100 * len(own) / len(courses))}% ({low} to {high})"
        yield f"| {side} | {len(own)} | {share} | {when} |"


def turns_of_capture(courses: Sequence[Course], label: str) -> list[int]:
    """The turns in which a hex first changed hands, of the games in which it did."""
    found = []
    for one in courses:
        begun = one.held[0][label]
        for turn, now in enumerate(one.held):
            if now[label] not in (begun, -1):
                # what is seen at the beginning of a turn came about in the turn before
                found.append(min(one.first + turn - 1, one.ended))
                break
    return found


def by_turn(courses: Sequence[Course], side: int, kind: int, turns: int) -> list[list[int]]:
    """What a side holds of a kind at the beginning of each turn, of the games that come to it."""
    rows: list[list[int]] = [[] for _ in range(turns + 1)]
    for one in courses:
        for turn, counts in enumerate(one.counts, one.first):
            if turn <= turns:
                rows[turn].append(counts[side][kind])
    return rows


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    args = parse_arguments(
        "bench.games.course",
        __doc__,
        arguments,
        option("scenario", None, "a scenario", metavar="SCENARIO"),
        option("field", None, "a set of hexes of each side", metavar="FIELD"),
        option("kind", None, "a field of hexes by which they are told apart", metavar="KIND"),
        option("--hexes", [], "hexes that are watched", nargs="*", metavar="HEX"),
        option("--switches", [], "optional rules that are on", nargs="*", metavar="NAME"),
        option("--journal", None, "keep what is played", type=Path, required=True, metavar="FILE"),
        option("--games", 40, "games"),
        option("--jobs", 1, "processes", least=1),
        option("--chart", None, "the drawing (SVG)", type=Path, metavar="FILE"),
        option("--lines", [], "what is drawn: SIDE:MEMBER", nargs="*", metavar="LINE"),
        option("--title", "", "what is written above it"),
    )
    spec = open_scenario(args.scenario, dict.fromkeys(args.switches, True)).program.spec
    watch = Watch(spec, args.field, args.kind, args.hexes)
    told = {"field": args.field, "told_by": args.kind}
    figures = {**told, "hexes": list(args.hexes), "switches": list(args.switches)}
    with Journal(args.journal, Course, **figures) as journal:

        def own() -> list[Course]:
            here = args.scenario, spec.hash
            return [one for one in journal.entries if (one.scenario, one.rules) == here]

        done = {one.seed for one in own()}
        seeds = [seed for seed in range(1, args.games + 1) if seed not in done]
        given = (
            (args.scenario, args.switches, args.field, args.kind, args.hexes, seed)
            for seed in seeds
        )
        for course in results(play, given, args.jobs):
            journal.add(course)
        courses = own()
    if not courses:
        return 0
    names = [spec.text(f"turn.{word}", default=word) for word in spec.enums[watch.turn.type.name]]
    print("\n".join(table(courses, names, spec.sides)))
    for label in args.hexes:
        found = turns_of_capture(courses, label)
        when = ", ".join(f"{names[t]}: {n}" for t, n in sorted(Counter(found).items()))
        place = spec.board.names.get(spec.board.index(label), label)
        print(f"{place} changed hands in {len(found)} of {len(courses)} games ({when})")
    if args.chart:
        lines = []
        for wanted in args.lines:
            side, _, rest = wanted.partition(":")
            word, _, words = rest.partition(":")
            member = next((n for n, _, known in watch.kinds if known == word), None)
            if side not in spec.sides or member is None:
                raise ArgumentError(f"there is no line '{wanted}'", "write SIDE:MEMBER:words")
            rows = by_turn(courses, spec.sides.index(side), member, len(names) - 1)
            lines.append((words or wanted, rows))
        turns = [name.lstrip("t") for name in names]
        drawn = charts.course(args.title or args.scenario, lines, turns, len(courses))
        charts.save(drawn, args.chart)
    return 0


if __name__ == "__main__":
    sys.exit(main())
