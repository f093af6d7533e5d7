"""Which declarations read a field and which write it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl import nodes as n
from dsl.source import Span
from grognard.editing.meanings import Symbol, Symbols
from grognard.explain.outline import declaration_name


@dataclass(frozen=True)
class Accesses:
    """By what they are called, the declarations that read something and those that write it, each
    with the first place where it does; in the order of the files.
    """

    readers: dict[str, Span] = field(default_factory=dict)
    writers: dict[str, Span] = field(default_factory=dict)


def accesses(symbols: Symbols, symbol: Symbol) -> Accesses:
    """Who reads and who writes what a symbol names.  A number that something is added to is
    written; what a scenario gives is no access.
    """
    found = Accesses()
    declared = {(one.at.file, one.at.start) for one in symbol.definitions}
    written: dict[int, set[int]] = {}
    for at in symbol.places:
        decl = symbols.around(at)
        if decl is None or (at.file, at.start) in declared:
            continue
        if id(decl) not in written:
            written[id(decl)] = set(_written_names(decl))
        entered = found.writers if at.start in written[id(decl)] else found.readers
        entered.setdefault(declaration_name(decl), at)
    return found


def _written_names(decl: n.Decl) -> Iterator[int]:
    """Where in its file the names begin whose values the steps of a declaration change."""
    for node in n.below([decl]):
        if isinstance(node, n.Assign | n.SetDo):
            yield _target(node.target)
        elif isinstance(node, n.Given):
            yield node.name.span.start


def _target(target: n.Expr) -> int:
    while isinstance(target, n.Index):
        target = target.object
    return (target.name if isinstance(target, n.Attr) else target).span.start
