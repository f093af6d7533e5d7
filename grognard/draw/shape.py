"""The shape of ``style.yaml``: settings, names of the ruleset, values, colours.

Without a ruleset only what the file alone tells is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from grognard.draw import naming
from grognard.draw.colors import is_color
from grognard.draw.idle import SLOT, idle
from runtime.data.check import Path, check, faults, unknown, where
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
from runtime.model import RulesetSpec, TypeSpec

PATTERNS: Final = (
    "trees",
    "reeds",
    "peaks",
    "hills",
    "houses",
    "waves",
    "dots",
    "derrick",
    "bridge",
)
_FILLED = ("circle", "triangle", "square", "diamond", "star")
GLYPHS: Final = ("cross", "slash", "oval", "dot", *_FILLED, "bastion")

#: The code of each sort of fault.
_CODES: Final = {"key": "V901", "missing": "V903", "kind": "V903", "value": "V902", "form": "V905"}
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?\Z", re.ASCII)
_WHOLE: Final = r"\A-?[0-9]{1,9}\Z"
_SIZES: Final = (0.2, 2.0)


def findings_in(root: Node | None, name: str, spec: RulesetSpec | None = None) -> list[Finding]:
    """What is wrong with a style file, in the order of the file; *name* is how it is shown to
    people.
    """
    return [] if root is None else check(root, _Style(spec).whole(), name, _CODES)


# ---------------------------------------------------------------------- values


def _text(wrong: str, remedy: str, sort: str = FORM, **more: object) -> Text:
    """A single value that must pass a test."""
    return Text(types=ANY_SCALAR, blank=True, wrong=wrong, remedy=remedy, sort=sort, **more)  # type: ignore[arg-type]


def _fits(most: int) -> Text:
    """A text of at most so many characters, each of a column's width."""

    def short(text: str) -> bool:
        wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
        return wide <= most and text.isprintable()

    what = "one character" if most == 1 else f"{most} characters"
    return _text("'{}' does not fit", f"write at most {what} of plain width", "V907", test=short)


def _listed(names: tuple[str, ...], what: str) -> Text:
    """Words of a list, separated by blanks."""
    word = Word(words=names, noun=what)

    def each(node: Node, path: Path) -> Iterator[Fault]:
        for one in text_of(node).split():
            yield from faults(replace(node, value=one, text=one), word, path)  # type: ignore[arg-type]

    return replace(SCALAR, also=each)


def _template(forms: str, also: Also | None = None) -> Text:
    """A text with names in braces."""
    return _text(
        "'{}' has braces that hold no field",
        forms,
        KIND,
        test=lambda text: not set("{}") & set(SLOT.sub("", text)),
        also=also,
    )


_COLORS = ('write "#aabbcc" or a name such as white', "V904")
_COLOR = _text("'{}' is not a colour", *_COLORS, test=is_color)
_COLOR_OR_NONE = replace(_COLOR, test=lambda text: text == "none" or is_color(text))
_LENGTH = _text(
    "'{}' is no number",
    "write a number such as 2 or 1.5",
    test=lambda text: bool(_NUMBER.match(text)),
)
_SIZE = _text(
    "{} is no number of hexsides, too small or too large",
    f"write a number from {_SIZES[0]:g} to {_SIZES[1]:g}",
    test=lambda text: bool(_NUMBER.match(text)) and _SIZES[0] <= float(text) <= _SIZES[1],
)
_DASH = _text(
    "'{}' are no lengths",
    'write lengths, such as "8 5"',
    test=lambda text: all(_NUMBER.match(part) for part in text.split()),
)
#: How many characters fit: of an abbreviation, of a mark, of a sign.
_SHORT, _MARK, _SIGN = _fits(8), _fits(2), _fits(1)
_STROKE: Final = {"color": _COLOR, "width": _LENGTH, "dash": _DASH, "label": SCALAR}
_LINE = Record(keys={**_STROKE, "sign": _SIGN}, noun="setting of a line")
_WAY = Record(keys={**_STROKE, "rim": _COLOR}, noun="setting of a way")
_PATTERN = _listed(PATTERNS, "pattern")
_HEX = Record(
    keys={
        "fill": _COLOR,
        "ink": _COLOR,
        "pattern": _PATTERN,
        "rim": _COLOR,
        "sign": _SIGN,
        "label": SCALAR,
    },
    noun="setting of a hex",
)
_SIDE = Record(keys={"fill": _COLOR, "ink": _COLOR}, noun="setting of a side")
_MARKER = Record(
    keys={"text": _MARK, "color": _COLOR, "label": SCALAR}, noun="setting of a marker or mark"
)
_GLYPHS = _listed(GLYPHS, "glyph")
_SYMBOL = Record(
    keys={"glyph": _GLYPHS, "fill": _COLOR_OR_NONE, "ink": _COLOR}, noun="setting of a symbol"
)
_GLYPH = Either(shapes=(_GLYPHS, _SYMBOL))
_WORDED_LINES = "write {field}, {field.column}, {function}, {name} or {name:3}"


def is_hexes(type_: TypeSpec | None) -> bool:
    """Whether a type is a set of hexes."""
    return (
        type_ is not None
        and type_.kind == "set"
        and type_.of is not None
        and type_.of.kind == "hex"
    )


def _each(shape: Shape, names: Iterable[str] | None, noun: str, also: Also | None = None) -> Record:
    """A mapping from *names* (None: any) to values of a shape."""
    if names is None:
        return Record(rest=shape, also=also)
    return Record(keys=dict.fromkeys(names, shape), noun=noun, sort=VALUE, also=also)


def _names(names: Iterable[str] | None, what: str) -> List:
    """A list of names, each once."""
    words = None if names is None else tuple(names)
    return List(item=SCALAR if words is None else Word(words=words, noun=what), also=_once)


def _once(node: Node, path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for item in items_of(node):
        if text_of(item) in seen:
            message = f"'{text_of(item)}' stands twice{where(path)}"
            yield Fault("V906", message, item, "take one of them away", "warning")
        seen.add(text_of(item))


def _no_hexes(node: Node, what: str, path: Path) -> Fault:
    message = f"'{text_of(node)}' is not a set of hexes{where(path)}"
    return Fault(VALUE, message, node, f"name {what} that is one")


class _Style:
    """The shape of style files of a ruleset, or of all."""

    def __init__(self, spec: RulesetSpec | None) -> None:
        self.spec = spec

    def whole(self) -> Record:
        """The whole file."""
        spec = self.spec
        bordering = naming.bordering(spec) if spec else None
        areas = _each(_LINE, bordering, "field of Hex, or function of a hex,")
        highlight = {"sign": _SIGN, "color": _COLOR, "label": SCALAR, "for": self.options()}
        return Record(
            keys={
                "background": _COLOR,
                "labels": _COLOR_OR_NONE,
                "names": _COLOR,
                "hexes": self.hexes(),
                "hexsides": self.hexsides(),
                "borders": areas,
                "ways": _each(
                    _WAY,
                    naming.leading(spec) if spec else None,
                    "set of hexes of Hex, or field or function of a hex that is true or false,",
                ),
                "areas": areas,
                "highlights": _each(
                    Record(keys=highlight, noun="setting of a highlight"),
                    naming.highlighting(spec) if spec else None,
                    "option, or function or permission of a hex,",
                ),
                "sides": _each(_SIDE, spec.sides if spec else None, "side"),
                "flags": replace(SCALAR, also=self.flags),
                "figures": _template("write {field}, {field[member]} or {function}", self.figures),
                "markers": _each(
                    _MARKER,
                    naming.markable(spec) if spec else None,
                    "set of hexes of Side or Game",
                ),
                "short": self.short(),
                "pieces": self.pieces(),
                "tray": replace(SCALAR, also=self.tray),
                "panel": _names(naming.known(spec) if spec else None, "field, pile or call"),
                "header": _names(self.of_game(), "field or call of Game"),
                "about": self.about(),
                "odds": _names([name for name, _ in spec.outcomes] if spec else None, "outcome"),
            },
            noun="setting",
            also=self.idle,
        )

    def idle(self, node: Node, path: Path) -> Iterator[Fault]:
        """Settings that no picture uses."""
        if self.spec is not None and isinstance(node, Mapping):
            for unused, message, remedy in idle(node, self.spec):
                yield Fault("V906", message, unused, remedy, "warning")

    def fields_of_hex(self) -> dict[str, TypeSpec] | None:
        """The types of the fields of Hex, by name."""
        if self.spec is None:
            return None
        return {f.name: f.type for f in self.spec.fields_of("Hex") if not f.options}

    def by_value(self, type_: TypeSpec | None, shape: Shape, *besides: str) -> Record:
        """A mapping from the values of a type (None: any) to values of a shape."""
        if type_ is None or self.spec is None:
            return Record(rest=shape)
        inner = type_.of if type_.kind == "set" and type_.of is not None else type_
        words = naming.values_of(self.spec, inner)
        if words is not None:
            return _each(shape, (*words, *besides), f"value of {inner.name or inner.kind}")
        return Record(
            keys=dict.fromkeys(besides, shape),
            rest=shape,
            pattern=_WHOLE,
            noun="whole number",
            sort=VALUE,
            key_remedy="write a value such as 2",
        )

    def hexes(self) -> Record:
        """Looks by field of Hex and value."""
        fields = self.fields_of_hex()
        if fields is None:
            return Record(rest=Record(rest=_HEX))
        keys = {name: self.by_value(type_, _HEX) for name, type_ in fields.items()}
        return Record(keys=keys, noun="field of Hex", sort=VALUE)

    def hexsides(self) -> Record:
        """Fields of Hex that are sets of hexes, as lines."""
        fields = self.fields_of_hex()
        what = "a field of Hex"

        def also(node: Node, path: Path) -> Iterator[Fault]:
            for key, _ in entries_of(node):
                if fields and key.text in fields and not is_hexes(fields[key.text]):
                    yield _no_hexes(key, what, path)

        return _each(_LINE, fields, "field of Hex", also)

    def options(self) -> List:
        """Words of options."""
        decisions = self.spec.decisions if self.spec else ()
        words = dict.fromkeys(option.word for decision in decisions for option in decision.options)
        return _names(words if self.spec else None, "option")

    def flags(self, node: Node, path: Path) -> Iterator[Fault]:
        """A field of Side, or a function of one Side, that is a set of hexes."""
        there = naming.holding(self.spec) if self.spec else None
        if there is not None and isinstance(node, Scalar):
            what = "field or function of Side"
            if node.text not in there:
                yield unknown(node, Word(words=tuple(there), noun=what), path)
            elif not is_hexes(there[node.text].type):
                yield _no_hexes(node, f"a {what}", path)

    def figures(self, node: Node, path: Path) -> Iterator[Fault]:
        """Fields and calls of one hex in braces."""
        if self.spec is not None and isinstance(node, Scalar):
            known = Word(words=tuple(naming.inside(self.spec)), noun="field or call of a hex")
            for slot in SLOT.finditer(node.text):
                yield from faults(replace(node, value=slot[1], text=slot[1]), known, path)

    def short(self) -> Record:
        """Abbreviations by enum."""
        if self.spec is None:
            return Record(rest=Record(rest=_SHORT))
        keys = {
            enum: _each(_SHORT, members, f"member of {enum}")
            for enum, members in self.spec.enums.items()
        }
        return Record(keys=keys, noun="enum", sort=VALUE)

    def pieces(self) -> Record:
        """Looks by kind."""
        if self.spec is None:
            return Record(rest=_Piece(self, "").look())
        keys = {kind: _Piece(self, kind).look() for kind in self.spec.kinds}
        return Record(keys=keys, noun="kind of piece", sort=VALUE)

    def tray(self, node: Node, path: Path) -> Iterator[Fault]:
        """A text for each kind that has places."""
        for kind in self.spec.kinds if self.spec is not None else ():
            assert self.spec is not None
            if any(f.place for f in self.spec.fields_of(kind)):
                yield from faults(node, _Piece(self, kind).template(), path)

    def of_game(self) -> list[str] | None:
        """What stands above every question."""
        if self.spec is None:
            return None
        calls = (name for name, call in self.spec.calls.items() if not call.params)
        fields = (f.name for f in self.spec.fields_of("Game"))
        return sorted({*fields, *calls, *naming.by_member(self.spec)})

    def about(self) -> Record:
        """What is told of pieces and hexes."""
        if self.spec is None:
            return Record(rest=_names(None, ""))
        keys = {
            kind: _names(naming.known_of_piece(self.spec, kind), f"field, column or call of {kind}")
            for kind in (*self.spec.kinds, "Hex")
        }
        return Record(keys=keys, noun="kind of piece", sort=VALUE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The look of a kind of pieces; without a kind only its shape."""

    style: _Style
    kind: str

    def look(self, fill: str | None = None) -> Record:
        """A look, or one of its cases, which has the *fill* of the look."""
        names = Record(rest=_LINE)
        if self.style.spec is not None and self.kind:
            there = naming.known_of_piece(self.style.spec, self.kind)
            names = _each(_LINE, there, f"field or function of {self.kind}", self.edges)
        facing = {"by": SCALAR, "at": Word(words=("side", "vertex"), sort=FORM)}
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
            "facing": Either(
                shapes=(
                    replace(SCALAR, also=self.facing),
                    Record(
                        keys=facing,
                        required=("by",),
                        noun="setting of a facing",
                        also=self.facing,
                    ),
                )
            ),
            "edges": names,
        }
        if fill is None:
            keys["cases"] = List(item=Shape())
        else:
            keys["when"] = Record(rest=SCALAR, also=self.when)

        def also(node: Node, path: Path) -> Iterator[Fault]:
            own = text_of(node.get("fill")) if isinstance(node, Mapping) else ""
            own = "" if is_color(own) else own or fill or ""
            yield from self.colors(node, own, path)
            if fill is None:
                yield from self.cases(node, own, path)

        return Record(keys=keys, noun="setting of a piece", also=also)

    def path(self, node: Node | None, path: Path) -> tuple[TypeSpec | None, list[Fault]]:
        """The type of a field or call of the piece, or of a column of one, and what is wrong with
        it; neither where only the shape is looked at.
        """
        spec = self.style.spec
        if spec is None or not self.kind or not isinstance(node, Scalar):
            return None, []
        found = naming.type_of(spec, self.kind, node.text)
        if isinstance(found, TypeSpec):
            return found, []
        first = node.text.partition(".")[0]
        names = [f.name for f in spec.fields_of(self.kind)]
        names += naming.calls_of_one(spec, self.kind)
        known = "name a field of the piece, a function of one piece, or a column of its table"
        remedy = known if first in names else suggestion(first, names)
        return None, [Fault(VALUE, found + where(path), node, remedy)]

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
        colors, path = node.get("colors") if isinstance(node, Mapping) else None, (*path, "colors")
        if colors is None:
            return
        if not fill:
            message = f"no field says which colour holds{where(path)}"
            remedy = "write 'fill: FIELD', or take them away"
            yield Fault("V906", message, colors, remedy, "warning")
            return
        type_ = self.path(Scalar(fill, fill, 0, 0), path)[0]
        yield from faults(colors, self.style.by_value(type_, Shape(), "none"), path)

    def template(self) -> Text:
        """A text with fields and calls in braces."""

        def also(node: Node, path: Path) -> Iterator[Fault]:
            assert isinstance(node, Scalar)
            for slot in SLOT.finditer(node.text):
                if slot[1] != "name":
                    yield from self.path(replace(node, value=slot[1], text=slot[1]), path)[1]

        return _template(_WORDED_LINES, also)

    def symbol(self, node: Node, path: Path) -> Iterator[Fault]:
        """Glyphs in their colours, or such by value."""
        by = node.get("by") if isinstance(node, Mapping) else None
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
        members = naming.values_of(spec, TypeSpec("enum", type_.name))
        if type_.kind != "enum" or len(members or ()) != 6:
            message = f"'{text_of(by)}' of {self.kind} has not six directions{where(path)}"
            remedy = "name a field or function of type Direction, or of an enum of six members"
            yield Fault(VALUE, message, by, remedy)

    def edges(self, node: Node, path: Path) -> Iterator[Fault]:
        """Functions and fields of the piece that are sets of hexes, as lines along the sides to
        them.
        """
        there = naming.known_of_piece(self.style.spec, self.kind) if self.style.spec else {}
        for key, _ in entries_of(node):
            if key.text in there and not is_hexes(getattr(there[key.text], "type", None)):
                yield _no_hexes(key, "a field or function of the piece", path)

    def cases(self, node: Node, fill: str, path: Path) -> Iterator[Fault]:
        """Other settings while fields have some values."""
        seen: list[dict[str, str]] = []
        cases = node.get("cases") if isinstance(node, Mapping) else None
        for number, item in enumerate(cases.items if isinstance(cases, Sequence) else (), 1):
            yield from faults(item, self.look(fill), (*path, "cases", str(number)))
            if not isinstance(item, Mapping):
                continue
            when = {key.text: text_of(value) for key, value in entries_of(item.get("when"))}
            if when and when in seen:
                message = f"another case holds under the same conditions{where(path)}"
                yield Fault("V906", message, item, "make one of them", "warning")
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
