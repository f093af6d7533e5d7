"""Games: decisions and their texts, playing, taking back, the log, saving in the middle of anything."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skirmish_game import at_prompt, load_game, new_game, play_random, position

from runtime.errors import GameOver, IllegalOption, UndoRefused
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.option import Option
from runtime.runs.playout import playout
from runtime.state import RulesetFault


def option(text: str, raw: int) -> Option:
    """An option of a word, and perhaps a value."""
    branch, *values = text.split()
    return Option(text, branch, tuple(values), ("hex",) * len(values), False, "any", (), raw, raw)


def decision(*texts: str) -> Decision:
    """A decision with these options."""
    return Decision(0, "blue", "any", 0, tuple(option(text, i) for i, text in enumerate(texts)))


MENU = decision("move b.x1", "move b.x10", "mark b.x1", "to B4", "Done")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("move b.x1", "move b.x1"),
        ("MOVE B.X1", "move b.x1"),
        ("mo b.x1", "move b.x1"),
        ("mov b.x10", "move b.x10"),
        ("ma", "mark b.x1"),
        ("  to   b4 ", "to B4"),
        ("t b", "to B4"),
        ("b4", "to B4"),
        ("b.x10", "move b.x10"),
        ("done", "Done"),
        ("d", "Done"),
    ],
)
def test_options_are_found_by_their_beginnings(text: str, found: str) -> None:
    assert MENU.find(text).text == found


@pytest.mark.parametrize(
    ("text", "matches"),
    [("m", 3), ("m b.x1", 2), ("b.x1", 2), ("", 0), ("go", 0), ("move b.x1 now", 0)],
)
def test_a_text_that_means_no_one_option_says_what_there_is(text: str, matches: int) -> None:
    with pytest.raises(IllegalOption) as caught:
        MENU.find(text)
    assert len(caught.value.matches) == matches
    assert caught.value.options == MENU.options
    for one in caught.value.near or MENU.options:
        assert one.text in str(caught.value)


def test_a_decision_says_who_decides_what() -> None:
    game = new_game()
    first = game.decision
    assert first is not None
    assert (first.name, first.side, first.prompt) == ("blue", 0, "card")
    assert all(option.branch == "card" and option.kind == "enum" for option in first.options)
    game.play(first.options[0])
    second = game.decision
    assert second is not None
    assert [o.text for o in second.options if o.branch == "brace"] == [
        f"brace blue.{n}" for n in ("scout1", "scout2", "guard1", "guard2")
    ]
    assert second.options[-1].text == "done"
    assert second.options[-1].passes
    game.play("order blue.scout1")
    third = game.decision
    assert third is not None
    assert {o.text for o in third.options} >= {"stay", "to C2"}


def test_play_takes_options_texts_and_positions_alike() -> None:
    games = [new_game(5) for _ in range(3)]
    rng = Random(5)
    while not games[0].over:
        assert games[0].decision is not None
        choice = rng.randrange(len(games[0].decision.options))
        option = games[0].decision.options[choice]
        games[0].play(option)
        games[1].play(option.text)
        games[2].play(choice)
    assert games[0].state == games[1].state == games[2].state
    assert games[0].actions == games[1].actions == games[2].actions
    assert games[0].log == games[2].log


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    game = new_game()
    before = game.state.to_data()
    foreign = option("brace blue.scout1", 1 << 16)
    for wrong in ("fly", 99, -1, foreign):
        with pytest.raises(IllegalOption):
            game.play(wrong)
    assert game.state.to_data() == before
    play_random(game, Random(1))
    assert game.decision is None
    for wrong in ("done", 0):
        with pytest.raises(GameOver, match="over"):
            game.play(wrong)


def test_orders_can_be_taken_back_but_cards_and_dice_cannot() -> None:
    game = new_game(3)
    game.play(0)
    assert game.can_undo  # a card was chosen, nothing was drawn
    start = game.state.to_data()
    game.play("order blue.scout1")
    game.play("to C2")
    actions, log = game.actions, game.log
    game.undo()
    game.undo()
    assert game.state.to_data() == start
    assert len(game.actions) == 1
    game.play("order blue.scout1")
    game.play("to C2")
    assert (game.actions, game.log) == (actions, log)
    while game.state.chooser == 0:
        game.play(
            "done" if game.decision and any(o.text == "done" for o in game.decision.options) else 0
        )
    assert not game.can_undo
    with pytest.raises(UndoRefused, match="chance was drawn"):
        game.undo()


@given(st.integers(0, 2**64), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_an_action_can_be_taken_back_iff_nothing_came_to_light(seed: int, steps: int) -> None:
    game = position(seed, steps)
    if game.over:
        return
    before = game.state.copy()
    game.play(0)
    after = game.state
    harmless = after.counters == before.counters and after.reveals == before.reveals
    assert game.can_undo == (harmless and not after.over and after.chooser == before.chooser)
    if game.can_undo:
        game.undo()
        assert game.state == before


def test_a_game_saved_in_the_middle_of_a_fight_goes_on_the_same() -> None:
    program, _ = load_game()
    for prompt in ("attack", "target", "back"):
        game = at_prompt(prompt)
        assert len(game.state.frames) > 1
        state = type(game.state).from_data(json.loads(json.dumps(game.state.to_data())))
        assert state == game.state
        rng, again = Random(9), Random(9)
        while not game.over:
            game.play(rng.randrange(len(game.state.options)))
            program.answer(state, state.options[again.randrange(len(state.options))])
        assert state == game.state


def test_a_copy_goes_its_own_way() -> None:
    game = position(4, 20)
    before, log = game.state.to_data(), game.log
    copy = game.copy()
    play_random(copy, Random(4))
    assert copy.over
    assert game.state.to_data() == before
    assert game.log == log
    assert copy.log[: len(log)] == log
    assert copy.actions[:20] == game.actions


def test_notes_are_worded_by_the_catalogue() -> None:
    game = new_game()
    play_random(game, Random(2), lambda g: len(g.log) > 40)
    log = "\n".join(game.log)
    assert "round 1\n" in log  # without a wording: its name and arguments
    assert "The Blues plays " in log
    assert " rolls " in log
    assert "rough ground: no" in log
    assert "{" not in log
    quiet = new_game(log=False)
    quiet.play(0)
    assert quiet.log == []


def test_dice_can_be_scripted_by_name() -> None:
    program, setup = load_game()
    free = at_prompt("target", "attack")
    script = {"fight_die": ["hit"] * 60}
    game = Game(program, setup, free.seed, script)
    for _, text in free.actions:
        if text not in {o.text for o in (game.decision.options if game.decision else ())}:
            break
        game.play(text)
    play_random(game, Random(0))
    rolled = [line for line in game.log if " rolls " in line]
    assert rolled
    assert "Hit" in rolled[0]
    assert "Miss" not in rolled[0]
    with pytest.raises(ValueError, match="no face 'nought'"):
        Game(program, setup, 1, {"fight_die": ["nought"]})
    with pytest.raises(ValueError, match="no die 'coin'"):
        Game(program, setup, 1, {"coin": [1]})


def test_an_action_that_fails_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = position(2, 10)
    before = game.state.to_data()

    def fail(state: object, option: int) -> None:
        game.state.pile_draw.clear()  # type: ignore[attr-defined]
        raise RulesetFault("no rule decides")

    monkeypatch.setattr(game.program, "answer", fail)
    with pytest.raises(RulesetFault):
        game.play(0)
    assert game.state.to_data() == before


def test_playouts_build_no_texts_and_end() -> None:
    program, setup = load_game()
    game = new_game(8)
    state = program.new_state(setup, 8)
    program.begin(state)
    taken = playout(program, state, Random(8))
    rng = Random(8)
    while not game.over:
        game.play(int(rng.random() * len(game.state.options)))
    assert state == game.state
    assert taken == len(game.actions)
    assert playout(program, state, rng) == 0


def test_taking_back_leaves_the_checkpoints_before_it_alone() -> None:
    """Also in a game of which nobody knows how it came to where it begins."""
    game = new_game(3)
    here = Game.at(game.program, game.setup, game.state.copy())
    rng = Random(3)
    undone = 0
    while not here.over:
        before = here.folds
        here.play(rng.randrange(len(here.state.options)))
        if here.folds and here.can_undo:
            here.undo()
            assert here.folds == before
            undone += 1
            here.play(0)
    assert undone > 3


@pytest.mark.parametrize("faces", [["x"], [1], [], [0, 0]])
def test_a_script_leaves_piles_as_they_are_or_says_nothing_of_them(faces: list[int | str]) -> None:
    with pytest.raises(ValueError, match="'shuffle' can only be"):
        new_game(3, script={"shuffle": faces})
    assert new_game(3, script={"shuffle": ["0"]}).state.script == {"shuffle": [0]}
