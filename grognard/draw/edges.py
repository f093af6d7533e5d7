"""What runs along the sides of hexes and through them, for the terminal and for keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from grognard.draw.areas import areas, ways

if TYPE_CHECKING:
    from grognard.draw.picture import Picture


def edges(picture: Picture) -> dict[int, list[tuple[int, str, str]]]:
    """What runs along the sides of each hex, for the terminal: the direction, the sign, the colour."""
    found: dict[int, list[tuple[int, str, str]]] = {}
    for section, name, look, pairs in drawn_lines(picture):
        sign = _line_sign(picture, section, name, look)
        for h, side in _sides(picture, pairs if section in ("hexsides", "borders") else ()):
            found.setdefault(h, []).append((side, sign, look.get("color", "#4a86c5")))
    for area in areas(picture):
        sign, shade = area.look.get("sign", ":"), area.look.get("color", "#4a86c5")
        for h, side, out in area.sides(picture):
            found.setdefault(h, []).append((side, sign if out else " ", shade))
    return found


def _sides(picture: Picture, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Of pairs of neighbours that touch, each hex with the direction of the other."""
    for a, b in pairs:
        for one, other in ((a, b), (b, a)):
            if other in picture.board.toward[one]:
                yield one, picture.board.toward[one].index(other)


def _line_sign(picture: Picture, section: str, name: str, look: Mapping[str, Any]) -> str:
    """The character that stands for a line where there is no colour."""
    if section == "ways":
        return "-/"
    plain = [n for n, other in picture.style.part("hexsides").items() if "sign" not in other]
    usual = "~#=%&~"[min(plain.index(name), 5)] if section == "hexsides" and name in plain else ":"
    return str(look.get("sign") or usual)


def ways_out(picture: Picture) -> dict[int, list[tuple[int, str]]]:
    """The ways out of each hex, for the terminal: the direction and the colour."""
    found: dict[int, list[tuple[int, str]]] = {}
    for name, look in picture.style.part("ways").items():
        for h, side in _sides(picture, ways(picture, name)):
            found.setdefault(h, []).append((side, look.get("color", "#4a86c5")))
    return found


def edge_legend(picture: Picture) -> list[tuple[str, str, str]]:
    """What the signs along sides stand for: sign, wording and colour."""
    made = []
    for section, name, look, pairs in drawn_lines(picture):
        if section == "areas" or any(True for _ in _sides(picture, pairs)):
            text = picture.wording.called(look.get("label", name.replace("_", " ")))
            made.append(
                (_line_sign(picture, section, name, look), text, look.get("color", "#4a86c5"))
            )
    return made


def drawn_lines(
    picture: Picture,
) -> Iterator[tuple[str, str, Mapping[str, Any], list[tuple[int, int]]]]:
    """The lines on the board: section and name in the style, their look, and the pairs of hexes
    that they run between; of areas, those next to each other in one.
    """
    for section, pairs in (("hexsides", picture.hexsides), ("borders", picture.borders)):
        for name, look in picture.style.part(section).items():
            if found := pairs(name):
                yield section, name, look, found
    for name, look in picture.style.part("ways").items():
        if found := ways(picture, name):
            yield "ways", name, look, found
    there = [area.look for area in areas(picture)]
    for name, look in picture.style.part("areas").items():
        if look in there:
            yield "areas", name, look, []
