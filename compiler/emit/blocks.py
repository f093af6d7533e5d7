"""Blocks of procedures that can ask, as Python: one function each."""

from __future__ import annotations

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.emit.frames import block_locals, candidates, kept_locals, rows_of
from compiler.emit.procedures import StatementEmitter
from compiler.emit.writer import Code, Writer
from compiler.liveness import alike_kinds
from compiler.trees import locals_of
from runtime.model import MASK, PASS, SECOND, SHIFT


def emit_blocks(program: Emission, lowered: low.Lowered, procedure: ir.Procedure) -> list[Code]:
    """The blocks of one procedure."""
    blocks = lowered.by_procedure.get(procedure.name, [])
    kept, rows = kept_locals(lowered, procedure), rows_of(blocks)
    return [_block(program, lowered, procedure, b, kept, block_locals(b), rows) for b in blocks]


def _block(
    program: Emission,
    lowered: low.Lowered,
    procedure: ir.Procedure,
    block: low.BasicBlock,
    kept: dict[str, int],
    mentioned: set[str],
    rows: set[str],
) -> Code:
    w = Writer(
        f"b{block.index}_{procedure.name}",
        block.span if block.span.file == procedure.span.file else procedure.span,
    )
    w.add(f"def b{block.index}_{procedure.name}(s: State, f: list[Any]) -> bool:")
    w.depth = 1
    frame = dict(kept)
    emitter = StatementEmitter(program, w, frame, lowered)
    emitter.secrets = {kept[name]: known for name, known in procedure.secrets.items() if name in kept}
    looked_for = candidates(block)
    written = _written_first(block)
    for name in sorted(mentioned, key=lambda n: kept.get(n, 0)):
        if name in kept and name not in looked_for and name not in written:
            row = name in rows
            w.add(
                f"v_{name}: {'tuple[int, ...]' if row else 'int'} = f[{kept[name]}]{' or ()' if row else ''}"
            )
    if block.index == lowered.entry[procedure.name]:
        emitter.x.note(f"procedure {procedure.name}")
    if block.body:
        emitter.steps(block.body)
    _end(program, lowered, emitter, block)
    return w.code


def _written_first(block: low.BasicBlock) -> set[str]:
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


def _next(lowered: low.Lowered, block: low.BasicBlock, target: int) -> str | None:
    """The call of a block that comes later in the same procedure; one that may come again waits for its
    turn.
    """
    if target <= block.index:
        return None
    return f"b{target}_{lowered.blocks[target].procedure}(s, f)"


def _go(w: Writer, lowered: low.Lowered, block: low.BasicBlock, target: int) -> None:
    call = _next(lowered, block, target)
    if call is None:
        w.add(f"f[0] = {target}")
        w.add("return False")
    else:
        w.add(f"return {call}")


def _end(program: Emission, lowered: low.Lowered, emitter: StatementEmitter, block: low.BasicBlock) -> None:
    w, x, end = emitter.w, emitter.x, block.terminator
    if isinstance(end, low.Return):
        emitter.finish(end.value)
    elif isinstance(end, low.Jump):
        _go(w, lowered, block, end.target)
    elif isinstance(end, low.Branch):
        w.place = end.test.span
        w.add(f"if {x.expr(end.test)}:")
        w.depth += 1
        _go(w, lowered, block, end.then)
        w.depth -= 1
        _go(w, lowered, block, end.orelse)
    elif isinstance(end, low.Call):
        _invoke(program, lowered, emitter, end)
    elif isinstance(end, low.Iterate):
        _walk(emitter, lowered, block, end)
    elif isinstance(end, low.Suspend):
        _ask(program, emitter, lowered, block, end)
    else:
        _answer(emitter, lowered, block, end)


def _invoke(program: Emission, lowered: low.Lowered, emitter: StatementEmitter, end: low.Call) -> None:
    w, x = emitter.w, emitter.x
    w.place = lowered.blocks[end.next].span
    procedure = program.procedures[end.procedure]
    args = [x.simple(a) if i == 0 and procedure.cases else x.expr(a) for i, a in enumerate(end.args)]
    first = f"E_{procedure.name}[{args[0]}]" if procedure.cases else str(lowered.entry[procedure.name])
    blanks = lowered.sizes[procedure.name] - 1 - len(args)
    frame = ", ".join([first, *args, *(["0"] * blanks)])
    _forget(emitter)
    w.add(f"f[0] = {end.next}")
    w.add(f"n: list[Any] = [{frame}]")
    w.add("s.frames.append(n)")
    w.add("if len(s.frames) > 120:")
    w.add(f'    raise RulesetFault("procedure {procedure.name} calls itself without end")')
    if procedure.cases:
        w.add("return False")
    else:
        w.add(f"return b{first}_{procedure.name}(s, n)")


def _walk(emitter: StatementEmitter, lowered: low.Lowered, block: low.BasicBlock, end: low.Iterate) -> None:
    w, x = emitter.w, emitter.x
    items, position = f"v_{end.items}", f"v_{end.position}"
    w.add(f"while {position} < len({items}):")
    w.depth += 1
    emitter.assign(end.var, f"{items}[{position}]")
    emitter.assign(end.position, f"{position} + 1")
    if end.where is not None:
        x.unless(end.where, "continue")
    _go(w, lowered, block, end.body)
    w.depth -= 1
    _go(w, lowered, block, end.done)


def _ask(
    program: Emission,
    emitter: StatementEmitter,
    lowered: low.Lowered,
    block: low.BasicBlock,
    end: low.Suspend,
) -> None:
    w, x, node = emitter.w, emitter.x, end.node
    w.add("o: list[int] = []")
    if isinstance(node, ir.Choose):
        depth = w.depth
        x.loop(node.var, node.source, node.where)
        w.add(f"o.append(v_{node.var})")
        w.depth = depth
        x.leave()
    else:
        for number, branch in enumerate(node.branches):
            _options(emitter, number, branch)
    w.place = node.span
    kinds = alike_kinds(program)
    if any(t.kind == "piece" and t.name in kinds for option in node.decision.options for t in option.values):
        w.add("if s.pools is not None:")
        w.add(f"    f[0] = {end.next}")
        w.add(f"    o = merged(s, o, {node.decision.index}, told_apart(s, LIVE))")
    side = x.simple(node.by)
    unasked = _unasked(emitter, node, side)
    if unasked:
        w.add(f"if {' or '.join(unasked)}:")
        w.depth += 1
        _go(w, lowered, block, end.empty)
        w.depth -= 1
    passing = node.decision.passing is not None
    if passing:
        if node.pass_when is not None:
            w.add(f"if {x.expr(node.pass_when)}:")
            w.add(f"    o.append({PASS})")
        else:
            w.add(f"o.append({PASS})")
    w.add(f"f[0] = {end.next}")
    if not passing or node.pass_when is not None:
        w.add(
            "if len(o) == 1:" if not passing or node.veil is None else f"if len(o) == 1 and o[0] != {PASS}:"
        )
        w.depth += 1
        w.add("s.answer = o[0]")
        w.add("if s.events is not None:")
        w.add(f"    s.took({node.decision.index}, {side})")
        _go(w, lowered, block, end.next)
        w.depth -= 1
    _forget(emitter, node.decision.index)
    w.add(f"s.chooser = {side}")
    w.add(f"s.point = {node.decision.index}")
    if node.about:
        w.add("s.about = (" + "".join(f"{x.expr(e)}, " for e in node.about) + ")")
    w.add("s.options = o")
    w.add("return True")


def _unasked(emitter: StatementEmitter, node: ir.Choose | ir.Offer, side: str) -> list[str]:
    """The tests one of which leaves the question unasked."""
    tests = []
    if node.decision.passing is None or node.veil is None:
        tests.append("not o")
    else:
        needed = [
            emitter.x.expr(e)
            for e in (node.veil, node.pass_when)
            if e is not None and not isinstance(e, ir.Const)
        ]
        if needed:
            tests.append(f"not o and not ({' and '.join(needed)})")
    if not isinstance(node.by, ir.Const):
        tests.append(f"{side} < 0")
    return tests


def _forget(emitter: StatementEmitter, decision: int | None = None) -> None:
    """Take out of the frame what was chosen secretly and nobody asks for any more: others may look at the
    state.
    """
    for slot, known in sorted(emitter.secrets.items()):
        if decision not in known:
            emitter.w.add(f"f[{slot}] = -1")


def _options(emitter: StatementEmitter, number: int, branch: ir.Branch) -> None:
    w, x = emitter.w, emitter.x
    depth = w.depth
    w.place = branch.span
    if branch.when is not None:
        w.add(f"if {x.expr(branch.when)}:")
        w.depth += 1
    if branch.var is None or branch.source is None:
        w.add(f"o.append({number << SHIFT})")
    else:
        x.loop(branch.var, branch.source, branch.where)
        value = f"v_{branch.var}" if number == 0 else f"{number << SHIFT} | v_{branch.var}"
        if branch.second is not None:
            x.loop(branch.second.var, branch.second.source, branch.second.where)
            value = f"{value} | v_{branch.second.var} << {SECOND}"
            x.leave()
        w.add(f"o.append({value})")
        x.leave()
    w.depth = depth


def _answer(emitter: StatementEmitter, lowered: low.Lowered, block: low.BasicBlock, end: low.Resume) -> None:
    w, node = emitter.w, end.node
    if isinstance(node, ir.Choose):
        emitter.assign(node.var, "s.answer")
        w.add(f"if v_{node.var} >= 0:")
        w.depth += 1
        _go(w, lowered, block, end.targets[0])
        w.depth -= 1
        _go(w, lowered, block, end.passed)
        return
    w.add("a = s.answer")
    if node.decision.passing is not None:
        w.add("if a < 0:")
        w.depth += 1
        _go(w, lowered, block, end.passed)
        w.depth -= 1
    if len(node.branches) > 1:
        pairs = any(branch.second is not None for branch in node.branches)
        w.add(f"k = a >> {SHIFT} & {MASK}" if pairs else f"k = a >> {SHIFT}")
    for number, (branch, target) in enumerate(zip(node.branches, end.targets, strict=True)):
        depth = w.depth
        last = number + 1 == len(node.branches)
        if not last:
            w.add(f"if k == {number}:")
            w.depth += 1
        emitter.x.note(f"option {branch.name} of {node.decision.procedure}")
        if branch.var is not None:
            emitter.assign(
                branch.var, "a" if number == 0 and last and branch.second is None else f"a & {MASK}"
            )
        if branch.second is not None:
            emitter.assign(branch.second.var, f"a >> {SECOND}")
        _go(w, lowered, block, target)
        w.depth = depth
    if not node.branches:
        _go(w, lowered, block, end.passed)
