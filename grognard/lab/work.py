"""Playing units of an experiment, in whatever process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grognard import places
from grognard.bots.players import find_bot
from grognard.bots.series import run
from grognard.lab.experiment import PRINTED, Arrangement, Experiment, Unit, check_line_up
from grognard.lab.sequential import share_of
from grognard.lab.tables import TABLES
from grognard.lab.watching import Rows, Watcher
from grognard.lab.what_if import write_ruleset
from grognard.opening import open_scenario
from grognard.scenario import Scenario
from runtime.runs.series import PlayedGame
from runtime.state import TIED, WON


class Workplace:
    """Where units of an experiment are played; what differs from the printed rules is written
    below *folder*.
    """

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment, self.folder = experiment, folder
        self._opened: dict[tuple[str, str, str], Scenario] = {}
        self._watchers: dict[Path, Watcher] = {}

    def scenario_of(self, arrangement: Arrangement) -> Scenario:
        """The scenario of an arrangement, with its switches and rules.  LoadError, ArgumentError
        where they cannot be used.
        """
        key = arrangement.scenario, arrangement.switches, arrangement.rules
        if key not in self._opened:
            self._opened[key] = self._open_scenario(arrangement)
        return self._opened[key]

    def _open_scenario(self, arrangement: Arrangement) -> Scenario:
        name = arrangement.scenario
        switches = self.experiment.switches[arrangement.switches] or None
        opened = open_scenario(name, switches)
        if arrangement.rules != PRINTED:
            difference = self.experiment.rules[arrangement.rules]
            folder = write_ruleset(
                opened.folder, arrangement.rules, difference, self.folder / "rulesets"
            )
            opened = open_scenario({**opened.data, "ruleset": folder.name}, switches, folder)
        check_line_up(len(arrangement.bots), name, opened.program.spec.sides)
        for bot in arrangement.bots:
            find_bot(bot)
        return opened

    def play(self, unit: Unit) -> Rows:
        """Play the games of a unit: rows of the table *games*, and for those that are looked at
        closely rows of the others.  BotError, RulesError with the seed where a game fails.
        """
        arrangement = unit.arrangement
        opened = self.scenario_of(arrangement)
        rows: Rows = {name: [] for name in TABLES}
        middle = max(unit.first, min(unit.end, self.experiment.watched_of(arrangement)))
        for first, end in ((unit.first, middle), (middle, unit.end)):
            if first == end:
                continue
            seed = self.experiment.seed_of(arrangement, first)
            count, record = end - first, end <= middle
            series = run(opened, arrangement.bots, count, seed, 1, arrangement.swap, record)
            for game in series.games:
                self._tell(rows, arrangement, opened, game, first)
        return rows

    def _tell(
        self,
        rows: Rows,
        arrangement: Arrangement,
        opened: Scenario,
        game: PlayedGame,
        offset: int,
    ) -> None:
        """Add what is told of a game."""
        spec, match = opened.program.spec, game.match
        own = {"arrangement": arrangement.number, "game": offset + game.number}
        first = game.seats.index(0) if arrangement.swap else 0
        row = {
            "seed": str(match.seed),
            "seats": [arrangement.bots[bot] for bot in game.seats],
            "winners": [spec.sides[side] for side in match.winners],
            "first": share_of(game.won if arrangement.swap else match.winners, 0, len(spec.sides)),
            "margin": _margin(match.scores, first),
            "result": {WON: "won", TIED: "tied"}.get(match.result, "lost"),
            "ranks": list(match.ranks),
            "scores": None if match.scores is None else list(match.scores),
            "decisions": match.decisions,
            "turns": match.turns,
            "seconds": list(match.seconds),
            "ruleset": spec.hash,
            "record": game.record or None,
        }
        rows["games"].append(own | row)
        if match.taken:
            watcher = self._watcher(opened)
            for table, found in watcher.rows(opened.setup, match.seed, match.taken).items():
                rows[table] += [own | one for one in found]

    def _watcher(self, opened: Scenario) -> Watcher:
        if opened.folder not in self._watchers:
            self._watchers[opened.folder] = Watcher(places.ruleset(opened.folder))
        return self._watchers[opened.folder]


def _margin(scores: Sequence[int] | None, side: int) -> int | None:
    """By how many points a side is ahead of the best of the others; None where there are none."""
    others = [points for other, points in enumerate(scores or ()) if other != side]
    return scores[side] - max(others) if scores and others else None
