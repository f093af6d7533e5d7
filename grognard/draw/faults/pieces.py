"""The looks of pieces in a style file."""

from __future__ import annotations

from typing import Final

import yaml

from dsl.diagnostics import did_you_mean
from grognard.draw import nodes
from grognard.draw.colors import is_color
from grognard.draw.faults.values import MARK, Rule, Values, is_hexes
from grognard.draw.idle import SLOT
from grognard.draw.naming import calls_of_one, known_of_piece, type_of, values_of
from runtime.model import TypeSpec

_FILLED = ("circle", "triangle", "square", "diamond", "star")
GLYPHS: Final = ("cross", "slash", "oval", "dot", *_FILLED, "bastion")


class Piece:
    """The look of a kind of pieces being looked at; without a kind only its shape."""

    def __init__(self, check: Values, kind: str) -> None:
        self.check = check
        self.kind = kind
        #: the field or column whose colours stand in ``colors``
        self.fill = ""

    def look(self, node: yaml.Node, where: str, fill: str = "") -> None:
        """A look, or one of its cases."""
        check = self.check
        said = nodes.text(nodes.get(node, "fill"))
        self.fill = "" if is_color(said) else said or fill
        rules: dict[str, Rule] = {
            "shape": check.one_of("square", "round"),
            "size": check.size,
            "fill": self.filled,
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

    def filled(self, node: yaml.Node, where: str) -> None:
        """A colour, or a field, call or column whose colours stand in ``colors``."""
        if not is_color(nodes.text(node)):
            self.path(node, where)

    def path(self, node: yaml.Node, where: str) -> TypeSpec | None:
        """A field or call of the piece, or a column of one; its type."""
        check = self.check
        if not check.text(node, where) or not self.kind:
            return None
        assert check.spec is not None
        found = type_of(check.spec, self.kind, nodes.text(node))
        if isinstance(found, TypeSpec):
            return found
        first = nodes.text(node).partition(".")[0]
        names = [f.name for f in check.spec.fields_of(self.kind)] + [*calls_of_one(check.spec, self.kind)]
        remedy = did_you_mean(first, names) if first not in names else ""
        known = "name a field of the piece, a function of one piece, or a column of its table"
        check.tell("V902", node, where + found, remedy or known)
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
        """A text with fields and calls in braces."""
        check = self.check
        if not check.template(node, where, "write {field}, {field.column}, {function}, {name} or {name:3}"):
            return
        for slot in SLOT.finditer(nodes.text(node)):
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
        rules: dict[str, Rule] = {"text": check.fits(MARK), "color": check.color, "label": check.text}
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
                "V902",
                by or node,
                message,
                "name a field or function of type Direction, or of an enum of six members",
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
            if found is not None and not is_hexes(getattr(found, "type", TypeSpec(""))):
                message = f"{where}'{key.value}' is not a set of hexes"
                check.tell("V902", key, message, "name a field or function of the piece that is one")

    def cases(self, node: yaml.Node, where: str) -> None:
        """Other settings while fields have some values."""
        seen: list[dict[str, str]] = []
        for item in self.check.items(node, where):
            Piece(self.check, self.kind).look(item, f"{where}a case: ", self.fill)
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
