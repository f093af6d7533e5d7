"""Boards drawn as SVG, and small for the terminal."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from project import playable, scenarios

from grognard import opening
from grognard.draw.edges import edge_legend
from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.style import Style, StyleError
from grognard.draw.style_shape import GLYPHS, PATTERNS
from grognard.draw.svg import Drawing, png, render
from grognard.draw.svg.counters import counter
from grognard.draw.svg.ground import flag_at
from grognard.draw.svg.symbols import PATTERN_OF, glyph
from grognard.draw.text.cell import Cell
from grognard.draw.text.full import draw_board
from grognard.draw.text.maps import Map
from grognard.draw.text.position import TextBoard
from grognard.draw.text.sketch import draw_sketch
from grognard.draw.text.windows import window_around
from grognard.draw.tokens import Token, initials
from grognard.fronts.cli.main import main
from grognard.scenario import Scenario
from runtime.board import Board
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.view import view

SMALL = Board(name="small", layout="odd_r", rows=3, columns=3, narrow="odd")
SMALL_FLAT = Board(name="small", layout="odd_q", rows=2, columns=3, labels="numbers")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def opened() -> Scenario:
    return opening.open_scenario("cc_ancients/akragas")


def picture(opened: Scenario, style: Style | None = None) -> Picture:
    return Picture(
        opened.program.spec,
        opened.setup,
        opened.program.new_state(opened.setup, 0),
        style or Style(),
    )


def styled(tmp_path: Path, text: str) -> Style:
    (tmp_path / "style.yaml").write_text(text, encoding="utf-8")
    return Style.read([tmp_path])


def texts(document: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(document).iter(f"{SVG}text")]


def test_without_a_style(opened: Scenario) -> None:
    document = render(picture(opened), "Title")
    root = ElementTree.fromstring(document)
    assert root.tag == f"{SVG}svg"
    shown = texts(document)
    assert "Title" in shown and "A1" in shown and shown.count("AUX") == 7
    assert (
        len([u for u in root.iter(f"{SVG}use") if u.get("href") == "#hex"])
        >= opened.program.spec.board.size
    )


def test_labels_over_a_rim_are_dark(opened: Scenario, tmp_path: Path) -> None:
    plain = "labels: '#999080'\nhexes: {terrain: {clear: {fill: '#e0d8b8'%s}}}"
    soft = render(picture(opened, styled(tmp_path, plain % "")))
    dark = render(picture(opened, styled(tmp_path, plain % ", rim: '#702020'")))
    label = re.compile(r'<text fill="(#\w+)"[^>]*>E5</text>')
    assert label.findall(soft)[-1] != label.findall(dark)[-1] == "#1c1c1c"


def test_the_same_bytes_again(opened: Scenario) -> None:
    assert render(picture(opened), "x") == render(picture(opened), "x")


def test_titles_are_escaped(opened: Scenario) -> None:
    document = render(picture(opened), 'A & B <"x">\x00')
    assert any(text.startswith('A & B <"x">') for text in texts(document))


def test_figures_and_symbols(opened: Scenario, tmp_path: Path) -> None:
    style = styled(
        tmp_path,
        """
hexes: {terrain: {clear: {fill: "#ffffff", pattern: trees dots, label: plain}}}
pieces:
  Unit:
    figures: "{blocks}/{side}"
    symbol: {by: type, LI: star, AUX: {glyph: circle, fill: "#123456"}}
    cases: [{when: {type: HI}, label: "x{name:3}", figures: ""}]
  Leader: {shape: round, size: 0.6, label: "{name:3}"}
""",
    )
    shown = texts(render(picture(opened, style)))
    assert shown.count("4/top") == 9 and shown.count("blocks/side") == 1  # once in the key
    assert shown.count("plain") == 1
    assert {"Him", "Mag", "Dap", "Dio"} <= set(shown)
    assert "HI" not in shown and "xHI1" in shown  # a name without the prefix of its list


def test_patterns_and_glyphs(opened: Scenario, tmp_path: Path) -> None:
    """Each is drawn, and as nothing else is."""
    ground = Drawing(picture(opened))
    patterns = {ground.pattern(name, "#123456"): PATTERN_OF[name]("#123456") for name in PATTERNS}
    signs = {name: glyph(name, 20.0, 12.0, "", "#123456") for name in GLYPHS}
    drawn = [*patterns.values(), *signs.values()]
    assert len(set(drawn)) == len(PATTERNS) + len(GLYPHS) and all("#123456" in one for one in drawn)
    for one in drawn:
        ElementTree.fromstring(f"<g>{one}</g>")
    style = f"hexes: {{terrain: {{clear: {{pattern: {' '.join(PATTERNS)}}}}}}}\n"
    style += f"pieces: {{Unit: {{symbol: {' '.join(GLYPHS)}}}}}"
    document = render(picture(opened, styled(tmp_path, style)))
    assert len(re.findall(r'<g id="ground\d+"', document)) == len(PATTERNS)
    ElementTree.fromstring(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hexs: {}", "unknown setting 'hexs'"),
        ("hexes: {terain: {}}", "unknown field of Hex 'terain'"),
        ("hexes: {terrain: {clera: {}}}", "unknown value of Terrain 'clera'"),
        ("hexes: {terrain: {clear: {fill: 'url(x)'}}}", "not a colour"),
        ("hexes: {terrain: {clear: {pattern: jungle}}}", "unknown pattern 'jungle'"),
        ("hexsides: {rivers: {}}", "unknown set of hexes of Hex 'rivers'"),
        ("sides: {middle: {}}", "unknown side 'middle'"),
        ("pieces: {Units: {}}", "unknown kind of piece 'Units'"),
        ("pieces: {Unit: {size: big}}", "no number"),
        ("pieces: {Unit: {label: '{tipe}'}}", "no field or function of Unit 'tipe'"),
        ("pieces: {Unit: {label: '{type.army}'}}", "no column 'army'"),
        ("pieces: {Unit: {symbol: heart}}", "unknown glyph 'heart'"),
        ("pieces: {Unit: {symbol: [dot]}}", "a list in pieces.Unit.symbol: expected text"),
        ("pieces: {Unit: {label: {a: b}}}", "expected text"),
        ("pieces: {Unit: {cases: {a: b}}}", "expected a list"),
        ("pieces: {Unit: {cases: [x]}}", "expected a mapping"),
        ("pieces: [Unit]", "expected a mapping"),
        ("hexes: {terrain: {clear: {sign: [x]}}}", "expected text"),
        ("short: {Type: {XX: y}}", "unknown member of Type 'XX'"),
        ("flags: banner", "unknown set of hexes of Side 'banner'"),
        ("[1, 2]", "a list: expected a mapping"),
        ("a: b: c", "stands where no key can be"),
    ],
)
def test_what_is_wrong_with_a_style(
    opened: Scenario, tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(StyleError, match=message):
        render(picture(opened, styled(tmp_path, text)))


def test_styles_of_bases_hold_too(tmp_path: Path) -> None:
    base, own = tmp_path / "base", tmp_path / "own"
    for folder, text in (
        (base, "background: red\nsides: {a: {fill: red}}"),
        (own, "sides: {b: {fill: blue}}"),
    ):
        folder.mkdir()
        (folder / "style.yaml").write_text(text)
    style = Style.read([own, base])
    assert style.data["background"] == "red"
    assert set(style.part("sides")) == {"a", "b"}


@pytest.mark.parametrize(
    ("word", "short"),
    [
        ("HI", "HI"),
        ("panzer_3", "p3"),
        ("infantry", "inf"),
        ("6th-Army", "6A"),
        ("camp", "camp"),
        ("army_11", "a11"),
    ],
)
def test_initials(word: str, short: str) -> None:
    assert initials(word) == short


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.svg"
    assert main(["render", "akragas", "-o", str(out)]) == 0
    ElementTree.fromstring(out.read_text(encoding="utf-8"))
    assert main(["render", "akragas", "--text", "sketch", "--around", "B8"]) == 0
    assert "hi {" in capsys.readouterr().out
    assert main(["render", "akragas", "--text", "board", "--around", "Z99"]) == 2
    assert main(["render", "akragas", "--record", str(tmp_path / "none.txt")]) == 2


def test_pictures_as_png(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.png"
    pytest.importorskip("resvg_py")
    assert main(["render", "akragas", "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG\r\n") and out.stat().st_size > 20_000
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert main(["render", "akragas", "-o", str(tmp_path / "b.png")]) == 2
    assert "pip install 'grognard[png]'" in capsys.readouterr().err


def test_a_very_large_picture_has_fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    most = 100_000
    monkeypatch.setattr(png, "MOST", most)
    for wide, high in ((1_200, 900), (9_000, 100), (40, 30)):
        picture = png.png_of(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}.5"></svg>'
        )
        width, height = struct.unpack(">II", picture[16:24])
        assert width * height <= most + width + height
        assert 0.9 < (width / height) / (wide / high) < 1.1


def test_what_stands_beside_the_board(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert main(["render", "barbarossa_1941", "-o", str(out)]) == 0
    shown = texts(out.read_text(encoding="utf-8"))
    assert "turn 1, June 1941 · clear · sudden death in turn 3 · Axis above 20" in shown
    assert any(text.startswith("victory points: 12") for text in shown)
    assert not any("hand" in text for text in shown)  # nobody holds a card yet
    assert "[4]-0" in shown and "4-0" not in shown


def test_the_sides_in_front_of_a_piece_are_lined() -> None:
    from grognard.fronts.cli.games.render import make_picture

    opened = opening.open_scenario("battles_of_napoleon/los_arapiles")
    placed, _ = make_picture(opened, opened.program.new_state(opened.setup, 0)).tokens()
    board = opened.program.spec.board
    gun = placed[board.index("H9")][0]
    assert {board.label(n) for n in gun.edges[0][0]} == {"G9", "G10"} and gun.facing == 90


def test_the_key_names_what_the_board_shows() -> None:
    for battle, walled in (("cc_ancients/akragas", False), ("cc_ancients/muster", True)):
        opened = opening.open_scenario(battle)
        shown = texts(render(picture(opened, opened.style())))
        assert ("walled side" in shown) is walled


def test_the_end_of_a_record(opened: Scenario, tmp_path: Path) -> None:
    from runtime.games.game import Game

    game = Game(opened.program, opened.setup, 5)
    for _ in range(3):
        assert game.decision is not None
        game.play(game.decision.options[0])
    (tmp_path / "game.txt").write_text(Record.of(game).write(), encoding="utf-8")
    out = tmp_path / "end.svg"
    assert main(["render", "akragas", "--record", str(tmp_path / "game.txt"), "-o", str(out)]) == 0
    assert any("after 3 actions" in text for text in texts(out.read_text(encoding="utf-8")))


# ---------------------------------------------------------------------- the terminal


def test_a_sketch() -> None:
    shown = {
        "C1": Cell(("LIGHT", "4"), "side1"),
        "B2": Cell(("HQ",), "side0 mark"),
        "A1": Cell(ground="~"),
        "A3": Cell(("ab",), "side0"),
    }
    assert draw_sketch(SMALL, lambda h: shown.get(SMALL.label(h), Cell())) == "\n".join(
        ("  1   2   3", "C LIG{ .   .", "B    .  HQ *", "A  ~   .  ab >", "  1   2   3")
    )


def test_a_flat_sketch() -> None:
    assert draw_sketch(SMALL_FLAT, lambda h: Cell((SMALL_FLAT.label(h)[1::2],))) == "\n".join(
        (
            "   01  02  03",
            "01 11      31",
            "       21",
            "02 12      32",
            "       22",
            "   01  02  03",
        )
    )


def test_a_sketch_in_bands_and_windows() -> None:
    drawn = draw_sketch(SMALL, lambda h: Cell(), width=13)
    assert drawn.split("\n\n", 1) == [
        "  1   2\nC  .   .\nB    .   .\nA  .   .\n  1   2",
        "  3\nC  .\n\nA  .\n  3",
    ]
    assert draw_sketch(SMALL, lambda h: Cell(), window=(0, 0, 0, 0)) == "  1\nC  .\n  1"
    assert draw_sketch(SMALL, lambda h: Cell(), window=(9, 9, 9, 9)) == ""


def test_windows() -> None:
    board = Board(name="big", layout="odd_r", rows=20, columns=30)
    assert window_around(board, [board.at(10, 10)], 5, 7) == (8, 12, 7, 13)
    assert window_around(board, [board.at(0, 29)], 5, 7) == (0, 4, 23, 29)
    assert window_around(board, [], 5, 7) == (0, 4, 0, 6)
    assert window_around(board, [0], 50, 70) == (0, 19, 0, 29)


def test_cells(opened: Scenario) -> None:
    board, game = opened.program.spec.board, Game(opened.program, opened.setup, 1)
    scene = Scene(game.spec, game.setup, game.wording)
    cell = TextBoard(scene, view(game.state, 0).data, marked=[board.index("A1")]).map.cell
    assert cell(board.index("G9")).lines == ("LI·4",) and cell(board.index("G9")).style == "side0"
    assert cell(board.index("B8")).lines == ("hi·4", "dap")
    assert cell(board.index("A1")).is_marked


def test_boards_in_characters_are_drawn_in_one_way(
    opened: Scenario, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    game = Game(opened.program, opened.setup, 1)
    scene = Scene(game.spec, game.setup, game.wording, opened.style(), game.program.value)
    seen = view(game.state, 0)
    assert main(["render", "akragas", "--text", "board"]) == 0
    board = TextBoard(scene, seen.data, scene.looks(seen)).board(120)
    assert capsys.readouterr().out == board + "\n"


def test_names_where_there_is_no_text() -> None:
    board = Board(
        name="b",
        layout="odd_r",
        rows=1,
        columns=3,
        names={"A1": "Riverton", "A2": "Hill", "A3": "Lake"},
    )
    cells = [Cell(), Cell(("x",)), Cell(style="mark")]
    drawn = Map(board, cells.__getitem__)
    assert "|River| *x* |Lake |" in drawn.full().replace("|  x  |", "| *x* |")
    assert "riv" in drawn.sketch() and "lak*" in drawn.sketch()


def test_small_boards_are_drawn_in_full_large_ones_as_sketches() -> None:
    def cell(h: int) -> Cell:
        return Cell()

    assert Map(SMALL, cell).readable() == draw_board(SMALL, cell)
    board = Board(
        name="big", layout="odd_r", rows=20, columns=30, labels="numbers", names={"0303": "Town"}
    )
    drawn = Map(board, cell)
    assert "tow" in drawn.readable()
    sketch, detail = drawn.readable([board.at(2, 2)], width=130).split("\n\n", 1)
    assert sketch == drawn.readable(width=130)
    assert "Town" in detail and "0101" in detail and "1010" not in detail


@pytest.mark.parametrize("ruleset", playable())
def test_every_ruleset_has_a_style_that_fits(ruleset: str) -> None:
    first = next(name for name in scenarios() if name.startswith(f"{ruleset}/"))
    opened = opening.open_scenario(first)
    assert opened.style().data
    ElementTree.fromstring(render(picture(opened, opened.style())))


def test_numbers_have_looks() -> None:
    opened = opening.open_scenario("battles_of_napoleon/los_arapiles")
    level = next(f for f in opened.program.spec.fields_of("Hex") if f.name == "level")
    drawn = picture(opened, opened.style())
    state = opened.program.new_state(opened.setup, 0)
    heights = {h: getattr(state, level.slot)[h] for h in range(drawn.board.size)}
    assert {0, 1} <= set(heights.values())
    for h, height in heights.items():
        assert drawn.words_at(level, h) == ([str(height)] if height else [])
    fills = {drawn.ground(h)["fill"] for h, height in heights.items() if height == 1}
    assert drawn.look(level, "1")["fill"] in fills
    named = [text for text, _ in drawn.legend()]
    assert "hill" in named and named.count("objective") == 1


def test_a_word_is_no_look_of_a_number(tmp_path: Path) -> None:
    opened = opening.open_scenario("battles_of_napoleon/los_arapiles")
    with pytest.raises(StyleError, match="'high' cannot be a whole number"):
        render(picture(opened, styled(tmp_path, "hexes: {level: {high: {fill: white}}}")))


def test_a_hex_shows_a_second_sign_below_its_ground() -> None:
    """An objective in a village, a token in a wood: at the lower end, and told in the legend."""
    for name, signs, told in (
        ("battles_of_napoleon/los_arapiles", ("/vil\\", "@@@"), "@ objective"),
        (
            "battles_of_westeros/night_in_the_whispering_wood",
            ("/for\\", "???"),
            "? perhaps archers of Stark",
        ),
    ):
        opened = opening.open_scenario(name)
        game = Game(opened.program, opened.setup, 1)
        scene = Scene(game.spec, game.setup, game.wording, opened.style())
        seen = view(game.state, 0)
        drawn = TextBoard(scene, seen.data, scene.looks(seen)).whole([], 140)
        assert all(sign in drawn for sign in signs) and told in drawn
        assert "House Stark ·" not in drawn.splitlines()[-1]


AREAS = {
    "rulesets/areas/areas.grog": """ruleset areas
sides top, bottom
board valley { file valley; letters up; }
fields of Hex { roads: set of Hex fixed map }
piece Unit { side: Side fixed setup  hex: Hex place setup }
procedure play() { each u in Unit where some h in u.hex.roads where h is not none { set u.hex = none } }
""",
    "rulesets/areas/boards/valley.yaml": """rows: [". . .", "     ", ". . ."]
joins: [[C1, C3], [C3, C5], [C1, A1]]
fields: {roads: [[C1, C3]]}
""",
    "rulesets/areas/style.yaml": 'hexsides: {roads: {color: "#a52a2a", width: 3, label: road}}\n',
    "scenarios/areas/one.yaml": """ruleset: areas
title: One
pieces: {Unit: [{side: top, hex: C1}, {side: bottom, hex: A1}]}
""",
}


def test_roads_between_areas_run_along_their_joins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in AREAS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    areas = opening.open_scenario("areas/one")
    shown = picture(areas, Style.read([tmp_path / "rulesets" / "areas"]))
    paths = [path.attrib for path in ElementTree.fromstring(render(shown, "x")).iter(f"{SVG}path")]
    assert len([p for p in paths if p.get("stroke") == "#a52a2a" and "L14,0" not in p["d"]]) == 1
    assert len([p for p in paths if p.get("stroke-dasharray") == "2 6"]) == 2
    assert edge_legend(shown) == []  # at the terminal nothing runs between hexes that do not touch


@pytest.mark.parametrize("shape", ["square", "round"])
def test_sides_differ_in_more_than_colours(shape: str) -> None:
    """Counters and flags of four sides, all in one colour."""
    looks, flags = set(), set()
    for side in range(4):
        token = Token("Unit", 0, "one", side, "#444444", "#ffffff", shape, label="I")
        looks.add(counter(token, "one", 1.0, True))
        flags.add(flag_at(0.0, 0.0, "#444444", side))
    assert len(looks) == len(flags) == 4
