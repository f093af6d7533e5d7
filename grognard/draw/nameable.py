"""What of a ruleset a style may name: for the panel beside a board, of a piece, of the hexes on
offer.
"""

from __future__ import annotations

import re
from typing import Final

from runtime.model import CallSpec, ColumnSpec, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import members
from runtime.words.said import said

Source = FieldSpec | CallSpec
Path = tuple[Source, tuple[ColumnSpec, ...]]

#: Names in a panel that are no fields, piles or calls.
SPECIAL: Final = ("score", "effects", "switches", "track", "tray")
#: What can be shown as a value of a hex.
SHOWN: Final = ("bool", "int", "enum")
#: A field of a piece or hex in a text: its path, and how many letters of it.
SLOT: Final = re.compile(r"\{(\w+(?:\[\w+\])?(?:\.\w+)*)(?::(\d))?\}")


def is_hexes(type_: TypeSpec | None) -> bool:
    """Whether a type is a set of hexes."""
    inner = type_.of if type_ is not None and type_.kind == "set" else None
    return inner is not None and inner.kind == "hex"


def panel_names(spec: RulesetSpec) -> list[str]:
    """What a panel may name."""
    calls = (n for n, c in spec.calls.items() if [t.name for t in c.params] in ([], ["Side"]))
    piles = (pile.name for pile in spec.piles.values() if pile.per in (None, "Side"))
    fields = (f.name for owner in ("Side", "Game") for f in spec.fields_of(owner))
    return list(dict.fromkeys([*SPECIAL, *calls, *piles, *fields, *by_member(spec)]))


def by_member(spec: RulesetSpec) -> dict[str, FieldSpec]:
    """Numbers and members that each member of an enum has: ``Section.orders``."""
    fields = (field for enum in spec.enums if enum != "Side" for field in spec.fields_of(enum))
    return {
        f"{f.owner}.{f.name}": f for f in fields if f.type.kind in ("int", "enum") and not f.options
    }


def tracks(spec: RulesetSpec) -> dict[str, str]:
    """Fields of Game that say where on a track the game is, and the enum of its places."""
    fields = (f for f in spec.fields_of("Game") if f.type.kind == "enum" and not f.type.optional)
    return {f.name: f.type.name for f in fields}


def on_track(spec: RulesetSpec, enum: str) -> dict[str, Source | ColumnSpec]:
    """What may be told of each member of an enum on a track: columns, fields, calls of one."""
    head = f"{enum}."
    columns = {k.removeprefix(head): c for k, c in spec.columns.items() if k.startswith(head)}
    calls = {n: c for n, c in spec.calls.items() if [t.name for t in c.params] == [enum]}
    fields = {f.name: f for f in spec.fields_of(enum)}
    told: dict[str, Source | ColumnSpec] = {**columns, **fields, **calls}
    return {name: source for name, source in told.items() if source.type.kind in SHOWN}


def piece_sources(spec: RulesetSpec, kind: str) -> dict[str, Source | ColumnSpec]:
    """What may be told of a piece of a kind, or of a hex."""
    names: dict[str, Source | ColumnSpec] = {}
    for field in spec.fields_of(kind):
        names[field.name] = names[field.base] = field
        for key, column in spec.columns.items():
            enum, _, name = key.partition(".")
            if field.type.kind == "enum" and enum == field.type.name:
                names[f"{field.name}.{name}"] = column
    return names | single_calls(spec, kind)


def single_calls(spec: RulesetSpec, kind: str) -> dict[str, CallSpec]:
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


def highlight_names(spec: RulesetSpec) -> list[str]:
    """What may say how a hex on offer stands out: words of options, functions, quantities and
    permissions of a hex, alone or together with a piece or a side, and fields of Side that are sets
    of hexes.
    """
    words = (option.word for decision in spec.decisions for option in decision.options)
    calls = (n for n, c in spec.calls.items() if c.type.kind in ("bool", "int") and is_hex_call(c))
    fields = (f.name for f in spec.fields_of("Side") if is_hexes(f.type))
    return list(dict.fromkeys([*words, *calls, *fields]))


def is_hex_call(call: CallSpec) -> bool:
    """Whether a call is of one hex, alone or together with a piece or a side."""
    others = [t for t in call.params if t.kind != "hex"]
    return (
        len(call.params) - len(others) == 1
        and len(others) <= 1
        and all(t.kind == "piece" or t.name == "Side" for t in others)
    )


def border_sources(spec: RulesetSpec) -> dict[str, Source]:
    """What may differ between neighbours: fields of Hex, and functions, quantities and permissions
    of one hex.
    """
    calls = {n: c for n, c in single_calls(spec, "Hex").items() if c.type.kind in SHOWN}
    fields: dict[str, Source] = {f.name: f for f in spec.fields_of("Hex")}
    return fields | {name: call for name, call in calls.items() if name not in fields}


def hexsides(spec: RulesetSpec) -> list[str]:
    """What may say along which hexsides lines run: fields of Hex that are sets of hexes."""
    return [f.name for f in spec.fields_of("Hex") if is_hexes(f.type) and not f.options]


def way_names(spec: RulesetSpec) -> list[str]:
    """What may say where a way leads: fields of Hex that are sets of hexes, and fields and calls of
    one hex that are true or false.
    """
    return [n for n, s in border_sources(spec).items() if s.type.kind == "bool" or is_hexes(s.type)]


def figure_names(spec: RulesetSpec) -> list[str]:
    """What may stand in a hex as figures: fields of Hex, and functions, quantities and permissions
    of one hex.
    """
    return [n for n, s in border_sources(spec).items() if isinstance(s, CallSpec) or not s.options]


def holding_sources(spec: RulesetSpec) -> dict[str, Source]:
    """What may say which hexes a side holds: fields of Side, and functions of one Side, by name."""
    calls = {n: c for n, c in spec.calls.items() if [t.name for t in c.params] == ["Side"]}
    fields = {f.name: f for f in spec.fields_of("Side") if not f.options}
    sources: dict[str, Source] = {**calls, **fields}
    return {name: source for name, source in sources.items() if is_hexes(source.type)}


def marker_fields(spec: RulesetSpec) -> dict[str, FieldSpec]:
    """The fields that markers may show, by name."""
    fields = (f for owner in ("Side", "Game") for f in spec.fields_of(owner))
    return {f.name: f for f in fields if is_hexes(f.type)}


def path_of(spec: RulesetSpec, kind: str, path: str) -> Path | str:
    """The field or call of a piece of a kind that a path names, and the columns that lead on from
    it; where there is none, what is wrong.
    """
    first, *rest = path.split(".")
    field = next((f for f in spec.fields_of(kind) if f.name == first), None)
    source = field or single_calls(spec, kind).get(first)
    if source is None:
        if first not in spec.calls:
            return said("there is no field or function of {kind} '{first}'", kind=kind, first=first)
        return said("'{first}' has not one {kind} as its only parameter", first=first, kind=kind)
    columns: tuple[ColumnSpec, ...] = ()
    for name in rest:
        type_ = type_at(source, columns)
        column = spec.columns.get(f"{type_.name}.{name}")
        if type_.kind != "enum" or column is None:
            return said(
                "{type} has no column '{name}'",
                type=type_.name or type_.kind,
                name=name,
            )
        columns += (column,)
    return source, columns


def type_at(source: Source, columns: tuple[ColumnSpec, ...]) -> TypeSpec:
    """The type of what a path leads to."""
    return columns[-1].type if columns else source.type


def values_of(spec: RulesetSpec, type_: TypeSpec) -> dict[str, int] | None:
    """The values of a type, or of the members of a set, as they are written, with their numbers;
    None for numbers and hexes.
    """
    inner = type_.of if type_.kind == "set" and type_.of is not None else type_
    if inner.kind == "enum":
        words = {word: number for number, word in enumerate(members(spec, inner.name))}
        return {**words, "none": -1} if inner.optional else words
    return {"yes": 1, "no": 0} if inner.kind == "bool" else None
