"""Where in a scenario or case something stands, as the keys and places in lists that lead there."""

from __future__ import annotations

import re

#: Keys and places in lists, from the outside in.
Path = tuple[str | int, ...]


def written(path: Path) -> str:
    """A path as people write it: ``pieces.Unit[0].hex``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


#: Where another thing stands in a file.
_LINE = re.compile(r" of line \d+\b")


def unplaced(message: str, path: Path) -> str:
    """What is said of a file's part at *path*, for who has given no file: without that place and lines."""
    words = ".".join(f"{step + 1}" if isinstance(step, int) else step for step in path)
    return _LINE.sub("", re.sub(rf" in {re.escape(words)}(?![.\w])", "", message) if words else message)
