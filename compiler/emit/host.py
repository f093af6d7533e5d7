"""What writes expressions, as those see it that write parts of them."""

from __future__ import annotations

from typing import Protocol

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.writer import Writer


class Kinds(Protocol):
    """Writes what concerns pieces of a common parent: :class:`compiler.emit.kinds.KindEmitter`."""

    def indexed(self, parts: list[str | None], get: ir.Common) -> str | None:
        """The indices over a field of a parent, one kind after another; None where one is lacking."""


class Expressions(Protocol):
    """Writes the expressions of one function: :class:`compiler.emit.expressions.ExpressionEmitter`."""

    program: Emission
    w: Writer

    @property
    def kinds(self) -> Kinds:
        """What concerns pieces of a common parent."""

    def args(self, args: tuple[ir.Expr, ...]) -> str:
        """Arguments after the state."""

    def entry(self, prefix: str, e: ir.Apply) -> str:
        """An entry of the table of a static function."""

    def count(self, e: ir.Members) -> str:
        """How many members a kind, enum or the board has."""

    def expr(self, e: ir.Expr) -> str:
        """Python text for the value of *e*."""

    def simple(self, e: ir.Expr) -> str:
        """The same, as a name or number that can be repeated."""

    def named(self, text: str) -> str:
        """A local with the value of *text*; *text* itself where it is one."""

    def member(self, item: str, source: ir.Expr, node: ir.Expr | None = None) -> str:
        """Python text for whether *item* is among *source*."""

    def loop(self, var: str, source: ir.Expr, where: ir.Expr | None) -> None:
        """Open a loop over the members of *source* that pass *where*; the body follows one deeper."""

    def enter(self, bound: list[str]) -> None:
        """A loop that changes nothing begins with the next line."""

    def leave(self) -> None:
        """The innermost loop ends."""

    def unless(self, condition: ir.Expr, action: str) -> None:
        """``if not condition: action``."""
