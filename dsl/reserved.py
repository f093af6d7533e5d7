"""Reserved words as names: reported where the name is declared, not where it is used."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import nodes as n
from dsl.diagnostics import Diagnostic
from dsl.language import reserved_words


def reserved_names(module: n.Module) -> list[Diagnostic]:
    """A finding for each reserved word that *module* declares as the name of something that values are read
    from.
    """
    return [
        Diagnostic(
            "P107",
            f"'{name}' is a reserved word and cannot be a name",
            name.span,
            remedy="choose another name",
        )
        for name in _declared(module)
        if name.text in reserved_words()
    ]


_NAMED = (
    n.Piece,
    n.Function,
    n.Quantity,
    n.Permission,
    n.Switch,
    n.Matrix,
    n.Die,
    n.Pile,
    n.Param,
    n.Carried,
    n.Let,
    n.LetDo,
    n.Roll,
    n.Draw,
)
_VARYING = (n.Each, n.Choose, n.Ranging, n.Quant, n.Allot, n.Create)


def _declared(node: n.Node) -> Iterator[n.Ident]:
    """The names declared in *node* that stand alone, or before parentheses, where they are used."""
    if isinstance(node, n.Sides | n.Measures):
        yield from node.names
    elif isinstance(node, n.EnumDecl):
        yield from (node.name, *node.members)
    elif isinstance(node, n.Extend):
        yield from node.members
    elif isinstance(node, n.Travel):
        yield from (node.here, node.there)
    elif isinstance(node, _NAMED):
        yield node.name
    elif isinstance(node, _VARYING):
        yield node.var
    if isinstance(node, n.Fields | n.Extend) and node.name.text == "Game":
        yield from (f.name for f in node.fields)
    for child in n.children(node):
        yield from _declared(child)
