"""Plain data that programs give: what a file could hold."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from grognard.errors import ArgumentError, LoadError, as_text

#: How deep a scenario given as a mapping may be nested.
_DEPTH = 32


def plain(value: Any, key: str, depth: int = 0) -> Any:
    """What YAML can hold of plain data."""
    if depth > _DEPTH:
        raise LoadError("the scenario is nested too deeply", "a scenario needs no more than 32 levels")
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, Mapping):
        return {as_text(k): plain(v, f"{key}.{k}".lstrip("."), depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v, f"{key}[{i}]", depth + 1) for i, v in enumerate(value)]
    try:
        number = operator.index(value)
        as_text(number)  # YAML writes it, too
        return number
    except TypeError:
        what = f"{key or 'it'} is of type {type(value).__name__}"
        raise ArgumentError(f"a scenario holds mappings, lists, texts, numbers and bools; {what}") from None
