"""Reading the files that people write and programs leave: whole, of a sensible size, and only where
they belong.

Whatever a name turns out to be (a pipe, a device, a link that leads out of a ruleset or in a
circle, a file that fills the memory), it is told at once, as an :class:`OSError` whose ``strerror``
is the reason in words.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from runtime.words.said import said

#: The most bytes that a source, a scenario, a catalogue or a file of cases may have.
LARGEST: Final = 4 << 20
#: The same for the record of a game.
LARGEST_RECORD: Final = 64 << 20

_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def read_bytes(path: Path, largest: int = LARGEST, within: Path | None = None) -> bytes:
    """The content of a file.

    *within* is the folder that a link may not lead out of.  OSError, with its reason, where there
    is nothing to read.
    """
    try:
        if within is not None and path.is_symlink():
            if not path.resolve().is_relative_to(within.resolve()):
                message = said(
                    "it is a link that leads out of the folder '{name}'", name=within.name
                )
                raise OSError(errno.EPERM, message)
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except ValueError:
        message = "the name holds a character that no file name can have"
        raise OSError(errno.EINVAL, message) from None
    except RuntimeError:  # pathlib's word for links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if stat.S_ISDIR(info.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
        for is_kind, name in _KINDS:
            if is_kind(info.st_mode):
                raise OSError(errno.EINVAL, said("it is {name}, not a file", name=name))
        content = file.read(largest + 1)
    if len(content) > largest:
        raise OSError(errno.EFBIG, said("it has more than {largest} MB", largest=largest >> 20))
    return content


def read_text(path: Path, largest: int = LARGEST, within: Path | None = None) -> str:
    """The text of a file in UTF-8, without a byte order mark.  OSError and UnicodeDecodeError."""
    return read_bytes(path, largest, within).decode("utf-8-sig")


def unreadable(error: OSError | UnicodeDecodeError) -> tuple[str, str]:
    """Why a file could not be read as text, and what can be done."""
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return said(
            "line {line} is not UTF-8 text (byte {start})", line=line, start=error.start
        ), "save the file as UTF-8"
    return error.strerror or str(error), remedy_of(error)


def remedy_of(error: OSError) -> str:
    """What can be done about a file that cannot be read."""
    if error.errno == errno.EFBIG:
        return "split it, or take out what is not needed"
    return "check the path and its permissions"


def entries(folder: Path, *suffixes: str) -> list[Path]:
    """What stands in a folder under a name with one of the *suffixes*, in order of the names."""
    try:
        return sorted(
            path
            for path in folder.iterdir()
            if path.suffix in suffixes and not path.name.startswith(".")
        )
    except (OSError, ValueError):
        return []


def user_folder(variable: str, below: str) -> Path:
    """A folder of the user: what *variable* of the environment says, else *below* their home."""
    chosen = os.environ.get(variable, "")
    home = os.path.expanduser("~")
    if os.path.isabs(chosen):  # others are to be ignored
        return Path(chosen)
    if os.path.isabs(home):
        return Path(home, below)
    import tempfile  # start-up: slow, and hardly ever needed

    return Path(tempfile.gettempdir(), f"user-{os.getuid() if hasattr(os, 'getuid') else 0}")
