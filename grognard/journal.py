"""Journals: what a long command has done, so that it goes on after an interruption."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from grognard.files import reason
from runtime.errors import ArgumentError
from runtime.files import read_bytes

#: The most bytes that a journal may have.
_LARGEST = 1 << 30
T = TypeVar("T")


class Journal(Generic[T]):
    """What a command has done: dataclasses, a line of JSON each, in a file where one is named.

    *figures* are written first: who goes on gives the same.  *option* is how another file is
    given.  In a ``with`` block no other command
    reads or writes the file; ArgumentError where one does.
    """

    def __init__(
        self, path: Path | None, kind: type[T], option: str = "--journal", **figures: Any
    ) -> None:
        self.another = f"another file with {option}"
        self.path, self.kind, self.figures = path, kind, figures
        self.entries: list[T] = []
        self._held = ExitStack()

    def __enter__(self) -> Self:
        # who reads it tells what is no file
        if self.path is not None and (not self.path.exists() or self.path.is_file()):
            try:
                file = self._held.enter_context(open(self.path, "ab"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._held.close()
                message = f"another command is writing {self.path}"
                raise ArgumentError(
                    message, f"wait until it has ended, or give {self.another}"
                ) from None
            except OSError as error:
                raise self._not_written(error) from None
        try:
            self.read()
        except ArgumentError:
            self._held.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def read(self) -> list[T]:
        """The entries in the file, none where there is no file; a torn last line is cut off."""
        if self.path is None:
            return []
        whole = self._content(self.path)
        kept = whole[: whole.rfind(b"\n") + 1]
        lines = [self._entry(number, line) for number, line in enumerate(kept.splitlines(), 1)]
        heads = [line for line in lines if isinstance(line, dict)]
        if lines and self.figures and heads != [self.figures]:
            message = f"{self.path} was begun with other figures, or by another command"
            raise ArgumentError(message, f"give the same, or {self.another}")
        if len(kept) < len(whole):
            try:
                os.truncate(self.path, len(kept))
            except OSError as error:
                raise self._not_written(error) from None
        if not lines and self.figures:
            self._append({"figures": self.figures})
        self.entries = [line for line in lines if isinstance(line, self.kind)]
        return self.entries

    def add(self, entry: T) -> None:
        """Keep an entry, on disk; where that fails, what is left of it is a torn last line."""
        self.entries.append(entry)
        if self.path is not None:
            self._append(asdict(entry))  # type: ignore[call-overload]

    def _content(self, path: Path) -> bytes:
        try:
            return read_bytes(path, _LARGEST) if path.exists() else b""
        except (OSError, ValueError) as error:
            raise ArgumentError(
                f"{path} cannot be read: {reason(error)}", f"give {self.another}"
            ) from None

    def _entry(self, number: int, line: bytes) -> T | dict[str, Any]:
        try:
            data = json.loads(line)
            if self.figures and "figures" in data:
                return dict(data["figures"])
            return self.kind(**data)
        except (ValueError, TypeError, RecursionError):
            message = f"{self.path}:{number}: this is no line of such a journal"
            raise ArgumentError(message, f"remove it, or give {self.another}") from None

    def _append(self, data: dict[str, Any]) -> None:
        assert self.path is not None
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(data)}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._not_written(error) from None

    def _not_written(self, error: OSError) -> ArgumentError:
        return ArgumentError(
            f"{self.path} cannot be written: {reason(error)}", f"give {self.another}"
        )
