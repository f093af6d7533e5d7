"""Files of cases with one fault each: every node left out, misspelt, emptied, of the wrong shape, huge, nested."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

#: Where a step of a path leads: a key, or a place in a list.
Path = tuple[str | int, ...]

#: Values of other shapes than whatever stands there.
_WRONG: tuple[Any, ...] = (
    [],
    {},
    "",
    None,
    ["x", ["y"]],
    {"x": {"y": "z"}},
    True,
    2.5,
    -7,
    999_999_999_999_999,
    "zzz",
    "x" * 5000,
)
_DEEP: Any = "x"
for _ in range(20):
    _DEEP = [_DEEP]


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All nodes below *value*, with their paths."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for step, inner in items:
        yield (*path, step), inner
        yield from nodes(inner, (*path, step))


def _at(root: Any, path: Path) -> Any:
    for step in path:
        root = root[step]
    return root


def mutations(file: dict[str, Any]) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """What was done, where, and the file that it gives."""
    for path, old in nodes(file):

        def made(change: Any, path: Path = path) -> dict[str, Any]:
            root = copy.deepcopy(file)
            change(_at(root, path[:-1]), path[-1])
            return root

        def renamed(parent: Any, key: Any) -> None:
            kept = {(f"{k[:1]}{k[2:] or 'q'}" if k == key else k): v for k, v in parent.items()}
            parent.clear()
            parent.update(kept)

        yield "left out", path, made(lambda parent, key: parent.pop(key))
        if isinstance(path[-1], str):
            yield "misspelt key", path, made(renamed)
        if isinstance(old, str):
            yield (
                "misspelt",
                path,
                made(
                    lambda parent, key: parent.__setitem__(
                        key, f"{parent[key][:1]}{parent[key][2:]}q"
                    )
                ),
            )
        if isinstance(old, bool):
            yield (
                "turned round",
                path,
                made(lambda parent, key: parent.__setitem__(key, not parent[key])),
            )
        elif isinstance(old, int):
            yield (
                "one more",
                path,
                made(lambda parent, key: parent.__setitem__(key, parent[key] + 1)),
            )
        for wrong in (*_WRONG, _DEEP):
            if wrong != old or type(wrong) is not type(old):
                shown = f"{wrong!r}"[:20]
                yield (
                    f"made {shown}",
                    path,
                    made(
                        lambda parent, key, wrong=wrong: parent.__setitem__(
                            key, copy.deepcopy(wrong)
                        )
                    ),
                )
