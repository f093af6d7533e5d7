"""Travels as Python functions: ``travel_t``, ``reach_t``, and ``way_t`` where some rule asks for ways."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.carrying import emit_carrying
from compiler.emit.emission import Emission
from compiler.emit.inline import fold_calls
from compiler.emit.searching import emit_searching
from compiler.emit.writer import Code, Writer, arguments, parameters
from compiler.ir.travels import TravelInfo


def emit_travel(program: Emission, travel: TravelInfo) -> list[Code]:
    """A travel: ``travel_t`` gives the cost of every hex where it may end, ``reach_t`` those hexes.

    Asked for a *target* the first may leave out all other hexes, and asked for −2 all but one.
    """
    ways = f"travel {travel.name}" in program.ways
    if travel.carried:
        search, *way = emit_carrying(program, travel, ways)
    else:
        search, *way = emit_searching(program, _folded(program, travel), ways)
    return [search, _reach(travel), *way]


def _folded(program: Emission, travel: TravelInfo) -> TravelInfo:
    """*travel* without what this ruleset leaves always the same: a permission that no rule speaks of."""

    def known(e: ir.Expr | None, idle: int) -> ir.Expr | None:
        found = None if e is None else fold_calls(program, e)
        return None if isinstance(found, ir.Const) and found.value == idle else found

    enter = fold_calls(program, travel.enter)
    return replace(travel, enter=enter, halt=known(travel.halt, 0), end=known(travel.end, 1))


def _reach(travel: TravelInfo) -> Code:
    w = Writer(f"reach_{travel.name}", travel.span)
    w.add(f"def reach_{travel.name}(s: State{parameters(travel.params)}) -> list[int]:")
    w.add(f"    return sorted(travel_{travel.name}(s{arguments(travel.params)}))")
    return w.code
