"""Which locals the blocks of a procedure mention, and which of them stand in its frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from compiler import ir
from compiler import lowered as low
from compiler.printer import Printer
from compiler.trees import (
    child_expressions,
    expressions_of,
    locals_of,
    statements_of,
    step_expressions,
    walk,
)
from compiler.types import INT
from runtime.model import NONE, TypeSpec, WaitSpec


def expressions(block: low.BasicBlock) -> list[ir.Expr]:
    """All expressions directly in the steps of a block and in its terminator."""
    end = block.terminator
    asked = step_expressions(end.node) if isinstance(end, low.Suspend) else child_expressions(end)
    return [*expressions_of(block.body), *asked]


def _assigned_locals(stmt: ir.Stmt) -> set[str]:
    """The locals that a step gives a value."""
    match stmt:
        case ir.Let() | low.TakeResult() | low.Collect() | ir.Roll() | ir.Draw() | ir.DrawFrom():
            return {stmt.name}
        case ir.Each():
            return {stmt.var}
        case ir.Do(target=str() as target):
            return {target}
    return set()


def _answer_locals(node: ir.Choose | ir.Offer) -> set[str]:
    """The locals that take an answer."""
    if isinstance(node, ir.Choose):
        return {node.var}
    return {v for b in node.branches for v in b.variables}


def block_locals(block: low.BasicBlock) -> set[str]:
    """The locals that a block mentions."""
    names: set[str] = set()
    names.update(
        *map(locals_of, expressions(block)), *map(_assigned_locals, statements_of(block.body))
    )
    match block.terminator:
        case low.Iterate() as end:
            names |= {end.items, end.position, end.var}
        case low.Resume(node=node):
            names |= _answer_locals(node)
    return names


def candidates(block: low.BasicBlock) -> set[str]:
    """The locals that only stand for a candidate while options are looked for."""
    end = block.terminator
    return _answer_locals(end.node) if isinstance(end, low.Suspend) else set()


def kept_locals(
    blocks: Iterable[low.BasicBlock], places: Mapping[str, int], procedure: ir.Procedure
) -> dict[str, int]:
    """The locals in a procedure's frame, with their places: parameters, and what blocks share."""
    uses: Counter[str] = Counter()
    for b in blocks:
        uses.update(block_locals(b) - candidates(b))
    params = {p.name for p in procedure.params}
    return {name: at for name, at in places.items() if uses[name] > 1 or name in params}


def rows_of(blocks: Collection[low.BasicBlock]) -> set[str]:
    """The locals that hold several values (rolls, ways, what is walked through), 0 until set."""
    given = {
        stmt.name
        for b in blocks
        for stmt in statements_of(b.body)
        if isinstance(stmt, low.Collect | ir.Roll)
    }
    used = (e for b in blocks for root in expressions(b) for e in walk(root))
    return given | {e.name for e in used if isinstance(e, ir.Local) and e.type.kind == "roll"}


#: What a block takes besides locals: the answer to a decision, what a procedure has returned.
ANSWER, RESULT = -1, -2


def written_first(block: low.BasicBlock) -> set[str]:
    """Locals that the block's answer or its first steps set before anything reads them."""
    if isinstance(block.terminator, low.Resume) and not block.body:
        return block_locals(block)
    written: set[str] = set()
    mentioned: set[str] = set()
    for stmt in block.body:
        if isinstance(stmt, low.TakeResult) or (
            isinstance(stmt, ir.Let) and stmt.name not in mentioned | locals_of(stmt.value)
        ):
            written.add(stmt.name)
        mentioned |= block_locals(low.BasicBlock(0, "", (stmt,), low.Return(None)))
    return written


def live_places(
    blocks: Iterable[low.BasicBlock], kept: Mapping[str, int], live: Mapping[int, set[str]]
) -> list[tuple[int, ...]]:
    """Of each block, the places of the frame that are read from it on before they are written, and
    ``ANSWER`` or ``RESULT`` where it takes these.
    """
    needed = []
    for block in blocks:
        taken = [ANSWER] if isinstance(block.terminator, low.Resume) else []
        taken += [RESULT] if any(isinstance(s, low.TakeResult) for s in block.body) else []
        places = sorted(kept[local] for local in live[block.index] if local in kept)
        needed.append((*taken, *places))
    return needed


def frame_types(procedure: ir.Procedure) -> dict[str, TypeSpec]:
    """The types of what the frame of a procedure may hold."""
    types = {local: type_.spec() for local, type_ in procedure.locals}
    return types | _hidden_types(procedure)


def _hidden_types(procedure: ir.Procedure) -> dict[str, TypeSpec]:
    """The types of the hidden locals of loops; of those that hold what is walked through, that of
    rolls.
    """
    types: dict[str, TypeSpec] = {}
    for stmt in statements_of(procedure.body):
        if isinstance(stmt, ir.Each):
            source = stmt.source.type
            of = source.of.spec() if source.of is not None else TypeSpec("enum", source.name)
            types[f"_items_{stmt.var}"] = TypeSpec("roll", of=of)
            types[f"_next_{stmt.var}"] = INT.spec()
    return types


def waits(
    blocks: Iterable[low.BasicBlock],
    inside: Mapping[int, tuple[str, ...]],
    kept: Mapping[str, int],
    live: Mapping[int, set[str]],
    printer: Printer,
) -> Iterator[WaitSpec]:
    """Where a procedure waits; *inside*: by block, the stretches around it."""
    for block in blocks:
        match block.terminator:
            case low.Suspend(node=node, next=after):
                what, again = node.decision.prompt, block.index
                text = printer.question(node).partition(" [decision")[0]
            case low.Call(procedure=what, args=args, next=after):
                again, text = NONE, ", ".join(map(printer.expr, args))
            case _:
                continue
        read = live[after] if again == NONE else live[again]
        needed = tuple(local for local in kept if local in read)
        yield WaitSpec(after, again, what, crc32(text.encode()), inside[after], needed)


def live_locals(blocks: Sequence[low.BasicBlock]) -> dict[int, set[str]]:
    """The locals of a procedure that are read from each of its blocks on."""
    read: dict[int, set[str]] = {}
    given: dict[int, set[str]] = {}
    followers = {block.index: low.followers(block) for block in blocks}
    for block in blocks:
        given[block.index] = written_first(block)
        read[block.index] = block_locals(block) - candidates(block) - given[block.index]
        if isinstance(block.terminator, low.Iterate) and not block.body:
            given[block.index].add(block.terminator.var)
            read[block.index].discard(block.terminator.var)
    live = {index: set(names) for index, names in read.items()}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            after = set().union(*(live[i] for i in followers[block.index]))
            wanted = read[block.index] | after - given[block.index]
            if not wanted <= live[block.index]:
                live[block.index] |= wanted
                changed = True
    return live
