"""Core steps and expressions that the checker makes of others, at their place."""

from __future__ import annotations

from dataclasses import dataclass

from compiler import ir
from compiler.types import BOOL, NONE_TYPE, Type, set_of
from dsl.source import Span
from runtime.model import NONE


@dataclass(frozen=True)
class Core:
    """Makes steps and expressions that stand at a place."""

    span: Span

    def truth(self, value: bool) -> ir.Expr:
        """True or false."""
        return ir.Const(int(value), type=BOOL, span=self.span)

    def none(self, type_: Type = NONE_TYPE) -> ir.Expr:
        """None."""
        return ir.Const(NONE, type=type_, span=self.span)

    def local(self, name: str, type_: Type) -> ir.Local:
        """What a local holds."""
        return ir.Local(name, type=type_, span=self.span)

    def let(self, name: str, value: ir.Expr) -> ir.Stmt:
        """A local with a new value."""
        return ir.Let(name, value, span=self.span)

    def if_then(self, test: ir.Expr, *then: ir.Stmt) -> ir.Stmt:
        """Steps under a condition."""
        return ir.IfStmt(test, then, (), span=self.span)

    def and_(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """That two conditions hold."""
        return ir.Logic("and", left, right, type=BOOL, span=self.span)

    def or_(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """That one of two conditions holds."""
        return ir.Logic("or", left, right, type=BOOL, span=self.span)

    def not_(self, condition: ir.Expr) -> ir.Expr:
        """That a condition does not hold."""
        return ir.Not(condition, type=BOOL, span=self.span)

    def equal(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """That two values are the same."""
        return ir.Compare("==", left, right, type=BOOL, span=self.span)

    def not_none(self, value: ir.Expr) -> ir.Expr:
        """That a value is not none."""
        return ir.Compare("!=", value, self.none(), type=BOOL, span=self.span)

    def is_in(self, item: ir.Expr, source: ir.Expr) -> ir.Expr:
        """That something is a member of a set."""
        return ir.In(item, source, type=BOOL, span=self.span)

    def if_else(self, test: ir.Expr, then: ir.Expr, orelse: ir.Expr, type_: Type) -> ir.Expr:
        """One of two values."""
        return ir.If(test, then, orelse, type=type_, span=self.span)

    def union(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """Two sets, or numbers as bits, together; of the type of the first."""
        return ir.Op("|", left, right, type=left.type, span=self.span)

    def set_with(self, *items: ir.Expr, type_: Type | None = None) -> ir.Expr:
        """The set of these members."""
        return ir.SetLit(items, type=type_ or set_of(items[0].type), span=self.span)
