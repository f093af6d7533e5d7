"""Boards drawn hex by hex, with borders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from grognard.draw.text.canvas import Canvas, centered
from grognard.draw.text.cell import CELL_WIDTH, Cell, Shape, flat_shape, pointy_shape
from grognard.draw.text.located import Drawing
from grognard.draw.text.windows import Window, bands, hexes_in, row_margin, whole_board
from runtime.board import Board

#: What leads across a side, by the character of the side.
_ACROSS: Final = {"|": "-", "/": "\\", "\\": "/", "_": "|"}


def draw_board(
    board: Board,
    cell: Callable[[int], Cell],
    color: bool = False,
    width: int | None = None,
    window: Window | None = None,
) -> str:
    """Draw *board* as lines of text, without a final line break.

    *cell* says what each hex shows.  *color* uses ANSI escapes; without it the text is plain.  A
    board wider than *width* (in characters) is drawn in bands of columns, one below the other, of
    as many columns as fit (at least one).  *window* leaves out all other rows and columns.  Empty
    when there is no hex to draw.
    """
    frame = window or whole_board(board)
    cells = {h: cell(h) for h in hexes_in(board, frame)}
    if not cells:
        return ""
    shape = pointy_shape(cells.values()) if board.pointy else flat_shape()
    margin = margin_of(board, shape, cells, width)
    if width is None or width_of_hexes(board, shape, cells) + margin <= width:
        step = board.columns
    else:
        step = max(1, (width - margin - shape.overhang) // shape.right)
    return "\n\n".join(
        _draw_band(board, {h: cells[h] for h in band}, shape, margin, color).text(color)
        for band in bands(board, cells, frame, step)
    )


def drawn_in_full(board: Board, cell: Callable[[int], Cell], color: bool) -> Drawing:
    """All of a board as :func:`draw_board` draws it, in one piece, with the places of its hexes."""
    cells = {h: cell(h) for h in range(board.size)}
    shape = pointy_shape(cells.values()) if board.pointy else flat_shape()
    canvas = _draw_band(board, cells, shape, row_margin(board), color)
    corners = {h: shape.corner(board, h) for h in cells}
    (left, top), (x, y) = canvas.corner, shape.middle
    middles = {h: (a + x - left, b + y - top) for h, (a, b) in corners.items()}
    return Drawing.of(canvas.text(color), middles, board.pointy, shape.right, shape.down)


def width_of_hexes(board: Board, shape: Shape, hexes: Iterable[int]) -> int:
    """How many characters some hexes take side by side."""
    lefts = [shape.corner(board, h)[0] for h in hexes]
    return max(lefts) - min(lefts) + 1 + max(x for x, *_ in shape.border)


def margin_of(board: Board, shape: Shape, hexes: Collection[int], width: int | None) -> int:
    """How much room the names of rows take: with a blank behind them, unless it is just that one
    too much.
    """
    margin = row_margin(board)
    tight = width is not None and width_of_hexes(board, shape, hexes) + margin == width + 1
    return margin - 1 if tight else margin


def _draw_band(
    board: Board, cells: Mapping[int, Cell], shape: Shape, margin: int, color: bool
) -> Canvas:
    canvas = Canvas()
    # Neighbours share their border: the marked ones come last, then what runs along sides, then the
    # insides.
    for h in sorted(cells, key=lambda h: cells[h].is_marked):
        left, top = shape.corner(board, h)
        style = cells[h].mark_style if cells[h].is_marked else "border"
        for x, y, character, _ in shape.border:
            canvas.put(left + x, top + y, character, style)
    for h, shown in cells.items():
        left, top = shape.corner(board, h)
        for side, sign, style in shown.edges:
            for x, y, character in shape.side(side):
                canvas.put(left + x, top + y, character if color and sign != " " else sign, style)
        for side, style in shown.ways:
            for x, y, character in shape.side(side):
                canvas.put(left + x, top + y, _ACROSS[character], style)
    for h, shown in cells.items():
        _fill(canvas, shape, shape.corner(board, h), shown, board.label(h))
    _draw_margins(canvas, board, cells, shape, margin)
    return canvas


def _fill(canvas: Canvas, shape: Shape, corner: tuple[int, int], shown: Cell, label: str) -> None:
    left, top = corner
    lines, style = shown.lines, shown.text_style
    if not any(lines):
        lines, style = (label[:CELL_WIDTH],), style or "label"
    for x, y in shape.ground_slots:
        ground = shown.lower_line if (x, y) == shape.ground_slots[-1] else shown.ground_line
        canvas.put(left + x, top + y, ground, shown.ground_style)
    for (x, y, width), line in zip(
        shape.slots[shape.first_slot(lines) or 0 :], lines, strict=False
    ):
        canvas.put(left + x, top + y, centered(line, width), style)
    if shown.is_marked:
        for x, y in shape.accents:
            canvas.put(left + x, top + y, shown.accent, shown.mark_style)


def _draw_margins(
    canvas: Canvas, board: Board, cells: Iterable[int], shape: Shape, margin: int
) -> None:
    """The rows' names at the left; the columns' above and below."""
    corners = {h: shape.corner(board, h) for h in sorted(cells)}
    left = min(x for x, _ in corners.values())
    top = min(y for _, y in corners.values()) - 1
    bottom = max(y for _, y in corners.values()) + shape.height

    leftmost = {board.row_of[h]: h for h in reversed(corners)}
    for row, h in leftmost.items():
        canvas.put(left - margin, corners[h][1] + shape.middle[1], board.row_label(row), "margin")

    upper = lower = list(corners)
    if board.pointy:
        # Rows are staggered: only the hexes of the outermost rows stand straight below or above the
        # names.
        upper = [h for h in corners if board.row_of[h] == min(leftmost)]
        lower = [h for h in corners if board.row_of[h] == max(leftmost)]
    for hexes, y in ((upper, top), (lower, bottom)):
        for column, h in {board.column_of[h]: h for h in hexes}.items():
            name = board.column_label(column)
            canvas.put(corners[h][0] + shape.middle[0] - len(name) // 2, y, name, "margin")
