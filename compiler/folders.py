"""The folders of rulesets: where they are, what they extend, what they contain."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

#: Finds the folder of a ruleset by name.
Finder = Callable[[str], Path | None]


def find_in(root: Path) -> Finder:
    """Rulesets are folders beside each other below *root*."""

    def find(name: str) -> Path | None:
        folder = root / name
        return folder if folder.is_dir() and any(folder.glob("*.grog")) else None

    return find


def content_hash(folders: list[Path]) -> str:
    """A hash of the sources of a ruleset and its bases (16 hexadecimal digits)."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in folders:
        for path in sorted(folder.glob("*.grog")):
            digest.update(f"{folder.name}/{path.name}\0".encode())
            digest.update(path.read_bytes())
        for path in sorted(folder.glob("boards/*.yaml")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def chain(folder: Path, find: Finder) -> list[Path]:
    """The folder and those of the rulesets it extends, found by their header lines alone."""
    folders = [folder]
    seen = {folder.name}
    current = folder
    while True:
        base = None
        for path in sorted(current.glob("*.grog")):
            match = re.search(r"^\s*ruleset\s+\w+\s+extends\s+(\w+)", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
            if match:
                base = match.group(1)
                break
        found = find(base) if base and base not in seen else None
        if found is None:
            return folders
        seen.add(found.name)
        folders.append(found)
        current = found
