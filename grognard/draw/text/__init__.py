"""Boards drawn with plain characters, for the terminal."""

from grognard.draw.text.canvas import SIDES, STYLES, paint, side_style, width_of
from grognard.draw.text.cell import CELL_LINES, CELL_WIDTH, Cell
from grognard.draw.text.full import draw_board
from grognard.draw.text.maps import LARGE, draw_map, fitted_map, named_cells
from grognard.draw.text.sketch import SKETCH_WIDTH, draw_sketch
from grognard.draw.text.windows import Window, window_around, window_on

__all__ = [
    "CELL_LINES",
    "CELL_WIDTH",
    "LARGE",
    "SIDES",
    "SKETCH_WIDTH",
    "STYLES",
    "Cell",
    "Window",
    "draw_board",
    "draw_map",
    "draw_sketch",
    "fitted_map",
    "named_cells",
    "paint",
    "side_style",
    "width_of",
    "window_around",
    "window_on",
]
