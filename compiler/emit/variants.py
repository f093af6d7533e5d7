"""Calls about a piece of a parent, written out once more for the kinds that are asked about.

What is said once for all kinds of a parent costs a look at the kind for each field.  Where a call is given a
piece whose kind is known, it goes to a variant in which the fields are those of that kind.
"""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.inline import fill_in
from compiler.types import Type


def variant_of(program: Emission, e: ir.Apply) -> tuple[str, tuple[ir.Expr, ...]]:
    """What tells the variant of a call for pieces whose kinds are known, and its arguments; nothing where
    none are.
    """
    call = program.calls[e.name]
    known = [a.value if isinstance(a, ir.Widen) and a.value.type.kind == "piece" else None for a in e.args]
    if not any(known) or program.watched is not None or call.type.kind in ("set", "roll"):
        return "", e.args
    kinds = tuple(a.type.name if a is not None else "" for a in known)
    if (e.name, kinds) not in program.variants:
        program.variants[e.name, kinds] = _made(program, call, kinds)
    return program.variants[e.name, kinds].suffix, tuple(
        own or arg for own, arg in zip(known, e.args, strict=True)
    )


def _made(program: Emission, call: ir.Callable, kinds: tuple[str, ...]) -> ir.Callable:
    suffix = "__" + "_".join(kind or "any" for kind in kinds)
    while f"{call.name}{suffix}" in program.calls:
        suffix += "_"
    values: dict[str, ir.Expr] = {}
    params = list(call.params)
    for i, (param, kind) in enumerate(zip(call.params, kinds, strict=True)):
        if kind:
            own = Type("piece", kind, param.type.optional)
            params[i] = ir.ParamInfo(param.name, own)
            values[param.name] = ir.Widen(ir.Local(param.name, type=own), type=param.type)
    made: dict[int, ir.Rule | None] = {}

    def rule_of(rule: ir.Rule) -> ir.Rule | None:
        """The rule for these kinds; None where it is none of theirs."""
        if id(rule) not in made:
            when = fill_in(rule.when, values) if rule.when is not None else None
            exceptions = [one for one in map(rule_of, rule.exceptions) if one is not None]
            value = fill_in(rule.value, values) if rule.value is not None else None
            suspended = [(name, fill_in(test, values)) for name, test in rule.suspended]
            never = isinstance(when, ir.Const) and not when.value
            always = isinstance(when, ir.Const) and bool(when.value)
            new = replace(
                rule, when=None if always else when, value=value, exceptions=exceptions, suspended=suspended
            )
            made[id(rule)] = None if never else new
        return made[id(rule)]

    return replace(
        call,
        params=params,
        suffix=suffix,
        body=fill_in(call.body, values) if call.body is not None else None,
        roots=[one for one in map(rule_of, call.roots) if one is not None],
        modifiers={
            stage: [
                replace(
                    m,
                    when=fill_in(m.when, values) if m.when is not None else None,
                    value=fill_in(m.value, values),
                )
                for m in modifiers
            ]
            for stage, modifiers in call.modifiers.items()
        },
    )
