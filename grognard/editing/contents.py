"""What stands in a source: headings with what is declared under each, and what can be folded."""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.sources.resolve import Resolved
from dsl import nodes as n
from dsl.source import Source, Span
from grognard.explain.outline import called


@dataclass(slots=True)
class Item:
    """A heading or a declaration: how it is called, its kind, what it cites, the places of the
    whole and of its name, and what stands in it.
    """

    name: str
    kind: str
    detail: str
    span: Span
    at: Span
    below: list[Item] = field(default_factory=list)


def contents(resolved: Resolved, file: str) -> list[Item]:
    """The headings and declarations of a file, in order; what stands under a heading below it."""
    source = resolved.sources.get(file)
    if source is None:
        return []
    items: list[Item] = []
    heads = [one for one in resolved.sections.get(file, ()) if one.heads]
    decls = [one for one in resolved.written if one.span.file == file]
    open_head: Item | None = None
    for node in sorted((*heads, *decls), key=lambda one: one.span.start):
        if isinstance(node, n.Section):
            cited = ", ".join(node.rules)
            open_head = Item(node.title, "section", cited, node.span, node.span)
            if node.title:
                items.append(open_head)
            else:
                open_head = None
            continue
        item = _declared(node)
        if open_head is not None:
            open_head.below.append(item)
            open_head.span = source.span(open_head.span.start, item.span.end)
        else:
            items.append(item)
    return items


def _declared(decl: n.Decl) -> Item:
    """A declaration with its fields, members, columns or rules."""
    name = getattr(decl, "name", None)
    at = name.span if isinstance(name, n.Ident) else decl.span
    kind = type(decl).__name__.lower().removesuffix("decl")
    item = Item(called(decl), kind, ", ".join(decl.rules), decl.span, _within(at, decl.span))
    for part in (*getattr(decl, "fields", ()), *getattr(decl, "columns", ())):
        item.below.append(Item(part.name.text, "field", str(part.type), part.span, part.name.span))
    for member in getattr(decl, "members", ()):
        item.below.append(Item(member.text, "member", member.remark, member.span, member.span))
    for rule in decl.body if isinstance(decl, n.Effect) else ():
        item.below.append(_declared(rule))
    return item


def _within(at: Span, whole: Span) -> Span:
    return at if whole.holds(at) else whole


def folds(source: Source, items: list[Item]) -> list[tuple[int, int, str]]:
    """What can be folded: first and last line, and whether it is a ``region`` or a ``comment``."""
    found: list[tuple[int, int, str]] = []
    for item in items:
        kind = "region" if item.kind == "section" else ""
        last = source.position(max(item.span.start, item.span.end - 1))[0]
        if last > item.span.line:
            found.append((item.span.line, last, kind))
        found += folds(source, item.below)
    lines, begin = source.text.split("\n"), 0
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            begin = begin or number
        else:
            if begin and number - begin > 1 and items and items[0].kind != "":
                found.append((begin, number - 1, "comment"))
            begin = 0
    return sorted(set(found))
