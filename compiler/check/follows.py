"""What follows from a checked tree alone, kept between texts as long as the tree is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Concatenate, ParamSpec, TypeVar

_Tree = TypeVar("_Tree")
_Found = TypeVar("_Found")
_More = ParamSpec("_More")


class Follows:
    """What was found of expressions, and of the steps of bodies.

    A tree that is taken over from another text (:class:`compiler.check.keeping.Keeper`) is the very
    same, or that with other places in it, and all are made anew where enums, kinds, or the fields
    that are the places of pieces have changed.  So what is found may hang on these too, but on
    nothing else.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, int], tuple[object, Any]] = {}
        self._asked: dict[tuple[object, int], tuple[object, Any]] = {}
        #: by the identities of trees that only stand elsewhere than before: as they were
        self._moved: dict[int, tuple[object, object]] = {}

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

    def anywhere(
        self,
        find: Callable[Concatenate[_Tree, _More], _Found],
        tree: _Tree,
        *more: _More.args,
        **named: _More.kwargs,
    ) -> _Found:
        """The same of what tells nothing about places: it holds wherever a tree stands now."""
        before = self._moved.get(id(tree))
        if before is not None and (known := self._known.get((find, id(before[1])))) is not None:
            self._asked[find, id(tree)] = tree, known[1]
        return self.of(find, tree, *more, **named)

    def moved(self, pairs: Iterable[tuple[object, object]]) -> None:
        """Remember what trees were, with what has become of them where they only stand elsewhere
        now.
        """
        self._moved.update((id(now), (now, before)) for before, now in pairs if now is not before)

    def same(self, before: object, now: object) -> bool:
        """Whether a tree is the very one of before, wherever it stands."""
        return now is before or self._moved.get(id(now), (now, now))[1] is before

    def next(self) -> None:
        """Begin another text: what was not asked for in the last one is forgotten."""
        self._known, self._asked, self._moved = self._asked, {}, {}
