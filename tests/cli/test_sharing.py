"""Two at one terminal: what may be asked in sight of both, and what each is told when it looks again."""

from __future__ import annotations

from random import Random

import pytest
from project import placed, setup_of

from grognard.draw.panel import Panel
from grognard.draw.scene import Scene
from grognard.explain.explainer import Explainer
from grognard.opening import open_scenario
from grognard.table.lines import LineReader, Unread
from grognard.table.menu import Menu
from grognard.table.notes import Notes
from grognard.table.sharing import ScreenSharing
from grognard.table.table import Table
from runtime.errors import IllegalOption
from runtime.games.game import Game
from runtime.model import DecisionSpec
from runtime.view import view

AKRAGAS, ROLICA = "cc_ancients/akragas", "cc_napoleonics/rolica_1"


def _no_explainer() -> Explainer:
    raise AssertionError


@pytest.fixture
def game() -> Game:
    return Game(placed(AKRAGAS), setup_of(AKRAGAS), 7)


def asked(scenario: str) -> dict[bool, set[str]]:
    """The options and questions of open decisions, and of those that are not."""

    def words(one: DecisionSpec) -> set[str]:
        return {f"{one.prompt}.{option.word}" for option in one.options}

    decisions = placed(scenario).spec.decisions
    return {
        is_open: set().union(*(words(d) for d in decisions if d.open is is_open))
        for is_open in (True, False)
    }


def test_what_follows_from_hands_is_not_open() -> None:
    found = asked(AKRAGAS)
    assert found[False] == {"command.command", "close_combat.evade", "close_combat.battle_first"}
    assert {"close_combat.battle_back", "ignore_flags.ignore_flags", "retreat.retreat"} <= found[
        True
    ]
    found = asked("no_retreat/barbarossa_1941")
    assert {"card.card", "commitment.commitment", "movement.play", "discard.discard"} <= found[
        False
    ]
    assert {"retreat.retreat", "counterblows.counterblow", "loss.loss"} <= found[True]


def play(game: Game, *lines: str) -> None:
    """Take lines one after another."""
    scene = Scene(game.spec, game.setup, game.wording)
    for line in lines:
        for option in LineReader(scene).read(Menu(game, scene), line):
            game.play(option)


def test_a_list_goes_on_with_what_it_began_with(game: Game) -> None:
    with pytest.raises(IllegalOption, match="could mean"):
        play(game, "command order_3_center", "b8")  # a unit and its leader
    play(game, "b7, b8")
    assert game.log[-2:] == ["S.HI3 is ordered", "S.HI4 is ordered"]


def test_a_hex_is_the_counter_that_fills_it(game: Game) -> None:
    scene = Scene(game.spec, game.setup, game.wording)
    scene.style = open_scenario(AKRAGAS).style()  # which draws leaders small
    game.play("command order_3_center")
    for line, orders in (("b8 b7", ["B8", "B7"]), ("lead daphnaeus", ["Daphnaeus"])):
        copy, menu = game.copy(), Menu(game, scene)
        options = LineReader(scene).read(menu, line)
        for option in options:
            copy.play(option)
        assert len(options) == len(orders)
        assert {option.branch for option in options} == ({"order"} if "B8" in orders else {"lead"})


def test_a_line_that_begins_wrongly_says_with_what(game: Game) -> None:
    scene = Scene(game.spec, game.setup, game.wording)
    game.play("command order_3_center")
    with pytest.raises(Unread) as refused:
        LineReader(scene).read(Menu(game, scene), "b2 b7, b6")
    assert refused.value.text == "b2"


def test_a_question_about_a_piece_is_asked_in_sight_of_all() -> None:
    game = Game(placed(ROLICA), setup_of(ROLICA), 0)
    scene = Scene(game.spec, game.setup, game.wording)
    rng = Random(3)
    for _ in range(3000):
        decision = game.decision
        if decision is None or decision.prompt == "ignore_flags":
            break
        game.play(rng.choice(decision.options))
    decision = game.decision
    assert decision is not None and decision.prompt == "ignore_flags"
    assert Menu(game, scene).marks(decision, view(game.state, 1 - decision.side))
    seats = ScreenSharing(Table(game, {}, _no_explainer), terminal=True)
    seats.takes(1 - decision.side)
    assert seats.stays(decision) and seats.open


def test_an_open_question_is_asked_in_sight_of_all(game: Game) -> None:
    seats = ScreenSharing(Table(game, {}, _no_explainer), terminal=True)
    decision = game.decision
    assert decision is not None and not seats.stays(decision)  # a hand of cards
    seats.takes(1 - decision.side)
    assert not seats.stays(decision)
    play(game, "command order_3_center")
    decision = game.decision
    assert decision is not None and decision.prompt == "orders"
    assert seats.stays(decision) and seats.open and seats.facing == 1 - decision.side
    assert seats.harmless("options") and not seats.harmless("hand")
    quiet = ScreenSharing(Table(game, {}, _no_explainer), terminal=False)
    quiet.takes(1 - decision.side)
    assert not quiet.stays(decision)


def test_each_is_told_what_happened_since_it_last_looked(game: Game) -> None:
    telling = Notes(game, (0, 1), turns=True)
    assert "Turn 1: Syracuse" in telling.news(1)
    play(game, "command order_3_center")
    assert telling.news(1) == ["Syracuse played Order Three Units Center"]
    play(game, "b7, done")
    assert telling.openly(1) == ["S.HI3 is ordered"] and telling.openly(1) == []
    told = telling.news(0)
    assert told[-2:] == ["Syracuse played Order Three Units Center", "S.HI3 is ordered"]


def test_what_the_screen_would_show_two_sides_differently_is_not_open(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = ScreenSharing(Table(game, {}, _no_explainer), terminal=True)
    play(game, "command order_3_center")
    decision = game.decision
    assert decision is not None
    seats.takes(1 - decision.side)

    class SeenBy(Panel):
        def lines(self, to_move: int, color: bool) -> list[str]:
            return [f"seen by {self.data['seen by']}"]

    monkeypatch.setattr(
        Table, "panel", lambda table, seen: SeenBy(table.scene, {"seen by": seen.side})
    )
    assert not seats.stays(decision)
