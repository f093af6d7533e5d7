"""Groups of effects, of which at most one is in force."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.draft import Draft
from compiler.types import from_spec
from dsl import nodes as n
from dsl.diagnostics import Label, Severity, did_you_mean


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
            message = f"effect '{first.name}' is the only one in the group '{name}'"
            remedy = (
                did_you_mean(name, [g for g in groups if g != name])
                or f"put the effects that it excludes in '{name}', too"
            )
            ctx.error("Q509", message, first.group.span, remedy, severity=Severity.WARNING)
        for other in members[1:]:
            assert other.group is not None
            labels = (Label(first.name.span, "the first of the group"),)
            if other.scope != first.scope:
                lasting = [f"'{e.scope}'" if e.scope else "until they are ceased" for e in (other, first)]
                message = (
                    f"'{other.name}' and '{first.name}' are in one group, but last {' and '.join(lasting)}"
                )
                ctx.error(
                    "Q509",
                    message,
                    (other.scope or other.name).span,
                    "let all effects of a group last the same scope",
                    labels,
                )
            a, b = (ctx.program.effects.get(e.name.text) for e in (first, other))
            if a is not None and b is not None and a.params != b.params:
                shown = [" and ".join(str(from_spec(t)) for t in e.params) or "nothing" for e in (b, a)]
                message = (
                    f"'{other.name}' and '{first.name}' are in one group, but are in force for "
                    f"{shown[0]} and for {shown[1]}"
                )
                ctx.error(
                    "Q509",
                    message,
                    other.name.span,
                    "give all effects of a group the same parameters",
                    labels,
                )


def in_its_group(program: Draft, env: Env, started: ir.SetEffect) -> list[ir.Stmt]:
    """The start of an effect of a group: the others cease, for the same value, and no check is asked in
    between.
    """
    effect, span = started.effect, started.span
    result: list[ir.Stmt] = []
    value = started.arg
    if value is not None:
        name = env.bind("_value", value.type)
        result.append(ir.Let(name, value, span=span))
        value = ir.Local(name, type=value.type, span=span)
    others = [e for e in program.effects.values() if e.group == effect.group and e.name != effect.name]
    steps = (
        *(ir.SetEffect(e, False, value, span=span) for e in others),
        ir.SetEffect(effect, True, value, span=span),
    )
    return [*result, ir.Together(steps, span=span)]
