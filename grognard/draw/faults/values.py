"""Values of a style file: what each must look like, and what is said where it does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import yaml

from dsl.diagnostics import did_you_mean
from grognard.draw import nodes
from grognard.draw.colors import is_color
from grognard.draw.idle import SLOT
from grognard.draw.naming import values_of
from runtime.findings import Finding
from runtime.model import RulesetSpec, TypeSpec

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?\Z", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,9}\Z", re.ASCII)
_SIZES: Final = (0.2, 2.0)
#: How many characters fit: of an abbreviation, of a mark, of a sign.
SHORT, MARK, SIGN = 8, 2, 1
#: So many findings are told of one file: who has made more, has made the same one again and again.
_TOLD = 100

Rule = Callable[[yaml.Node, str], object]


class Values:
    """The findings about one file, and the rules for values of all sorts; *where* tells where one stands."""

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

    def template(self, node: yaml.Node, where: str, forms: str) -> bool:
        """Whether a node is a text, whose braces should hold names as in *forms*."""
        if not self.text(node, where):
            return False
        rest = SLOT.sub("", nodes.text(node))
        if "{" in rest or "}" in rest:
            message = f"{where}'{nodes.text(node)}' has braces that hold no field"
            self.tell("V903", node, message, forms)
        return True

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

    def settings(self, rules: Mapping[str, Rule], what: str) -> Rule:
        """A mapping with certain keys."""
        return lambda node, where: self.keys(node, rules, what, where)

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
        self.keys(node, {**self._stroke(), "sign": self.fits(SIGN)}, "setting of a line", where)

    def way(self, node: yaml.Node, where: str) -> None:
        """The look of a line through hexes."""
        self.keys(node, {**self._stroke(), "rim": self.color}, "setting of a way", where)

    def _stroke(self) -> dict[str, Rule]:
        return {"color": self.color, "width": self.number, "dash": self.dash, "label": self.text}


def is_hexes(type_: TypeSpec) -> bool:
    """Whether a type is a set of hexes."""
    return type_.kind == "set" and type_.of is not None and type_.of.kind == "hex"
