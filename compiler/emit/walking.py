"""What loops walk through, as Python iterables."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.host import Expressions
from compiler.emit.inline import is_cheap, mentions, table_of
from compiler.trees import conjuncts


def iterable(x: Expressions, source: ir.Expr, var: str, where: ir.Expr | None) -> tuple[str, list[ir.Expr]]:
    """An iterable over the members of *source*, and what is left of the filter."""
    conditions = conjuncts(where)
    if isinstance(source, ir.Members) and conditions and x.program.watched is None:
        member = source.type.of
        if member is not None and member.kind == "piece":
            found = _indexed(x, conditions[0], var)
            if found is not None:
                return found, conditions[1:]
    return _walked(x, source), conditions


def _walked(x: Expressions, source: ir.Expr) -> str:
    match source:
        case ir.Members():
            return f"range({x.count(source)})"
        case ir.Range():
            return f"span({x.expr(source.low)}, {x.expr(source.high)})"
        case ir.Service(name="neighbors"):
            return f"NEIGHBORS[{x.expr(source.args[0])}]"
        case ir.Service(name="around"):
            return f"around(({x.expr(source.args[0])}, {x.expr(source.args[1])}))"
        case ir.Reach():
            return f"reach_{source.travel}(s{x.args(source.args)})"
        case ir.Apply() if table_of(x.program, source.name) is not None:
            return x.entry("L", source)
        case ir.Apply() if x.program.calls[source.name].kind == "function":
            return f"i_{source.name}(s{x.args(source.args)})"
        case ir.Col():
            return f"I_{source.column.enum}_{source.column.name}[{x.expr(source.key)}]"
        case ir.SetLit() if all(isinstance(i, ir.Const) for i in source.items):
            values = sorted({i.value for i in source.items if isinstance(i, ir.Const)})
            return "(" + "".join(f"{v}, " for v in values) + ")"
    if source.type.kind == "roll":
        return x.expr(source)
    return f"sorted(set({x.expr(source)}))" if source.type.kind == "pile" else f"bits({x.expr(source)})"


def _indexed(x: Expressions, condition: ir.Expr, var: str) -> str | None:
    """An index over a fixed field: ``x.side is s`` first in the filter of all pieces of a kind."""
    if not (isinstance(condition, ir.Compare) and condition.op == "=="):
        return None
    for get, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if mentions(other, var):
            continue
        if isinstance(get, ir.Common) and is_cheap(other):
            parts = [_indexed(x, replace(condition, left=one, right=other), var) for one in get.kinds]
            return x.kinds.indexed(parts, get)
        if isinstance(get, ir.Get) and _is_indexed(get, var):
            return f"s.by_{get.field.slot}[{x.expr(other)}]"
    return None


def _is_indexed(get: ir.Get, var: str) -> bool:
    """Whether there is an index over a field, and it is that of *var*.  It knows nothing of pieces whose
    field is none or computed.
    """
    field, owner = get.field, get.owner.value if isinstance(get.owner, ir.Narrow) else get.owner
    if not (field.fixed and field.type.kind == "enum") or field.type.optional:
        return False
    known = field.required or field.initial not in (None, -1)
    return known and isinstance(owner, ir.Local) and owner.name == var


_ASKED = {(">", 0): ">", ("!=", 0): ">", (">=", 1): ">", ("==", 0): "==", ("<", 1): "==", ("<=", 0): "=="}


def ends_anywhere(e: ir.Compare) -> tuple[ir.Reach, str] | None:
    """The travel of which *e* asks only whether it ends anywhere (``>``) or nowhere (``==``)."""
    match e:
        case ir.Compare(
            op=op, left=ir.Service(name="size", args=(ir.Reach() as reach,)), right=ir.Const(value=n)
        ):
            sign = _ASKED.get((op, n))
            return (reach, sign) if sign is not None else None
        case ir.Compare(("==" | "!=") as op, ir.Reach() as reach, ir.SetLit(())):
            return reach, _ASKED[op, 0]
    return None


def allot(x: Expressions, e: ir.Allot) -> str:
    """The candidates of each member are gathered; a service tells whether there is one for each."""
    w = x.w
    rows, row, room = w.temp(), w.temp(), w.temp()
    w.add(f"{rows}: list[list[int]] = []")
    depth = w.depth
    x.loop(e.var, e.source, None)
    w.add(f"{row}: list[int] = []")
    inside = w.depth
    x.loop(e.own, e.among, e.where)
    w.add(f"{row}.append(v_{e.own})")
    w.depth = inside
    x.leave()
    w.add(f"{rows}.append({row})")
    w.add(f"if not {row}:")
    w.add("    break")
    w.depth = depth
    x.leave()
    if e.limit is None:
        return f"allotted({rows})"
    w.add(f"{room}: dict[int, int] = {{}}")
    x.enter([e.own])
    w.add(f"for v_{e.own} in {{t for r in {rows} for t in r}}:")
    w.depth += 1
    w.add(f"{room}[v_{e.own}] = {x.expr(e.limit)}")
    w.depth = depth
    x.leave()
    return f"allotted({rows}, {room})"
