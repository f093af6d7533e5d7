"""The table of a game whose scenario is opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from grognard import places
from grognard.scenario import Scenario
from grognard.table.table import Keep, Table
from runtime.games.game import Game
from runtime.runs.bots import Seat

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer


def table_of(
    opened: Scenario,
    game: Game,
    bots: Mapping[int, Seat],
    keep: Keep | None = None,
    version: int | None = None,
) -> Table:
    """A table for a game, with the *version* that it begins with; the rules are read when somebody
    asks what they say.
    """

    @cache
    def explainer() -> Explainer:
        from grognard.explain.explainer import Explainer  # start-up: it reads the rules

        ruleset = places.ruleset(opened.folder)
        return Explainer(ruleset, opened.program.spec.board, game.wording.language)

    return Table(game, bots, explainer, keep, version)
