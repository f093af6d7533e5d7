"""Values that people write, as the engine has them."""

from __future__ import annotations

import re
from typing import Any

from runtime.model import NONE, RulesetSpec, TypeSpec
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

_TRUTH = {"yes": [1], "true": [1], "no": [0], "false": [0]}


def names_of(setup: SetUp) -> dict[str, list[str]]:
    """The names of pieces by kind."""
    return {kind: [piece.name for piece in pieces] for kind, pieces in setup.pieces.items()}


def parse_value(
    spec: RulesetSpec, setup: SetUp, state: StateBase | None, type_: TypeSpec, text: str
) -> list[int]:
    """The values of a type that *text* names; several when it is short for several."""
    given = text.casefold()
    if type_.kind == "int":
        return [int(text)] if re.fullmatch(r"-?[0-9]{1,18}", text) else []
    if type_.kind == "bool":
        return list(_TRUTH.get(given, []))
    if given == "none":
        return [NONE]
    if type_.kind == "hex":
        return [h for h, label in enumerate(spec.board.labels) if label.casefold() == given]
    if type_.kind == "enum":
        return _members(spec, setup, type_.name, given)
    if type_.kind == "piece":
        return _pieces(spec, setup, state, type_.name, given)
    return []


def _members(spec: RulesetSpec, setup: SetUp, enum: str, given: str) -> list[int]:
    members = spec.enums[enum]
    names = [
        (m.casefold(), m.replace("_", " ").casefold(), spec.text(f"{enum}.{m}").casefold()) for m in members
    ]
    exact = [i for i, known in enumerate(names) if given in known]
    if enum == "Side":
        exact += [i for i, side in enumerate(setup.sides) if side.name.casefold() == given and i not in exact]
    return exact or [i for i, known in enumerate(names) if any(word.startswith(given) for word in known)]


def _pieces(spec: RulesetSpec, setup: SetUp, state: Any, kind: str, given: str) -> list[int]:
    kinds = spec.kinds_of(kind)
    pieces = [p.name.casefold() for p in setup.pieces_of(kinds)]
    exact = [i for i, name in enumerate(pieces) if name == given]
    if exact:
        return exact
    places = {own: f for own in kinds for f in spec.fields_of(own) if f.place and f.type.kind == "hex"}
    hexes = [h for h, label in enumerate(spec.board.labels) if label.casefold() == given]
    if hexes and places and state is not None:
        there = [
            (own, i)
            for own, f in places.items()
            for i, h in enumerate(getattr(state, f.slot)[:-1])
            if h == hexes[0]
        ]
        return [setup.common_number(kinds, own, i) for own, i in there]
    return [i for i, name in enumerate(pieces) if name.rsplit(".", 1)[-1] == given]
