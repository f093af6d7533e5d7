"""Arguments that programs give, as plain data; and where in them something stands."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runtime.errors import ArgumentError, LoadError, value_in_words

#: How deep a scenario given as a mapping may be nested.
_DEPTH = 32
#: Where another thing stands in a file.
_LINE = re.compile(r" of line \d+\b")


def path_of(value: Any, what: str) -> Path:
    """A path or a name that is given."""
    try:
        path = Path(value)
    except TypeError:
        also = " or a mapping" if what == "scenario" else ""
        raise ArgumentError(
            f"{what} is a path or a name{also}, not {type(value).__name__}"
        ) from None
    if "\0" in str(path) or not str(value).strip():
        raise LoadError(f"{what} is no name: {value_in_words(str(value))}", "give a path or a name")
    return path


def plain(value: Any, key: str, depth: int = 0) -> Any:
    """What YAML can hold of plain data."""
    if depth > _DEPTH:
        raise LoadError(
            "the scenario is nested too deeply", "a scenario needs no more than 32 levels"
        )
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v, f"{key}.{k}".lstrip("."), depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v, f"{key}[{i}]", depth + 1) for i, v in enumerate(value)]
    try:
        return operator.index(value)
    except TypeError:
        what = f"{key or 'it'} is of type {type(value).__name__}"
        raise ArgumentError(
            f"a scenario holds mappings, lists, texts, numbers and bools; {what}"
        ) from None


def path_in_words(path: tuple[str | int, ...]) -> str:
    """A path of keys and places in lists as people write it: ``pieces.Unit[0].hex``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).lstrip(".")


def message_without_place(message: str, path: tuple[str | int, ...]) -> str:
    """What is said of a file's part at *path*, for who has given no file: without that place and
    lines.
    """
    words = ".".join(f"{step + 1}" if isinstance(step, int) else step for step in path)
    if words:
        message = re.sub(rf" in {re.escape(words)}(?![.\w])", "", message)
        return _LINE.sub("", message)
    return message
