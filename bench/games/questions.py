"""What is a player asked, and what would he decide with cardboard?

python -m bench.games.questions SCENARIO … [--games N] [--bots NAMES] [--decisions N] [--jobs J]

Bots play *--games* games; by side and step of the turn it counts

* **table**: what a player decides with cardboard.  One decision is what is done with a piece or a
  card, with all that goes with it as long as no die is rolled and nobody else decides: *this unit
  to that hex, facing there*; that a player ends a list (``done``) is none.
* **questions**: what the program asks, one after another;
* **lines**: the lines to be typed when each of them says one decision, or one and that the list is
  done; an order of the next list ends the one that is asked.  Each line of several answers is tried
  as a player would type it.

The ratios are those of questions and of lines to decisions at the table.  **median** is that of the
decisions at the table in a turn of the game (up to a checkpoint) in which there are any, and the
number before it how many such turns a game has.  A native build makes the games faster.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from bench.command import command, option, read
from bench.series import results
from grognard.bots.players import find_bot
from grognard.draw.scene import Scene
from grognard.opening import open_scenario
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from grognard.table.situation import Whereabouts
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.games.replay import replay
from runtime.option import Option
from runtime.runs.series import play_match


@dataclass
class Counted:
    """What was counted of a step: decisions at the table, questions, lines; and, by game and turn,
    the first of these.
    """

    table: int = 0
    questions: int = 0
    lines: int = 0
    turns: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: Counted) -> None:
        """Add what was counted elsewhere."""
        self.table += other.table
        self.questions += other.questions
        self.lines += other.lines
        self.turns += other.turns


@dataclass
class _Act:
    """What a side has decided since it took something up; *before* is the game as it was then."""

    before: Game
    side: int
    step: str
    options: list[Option] = field(default_factory=list)
    ends: bool = False

    def goes_on(self, decision: Decision) -> bool:
        """Whether a question is still about what was taken up."""
        named = {name for option in self.options for name in option.text.split()[1:]}
        about = {name for subject in decision.about for name in subject.text.split()}
        return decision.side == self.side and bool(named & about)


def acts(game: Game, choices: Sequence[int], scene: Scene) -> Iterator[_Act]:
    """The acts of a game that is played as it was before."""
    where = Whereabouts(game, scene)
    act: _Act | None = None
    asked: set[tuple[int, int]] = set()
    for choice in choices:
        decision = game.decision
        assert decision is not None
        option = next(option for option in decision.options if option.raw == choice)
        here = (decision.side, decision.point)
        ending = option.passes and (game.spec.decisions[decision.point].menu or here in asked)
        if act is not None:
            more = act.goes_on(decision) or (ending and not act.ends)
            if not more or not game.can_undo:  # the latter takes long to find
                yield act
                act = None
        if act is None:
            act = _Act(game.copy(), decision.side, where.step())
        act.options.append(option)
        act.ends = ending
        asked ^= asked & {here} if ending else {here} - asked
        game.play(option)
    if act is not None:
        yield act


def _typed(act: _Act, lines: LineReader) -> int:
    """How many lines say an act: one, where it is taken as it would be typed."""
    one = len(act.options) == 1 or _says(act, act.before, act.options, lines)
    return 1 if one else len(act.options)


def _says(act: _Act, before: Game, options: Sequence[Option], lines: LineReader) -> bool:
    """Whether the line of an act, typed in a game as it was before, means these options."""
    words = ", ".join(option.text for option in act.options)
    try:
        taken = lines.read(Menu(before, lines.scene), words)
    except IllegalOption:
        return False
    return [o.raw for o in taken] == [o.raw for o in options]


def _in_one(ended: Sequence[_Act], act: _Act, lines: LineReader) -> bool:
    """Whether the line of an act, typed at lists that were ended before it, ends these as well."""
    if act.side != ended[0].side or (act.ends and len(act.options) == 1):
        return False
    options = [option for one in (*ended, act) for option in one.options]
    return _says(act, ended[0].before, options, lines)


Counts = dict[tuple[str, str], Counted]


def measure(scenario: str, bots: Sequence[str], games: int, most: int, jobs: int) -> Counts:
    """What is counted in some games of a scenario, by side and step."""
    counts: Counts = defaultdict(Counted)
    todo = ((scenario, bots, seed, most) for seed in range(games))
    for game in results(measure_game, todo, jobs):
        for step, counted in game.items():
            counts[step].add(counted)
    return counts


def measure_game(scenario: str, bots: Sequence[str], seed: int, most: int) -> Counts:
    """What is counted in one game."""
    opened = open_scenario(scenario)
    counts: Counts = defaultdict(Counted)
    game = Game(opened.program, opened.setup, seed)
    scene = Scene(game.spec, game.setup, game.wording)
    lines = LineReader(scene)
    sides = range(len(game.spec.sides))
    players = [find_bot(bots[i % len(bots)]) for i in sides]
    record = play_match(opened.program, opened.setup, players, seed, True).record
    assert record is not None
    choices = replay(opened.program, opened.setup, record, log=False).choices
    waiting: list[_Act] = []  # lists that were ended without anything done
    for act in acts(game, choices[:most], scene):
        only_ends = act.ends and len(act.options) == 1
        if waiting and _in_one(waiting, act, lines):
            for ended in waiting:
                counts[scene.side_name(ended.side), ended.step].lines -= 1
        if not only_ends or (waiting and waiting[-1].side != act.side):
            waiting = []
        waiting += [act] if only_ends else []
        here = Counter({(seed, act.before.state.checkpoints): 0 if only_ends else 1})
        counted = Counted(here.total(), len(act.options), _typed(act, lines), here)
        counts[scene.side_name(act.side), act.step].add(counted)
    return counts


def table(found: Counts, games: int) -> Iterator[str]:
    """The counts as a table (Markdown), a game each, with their sum."""
    yield (
        "| side | step | table | questions | lines | questions : table | lines : table | turns "
        "| median |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    total = Counted()
    for (side, step), counted in found.items():
        total.add(counted)
        yield _row(side, step, counted, games)
    yield _row("all", "", total, games)


def _row(side: str, step: str, c: Counted, games: int) -> str:
    per = [f"{n / games:.1f}" for n in (c.table, c.questions, c.lines)]
    ratios = [f"{n / c.table:.2f}" if c.table else "–" for n in (c.questions, c.lines)]
    turn = [f"{len(c.turns) / games:.1f}", f"{median(c.turns.values()):g}" if c.turns else "–"]
    return f"| {' | '.join([side, step, *per, *ratios, *turn])} |"


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    args = read(
        "bench.games.questions",
        __doc__,
        arguments,
        option("scenarios", None, "scenarios", metavar="SCENARIO", nargs="+"),
        option("--games", 1, "games of each scenario", least=1),
        option("--bots", "greedy", "who plays, by side", metavar="NAMES"),
        option("--decisions", 1_000_000, "of a game, only the first N"),
        option("--jobs", 1, "processes", least=1),
    )
    for scenario in args.scenarios:
        counts = measure(scenario, args.bots.split(","), args.games, args.decisions, args.jobs)
        print(f"\n{scenario}, {args.games} games\n")
        print("\n".join(table(counts, args.games)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
