"""The part of a board that is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from runtime.board import Board

#: First and last row, first and last column to be drawn: from 0, inclusive.
Window: TypeAlias = tuple[int, int, int, int]


def within(board: Board, h: int, window: Window) -> bool:
    """Whether a hex lies in a window."""
    row0, row1, column0, column1 = window
    return row0 <= board.row_of[h] <= row1 and column0 <= board.column_of[h] <= column1


def hexes_in(board: Board, window: Window) -> list[int]:
    """The hexes that lie in a window."""
    return [h for h in range(board.size) if within(board, h, window)]


def whole(board: Board) -> Window:
    """The window that shows all of a board."""
    return 0, board.rows - 1, 0, board.columns - 1


def row_margin(board: Board) -> int:
    """How many characters the names of rows take, with a blank behind them."""
    return max(len(board.row_label(row)) for row in range(board.rows)) + 1


def window_around(board: Board, hexes: Iterable[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* with the *hexes* in its middle, as far as
    the board reaches.
    """
    found = [h for h in hexes if h >= 0]
    if not found:
        return 0, min(rows, board.rows) - 1, 0, min(columns, board.columns) - 1
    return (
        *_span([board.row_of[h] for h in found], rows, board.rows),
        *_span([board.column_of[h] for h in found], columns, board.columns),
    )


def _span(places: list[int], room: int, size: int) -> tuple[int, int]:
    """First and last of *room* numbers below *size* around the middle of *places*."""
    first = (min(places) + max(places)) // 2 - (room - 1) // 2
    first = max(0, min(first, size - room))
    return first, min(first + room, size) - 1


#: So many hexes are tried as the middle of a window.
_TRIED: Final = 60


def window_on(board: Board, hexes: Iterable[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* that shows as many of the *hexes* as can be,
    in its middle as far as the board reaches.
    """
    found = [h for h in hexes if h >= 0]

    def shown(around: int) -> list[int]:
        window = window_around(board, [around], rows, columns)
        return [h for h in found if within(board, h, window)]

    if len(found) <= _TRIED:
        best: list[int] = max(map(shown, found), key=len, default=[])
        return window_around(board, best, rows, columns)
    return window_around(board, found, rows, columns)
