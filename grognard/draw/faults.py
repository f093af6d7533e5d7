"""Slips in ``style.yaml`` as findings with their places: settings that there are not, names that the ruleset
lacks, values of the wrong shape, colours that are none, looks that nothing reaches.

Without a ruleset only what the file alone tells is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import yaml

from dsl.diagnostics import did_you_mean
from grognard.draw import naming, nodes
from grognard.draw.colors import is_color
from grognard.draw.idle import SLOT, idle
from grognard.draw.naming import bordering, by_member, highlighting, known, known_of_piece, type_of, values_of
from runtime.findings import Finding
from runtime.model import RulesetSpec, TypeSpec

PATTERNS: Final = ("trees", "reeds", "peaks", "hills", "houses", "waves", "dots", "derrick", "bridge")
_FILLED = ("circle", "triangle", "square", "diamond", "star")
GLYPHS: Final = ("cross", "slash", "oval", "dot", *_FILLED, "bastion")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?\Z", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,9}\Z", re.ASCII)
_SIZES: Final = (0.2, 2.0)
#: How many characters fit: of an abbreviation, of a mark, of a sign.
_SHORT, _MARK, _SIGN = 8, 2, 1
#: So many findings are told of one file: who has made more, has made the same one again and again.
_TOLD = 100

Rule = Callable[[yaml.Node, str], object]


def findings_in(root: yaml.Node | None, name: str, spec: RulesetSpec | None = None) -> list[Finding]:
    """What is wrong with a style file, in the order of the file; *name* is how it is shown to people."""
    if root is None:
        return []
    check = _Check(name, spec)
    check.whole(root)
    return sorted(dict.fromkeys(check.found), key=lambda f: (f.line, f.column, f.code, f.message))


class _Check:
    """One file being looked at."""

    def __init__(self, name: str, spec: RulesetSpec | None) -> None:
        self.name = name
        self.spec = spec
        self.found: list[Finding] = []

    # ------------------------------------------------------------------ findings

    def tell(self, code: str, node: yaml.Node, message: str, remedy: str, severity: str = "error") -> None:
        mark = node.start_mark
        place = (self.name, mark.line + 1, mark.column + 1)
        self.found.append(
            Finding(
                code, message, *place, severity="warning" if severity == "warning" else "error", remedy=remedy
            )
        )

    def known(self, node: yaml.Node, what: str, names: Iterable[str], where: str, code: str = "V902") -> bool:
        """Whether the text of a node is one of *names*; else a finding."""
        word, table = nodes.text(node), dict.fromkeys(names)
        if word in table:
            return True
        shown = ", ".join(list(table)[:20]) + (", …" if len(table) > 20 else "")
        remedy = did_you_mean(word, table) or (f"known: {shown}" if table else "there is none")
        self.tell(code, node, f"{where}there is no {what} '{word}'", remedy)
        return False

    # ------------------------------------------------------------------ shapes

    def text(self, node: yaml.Node, where: str) -> bool:
        """Whether a node is a text; else a finding."""
        if isinstance(node, yaml.ScalarNode):
            return True
        self.tell("V903", node, f"{where}a text is wanted, not {nodes.called(node)}", "write key: text")
        return False

    def mapping(self, node: yaml.Node, where: str) -> bool:
        """Whether a node is a mapping; else a finding."""
        if isinstance(node, yaml.MappingNode):
            return True
        self.tell("V903", node, f"{where}a mapping is wanted, not {nodes.called(node)}", "write {key: value}")
        return False

    def items(self, node: yaml.Node, where: str) -> list[yaml.Node]:
        """The items of a list; a finding where it is none."""
        if isinstance(node, yaml.SequenceNode):
            return list(node.value)
        self.tell("V903", node, f"{where}a list is wanted, not {nodes.called(node)}", "write [one, other]")
        return []

    def keys(self, node: yaml.Node, rules: Mapping[str, Rule], what: str, where: str) -> None:
        """A mapping with keys of *rules*, each with a value as its rule says."""
        if not self.mapping(node, where):
            return
        for key, value in nodes.entries(node):
            if len(self.found) >= _TOLD:
                return
            if self.known(key, what, rules, where, "V901"):
                rules[key.value](value, f"{where}{key.value}: ")

    def each(self, node: yaml.Node, rule: Rule, names: Iterable[str] | None, what: str, where: str) -> None:
        """A mapping from *names* (None: any) to what a rule says."""
        if not self.mapping(node, where):
            return
        for key, value in nodes.entries(node):
            if len(self.found) >= _TOLD:
                return
            if names is None or self.known(key, what, names, where):
                rule(value, f"{where}{key.value}: ")

    # ------------------------------------------------------------------ values

    def color(self, node: yaml.Node, where: str) -> None:
        """A colour."""
        if self.text(node, where) and not is_color(nodes.text(node)):
            remedy = did_you_mean(nodes.text(node), ()) or 'write "#aabbcc" or a name such as white'
            self.tell("V904", node, f"{where}'{nodes.text(node)}' is not a colour", remedy)

    def color_or_none(self, node: yaml.Node, where: str) -> None:
        """A colour, or none."""
        if nodes.text(node) != "none":
            self.color(node, where)

    def number(self, node: yaml.Node, where: str) -> None:
        """A number."""
        if self.text(node, where) and not _NUMBER.match(nodes.text(node)):
            self.tell(
                "V905", node, f"{where}'{nodes.text(node)}' is no number", "write a number such as 2 or 1.5"
            )

    def size(self, node: yaml.Node, where: str) -> None:
        """The size of a counter, in hexsides."""
        before = len(self.found)
        self.number(node, where)
        least, most = _SIZES
        if len(self.found) == before and not least <= float(nodes.text(node)) <= most:
            word = "small" if float(nodes.text(node)) < least else "large"
            message = f"{where}{nodes.text(node)} hexsides are too {word}"
            self.tell("V905", node, message, f"write a number from {least:g} to {most:g}")

    def dash(self, node: yaml.Node, where: str) -> None:
        """Lengths of dashes and gaps."""
        if self.text(node, where):
            for part in nodes.text(node).split():
                if not _NUMBER.match(part):
                    self.tell("V905", node, f"{where}'{part}' is no number", 'write lengths, such as "8 5"')

    def fits(self, most: int) -> Rule:
        """A text of at most so many characters, each of a column's width."""

        def rule(node: yaml.Node, where: str) -> None:
            if not self.text(node, where):
                return
            text = nodes.text(node)
            wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
            if wide > most or not text.isprintable():
                what = "one character" if most == 1 else f"{most} characters"
                self.tell(
                    "V907", node, f"{where}'{text}' does not fit", f"write at most {what} of plain width"
                )

        return rule

    def listed(self, names: tuple[str, ...], what: str) -> Rule:
        """Words of a list, separated by blanks."""

        def rule(node: yaml.Node, where: str) -> None:
            if self.text(node, where):
                for word in nodes.text(node).split():
                    self.known(yaml.ScalarNode("", word, node.start_mark, node.end_mark), what, names, where)

        return rule

    def one_of(self, *words: str) -> Rule:
        """One of a few words."""

        def rule(node: yaml.Node, where: str) -> None:
            if self.text(node, where) and nodes.text(node) not in words:
                self.tell(
                    "V905",
                    node,
                    f"{where}'{nodes.text(node)}' is not possible",
                    f"write {' or '.join(words)}",
                )

        return rule

    # ------------------------------------------------------------------ the file

    def whole(self, root: yaml.Node) -> None:
        """The whole file."""
        rules: dict[str, Rule] = {
            "background": self.color,
            "labels": self.color_or_none,
            "names": self.color,
            "hexes": self.hexes,
            "hexsides": self.hexsides,
            "borders": self.borders,
            "highlights": self.highlights,
            "sides": self.sides,
            "flags": self.flags,
            "markers": self.markers,
            "short": self.short,
            "pieces": self.pieces,
            "tray": self.tray,
            "panel": self.panel,
            "header": self.header,
            "about": self.about,
            "odds": self.odds,
        }
        if isinstance(root, yaml.ScalarNode) and not root.value:
            return
        if not isinstance(root, yaml.MappingNode):
            self.tell("V903", root, "the file is not a mapping", f"its keys are {', '.join(rules)}")
            return
        self.keys(root, rules, "setting", "")
        if self.spec is not None:
            for node, message, remedy in idle(root, self.spec):
                self.tell("V906", node, message, remedy, "warning")

    def _fields(self, owner: str) -> dict[str, TypeSpec] | None:
        if self.spec is None:
            return None
        return {f.name: f.type for f in self.spec.fields_of(owner) if not f.options}

    def hexes(self, node: yaml.Node, where: str) -> None:
        """Looks by field of Hex and value."""
        look: dict[str, Rule] = {
            "fill": self.color,
            "ink": self.color,
            "pattern": self.listed(PATTERNS, "pattern"),
            "rim": self.color,
            "sign": self.fits(_SIGN),
            "label": self.text,
        }
        fields = self._fields("Hex")

        def looks(node: yaml.Node, where: str) -> None:
            field = where.split(": ")[-2]
            type_ = fields.get(field) if fields is not None else None
            if self.mapping(node, where):
                for key, value in nodes.entries(node):
                    if type_ is None or self.value(key, type_, field, where):
                        self.keys(value, look, "setting of a hex", f"{where}{key.value}: ")

        self.each(node, looks, fields, "field of Hex", where)

    def value(self, node: yaml.Node, type_: TypeSpec, field: str, where: str) -> bool:
        """Whether a text is a value of a type; else a finding."""
        assert self.spec is not None
        inner = type_.of if type_.kind == "set" and type_.of is not None else type_
        words = values_of(self.spec, inner)
        if words is None:
            if _WHOLE.match(nodes.text(node)):
                return True
            self.tell(
                "V902", node, f"{where}'{nodes.text(node)}' is not a whole number", "write a value such as 2"
            )
            return False
        return self.known(node, f"value of {field}", words, where)

    def line(self, node: yaml.Node, where: str) -> None:
        """The look of a line."""
        rules: dict[str, Rule] = {
            "color": self.color,
            "width": self.number,
            "dash": self.dash,
            "label": self.text,
            "sign": self.fits(_SIGN),
        }
        self.keys(node, rules, "setting of a line", where)

    def hexsides(self, node: yaml.Node, where: str) -> None:
        """Fields of Hex that are sets of hexes, as lines."""
        fields = self._fields("Hex")
        self.each(node, self.line, fields, "field of Hex", where)
        for key, _ in nodes.entries(node):
            type_ = (fields or {}).get(key.value)
            if type_ is not None and not _hexes(type_):
                message = f"{where}'{key.value}' is not a set of hexes"
                self.tell(
                    "V902", key, message, "name a field of Hex that is one, or write it under 'borders'"
                )

    def borders(self, node: yaml.Node, where: str) -> None:
        """Fields of Hex and calls of a hex in which neighbours differ, as lines."""
        names = bordering(self.spec) if self.spec is not None else None
        self.each(node, self.line, names, "field of Hex, or function of a hex,", where)

    def highlights(self, node: yaml.Node, where: str) -> None:
        """What stands out among the hexes that a question offers."""
        words = {o.word for d in self.spec.decisions for o in d.options} if self.spec is not None else None

        def options(node: yaml.Node, where: str) -> None:
            self.names(node, words, "option", where)

        rules = {"sign": self.fits(_SIGN), "color": self.color, "label": self.text, "for": options}
        names = highlighting(self.spec) if self.spec is not None else None
        what = "option, or function or permission of a hex,"
        self.each(node, self.settings(rules, "setting of a highlight"), names, what, where)

    def markers(self, node: yaml.Node, where: str) -> None:
        """Signs of markers by field of Side or Game."""
        rules: dict[str, Rule] = {"text": self.fits(_MARK), "color": self.color, "label": self.text}
        names = naming.markable(self.spec) if self.spec is not None else None
        rule = self.settings(rules, "setting of a marker")
        self.each(node, rule, names, "set of hexes of Side or Game", where)

    def sides(self, node: yaml.Node, where: str) -> None:
        """The colours of sides."""
        rule = self.settings({"fill": self.color, "ink": self.color}, "setting of a side")
        self.each(node, rule, self.spec.sides if self.spec else None, "side", where)

    def settings(self, rules: Mapping[str, Rule], what: str) -> Rule:
        """A mapping with certain keys."""
        return lambda node, where: self.keys(node, rules, what, where)

    def flags(self, node: yaml.Node, where: str) -> None:
        """A field of Side that is a set of hexes."""
        fields = self._fields("Side")
        if (
            not self.text(node, where)
            or fields is None
            or not self.known(node, "field of Side", fields, where)
        ):
            return
        if not _hexes(fields[nodes.text(node)]):
            message = f"{where}'{nodes.text(node)}' is not a set of hexes"
            self.tell("V902", node, message, "name a field of Side that is one")

    def short(self, node: yaml.Node, where: str) -> None:
        """Abbreviations by enum."""
        fits = self.fits(_SHORT)

        def rule(node: yaml.Node, where: str) -> None:
            enum = where.split(": ")[-2]
            members = self.spec.enums.get(enum) if self.spec is not None else None
            self.each(node, fits, members, f"member of {enum}", where)

        self.each(node, rule, self.spec.enums if self.spec else None, "enum", where)

    # ------------------------------------------------------------------ pieces

    def pieces(self, node: yaml.Node, where: str) -> None:
        """Looks by kind."""

        def rule(node: yaml.Node, where: str) -> None:
            kind = where.split(": ")[-2]
            of_kind = _Piece(self, kind if self.spec is not None else "")
            of_kind.look(node, where)

        self.each(node, rule, self.spec.kinds if self.spec else None, "kind of piece", where)

    def tray(self, node: yaml.Node, where: str) -> None:
        """A text for each kind that has places."""
        if not self.text(node, where) or self.spec is None:
            return
        for kind in self.spec.kinds:
            if any(f.place for f in self.spec.fields_of(kind)):
                _Piece(self, kind).template(node, where)

    # ------------------------------------------------------------------ what players are told

    def names(self, node: yaml.Node, names: Iterable[str] | None, what: str, where: str) -> None:
        """A list of names, each once."""
        seen: set[str] = set()
        if not isinstance(node, yaml.SequenceNode):
            message = f"{where}a list of names is wanted, not {nodes.called(node)}"
            self.tell("V903", node, message, "write [name, name]")
        for item in nodes.items(node):
            if not isinstance(item, yaml.ScalarNode):
                self.tell("V903", item, f"{where}a list of names is wanted", "write [name, name]")
            elif item.value in seen:
                message = f"{where}'{item.value}' stands twice"
                self.tell("V906", item, message, "take one of them away", "warning")
            elif names is not None:
                self.known(item, what, names, where)
            seen.add(nodes.text(item))

    def panel(self, node: yaml.Node, where: str) -> None:
        """What stands beside the board."""
        self.names(node, known(self.spec) if self.spec else None, "field, pile or call", where)

    def header(self, node: yaml.Node, where: str) -> None:
        """What stands above every question."""
        of_game = None
        if self.spec is not None:
            calls = (name for name, call in self.spec.calls.items() if not call.params)
            fields = (f.name for f in self.spec.fields_of("Game"))
            of_game = sorted({*fields, *calls, *by_member(self.spec)})
        self.names(node, of_game, "field or call of Game", where)

    def odds(self, node: yaml.Node, where: str) -> None:
        """What stands beside options of what forecasts go on with."""
        outcomes = None if self.spec is None else [name for name, _ in self.spec.outcomes]
        self.names(node, outcomes, "outcome", where)

    def about(self, node: yaml.Node, where: str) -> None:
        """What is told of pieces and hexes."""

        def rule(node: yaml.Node, where: str) -> None:
            kind = where.split(": ")[-2]
            there = known_of_piece(self.spec, kind) if self.spec is not None else None
            self.names(node, there, f"field, column or call of {kind}", where)

        kinds = (*self.spec.kinds, "Hex") if self.spec is not None else None
        self.each(node, rule, kinds, "kind of piece", where)


def _hexes(type_: TypeSpec) -> bool:
    """Whether a type is a set of hexes."""
    return type_.kind == "set" and type_.of is not None and type_.of.kind == "hex"


class _Piece:
    """The look of a kind of pieces being looked at; without a kind only its shape."""

    def __init__(self, check: _Check, kind: str) -> None:
        self.check = check
        self.kind = kind
        #: the field or column whose colours stand in ``colors``
        self.fill = ""

    def look(self, node: yaml.Node, where: str, fill: str = "") -> None:
        """A look, or one of its cases."""
        check = self.check
        self.fill = nodes.text(nodes.get(node, "fill")) or fill
        rules: dict[str, Rule] = {
            "shape": check.one_of("square", "round"),
            "size": check.size,
            "fill": self.path,
            "ink": check.color,
            "colors": self.colors,
            "label": self.template,
            "figures": self.template,
            "symbol": self.symbol,
            "marks": self.marks,
            "facing": self.facing,
            "edges": self.edges,
        }
        if not fill and ": a case: " not in where:
            rules["cases"] = self.cases
        else:
            rules["when"] = self.when
        check.keys(node, rules, "setting of a piece", where)

    def path(self, node: yaml.Node, where: str) -> TypeSpec | None:
        """A field of the piece, or a column of one; its type."""
        check = self.check
        if not check.text(node, where) or not self.kind:
            return None
        assert check.spec is not None
        found = type_of(check.spec, self.kind, nodes.text(node))
        if isinstance(found, TypeSpec):
            return found
        first = nodes.text(node).partition(".")[0]
        names = [f.name for f in check.spec.fields_of(self.kind)]
        remedy = did_you_mean(first, names) if first not in names else ""
        check.tell(
            "V902", node, where + found, remedy or "name a field of the piece, or a column of its table"
        )
        return None

    def colors(self, node: yaml.Node, where: str) -> None:
        """Colours by value of what ``fill`` names."""
        check = self.check
        if not self.fill:
            message = f"{where}no field says which of these colours holds"
            check.tell("V906", node, message, "write 'fill: FIELD', or take them away", "warning")
        type_ = None
        if self.kind and self.fill:
            found = type_of(check.spec, self.kind, self.fill)  # type: ignore[arg-type]
            type_ = found if isinstance(found, TypeSpec) else None
        self.by_value(node, type_, self.fill, check.color, where)

    def by_value(self, node: yaml.Node, type_: TypeSpec | None, path: str, rule: Rule, where: str) -> None:
        """A mapping from the values of a type (None: any)."""
        if self.check.mapping(node, where):
            for key, value in nodes.entries(node):
                if key.value == "by":
                    continue
                # none stands also for what is not seen
                if type_ is None or key.value == "none" or self.check.value(key, type_, path, where):
                    rule(value, f"{where}{key.value}: ")

    def template(self, node: yaml.Node, where: str) -> None:
        """A text with fields in braces."""
        check = self.check
        if not check.text(node, where):
            return
        text = nodes.text(node)
        rest = SLOT.sub("", text)
        if "{" in rest or "}" in rest:
            message = f"{where}'{text}' has braces that hold no field"
            check.tell("V903", node, message, "write {field}, {field.column}, {name} or {name:3}")
        for slot in SLOT.finditer(text):
            if slot[1] != "name":
                self.path(yaml.ScalarNode("", slot[1], node.start_mark, node.end_mark), where)

    def symbol(self, node: yaml.Node, where: str) -> None:
        """Glyphs, or glyphs by value."""
        if isinstance(node, yaml.ScalarNode):
            self.glyph(node, where)
            return
        if not self.check.mapping(node, where):
            return
        by = nodes.get(node, "by")
        if by is None:
            self.glyph(node, where)
        else:
            self.by_value(node, self.path(by, f"{where}by: "), nodes.text(by), self.glyph, where)

    def glyph(self, node: yaml.Node, where: str) -> None:
        """Glyphs in their colours."""
        check = self.check
        glyphs = check.listed(GLYPHS, "glyph")
        if isinstance(node, yaml.ScalarNode):
            glyphs(node, where)
            return
        rules: dict[str, Rule] = {"glyph": glyphs, "fill": check.color_or_none, "ink": check.color}
        check.keys(node, rules, "setting of a symbol", where)

    def marks(self, node: yaml.Node, where: str) -> None:
        """Marks by field."""
        check = self.check
        rules: dict[str, Rule] = {"text": check.fits(_MARK), "color": check.color, "label": check.text}
        if check.mapping(node, where):
            for key, value in nodes.entries(node):
                self.path(key, where)
                check.keys(value, rules, "setting of a mark", f"{where}{key.value}: ")

    def facing(self, node: yaml.Node, where: str) -> None:
        """Where the piece faces."""
        check = self.check
        by: yaml.Node | None = node
        if not isinstance(node, yaml.ScalarNode):
            if not check.mapping(node, where):
                return
            check.keys(
                node, {"by": check.text, "at": check.one_of("side", "vertex")}, "setting of a facing", where
            )
            by = nodes.get(node, "by")
            if by is None:
                check.tell(
                    "V903",
                    node,
                    f"{where}a facing names a field, and side or vertex",
                    "write {by: heading, at: side}",
                )
        type_ = self.path(by, where) if by is not None else None
        if type_ is not None and (type_.kind != "enum" or self._members(type_.name) != 6):
            message = f"{where}'{nodes.text(by)}' of {self.kind} has not six directions"
            check.tell(
                "V902", by or node, message, "name a field of type Direction, or of an enum of six members"
            )

    def _members(self, enum: str) -> int:
        assert self.check.spec is not None
        return len(values_of(self.check.spec, TypeSpec("enum", enum)) or ())

    def edges(self, node: yaml.Node, where: str) -> None:
        """Functions and fields of the piece that are sets of hexes, as lines along the sides to them."""
        check = self.check
        there = known_of_piece(check.spec, self.kind) if self.kind and check.spec is not None else None
        check.each(node, check.line, there, f"field or function of {self.kind}", where)
        for key, _ in nodes.entries(node):
            found = (there or {}).get(key.value)
            if found is not None and not _hexes(getattr(found, "type", TypeSpec(""))):
                message = f"{where}'{key.value}' is not a set of hexes"
                check.tell("V902", key, message, "name a field or function of the piece that is one")

    def cases(self, node: yaml.Node, where: str) -> None:
        """Other settings while fields have some values."""
        seen: list[dict[str, str]] = []
        for item in self.check.items(node, where):
            _Piece(self.check, self.kind).look(item, f"{where}a case: ", self.fill)
            when = {key.value: nodes.text(value) for key, value in nodes.entries(nodes.get(item, "when"))}
            if not isinstance(item, yaml.MappingNode):
                continue
            if when and when in seen:
                message = f"{where}another case holds under the same conditions"
                self.check.tell("V906", item, message, "make one of them", "warning")
            seen.append(when)

    def when(self, node: yaml.Node, where: str) -> None:
        """The conditions of a case."""
        check = self.check
        if check.mapping(node, where):
            for key, value in nodes.entries(node):
                type_ = self.path(key, where)
                if type_ is not None and check.text(value, where) and nodes.text(value) != "none":
                    check.value(value, type_, key.value, where)
