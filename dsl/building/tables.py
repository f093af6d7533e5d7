"""Enums, tables, matrices, dice, decks and the board."""

from __future__ import annotations

from typing import Any

from lark.tree import Meta

from dsl import nodes as n
from dsl.building.citations import Citations


class Tables(Citations):
    """Builds what lists things and their values."""

    def enum(self, meta: Meta, items: list[Any]) -> n.EnumDecl:
        return n.EnumDecl(items[0], items[1], span=self._span(meta))

    def table(self, meta: Meta, items: list[Any]) -> n.Table:
        return n.Table(items[0], items[1], items[2] or (), items[3], span=self._span(meta))

    def column(self, meta: Meta, items: list[Any]) -> n.Column:
        *attributes, name, type_ = items
        return self._cited(n.Column(name, type_, span=self._span(meta)), attributes)

    def row(self, meta: Meta, items: list[Any]) -> n.Row:
        attributes, row = items[:-1], items[-1]
        assert isinstance(row, n.Row)
        return self._cited(row, attributes)

    def matrix(self, meta: Meta, items: list[Any]) -> n.Matrix:
        return n.Matrix(*items, span=self._span(meta))

    def enum_scale(self, meta: Meta, items: list[Any]) -> n.Ident:
        return items[0]  # type: ignore[no-any-return]

    def number_scale(self, meta: Meta, items: list[Any]) -> n.Numbers:
        return n.Numbers(items[0], items[1], span=self._span(meta))

    def upward(self, meta: Meta, items: list[Any]) -> int:
        return items[0]  # type: ignore[no-any-return]

    def downward(self, meta: Meta, items: list[Any]) -> int:
        return -items[0]  # type: ignore[no-any-return]

    def die(self, meta: Meta, items: list[Any]) -> n.Die:
        weights = tuple(item for item in items[2:] if item is not None)
        return n.Die(items[0], items[1], weights, span=self._span(meta))

    def number_die(self, meta: Meta, items: list[Any]) -> n.Die:
        return n.Die(items[0], None, (), items[1], items[2], span=self._span(meta))

    def weight(self, meta: Meta, items: list[Any]) -> tuple[str, int]:
        return items[0].text, items[1]

    def deck(self, meta: Meta, items: list[Any]) -> n.Deck:
        return n.Deck(items[0], items[1], items[2], tuple(items[3:]), span=self._span(meta))

    def pile(self, meta: Meta, items: list[Any]) -> n.Pile:
        return n.Pile(items[0], items[1], str(items[2]), span=self._span(meta))

    def board(self, meta: Meta, items: list[Any]) -> n.Board:
        return n.Board(items[0], tuple(items[1:]), span=self._span(meta))

    def setting(self, meta: Meta, items: list[Any]) -> n.Setting:
        values = tuple(v.text if isinstance(v, n.Ident) else v for v in items[1:])
        return n.Setting(items[0], values, span=self._span(meta))
