"""Where native builds are kept, and how they are found again.

A build is two files beside each other in the folder ``native`` of the cache: the extension module,
and a note that begins with its digest and says what it was made of.  An extension module is code
that will be run: it is loaded only where nobody else can have written it, if it is the one that the
note tells of, and if that was made of just these sources by just this compiler for just this
Python.  The note is written last, so a build that was interrupted has none.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sysconfig
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from runtime.kept import STALE, alone_in, private, read_private, write_private
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram

#: Says ``no`` when games are to run in plain Python although there is a native build.
SWITCH = "GROGNARD_NATIVE"
_NO = ("0", "no", "off", "false")
#: How many builds of one ruleset are kept.
_KEPT = 2
_HEAD = "grognard native build 1"
#: What has been loaded: an extension module is there once in a process.
_loaded: dict[Path, CompiledProgram] = {}


def wanted() -> bool:
    """Whether native builds are taken where there are any."""
    return os.environ.get(SWITCH, "").strip().lower() not in _NO


@dataclass(frozen=True)
class Place:
    """Where the native build of a ruleset is kept, as its sources are now."""

    folder: Path
    name: str
    key: str

    @classmethod
    def of(cls, cache: Path, name: str, key: str) -> Place:
        """The place below the cache *cache*; *key* says of what and by what the ruleset *name* is
        compiled.
        """
        return cls(
            cache / "native",
            name,
            f"{key}\n{sysconfig.get_config_var('SOABI')}\n{sysconfig.get_platform()}",
        )

    @property
    def stem(self) -> str:
        """The name of the files without their endings."""
        return f"{self.name}-{hashlib.blake2b(self.key.encode(), digest_size=16).hexdigest()}"

    @property
    def library(self) -> Path:
        """The extension module."""
        return self.folder / f"{self.stem}.so"

    @property
    def note(self) -> Path:
        """What it is."""
        return self.folder / f"{self.stem}.txt"

    @property
    def module(self) -> str:
        """What the extension module is called."""
        return f"grognard_native_{self.name}"

    def maker(self) -> str:
        """The version of mypyc that has made the build.  ValueError or OSError where there is none
        that is whole.
        """
        return self._noted()[1]

    def fresh(self, maker: str) -> bool:
        """Whether there is a whole build by this version of mypyc."""
        try:
            return bool(self.content()) and self.maker() == maker
        except (OSError, ValueError):
            return False

    def _noted(self) -> tuple[str, str]:
        """The digest of the extension module and who made it, as the note says."""
        if not private(self.folder.lstat()):
            raise PermissionError("others may write where it is kept")
        match read_private(self.note).decode(errors="replace").split("\n", 3):
            case [head, digest, maker, key] if head == _HEAD and key == self.key:
                return digest, maker
        raise ValueError("its note is not its own")

    def content(self) -> bytes:
        """The extension module.  ValueError or OSError where it is not as the note says."""
        for _ in range(2):  # another process may just be replacing both
            digest, _ = self._noted()
            content = read_private(self.library)
            if hashlib.blake2b(content, digest_size=32).hexdigest() == digest:
                return content
        raise ValueError("it is damaged")

    def open(self) -> None:
        """Make the folder.  OSError when no build can be kept in it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not private(self.folder.lstat()):
            raise PermissionError(
                f"{self.folder} belongs to somebody else, or others may write there"
            )
        if not os.access(self.folder, os.W_OK):
            raise PermissionError(f"{self.folder} is read-only")

    def store(self, content: bytes, maker: str) -> None:
        """Keep a build.  OSError when it cannot be written."""
        self.open()
        digest = hashlib.blake2b(content, digest_size=32).hexdigest()
        with alone_in(self.folder):
            self.note.unlink(missing_ok=True)
            self._clear()
            write_private(self.library, content)
            write_private(self.note, "\n".join((_HEAD, digest, maker, self.key)).encode())

    def _clear(self) -> None:
        """Make room: of the builds of one ruleset only the latest stay, what was left half written
        goes.
        """
        mine = [
            p
            for p in self.folder.iterdir()
            if p.suffix in (".so", ".txt") and p.stem.rpartition("-")[0] == self.name
        ]
        notes = sorted(
            (p for p in mine if p.suffix == ".txt"), key=lambda p: p.lstat().st_mtime, reverse=True
        )
        kept = {p.stem for p in notes[: _KEPT - 1]}
        torn = [p for p in self.folder.glob("*.tmp") if time.time() - p.lstat().st_mtime > STALE]
        for path in [*(p for p in mine if p.stem not in kept), *torn]:
            path.unlink(missing_ok=True)
        self._clear_loading()

    def _clear_loading(self) -> None:
        """Clear away the copies of processes that were killed while they loaded them."""
        with suppress(OSError):
            for left in self.folder.glob("loading-*"):
                if private(left.lstat()) and time.time() - left.lstat().st_mtime > STALE:
                    shutil.rmtree(left, ignore_errors=True)

    def program(self, spec: RulesetSpec, code: list[CodeType]) -> CompiledProgram:
        """The program of the ruleset: the native one where there is one that is wanted, else that
        in Python.

        ``program.fault`` says so when a build is there and cannot be used.
        """
        if not wanted() or not os.path.isfile(
            self.note
        ):  # where nothing can be looked at, there is none
            return CompiledProgram(spec, code)
        if self.library in _loaded:
            return _loaded[self.library]
        from runtime.runs.native import NativeProgram

        self._clear_loading()
        try:
            native = NativeProgram(spec, code, self.module, self.content, self.folder)
            _loaded[self.library] = native
            return native
        except OSError as error:
            fault = error.strerror or str(error)
        except (ImportError, AttributeError, KeyError, ValueError) as error:
            fault = str(error)
        program = CompiledProgram(spec, code)
        program.fault = f"the native build of {self.name} cannot be used: {fault}"
        return program
