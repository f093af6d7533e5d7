"""Findings that only follow from others: a mistake is reported once, where it was made.

What depends on something wrong says nothing already where it is checked; here the findings of all
stages are compared by what they are about (``Diagnostic.about``) and by their places.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from types import UnionType

from compiler.check.context import Context
from compiler.findings.verbs import at_verbs
from compiler.sources.resolve import Resolved
from dsl import nodes as n
from dsl.diagnostics import (
    Diagnostic,
    Label,
    Lacking,
    MisfitCall,
    MissingTarget,
    ReservedName,
    Unknown,
    Use,
)
from dsl.source import Source, Span
from runtime.spelling import nearest
from runtime.words.said import SaidText, said

#: How many of many places are pointed at.
_SHOWN = 3
#: From how many unknown names on one finding is made of them, and how many it lists.
_MANY, _LISTED = 3, 6
#: What is said to be unknown where a declaration may be missing.
_DECLARED = {
    "type",
    "enum",
    "measure",
    "owner of fields",
    "kind of pieces",
    "kind, pile or matrix",
    "pile",
    "name",
    "function, quantity or permission",
    "quantity or permission",
    "procedure",
    "effect",
    "event",
    "scope",
    "die",
    "travel",
}
#: What is said to be unknown together, of what is said to be unknown.
_MANY_OF = {
    "field or column of {owner}": "fields or columns of {owner}",
    "field of {owner}": "fields of {owner}",
    "field of {parent}": "fields of {parent}",
    "field of {kind}": "fields of {kind}",
}
#: What nothing else names, or what is missed in words of its own.
_NAMELESS = ("rule", "case", "reaction", "check", "require", "stage", "forecast")
_NAME = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"#[^\n]*")


def findings(resolved: Resolved, ctx: Context) -> list[Diagnostic]:
    """All findings but those that follow from others; syntax comes first."""
    if not (resolved.diagnostics or ctx.diagnostics):
        return []
    syntax = _syntax([d for d in resolved.diagnostics if d.code.startswith("P")])
    others = [d for d in resolved.diagnostics if not d.code.startswith("P")]
    others = _merged("R105", others) + ctx.diagnostics
    if not resolved.complete:
        return syntax + [d for d in others if d.code in ("R101", "R102", "R103")]
    verbs = [d for d in resolved.written if isinstance(d, n.Extend | n.Replace)]
    unsure = _declared_with_errors([*resolved.decls, *verbs], others)
    if syntax:
        lost = resolved.lost | _declared_with_errors(resolved.decls, syntax)
        others = [d for d in others if not _names(d) & lost and d.code != "S614"]
    others = [d for d in others if d.unknown is None or d.unknown.name not in unsure]
    sure = [d for d in others if d.unknown is None or not d.unknown.unsure]
    if any(d.is_error for d in (*syntax, *sure)):
        others = sure
    if not ctx.program.sides:
        others = [d for d in others if not _of_sides(d)]
    others = at_verbs(_without_mismeasured(others, ctx), resolved)
    declared = {d.name.text for d in resolved.decls if isinstance(d, _NAMED)}
    dropped = {
        decl.name.text: decl
        for decl in resolved.written
        if isinstance(decl, n.Drop) and decl.kind not in _NAMELESS
    }
    return syntax + _merged("T303", _merged("T308", _grouped(others, ctx, declared, dropped)))


#: Declarations by whose names things are referred to.
_FACTS = n.EnumDecl | n.Piece | n.Table | n.Matrix | n.Die | n.Deck | n.Scope | n.Switch | n.Weight
_CALLED = n.Function | n.Quantity | n.Permission | n.Travel | n.Procedure | n.Effect | n.Event
_NAMED = _FACTS | _CALLED


def _of_sides(finding: Diagnostic) -> bool:
    """Whether a finding may only miss the sides, or their type."""
    unknown = finding.unknown
    return finding.code == "R201" or (
        finding.code == "R203" and unknown is not None and unknown.name == "Side"
    )


def _without_mismeasured(diagnostics: list[Diagnostic], ctx: Context) -> list[Diagnostic]:
    """*diagnostics* with what several places agree on against a measure told at its declaration.

    More places must speak against it than for it, and than against what else its findings name.
    """
    against: dict[Span, dict[Diagnostic, Use]] = {}
    for d in diagnostics:
        for use in _uses(d):
            against.setdefault(use.declared_at, {})[d] = use
    weight = {span: len(uses) - ctx.agreement_counts[span] for span, uses in against.items()}
    for span, uses in against.items():
        rivals = {use.declared_at for d in uses for use in _uses(d)} - {span}
        agreed = len(uses) > 1 and len({use.used for use in uses.values()}) == 1
        if agreed and all(weight[rival] < weight[span] for rival in rivals) and weight[span] > 0:
            group = [d for d in diagnostics if d in uses]
            merged = _mismeasured(next(iter(uses.values())), group)
            diagnostics = [
                merged if d is group[0] else d
                for d in diagnostics
                if d is group[0] or d not in uses
            ]
    return diagnostics


def _uses(finding: Diagnostic) -> list[Use]:
    """The declarations that a finding speaks against."""
    return [use for use in finding.about if isinstance(use, Use)]


def _mismeasured(use: Use, group: list[Diagnostic]) -> Diagnostic:
    """That something is declared in one measure, and used in another by the findings of *group*."""
    message = said(
        "this is declared as {declared}, but {count} places use it as {used}",
        declared=use.declared,
        count=len(group),
        used=use.used,
    )
    remedy, labels = (
        said("did you mean {used}? Otherwise correct those places", used=use.used),
        _labels(group),
    )
    return Diagnostic("T302", message, use.declared_at, labels=labels, remedy=remedy)


def _merged(code: str, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """*diagnostics* with one finding of a *code* about the same, which points at all its places."""
    same: dict[object, list[Diagnostic]] = {}
    for d in diagnostics:
        if d.code == code:
            same.setdefault(d.about or d, []).append(d)
    merged: list[Diagnostic] = []
    first = {id(group[0]): group for group in same.values()}
    for d in diagnostics:
        if id(d) in first:
            merged.append(replace(d, labels=(*d.labels, *_labels(first[id(d)][1:]))))
        elif d.code != code:
            merged.append(d)
    return merged


def _syntax(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of syntax but the uses of a reserved word whose declaration has one."""
    words = {d: one for d in diagnostics for one in d.about if isinstance(one, ReservedName)}
    declared = {one.word for one in words.values() if one.declared}
    gone = {d for d, one in words.items() if not one.declared and one.word in declared}
    return [d for d in diagnostics if d not in gone]


def _names(finding: Diagnostic) -> set[str]:
    """The names that a finding speaks of."""
    names: set[str] = set()
    for one in finding.about:
        if isinstance(one, Unknown):
            names |= {one.name, *(_NAME.findall(one.what) if finding.code == "R202" else ())}
        elif isinstance(one, MisfitCall | MissingTarget):
            names.add(one.name)
        elif isinstance(one, Lacking):
            names |= {one.name, *one.members}
    return names


def _declared_with_errors(decls: list[n.Decl], diagnostics: list[Diagnostic]) -> set[str]:
    """What is declared in declarations that are wrong themselves, and so perhaps were left out."""
    wrong: dict[str, list[tuple[int, int]]] = {}
    for span in {d.span for d in diagnostics if d.is_error}:
        wrong.setdefault(span.file, []).append((span.start, span.end))
    for places in wrong.values():
        places.sort()
    return {
        name
        for decl in decls
        if (near := wrong.get(decl.span.file)) and _holds_any(decl.span, near)
        for name in _declares(decl)
    }


def _holds_any(outer: Span, places: list[tuple[int, int]]) -> bool:
    """Whether one of *places*, which are in order, lies within *outer*."""
    for start, end in islice(places, bisect_left(places, (outer.start, 0)), None):
        if start > outer.end:
            break
        if end <= outer.end:
            return True
    return False


def _declares(decl: n.Decl) -> Iterator[str]:
    """The names of a declaration that may be left out when it is wrong, and of its parts."""
    if isinstance(decl, n.Replace):
        yield from _declares(decl.decl)
    if isinstance(decl, n.EnumDecl | n.Piece | n.Table | n.Matrix | n.Die | n.Deck | n.Extend):
        yield decl.name.text
    for kinds, parts in _PARTS.items():
        for part in parts if isinstance(decl, kinds) else ():
            for one in getattr(decl, part):
                yield one.text if isinstance(one, n.Ident | n.Member) else one.name.text


#: What a declaration declares besides itself: in which parts.
_PARTS: dict[type[n.Decl] | UnionType, tuple[str, ...]] = {
    n.EnumDecl: ("members",),
    n.Sides | n.Measures: ("names",),
    n.Piece | n.Fields: ("fields",),
    n.Extend: ("members", "fields"),
    n.Table: ("columns",),
    n.Deck: ("piles",),
}


def _grouped(
    diagnostics: list[Diagnostic], ctx: Context, declared: set[str], dropped: dict[str, n.Drop]
) -> list[Diagnostic]:
    """*diagnostics* with one finding for each unknown name, and for many one missing declaration.

    Where a name like it is declared and used nowhere, that is where the mistake is; where it is
    *dropped*, the verb is.
    """
    unknown: dict[str, list[Diagnostic]] = {}
    for d in diagnostics:
        if d.unknown is not None:
            unknown.setdefault(d.unknown.name, []).append(d)
    once: dict[str, Source] | None = None
    instead: dict[Diagnostic, Diagnostic | None] = {}
    missed: dict[str, dict[str, list[Diagnostic]]] = {}
    for name, group in unknown.items():
        group.sort(key=lambda d: (d.span.file, d.span.start))
        if name in dropped:
            instead.update(dict.fromkeys(group, None))
            instead[group[0]] = _at_verb(dropped[name], group)
            continue
        once = once if once is not None else _once(ctx.sources)
        known = {word for d in group if d.unknown is not None for word in d.unknown.known}
        intended = _unused(name, known, once)
        if intended is not None and len(group) == 1:
            place = _first_place(intended, once[intended])
            here = Label(place, "declared here, and used nowhere")
            instead[group[0]] = replace(group[0], labels=(*group[0].labels, here))
        elif intended is not None:
            instead.update(dict.fromkeys(group, None))
            place = _first_place(intended, once[intended])
            instead[group[0]] = _at_declaration(intended, name, group, place)
        if intended is not None:
            continue
        for same in _alike(name, group, declared):
            instead.update(dict.fromkeys(same, None))
            instead[same[0]] = replace(same[0], labels=_labels(same[1:]))
            if name not in declared and (stem := _stem(same)):
                missed.setdefault(stem, {})[name] = same
    for stem, names in missed.items():
        if _of_one(stem, names):
            firsts = {name: same[0] for name, same in names.items()}
            instead.update(dict.fromkeys(firsts.values(), None))
            instead[next(iter(firsts.values()))] = _joined(stem, firsts)
    return [one for d in diagnostics if (one := instead.get(d, d)) is not None]


def _unused(name: str, known: set[str], once: dict[str, Source]) -> str | None:
    """The *known* name that is used nowhere, since it stands there *once*, and is as like *name* as
    any.
    """
    near = nearest(name, known & once.keys())
    return near if near is not None and nearest(name, known) == near else None


def _stem(same: list[Diagnostic]) -> str:
    """What unknown names are called together that one declaration may have had; empty for others.

    A name alone, at one place, may well be a slip of its own.
    """
    what = _what(same[0])
    if same[0].code == "R202":
        many = _MANY_OF.get(what.template if isinstance(what, SaidText) else what, "")
        return said(many, **what.values) if isinstance(what, SaidText) else many
    return "names" if len(same) > 1 and what in ("name", "pile", "kind, pile or matrix") else ""


def _what(finding: Diagnostic) -> str:
    """What is looked for under an unknown name."""
    return finding.unknown.what if finding.unknown is not None else ""


def _of_one(stem: str, names: dict[str, list[Diagnostic]]) -> bool:
    """Whether one declaration may have had all these names: parts of one, or like no other."""
    if stem != "names" or any(_what(d) == "pile" for same in names.values() for d in same):
        return len(names) >= _MANY
    firsts = [same[0].unknown for same in names.values()]
    return sum(one is not None and not one.meant for one in firsts) >= _MANY


def _joined(stem: str, missed: dict[str, Diagnostic]) -> Diagnostic:
    """One finding about many unknown names."""
    (_, first), *others = missed.items()
    shown = [f"'{name}'" for name in missed]
    more = len(missed) - _LISTED
    if more > 0:
        shown[_LISTED:] = [said("{more} more", more=more)]
    listed = said("{names} and {last}", names=", ".join(shown[:-1]), last=shown[-1])
    labels = tuple(
        Label(d.span, said("'{name}' here", name=name)) for name, d in others[: _LISTED - 1]
    )
    remedy = "declare them, or check their spelling: perhaps one declaration is missing"
    return replace(
        first,
        message=said("unknown {stem}: {listed}", stem=stem, listed=listed),
        labels=labels,
        remedy=remedy,
    )


def _alike(name: str, group: list[Diagnostic], declared: set[str]) -> list[list[Diagnostic]]:
    """The findings about an unknown name that miss the same thing."""
    alike: dict[str, list[Diagnostic]] = {}
    for d in group:
        if what := _what(d):
            lacks_all = what in _DECLARED and name not in declared
            alike.setdefault("" if lacks_all else what, []).append(d)
    return list(alike.values())


def _at_verb(verb: n.Drop, group: list[Diagnostic]) -> Diagnostic:
    """That what *verb* drops is missed where the findings of *group* are."""
    places = said("in {count} places", count=len(group)) if len(group) > 1 else "elsewhere"
    message = said(
        "the {kind} '{name}' is dropped, and still used {places}",
        kind=verb.kind,
        name=verb.name,
        places=places,
    )
    remedy, span = "replace it instead, or replace or drop what uses it", verb.name.span
    return Diagnostic(group[0].code, message, span, labels=_labels(group), remedy=remedy)


def _at_declaration(declared: str, name: str, group: list[Diagnostic], span: Span) -> Diagnostic:
    """That *declared* should probably be *name*, which several findings miss."""
    codes = Counter(d.code for d in group)
    code = max(codes, key=lambda one: (codes[one], one.startswith("R")))
    message = said(
        "'{declared}' is used nowhere; {count} places write '{name}'",
        declared=declared,
        count=len(group),
        name=name,
    )
    remedy = said("did you mean '{name}' here? Otherwise correct those places", name=name)
    return Diagnostic(code, message, span, labels=_labels(group), remedy=remedy)


def _labels(group: list[Diagnostic]) -> tuple[Label, ...]:
    """The places of the first of some findings, to be pointed at."""
    more = len(group) - _SHOWN
    texts = ["here"] * min(len(group), _SHOWN)
    if more > 0:
        texts[-1] = said("here, and in {more: 1 # more place | # more places}", more=more)
    return tuple(Label(d.span, text) for d, text in zip(group, texts, strict=False))


def _once(sources: dict[str, Source]) -> dict[str, Source]:
    """The names that stand in the rules once, each with where it does."""
    counts: Counter[str] = Counter()
    places: dict[str, Source] = {}
    for source in sources.values():
        if source.name.endswith(".grog"):
            words = Counter(_NAME.findall(_COMMENT.sub(" ", source.text)))
            counts += words
            places |= dict.fromkeys(words, source)
    return {name: places[name] for name, count in counts.items() if count == 1}


def _first_place(name: str, source: Source) -> Span:
    code = _COMMENT.sub(lambda match: " " * len(match.group()), source.text)
    found = next(match for match in _NAME.finditer(code) if match.group() == name)
    return source.span(found.start(), found.end())
