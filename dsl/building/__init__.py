"""From lark's tree to the nodes of :mod:`dsl.nodes`."""

from __future__ import annotations

from lark import Token, Tree
from lark.tree import Meta

from dsl import nodes as n
from dsl.building.base import DEEPEST, TooDeep
from dsl.building.declarations import Declarations
from dsl.building.expressions import Expressions
from dsl.building.statements import Statements
from dsl.building.tables import Tables

__all__ = ["DEEPEST", "Builder", "TooDeep"]


class Builder(Declarations, Tables, Statements, Expressions):
    """The builder of a module."""

    def module(self, tree: Tree[Token]) -> n.Module:
        """The module that *tree* (of the rule ``start``) stands for."""
        module = self._build(tree, 0)
        assert isinstance(module, n.Module)
        return module

    def start(self, meta: Meta, items: list[n.Decl]) -> n.Module:
        return n.Module(self.source.name, tuple(items), tuple(self.citations), span=self._span(meta))
