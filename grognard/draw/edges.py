"""What runs along the sides of hexes and through them: lines, ways, and areas of several hexes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from grognard.draw.nameable import border_sources
from grognard.draw.picture import Picture
from runtime.bitsets import bits, mask_of
from runtime.board import Board
from runtime.scenario.fields import members

#: The colour of a line that has none.
LINE: Final = "#4a86c5"


def ways(picture: Picture, name: str) -> list[tuple[int, int]]:
    """The pairs of neighbours that a way joins: as a field of sets of hexes says, else those of
    both of which it holds.
    """
    if border_sources(picture.spec)[name].type.kind == "set":
        return picture.hexsides(name)
    hexes = {h for h, value in enumerate(picture.column(name)) if value > 0}
    return sorted(
        (a, b) for a in hexes for b in hexes.intersection(picture.board.toward[a]) if a < b
    )


@dataclass(frozen=True)
class Area:
    """Hexes that belong together; what they are called, if anything; how their outline looks."""

    hexes: tuple[int, ...]
    name: str
    look: Mapping[str, Any]

    def sides(self, board: Board) -> Iterator[tuple[int, int, bool]]:
        """The sides of its hexes: hex, direction, and whether it leads out."""
        for h in self.hexes:
            for side, other in enumerate(board.toward[h][:6]):
                yield h, side, other not in self.hexes

    def words(self, board: Board, taken: Container[int]) -> dict[int, str]:
        """The words of its name along a row of its hexes, but for those *taken*."""
        rows: dict[int, list[int]] = {}
        for h in self.hexes:
            if h not in taken:
                rows.setdefault(board.row_of[h], []).append(h)
        row = max(rows.values(), key=len, default=[])
        words = self.name.split()[: len(row)]
        return dict(zip(row[(len(row) - len(words)) // 2 :], words, strict=False))


def areas(picture: Picture) -> list[Area]:
    """The areas of a board: neighbours in which a field or call has the same value, but for none,
    no and 0. One of an enum is called as its member, another by the name of one of its hexes.
    """
    board, shapes = picture.board, []
    for name, look in picture.style.part("areas").items():
        type_, column = border_sources(picture.spec)[name].type, picture.column(name)
        least = 0 if type_.kind == "enum" else 1
        rest = mask_of(h for h, value in enumerate(column) if value >= least)
        while rest:
            first = next(iter(bits(rest)))
            same = mask_of(h for h in bits(rest) if column[h] == column[first])
            hexes = tuple(bits(board.linked(1 << first, same)))
            rest &= ~mask_of(hexes)
            if type_.kind == "enum":
                member = members(picture.spec, type_.name)[column[first]]
                called = picture.wording.text(f"{type_.name}.{member}")
            else:
                called = next((board.names[h] for h in hexes if h in board.names), "")
            shapes.append(Area(hexes, called, look))
    return shapes


def drawn_lines(
    picture: Picture,
) -> Iterator[tuple[str, str, Mapping[str, Any], list[tuple[int, int]]]]:
    """The lines on the board: section and name in the style, their look, and the pairs of hexes
    that they run between; of areas, those next to each other in one.
    """
    for section, pairs_of in (
        ("hexsides", picture.hexsides),
        ("borders", picture.borders),
        ("ways", lambda name: ways(picture, name)),
    ):
        for name, look in picture.style.part(section).items():
            if pairs := pairs_of(name):
                yield section, name, look, pairs
    there = [area.look for area in areas(picture)]
    for name, look in picture.style.part("areas").items():
        if look in there:
            yield "areas", name, look, []


def line_name(picture: Picture, name: str, look: Mapping[str, Any]) -> str:
    """What a line is called."""
    return picture.wording.display_name(look.get("label", name.replace("_", " ")))


# ---------------------------------------------------------------------- for the terminal


def edges(picture: Picture) -> dict[int, list[tuple[int, str, str]]]:
    """What runs along the sides of each hex: the direction, the sign, the colour."""
    by_color: dict[int, list[tuple[int, str, str]]] = {}
    for section, name, look, pairs in drawn_lines(picture):
        sign = _line_sign(picture, section, name, look)
        for h, side in _sides(picture, pairs if section != "ways" else ()):
            by_color.setdefault(h, []).append((side, sign, look.get("color", LINE)))
    for area in areas(picture):
        sign, color = area.look.get("sign", ":"), area.look.get("color", LINE)
        for h, side, out in area.sides(picture.board):
            by_color.setdefault(h, []).append((side, sign if out else " ", color))
    return by_color


def ways_out(picture: Picture) -> dict[int, list[tuple[int, str]]]:
    """The ways out of each hex: the direction and the colour."""
    by_hex: dict[int, list[tuple[int, str]]] = {}
    for name, look in picture.style.part("ways").items():
        for h, side in _sides(picture, ways(picture, name)):
            by_hex.setdefault(h, []).append((side, look.get("color", LINE)))
    return by_hex


def edge_legend(picture: Picture) -> list[tuple[str, str, str]]:
    """What the signs along sides stand for: sign, wording and colour."""
    return [
        (
            _line_sign(picture, section, name, look),
            line_name(picture, name, look),
            look.get("color", LINE),
        )
        for section, name, look, pairs in drawn_lines(picture)
        if section == "areas" or any(_sides(picture, pairs))
    ]


def _sides(picture: Picture, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Of pairs of neighbours that touch, each hex with the direction of the other."""
    toward = picture.board.toward
    for a, b in pairs:
        for h, other in ((a, b), (b, a)):
            if other in toward[h]:
                yield h, toward[h].index(other)


def _line_sign(picture: Picture, section: str, name: str, look: Mapping[str, Any]) -> str:
    """The character that stands for a line where there is no colour."""
    if section == "ways":
        return "-/"
    plain = [n for n, other in picture.style.part("hexsides").items() if "sign" not in other]
    usual = "~#=%&~"[min(plain.index(name), 5)] if section == "hexsides" and name in plain else ":"
    return str(look.get("sign") or usual)
