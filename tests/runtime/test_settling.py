"""The greedy bot where a ruleset says when a position is settled."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from native_builds import built, missing

from compiler.ruleset import Ruleset
from runtime.program import CompiledProgram
from runtime.runs.bots import GreedyBot
from runtime.scenario import load
from runtime.scenario.setup import SetUp
from runtime.state import StateBase
from runtime.view import view

#: Who opens a box must still take something out of it; the last holds the best thing, and much rubbish.
SOURCE = """
ruleset boxes
sides top, bottom
enum Box { first_box, second_box, third_box }
enum Thing { rag, bone, jewel }
table things of Thing {
  columns worth: int
  | rag   | 0 |
  | bone  | 4 |
  | jewel | 9 |
}
board floor { layout odd_r; rows 2; columns 2; }
fields of Game { opened: Box? = none  in_hand: Thing? = none  asked: int = 0  shaking: bool = false }
function standing(s: Side): int = if s is top then in_hand.worth else -in_hand.worth
SETTLED
procedure play() {
  offer once by top prompt box {
    open(b in Box) { do take_out(b) }
    pass leave_it
  }
  repeat 30 times { offer once by bottom prompt idle { hum { } whistle { } pass rest } }
  tie
}
procedure take_out(b: Box) {
  set opened = b
  set shaking = true
  choose x in Thing where rank(x) <= rank(b) by top prompt thing
  set in_hand = x
  offer once by bottom prompt objection { object { set in_hand = if in_hand is bone then rag else in_hand } pass agree }
  set shaking = false
}
"""
SETTLED = "function settled(): bool = not shaking"


def set_up(program: CompiledProgram) -> SetUp:
    setup, findings = load("ruleset: boxes\ntitle: Boxes\n", program.spec)
    assert setup is not None, findings
    return setup


def begun(folder: Path, settled: str) -> tuple[CompiledProgram, StateBase]:
    folder.mkdir()
    (folder / "boxes.grog").write_text(SOURCE.replace("SETTLED", settled), encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, [str(d) for d in compilation.diagnostics]
    program = compilation.compiled
    state = program.new_state(set_up(program), 1)
    program.begin(state)
    return program, state


def chosen(program: CompiledProgram, state: StateBase, seed: int) -> int:
    bot = GreedyBot(budget=1, depth=3)
    return bot.search(program, set_up(program), view(state, 0), state.options, Random(seed))


def test_what_is_begun_is_carried_on_with_the_best_for_each(tmp_path: Path) -> None:
    program, state = begun(tmp_path / "boxes", SETTLED)
    for seed in range(
        20
    ):  # whatever luck: the jewel is in the last box, and nobody objects to the bone in vain
        option = chosen(program, state, seed)
        after = state.copy()
        program.answer(after, option)
        assert after.game_opened == 2  # type: ignore[attr-defined]
        taken = chosen(program, after, seed)
        program.answer(after, taken)
        assert after.game_in_hand == 2  # type: ignore[attr-defined]


def test_without_it_what_follows_is_left_to_luck(tmp_path: Path) -> None:
    program, state = begun(tmp_path / "boxes", "")
    assert {chosen(program, state, seed) for seed in range(20)} != {chosen(program, state, 0)}


@pytest.mark.parametrize("settled", ["", SETTLED])
def test_a_bot_takes_what_is_offered(tmp_path: Path, settled: str) -> None:
    program, state = begun(tmp_path / "boxes", settled)
    while not state.over:
        option = chosen(program, state, 3) if state.chooser == 0 else state.options[0]
        assert option in state.options
        program.answer(state, option)


#: Bets that are all as good as another, and of which only luck says whether they are better than none.
BETS = """
ruleset bets
sides top, bottom
enum Coin { tails, heads }
die coin of Coin { tails 1, heads 1 }
board floor { layout odd_r; rows 4; columns 5; }
fields of Game { won: int = 0  tossing: bool = false }
function standing(s: Side): int = if s is top then won else -won
function settled(): bool = not tossing
procedure play() {
  offer once by top prompt bet {
    bet(h in Hex) { do toss() }
    pass keep_it
  }
  tie
}
procedure toss() {
  set tossing = true
  roll 1 coin as r
  set won = tally(r, heads)
  set tossing = false
}
"""


def test_luck_that_turns_between_two_looks(tmp_path: Path) -> None:
    folder = tmp_path / "bets"
    folder.mkdir()
    (folder / "bets.grog").write_text(BETS, encoding="utf-8")
    (folder / "one.yaml").write_text("ruleset: bets\ntitle: One\n", encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, [str(d) for d in compilation.diagnostics]
    program = compilation.compiled
    setup, findings = load("ruleset: bets\ntitle: One\n", program.spec)
    assert setup is not None, findings
    state, bot = program.new_state(setup, 1), GreedyBot()
    program.begin(state)

    def python(seed: int) -> tuple[int, float]:
        rng = Random(seed)
        return bot.search(program, setup, view(state, 0), state.options, rng), rng.random()

    found = [python(seed) for seed in range(12)]
    if not missing():
        machine = built(folder, folder / "one.yaml").machine

        def native(seed: int) -> tuple[int, float]:
            rng = Random(seed)
            machine.load(state)
            return machine.greedy(bot, rng), rng.random()

        assert found == [native(seed) for seed in range(12)]
