"""What remembered functions hang on: the slots that they read, themselves and by way of others.

A value is worked out again when a slot was written that the function reads itself, or by way of
what is not remembered.  Where it asks other remembered functions, it stays as long as these give
what they gave.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler import ir
from compiler.check.analysis import call_expressions, direct_reads, travel_expressions
from compiler.layout import changing


@dataclass(frozen=True)
class Kept:
    """What the values of the remembered function of this *number* hang on."""

    number: int
    #: the slots that it reads without asking a remembered function
    own: frozenset[str]
    #: all slots
    slots: frozenset[str]
    #: whether it asks remembered functions
    asks: bool


def kept_values(program: ir.Program) -> dict[str, Kept]:
    """The remembered functions, by name."""
    moving = changing(program.procedures, program.checks, program.fields)
    names = [call.name for call in program.calls.values() if call.remembered]
    kept = {}
    for number, name in enumerate(names):
        own, asks = _own(program, program.calls[name])
        slots = program.calls[name].reads & moving
        kept[name] = Kept(number, frozenset(own & moving), slots, asks)
    return kept


def _own(program: ir.Program, call: ir.Callable) -> tuple[set[str], bool]:
    """The slots that a call reads without asking a remembered function, and whether it asks one."""
    slots, used = direct_reads(program.place_of, call_expressions(call))
    ahead, seen, asks = list(used), set(used), False
    while ahead:
        kind, _, name = ahead.pop().partition(" ")
        if kind == "call" and program.calls[name].remembered:
            asks = True
            continue
        parts: Iterable[ir.Expr]
        if kind == "call":
            parts = call_expressions(program.calls[name])
        else:
            parts = travel_expressions(program.travels[name])
        more, further = direct_reads(program.place_of, parts)
        slots |= more
        ahead += further - seen
        seen |= further
    return slots, asks
