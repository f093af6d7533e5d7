"""What holds all through a game of Commands & Colors: Napoleonics, whatever is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from project import ROOT, placed, program_of, scenarios, setup_of

from grognard.draw.edges import edge_legend
from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.draw.text.position import TextBoard
from runtime.games.game import Game
from runtime.games.wording import Wording
from runtime.scenario import load
from runtime.view import view

TRACKS = ("pile_track_1", "pile_track_2", "pile_track_3", "pile_track_4")


def wrong(state: Any, before: dict[int, int]) -> str:
    """What does not hold, in words; nothing when all does. *before*: where squares stood."""
    piles = [
        state.pile_stock,
        state.pile_inplay,
        state.pile_discard,
        *state.pile_hand,
        *state.pile_scouted,
    ]
    on_tracks = [pile for name in TRACKS for pile in getattr(state, name)]
    if sum(map(len, [*piles, *on_tracks])) != 70:
        return "cards are lost or made"
    for side in range(2):
        slots = sorted(
            s for u, s in enumerate(state.unit_slot[:-1]) if s >= 0 and state.unit_side[u] == side
        )
        held = sorted(i for i, name in enumerate(TRACKS) if getattr(state, name)[side])
        if slots != held:
            return f"squares in slots {slots}, cards in {held}"
    for unit, slot in enumerate(state.unit_slot[:-1]):
        if slot >= 0 and before.get(unit, state.unit_hex[unit]) != state.unit_hex[unit]:
            return f"square {unit} has moved"
    standing = [h for h in state.unit_hex[:-1] if h >= 0]
    if len(standing) != len(set(standing)):
        return "two units on a hex"
    return ""


@pytest.mark.parametrize("scenario", ["cc_napoleonics/muster", "cc_napoleonics/rolica_1"])
def test_cards_squares_and_hexes(scenario: str) -> None:
    program, setup = placed(scenario), setup_of(scenario)
    formed = 0
    for seed in range(3):
        state = program.new_state(setup, seed)
        program.begin(state)
        rng = Random(seed)
        before: dict[int, int] = {}
        round_ = 0
        while not state.over:
            assert wrong(state, before) == "", f"seed {seed}, round {state.game_round}"
            before = {u: state.unit_hex[u] for u, s in enumerate(state.unit_slot[:-1]) if s >= 0}
            formed += len(before)
            if state.game_round != round_:
                round_ = state.game_round
                for side in range(2):
                    held = len(state.pile_hand[side]) + sum(
                        len(getattr(state, t)[side]) for t in TRACKS
                    )
                    assert held == state.side_command[side], f"seed {seed}, round {round_}"
            program.answer(state, rng.choice(state.options))
    assert formed > 0


# What is written instead in Rolica, and of what a player is told then.
REFUSED = [
    ({"straights: 7": "straights: 6"}, "straight river tiles"),
    ({"bends: 5": "bends: 4"}, "bends of rivers"),
    ({"bends: 5": "bends: 5, forks: 1"}, "forks of rivers"),
    ({"bends: 5": "bends: 5, ends: 1"}, "ends of rivers"),
    ({"hex: D3": "hex: D3, slot: slot_1"}, "only infantry"),
    ({"hex: [E8, G11]": "hex: [E8, G11], slot: slot_1"}, "slots of their own"),
    (
        {"command: 5": "command: 1", "hex: [E8, G11]": "hex: E8, slot: slot_1", "FLT: 2": "FLT: 1"},
        "beside those",
    ),
    ({"game: {": "hexes: {works: {B3: [B2, H3]}}\ngame: {"}, "beside the hex"),
    (
        {"game: {": "hexes: {works: {B1: [B2], B3: [B2], A2: [B2], A3: [B2]}}\ngame: {"},
        "three sides",
    ),
    ({"terrain: town}": "terrain: field_works}", "town: 2": "field_works: 2"}, "on which sides"),
    (
        {"terrain: town}": "terrain: sand_quarry}", "town: 2": "sand_quarry: 2", "A9]": "H8]"},
        "sand quarry",
    ),
    ({"taker: {prize_1: bottom, ": "taker: {"}, "has a taker"),
    ({"prize_2: [I10]": "prize_2: [I5]"}, "can be entered"),
    ({"game: {": "hexes: {becomes: {river: [E5]}}\ngame: {"}, "in which turn"),
    ({"game: {": "hexes: {changes_at: {3: [E5]}}\ngame: {"}, "in which turn"),
    (
        {"game: {": "hexes: {becomes: {river: [E5]}, changes_at: {0: [E5]}}\ngame: {"},
        "in which turn",
    ),
    (
        {"game: {": "hexes: {becomes: {river: [F7]}, changes_at: {3: [F7]}}\ngame: {"},
        "begins there",
    ),
    (
        {"game: {": "hexes: {becomes: {sand_quarry: [G7]}, changes_at: {3: [G7]}}\ngame: {"},
        "begins there",
    ),
    (
        {"game: {": "hexes: {becomes: {river: [I10]}, changes_at: {3: [I10]}}\ngame: {"},
        "for banners",
    ),
    (
        {
            "game: {": "hexes: {becomes: {river: [E5]}, changes_at: {3: [E5]}}\ngame: {",
            "command: 6, ": "command: 6, objectives: [E5], ",
        },
        "for banners",
    ),
]


@pytest.mark.parametrize(("changes", "told"), REFUSED)
def test_set_ups_that_are_refused(changes: dict[str, str], told: str) -> None:
    text = (ROOT / "scenarios" / "cc_napoleonics" / "rolica_1.yaml").read_text(encoding="utf-8")
    for printed, instead in changes.items():
        assert text.count(printed) == 1
        text = text.replace(printed, instead)
    program = program_of("cc_napoleonics")
    setup, findings = load(text, program.spec, broken=program.unmet_requirements)
    assert setup is None
    assert [told in finding.message for finding in findings if finding.code == "S219"] == [True]


def test_battles_with_fords_let_squares_stand_in_them() -> None:
    for scenario in scenarios():
        if scenario.startswith("cc_napoleonics/") and scenario != "cc_napoleonics/muster":
            text = (ROOT / "scenarios" / f"{scenario}.yaml").read_text(encoding="utf-8")
            assert ("fordable_river" in text) == ("ford_square: true" in text), scenario


def test_cards_under_squares_are_not_told_as_cards_of_the_hand() -> None:
    scenario = "cc_napoleonics/rolica_1"
    program, setup = placed(scenario), setup_of(scenario)
    state: Any = program.new_state(setup, 1)
    cards = program.spec.enums["Card"]
    forward, rally = cards.index("forward"), cards.index("rally")
    state.pile_hand[1], state.pile_track_2[1] = [forward, forward], [rally]
    scene = Scene(program.spec, setup, Wording(program.spec, setup))
    assert [name for name, _ in scene.hand(view(state, 1).data, 1)] == [
        "Forward (×2)",
        "Rally (card under square 2)",
    ]
    assert scene.hand(view(state, 0).data, 1) == []


def test_the_lines_between_sections_stand_on_the_map() -> None:
    """A hex that a line cuts lies between two lines; other rows have one line, between two hexes."""
    name = "cc_napoleonics/rolica_1"
    setup = setup_of(name)
    game = Game(placed(name), setup, 1)
    style = Style.read([ROOT / "rulesets/cc_napoleonics"])
    picture = Picture(game.spec, setup, game.state, style, None, game.program.value)
    label = game.spec.board.label
    lines = {f"{label(a)} {label(b)}" for a, b in picture.borders("section_line")}
    row = {pair for pair in lines if all(h[0] == "A" for h in pair.split())}
    assert row == {"A4 A5", "A5 A6", "A8 A9", "A9 A10"}
    assert {pair for pair in lines if all(h[0] == "B" for h in pair.split())} == {"B4 B5", "B8 B9"}
    assert (":", "between sections (a hex inside: in both)", "#8a4b3a") in edge_legend(picture)
    scene = Scene(game.spec, setup, game.wording, style, game.program.value)
    shown = view(game.state, 0)
    assert "| A4  : A5  : A6  |" in TextBoard(scene, shown.data, scene.looks(shown)).board()
    picture.value = None
    assert picture.borders("section_line") == []
