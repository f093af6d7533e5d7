"""Weights: all executions read them, each bot its own, and nothing else hangs on them."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from native_builds import Built, built, missing
from project import ROOT

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.errors import ArgumentError
from runtime.program import CompiledProgram
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.runs.search import SearchBot
from runtime.runs.series import MatchResult, play_match
from runtime.scenario import SetUp, load
from runtime.state import StateBase

FOLDER = ROOT / "tests/rulesets/skirmish"
OTHERS = {"beside": 3, "nearer": 0, "lead": -7, "judgement.reply.worth": 250}


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return Ruleset(FOLDER)


@pytest.fixture(scope="module")
def there(ruleset: Ruleset) -> tuple[CompiledProgram, SetUp]:
    setup, findings = load(FOLDER / "meeting.yaml", ruleset.spec)
    assert setup is not None, findings
    return ruleset.compiled.on(setup.board), setup


def position(program: CompiledProgram, setup: SetUp, seed: int) -> StateBase:
    """Where a random game has come to."""
    state, rng = program.new_state(setup, seed), Random(seed)
    program.begin(state)
    for _ in range(40):
        if not state.over:
            program.answer(state, rng.choice(state.options))
    return state


def test_every_execution_reads_them(ruleset: Ruleset, there: tuple[CompiledProgram, SetUp]) -> None:
    program, setup = there
    interpreted = InterpretedProgram(ruleset.program, ruleset.spec).on(setup.board)
    found = set()
    for seed in range(8):
        state = position(program, setup, seed)
        for weights in ({}, OTHERS, {"lead": 1}, {"judgement.strike.worth": 9}):
            for side in (0, 1):
                value = program.with_weights(weights).standing(state, side)
                assert value == interpreted.with_weights(weights).standing(state, side)
                found.add((seed, side, value))
    assert len(found) > 40
    assert program.with_weights({"lead": 300}) is program.with_weights({}) is program
    assert program.with_weights(OTHERS) is program.with_weights(dict(OTHERS))
    assert program.with_weights(OTHERS).with_weights({"lead": 4}).spec.weights["beside"].value == 3


def test_what_is_not_named_is_what_it_was(there: tuple[CompiledProgram, SetUp]) -> None:
    program, _ = there
    changed = program.with_weights(OTHERS).spec
    assert {n for n, w in changed.weights.items() if w != program.spec.weights[n]} == set(OTHERS)
    assert changed.hash == program.spec.hash
    assert changed.weighing[changed.weights["lead"].place] == -7
    assert program.spec.weights["nearer"].bounds == (0, 50)


@pytest.mark.parametrize("weights", [{"led": 1}, {"lead": 1.5}, {"lead": True}, {"lead": 10**10}])
def test_others_are_refused(there: tuple[CompiledProgram, SetUp], weights: dict[str, int]) -> None:
    with pytest.raises(ArgumentError, match="weight 'le"):
        there[0].with_weights(weights)


def told(match: MatchResult) -> tuple[object, ...]:
    return match.ranks, match.decisions, match.turns, match.result, match.scores


def test_bots_have_their_own(there: tuple[CompiledProgram, SetUp]) -> None:
    program, setup = there
    pairs: list[list[Bot]] = [
        [GreedyBot(budget=20, weights=weights), RandomBot()] for weights in ({}, OTHERS)
    ]
    games = [[told(play_match(program, setup, bots, seed)) for seed in range(4)] for bots in pairs]
    assert games[0] != games[1]
    search = [SearchBot(playouts=12, weights=weights) for weights in ({}, OTHERS)]
    found = [told(play_match(program, setup, [bot, RandomBot()], 3)) for bot in search]
    assert found[0] != found[1]


@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
def test_bots_have_their_own_in_native_games(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Built = built(FOLDER, FOLDER / "meeting.yaml")
    program, setup = made.program, made.setup
    crews: list[list[Bot]] = [
        [GreedyBot(budget=20, weights=OTHERS), GreedyBot(budget=20)],
        [GreedyBot(budget=20), GreedyBot(budget=20, weights=OTHERS)],
        [SearchBot(playouts=12, weights=OTHERS), RandomBot()],
        [SearchBot(playouts=12), GreedyBot(budget=20, weights=OTHERS)],
        [GreedyBot(budget=20), GreedyBot(budget=20)],
    ]
    plain = [[told(play_match(program, setup, bots, seed)) for seed in range(3)] for bots in crews]
    for one in (program, program.with_weights(OTHERS)):
        vars(one.machines).clear()
        monkeypatch.setattr(one, "libraries", lambda *_: made.machine.library)
    native = [[told(play_match(program, setup, bots, seed)) for seed in range(3)] for bots in crews]
    assert native == plain
    assert all(any(vars(one.machines).values()) for one in (program, program.with_weights(OTHERS)))


def copied(tmp_path: Path, old: str, new: str) -> Ruleset:
    folder = tmp_path / f"copy{len(list(tmp_path.iterdir()))}" / "skirmish"
    shutil.copytree(FOLDER, folder)
    file = folder / "skirmish.grog"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return Ruleset(folder)


def test_the_hash_of_rules_leaves_values_out(ruleset: Ruleset, tmp_path: Path) -> None:
    for old, new in (("lead = 300", "lead = -2"), ("| reply  | 0 |", "| reply  | 412 |")):
        assert copied(tmp_path, old, new).spec.hash == ruleset.spec.hash
    for old, new in (("lead = 300", "lead = 300 in 0 .. 900"), ("| guard | 3 ", "| guard | 2 ")):
        assert copied(tmp_path, old, new).spec.hash != ruleset.spec.hash
