"""Elements of SVG as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


#: What cannot stand in an attribute as it is.
_QUOTED = re.compile('[&<>"\n\r\t]')


def plain(text: str) -> str:
    """Text as the content of an element; characters that XML does not allow are replaced."""
    return escape(_NOT_XML.sub("�", text))


def coord(value: float) -> str:
    """A number, short."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def points(points: Iterable[Point]) -> str:
    """Points as polygons have them."""
    return " ".join(f"{coord(x)},{coord(y)}" for x, y in points)


@cache
def _attribute(key: str) -> str:
    return key.strip("_").replace("_", "-")


def tag(name: str, inner: str | None = None, /, **attributes: object) -> str:
    """An element; underscores in names of attributes stand for hyphens, attributes that are None
    are left out.
    """
    text = ""
    for key, value in attributes.items():
        if value is not None and value != "":
            shown = coord(value) if isinstance(value, float) else str(value)
            quoted = quoteattr(shown) if _QUOTED.search(shown) else f'"{shown}"'
            text += f" {_attribute(key)}={quoted}"
    return f"<{name}{text}/>" if inner is None else f"<{name}{text}>{inner}</{name}>"


def text_at(
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
    shown, y = plain(text), y + size * 0.36
    options = {"x": x, "y": y, "font_size": size, "text_anchor": anchor, "font_weight": weight}
    front = tag("text", shown, fill=color, **options)
    if not halo:
        return front
    edge = {"stroke": halo, "stroke_width": size * 0.28, "stroke_linejoin": "round"}
    return tag("text", shown, fill=halo, **edge, stroke_opacity="0.85", **options) + front


def at(x: float, y: float) -> str:
    """The transformation that moves something to a place."""
    return f"translate({coord(x)} {coord(y)})"


def lines_along(ends: Iterable[tuple[Point, Point]]) -> str:
    """A path of lines between pairs of points."""
    return "".join(f"M{coord(x)},{coord(y)}L{coord(u)},{coord(v)}" for (x, y), (u, v) in ends)
