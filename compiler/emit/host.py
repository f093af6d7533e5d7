"""What writes expressions, as those see it that write parts of them."""

from __future__ import annotations

from typing import Protocol

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.writer import Writer


class Expressions(Protocol):
    """Writes the expressions of one function: :class:`compiler.emit.expressions.ExpressionEmitter`."""

    program: Emission
    w: Writer

    def expr(self, e: ir.Expr) -> str:
        """Python text for the value of *e*."""

    def simple(self, e: ir.Expr) -> str:
        """The same, as a name or number that can be repeated."""

    def member(self, item: str, source: ir.Expr, node: ir.Expr | None = None) -> str:
        """Python text for whether *item* is among *source*."""

    def enter(self, bound: list[str]) -> None:
        """A loop that changes nothing begins with the next line."""

    def leave(self) -> None:
        """The innermost loop ends."""

    def unless(self, condition: ir.Expr, action: str) -> None:
        """``if not condition: action``."""
