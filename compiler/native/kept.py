"""Where native builds are kept, and how they are found again.

A build is one entry of the cache, in its folder ``native``: the extension module, beside what it
was made of and by whom.  An extension module is code that will be run: it is loaded only where
nobody else can have written it, if it is whole, and if it was made of just these sources by just
this compiler for just this Python.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import shutil
import sysconfig
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from runtime.kept import STALE, checked, fetch, private, store, with_digest
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram

#: Says ``no`` when games are to run in plain Python although there is a native build.
SWITCH = "GROGNARD_NATIVE"
_NO = ("0", "no", "off", "false")
#: How many builds of one ruleset are kept.
_KEPT = 2
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
        """The place below *cache*; *key*: of what and by what the ruleset *name* is compiled."""
        made_for = f"{key}\n{sysconfig.get_config_var('SOABI')}\n{sysconfig.get_platform()}"
        return cls(cache / "native", name, made_for)

    @property
    def entry(self) -> Path:
        """The file."""
        digest = hashlib.blake2b(self.key.encode(), digest_size=16).hexdigest()
        return self.folder / f"{self.name}-{digest}.bin"

    @property
    def module(self) -> str:
        """What the extension module is called."""
        return f"grognard_native_{self.name}"

    def _read(self) -> tuple[str, bytes]:
        """The version of mypyc that has made the build, and the extension module.

        ValueError or OSError where there is none that is whole.
        """
        key, maker, content = marshal.loads(checked(fetch(self.entry)))
        if key != self.key:
            raise ValueError("it was made of something else")
        return maker, content

    def content(self) -> bytes:
        """The extension module.  ValueError or OSError where there is none that is whole."""
        return self._read()[1]

    def maker(self) -> str:
        """The version of mypyc that has made the build; nothing where there is no whole one."""
        try:
            return self._read()[0]
        except (OSError, ValueError):
            return ""

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
        entry = with_digest(marshal.dumps((self.key, maker, content)))
        store(self.entry, entry, self.name, _KEPT)
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
        # where nothing can be looked at, there is none
        if not wanted() or not os.path.lexists(self.entry):
            return CompiledProgram(spec, code)
        if self.entry in _loaded:
            return _loaded[self.entry]
        from runtime.runs.native import (
            NativeProgram,  # start-up: only where there is a native build
        )

        self._clear_loading()
        try:
            native = NativeProgram(spec, code, self.module, self.content, self.folder)
            _loaded[self.entry] = native
            return native
        except OSError as error:
            fault = error.strerror or str(error)
        except (ImportError, AttributeError, KeyError, ValueError) as error:
            fault = str(error)
        program = CompiledProgram(spec, code)
        program.fault = f"the native build of {self.name} cannot be used: {fault}"
        return program
