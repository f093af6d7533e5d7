"""Files that the program keeps for itself: written whole or not at all, read only where nobody else
can have written them.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from runtime.files import user_folder

try:
    import fcntl
except ImportError:  # no locks on this system
    fcntl = None  # type: ignore[assignment]

#: What was left half written so long ago (in seconds) is cleared away.
STALE = 3600.0

_DIGEST = 32


def cache_folder() -> Path:
    """Where such files are: ``$GROGNARD_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("GROGNARD_CACHE")
    if chosen:
        return Path(chosen)
    return user_folder("XDG_CACHE_HOME", ".cache") / "grognard"


def private(info: os.stat_result) -> bool:
    """Whether a file or folder is the user's own and closed to others' writing."""
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid == os.getuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read_private(path: Path) -> bytes:
    """The content of a file that is the user's own.  OSError where it is not, or cannot be read."""
    # Not through a link, and without waiting for the other end of a pipe.
    handle = os.open(
        path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    )
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode) or not private(info):
            raise PermissionError(f"{path} is not the user's own")
        return file.read()


def write_private(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there.  OSError when it cannot be written."""
    # what a process of the same number has left behind does not stand in the way
    temporary = path.with_name(f"{path.stem}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def with_digest(content: bytes) -> bytes:
    """An entry of the cache: a digest and what it is of."""
    return hashlib.blake2b(content, digest_size=_DIGEST).digest() + content


def checked_content(entry: bytes) -> bytes:
    """What an entry holds.  ValueError when it is damaged."""
    content = entry[_DIGEST:]
    if hashlib.blake2b(content, digest_size=_DIGEST).digest() != entry[:_DIGEST]:
        raise ValueError("the digest does not agree")
    return content


def fetch(path: Path) -> bytes:
    """The entry at *path*.  OSError when there is none, or others may write in its folder."""
    if not private(path.parent.lstat()):
        raise PermissionError(f"{path.parent} is not the user's own")
    return read_private(path)


def keep(path: Path, entry: bytes, name: str, most: int) -> None:
    """As :func:`store`; what cannot be kept is not: that costs time, nothing else."""
    with suppress(OSError):
        store(path, entry, name, most)


def store(path: Path, entry: bytes, name: str, most: int) -> None:
    """Write an entry, and leave *most* of those that are called *name* and a hyphen and something.

    OSError when it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not private(path.parent.lstat()):
        raise PermissionError(f"{path.parent} is not the user's own")
    with suppress(OSError):  # another process may just be clearing away the same
        _clear(path.parent, name, most)
    write_private(path, entry)


def _clear(folder: Path, name: str, most: int) -> None:
    """Make room: of the entries of one name only the latest stay; what was torn goes."""
    entries = [p for p in folder.glob("*.bin") if p.stem.rpartition("-")[0] == name]
    entries.sort(key=lambda p: p.lstat().st_mtime)
    for old in entries[: max(0, len(entries) - most + 1)]:
        old.unlink(missing_ok=True)
    for torn in folder.glob("*.tmp"):
        if time.time() - torn.lstat().st_mtime > STALE:
            torn.unlink(missing_ok=True)
