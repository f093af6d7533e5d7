"""What declarations cite, and where they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from lark import Token
from lark.tree import Meta

from dsl import nodes as n
from dsl.building.base import TreeBuilder, shortened
from dsl.diagnostics import did_you_mean

#: The ID of a rule: a prefix that begins with a letter, then '-' and more.
_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9.\-]*[A-Za-z0-9]")


@dataclass(frozen=True)
class Attribute:
    """A citation or a provenance on its way to a declaration."""

    rules: tuple[str, ...] = ()
    provenance: str | None = None


def gather(attributes: list[Attribute]) -> tuple[tuple[str, ...], str | None]:
    rules = tuple(rule for attribute in attributes for rule in attribute.rules)
    provenance = next((a.provenance for a in attributes if a.provenance), None)
    return rules, provenance


def cited(decl: Any, rules: tuple[str, ...], provenance: str | None) -> Any:
    return replace(decl, rules=rules, provenance=provenance)


class Citations(TreeBuilder):
    """Builds citations and provenances."""

    def cite(self, meta: Meta, items: list[Token]) -> Attribute:
        return Attribute(rules=self._cited(items[0], "@rule"))

    def section(self, meta: Meta, items: list[Token]) -> n.Section:
        return n.Section(rules=self._cited(items[0], "@section"), span=self._span(meta))

    def provenance(self, meta: Meta, items: list[Token]) -> Attribute:
        text = str(items[0])
        name = text.split(maxsplit=1)[0].rstrip(",")
        if name not in ("@house", "@published"):
            self._wrong_attribute(items[0], name)
            return Attribute()
        if text != name:
            remedy = f"write '@rule{text[len(name) :]}' for what is cited"
            self._found(
                "P110",
                f"'{name}' cites nothing",
                self._part(self._token_span(items[0]), 0, len(text)),
                remedy,
            )
        return Attribute(provenance=name[1:])

    def _wrong_attribute(self, token: Token, name: str) -> None:
        known = ("@rule", "@house", "@published", "@section")
        remedy = did_you_mean(name, known) or "there are '@rule …', '@section …', '@house' and '@published'"
        self._found(
            "P102",
            f"there is no attribute '{name}'",
            self._part(self._token_span(token), 0, len(name)),
            remedy,
        )

    def _cited(self, token: Token, word: str) -> tuple[str, ...]:
        """The IDs of a citation; what has not the form of one is reported and left out."""
        span, text = self._token_span(token), str(token)
        found: list[str] = []
        for match in re.finditer(r"[^\s,]+", text[len(word) :]):
            rule, at = match.group(), len(word) + match.start()
            place = self._part(span, at, len(rule))
            if _ID.fullmatch(rule) is None:
                remedy = "an ID is letters and digits, '-', then letters, digits, '.' and '-', as in CCA2-3.1"
                self._found("P110", f"{shortened(rule)} is not the ID of a rule", place, remedy)
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
