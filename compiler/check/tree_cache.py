"""What follows from a checked tree alone, kept between texts as long as the tree is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

_Tree = TypeVar("_Tree")
_Found = TypeVar("_Found")
_More = ParamSpec("_More")
_Key = TypeVar("_Key")


class RecentCache(Generic[_Key, _Found]):
    """What was entered or asked for in this text or in one of the two before: an edit is often
    taken back.
    """

    def __init__(self) -> None:
        self._now: dict[_Key, _Found] = {}
        self._before: tuple[dict[_Key, _Found], ...] = ({}, {})
        self._all: dict[_Key, _Found] = {}

    def get(self, key: _Key) -> _Found | None:
        """What was entered, which is kept on; None without any."""
        found = self._all.get(key)
        if found is not None:
            self._now[key] = found
        return found

    def enter(self, key: _Key, found: _Found) -> None:
        """Enter something."""
        self._all[key] = self._now[key] = found

    def recent(self, key: _Key) -> list[_Found]:
        """What was entered in the last text, and what in the one before it."""
        return [texts[key] for texts in self._before if key in texts]

    def begin_text(self) -> None:
        """Begin another text."""
        self._before = self._now, self._before[0]
        self._now = {}
        self._all = {**self._before[1], **self._before[0]}


class TreeCache:
    """What was found of expressions, and of the steps of bodies.

    A tree that is taken over from another text (:class:`compiler.check.keeping.CachingChecker`) is
    the very same, or that with other places and numbers in it, and all are made anew where enums,
    kinds, or the fields that are the places of pieces have changed.  So what is found may hang on
    these too, but on nothing else.
    """

    def __init__(self) -> None:
        self._known: RecentCache[tuple[object, int], tuple[object, Any]] = RecentCache()
        #: by the identities of trees that stood elsewhere: they, and what they were first
        self._origins: RecentCache[int, tuple[object, object]] = RecentCache()

    def result(
        self,
        find: Callable[Concatenate[_Tree, _More], _Found],
        tree: _Tree,
        *more: _More.args,
        **named: _More.kwargs,
    ) -> _Found:
        """What *find* gives, which looks at *tree*; not to be changed."""
        key = find, id(tree)
        known = self._known.get(key)
        if known is None:
            known = tree, find(tree, *more, **named)
            self._known.enter(key, known)
        found: _Found = known[1]
        return found

    def result_anywhere(
        self,
        find: Callable[Concatenate[_Tree, _More], _Found],
        tree: _Tree,
        *more: _More.args,
        **named: _More.kwargs,
    ) -> _Found:
        """The same of what tells neither places nor numbers: it holds wherever a tree stands."""
        return self.result(find, self.origin(tree), *more, **named)

    def origin(self, tree: _Tree) -> _Tree:
        """What a tree was where it stood first: the same but for places and numbers in it."""
        known = self._origins.get(id(tree))
        first: Any = tree if known is None else known[1]
        return first  # type: ignore[no-any-return]

    def record_moves(self, pairs: Iterable[tuple[object, object]]) -> None:
        """Remember what trees were, with what has become of them where they only stand elsewhere
        now.
        """
        for before, now in pairs:
            if now is not before:
                self._origins.enter(id(now), (now, self.origin(before)))

    def begin_text(self) -> None:
        """Begin another text: what was not asked for lately is forgotten."""
        self._known.begin_text()
        self._origins.begin_text()
