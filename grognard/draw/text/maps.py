"""Boards drawn as can best be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from grognard.draw.text.canvas import printable, width_of
from grognard.draw.text.cell import CELL_WIDTH, Cell, flat_shape, pointy_shape_of
from grognard.draw.text.full import draw_board, drawn_in_full, margin_of, width_of_hexes
from grognard.draw.text.located import Drawing
from grognard.draw.text.sketch import SKETCH_WIDTH, draw_sketch, drawn_small
from grognard.draw.text.windows import Window, is_in_window, row_margin, window_on
from grognard.lexicon.catalogue import Words
from runtime.board import Board

#: A board of more hexes than this is drawn small.
LARGE: Final = 200
_DETAIL_ROWS: Final = 9
_LEAST_ROWS: Final = 3
#: How many characters a hex of a sketch takes where there is room.
_WIDE_SKETCH: Final = CELL_WIDTH + 1
#: How many hexes outside a window are named.
_NAMED: Final = 6


@dataclass(frozen=True)
class Map:
    """A *board* and what each hex shows; hexes without text show their names as they are *called*,
    in sketches the start of it in small letters.
    """

    board: Board
    cell: Callable[[int], Cell]
    color: bool = False
    words: Words = field(default_factory=Words)
    called: Callable[[str], str] = str

    def full(self, width: int | None = None, window: Window | None = None) -> str:
        """The board hex by hex, see :func:`draw_board`."""
        return draw_board(self.board, self._named_cell, self.color, width, window)

    def sketch(
        self, width: int | None = None, window: Window | None = None, room: int = SKETCH_WIDTH
    ) -> str:
        """The board small, see :func:`draw_sketch`."""

        def small(h: int) -> Cell:
            return self._named_cell(h, room)

        return draw_sketch(self.board, small, self.color, width, window, room)

    def drawings(self) -> Iterator[Drawing]:
        """The whole board with the places of its hexes, the largest first."""
        yield drawn_in_full(self.board, self._named_cell, self.color)
        for room in range(_WIDE_SKETCH, SKETCH_WIDTH - 1, -1):
            yield drawn_small(self.board, partial(self._named_cell, room=room), self.color, room)

    def _named_cell(self, h: int, room: int | None = None) -> Cell:
        """A cell; where there is no text, with its name (*room*: for sketches of so much room)."""
        cell, name = self.cell(h), printable(self.called(self.board.names.get(h, "")))
        if not name or any(line.strip() for line in cell.lines):
            return cell
        text = name[:CELL_WIDTH] if room is None else name[: room - 1].casefold()[:CELL_WIDTH]
        return replace(cell, lines=(text,))

    def readable(
        self, marked: Iterable[int] = (), width: int | None = None, height: int | None = None
    ) -> str:
        """A board that is large, or wider than *width*, as a sketch, and below it the surroundings
        of the *marked* hexes in full; any other in full.

        A sketch that is wider than *width* shows only the columns around the marked hexes; where
        both take more than *height* lines, the sketch is left out if the surroundings show all that
        is marked.
        """
        board = self.board
        shape = pointy_shape_of(2) if board.pointy else flat_shape()
        everything = range(board.size)
        needed = width_of_hexes(board, shape, everything) + margin_of(
            board, shape, everything, width
        )
        if board.size <= LARGE and (width is None or needed <= width):
            return self.full(width)
        focus = [h for h in marked if h >= 0]
        margin, window = row_margin(board), None
        if width is not None and board.columns * SKETCH_WIDTH + SKETCH_WIDTH // 2 + margin > width:
            fits = max(1, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH)
            window = window_on(board, focus, board.rows, fits)
        sketch = self._with_rest(self.sketch(width, window), window, focus)
        if not focus:
            return sketch
        columns = max(1, ((width or 100) - margin - shape.overhang) // shape.right)
        rows = _DETAIL_ROWS
        if height is not None:
            rows = max(_LEAST_ROWS, min(rows, (height - 4) // shape.down))
        window = window_on(board, focus, rows, columns)
        detail = self._with_rest(self.full(width, window), window, focus)
        if height is not None and sketch.count("\n") + detail.count("\n") + 3 > height:
            return detail if all(is_in_window(board, h, window) for h in focus) else sketch
        return sketch + "\n\n" + detail

    def fit(self, focus: Collection[int], width: int, height: int) -> str:
        """As much of the board as so many columns and lines hold, drawn once: all of it in full,
        else as a sketch, else the part around the hexes of the *focus*.  Empty where there is room
        for nothing.

        A large board is drawn in full also where only its part around the focus fits, if that is
        all there.
        """
        for text in self._candidates(focus, width, height):
            lines = text.split("\n")
            if text and len(lines) <= height and max(map(width_of, lines)) <= width:
                return text
        return ""

    def _candidates(self, focus: Collection[int], width: int, height: int) -> Iterator[str]:
        """What :meth:`fit` tries, the best first."""
        board = self.board
        shape = pointy_shape_of(1) if board.pointy else flat_shape()
        margin = row_margin(board)
        rows, columns = (height - 4) // shape.down, (width - margin - shape.overhang) // shape.right
        # it may be that one column less is shifted
        if rows >= board.rows and columns >= board.columns - 1:
            yield self.full(width)
        sketches = (self.sketch(room=room) for room in range(_WIDE_SKETCH, SKETCH_WIDTH - 1, -1))
        if board.size <= LARGE:
            yield from sketches
        for high in range(rows, _LEAST_ROWS - 1, -1) if columns > 0 else ():
            window = window_on(board, focus, high, columns)
            if not all(is_in_window(board, h, window) for h in focus):
                break
            yield self.full(width, window)
        if board.size > LARGE:
            yield from sketches
        high, fits = height - 3, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH
        high = high if board.pointy else (high - 1) // 2
        if high >= _LEAST_ROWS and fits > 0:
            window = window_on(board, focus, high, fits)
            yield self._with_rest(self.sketch(width, window), window, focus)

    def _with_rest(self, drawn: str, window: Window | None, focus: Collection[int]) -> str:
        """A drawing with a line that says what of the marked hexes lies outside its window."""
        board, words = self.board, self.words
        outside = [board.label(h) for h in focus if window and not is_in_window(board, h, window)]
        if not outside:
            return drawn
        names = ", ".join(outside[:_NAMED])
        if len(outside) > _NAMED:
            names = words("{names} and {count} more", names=names, count=len(outside) - _NAMED)
        return f"{drawn}\n{words('(outside this part of the map: {names})', names=names)}"
