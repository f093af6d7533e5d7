"""The part of a board that is drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias

from runtime.board import Board

#: First and last row, first and last column to be drawn: from 0, inclusive.
Window: TypeAlias = tuple[int, int, int, int]


def is_in_window(board: Board, h: int, window: Window) -> bool:
    """Whether a hex lies in a window."""
    row0, row1, column0, column1 = window
    return row0 <= board.row_of[h] <= row1 and column0 <= board.column_of[h] <= column1


def hexes_in(board: Board, window: Window) -> list[int]:
    """The hexes that lie in a window."""
    return [h for h in range(board.size) if is_in_window(board, h, window)]


def whole_board(board: Board) -> Window:
    """The window that shows all of a board."""
    return 0, board.rows - 1, 0, board.columns - 1


def bands(board: Board, hexes: Iterable[int], window: Window, step: int) -> Iterator[list[int]]:
    """The hexes of a window in bands of so many columns, but for those without hexes."""
    for first in range(max(window[2], 0), min(window[3], board.columns - 1) + 1, step):
        band = [h for h in hexes if first <= board.column_of[h] < first + step]
        if band:
            yield band


def row_margin(board: Board) -> int:
    """How many characters the names of rows take, with a blank behind them."""
    return max(len(board.row_label(row)) for row in range(board.rows)) + 1


def window_around(board: Board, hexes: Collection[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* with the *hexes* in its middle, as far as
    the board reaches.
    """
    return (
        *_span([board.row_of[h] for h in hexes], rows, board.rows),
        *_span([board.column_of[h] for h in hexes], columns, board.columns),
    )


def _span(places: list[int], room: int, size: int) -> tuple[int, int]:
    """First and last of *room* numbers below *size* around the middle of *places*."""
    middle = (min(places, default=0) + max(places, default=0)) // 2
    first = max(0, min(middle - (room - 1) // 2, size - room))
    return first, min(first + room, size) - 1


#: So many hexes are tried as the middle of a window.
_TRIED: Final = 60


def window_on(board: Board, hexes: Collection[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* that shows as many of the *hexes* as can be,
    in its middle as far as the board reaches.
    """

    def shown(around: int) -> list[int]:
        window = window_around(board, [around], rows, columns)
        return [h for h in hexes if is_in_window(board, h, window)]

    if len(hexes) <= _TRIED:
        best: list[int] = max(map(shown, hexes), key=len, default=[])
        return window_around(board, best, rows, columns)
    return window_around(board, hexes, rows, columns)
