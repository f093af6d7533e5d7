"""Boards drawn for the terminal."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.draw.text.cell import CELL_LINES, CELL_WIDTH, Cell
from grognard.draw.text.cells import PieceText, stack_lines
from grognard.draw.text.full import draw_board
from runtime.board import LAYOUTS, Board

SMALL = Board(name="small", layout="odd_r", rows=3, columns=3, narrow="odd")
SMALL_FLAT = Board(name="small", layout="odd_q", rows=2, columns=3, labels="numbers")
FIELD = Board(name="field", layout="odd_r", rows=9, columns=13, narrow="odd")

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
texts = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=5)
cells = st.builds(
    Cell,
    st.lists(texts, max_size=3).map(tuple),
    st.sampled_from(("", "side0", "side1", "mark", "side1 mark", "dim")),
    st.text("^~&.", max_size=3),
)


@given(
    st.lists(
        st.builds(
            PieceText,
            texts,
            st.integers(0, 10**30).map(lambda n: str(n or "")),
            st.integers(0, 1),
            texts,
            texts,
        ),
        min_size=1,
        max_size=8,
    )
)
@settings(max_examples=200, deadline=None)
def test_pieces_of_any_strength_fit_into_a_hex(pieces: list[PieceText]) -> None:
    lines = stack_lines(pieces)
    assert len(lines) <= CELL_LINES
    assert all(len(line) <= CELL_WIDTH and line.isprintable() for line, _ in lines)
    first = pieces[0]
    if len(pieces) == 1 and 0 < len(first.figure) <= CELL_WIDTH:
        assert lines[0][0].endswith(first.figure)
    elif len(pieces) == 1 and first.figure:
        assert lines[0][0] == f"{first.figure[: CELL_WIDTH - 1]}+"


def empty(_: int) -> Cell:
    return Cell()


def test_an_empty_pointy_board() -> None:
    assert (
        draw_board(SMALL, empty)
        == r"""
     1     2     3
    / \   / \   / \
   /   \ /   \ /   \
C | C1  | C2  | C3  |
   \   / \   / \   /
    \ /   \ /   \ /
B    | B1  | B2  |
    / \   / \   / \
   /   \ /   \ /   \
A | A1  | A2  | A3  |
   \   / \   / \   /
    \ /   \ /   \ /
     1     2     3
""".strip("\n")
    )


def test_an_empty_flat_board() -> None:
    assert (
        draw_board(SMALL_FLAT, empty)
        == r"""
      01     02     03
     _____         _____
    /     \       /     \
01 / 0101  \_____/ 0301  \
   \       /     \       /
    \_____/ 0201  \_____/
    /     \       /     \
02 / 0102  \_____/ 0302  \
   \       /     \       /
    \_____/ 0202  \_____/
          \       /
           \_____/
      01     02     03
""".strip("\n")
    )


def test_text_ground_and_marks() -> None:
    shown = {
        SMALL.index("C1"): Cell(("LI", "####"), "side1"),
        SMALL.index("B2"): Cell(("HQ",), "side0 mark", "^"),
        SMALL.index("A1"): Cell(ground="~"),
    }
    assert (
        draw_board(SMALL, lambda h: shown.get(h, Cell()))
        == r"""
     1     2     3
    / \   / \   / \
   /LI \ /   \ /   \
C |#### | C2  | C3  |
   \   / \   /*\   /
    \ /   \ /^^^\ /
B    | B1  | HQ  |
    / \   / \^^^/ \
   /~~~\ /   \*/   \
A | A1  | A2  | A3  |
   \~~~/ \   / \   /
    \ /   \ /   \ /
     1     2     3
""".strip("\n")
    )


def test_what_runs_along_hexsides() -> None:
    east, west = 0, 3
    river = {
        SMALL.index("B1"): Cell(edges=((east, "~", "38;5;32"), (4, ":", "31"))),
        SMALL.index("B2"): Cell(edges=((west, "~", "38;5;32"),), style="mark", accent="!"),
    }
    assert (
        draw_board(SMALL, lambda h: river.get(h, Cell()))
        == r"""
     1     2     3
    / \   / \   / \
   /   \ /   \ /   \
C | C1  | C2  | C3  |
   \   : \   /!\   /
    \ :   \ /   \ /
B    | B1  ~ B2  |
    / \   / \   / \
   /   \ /   \!/   \
A | A1  | A2  | A3  |
   \   / \   / \   /
    \ /   \ /   \ /
     1     2     3
""".strip("\n")
    )
    colored = draw_board(SMALL, lambda h: river.get(h, Cell()), color=True)
    assert "\x1b[38;5;32m|\x1b[0m" in colored and "~" not in colored


def test_edges_run_on_the_right_sides_of_flat_hexes() -> None:
    h = SMALL_FLAT.index("0201")
    for side, other in enumerate(SMALL_FLAT.toward[h][:6]):
        drawn = draw_board(
            SMALL_FLAT, lambda x, side=side: Cell(edges=((side, "~", ""),)) if x == h else Cell()
        )
        back = (side + 3) % 6
        if other >= 0:
            assert drawn == draw_board(
                SMALL_FLAT,
                lambda x, back=back, other=other: (
                    Cell(edges=((back, "~", ""),)) if x == other else Cell()
                ),
            )


def test_hexes_grow_with_their_text() -> None:
    def height(*lines: str) -> int:
        return len(draw_board(SMALL, lambda h: Cell(lines if h == 4 else ())).splitlines())

    assert (
        height() == height("four") == height("LI", "####") == height("a", "four", "b") == 3 * 3 + 4
    )
    assert height("four", "four") == height("LI", "four", "four") == 3 * 4 + 4
    assert height("four", "four", "four") == 3 * 5 + 4


def test_thirteen_columns_fit_a_terminal() -> None:
    flat = Board(name="flat", layout="even_q", rows=9, columns=13, labels="numbers")
    for board in (FIELD, flat):
        assert max(map(len, draw_board(board, empty).splitlines())) <= 100


def test_a_field_of_thirteen_columns_fits_eighty_characters() -> None:
    lines = draw_board(FIELD, empty, width=80).splitlines()
    assert max(map(len, lines)) == 80 and sum("13" in line for line in lines) == 7
    assert "C| C1  |" in lines[-10]
    assert draw_board(FIELD, empty, width=81) == draw_board(FIELD, empty)


def test_a_window_shows_only_its_hexes() -> None:
    text = draw_board(FIELD, empty, window=(7, 20, -1, 1))
    assert set(re.findall(r"[A-Z]\d+", text)) == {"A1", "A2", "B1", "B2"}
    assert draw_board(FIELD, empty, window=(20, 30, 0, 1)) == ""


def test_a_narrow_terminal_gets_bands() -> None:
    text = draw_board(FIELD, empty, width=50)
    assert max(map(len, text.splitlines())) <= 50
    assert sorted(re.findall(r"[A-Z]\d+", text)) == sorted(FIELD.labels)
    assert len(text.split("\n\n")) == 2


def test_missing_hexes_are_left_out() -> None:
    board = Board(name="gap", layout="even_r", rows=2, columns=2, missing=[(0, 0)])
    assert set(re.findall(r"[A-Z]\d+", draw_board(board, empty))) == {"B2", "A1", "A2"}


def test_colour() -> None:
    text = draw_board(SMALL, lambda h: Cell(("LI",), "side1") if h == 0 else Cell(), color=True)
    assert "\x1b[1;38;5;231;48;5;124m LI  \x1b[0m" in text
    assert "\x1b[2m C2  \x1b[0m" in text
    assert all(line.count("\x1b[0m") * 2 == len(ESCAPE.findall(line)) for line in text.splitlines())


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(LAYOUTS),
    st.lists(cells, min_size=12, max_size=12),
    st.sampled_from((None, 20, 5)),
)
def test_all_text_is_there_and_colour_changes_no_character(
    layout: str, shown: list[Cell], width: int | None
) -> None:
    board = Board(name="b", layout=layout, rows=3, columns=4)
    plain = draw_board(board, shown.__getitem__, width=width)
    colored = draw_board(board, shown.__getitem__, color=True, width=width)
    bare = [line.rstrip() for line in ESCAPE.sub("", colored).splitlines()]
    assert bare == plain.splitlines()
    for line in (line for cell in shown for line in cell.lines):
        assert line in plain
