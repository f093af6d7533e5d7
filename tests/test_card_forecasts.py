"""What is told of a command card before it is played is what it then offers."""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from random import Random

import pytest
from project import placed, setup_of

from grognard.explain.forecasts import Foreteller
from grognard.lexicon.catalogue import words_in
from grognard.opening import open_scenario
from runtime.games.game import Game
from runtime.option import Option
from runtime.runs.forecast import arguments, foresee, of_option
from runtime.view import view

#: Decisions of a game at most, and cards that are looked at.
LONGEST, ENOUGH = 600, 40


@pytest.mark.parametrize("scenario", ["cc_ancients/akragas", "cc_napoleonics/rolica_1"])
def test_orders_of_a_card(scenario: str) -> None:
    game = Game(placed(scenario), setup_of(scenario), 1)
    rng, seen, given = Random(1), 0, 0
    for _ in range(LONGEST):
        decision = game.decision
        if decision is None or seen >= ENOUGH:
            break
        if decision.prompt == "command":
            for option in decision.options:
                told = _told(game, option.raw)
                offered, ordered = _offered(game, option.raw, rng)
                if offered is None or "orders" not in told:
                    continue
                (most,) = told["orders"]
                assert ordered <= most <= offered, (
                    option.text,
                    told,
                    offered,
                    ordered,
                )
                seen, given = seen + 1, given + (ordered == most)
        game.play(rng.choice(decision.options))
    # whoever orders at random may take an order of the wrong section
    assert seen >= ENOUGH // 2 and given >= seen * 0.9


def _told(game: Game, option: int) -> dict[str, tuple[int, ...]]:
    """What the forecast says for sure, by outcome."""
    spec, point = game.spec, game.state.point
    told: dict[str, tuple[int, ...]] = {}
    for forecast in of_option(spec, point, option):
        found = foresee(
            game.program,
            view(game.state, game.state.chooser),
            forecast,
            arguments(spec, point, option, ()),
        )
        told |= {
            o.name: o.alternatives[0].values for o in found.outcomes if len(o.alternatives) == 1
        }
    return told


def _offered(game: Game, option: int, rng: Random) -> tuple[int | None, int]:
    """How many units the card offers to order at first, where it asks for them, and how many took an order."""
    copy = game.copy()
    copy.play(copy.state.options.index(option))
    offered, ordered = None, 0
    while copy.decision is not None and copy.decision.prompt in (
        "orders",
        "section",
        "leave_square",
    ):
        units = [o for o in copy.decision.options if o.branch == "order"]
        if copy.decision.prompt == "orders":
            offered = len(units) if offered is None else offered
            if not units:
                break
            ordered += 1
        copy.play(rng.choice(units or list(copy.decision.options)))
    return offered, ordered


def foretold(game: Game, option: Option, further: Collection[str] = ()) -> str:
    """What stands beside an option."""
    seen = view(game.state, game.state.chooser)
    teller = Foreteller(game, seen, words_in(game.wording.language), further)
    teller.go_on(inf)
    return teller.odds[option.text].words if option.text in teller.odds else ""


def test_a_blow_back_stands_beside_an_attack() -> None:
    game = Game(placed("cc_ancients/akragas"), setup_of("cc_ancients/akragas"), 1)
    further = open_scenario("cc_ancients/akragas").style().names("odds")  # which names it
    told, rng = "", Random(1)
    for _ in range(LONGEST):
        decision = game.decision
        if decision is None or told:
            break
        for option in decision.options if decision.prompt == "battle" else ():
            beside = foretold(game, option)
            if "at " in beside and option.branch == "attack":
                told = foretold(game, option, further)
                assert "hits back" not in beside and beside.partition(" dice")[0] in told
        game.play(rng.choice(decision.options))
    assert "hits back (" in told
