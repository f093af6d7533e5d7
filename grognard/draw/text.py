"""Boards drawn with plain characters, for the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from grognard.words import Words, words_in
from runtime.board import Board

#: How many characters a line of a cell's text may have, and how many lines the text.
CELL_WIDTH: Final = 5
CELL_LINES: Final = 3

#: The styles a cell may have, and those of the board itself, as parameters of ANSI SGR.
STYLES: Final[dict[str, str]] = {
    # of the 256 colours, which no theme changes: what is light in one theme is dark in another
    "side0": "1;38;5;231;48;5;25",
    "side1": "1;38;5;231;48;5;124",
    "side2": "1;38;5;231;48;5;28",
    "side3": "1;38;5;231;48;5;90",
    "side4": "1;38;5;16;48;5;178",
    "side5": "1;38;5;16;48;5;44",
    "side6": "1;38;5;231;48;5;240",
    "side7": "1;38;5;16;48;5;252",
    "flag0": "38;5;33",
    "flag1": "38;5;167",
    "flag2": "38;5;34",
    "flag3": "38;5;170",
    "flag4": "38;5;136",
    "flag5": "38;5;37",
    "flag6": "38;5;245",
    "flag7": "38;5;139",
    "mark": "1;38;5;172",
    "dim": "2",
    "ground": "32",
    "label": "2",
    "border": "90",
    "margin": "1",
}

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def paint(text: str, style: str, color: bool) -> str:
    """*text* in a style of :data:`STYLES`, or in SGR codes."""
    codes = STYLES.get(style, style)
    return f"\x1b[{codes}m{text}\x1b[0m" if color and text else text


def width_of(text: str) -> int:
    """How many columns a line takes, colours apart."""
    return len(_ANSI.sub("", text))


#: How many sides have a style of their own; further ones begin again.
SIDES: Final = 8


def side_style(side: int) -> str:
    """The style of a side."""
    return f"side{side % SIDES}"


#: First and last row, first and last column to be drawn: from 0, inclusive.
Window: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """What is drawn inside one hex.

    *lines*: up to three lines of text, each of at most five characters; a hex without text shows its label.
    *style*: names of :data:`STYLES`, separated by blanks: ``mark`` makes the hex's border stand out (without
    colour: asterisks in it), the others colour the text.
    *ground*: the terrain, one to three characters, shown where the text leaves room; a single one is
    repeated.  *ground_style*: its style, or SGR codes.  *below*: what stands instead of it at the lower end.
    *edges*: what runs along the sides of the hex: the number of the direction (as of
    :meth:`runtime.board.Board.directions`), the character that stands for it where there is no colour, and
    SGR codes.
    *brief*: the text in sketches, instead of the first line; *mini*: the ground there, one character.
    *accent*: the character that marks the hex without colour; *mark_style* that of its border.

    ValueError when something does not fit, is not printable, or names no style.
    """

    lines: tuple[str, ...] = ()
    style: str = ""
    ground: str = ""
    ground_style: str = "ground"
    edges: tuple[tuple[int, str, str], ...] = ()
    accent: str = "*"
    mark_style: str = "mark"
    brief: str = ""
    mini: str = ""
    below: str = ""

    def __post_init__(self) -> None:
        if len(self.lines) > CELL_LINES:
            raise ValueError(f"a hex has room for {CELL_LINES} lines, not for {len(self.lines)}")
        for line in self.lines:
            if len(line) > CELL_WIDTH or not line.isprintable():
                raise ValueError(
                    f"a line in a hex has at most {CELL_WIDTH} printable characters, not {line!r}"
                )
        for ground in (self.ground, self.below):
            if len(ground) > 3 or not ground.isprintable():
                raise ValueError(f"the ground of a hex has at most 3 printable characters, not {ground!r}")
        for word in self.style.split():
            if word not in STYLES:
                raise ValueError(f"style {word!r} is none of {', '.join(STYLES)}")

    @property
    def marked(self) -> bool:
        """Does the hex's border stand out?"""
        return "mark" in self.style.split()

    @property
    def text_style(self) -> str:
        """The styles of the text."""
        return " ".join(word for word in self.style.split() if word != "mark") or self.style

    @property
    def ground_line(self) -> str:
        """The ground as three characters, or empty."""
        return _three(self.ground)

    @property
    def lower_line(self) -> str:
        """What stands at the lower end, as three characters, or empty."""
        return _three(self.below or self.ground)


def _three(ground: str) -> str:
    """A ground as three characters, or empty."""
    return ground * 3 if len(ground) == 1 else ground and _centered(ground, 3)


def draw_board(
    board: Board,
    cell: Callable[[int], Cell],
    color: bool = False,
    width: int | None = None,
    window: Window | None = None,
) -> str:
    """Draw *board* as lines of text, without a final line break.

    *cell* says what each hex shows.  *color* uses ANSI escapes; without it the text is plain.  A board wider
    than *width* (in characters) is drawn in bands of columns, one below the other, of as many columns as fit
    (at least one).  *window* leaves out all other rows and columns.  Empty when there is no hex to draw.
    """
    row0, row1, column0, column1 = window or (0, board.rows - 1, 0, board.columns - 1)
    cells = {
        h: cell(h)
        for h in range(board.size)
        if row0 <= board.row_of[h] <= row1 and column0 <= board.column_of[h] <= column1
    }
    if not cells:
        return ""
    shape = _pointy_shape(cells.values()) if board.pointy else _flat_shape()
    margin = _margin(board, shape, cells, width)
    if width is None or _wide(board, shape, cells) + margin <= width:
        step = board.columns
    else:
        step = max(1, (width - margin - shape.overhang) // shape.right)
    bands = (
        {h: shown for h, shown in cells.items() if first <= board.column_of[h] < first + step}
        for first in range(max(column0, 0), min(column1, board.columns - 1) + 1, step)
    )
    return "\n\n".join(_draw_band(board, band, shape, margin, color).text(color) for band in bands if band)


def _wide(board: Board, shape: _Shape, hexes: Iterable[int]) -> int:
    """How many characters some hexes take side by side."""
    lefts = [shape.corner(board, h)[0] for h in hexes]
    return max(lefts) - min(lefts) + 1 + max(x for x, *_ in shape.border)


def _margin(board: Board, shape: _Shape, hexes: Collection[int], width: int | None) -> int:
    """How much room the names of rows take: with a blank behind them, unless it is just that one too much."""
    margin = max(len(board.row_label(row)) for row in range(board.rows)) + 1
    return margin - 1 if width is not None and _wide(board, shape, hexes) + margin == width + 1 else margin


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one hex is drawn; places are (x, y) in characters from the upper left corner of its box.

    *right* and *down* are the steps from a column and row to the next, *shift* how far shifted rows or
    columns are off, *overhang* what a row of hexes takes beyond its columns.  *slots* are the lines inside
    for text: place and width.  *ground_slots* are the places for three characters of ground, *accents* for
    what marks a hex, *middle* that of its centre.  The characters of the *border* have the direction of their
    side.
    """

    right: int
    down: int
    shift: tuple[int, int]
    overhang: int
    height: int
    middle: tuple[int, int]
    border: tuple[tuple[int, int, str, int], ...]
    slots: tuple[tuple[int, int, int], ...]
    ground_slots: tuple[tuple[int, int], ...]
    accents: tuple[tuple[int, int], ...]

    def corner(self, board: Board, h: int) -> tuple[int, int]:
        """The upper left corner of the box around hex *h*."""
        row, column = board.row_of[h], board.column_of[h]
        shifted = board.shifted(row if board.pointy else column)
        x, y = self.right * column, self.down * row
        return (x + self.shift[0], y + self.shift[1]) if shifted else (x, y)

    def first_slot(self, lines: tuple[str, ...]) -> int | None:
        """The slot for the first of *lines* such that all fit, as near to the middle as can be; None when
        none is.
        """
        starts = [
            start
            for start in range(len(self.slots) - len(lines) + 1)
            if all(len(line) <= width for line, (_, _, width) in zip(lines, self.slots[start:], strict=False))
        ]
        return min(starts, key=lambda start: abs(2 * start + len(lines) - len(self.slots)), default=None)


def _pointy_shape(cells: Iterable[Cell]) -> _Shape:
    """The lowest pointy-top hex that all *cells* fit into."""
    texts = {shown.lines for shown in cells}
    for body in range(1, CELL_LINES):
        shape = _pointy_shape_of(body)
        if all(shape.first_slot(lines) is not None for lines in texts):
            return shape
    return _pointy_shape_of(CELL_LINES)


def _pointy_shape_of(body: int) -> _Shape:
    """A pointy-top hex whose upright sides are *body* lines long."""
    upper = ((2, 0, "/", 4), (4, 0, "\\", 5), (1, 1, "/", 4), (5, 1, "\\", 5))
    upright = tuple((x, 2 + i, "|", side) for i in range(body) for x, side in ((0, 3), (6, 0)))
    lower = ((1, body + 2, "\\", 2), (5, body + 2, "/", 1), (2, body + 3, "\\", 2), (4, body + 3, "/", 1))
    return _Shape(
        right=6,
        down=body + 2,
        shift=(3, 0),
        overhang=4,
        height=body + 4,
        middle=(3, 2 + (body - 1) // 2),
        border=upper + upright + lower,
        slots=((2, 1, 3), *((1, 2 + i, CELL_WIDTH) for i in range(body)), (2, body + 2, 3)),
        ground_slots=((2, 1), (2, body + 2)),
        accents=((3, 0), (3, body + 3)),
    )


def _flat_shape() -> _Shape:
    """A flat-top hex."""
    top = tuple((x, 0, "_", 0) for x in range(2, 7))
    sides = (
        (1, 1, "/", 5),
        (7, 1, "\\", 1),
        (0, 2, "/", 5),
        (8, 2, "\\", 1),
        (0, 3, "\\", 4),
        (8, 3, "/", 2),
        (1, 4, "\\", 4),
        (7, 4, "/", 2),
    )
    bottom = tuple((x, 4, "_", 3) for x in range(2, 7))
    return _Shape(
        right=7,
        down=4,
        shift=(0, 2),
        overhang=2,
        height=5,
        middle=(4, 2),
        border=top + sides + bottom,
        slots=tuple((2, y, CELL_WIDTH) for y in (1, 2, 3)),
        ground_slots=((3, 4),),
        accents=((1, 2), (7, 2)),
    )


class _Canvas:
    """A sheet of characters, each with styles (names separated by blanks)."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write *text* to the right from (*x*, *y*), over what stood there."""
        for i, character in enumerate(text):
            self._marks[x + i, y] = character, style

    def text(self, color: bool) -> str:
        """The sheet, cut to what is written on it, with or without ANSI escapes for the styles."""
        xs, ys = [x for x, _ in self._marks], [y for _, y in self._marks]
        lines = []
        for y in range(min(ys), max(ys) + 1):
            row = [self._marks.get((x, y), (" ", "")) for x in range(min(xs), max(xs) + 1)]
            lines.append("".join(_colored(row) if color else (character for character, _ in row)).rstrip())
        return "\n".join(lines)


def _colored(row: Iterable[tuple[str, str]]) -> Iterator[str]:
    current = ""
    for character, style in row:
        if style != current:
            if current:
                yield "\x1b[0m"
            if style:
                yield "\x1b[" + ";".join(STYLES.get(word, word) for word in style.split()) + "m"
            current = style
        yield character
    if current:
        yield "\x1b[0m"


def _draw_band(board: Board, cells: Mapping[int, Cell], shape: _Shape, margin: int, color: bool) -> _Canvas:
    canvas = _Canvas()
    # Neighbours share their border: the marked ones come last, then what runs along sides, then the insides.
    for h in sorted(cells, key=lambda h: cells[h].marked):
        left, top = shape.corner(board, h)
        for x, y, character, _ in shape.border:
            canvas.put(left + x, top + y, character, cells[h].mark_style if cells[h].marked else "border")
    for h, shown in cells.items():
        left, top = shape.corner(board, h)
        for side, sign, style in shown.edges:
            for x, y, character, there in shape.border:
                if there == side:
                    canvas.put(left + x, top + y, character if color else sign, style)
    for h, shown in cells.items():
        _fill(canvas, shape, shape.corner(board, h), shown, board.label(h))
    _draw_margins(canvas, board, cells, shape, margin)
    return canvas


def _fill(canvas: _Canvas, shape: _Shape, corner: tuple[int, int], shown: Cell, label: str) -> None:
    left, top = corner
    lines, style = shown.lines, shown.text_style
    if not any(lines):
        lines, style = (label[:CELL_WIDTH],), style or "label"
    for x, y in shape.ground_slots:
        ground = shown.lower_line if (x, y) == shape.ground_slots[-1] else shown.ground_line
        canvas.put(left + x, top + y, ground, shown.ground_style)
    for (x, y, width), line in zip(shape.slots[shape.first_slot(lines) or 0 :], lines, strict=False):
        canvas.put(left + x, top + y, _centered(line, width), style)
    if shown.marked:
        for x, y in shape.accents:
            canvas.put(left + x, top + y, shown.accent, shown.mark_style)


def _draw_margins(canvas: _Canvas, board: Board, cells: Iterable[int], shape: _Shape, margin: int) -> None:
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
        # Rows are staggered: only the hexes of the outermost rows stand straight below or above the names.
        upper = [h for h in corners if board.row_of[h] == min(leftmost)]
        lower = [h for h in corners if board.row_of[h] == max(leftmost)]
    for hexes, y in ((upper, top), (lower, bottom)):
        for column, h in {board.column_of[h]: h for h in hexes}.items():
            name = board.column_label(column)
            canvas.put(corners[h][0] + shape.middle[0] - len(name) // 2, y, name, "margin")


def _centered(text: str, width: int) -> str:
    """*text* in the middle of *width* characters, rather to the left."""
    return (" " * ((width - len(text)) // 2) + text).ljust(width)


# ---------------------------------------------------------------------- large boards

#: How many characters a hex of a sketch takes.
SKETCH_WIDTH: Final = 4


def draw_sketch(
    board: Board,
    cell: Callable[[int], Cell],
    color: bool = False,
    width: int | None = None,
    window: Window | None = None,
) -> str:
    """Draw *board* small: a line for each row, four characters for each hex, no borders.

    A hex shows the first three characters of the first line of its cell, without text the first of its
    ground.  Behind the text stands ``*`` where the cell is marked, else ``+`` where it has more lines;
    without colour ``>`` and ``<`` for the styles ``side0`` and ``side1`` (``}`` and ``{`` with more lines),
    ``)`` and ``(`` for ``flag0`` and ``flag1``.
    The hexes of every other row (of a flat-top board: column) stand half a hex further right (one line
    lower).  The rest is as in :func:`draw_board`.
    """
    row0, row1, column0, column1 = window or (0, board.rows - 1, 0, board.columns - 1)
    shown = [
        h
        for h in range(board.size)
        if row0 <= board.row_of[h] <= row1 and column0 <= board.column_of[h] <= column1
    ]
    if not shown:
        return ""
    cells = {h: cell(h) for h in shown}
    margin = max(len(board.row_label(row)) for row in range(board.rows)) + 1
    step = board.columns if width is None else max(1, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH)
    first, last = max(column0, 0), min(column1, board.columns - 1)
    bands = (
        [h for h in shown if left <= board.column_of[h] < left + step]
        for left in range(first, last + 1, step)
    )
    return "\n\n".join(
        _sketch_band(board, {h: cells[h] for h in band}, margin, color).text(color) for band in bands if band
    )


def _sketch_sign(shown: Cell, color: bool) -> tuple[str, str]:
    """What stands behind the text of a hex, and its style."""
    if shown.marked:
        return shown.accent, shown.mark_style
    more = sum(1 for line in shown.lines if line.strip()) > 1
    for word, signs in (("side0", ">}"), ("side1", "<{"), ("flag0", "))"), ("flag1", "((")):
        if not color and word in shown.style.split():
            return signs[more], shown.text_style
    return "+" if more else "", shown.text_style


def _sketch_band(board: Board, cells: Mapping[int, Cell], margin: int, color: bool) -> _Canvas:
    canvas = _Canvas()
    lines = 1 if board.pointy else 2
    for h, shown in cells.items():
        row, column = board.row_of[h], board.column_of[h]
        x, y = column * SKETCH_WIDTH, row * lines
        if board.shifted(row if board.pointy else column):
            x, y = (x + SKETCH_WIDTH // 2, y) if board.pointy else (x, y + 1)
        text = shown.brief or next((line for line in shown.lines if line.strip()), "")
        if text:
            canvas.put(x, y, text[: SKETCH_WIDTH - 1], shown.text_style)
            canvas.put(x + SKETCH_WIDTH - 1, y, *_sketch_sign(shown, color))
        else:
            ground = shown.mini or shown.ground.strip()[:1]
            canvas.put(x + 1, y, ground or ".", shown.ground_style if ground else "dim")
            if shown.marked:
                canvas.put(x + 2, y, shown.accent, shown.mark_style)
    left = min(board.column_of[h] for h in cells) * SKETCH_WIDTH
    rows = sorted({board.row_of[h] for h in cells})
    for row in rows:
        canvas.put(left - margin, row * lines, board.row_label(row), "margin")
    for column in sorted({board.column_of[h] for h in cells}):
        for y in (rows[0] * lines - 1, (rows[-1] + 1) * lines):
            canvas.put(column * SKETCH_WIDTH, y, board.column_label(column), "margin")
    return canvas


def window_around(board: Board, hexes: Iterable[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* with the *hexes* in its middle, as far as the board
    reaches.
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


#: A board of more hexes than this is drawn small.
LARGE: Final = 200
_DETAIL_ROWS: Final = 9
_LEAST_ROWS: Final = 3


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
    """Draw *board* as can best be read: one that is large, or wider than *width*, as a sketch, and below it
    the surroundings of the *marked* hexes in full.

    Hexes without text show their names; in the sketch in small letters.  A sketch that is wider than *width*
    shows only the columns around the marked hexes; where both take more than *height* lines, the sketch is
    left out if the surroundings show all that is marked.
    """
    shape = _pointy_shape_of(2) if board.pointy else _flat_shape()
    everything = range(board.size)
    needed = _wide(board, shape, everything) + _margin(board, shape, everything, width)
    if board.size <= LARGE and (width is None or needed <= width):
        return draw_board(board, named_cells(board, cell, called=called), color, width)
    focus = [h for h in marked if h >= 0]
    margin = max(len(board.row_label(row)) for row in range(board.rows)) + 1
    small = named_cells(board, cell, small=True, called=called)
    window = None
    if width is not None and board.columns * SKETCH_WIDTH + SKETCH_WIDTH // 2 + margin > width:
        fits = max(1, (width - margin - SKETCH_WIDTH // 2) // SKETCH_WIDTH)
        window = window_on(board, focus, board.rows, fits)
    sketch = _with_rest(board, draw_sketch(board, small, color, width, window), window, focus, words)
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
        return detail if all(_within(board, h, window) for h in focus) else sketch
    return sketch + "\n\n" + detail


def _within(board: Board, h: int, window: Window) -> bool:
    """Whether a hex lies in a window."""
    row0, row1, column0, column1 = window
    return row0 <= board.row_of[h] <= row1 and column0 <= board.column_of[h] <= column1


def _with_rest(
    board: Board, drawn: str, window: Window | None, focus: Collection[int], words: Words | None
) -> str:
    """A drawing with a line that says what of the marked hexes lies outside its window."""
    outside = [board.label(h) for h in focus if window is not None and not _within(board, h, window)]
    if not outside:
        return drawn
    words = words or words_in("en")
    names = ", ".join(outside[:_NAMED])
    if len(outside) > _NAMED:
        names = words("{names} and {count} more", names=names, count=len(outside) - _NAMED)
    return f"{drawn}\n{words('(outside this part of the map: {names})', names=names)}"


#: How many hexes outside a window are named.
_NAMED: Final = 6


def window_on(board: Board, hexes: Iterable[int], rows: int, columns: int) -> Window:
    """A window of at most so many *rows* and *columns* that shows as many of the *hexes* as can be, in its
    middle as far as the board reaches.
    """
    found = [h for h in hexes if h >= 0]

    def shown(around: int) -> list[int]:
        window = window_around(board, [around], rows, columns)
        return [h for h in found if _within(board, h, window)]

    if len(found) <= _TRIED:
        best: list[int] = max(map(shown, found), key=len, default=[])
        return window_around(board, best, rows, columns)
    return window_around(board, found, rows, columns)


#: So many hexes are tried as the middle of a window.
_TRIED: Final = 60


def named_cells(
    board: Board, cell: Callable[[int], Cell], small: bool = False, called: Callable[[str], str] = str
) -> Callable[[int], Cell]:
    """The same cells, but where there is no text, what the hex is *called* (*small*: the start of it in small
    letters).
    """

    def named(h: int) -> Cell:
        shown = cell(h)
        name = "".join(c for c in called(board.names.get(h, "")) if c.isprintable())
        if not name or any(line.strip() for line in shown.lines):
            return shown
        text = name[: SKETCH_WIDTH - 1].casefold()[:CELL_WIDTH] if small else name[:CELL_WIDTH]
        return replace(shown, lines=(text,))

    return named
