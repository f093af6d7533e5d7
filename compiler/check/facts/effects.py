"""Checking what effects are in force for: their scopes, parameters and slots."""

from __future__ import annotations

from compiler.check.context import Context
from compiler.types import Type
from dsl import nodes as n
from runtime.model import EffectSpec


def enter_effect(ctx: Context, decl: n.Effect) -> None:
    """Enter an effect."""
    program = ctx.program
    if decl.scope is not None and decl.scope.text not in program.scopes:
        ctx.unknown("R201", "scope", decl.scope, program.scopes)
    types: list[Type] = []
    for param in decl.params:
        type_ = ctx.type_of(param.type)
        types.append(type_)
        if not (type_.finite or type_.kind == "bad"):
            ctx.error(
                "T301",
                "an effect's parameter is a piece, a hex or an enum member",
                param.span,
                f"{type_} has no end",
            )
    names = tuple(p.name.text for p in decl.params)
    for i, param in enumerate(decl.params):
        if param.name.text in names[:i]:
            ctx.error(
                "R104", f"two parameters are called '{param.name}'", param.name.span, "rename one of the two"
            )
    ctx.cite(f"effect {decl.name}", decl.rules)
    program.effects[decl.name.text] = EffectSpec(
        decl.name.text,
        f"effect_{decl.name.text}",
        decl.scope.text if decl.scope else "",
        tuple(t.spec() for t in types),
        names,
        decl.group.text if decl.group else "",
    )
