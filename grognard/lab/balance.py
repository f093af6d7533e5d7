"""Cases of balance: what share of the games between bots a side should win."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from grognard.bots.series import run
from grognard.cases.case_shape import BALANCE
from grognard.cases.file import Case
from grognard.cases.runner import Outcome
from grognard.cases.suite import UnreadFile, read_files
from grognard.lab.sequential import share_of
from grognard.opening import open_scenario
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, LoadError, RulesError
from runtime.runs.intervals import wilson
from runtime.runs.seats import make_bot

_GAMES: Final = 200


class Balance(NamedTuple):
    """The share of *games* between *bot* and itself that a *side* (empty: the first) should win."""

    low: float
    high: float
    games: int
    bot: str
    side: str

    @classmethod
    def of(cls, text: str) -> Balance:
        """From what a case says, whose form has been checked."""
        match = BALANCE.match(text)
        assert match is not None
        games, bot = int(match["games"] or _GAMES), match["bot"] or "greedy"
        return cls(float(match["low"]), float(match["high"]), games, bot, match["side"] or "")


#: May build a scenario's ruleset natively for these bots and so many games.
Build = Callable[[Scenario, list[str], int], None]


def balances(
    files: Iterable[Path], match: str = "", build: Build = lambda *_: None
) -> Iterator[Outcome | UnreadFile]:
    """Run the cases of balance of files, and no others; see :func:`run_files`."""
    for _, read in read_files(files):
        if isinstance(read, UnreadFile):
            yield read
            continue
        for case in read.cases:
            if "balance" in case.data and case.matches(match):
                yield _weigh(case, read.scenario, build)


def _weigh(case: Case, scenario: str, build: Build) -> Outcome:
    """Play what a case of balance asks for."""
    wanted = Balance.of(str(case.data["balance"]))
    try:
        opened = open_scenario(scenario, case.data.get("switches"))
        sides = opened.program.spec.sides
        if wanted.side and wanted.side not in sides:
            remedy = f"sides: {', '.join(sides)}"
            raise ArgumentError(f"there is no side '{wanted.side}'", remedy)
        make_bot(wanted.bot)
        seed = int(case.data.get("seed", 1))
        bots = [wanted.bot] * len(sides)
        build(opened, bots, wanted.games)
        series = run(opened, bots, wanted.games, seed, 1, swap=False, records=False)
    except (ArgumentError, LoadError, RulesError) as error:
        return Outcome(case, (str(error),))
    side = wanted.side or sides[0]
    place = sides.index(side)
    won = sum(share_of(game.match.winners, place, len(sides)) for game in series.games)
    share, (low, high) = won / wanted.games, wilson(won, wanted.games)
    if wanted.low <= share <= wanted.high:
        return Outcome(case)
    problem = (
        f"{side} wins {share:.1%} of {wanted.games} games (95%: {low:.1%} to {high:.1%}), "
        f"expected {100 * wanted.low:.4g}% to {100 * wanted.high:.4g}%"
    )
    if low <= wanted.high and high >= wanted.low:
        problem += "; more games may show that it is so"
    return Outcome(case, (problem,))
