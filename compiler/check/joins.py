"""Advice: distances that rules compare although the board has joins, over which ``distance`` does not
count.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.check.analysis import call_expressions, travel_expressions
from compiler.check.draft import Draft
from compiler.trees import expressions_of, walk


def far_distances(program: Draft) -> Iterator[ir.Expr]:
    """Where rules ask more of a distance than whether two hexes are adjacent."""
    for expr in _all(program):
        yield from (e for e in walk(expr) if _far(e))


def _far(e: ir.Expr) -> bool:
    if isinstance(e, ir.Compare):
        return _bounded(e, e.left, e.right) or _bounded(e, e.right, e.left)
    return isinstance(e, ir.Service) and e.name == "around" and e.args[1] != ir.Const(1, type=e.args[1].type)


def _bounded(e: ir.Compare, one: ir.Expr, other: ir.Expr) -> bool:
    """Whether *one* holds a distance that is compared with more than the distance of neighbours."""
    if not any(isinstance(x, ir.Service) and x.name == "distance" for x in walk(one)):
        return False
    if not (isinstance(one, ir.Service) and isinstance(other, ir.Const)):
        return True
    low = 2 if e.op in (("<", ">=") if one is e.left else (">", "<=")) else 1
    return other.value > low


def _all(program: Draft) -> Iterator[ir.Expr]:
    for call in program.calls.values():
        yield from call_expressions(call)
    for travel in program.travels.values():
        if travel.via_of is None:
            yield from travel_expressions(travel)
    for procedure in program.procedures.values():
        yield from expressions_of(procedure.body)
    for check in program.checks.values():
        yield check.when
        yield from expressions_of(check.body)
