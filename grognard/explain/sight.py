"""What stops a line of sight: the first place past which no way leads, for explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from compiler import ir
from compiler.interpreter import Evaluator
from runtime.board import Passage

#: How many functions deep a line is looked for.
_DEEPEST: Final = 4


def stopped_lines(
    x: Evaluator, expr: ir.Expr, env: Mapping[str, Any], depth: int = 0
) -> Iterator[tuple[ir.Line, Mapping[str, Any]]]:
    """The lines in a condition, and in the functions it calls, that are not clear; each with the locals it
    stands among.
    """
    if isinstance(expr, ir.Line):
        if not x.holds(expr, dict(env)):
            yield expr, env
        return
    if isinstance(expr, ir.Quant):
        return  # its locals have no single value
    if isinstance(expr, ir.Apply):
        call = x.program.calls[expr.name]
        if call.body is not None and depth < _DEEPEST:
            args = [x.value(a, dict(env)) for a in expr.args]
            yield from stopped_lines(
                x, call.body, dict(zip((p.name for p in call.params), args, strict=True)), depth + 1
            )
    for name in expr.__dataclass_fields__:
        value = getattr(expr, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, ir.Expr):
                yield from stopped_lines(x, item, env, depth)


def blockers(x: Evaluator, line: ir.Line, env: Mapping[str, Any]) -> list[str]:
    """What stops a line that is not clear, in words: one thing, or one for each of two ways round."""
    start, end = x.number(line.start, dict(env)), x.number(line.end, dict(env))
    if start < 0 or end < 0:
        return ["one of its ends being off the board"]
    by_hexes = line.barrier is None and not line.whole
    for passage in (
        _gates(x, start, end)
        if by_hexes
        else x.board.wholes(start, end)
        if line.whole
        else x.board.passages(start, end)
    ):
        found = [_stop(x, line, dict(env), way, end) for way in passage]
        if all(found):
            return list(dict.fromkeys(stop for stop in found if stop)) or ["the edge of the board"]
    return []


def _gates(x: Evaluator, start: int, end: int) -> Iterator[Passage]:
    """The hexes that a line meets, each as a way of one step."""
    for gate in x.board.lines(start, end):
        yield tuple(((start, h),) for h in gate)


def _stop(
    x: Evaluator, line: ir.Line, env: dict[str, Any], way: tuple[tuple[int, int], ...], end: int
) -> str:
    """The first thing on a way that stops the line."""
    label = x.board.label
    for p, q in way:
        if line.barrier is not None and x.holds(line.barrier, {**env, line.leaves: p, line.enters: q}):
            return f"the hexside from {label(p)} to {label(q)}"
        if line.obstacle is not None and q != end and x.holds(line.obstacle, {**env, line.var: q}):
            return label(q)
    return ""
