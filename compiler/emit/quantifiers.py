"""Quantifiers as Python: loops that set a local, or a service where one does it faster."""

from __future__ import annotations

from compiler import ir
from compiler.emit.host import Expressions
from compiler.emit.inline import unrolled
from compiler.layout import layout

#: What each kind of quantifier finds where there are no members.
_EMPTY = {"some": "False", "no": "True", "every": "True", "first": "-1"}


def quantifier(x: Expressions, e: ir.Quant) -> str:
    """A local that a loop over the members sets, or an expression where none is needed."""
    chain = unrolled(x.program, e)
    if chain is not None:
        return x.expr(chain)
    joined = _joined(x, e)
    if joined is not None:
        return joined
    w = x.w
    name = w.temp()
    w.add(f"{name} = {_EMPTY.get(e.kind, '0')}")
    seen = ""
    if e.kind in ("most", "least"):
        seen = w.temp()
        w.add(f"{seen} = False")
    depth = w.depth
    x.loop(e.var, e.source, None if e.kind == "every" else e.where)
    _turn(x, e, name, seen)
    w.depth = depth
    x.leave()
    return name


def _turn(x: Expressions, e: ir.Quant, name: str, seen: str) -> None:
    """What is done with a member; *seen* tells whether there was one before."""
    w, var = x.w, f"v_{e.var}"
    match e.kind:
        case "some" | "no":
            w.add(f"{name} = {e.kind == 'some'}")
            w.add("break")
        case "every":
            assert e.where is not None
            w.add(f"if not {x.expr(e.where)}:")
            w.add(f"    {name} = False")
            w.add("    break")
        case "count":
            w.add(f"{name} += 1")
        case "all":
            # In a view, piles hold cards that are not known: they are in no set.
            w.add(f"{name} |= BIT[{var}]" if isinstance(e.source, ir.Pile) else f"{name} |= 1 << {var}")
        case "first":
            w.add(f"{name} = {var}")
            w.add("break")
        case "sum":
            assert e.value is not None
            w.add(f"{name} {'|' if e.type.kind == 'set' else '+'}= {x.expr(e.value)}")
        case _:
            assert e.value is not None
            value = x.simple(e.value)
            w.add(f"if not {seen} or {value} {'>' if e.kind == 'most' else '<'} {name}:")
            w.add(f"    {name} = {value}")
            w.add(f"    {seen} = True")


def _joined(x: Expressions, e: ir.Quant) -> str | None:
    """The union of a field of hexes, or of their neighbours, over a set of hexes: a service is faster."""
    if (
        x.program.watched is not None
        or e.kind != "sum"
        or e.type.kind != "set"
        or e.where is not None
        or e.source.type.kind != "set"
    ):
        return None
    match e.value:
        case ir.Get(owner=ir.Local(name=e.var)) as get:
            service = "fixed_union" if dict(layout(x.program)).get(get.field.slot) == "fixed" else "union"
            return f"{service}(s.{get.field.slot}, {x.expr(e.source)})"
        case ir.Service(name="neighbors", args=(ir.Local(name=e.var),)):
            return f"fringe({x.expr(e.source)})"
    return None
