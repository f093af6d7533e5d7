"""A scenario's text that is written on, with what it says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grognard.editing.set_up.yaml_text import Path, YamlText, flow_list, quoted_word
from runtime.data.findings import Finding
from runtime.data.reader import Node, Scalar, read_tree
from runtime.errors import ArgumentError
from runtime.model import NONE, TRUTHS, FieldSpec, RulesetSpec, TypeSpec, zero
from runtime.scenario.build import Built
from runtime.scenario.fields import HEX, NONE_WORD, members, set_fields
from runtime.scenario.load import board_of, lay_out
from runtime.scenario.names import Draft
from runtime.scenario.shape import scenario_shape
from runtime.words.said import said

#: A value in words; of a set, its members.
Words = str | int | bool | list[str]


def yaml_of(value: Words, wording: bool = False) -> str:
    """A value as YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return flow_list(quoted_word(one) for one in value)
    return quoted_word(str(value), wording and isinstance(value, str))


@dataclass
class Sheet:
    """The text of a scenario for a ruleset, *spec* on the ruleset's own board."""

    text: str
    own_spec: RulesetSpec

    @cached_property
    def yaml(self) -> YamlText:
        """Its text, which changes."""
        self.laid  # noqa: B018  what cannot be read cannot be changed
        return YamlText(self.text)

    @cached_property
    def spec(self) -> RulesetSpec:
        """The ruleset on the scenario's board."""
        return self.own_spec.on(board_of(self.text, self.own_spec, "scenario"))

    @cached_property
    def laid(self) -> Built:
        """What it says before it is changed.  ArgumentError where it cannot be read."""
        laid, findings = self._laid(self.text)
        if laid is None:
            first = findings[0]
            message = said(
                "the scenario cannot be read: {finding} (line {line})",
                finding=first.message,
                line=first.line,
            )
            raise ArgumentError(message, first.remedy or said("correct it in the text"))
        return laid

    def laid_now(self) -> Built | None:
        """What it says by now."""
        return self._laid(self.yaml.text)[0]

    def _laid(self, text: str) -> tuple[Built | None, list[Finding]]:
        root, findings = read_tree(text, "scenario")
        return (None, findings) if root is None else lay_out(root, self.own_spec, name="scenario")

    # ------------------------------------------------------------------ words

    def hex(self, label: str) -> int:
        """A hex by its label."""
        if label not in self.spec.board.labels:
            raise ArgumentError(said("there is no hex {hex}", hex=label))
        return self.spec.board.index(label)

    def field(self, owner: str, name: str) -> FieldSpec:
        """A field that a scenario or a board gives."""
        mapped = self.spec.map_fields if owner == HEX else ()
        fields = (*set_fields(self.spec, owner), *mapped)
        found = next((f for f in fields if f.name == name), None)
        if found is None:
            message = said("no scenario gives a field {field} of {owner}", field=name, owner=owner)
            raise ArgumentError(message)
        return found

    def steps(self, name: str) -> tuple[str, ...]:
        """The keys under which a field is given: for one of each member the member's, too."""
        base, _, member = name.rstrip("]").partition("[")
        return (base, member) if member else (base,)

    def value_on(self, f: FieldSpec, h: int) -> int:
        """The value that a field has on a hex."""
        if f.values is not None:
            return f.values[h]
        return self.laid.setup.fields.get(HEX, {}).get(f.name, {}).get(h, self.blank(f))

    def blank(self, f: FieldSpec) -> int:
        """The value that a field of hexes has where none is given."""
        return zero(f.type) if f.initial is None else f.initial

    def value(self, f: FieldSpec, kind: TypeSpec, word: str | None) -> int:
        """A value from its word."""
        if word is None:
            return self.blank(f)
        if word == NONE_WORD and (kind.optional or f.place):
            return NONE
        if kind.kind == "int" and word.lstrip("-").isdecimal():
            return int(word)
        if kind.kind == "bool" and word in TRUTHS:
            return TRUTHS[word]
        if kind.kind == "hex":
            return self.hex(word)
        words = members(self.spec, kind.name) if kind.kind == "enum" else ()
        if word not in words:
            raise ArgumentError(said("{field} cannot be '{word}'", field=f.name, word=word))
        return words.index(word)

    def word(self, kind: TypeSpec, value: int) -> str:
        """The word of a value."""
        if kind.kind == "bool":
            return "true" if value else "false"
        if kind.kind == "int":
            return NONE_WORD if kind.optional and value == NONE else str(value)
        if value == NONE:
            return NONE_WORD
        if kind.kind == "hex":
            return self.spec.board.label(value)
        return members(self.spec, kind.name)[value]

    # ------------------------------------------------------------------ places

    def draft(self, name: str) -> Draft:
        """A piece by its name."""
        found = next((draft for draft in self.laid.drafts if draft.name == name), None)
        if found is None:
            raise ArgumentError(said("there is no piece {name}", name=name))
        return found

    def path(self, node: Node) -> Path:
        """Where a node of what it says stands."""
        path = self.yaml.path(node.line, node.column, isinstance(node, Scalar))
        assert path is not None
        return path

    def give(self, path: tuple[str, ...], text: str) -> None:
        """Give the value at a path of keys; a key of the whole stands where it does elsewhere."""
        yaml, key = self.yaml, path[0]
        names = [name for name, _ in yaml.children(())]
        if key in names:
            yaml.set(path, text)
            return
        order = list(scenario_shape(self.spec).keys)
        ranks = [order.index(str(name)) for name in names]
        at = next((n for n, rank in enumerate(ranks) if rank > order.index(key)), len(names))
        inner = "".join(f"\n{'  ' * n}{quoted_word(step)}:" for n, step in enumerate(path) if n)
        behind = text if text.startswith("\n") else " " + text
        yaml.add((), f"{key}:{inner}{behind}", at)
