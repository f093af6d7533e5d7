"""What stands on a screen of some size when a question comes."""

from __future__ import annotations

import io

import pytest
from at_prompt import opened, play, unkept
from test_at_the_table import _no_explainer

from grognard.draw.text.canvas import width_of
from grognard.fronts.terminal.layout import Layout
from grognard.fronts.terminal.session import Session
from grognard.table.table import Table
from runtime.model import RulesetSpec
from runtime.view import view

SIZES = ((80, 24), (120, 45), (200, 60))


def _board(*sizes: tuple[int, int]):  # type: ignore[no-untyped-def]
    """Draws the first of boards of some sizes that there is room for."""

    def draw(width: int, height: int) -> list[str]:
        return next((["#" * w] * h for w, h in sizes if w <= width and h <= height), [])

    return draw


def _layout(*sizes: tuple[int, int], options: int = 4, news: int = 3) -> Layout:
    return Layout(
        _board(*sizes),
        ["        red  blue", "points    1     2", "deck: 40"],
        ["red: points 1", "blue: points 2"],
        lambda width: ["─ river"],
        [f"news {n}" for n in range(news)],
        ["Turn 1", "red: Whom?"],
        lambda rows: [f"option {n}" for n in range(min(rows, options))],
    )


def test_the_panel_and_the_key_stand_beside_the_board_where_there_is_width() -> None:
    lines = _layout((60, 12)).lines(100, 30)
    assert lines[0] == "#" * 60 + "            red  blue"
    assert lines[4].endswith("─ river")
    assert "red: points 1" not in lines
    assert lines[-6:] == ["Turn 1", "red: Whom?", *(f"option {n}" for n in range(4))]
    assert [line for line in lines if line.startswith("news")] == ["news 0", "news 1", "news 2"]


def test_else_it_stands_in_brief_below_it() -> None:
    lines = _layout((60, 12)).lines(80, 30)
    assert lines[:15] == ["#" * 60] * 12 + ["─ river", "red: points 1", "blue: points 2"]
    assert "deck: 40" not in lines


def test_a_larger_board_goes_before_a_panel_at_its_side() -> None:
    assert _layout((90, 12), (60, 12)).lines(100, 30)[0] == "#" * 90


@pytest.mark.parametrize("height", range(3, 40))
def test_what_is_asked_and_some_options_are_always_there(height: int) -> None:
    lines = _layout((60, 20), (60, 6), options=30, news=30).lines(80, height)
    assert "red: Whom?" in lines and "option 0" in lines
    assert len(lines) < height or height < 4
    assert ("#" * 60 in lines) == (height >= 16)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("scenario", "lines"),
    [
        ("cc_ancients/akragas", ()),
        ("cc_napoleonics/rolica_1", ()),
        ("no_retreat/barbarossa_1941", ()),
        ("battles_of_napoleon/los_arapiles", ()),
        ("battles_of_westeros/learning_battle", ("Sellswords First", "no", "F4, G6, G7")),
    ],
)
def test_the_board_is_in_sight(
    scenario: str, lines: tuple[str, ...], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in zip(("COLUMNS", "LINES"), size, strict=True):
        monkeypatch.setenv(name, str(value))
    game, menu = opened(scenario, 3)
    play(game, menu, *lines)
    out = io.StringIO()
    table = Table(game, {}, _no_explainer)
    table.scene.style = menu.scene.style
    session = Session(table, io.StringIO(), out, False, True, True, unkept(game))
    assert game.decision is not None
    session.show_position(game.decision)
    shown = out.getvalue().split("\x1b[H")[-1].splitlines()
    assert len(shown) < size[1] and max(map(width_of, shown)) <= size[0]
    asked = next(i for i, line in enumerate(shown) if menu.prompt(game.decision) in line)
    assert any(line.strip().startswith("1 ") for line in shown[asked:])
    upper = [line.strip() for line in shown[:asked]]
    marked = menu.marks(game.decision, view(game.state, game.decision.side))
    for row in _rows(game.spec, marked) if size[0] > 80 else ():
        assert any(line.split(" ")[0] == row for line in upper), row
    told = [
        line for line in upper if line and not line.replace(" ", "").isdigit() and "\\" not in line
    ]
    assert len(told) == len(set(told))


def _rows(spec: RulesetSpec, marked: dict[int, str]) -> set[str]:
    """The names of the rows that stand at the left of a board."""
    return {spec.board.row_label(spec.board.row_of[h]) for h in marked}
