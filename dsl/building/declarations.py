"""Declarations other than tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark.tree import Meta

from dsl import nodes as n
from dsl.building.citations import Attribute, Citations


class Declarations(Citations):
    """Builds declarations with their parameters and types."""

    def decl(self, meta: Meta, items: list[Any]) -> Any:
        *attributes, decl = items
        return self._cited(decl, attributes)

    def header(self, meta: Meta, items: list[Any]) -> n.Header:
        return n.Header(items[0], items[1] is not None, items[2], span=self._span(meta))

    def sides(self, meta: Meta, items: list[Any]) -> n.Sides:
        return n.Sides(items[0], span=self._span(meta))

    def measures(self, meta: Meta, items: list[Any]) -> n.Measures:
        return n.Measures(items[0], span=self._span(meta))

    def scope(self, meta: Meta, items: list[Any]) -> n.Scope:
        return n.Scope(items[0], items[1] is not None, span=self._span(meta))

    def switch(self, meta: Meta, items: list[Any]) -> n.Switch:
        return n.Switch(items[0], str(items[1]) == "on", span=self._span(meta))

    def piece(self, meta: Meta, items: list[Any]) -> n.Piece:
        return n.Piece(items[0], tuple(items[2:]), items[1], span=self._span(meta))

    def fields(self, meta: Meta, items: list[Any]) -> n.Fields:
        return n.Fields(items[0], tuple(items[1:]), span=self._span(meta))

    def field(self, meta: Meta, items: list[Any]) -> n.Field:
        attributes, (name, per, type_, default, *modifiers) = self._apart(items)
        words: set[str] = set()
        lasts = seen = None
        for kind, value in modifiers:
            if kind == "lasts":
                lasts = value
            elif kind == "seen":
                seen = value
            else:
                words |= value
        made = n.Field(name, per, type_, default, frozenset(words), lasts, seen, span=self._span(meta))
        return self._cited(made, attributes)

    def plain_modifier(self, meta: Meta, items: list[Any]) -> tuple[str, set[str]]:
        return "words", {str(items[0])}

    def lasts(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "lasts", items[0]

    def place(self, meta: Meta, items: list[Any]) -> tuple[str, set[str]]:
        return "words", {"place"} | ({"alone"} if items[0] else set())

    def seen_by(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "seen", items[0]

    def named_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "optional" if items[1] else "plain", span=self._span(meta))

    def set_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "set", span=self._span(meta))

    def roll_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "roll", span=self._span(meta))

    def signature(self, meta: Meta, items: list[Any]) -> n.Signature:
        return n.Signature(items[0], items[1] or (), span=self._span(meta))

    def params(self, meta: Meta, items: list[Any]) -> tuple[n.Param, ...]:
        return tuple(item for item in items if item is not None)

    def function(self, meta: Meta, items: list[Any]) -> n.Function:
        return n.Function(*items, span=self._span(meta))

    def quantity(self, meta: Meta, items: list[Any]) -> n.Quantity:
        name, params, type_, *stages = items
        return n.Quantity(
            name, params, type_, tuple(s for s in stages if s is not None), span=self._span(meta)
        )

    def stage(self, meta: Meta, items: list[Any]) -> n.Ident:
        return items[0]  # type: ignore[no-any-return]

    def permission(self, meta: Meta, items: list[Any]) -> n.Permission:
        return n.Permission(items[0], items[1], str(items[2]), span=self._span(meta))

    def travel(self, meta: Meta, items: list[Any]) -> n.Travel:
        stays = tuple(item for item in items if isinstance(item, n.Stay))
        name, params, origin, budget, carried, *step, changes, cost, halt, end = (
            i for i in items if not isinstance(i, n.Stay)
        )
        here, there, enter = step
        body = n.Travel(
            name, params, origin, budget, here, there, enter, cost, halt, end, span=self._span(meta)
        )
        return replace(body, carried=carried or (), changes=changes or (), stays=stays)

    def effect(self, meta: Meta, items: list[Any]) -> n.Effect:
        name, params, group, scope, *rest = items
        body: list[n.RuleDecl] = []
        attributes: list[Attribute] = []
        for item in rest:
            if isinstance(item, Attribute):
                attributes.append(item)
            else:
                body.append(self._cited(item, attributes))
                attributes = []
        return n.Effect(name, params, scope, tuple(body), group, span=self._span(meta))

    def base_rule(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, excepts, signature, value, when = items
        return n.RuleDecl("rule", name, excepts or (), signature, when, value, span=self._span(meta))

    def verdict_rule(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        verdict, name, excepts, signature, when = items
        return n.RuleDecl(str(verdict), name, excepts or (), signature, when, span=self._span(meta))

    def modify(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, stage, value, when = items
        return n.RuleDecl("modify", name, (), signature, when, value, stage, span=self._span(meta))

    def limit(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, stage, bound, value, when = items
        return n.RuleDecl(str(bound), name, (), signature, when, value, stage, span=self._span(meta))

    def suspend(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, when = items
        return n.RuleDecl("suspend", name, (), signature, when, span=self._span(meta))

    def procedure(self, meta: Meta, items: list[Any]) -> n.Procedure:
        return n.Procedure(*items, span=self._span(meta))

    def event(self, meta: Meta, items: list[Any]) -> n.Event:
        return n.Event(*items, span=self._span(meta))

    def reaction(self, meta: Meta, items: list[Any]) -> n.Reaction:
        name, ranging, timing, *rest = items
        return n.Reaction(name, ranging, str(timing), *rest, span=self._span(meta))

    def forecast(self, meta: Meta, items: list[Any]) -> n.Forecast:
        name, params, options, body = items
        return n.Forecast(name, params, options or (), body, span=self._span(meta))

    def extend_enum(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("enum", items[0], members=items[1], span=self._span(meta))

    def extend_table(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("table", items[0], rows=items[1], span=self._span(meta))

    def extend_piece(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("piece", items[0], fields=tuple(items[1:]), span=self._span(meta))

    def extend_fields(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("fields", items[0], fields=tuple(items[1:]), span=self._span(meta))

    def replace(self, meta: Meta, items: list[Any]) -> n.Replace:
        return n.Replace(items[0], span=self._span(meta))

    def drop(self, meta: Meta, items: list[Any]) -> n.Drop:
        kind, name, part = items
        return n.Drop(str(kind), *((name, None) if part is None else (part, name)), span=self._span(meta))

    def insert(self, meta: Meta, items: list[Any]) -> n.Insert:
        return n.Insert(str(items[0]), *items[1:], span=self._span(meta))
