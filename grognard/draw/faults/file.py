"""The settings of a style file."""

from __future__ import annotations

from typing import Final

import yaml

from grognard.draw import naming, nodes
from grognard.draw.faults.pieces import Piece
from grognard.draw.faults.values import MARK, SHORT, SIGN, Rule, Values, is_hexes
from grognard.draw.idle import SLOT, idle
from grognard.draw.naming import bordering, by_member, highlighting, known, known_of_piece
from runtime.model import TypeSpec

PATTERNS: Final = ("trees", "reeds", "peaks", "hills", "houses", "waves", "dots", "derrick", "bridge")


class File(Values):
    """One file being looked at."""

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
            "ways": self.ways,
            "areas": self.areas,
            "highlights": self.highlights,
            "sides": self.sides,
            "flags": self.flags,
            "figures": self.figures,
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
            "sign": self.fits(SIGN),
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

    def hexsides(self, node: yaml.Node, where: str) -> None:
        """Fields of Hex that are sets of hexes, as lines."""
        fields = self._fields("Hex")
        self.each(node, self.line, fields, "field of Hex", where)
        for key, _ in nodes.entries(node):
            type_ = (fields or {}).get(key.value)
            if type_ is not None and not is_hexes(type_):
                message = f"{where}'{key.value}' is not a set of hexes"
                self.tell(
                    "V902", key, message, "name a field of Hex that is one, or write it under 'borders'"
                )

    def borders(self, node: yaml.Node, where: str) -> None:
        """Fields of Hex and calls of a hex in which neighbours differ, as lines."""
        names = bordering(self.spec) if self.spec is not None else None
        self.each(node, self.line, names, "field of Hex, or function of a hex,", where)

    def ways(self, node: yaml.Node, where: str) -> None:
        """What leads through hexes, as lines from middle to middle."""
        names = naming.leading(self.spec) if self.spec is not None else None
        what = "set of hexes of Hex, or field or function of a hex that is true or false,"
        self.each(node, self.way, names, what, where)

    def areas(self, node: yaml.Node, where: str) -> None:
        """Fields of Hex and calls of a hex that are alike in all of an area."""
        names = bordering(self.spec) if self.spec is not None else None
        self.each(node, self.line, names, "field of Hex, or function of a hex,", where)

    def highlights(self, node: yaml.Node, where: str) -> None:
        """What stands out among the hexes that a question offers."""
        words = {o.word for d in self.spec.decisions for o in d.options} if self.spec is not None else None

        def options(node: yaml.Node, where: str) -> None:
            self.names(node, words, "option", where)

        rules = {"sign": self.fits(SIGN), "color": self.color, "label": self.text, "for": options}
        names = highlighting(self.spec) if self.spec is not None else None
        what = "option, or function or permission of a hex,"
        self.each(node, self.settings(rules, "setting of a highlight"), names, what, where)

    def markers(self, node: yaml.Node, where: str) -> None:
        """Signs of markers by field of Side or Game."""
        rules: dict[str, Rule] = {"text": self.fits(MARK), "color": self.color, "label": self.text}
        names = naming.markable(self.spec) if self.spec is not None else None
        rule = self.settings(rules, "setting of a marker")
        self.each(node, rule, names, "set of hexes of Side or Game", where)

    def sides(self, node: yaml.Node, where: str) -> None:
        """The colours of sides."""
        rule = self.settings({"fill": self.color, "ink": self.color}, "setting of a side")
        self.each(node, rule, self.spec.sides if self.spec else None, "side", where)

    def flags(self, node: yaml.Node, where: str) -> None:
        """A field of Side, or a function of one Side, that is a set of hexes."""
        if not self.text(node, where) or self.spec is None:
            return
        there = naming.holding(self.spec)
        if not self.known(node, "field or function of Side", there, where):
            return
        if not is_hexes(there[nodes.text(node)].type):
            message = f"{where}'{nodes.text(node)}' is not a set of hexes"
            self.tell("V902", node, message, "name a field or function of Side that is one")

    def figures(self, node: yaml.Node, where: str) -> None:
        """What stands in hexes, with fields and calls of one hex in braces."""
        self.template(node, where, "write {field}, {field[member]} or {function}")
        there = naming.inside(self.spec) if self.spec is not None else None
        for slot in SLOT.finditer(nodes.text(node)) if there is not None else ():
            name = yaml.ScalarNode("", slot[1], node.start_mark, node.end_mark)
            self.known(name, "field or call of a hex", there or (), where)

    def short(self, node: yaml.Node, where: str) -> None:
        """Abbreviations by enum."""
        fits = self.fits(SHORT)

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
            of_kind = Piece(self, kind if self.spec is not None else "")
            of_kind.look(node, where)

        self.each(node, rule, self.spec.kinds if self.spec else None, "kind of piece", where)

    def tray(self, node: yaml.Node, where: str) -> None:
        """A text for each kind that has places."""
        if not self.text(node, where) or self.spec is None:
            return
        for kind in self.spec.kinds:
            if any(f.place for f in self.spec.fields_of(kind)):
                Piece(self, kind).template(node, where)

    # ------------------------------------------------------------------ what players are told

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
