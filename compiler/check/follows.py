"""What follows from a checked tree alone, kept between texts as long as the tree is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

_Tree = TypeVar("_Tree")
_Found = TypeVar("_Found")
_More = ParamSpec("_More")


class Follows:
    """What was found of expressions, and of the steps of bodies.

    A tree that is taken over from another text (:class:`compiler.check.keeping.Keeper`) is the very
    same, and all are made anew where the fields or kinds of pieces have changed.  So what is found
    may hang on these too, but on nothing else.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, int], tuple[object, Any]] = {}
        self._asked: dict[tuple[object, int], tuple[object, Any]] = {}

    def of(
        self,
        find: Callable[Concatenate[_Tree, _More], _Found],
        tree: _Tree,
        *more: _More.args,
        **named: _More.kwargs,
    ) -> _Found:
        """What *find* gives, which looks at *tree*; not to be changed."""
        key = find, id(tree)
        known = self._asked.get(key) or self._known.get(key)
        if known is None:
            known = tree, find(tree, *more, **named)
        self._asked[key] = known
        found: _Found = known[1]
        return found

    def next(self) -> None:
        """Begin another text: what was not asked for in the last one is forgotten."""
        self._known, self._asked = self._asked, {}
