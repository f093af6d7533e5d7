"""Where in a YAML text something stands, as the keys and places in lists that lead there."""

from __future__ import annotations

import re

import yaml

#: Keys and places in lists, from the outside in.
Path = tuple[str | int, ...]
#: Line and column, from 1.
Mark = tuple[int, int]


def paths_of(text: str) -> tuple[dict[Mark, Path], dict[Mark, Path]]:
    """The paths to all keys, and to all values, by where they begin."""
    keys: dict[Mark, Path] = {}
    values: dict[Mark, Path] = {}

    def walk(node: yaml.Node, path: Path) -> None:
        values.setdefault(_mark(node), path)
        if isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                keys[_mark(name)] = (*path, name.value)
                walk(value, (*path, name.value))
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                walk(value, (*path, i))

    root = yaml.compose(text, yaml.SafeLoader)
    if root is not None:
        walk(root, ())
    return keys, values


#: The findings about keys rather than what they hold.
OF_KEYS = ("S107", "S108", "S111")


def path_at(text: str, code: str, place: Mark) -> Path:
    """The path to where a finding of this *code* about the *text* points."""
    keys, values = paths_of(text)
    first, second = (keys, values) if code in OF_KEYS else (values, keys)
    return first.get(place, second.get(place, ()))


def _mark(node: yaml.Node) -> Mark:
    return node.start_mark.line + 1, node.start_mark.column + 1


def written(path: Path) -> str:
    """A path as people write it: ``pieces.Unit[0].hex``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


#: Where another thing stands in a file.
_LINE = re.compile(r" of line \d+\b")


def unplaced(message: str, path: Path) -> str:
    """What is said of a file's part at *path*, for who has given no file: without that place and lines."""
    words = ".".join(f"{step + 1}" if isinstance(step, int) else step for step in path)
    return _LINE.sub("", re.sub(rf" in {re.escape(words)}(?![.\w])", "", message) if words else message)
