"""Procedures run by themselves, one after another; what has happened, as data; scripts at any time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from parley import SCENARIO, written

import grognard
from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard import Note, Roll, Taken
from runtime.data.tree import tree_of
from runtime.games.game import Game
from runtime.scenario import load
from runtime.state import RETURNED, TIED

Start = Callable[..., grognard.Game]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("rules"))


@pytest.fixture
def start(folder: Path) -> Start:
    """A loaded game."""
    return lambda **given: grognard.load(SCENARIO, ruleset=folder, **{"seed": 1, **given})


# ---------------------------------------------------------------------- procedures


def test_procedures_run_one_after_another(start: Start) -> None:
    game = start().set_up(
        piles={"hand[red]": ["oath"], "hand[blue]": ["bribe", "threat"]}, run="nothing"
    )
    game.run("speak", "red")
    assert game.over and game.side is None and game.position["red.heard"] == 1
    game.run("speak(blue)")
    assert not game.over and (game.side, game.prompt) == ("blue", "speak")
    with pytest.raises(
        grognard.ArgumentError, match=r"speak cannot be run: blue has to decide speak"
    ):
        game.run("speak", "red")
    game.play("threat")
    assert game.over and game.position.piles["spent"] == ["oath", "threat"]
    with pytest.raises(
        grognard.GameOver, match="the procedure has ended: nothing is to be decided"
    ):
        game.play(0)
    with pytest.raises(grognard.RecordError):
        game.record()


def test_a_procedure_that_has_ended_is_no_tie(start: Start) -> None:
    game = start().set_up(run="haggle(rosa, false)", dice={"d6": [5, 2]})
    assert game.result == grognard.Result({}, (), False, {}, "haggle", 5)
    assert str(game.result) == "procedure ended: haggle = 5" and "over" not in repr(game)
    game.run("speak", "red")
    assert game.result is not None and (game.result.procedure, game.result.value) == ("speak", None)
    game.run("favourite", "blue")
    game.play("threat")
    assert (
        game.result.value == "threat" and game.view("blue").over and game.view("blue").ranks == {}
    )


def test_what_ends_the_game_ends_it_also_in_a_procedure(start: Start) -> None:
    game = start().set_up(run="over()")
    assert game.result is not None and (game.result.winners, game.result.procedure) == (
        ("red",),
        "",
    )
    with pytest.raises(grognard.GameOver, match="the game is over"):
        game.run("speak", "red")
    game = start().set_up(run="even()")
    assert game.result is not None and game.result.tie and str(game.result) == "tie"
    game = start()
    while not game.over:
        game.play(0)
    assert game.result is not None and game.result.tie  # play has run out


@pytest.mark.parametrize(
    "call",
    [
        ("spaek", "red"),
        ("speak",),
        ("speak", "green"),
        ("speak", "red", 1),
        ("speak(red, 1)",),
        ("speak(",),
        (3,),
    ],
)
def test_a_procedure_that_there_is_not(start: Start, call: tuple[Any, ...]) -> None:
    game = start().set_up(run="nothing")
    before = game.hash
    with pytest.raises(grognard.ArgumentError):
        game.run(*call)
    assert game.hash == before and not game.over
    game.run("haggle", "rosa", True)
    assert game.over


def test_a_procedure_whose_script_does_not_fit_leaves_the_game_as_it_was(start: Start) -> None:
    game = start().set_up(run="nothing", dice={"d6": [1]})
    before, left = game.hash, game.dice_left
    with pytest.raises(grognard.RulesError, match="the script has 1 dice left, 2 are rolled"):
        game.run("haggle", "rosa", True)
    assert (game.hash, game.dice_left, game.events, game.over) == (before, left, (), False)
    game.run("over")
    game = start().set_up(run="speak(red)", piles={"hand[red]": []}, dice={"d6": [1]})
    with pytest.raises(grognard.RulesError):
        game.run("haggle", "rosa", True)
    assert game.result is not None and game.result.procedure == "speak"


def test_a_bot_decides_in_a_procedure(start: Start) -> None:
    game = start().set_up(run="favourite(red)")
    bot = grognard.bots.GreedyBot(budget=5)
    game.play(bot.choose(game.view("red"), game.options, random.Random(1)))
    assert game.result is not None and game.result.value in ("bribe", "threat", "oath")


@pytest.mark.parametrize("whole", [True, False])
def test_both_executions_end_alike_and_tell_the_same(folder: Path, whole: bool) -> None:
    compilation = Ruleset(folder)
    compiled = compilation.compiled
    tree, _, _ = tree_of(SCENARIO, "")
    assert tree is not None
    setup, _ = load(tree, compiled.spec)
    assert setup is not None
    games = []
    for program in (compiled, InterpretedProgram(compilation.program, compiled.spec)):
        game = Game.at(program, setup, program.new_state(setup, 3))
        games.append(game)
        if whole:
            game.begin()
        else:
            ended = []
            for name, args in (
                ("haggle", [0, 1]),
                ("favourite", [1]),
                ("speak", [0]),
                ("even", []),
            ):
                game.start(name, args)
                if name == "favourite":
                    game.play("oath")
                    assert game.state.result == 2
                ended.append(game.state.over)
            assert ended == [RETURNED, RETURNED, RETURNED, TIED]
        while not game.over:
            game.play(0)
    one, other = games
    assert (
        one.history == other.history
        and one.history.events
        and one.state.hash() == other.state.hash()
    )
    assert one.outcome == other.outcome == "tie"


# ---------------------------------------------------------------------- what has happened


def test_what_has_happened_is_data(start: Start) -> None:
    hands = {"hand[red]": ["oath"], "hand[blue]": ["bribe", "threat"]}
    game = start().set_up(piles=hands, run="speak(red)", dice={"vote": ["nay"], "d6": [3, 6]})
    taken, roll, note = game.events
    assert isinstance(taken, Taken) and (taken.side, taken.option.text) == ("red", "speak oath")
    assert taken.option.values == ("oath",) and taken.option.prompt == "speak"
    assert (
        roll == Roll("vote", ("nay",))
        and isinstance(roll, Roll)
        and (roll.count, roll.total) == (1, None)
    )
    assert note == Note("spoke", ("red", "oath", False), "spoke The Reds oath no")
    assert game.latest == game.events
    game.run("haggle", "rosa", True)
    assert game.latest == (
        Note("bold", ("rosa",), "bold rosa"),
        Roll("d6", (3, 6)),
        Note("nerve", ("rosa", 4), "nerve rosa 4", ("red",)),
    )
    assert game.events[3:] == game.latest and Roll("d6", (3, 6)).total == 9
    game.run("speak", "blue")
    assert game.latest == ()
    game.play("bribe")
    assert [type(one) for one in game.latest] == [Roll, Note]
    assert [one.text for one in game.events if isinstance(one, Note)] == game.log


def test_what_is_taken_back_has_not_happened(start: Start) -> None:
    game = start().set_up(run="favourite(red)")
    game.copy().play(0)
    assert game.events == ()
    other = start().set_up(run="haggle(rosa, false)")
    copy = other.copy()
    copy.run("haggle", "rosa", True)
    assert len(other.events) == 2 and len(copy.events) == 5


def test_a_view_has_only_what_its_side_knows(start: Start) -> None:
    game = start().set_up(piles={"hand[red]": ["oath"]}, run="speak(red)")
    game.run("haggle", "rosa", False)
    red, blue, all_ = (game.view(side) for side in ("red", "blue", None))
    assert red.events == game.events and red.latest == game.latest
    assert [type(one) for one in blue.events] == [Roll, Note, Roll] and len(blue.latest) == 1
    assert all_.events == blue.events
    assert all(
        isinstance(one, Note) and one.told is None
        for one in blue.events
        if not isinstance(one, Roll)
    )
    game.run("haggle", "bert", False)
    assert red.latest != game.view("red").latest and len(red.events) == 5  # a view does not change


def test_without_a_log_there_are_no_events(start: Start) -> None:
    game = start(log=False)
    game.play(0)
    assert game.events == game.latest == ()


# ---------------------------------------------------------------------- scripts


def test_the_script_of_a_copy_is_replaced(start: Start) -> None:
    game = start().set_up(run="nothing", dice={"d6": [6, 6]})
    copy = game.copy()
    copy.script({"d6": [1, 1, "end"]})
    totals = []
    for one in (game, copy):
        one.run("haggle", "rosa", False)
        totals += [event.total for event in one.latest if isinstance(event, Roll)]
    assert totals == [12, 2]
    with pytest.raises(grognard.RulesError):
        copy.run("haggle", "rosa", False)
    copy.script(None)
    copy.run("haggle", "rosa", False)
    for wrong in ({"d7": [1]}, {"d6": [7]}, 3, {"d6": 3}):
        with pytest.raises(grognard.ArgumentError):
            copy.script(wrong)  # type: ignore[arg-type]


def test_a_script_comes_in_the_middle_of_a_game(start: Start) -> None:
    game = start()
    assert game.record()
    game.script({"vote": ["yea", "nay"]})
    game.play(0)
    assert [one.faces for one in game.latest if isinstance(one, Roll)][:2] == [("yea",), ("nay",)]
    with pytest.raises(grognard.RecordError, match="scripted"):
        game.record()


def test_hands_are_dealt_in_a_whole_game(start: Start) -> None:
    game = start(dice={"words": [["oath", "bribe", "threat", "threat"]]})
    assert game.position.piles == {
        "stock": ["bribe"],
        "hand": {"red": ["threat", "oath"], "blue": ["bribe", "threat"]},
        "spent": [],
    }
    assert game.dice_left == {} and game.side == "red"
    assert start(dice={"words": [["oath"], []]}).dice_left == {"words": 1}
    hands = {
        tuple(start(seed=s, dice={"words": [["oath"]]}).position.piles["hand"]["red"])
        for s in range(9)
    }
    assert len(hands) > 1 and all("oath" in hand for hand in hands)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"words": [["curse"]]}, "deck 'words' has no card 'curse'"),
        (
            {"words": ["oath"]},
            "'oath' is no shuffle of deck 'words': for each shuffle write a list of cards",
        ),
        ({"words": ["end", ["oath"]]}, "'end' stands before other shuffles of 'words'"),
        ({"word": [["oath"]]}, "there is no die 'word'; dice: vote, d6; decks: words"),
        ({"words": ["end"]}, "the script has no shuffles left, one is made"),
        (
            {"words": [["oath", "oath"]]},
            "the script deals oath, which the pile that is shuffled lacks",
        ),
    ],
)
def test_a_deal_that_cannot_be(start: Start, script: Any, said: str) -> None:
    with pytest.raises(grognard.GrognardError, match=said):
        start(dice=script)


# ---------------------------------------------------------------------- names and tables


def test_tables_and_the_names_of_sides(start: Start) -> None:
    game = start()
    assert game.tables["Card"]["threat"] == {"copies": 2, "weight": 3, "beats": "bribe"}
    assert game.side_names == {"red": "The Reds", "blue": "blue"}


# ---------------------------------------------------------------------- positions from a loaded game


def test_positions_are_made_from_a_loaded_game(start: Start) -> None:
    game = start()
    game.play(0)
    made = game.set_up(
        {"pieces": {"Envoy": [{"side": "red", "hex": "A2", "name": "rita"}]}}, run="nothing"
    )
    assert [piece.name for piece in made.position.pieces()] == ["rita"] and made.position[
        "red.heard"
    ] == 0
    again = made.set_up(fields={"red.heard": 3}, seed=4)
    assert [piece.name for piece in again.position.pieces()] == ["rita"]
    assert again.position["red.heard"] == 3 and again.seed == 4 and again.side == "red"
    assert again.restart(4).hash == again.hash


def test_requirements_are_looked_at_on_demand(start: Start, folder: Path) -> None:
    alone = {"Envoy": [{"side": "red", "hex": "A2", "name": "rita"}]}
    game = start()
    assert game.set_up({"pieces": alone}, run="nothing").position["rita.hex"] == "A2"
    with pytest.raises(grognard.ArgumentError, match="the ruleset requires: both there"):
        game.set_up({"pieces": alone}, run="nothing", requirements=True)
    assert game.set_up(run="nothing", requirements=True).position["rosa.hex"] == "A1"


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"pieces": {"Envoy": [{"side": "red", "hex": "Z9"}]}}, r"position.pieces.Envoy\[0\].hex: there is no hex"),
        ({"sides": {"red": {"heard": 10**20}}}, "position.sides.red.heard: .*out of all bounds"),
        ({"sides": {"red": {"heard": float("inf")}}}, "position.sides.red.heard: .*out of all bounds"),
        ({"title": "\ud800"}, "position.title: half a character"),
        ({"title": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}, "nested"),
        ({"pieces": {"Envoy": [0] * 100_001}}, "more than 100,000 keys, items and values"),
    ],
)  # fmt: skip
def test_hostile_data_is_refused_as_a_file_is(start: Start, position: Any, said: str) -> None:
    with pytest.raises(grognard.GrognardError, match=said):
        start().set_up(position)
