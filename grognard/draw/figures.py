"""Figures in hexes: what stands in a place without being a piece, as ``figures`` of a style says."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import partial
from typing import TYPE_CHECKING

from grognard.draw.idle import SLOT
from grognard.draw.xml import Point, text_at
from runtime.model import NONE, TypeSpec

if TYPE_CHECKING:
    from grognard.draw.picture import Picture


def figures(picture: Picture) -> dict[int, str]:
    """The text of each hex, where a value in it says something."""
    template = str(picture.style.data.get("figures", ""))
    paths = [slot[1] for slot in SLOT.finditer(template)]
    made = {}
    for h in range(picture.board.size) if paths else ():
        found = {path: _value(picture, h, path) for path in paths}
        if any(_says(type_, value) for type_, value in found.values()):
            made[h] = SLOT.sub(partial(_slot_text, picture, found), template)
    return made


def _slot_text(
    picture: Picture, values: dict[str, tuple[TypeSpec, int | None]], slot: re.Match[str]
) -> str:
    return _worded(picture, slot, *values[slot[1]])


def _value(picture: Picture, h: int, path: str) -> tuple[TypeSpec, int | None]:
    """A field or call of a hex, with its type; None where it is not seen."""
    field = next((f for f in picture.spec.fields_of("Hex") if f.name == path), None)
    if field is not None:
        return field.type, int(getattr(picture.state, field.slot)[h]) if picture.shows(
            field, h
        ) else None
    call = picture.spec.calls[path]
    return call.type, picture.worked(path, (h,)) if picture.worked is not None else None


def _says(type_: TypeSpec, value: int | None) -> bool:
    return value is None or (value != 0 if type_.kind in ("int", "bool", "set") else value != NONE)


def _worded(picture: Picture, slot: re.Match[str], type_: TypeSpec, value: int | None) -> str:
    """A value in few letters."""
    if value is None:
        text = "?"
    elif type_.kind == "enum":
        text = picture.abbreviation(type_.name, value) if value >= 0 else ""
    elif type_.kind == "bool":
        text = slot[1] if value else ""
    else:
        text = str(value)
    return text[: int(slot[2])] if slot[2] else text


def drawn_figures(
    picture: Picture, side: float, center: Callable[[int], Point], taken: Container[int]
) -> str:
    """The figures in a picture whose hexes have sides of some length: in the middle, above the
    pieces where there are some.
    """
    made = []
    for h, text in figures(picture).items():
        x, y = center(h)
        up, size = (0.62, 8.5) if h in taken else (0.0, 12.5)
        made.append(text_at(x, y - side * up, text, size, "#1b1b1b", "#fffdf4", "bold"))
    return "\n".join(made)
