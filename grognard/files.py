"""Writing files so that what was there is never lost.

A whole file is written beside the old one, synced, and put in its place: whoever reads sees the old content
or the new one, whatever happens in between.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from grognard.exits import Misuse


def target(text: str | Path, option: str = "") -> Path:
    """The file that somebody names to be written.  Misuse when it cannot be: no name, a folder, no folder to
    stand in, a device.
    """
    name = str(text)
    said = f"{option} '{short(name)}'".strip()
    if not name.strip():
        raise Misuse(
            f"{option + ' has ' if option else 'there is '}an empty name of a file", "give the name of a file"
        )
    if "\0" in name:
        raise Misuse(f"{said}: a name of a file holds no NUL", "give the name of a file")
    path = Path(name)
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise Misuse(
                f"there is no folder '{short(str(path.parent))}'", "make it first, or give another file"
            ) from None
        return path
    except (OSError, ValueError) as error:
        raise Misuse(f"{said} cannot be written: {reason(error)}", "give another file") from None
    if stat.S_ISDIR(kind):
        raise Misuse(f"{said} is a folder, not a file", "give the name of a file in it")
    if not stat.S_ISREG(kind):
        raise Misuse(f"{said} is no regular file", "give another file")
    return path


def replace(path: Path, text: str | bytes, private: bool = False) -> None:
    """Write a whole file: beside it first, synced, then put in its place.  OSError leaves what was there as
    it was.

    A link is followed, the permissions of a file that is replaced are kept; a *private* one is for its owner
    alone.
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():  # a device cannot be put in place of another
        # without waiting for somebody to read a pipe
        try:
            handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            raise OSError(errno.ENXIO, "nobody reads from it", str(path)) from None
        with open(handle, "wb") as file:
            os.set_blocking(handle, True)
            file.write(data)
        return
    import tempfile  # slow, and only needed here

    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), 0o600 if private else _mode(path))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    sync_folder(path.parent)


def output(path: str, text: str) -> None:
    """Write what a command gives to the file that ``-o`` names, a device too.  Misuse when it cannot be
    written.
    """
    if not path.strip():
        raise Misuse("-o has an empty name of a file", "give the name of a file")
    try:
        replace(Path(path), text)
    except (OSError, ValueError) as error:
        raise Misuse(
            f"{short(path)} cannot be written: {reason(error)}", "give another file with -o"
        ) from None


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on disk."""
    with contextlib.suppress(OSError):  # not every file system can
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def reason(error: BaseException) -> str:
    """Why a file cannot be read or written."""
    return (
        (error.strerror if isinstance(error, OSError) else None)
        or " ".join(str(error).split())
        or type(error).__name__
    )


def short(text: str, width: int = 100) -> str:
    """What somebody typed, cut where it is very long, on one line and printable."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask
