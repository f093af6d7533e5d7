"""The values that fields begin with."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.check.parents import adapted
from compiler.trees import walk
from compiler.types import Type, fits
from dsl import nodes as n


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
            ctx.error(
                "S605",
                f"'{f.name}' lasts for a {spec.lasts} but has no value to go back to",
                f.span,
                "give it an initial value: = 0",
            )
        return
    value = _value(ctx, owner, f, f.default, ctx.field_type(spec))
    if value is None:
        return
    constant = value.value if isinstance(value, ir.Const) else None
    rests_on: tuple[str, ...] = ()
    if constant is None:
        if spec.lasts and (spec.place or not _settled(value)):
            message = "a field that goes back needs an initial value that never changes"
            remedy = "write a number, a member or true/false, or read only fixed fields of 'it' and columns"
            ctx.error("S605", message, f.default.span, remedy)
        rests_on = tuple(dict.fromkeys(name for e in walk(value) for name in _own_fields(e)))
    family = tuple(replace(one, initial=constant, required=False, rests_on=rests_on) for one in family)
    for one in family:
        program.fields[(owner, one.name)] = one
        if constant is None:
            program.initials[(owner, one.name)] = value
    if key in program.keyed:
        program.keyed[key] = family


def _value(ctx: Context, owner: str, f: n.Field, default: n.Expr, type_: Type) -> ir.Expr | None:
    """The initial value as one of the field's type, a set of constants as one; None where it does not fit."""
    env = Env()
    it = _it(ctx, owner)
    if it is not None:
        env.bind("it", it)
    value = adapted(ctx.program, Expressions(ctx).check(default, env, type_), type_)
    if not fits(value.type, type_):
        ctx.error(
            "T301",
            f"'{f.name}' has type {type_}, its initial value {value.type}",
            default.span,
            "make them agree",
        )
        return None
    if not isinstance(value, ir.SetLit) or not all(isinstance(i, ir.Const) for i in value.items):
        return value
    mask = 0
    for item in value.items:
        mask |= 1 << item.value if isinstance(item, ir.Const) and item.value >= 0 else 0
    return ir.Const(mask, type=type_, span=value.span)


def _it(ctx: Context, owner: str) -> Type | None:
    """The type of what ``it`` means in an initial value: the piece, member or hex that has the field."""
    if owner in ctx.program.kinds:
        return Type("piece", owner)
    if owner in ctx.program.enums:
        return Type("enum", owner)
    return Type("hex", "Hex") if owner == "Hex" else None


def _own_fields(e: ir.Expr) -> list[str]:
    """The fields of ``it`` that an initial value reads at this place."""
    if isinstance(e, ir.Get) and isinstance(e.owner, ir.Local):
        return [e.field.name]
    return [f.name for f in e.fields] if isinstance(e, ir.Pick) and isinstance(e.owner, ir.Local) else []


def _settled(value: ir.Expr) -> bool:
    """Whether an expression has the same value throughout a game: it reads nothing but fixed fields and
    facts.
    """
    moving = ir.At | ir.Pile | ir.Apply | ir.Reach | ir.Steps | ir.Way | ir.Active
    return not any(
        isinstance(e, moving) or (isinstance(e, ir.Get) and not e.field.fixed) or isinstance(e, ir.Pick)
        for e in walk(value)
    )
