"""Findings of families: what a verb has done is reported at the verb."""

from __future__ import annotations

from dataclasses import replace

from compiler.sources.resolve import Resolved
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, Lacking, MisfitCall, MissingTarget
from dsl.source import Span
from runtime.words.said import said


def at_verbs(found: list[Diagnostic], resolved: Resolved) -> list[Diagnostic]:
    """*found* with what follows from a verb reported once, where the verb stands."""
    if not any(isinstance(d, n.Extend | n.Replace) for d in resolved.written):
        return found
    return _reshaped(_lacking(_missed(found), resolved), resolved)


def _missed(found: list[Diagnostic]) -> list[Diagnostic]:
    """*found* without the unknown names that a verb misses already."""
    missed = {one.name: d for d in found for one in d.about if isinstance(one, MissingTarget)}
    uses: dict[str, list[Span]] = {}
    left = []
    for d in found:
        if d.unknown is not None and d.unknown.name in missed:
            uses.setdefault(d.unknown.name, []).append(d.span)
        else:
            left.append(d)
    for name, spans in uses.items():
        verb = missed[name]
        label = Label(spans[0], _places("the base uses it here", len(spans)))
        left[left.index(verb)] = replace(verb, labels=(*verb.labels, label))
    return left


def _lacking(found: list[Diagnostic], resolved: Resolved) -> list[Diagnostic]:
    """*found* with rows that lack for members of an extension missed there."""
    result = []
    for d in found:
        rowless = next((one for one in d.about if isinstance(one, Lacking)), None)
        if rowless is None or rowless.kind != "table":
            result.append(d)
            continue
        lacking = set(rowless.members)
        verbs = [verb for verb in resolved.written if isinstance(verb, n.Extend)]
        enums, rows = ([v for v in verbs if v.kind == kind] for kind in ("enum", "table"))
        adding = [verb for verb in enums if {m.text for m in verb.members} >= lacking]
        if any({row.cells[0].text for row in verb.rows if row.cells} >= lacking for verb in rows):
            continue  # the rows are there, and stand under a name that is wrong
        if adding:
            verb = next((one for one in rows if one.name.text == rowless.name), None)
            new = "" if verb else said("extend table {name} { … }: ", name=rowless.name)
            remedy = said("write {new}a row | {first} | … |", new=new, first=rowless.members[0])
            d = replace(d, span=(verb or adding[0]).name.span, remedy=remedy)
        result.append(d)
    return result


def _reshaped(found: list[Diagnostic], resolved: Resolved) -> list[Diagnostic]:
    """*found* with calls that no longer fit what a verb has put there reported at the verb."""
    calls: dict[str, list[Diagnostic]] = {}
    for d in found:
        called = next((one for one in d.about if isinstance(one, MisfitCall)), None)
        if called is not None and called.name in resolved.reshaped:
            calls.setdefault(called.name, []).append(d)
    instead: dict[int, Diagnostic | None] = {}
    for name, group in calls.items():
        now, before = resolved.reshaped[name]
        had = {p.name.text for p in before.params}
        inside = [d for d in found if d.unknown and d.unknown.name in had and _of(d.span, now.span)]
        instead.update({id(d): None for d in (*group, *inside)})
        instead[id(group[0])] = replace(
            group[0],
            message=said("'{name}' has other parameters than what it replaces", name=name),
            span=now.name.span,
            labels=(
                Label(before.name.span, "replaced"),
                Label(group[0].span, _places("used as it was", len(group))),
            ),
            remedy=said(
                "keep ({params}), or replace what uses it, too",
                params=", ".join(map(str, before.params)),
            ),
        )
    return [one for d in found if (one := instead.get(id(d), d)) is not None]


def _of(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


def _places(text: str, count: int) -> str:
    return (
        text
        if count == 1
        else said(
            "{text}, and in {count: 1 # more place | # more places}", text=text, count=count - 1
        )
    )
