"""Lines between hexes as Python: loops over the gates or passages of a line."""

from __future__ import annotations

from compiler import ir
from compiler.emit.host import Expressions
from compiler.trees import bound_by


def line(x: Expressions, e: ir.Line) -> str:
    """Whether a line is free: a local that the loops before it set."""
    if e.barrier is not None or e.obstacle is None or e.whole:
        return _crossing_line(x, e)
    w = x.w
    name = w.temp()
    gate = w.temp()
    start, end = x.expr(e.start), x.expr(e.end)
    w.add(f"{name} = True")
    x.enter([e.var])
    w.add(f"for {gate} in lines(({start}, {end})):")
    w.depth += 1
    w.add(f"for v_{e.var} in {gate}:")
    w.depth += 1
    x.unless(e.obstacle, "break")
    w.depth -= 1
    return _stopped(x, name)


def _crossing_line(x: Expressions, e: ir.Line) -> str:
    """A line that hexsides may stop: on each passage some way round must be free all along."""
    w = x.w
    name, passage, way = w.temp(), w.temp(), w.temp()
    end = x.simple(e.end)
    start = x.expr(e.start)
    w.add(f"{name} = True")
    x.enter(list(bound_by(e)))
    w.add(f"for {passage} in BOARD.{'wholes' if e.whole else 'passages'}({start}, {end}):")
    w.depth += 1
    w.add(f"for {way} in {passage}:")
    w.depth += 1
    leaves, enters = (f"v_{e.leaves}", f"v_{e.enters}") if e.barrier is not None else ("_", w.temp())
    w.add(f"for {leaves}, {enters} in {way}:")
    w.depth += 1
    if e.obstacle is not None:
        w.add(f"if {enters} != {end}:")
        w.depth += 1
        w.add(f"v_{e.var} = {enters}")
        _break_when(x, e.obstacle)
        w.depth -= 1
    if e.barrier is not None:
        _break_when(x, e.barrier)
    w.depth -= 1
    w.add("else:")
    w.add("    break")
    w.depth -= 1
    return _stopped(x, name)


def _stopped(x: Expressions, name: str) -> str:
    """The end of a line's loops: where no way was found past a place, the line is blocked."""
    w = x.w
    w.add("else:")
    w.depth += 1
    w.add(f"{name} = False")
    w.add("break")
    w.depth -= 2
    x.leave()
    return name


def _break_when(x: Expressions, condition: ir.Expr) -> None:
    x.w.add(f"if {x.expr(condition)}:")
    x.w.add("    break")
