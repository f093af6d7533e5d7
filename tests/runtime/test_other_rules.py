"""A game that goes on by other rules: by the same it goes on alike; of changed ones it keeps all that has a place there."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from project import ROOT, at_length
from skirmish_game import FOLDER, at_prompt, load_game, new_game, play_random

from compiler.ruleset import Ruleset
from runtime.errors import RecordError, UndoRefused
from runtime.games.carrying import CarriedGame, Loss, carry_over
from runtime.games.carrying.translation import GONE, NO_PIECE, NO_VALUE, NOT_KNOWN, OTHER
from runtime.games.game import Game
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, load

OWN = Path(__file__).resolve().parent.parent / "rulesets"
GAMES = {
    **{
        f"{scenario.parent.name}/{scenario.stem}": (scenario.parent, scenario)
        for scenario in (
            OWN / "skirmish/meeting.yaml",
            OWN / "columns/first.yaml",
            OWN / "concealed/village.yaml",
            OWN / "cubes/table.yaml",
            OWN / "everything/drill.yaml",
            OWN / "mixture/field.yaml",
            OWN / "secrets/duel.yaml",
            OWN / "spaces/delta.yaml",
        )
    },
    "cc_ancients/akragas": (
        ROOT / "rulesets/cc_ancients",
        ROOT / "scenarios/cc_ancients/akragas.yaml",
    ),
    "no_retreat/bagration": (
        ROOT / "rulesets/no_retreat",
        ROOT / "scenarios/no_retreat/bagration.yaml",
    ),
}

RULES = (FOLDER / "skirmish.grog").read_text(encoding="utf-8")
MEETING = (FOLDER / "meeting.yaml").read_text(encoding="utf-8")

Edit = Callable[[str], str]


def replaced(*changes: tuple[str, str]) -> Edit:
    """An edit that puts texts in the place of others, each of which must be there."""

    def edit(text: str) -> str:
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        return text

    return edit


@cache
def edited(rules: str, scenario: str = MEETING) -> tuple[CompiledProgram, SetUp]:
    """The small ruleset with another text, and a scenario."""
    ruleset = Ruleset(FOLDER, overlay={"skirmish/skirmish.grog": rules})
    assert ruleset.ok, ruleset.diagnostics
    setup, findings = load(scenario, ruleset.compiled.spec, name="meeting.yaml")
    assert setup is not None, findings
    return ruleset.compiled, setup


def carried(game: Game, *changes: tuple[str, str]) -> CarriedGame:
    """The game with changes to the small ruleset."""
    return carry_over(game, *edited(replaced(*changes)(RULES)))


def gone_on(game: Game, *changes: tuple[str, str]) -> Game:
    """The same where nothing is lost, at the same question."""
    result = carried(game, *changes)
    assert result.game is not None
    assert (result.back, result.lost) == (0, ())
    assert (result.game.prompt, result.game.side) == (game.prompt, game.side)
    return result.game


def the_same(one: Game, other: Game) -> None:
    """Two games stand alike and offer alike."""
    assert one.hash == other.hash
    assert [option.text for option in one.options] == [option.text for option in other.options]
    assert (one.subject, one.log, one.events, one.latest) == (
        other.subject,
        other.log,
        other.events,
        other.latest,
    )


@pytest.mark.parametrize("name", at_length(GAMES, list(GAMES)[:4]))
def test_the_same_rules_change_nothing(name: str) -> None:
    """CarriedGame time and again, a game of random choices comes to the same end by the same way."""
    folder, scenario = GAMES[name]
    program = Ruleset(folder).compiled
    setup, findings = load(scenario, program.spec)
    assert setup is not None, findings
    moved = 0
    for seed in range(2):
        rng = Random(seed)
        plain = Game(program.on(setup.board), setup, seed)
        game = plain.copy()
        for _ in range(200):
            if plain.over:
                break
            if rng.random() < 0.2:
                result = carry_over(game, program, setup)
                assert result.game is not None
                assert (result.back, result.lost) == (0, ())
                the_same(result.game, plain)
                game, moved = result.game, moved + 1
            choice = rng.randrange(len(plain.options))
            plain.play(choice)
            game.play(choice)
            assert game.hash == plain.hash
        the_same(game, plain)
        assert game.outcome == plain.outcome
    assert moved > 3


def test_a_game_that_is_over_stays_so() -> None:
    game = new_game(3)
    play_random(game, Random(3))
    result = carry_over(game, *load_game())
    assert result.game is not None
    assert result.game.over
    assert (result.game.outcome, result.game.hash) == (game.outcome, game.hash)


def test_a_number_is_changed() -> None:
    game = at_prompt("to")
    wider = gone_on(game, ("within p.sort.move", "within 5"))
    assert len(wider.options) > len(game.options)


def test_dice_go_on() -> None:
    """Chance gives by the new rules what it would have given."""
    game = at_prompt("target")
    there = gone_on(
        game, ("die fight_die", "die coin of 1 .. 2\ndie fight_die"), ("rounds > 20", "rounds > 21")
    )
    assert sum(there.state.counters) == sum(game.state.counters)
    assert there.state.seed == game.state.seed


def test_a_field_is_new_and_one_is_gone() -> None:
    more = ("points: int = 0", "points: int = 0  morale: int = 5")
    game = at_prompt("orders")
    there = gone_on(game, more)
    assert [side["morale"] for side in there.position.sides.values()] == [5, 5]
    back = carry_over(there, *load_game())
    assert back.lost == (Loss("Side.morale", GONE),)
    assert back.game is not None
    the_same(back.game, game)


def test_a_member_is_renamed() -> None:
    """What held it takes what is set up; cards of the name are gone, and the new ones lie under the pile."""
    game = at_prompt("orders")
    result = carried(game, ("parry", "fence"))
    there = result.game
    assert there is not None
    assert {loss.what for loss in result.lost} <= {"plans: parry"}
    assert result.lost

    piles, others = game.position.piles, there.position.piles
    assert others["draw"][:3] == ["fence"] * 3
    assert others["draw"][3:] == [card for card in piles["draw"] if card != "parry"]
    hands = {side: [c for c in hand if c != "parry"] for side, hand in piles["hand"].items()}
    assert others["hand"] == hands


def test_a_member_in_a_set_is_renamed() -> None:
    game = new_game(1)
    assert play_random(game, Random(1), lambda g: "push" in g.position["last_rolled"])
    result = carried(game, ("push", "bump"))
    assert result.game is not None
    assert Loss("Game.last_rolled", NO_VALUE, "push") in result.lost
    assert result.game.position["last_rolled"] == ()


def test_none_is_no_value_any_more() -> None:
    """Where a field held none and cannot now, it stands as it is set up."""
    befriending = replaced(
        ("steps: Steps = it.sort.steps", "steps: Steps = it.sort.steps\n  friend: Card? = two"),
        (
            "  note played(s, c)\n",
            "  note played(s, c)\n  each p in Piece { set p.friend = none }\n",
        ),
    )
    game = Game(*edited(befriending(RULES)), 1)
    game.play(0)
    firm = replaced(
        ("friend: Card? = two", "friend: Card = two"), ("friend = none", "friend = one")
    )
    result = carry_over(game, *edited(firm(befriending(RULES))))
    assert result.game is not None
    assert {piece["friend"] for piece in result.game.position.pieces("Piece")} == {"two"}
    assert [(loss.what.partition(" ")[0], loss.why) for loss in result.lost] == [
        ("Piece.friend", OTHER)
    ]


def test_what_was_chosen_secretly_stays_secret() -> None:
    """Where one of what there was to choose is gone, samples draw among the rest."""
    folder = OWN / "secrets"
    rules = (
        (folder / "ruleset.grog").read_text(encoding="utf-8").replace("feint }", "feint, dodge }")
    )
    program, other = (
        Ruleset(folder, overlay={"secrets/ruleset.grog": text}).compiled
        for text in (rules, rules.replace("feint", "trick"))
    )
    setup, _ = load(folder / "duel.yaml", program.spec)
    assert setup is not None
    game = Game(program, setup, 1)
    for choice in ("planner lea", "plan lunge", "whoever", "enough"):
        game.play(choice)
    result = carry_over(game, other, setup)
    assert result.game is not None
    assert (result.lost, result.game.side) == ((), "right")
    view = result.game.view("right")
    guesses = {
        view.sample(Random(seed)).position.pieces("Fencer")[0]["order"] for seed in range(30)
    }
    assert guesses == {"hold", "lunge", "dodge"}, "and which of the two has an order"


#: Edits of a procedure that is under way, by the question that is asked.
STEPS = {
    "before the question": (
        "orders",
        ("  let left = c.orders\n", "  let left = c.orders\n  set s.goal = s.goal\n"),
    ),
    "a question before it": (
        "orders",
        (
            "  choose c in hand[s] by s prompt card",
            "  choose k in 1 .. 3 by s prompt bid\n  set s.goal = s.goal + k - k\n  choose c in hand[s] by s prompt card",
        ),
    ),
    "after the question": (
        "orders",
        ("  put c on discard\n", "  put c on discard\n  add 0 to s.points\n"),
    ),
    "in what waits for it": (
        "to",
        (
            "  put c on discard\n",
            "  put c on discard\n  choose k in 1 .. 3 by s prompt bid\n  add k to s.points\n",
        ),
    ),
    "in the question": ("to", ("prompt to pass stay", "prompt to pass rest")),
    "around it": (
        "target",
        (
            "      if d is not none { do fight(p, d) }",
            "      if d is not none and p.steps > 0 { do fight(p, d) }",
        ),
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_changed(name: str) -> None:
    prompt, change = STEPS[name]
    game = at_prompt(prompt)
    there = gone_on(game, change)
    assert len(there.options) == len(game.options)
    assert there.actions == []
    play_random(there, Random(1))
    assert there.over


def test_a_question_is_gone() -> None:
    """The game goes back to where the piece was ordered, also over other rules that it was played by meanwhile."""
    still = (
        "  choose to in reach walk(p) by p.side prompt to pass stay\n  if to is not none { set p.hex = to }\n",
        "  set p.hex = p.hex\n",
    )
    game = at_prompt("to")
    before = Game(*load_game(), game.seed)
    for choice in game.choices[:-1]:
        before.take(choice)
    result = carried(game, still)
    assert (result.back, result.lost) == (1, (Loss("turn: move_one", GONE),))
    assert result.game is not None
    assert result.game.prompt == "orders"
    assert result.game.state.content() == before.state.content()
    assert [o.text for o in result.game.options] == [o.text for o in before.options]
    assert (result.game.log, result.game.latest) == (before.log, before.latest)
    meanwhile = gone_on(game, ("within p.sort.move", "within 5"))
    again = carried(meanwhile, still)
    assert again.back == 1
    assert again.game is not None
    assert again.game.hash == result.game.hash
    once_more = carried(again.game, ("order(p in Piece", "march(p in Piece"))
    assert once_more.game is not None
    assert (once_more.back, once_more.game.prompt) == (0, "orders")


def test_a_local_has_no_value_yet() -> None:
    """One that a new step gives a value before the question, and one reads behind it: the game goes back before both."""
    bonus = (
        ("  let left = c.orders\n", "  let left = c.orders\n  let bonus = rounds\n"),
        ("  put c on discard\n  if", "  put c on discard\n  add bonus to s.points\n  if"),
    )
    game = at_prompt("attacks")
    result = carried(game, *bonus)
    assert result.game is not None
    assert result.lost == (Loss("turn: bonus", NOT_KNOWN, "bonus"),)
    assert result.game.prompt == "card"
    assert result.game.side == game.side
    assert result.back > 1


def test_a_game_from_a_position_cannot_go_back() -> None:
    game = at_prompt("to")
    there = Game.at(game.program, game.setup, game.state.copy())
    result = carried(there, ("procedure move_one", "procedure move"), ("do move_one", "do move"))
    assert result.game is None
    assert result.lost == (Loss("turn: move_one", GONE),)


def test_a_piece_is_gone_and_one_has_come() -> None:
    game = at_prompt("card")
    fewer = replaced(("hex: [B2, B5]", "hex: [B2]"))(MEETING)
    result = carry_over(game, *edited(RULES, fewer))
    assert result.game is not None
    assert result.lost == (Loss("Piece red2", NO_PIECE),) or result.lost[0].why == NO_PIECE
    assert len(result.game.position.pieces("Piece")) == 7
    back = carry_over(result.game, *load_game())
    assert back.game is not None
    assert back.lost == ()
    assert len(back.game.position.pieces("Piece")) == 8


def test_it_has_no_record_and_takes_back_no_further() -> None:
    game = at_prompt("orders")
    game.play(0)
    there = carry_over(game, *load_game()).game
    assert there is not None
    with pytest.raises(RecordError, match="its rules were changed under way"):
        there.record()
    with pytest.raises(UndoRefused):
        there.undo()
    there.play(0)
    assert there.copy().past is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("scout", "rider"),
        ("parry", "riposte"),
        ("steps", "strength"),
        ("blue", "azure"),
        ("Piece", "Unit"),
        ("move_one", "walk"),
    ],
)
def test_what_was_renamed_is_the_same(old: str, new: str) -> None:
    """Cards, fields, sides, kinds and procedures under way have the name that they are given."""
    game = at_prompt("to")
    named = re.compile(rf"\b{old}\b")
    rules, scenario = named.sub(new, RULES), named.sub(new, MEETING)
    assert rules != RULES
    result = carry_over(game, *edited(rules, scenario), names={old: new})
    assert result.game is not None
    assert (result.back, result.lost) == (0, ())
    back = carry_over(result.game, *load_game(), names={new: old})
    assert back.game is not None
    the_same(back.game, game)
