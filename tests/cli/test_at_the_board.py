"""What stands out on the board of a question, and the end hex of a way that is asked for step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ruleset import Ruleset
from grognard.draw.scene import Scene
from grognard.draw.style import Style, StyleError
from grognard.draw.text.position import TextBoard
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.games.game import Game
from runtime.program import CompiledProgram
from runtime.scenario import load
from runtime.view import view

SOURCE = """
ruleset steps
sides top, bottom
board field { layout odd_r; rows 3; columns 5; }
piece Unit { side: Side fixed setup   hex: Hex place alone setup }
fields of Hex { mire: bool = false setup }
fields of Side { zone: set of Hex = {} setup }
permission bogs_down(u: Unit, h: Hex) deny
allow mire for bogs_down when h.mire
function pull(h: Hex): int = if h.mire then 2 else 0
procedure play() {
  do go(first u in Unit where u.side is top)
  tie
}
procedure go(u: Unit?) {
  if u is none { leave }
  repeat 3 times {
    choose h in neighbors(u.hex) where Unit[h] is none and not h.mire by top prompt step_to(u) pass halt
    if h is none { stop }
    set u.hex = h
  }
  offer once by top prompt last(u) {
    shoot(h in neighbors(u.hex) where bogs_down(u, h) or pull(h) > 1) {}
    pass done
  }
}
"""
SCENARIO = """
ruleset: steps
title: Steps
sides: {bottom: {zone: [A3]}}
pieces: {Unit: [{side: top, hex: A1}, {side: bottom, hex: C5}]}
hexes: {mire: {true: [B2]}}
"""
STYLE = """
highlights:
  bogs_down: {sign: "%", label: mud}
  zone: {sign: "!", color: red}
  shoot: {sign: "x"}
"""


def program_in(folder: Path, source: str) -> CompiledProgram:
    """The program of a ruleset that is written into a new folder."""
    folder.mkdir()
    (folder / "rules.grog").write_text(source, encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, [str(d) for d in compilation.diagnostics]
    return compilation.compiled


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> CompiledProgram:
    return program_in(tmp_path_factory.mktemp("rules") / "steps", SOURCE)


@pytest.fixture
def game(program: CompiledProgram) -> Game:
    setup, found = load(SCENARIO, program.spec)
    assert setup is not None, [str(f) for f in found]
    return Game(program, setup, 1)


def texts(game: Game, line: str) -> list[str]:
    scene = Scene(game.spec, game.setup, game.wording)
    options = LineReader(scene).read(Menu(game, scene), line)
    return [option.text for option in options]


def test_the_end_of_a_way_may_be_named_at_once(game: Game) -> None:
    assert texts(game, "A2") == ["step_to A2"]
    assert texts(game, "A3") == ["step_to A2", "step_to A3"]
    assert texts(game, "A4") == ["step_to A2", "step_to A3", "step_to A4"]


def test_a_way_that_matters_is_asked_for(game: Game) -> None:
    with pytest.raises(IllegalOption, match="not among the options"):
        texts(game, "B2")
    with pytest.raises(IllegalOption, match="not among the options"):
        texts(game, "C5")


RIDES = """
ruleset rides
sides top, bottom
board field { layout odd_r; rows 2; columns 4; }
piece Unit { side: Side fixed setup   number: int fixed setup   hex: Hex place alone setup }
procedure play() {
  offer by top prompt movement {
    march(u in Unit where u.side is top) { do go(u) }
    ride(u in Unit where u.side is top) { do go(u) }
    pass done
  }
  tie
}
procedure go(u: Unit) {
  choose h in neighbors(u.hex) where Unit[h] is none by u.side prompt goal(u) else { leave }
  set u.hex = h
}
"""
RIDERS = """
ruleset: rides
title: Rides
pieces: {Unit: [{side: top, number: 40, hex: A1}, {side: bottom, number: 9, hex: B4}]}
"""


def test_a_number_that_only_counters_bear_may_mean_several_options_of_a_piece(
    tmp_path: Path,
) -> None:
    """None of them is called its number here."""
    folder = tmp_path / "rides"
    program = program_in(folder, RIDES)
    (folder / "style.yaml").write_text('pieces: {Unit: {label: "{number}"}}', encoding="utf-8")
    setup, found = load(RIDERS, program.spec)
    assert setup is not None, [str(f) for f in found]
    game = Game(program.on(setup.board), setup, 1)
    scene = Scene(game.spec, game.setup, game.wording, Style.read([folder]))
    with pytest.raises(IllegalOption) as refused:
        LineReader(scene).read(Menu(game, scene), "40 A2")
    assert str(refused.value) == "'40' could mean: march T.Unit1, ride T.Unit1"
    assert [option.branch for option in refused.value.matches] == ["march", "ride"]


def marks(game: Game, tmp_path: Path) -> tuple[Menu, dict[str, str]]:
    (tmp_path / "style.yaml").write_text(STYLE, encoding="utf-8")
    style = Style.read([tmp_path])
    style.check_names(game.spec)
    scene = Scene(game.spec, game.setup, game.wording, style)
    menu = Menu(game, scene)
    assert game.decision is not None
    found = menu.marks(game.decision, view(game.state, 0))
    return menu, {game.spec.board.label(h): name for h, name in found.items()}


def test_hexes_stand_out_by_what_would_come_of_going_there(game: Game, tmp_path: Path) -> None:
    assert marks(game, tmp_path)[1] == {"A2": "", "B1": ""}
    game.play("step_to A2")
    menu, found = marks(game, tmp_path)
    assert found == {"A1": "", "A3": "zone", "B1": ""}
    seen = view(game.state, 0)
    zone = {game.spec.board.index("A3"): "zone"}
    data = TextBoard(menu.scene, seen.data, menu.scene.looks(seen), zone).board()
    assert "!" in data and "*" not in data
    game.play("halt")
    assert marks(game, tmp_path)[1] == {"B2": "bogs_down"}
    board = game.spec.board
    mud = {board.index("B2"): "bogs_down"}
    key = TextBoard(menu.scene, seen.data, marked=mud).whole([], 80)
    assert "% mud" in key
    both = {**mud, board.index("A2"): ""}
    key = TextBoard(menu.scene, seen.data, marked=both).whole([], 80)
    assert "* on offer · % mud" in key


def test_highlights_may_be_for_some_options(game: Game, tmp_path: Path) -> None:
    game.play("step_to A2")
    for options, found in (("[shoot]", ""), ("[step_to]", "zone"), ("[shoot, step_to]", "zone")):
        (tmp_path / "style.yaml").write_text(
            f"highlights: {{zone: {{sign: '!', for: {options}}}}}", encoding="utf-8"
        )
        style = Style.read([tmp_path])
        menu = Menu(game, Scene(game.spec, game.setup, game.wording, style))
        assert game.decision is not None
        assert menu.marks(game.decision, view(game.state, 0))[game.spec.board.index("A3")] == found
    (tmp_path / "style.yaml").write_text("highlights: {zone: {for: [nothing]}}", encoding="utf-8")
    with pytest.raises(StyleError, match="unknown option 'nothing'"):
        Style.read([tmp_path]).check_names(game.spec)
