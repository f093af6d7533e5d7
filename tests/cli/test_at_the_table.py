"""What a player is spared, tried in two games: lists that end, numbers in their order, groups upon the map."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from project import ROOT, placed, setup_of

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.explain import Explainer
from grognard.journal import Journal
from grognard.lines import Lines
from grognard.listing import Listing
from grognard.menu import Menu
from grognard.session import Ended, Session
from runtime.game import ChoiceError, Game
from runtime.view import view

JOURNAL = Journal(None, {}, None, off=True)


def _no_explainer() -> Explainer:
    raise AssertionError("nothing was asked")


def opened(scenario: str, seed: int) -> tuple[Game, Menu]:
    ruleset = scenario.split("/")[0]
    game = Game(placed(scenario), setup_of(scenario), seed)
    style = Style.read([ROOT / "rulesets" / ruleset])
    return game, Menu(game, Scene(game.spec, game.setup, game.wording, style))


def play(game: Game, menu: Menu, *lines: str) -> None:
    for line in lines:
        for option in Lines(menu.scene).read(menu, line):
            game.play(option)


@pytest.fixture
def westeros() -> tuple[Game, Menu]:
    game, menu = opened("battles_of_westeros/learning_battle", 3)
    play(game, menu, "Sellswords First", "no", "F4, G6, G7")
    return game, menu


def test_done_ends_a_list_that_is_called_otherwise_or_has_ended_by_itself(
    westeros: tuple[Game, Menu],
) -> None:
    game, menu = westeros
    copy = game.copy()
    play(copy, menu.over(copy), "G7 D5, done")
    assert copy.decision is not None and copy.decision.name == "stark"
    play(game, menu, "G7 D5, G6 E6, F4 E5, done!")
    assert game.decision is not None and game.decision.name == "stark"


def test_done_behind_what_cannot_be_taken_back_is_left_out(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5", "token green_shield S.war_host2", "C5")
    assert game.decision is not None and game.decision.prompt == "attack"
    taken = Lines(menu.scene).read(menu, "1, done")
    assert [option.word for option in taken] == ["attack"]
    with pytest.raises(ChoiceError, match="cannot be taken back"):
        Lines(menu.scene).read(menu, "1, done, 1")


def test_options_are_numbered_as_they_are_listed(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5")
    decision = game.decision
    assert decision is not None and decision.prompt == "action"
    numbers = menu.numbers(decision)
    assert len(numbers) > 5 and numbers[decision.options[-1].value] == len(numbers)
    alone = next(o for o in decision.options if o.word == "raise_morale")
    assert all(numbers[alone.value] > numbers[o.value] for o in decision.options if o.word == "card")


def test_a_list_without_words_of_its_own_has_no_head(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5", "Out of the Woods")
    assert game.decision is not None and game.decision.prompt == "tactics"
    lines = list(Listing(menu.scene, False, 100).options(menu, game.decision, view(game.state, 0), True))
    assert not any(line.strip() == "…" for line in lines)


def test_a_group_is_shown_where_its_units_stand() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    assert game.decision is not None and game.decision.prompt == "token"
    label = game.spec.board.label
    assert {label(h) for h in menu.marks(game.decision, view(game.state, 0))} == {"C4", "C5"}


def test_what_a_line_could_mean_is_said_of_all_its_words() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done")
    assert game.decision is not None and game.decision.prompt == "moves"
    with pytest.raises(ChoiceError, match=r"'C4 D4' could mean: 1st battalion.* rides to D4$") as refused:
        Lines(menu.scene).read(menu, "C4 D4, done")
    assert len(refused.value.matches) == 2


def said_at_a_terminal(game: Game, menu: Menu, *lines: str) -> str:
    """What a player sees who types these lines."""
    out = io.StringIO()
    session = Session(
        game,
        {},
        _no_explainer,
        io.StringIO("".join(f"{line}\n" for line in lines)),
        out,
        False,
        False,
        True,
        JOURNAL,
    )
    session.scene.style = menu.scene.style
    with suppress(Ended):
        session.run()
    return out.getvalue()


def test_what_is_undone_is_told_once_for_each_question_where_undo_helps() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay")
    assert game.decision is not None and game.decision.prompt == "formations"
    told = said_at_a_terminal(game, menu, "", "done", "done", "undo", "done")
    assert told.count("Still possible: ") == 1
    assert game.decision.prompt == "moves"


def test_a_piece_may_be_called_by_some_of_its_words() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done")
    decision = game.decision
    assert decision is not None and decision.prompt == "moves"
    assert menu.resolve(decision, "2nd Taupin D6").text == "move F.2nd-line D6"
    assert menu.resolve(decision, "battalion D6").text == "move F.2nd-line D6"
    with pytest.raises(ChoiceError, match="could mean"):
        menu.resolve(decision, "battalion D5")
    with pytest.raises(ChoiceError, match="not among"):
        menu.resolve(decision, "battalion D1")


def test_the_next_order_ends_the_one_before_it() -> None:
    """An advance that could go on is over where the line goes on with another unit."""
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    play(game, menu, "18 1304, done", "1, done", "done", "4Pz, 16, 18", "2", "3")
    while game.decision is not None and game.decision.prompt in ("commitment", "retreat"):
        play(game, menu, str(len(game.decision.options)))
    assert game.decision is not None and game.decision.prompt == "advance"
    copy = game.copy()
    with pytest.raises(ChoiceError, match="is not among the options"):
        Lines(menu.scene).read(menu, "4Pz 1204, 8Pz")
    play(copy, menu.over(copy), "4Pz 1204, 16 1305, done, done")
    told = list(copy.log_of(0))
    assert "4th-Panzer advances to 1204" in told and "16th-Army advances to 1305" in told
    assert copy.decision is not None and copy.decision.prompt != "advance"


def test_done_behind_the_last_order_does_not_pass_the_movement() -> None:
    game, menu = opened("cc_napoleonics/rolica_1", 5)
    play(game, menu, "Attack Center", "B6, B7, B8, done")
    assert game.decision is not None and game.decision.name == "bottom"
    assert {option.word for option in game.decision.options} >= {"move"}
    play(game, menu, "done")
    assert game.decision is None or game.decision.name == "top"
