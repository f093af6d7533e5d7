"""Findings of families: what a verb has done is told at the verb, not where its base no longer fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from compiler.check.context import Context
from compiler.resolve import Resolved
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span

_MISSED = re.compile(r"there is no (\w+) '(\w+)' here to change")
_LACKING = re.compile(r"table (\w+) has no row for (.+)")
_CALLED = re.compile(r"(?:\w+ )?(\w+) expects \d+ arguments?, got \d+")
_OTHERWISE = re.compile(r"the arguments of (?:\w+ )?(\w+) stand in another order")


def at_verbs(found: list[Diagnostic], resolved: Resolved, ctx: Context) -> list[Diagnostic]:
    """*found* with what follows from a verb told once, where the verb stands."""
    if not any(isinstance(d, n.Extend | n.Replace) for d in resolved.written):
        return found
    return _reshaped(_lacking(_missed(found, ctx), resolved), resolved, ctx)


def _missed(found: list[Diagnostic], ctx: Context) -> list[Diagnostic]:
    """*found* without the unknown names that a verb misses already."""
    missed = {match[2]: d for d in found if d.code == "R105" and (match := _MISSED.match(d.message))}
    if not missed:
        return found
    uses: dict[str, list[Span]] = {}
    left = []
    for d in found:
        if d in ctx.unknowns and ctx.unknowns[d][0] in missed:
            uses.setdefault(ctx.unknowns[d][0], []).append(d.span)
        else:
            left.append(d)
    for name, spans in uses.items():
        verb = missed[name]
        label = Label(spans[0], _places("the base uses it here", len(spans)))
        left[left.index(verb)] = replace(verb, labels=(*verb.labels, label))
    return left


def _lacking(found: list[Diagnostic], resolved: Resolved) -> list[Diagnostic]:
    """*found* with rows that lack for members of an extension missed there."""
    told = []
    for d in found:
        match = _LACKING.match(d.message) if d.code == "F401" else None
        if match is None:
            told.append(d)
            continue
        lacking = match[2].split(", ")
        adding = [
            verb
            for verb in resolved.written
            if isinstance(verb, n.Extend)
            and verb.kind == "enum"
            and {m.text for m in verb.members} >= {*lacking}
        ]
        rows = [verb for verb in resolved.written if isinstance(verb, n.Extend) and verb.kind == "table"]
        if any({row.cells[0].text for row in verb.rows if row.cells} >= {*lacking} for verb in rows):
            continue  # the rows are there, and stand under a name that is wrong
        if adding:
            verb = next((one for one in rows if one.name.text == match[1]), None)
            new = "" if verb else f"extend table {match[1]} {{ … }}: "
            remedy = f"write {new}{d.remedy.removeprefix('add ')}"
            d = replace(d, span=(verb or adding[0]).name.span, remedy=remedy)
        told.append(d)
    return told


def _reshaped(found: list[Diagnostic], resolved: Resolved, ctx: Context) -> list[Diagnostic]:
    """*found* with calls that no longer fit what a verb has put in the place of something told there."""
    calls: dict[str, list[Diagnostic]] = {}
    for d in found:
        match = _CALLED.fullmatch(d.message) or _OTHERWISE.fullmatch(d.message)
        if match is not None and match[1] in resolved.reshaped:
            calls.setdefault(match[1], []).append(d)
    instead: dict[int, Diagnostic | None] = {}
    for name, group in calls.items():
        now, before = resolved.reshaped[name]
        had = {p.name.text for p in before.params}
        inside = [d for d in found if _of(d.span, now.span) and ctx.unknowns.get(d, ("",))[0] in had]
        instead.update({id(d): None for d in (*group, *inside)})
        instead[id(group[0])] = replace(
            group[0],
            message=f"'{name}' has other parameters than what it replaces",
            span=now.name.span,
            labels=(
                Label(before.name.span, "replaced"),
                Label(group[0].span, _places("used as it was", len(group))),
            ),
            remedy=f"keep ({parameters(before.params)}), or replace what uses it, too",
        )
    return [one for d in found if (one := instead.get(id(d), d)) is not None]


def _of(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


def _places(text: str, count: int) -> str:
    return text if count == 1 else f"{text}, and in {count - 1} more place{'s' * (count > 2)}"


def parameters(params: Sequence[n.Param]) -> str:
    """Parameters as they are written."""
    return ", ".join(f"{p.name}: {_written(p.type)}" for p in params)


def _written(type_: n.TypeRef) -> str:
    forms = {"optional": "{}?", "set": "set of {}", "roll": "roll of {}"}
    return forms.get(type_.form, "{}").format(type_.name)
