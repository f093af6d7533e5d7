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
from compiler.trees import multiplies_freely, statements_of, walk
from runtime.model import closed_slots


@dataclass(frozen=True)
class MemoInfo:
    """What the values of the remembered function of this *number* hang on."""

    number: int
    #: the slots that it reads without asking a remembered function
    own: frozenset[str]
    #: all slots
    slots: frozenset[str]
    #: whether it asks remembered functions
    asks: bool
    #: whether it may be asked although nobody needs to know: it fails for no argument, and all see
    #: what it reads
    harmless: bool


def memo_infos(program: ir.Program) -> dict[str, MemoInfo]:
    """The remembered functions, by name."""
    closed = closed_slots(program.fields.values(), program.piles.values())
    names = [call.name for call in program.calls.values() if call.remembered]
    kept = {}
    for number, name in enumerate(names):
        call = program.calls[name]
        own, asks = _direct_reads(program, call)
        harmless = closed.isdisjoint(call.reads) and not _may_fail(program, call)
        kept[name] = MemoInfo(number, frozenset(own), call.reads, asks, harmless)
    return kept


def _may_fail(program: ir.Program, call: ir.Callable) -> bool:
    """Whether there may be no value: no rule decides, numbers or repetitions grow without end."""
    ahead, seen = [f"call {call.name}"], {f"call {call.name}"}
    while ahead:
        kind, _, name = ahead.pop().partition(" ")
        if kind == "travel":
            parts = travel_expressions(program.travels[name])
        else:
            asked = program.calls[name]
            parts = call_expressions(asked)
            sure = any(rule.when is None and not rule.suspended for rule in asked.roots)
            if asked.kind == "quantity" and not sure:
                return True
            if any(map(_endless, statements_of(asked.steps))):
                return True
        for e in (e for part in parts for e in walk(part)):
            if isinstance(e, ir.Range) or (isinstance(e, ir.Op) and multiplies_freely(e)):
                return True
        further = direct_reads(program.place_of, parts)[1] - seen
        ahead += further
        seen |= further
    return False


def _endless(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Repeat) and not isinstance(stmt.times, ir.Const)


def _direct_reads(program: ir.Program, call: ir.Callable) -> tuple[set[str], bool]:
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
