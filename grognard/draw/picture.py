"""What is to be drawn of a position, without saying how: the looks of its hexes, lines and pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from grognard.draw.colors import is_color, readable
from grognard.draw.idle import SLOT
from grognard.draw.naming import holding, source_of
from grognard.draw.style import Style, StyleError, look_up, mapping, words_of
from runtime.bitsets import bits
from runtime.games.wording import Wording, wording_for
from runtime.model import NONE, ColumnSpec, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import sort_field
from runtime.view import Unseen

if TYPE_CHECKING:
    from runtime.scenario.setup import SetUp
    from runtime.state import StateBase
    from runtime.view import Sight

#: Colours for what has none.
GROUNDS: Final = (
    "#efe8d2",
    "#c9d7ab",
    "#d8c8a0",
    "#b9cdb8",
    "#d9d9d9",
    "#e4cfc0",
    "#c7d3df",
    "#d6c6d6",
)
SIDE_FILLS: Final = (
    "#3b5b84",
    "#a5372c",
    "#4f7a46",
    "#7c5a94",
    "#b8862b",
    "#2f7f86",
    "#5e5e5e",
    "#8a5a3c",
)
#: Counters of less than this size lie beside the others on their hex.
SMALL: Final = 0.8

#: The type of a value that is not seen.
_UNSEEN: Final = TypeSpec("unseen")
#: Arrows by degrees clockwise from the right: those of the six sides or corners of a hex all differ.
ARROWS: Final = {
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

    @property
    def signs(self) -> str:
        """Facing and marks in characters, for the terminal."""
        return ("" if self.facing is None else ARROWS[self.facing]) + "".join(
            text[:2] or "*" for text, _ in self.marks
        )


class Picture:
    """A position of a game and the way it looks: what is to be drawn, without saying how."""

    def __init__(
        self,
        spec: RulesetSpec,
        setup: SetUp,
        state: StateBase,
        style: Style,
        seen: Sight | None = None,
        value: Callable[[StateBase, str, Sequence[int]], int] | None = None,
        wording: Wording | None = None,
    ) -> None:
        """*value* works out calls of the ruleset in a state; without it, what they say is left out.
        *wording* gives names and values in a language; without it they are in English.
        """
        style.check_names(spec)
        self.value = value
        self.wording = wording or wording_for(spec, setup)
        self.spec = spec
        self.setup = setup
        self.show(state, seen)
        self.style = style
        self.board = spec.board
        self._fields = {(f.owner, f.name): f for f in spec.fields}
        self._paths: dict[tuple[str, str], tuple[FieldSpec | str, tuple[ColumnSpec, ...]]] = {}

    def show(self, state: StateBase, seen: Sight | None = None) -> None:
        """Go on with another position."""
        self.state = state if seen is None else seen.state
        self.seen = seen
        self._guarded: StateBase | None = None

    @property
    def worked(self) -> Callable[[str, Sequence[int]], int] | None:
        """Works out calls; what is not seen counts as zero and none."""
        return None if self.value is None else partial(self.value, self.state)

    def worked_of_piece(self, name: str, kind: str, i: int) -> int | None:
        """A call of a piece; None where it hangs on what is not seen, or nothing works it out."""
        if self.value is None:
            return None
        if self._guarded is None:
            self._guarded = self.state if self.seen is None else self.seen.guarded()
        kinds = self.spec.kinds_of(self.spec.calls[name].params[0].name)
        try:
            return self.value(self._guarded, name, (self.setup.common_number(kinds, kind, i),))
        except Unseen:
            return None

    def works_out(self, kind: str) -> bool:
        """Whether the looks of a kind's pieces hang on more than their fields."""
        said = f"{self.style.part('pieces', kind)} {self.style.data.get('tray', '')}"
        return not self.spec.calls.keys().isdisjoint(re.findall(r"\w+", said))

    def shows(self, field: FieldSpec, owner: int) -> bool:
        """Whether the value of a field is to be shown."""
        return self.seen is None or self.seen.shows(field.slot, owner)

    # ------------------------------------------------------------------ hexes

    def hex_fields(self) -> list[FieldSpec]:
        """The fields of Hex that have looks; without a style the first one that is an enum."""
        styled = self.style.part("hexes")
        if styled:
            return [self._fields[("Hex", name)] for name in styled]
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
        styled = self.style.part("hexes", field.name)
        if word in styled:
            found: Mapping[str, Any] = styled[word]
            return found
        if not self.style.part("hexes") and field.type.kind == "enum":
            rank = words_of(self.spec, field.type).get(word, 0)
            return {"fill": GROUNDS[rank % len(GROUNDS)], "sign": word[0] if rank else ""}
        return {}

    def _words(self, field: FieldSpec) -> dict[str, int]:
        return words_of(self.spec, field.type, self.style.part("hexes", field.name))

    def words_at(self, field: FieldSpec, h: int) -> list[str]:
        """The values of a field at a hex, as they are written."""
        if not self.shows(field, h):
            return []
        value = int(getattr(self.state, field.slot)[h])
        known = self._words(field)
        if field.type.kind == "set":
            return [word for word, number in known.items() if value >> number & 1]
        return [word for word, number in known.items() if number == value]

    def ground(self, h: int) -> dict[str, Any]:
        """The look of a hex: of each setting the last one that any field gives."""
        found: dict[str, Any] = {"fill": GROUNDS[0]}
        for f in self.hex_fields():
            for word in self.words_at(f, h):
                look = dict(self.look(f, word))
                if "pattern" in look and found.get("patterns"):
                    found["patterns"] = [
                        *found["patterns"],
                        (look["pattern"], look.get("ink", "#777777")),
                    ]
                elif "pattern" in look:
                    found["patterns"] = [(look["pattern"], look.get("ink", "#777777"))]
                look.pop("pattern", None)
                found.update(look)
        return found

    def _wording(self, field: FieldSpec, word: str) -> str:
        """What a value is called where its look has no label."""
        inner = field.type.of if field.type.of is not None else field.type
        if inner.kind == "enum":
            return self.wording.text(f"{inner.name}.{word}")
        name = self.wording.text(f"field.{field.base}", default=field.name.replace("_", " "))
        return f"{name} {word}" if inner.kind == "int" else name

    def legend(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What the looks on the board stand for: wording and look."""
        made: list[tuple[str, Mapping[str, Any]]] = []
        for f in self.hex_fields():
            for word in self._words(f):
                look = self.look(f, word)
                if not look or not any(word in self.words_at(f, h) for h in range(self.board.size)):
                    continue
                label = look.get("label")
                text = self.wording.called(label) if label else self._wording(f, word)
                if (text, look) not in made:
                    made.append((text, look))
        return made

    def sign_legend(self, without: Collection[str]) -> list[tuple[str, str, str]]:
        """What the signs in hexes stand for, *without* those of some fields: sign, wording and
        colour.
        """
        made = []
        for f in self.hex_fields():
            for word in self._words(f) if f.name not in without else ():
                look = self.look(f, word)
                sign = str(look.get("sign", "")).strip()[:1]
                if sign and any(word in self.words_at(f, h) for h in range(self.board.size)):
                    text = (
                        self.wording.called(look["label"])
                        if "label" in look
                        else self._wording(f, word)
                    )
                    made.append((sign, text, look.get("ink", "#777777")))
        return list(dict.fromkeys(made))

    def hexsides(self, name: str) -> list[tuple[int, int]]:
        """The pairs of hexes between which a field of sets of hexes draws a line."""
        column = getattr(self.state, self._fields[("Hex", name)].slot)
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
        field = self._fields.get(("Hex", name))
        if field is not None:
            found: Sequence[int] = getattr(self.state, field.slot)[: self.board.size]
            return found
        if self.worked is None:
            return ()
        return [self.worked(name, (h,)) for h in range(self.board.size)]

    def flags(self) -> list[tuple[int, int]]:
        """The hexes that show a side's flag, with the side."""
        name = self.style.data.get("flags")
        if not name:
            return []
        f = look_up(
            str(name), holding(self.spec), "field or function of Side", f"{self.style.name}, flags"
        )

        def held(side: int) -> int:
            if isinstance(f, FieldSpec):
                return int(getattr(self.state, f.slot)[side])
            return self.worked(str(name), (side,)) if self.worked is not None else 0

        return sorted((h, side) for side in range(len(self.spec.sides)) for h in bits(held(side)))

    # ------------------------------------------------------------------ pieces

    def tokens(self) -> tuple[dict[int, list[Token]], dict[str, list[Token]]]:
        """The pieces by hex, and those off the board by the text of their group."""
        placed: dict[int, list[Token]] = {}
        tray: dict[str, list[Token]] = {}
        for kind in self.spec.kinds:
            place = next((f for f in self.spec.fields_of(kind) if f.place), None)
            if place is None:
                continue
            for i in range(len(self.setup.pieces.get(kind, ()))):
                if not self.shows(place, i):
                    continue
                token = self.token(kind, i)
                h = int(getattr(self.state, place.slot)[i])
                if h >= 0:
                    placed.setdefault(h, []).append(token)
                else:
                    tray.setdefault(token.tray, []).append(token)
        return placed, tray

    def styled(self, kind: str, i: int) -> dict[str, Any]:
        """The settings for a piece as it is now."""
        style = dict(self.style.part("pieces", kind))
        for case in style.pop("cases", ()):
            when = mapping(case.get("when", {}), f"{self.style.name}, when")
            if all(self._plain(kind, i, path) == wanted for path, wanted in when.items()):
                style.update({key: value for key, value in case.items() if key != "when"})
        return style

    def _marks(
        self, kind: str, i: int, style: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The marks that a piece bears: of which field, and how they look."""
        for path, mark in style.get("marks", {}).items():
            if self._plain(kind, i, path) not in ("no", "0", "none", ""):
                yield path, mark

    def mark_legend(self) -> list[tuple[str, str, str]]:
        """What the marks on pieces on the board stand for: sign, wording and colour.  One sign for
        several values of a field stands for the field.
        """
        found: dict[tuple[str, str, str], dict[str, str]] = {}
        for token in (token for tokens in self.tokens()[0].values() for token in tokens):
            kind, i = token.kind, token.index
            for path, mark in self._marks(kind, i, self.styled(kind, i)):
                sign, label = mark.get("text", "") or "*", mark.get("label", "")
                name = self._called(self._path(kind, path)[0])
                enum = self._type(kind, path).kind == "enum"
                value = self.fill_in(f"{{{path}}}", kind, i, short=False) if enum else name
                told = self.wording.called(label) if label else value
                found.setdefault((path, sign, mark.get("color", "#d68910")), {})[told] = name
        return [
            (sign, next(iter(told)) if len(told) == 1 else next(iter(told.values())), color)
            for (_, sign, color), told in found.items()
        ]

    def token(self, kind: str, i: int) -> Token:
        """A piece, on the board or off it."""
        style = self.styled(kind, i)
        side = self._side(kind, i)
        fill, ink = self._paint(kind, i, side, style)
        symbol = style.get("symbol", {})
        drawn = (
            symbol.get(self._plain(kind, i, symbol["by"]), "")
            if isinstance(symbol, Mapping) and "by" in symbol
            else symbol
        )
        look: Mapping[str, Any] = (
            drawn
            if isinstance(drawn, Mapping)
            else {"glyph": drawn if isinstance(drawn, str) else ""}
        )
        return Token(
            kind,
            i,
            self.setup.pieces[kind][i].name,
            side,
            fill,
            ink,
            style.get("shape", "square"),
            float(style.get("size", "1.1")),
            self.fill_in(style["label"], kind, i)
            if "label" in style
            else self._default_label(kind, i),
            self.fill_in(style.get("figures", ""), kind, i),
            tuple(look.get("glyph", "").split()),
            look.get("fill", ""),
            look.get("ink", ""),
            tuple(
                (mark.get("text", ""), mark.get("color", "#d68910"))
                for _, mark in self._marks(kind, i, style)
            ),
            " ".join(
                self.fill_in(str(self.style.data.get("tray", "")), kind, i, short=False).split()
            ),
            self._facing(kind, i, style.get("facing")),
            tuple(self._edges(kind, i, style.get("edges", {}))),
        )

    def _edges(
        self, kind: str, i: int, looks: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[int, ...], str, str]]:
        """The lines along the sides of a piece's hex."""
        for name, look in looks.items():
            field = self._fields.get((kind, name))
            if field is not None:
                value = int(getattr(self.state, field.slot)[i]) if self.shows(field, i) else 0
            else:
                value = self.worked_of_piece(name, kind, i) or 0
            if value > 0:
                yield tuple(bits(value)), look.get("color", "#1b1b1b"), look.get("width", "3")

    def _facing(self, kind: str, i: int, setting: Any) -> int | None:
        """Where a piece faces, in degrees; None where it does not, or where that is not seen."""
        if setting is None:
            return None
        path, at = (
            (setting, "side")
            if isinstance(setting, str)
            else (setting["by"], setting.get("at", "side"))
        )
        value, type_ = self._value(kind, i, path)
        if type_ is _UNSEEN:
            return None
        if type_.kind != "enum" or len(self._members(type_.name)) != 6:
            message = f"{self.style.name}, facing: '{path}' of {kind} has not six directions"
            raise StyleError(
                message,
                "name a field or function of type Direction, or of an enum of six members, clockwise",
            )
        first = 0 if self.board.pointy else 270
        return (first + 60 * value + (30 if at == "vertex" else 0)) % 360 if value >= 0 else None

    def _side(self, kind: str, i: int) -> int:
        f = next((f for f in self.spec.fields_of(kind) if f.fixed and f.type.name == "Side"), None)
        if f is not None and not self.shows(f, i):
            return NONE
        return int(getattr(self.state, f.slot)[i]) if f is not None else NONE

    def _paint(self, kind: str, i: int, side: int, style: Mapping[str, Any]) -> tuple[str, str]:
        of_side = self.style.part("sides", self.spec.sides[side] if side >= 0 else "")
        fill = of_side.get("fill", SIDE_FILLS[side % len(SIDE_FILLS)] if side >= 0 else "#777777")
        if is_color(str(style.get("fill", ""))):
            fill = style["fill"]
        elif "fill" in style:
            fill = style.get("colors", {}).get(self._plain(kind, i, style["fill"]), fill)
        return fill, style.get("ink") or of_side.get("ink") or readable(fill)

    def _default_label(self, kind: str, i: int) -> str:
        f = sort_field(self.spec, kind)
        return (
            self.fill_in("{" + f.name + "}", kind, i)
            if f is not None
            else initials(self.setup.pieces[kind][i].name)
        )

    def fill_in(self, template: str, kind: str, i: int, short: bool = True) -> str:
        """A template with the values of a piece in the place of ``{field}``, ``{field.column}``,
        ``{function}`` and ``{name}``.
        """

        def value(found: re.Match[str]) -> str:
            text = worded(found[1])
            return text[: int(found[2])] if found[2] else text

        def worded(path: str) -> str:
            if path == "name":
                return self.setup.pieces[kind][i].name.rpartition(".")[2].replace("-", " ")
            number, type_ = self._value(kind, i, path)
            if type_ is _UNSEEN:
                return "?"
            if type_.kind == "bool":
                return path.rsplit(".", 1)[-1] if number else ""
            if number == NONE and type_.kind != "int":
                return ""
            if type_.kind == "enum":
                word = self._members(type_.name)[number]
                return (
                    self.abbreviation(type_.name, number)
                    if short
                    else self.wording.text(f"{type_.name}.{word}")
                )
            if type_.kind == "hex":
                return self.board.label(number)
            return str(number) if short or number else ""

        return SLOT.sub(value, template)

    def abbreviation(self, enum: str, number: int) -> str:
        """A member in few letters."""
        word = self._members(enum)[number]
        given = self.style.part("short", enum).get(word)
        return str(given) if given is not None else initials(word)

    def _members(self, enum: str) -> tuple[str, ...]:
        return self.spec.sides if enum == "Side" else self.spec.enums[enum]

    def _value(self, kind: str, i: int, path: str) -> tuple[int, TypeSpec]:
        """The value of a field or call of a piece, or of a column of it."""
        f, columns = self._paths.get((kind, path)) or self._path(kind, path)
        if isinstance(f, str):
            worked, type_ = self.worked_of_piece(f, kind, i), self.spec.calls[f].type
        else:
            worked = int(getattr(self.state, f.slot)[i]) if self.shows(f, i) else None
            type_ = f.type
        if worked is None:
            return NONE, _UNSEEN
        value = worked
        for column in columns:
            value, type_ = (column.values[value] if value >= 0 else NONE), column.type
        return value, type_

    def _path(self, kind: str, path: str) -> tuple[FieldSpec | str, tuple[ColumnSpec, ...]]:
        """A field of a piece kind, or a call by its name, and the columns that lead on from it."""
        first, *rest = path.split(".")
        f = source_of(self.spec, kind, first)
        assert f is not None  # the names of a style are those of the ruleset
        columns: list[ColumnSpec] = []
        type_ = f.type
        for name in rest:
            columns.append(self.spec.columns[f"{type_.name}.{name}"])
            type_ = columns[-1].type
        self._paths[kind, path] = f if isinstance(f, FieldSpec) else first, tuple(columns)
        return self._paths[kind, path]

    def _type(self, kind: str, path: str) -> TypeSpec:
        f, columns = self._path(kind, path)
        return (
            columns[-1].type
            if columns
            else self.spec.calls[f].type
            if isinstance(f, str)
            else f.type
        )

    def _called(self, f: FieldSpec | str) -> str:
        """How a field or call is called."""
        key, name = (f"value.{f}", f) if isinstance(f, str) else (f"field.{f.base}", f.base)
        return self.wording.text(key, default=name.replace("_", " "))

    def _plain(self, kind: str, i: int, path: str) -> str:
        """The value of a field, call or column as it is written."""
        value, type_ = self._value(kind, i, path)
        if type_ is _UNSEEN or (value == NONE and type_.kind != "int"):
            return "none"
        if type_.kind == "enum":
            return self._members(type_.name)[value]
        if type_.kind == "bool":
            return "yes" if value else "no"
        return self.board.label(value) if type_.kind == "hex" else str(value)


def initials(word: str) -> str:
    """A word of at most four letters, or the first letters of its parts."""
    if len(word) <= 4:
        return word
    parts = [part for part in re.split(r"[_\s-]+", word) if part]
    if len(parts) == 1:
        return parts[0][:3]
    return "".join(part if part.isdigit() else part[0] for part in parts)[:4]
