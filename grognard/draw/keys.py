"""What the signs on a board at the terminal stand for, in the lines below it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from grognard.draw.colors import ansi
from grognard.draw.edges import edge_legend
from grognard.draw.markers import markers
from grognard.draw.picture import Picture
from grognard.draw.style import Style
from grognard.draw.text import SIDES, paint, width_of
from grognard.lexicon.catalogue import Words
from runtime.games.wording import Wording
from runtime.model import FieldSpec, RulesetSpec


class Board(Protocol):
    """What a scene knows of a board that is drawn."""

    spec: RulesetSpec
    style: Style
    wording: Wording

    @property
    def words(self) -> Words:
        """The program's own words."""

    @property
    def grounds(self) -> list[FieldSpec]:
        """The fields of Hex whose letters stand on the board."""

    @property
    def initials(self) -> tuple[str, ...]:
        """A letter for each side."""

    def side_name(self, side: int) -> str:
        """What a side is called."""


def key_lines(
    scene: Board, marked: Collection[int], color: bool, width: int, picture: Picture | None
) -> list[str]:
    """The signs along hexsides, those of the marked hexes and of the marks on pieces, with what
    they stand for, in lines of at most *width* characters.
    """
    lines = [""]
    for item in _items(scene, marked, color, picture):
        if lines[-1] and width_of(lines[-1]) + width_of(item) + 3 > width:
            lines.append("")
        lines[-1:] = _broken(lines[-1] + (" · " if lines[-1] else "") + item, width)
    return [line for line in lines if line]


def _broken(item: str, width: int) -> list[str]:
    """An item in lines of at most *width* characters, colours apart, as far as its words let it."""
    lines = [""]
    for word in item.split(" "):
        if lines[-1].strip() and width_of(lines[-1]) + 1 + width_of(word) > width:
            lines.append("  " + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _items(
    scene: Board, marked: Collection[int], color: bool, picture: Picture | None
) -> Iterator[str]:
    for sign, text, shade in edge_legend(picture) if picture is not None else ():
        yield paint("───" if color else sign, ansi(shade), color) + f" {text}"
    if picture is not None and scene.style.data.get("flags"):
        names = [scene.side_name(side) for side in range(len(scene.spec.sides))]
        signs = ")(" if len(names) == 2 else scene.initials
        told = [
            paint(name, f"flag{i % SIDES}", color) if color else f"{signs[i]} {name}"
            for i, name in enumerate(names)
        ]
        yield scene.words("held by {names}", names=", ".join(told))
    lettered = {field.name for field in scene.grounds}
    for sign, text, shade in picture.sign_legend(lettered) if picture is not None else ():
        yield f"{paint(sign, ansi(shade), color)} {text}"
    used = set(marked.values()) if isinstance(marked, Mapping) else {""} if marked else set()
    if "" in used:
        yield f"{paint('*', 'mark', color)} {scene.words('on offer')}"
    for name, look in scene.style.part("highlights").items():
        if name in used:
            sign = paint(look.get("sign", "*"), f"1;{ansi(look.get('color', 'gold'))}", color)
            yield f"{sign} {scene.wording.called(look.get('label', name.replace('_', ' ')))}"
    if picture is not None:
        lying = [(marker.text, marker.told, marker.color or "gold") for marker in markers(picture)]
        for sign, text, shade in dict.fromkeys([*picture.mark_legend(), *lying]):
            yield f"{paint(sign, f'1;{ansi(shade)}', color)} {text}"
