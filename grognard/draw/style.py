"""How a board and its pieces look: the optional file ``style.yaml`` in the folder of a ruleset.

Everything in it is optional; what it does not say has a plain look.  Settings of a base ruleset hold as well,
where the ruleset itself does not say otherwise.  ::

    background: "#a9c6d9"            # where there is no hex
    labels: "#8a8570"                # hex labels; none: not drawn
    hexes:                           # by field of Hex, then by value (yes and no for a bool);
                                     # later fields lie over earlier ones
      terrain:
        forest: {fill: "#b7cf9c", pattern: trees, ink: "#5c7f45", sign: f}
        city: {pattern: houses}
      objective: {yes: {rim: "#b03a2e"}}
    hexsides:                        # fields of Hex that are sets of hexes: lines along the sides to them
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
        fill: type.nation            # a field or column of an enum, whose colours stand in
                                     # `colors`; else the side's colour
        colors: {guard: "#333333"}
        label: "{type}"              # fields and columns of the piece, or {name};
                                     # {name:3}: three letters of it
        figures: "{type.attack}-{type.move}"
        symbol: {by: type.arm, foot: cross, mounted: slash, guns: {glyph: dot, fill: black}}
        marks: {tired: {text: T, color: "#d68910"}}
        facing: {by: heading, at: side}
        cases:                       # other settings while fields have these values
          - {when: {face: back}, figures: "{type.weak}-{type.move}"}
    tray: "{box}"                    # pieces that are off the board stand in groups by this text
    panel: [score, hand, weather]    # what stands beside the board in play: fields, piles and calls of Side
                                     # and Game, ``score``, ``effects``, ``switches``; nothing else does
    header: [turn, weather]          # fields and calls of Game that stand above every question
    about:                           # by kind, what players are told of a piece: fields, columns, calls of it
      Unit: [type.attack, type.move, tired, in_supply]

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
from typing import Any, Final

import yaml

from dsl.diagnostics import did_you_mean
from grognard.draw.naming import known, known_of_piece
from runtime.files import read_text
from runtime.model import RulesetSpec, TypeSpec
from runtime.yaml_errors import explained
from runtime.yaml_plain import load_plain

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
_WHOLE = re.compile(r"-?\d{1,9}\Z", re.ASCII)
_COLOR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?\Z|[a-z]{3,24}\Z")
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
    "panel",
    "header",
    "about",
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

    def names(self, *keys: str) -> tuple[str, ...]:
        """A list of names inside the settings, empty when it is not there."""
        found = self.part(*keys[:-1]).get(keys[-1], ())
        return tuple(found) if isinstance(found, list) else ()

    def check_names(self, spec: RulesetSpec) -> None:
        """Make sure that fields, members and kinds are those of the ruleset.  StyleError."""
        hexes = {f.name: f for f in spec.fields_of("Hex")}
        for section in ("hexes", "hexsides", "borders"):
            for name, looks in self.part(section).items():
                found = look_up(name, hexes, "field of Hex", f"{self.name}, {section}")
                if section == "hexes":
                    words = words_of(spec, found.type, looks)
                    if found.type.kind == "int":
                        _whole_numbers(set(looks) - words.keys(), f"{self.name}, hexes, {name}")
                    for word in looks:
                        look_up(word, words, f"value of {name}", f"{self.name}, hexes")
        _each_known(self.part("sides"), spec.sides, "side", f"{self.name}, sides")
        if "flags" in self.data:
            flags = look_up(
                str(self.data["flags"]),
                {f.name: f for f in spec.fields_of("Side")},
                "field of Side",
                f"{self.name}, flags",
            )
            if flags.type.kind != "set" or flags.type.of is None or flags.type.of.kind != "hex":
                raise StyleError(
                    f"{self.name}, flags: '{flags.name}' is not a set of hexes",
                    "name a field of Side that is one",
                )
        self._check_panel(spec)
        _each_known(self.part("pieces"), spec.kinds, "kind of piece", f"{self.name}, pieces")
        for enum, short in self.part("short").items():
            _each_known(
                short,
                look_up(enum, spec.enums, "enum", f"{self.name}, short"),
                f"member of {enum}",
                f"{self.name}, short",
            )

    def _check_panel(self, spec: RulesetSpec) -> None:
        """What stands beside the board, and what is told of pieces."""
        names = known(spec)
        _each_known(self.names("panel"), names, "field, pile or call", f"{self.name}, panel")
        of_game = {f.name for f in spec.fields_of("Game")}
        of_game |= {name for name, call in spec.calls.items() if not call.params}
        _each_known(self.names("header"), sorted(of_game), "field or call of Game", f"{self.name}, header")
        kinds = (*spec.kinds, "Hex")
        _each_known(self.part("about"), kinds, "kind of piece", f"{self.name}, about")
        for kind in self.part("about"):
            there = known_of_piece(spec, kind)
            what = f"field, column or call of {kind}"
            _each_known(self.names("about", kind), there, what, f"{self.name}, about")


def _check(data: Any, name: str) -> None:
    if not isinstance(data, dict):
        raise StyleError(f"{name} is not a mapping", f"its keys are {', '.join(_TOP)}")
    _each_known(data, _TOP, "setting", name)
    for key in ("hexes", "hexsides", "borders", "sides", "short", "pieces"):
        for inner, value in mapping(data.get(key, {}), f"{name}, {key}").items():
            mapping(value, f"{name}, {key}.{inner}")
    for looks in data.get("hexes", {}).values():
        for value, look in looks.items():
            _check_look(mapping(look, f"{name}, hexes: {value}"), f"{name}, {value}")
    for section in ("hexsides", "borders"):
        for field_name, line in data.get(section, {}).items():
            _check_line(line, f"{name}, {field_name}")
    for side, look in data.get("sides", {}).items():
        _each_known(look, ("fill", "ink"), "setting of a side", f"{name}, {side}")
        _colors(look, ("fill", "ink"), f"{name}, {side}")
    _texts_only(data, ("labels", "flags", "tray"), name)
    _check_lists(data, name)
    _colors(data, ("background", "names"), name)
    if data.get("labels", "none") != "none":
        _colors(data, ("labels",), name)
    for kind, piece in data.get("pieces", {}).items():
        _check_piece(piece, f"{name}, {kind}", ())
        for case in piece.get("cases", ()):
            _check_piece(mapping(case, f"{name}, {kind}: a case"), f"{name}, {kind}", ("when",))


def _check_lists(data: Mapping[str, Any], name: str) -> None:
    lists = {key: data.get(key, []) for key in ("panel", "header")}
    about = mapping(data.get("about", {}), f"{name}, about")
    lists |= {f"about.{kind}": names for kind, names in about.items()}
    for key, names in lists.items():
        if not isinstance(names, list) or not all(isinstance(entry, str) for entry in names):
            raise StyleError(f"{name}, {key}: a list of names is wanted", "write [name, name]")


def _check_look(look: Mapping[str, Any], where: str) -> None:
    _each_known(look, _LOOK, "setting of a hex", where)
    _texts_only(look, ("pattern", "sign", "label"), where)
    _colors(look, ("fill", "ink", "rim"), where)
    for pattern in look.get("pattern", "").split():
        look_up(pattern, dict.fromkeys(PATTERNS), "pattern", where)


def _check_line(line: Mapping[str, Any], where: str) -> None:
    _each_known(line, _LINE, "setting of a line", where)
    _texts_only(line, ("dash", "label"), where)
    _colors(line, ("color",), where)
    _numbers([line.get("width", "1"), *line.get("dash", "").split()], where)


def _check_piece(piece: Mapping[str, Any], where: str, more: tuple[str, ...]) -> None:
    _each_known(piece, (*_PIECE, *more), "setting of a piece", where)
    _texts_only(piece, ("shape", "size", "fill", "ink", "label", "figures"), where)
    _numbers([piece.get("size", "1")], where)
    if piece.get("shape", "square") not in ("square", "round"):
        raise StyleError(f"{where}: shape '{piece['shape']}'", "write square or round")
    _colors(piece, ("ink",), where)
    colors = mapping(piece.get("colors", {}), where)
    _colors(colors, tuple(colors), where)
    symbol = piece.get("symbol", {})
    by_value = {"": symbol} if isinstance(symbol, str) or "by" not in mapping(symbol, where) else symbol
    for key, value in by_value.items():
        if key == "by":
            _texts_only(by_value, ("by",), where)
            continue
        look = {"glyph": value} if isinstance(value, str) else mapping(value, where)
        _each_known(look, ("glyph", "fill", "ink"), "setting of a symbol", where)
        _texts_only(look, ("glyph",), where)
        _colors(look, ("fill", "ink"), where)
        for glyph in look.get("glyph", "").split():
            look_up(glyph, dict.fromkeys(GLYPHS), "glyph", where)
    for mark in mapping(piece.get("marks", {}), where).values():
        _each_known(mapping(mark, where), ("text", "color"), "setting of a mark", where)
        _texts_only(mark, ("text",), where)
        _colors(mark, ("color",), where)
    facing = piece.get("facing", "")
    if not isinstance(facing, str):
        _each_known(mapping(facing, where), ("by", "at"), "setting of a facing", where)
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


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """*value*, which must be a mapping.  StyleError."""
    if not isinstance(value, Mapping):
        raise StyleError(f"{where}: a mapping is wanted", "write {key: value}")
    return value


def look_up(name: str, table: Mapping[str, Any], what: str, where: str) -> Any:
    """What *table* holds under a name.  StyleError, with the names that are alike."""
    if name not in table:
        raise StyleError(
            f"{where}: there is no {what} '{name}'", did_you_mean(name, table) or f"known: {', '.join(table)}"
        )
    return table[name]


def _each_known(names: Iterable[str], known: Iterable[str], what: str, where: str) -> None:
    table = dict.fromkeys(known)
    for name in names:
        look_up(name, table, what, where)


def _colors(look: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in keys:
        value = look.get(key)
        if value is not None and not (isinstance(value, str) and _COLOR.match(value)):
            raise StyleError(
                f"{where}: '{value}' is not a colour for {key}", 'write "#aabbcc" or a name such as white'
            )


def _whole_numbers(wrong: Iterable[str], where: str) -> None:
    for word in sorted(wrong):
        raise StyleError(f"{where}: '{word}' is not a whole number", "write a value of the field, such as 2")


def _numbers(values: Iterable[Any], where: str) -> None:
    for value in values:
        if not isinstance(value, str) or not re.match(r"\d{1,3}(?:\.\d{1,3})?\Z", value):
            raise StyleError(f"{where}: '{value}' is no number", "write a number such as 2 or 1.5")


def words_of(spec: RulesetSpec, type_: TypeSpec, looks: Iterable[str] = ()) -> dict[str, int]:
    """The values of a field as they are written, with their numbers; of numbers those that have *looks*."""
    inner = type_.of if type_.kind == "set" and type_.of is not None else type_
    if inner.kind == "enum":
        return {
            word: number
            for number, word in enumerate(
                spec.enums.get(inner.name, spec.sides if inner.name == "Side" else ())
            )
        }
    if inner.kind == "int":
        return {word: int(word) for word in looks if _WHOLE.match(word)}
    return {"yes": 1, "no": 0} if inner.kind == "bool" else {}
