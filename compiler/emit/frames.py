"""Which locals the blocks of a procedure mention, and which of them stand in its frame."""

from __future__ import annotations

from collections.abc import Iterable

from compiler import ir
from compiler import lowered as low
from compiler.trees import expressions_of, locals_of, statements_of, walk


def expressions(block: low.BasicBlock) -> list[ir.Expr]:
    """All expressions directly in the steps of a block and in its terminator."""
    return [*expressions_of(block.body), *(e for e in _ending(block.terminator) if e is not None)]


def _ending(end: low.Terminator) -> Iterable[ir.Expr | None]:
    match end:
        case low.Branch():
            return (end.test,)
        case low.Call():
            return end.args
        case low.Iterate():
            return (end.where,)
        case low.Return():
            return (end.value,)
        case low.Suspend(node=node):
            if isinstance(node, ir.Choose):
                return (node.by, node.pass_when, node.veil, *node.about, node.source, node.where)
            asked = (e for branch in node.branches for e in branch.asked)
            return (node.by, node.pass_when, node.veil, *node.about, *asked)
    return ()


def _given(stmt: ir.Stmt) -> set[str]:
    """The locals that a step gives a value."""
    match stmt:
        case ir.Let() | low.TakeResult() | low.Collect() | ir.Roll() | ir.Draw() | ir.DrawFrom():
            return {stmt.name}
        case ir.Each():
            return {stmt.var}
        case ir.Do(target=str() as target):
            return {target}
    return set()


def _answered(node: ir.Choose | ir.Offer) -> set[str]:
    """The locals that take an answer."""
    return {node.var} if isinstance(node, ir.Choose) else {v for b in node.branches for v in b.variables}


def block_locals(block: low.BasicBlock) -> set[str]:
    """The locals that a block mentions."""
    names: set[str] = set()
    for e in expressions(block):
        names |= locals_of(e)
    for stmt in statements_of(block.body):
        names |= _given(stmt)
    match block.terminator:
        case low.Iterate() as end:
            names |= {end.items, end.position, end.var}
        case low.Resume(node=node):
            names |= _answered(node)
    return names


def candidates(block: low.BasicBlock) -> set[str]:
    """The locals that only stand for a candidate while options are looked for."""
    end = block.terminator
    return _answered(end.node) if isinstance(end, low.Suspend) else set()


def kept_locals(lowered: low.Lowered, procedure: ir.Procedure) -> dict[str, int]:
    """The locals of a procedure that stand in its frame, with their places: parameters, and what several
    blocks mention.
    """
    uses: dict[str, int] = {}
    for b in lowered.by_procedure.get(procedure.name, ()):
        for name in block_locals(b) - candidates(b):
            uses[name] = uses.get(name, 0) + 1
    params = {p.name for p in procedure.params}
    return {
        name: at
        for name, at in lowered.slots[procedure.name].items()
        if uses.get(name, 0) > 1 or name in params
    }


def rows_of(blocks: list[low.BasicBlock]) -> set[str]:
    """The locals that hold several values: rolls, ways, what is walked through.  Until they are set they
    are 0.
    """
    given = {s.name for b in blocks for s in statements_of(b.body) if isinstance(s, low.Collect | ir.Roll)}
    used = (e for b in blocks for root in expressions(b) for e in walk(root) if isinstance(e, ir.Local))
    return given | {e.name for e in used if e.type.kind == "roll"}
