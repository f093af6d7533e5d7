"""Markers that lie in hexes: fields of Side or Game that are sets of hexes, as ``markers`` of a
style say.

Which side's marker it is, its colour tells where the style gives none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grognard.draw.colors import readable
from grognard.draw.naming import markable
from grognard.draw.xml import Point, tag, text_at
from runtime.bitsets import bits
from runtime.model import NONE, FieldSpec

if TYPE_CHECKING:
    from grognard.draw.picture import Picture


@dataclass(frozen=True)
class Marker:
    """A marker in a hex: what it says, its colour (empty for that of its *side*), what it stands
    for.
    """

    hex: int
    text: str
    color: str
    told: str
    side: int


def declared(picture: Picture) -> Iterator[tuple[FieldSpec, Marker]]:
    """What markers there may be, in no hex yet and of no side."""
    known = markable(picture.spec)
    for name, look in picture.style.part("markers").items():
        label, plain = look.get("label"), name.replace("_", " ")
        told = (
            picture.wording.called(label)
            if label
            else picture.wording.text(f"field.{name}", default=plain)
        )
        yield (
            known[name],
            Marker(NONE, look.get("text", "") or "*", look.get("color", ""), told, NONE),
        )


def markers(picture: Picture) -> Iterator[Marker]:
    """The markers on the board, as far as the view shows them."""
    for field, marker in declared(picture):
        column = getattr(picture.state, field.slot)
        for side in range(len(picture.spec.sides)) if field.owner == "Side" else (NONE,):
            if picture.seen is None or picture.seen.shows(field.slot, side):
                for h in bits(column[side] if side >= 0 else column):
                    yield replace(marker, hex=h, side=side)


def shape(marker: Marker, fill: str, x: float, y: float) -> str:
    """A marker in a picture."""
    circle = tag("circle", cx=x, cy=y, r=7.5, fill=fill, stroke="white", stroke_width="1.2")
    return circle + text_at(x, y, marker.text, 8.5, readable(fill), weight="bold")


def drawn(
    picture: Picture, side: float, center: Callable[[int], Point], side_fill: Callable[[int], str]
) -> str:
    """The markers in a picture whose hexes have sides of some length, one above the other at the
    right side of their hex.
    """
    made, count = [], Counter[int]()
    for marker in markers(picture):
        x, y = center(marker.hex)
        fill = marker.color or side_fill(marker.side)
        made.append(
            shape(marker, fill, x + side * 0.6, y + side * (0.36 - 0.34 * count[marker.hex]))
        )
        count[marker.hex] += 1
    return "\n".join(made)
