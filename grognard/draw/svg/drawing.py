"""The whole drawing: the board with its pieces, and what stands below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Final

from grognard.draw.art import identifier
from grognard.draw.panel import PanelContent
from grognard.draw.svg.counters import HEXSIDE, arrangement, counter
from grognard.draw.svg.key import Key
from grognard.draw.svg.symbols import PATTERN_OF
from grognard.draw.svg.xml import at, coord, plain, points, tag, text_at
from grognard.draw.tokens import Token
from grognard.lexicon.catalogue import words_in

_FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
#: Around the board.
_MARGIN: Final = 24.0
#: How wide a page is at the least, and how many counters off the board stand in one row.
_NARROW, _ROW = 620.0, 5


class Drawing(Key):
    """One drawing in the making.  Its parts can be had one by one, as the page of a record takes
    them.
    """

    def document(self, title: str, caption: str, told: PanelContent | None = None) -> str:
        """The SVG document."""
        header = " · ".join(told.header) if told is not None else ""
        head = (46.0 if title else 0.0) + (20.0 if header else 0.0)
        placed, tray = self.picture.tokens()
        board = self.draw_board(placed)
        width, foot = self.page + 2 * _MARGIN, head + self.height + 2 * _MARGIN
        below = []
        for part, part_height in (self.draw_panel(told), self.draw_key(), self.draw_tray(tray)):
            below.append(tag("g", part, transform=at(_MARGIN, foot)) if part else "")
            foot += part_height
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{coord(width)}" height="{coord(foot)}"'
            f' viewBox="0 0 {coord(width)} {coord(foot)}" font-family="{_FONT}">',
            tag("title", plain(title or self.board.name)),
            tag("defs", "\n" + "\n".join(self.defs()) + "\n"),
            tag("rect", x=0, y=0, width=width, height=foot, fill="#f7f4ec"),
        ]
        if title:
            parts.append(text_at(_MARGIN, 25, title, 21, "#222222", weight="bold", anchor="start"))
            if caption:
                parts.append(text_at(width - _MARGIN, 27, caption, 13, "#555555", anchor="end"))
        if header:
            parts.append(text_at(_MARGIN, head - 11, header, 14, "#333333", anchor="start"))
        parts += [f'<g transform="{at(_MARGIN, head + _MARGIN / 2)}">', *board, "</g>", *below]
        return "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"

    def draw_board(self, placed: Mapping[int, list[Token]]) -> list[str]:
        """The board with its pieces, part by part."""
        sea = {"fill": self.style.data.get("background", "#e9edf0"), "stroke": "#8d8d8d"}
        named = sorted(self.board.names)
        return [
            tag(
                "rect",
                x=-10.0,
                y=-10.0,
                width=self.width + 20,
                height=self.height + 20,
                rx=6,
                **sea,
            ),
            self.draw_grounds(),
            self.draw_lines(),
            self.draw_names([h for h in named if h not in placed], 10.0),
            self.draw_edges(placed),
            "\n".join(self.token(*one) for one in self.placements(placed)),
            self.draw_labels(placed),
            self.draw_names([h for h in named if h in placed], 8.5, 0.72),
            self.draw_flags(placed),
            self.draw_markers(),
        ]

    def defs(self) -> list[str]:
        """What is used again and again."""
        scale = f"scale({coord(HEXSIDE)})"
        return [
            tag("polygon", id="hex", points=points(self.corners())),
            *(
                tag("g", PATTERN_OF[pattern](ink), id=name, transform=scale)
                for (pattern, ink), name in self.defined.items()
            ),
            *(
                tag("image", id=identifier(file), href=address, x=-0.5, y=-0.5, width=1, height=1)
                for file, address in self.pictures.items()
            ),
        ]

    # ------------------------------------------------------------------ the pieces

    def placements(
        self, placed: Mapping[int, list[Token]]
    ) -> list[tuple[Token, float, float, float]]:
        """Where the counters lie: each with the place of its middle and its scale."""
        placements = []
        for h, tokens in sorted(placed.items()):
            x, y = self.center(h)
            if h in self.board.names:
                y -= HEXSIDE * 0.04
            for token, (dx, dy, scale) in zip(tokens, arrangement(tokens), strict=True):
                placements.append((token, x + dx * HEXSIDE, y + dy * HEXSIDE, scale))
        return placements

    def token(self, token: Token, x: float, y: float, scale: float = 1.0) -> str:
        """A counter around a place."""
        name, art = self.picture.wording.display_name(token.name), self.style.art
        if art is not None and token.picture and token.picture not in self.pictures:
            self.pictures[token.picture] = art.address(token.picture)
        return tag("g", counter(token, name, scale, self.board.pointy), transform=at(x, y))

    # ------------------------------------------------------------------ below the board

    @property
    def page(self) -> float:
        """How wide all of it may be."""
        return max(self.width, _NARROW)

    def draw_panel(self, told: PanelContent | None) -> tuple[str, float]:
        """What each side has, in a line of its colour, and what else there is."""
        if told is None:
            return "", 0.0
        drawn: list[str] = []
        y = 8.0
        wide = max((8.4 * len(name) for name in told.sides), default=0.0) + 26
        for side, name in enumerate(told.sides if told.rows else ()):
            box = {"x": 0, "y": y - 6, "width": 14, "height": 12, "rx": 2}
            drawn.append(tag("rect", **box, fill=self.picture.side_fill(side)))
            drawn.append(text_at(20, y, name, 12.5, "#222222", weight="bold", anchor="start"))
            entries = [f"{label}: {values[side]}" for label, values in told.rows]
            y = self._paragraph(drawn, entries, wide, y)
        if told.loose:
            y = self._paragraph(drawn, told.loose, 0.0, y)
        return "\n".join(drawn), y + 6

    def _paragraph(self, drawn: list[str], entries: Iterable[str], left: float, y: float) -> float:
        """Entries one behind the other, in as many lines as they need; where the next line is."""
        lines: list[str] = []
        for text in entries:
            if lines and left + 6.6 * (len(lines[-1]) + len(text) + 3) <= self.page:
                lines[-1] += f" · {text}"
            else:
                lines.append(text)
        for line in lines:
            drawn.append(text_at(left, y, line, 12, "#333333", anchor="start"))
            y += 17
        return y + 1

    def draw_key(self) -> tuple[str, float]:
        """The key below the board, as many entries to a line as there is room."""
        entries = self.key_entries()
        if not entries:
            return "", 0.0
        drawn, x, y, line, room = [], 0.0, 17.0, 34.0, 36.0
        for text, swatch in entries:
            wide = room + 7.4 * len(text) + 22
            if x and x + wide > self.page:
                x, y = 0.0, y + line
            drawn.append(tag("g", swatch, transform=at(x + room / 2, y)))
            drawn.append(text_at(x + room + 5, y, text, 12, "#333333", anchor="start"))
            x += wide
        return "\n".join(drawn), y + line / 2 + 8

    def draw_tray(self, tray: Mapping[str, list[Token]]) -> tuple[str, float]:
        """The pieces that are not on the board, by side and group."""
        groups: dict[tuple[int, str], list[Token]] = {}
        for text, tokens in tray.items():
            for token in tokens:
                groups.setdefault((token.side, text), []).append(token)
        if not groups:
            return "", 0.0
        drawn, x, y, high = [], 0.0, 0.0, 0.0
        for (side, text), tokens in sorted(groups.items()):
            title = text or words_in(self.picture.wording.language)("off the board")
            room = max(token.size for token in tokens) * 1.25 * HEXSIDE
            row = max(_ROW, round(sqrt(2.5 * len(tokens))))  # many: about twice as wide as high
            per_line = max(1, min(len(tokens), row, int((self.page - 12) // room)))
            wide = max(per_line * room + 12, 7.2 * len(title) + 20)
            box_height = -(-len(tokens) // per_line) * room + 26
            if x and x + wide > self.page:
                x, y, high = 0.0, y + high + 12, 0.0
            high = max(high, box_height)
            box = {"x": x, "y": y, "width": wide, "height": box_height, "rx": 5}
            look = {"fill": "#efeadb", "stroke": self.picture.side_fill(side), "stroke_width": 1.5}
            drawn.append(tag("rect", **box, **look))
            drawn.append(
                text_at(x + 8, y + 11, title, 11, "#333333", weight="bold", anchor="start")
            )
            for number, token in enumerate(tokens):
                across, down = number % per_line + 0.5, number // per_line + 0.5
                drawn.append(self.token(token, x + 6 + room * across, y + 20 + room * down))
            x += wide + 12
        return "\n".join(drawn), y + high + _MARGIN
