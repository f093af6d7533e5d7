"""Citations by ``§``, remarks and blocks of rules where they cannot stand, or lack something."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.mistakes.place import Place
from runtime.words.said import said

#: A rule up to where its target stands.
_RULE = re.compile(
    r"\b(?:rule|allow|deny|modify|limit|suspend)\s+(\w+)\s*(?:§[^§\n]*?)*(?:\bexcept\s+[\w,\s]+)?\Z"
)
_AHEAD = "write it behind the name (and parameters) of what it is about, or use '@rule'"


def marks(place: Place) -> Diagnostic | None:
    """A ``§`` in another's place, a text that is no remark, a block of rules for nothing."""
    found = place.found
    if found.startswith("§"):
        return _short(place)
    if found.startswith('"'):
        return text(place)
    if found == "{" and place.previous_word == "for":
        message = "this block does not say what its rules are for"
        return place.finding("P111", message, "write 'for f { … }'", place.previous_start("for"), 3)
    return _target(place)


def _target(place: Place) -> Diagnostic | None:
    """A rule in no block that does not say what it is for, or one in a block that does."""
    begun = _RULE.search(place.code[: place.at])
    if begun is None:
        return None
    name = begun[1]
    if place.found == "for" and place.open:
        target = (re.match(r"\s*(\w+)", place.rest) or ["", "…"])[1]
        message = said(
            "the rule '{name}' stands in the block of what it is for and has a 'for'", name=name
        )
        remedy = said(
            "remove 'for {target}', or move it into the block of that: for {target} { … }",
            target=target,
        )
        return place.finding("P111", message, remedy)
    if "FOR" not in place.accepts:
        return None
    if place.found not in ("when", "=", "stage", "}") and not place.is_first_in_line:
        return None
    message = said("the rule '{name}' does not say what it is for", name=name)
    remedy = said("write '{name} for f', or move it into the block of f", name=name)
    return place.finding("P111", message, remedy, begun.start(1), len(name))


def _short(place: Place) -> Diagnostic:
    if place.declaration and not place.open:
        message = "a citation by '§' does not stand before a declaration"
        return place.finding("P110", message, _AHEAD)
    if "RULE" in place.accepts:
        message = "a citation by '§' does not stand before a rule"
        remedy = "write it behind the rule's name, 'deny x §3.1 when …', or use '@rule'"
        return place.finding("P110", message, remedy)
    remedy = (
        "it stands directly behind the name (and parameters) of a declaration or rule, or before "
        "a row, column, member, field, branch or step"
    )
    return place.finding("P110", "a citation by '§' cannot stand here", remedy)


def text(place: Place, length: int | None = None) -> Diagnostic:
    """A text in quotes where there can be none."""
    remedy = (
        "what players read stands in the catalogue (texts/*.yaml); a remark stands at the end of a "
        "member, column or field; names are written without quotes"
    )
    return place.finding("P102", "a text in quotes cannot stand here", remedy, length=length)
