"""The outline of a ruleset: its files, their headings, and what is declared under each."""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.sources.family import KIND_OF
from compiler.sources.resolve import Resolved
from dsl import nodes as n


@dataclass(slots=True)
class Item:
    """Something declared, as it is called (``permission may_close``), with its line, what it cites,
    and how many rules for it follow.
    """

    name: str
    line: int
    rules: tuple[str, ...] = ()
    count: int = 0


@dataclass(slots=True)
class Heading:
    """A section of a file: its title, empty for what stands before the first, and its line."""

    title: str
    file: str
    line: int
    items: list[Item] = field(default_factory=list)


def outline(resolved: Resolved) -> list[Heading]:
    """The sections of the ruleset's own files, those of its bases aside."""
    headings: list[Heading] = []
    for file, sections in resolved.sections.items():
        if file.partition("/")[0] == resolved.name:
            headings.append(Heading("", file, 1))
            headings += (Heading(s.title, file, s.span.line) for s in sections if s.heads)
    for decl in resolved.written:
        own = [h for h in headings if h.file == decl.span.file and h.line <= decl.span.line]
        if own:
            _enter(own[-1].items, decl)
    return [one for one in headings if one.items or one.title]


def _enter(items: list[Item], decl: n.Decl) -> None:
    """Add a declaration; rules are counted where those before are for the same."""
    if isinstance(decl, n.RuleDecl):
        name = decl.signature.name.text
        if not (items and items[-1].name.rpartition(" ")[2] == name):
            items.append(Item(f"rules for {name}", decl.span.line))
        items[-1].count += 1
    else:
        items.append(Item(declaration_name(decl), decl.span.line, decl.rules))


def declaration_name(decl: n.Decl) -> str:
    """A declaration by its kind and name."""
    match decl:
        case n.Replace():
            return f"replace {declaration_name(decl.decl)}"
        case n.RuleDecl():
            return f"rule {decl.name} of {decl.signature.name}"
        case n.Extend() if decl.kind == "rows":
            return f"replace rows of {decl.name}"
        case n.Extend() | n.Drop():
            return f"{type(decl).__name__.lower()} {decl.kind} {decl.name}"
        case n.Insert():
            return f"insert {decl.place} {decl.step} of {decl.procedure}"
        case n.Case():
            return f"case {decl.name} of {decl.signature.name}"
        case n.Sides() | n.Measures():
            names = ", ".join(map(str, decl.names))
            return f"{type(decl).__name__.lower()} {names}"
    kind = KIND_OF.get(type(decl), type(decl).__name__.lower())
    return f"{kind} {getattr(decl, 'name', '')}".rstrip()


def lines(resolved: Resolved) -> list[str]:
    """The outline as text."""
    shown: list[str] = []
    file = ""
    for heading in outline(resolved):
        if heading.file != file:
            shown += ["", heading.file] if shown else [heading.file]
            file = heading.file
        if heading.title:
            shown.append(f"  {heading.title}")
        for item in heading.items:
            rules = f" ({item.count} rule{'s' if item.count > 1 else ''})" if item.count else ""
            cited = f"  [{', '.join(item.rules)}]" if item.rules else ""
            shown.append(f"    {item.name}{rules}{cited}")
    return shown
