"""Journals: files to which commands that take long append what they have done, a line of JSON each time."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from grognard.exits import Misuse
from grognard.files import reason
from grognard.locks import Lock, LockNotWritten
from runtime.files import read_bytes

#: The most bytes that a journal may have.
_LARGEST = 1 << 30
T = TypeVar("T")


@contextmanager
def alone(path: Path | None) -> Iterator[None]:
    """In this block no other command reads or writes the journal at *path*, so that none does what another is
    doing.

    Misuse where one does, or that cannot be made sure.
    """
    if path is None or (os.path.exists(path) and not os.path.isfile(path)):  # who reads it tells what it is
        yield
        return
    try:
        lock = Lock(path, "command")
    except LockNotWritten as error:
        raise Misuse(str(error), "give another file with --journal") from None
    try:
        yield
    finally:
        lock.release()


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
        try:
            os.truncate(path, len(kept))
        except OSError as error:
            raise _not_written(path, error) from None
    return made


def append(path: Path, line: str) -> None:
    """Add a line, on disk.  Misuse when it cannot be written; what is left of it then is a torn last line."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _not_written(path, error) from None


def _not_written(path: Path, error: OSError) -> Misuse:
    return Misuse(f"{path} cannot be written: {reason(error)}", "give another file with --journal")


def of(kind: type[T]) -> Callable[[dict[str, Any]], T]:
    """What reads entries that are dataclasses: TypeError where a value is of the wrong type."""
    types = get_type_hints(kind)

    def read(data: dict[str, Any]) -> T:
        made = kind(**data)
        for name, type_ in types.items():
            if not _fits(getattr(made, name), type_):
                raise TypeError(name)
        return made

    return read


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type, a dict or list with all that is in it."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        return kind is bool and isinstance(value, bool)
    if not isinstance(value, (int, float) if kind is float else kind):
        return False
    if isinstance(value, dict) and inner:
        return all(_fits(key, inner[0]) and _fits(item, inner[1]) for key, item in value.items())
    return not isinstance(value, list) or not inner or all(_fits(item, inner[0]) for item in value)
