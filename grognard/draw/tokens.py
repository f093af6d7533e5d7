"""Pieces ready to be drawn: their looks, worked out from the style and the values of a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, Final, Self

from grognard.draw.colors import is_color, legible
from grognard.draw.nameable import SLOT, Path, path_of, type_at
from grognard.draw.style import Style
from runtime.bitsets import bits
from runtime.games.wording import Wording, wording_for
from runtime.model import NONE, CallSpec, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import members, side_field, sort_field
from runtime.scenario.setup import SetUp
from runtime.state import StateBase
from runtime.view import Sight, Unseen

#: Works out a call of a ruleset in a state.
Value = Callable[[StateBase, str, Sequence[int]], int]

#: Colours for sides that have none.
SIDE_FILLS: Final = (
    "#3b5b84", "#a5372c", "#4f7a46", "#7c5a94",
    "#b8862b", "#2f7f86", "#5e5e5e", "#8a5a3c",
)  # fmt: skip
_MARK: Final = "#d68910"
#: Counters of less than this size lie beside the others on their hex.
SMALL: Final = 0.8

#: By degrees clockwise from the right: those of the six sides or corners of a hex all differ.
_ARROWS: Final = {
    0: "→", 30: "↘", 60: "↘", 90: "↓", 120: "↙", 150: "↙", 180: "←",
    210: "↖", 240: "↖", 270: "↑", 300: "↗", 330: "↗",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece, ready to be drawn."""

    kind: str
    index: int
    name: str
    side: int
    fill: str
    ink: str
    shape: str = "square"
    size: float = 1.1
    label: str = ""
    figures: str = ""
    #: glyphs with their fill and ink
    glyphs: tuple[str, ...] = ()
    glyph_fill: str = ""
    glyph_ink: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    tray: str = ""
    #: where it faces, in degrees clockwise from the right
    facing: int | None = None
    #: hexes to which lines run along the sides of its own, with colour and width
    edges: tuple[tuple[tuple[int, ...], str, str], ...] = ()
    #: the file of a picture of one's own, in place of all but facing, marks and edges
    picture: str = ""

    @property
    def signs(self) -> str:
        """Facing and marks in characters, for the terminal."""
        facing = "" if self.facing is None else _ARROWS[self.facing]
        return facing + "".join(text[:2] or "*" for text, _ in self.marks)


class Tokens:
    """The pieces of a position of a game, as somebody sees it."""

    def __init__(
        self,
        spec: RulesetSpec,
        setup: SetUp,
        state: StateBase,
        style: Style,
        seen: Sight | None = None,
        value: Value | None = None,
        wording: Wording | None = None,
    ) -> None:
        """*value* works out calls of the ruleset in a state; without it, what they say is left out.
        *wording* gives names and values in a language; without it they are in English.  StyleError.
        """
        style.check_names(spec)
        self.value = value
        self.wording = wording or wording_for(spec, setup)
        self.spec = spec
        self.setup = setup
        self.show(state, seen)
        self.style = style
        self.board = spec.board
        self.fields = {(f.owner, f.name): f for f in spec.fields}
        self._paths: dict[tuple[str, str], Path] = {}
        #: of each kind, the slots from whose values its looks follow; None where on more
        self._slots = {kind: self._looked_at(kind) for kind in spec.kinds}
        #: what pieces look like, by their kind, number, and the values of these
        self._known: dict[tuple[object, ...], Token] = {}

    def at(self, state: StateBase, seen: Sight | None = None) -> Self:
        """Another position, beside this one: what pieces look like is worked out once for both."""
        other = copy(self)
        other.show(state, seen)
        return other

    def show(self, state: StateBase, seen: Sight | None = None) -> None:
        """Go on with another position."""
        self.state = state if seen is None else seen.state
        self.seen = seen
        self._guarded: StateBase | None = None
        self._placed: tuple[dict[int, list[Token]], dict[str, list[Token]]] | None = None

    def is_shown(self, field: FieldSpec, owner: int) -> bool:
        """Whether the value of a field is to be shown."""
        return self.seen is None or self.seen.shows(field.slot, owner)

    def _looked_at(self, kind: str) -> tuple[str, ...] | None:
        """The slots of the fields from which the looks of a kind's pieces follow; None where they
        hang on what is worked out.
        """
        art, template, spec = self.style.art, "", self.spec
        if art is not None and kind in art.templates:
            template = art.templates[kind][0]
        settings = f"{self.style.part('pieces', kind)} {self.style.data.get('tray', '')} {template}"
        named = set(re.findall(r"\w+", settings))
        if not spec.calls.keys().isdisjoint(named):
            return None
        always = (side_field(spec, kind), sort_field(spec, kind))
        return tuple(
            f.slot
            for f in spec.fields_of(kind)
            if f.base in named or f in always or (art is not None and art.counters)
        )

    def _column(self, slot: str) -> Sequence[int | None]:
        """The values of a field of pieces; None for what is not seen."""
        column: Sequence[int | None] = (
            getattr(self.state, slot) if self.seen is None else self.seen.data[slot]
        )
        return column

    def tokens(self) -> tuple[dict[int, list[Token]], dict[str, list[Token]]]:
        """The pieces by hex, and those off the board by the text of their group."""
        if self._placed is None:
            self._placed = self._place_tokens()
        return self._placed

    def _place_tokens(self) -> tuple[dict[int, list[Token]], dict[str, list[Token]]]:
        placed: dict[int, list[Token]] = {}
        tray: dict[str, list[Token]] = {}
        for kind in self.spec.kinds:
            place = next((f for f in self.spec.fields_of(kind) if f.place), None)
            if place is None:
                continue
            keys = self._keys(kind)
            for i, (h, key) in enumerate(zip(self._column(place.slot), keys, strict=False)):
                if h is None:
                    continue
                token = self._looks(kind, i, key)
                if h >= 0:
                    placed.setdefault(h, []).append(token)
                else:
                    tray.setdefault(token.tray, []).append(token)
        return placed, tray

    def _keys(self, kind: str) -> Iterator[tuple[object, ...] | None]:
        """What the looks of each piece of a kind follow from; None where that is not known."""
        count, slots = len(self.setup.pieces.get(kind, ())), self._slots[kind]
        if slots is None:
            return repeat(None, count)
        return zip(repeat(kind), range(count), *map(self._column, slots), strict=False)

    def _looks(self, kind: str, i: int, key: tuple[object, ...] | None) -> Token:
        if key is None:
            return self._make_token(kind, i)
        token = self._known.get(key)
        if token is None:
            token = self._known[key] = self._make_token(kind, i)
        return token

    # ------------------------------------------------------------------ looks

    def style_of(self, kind: str, i: int) -> dict[str, Any]:
        """The settings for a piece as it is now."""
        style = dict(self.style.part("pieces", kind))
        for case in style.pop("cases", ()):
            when = case.get("when", {})
            if all(self._written_value(kind, i, path) == wanted for path, wanted in when.items()):
                style |= {key: value for key, value in case.items() if key != "when"}
        return style

    def token(self, kind: str, i: int) -> Token:
        """A piece, on the board or off it."""
        return self._looks(kind, i, self.look_key(kind, i))

    def look_key(self, kind: str, i: int) -> tuple[object, ...] | None:
        """What the looks of a piece follow from; None where that is not known."""
        slots = self._slots[kind]
        return None if slots is None else (kind, i, *(self._column(slot)[i] for slot in slots))

    def _make_token(self, kind: str, i: int) -> Token:
        style = self.style_of(kind, i)
        side = self._side(kind, i)
        fill, ink = self._paint(kind, i, side, style)
        glyph = self._glyph(kind, i, style.get("symbol", ""))
        label, tray = style.get("label"), self.style.data.get("tray", "")
        return Token(
            kind,
            i,
            self.setup.pieces[kind][i].name,
            side,
            fill,
            ink,
            style.get("shape", "square"),
            float(style.get("size", "1.1")),
            self._default_label(kind, i) if label is None else self.fill_in(label, kind, i),
            self.fill_in(style.get("figures", ""), kind, i),
            tuple(glyph.get("glyph", "").split()),
            glyph.get("fill", ""),
            glyph.get("ink", ""),
            tuple(
                (mark.get("text", ""), mark.get("color", _MARK))
                for _, mark in self._marks(kind, i, style)
            ),
            " ".join(self.fill_in(tray, kind, i, short=False).split()),
            self._facing(kind, i, style.get("facing")),
            tuple(self._edges(kind, i, style.get("edges", {}))),
            self._picture(kind, i),
        )

    def _picture(self, kind: str, i: int) -> str:
        """The picture of one's own that a piece has: the first there is of the name that the folder
        gives it, of its name, of what it is, of its kind.  What is not seen chooses none.
        """
        art = self.style.art
        if art is None or not art.counters:
            return ""
        names, template = [], art.templates.get(kind, ("", 0))[0]
        whole = all(self.is_shown(field, i) for field in self.spec.fields_of(kind))
        paths = [slot[1] for slot in SLOT.finditer(template)]
        seen = (
            whole if path == "name" else self._value(kind, i, path)[0] is not None for path in paths
        )
        own = self.setup.pieces[kind][i].name
        if paths and all(seen):
            names.append(
                SLOT.sub(
                    lambda s: own if s[1] == "name" else self._written_value(kind, i, s[1]),
                    template,
                )
            )
        if whole:
            names.append(own)
        sort = sort_field(self.spec, kind)
        if sort is not None and self.is_shown(sort, i):
            names.append(self._written_value(kind, i, sort.name))
        return next((art.counters[name] for name in (*names, kind) if name in art.counters), "")

    def _side(self, kind: str, i: int) -> int:
        f = side_field(self.spec, kind)
        return int(getattr(self.state, f.slot)[i]) if f and self.is_shown(f, i) else NONE

    def _paint(self, kind: str, i: int, side: int, style: Mapping[str, Any]) -> tuple[str, str]:
        of_side = self.style.part("sides", self.spec.sides[side] if side >= 0 else "")
        fill = self.side_fill(side) if side >= 0 else "#777777"
        if is_color(style.get("fill", "")):
            fill = style["fill"]
        elif "fill" in style:
            fill = style.get("colors", {}).get(self._written_value(kind, i, style["fill"]), fill)
        return fill, style.get("ink") or of_side.get("ink") or legible(fill)

    def side_fill(self, side: int) -> str:
        """The colour of a side."""
        look = self.style.part("sides", self.spec.sides[side]) if side >= 0 else {}
        return str(look.get("fill", SIDE_FILLS[side % len(SIDE_FILLS)]))

    def _glyph(self, kind: str, i: int, symbol: Any) -> Mapping[str, str]:
        """The glyphs of a piece with their colours."""
        if isinstance(symbol, Mapping) and "by" in symbol:
            symbol = symbol.get(self._written_value(kind, i, symbol["by"]), "")
        return symbol if isinstance(symbol, Mapping) else {"glyph": symbol}

    def _default_label(self, kind: str, i: int) -> str:
        f = sort_field(self.spec, kind)
        if f is None:
            return initials(self.setup.pieces[kind][i].name)
        return self.fill_in("{" + f.name + "}", kind, i)

    def _marks(
        self, kind: str, i: int, style: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The marks that a piece bears: of which field, and how they look."""
        for path, mark in style.get("marks", {}).items():
            if self._written_value(kind, i, path) not in ("no", "0", "none", ""):
                yield path, mark

    def mark_legend(self) -> list[tuple[str, str, str]]:
        """What the marks on pieces on the board stand for: sign, wording and colour.  One sign for
        several values of a field stands for the field.
        """
        legend: dict[tuple[str, str, str], dict[str, str]] = {}
        for token in (t for tokens in self.tokens()[0].values() for t in tokens if t.marks):
            kind, i = token.kind, token.index
            for path, mark in self._marks(kind, i, self.style_of(kind, i)):
                source, columns = self._path(kind, path)
                first = path.partition(".")[0]
                sort = "value" if isinstance(source, CallSpec) else "field"
                name = self.wording.text(f"{sort}.{first.partition('[')[0]}")
                text = self.wording.display_name(mark.get("label", "")) or name
                if not mark.get("label") and type_at(source, columns).kind == "enum":
                    text = self.fill_in(f"{{{path}}}", kind, i, short=False)
                key = path, mark.get("text", "") or "*", mark.get("color", _MARK)
                legend.setdefault(key, {})[text] = name
        return [
            (sign, next(iter(texts)) if len(texts) == 1 else next(iter(texts.values())), color)
            for (_, sign, color), texts in legend.items()
        ]

    def _facing(self, kind: str, i: int, setting: Any) -> int | None:
        """Where a piece faces, in degrees; None where it does not, or where that is not seen."""
        if setting is None:
            return None
        if isinstance(setting, str):
            setting = {"by": setting}
        value, _ = self._value(kind, i, setting["by"])
        if value is None or value < 0:
            return None
        first = 0 if self.board.pointy else 270
        return (first + 60 * value + (30 if setting.get("at") == "vertex" else 0)) % 360

    def _edges(
        self, kind: str, i: int, looks: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[int, ...], str, str]]:
        """The lines along the sides of a piece's hex."""
        for name, look in looks.items():
            hexes = self._value(kind, i, name)[0]
            if hexes:
                yield tuple(bits(hexes)), look.get("color", "#1b1b1b"), look.get("width", "3")

    # ------------------------------------------------------------------ values

    @property
    def lenient_call(self) -> Callable[[str, Sequence[int]], int] | None:
        """Works out calls; what is not seen counts as zero and none."""
        return None if self.value is None else partial(self.value, self.state)

    def _piece_call(self, name: str, kind: str, i: int) -> int | None:
        """A call of a piece; None where it hangs on what is not seen, or nothing works it out."""
        if self.value is None:
            return None
        if self._guarded is None:
            self._guarded = self.state if self.seen is None else self.seen.guarded_state()
        kinds = self.spec.kinds_of(self.spec.calls[name].params[0].name)
        try:
            return self.value(self._guarded, name, (self.setup.common_number(kinds, kind, i),))
        except Unseen:
            return None

    def _value(self, kind: str, i: int, path: str) -> tuple[int | None, TypeSpec]:
        """The value of a field or call of a piece, or of its column; None where it is not seen."""
        source, columns = self._path(kind, path)
        value: int | None = None
        if isinstance(source, CallSpec):
            value = self._piece_call(path.partition(".")[0], kind, i)
        elif self.is_shown(source, i):
            value = int(getattr(self.state, source.slot)[i])
        for column in columns:
            if value is not None:
                value = column.values[value] if value >= 0 else NONE
        return value, type_at(source, columns)

    def _path(self, kind: str, path: str) -> Path:
        """A field or call of a piece kind, and the columns that lead on from it."""
        if (kind, path) not in self._paths:
            fields = path_of(self.spec, kind, path)
            assert not isinstance(fields, str)  # the names of a style are those of the ruleset
            self._paths[kind, path] = fields
        return self._paths[kind, path]

    def _written_value(self, kind: str, i: int, path: str) -> str:
        """The value of a field, call or column as it is written."""
        value, type_ = self._value(kind, i, path)
        if value is None or (value == NONE and type_.kind != "int"):
            return "none"
        if type_.kind == "enum":
            return members(self.spec, type_.name)[value]
        if type_.kind == "bool":
            return "yes" if value else "no"
        return self.board.label(value) if type_.kind == "hex" else str(value)

    # ------------------------------------------------------------------ texts

    def fill_in(self, template: str, kind: str, i: int, short: bool = True) -> str:
        """A template with the values of a piece in the place of ``{field}``, ``{field.column}``,
        ``{function}`` and ``{name}``.
        """

        def text(slot: re.Match[str]) -> str:
            path = slot[1]
            if path == "name":
                word = self.setup.pieces[kind][i].name.rpartition(".")[2].replace("-", " ")
            else:
                word = self.in_letters(path.rsplit(".", 1)[-1], *self._value(kind, i, path), short)
            return word[: int(slot[2])] if slot[2] else word

        return SLOT.sub(text, template)

    def in_letters(self, name: str, value: int | None, type_: TypeSpec, short: bool = True) -> str:
        """The value of what has a name, in few letters unless it is not to be *short*."""
        if value is None:
            return "?"
        if type_.kind == "bool":
            return name if value else ""
        if value == NONE and type_.kind != "int":
            return ""
        if type_.kind == "enum":
            if short:
                return self._abbreviation(type_.name, value)
            return self.wording.text(f"{type_.name}.{members(self.spec, type_.name)[value]}")
        if type_.kind == "hex":
            return self.board.label(value)
        return str(value) if short or value else ""

    def _abbreviation(self, enum: str, number: int) -> str:
        """A member in few letters."""
        word = members(self.spec, enum)[number]
        return str(self.style.part("short", enum).get(word, initials(word)))


def initials(word: str) -> str:
    """A word of at most four letters, or the first letters of its parts."""
    if len(word) <= 4:
        return word
    parts = [part for part in re.split(r"[_\s-]+", word) if part]
    if len(parts) == 1:
        return parts[0][:3]
    return "".join(part if part.isdigit() else part[0] for part in parts)[:4]
