"""What of a ruleset a style may name: for the panel beside a board, and of a piece."""

from __future__ import annotations

from runtime.model import RulesetSpec

#: Names in a panel that are no fields, piles or calls.
SPECIAL = ("score", "effects", "switches")


def known(spec: RulesetSpec) -> dict[str, object]:
    """What a panel may name."""
    names: dict[str, object] = dict.fromkeys(SPECIAL)
    names |= {name: call for name, call in spec.calls.items() if all(t.name == "Side" for t in call.params)}
    names |= {pile.name: pile for pile in spec.piles.values() if pile.per in (None, "Side")}
    names |= {f.name: f for owner in ("Side", "Game") for f in spec.fields_of(owner)}
    return names


def known_of_piece(spec: RulesetSpec, kind: str) -> dict[str, object]:
    """What may be told of a piece of a kind."""
    names: dict[str, object] = {}
    for field in spec.fields_of(kind):
        names[field.name] = field
        for key, column in spec.columns.items():
            enum, _, name = key.partition(".")
            if field.type.kind == "enum" and enum == field.type.name:
                names[f"{field.name}.{name}"] = column
    for name, call in spec.calls.items():
        if call.params and kind in spec.kinds_of(call.params[0].name):
            names[name] = call
    return names
