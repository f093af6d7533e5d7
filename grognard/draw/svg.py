"""Boards drawn as SVG: hexes, hexsides, names, pieces as counters, and a key.

Everything about looks comes from :class:`grognard.draw.picture.Picture`; the drawing is
the same bytes for the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, hypot, pi, sin
from typing import Any, Final

from grognard.draw.colors import distinct, readable
from grognard.draw.markers import declared, drawn, shape
from grognard.draw.panel import Told
from grognard.draw.picture import SIDE_FILLS, SMALL, Picture, Token
from grognard.draw.symbols import FRAMED, PATTERN_OF, glyph
from grognard.draw.xml import Point, plain, points, short, tag, text_at
from grognard.words import words_in

#: The length of a hexside, in units of the drawing.
HEXSIDE: Final = 36.0
_MARGIN: Final = 24.0
_FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

#: Where so many counters lie on one hex: offset in hexsides, and scale.
_SPOTS: Final[dict[int, tuple[tuple[float, float, float], ...]]] = {
    1: ((0.0, 0.0, 1.0),),
    2: ((-0.42, 0.0, 0.74), (0.42, 0.0, 0.74)),
    3: ((-0.36, -0.34, 0.6), (0.36, -0.34, 0.6), (0.0, 0.36, 0.6)),
    4: ((-0.36, -0.36, 0.6), (0.36, -0.36, 0.6), (-0.36, 0.36, 0.6), (0.36, 0.36, 0.6)),
}


def render(picture: Picture, title: str = "", caption: str = "", told: Told | None = None) -> str:
    """The SVG document of a position; *told* is what stands beside the board."""
    return Drawing(picture).document(title, caption, told)


class Drawing:
    """One drawing in the making.  Its parts can be had one by one, as the page of a record takes them."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.board = picture.board
        self.style = picture.style
        self.defined: dict[tuple[str, str], str] = {}
        centers = [self.board.center(h) for h in range(self.board.size)]
        reach_x, reach_y = (0.87, 1.0) if self.board.pointy else (1.0, 0.87)
        self.left = min(x for x, _ in centers) - reach_x
        self.top = min(y for _, y in centers) - reach_y
        self.width = (max(x for x, _ in centers) + reach_x - self.left) * HEXSIDE
        self.height = (max(y for _, y in centers) + reach_y - self.top) * HEXSIDE
        self.grounds = [picture.ground(h) for h in range(self.board.size)]

    def refresh(self) -> None:
        """Look at the ground again, when the picture shows another position."""
        picture = self.picture
        self.grounds = [picture.ground(h) for h in range(self.board.size)]

    def center(self, h: int) -> Point:
        """The middle of a hex in the drawing."""
        x, y = self.board.center(h)
        return (x - self.left) * HEXSIDE, (y - self.top) * HEXSIDE

    def corners(self, size: float = 1.0) -> list[Point]:
        """The corners of a hex around its middle."""
        turn = -pi / 2 if self.board.pointy else 0.0
        return [
            (HEXSIDE * size * cos(turn + k * pi / 3), HEXSIDE * size * sin(turn + k * pi / 3))
            for k in range(6)
        ]

    # ------------------------------------------------------------------ the whole

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
        width = self.width + 2 * _MARGIN
        foot = self.height + 2 * _MARGIN
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
            parts.append(text_at(_MARGIN, 25, title, 21, "#222222", weight="bold", anchor="start"))
            if caption:
                parts.append(text_at(width - _MARGIN, 27, caption, 13, "#555555", anchor="end"))
        if header:
            parts.append(text_at(_MARGIN, head - 11, header, 14, "#333333", anchor="start"))
        parts += [
            f'<g transform="translate({short(_MARGIN)} {short(head + _MARGIN / 2)})">',
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
        return tag("g", inner, transform=f"translate({short(_MARGIN)} {short(y)})") if inner else ""

    def side_fill(self, side: int) -> str:
        """The colour of a side."""
        plain_fill = SIDE_FILLS[side % len(SIDE_FILLS)]
        name = self.picture.spec.sides[side] if side >= 0 else ""
        return str(self.style.part("sides", name).get("fill", plain_fill))

    def defs(self) -> list[str]:
        """What is used again and again."""
        made = [tag("polygon", id="hex", points=points(self.corners()))]
        for (pattern, ink), name in self.defined.items():
            made.append(tag("g", PATTERN_OF[pattern](ink), id=name, transform=f"scale({short(HEXSIDE)})"))
        return made

    def pattern(self, pattern: str, ink: str) -> str:
        """The name under which a pattern is defined."""
        return self.defined.setdefault((pattern, ink), f"ground{len(self.defined)}")

    # ------------------------------------------------------------------ the ground

    def draw_grounds(self) -> str:
        made = ['<g stroke="#8c8672" stroke-opacity="0.55" stroke-width="1">']
        for h, look in enumerate(self.grounds):
            x, y = self.center(h)
            made.append(tag("use", href="#hex", x=x, y=y, fill=look["fill"]))
        made.append("</g>")
        for h, look in enumerate(self.grounds):
            x, y = self.center(h)
            for patterns, ink in look.get("patterns", ()):
                for pattern in patterns.split():
                    name = self.pattern(pattern, ink)
                    flip = (
                        " scale(-1 1)"
                        if pattern in ("trees", "reeds", "dots", "waves") and h * 7 % 3 == 0
                        else ""
                    )
                    made.append(
                        tag("use", href=f"#{name}", transform=f"translate({short(x)} {short(y)}){flip}")
                    )
        for h, look in enumerate(self.grounds):
            if "rim" in look:
                x, y = self.center(h)
                shape = points((x + dx, y + dy) for dx, dy in self.corners(0.92))
                made.append(tag("polygon", points=shape, fill="none", stroke=look["rim"], stroke_width=3))
        return "\n".join(made)

    def side(self, a: int, b: int) -> tuple[Point, Point] | None:
        """The ends of the side between two hexes; None when they do not touch."""
        (ax, ay), (bx, by) = self.center(a), self.center(b)
        far = hypot(bx - ax, by - ay)
        if far > 1.8 * HEXSIDE:
            return None
        mx, my = (ax + bx) / 2, (ay + by) / 2
        px, py = -(by - ay) / far * HEXSIDE / 2, (bx - ax) / far * HEXSIDE / 2
        return (mx + px, my + py), (mx - px, my - py)

    def path(self, pairs: Iterable[tuple[int, int]]) -> str:
        """A path along the sides between pairs of hexes."""
        ends = [side for a, b in pairs if (side := self.side(a, b)) is not None]
        return "".join(f"M{short(p[0])},{short(p[1])}L{short(q[0])},{short(q[1])}" for p, q in ends)

    def draw_lines(self) -> str:
        made = []
        looks = {
            pair: look
            for name, look in self.style.part("hexsides").items()
            for pair in self.picture.hexsides(name)
        }
        for a, b in self.board.joins:
            i, j = self.board.index(a), self.board.index(b)
            if self.side(i, j) is None:
                (x, y), (to_x, to_y) = self.center(i), self.center(j)
                path = f"M{short(x)},{short(y)}L{short(to_x)},{short(to_y)}"
                look = looks.get((min(i, j), max(i, j)))
                made.append(
                    tag(
                        "path",
                        d=path,
                        stroke="#6b6b6b",
                        stroke_width=2,
                        stroke_dasharray="2 6",
                        stroke_linecap="round",
                    )
                    if look is None
                    else self.line(path, look)
                )
        for name, look in self.style.part("hexsides").items():
            made.append(self.line(self.path(self.picture.hexsides(name)), look))
        for name, look in self.style.part("borders").items():
            made.append(self.line(self.path(self.picture.borders(name)), look))
        return "\n".join(part for part in made if part)

    def line(self, path: str, look: Mapping[str, Any]) -> str:
        """A line in its look."""
        if not path:
            return ""
        dash = look.get("dash")
        cap = "round" if not dash else "butt"
        return tag(
            "path",
            d=path,
            fill="none",
            stroke=look.get("color", "#4a86c5"),
            stroke_width=look.get("width", "4"),
            stroke_dasharray=dash,
            stroke_linecap=cap,
        )

    def draw_labels(self, placed: Mapping[int, list[Token]] | None = None) -> str:
        """The labels of hexes, at the top, or at the bottom where a piece faces upwards."""
        color = self.style.data.get("labels", "#8a8570")
        if color == "none":
            return ""
        flat = 0.74 if self.board.pointy else 0.66
        made = []
        for h in range(self.board.size):
            x, y = self.center(h)
            ahead = [token.facing for token in (placed or {}).get(h, ()) if token.facing is not None]
            up = any(180 < facing < 360 for facing in ahead)
            down = h in self.board.names or not up
            fill = self.grounds[h]["fill"]
            soft = distinct(color, fill) and not ahead and not self.grounds[h].get("rim")  # a rim lies below
            ink = color if soft else readable(fill)
            place = y + HEXSIDE * (-flat if down else flat)
            made.append(text_at(x, place, self.board.label(h), 8.5, ink, fill))
        return "\n".join(made)

    def draw_edges(self, placed: Mapping[int, list[Token]]) -> str:
        """What pieces have along the sides of their hexes, such as the arcs in front of them."""
        made = []
        for h, tokens in sorted(placed.items()):
            x, y = self.center(h)
            for token in tokens:
                for hexes, color, width in token.edges:
                    sides = [self.side(h, n) for n in hexes if n in self.board.neighbors[h]]
                    path = "".join(_inward(x, y, side) for side in sides if side is not None)
                    made.append(self.line(path, {"color": color, "width": width}))
        return "\n".join(part for part in made if part)

    def draw_names(self, hexes: Iterable[int], size: float, down: float = 0.53) -> str:
        """Names, their last line so far (in hexsides) below the middle of the hex."""
        made = []
        for h in hexes:
            x, y = self.center(h)
            lines = _broken(self.picture.wording.called(self.board.names[h]))
            start = y + HEXSIDE * down - (len(lines) - 1) * size
            for number, line in enumerate(lines):
                shown = _fitting(line, size, 1.9 * HEXSIDE)
                ink = self.style.data.get("names", "#222222")
                made.append(text_at(x, start + number * size * 1.05, line, shown, ink, "#fffdf4", "bold"))
        return "\n".join(made)

    def draw_flags(self, placed: Mapping[int, list[Token]]) -> str:
        """The flags of the sides, except where pieces of the side show whose the hex is."""
        made = []
        for h, side in self.picture.flags():
            if any(token.side == side for token in placed.get(h, ())):
                continue
            x, y = self.center(h)
            fill = self.side_fill(side)
            d = f"M{short(x - HEXSIDE * 0.64)},{short(y + HEXSIDE * 0.08)}v-19h13l-3.5,4.5l3.5,4.5h-13"
            made.append(
                tag(
                    "path",
                    d=d,
                    fill=fill,
                    stroke="#1b1b1b",
                    stroke_width="1.2",
                    stroke_linejoin="round",
                    stroke_linecap="round",
                )
            )
        return "\n".join(made)

    def draw_markers(self) -> str:
        """The markers that lie in hexes."""
        return drawn(self.picture, HEXSIDE, self.center, self.side_fill)

    # ------------------------------------------------------------------ the pieces

    def placements(self, placed: Mapping[int, list[Token]]) -> list[tuple[Token, float, float, float]]:
        """Where the counters lie: each with the place of its middle and its scale."""
        made = []
        for h, tokens in sorted(placed.items()):
            x, y = self.center(h)
            if h in self.board.names:
                y -= HEXSIDE * 0.04
            for token, (dx, dy, scale) in zip(tokens, _arranged(tokens), strict=True):
                made.append((token, x + dx * HEXSIDE, y + dy * HEXSIDE, scale))
        return made

    def draw_tokens(self, placed: Mapping[int, list[Token]]) -> str:
        return "\n".join(self.token(*one) for one in self.placements(placed))

    def token(self, token: Token, x: float, y: float, scale: float = 1.0) -> str:
        """A counter around a place."""
        s = token.size * HEXSIDE * scale
        half = s / 2
        ink = token.ink
        shown = tag("title", plain(self.picture.wording.called(token.name)))
        if token.shape == "round":
            shown += tag("circle", cx=1.5, cy=1.5, r=half, fill="#000000", fill_opacity="0.28")
            shown += tag("circle", cx=0, cy=0, r=half, fill=token.fill, stroke="#1b1b1b", stroke_width="1")
        else:
            shown += tag(
                "rect",
                x=-half + 1.8,
                y=-half + 1.8,
                width=s,
                height=s,
                rx=s * 0.09,
                fill="#000000",
                fill_opacity="0.28",
            )
            shown += tag(
                "rect",
                x=-half,
                y=-half,
                width=s,
                height=s,
                rx=s * 0.09,
                fill=token.fill,
                stroke="#1b1b1b",
                stroke_width="1",
            )
        if token.glyphs:
            if token.label:
                shown += text_at(
                    0, -s * 0.37, token.label, _fitting(token.label, s * 0.21, s * 0.92), ink, weight="bold"
                )
            wide, high = s * 0.5, s * 0.29
            inner = "".join(
                glyph(name, wide, high, token.glyph_fill, token.glyph_ink or ink) for name in token.glyphs
            )
            if FRAMED.intersection(token.glyphs):
                inner = (
                    tag(
                        "rect",
                        x=-wide / 2,
                        y=-high / 2,
                        width=wide,
                        height=high,
                        fill=token.glyph_fill or "none",
                        stroke=token.glyph_ink or ink,
                        stroke_width=max(1.0, high / 9),
                    )
                    + inner
                )
            shown += tag("g", inner, transform=f"translate(0 {short(-s * 0.08)})")
            if token.figures:
                shown += text_at(
                    0, s * 0.3, token.figures, _fitting(token.figures, s * 0.33, s * 0.92), ink, weight="bold"
                )
        elif token.figures:
            shown += text_at(
                0, -s * 0.18, token.label, _fitting(token.label, s * 0.36, s * 0.9), ink, weight="bold"
            )
            shown += text_at(
                0, s * 0.25, token.figures, _fitting(token.figures, s * 0.34, s * 0.9), ink, weight="bold"
            )
        else:
            room = s * (0.74 if token.shape == "round" else 0.9)
            shown += text_at(0, 0, token.label, _fitting(token.label, s * 0.42, room), ink, weight="bold")
        if token.facing is not None:
            vertex = (token.facing % 60 == 30) == self.board.pointy
            tip = HEXSIDE * scale * (0.97 if vertex else 0.84)
            arrow = points([(tip, 0), (tip - 12 * scale, -4.5 * scale), (tip - 12 * scale, 4.5 * scale)])
            shown += tag(
                "polygon",
                points=arrow,
                fill="#1b1b1b",
                stroke="white",
                stroke_width="1",
                transform=f"rotate({token.facing})",
            )
        spots = ((1, 0.84), (-1, 0.84), (1, 0.1), (-1, 0.1), (1, -0.64), (-1, -0.64))
        for (text, color), (across, down) in zip(token.marks, spots, strict=False):
            place = {"cx": across * (half - s * 0.06), "cy": down * half}
            shown += tag("circle", r=s * 0.16, fill=color, stroke="white", stroke_width="1", **place)
            size = s * (0.21 if len(text) < 2 else 0.16)
            shown += text_at(place["cx"], place["cy"], text, size, readable(color), weight="bold")
        return tag("g", shown, transform=f"translate({short(x)} {short(y)})")

    # ------------------------------------------------------------------ below the board

    def draw_told(self, told: Told) -> tuple[str, float]:
        """What each side has, in a line of its colour, and what else there is."""
        made: list[str] = []
        y = 8.0
        wide = max((7.6 * len(name) for name in told.sides), default=0.0) + 26
        for side, name in enumerate(told.sides if told.rows else ()):
            made.append(tag("rect", x=0, y=y - 6, width=14, height=12, rx=2, fill=self.side_fill(side)))
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
            if lines and indent + 6.6 * (len(lines[-1]) + len(text) + 3) <= self.width:
                lines[-1] += f" · {text}"
            else:
                lines.append(text)
        for line in lines:
            made.append(text_at(indent, y, line, 12, "#333333", anchor="start"))
            y += 17
        return y + 1

    def key_entries(self) -> list[tuple[str, str]]:
        """What the colours and lines on the board stand for: wording, and a swatch around its middle."""
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
        for section, pairs in (("hexsides", self.picture.hexsides), ("borders", self.picture.borders)):
            for name, look in self.style.part(section).items():
                if pairs(name):
                    text = self.picture.wording.called(look.get("label", name.replace("_", " ")))
                    entries.append((text, self.line("M-14,0L14,0", look)))
        for _, marker in declared(self.picture):
            entries.append((marker.told, shape(marker, marker.color or self.side_fill(0), 0.0, 0.0)))
        return entries

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
            if x and x + wide > self.width:
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
        made, x, y = [], 0.0, 0.0
        room = 1.38 * HEXSIDE
        for (side, text), tokens in sorted(groups.items()):
            title = text or words_in(self.picture.wording.language)("off the board")
            wide = max(len(tokens) * room + 12, 7.2 * len(title) + 20)
            if x and x + wide > self.width:
                x, y = 0.0, y + room + 34
            wide = min(wide, self.width)
            per_line = max(1, int((wide - 12) // room))
            lines = -(-len(tokens) // per_line)
            color = self.side_fill(side)
            made.append(
                tag(
                    "rect",
                    x=x,
                    y=y,
                    width=wide,
                    height=lines * room + 24,
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
            y += (lines - 1) * room
        return "\n".join(made), y + room + 24 + _MARGIN


def _arranged(tokens: list[Token]) -> list[tuple[float, float, float]]:
    """Where the counters on one hex lie, in hexsides from its middle, and their scales: small ones at the
    upper right and below it.
    """
    large = [token for token in tokens if token.size >= SMALL]
    spots = _SPOTS.get(len(large))
    nudge = 0.1 if 0 < len(large) < len(tokens) else 0.0
    places: list[tuple[float, float, float]] = []
    at = beside = 0
    for token in tokens:
        if token.size < SMALL:
            alone = not large and len(tokens) == 1
            places.append((0.0, 0.0, 1.0) if alone else (0.5, -0.46 + 0.52 * beside, 1.0))
            beside += 1
        elif spots is not None:
            places.append((spots[at][0] - nudge, spots[at][1] + nudge, spots[at][2]))
            at += 1
        else:
            lift = (at - (len(large) - 1) / 2) * 0.7 / len(large)
            places.append((lift, -lift, 0.8))
            at += 1
    return places


def _inward(x: float, y: float, side: tuple[Point, Point]) -> str:
    """A path along a side of the hex around a place, a little inside."""
    ends = [(x + (px - x) * 0.82, y + (py - y) * 0.82) for px, py in side]
    return f"M{short(ends[0][0])},{short(ends[0][1])}L{short(ends[1][0])},{short(ends[1][1])}"


def _fitting(text: str, size: float, room: float) -> float:
    """The size at which a bold text fits."""
    return min(size, room / (0.68 * max(1, len(text))))


def _broken(name: str) -> list[str]:
    """A name in lines that fit a hex."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + 1 + len(word) <= 9:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
