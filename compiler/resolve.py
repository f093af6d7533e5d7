"""Reading the files of a ruleset and of those it extends, and applying its verbs.

The result is one flat list of declarations; whether they make sense is the checker's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from compiler.drop import drop
from compiler.folders import Finder, is_ruleset
from compiler.rulebook import Index, carriers, carry, check_bases, check_citations, read_index
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, did_you_mean
from dsl.parser import parse
from dsl.source import NOWHERE, Source
from runtime.files import entries, read_bytes

KIND_OF: dict[type[n.Decl], str] = {
    n.EnumDecl: "enum",
    n.Table: "table",
    n.Matrix: "matrix",
    n.Die: "die",
    n.Deck: "deck",
    n.Board: "board",
    n.Piece: "piece",
    n.Fields: "fields",
    n.Function: "function",
    n.Quantity: "quantity",
    n.Permission: "permission",
    n.Travel: "travel",
    n.Effect: "effect",
    n.RuleDecl: "rule",
    n.Procedure: "procedure",
    n.Event: "event",
    n.Reaction: "reaction",
    n.Check: "check",
    n.Requirement: "requirement",
    n.Forecast: "forecast",
    n.Switch: "switch",
    n.Scope: "scope",
    n.Sides: "sides",
}


_Called: TypeAlias = n.Function | n.Quantity | n.Permission | n.Procedure | n.Travel | n.Event


@dataclass
class Resolved:
    """A ruleset as one list of declarations, with everything read on the way."""

    name: str
    bases: tuple[str, ...] = ()
    decls: list[n.Decl] = field(default_factory=list)
    #: what stands in the files, with the verbs, those of the bases first
    written: list[n.Decl] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    #: the indexes of rule IDs, that of the ruleset itself first
    indexes: list[Index] = field(default_factory=list)
    #: only there to be extended
    abstract: bool = False
    #: which rulesets of the family are
    abstracts: set[str] = field(default_factory=set)
    #: whether the ruleset that it extends could be read, if it extends one
    complete: bool = True
    #: names that what could not be read may have declared
    lost: set[str] = field(default_factory=set)
    #: what verbs have put in the place of something with other parameters, by name, with that
    reshaped: dict[str, tuple[_Called, _Called]] = field(default_factory=dict)
    #: the IDs cited in each file, by the name shown to people
    citations: dict[str, tuple[n.Citation, ...]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def key_of(decl: n.Decl) -> tuple[str, str] | None:
    """What identifies a declaration for verbs and duplicates: its kind and name."""
    if isinstance(decl, n.Case):
        return "case", f"{decl.signature.name.text}/{decl.name.text}"
    if isinstance(decl, n.RuleDecl):
        return (
            "rule",
            f"{decl.kind if decl.kind == 'suspend' else 'rule'}/{decl.signature.name.text}/{decl.name.text}",
        )
    if isinstance(decl, n.Sides):
        return "sides", ""
    kind = KIND_OF.get(type(decl))
    name = getattr(decl, "name", None)
    if kind is None or name is None:
        return None
    return kind, name.text


def resolve(name: str, folder: Path, find: Finder, overlay: dict[str, str] | None = None) -> Resolved:
    """Read ruleset *name* in *folder*.

    *overlay* maps shown file names to texts that stand in for what is on disk.
    """
    out = Resolved(name)
    _read(name, folder, find, out, [], overlay or {})
    read = (read_index(one, out.sources, out.diagnostics.append) for one in out.folders)
    out.indexes = [index for index in read if index is not None]
    for index in out.indexes:
        index.abstract = index.ruleset in out.abstracts
    check_bases(out.indexes, out.diagnostics.append)
    check_citations([one.name for one in out.folders], out.indexes, out.citations, out.diagnostics.append)
    by = carriers(out.indexes)
    if by:
        out.decls = [carry(decl, by) for decl in out.decls]
    return out


def _read(
    name: str, folder: Path, find: Finder, out: Resolved, chain: list[str], overlay: dict[str, str]
) -> None:
    files = entries(folder, ".grog")
    decls: list[n.Decl] = []
    header: n.Header | None = None
    failed = False
    for path in files:
        shown = f"{name}/{path.name}"
        text = overlay.get(shown)
        source = Source(
            shown,
            read_bytes(path, within=folder).decode("utf-8-sig", errors="replace") if text is None else text,
        )
        out.sources[shown] = source
        result = parse(source)
        out.diagnostics.extend(result.diagnostics)
        out.lost |= result.lost
        out.citations[shown] = result.module.citations
        failed = failed or bool(result.diagnostics)
        for decl in result.module.decls:
            if isinstance(decl, n.Header):
                if header is not None:
                    out.diagnostics.append(
                        Diagnostic(
                            "R102",
                            "a ruleset has one header",
                            decl.span,
                            labels=(Label(header.span, "the other one"),),
                            remedy="remove one of the two lines",
                        )
                    )
                header = header or decl
            else:
                decls.append(decl)
    out.folders.append(folder)
    if header is not None and not chain:
        out.abstract = header.abstract
    if header is not None and header.abstract:
        out.abstracts.add(name)
    if header is None:
        out.complete = out.complete and not failed
        if not failed:
            where = next(
                iter(s.span(0, 0) for s in out.sources.values() if s.name.startswith(f"{name}/")), NOWHERE
            )
            out.diagnostics.append(
                Diagnostic(
                    "R102",
                    f"no file of the ruleset '{name}' has a header",
                    where,
                    remedy=f"add the line: ruleset {name}",
                )
            )
    elif header.base is not None:
        base = header.base.text
        if base in [*chain, name]:
            out.complete = False
            circle = " → ".join([*chain, name, base])
            out.diagnostics.append(
                Diagnostic(
                    "R103",
                    f"rulesets extend each other in a circle: {circle}",
                    header.base.span,
                    remedy="extend another ruleset",
                )
            )
        else:
            found = find(base)
            if found is None:
                out.complete = False
                out.diagnostics.append(
                    Diagnostic(
                        "R101",
                        f"there is no ruleset '{base}' to extend",
                        header.base.span,
                        remedy=did_you_mean(base, _beside(folder))
                        or "rulesets are looked for beside this one; check the name",
                    )
                )
            else:
                _read(base, found, find, out, [*chain, name], overlay)
                out.bases = (base, *out.bases)
    out.written += decls
    _merge(decls, out)


def _beside(folder: Path) -> list[str]:
    """The rulesets in the folder that holds this one."""
    try:
        return sorted(one.name for one in folder.absolute().parent.iterdir() if is_ruleset(one))
    except OSError:
        return []


_Table = dict[tuple[str, str], int]
_VERBS = n.Extend | n.Replace | n.Drop | n.Insert
_GONE = n.Measures(())


def _merge(decls: list[n.Decl], out: Resolved) -> None:
    """Add declarations to those of the bases: what is declared first, then what changes others."""
    table: _Table = {}
    inherited = len(out.decls)
    for i, decl in enumerate(out.decls):
        key = key_of(decl)
        if key is not None:
            table.setdefault(key, i)
    for decl in decls:
        if not isinstance(decl, _VERBS):
            _add(decl, out, table, inherited)
    replaced: dict[tuple[str, str], n.Replace] = {}
    for decl in decls:
        if isinstance(decl, n.Extend):
            _extend(decl, out, table)
        elif isinstance(decl, n.Replace):
            _replace(decl, out, table, replaced)
        elif isinstance(decl, n.Drop):
            drop(decl, out.decls, table, _GONE, out.diagnostics.append)
        elif isinstance(decl, n.Insert):
            _insert(decl, out, table)
    out.decls = [d for d in out.decls if d is not _GONE]


def _add(decl: n.Decl, out: Resolved, table: _Table, inherited: int) -> None:
    """Add what is new; the first *inherited* declarations are those of the bases."""
    key = key_of(decl)
    if key is not None and key in table and key[0] != "fields":
        other = out.decls[table[key]]
        name = getattr(decl, "name", None)
        out.diagnostics.append(
            Diagnostic(
                "R104",
                f"{_shown(key)} is declared twice",
                name.span if name is not None else decl.span,
                labels=(Label(other.span, "declared here first"),),
                remedy="give it another name, or write 'replace' before it to put it in the base's place"
                if table[key] < inherited
                else "give one of the two another name, or remove it",
            )
        )
        return
    if key is not None:
        table[key] = len(out.decls)
    out.decls.append(decl)


def _shown(key: tuple[str, str]) -> str:
    """What a key identifies, in words."""
    return f"{key[0]} '{key[1].rsplit('/', 1)[-1]}'" if key[1] else f"'{key[0]}'"


def _missing(out: Resolved, table: _Table, kind: str, name: n.Ident) -> None:
    known = [k[1].rsplit("/", 1)[-1] for k in table if k[0] == kind]
    out.diagnostics.append(
        Diagnostic(
            "R105",
            f"there is no {kind} '{name.text}' here to change",
            name.span,
            remedy=did_you_mean(name.text, known)
            or "check the name against the base ruleset, or declare it there",
        )
    )


def _replace(
    verb: n.Replace, out: Resolved, table: _Table, replaced: dict[tuple[str, str], n.Replace]
) -> None:
    """Put a declaration in the place of another; *replaced* is what the same ruleset has replaced so far."""
    decl = verb.decl
    key = key_of(decl)
    name = getattr(decl, "name", None)
    named = name if isinstance(name, n.Ident) else n.Ident("?", span=verb.span)
    if key is None or key not in table:
        _missing(out, table, key[0] if key else "declaration", named)
        return
    if key in replaced:
        out.diagnostics.append(
            Diagnostic(
                "R104",
                f"{_shown(key)} is replaced twice",
                named.span,
                labels=(Label(replaced[key].span, "replaced here first"),),
                remedy="remove one of the two",
            )
        )
        return
    replaced[key] = verb
    if verb.rules or verb.provenance:
        decl = replace(decl, rules=verb.rules or decl.rules, provenance=verb.provenance or decl.provenance)
        decl = replace(decl, reason=verb.reason or decl.reason)
    before = out.decls[table[key]]
    if isinstance(decl, _Called) and isinstance(before, _Called):
        if [p.type for p in decl.params] != [p.type for p in before.params]:
            out.reshaped[decl.name.text] = (decl, before)
    if isinstance(decl, n.Fields):  # the base may have declared them in several places
        other = [i for i, d in enumerate(out.decls) if key_of(d) == key]
        out.decls = [_GONE if i in other else d for i, d in enumerate(out.decls)]
    out.decls[table[key]] = decl


def _extend(verb: n.Extend, out: Resolved, table: _Table) -> None:
    at = table.get((verb.kind, verb.name.text))
    if at is None:
        if verb.kind == "fields":
            table[("fields", verb.name.text)] = len(out.decls)
            out.decls.append(n.Fields(verb.name, verb.fields, span=verb.span))
            return
        _missing(out, table, verb.kind, verb.name)
        return
    target = out.decls[at]
    if isinstance(target, n.EnumDecl):
        out.decls[at] = replace(
            target, members=target.members + verb.members, rules=target.rules + verb.rules
        )
    elif isinstance(target, n.Table):
        out.decls[at] = replace(target, rows=target.rows + verb.rows)
    elif isinstance(target, n.Piece | n.Fields):
        out.decls[at] = replace(target, fields=target.fields + verb.fields)


def _insert(verb: n.Insert, out: Resolved, table: _Table) -> None:
    at = table.get(("procedure", verb.procedure.text))
    if at is None:
        _missing(out, table, "procedure", verb.procedure)
        return
    target = out.decls[at]
    assert isinstance(target, n.Procedure)
    steps: list[str] = []
    done = False

    def walk(body: tuple[n.Stmt, ...]) -> tuple[n.Stmt, ...]:
        nonlocal done
        result: list[n.Stmt] = []
        for stmt in body:
            if isinstance(stmt, n.Step):
                steps.append(stmt.name.text)
                stmt = replace(stmt, body=walk(stmt.body))
                if stmt.name.text == verb.step.text and not done:
                    done = True
                    new = n.Step(n.Ident("inserted"), verb.body, span=verb.span)
                    result.extend([new, stmt] if verb.place == "ahead" else [stmt, new])
                    continue
            else:
                stmt = _with_blocks(stmt, walk)
            result.append(stmt)
        return tuple(result)

    body = walk(target.body)
    if not done:
        out.diagnostics.append(
            Diagnostic(
                "R106",
                f"procedure '{verb.procedure}' has no step '{verb.step}'",
                verb.step.span,
                labels=(Label(target.name.span, "the procedure"),),
                remedy=did_you_mean(verb.step.text, steps)
                or (f"its steps are {', '.join(steps)}" if steps else "it has no steps"),
            )
        )
        return
    cited = (*target.rules, *(rule for rule in verb.rules if rule not in target.rules))
    out.decls[at] = replace(target, body=body, rules=cited)


def _with_blocks(stmt: n.Stmt, change: Callable[[tuple[n.Stmt, ...]], tuple[n.Stmt, ...]]) -> n.Stmt:
    """*stmt* with the blocks in it changed."""
    if isinstance(stmt, n.Offer):
        return replace(stmt, branches=tuple(replace(b, body=change(b.body)) for b in stmt.branches))
    blocks = {name: getattr(stmt, name, None) for name in ("then", "orelse", "body")}
    changes: dict[str, Any] = {name: change(block) for name, block in blocks.items() if block}
    return replace(stmt, **changes) if changes else stmt
