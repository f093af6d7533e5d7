"""What a player types by its whole name is that thing or nothing; and what is said where it is nothing."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from at_prompt import opened, play, unkept
from project import compiled

from grognard.explain.explainer import Explainer
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.table.inspection import look
from grognard.table.lines import LineReader, Stuck
from grognard.table.menu import Menu
from grognard.table.sharing import ScreenSharing
from grognard.table.table import Table
from grognard.table.why import LazyExplainer, Why
from runtime.errors import IllegalOption
from runtime.games.game import Game
from runtime.view import view

ORDERS = ("1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done")


@pytest.fixture
def lesson() -> tuple[Game, Menu]:
    """A French group that may move."""
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, *ORDERS)
    assert game.decision is not None and game.decision.prompt == "moves"
    return game, menu


def test_the_name_of_another_member_begins_none(lesson: tuple[Game, Menu]) -> None:
    """*south* is a way to face, though not here: it is no short form of *east-southeast*."""
    game, menu = lesson
    play(game, menu, "2nd Taupin D6")
    decision = game.decision
    assert decision is not None and decision.prompt == "facing"
    assert [option.text for option in decision.options][-1] == "as_before"
    with pytest.raises(IllegalOption, match="'south' is not among the options"):
        menu.resolve(decision, "south")
    assert menu.resolve(decision, "as before").passes
    assert menu.wording(decision, menu.resolve(decision, "east-north")) == "facing east-northeast"


def test_the_name_of_another_hex_begins_none() -> None:
    game, menu = opened("battles_of_napoleon/los_arapiles", 7)
    play(game, menu, "1", "attack", "1", "attack", "1", "attack", "1", "attack", "attack")
    play(game, menu, "1", "attack", "1", "attack", "1", "attack", "1", "attack", "attack", "we")
    decision = game.decision
    assert decision is not None and decision.prompt == "chief_to"
    label = game.spec.board.label
    offered = {label(option.number) for option in decision.options if option.kind == "hex"}
    assert offered
    for name in game.spec.board.labels:
        if name not in offered:
            with pytest.raises(IllegalOption):
                menu.resolve(decision, name)


def test_a_number_that_none_has_is_looked_for_in_names() -> None:
    game, menu = opened("battles_of_napoleon/los_arapiles", 7)
    decision = game.decision
    assert decision is not None and decision.prompt == "token"
    assert (
        menu.resolve(decision, "17").text == "token t17"
        and menu.resolve(decision, "5").text == "token t17"
    )
    with pytest.raises(IllegalOption, match="there is no option 18"):
        menu.resolve(decision, "18")


def test_what_a_piece_cannot_do_is_named_with_it(lesson: tuple[Game, Menu]) -> None:
    _, menu = lesson
    with pytest.raises(Stuck, match=r"^'2nd Taupin D1' is not among the options$") as refused:
        LineReader(menu.scene).read(menu, "2nd Taupin D1 north, done")
    assert refused.value.text == "2nd Taupin D1" and not refused.value.where
    with pytest.raises(Stuck, match=r"^after 'done'"):
        copy, other = opened("battles_of_napoleon/first_lesson", 3)
        play(copy, other, *ORDERS[:-1])
        LineReader(other.scene).read(other, "done, 2nd Taupin D1")


def test_what_came_furthest_is_what_is_refused() -> None:
    """Not the first word, where a longer beginning was understood."""
    game, menu = opened("battles_of_westeros/learning_battle", 3)
    play(game, menu, "Sellswords First", "no", "F4, G6, G7", "G7 D5, G6 E6, F4 E5")
    decision = game.decision
    assert decision is not None and decision.prompt == "action"
    with pytest.raises(Stuck, match=r"^after 'token green shield for"):
        LineReader(menu.scene).read(menu, "token green shield 2nd A1")


def test_whom_a_question_is_about_may_be_marked_for_all(lesson: tuple[Game, Menu]) -> None:
    """So the question stays open, and the screen is not handed over."""
    game, menu = lesson
    play(game, menu, "2nd Taupin D6")
    decision = game.decision
    assert decision is not None and decision.prompt == "facing"
    seats = ScreenSharing(Table(game, {}, _no_explainer), terminal=True)
    seats.takes(1 - decision.side)
    assert seats.stays(decision)


def _no_explainer() -> Explainer:
    raise AssertionError("nothing was asked")


def test_who_is_to_decide_is_told_where_it_changes() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, *ORDERS[:3])
    out = io.StringIO()
    typed = io.StringIO("\n".join(["", *ORDERS[3:6], "we", ""]))
    session = Session(Table(game, {}, _no_explainer), typed, out, False, False, True, unkept(game))
    with suppress(Ended):
        session.run()
    shown = out.getvalue()
    assert shown.count("To decide: English") == 1
    assert shown.index("Now to decide: French.") < shown.index("You have the better commander")
    assert shown.count("Now to decide") == 1


def test_an_order_of_the_next_list_ends_the_one_that_is_asked() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, *ORDERS[:-1])
    assert game.decision is not None and game.decision.prompt == "formations"
    taken = LineReader(menu.scene).read(menu, "2nd Taupin D6 as before")
    assert [option.text for option in taken] == ["done", "move F.2nd-line D6", "as_before"]
    one, two = (LineReader(menu.scene).read(menu, f"{end}2nd Taupin D6") for end in ("", "done, "))
    assert one == two
    with pytest.raises(Stuck, match=r"^after 'done'.*'2nd Taupin D1' is not among the options"):
        LineReader(menu.scene).read(menu, "2nd Taupin D1")
    play(game, menu, "2nd Taupin D6")
    assert game.decision is not None and game.decision.prompt == "facing"
    taken = LineReader(menu.scene).read(menu, "1st D4")
    assert [option.text for option in taken] == ["as_before", "keep", "move F.1st-line D4"]
    game.undo()
    assert game.decision.prompt == "moves"
    taken = LineReader(menu.scene).read(menu, "2nd Taupin D6, done")
    assert [option.text for option in taken] == ["move F.2nd-line D6", "as_before", "keep", "done"]


def test_no_list_is_ended_by_what_cannot_be_taken_back() -> None:
    """An attack typed among moves would leave the other moves undone for ever."""
    game, menu = opened("battles_of_westeros/learning_battle", 3)
    play(game, menu, "Sellswords First", "no", "F4, G6, G7", "G7 D5, G6 E6, F4 E5")
    play(game, menu, "token green_shield S.war_host2", "C5")
    decision = game.decision
    assert decision is not None and decision.prompt == "attack"
    attack = next(option.text for option in decision.options if option.branch == "attack")
    game.undo()
    with pytest.raises(IllegalOption):
        LineReader(menu.scene).read(menu, attack)


def test_why_a_hex_is_out_of_reach_is_told_where_a_function_says_what_is_in_reach() -> None:
    game, menu = opened("battles_of_westeros/learning_battle", 3)
    play(game, menu, "Sellswords First", "no", "F4, G6, G7")
    decision = game.decision
    assert decision is not None and decision.prompt == "movement"
    why = Why(
        game,
        menu,
        LazyExplainer(lambda: Explainer(compiled("battles_of_westeros"), game.spec.board)),
    )
    told = " ".join(map(str, why.refused(decision, "1st Lannister Guards A4")))
    assert "goes 2 at most" in told and "not one of the choices" not in told


def test_look_leaves_out_the_numbers_of_a_hex_that_are_nothing() -> None:
    game, menu = opened("battles_of_westeros/night_in_the_whispering_wood", 7)
    seen = view(game.state, 0)
    told = list(map(str, look(menu.scene, seen.data, "I1")))
    assert any("points (last round): 3" in line for line in told)
    assert not any(line.endswith(": 0") for line in told)


def test_hexes_side_by_side_name_the_pieces_there_where_no_hex_is_asked_for() -> None:
    game, menu = opened("cc_napoleonics/salamanca_2", 5)
    play(game, menu, "assault center")
    taken = LineReader(menu.scene).read(menu, "C5 C6 C7")
    assert [option.text for option in taken] == ["order B.BLN2", "order B.BLT1", "order B.BGG1"]
