"""Effects: what they are in force for, how long, and their groups, of which at most one is in
force.
"""

from __future__ import annotations

from compiler.check.context import Context
from compiler.types import Type, from_spec
from dsl import nodes as n
from dsl.diagnostics import Label, Unknown, did_you_mean
from runtime.model import EffectSpec
from runtime.words.said import AND, join_with_word, said


def check_effects(ctx: Context, decls: list[n.Decl]) -> None:
    """Enter the effects."""
    for decl in decls:
        if isinstance(decl, n.Effect):
            _effect(ctx, decl)


def _effect(ctx: Context, decl: n.Effect) -> None:
    program = ctx.program
    if decl.scope is not None:
        ctx.mention(f"scope {decl.scope}", decl.scope.span)
    if decl.scope is not None and decl.scope.text not in program.scopes:
        ctx.report_unknown("R201", "scope", decl.scope, program.scopes)
    name = decl.name.text
    types: list[Type] = []
    for param in decl.params:
        ctx.mention(f"local {param.name}", param.name.span)
        type_ = ctx.type_of(param.type)
        types.append(type_)
        if not (type_.finite or type_.kind == "bad"):
            message = "an effect's parameter is a piece, a hex or an enum member"
            ctx.error("T301", message, param.span, said("{type} has no end", type=type_))
    names = tuple(p.name.text for p in decl.params)
    for i, param in enumerate(decl.params):
        if param.name.text in names[:i]:
            ctx.error(
                "R104", said("two parameters are called '{name}'", name=param.name), param.name.span
            )
    ctx.cite(f"effect {name}", decl.rules)
    scope, group = (one.text if one else "" for one in (decl.scope, decl.group))
    specs = tuple(t.spec() for t in types)
    program.effects[name] = EffectSpec(name, f"effect_{name}", scope, specs, names, group)


def check_groups(ctx: Context, decls: list[n.Decl]) -> None:
    """Report effects of one group that cannot take each other's place."""
    groups: dict[str, list[n.Effect]] = {}
    for decl in decls:
        if isinstance(decl, n.Effect) and decl.group is not None:
            groups.setdefault(decl.group.text, []).append(decl)
    for name, members in groups.items():
        first = members[0]
        assert first.group is not None
        if len(members) == 1:
            message = said(
                "effect '{name}' is the only one in the group '{group}'",
                name=first.name,
                group=name,
            )
            near = did_you_mean(name, [g for g in groups if g != name])
            remedy = near or said("put the effects that it excludes in '{name}', too", name=name)
            ctx.warning("Q509", message, first.group.span, remedy, about=(Unknown(name),))
        for other in members[1:]:
            two = said(
                "'{name}' and '{first_name}' are in one group",
                name=other.name,
                first_name=first.name,
            )
            labels = (Label(first.name.span, "the first of the group"),)
            if other.scope != first.scope:
                one, another = (
                    f"'{e.scope}'" if e.scope else "until they are ceased" for e in (other, first)
                )
                span = (other.scope or other.name).span
                remedy = "let all effects of a group last the same scope"
                ctx.error(
                    "Q509",
                    said("{two}, but last {one} and {another}", two=two, one=one, another=another),
                    span,
                    remedy,
                    labels,
                )
            a, b = (ctx.program.effects.get(e.name.text) for e in (first, other))
            if a is not None and b is not None and a.params != b.params:
                one, another = (
                    join_with_word(AND, [str(from_spec(t)) for t in e.params] or ["nothing"])
                    for e in (b, a)
                )
                message = said(
                    "{two}, but are in force for {one} and for {another}",
                    two=two,
                    one=one,
                    another=another,
                )
                remedy = "give all effects of a group the same parameters"
                ctx.error("Q509", message, other.name.span, remedy, labels)
