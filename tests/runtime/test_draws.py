"""Random members of sets: how often each comes, chance of their own, scripts."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.ruleset import Ruleset
from runtime.chance import ScriptError
from runtime.games.game import Game
from runtime.model import NONE
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, load

LOTS = """
ruleset lots
sides left, right
board field { layout odd_r;  rows 2;  columns 2; }
enum Lot { one, two, three, four }
die d6 of 1 .. 6
fields of Lot { drawn: int = 0 }
fields of Game { rolled: int = 0   none_drawn: int = 0   with_draws: bool = true setup }
procedure play() {
  repeat 600 times {
    if with_draws {
      draw x from Lot where x is not four
      if x is not none { add 1 to x.drawn }
    }
    draw y from Lot where y.drawn > 1000
    if y is none { add 1 to none_drawn }
    roll 1 d6 as r
    add face(r) to rolled
  }
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> CompiledProgram:
    folder = tmp_path_factory.mktemp("lots") / "lots"
    folder.mkdir()
    (folder / "lots.grog").write_text(LOTS, encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, compilation.diagnostics
    return compilation.compiled


def game(program: CompiledProgram, seed: int, draws: bool = True, script: Any = None) -> Any:
    """The state at the end of a game."""
    setup, findings = load(
        f"ruleset: lots\ntitle: x\ngame: {{with_draws: {str(draws).lower()}}}", program.spec
    )
    assert isinstance(setup, SetUp), findings
    return Game(program, setup, seed, script).state


def test_each_member_is_as_likely_as_the_others(program: CompiledProgram) -> None:
    state = game(program, 7)
    one, two, three, four, nobody = state.lot_drawn
    assert one + two + three == 600 and (four, nobody) == (0, NONE + 1)
    assert all(150 < times < 250 for times in (one, two, three))
    assert state.game_none_drawn == 600


def test_draws_have_chance_of_their_own(program: CompiledProgram) -> None:
    assert game(program, 7).game_rolled == game(program, 7, draws=False).game_rolled
    assert game(program, 7).lot_drawn != game(program, 8).lot_drawn


def test_what_a_script_draws(program: CompiledProgram) -> None:
    drawn = game(program, 7, script={"draw": ["two"] * 600}).lot_drawn
    assert drawn[:4] == [0, 600, 0, 0]
    with pytest.raises(ScriptError, match="the script draws four, which is not among the 3"):
        game(program, 7, script={"draw": ["one", "four"]})
    with pytest.raises(ValueError, match="nothing that could be drawn is called 'five'"):
        game(program, 7, script={"draw": ["five"]})
    with pytest.raises(ScriptError, match="no draws left"):
        game(program, 7, script={"draw": []})
