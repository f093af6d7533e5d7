"""Values: what the reference interpreter computes with.

A number is an int, a truth value 0 or 1, a member, piece or hex its index, ``none`` is −1.  A set
is a bit mask, a roll a tuple, a pile the list in the state itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

from compiler import ir
from compiler.interpreter.trace import Tracer
from runtime.board import Board

#: An int (sets too), or a tuple for a roll, or a list for a pile: the checked types tell which.
Value: TypeAlias = Any
#: The locals of a procedure or function by name.
Locals: TypeAlias = dict[str, Value]


class Evaluation(Protocol):
    """What the parts of the interpreter ask of each other (:class:`Evaluator`)."""

    program: ir.Program
    board: Board
    tracer: Tracer | None

    def value(self, expr: ir.Expr, env: Locals) -> Value: ...
    def number(self, expr: ir.Expr, env: Locals) -> int: ...
    def holds(self, condition: ir.Expr | None, env: Locals) -> bool: ...
    def members(self, source: ir.Expr, env: Locals) -> list[int]: ...
    def sequence(self, source: ir.Expr, env: Locals) -> list[int]: ...


def members_of(mask: int) -> list[int]:
    """The members of a set, ascending."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def set_of(members: Iterable[int]) -> int:
    """The set of *members*: neither ``none`` nor negative numbers are in any."""
    mask = 0
    for member in members:
        if member >= 0:
            mask |= 1 << member
    return mask
