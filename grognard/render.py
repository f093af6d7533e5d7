"""Boards drawn as SVG: hexes, hexsides, names, pieces as counters, and a key.

Everything about looks comes from :class:`grognard.style.Scene`; the drawing is the same bytes for the same
position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import cos, hypot, pi, sin
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from grognard.style import SIDE_FILLS, Scene, Token

#: The length of a hexside, in units of the drawing.
HEXSIDE: Final = 36.0
_MARGIN: Final = 24.0
_FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: Counters of less than this size lie beside the others on their hex.
_SMALL: Final = 0.8
#: Where so many counters lie on one hex: offset in hexsides, and scale.
_SPOTS: Final[dict[int, tuple[tuple[float, float, float], ...]]] = {
    1: ((0.0, 0.0, 1.0),),
    2: ((-0.42, 0.0, 0.74), (0.42, 0.0, 0.74)),
    3: ((-0.36, -0.34, 0.6), (0.36, -0.34, 0.6), (0.0, 0.36, 0.6)),
    4: ((-0.36, -0.36, 0.6), (0.36, -0.36, 0.6), (-0.36, 0.36, 0.6), (0.36, 0.36, 0.6)),
}

_Point = tuple[float, float]


def render(scene: Scene, title: str = "", caption: str = "") -> str:
    """The SVG document of a position."""
    return _Drawing(scene).document(title, caption)


def _n(value: float) -> str:
    """A number, short."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def _points(points: Iterable[_Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _tag(name: str, inner: str | None = None, /, **attributes: object) -> str:
    """An element; underscores in names of attributes stand for hyphens, attributes that are None are left
    out.
    """
    text = ""
    for key, value in attributes.items():
        if value is not None and value != "":
            shown = _n(value) if isinstance(value, float) else str(value)
            text += f" {key.strip('_').replace('_', '-')}={quoteattr(shown)}"
    return f"<{name}{text}/>" if inner is None else f"<{name}{text}>{inner}</{name}>"


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    color: str,
    halo: str = "",
    weight: str = "",
    anchor: str = "middle",
) -> str:
    """A line of text whose middle is at the place; with a halo where it lies over other things."""
    shown = escape(_NOT_XML.sub("�", text))
    y += size * 0.36
    options = {"x": x, "y": y, "font_size": size, "text_anchor": anchor, "font_weight": weight}
    front = _tag("text", shown, fill=color, **options)
    if not halo:
        return front
    width = size * 0.28
    return (
        _tag(
            "text",
            shown,
            fill=halo,
            stroke=halo,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_opacity="0.85",
            **options,
        )
        + front
    )


# ---------------------------------------------------------------------- patterns, in hexsides around the
# middle of a hex


def _trees(ink: str) -> str:
    places = (
        (-0.42, -0.3),
        (0.05, -0.48),
        (0.45, -0.2),
        (-0.2, 0.12),
        (-0.55, 0.3),
        (0.28, 0.3),
        (-0.05, 0.55),
        (0.6, 0.12),
    )
    made = ""
    for x, y in places:
        made += _tag(
            "path", d=f"M{x:.2f},{y - 0.17:.2f}l.12,.2h-.24z M{x:.2f},{y - 0.06:.2f}l.14,.2h-.28z", fill=ink
        )
    return made


def _reeds(ink: str) -> str:
    made = ""
    for x, y in ((-0.35, -0.35), (0.32, -0.38), (-0.02, -0.02), (-0.5, 0.2), (0.5, 0.16), (0.0, 0.5)):
        made += f"M{x - 0.2:.2f},{y:.2f}h.4M{x:.2f},{y:.2f}v-.17"
        made += f"M{x - 0.09:.2f},{y:.2f}l-.05,-.12M{x + 0.09:.2f},{y:.2f}l.05,-.12"
    return _tag("path", d=made, stroke=ink, stroke_width=".045", fill="none", stroke_linecap="round")


def _peaks(ink: str) -> str:
    made = ""
    for x, y, s in ((-0.3, -0.05, 0.36), (0.3, 0.0, 0.32), (-0.02, 0.42, 0.3), (0.02, -0.42, 0.24)):
        made += _tag(
            "path",
            d=f"M{x - s:.2f},{y + s * 0.6:.2f}L{x:.2f},{y - s * 0.6:.2f}L{x + s:.2f},{y + s * 0.6:.2f}",
            fill="none",
            stroke=ink,
            stroke_width=".06",
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        made += _tag(
            "path",
            d=f"M{x:.2f},{y - s * 0.6:.2f}L{x + s:.2f},{y + s * 0.6:.2f}h-{s * 0.75:.2f}z",
            fill=ink,
            fill_opacity=".45",
        )
    return made


def _hills(ink: str) -> str:
    made = "".join(
        f"M{x - 0.26:.2f},{y:.2f}q.26,-.34 .52,0" for x, y in ((-0.28, -0.1), (0.3, -0.2), (0.02, 0.3))
    )
    return _tag("path", d=made, fill="none", stroke=ink, stroke_width=".06", stroke_linecap="round")


def _houses(ink: str) -> str:
    made = ""
    for x, y, w, h in (
        (-0.36, -0.18, 0.26, 0.2),
        (-0.03, -0.36, 0.36, 0.28),
        (-0.26, 0.06, 0.26, 0.2),
        (0.06, 0.0, 0.3, 0.26),
        (0.38, -0.18, 0.16, 0.3),
        (-0.48, 0.06, 0.16, 0.16),
    ):
        made += _tag("rect", x=f"{x:.2f}", y=f"{y:.2f}", width=w, height=f"{h:.2f}", fill=ink)
    return made


def _waves(ink: str) -> str:
    made = "".join(
        f"M{x:.2f},{y:.2f}q.1,-.12 .2,0t.2,0t.2,0"
        for x, y in ((-0.5, -0.3), (-0.05, -0.05), (-0.55, 0.2), (-0.1, 0.45))
    )
    return _tag("path", d=made, fill="none", stroke=ink, stroke_width=".05", stroke_linecap="round")


def _dots(ink: str) -> str:
    return "".join(
        _tag("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=".05", fill=ink)
        for x, y in (
            (-0.4, -0.3),
            (0.1, -0.45),
            (0.45, -0.1),
            (-0.1, 0.05),
            (-0.5, 0.25),
            (0.3, 0.35),
            (-0.1, 0.55),
        )
    )


def _derrick(ink: str) -> str:
    lines = (
        "M-.16,.26L0,-.3L.16,.26M-.11,.1H.11M-.06,-.08H.06M-.16,.26L.11,.1L-.06,-.08M.16,.26L-.11,.1L.06,-.08"
    )
    return _tag(
        "path",
        d=lines,
        fill="none",
        stroke=ink,
        stroke_width=".05",
        stroke_linejoin="round",
        transform="translate(.42,.1)",
    )


def _bridge(ink: str) -> str:
    return _tag(
        "path",
        d="M-.6,-.14H.6M-.6,.14H.6M-.4,-.14V.14M0,-.14V.14M.4,-.14V.14",
        fill="none",
        stroke=ink,
        stroke_width=".07",
    )


_PATTERNS = {
    "trees": _trees,
    "reeds": _reeds,
    "peaks": _peaks,
    "hills": _hills,
    "houses": _houses,
    "waves": _waves,
    "dots": _dots,
    "derrick": _derrick,
    "bridge": _bridge,
}


def _glyph(name: str, w: float, h: float, fill: str, ink: str) -> str:
    """A glyph around the origin, within *w* by *h*."""
    x, y, thick = w / 2, h / 2, max(1.0, h / 9)
    line = {"fill": "none", "stroke": ink, "stroke_width": thick}
    solid = {"fill": fill or ink, "stroke": ink, "stroke_width": thick / 2}
    radius = min(x, y)
    match name:
        case "cross":
            return _tag(
                "path", d=f"M{_n(-x)},{_n(-y)}L{_n(x)},{_n(y)}M{_n(-x)},{_n(y)}L{_n(x)},{_n(-y)}", **line
            )
        case "slash":
            return _tag("path", d=f"M{_n(-x)},{_n(y)}L{_n(x)},{_n(-y)}", **line)
        case "oval":
            return _tag(
                "rect", x=-x * 0.72, y=-y * 0.55, width=w * 0.72, height=h * 0.55, rx=y * 0.55, **line
            )
        case "dot":
            return _tag("circle", cx=0, cy=0, r=radius * 0.35, fill=ink)
        case "circle":
            return _tag("circle", cx=0, cy=0, r=radius, **solid)
        case "triangle":
            return _tag(
                "polygon",
                points=_points([(-radius, radius * 0.8), (0, -radius), (radius, radius * 0.8)]),
                **solid,
            )
        case "square":
            return _tag(
                "rect", x=-radius * 0.9, y=-radius * 0.9, width=radius * 1.8, height=radius * 1.8, **solid
            )
        case "diamond":
            return _tag(
                "polygon", points=_points([(-radius, 0), (0, -radius), (radius, 0), (0, radius)]), **solid
            )
        case "bastion":
            top, deep, tooth, notch = -y * 0.6, y * 0.6, x * 0.4, y * 0.5
            crown = f"h{_n(tooth)}v{_n(notch)}h{_n(2 * tooth)}v{_n(-notch)}h{_n(tooth)}"
            d = f"M{_n(-x * 0.8)},{_n(deep)}V{_n(top)}{crown}V{_n(deep)}z"
            return _tag("path", d=d, **line)
        case "star":
            tips = [(radius * (1 if k % 2 == 0 else 0.42), -pi / 2 + k * pi / 5) for k in range(10)]
            return _tag("polygon", points=_points([(r * cos(a), r * sin(a)) for r, a in tips]), **solid)
    return ""


#: Glyphs that need a frame around them.
_FRAMED = frozenset(("cross", "slash", "oval", "dot", "bastion"))


class _Drawing:
    """One drawing in the making."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.board = scene.board
        self.style = scene.style
        self.defined: dict[tuple[str, str], str] = {}
        centers = [self.board.center(h) for h in range(self.board.size)]
        reach_x, reach_y = (0.87, 1.0) if self.board.pointy else (1.0, 0.87)
        self.left = min(x for x, _ in centers) - reach_x
        self.top = min(y for _, y in centers) - reach_y
        self.width = (max(x for x, _ in centers) + reach_x - self.left) * HEXSIDE
        self.height = (max(y for _, y in centers) + reach_y - self.top) * HEXSIDE
        self.grounds = [scene.ground(h) for h in range(self.board.size)]

    def center(self, h: int) -> _Point:
        """The middle of a hex in the drawing."""
        x, y = self.board.center(h)
        return (x - self.left) * HEXSIDE, (y - self.top) * HEXSIDE

    def corners(self, size: float = 1.0) -> list[_Point]:
        """The corners of a hex around its middle."""
        turn = -pi / 2 if self.board.pointy else 0.0
        return [
            (HEXSIDE * size * cos(turn + k * pi / 3), HEXSIDE * size * sin(turn + k * pi / 3))
            for k in range(6)
        ]

    # ------------------------------------------------------------------ the whole

    def document(self, title: str, caption: str) -> str:
        head = 46.0 if title else 0.0
        placed, tray = self.scene.tokens()
        ground, lines, labels = self.draw_grounds(), self.draw_lines(), self.draw_labels()
        empty = [h for h in sorted(self.board.names) if h not in placed]
        taken = [h for h in sorted(self.board.names) if h in placed]
        counters = self.draw_tokens(placed)
        key, key_height = self.draw_key()
        below, tray_height = self.draw_tray(tray)
        width = self.width + 2 * _MARGIN
        foot = self.height + 2 * _MARGIN
        height = head + foot + key_height + tray_height
        sea = self.style.data.get("background", "#e9edf0")
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}"'
            f' viewBox="0 0 {_n(width)} {_n(height)}" font-family="{_FONT}">',
            _tag("title", escape(_NOT_XML.sub("�", title or self.board.name))),
            _tag("defs", "\n" + "\n".join(self.defs()) + "\n"),
            _tag("rect", x=0, y=0, width=width, height=height, fill="#f7f4ec"),
        ]
        if title:
            parts.append(_text(_MARGIN, 25, title, 21, "#222222", weight="bold", anchor="start"))
            if caption:
                parts.append(_text(width - _MARGIN, 27, caption, 13, "#555555", anchor="end"))
        parts += [
            f'<g transform="translate({_n(_MARGIN)} {_n(head + _MARGIN / 2)})">',
            _tag(
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
            labels,
            self.draw_names(empty, 11.0),
            counters,
            self.draw_names(taken, 9.5),
            self.draw_flags(placed),
            "</g>",
            f'<g transform="translate({_n(_MARGIN)} {_n(head + foot)})">{key}</g>',
            f'<g transform="translate({_n(_MARGIN)} {_n(head + foot + key_height)})">{below}</g>',
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def defs(self) -> list[str]:
        """What is used again and again."""
        made = [_tag("polygon", id="hex", points=_points(self.corners()))]
        for (pattern, ink), name in self.defined.items():
            made.append(_tag("g", _PATTERNS[pattern](ink), id=name, transform=f"scale({_n(HEXSIDE)})"))
        return made

    def pattern(self, pattern: str, ink: str) -> str:
        """The name under which a pattern is defined."""
        return self.defined.setdefault((pattern, ink), f"ground{len(self.defined)}")

    # ------------------------------------------------------------------ the ground

    def draw_grounds(self) -> str:
        made = ['<g stroke="#8c8672" stroke-opacity="0.55" stroke-width="1">']
        for h, look in enumerate(self.grounds):
            x, y = self.center(h)
            made.append(_tag("use", href="#hex", x=x, y=y, fill=look["fill"]))
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
                    made.append(_tag("use", href=f"#{name}", transform=f"translate({_n(x)} {_n(y)}){flip}"))
        for h, look in enumerate(self.grounds):
            if "rim" in look:
                x, y = self.center(h)
                shape = _points((x + dx, y + dy) for dx, dy in self.corners(0.92))
                made.append(_tag("polygon", points=shape, fill="none", stroke=look["rim"], stroke_width=3))
        return "\n".join(made)

    def side(self, a: int, b: int) -> tuple[_Point, _Point] | None:
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
        return "".join(f"M{_n(p[0])},{_n(p[1])}L{_n(q[0])},{_n(q[1])}" for p, q in ends)

    def draw_lines(self) -> str:
        made = []
        for a, b in self.board.joins:
            i, j = self.board.index(a), self.board.index(b)
            if self.side(i, j) is None:
                (x, y), (to_x, to_y) = self.center(i), self.center(j)
                made.append(
                    _tag(
                        "path",
                        d=f"M{_n(x)},{_n(y)}L{_n(to_x)},{_n(to_y)}",
                        stroke="#6b6b6b",
                        stroke_width=2,
                        stroke_dasharray="2 6",
                        stroke_linecap="round",
                    )
                )
        for name, look in self.style.part("hexsides").items():
            made.append(self.line(self.path(self.scene.hexsides(name)), look))
        for name, look in self.style.part("borders").items():
            made.append(self.line(self.path(self.scene.borders(name)), look))
        return "\n".join(part for part in made if part)

    def line(self, path: str, look: Mapping[str, Any]) -> str:
        """A line in its look."""
        if not path:
            return ""
        dash = look.get("dash")
        cap = "round" if not dash else "butt"
        return _tag(
            "path",
            d=path,
            fill="none",
            stroke=look.get("color", "#4a86c5"),
            stroke_width=look.get("width", "4"),
            stroke_dasharray=dash,
            stroke_linecap=cap,
        )

    def draw_labels(self) -> str:
        color = self.style.data.get("labels", "#8a8570")
        if color == "none":
            return ""
        flat = 0.64 if self.board.pointy else 0.54
        made = [f'<g font-size="8.5" text-anchor="middle" fill="{color}">']
        for h in range(self.board.size):
            x, y = self.center(h)
            made.append(_tag("text", escape(self.board.label(h)), x=x, y=y - HEXSIDE * flat))
        made.append("</g>")
        return "\n".join(made)

    def draw_names(self, hexes: Iterable[int], size: float) -> str:
        made = []
        for h in hexes:
            x, y = self.center(h)
            lines = _broken(self.board.names[h])
            start = y + HEXSIDE * 0.64 - (len(lines) - 1) * size
            for number, line in enumerate(lines):
                ink = self.style.data.get("names", "#222222")
                made.append(_text(x, start + number * size * 1.05, line, size, ink, "#fffdf4", "bold"))
        return "\n".join(made)

    def draw_flags(self, placed: Mapping[int, list[Token]]) -> str:
        """The flags of the sides, except where pieces of the side show whose the hex is."""
        made = []
        for h, side in self.scene.flags():
            if any(token.side == side for token in placed.get(h, ())):
                continue
            x, y = self.center(h)
            fill = self.style.part("sides", self.scene.spec.sides[side]).get(
                "fill", SIDE_FILLS[side % len(SIDE_FILLS)]
            )
            d = f"M{_n(x - HEXSIDE * 0.64)},{_n(y + HEXSIDE * 0.08)}v-19h13l-3.5,4.5l3.5,4.5h-13"
            made.append(
                _tag(
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

    # ------------------------------------------------------------------ the pieces

    def draw_tokens(self, placed: Mapping[int, list[Token]]) -> str:
        made = []
        for h, tokens in sorted(placed.items()):
            x, y = self.center(h)
            if h in self.board.names:
                y -= HEXSIDE * 0.1
            for token, (dx, dy, scale) in zip(tokens, _arranged(tokens), strict=True):
                made.append(self.token(token, x + dx * HEXSIDE, y + dy * HEXSIDE, scale))
        return "\n".join(made)

    def token(self, token: Token, x: float, y: float, scale: float = 1.0) -> str:
        """A counter around a place."""
        s = token.size * HEXSIDE * scale
        half = s / 2
        ink = token.ink
        shown = _tag("title", escape(_NOT_XML.sub("�", token.name)))
        if token.shape == "round":
            shown += _tag("circle", cx=1.5, cy=1.5, r=half, fill="#000000", fill_opacity="0.28")
            shown += _tag("circle", cx=0, cy=0, r=half, fill=token.fill, stroke="#1b1b1b", stroke_width="1")
        else:
            shown += _tag(
                "rect",
                x=-half + 1.8,
                y=-half + 1.8,
                width=s,
                height=s,
                rx=s * 0.09,
                fill="#000000",
                fill_opacity="0.28",
            )
            shown += _tag(
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
                shown += _text(
                    0, -s * 0.37, token.label, _fitting(token.label, s * 0.21, s * 0.92), ink, weight="bold"
                )
            wide, high = s * 0.5, s * 0.29
            inner = "".join(
                _glyph(name, wide, high, token.glyph_fill, token.glyph_ink or ink) for name in token.glyphs
            )
            if _FRAMED.intersection(token.glyphs):
                inner = (
                    _tag(
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
            shown += _tag("g", inner, transform=f"translate(0 {_n(-s * 0.08)})")
            if token.figures:
                shown += _text(
                    0, s * 0.3, token.figures, _fitting(token.figures, s * 0.33, s * 0.92), ink, weight="bold"
                )
        elif token.figures:
            shown += _text(
                0, -s * 0.18, token.label, _fitting(token.label, s * 0.36, s * 0.9), ink, weight="bold"
            )
            shown += _text(
                0, s * 0.25, token.figures, _fitting(token.figures, s * 0.34, s * 0.9), ink, weight="bold"
            )
        else:
            room = s * (0.74 if token.shape == "round" else 0.9)
            shown += _text(0, 0, token.label, _fitting(token.label, s * 0.42, room), ink, weight="bold")
        if token.facing is not None:
            tip, base, wide = s * 0.78, s * 0.54, s * 0.17
            arrow = _points([(tip, 0), (base, -wide), (base, wide)])
            shown += _tag(
                "polygon",
                points=arrow,
                fill="#1b1b1b",
                stroke="white",
                stroke_width="1",
                transform=f"rotate({token.facing})",
            )
        for number, (text, color) in enumerate(token.marks):
            place = {"cx": half - 3 - number * s * 0.3, "cy": half - 1}
            shown += _tag("circle", r=s * 0.17, fill=color, stroke="white", stroke_width="1", **place)
            shown += _text(place["cx"], place["cy"], text, s * 0.22, "white", weight="bold")
        return _tag("g", shown, transform=f"translate({_n(x)} {_n(y)})")

    # ------------------------------------------------------------------ below the board

    def draw_key(self) -> tuple[str, float]:
        """What colours and lines stand for."""
        entries: list[tuple[str, str]] = []
        for text, look in self.scene.legend():
            swatch = _tag(
                "use",
                href="#hex",
                transform="scale(.42)",
                fill=look.get("fill", "#efe8d2"),
                stroke="#8c8672",
                stroke_width=2,
            )
            for pattern in look.get("pattern", "").split():
                swatch += _tag(
                    "use",
                    href=f"#{self.pattern(pattern, look.get('ink', '#777777'))}",
                    transform="scale(.42)",
                )
            if "rim" in look:
                swatch += _tag(
                    "polygon",
                    points=_points(self.corners(0.36)),
                    fill="none",
                    stroke=look["rim"],
                    stroke_width=2,
                )
            entries.append((text, swatch))
        for section in ("hexsides", "borders"):
            for name, look in self.style.part(section).items():
                entries.append((look.get("label", name.replace("_", " ")), self.line("M-14,0L14,0", look)))
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
            made.append(_tag("g", shown, transform=f"translate({_n(x + room / 2)} {_n(y)})"))
            made.append(_text(x + room + 5, y, text, 12, "#333333", anchor="start"))
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
        room = 1.25 * HEXSIDE
        for (side, text), tokens in sorted(groups.items()):
            title = text or "off the board"
            wide = max(len(tokens) * room + 12, 7.2 * len(title) + 20)
            if x and x + wide > self.width:
                x, y = 0.0, y + room + 34
            wide = min(wide, self.width)
            per_line = max(1, int((wide - 12) // room))
            lines = -(-len(tokens) // per_line)
            plain = SIDE_FILLS[side % len(SIDE_FILLS)]
            color = self.style.part("sides", self.scene.spec.sides[side] if side >= 0 else "").get(
                "fill", plain
            )
            made.append(
                _tag(
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
            made.append(_text(x + 8, y + 11, title, 11, "#333333", weight="bold", anchor="start"))
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
    """Where the counters on one hex lie, in hexsides from its middle, and their scales: small ones along the
    upper right.
    """
    large = [token for token in tokens if token.size >= _SMALL]
    spots = _SPOTS.get(len(large))
    nudge = 0.1 if 0 < len(large) < len(tokens) else 0.0
    places: list[tuple[float, float, float]] = []
    at = beside = 0
    for token in tokens:
        if token.size < _SMALL:
            alone = not large and len(tokens) == 1
            places.append((0.0, 0.0, 1.0) if alone else (0.5 - 0.42 * beside, -0.46, 1.0))
            beside += 1
        elif spots is not None:
            places.append((spots[at][0] - nudge, spots[at][1] + nudge, spots[at][2]))
            at += 1
        else:
            lift = (at - (len(large) - 1) / 2) * 0.7 / len(large)
            places.append((lift, -lift, 0.8))
            at += 1
    return places


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
