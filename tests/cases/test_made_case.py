"""Cases made at random moments of random games hold when they are read from their text and run."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from project import at_length

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.cases.file import read_cases
from grognard.cases.made_case import made_case
from grognard.cases.runner import CaseRunner
from grognard.cases.written_case import case_insertion, new_file
from runtime.data.reader import plain, read_file
from runtime.errors import ArgumentError
from runtime.games.game import Game
from runtime.scenario import load

ROOT = Path(__file__).resolve().parent.parent.parent
#: Scenarios, with how many decisions are played at most.
GAMES = {
    "tests/rulesets/skirmish/meeting.yaml": 150,
    "tests/rulesets/columns/first.yaml": 60,
    "tests/rulesets/cubes/table.yaml": 60,
    "tests/rulesets/everything/drill.yaml": 120,
    "tests/rulesets/mixture/field.yaml": 60,
    "tests/rulesets/plotted/passage.yaml": 60,
    "tests/rulesets/spaces/delta.yaml": 60,
    "scenarios/cc_ancients/akragas.yaml": 100,
    "scenarios/no_retreat/bagration.yaml": 100,
}


def opened(scenario: str, interpreted: bool = False) -> tuple[Game, CaseRunner]:
    """A game of a scenario, and what runs its cases."""
    path = ROOT / scenario
    name = path.parent.name
    own = scenario.startswith("tests/")
    ruleset = Ruleset(path.parent if own else ROOT / "rulesets" / name)
    program = ruleset.compiled
    setup, findings = load(path, program.spec)
    assert setup is not None, findings
    root, _ = read_file(path, "scenario")
    assert root is not None
    data: Any = plain(root)
    runs = InterpretedProgram(ruleset.program, ruleset.spec) if interpreted else program
    return Game(program.on(setup.board), setup, 1), CaseRunner(ruleset.program, runs, data)


def made_at_random(start: Game, runner: CaseRunner, seed: int, longest: int) -> dict[str, Any]:
    """A case of a few decisions, somewhere in a random game.  ArgumentError where there is none."""
    rng = Random(seed)
    game = start.restart(seed)
    for _ in range(rng.randrange(longest)):
        if game.over:
            break
        game.play(rng.randrange(len(game.options)))
    while game.over:
        game = start.restart(seed)
    begun, answers = game.copy(), []
    for _ in range(rng.randrange(1, 6)):
        if game.over:
            break
        option = rng.choice(game.options)
        answers.append(option.text)
        game.play(option)
    return made_case(begun, answers, runner, f"case {seed}")


@pytest.mark.parametrize("scenario", at_length(GAMES, list(GAMES)[:-1]))
def test_a_made_case_holds(scenario: str, tmp_path: Path) -> None:
    start, runner = opened(scenario)
    _, interpreted = opened(scenario, interpreted=True)
    file = tmp_path / "cases.yaml"
    run_alone = 0
    text = ""
    for seed in range(8):
        case = made_at_random(start, runner, seed, GAMES[scenario])
        if text:
            offset, more = case_insertion(text, case)
            text = text[:offset] + more + text[offset:]
        else:
            text = new_file(start.ruleset, "a", case)
        run_alone += "run" in case
    file.write_text(text, encoding="utf-8")
    cases = read_cases(file).cases
    assert [case.name for case in cases] == [f"case {seed}" for seed in range(8)]
    for case in cases:
        assert runner.run(case).problems == ()
    assert interpreted.run(cases[0]).problems == ()
    assert run_alone or "mixture" in scenario  # which asks in the middle of one long procedure


def test_only_what_differs_is_said() -> None:
    """The position says what has changed since the scenario, and what runs is the procedure that asks."""
    start, runner = opened("tests/rulesets/skirmish/meeting.yaml")
    game = start
    rng = Random(1)
    while True:
        game = start.restart(rng.randrange(999))
        game.play(rng.randrange(len(game.options)))
        game.play(0)
        begun, answer = game.copy(), game.options[0].text
        game.play(answer)
        if game.prompt == "orders" and game.side == "blue":
            break
    case = made_case(begun, [answer], runner, " A piece\n\x1b walks")
    assert case["name"] == "A piece walks"
    piece = begun.actions[-1][1].removeprefix("order ")
    assert case["run"] == f"move_one({piece})"
    assert case["fields"] == {f"{piece}.ordered": True}
    assert "dice" not in case
    assert case["actions"] == [answer]
    fields = {f"{piece}.hex": answer.removeprefix("to ")}
    assert case["expect"] == {"fields": fields, "decision": "none"}


def test_dice_are_those_that_were_rolled() -> None:
    start, runner = opened("tests/rulesets/skirmish/meeting.yaml")
    game = start.restart(1)
    rng = Random(1)
    while game.prompt != "target":
        if game.over:
            game = start.restart(rng.randrange(99))
        game.play(rng.randrange(len(game.options)))
    begun, answer = game.copy(), game.options[0].text
    rolls = len(game.events)
    game.play(answer)
    case = made_case(begun, [answer], runner, "A fight")
    rolled = [
        face for event in game.events[rolls:] if hasattr(event, "faces") for face in event.faces
    ]
    assert case["dice"]["fight_die"][: len(rolled)] == rolled


def test_another_game_is_refused() -> None:
    start, _ = opened("tests/rulesets/skirmish/meeting.yaml")
    _, other = opened("tests/rulesets/cubes/table.yaml")
    with pytest.raises(ArgumentError, match="other rules"):
        made_case(start, [start.options[0].text], other, "x")


FILE = """\
# cases
ruleset: skirmish
scenario: a
cases:
  # the first
  - name: one
    run: nothing
    expect: {over: false}

  # the second
  - name: two
    expect:
      log:
        - >-
          a b
          c
# behind
notes: [n]
"""


def test_it_goes_behind_the_last_case() -> None:
    case = {"name": "three", "expect": {"over": False}}
    offset, more = case_insertion(FILE, case)
    assert more == "  - name: three\n    expect: {over: false}\n"
    assert FILE[:offset].endswith("          c\n")
    assert FILE[offset:].startswith("# behind\n")
    apart = FILE.replace("  # the second\n", "")
    assert case_insertion(apart, case)[1] == "\n" + more
    short = FILE[: FILE.index("# behind")].rstrip("\n")
    assert case_insertion(short, case) == (len(short), "\n" + more)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ruleset: a\n", "no file of cases"),
        ("cases: [{name: one, expect: {over: false}}]\n", "list with a line for each"),
        (FILE.replace("two", "three"), "called 'three' already"),
    ],
)
def test_where_it_cannot_go(text: str, reason: str) -> None:
    with pytest.raises(ArgumentError, match=reason):
        case_insertion(text, {"name": "three", "expect": {"over": False}})
