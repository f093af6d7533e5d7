"""Steps."""

from __future__ import annotations

from typing import Any

from lark.tree import Meta

from dsl import nodes as n
from dsl.building.citations import Citations


class Statements(Citations):
    """Builds steps."""

    def set(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[0], "=", items[1], span=self._span(meta))

    def add(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[1], "+", items[0], span=self._span(meta))

    def take(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[1], "-", items[0], span=self._span(meta))

    def if_stmt(self, meta: Meta, items: list[Any]) -> n.If:
        test, then, orelse = items
        if isinstance(orelse, n.If):
            orelse = (orelse,)
        return n.If(test, then, orelse or (), span=self._span(meta))

    def each(self, meta: Meta, items: list[Any]) -> n.Each:
        return n.Each(*items, span=self._span(meta))

    def repeat(self, meta: Meta, items: list[Any]) -> n.Repeat:
        return n.Repeat(items[0], items[1], span=self._span(meta))

    def choose(self, meta: Meta, items: list[Any]) -> n.Choose:
        secretly, *rest = items
        return n.Choose(secretly is not None, *rest, span=self._span(meta))

    def prompt(self, meta: Meta, items: list[Any]) -> n.Prompt:
        return n.Prompt(items[0], items[1] or (), span=self._span(meta))

    def veil(self, meta: Meta, items: list[Any]) -> n.Veil:
        return n.Veil(items[0], span=self._span(meta))

    def offer(self, meta: Meta, items: list[Any]) -> n.Offer:
        once, by, prompt, *branches, passing, passing_when, veil = items
        return n.Offer(
            once is not None, by, prompt, tuple(branches), passing, passing_when, veil, span=self._span(meta)
        )

    def branch(self, meta: Meta, items: list[Any]) -> n.Branch:
        attributes, (name, first, second, when, body) = self._apart(items)
        made = n.Branch(name, first, second, when, body, span=self._span(meta))
        return self._cited(made, attributes)

    def create(self, meta: Meta, items: list[Any]) -> n.Create:
        kind, var, *given, orelse = items
        return n.Create(kind, var, tuple(g for g in given if g is not None), orelse, span=self._span(meta))

    def event_stmt(self, meta: Meta, items: list[Any]) -> n.EventStmt:
        return n.EventStmt(items[0], items[1] or (), items[2], span=self._span(meta))
