"""What a ruleset adds to one that it extends, and what of that it changes; with citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from compiler.ruleset import Ruleset
from compiler.sources.family import key_of
from dsl import nodes as n
from runtime.errors import LoadError

#: What can be done to a base, in the order in which it is told.
VERBS: Final = ("replaces", "drops", "excepts", "changes", "extends", "inserts", "adds")
_KINDS = {
    "rule": "rule",
    "allow": "allowance",
    "deny": "refusal",
    "modify": "modifier",
    "suspend": "suspension",
}


_PLACES = {"ahead": "before", "behind": "after"}


@dataclass(frozen=True, slots=True)
class Change:
    """One declaration of the expansion, by what it does to the base.

    *verb* is one of :data:`VERBS`: ``excepts`` and ``changes`` are rules about a call of the base,
    with and without a rule that they go before.  *what* says it in words, *rules* are the IDs that
    it cites; *file* and *line* say where it stands.
    """

    verb: str
    what: str
    rules: tuple[str, ...]
    file: str
    line: int

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {**asdict(self), "rules": list(self.rules)}


def changes(base: str, expansion: Ruleset) -> list[Change]:
    """What an expansion, and those between, do to the ruleset *base*; in the order of the files.

    LoadError when it does not extend it, or files cannot be parsed.
    """
    resolved = expansion.resolved
    names = [folder.name for folder in resolved.folders]
    if base not in names[1:]:
        others = ", ".join(names[1:]) or "no other"
        raise LoadError(
            f"'{expansion.name}' does not extend '{base}'",
            f"name the base first; '{expansion.name}' extends {others}",
        )
    for diagnostic in resolved.diagnostics:
        if diagnostic.is_error and diagnostic.code.startswith("P"):
            name = diagnostic.span.file.partition("/")[0]
            raise LoadError(
                f"{diagnostic.span.file} has errors", f"`grognard check {name}` says which"
            )
    between = names[: names.index(base)]
    ours = [d for d in resolved.written if d.span.file.partition("/")[0] in between]
    known = {key_of(d) for d in resolved.written if d.span.file.partition("/")[0] not in between}
    calls = {
        key[1]
        for key in known
        if key is not None and key[0] in ("function", "quantity", "permission", "procedure")
    }
    return [change for decl in ours if (change := _change(decl, calls)) is not None]


def _change(decl: n.Decl, calls: set[str]) -> Change | None:
    match decl:
        case n.Header() | n.Measures() | n.Section():
            return None
        case n.Replace():
            rules = decl.rules or decl.decl.rules
            return Change(
                "replaces", _declaration_name(decl.decl), rules, decl.span.file, decl.span.line
            )
        case n.Drop():
            verb, what = "drops", f"{decl.kind} {decl.name}" + (f" of {decl.of}" if decl.of else "")
        case n.Insert():
            verb, what = (
                "inserts",
                f"{_PLACES[decl.place]} step {decl.step} of procedure {decl.procedure}",
            )
        case n.Extend() if decl.kind == "rows":
            verb, what = "replaces", f"rows of table {decl.name}: {_parts(decl)}"
        case n.Extend():
            verb, what = "extends", f"{decl.kind} {decl.name}: {_parts(decl)}"
        case n.RuleDecl() if decl.signature.name.text in calls:
            verb, what = "changes", _declaration_name(decl)
            if decl.excepts:
                verb, what = "excepts", f"{', '.join(map(str, decl.excepts))} by {what}"
        case n.Case() if decl.signature.name.text in calls:
            verb, what = "changes", _declaration_name(decl)
        case _:
            verb, what = "adds", _declaration_name(decl)
    return Change(verb, what, decl.rules, decl.span.file, decl.span.line)


def _declaration_name(decl: n.Decl) -> str:
    """A declaration by its kind and name."""
    if isinstance(decl, n.RuleDecl):
        return f"{_KINDS.get(decl.kind, 'limit')} {decl.name} for {decl.signature.name}"
    if isinstance(decl, n.Case):
        return f"case {decl.name} of {decl.signature.name}"
    if isinstance(decl, n.Fields):
        return f"fields of {decl.name}"
    key = key_of(decl)
    return (
        " ".join(part for part in key if part) if key is not None else type(decl).__name__.lower()
    )


def _parts(decl: n.Extend) -> str:
    """What an extension adds, by name; rows by their first cell."""
    parts: Sequence[str] = (
        [str(member) for member in decl.members]
        + [field.name.text for field in decl.fields]
        + [row.cells[0].text.strip() for row in decl.rows if row.cells]
    )
    return ", ".join(parts)
