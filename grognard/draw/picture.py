"""What is to be drawn of a position, without saying how: the looks of its hexes and lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from re import Match
from typing import Any, Final

from grognard.draw.nameable import SLOT, holding_sources, marker_fields, values_of
from grognard.draw.tokens import Tokens
from runtime.bitsets import bits
from runtime.model import NONE, FieldSpec, TypeSpec

#: Colours for grounds that have none.
_GROUNDS: Final = (
    "#efe8d2", "#c9d7ab", "#d8c8a0", "#b9cdb8",
    "#d9d9d9", "#e4cfc0", "#c7d3df", "#d6c6d6",
)  # fmt: skip
_INK: Final = "#777777"


@dataclass(frozen=True)
class Marker:
    """A marker in a hex: what it says, its colour (empty for that of its *side*), what it stands
    for.
    """

    hex: int
    text: str
    color: str
    label: str
    side: int


class Picture(Tokens):
    """A position of a game and the way it looks: what is to be drawn, without saying how."""

    # ------------------------------------------------------------------ grounds

    def hex_fields(self) -> list[FieldSpec]:
        """The fields of Hex that have looks; without a style the first one that is an enum."""
        styled = self.style.part("hexes")
        if styled:
            return [self.fields["Hex", name] for name in styled]
        return [
            f
            for f in self.spec.fields_of("Hex")
            if f.type.kind == "enum"
            and f.type.name != "Side"
            and (f.fixed or f.setup)
            and f.name not in self.style.part("areas")
        ][:1]

    def look(self, field: FieldSpec, word: str) -> Mapping[str, Any]:
        """The look of a value."""
        styled = self.style.part("hexes")
        if styled or field.type.kind != "enum":
            look: Mapping[str, Any] = styled.get(field.name, {}).get(word, {})
            return look
        rank = self._words(field)[word]
        sign = word[0] if rank else ""
        return {"fill": _GROUNDS[rank % len(_GROUNDS)], "sign": sign} if rank >= 0 else {}

    def _words(self, field: FieldSpec) -> dict[str, int]:
        """The values of a field as they are written; of numbers those that have looks."""
        words = values_of(self.spec, field.type)
        looks = self.style.part("hexes", field.name)
        return {word: int(word) for word in looks} if words is None else words

    def words_at(self, field: FieldSpec, h: int) -> list[str]:
        """The values of a field at a hex, as they are written."""
        if not self.is_shown(field, h):
            return []
        value = int(getattr(self.state, field.slot)[h])
        words = self._words(field)
        if field.type.kind == "set":
            return [word for word, number in words.items() if value >> number & 1]
        return [word for word, number in words.items() if number == value]

    def ground(self, h: int, changing: bool = False) -> dict[str, Any]:
        """The look of a hex: of each setting the last one that any field gives, of ``patterns`` all
        with their inks; of *changing* fields alone what these give.
        """
        ground: dict[str, Any] = {} if changing else {"fill": _GROUNDS[0]}
        for f in self.hex_fields():
            if changing and f.fixed:
                continue
            for word in self.words_at(f, h):
                look = dict(self.look(f, word))
                if "pattern" in look:
                    pattern = look.pop("pattern"), look.get("ink", _INK)
                    ground["patterns"] = [*ground.get("patterns", ()), pattern]
                ground |= look
        return ground

    def _board_looks(self) -> Iterator[tuple[FieldSpec, str, Mapping[str, Any]]]:
        """The looks on the board: of which field, how they are called, and they themselves."""
        for f in self.hex_fields():
            there = {word for h in range(self.board.size) for word in self.words_at(f, h)}
            for word in (word for word in self._words(f) if word in there):
                look = self.look(f, word)
                label = look.get("label")
                yield f, self.wording.display_name(label) if label else self._wording(f, word), look

    def _wording(self, field: FieldSpec, word: str) -> str:
        """What a value is called where its look has no label."""
        inner = field.type.of if field.type.of is not None else field.type
        if inner.kind == "enum":
            return self.wording.text(f"{inner.name}.{word}")
        name = self.wording.text(f"field.{field.base}", default=field.name.replace("_", " "))
        return f"{name} {word}" if inner.kind == "int" else name

    def legend(self, changing: bool = False) -> list[tuple[str, Mapping[str, Any]]]:
        """What the looks on the board stand for, or those of *changing* fields: wording, look."""
        legend: list[tuple[str, Mapping[str, Any]]] = []
        for field, text, look in self._board_looks():
            if look and (text, look) not in legend and not (changing and field.fixed):
                legend.append((text, look))
        return legend

    def sign_legend(self, without: Collection[str]) -> list[tuple[str, str, str]]:
        """What the signs in hexes stand for, *without* those of some fields: sign, wording and
        colour.
        """
        signs = (
            (str(look.get("sign", "")).strip()[:1], text, look.get("ink", _INK))
            for f, text, look in self._board_looks()
            if f.name not in without
        )
        return list(dict.fromkeys(sign for sign in signs if sign[0]))

    # ------------------------------------------------------------------ lines

    def hexsides(self, name: str) -> list[tuple[int, int]]:
        """The pairs of hexes between which a field of sets of hexes draws a line."""
        column = getattr(self.state, self.fields["Hex", name].slot)
        touching = {
            (a, b)
            for a in range(self.board.size)
            for b in bits(column[a])
            if b in self.board.neighbors[a]
        }
        return sorted({(min(pair), max(pair)) for pair in touching})

    def borders(self, name: str) -> list[tuple[int, int]]:
        """The pairs of neighbours that differ in a field, or in what is worked out of them."""
        column = self.column(name)
        return [
            (a, b)
            for a in range(len(column))
            for b in self.board.neighbors[a]
            if a < b and column[a] != column[b]
        ]

    def column(self, name: str) -> Sequence[int]:
        """A field or call of each hex; empty where nothing works it out."""
        field = self.fields.get(("Hex", name))
        if field is not None:
            column: Sequence[int] = getattr(self.state, field.slot)[: self.board.size]
            return column
        if self.lenient_call is None:
            return ()
        return [self.lenient_call(name, (h,)) for h in range(self.board.size)]

    # ------------------------------------------------------------------ what lies in hexes

    def flags(self) -> list[tuple[int, int]]:
        """The hexes that show a side's flag, with the side."""
        name = self.style.data.get("flags")
        if not name:
            return []
        source, worked = holding_sources(self.spec)[name], self.lenient_call

        def held(side: int) -> int:
            if isinstance(source, FieldSpec):
                return int(getattr(self.state, source.slot)[side])
            return worked(name, (side,)) if worked is not None else 0

        return sorted((h, side) for side in range(len(self.spec.sides)) for h in bits(held(side)))

    def declared_markers(self) -> dict[FieldSpec, Marker]:
        """What markers there may be, in no hex yet and of no side, by their fields."""
        known = marker_fields(self.spec)
        markers = {}
        for name, look in self.style.part("markers").items():
            label = look.get("label")
            label = (
                self.wording.display_name(label) if label else self.wording.text(f"field.{name}")
            )
            text = look.get("text", "") or "*"
            markers[known[name]] = Marker(NONE, text, look.get("color", ""), label, NONE)
        return markers

    def markers(self) -> Iterator[Marker]:
        """The markers on the board, as far as the view shows them."""
        for field, marker in self.declared_markers().items():
            column = getattr(self.state, field.slot)
            for side in range(len(self.spec.sides)) if field.owner == "Side" else (NONE,):
                if self.is_shown(field, side):
                    for h in bits(column[side] if side >= 0 else column):
                        yield Marker(h, marker.text, marker.color, marker.label, side)

    def figures(self) -> dict[int, str]:
        """The figures in each hex, where a value in them says something."""
        template = self.style.data.get("figures", "")
        paths = [slot[1] for slot in SLOT.finditer(template)]
        figures = {}
        for h in range(self.board.size) if paths else ():
            values = {path: self._value_at(h, path) for path in paths}
            if any(_says_something(value, type_) for value, type_ in values.values()):
                figures[h] = SLOT.sub(partial(self._figure, values), template)
        return figures

    def _value_at(self, h: int, path: str) -> tuple[int | None, TypeSpec]:
        """A field or call of a hex, with its type; None where it is not seen."""
        field = self.fields.get(("Hex", path))
        if field is not None:
            value = int(getattr(self.state, field.slot)[h]) if self.is_shown(field, h) else None
            return value, field.type
        value = self.lenient_call(path, (h,)) if self.lenient_call else None
        return value, self.spec.calls[path].type

    def _figure(self, values: dict[str, tuple[int | None, TypeSpec]], slot: Match[str]) -> str:
        text = self.in_letters(slot[1], *values[slot[1]])
        return text[: int(slot[2])] if slot[2] else text


def _says_something(value: int | None, type_: TypeSpec) -> bool:
    return value is None or value != (0 if type_.kind in ("int", "bool", "set") else NONE)
