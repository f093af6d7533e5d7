"""The whole drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grognard.draw.panel import Told
from grognard.draw.picture import Token
from grognard.draw.svg.below import MARGIN, Below
from grognard.draw.svg.counters import HEXSIDE, arranged
from grognard.draw.symbols import PATTERN_OF
from grognard.draw.xml import plain, points, short, tag, text_at

_FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"


class Drawing(Below):
    """One drawing in the making.  Its parts can be had one by one, as the page of a record takes
    them.
    """

    def document(self, title: str, caption: str, told: Told | None = None) -> str:
        header = " · ".join(told.header) if told is not None else ""
        head = (46.0 if title else 0.0) + (20.0 if header else 0.0)
        placed, tray = self.picture.tokens()
        ground, lines, labels = self.draw_grounds(), self.draw_lines(), self.draw_labels(placed)
        empty = [h for h in sorted(self.board.names) if h not in placed]
        taken = [h for h in sorted(self.board.names) if h in placed]
        counters = self.draw_tokens(placed)
        key, key_height = self.draw_key()
        beside, beside_height = self.draw_told(told) if told is not None else ("", 0.0)
        below, tray_height = self.draw_tray(tray)
        width = self.page + 2 * MARGIN
        foot = self.height + 2 * MARGIN
        height = head + foot + beside_height + key_height + tray_height
        sea = self.style.data.get("background", "#e9edf0")
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(width)}" height="{short(height)}"'
            f' viewBox="0 0 {short(width)} {short(height)}" font-family="{_FONT}">',
            tag("title", plain(title or self.board.name)),
            tag("defs", "\n" + "\n".join(self.defs()) + "\n"),
            tag("rect", x=0, y=0, width=width, height=height, fill="#f7f4ec"),
        ]
        if title:
            parts.append(text_at(MARGIN, 25, title, 21, "#222222", weight="bold", anchor="start"))
            if caption:
                parts.append(text_at(width - MARGIN, 27, caption, 13, "#555555", anchor="end"))
        if header:
            parts.append(text_at(MARGIN, head - 11, header, 14, "#333333", anchor="start"))
        parts += [
            f'<g transform="translate({short(MARGIN)} {short(head + MARGIN / 2)})">',
            tag(
                "rect",
                x=-10.0,
                y=-10.0,
                width=self.width + 20,
                height=self.height + 20,
                rx=6,
                fill=sea,
                stroke="#8d8d8d",
            ),
            ground,
            lines,
            self.draw_names(empty, 10.0, 0.53),
            self.draw_edges(placed),
            counters,
            labels,
            self.draw_names(taken, 8.5, 0.72),
            self.draw_flags(placed),
            self.draw_markers(),
            "</g>",
            self.at(head + foot, beside),
            self.at(head + foot + beside_height, key),
            self.at(head + foot + beside_height + key_height, below),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def at(self, y: float, inner: str) -> str:
        """A part below the board."""
        return tag("g", inner, transform=f"translate({short(MARGIN)} {short(y)})") if inner else ""

    def defs(self) -> list[str]:
        """What is used again and again."""
        made = [tag("polygon", id="hex", points=points(self.corners()))]
        for (pattern, ink), name in self.defined.items():
            made.append(
                tag("g", PATTERN_OF[pattern](ink), id=name, transform=f"scale({short(HEXSIDE)})")
            )
        return made

    # ------------------------------------------------------------------ the pieces

    def placements(
        self, placed: Mapping[int, list[Token]]
    ) -> list[tuple[Token, float, float, float]]:
        """Where the counters lie: each with the place of its middle and its scale."""
        made = []
        for h, tokens in sorted(placed.items()):
            x, y = self.center(h)
            if h in self.board.names:
                y -= HEXSIDE * 0.04
            for token, (dx, dy, scale) in zip(tokens, arranged(tokens), strict=True):
                made.append((token, x + dx * HEXSIDE, y + dy * HEXSIDE, scale))
        return made

    def draw_tokens(self, placed: Mapping[int, list[Token]]) -> str:
        return "\n".join(self.token(*one) for one in self.placements(placed))
