"""Settings of looks that no picture uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grognard.draw.naming import type_of
from runtime.data.reader import Mapping, Node, entries_of, items_of, text_of
from runtime.model import RulesetSpec, TypeSpec
from runtime.scenario.fields import sort_field

#: A field of a piece in a text: its path, and how many letters of it.
SLOT: Final = re.compile(r"\{(\w+(?:\[\w+\])?(?:\.\w+)*)(?::(\d))?\}")


def idle(root: Mapping, spec: RulesetSpec) -> Iterator[tuple[Node, str, str]]:
    """What of a style file nothing shows: where, why, and what helps."""
    placed = [kind for kind in spec.kinds if any(f.place for f in spec.fields_of(kind))]
    for key, _ in entries_of(root.get("pieces")):
        if key.text in spec.kinds and key.text not in placed:
            message = f"pieces of kind {key.text} are never drawn, since they have no place"
            yield key, message, "take the look away"
    tray = root.get("tray")
    if tray is not None and not placed:
        yield tray, "no piece is ever off the board", "take 'tray' away"
    used = {f.type.name for kind in spec.kinds if (f := sort_field(spec, kind)) is not None}
    used |= {type_.name for type_ in _shown(root, spec)}
    for enum, _ in entries_of(root.get("short")):
        if enum.text in spec.enums and enum.text not in used:
            what = f"abbreviations of {enum.text} stand nowhere"
            message = f"{what}: no label or figure shows a member of it"
            yield enum, message, "take them away, or name such a field in a label"


def _shown(root: Mapping, spec: RulesetSpec) -> Iterator[TypeSpec]:
    """The types of what labels, figures and trays show."""
    texts = [(kind, text_of(root.get("tray"))) for kind in spec.kinds]
    for kind, look in entries_of(root.get("pieces")):
        for part in (look, *items_of(_get(look, "cases"))):
            texts += [(kind.text, text_of(_get(part, key))) for key in ("label", "figures")]
    for kind_, text in texts:
        for slot in SLOT.finditer(text):
            type_ = type_of(spec, kind_, slot[1]) if kind_ in spec.kinds else ""
            if isinstance(type_, TypeSpec):
                yield type_


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None
