"""Files that the compiler keeps for itself: written whole or not at all, read only where nobody else can
have written them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: What was left half written so long ago (in seconds) is cleared away.
STALE = 3600.0


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """In this block no other process is in such a block for the same *folder*, where the system has locks."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def private(info: os.stat_result) -> bool:
    """Whether a file or folder is the user's own and closed to others' writing."""
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid == os.getuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read_private(path: Path) -> bytes:
    """The content of a file that is the user's own.  OSError where it is not, or cannot be read."""
    # Not through a link, and without waiting for the other end of a pipe.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
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
