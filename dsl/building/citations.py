"""What declarations cite, and where they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lark import Token
from lark.tree import Meta

from dsl import nodes as n
from dsl.building.base import TreeBuilder
from dsl.diagnostics import did_you_mean, quoted
from dsl.nodes.declarations import RULE_ID
from dsl.source import NOWHERE, Span

Node = TypeVar("Node", bound=n.Node)


@dataclass(frozen=True)
class Attribute:
    """A citation, or a provenance with its reason, on its way to a declaration."""

    rules: tuple[str, ...] = ()
    provenance: str | None = None
    reason: str = ""
    span: Span = NOWHERE


class Citations(TreeBuilder):
    """Builds citations and provenances."""

    def _cited(self, node: Node, attributes: list[Attribute]) -> Node:
        """*node* with what stands before it: all citations, one provenance, the texts of its lines joined."""
        if not attributes:
            return node
        first = attributes[0].span
        if first is not NOWHERE and self._trails(first, node):
            message = "this stands behind something on its line, and is about what begins on the next"
            remedy = "write it on a line of its own, above what it is about"
            self._found("P110", message, first, remedy)
        marks = [a for a in attributes if a.provenance]
        for other in marks[1:]:
            if other.provenance != marks[0].provenance:
                self._found(
                    "P110",
                    f"'@{other.provenance}' stands beside '@{marks[0].provenance}'",
                    other.span,
                    "keep one; of what is partly ours, mark the rows, columns or fields that are",
                )
        return replace(  # type: ignore[call-arg]
            node,
            rules=tuple(rule for attribute in attributes for rule in attribute.rules),
            provenance=marks[0].provenance if marks else None,
            reason=" ".join(a.reason for a in marks if a.reason),
        )

    def _trails(self, span: Span, node: n.Node) -> bool:
        """Whether an attribute stands on a line behind something that it is not about."""
        text = self.source.text
        line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        named = getattr(node, "name", None)  # the span of a part may begin with its attributes
        begins = named.span.line if isinstance(named, n.Ident) else node.span.line
        before = line.partition("@")[0].rstrip()
        return begins > span.end_line and bool(before) and before[-1] not in "{,"

    @staticmethod
    def _apart(items: list[Any]) -> tuple[list[Attribute], list[Any]]:
        """The attributes among what a rule of the grammar holds, and the rest."""
        attributes = [item for item in items if isinstance(item, Attribute)]
        return attributes, [item for item in items if not isinstance(item, Attribute)]

    def cite(self, meta: Meta, items: list[Token]) -> Attribute:
        return Attribute(rules=self._ids(items[0], "@rule"), span=self._token_span(items[0]))

    def section(self, meta: Meta, items: list[Token]) -> n.Section:
        return n.Section(rules=self._ids(items[0], "@section"), span=self._span(meta))

    def provenance(self, meta: Meta, items: list[Token]) -> Attribute:
        text = str(items[0])
        name = re.split(r"[\s,\"]", text, maxsplit=1)[0]
        span = self._token_span(items[0])
        if name not in ("@house", "@published"):
            self._wrong_attribute(items[0], name)
            return Attribute()
        said = text[len(name) :].strip()
        if said.endswith('"') and len(said) > 1:
            if not said.strip('" \t'):
                self._found("P110", f"the text of '{name}' is empty", span, "say why, or leave the text out")
            return Attribute(provenance=name[1:], reason=" ".join(said[1:-1].split()), span=span)
        if said.startswith('"'):
            remedy = "end the line with '\"'; what goes on in the next line begins so again"
            self._found("P110", f"the text of '{name}' is not closed", span, remedy)
        elif said.startswith("'"):
            remedy = f"write '{name} \"{said.strip(chr(39))}\"'"
            self._found("P110", f"the reason behind '{name}' is not in double quotes", span, remedy)
        elif said:
            remedy = f"write '@rule {said}' for what is cited, '{name} \"…\"' for what is said of it"
            self._found("P110", f"'{name}' cites nothing", self._part(span, 0, len(text)), remedy)
        return Attribute(provenance=name[1:], span=span)

    def _wrong_attribute(self, token: Token, name: str) -> None:
        known = ("@rule", "@house", "@published", "@section")
        remedy = did_you_mean(name, known) or "there are '@rule …', '@section …', '@house' and '@published'"
        self._found(
            "P102",
            f"there is no attribute '{name}'",
            self._part(self._token_span(token), 0, len(name)),
            remedy,
        )

    def _ids(self, token: Token, word: str) -> tuple[str, ...]:
        """The IDs of a citation; what has not the form of one is reported and left out."""
        span, text = self._token_span(token), str(token)
        found: list[str] = []
        for match in re.finditer(r"[^\s,]+", text[len(word) :]):
            rule, at = match.group(), len(word) + match.start()
            place = self._part(span, at, len(rule))
            if RULE_ID.fullmatch(rule) is None:
                remedy = "an ID is letters and digits, '-', then letters, digits, '.' and '-', as in CCA2-3.1"
                self._found("P110", f"{quoted(rule)} is not the ID of a rule", place, remedy)
                continue
            if found and "," not in text[:at].rstrip(" \t")[-1:]:
                self._found("P110", "',' is missing between two IDs", place, f"write '{found[-1]}, {rule}'")
            found.append(rule)
            self.citations.append(n.Citation(rule, span=place))
        if text.rstrip().endswith(","):
            remedy = "remove it; what goes on in the next line begins with '@rule' again"
            self._found(
                "P110",
                "an ID is missing after the last ',' of this citation",
                self._part(span, len(text.rstrip()) - 1, 1),
                remedy,
            )
        elif word == "@rule" and not text[len(word) :].strip():
            remedy = "write the IDs of the rulebook: '@rule CCA-8.2, CCA-8.3'"
            self._found("P110", "this citation names no rule", self._part(span, 0, len(word)), remedy)
        return tuple(found)
