"""Settings of looks that no picture uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from grognard.draw import nodes
from grognard.draw.naming import type_of
from runtime.model import RulesetSpec, TypeSpec
from runtime.scenario.schema import sort_field

#: A field of a piece in a text: its path, and how many letters of it.
SLOT: Final = re.compile(r"\{(\w+(?:\[\w+\])?(?:\.\w+)*)(?::(\d))?\}")


def idle(root: yaml.Node, spec: RulesetSpec) -> Iterator[tuple[yaml.Node, str, str]]:
    """What of a style file nothing shows: where, why, and what helps."""
    placed = [kind for kind in spec.kinds if any(f.place for f in spec.fields_of(kind))]
    for key, _ in nodes.entries(nodes.get(root, "pieces")):
        if key.value in spec.kinds and key.value not in placed:
            message = f"pieces of kind {key.value} are never drawn, since they have no place"
            yield key, message, "take the look away"
    tray = nodes.get(root, "tray")
    if tray is not None and not placed:
        yield tray, "no piece is ever off the board", "take 'tray' away"
    used = {f.type.name for kind in spec.kinds if (f := sort_field(spec, kind)) is not None}
    used |= {type_.name for type_ in _shown(root, spec)}
    for enum, _ in nodes.entries(nodes.get(root, "short")):
        if enum.value in spec.enums and enum.value not in used:
            message = f"abbreviations of {enum.value} stand nowhere: no label or figure shows a member of it"
            yield enum, message, "take them away, or name such a field in a label"


def _shown(root: yaml.Node, spec: RulesetSpec) -> Iterator[TypeSpec]:
    """The types of what labels, figures and trays show."""
    texts = [(kind, nodes.text(nodes.get(root, "tray"))) for kind in spec.kinds]
    for kind, look in nodes.entries(nodes.get(root, "pieces")):
        for part in (look, *nodes.items(nodes.get(look, "cases"))):
            texts += [(kind.value, nodes.text(nodes.get(part, key))) for key in ("label", "figures")]
    for kind_, text in texts:
        for slot in SLOT.finditer(text):
            type_ = type_of(spec, kind_, slot[1]) if kind_ in spec.kinds else ""
            if isinstance(type_, TypeSpec):
                yield type_
