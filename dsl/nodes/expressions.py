"""What all nodes share, and expressions: total, without side effects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, fields
from functools import cache
from typing import Final

from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span


class Node(metaclass=Frozen, kw_only=True):
    """Anything with a place in a source."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Ident(Node):
    """A name where it is written."""

    text: str

    def __str__(self) -> str:
        return self.text


class Cited(Node, kw_only=True):
    """What can cite rules (``@rule``) and say where it comes from (``@house``), and why."""

    rules: tuple[str, ...] = ()
    provenance: str | None = None
    reason: str = ""


#: What the fields that hold no nodes are annotated with.
_PLAIN: Final = {"str", "int", "bool", "None", "Span", "tuple", "frozenset"}


def children(node: Node) -> list[Node]:
    """The nodes directly below *node*, in source order of its fields."""
    below: list[Node] = []
    for name in _holding(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            below.append(value)
        elif value and isinstance(value, tuple):
            below += [item for item in value if isinstance(item, Node)]
    return below


@cache
def _holding(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node that can hold nodes."""
    types = {f.name: set(re.findall(r"\w+", str(f.type))) for f in fields(kind)}
    return tuple(name for name, words in types.items() if not words <= _PLAIN)


def below(nodes: Iterable[Node], but: type[Node] | tuple[()] = ()) -> Iterator[Node]:
    """*nodes* and all nodes below them, without what is below those of the class *but*."""
    ahead = list(nodes)
    while ahead:
        node = ahead.pop()
        yield node
        if not isinstance(node, but):
            ahead.extend(children(node))


class Expr(Node):
    """A total expression."""


class Int(Expr):
    """A number, with a measure (``3 Dice``) or without."""

    value: int
    measure: str | None = None


class Bool(Expr):
    """``true`` or ``false``."""

    value: bool


class NoneLit(Expr):
    """``none``."""


class Name(Expr):
    """A name used as a value."""

    name: str


class Attr(Expr):
    """``object.name``: a field, a table column or a board attribute."""

    object: Expr
    name: Ident


class Index(Expr):
    """``object[i]``: pieces at a place, a pile of a side, an entry of a matrix."""

    object: Expr
    args: tuple[Expr, ...]


class Call(Expr):
    """``name(args)``."""

    name: Ident
    args: tuple[Expr, ...]


class Unary(Expr):
    """``not x`` or ``-x``; *op* is ``not`` or ``-``."""

    op: str
    operand: Expr


class Binary(Expr):
    """Two operands; *op* is the operator as written (``is not``, ``otherwise``, ``..`` …)."""

    op: str
    left: Expr
    right: Expr


class Cond(Expr):
    """``if c then a else b``."""

    test: Expr
    then: Expr
    orelse: Expr


class Quant(Expr):
    """A question about the members of a set.

    *kind* is one of ``some no every count all first sum most least``; *value* is what ``sum``,
    ``most`` and ``least`` add up or compare; *where* is the filter (for ``every`` the claim).
    """

    kind: str
    var: Ident
    source: Expr
    where: Expr | None
    value: Expr | None = None


class Allot(Expr):
    """``every u in s has its own t in u up to e where c``: whether each can be given another.

    A member of the second set serves one, or as many as *limit* (which asks it) says.
    """

    var: Ident
    source: Expr
    own: Ident
    among: Expr
    limit: Expr | None
    where: Expr | None


class Line(Expr):
    """``line a to b whole clear of h where c across p to q where d``: a straight line of sight.

    *whole*: the line moved aside is taken as a whole.  One of its two parts may be missing;
    *leaves* and *enters* name the hexes on both sides of a hexside crossed.
    """

    start: Expr
    end: Expr
    var: Ident | None
    obstacle: Expr | None
    leaves: Ident | None = None
    enters: Ident | None = None
    barrier: Expr | None = None
    whole: bool = False


class Reach(Expr):
    """``reach t(args) via v``: the hexes where a travel may end."""

    call: Call
    via: Expr | None


class Steps(Expr):
    """``steps t(args) via v to h``: what a travel to *h* costs, or none."""

    call: Call
    via: Expr | None
    target: Expr


class Way(Expr):
    """``way t(args) via v to h``: the hexes of a cheapest way, in order."""

    call: Call
    via: Expr | None
    target: Expr


class Active(Expr):
    """``effect e``, ``effect e(args)``: whether an effect is in force, or for which values."""

    effect: Ident
    args: tuple[Expr, ...] = ()


class SetLit(Expr):
    """``{a, b}``."""

    items: tuple[Expr, ...]
