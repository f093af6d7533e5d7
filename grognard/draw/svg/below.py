"""What stands below the board of a drawing: what each side has, the key, and pieces off the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import Final

from grognard.draw.edges import drawn_lines
from grognard.draw.markers import declared, shape
from grognard.draw.panel import Told
from grognard.draw.picture import Token
from grognard.draw.svg.counters import HEXSIDE, counter
from grognard.draw.svg.ground import Ground, flag_at
from grognard.draw.svg.pieces import piece_entries
from grognard.draw.xml import points, short, tag, text_at
from grognard.lexicon.catalogue import words_in

#: Around the board.
MARGIN: Final = 24.0
#: How wide a page is at the least, and how many counters off the board stand in one row.
_NARROW, _ROW = 620.0, 5


class Below(Ground):
    """The board, and what stands below it."""

    @property
    def page(self) -> float:
        """How wide all of it may be."""
        return max(self.width, _NARROW)

    def token(self, token: Token, x: float, y: float, scale: float = 1.0) -> str:
        """A counter around a place."""
        name = self.picture.wording.called(token.name)
        shown = counter(token, name, scale, self.board.pointy)
        return tag("g", shown, transform=f"translate({short(x)} {short(y)})")

    def draw_told(self, told: Told) -> tuple[str, float]:
        """What each side has, in a line of its colour, and what else there is."""
        made: list[str] = []
        y = 8.0
        wide = max((8.4 * len(name) for name in told.sides), default=0.0) + 26
        for side, name in enumerate(told.sides if told.rows else ()):
            made.append(
                tag("rect", x=0, y=y - 6, width=14, height=12, rx=2, fill=self.side_fill(side))
            )
            made.append(text_at(20, y, name, 12.5, "#222222", weight="bold", anchor="start"))
            entries = [f"{label}: {values[side]}" for label, values in told.rows]
            y = self.paragraph(made, entries, wide, y)
        if told.loose:
            y = self.paragraph(made, told.loose, 0.0, y)
        return "\n".join(made), y + 6

    def paragraph(self, made: list[str], entries: Iterable[str], indent: float, y: float) -> float:
        """Entries one behind the other, in as many lines as they need; where the next line is."""
        lines: list[str] = []
        for text in entries:
            if lines and indent + 6.6 * (len(lines[-1]) + len(text) + 3) <= self.page:
                lines[-1] += f" · {text}"
            else:
                lines.append(text)
        for line in lines:
            made.append(text_at(indent, y, line, 12, "#333333", anchor="start"))
            y += 17
        return y + 1

    def key_entries(self) -> list[tuple[str, str]]:
        """What the colours and lines on the board stand for: wording, and a swatch around its
        middle.
        """
        entries: list[tuple[str, str]] = []
        for text, look in self.picture.legend():
            swatch = tag(
                "use",
                href="#hex",
                transform="scale(.42)",
                fill=look.get("fill", "#efe8d2"),
                stroke="#8c8672",
                stroke_width=2,
            )
            for pattern in look.get("pattern", "").split():
                swatch += tag(
                    "use",
                    href=f"#{self.pattern(pattern, look.get('ink', '#777777'))}",
                    transform="scale(.42)",
                )
            if "rim" in look:
                swatch += tag(
                    "polygon",
                    points=points(self.corners(0.36)),
                    fill="none",
                    stroke=look["rim"],
                    stroke_width=2,
                )
            entries.append((text, swatch))
        for section, name, look, _ in drawn_lines(self.picture):
            text = self.picture.wording.called(look.get("label", name.replace("_", " ")))
            entries.append(
                (text, (self.way if section == "ways" else self.line)("M-14,0L14,0", look))
            )
        for _, marker in declared(self.picture):
            entries.append(
                (marker.told, shape(marker, marker.color or self.side_fill(0), 0.0, 0.0))
            )
        if self.picture.flags():
            sides = range(len(self.picture.spec.sides))
            flag = "".join(flag_at(6.0 * i - 10.0, 9.0, self.side_fill(i)) for i in sides)
            words = words_in(self.picture.wording.language)
            entries.append((words("held by the side of this colour"), flag))
        of_board = {text: (text, swatch) for text, swatch in entries}  # a line goes before a ground
        return [*of_board.values(), *self.front_entries(), *piece_entries(self.picture)]

    def front_entries(self) -> Iterator[tuple[str, str]]:
        """The lines inside hexes that pieces have."""
        looks = {
            look["label"]: look
            for kind in self.style.part("pieces")
            for look in self.style.part("pieces", kind, "edges").values()
            if "label" in look
        }
        for label, look in looks.items():
            yield self.picture.wording.called(label), self.line("M-14,0L14,0", look)

    def draw_key(self) -> tuple[str, float]:
        """The key below the board."""
        entries = self.key_entries()
        if not entries:
            return "", 0.0
        return self.flow([(text, 36.0, swatch) for text, swatch in entries], 34.0)

    def flow(self, entries: list[tuple[str, float, str]], line: float) -> tuple[str, float]:
        """Entries side by side, as many to a line as there is room."""
        made, x, y = [], 0.0, line / 2
        for text, room, shown in entries:
            wide = room + 7.4 * len(text) + 22
            if x and x + wide > self.page:
                x, y = 0.0, y + line
            made.append(tag("g", shown, transform=f"translate({short(x + room / 2)} {short(y)})"))
            made.append(text_at(x + room + 5, y, text, 12, "#333333", anchor="start"))
            x += wide
        return "\n".join(made), y + line / 2 + 8

    def draw_tray(self, tray: Mapping[str, list[Token]]) -> tuple[str, float]:
        """The pieces that are not on the board, by side and group."""
        groups: dict[tuple[int, str], list[Token]] = {}
        for text, tokens in tray.items():
            for token in tokens:
                groups.setdefault((token.side, text), []).append(token)
        if not groups:
            return "", 0.0
        made, x, y, high = [], 0.0, 0.0, 0.0
        for (side, text), tokens in sorted(groups.items()):
            title = text or words_in(self.picture.wording.language)("off the board")
            room = max(token.size for token in tokens) * 1.25 * HEXSIDE
            row = max(_ROW, round(sqrt(2.5 * len(tokens))))  # many: about twice as wide as high
            per_line = max(1, min(len(tokens), row, int((self.page - 12) // room)))
            lines = -(-len(tokens) // per_line)
            wide = max(per_line * room + 12, 7.2 * len(title) + 20)
            if x and x + wide > self.page:
                x, y, high = 0.0, y + high + 12, 0.0
            high = max(high, lines * room + 26)
            color = self.side_fill(side)
            made.append(
                tag(
                    "rect",
                    x=x,
                    y=y,
                    width=wide,
                    height=lines * room + 26,
                    rx=5,
                    fill="#efeadb",
                    stroke=color,
                    stroke_width=1.5,
                )
            )
            made.append(text_at(x + 8, y + 11, title, 11, "#333333", weight="bold", anchor="start"))
            for number, token in enumerate(tokens):
                made.append(
                    self.token(
                        token,
                        x + 6 + room * (number % per_line + 0.5),
                        y + 20 + room * (number // per_line + 0.5),
                    )
                )
            x += wide + 12
        return "\n".join(made), y + high + MARGIN
