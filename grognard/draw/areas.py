"""What takes up more than one hex: ways through hexes and areas, as ``ways`` and ``areas`` of a
style say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grognard.draw.naming import bordering
from grognard.draw.xml import Point, tag, text_at
from runtime.bitsets import bits, mask_of
from runtime.model import TypeSpec

if TYPE_CHECKING:
    from grognard.draw.picture import Picture
    from runtime.board import Board


def ways(picture: Picture, name: str) -> list[tuple[int, int]]:
    """The pairs of neighbours that a way joins: as a field of sets of hexes says, else those of
    both of which it holds.
    """
    type_ = _type(picture, name)
    if type_.kind == "set":
        return picture.hexsides(name)
    column = picture.column(name)
    found = {h for h in range(len(column)) if column[h] > 0}
    return sorted(
        (a, b) for a in found for b in found.intersection(picture.board.toward[a]) if a < b
    )


@dataclass(frozen=True)
class Area:
    """Hexes that belong together; what they are called, if anything; how their outline looks."""

    hexes: tuple[int, ...]
    name: str
    look: Mapping[str, Any]

    def sides(self, picture: Picture) -> Iterator[tuple[int, int, bool]]:
        """The sides of its hexes: hex, direction, and whether it leads out."""
        for h in self.hexes:
            for side, other in enumerate(picture.board.toward[h][:6]):
                yield h, side, other not in self.hexes

    def middle(self, center: Callable[[int], Point]) -> Point:
        """The middle of the row in which most of its hexes lie."""
        rows: dict[float, list[float]] = {}
        for x, y in map(center, self.hexes):
            rows.setdefault(y, []).append(x)
        y, xs = max(rows.items(), key=lambda row: len(row[1]))
        return sum(xs) / len(xs), y

    def words(self, board: Board, taken: Container[int]) -> dict[int, str]:
        """The words of its name along a row of its hexes, but for those *taken*, for the terminal."""
        rows: dict[int, list[int]] = {}
        for h in self.hexes:
            if h in taken:
                continue
            rows.setdefault(board.row_of[h], []).append(h)
        row = max(rows.values(), key=len, default=[])
        words = self.name.split()[: len(row)]
        first = (len(row) - len(words)) // 2
        return dict(zip(row[first:], words, strict=False))


def areas(picture: Picture) -> list[Area]:
    """The areas of a board: neighbours in which a field or call has the same value, but for none,
    no and 0. One of an enum is called as its member, another by the name of one of its hexes.
    """
    made = []
    for name, look in picture.style.part("areas").items():
        type_, column = _type(picture, name), picture.column(name)
        rest = mask_of(h for h in range(len(column)) if _says(type_, column[h]))
        while rest:
            first = next(iter(bits(rest)))
            same = mask_of(h for h in bits(rest) if column[h] == column[first])
            hexes = tuple(bits(picture.board.linked(1 << first, same)))
            rest &= ~mask_of(hexes)
            if type_.kind == "enum":
                word = (picture.spec.enums.get(type_.name) or picture.spec.sides)[column[first]]
                called = picture.wording.text(f"{type_.name}.{word}")
            else:
                called = next(
                    (picture.board.names[h] for h in hexes if h in picture.board.names), ""
                )
            made.append(Area(hexes, called, look))
    return made


def unlabelled(found: Collection[Area]) -> set[int]:
    """The hexes that show the name of their area instead of their own."""
    return {h for area in found if area.name for h in area.hexes}


def name_drawn(picture: Picture, area: Area, center: Callable[[int], Point], ink: str) -> str:
    """The name of an area in its middle; none where one of its hexes bears a name anyway."""
    if not area.name or any(h in picture.board.names for h in area.hexes):
        return ""
    x, y = area.middle(center)
    return tag("g", text_at(x, y, picture.wording.called(area.name), 11.0, ink, "#fffdf4", "bold"))


def _type(picture: Picture, name: str) -> TypeSpec:
    found = bordering(picture.spec)[name]
    type_: TypeSpec = found.type  # type: ignore[attr-defined]
    return type_


def _says(type_: TypeSpec, value: int) -> bool:
    return value >= 0 if type_.kind == "enum" else value > 0
