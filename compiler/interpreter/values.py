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
from runtime.model import NONE

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


class _Kind(Protocol):
    """A type, the checker's or the engine's."""

    @property
    def kind(self) -> str: ...
    @property
    def optional(self) -> bool: ...


def is_index(type_: _Kind) -> bool:
    """Whether values are indices of members, pieces or hexes, so that −1 is none of them."""
    return type_.kind in ("enum", "piece", "hex", "none")


def zero_of(type_: _Kind) -> int:
    """The zero of a type (SPEC §2): what reading a field of ``none`` gives."""
    return NONE if type_.optional or is_index(type_) else 0


def members_of(mask: int) -> list[int]:
    """The members of a set, ascending."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def set_of(members: Iterable[int]) -> int:
    """The set of *members*: neither ``none`` nor negative numbers are in any."""
    mask = 0
    for member in members:
        if member >= 0:
            mask |= 1 << member
    return mask
