"""What a process that was killed left behind: files half written, the locks of records that are gone.

Whatever writes a file whole (:func:`grognard.files.replace`) writes it beside its place first; only a process
that is killed just then, or a machine that stops, leaves that there.  It is cleared away when it is old.
"""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path

from grognard.exits import Misuse
from grognard.files import NAMED
from grognard.locks import Lock
from runtime.kept import STALE

_PART = re.compile(r"\.(.+)\.[a-z0-9_]{8}\.part", re.DOTALL)
_LOCK = ".record.lock"


def clear_parts(folder: Path, *beginnings: str) -> None:
    """Clear away what was left half written in a *folder*: of files whose names begin so, or of all."""
    names = tuple(name[:NAMED] for name in beginnings)
    for entry in _old(folder):
        found = _PART.fullmatch(entry.name)
        if found is not None and (not names or found[1].startswith(names)):
            with suppress(OSError):
                os.unlink(entry.path)


def clear_games(folder: Path) -> None:
    """Clear away what was left in the *folder* of games that are kept by themselves."""
    clear_parts(folder)
    for entry in _old(folder):
        record = entry.path.removesuffix(".lock")
        if entry.name.endswith(_LOCK) and not os.path.lexists(record):
            with suppress(Misuse):  # held by a process that runs still
                Lock(Path(record)).release()


def _old(folder: Path) -> list[os.DirEntry[str]]:
    """The user's own files in a folder that nobody has written to for long; none where it cannot be read."""
    made = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            info = entry.stat(follow_symlinks=False)
            own = not hasattr(os, "getuid") or info.st_uid == os.getuid()
            if stat.S_ISREG(info.st_mode) and own and time.time() - info.st_mtime > STALE:
                made.append(entry)
    return made
