"""Boards drawn as can best be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from grognard.draw.text.canvas import width_of
from grognard.draw.text.cell import CELL_WIDTH, Cell
from grognard.draw.text.full import draw_board, margin_of, wide
from grognard.draw.text.shapes import flat_shape, pointy_shape_of
from grognard.draw.text.sketch import SKETCH_WIDTH, draw_sketch
from grognard.draw.text.windows import Window, window_on, within
from grognard.lexicon.catalogue import Words, words_in
from runtime.board import Board

#: A board of more hexes than this is drawn small.
LARGE: Final = 200
_DETAIL_ROWS: Final = 9
_LEAST_ROWS: Final = 3
#: How many characters a hex of a sketch takes where there is room.
_WIDE_SKETCH: Final = CELL_WIDTH + 1
#: How many hexes outside a window are named.
_NAMED: Final = 6


def draw_map(
    board: Board,
    cell: Callable[[int], Cell],
    marked: Iterable[int] = (),
    color: bool = False,
    width: int | None = None,
    height: int | None = None,
    words: Words | None = None,
    called: Callable[[str], str] = str,
) -> str:
    """Draw *board* as can best be read: one that is large, or wider than *width*, as a sketch, and
    below it the surroundings of the *marked* hexes in full.

    Hexes without text show their names; in the sketch in small letters.  A sketch that is wider
    than *width* shows only the columns around the marked hexes; where both take more than *height*
    lines, the sketch is left out if the surroundings show all that is marked.
    """
    shape = pointy_shape_of(2) if board.pointy else flat_shape()
    everything = range(board.size)
    needed = wide(board, shape, everything) + margin_of(board, shape, everything, width)
    if board.size <= LARGE and (width is None or needed <= width):
        return draw_board(board, named_cells(board, cell, called=called), color, width)
    focus = [h for h in marked if h >= 0]
    margin = max(len(board.row_label(row)) for row in range(board.rows)) + 1
    small = named_cells(board, cell, small=True, called=called)
    window = None
    if width is not None and board.columns * SKETCH_WIDTH + SKETCH_WIDTH // 2 + margin > width:
        fits = max(1, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH)
        window = window_on(board, focus, board.rows, fits)
    sketch = _with_rest(
        board, draw_sketch(board, small, color, width, window), window, focus, words
    )
    if not focus:
        return sketch
    columns = max(1, ((width or 100) - margin - shape.overhang) // shape.right)
    rows = _DETAIL_ROWS
    if height is not None:
        rows = max(_LEAST_ROWS, min(rows, (height - 4) // shape.down))
    window = window_on(board, focus, rows, columns)
    detail = draw_board(board, named_cells(board, cell, called=called), color, width, window)
    detail = _with_rest(board, detail, window, focus, words)
    if height is not None and sketch.count("\n") + detail.count("\n") + 3 > height:
        return detail if all(within(board, h, window) for h in focus) else sketch
    return sketch + "\n\n" + detail


def fitted_map(
    board: Board,
    cell: Callable[[int], Cell],
    focus: Collection[int],
    color: bool,
    width: int,
    height: int,
    words: Words | None = None,
    called: Callable[[str], str] = str,
) -> str:
    """As much of *board* as so many columns and lines hold, drawn once: all of it in full, else as
    a sketch, else the part around the hexes of the *focus*.  Empty where there is room for nothing.

    A large board is drawn in full also where only its part around the focus fits, if that is all
    there.
    """
    for drawn in _drawings(board, cell, focus, color, width, height, words, called):
        lines = drawn.split("\n")
        if drawn and len(lines) <= height and max(map(width_of, lines)) <= width:
            return drawn
    return ""


def _drawings(
    board: Board,
    cell: Callable[[int], Cell],
    focus: Collection[int],
    color: bool,
    width: int,
    height: int,
    words: Words | None,
    called: Callable[[str], str],
) -> Iterator[str]:
    """What :func:`fitted_map` tries, the best first."""
    shape = pointy_shape_of(1) if board.pointy else flat_shape()
    margin = max(len(board.row_label(row)) for row in range(board.rows)) + 1
    rows, columns = (height - 4) // shape.down, (width - margin - shape.overhang) // shape.right
    named = named_cells(board, cell, called=called)
    if (
        rows >= board.rows and columns >= board.columns - 1
    ):  # it may be that one column less is shifted
        yield draw_board(board, named, color, width)

    def sketch(room: int) -> str:
        small = named_cells(board, cell, small=True, called=called, room=room)
        return draw_sketch(board, small, color, None, None, room)

    if board.size <= LARGE:
        yield from map(sketch, range(_WIDE_SKETCH, SKETCH_WIDTH - 1, -1))
    for high in range(rows, _LEAST_ROWS - 1, -1) if columns > 0 else ():
        window = window_on(board, focus, high, columns)
        if not all(within(board, h, window) for h in focus):
            break
        yield draw_board(board, named, color, width, window)
    if board.size > LARGE:
        yield from map(sketch, range(_WIDE_SKETCH, SKETCH_WIDTH - 1, -1))
    high, fits = height - 3, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH
    high = high if board.pointy else (high - 1) // 2
    if high >= _LEAST_ROWS and fits > 0:
        window = window_on(board, focus, high, fits)
        drawn = draw_sketch(
            board, named_cells(board, cell, small=True, called=called), color, width, window
        )
        yield _with_rest(board, drawn, window, focus, words)


def _with_rest(
    board: Board, drawn: str, window: Window | None, focus: Collection[int], words: Words | None
) -> str:
    """A drawing with a line that says what of the marked hexes lies outside its window."""
    outside = [board.label(h) for h in focus if window is not None and not within(board, h, window)]
    if not outside:
        return drawn
    words = words or words_in("en")
    names = ", ".join(outside[:_NAMED])
    if len(outside) > _NAMED:
        names = words("{names} and {count} more", names=names, count=len(outside) - _NAMED)
    return f"{drawn}\n{words('(outside this part of the map: {names})', names=names)}"


def named_cells(
    board: Board,
    cell: Callable[[int], Cell],
    small: bool = False,
    called: Callable[[str], str] = str,
    room: int = SKETCH_WIDTH,
) -> Callable[[int], Cell]:
    """The same cells, but where there is no text, what the hex is *called* (*small*: the start of
    it in small letters, for sketches of so much *room*).
    """

    def named(h: int) -> Cell:
        shown = cell(h)
        name = "".join(c for c in called(board.names.get(h, "")) if c.isprintable())
        if not name or any(line.strip() for line in shown.lines):
            return shown
        text = name[: room - 1].casefold()[:CELL_WIDTH] if small else name[:CELL_WIDTH]
        return replace(shown, lines=(text,))

    return named
