"""The shape of ``style.yaml``: settings, names of the ruleset, values, colours.

Without a ruleset only what the file alone tells is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from grognard.draw import nameable
from grognard.draw.colors import is_color
from grognard.draw.nameable import SLOT, is_hexes
from runtime.data.check import Path, check, faults, place_in_words
from runtime.data.findings import Finding, suggestion
from runtime.data.reader import Mapping, Node, Scalar, Sequence, entries_of, items_of, text_of
from runtime.data.shapes import (
    ANY_SCALAR,
    FORM,
    KIND,
    SCALAR,
    VALUE,
    Also,
    Either,
    Fault,
    List,
    Record,
    Shape,
    Text,
    Word,
)
from runtime.model import FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import members, sort_field
from runtime.words.said import said

PATTERNS: Final = (
    "trees", "reeds", "peaks", "hills", "houses",
    "waves", "dots", "derrick", "bridge",
)  # fmt: skip
GLYPHS: Final = (
    "cross", "slash", "oval", "dot", "circle",
    "triangle", "square", "diamond", "star", "bastion",
)  # fmt: skip

#: The code of each sort of fault.
_CODES: Final = {"key": "V901", "missing": "V903", "kind": "V903", "value": "V902", "form": "V905"}
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?\Z", re.ASCII)
_WHOLE: Final = r"\A-?[0-9]{1,9}\Z"
_SIZES: Final = (0.2, 2.0)
_T = TypeVar("_T")


def findings_in(root: Node | None, name: str, spec: RulesetSpec | None = None) -> list[Finding]:
    """What is wrong with a style file, in the order of the file; *name* is how it is shown to
    people.
    """
    return [] if root is None else check(root, style_shape(spec), name, _CODES)


def style_shape(spec: RulesetSpec | None = None) -> Record:
    """The shape of style files, of a ruleset or of any."""
    return _Style(spec).whole()


# ---------------------------------------------------------------------- values


def _text(wrong: str, remedy: str, sort: str = FORM, **more: object) -> Text:
    """A single value that must pass a test."""
    return Text(types=ANY_SCALAR, blank=True, wrong=wrong, remedy=remedy, sort=sort, **more)  # type: ignore[arg-type]


def _short_text(most: int) -> Text:
    """A text of at most so many characters, each of a column's width."""

    def short(text: str) -> bool:
        wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
        return wide <= most and text.isprintable()

    what = "one character" if most == 1 else said("{most} characters", most=most)
    return _text(
        "'{it}' does not fit",
        said("write at most {what} of plain width", what=what),
        "V907",
        test=short,
    )


def _word_list(names: Iterable[str], what: str) -> Text:
    """Words of a list, separated by blanks."""
    word = Word(words=tuple(names), noun=what)

    def each(node: Node, path: Path) -> Iterator[Fault]:
        assert isinstance(node, Scalar)
        for one in node.text.split():
            yield from faults(_with_text(node, one), word, path)

    return replace(SCALAR, also=each)


def _template(forms: str, also: Also | None = None) -> Text:
    """A text with names in braces."""
    return _text(
        "'{it}' has braces that hold no field",
        forms,
        KIND,
        test=lambda text: not set("{}") & set(SLOT.sub("", text)),
        also=also,
    )


_COLORS = ('write "#aabbcc" or a name such as white', "V904")
_COLOR = _text("'{it}' is not a colour", *_COLORS, test=is_color)
_COLOR_OR_NONE = replace(_COLOR, test=lambda text: text == "none" or is_color(text))
_LENGTH = _text(
    "'{it}' is no number",
    "write a number such as 2 or 1.5",
    test=lambda text: bool(_NUMBER.match(text)),
)
_SIZE = _text(
    "{it} is no number of hexsides, too small or too large",
    said(
        "write a number from {sizes} to {_SIZES_sizes}",
        sizes=f"{_SIZES[0]:g}",
        _SIZES_sizes=f"{_SIZES[1]:g}",
    ),
    test=lambda text: bool(_NUMBER.match(text)) and _SIZES[0] <= float(text) <= _SIZES[1],
)
_DASH = _text(
    "'{it}' are no lengths",
    'write lengths, such as "8 5"',
    test=lambda text: all(_NUMBER.match(part) for part in text.split()),
)
#: How many characters fit: of an abbreviation, of a mark, of a sign.
_SHORT, _MARK, _SIGN = _short_text(8), _short_text(2), _short_text(1)
_STROKE: Final = {"color": _COLOR, "width": _LENGTH, "dash": _DASH, "label": SCALAR}
_LINE = Record(keys={**_STROKE, "sign": _SIGN}, noun="setting of a line")
_WAY = Record(keys={**_STROKE, "rim": _COLOR}, noun="setting of a way")
_PAINT: Final = {"fill": _COLOR, "ink": _COLOR}
_GROUND: Final = {"pattern": _word_list(PATTERNS, "pattern"), "rim": _COLOR, "sign": _SIGN}
_HEX = Record(keys={**_PAINT, **_GROUND, "label": SCALAR}, noun="setting of a hex")
_SIDE = Record(keys=_PAINT, noun="setting of a side")
_MARKER = Record(
    keys={"text": _MARK, "color": _COLOR, "label": SCALAR}, noun="setting of a marker or mark"
)
_GLYPHS = _word_list(GLYPHS, "glyph")
_SYMBOL = Record(
    keys={"glyph": _GLYPHS, "fill": _COLOR_OR_NONE, "ink": _COLOR}, noun="setting of a symbol"
)
_GLYPH = Either(shapes=(_GLYPHS, _SYMBOL))
_WORDED_LINES = "write {field}, {field.column}, {function}, {name} or {name:3}"


def _each(shape: Shape, names: Iterable[str] | None, noun: str) -> Record:
    """A mapping from *names* (None: any) to values of a shape."""
    return _mapping(None if names is None else dict.fromkeys(names, shape), shape, noun)


def _mapping(shapes: Lookup[str, Shape] | None, rest: Shape, noun: str) -> Record:
    """A mapping from names to values of a shape of their own (None: any name, *rest*)."""
    return Record(rest=rest) if shapes is None else Record(keys=shapes, noun=noun, sort=VALUE)


def _one_of(names: Iterable[str] | None, what: str) -> Text | Word:
    """One of some names (None: any)."""
    return SCALAR if names is None else Word(words=tuple(names), noun=what)


def _names(names: Iterable[str] | None, what: str) -> List:
    """A list of names (None: any), each once."""
    return List(item=_one_of(names, what), also=_once)


def _once(node: Node, path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for item in items_of(node):
        if text_of(item) in seen:
            message = said(
                "'{item}' stands twice{where}", item=text_of(item), where=place_in_words(path)
            )
            yield _warning(item, message, "take one of them away")
        seen.add(text_of(item))


def _warning(node: Node, message: str, remedy: str) -> Fault:
    return Fault("V906", message, node, remedy, "warning")


def _with_text(node: Scalar, text: str) -> Scalar:
    """Another text at the place of a node."""
    return replace(node, value=text, text=text)


def _child(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


@dataclass(frozen=True, slots=True)
class _Style:
    """The shape of style files of a ruleset, or of all."""

    spec: RulesetSpec | None

    def of_spec(self, names: Callable[[RulesetSpec], _T]) -> _T | None:
        """What a ruleset has; None without one."""
        return None if self.spec is None else names(self.spec)

    def whole(self) -> Record:
        """The whole file."""
        of_spec = self.of_spec
        borders = _each(
            _LINE, of_spec(nameable.border_sources), "field of Hex, or function of a hex,"
        )
        highlight = {
            "sign": _SIGN,
            "color": _COLOR,
            "label": SCALAR,
            "for": _names(of_spec(_options), "option"),
        }
        return Record(
            keys={
                "background": _COLOR,
                "labels": _COLOR_OR_NONE,
                "names": _COLOR,
                "hexes": _mapping(of_spec(self.hexes), Record(rest=_HEX), "field of Hex"),
                "hexsides": _each(_LINE, of_spec(nameable.hexsides), "set of hexes of Hex"),
                "borders": borders,
                "ways": _each(
                    _WAY,
                    of_spec(nameable.way_names),
                    "set of hexes of Hex, or field or function of a hex that is true or false,",
                ),
                "areas": borders,
                "highlights": _each(
                    Record(keys=highlight, noun="setting of a highlight"),
                    of_spec(nameable.highlight_names),
                    "option, or function or permission of a hex,",
                ),
                "sides": _each(_SIDE, of_spec(lambda spec: spec.sides), "side"),
                "flags": _one_of(of_spec(nameable.holding_sources), "set of hexes of Side"),
                "figures": _template("write {field}, {field[member]} or {function}", self.figures),
                "markers": _each(
                    _MARKER, of_spec(nameable.marker_fields), "set of hexes of Side or Game"
                ),
                "short": _mapping(of_spec(_members), Record(rest=_SHORT), "enum"),
                "pieces": _mapping(
                    of_spec(lambda spec: {kind: _Piece(self, kind).look() for kind in spec.kinds}),
                    _Piece(self, "").look(),
                    "kind of piece",
                ),
                "tray": replace(SCALAR, also=self.tray),
                "panel": _names(of_spec(nameable.panel_names), "field, pile or call"),
                "track": _mapping(
                    of_spec(self.tracks),
                    Record(rest=Either(shapes=(List(item=SCALAR), SCALAR))),
                    "field of Game that is a member of an enum",
                ),
                "header": _names(of_spec(_header_names), "field or call of Game"),
                "about": _mapping(of_spec(_about_shapes), _names(None, ""), "kind of piece"),
                "odds": _names(of_spec(lambda spec: [n for n, _ in spec.outcomes]), "outcome"),
            },
            noun="setting",
            also=self.unused,
        )

    def unused(self, node: Node, path: Path) -> Iterator[Fault]:
        """Settings that no picture uses."""
        if self.spec is not None and isinstance(node, Mapping):
            yield from _unused_settings(node, self.spec)

    def tracks(self, spec: RulesetSpec) -> dict[str, Shape]:
        """What is told of the next members of each track."""
        number = _text("'{it}' is no number", "write a number such as 3", test=str.isdecimal)
        return {
            name: Record(
                keys={
                    "show": _names(
                        nameable.on_track(spec, enum),
                        said("column, field or call of {enum}", enum=enum),
                    ),
                    "ahead": number,
                },
                noun="setting of a track",
            )
            for name, enum in nameable.tracks(spec).items()
        }

    def by_value(self, type_: TypeSpec | None, shape: Shape, *besides: str) -> Record:
        """A mapping from the values of a type (None: any) to values of a shape."""
        if type_ is None or self.spec is None:
            return Record(rest=shape)
        words = nameable.values_of(self.spec, type_)
        if words is not None:
            inner = type_.of if type_.kind == "set" and type_.of is not None else type_
            return _each(
                shape, (*words, *besides), said("value of {name}", name=inner.name or inner.kind)
            )
        return Record(
            keys=dict.fromkeys(besides, shape),
            rest=shape,
            pattern=_WHOLE,
            noun="whole number",
            sort=VALUE,
            key_remedy="write a value such as 2",
        )

    def hexes(self, spec: RulesetSpec) -> dict[str, Shape]:
        """Looks by field of Hex and value."""
        fields = (f for f in spec.fields_of("Hex") if not f.options)
        return {f.name: self.by_value(f.type, _HEX) for f in fields}

    def figures(self, node: Node, path: Path) -> Iterator[Fault]:
        """Fields and calls of one hex in braces."""
        if self.spec is not None and isinstance(node, Scalar):
            known = Word(words=nameable.figure_names(self.spec), noun="field or call of a hex")
            for slot in SLOT.finditer(node.text):
                yield from faults(_with_text(node, slot[1]), known, path)

    def tray(self, node: Node, path: Path) -> Iterator[Fault]:
        """A text for each kind that has places."""
        for kind in self.of_spec(_placed_kinds) or ():
            yield from faults(node, _Piece(self, kind).template(), path)


def _options(spec: RulesetSpec) -> Iterable[str]:
    """Words of options."""
    return dict.fromkeys(option.word for one in spec.decisions for option in one.options)


def _members(spec: RulesetSpec) -> dict[str, Shape]:
    """Abbreviations by enum."""
    return {
        enum: _each(_SHORT, members, said("member of {name}", name=enum))
        for enum, members in spec.enums.items()
    }


def _header_names(spec: RulesetSpec) -> list[str]:
    """What stands above every question."""
    calls = (name for name, call in spec.calls.items() if not call.params)
    fields = (f.name for f in spec.fields_of("Game"))
    return sorted({*fields, *calls, *nameable.by_member(spec)})


def _about_shapes(spec: RulesetSpec) -> dict[str, Shape]:
    """What is told of pieces and hexes."""
    return {
        kind: _names(
            nameable.piece_sources(spec, kind), said("field, column or call of {kind}", kind=kind)
        )
        for kind in (*spec.kinds, "Hex")
    }


def _placed_kinds(spec: RulesetSpec) -> list[str]:
    """The kinds of pieces that have places."""
    return [kind for kind in spec.kinds if any(f.place for f in spec.fields_of(kind))]


def _unused_settings(root: Mapping, spec: RulesetSpec) -> Iterator[Fault]:
    """What of a style file nothing shows."""
    placed = _placed_kinds(spec)
    for key, _ in entries_of(root.get("pieces")):
        if key.text in spec.kinds and key.text not in placed:
            message = said(
                "pieces of kind {text} are never drawn, since they have no place", text=key.text
            )
            yield _warning(key, message, "take the look away")
    tray = root.get("tray")
    if tray is not None and not placed:
        yield _warning(tray, "no piece is ever off the board", "take 'tray' away")
    used = {f.type.name for kind in spec.kinds if (f := sort_field(spec, kind)) is not None}
    used |= {type_.name for type_ in _shown_types(root, spec)}
    for enum, _ in entries_of(root.get("short")):
        if enum.text in spec.enums and enum.text not in used:
            what = said("abbreviations of {text} stand nowhere", text=enum.text)
            message = said("{what}: no label or figure shows a member of it", what=what)
            yield _warning(enum, message, "take them away, or name such a field in a label")


def _shown_types(root: Mapping, spec: RulesetSpec) -> Iterator[TypeSpec]:
    """The types of what labels, figures and trays show."""
    texts = [(kind, text_of(root.get("tray"))) for kind in spec.kinds]
    for kind, look in entries_of(root.get("pieces")):
        for part in (look, *items_of(_child(look, "cases"))):
            texts += [(kind.text, text_of(_child(part, key))) for key in ("label", "figures")]
    for name, text in texts:
        for slot in SLOT.finditer(text) if name in spec.kinds else ():
            types = nameable.path_of(spec, name, slot[1])
            if not isinstance(types, str):
                yield nameable.type_at(*types)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The look of a kind of pieces; without a kind only its shape."""

    style: _Style
    kind: str

    def look(self, fill: str | None = None) -> Record:
        """A look, or one of its cases, which has the *fill* of the look."""
        facing = Record(
            keys={"by": SCALAR, "at": Word(words=("side", "vertex"), sort=FORM)},
            required=("by",),
            noun="setting of a facing",
            also=self.facing,
        )
        keys: dict[str, Shape] = {
            "shape": Word(words=("square", "round"), sort=FORM),
            "size": _SIZE,
            "fill": replace(SCALAR, also=self.filled),
            "ink": _COLOR,
            "colors": Record(rest=_COLOR),
            "label": self.template(),
            "figures": self.template(),
            "symbol": Either(shapes=(_GLYPHS, Record(rest=Shape(), also=self.symbol))),
            "marks": Record(rest=_MARKER, also=self.keys),
            "facing": Either(shapes=(replace(SCALAR, also=self.facing), facing)),
            "edges": _each(_LINE, self.of_hexes(), said("set of hexes of {kind}", kind=self.kind)),
        }
        if fill is None:
            keys["cases"] = List(item=Shape())
        else:
            keys["when"] = Record(rest=SCALAR, also=self.when)

        def also(node: Node, path: Path) -> Iterator[Fault]:
            own = text_of(_child(node, "fill"))
            own = "" if is_color(own) else own or fill or ""
            yield from self.colors(node, own, path)
            if fill is None:
                yield from self.cases(node, own, path)

        return Record(keys=keys, noun="setting of a piece", also=also)

    def of_hexes(self) -> list[str] | None:
        """What of the piece is a set of hexes; None where only the shape is looked at."""
        if self.style.spec is None or not self.kind:
            return None
        there = nameable.piece_sources(self.style.spec, self.kind)
        return [name for name, source in there.items() if is_hexes(source.type)]

    def path(self, node: Node | None, path: Path) -> tuple[TypeSpec | None, list[Fault]]:
        """The type of a field or call of the piece, or of a column of one, and what is wrong with
        it; neither where only the shape is looked at.
        """
        spec = self.style.spec
        if spec is None or not self.kind or not isinstance(node, Scalar):
            return None, []
        fields = nameable.path_of(spec, self.kind, node.text)
        first = node.text.partition(".")[0]
        if not isinstance(fields, str):
            type_ = fields[0].type
            if isinstance(fields[0], FieldSpec) or type_.kind in (*nameable.SHOWN, "hex"):
                return nameable.type_at(*fields), []
            fields = said(
                "the value of '{first}' cannot be shown on a piece: it is a {kind}",
                first=first,
                kind=type_.kind,
            )
        names = [f.name for f in spec.fields_of(self.kind)]
        names += nameable.single_calls(spec, self.kind)
        known = "name a field of the piece, a function of one piece, or a column of its table"
        remedy = known if first in names else suggestion(first, names)
        return None, [Fault(VALUE, fields + place_in_words(path), node, remedy)]

    def filled(self, node: Node, path: Path) -> Iterator[Fault]:
        """A colour, or a field, call or column whose colours stand in ``colors``."""
        if not is_color(text_of(node)):
            yield from self.path(node, path)[1]

    def keys(self, node: Node, path: Path) -> Iterator[Fault]:
        """A mapping whose keys are paths."""
        for key, _ in entries_of(node):
            yield from self.path(key, path)[1]

    def colors(self, node: Node, fill: str, path: Path) -> Iterator[Fault]:
        """Colours by value of what ``fill`` names."""
        colors, path = _child(node, "colors"), (*path, "colors")
        if colors is not None and not fill:
            message = said("no field says which colour holds{where}", where=place_in_words(path))
            yield _warning(colors, message, "write 'fill: FIELD', or take them away")
        elif colors is not None:
            type_ = self.path(Scalar(fill, fill, 0, 0), path)[0]
            yield from faults(colors, self.style.by_value(type_, Shape(), "none"), path)

    def template(self) -> Text:
        """A text with fields and calls in braces."""

        def also(node: Node, path: Path) -> Iterator[Fault]:
            assert isinstance(node, Scalar)
            for slot in SLOT.finditer(node.text):
                if slot[1] != "name":
                    yield from self.path(_with_text(node, slot[1]), path)[1]

        return _template(_WORDED_LINES, also)

    def symbol(self, node: Node, path: Path) -> Iterator[Fault]:
        """Glyphs in their colours, or such by value."""
        by = _child(node, "by")
        if by is None:
            yield from faults(node, _SYMBOL, path)
            return
        type_, wrong = self.path(by, (*path, "by"))
        yield from wrong
        shape = self.style.by_value(type_, _GLYPH, "none")
        yield from faults(node, replace(shape, keys={**shape.keys, "by": SCALAR}), path)

    def facing(self, node: Node, path: Path) -> Iterator[Fault]:
        """A field that has six directions."""
        by = node.get("by") if isinstance(node, Mapping) else node
        type_, wrong = self.path(by, path)
        yield from wrong
        spec = self.style.spec
        if type_ is None or spec is None or by is None:
            return
        if type_.kind != "enum" or len(members(spec, type_.name)) != 6:
            message = said(
                "'{by}' of {kind} has not six directions{where}",
                by=text_of(by),
                kind=self.kind,
                where=place_in_words(path),
            )
            remedy = "name a field or function of type Direction, or of an enum of six members"
            yield Fault(VALUE, message, by, remedy)

    def cases(self, node: Node, fill: str, path: Path) -> Iterator[Fault]:
        """Other settings while fields have some values."""
        seen: list[dict[str, str]] = []
        cases = _child(node, "cases")
        for number, item in enumerate(cases.items if isinstance(cases, Sequence) else (), 1):
            yield from faults(item, self.look(fill), (*path, "cases", str(number)))
            if not isinstance(item, Mapping):
                continue
            when = {key.text: text_of(value) for key, value in entries_of(item.get("when"))}
            if when and when in seen:
                message = said(
                    "another case holds under the same conditions{where}",
                    where=place_in_words(path),
                )
                yield _warning(item, message, "make one of them")
            seen.append(when)

    def when(self, node: Node, path: Path) -> Iterator[Fault]:
        """The conditions of a case."""
        for key, value in entries_of(node):
            type_, wrong = self.path(key, path)
            yield from wrong
            if type_ is not None and isinstance(value, Scalar):
                condition = Mapping(((replace(value), Scalar(None, "", 0, 0)),), 0, 0)
                shape = self.style.by_value(type_, Shape(), "none")
                yield from faults(condition, shape, (*path, key.text))
