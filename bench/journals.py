"""Journals: files to which commands that take long append what they have done, a line of JSON each time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_origin, get_type_hints

from grognard.exits import Misuse
from grognard.files import reason
from runtime.files import read_bytes

#: The most bytes that a journal may have.
_LARGEST = 1 << 30
T = TypeVar("T")


def entries(path: Path, read: Callable[[dict[str, Any]], T]) -> list[T]:
    """What the lines of a journal say, by what *read* makes of each; nothing where there is no such file.  A
    torn last line is cut off.

    Misuse where the file cannot be read, or a line is none of such a journal: *read* raises one of the errors
    of wrong values.
    """
    try:
        if not path.exists():
            return []
        whole = read_bytes(path, _LARGEST)
    except (OSError, ValueError) as error:
        raise Misuse(f"{path} cannot be read: {reason(error)}", "give another file with --journal") from None
    kept = whole[: whole.rfind(b"\n") + 1]
    made = []
    for number, line in enumerate(kept.splitlines(), 1):
        try:
            made.append(read(json.loads(line)))
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            raise Misuse(
                f"{path}:{number}: this is no line of such a journal", "remove it, or give another file"
            ) from None
    if len(kept) < len(whole):
        os.truncate(path, len(kept))
    return made


def of(kind: type[T]) -> Callable[[dict[str, Any]], T]:
    """What reads entries that are dataclasses: TypeError where a value is of the wrong type."""
    types = {name: get_origin(hint) or hint for name, hint in get_type_hints(kind).items()}

    def read(data: dict[str, Any]) -> T:
        made = kind(**data)
        for name, type_ in types.items():
            if not isinstance(getattr(made, name), (int, float) if type_ is float else type_):
                raise TypeError(name)
        return made

    return read
