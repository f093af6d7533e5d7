"""What of a ruleset a style may name: for the panel beside a board, of a piece, of the hexes on
offer.
"""

from __future__ import annotations

from runtime.model import CallSpec, FieldSpec, RulesetSpec, TypeSpec

#: Names in a panel that are no fields, piles or calls.
SPECIAL = ("score", "effects", "switches")


def known(spec: RulesetSpec) -> dict[str, object]:
    """What a panel may name."""
    names: dict[str, object] = dict.fromkeys(SPECIAL)
    names |= {
        name: call
        for name, call in spec.calls.items()
        if [t.name for t in call.params] in ([], ["Side"])
    }
    names |= {pile.name: pile for pile in spec.piles.values() if pile.per in (None, "Side")}
    names |= {f.name: f for owner in ("Side", "Game") for f in spec.fields_of(owner)}
    return names | by_member(spec)


def by_member(spec: RulesetSpec) -> dict[str, FieldSpec]:
    """Numbers and members that each member of an enum has: ``Section.orders``."""
    fields = (field for enum in spec.enums if enum != "Side" for field in spec.fields_of(enum))
    return {
        f"{f.owner}.{f.name}": f for f in fields if f.type.kind in ("int", "enum") and not f.options
    }


def known_of_piece(spec: RulesetSpec, kind: str) -> dict[str, object]:
    """What may be told of a piece of a kind, or of a hex."""
    names: dict[str, object] = {}
    for field in spec.fields_of(kind):
        names[field.name] = names[field.base] = field
        for key, column in spec.columns.items():
            enum, _, name = key.partition(".")
            if field.type.kind == "enum" and enum == field.type.name:
                names[f"{field.name}.{name}"] = column
    return names | calls_of_one(spec, kind)


def calls_of_one(spec: RulesetSpec, kind: str) -> dict[str, CallSpec]:
    """The functions, quantities and permissions of one piece of a kind, or of one hex."""
    return {
        name: call
        for name, call in spec.calls.items()
        if len(call.params) == 1
        and (
            call.params[0].kind == "hex"
            if kind == "Hex"
            else kind in spec.kinds_of(call.params[0].name)
        )
    }


def highlighting(spec: RulesetSpec) -> dict[str, object]:
    """What may say how a hex on offer stands out: words of options, functions, quantities and
    permissions of a hex, alone or together with a piece or a side, and fields of Side that are sets
    of hexes.
    """
    words = (option.word for decision in spec.decisions for option in decision.options)
    names: dict[str, object] = dict.fromkeys(words)
    for name, call in spec.calls.items():
        if call.type.kind in ("bool", "int") and of_hex(call):
            names[name] = call
    fields = (f for f in spec.fields_of("Side") if f.type.kind == "set" and f.type.of is not None)
    return names | {f.name: f for f in fields if f.type.of is not None and f.type.of.kind == "hex"}


def bordering(spec: RulesetSpec) -> dict[str, object]:
    """What may differ between neighbours: fields of Hex, and functions, quantities and permissions
    of one hex.
    """
    names: dict[str, object] = {f.name: f for f in spec.fields_of("Hex")}
    for name, call in spec.calls.items():
        if call.type.kind in ("bool", "int", "enum") and [t.kind for t in call.params] == ["hex"]:
            names.setdefault(name, call)
    return names


def leading(spec: RulesetSpec) -> dict[str, object]:
    """What may say where a way leads: fields of Hex that are sets of hexes, and fields and calls of
    one hex that are true or false.
    """
    return {
        name: found
        for name, found in bordering(spec).items()
        if isinstance(found, FieldSpec | CallSpec)
        and (
            found.type.kind == "bool"
            or (
                found.type.kind == "set"
                and found.type.of is not None
                and found.type.of.kind == "hex"
            )
        )
    }


def holding(spec: RulesetSpec) -> dict[str, FieldSpec | CallSpec]:
    """What may say which hexes a side holds: fields of Side, and functions of one Side, by name."""
    calls = {
        name: call for name, call in spec.calls.items() if [t.name for t in call.params] == ["Side"]
    }
    return {**calls, **{f.name: f for f in spec.fields_of("Side") if not f.options}}


def inside(spec: RulesetSpec) -> dict[str, TypeSpec]:
    """The types of what may stand in a hex as figures: fields of Hex, and functions, quantities and
    permissions of one hex.
    """
    names = {f.name: f.type for f in spec.fields_of("Hex") if not f.options}
    for name, call in spec.calls.items():
        if call.type.kind in ("bool", "int", "enum") and [t.kind for t in call.params] == ["hex"]:
            names.setdefault(name, call.type)
    return names


def markable(spec: RulesetSpec) -> dict[str, FieldSpec]:
    """The fields that markers may show, by name."""
    fields = (f for owner in ("Side", "Game") for f in spec.fields_of(owner))
    return {
        f.name: f
        for f in fields
        if f.type.of is not None and (f.type.kind, f.type.of.kind) == ("set", "hex")
    }


def of_hex(call: CallSpec) -> bool:
    """Whether a call is of one hex, alone or together with a piece or a side."""
    others = [t for t in call.params if t.kind != "hex"]
    return (
        len(call.params) - len(others) == 1
        and len(others) <= 1
        and all(t.kind == "piece" or t.name == "Side" for t in others)
    )


def type_of(spec: RulesetSpec, kind: str, path: str) -> TypeSpec | str:
    """The type of a field or call of a piece of a kind, or of a column that leads on from it; where
    there is none, what is wrong.
    """
    first, *rest = path.split(".")
    found = source_of(spec, kind, first)
    if found is None:
        if first not in spec.calls:
            return f"there is no field or function of {kind} '{first}'"
        return f"'{first}' has not one {kind} as its only parameter"
    type_ = found.type
    if isinstance(found, CallSpec) and type_.kind not in ("bool", "int", "enum", "hex"):
        return f"the value of '{first}' cannot be shown on a piece: it is a {type_.kind}"
    for name in rest:
        column = spec.columns.get(f"{type_.name}.{name}")
        if type_.kind != "enum" or column is None:
            return f"{type_.name or type_.kind} has no column '{name}'"
        type_ = column.type
    return type_


def source_of(spec: RulesetSpec, kind: str, name: str) -> FieldSpec | CallSpec | None:
    """The field or call of a piece of a kind that has a name."""
    field = next((f for f in spec.fields_of(kind) if f.name == name), None)
    return field or calls_of_one(spec, kind).get(name)


def values_of(spec: RulesetSpec, type_: TypeSpec) -> dict[str, int] | None:
    """The values of a type as they are written, with their numbers; None for numbers and hexes."""
    if type_.kind == "enum":
        members = spec.sides if type_.name == "Side" else spec.enums.get(type_.name, ())
        words = {word: number for number, word in enumerate(members)}
        return {**words, "none": -1} if type_.optional else words
    if type_.kind == "bool":
        return {"yes": 1, "no": 0}
    return None
