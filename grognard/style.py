"""How a board and its pieces look: the optional file ``style.yaml`` in the folder of a ruleset.

Everything in it is optional; what it does not say has a plain look.  Settings of a base ruleset hold as well,
where the ruleset itself does not say otherwise.  ::

    background: "#a9c6d9"            # where there is no hex
    labels: "#8a8570"                # hex labels; none: not drawn
    hexes:                           # by field of Hex, then by value (yes and no for a bool); later fields
    lie over earlier ones
      terrain:
        forest: {fill: "#b7cf9c", pattern: trees, ink: "#5c7f45", sign: f}
        city: {pattern: houses}
      objective: {yes: {rim: "#b03a2e"}}
    hexsides:                        # fields of Hex that are sets of hexes: lines along the sides towards
    them
      rivers: {color: "#4a86c5", width: 4, label: river}
    borders:                         # lines between neighbours that differ in a field
      home: {color: "#b03a2e", width: 2, dash: "8 5"}
    sides: {red: {fill: "#c0392b", ink: white}}
    flags: holds                     # a field of Side that is a set of hexes: each shows the side's flag
    short:                           # abbreviations, by enum
      Type: {heavy_infantry: HI}
    pieces:                          # by kind
      Unit:
        shape: square                # or round
        size: 1.1                    # in hexsides
        fill: type.nation            # a field or column of an enum, whose colours stand in `colors`; else the
        side's colour colors: {guard: "#333333"} label: "{type}"              # fields and columns of the
        piece, or {name}; {name:3}: three letters of it figures: "{type.attack}-{type.move}" symbol: {by:
        type.arm, foot: cross, mounted: slash, guns: {glyph: dot, fill: black}} marks: {tired: {text: T,
        color: "#d68910"}} facing: {by: heading, at: side} cases:                       # other settings while
        fields have these values
          - {when: {face: back}, figures: "{type.weak}-{type.move}"}
    tray: "{box}"                    # pieces that are off the board stand in groups by this text

*facing* draws an arrow.  It names a field of type Direction, or of an enum of six members, clockwise; the
first is the first direction of the board, *at* its side of the hex (``side``, as without it) or the corner
next to it, clockwise (``vertex``). *pattern* is one of :data:`PATTERNS`, *glyph* (several, separated by
blanks) one of :data:`GLYPHS`, *sign* a character for the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from runtime.board import bits
from runtime.files import read_text
from runtime.model import NONE, ColumnSpec, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.schema import sort_field
from runtime.yaml_errors import explained
from runtime.yaml_plain import load_plain

if TYPE_CHECKING:
    from runtime.scenario.setup import SetUp
    from runtime.state import StateBase
    from runtime.view import View

FILE: Final = "style.yaml"
PATTERNS: Final = ("trees", "reeds", "peaks", "hills", "houses", "waves", "dots", "derrick", "bridge")
GLYPHS: Final = (
    "cross",
    "slash",
    "oval",
    "dot",
    "circle",
    "triangle",
    "square",
    "diamond",
    "bastion",
    "star",
)
#: Colours for what has none.
GROUNDS: Final = ("#efe8d2", "#c9d7ab", "#d8c8a0", "#b9cdb8", "#d9d9d9", "#e4cfc0", "#c7d3df", "#d6c6d6")
SIDE_FILLS: Final = ("#3b5b84", "#a5372c", "#4f7a46", "#7c5a94", "#b8862b", "#2f7f86", "#5e5e5e", "#8a5a3c")

#: The type of a value that is not seen.
_UNSEEN: Final = TypeSpec("unseen")
#: Arrows by degrees clockwise from the right: those of the six sides or corners of a hex all differ.
ARROWS: Final = {
    0: "→", 30: "↘", 60: "↘", 90: "↓", 120: "↙", 150: "↙", 180: "←",
    210: "↖", 240: "↖", 270: "↑", 300: "↗", 330: "↗",
}  # fmt: skip
_COLOR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?\Z|[a-z]{3,24}\Z")
_SLOT = re.compile(r"\{(\w+(?:\.\w+)*)(?::(\d))?\}")
_TOP: Final = (
    "background",
    "labels",
    "names",
    "hexes",
    "hexsides",
    "borders",
    "sides",
    "flags",
    "short",
    "pieces",
    "tray",
)
_LOOK: Final = ("fill", "ink", "pattern", "rim", "sign", "label")
_LINE: Final = ("color", "width", "dash", "label")
_PIECE: Final = (
    "shape",
    "size",
    "fill",
    "ink",
    "colors",
    "label",
    "figures",
    "symbol",
    "marks",
    "facing",
    "cases",
)


class StyleError(ValueError):
    """A style file cannot be used: what is wrong, and what can be done."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Style:
    """The settings of ``style.yaml``; without one, plain looks."""

    data: Mapping[str, Any] = field(default_factory=dict)
    name: str = FILE

    @classmethod
    def read(cls, folders: Iterable[Path]) -> Style:
        """The style of a ruleset, whose own folder comes first and those of its bases after it.
        StyleError.
        """
        merged: dict[str, Any] = {}
        name = FILE
        for folder in reversed(list(folders)):
            path = folder / FILE
            if not path.is_file():
                continue
            name = f"{folder.name}/{FILE}"
            try:
                text = read_text(path, within=folder)
            except (OSError, UnicodeDecodeError) as error:
                raise StyleError(
                    f"{name} cannot be read: {error}", "save the file as UTF-8, and check its permissions"
                ) from None
            try:
                data = load_plain(text) or {}
            except yaml.YAMLError as error:
                trouble = explained(error, text)
                raise StyleError(f"{name}, line {trouble.line}: {trouble.message}", trouble.remedy) from None
            _check(data, name)
            for key, value in data.items():
                merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
        return cls(merged, name)

    def part(self, *keys: str) -> Mapping[str, Any]:
        """A mapping inside the settings, empty when it is not there."""
        found: Any = self.data
        for key in keys:
            found = found.get(key, {}) if isinstance(found, Mapping) else {}
        return found if isinstance(found, Mapping) else {}

    def check_names(self, spec: RulesetSpec) -> None:
        """Make sure that fields, members and kinds are those of the ruleset.  StyleError."""
        hexes = {f.name: f for f in spec.fields_of("Hex")}
        for section in ("hexes", "hexsides", "borders"):
            for name, looks in self.part(section).items():
                found = _known(name, hexes, "field of Hex", f"{self.name}, {section}")
                if section == "hexes":
                    words = _words(spec, found.type)
                    for word in looks:
                        _known(word, words, f"value of {name}", f"{self.name}, hexes")
        _each_known(self.part("sides"), spec.sides, "side", f"{self.name}, sides")
        if "flags" in self.data:
            flags = _known(
                str(self.data["flags"]),
                {f.name: f for f in spec.fields_of("Side")},
                "field of Side",
                f"{self.name}, flags",
            )
            if flags.type.kind != "set" or flags.type.of is None or flags.type.of.kind != "hex":
                raise StyleError(
                    f"{self.name}, flags: '{flags.name}' is no set of hexes",
                    "name a field of Side that is one",
                )
        _each_known(self.part("pieces"), spec.kinds, "kind of piece", f"{self.name}, pieces")
        for enum, words_of in self.part("short").items():
            _each_known(
                words_of,
                _known(enum, spec.enums, "enum", f"{self.name}, short"),
                f"member of {enum}",
                f"{self.name}, short",
            )


def _check(data: Any, name: str) -> None:
    if not isinstance(data, dict):
        raise StyleError(f"{name} is not a mapping", f"its keys are {', '.join(_TOP)}")
    _each_known(data, _TOP, "setting", name)
    for key in ("hexes", "hexsides", "borders", "sides", "short", "pieces"):
        for inner, value in _mapping(data.get(key, {}), f"{name}, {key}").items():
            _mapping(value, f"{name}, {key}.{inner}")
    for looks in data.get("hexes", {}).values():
        for value, look in looks.items():
            _each_known(
                _mapping(look, f"{name}, hexes: {value}"), _LOOK, "setting of a hex", f"{name}, {value}"
            )
            _texts_only(look, ("pattern", "sign", "label"), f"{name}, {value}")
            _colors(look, ("fill", "ink", "rim"), f"{name}, {value}")
            for pattern in look.get("pattern", "").split():
                _known(pattern, dict.fromkeys(PATTERNS), "pattern", f"{name}, {value}")
    for section in ("hexsides", "borders"):
        for field_name, line in data.get(section, {}).items():
            _each_known(line, _LINE, "setting of a line", f"{name}, {field_name}")
            _texts_only(line, ("dash", "label"), f"{name}, {field_name}")
            _colors(line, ("color",), f"{name}, {field_name}")
            _numbers([line.get("width", "1"), *line.get("dash", "").split()], f"{name}, {field_name}")
    for side, look in data.get("sides", {}).items():
        _each_known(look, ("fill", "ink"), "setting of a side", f"{name}, {side}")
        _colors(look, ("fill", "ink"), f"{name}, {side}")
    _texts_only(data, ("labels", "flags", "tray"), name)
    _colors(data, ("background", "names"), name)
    if data.get("labels", "none") != "none":
        _colors(data, ("labels",), name)
    for kind, piece in data.get("pieces", {}).items():
        _check_piece(piece, f"{name}, {kind}", ())
        for case in piece.get("cases", ()):
            _check_piece(_mapping(case, f"{name}, {kind}: a case"), f"{name}, {kind}", ("when",))


def _check_piece(piece: Mapping[str, Any], where: str, more: tuple[str, ...]) -> None:
    _each_known(piece, (*_PIECE, *more), "setting of a piece", where)
    _texts_only(piece, ("shape", "size", "fill", "ink", "label", "figures"), where)
    _numbers([piece.get("size", "1")], where)
    if piece.get("shape", "square") not in ("square", "round"):
        raise StyleError(f"{where}: shape '{piece['shape']}'", "write square or round")
    _colors(piece, ("ink",), where)
    colors = _mapping(piece.get("colors", {}), where)
    _colors(colors, tuple(colors), where)
    symbol = piece.get("symbol", {})
    by_value = {"": symbol} if isinstance(symbol, str) or "by" not in _mapping(symbol, where) else symbol
    for key, value in by_value.items():
        if key == "by":
            _texts_only(by_value, ("by",), where)
            continue
        look = {"glyph": value} if isinstance(value, str) else _mapping(value, where)
        _each_known(look, ("glyph", "fill", "ink"), "setting of a symbol", where)
        _texts_only(look, ("glyph",), where)
        _colors(look, ("fill", "ink"), where)
        for glyph in look.get("glyph", "").split():
            _known(glyph, dict.fromkeys(GLYPHS), "glyph", where)
    for mark in _mapping(piece.get("marks", {}), where).values():
        _each_known(_mapping(mark, where), ("text", "color"), "setting of a mark", where)
        _texts_only(mark, ("text",), where)
        _colors(mark, ("color",), where)
    facing = piece.get("facing", "")
    if not isinstance(facing, str):
        _each_known(_mapping(facing, where), ("by", "at"), "setting of a facing", where)
        _texts_only(facing, ("by",), where)
        if "by" not in facing or facing.get("at", "side") not in ("side", "vertex"):
            raise StyleError(
                f"{where}: a facing names a field, and side or vertex",
                "write facing: {by: heading, at: side}",
            )
    if not isinstance(piece.get("cases", []), list):
        raise StyleError(f"{where}: a list is wanted for cases", "write [{when: {field: value}, …}]")


def _texts_only(data: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    for key in keys:
        if not isinstance(data.get(key, ""), str):
            raise StyleError(f"{where}: a text is wanted for {key}", f"write {key}: text")


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise StyleError(f"{where}: a mapping is wanted", "write {key: value}")
    return value


def _known(name: str, known: Mapping[str, Any], what: str, where: str) -> Any:
    from dsl.diagnostics import did_you_mean

    if name not in known:
        raise StyleError(
            f"{where}: there is no {what} '{name}'", did_you_mean(name, known) or f"known: {', '.join(known)}"
        )
    return known[name]


def _each_known(names: Iterable[str], known: Iterable[str], what: str, where: str) -> None:
    table = dict.fromkeys(known)
    for name in names:
        _known(name, table, what, where)


def _colors(look: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in keys:
        value = look.get(key)
        if value is not None and not (isinstance(value, str) and _COLOR.match(value)):
            raise StyleError(
                f"{where}: '{value}' is no colour for {key}", 'write "#aabbcc" or a name such as white'
            )


def _numbers(values: Iterable[Any], where: str) -> None:
    for value in values:
        if not isinstance(value, str) or not re.match(r"\d{1,3}(?:\.\d{1,3})?\Z", value):
            raise StyleError(f"{where}: '{value}' is no number", "write a number such as 2 or 1.5")


def _words(spec: RulesetSpec, type_: TypeSpec) -> dict[str, int]:
    """The values of a field as they are written, with their numbers."""
    inner = type_.of if type_.kind == "set" and type_.of is not None else type_
    if inner.kind == "enum":
        return {
            word: number
            for number, word in enumerate(
                spec.enums.get(inner.name, spec.sides if inner.name == "Side" else ())
            )
        }
    return {"yes": 1, "no": 0} if inner.kind == "bool" else {}


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

    @property
    def signs(self) -> str:
        """Facing and marks in characters, for the terminal."""
        return ("" if self.facing is None else ARROWS[self.facing]) + "".join(
            text[:2] or "*" for text, _ in self.marks
        )


class Scene:
    """A position of a game and the way it looks: what is to be drawn, without saying how."""

    def __init__(
        self,
        spec: RulesetSpec,
        setup: SetUp,
        state: StateBase,
        style: Style,
        seen: View | None = None,
    ) -> None:
        style.check_names(spec)
        self.spec = spec
        self.setup = setup
        self.state = state if seen is None else seen.state
        self.seen = seen
        self.style = style
        self.board = spec.board
        self._fields = {(f.owner, f.name): f for f in spec.fields}
        self._paths: dict[tuple[str, str], tuple[FieldSpec, tuple[ColumnSpec, ...]]] = {}

    def _shows(self, field: FieldSpec, owner: int) -> bool:
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
            if f.type.kind == "enum" and f.type.name != "Side" and (f.fixed or f.setup)
        ][:1]

    def look(self, field: FieldSpec, word: str) -> Mapping[str, Any]:
        """The look of a value."""
        styled = self.style.part("hexes", field.name)
        if word in styled:
            found: Mapping[str, Any] = styled[word]
            return found
        if not self.style.part("hexes") and field.type.kind == "enum":
            rank = _words(self.spec, field.type).get(word, 0)
            return {"fill": GROUNDS[rank % len(GROUNDS)], "sign": word[0] if rank else ""}
        return {}

    def words_at(self, field: FieldSpec, h: int) -> list[str]:
        """The values of a field at a hex, as they are written."""
        if not self._shows(field, h):
            return []
        value = int(getattr(self.state, field.slot)[h])
        known = _words(self.spec, field.type)
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
                    found["patterns"] = [*found["patterns"], (look["pattern"], look.get("ink", "#777777"))]
                elif "pattern" in look:
                    found["patterns"] = [(look["pattern"], look.get("ink", "#777777"))]
                look.pop("pattern", None)
                found.update(look)
        return found

    def legend(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What the looks on the board stand for: wording and look."""
        made: list[tuple[str, Mapping[str, Any]]] = []
        for f in self.hex_fields():
            for word in _words(self.spec, f.type):
                look = self.look(f, word)
                if not look or not any(word in self.words_at(f, h) for h in range(self.board.size)):
                    continue
                inner = f.type.of if f.type.of is not None else f.type
                text = look.get("label") or (
                    self.spec.text(f"{inner.name}.{word}")
                    if inner.kind == "enum"
                    else f.name.replace("_", " ")
                )
                made.append((text, look))
        return made

    def hexsides(self, name: str) -> list[tuple[int, int]]:
        """The pairs of hexes between which a field of sets of hexes draws a line."""
        column = getattr(self.state, self._fields[("Hex", name)].slot)
        touching = {
            (a, b) for a in range(self.board.size) for b in bits(column[a]) if b in self.board.neighbors[a]
        }
        return sorted({(min(pair), max(pair)) for pair in touching})

    def borders(self, name: str) -> list[tuple[int, int]]:
        """The pairs of neighbours that differ in a field."""
        column = getattr(self.state, self._fields[("Hex", name)].slot)
        return [
            (a, b)
            for a in range(self.board.size)
            for b in self.board.neighbors[a]
            if a < b and column[a] != column[b]
        ]

    def flags(self) -> list[tuple[int, int]]:
        """The hexes that show a side's flag, with the side."""
        name = self.style.data.get("flags")
        if not name:
            return []
        f = _known(
            str(name),
            {f.name: f for f in self.spec.fields_of("Side")},
            "field of Side",
            f"{self.style.name}, flags",
        )
        return sorted(
            (h, side) for side in range(len(self.spec.sides)) for h in bits(getattr(self.state, f.slot)[side])
        )

    # ------------------------------------------------------------------ pieces

    def tokens(self) -> tuple[dict[int, list[Token]], dict[str, list[Token]]]:
        """The pieces by hex, and those off the board by the text of their group."""
        placed: dict[int, list[Token]] = {}
        tray: dict[str, list[Token]] = {}
        for kind in self.spec.kinds:
            place = next((f for f in self.spec.fields_of(kind) if f.place), None)
            for i in range(len(self.setup.pieces.get(kind, ()))):
                if place is not None and not self._shows(place, i):
                    continue
                token = self._token(kind, i)
                h = int(getattr(self.state, place.slot)[i]) if place is not None else NONE
                if h >= 0:
                    placed.setdefault(h, []).append(token)
                elif place is not None:
                    tray.setdefault(token.tray, []).append(token)
        return placed, tray

    def _token(self, kind: str, i: int) -> Token:
        style = dict(self.style.part("pieces", kind))
        for case in style.pop("cases", ()):
            when = _mapping(case.get("when", {}), f"{self.style.name}, when")
            if all(self._plain(kind, i, path) == wanted for path, wanted in when.items()):
                style.update({key: value for key, value in case.items() if key != "when"})
        side = self._side(kind, i)
        fill, ink = self._paint(kind, i, side, style)
        symbol = style.get("symbol", {})
        drawn = (
            symbol.get(self._plain(kind, i, symbol["by"]), "")
            if isinstance(symbol, Mapping) and "by" in symbol
            else symbol
        )
        look: Mapping[str, Any] = (
            drawn if isinstance(drawn, Mapping) else {"glyph": drawn if isinstance(drawn, str) else ""}
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
            self.fill_in(style["label"], kind, i) if "label" in style else self._default_label(kind, i),
            self.fill_in(style.get("figures", ""), kind, i),
            tuple(look.get("glyph", "").split()),
            look.get("fill", ""),
            look.get("ink", ""),
            tuple(
                (mark.get("text", ""), mark.get("color", "#d68910"))
                for path, mark in style.get("marks", {}).items()
                if self._plain(kind, i, path) not in ("no", "0", "none", "")
            ),
            " ".join(self.fill_in(str(self.style.data.get("tray", "")), kind, i, short=False).split()),
            self._facing(kind, i, style.get("facing")),
        )

    def _facing(self, kind: str, i: int, setting: Any) -> int | None:
        """Where a piece faces, in degrees; None where it does not, or where that is not seen."""
        if setting is None:
            return None
        path, at = (
            (setting, "side") if isinstance(setting, str) else (setting["by"], setting.get("at", "side"))
        )
        value, type_ = self._value(kind, i, path)
        if type_ is _UNSEEN:
            return None
        if type_.kind != "enum" or len(self._members(type_.name)) != 6:
            message = f"{self.style.name}, facing: '{path}' of {kind} has not six directions"
            raise StyleError(
                message, "name a field of type Direction, or of an enum of six members, clockwise"
            )
        first = 0 if self.board.pointy else 270
        return (first + 60 * value + (30 if at == "vertex" else 0)) % 360 if value >= 0 else None

    def _side(self, kind: str, i: int) -> int:
        f = next((f for f in self.spec.fields_of(kind) if f.fixed and f.type.name == "Side"), None)
        if f is not None and not self._shows(f, i):
            return NONE
        return int(getattr(self.state, f.slot)[i]) if f is not None else NONE

    def _paint(self, kind: str, i: int, side: int, style: Mapping[str, Any]) -> tuple[str, str]:
        of_side = self.style.part("sides", self.spec.sides[side] if side >= 0 else "")
        fill = of_side.get("fill", SIDE_FILLS[side % len(SIDE_FILLS)] if side >= 0 else "#777777")
        if "fill" in style:
            fill = style.get("colors", {}).get(self._plain(kind, i, style["fill"]), fill)
        return fill, style.get("ink") or of_side.get("ink") or _readable(fill)

    def _default_label(self, kind: str, i: int) -> str:
        f = sort_field(self.spec, kind)
        return (
            self.fill_in("{" + f.name + "}", kind, i)
            if f is not None
            else initials(self.setup.pieces[kind][i].name)
        )

    def fill_in(self, template: str, kind: str, i: int, short: bool = True) -> str:
        """A template with the values of a piece in the place of ``{field}``, ``{field.column}`` and
        ``{name}``.
        """

        def value(found: re.Match[str]) -> str:
            text = worded(found[1])
            return text[: int(found[2])] if found[2] else text

        def worded(path: str) -> str:
            if path == "name":
                return self.setup.pieces[kind][i].name.replace("-", " ")
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
                    self.abbreviation(type_.name, number) if short else self.spec.text(f"{type_.name}.{word}")
                )
            if type_.kind == "hex":
                return self.board.label(number)
            return str(number) if short or number else ""

        return _SLOT.sub(value, template)

    def abbreviation(self, enum: str, number: int) -> str:
        """A member in few letters."""
        word = self._members(enum)[number]
        given = self.style.part("short", enum).get(word)
        return str(given) if given is not None else initials(word)

    def _members(self, enum: str) -> tuple[str, ...]:
        return self.spec.sides if enum == "Side" else self.spec.enums[enum]

    def _value(self, kind: str, i: int, path: str) -> tuple[int, TypeSpec]:
        """The value of a field of a piece, or of a column of it."""
        f, columns = self._paths.get((kind, path)) or self._path(kind, path)
        if not self._shows(f, i):
            return NONE, _UNSEEN
        value, type_ = int(getattr(self.state, f.slot)[i]), f.type
        for column in columns:
            value, type_ = (column.values[value] if value >= 0 else NONE), column.type
        return value, type_

    def _path(self, kind: str, path: str) -> tuple[FieldSpec, tuple[ColumnSpec, ...]]:
        """A field of a piece kind, and the columns that lead on from it.  StyleError where there are none."""
        first, *rest = path.split(".")
        fields = {f.name: f for f in self.spec.fields_of(kind)}
        f = _known(first, fields, f"field of {kind}", f"{self.style.name}, '{path}'")
        columns: list[ColumnSpec] = []
        type_ = f.type
        for name in rest:
            column = self.spec.columns.get(f"{type_.name}.{name}")
            if type_.kind != "enum" or column is None:
                message = f"{self.style.name}, '{path}': {type_.name or type_.kind} has no column '{name}'"
                raise StyleError(message, "name a column of its table")
            columns.append(column)
            type_ = column.type
        self._paths[kind, path] = f, tuple(columns)
        return self._paths[kind, path]

    def _plain(self, kind: str, i: int, path: str) -> str:
        """The value of a field or column as it is written."""
        value, type_ = self._value(kind, i, path)
        if type_ is _UNSEEN:
            return "none"
        if type_.kind == "enum":
            return self._members(type_.name)[value] if value >= 0 else "none"
        if type_.kind == "bool":
            return "yes" if value else "no"
        return str(value)


def initials(word: str) -> str:
    """A word of at most four letters, or the first letters of its parts."""
    if len(word) <= 4:
        return word
    parts = [part for part in re.split(r"[_\s-]+", word) if part]
    if len(parts) == 1:
        return parts[0][:3]
    return "".join(part if part.isdigit() else part[0] for part in parts)[:4]


def _readable(fill: str) -> str:
    """Black or white, whichever stands out."""
    if not fill.startswith("#"):
        return "black" if fill in ("white", "yellow", "silver", "pink", "khaki", "gold") else "white"
    digits = fill[1:] if len(fill) == 7 else "".join(c * 2 for c in fill[1:])
    red, green, blue = (int(digits[k : k + 2], 16) for k in (0, 2, 4))
    return "#1c1c1c" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "white"
