"""Locks: one process writes a file, others are refused.

Beside the file stands ``FILE.lock`` with the process that holds it and when that process began.  The system's
own lock on that file decides where there is one; what a process that has ended left behind is recognised and
taken over.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

from grognard.exits import Misuse
from grognard.files import reason, short

#: The most bytes that are taken for a lock.
_LONGEST = 8192


class LockNotWritten(Misuse):
    """The file of a lock cannot be written: a full disk, no permission."""


class Lock:
    """The right to write a file, until it is given back."""

    def __init__(self, path: Path, holder: str = "game") -> None:
        """Take the lock of *path*, which a *holder* writes.  Misuse when another process holds it,
        LockNotWritten when nobody can.
        """
        path = Path(os.path.realpath(path))
        self._holder = holder
        self.path = path.with_name(f"{path.name}.lock")
        try:
            self._descriptor = self._take(path)
        except OSError as error:
            raise LockNotWritten(
                f"{short(str(self.path))} cannot be written: {reason(error)}", "give another file"
            ) from error

    def _take(self, path: Path) -> int:
        for _ in range(100):
            careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | careful, 0o644)
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.close(descriptor)
                raise OSError(0, "it is not a regular file")
            try:
                if not _locked(descriptor) or _alive(
                    holder := os.read(descriptor, 200).decode("ascii", "replace")
                ):
                    holder = os.pread(descriptor, 200, 0).decode("ascii", "replace")
                    who = f"process {holder.split()[0]}" if holder.split()[:1] else "another process"
                    message = f"{short(str(path))} is being written by {who}"
                    raise Misuse(
                        message,
                        f"end that {self._holder} first; if there is none, remove {short(str(self.path))}",
                    )
                if not _lock(descriptor):
                    raise Misuse(
                        f"{short(str(self.path))} is no lock of a {self._holder}, and would be overwritten",
                        "give another file",
                    )
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(descriptor), os.stat(self.path)):
                        os.ftruncate(descriptor, 0)
                        os.pwrite(
                            descriptor,
                            f"{os.getpid()} {began(os.getpid())} {socket.gethostname()}\n".encode(
                                "ascii", "replace"
                            ),
                            0,
                        )
                        return descriptor
            except BaseException as error:
                if isinstance(error, OSError):  # the disk is full: it holds nobody's name
                    with contextlib.suppress(OSError):
                        os.unlink(self.path)
                os.close(descriptor)
                raise
            os.close(descriptor)  # its holder has just given it back, and removed it
        raise OSError(0, "other processes keep taking it")

    def release(self) -> None:
        """Give the lock back."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                # somebody may have removed it, and another process have made its own
                if os.path.samestat(os.fstat(self._descriptor), os.lstat(self.path)):
                    os.unlink(self.path)
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1


def _lock(descriptor: int) -> bool:
    """Whether an open file can be what a process left behind: one line, whole or torn.  What people keep
    under such a name (the lock of a package manager) has more.
    """
    content = os.pread(descriptor, _LONGEST + 1, 0)
    return len(content) <= _LONGEST and b"\n" not in content.removesuffix(b"\n")


def _locked(descriptor: int) -> bool:
    """Take the system's lock on an open file; False when another process has it."""
    try:
        import fcntl
    except ImportError:  # no such locks here: the process named in the file decides
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def _alive(holder: str) -> bool:
    """Whether the process that a lock names is one of this machine that runs still, and not this one."""
    parts = holder.split()
    if len(parts) < 3 or not (parts[0].isascii() and parts[0].isdecimal() and len(parts[0]) < 10):
        return False
    pid = int(parts[0])
    if pid == os.getpid() or parts[2] != socket.gethostname():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return began(pid) == parts[1]


def began(pid: int) -> str:
    """When a process began, as its machine counts; ``?`` where that cannot be known."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return "?"
