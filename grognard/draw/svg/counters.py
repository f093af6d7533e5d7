"""Counters as SVG, and how several lie on one hex."""

from __future__ import annotations

from typing import Final

from grognard.draw.art import identifier
from grognard.draw.colors import legible
from grognard.draw.svg.symbols import glyphs
from grognard.draw.svg.xml import at, coord, plain, points, tag, text_at
from grognard.draw.tokens import SMALL, Token

#: The length of a hexside, in units of the drawing.
HEXSIDE: Final = 36.0

#: Where so many counters lie on one hex: offset in hexsides, and scale.
_SPOTS: Final[dict[int, tuple[tuple[float, float, float], ...]]] = {
    1: ((0.0, 0.0, 1.0),),
    2: ((-0.42, 0.0, 0.74), (0.42, 0.0, 0.74)),
    3: ((-0.36, -0.34, 0.6), (0.36, -0.34, 0.6), (0.0, 0.36, 0.6)),
    4: ((-0.36, -0.36, 0.6), (0.36, -0.36, 0.6), (-0.36, 0.36, 0.6), (0.36, 0.36, 0.6)),
}


def counter(token: Token, name: str, scale: float, pointy: bool) -> str:
    """A counter around the origin, with its *name*; *pointy*: hexes stand on a corner."""
    size = token.size * HEXSIDE * scale
    if token.picture:
        look = tag("use", href=f"#{identifier(token.picture)}", transform=f"scale({coord(size)})")
    else:
        look = _shape(token, size) + _face(token, size)
    parts = (tag("title", plain(name)), look)
    return "".join((*parts, _arrow(token, scale, pointy), _marks(token, size)))


#: The dashes of the light rim around counters, by sides: the first has none, so that colours are
#: not all that sides differ in.
_RIMS: Final = ("", "none", "4 3", "1.5 2.5")


def _shape(token: Token, s: float) -> str:
    """What a counter is cut to, with its shadow and the rim of its side."""
    half, dash = s / 2, _RIMS[token.side % len(_RIMS)] if token.side >= 0 else ""
    shadow = {"fill": "#000000", "fill_opacity": "0.28"}
    face = {"fill": token.fill, "stroke": "#1b1b1b", "stroke_width": "1"}
    dark = {"fill": "none", "stroke": "#1b1b1b", "stroke_width": "2.8"}
    light = {"fill": "none", "stroke": "#fffdf4", "stroke_width": "1.8", "stroke_dasharray": dash}
    outer = half + 1.2
    if token.shape == "round":
        below = tag("circle", cx=1.5, cy=1.5, r=half, **shadow)
        rim = [tag("circle", cx=0, cy=0, r=outer, **look) for look in (dark, light) if dash]
        return below + "".join(rim) + tag("circle", cx=0, cy=0, r=half, **face)
    square = {"width": s, "height": s, "rx": s * 0.09}
    around = {"width": 2 * outer, "height": 2 * outer, "rx": s * 0.11}
    below = tag("rect", x=-half + 1.8, y=-half + 1.8, **square, **shadow)
    rim = [tag("rect", x=-outer, y=-outer, **around, **look) for look in (dark, light) if dash]
    return below + "".join(rim) + tag("rect", x=-half, y=-half, **square, **face)


def _face(token: Token, s: float) -> str:
    """What is printed on a counter: its symbol with label and figures, or these alone."""
    if token.glyphs:
        label = _text(token, token.label, -s * 0.36, s * 0.25, s * 0.92) if token.label else ""
        figures = _text(token, token.figures, s * 0.3, s * 0.36, s * 0.94) if token.figures else ""
        return label + _symbol(token, s) + figures
    if token.figures:
        label = _text(token, token.label, -s * 0.18, s * 0.36, s * 0.9)
        return label + _text(token, token.figures, s * 0.25, s * 0.34, s * 0.9)
    return _text(token, token.label, 0, s * 0.42, s * (0.74 if token.shape == "round" else 0.9))


def _text(token: Token, text: str, y: float, size: float, room: float) -> str:
    return text_at(0, y, text, fitting_size(text, size, room), token.ink, weight="bold")


def _symbol(token: Token, s: float) -> str:
    """The glyphs of a counter."""
    wide, high, ink = s * 0.5, s * 0.29, token.glyph_ink or token.ink
    shown = glyphs(token.glyphs, wide, high, token.glyph_fill, ink, max(1.0, high / 9))
    return tag("g", shown, transform=at(0, -s * 0.08))


def _arrow(token: Token, scale: float, pointy: bool) -> str:
    """Where a counter faces."""
    if token.facing is None:
        return ""
    vertex = (token.facing % 60 == 30) == pointy
    tip = HEXSIDE * scale * (0.97 if vertex else 0.84)
    arrow = points([(tip, 0), (tip - 12 * scale, -4.5 * scale), (tip - 12 * scale, 4.5 * scale)])
    turn = f"rotate({token.facing})"
    return tag(
        "polygon", points=arrow, fill="#1b1b1b", stroke="white", stroke_width="1", transform=turn
    )


#: Where marks are, from the middle of a counter to its sides.
_CORNERS: Final = ((1, 0.84), (-1, 0.84), (1, 0.1), (-1, 0.1), (1, -0.64), (-1, -0.64))


def _marks(token: Token, s: float) -> str:
    """The marks of a counter, along its sides."""
    half, shown = s / 2, ""
    for (text, color), (across, down) in zip(token.marks, _CORNERS, strict=False):
        x, y = across * (half - s * 0.06), down * half
        shown += tag("circle", r=s * 0.16, fill=color, stroke="white", stroke_width="1", cx=x, cy=y)
        size = s * (0.21 if len(text) < 2 else 0.16)
        shown += text_at(x, y, text, size, legible(color), weight="bold")
    return shown


def arrangement(tokens: list[Token]) -> list[tuple[float, float, float]]:
    """Where the counters on one hex lie, in hexsides from its middle, and their scales: small ones
    at the upper right and below it.
    """
    large = sum(token.size >= SMALL for token in tokens)
    nudge = 0.1 if 0 < large < len(tokens) else 0.0
    spots = [(x - nudge, y + nudge, scale) for x, y, scale in _SPOTS.get(large, ())]
    if large not in _SPOTS:
        lifts = [(n - (large - 1) / 2) * 0.7 / large for n in range(large)]
        spots = [(lift, -lift, 0.8) for lift in lifts]
    beside = [(0.5, -0.46 + 0.52 * n, 1.0) for n in range(len(tokens) - large)]
    if len(tokens) == 1:
        return spots or [(0.0, 0.0, 1.0)]
    left, right = iter(spots), iter(beside)
    return [next(left if token.size >= SMALL else right) for token in tokens]


def fitting_size(text: str, size: float, room: float) -> float:
    """The size at which a bold text fits."""
    return min(size, room / (0.68 * max(1, len(text))))
