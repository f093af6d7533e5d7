"""Writing files so that what was there is never lost.

A whole file is written beside the old one, synced, and put in its place: whoever reads sees the old
content or the new one, whatever happens in between.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path

from runtime.errors import ArgumentError

#: How many characters of a file's name that of its beginning bears, while it is being written.
_NAMED = 40
#: The most files and folders that are looked through for those of a kind.
_MOST_BELOW = 20_000


def path_named(text: str | Path, option: str = "") -> Path:
    """The file that somebody names.  ArgumentError when that can be no name of a file."""
    name = str(text)
    label = f"{option} '{short(name)}'".strip()
    if not name.strip():
        raise ArgumentError(f"{option or 'this'} is an empty file name", "give the name of a file")
    if "\0" in name:
        raise ArgumentError(f"{label}: a file name cannot contain NUL", "give the name of a file")
    if name.endswith((os.sep, os.altsep or os.sep)):  # which a path forgets
        raise ArgumentError(
            f"{label} is the name of a folder, not of a file",
            "leave out the last slash, or give the name of a file in it",
        )
    return Path(name)


def target(text: str | Path, option: str = "") -> Path:
    """The file that somebody names to be written.  ArgumentError when it cannot be: no name, a
    folder, no folder to stand in, a device.
    """
    path = path_named(text, option)
    label = f"{option} '{short(str(text))}'".strip()
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise ArgumentError(
                f"there is no folder '{short(str(path.parent))}'",
                "make it first, or give another file",
            ) from None
        return path
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"{label} cannot be written: {reason(error)}", "give another file"
        ) from None
    if stat.S_ISDIR(kind):
        raise ArgumentError(f"{label} is a folder, not a file", "give the name of a file in it")
    if not stat.S_ISREG(kind):
        raise ArgumentError(f"{label} is not a regular file", "give another file")
    return path


def data_folder() -> Path:
    """Where games and reports are kept: ``$GROGNARD_DATA``, else the user's folder for data."""
    chosen = os.environ.get("GROGNARD_DATA")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path  # start-up: few commands write there

    return user_data_path("grognard", appauthor=False)


def replace(path: Path, text: str | bytes, private: bool = False) -> None:
    """Write a whole file: beside it first, synced, then put in its place.  OSError leaves what was
    there as it was.

    A link is followed, the permissions of a file that is replaced are kept; a *private* one is for
    its owner alone.
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    path = Path(os.path.realpath(path))
    if path.is_symlink():  # where links go in a circle, their real path is one of them
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    if path.exists() and not path.is_file():  # a device cannot be put in place of another
        path.write_bytes(data)
        return
    if path.exists() and not os.access(
        path, os.W_OK
    ):  # putting another in its place would not ask for this
        raise PermissionError(errno.EACCES, "it is read-only", str(path))
    part = path.with_name(f".{path.name[:_NAMED]}.{os.urandom(8).hex()}.part")
    try:  # whatever interrupts, at whatever time, nothing is left beside it
        with open(part, "xb", opener=_private) as file:
            os.fchmod(file.fileno(), 0o600 if private else _mode(path))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    sync_folder(path.parent)


def output(name: str, text: str | bytes, folders: bool = False, option: str = "-o") -> None:
    """Write what a command gives to the file that ``-o``, or another *option*, names; with
    *folders* make those above it.

    ``-`` is the standard output.  What people write themselves, and records of games, are not
    overwritten. ArgumentError when the file cannot be written.
    """
    if name == "-":
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
        else:
            sys.stdout.write(text)
        return
    path = path_named(name, option)
    try:
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        if kept := kept_for_good(path):
            raise ArgumentError(
                f"{short(name)} is {kept}, and is not overwritten",
                f"give another file with {option}, or remove this one first",
            )
        replace(path, text)
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"{short(name)} cannot be written: {reason(error)}", f"give another file with {option}"
        ) from None


#: What is not to be lost to a slip in a command line: by suffix, or by how it begins.
_SOURCES = {".grog": "the source of a ruleset", ".yaml": "a YAML file", ".yml": "a YAML file"}
_RECORD = b"grognard: "
_KEY = b"grognard key: "


def kept_for_good(path: Path, records: bool = True) -> str:
    """What a file is that no output may replace: what people write themselves, the key of a record
    and, where *records* are kept as well, a record; nothing for others.  OSError when it cannot be
    read.
    """
    if not path.is_file():
        return ""
    names = (path, Path(os.path.realpath(path)))
    with open(path, "rb") as file:
        start = file.read(20)
    if start.startswith(_KEY):
        return "the key of a record"
    if records and start.startswith(_RECORD):
        return "the record of a game"
    sources = (_SOURCES.get(one.suffix.casefold(), "") for one in names)
    return next(filter(None, sources), "") if start else ""


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on disk."""
    with contextlib.suppress(OSError):  # not every file system can
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def below(folder: Path, *suffixes: str, all_own: bool = True) -> list[Path]:
    """The files below a folder under a name with one of the *suffixes*, in order of the names;
    hidden folders and links to folders are left out.

    A link that leads out of the folder is an ArgumentError, or left out unless *all_own*: whoever
    has made the folder is not to have other files read, told of or written.  So is more than
    anybody means: the root of a disk, somebody's home.
    """
    home = os.path.join(os.path.realpath(folder), "")
    paths: list[Path] = []
    seen = 0
    for place, folders, files in os.walk(folder):
        seen += 1 + len(files)
        if seen > _MOST_BELOW:
            raise ArgumentError(
                f"'{short(str(folder))}' holds more than {_MOST_BELOW:,} files and folders",
                "give a smaller folder",
            )
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(place, name) for name in files if os.path.splitext(name)[1] in suffixes):
            if not path.is_symlink() or os.path.realpath(path).startswith(home):
                paths.append(path)
            elif all_own:
                place = short(str(folder))
                raise ArgumentError(
                    f"'{short(str(path))}' is a link that leads out of the folder '{place}'",
                    "put a copy in its place, or give the file itself",
                )
    return sorted(paths)


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


def printable_path(path: Path) -> str:
    """A path as people write it, printable."""
    home = os.path.join(os.path.expanduser("~"), "")
    text = short(str(path), 5_000)
    below = text.startswith(home) and len(home) > 2
    return f"~{os.sep}{text.removeprefix(home)}" if below else text


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask
