"""The board of a drawing: hexes, hexsides, labels, names, flags, figures and markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import cos, hypot, pi, sin
from typing import Any, Final

from grognard.draw.colors import distinct, legible
from grognard.draw.edges import LINE, Area, areas, ways
from grognard.draw.picture import Marker, Picture
from grognard.draw.svg.counters import HEXSIDE, fitting_size
from grognard.draw.svg.xml import Point, at, coord, lines_along, points, tag, text_at
from grognard.draw.tokens import Token

#: What lies around names and figures.
_HALO = "#fffdf4"
#: How far a map of one's own goes beyond the hexes.
_AROUND = 10.0
#: Patterns that are mirrored in some hexes.
_FLIPPED = ("trees", "reeds", "dots", "waves")


class GroundPainter:
    """The board in the making, without its pieces."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.board = picture.board
        self.style = picture.style
        self.defined: dict[tuple[str, str], str] = {}
        #: pictures of one's own that counters have, with their addresses
        self.pictures: dict[str, str] = {}
        centers = [self.board.center(h) for h in range(self.board.size)]
        reach_x, reach_y = (0.87, 1.0) if self.board.pointy else (1.0, 0.87)
        self.left = min(x for x, _ in centers) - reach_x
        self.top = min(y for _, y in centers) - reach_y
        self.width = (max(x for x, _ in centers) + reach_x - self.left) * HEXSIDE
        self.height = (max(y for _, y in centers) + reach_y - self.top) * HEXSIDE
        self._centers = [((x - self.left) * HEXSIDE, (y - self.top) * HEXSIDE) for x, y in centers]
        middles = {self.board.label(h): self.center(h) for h in range(self.board.size)}
        art = self.style.art
        #: where a map of one's own lies
        self.map = art.transform(middles) if art is not None else None
        self.refresh()

    def refresh(self) -> None:
        """Look at the ground again, when the picture shows another position."""
        self.grounds = [
            self.picture.ground(h, self.map is not None) for h in range(self.board.size)
        ]

    def is_printed(self, name: str) -> bool:
        """Whether a field of Hex stands on the map: on one of one's own what never changes."""
        field = self.picture.fields.get(("Hex", name))
        return self.map is not None and field is not None and field.fixed

    # ------------------------------------------------------------------ places

    def center(self, h: int) -> Point:
        """The middle of a hex in the drawing."""
        return self._centers[h]

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

    def side_of(self, h: int, direction: int) -> tuple[Point, Point]:
        """The ends of a side of a hex, whatever lies behind it."""
        (x, y), corners = self.center(h), self.corners()
        first = direction + (1 if self.board.pointy else 4)
        (ax, ay), (bx, by) = corners[first % 6], corners[(first + 1) % 6]
        return (x + ax, y + ay), (x + bx, y + by)

    def path(self, pairs: Iterable[tuple[int, int]]) -> str:
        """A path along the sides between pairs of hexes."""
        return lines_along(side for a, b in pairs if (side := self.side(a, b)) is not None)

    # ------------------------------------------------------------------ looks

    def line(self, path: str, look: Mapping[str, Any]) -> str:
        """A line in its look."""
        if not path:
            return ""
        dash = look.get("dash")
        return tag(
            "path",
            d=path,
            fill="none",
            stroke=look.get("color", LINE),
            stroke_width=look.get("width", "4"),
            stroke_dasharray=dash,
            stroke_linecap="butt" if dash else "round",
        )

    def way(self, path: str, look: Mapping[str, Any]) -> str:
        """A line through hexes: with a rim, on a wider one."""
        width = float(look.get("width", "5"))
        line = self.line(path, {**look, "width": width})
        if "rim" not in look:
            return line
        return self.line(path, {"color": look["rim"], "width": width + 2.5}) + line

    def pattern(self, pattern: str, ink: str) -> str:
        """The name under which a pattern is defined."""
        return self.defined.setdefault((pattern, ink), f"ground{len(self.defined)}")

    # ------------------------------------------------------------------ the ground

    def draw_grounds(self) -> str:
        """The hexes with their patterns and rims; on a map of one's own those that change."""
        drawn = [self.draw_map()]
        drawn.append('<g stroke="#8c8672" stroke-opacity="0.55" stroke-width="1">')
        for h, look in enumerate(self.grounds):
            x, y = self.center(h)
            if self.map is None:
                drawn.append(tag("use", href="#hex", x=x, y=y, fill=look["fill"]))
            elif "fill" in look:
                shade = {"fill": look["fill"], "fill_opacity": "0.45"}
                drawn.append(tag("use", href="#hex", x=x, y=y, **shade))
        drawn.append("</g>")
        for h, look in enumerate(self.grounds):
            for patterns, ink in look.get("patterns", ()):
                for pattern in patterns.split():
                    name = self.pattern(pattern, ink)
                    flip = " scale(-1 1)" if pattern in _FLIPPED and h * 7 % 3 == 0 else ""
                    drawn.append(tag("use", href=f"#{name}", transform=at(*self.center(h)) + flip))
        for h, look in enumerate(self.grounds):
            if "rim" in look:
                x, y = self.center(h)
                shape = points((x + dx, y + dy) for dx, dy in self.corners(0.92))
                drawn.append(
                    tag("polygon", points=shape, fill="none", stroke=look["rim"], stroke_width=3)
                )
        return "\n".join(part for part in drawn if part)

    def draw_map(self) -> str:
        """The map of one's own, as far as the board goes."""
        art = self.style.art
        if art is None or art.map is None or self.map is None:
            return ""
        matrix = ",".join(f"{number:.5f}" for number in self.map)
        image = tag(
            "image",
            href=art.address(art.map.file),
            width=art.map.width,
            height=art.map.height,
            transform=f"matrix({matrix})",
        )
        edge = {"x": -_AROUND, "y": -_AROUND}
        size = {"width": self.width + 2 * _AROUND, "height": self.height + 2 * _AROUND}
        box = " ".join(coord(n) for n in (*edge.values(), *size.values()))
        return tag("svg", image, **edge, **size, viewBox=box)

    def draw_lines(self) -> str:
        """Areas, ways, joins, and what runs along hexsides."""
        picture, drawn = self.picture, [self.draw_areas()]
        for name, look in self._drawn_lines("ways"):
            ends = ((self.center(a), self.center(b)) for a, b in ways(picture, name))
            drawn.append(self.way(lines_along(ends), look))
        hexsides = [(look, picture.hexsides(n)) for n, look in self._drawn_lines("hexsides")]
        looks = {pair: look for look, pairs in hexsides for pair in pairs}
        for a, b in self.board.joins if self.map is None else ():
            i, j = self.board.index(a), self.board.index(b)
            if self.side(i, j) is not None:
                continue
            path = lines_along([(self.center(i), self.center(j))])
            own = looks.get((min(i, j), max(i, j)))
            if own is not None:
                drawn.append(self.line(path, own))
            else:
                dots = {"stroke_dasharray": "2 6", "stroke_linecap": "round"}
                drawn.append(tag("path", d=path, stroke="#6b6b6b", stroke_width=2, **dots))
        drawn += [self.line(self.path(pairs), look) for look, pairs in hexsides]
        for name, look in self._drawn_lines("borders"):
            drawn.append(self.line(self.path(picture.borders(name)), look))
        return "\n".join(part for part in drawn if part)

    def _drawn_lines(self, section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The lines of a section that do not stand on the map anyway."""
        for name, look in self.style.part(section).items():
            if not self.is_printed(name):
                yield name, look

    def draw_areas(self) -> str:
        """Areas: without the sides within them, with their outlines and names."""
        if self.map is not None:
            return ""
        drawn = []
        for area in areas(self.picture):
            sides = [(h, self.side_of(h, d), out) for h, d, out in area.sides(self.board)]
            for h, ends, out in sides:
                if not out:
                    look = {"color": self.grounds[h]["fill"], "width": 2.5}
                    drawn.append(self.line(lines_along([ends]), look))
            outline = lines_along(ends for _, ends, out in sides if out)
            drawn += [self.line(outline, {"width": "2.5", **area.look}), self._area_name(area)]
        return "\n".join(part for part in drawn if part)

    def _area_name(self, area: Area) -> str:
        """The name of an area in the middle of the row in which most of its hexes lie; none where
        one of its hexes bears a name anyway.
        """
        if not area.name or any(h in self.board.names for h in area.hexes):
            return ""
        rows: dict[float, list[float]] = {}
        for x, y in map(self.center, area.hexes):
            rows.setdefault(y, []).append(x)
        y, xs = max(rows.items(), key=lambda row: len(row[1]))
        name, ink = (
            self.picture.wording.display_name(area.name),
            self.style.data.get("names", "#222222"),
        )
        return tag("g", text_at(sum(xs) / len(xs), y, name, 11.0, ink, _HALO, "bold"))

    def draw_labels(self, placed: Mapping[int, list[Token]]) -> str:
        """The labels of hexes, at the top, or at the bottom where a piece faces upwards."""
        color = self.style.data.get("labels", "#8a8570")
        if color == "none" or self.map is not None:
            return ""
        flat = 0.74 if self.board.pointy else 0.66
        named = {h for area in areas(self.picture) if area.name for h in area.hexes}
        drawn = []
        for h in (h for h in range(self.board.size) if h not in named):
            x, y = self.center(h)
            ahead = [token.facing for token in placed.get(h, ()) if token.facing is not None]
            up = any(180 < facing < 360 for facing in ahead)
            down = h in self.board.names or not up
            fill = self.grounds[h]["fill"]
            # a rim lies below
            soft = distinct(color, fill) and not ahead and not self.grounds[h].get("rim")
            place = y + HEXSIDE * (-flat if down else flat)
            ink = color if soft else legible(fill)
            drawn.append(text_at(x, place, self.board.label(h), 8.5, ink, fill))
        return "\n".join(drawn)

    def draw_edges(self, placed: Mapping[int, list[Token]]) -> str:
        """What pieces have along the sides of their hexes, such as the arcs in front of them."""
        drawn = []
        for h, tokens in sorted(placed.items()):
            for hexes, color, width in (edge for token in tokens for edge in token.edges):
                x, y = self.center(h)
                sides = [self.side(h, n) for n in hexes if n in self.board.neighbors[h]]
                path = lines_along(_moved_inward(x, y, side) for side in sides if side is not None)
                drawn.append(self.line(path, {"color": color, "width": width}))
        return "\n".join(part for part in drawn if part)

    def draw_names(self, hexes: Iterable[int], size: float, down: float = 0.53) -> str:
        """Names, their last line so far (in hexsides) below the middle of the hex."""
        ink, drawn = self.style.data.get("names", "#222222"), []
        for h in hexes if self.map is None else ():
            x, y = self.center(h)
            lines = _broken_name(self.picture.wording.display_name(self.board.names[h]))
            start = y + HEXSIDE * down - (len(lines) - 1) * size
            for number, line in enumerate(lines):
                fits = fitting_size(line, size, 1.9 * HEXSIDE)
                place = start + number * size * 1.05
                drawn.append(text_at(x, place, line, fits, ink, _HALO, "bold"))
        return "\n".join(drawn)

    def draw_flags(self, placed: Collection[int]) -> str:
        """Figures in hexes, above the pieces where there are some, and the flags of the sides,
        beside counters at the upper left.
        """
        figures = []
        for h, text in self.picture.figures().items():
            x, y = self.center(h)
            called = self.picture.wording.display_name(self.board.names.get(h, ""))
            room = (
                0.3 * (len(_broken_name(called)) - 1) if called else 0.0
            )  # above a name of two lines
            up, size = (0.62, 8.5) if h in placed else (room, 12.5)
            figures.append(text_at(x, y - HEXSIDE * up, text, size, "#1b1b1b", _HALO, "bold"))
        drawn = ["\n".join(figures)]
        for h, side in self.picture.flags():
            x, y = self.center(h)
            across, down = (0.82, -0.2) if h in placed else (0.64, 0.08)
            fill = self.picture.side_fill(side)
            drawn.append(flag_at(x - HEXSIDE * across, y + HEXSIDE * down, fill, side))
        return "\n".join(drawn)

    def draw_markers(self) -> str:
        """The markers that lie in hexes, one above the other at their right sides."""
        drawn, count = [], Counter[int]()
        for marker in self.picture.markers():
            x, y = self.center(marker.hex)
            fill = marker.color or self.picture.side_fill(marker.side)
            down = 0.36 - 0.34 * count[marker.hex]
            drawn.append(marker_at(marker, fill, x + HEXSIDE * 0.6, y + HEXSIDE * down))
            count[marker.hex] += 1
        return "\n".join(drawn)


def marker_at(marker: Marker, fill: str, x: float, y: float) -> str:
    """A marker around a place."""
    circle = tag("circle", cx=x, cy=y, r=7.5, fill=fill, stroke="white", stroke_width="1.2")
    return circle + text_at(x, y, marker.text, 8.5, legible(fill), weight="bold")


#: What flags are cut to, by sides.
_CUTS: Final = ("h13l-3.5,4.5l3.5,4.5h-13", "h13v9h-13", "l13,4.5l-13,4.5", "h9l4,4.5l-4,4.5h-9")


def flag_at(x: float, y: float, fill: str, side: int) -> str:
    """The flag of a side, whose pole stands at a place."""
    path = f"M{coord(x)},{coord(y)}v-19{_CUTS[side % len(_CUTS)]}"
    line = {"stroke_width": "1.2", "stroke_linejoin": "round", "stroke_linecap": "round"}
    return tag("path", d=path, fill=fill, stroke="#1b1b1b", **line)


def _moved_inward(x: float, y: float, side: tuple[Point, Point]) -> tuple[Point, Point]:
    """A side of the hex around a place, moved a little inside."""
    (ax, ay), (bx, by) = side
    return (
        (x + (ax - x) * 0.82, y + (ay - y) * 0.82),
        (x + (bx - x) * 0.82, y + (by - y) * 0.82),
    )


def _broken_name(name: str) -> list[str]:
    """A name in lines that fit a hex."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + 1 + len(word) <= 9:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
