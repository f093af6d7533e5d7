"""The layout of the state: fields of pieces, sides, hexes, enums and the game; effects."""

from __future__ import annotations

from dataclasses import replace

from compiler.check.context import Context
from compiler.check.facts.chart import check_used, map_values
from compiler.check.facts.effects import enter_effect
from compiler.check.facts.initials import check_initial
from compiler.types import BAD, HEX, Type, from_spec
from dsl import nodes as n
from runtime.model import NONE, FieldSpec


def check_state(ctx: Context, decls: list[n.Decl]) -> None:
    """Enter fields and effects; then the fields' initial values, which may read other fields."""
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            _fields_of(ctx, decl)
        elif isinstance(decl, n.Effect):
            enter_effect(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            _completed(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Board):
            check_used(ctx, decl)


def _fields_of(ctx: Context, decl: n.Piece | n.Fields) -> None:
    owner = decl.name.text
    if owner in ctx.program.parents:
        return
    if isinstance(decl, n.Fields) and owner not in ctx.program.enums and owner not in ("Hex", "Game"):
        ctx.unknown("R203", "owner of fields", decl.name, [*ctx.program.enums, "Hex", "Game"])
        return
    for f in decl.fields:
        _field(ctx, owner, f)


def _completed(ctx: Context, decl: n.Piece | n.Fields) -> None:
    """What of the fields can be said when all are known: their initial values, and who sees them."""
    owner = decl.name.text
    for f in decl.fields:
        key = (owner, f.name.text)
        if key in ctx.program.fields or key in ctx.program.keyed:
            check_initial(ctx, owner, f)
            if f.seen_by is not None:
                _seen_by(ctx, owner, f)


def _field(ctx: Context, owner: str, f: n.Field) -> None:
    program = ctx.program
    if (owner, f.name.text) in program.fields or (owner, f.name.text) in program.keyed:
        ctx.error("R104", f"{owner} has two fields '{f.name}'", f.name.span, "rename one of the two")
        return
    type_ = ctx.type_of(f.type)
    if type_.kind == "roll":
        ctx.error(
            "T301",
            "a field cannot be a roll: a roll ends with its procedure",
            f.type.span,
            "keep what matters of it in number fields",
        )
        type_ = BAD
    place = "place" in f.modifiers and f.per is None
    if place:
        if type_.kind == "bad":
            type_ = HEX
        if type_.kind != "hex" or owner not in program.kinds:
            ctx.error("T301", "only a Hex field of a piece can be its place", f.span, "write: hex: Hex place")
            place = False
        elif program.place_of(owner) is not None:
            ctx.error("R104", f"{owner} has two places", f.span, "a piece has one place")
            place = False
        type_ = type_.maybe()
    if f.lasts is not None and f.lasts.text not in program.scopes:
        ctx.unknown("R201", "scope", f.lasts, program.scopes)
    if f.seen_by is not None:
        ctx.used.add(f"{owner}.{f.seen_by.text}")
    initial: int | None = NONE if type_.finite or type_.optional else 0
    if "setup" in f.modifiers and f.default is None:
        initial = None
    spec = FieldSpec(
        owner,
        f.name.text,
        type_.spec(),
        f"{owner.lower()}_{f.name.text}",
        fixed="fixed" in f.modifiers,
        setup="setup" in f.modifiers,
        required="setup" in f.modifiers and f.default is None and not (type_.optional and not place),
        place=place,
        alone="alone" in f.modifiers,
        lasts=f.lasts.text if f.lasts else None,
        seen_by=f.seen_by.text if f.seen_by else None,
        initial=initial,
    )
    ctx.cite(f"field {owner}.{f.name}", f.rules)
    ctx.measured[f"{owner}.{f.name}"] = type_.origin
    if f.per is not None:
        _per(ctx, f, f.per, spec)
        return
    program.fields[(owner, f.name.text)] = spec
    if "map" in f.modifiers:
        _from_map(ctx, owner, f, type_)
    ctx.field_spans[f"{owner}.{f.name}"] = f.name.span


def _per(ctx: Context, f: n.Field, per: n.Ident, spec: FieldSpec) -> None:
    """A field kept per member of an enum is one field for each."""
    program = ctx.program
    members = program.enums.get(per.text)
    if members is None:
        ctx.unknown("R203", "enum", per, program.enums)
        members = ()
    if f.modifiers & {"place", "map"}:
        word = "place" if "place" in f.modifiers else "map"
        ctx.error(
            "T301",
            f"a field kept per {per} cannot be '{word}'",
            f.span,
            f"leave out '{word}', or declare a field without 'per'",
        )
        spec = replace(spec, alone=False)
    ctx.used.add(per.text)
    family = tuple(
        replace(spec, name=f"{spec.name}[{member}]", slot=f"{spec.slot}__{member}", per=per.text, member=i)
        for i, member in enumerate(members)
    )
    for one in family:
        program.fields[(one.owner, one.name)] = one
        ctx.field_spans[f"{one.owner}.{one.name}"] = f.name.span
    program.keyed[(spec.owner, spec.name)] = family


def _from_map(ctx: Context, owner: str, f: n.Field, type_: Type) -> None:
    program = ctx.program
    if owner != "Hex":
        ctx.error("T301", "only fields of Hex are on the map", f.span, "write: fields of Hex { … }")
        return
    key = (owner, f.name.text)
    values = map_values(ctx, f, type_)
    program.fields[key] = replace(program.fields[key], values=values, required=False)


def _seen_by(ctx: Context, owner: str, f: n.Field) -> None:
    assert f.seen_by is not None
    seer = ctx.program.fields.get((owner, f.seen_by.text))
    if seer is None:
        known = [name for o, name in ctx.program.fields if o == owner]
        remedy = "name a field of type Side that says who sees it"
        if f.seen_by.text in ("it", "self") and owner == "Side":
            known, remedy = [], "give the side a field 'me: Side = it fixed', and write 'seen by me'"
        message = f"unknown field of {owner} '{f.seen_by}'"
        ctx.strange("R202", message, f.seen_by.text, f.seen_by.span, known, remedy)
    elif (seer.type.of or seer.type).name != "Side":
        message = f"'{f.seen_by}' is {from_spec(seer.type)}; a field is seen by a Side or a set of Side"
        ctx.error("T301", message, f.seen_by.span, "name a field of type Side or set of Side")
    elif seer.seen_by is not None:
        message = f"who sees '{f.name}' is itself not seen by all: '{f.seen_by}' is seen by '{seer.seen_by}'"
        ctx.error("T301", message, f.seen_by.span, f"let '{f.seen_by}' be open")
