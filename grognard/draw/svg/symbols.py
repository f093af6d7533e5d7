"""The patterns of grounds and the glyphs of counters, as SVG.

A pattern lies around the middle of a hex and is measured in hexsides; a glyph fills a box around
the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from grognard.draw.svg.xml import coord, points, tag

_TREES = (
    (-0.42, -0.3),
    (0.05, -0.48),
    (0.45, -0.2),
    (-0.2, 0.12),
    (-0.55, 0.3),
    (0.28, 0.3),
    (-0.05, 0.55),
    (0.6, 0.12),
)
_REEDS = ((-0.35, -0.35), (0.32, -0.38), (-0.02, -0.02), (-0.5, 0.2), (0.5, 0.16), (0.0, 0.5))
_PEAKS = ((-0.3, -0.05, 0.36), (0.3, 0.0, 0.32), (-0.02, 0.42, 0.3), (0.02, -0.42, 0.24))
_HILLS = ((-0.28, -0.1), (0.3, -0.2), (0.02, 0.3))
_HOUSES = (
    (-0.36, -0.18, 0.26, 0.2),
    (-0.03, -0.36, 0.36, 0.28),
    (-0.26, 0.06, 0.26, 0.2),
    (0.06, 0.0, 0.3, 0.26),
    (0.38, -0.18, 0.16, 0.3),
    (-0.48, 0.06, 0.16, 0.16),
)
_WAVES = ((-0.5, -0.3), (-0.05, -0.05), (-0.55, 0.2), (-0.1, 0.45))
_DOTS = (
    (-0.4, -0.3),
    (0.1, -0.45),
    (0.45, -0.1),
    (-0.1, 0.05),
    (-0.5, 0.25),
    (0.3, 0.35),
    (-0.1, 0.55),
)
_DERRICK = (
    "M-.16,.26L0,-.3L.16,.26M-.11,.1H.11M-.06,-.08H.06"
    "M-.16,.26L.11,.1L-.06,-.08M.16,.26L-.11,.1L.06,-.08"
)
_BRIDGE = "M-.6,-.14H.6M-.6,.14H.6M-.4,-.14V.14M0,-.14V.14M.4,-.14V.14"


def _strokes(path: str, ink: str, width: str, **more: str) -> str:
    """A path that is drawn and not filled."""
    return tag("path", d=path, fill="none", stroke=ink, stroke_width=width, **more)


def _round(path: str, ink: str, width: str) -> str:
    return _strokes(path, ink, width, stroke_linecap="round")


def _trees(ink: str) -> str:
    return "".join(
        tag(
            "path",
            d=f"M{x:.2f},{y - 0.17:.2f}l.12,.2h-.24z M{x:.2f},{y - 0.06:.2f}l.14,.2h-.28z",
            fill=ink,
        )
        for x, y in _TREES
    )


def _reeds(ink: str) -> str:
    path = "".join(
        f"M{x - 0.2:.2f},{y:.2f}h.4M{x:.2f},{y:.2f}v-.17"
        f"M{x - 0.09:.2f},{y:.2f}l-.05,-.12M{x + 0.09:.2f},{y:.2f}l.05,-.12"
        for x, y in _REEDS
    )
    return tag("path", d=path, stroke=ink, stroke_width=".045", fill="none", stroke_linecap="round")


def _peaks(ink: str) -> str:
    peaks = ""
    for x, y, s in _PEAKS:
        left, right, foot, top = x - s, x + s, y + s * 0.6, y - s * 0.6
        outline = f"M{left:.2f},{foot:.2f}L{x:.2f},{top:.2f}L{right:.2f},{foot:.2f}"
        peaks += _strokes(outline, ink, ".06", stroke_linejoin="round", stroke_linecap="round")
        shade = f"M{x:.2f},{top:.2f}L{right:.2f},{foot:.2f}h-{s * 0.75:.2f}z"
        peaks += tag("path", d=shade, fill=ink, fill_opacity=".45")
    return peaks


def _hills(ink: str) -> str:
    return _round("".join(f"M{x - 0.26:.2f},{y:.2f}q.26,-.34 .52,0" for x, y in _HILLS), ink, ".06")


def _houses(ink: str) -> str:
    return "".join(
        tag("rect", x=f"{x:.2f}", y=f"{y:.2f}", width=w, height=f"{h:.2f}", fill=ink)
        for x, y, w, h in _HOUSES
    )


def _waves(ink: str) -> str:
    return _round(
        "".join(f"M{x:.2f},{y:.2f}q.1,-.12 .2,0t.2,0t.2,0" for x, y in _WAVES), ink, ".05"
    )


def _dots(ink: str) -> str:
    return "".join(tag("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=".05", fill=ink) for x, y in _DOTS)


def _derrick(ink: str) -> str:
    return _strokes(_DERRICK, ink, ".05", stroke_linejoin="round", transform="translate(.42,.1)")


def _bridge(ink: str) -> str:
    return _strokes(_BRIDGE, ink, ".07")


PATTERN_OF = {
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


def glyph(name: str, w: float, h: float, fill: str, ink: str) -> str:
    """A glyph around the origin, within *w* by *h*."""
    x, y, thick = w / 2, h / 2, max(1.0, h / 9)
    line = {"fill": "none", "stroke": ink, "stroke_width": thick}
    solid = {"fill": fill or ink, "stroke": ink, "stroke_width": thick / 2}
    r = min(x, y)
    rising = f"M{coord(-x)},{coord(y)}L{coord(x)},{coord(-y)}"
    match name:
        case "cross":
            return tag("path", d=f"M{coord(-x)},{coord(-y)}L{coord(x)},{coord(y)}{rising}", **line)
        case "slash":
            return tag("path", d=rising, **line)
        case "oval":
            box = {"x": -x * 0.72, "y": -y * 0.55, "width": w * 0.72, "height": h * 0.55}
            return tag("rect", **box, rx=y * 0.55, **line)
        case "dot":
            return tag("circle", cx=0, cy=0, r=r * 0.35, fill=ink)
        case "circle":
            return tag("circle", cx=0, cy=0, r=r, **solid)
        case "square":
            box = {"x": -r * 0.9, "y": -r * 0.9, "width": r * 1.8, "height": r * 1.8}
            return tag("rect", **box, **solid)
        case "bastion":
            top, deep, tooth, notch = -y * 0.6, y * 0.6, x * 0.4, y * 0.5
            edge, drop, rise = coord(tooth), coord(notch), coord(-notch)
            crown = f"h{edge}v{drop}h{coord(2 * tooth)}v{rise}h{edge}"
            d = f"M{coord(-x * 0.8)},{coord(deep)}V{coord(top)}{crown}V{coord(deep)}z"
            return tag("path", d=d, **line)
        case "triangle":
            corners = [(-r, r * 0.8), (0.0, -r), (r, r * 0.8)]
        case "diamond":
            corners = [(-r, 0.0), (0.0, -r), (r, 0.0), (0.0, r)]
        case "star":
            tips = [(r * (1 if k % 2 == 0 else 0.42), -pi / 2 + k * pi / 5) for k in range(10)]
            corners = [(far * cos(turn), far * sin(turn)) for far, turn in tips]
        case _:
            return ""
    return tag("polygon", points=points(corners), **solid)


#: Glyphs that need a frame around them.
_FRAMED = frozenset(("cross", "slash", "oval", "dot", "bastion"))


def glyphs(
    names: Sequence[str], w: float, h: float, fill: str, ink: str, frame_width: float
) -> str:
    """Glyphs over each other around the origin, in a frame where one wants it."""
    drawn = "".join(glyph(name, w, h, fill, ink) for name in names)
    if _FRAMED.isdisjoint(names):
        return drawn
    place = {"x": -w / 2, "y": -h / 2, "width": w, "height": h}
    return tag("rect", **place, fill=fill or "none", stroke=ink, stroke_width=frame_width) + drawn
