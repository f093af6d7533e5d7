"""The board of a drawing: hexes, hexsides, labels, names, flags and markers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, hypot, pi, sin
from typing import Any

from grognard.draw.areas import areas, name_drawn, unlabelled, ways
from grognard.draw.colors import distinct, readable
from grognard.draw.figures import drawn_figures
from grognard.draw.markers import drawn
from grognard.draw.picture import SIDE_FILLS, Picture, Token
from grognard.draw.svg.counters import HEXSIDE, fitting
from grognard.draw.xml import Point, points, short, tag, text_at


class Ground:
    """The board in the making, without its pieces."""

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

    # ------------------------------------------------------------------ places

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
        return _along(ends)

    # ------------------------------------------------------------------ looks

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

    def way(self, path: str, look: Mapping[str, Any]) -> str:
        """A line through hexes: with a rim, on a wider one."""
        width = float(look.get("width", "5"))
        under = {"color": look["rim"], "width": width + 2.5} if "rim" in look else None
        return (self.line(path, under) if under else "") + self.line(path, {**look, "width": width})

    def side_of(self, h: int, direction: int) -> tuple[Point, Point]:
        """The ends of a side of a hex, whatever lies behind it."""
        (x, y), corners = self.center(h), self.corners()
        first = direction + (1 if self.board.pointy else 4)
        (ax, ay), (bx, by) = corners[first % 6], corners[(first + 1) % 6]
        return (x + ax, y + ay), (x + bx, y + by)

    def draw_areas(self) -> str:
        """Areas: without the sides within them, with their outlines and names."""
        made, ink = [], self.style.data.get("names", "#222222")
        for area in areas(self.picture):
            sides = [(h, self.side_of(h, d), out) for h, d, out in area.sides(self.picture)]
            for h, ends, out in sides:
                if not out:
                    made.append(
                        self.line(_along([ends]), {"color": self.grounds[h]["fill"], "width": 2.5})
                    )
            made.append(
                self.line(
                    _along(ends for _, ends, out in sides if out), {"width": "2.5", **area.look}
                )
            )
            made.append(name_drawn(self.picture, area, self.center, ink))
        return "\n".join(part for part in made if part)

    def draw_ways(self) -> str:
        """What leads through hexes, from middle to middle."""
        made = []
        for name, look in self.style.part("ways").items():
            ends = ((self.center(a), self.center(b)) for a, b in ways(self.picture, name))
            made.append(self.way(_along(ends), look))
        return "\n".join(part for part in made if part)

    def side_fill(self, side: int) -> str:
        """The colour of a side."""
        plain_fill = SIDE_FILLS[side % len(SIDE_FILLS)]
        name = self.picture.spec.sides[side] if side >= 0 else ""
        return str(self.style.part("sides", name).get("fill", plain_fill))

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
                        tag(
                            "use",
                            href=f"#{name}",
                            transform=f"translate({short(x)} {short(y)}){flip}",
                        )
                    )
        for h, look in enumerate(self.grounds):
            if "rim" in look:
                x, y = self.center(h)
                shape = points((x + dx, y + dy) for dx, dy in self.corners(0.92))
                made.append(
                    tag("polygon", points=shape, fill="none", stroke=look["rim"], stroke_width=3)
                )
        return "\n".join(made)

    def draw_lines(self) -> str:
        made = [self.draw_areas(), self.draw_ways()]
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

    def draw_labels(self, placed: Mapping[int, list[Token]] | None = None) -> str:
        """The labels of hexes, at the top, or at the bottom where a piece faces upwards."""
        color = self.style.data.get("labels", "#8a8570")
        if color == "none":
            return ""
        flat = 0.74 if self.board.pointy else 0.66
        made, plain = [], unlabelled(areas(self.picture))
        for h in range(self.board.size):
            if h in plain:
                continue
            x, y = self.center(h)
            ahead = [
                token.facing for token in (placed or {}).get(h, ()) if token.facing is not None
            ]
            up = any(180 < facing < 360 for facing in ahead)
            down = h in self.board.names or not up
            fill = self.grounds[h]["fill"]
            soft = (
                distinct(color, fill) and not ahead and not self.grounds[h].get("rim")
            )  # a rim lies below
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
                shown = fitting(line, size, 1.9 * HEXSIDE)
                ink = self.style.data.get("names", "#222222")
                made.append(
                    text_at(x, start + number * size * 1.05, line, shown, ink, "#fffdf4", "bold")
                )
        return "\n".join(made)

    def draw_flags(self, placed: Mapping[int, list[Token]]) -> str:
        """Figures in hexes, and the flags of the sides, beside counters at the upper left."""
        made = [drawn_figures(self.picture, HEXSIDE, self.center, placed)]
        for h, side in self.picture.flags():
            x, y = self.center(h)
            across, down = (0.82, -0.2) if h in placed else (0.64, 0.08)
            made.append(flag_at(x - HEXSIDE * across, y + HEXSIDE * down, self.side_fill(side)))
        return "\n".join(made)

    def draw_markers(self) -> str:
        """The markers that lie in hexes."""
        return drawn(self.picture, HEXSIDE, self.center, self.side_fill)


def flag_at(x: float, y: float, fill: str) -> str:
    """A flag whose pole stands at a place."""
    return tag(
        "path",
        d=f"M{short(x)},{short(y)}v-19h13l-3.5,4.5l3.5,4.5h-13",
        fill=fill,
        stroke="#1b1b1b",
        stroke_width="1.2",
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def _along(ends: Iterable[tuple[Point, Point]]) -> str:
    """A path of lines."""
    return "".join(f"M{short(p[0])},{short(p[1])}L{short(q[0])},{short(q[1])}" for p, q in ends)


def _inward(x: float, y: float, side: tuple[Point, Point]) -> str:
    """A path along a side of the hex around a place, a little inside."""
    ends = [(x + (px - x) * 0.82, y + (py - y) * 0.82) for px, py in side]
    return f"M{short(ends[0][0])},{short(ends[0][1])}L{short(ends[1][0])},{short(ends[1][1])}"


def _broken(name: str) -> list[str]:
    """A name in lines that fit a hex."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + 1 + len(word) <= 9:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
