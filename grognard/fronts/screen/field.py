"""The board on the screen: scrolled in both directions, with a cursor; a place leads back to its
hex.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from grognard.draw.text.located import Drawing

#: How the hex of the cursor, and those of what is chosen or looked at in the list, stand out.
_CURSOR, _SHOWN = "reverse", "bold on color(58)"
#: What of its surroundings is seen with a hex: columns and lines.
_AROUND: Final = (8, 3)


class Field(ScrollView, can_focus=True):
    """The board.  Says where somebody points, and where the cursor or the mouse is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("enter", "point", show=False),
    ]

    class Pointed(Message):
        """Somebody points at a hex."""

        def __init__(self, h: int) -> None:
            super().__init__()
            self.hex = h

    class Over(Message):
        """The cursor or the mouse has come to a hex."""

        def __init__(self, h: int) -> None:
            super().__init__()
            self.hex = h

    def __init__(self) -> None:
        super().__init__(id="field")
        self.drawing: Drawing | None = None
        self._lines: list[Text] = []
        self._strips: list[Strip] = []
        self.cursor = 0
        self._over = -1
        self._shown: Collection[int] = ()

    def draw(self, drawing: Drawing, shown: Collection[int]) -> None:
        """Show the board; some hexes stand out."""
        same = self.drawing is not None and self.drawing.middles == drawing.middles
        if same and self.drawing is not None and self.drawing.text == drawing.text:
            return self.stand_out(shown)
        self.drawing, self._shown = drawing, shown
        self._lines = [Text.from_ansi(line, end="") for line in drawing.text.split("\n")]
        for line in self._lines:
            line.pad_right(drawing.width - line.cell_len)
        self._strips = [Strip(line.render(self.app.console)) for line in self._lines]
        self.virtual_size = Size(drawing.width, drawing.height)
        if not same:
            self.reach([self.cursor])
        self.refresh()

    def stand_out(self, shown: Collection[int]) -> None:
        """Let some hexes stand out."""
        if set(shown) != set(self._shown):
            self._shown = shown
            self.reach(shown)
            self.refresh()

    def reach(self, hexes: Collection[int]) -> None:
        """Scroll to where hexes are seen."""
        if self.drawing is None or not hexes:
            return
        wide, high = _AROUND
        regions = [
            Region(x - wide // 2, y - high // 2, wide, high)
            for x, y in (self.drawing.middles[h] for h in hexes)
        ]
        self.scroll_to_region(Region.from_union(regions), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """A line of what is seen."""
        left, top = self.scroll_offset
        row = top + y
        if self.drawing is None or row >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        strip, owners = self._strips[row], self.drawing.owners
        standing = {*self._shown, *([self.cursor] if self.has_focus else [])}
        places = [x for x in range(strip.cell_length) if owners.get((x, row), -1) in standing]
        if places:
            line = self._lines[row].copy()
            for x in places:
                at_cursor = self.has_focus and owners[x, row] == self.cursor
                line.stylize(_CURSOR if at_cursor else _SHOWN, x, x + 1)
            strip = Strip(line.render(self.app.console))
        strip = strip.crop(left, left + self.size.width)
        return strip.extend_cell_length(self.size.width).apply_style(self.rich_style)

    # ------------------------------------------------------------------ pointing

    def hex_at(self, x: int, y: int) -> int:
        """The hex at a place of the widget; -1 where there is none."""
        left, top = self.scroll_offset
        return -1 if self.drawing is None else self.drawing.owners.get((x + left, y + top), -1)

    def action_go(self, right: int, down: int) -> None:
        """Move the cursor to the next hex."""
        if self.drawing is not None:
            self.put(self.drawing.beside(self.cursor, right, down))

    def put(self, h: int) -> None:
        """Put the cursor on a hex."""
        self.cursor = h
        self.reach([h])
        self.refresh()
        self.post_message(self.Over(h))

    def action_point(self) -> None:
        """Point at the hex of the cursor."""
        self.post_message(self.Pointed(self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked."""
        h = self.hex_at(event.x, event.y)
        if h >= 0:
            self.put(h)
            self.post_message(self.Pointed(h))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell where the mouse is."""
        h = self.hex_at(event.x, event.y)
        if h >= 0 and h != self._over:
            self._over = h
            self.post_message(self.Over(h))
