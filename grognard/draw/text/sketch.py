"""Boards drawn small: a line for each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grognard.draw.text.canvas import Canvas
from grognard.draw.text.cell import BEFORE_STRENGTH, Cell
from grognard.draw.text.located import Drawing
from grognard.draw.text.windows import Window, bands, hexes_in, row_margin, whole_board
from runtime.board import Board

#: How many characters a hex of a sketch takes.
SKETCH_WIDTH: Final = 4


def draw_sketch(
    board: Board,
    cell: Callable[[int], Cell],
    color: bool = False,
    width: int | None = None,
    window: Window | None = None,
    room: int = SKETCH_WIDTH,
) -> str:
    """Draw *board* small: a line for each row, *room* characters for each hex, no borders.

    A hex shows the beginning of its text, without text the first character of its ground.  Behind
    the text stands ``*`` where the cell is marked, else ``+`` where it has more lines; without
    colour ``>`` and ``<`` for the styles ``side0`` and ``side1`` (``}`` and ``{`` with more lines),
    ``)`` and ``(`` for ``flag0`` and ``flag1``. The hexes of every other row (of a flat-top board:
    column) stand half a hex further right (one line lower).  The rest is as in :func:`draw_board`.
    """
    frame = window or whole_board(board)
    cells = {h: cell(h) for h in hexes_in(board, frame)}
    margin = row_margin(board)
    step = board.columns if width is None else max(1, (width - margin - room // 2) // room)
    return "\n\n".join(
        _sketch_band(board, {h: cells[h] for h in band}, margin, color, room).text(color)
        for band in bands(board, cells, frame, step)
    )


def drawn_small(board: Board, cell: Callable[[int], Cell], color: bool, room: int) -> Drawing:
    """All of a board as :func:`draw_sketch` draws it, with the places of its hexes."""
    cells = {h: cell(h) for h in range(board.size)}
    canvas = _sketch_band(board, cells, row_margin(board), color, room)
    left, top = canvas.corner
    places = {h: _corner(board, h, room) for h in cells}
    middles = {h: (x + (room - 1) // 2 - left, y - top) for h, (x, y) in places.items()}
    return Drawing.of(canvas.text(color), middles, board.pointy, room, _row_height(board))


def _row_height(board: Board) -> int:
    """How many lines a row takes."""
    return 1 if board.pointy else 2


def _corner(board: Board, h: int, room: int) -> tuple[int, int]:
    """Where the text of a hex begins."""
    row, column = board.row_of[h], board.column_of[h]
    x, y = column * room, row * _row_height(board)
    if board.shifted(row if board.pointy else column):
        return (x + room // 2, y) if board.pointy else (x, y + 1)
    return x, y


def _sketch_sign(shown: Cell, color: bool) -> tuple[str, str]:
    """What stands behind the text of a hex, and its style."""
    if shown.is_marked:
        return shown.accent, shown.mark_style
    more = sum(1 for line in shown.lines if line.strip()) > 1
    for word, signs in (("side0", ">}"), ("side1", "<{"), ("flag0", "))"), ("flag1", "((")):
        if not color and word in shown.style.split():
            return signs[more], shown.text_style
    return "+" if more else "", shown.text_style


def _sketch_band(
    board: Board, cells: Mapping[int, Cell], margin: int, color: bool, room: int
) -> Canvas:
    canvas = Canvas()
    lines = _row_height(board)
    for h, shown in cells.items():
        x, y = _corner(board, h, room)
        text = shown.brief or next((line for line in shown.lines if line.strip()), "")
        if text:
            text = text[: room - 1].removesuffix(BEFORE_STRENGTH)  # no strength has room
            canvas.put(x, y, text.ljust(room - 1), shown.text_style)
            canvas.put(x + room - 1, y, *_sketch_sign(shown, color))
        else:
            ground = shown.mini or shown.ground.strip()[:1]
            canvas.put(x + 1, y, ground or ".", shown.ground_style if ground else "dim")
            if shown.is_marked:
                canvas.put(x + 2, y, shown.accent, shown.mark_style)
    left = min(board.column_of[h] for h in cells) * room
    rows = sorted({board.row_of[h] for h in cells})
    for row in rows:
        canvas.put(left - margin, row * lines, board.row_label(row), "margin")
    for column in sorted({board.column_of[h] for h in cells}):
        for y in (rows[0] * lines - 1, (rows[-1] + 1) * lines):
            canvas.put(column * room, y, board.column_label(column), "margin")
    return canvas
