"""Which locals the blocks of a procedure mention, and which of them stand in its frame."""

from __future__ import annotations

from collections import Counter

from compiler import ir
from compiler import lowered as low
from compiler.trees import asked_by, expressions_of, locals_of, parts_of, statements_of, walk


def expressions(block: low.BasicBlock) -> list[ir.Expr]:
    """All expressions directly in the steps of a block and in its terminator."""
    end = block.terminator
    asked = asked_by(end.node) if isinstance(end, low.Suspend) else parts_of(end)
    return [*expressions_of(block.body), *asked]


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
    if isinstance(node, ir.Choose):
        return {node.var}
    return {v for b in node.branches for v in b.variables}


def block_locals(block: low.BasicBlock) -> set[str]:
    """The locals that a block mentions."""
    names: set[str] = set()
    names.update(*map(locals_of, expressions(block)), *map(_given, statements_of(block.body)))
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
    """The locals in a procedure's frame, with their places: parameters, and what blocks share."""
    uses: Counter[str] = Counter()
    for b in lowered.by_procedure.get(procedure.name, ()):
        uses.update(block_locals(b) - candidates(b))
    params = {p.name for p in procedure.params}
    return {
        name: at
        for name, at in lowered.slots[procedure.name].items()
        if uses[name] > 1 or name in params
    }


def rows_of(blocks: list[low.BasicBlock]) -> set[str]:
    """The locals that hold several values (rolls, ways, what is walked through), 0 until set."""
    given = {
        stmt.name
        for b in blocks
        for stmt in statements_of(b.body)
        if isinstance(stmt, low.Collect | ir.Roll)
    }
    used = (e for b in blocks for root in expressions(b) for e in walk(root))
    return given | {e.name for e in used if isinstance(e, ir.Local) and e.type.kind == "roll"}
