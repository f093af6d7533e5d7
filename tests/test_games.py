"""Whole games of every scenario: fuzzed, replayed, golden.

How many random games are played here is a sample; ``python -m bench.checks.fuzz SCENARIO`` plays as many as wanted.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest
from native_builds import followed, missing
from project import ROOT, at_length, one_of_each, placed, program_of, sampled, scenarios, setup_of

from bench.checks import golden
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.runs.invariants import fuzz_game
from runtime.runs.playout import playout
from runtime.runs.seats import make_bot
from runtime.runs.series import play_match

GAMES = int(os.environ.get("GROGNARD_FUZZ_GAMES", "40"))
HANDS = (
    "battles_of_westeros/learning_battle",
    "battles_of_westeros/across_the_riverlands",
    "battles_of_napoleon/first_lesson",
    "cc_ancients/akragas",
    "cc_napoleonics/vimiero",
    "no_retreat/barbarossa_1941",
)
#: One whose native build takes seconds; those of all others are long.
QUICK = "battles_of_westeros/learning_battle"
RECORDS = sorted(golden.GOLDEN.rglob("*.record"))


def ready(scenario: str) -> tuple:  # type: ignore[type-arg]
    """Program, on the board of the scenario, and set-up."""
    return placed(scenario), setup_of(scenario)


@pytest.mark.parametrize("scenario", at_length(scenarios(), sampled()))
def test_random_games_come_to_an_end(scenario: str) -> None:
    program, setup = ready(scenario)
    for seed in range(GAMES):
        state = program.new_state(setup, seed)
        program.begin(state)
        taken = playout(program, state, Random(seed), limit=30_000)
        assert state.over, f"seed {seed} is not over after {taken} decisions"


@pytest.mark.parametrize("scenario", sampled())
@pytest.mark.parametrize("seed", range(2))
def test_invariants_hold_all_along(scenario: str, seed: int) -> None:
    program, setup = ready(scenario)
    assert fuzz_game(program, setup, seed, every=25).problems == []


@pytest.mark.parametrize("scenario", sampled())
def test_a_game_can_be_taken_up_anywhere(scenario: str) -> None:
    """A state written down in the middle of anything, read back and played on gives the same game."""
    program, setup = ready(scenario)
    rng = Random(5)
    game = Game(program, setup, 5, log=False)
    for _ in range(120):
        if game.over:
            break
        game.play(rng.randrange(len(game.state.options)))
    text = json.dumps(game.state.to_data())
    other = program.state_class.from_data(json.loads(text))
    assert other == game.state and other.hash() == game.state.hash()
    playout(program, other, Random(9))
    same = game.state.copy()
    playout(program, same, Random(9))
    assert other.hash() == same.hash() and other.ranks == same.ranks


@pytest.mark.parametrize("scenario", at_length(scenarios(), sampled()))
def test_records_replay(scenario: str) -> None:
    program, setup = ready(scenario)
    bots = [make_bot("random") for _ in program.spec.sides]
    result = play_match(program, setup, bots, 11, record=True, names=("random", "random"))
    assert result.record is not None
    text = result.record.write()
    again = Record.parse(text)
    assert again.write() == text
    game = replay(program, setup, again)
    assert game.over and game.state.ranks == result.ranks


@pytest.mark.parametrize("scenario", one_of_each())
def test_greedy_sees_only_its_view_and_wins(scenario: str) -> None:
    program, setup = ready(scenario)
    won = 0
    for seed in range(4):
        seats = [make_bot("greedy"), make_bot("random")]
        mine = seed % 2
        result = play_match(program, setup, seats if mine == 0 else seats[::-1], seed)
        won += mine in result.winners
    assert won >= 2


@pytest.mark.parametrize("scenario", scenarios())
def test_golden_games(scenario: str) -> None:
    """Games and positions that must be what they were (``python -m bench.checks.golden`` tells more, and keeps new ones)."""
    kept = golden.kept_table()
    assert scenario in kept, (
        f"python -m bench.checks.golden --write {scenario} keeps the games of a new scenario"
    )
    assert kept[scenario].differences(golden.Golden.of(*ready(scenario))) == []


@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
@pytest.mark.parametrize("scenario", at_length(scenarios(), [QUICK]))
def test_native_golden_games(scenario: str) -> None:
    """A native build that plays them, too, parts from them nowhere; nor from whole records."""
    folder = ROOT / "rulesets" / scenario.split("/")[0]
    program = followed(folder, placed(scenario), every=20)
    now = golden.Golden.of(program, setup_of(scenario))
    assert golden.kept_table()[scenario].differences(now) == []
    for path in (golden.GOLDEN / scenario).glob("*.record"):
        record = Record.parse(path.read_text(encoding="utf-8"))
        assert replay(program, setup_of(scenario), record, lenient=True).over
    assert program.followed > 100


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: f"{p.parent.name} {p.stem}")
def test_golden_records(path: Path) -> None:
    """Whole games that must give the same hashes as when they were recorded."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    game = replay(*ready(path.relative_to(golden.GOLDEN).parent.as_posix()), record, lenient=True)
    assert game.over


def told_of_hands(game: Game, text: str) -> str:
    """Take an option of a game; what is told, where it names a card that stays in a hand and is not laid open."""
    spec, decision = game.spec, game.spec.decisions[game.state.point]

    def lying(deck: str, card: int, *kinds: str) -> int:
        piles = (
            p.slot for d in spec.decks for p in d.piles if d.enum == deck and p.visibility in kinds
        )
        parts = (p for pile in piles for p in getattr(game.state, pile))
        return sum(p == card if isinstance(p, int) else p.count(card) for p in parts)

    words = set(text.split()[1:])
    named = [
        (d.enum, card)
        for d in spec.decks
        for card, name in enumerate(spec.enums[d.enum])
        if name in words
    ]
    before = [(lying(*one, "owner"), lying(*one, "open", "top")) for one in named]
    side = spec.sides[game.state.chooser]
    game.play(text)
    after = [(lying(*one, "owner"), lying(*one, "open", "top")) for one in named]
    stays = any(
        held and (held, shown) == now for (held, shown), now in zip(before, after, strict=True)
    )
    return f"{side}: {text}" if stays and not decision.secret else ""


@pytest.mark.parametrize("scenario", HANDS)
def test_what_is_chosen_of_a_hand_and_stays_there_is_chosen_secretly(scenario: str) -> None:
    """Else a record that is given away while the game goes on would name it."""
    game, rng, told = Game(*ready(scenario), 1, log=False), Random(1), []
    while not game.over and len(told) < 120:
        assert game.decision is not None
        told.append(told_of_hands(game, rng.choice(game.decision.options).text))
    assert not any(told), [one for one in told if one]


@pytest.mark.parametrize(
    ("ruleset", "prompt"),
    [("battles_of_westeros", "keep_card"), ("cc_napoleonics", "keep"), ("no_retreat", "okh_takes")],
)
def test_what_nobody_else_sees_is_asked_secretly(ruleset: str, prompt: str) -> None:
    """Cards that go from what one side sees into its hand, too seldom to come up in every game."""
    asked = [d for d in program_of(ruleset).spec.decisions if d.prompt == prompt]
    assert asked and all(d.secret for d in asked)
