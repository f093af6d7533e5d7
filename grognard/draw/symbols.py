"""The patterns of grounds and the glyphs of counters, as SVG.

A pattern lies around the middle of a hex and is measured in hexsides; a glyph fills a box around
the origin.
"""

from __future__ import annotations

from math import cos, pi, sin

from grognard.draw.xml import points, short, tag


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
        made += tag(
            "path",
            d=f"M{x:.2f},{y - 0.17:.2f}l.12,.2h-.24z M{x:.2f},{y - 0.06:.2f}l.14,.2h-.28z",
            fill=ink,
        )
    return made


def _reeds(ink: str) -> str:
    made = ""
    for x, y in (
        (-0.35, -0.35),
        (0.32, -0.38),
        (-0.02, -0.02),
        (-0.5, 0.2),
        (0.5, 0.16),
        (0.0, 0.5),
    ):
        made += f"M{x - 0.2:.2f},{y:.2f}h.4M{x:.2f},{y:.2f}v-.17"
        made += f"M{x - 0.09:.2f},{y:.2f}l-.05,-.12M{x + 0.09:.2f},{y:.2f}l.05,-.12"
    return tag("path", d=made, stroke=ink, stroke_width=".045", fill="none", stroke_linecap="round")


def _peaks(ink: str) -> str:
    made = ""
    for x, y, s in ((-0.3, -0.05, 0.36), (0.3, 0.0, 0.32), (-0.02, 0.42, 0.3), (0.02, -0.42, 0.24)):
        made += tag(
            "path",
            d=f"M{x - s:.2f},{y + s * 0.6:.2f}L{x:.2f},{y - s * 0.6:.2f}L{x + s:.2f},{y + s * 0.6:.2f}",
            fill="none",
            stroke=ink,
            stroke_width=".06",
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        made += tag(
            "path",
            d=f"M{x:.2f},{y - s * 0.6:.2f}L{x + s:.2f},{y + s * 0.6:.2f}h-{s * 0.75:.2f}z",
            fill=ink,
            fill_opacity=".45",
        )
    return made


def _hills(ink: str) -> str:
    made = "".join(
        f"M{x - 0.26:.2f},{y:.2f}q.26,-.34 .52,0"
        for x, y in ((-0.28, -0.1), (0.3, -0.2), (0.02, 0.3))
    )
    return tag("path", d=made, fill="none", stroke=ink, stroke_width=".06", stroke_linecap="round")


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
        made += tag("rect", x=f"{x:.2f}", y=f"{y:.2f}", width=w, height=f"{h:.2f}", fill=ink)
    return made


def _waves(ink: str) -> str:
    made = "".join(
        f"M{x:.2f},{y:.2f}q.1,-.12 .2,0t.2,0t.2,0"
        for x, y in ((-0.5, -0.3), (-0.05, -0.05), (-0.55, 0.2), (-0.1, 0.45))
    )
    return tag("path", d=made, fill="none", stroke=ink, stroke_width=".05", stroke_linecap="round")


def _dots(ink: str) -> str:
    return "".join(
        tag("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=".05", fill=ink)
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
    lines = "M-.16,.26L0,-.3L.16,.26M-.11,.1H.11M-.06,-.08H.06M-.16,.26L.11,.1L-.06,-.08M.16,.26L-.11,.1L.06,-.08"
    return tag(
        "path",
        d=lines,
        fill="none",
        stroke=ink,
        stroke_width=".05",
        stroke_linejoin="round",
        transform="translate(.42,.1)",
    )


def _bridge(ink: str) -> str:
    return tag(
        "path",
        d="M-.6,-.14H.6M-.6,.14H.6M-.4,-.14V.14M0,-.14V.14M.4,-.14V.14",
        fill="none",
        stroke=ink,
        stroke_width=".07",
    )


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
    radius = min(x, y)
    rising = f"M{short(-x)},{short(y)}L{short(x)},{short(-y)}"
    match name:
        case "cross":
            return tag("path", d=f"M{short(-x)},{short(-y)}L{short(x)},{short(y)}{rising}", **line)
        case "slash":
            return tag("path", d=rising, **line)
        case "oval":
            return tag(
                "rect",
                x=-x * 0.72,
                y=-y * 0.55,
                width=w * 0.72,
                height=h * 0.55,
                rx=y * 0.55,
                **line,
            )
        case "dot":
            return tag("circle", cx=0, cy=0, r=radius * 0.35, fill=ink)
        case "circle":
            return tag("circle", cx=0, cy=0, r=radius, **solid)
        case "triangle":
            return tag(
                "polygon",
                points=points([(-radius, radius * 0.8), (0, -radius), (radius, radius * 0.8)]),
                **solid,
            )
        case "square":
            return tag(
                "rect",
                x=-radius * 0.9,
                y=-radius * 0.9,
                width=radius * 1.8,
                height=radius * 1.8,
                **solid,
            )
        case "diamond":
            return tag(
                "polygon",
                points=points([(-radius, 0), (0, -radius), (radius, 0), (0, radius)]),
                **solid,
            )
        case "bastion":
            top, deep, tooth, notch = -y * 0.6, y * 0.6, x * 0.4, y * 0.5
            crown = (
                f"h{short(tooth)}v{short(notch)}h{short(2 * tooth)}v{short(-notch)}h{short(tooth)}"
            )
            d = f"M{short(-x * 0.8)},{short(deep)}V{short(top)}{crown}V{short(deep)}z"
            return tag("path", d=d, **line)
        case "star":
            tips = [(radius * (1 if k % 2 == 0 else 0.42), -pi / 2 + k * pi / 5) for k in range(10)]
            return tag(
                "polygon", points=points([(r * cos(a), r * sin(a)) for r, a in tips]), **solid
            )
    return ""


#: Glyphs that need a frame around them.
FRAMED = frozenset(("cross", "slash", "oval", "dot", "bastion"))
