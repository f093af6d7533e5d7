"""Expressions."""

from __future__ import annotations

from typing import Any

from lark import Token
from lark.tree import Meta

from dsl import nodes as n
from dsl.building.base import TreeBuilder


class Expressions(TreeBuilder):
    """Builds expressions."""

    def call(self, meta: Meta, items: list[Any]) -> n.Call:
        return n.Call(items[0], items[1] or (), span=self._span(meta))

    def call_expr(self, meta: Meta, items: list[Any]) -> n.Call:
        return items[0]  # type: ignore[no-any-return]

    def active(self, meta: Meta, items: list[Any]) -> n.Active:
        return n.Active(items[0], items[1] or (), span=self._span(meta))

    def compare(self, meta: Meta, items: list[Any]) -> n.Binary:
        return n.Binary(str(items[1]), items[0], items[2], span=self._span(meta))

    def not_(self, meta: Meta, items: list[Any]) -> n.Unary:
        return n.Unary("not", items[0], span=self._span(meta))

    def neg(self, meta: Meta, items: list[Any]) -> n.Unary:
        return n.Unary("-", items[0], span=self._span(meta))

    def int_(self, meta: Meta, items: list[Any]) -> n.Int:
        return n.Int(items[0], span=self._span(meta))

    def measured(self, meta: Meta, items: list[Token]) -> n.Int:
        number, measure = str(items[0]).split()
        return n.Int(self._number(items[0], number), measure, span=self._span(meta))

    def true_(self, meta: Meta, items: list[Any]) -> n.Bool:
        return n.Bool(True, span=self._span(meta))

    def false_(self, meta: Meta, items: list[Any]) -> n.Bool:
        return n.Bool(False, span=self._span(meta))

    def name(self, meta: Meta, items: list[Any]) -> n.Name:
        return n.Name(items[0].text, span=self._span(meta))

    def clear(self, meta: Meta, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    across = clear

    def line(self, meta: Meta, items: list[Any]) -> n.Line:
        start, end, whole, (var, obstacle), *across = items
        leaves, enters, barrier = across[0] if across else (None, None, None)
        return n.Line(
            start, end, var, obstacle, leaves, enters, barrier, whole=whole is not None, span=self._span(meta)
        )

    def line_across(self, meta: Meta, items: list[Any]) -> n.Line:
        start, end, whole, (leaves, enters, barrier) = items
        return n.Line(
            start, end, None, None, leaves, enters, barrier, whole=whole is not None, span=self._span(meta)
        )

    def set_literal(self, meta: Meta, items: list[Any]) -> n.SetLit:
        return n.SetLit(items[0] or (), span=self._span(meta))
