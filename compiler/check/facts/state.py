"""The layout of the state: fields of pieces, sides, hexes, enums and the game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.check.facts.board_file import check_used, map_values
from compiler.check.keeping import CachingChecker
from compiler.check.parents import coerce
from compiler.trees import walk
from compiler.types import BAD, HEX, Type, fits, from_spec
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.frozen import Frozen
from dsl.source import Span
from runtime.model import NONE, FieldSpec
from runtime.words.said import said


class _State(metaclass=Frozen):
    """All fields, as they are entered into the program and the context."""

    fields: dict[tuple[str, str], FieldSpec]
    keyed: dict[tuple[str, str], tuple[FieldSpec, ...]]
    initials: dict[tuple[str, str], ir.Expr]
    spans: dict[str, Span]
    measured: dict[str, Span | None]


def check_state(
    ctx: Context, decls: list[n.Decl], written: list[n.Decl], keeper: CachingChecker
) -> None:
    """Enter fields, with their initial values, which may read other fields; *written* are the
    declarations without what kinds have from their parents.
    """
    program = ctx.program
    own = tuple(d for d in written if isinstance(d, n.Piece | n.Fields | n.Board))
    state = keeper.check(own, ctx.chart.source, partial(_state, ctx, decls))
    program.fields |= state.fields
    program.keyed |= state.keyed
    program.initials |= state.initials
    ctx.field_spans |= state.spans
    ctx.measured |= state.measured


def _state(ctx: Context, decls: list[n.Decl]) -> _State:
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            _fields_of(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            _completed(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Board):
            check_used(ctx, decl)
    fields, keyed, initials = ctx.program.fields, ctx.program.keyed, ctx.program.initials
    spans, measured = {**ctx.field_spans}, {**ctx.measured}
    return _State({**fields}, {**keyed}, {**initials}, spans, measured)


def _fields_of(ctx: Context, decl: n.Piece | n.Fields) -> None:
    owner, owners = decl.name.text, [*ctx.program.enums, "Hex", "Game"]
    if owner in ctx.program.parents:
        return
    if isinstance(decl, n.Fields) and owner not in owners:
        ctx.report_unknown("R203", "owner of fields", decl.name, owners)
        return
    for f in decl.fields:
        _field(ctx, owner, f)


def _completed(ctx: Context, decl: n.Piece | n.Fields) -> None:
    """Check what needs all fields to be known: initial values, and who sees them."""
    owner = decl.name.text
    for f in decl.fields:
        key = (owner, f.name.text)
        if key in ctx.program.fields or key in ctx.program.keyed:
            check_initial(ctx, owner, f)
            if f.seen_by is not None:
                _seen_by(ctx, owner, f)


def _slot(owner: str, name: str) -> str:
    """The slot of a field, which nothing else in a state is called: see compiler.layout."""
    slot = f"{owner.lower()}_{name}"
    taken = name == "at" or owner.lower() in ("n", "o", "by", "switch", "pile", "effect")
    return f"FIELD_{slot}" if taken else slot


def _placed(ctx: Context, owner: str, f: n.Field, type_: Type) -> tuple[Type, bool]:
    """The type of a field, and whether it is the place of a piece."""
    program = ctx.program
    place = "place" in f.modifiers and f.per is None
    asked_at = ctx.suspects.get(f"{owner}.{f.name}")
    if asked_at is not None:
        message = said("{owner} has no place on the board", owner=owner)
        remedy = said("declare the field '{name}' with 'place': {name}: Hex place", name=f.name)
        labels = (Label(asked_at, "here its place is asked for"),)
        ctx.error("T301", message, f.name.span, remedy, labels)
        place = True
    if not place:
        return type_, False
    if type_.kind == "bad":
        type_ = HEX
    if type_.kind != "hex" or owner not in program.kinds:
        message = "only a Hex field of a piece can be its place"
        ctx.error("T301", message, f.span, "write: hex: Hex place")
        place = False
    elif program.place_of(owner) is not None:
        ctx.error(
            "R104", said("{owner} has two places", owner=owner), f.span, "a piece has one place"
        )
        place = False
    return type_.maybe(), place


def _field(ctx: Context, owner: str, f: n.Field) -> None:
    program, name = ctx.program, f.name.text
    if (owner, name) in program.fields or (owner, name) in program.keyed:
        ctx.error(
            "R104", said("{owner} has two fields '{name}'", owner=owner, name=name), f.name.span
        )
        return
    type_ = ctx.type_of(f.type)
    if type_.kind == "roll":
        message = "a field cannot be a roll: a roll ends with its procedure"
        ctx.error("T301", message, f.type.span, "keep what matters of it in number fields")
        type_ = BAD
    type_, place = _placed(ctx, owner, f, type_)
    if f.lasts is not None:
        ctx.mention(f"scope {f.lasts}", f.lasts.span)
        if f.lasts.text not in program.scopes:
            ctx.report_unknown("R201", "scope", f.lasts, program.scopes)
    if f.seen_by is not None:
        ctx.use(f"{owner}.{f.seen_by.text}", f.seen_by.span)
    initial: int | None = NONE if type_.finite or type_.optional else 0
    open_ = "setup" in f.modifiers and f.default is None
    spec = FieldSpec(
        *(owner, name, type_.spec(), _slot(owner, name)),
        fixed="fixed" in f.modifiers,
        setup="setup" in f.modifiers,
        alone="alone" in f.modifiers,
        required=open_ and (place or not type_.optional),
        place=place,
        lasts=f.lasts.text if f.lasts else None,
        seen_by=f.seen_by.text if f.seen_by else None,
        initial=None if open_ else initial,
    )
    ctx.cite(f"field {owner}.{name}", f.rules, f.remark)
    ctx.measured[f"{owner}.{name}"] = type_.origin
    if f.per is not None:
        _per(ctx, f, f.per, spec)
        return
    program.fields[(owner, name)] = spec
    if "map" in f.modifiers:
        _from_map(ctx, owner, f, type_)
    ctx.field_spans[f"{owner}.{name}"] = f.name.span


def _per(ctx: Context, f: n.Field, per: n.Ident, spec: FieldSpec) -> None:
    """A field kept per member of an enum is one field for each."""
    program = ctx.program
    members = ctx.look_up("enum", per, program.enums, "R203") or ()
    if f.modifiers & {"place", "map"}:
        word = "place" if "place" in f.modifiers else "map"
        remedy = said("leave out '{word}', or declare a field without 'per'", word=word)
        ctx.error(
            "T301",
            said("a field kept per {per} cannot be '{word}'", per=per, word=word),
            f.span,
            remedy,
        )
        spec = replace(spec, alone=False)
    ctx.use(per.text, per.span)
    spec = replace(spec, per=per.text)
    family = tuple(
        replace(spec, name=f"{spec.name}[{member}]", slot=f"{spec.slot}__{member}", member=i)
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
            known = []
            remedy = "give the side a field 'me: Side = it fixed', and write 'seen by me'"
        what, name, span = said("field of {owner}", owner=owner), f.seen_by.text, f.seen_by.span
        ctx.report_unmatched(
            "R202",
            said("unknown {what} '{name}'", what=what, name=name),
            name,
            span,
            known,
            remedy,
            what,
        )
    elif (seer.type.of or seer.type).name != "Side":
        message = said(
            "'{seen_by}' is {0}; a field is seen by a Side or a set of Side", seen_by=f.seen_by
        )
        remedy = "name a field of type Side or set of Side"
        ctx.report_misfit(message, f.seen_by.span, from_spec(seer.type), remedy=remedy)
    elif seer.seen_by is not None:
        seen = said("'{seen_by}' is seen by '{another}'", seen_by=f.seen_by, another=seer.seen_by)
        message = said(
            "who sees '{name}' is itself not seen by all: {seen}", name=f.name, seen=seen
        )
        ctx.error(
            "T301", message, f.seen_by.span, said("let '{seen_by}' be open", seen_by=f.seen_by)
        )


def check_initial(ctx: Context, owner: str, f: n.Field) -> None:
    """Check the initial value of a field that is entered already, and enter it."""
    program = ctx.program
    key = (owner, f.name.text)
    family = program.keyed[key] if key in program.keyed else (program.fields[key],)
    if not family:
        return
    spec = family[0]
    if f.default is None:
        if spec.lasts and spec.initial is None:
            message = said(
                "'{name}' lasts for a {lasts} but has no value to go back to",
                name=f.name,
                lasts=spec.lasts,
            )
            ctx.error("S605", message, f.span, "give it an initial value: = 0")
        return
    value = _value(ctx, owner, f, f.default, ctx.field_type(spec))
    if value is None:
        return
    constant = value.value if isinstance(value, ir.Const) else None
    rests_on: tuple[str, ...] = ()
    if constant is None:
        if spec.lasts and (spec.place or not _settled(value)):
            message = "a field that goes back needs an initial value that never changes"
            literal = "write a number, a member or true/false"
            remedy = said(
                "{literal}, or read only fixed fields of 'it' and columns", literal=literal
            )
            ctx.error("S605", message, f.default.span, remedy)
        rests_on = tuple(dict.fromkeys(name for e in walk(value) for name in _own_fields(e)))
    family = tuple(
        replace(one, initial=constant, required=False, rests_on=rests_on) for one in family
    )
    for one in family:
        program.fields[(owner, one.name)] = one
        if constant is None:
            program.initials[(owner, one.name)] = value
    if key in program.keyed:
        program.keyed[key] = family


def _value(ctx: Context, owner: str, f: n.Field, default: n.Expr, type_: Type) -> ir.Expr | None:
    """The initial value as one of the field's type; None where it does not fit."""
    env = Env()
    it = _it(ctx, owner)
    if it is not None:
        env.bind("it", it)
    value = coerce(ctx.program, Expressions(ctx).check(default, env, type_), type_)
    if not fits(value.type, type_):
        message = said("'{name}' has type {0}, its initial value {1}", name=f.name)
        ctx.report_misfit(message, default.span, type_, value.type, remedy="make them agree")
        return None
    if not isinstance(value, ir.SetLit) or not all(isinstance(i, ir.Const) for i in value.items):
        return value
    mask = 0
    for item in value.items:
        mask |= 1 << item.value if isinstance(item, ir.Const) and item.value >= 0 else 0
    return ir.Const(mask, type=type_, span=value.span)


def _it(ctx: Context, owner: str) -> Type | None:
    """The type of ``it`` in an initial value: the piece, member or hex that has the field."""
    if owner in ctx.program.kinds:
        return Type("piece", owner)
    if owner in ctx.program.enums:
        return Type("enum", owner)
    return Type("hex", "Hex") if owner == "Hex" else None


def _own_fields(e: ir.Expr) -> list[str]:
    """The fields of ``it`` that an initial value reads at this place."""
    if not isinstance(e, ir.Get | ir.Pick) or not isinstance(e.owner, ir.Local):
        return []
    return [f.name for f in ((e.field,) if isinstance(e, ir.Get) else e.fields)]


def _settled(value: ir.Expr) -> bool:
    """Whether a value never changes in a game: it reads nothing but fixed fields and facts."""
    moving = ir.At | ir.Pile | ir.Apply | ir.Reach | ir.Steps | ir.Way | ir.Active | ir.Pick
    return not any(
        isinstance(e, moving) or (isinstance(e, ir.Get) and not e.field.fixed) for e in walk(value)
    )
